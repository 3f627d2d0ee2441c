//! The USI options. One table is used to announce, read and check them.

mod book;
mod markdown;
mod table;

pub use book::BookSource;

use monomi_book::{BookOptions, Lookup};
use monomi_eval::LoadOptions;

use monomi_search::eval_source::{EvalSource, INTERNAL};
use monomi_search::{Params, SearchOptions, TimeOptions};
use monomi_text::{Lang, Message, error_message, say, shown};
use std::fmt::{self, Formatter};
use std::path::Path;
use std::time::Duration;

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Options of the search.
    pub search: SearchOptions,
    /// How the search uses the clock.
    pub time: TimeOptions,
    /// Size of the transposition table in mebibytes.
    pub hash_mib: usize,
    /// Number of search threads.
    pub threads: usize,
    /// The GUI may send `go ponder`; the engine itself does not use this.
    pub ponder: bool,
    /// Playing strength, full from `FULL_STRENGTH` on.
    pub skill_level: u32,
    /// While pondering, search the position before the opponent's predicted move.
    pub stochastic_ponder: bool,
    /// `go mate` solves by the rules of tsume.
    pub tsume_rules: bool,
    /// Resign at scores of minus this or less, in centipawns.
    pub resign_value: i32,
    /// Least time between two info lines in games.
    pub pv_interval: Duration,
    /// Print every info line, in games too.
    pub consideration_mode: bool,
    /// Print lines that failed high or low.
    pub output_fail_lh_pv: bool,
    /// Greatest depth of any search in plies, 0 for no limit.
    pub depth_limit: u32,
    /// Most nodes of any search, 0 for no limit.
    pub nodes_limit: u64,
    /// The evaluation file, or the name of a built-in evaluation; see [`monomi_search::eval_source`].
    pub eval_file: String,
    /// A folder with an evaluation file of the usual name, used when `eval_file` does not name one.
    pub eval_dir: String,
    /// Properties that may be missing from the evaluation file: FV_SCALE and EvalRouting.
    pub eval_options: LoadOptions,
    /// Use the opening book.
    pub own_book: bool,
    /// The book's file, empty or `no_book` for none.
    pub book_file: String,
    /// The folder that is searched for it first.
    pub book_dir: String,
    /// Leave the book on disk instead of reading it into memory.
    pub book_on_the_fly: bool,
    /// How the book is used.
    pub book: BookOptions,
    /// File to which every line read and written is logged; empty for none.
    pub debug_log_file: String,
}

/// The usual name of an evaluation file in a folder.
const EVAL_NAME: &str = "nn.bin";

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            search: SearchOptions::default(),
            time: TimeOptions::default(),
            hash_mib: 0,
            threads: 0,
            ponder: false,
            skill_level: 0,
            stochastic_ponder: false,
            tsume_rules: false,
            resign_value: 0,
            pv_interval: Duration::ZERO,
            consideration_mode: false,
            output_fail_lh_pv: false,
            depth_limit: 0,
            nodes_limit: 0,
            eval_file: String::new(),
            eval_dir: String::new(),
            eval_options: LoadOptions::default(),
            own_book: false,
            book_file: String::new(),
            book_dir: String::new(),
            book_on_the_fly: false,
            book: BookOptions {
                moves: 0,
                ignore_rate: 0,
                narrow: false,
                eval_diff: 0,
                eval_diff_of: [None; 2],
                eval_limit: [0; 2],
                depth_limit: 0,
                depth_limit_of: [None; 2],
                consider_count: false,
                pv_moves: 0,
                lookup: Lookup { ignore_ply: false, flipped: false },
            },
            debug_log_file: String::new(),
        };
        for spec in specs() {
            spec.kind.set_default(&mut options);
        }
        options
    }
}

impl Options {
    /// Sets the options that name the evaluation.
    pub fn set_eval_source(&mut self, source: &EvalSource) {
        self.eval_file = source.name();
        self.eval_dir = String::new();
        if let EvalSource::File { options, .. } = source {
            self.eval_options = *options;
        }
    }

    /// The evaluation that the options name.
    pub fn eval_source(&self) -> EvalSource {
        match (self.eval_file.as_str(), self.eval_dir.as_str()) {
            ("" | INTERNAL, dir) if !dir.is_empty() => {
                let path = Path::new(dir).join(EVAL_NAME);
                EvalSource::File { path, options: self.eval_options }
            }
            (file, _) => EvalSource::from_name(Path::new(file), self.eval_options),
        }
    }

    /// The defaults of a platform.
    pub fn of(platform: Platform) -> Self {
        let mut options = Self::default();
        specs().for_each(|spec| spec.kind_on(platform).set_default(&mut options));
        options
    }

    /// [`Self::set`], where options that the platform does not have are an error.
    ///
    /// # Errors
    /// As [`Self::set`].
    pub(crate) fn set_on(
        &mut self,
        platform: Platform,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), OptionError> {
        let wanted = normal(name);
        let missing = specs().find(|spec| spec.has_name(&wanted) && !spec.exists_on(platform));
        match missing {
            Some(spec) => Err(OptionError::NotInBrowser(spec.name)),
            None => self.set(name, value),
        }
    }

    /// Whether two names are those of the same option, which may have several.
    pub fn is_same_name(a: &str, b: &str) -> bool {
        let (a, b) = (normal(a), normal(b));
        a == b || specs().any(|spec| spec.has_name(&a) && spec.has_name(&b))
    }

    /// Sets an option from text.
    ///
    /// # Errors
    /// Unknown names and bad values; the old value stays.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        let wanted = normal(name);
        #[cfg(feature = "tune")]
        if let Some(&(known, ..)) = Params::TABLE.iter().find(|(known, ..)| normal(known) == wanted)
        {
            return self.set_param(known, value.unwrap_or_default().trim());
        }
        let spec = specs()
            .find(|spec| spec.has_name(&wanted))
            .ok_or_else(|| OptionError::Unknown { name: shown(name) })?;
        spec.set(self, value.unwrap_or_default().trim())
    }

    /// The `option` lines of the answer to `usi`.
    pub(crate) fn announcement(platform: Platform) -> impl Iterator<Item = String> {
        let params = if cfg!(feature = "tune") { Params::TABLE } else { &[] };
        let param = |&(name, default, min, max): &(&str, i32, i32, i32)| {
            format!("option name {name} type spin default {default} min {min} max {max}")
        };
        let here = specs().filter(move |spec| spec.exists_on(platform));
        here.map(move |spec| spec.announced(platform)).chain(params.iter().map(param))
    }

    /// Sets a search parameter.
    #[cfg(feature = "tune")]
    fn set_param(&mut self, name: &'static str, value: &str) -> Result<(), OptionError> {
        let number = value.parse().map_err(|_| OptionError::BadValue {
            name,
            value: shown(value),
            expected: Expected::Integer,
        })?;
        let range = Params::TABLE.iter().find(|(known, ..)| *known == name);
        if !self.search.params.set(name, number) {
            let &(_, _, min, max) = range.unwrap_or(&("", 0, 0, 0));
            let (min, max) = (i64::from(min), i64::from(max));
            return Err(OptionError::OutOfRange { name, value: shown(value), min, max });
        }
        Ok(())
    }
}

/// Why an option was not changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no such option.
    Unknown {
        /// The name.
        name: String,
    },
    /// The value does not have the option's type.
    BadValue {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// What was expected.
        expected: Expected,
    },
    /// The number is out of range.
    OutOfRange {
        /// The option.
        name: &'static str,
        /// The value.
        value: String,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// The option has no effect in a browser.
    NotInBrowser(&'static str),
}

/// The values that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `true` or `false`.
    Check,
    /// A whole number.
    Integer,
    /// One of these words.
    OneOf(&'static [&'static str]),
}

impl Message for OptionError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInBrowser(name) => say!(
                lang,
                f,
                "option {name} is not available here",
                "オプション {name} はここでは使えません"
            ),
            Self::Unknown { name } => {
                say!(lang, f, "there is no option `{name}`", "オプション `{name}` はありません")
            }
            Self::BadValue { name, value, expected } => {
                let expected = expected.in_lang(lang);
                say!(
                    lang,
                    f,
                    "option {name}: expected {expected}, got `{value}`",
                    "オプション {name}: {expected} を指定してください（指定された値: `{value}`）"
                )
            }
            Self::OutOfRange { name, value, min, max } => say!(
                lang,
                f,
                "option {name}: {value} is not between {min} and {max}",
                "オプション {name}: {value} は {min} から {max} の範囲にありません"
            ),
        }
    }
}

error_message!(OptionError);

impl Message for Expected {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check => say!(lang, f, "true or false", "true か false"),
            Self::Integer => say!(lang, f, "an integer", "整数"),
            Self::OneOf(values) => {
                let values = values.join(", ");
                say!(lang, f, "one of {values}", "次のどれか（{values}）")
            }
        }
    }
}

/// Names are compared without case, spaces and underscores.
fn normal(name: &str) -> String {
    let plain = |c: &char| !c.is_whitespace() && *c != '_';
    name.chars().filter(plain).flat_map(char::to_lowercase).collect()
}

/// Where the engine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// A program of its own.
    Native,
    /// A WebAssembly module: no threads, no files, no game server.
    Browser,
}

struct Spec {
    name: &'static str,
    synonyms: &'static [&'static str],
    kind: Kind,
    /// What it does, in English and Japanese.
    about: [&'static str; 2],
    /// Not on [`Platform::Browser`].
    native_only: bool,
    /// Another default on [`Platform::Browser`], 0 or 1 for `false` or `true`.
    browser_default: Option<i64>,
}

#[derive(Clone, Copy)]
enum Kind {
    Check { default: bool, set: fn(&mut Options, bool) },
    Spin { default: i64, min: i64, max: i64, set: fn(&mut Options, i64) },
    Combo { default: usize, values: &'static [&'static str], set: fn(&mut Options, usize) },
    Text { file: bool, default: &'static str, set: fn(&mut Options, &str) },
}

const fn spec(name: &'static str, kind: Kind) -> Spec {
    Spec { name, synonyms: &[], kind, about: [""; 2], native_only: false, browser_default: None }
}

const fn check(name: &'static str, default: bool, set: fn(&mut Options, bool)) -> Spec {
    spec(name, Kind::Check { default, set })
}

const fn spin(
    name: &'static str,
    default: i64,
    min: i64,
    max: i64,
    set: fn(&mut Options, i64),
) -> Spec {
    spec(name, Kind::Spin { default, min, max, set })
}

impl Spec {
    const fn or(mut self, synonyms: &'static [&'static str]) -> Self {
        self.synonyms = synonyms;
        self
    }

    const fn about(mut self, english: &'static str, japanese: &'static str) -> Self {
        self.about = [english, japanese];
        self
    }

    const fn native(mut self) -> Self {
        self.native_only = true;
        self
    }

    const fn in_browsers(mut self, default: i64) -> Self {
        self.browser_default = Some(default);
        self
    }

    /// The kind with the default of a platform.
    fn kind_on(&self, platform: Platform) -> Kind {
        match (self.kind, self.browser_default.filter(|_| platform == Platform::Browser)) {
            (Kind::Spin { min, max, set, .. }, Some(default)) => {
                Kind::Spin { default, min, max, set }
            }
            (Kind::Check { set, .. }, Some(default)) => Kind::Check { default: default != 0, set },
            (kind, _) => kind,
        }
    }

    /// The text with which USI announces the option.
    fn announced(&self, platform: Platform) -> String {
        format!("option name {} type {}", self.name, self.kind_on(platform))
    }

    fn exists_on(&self, platform: Platform) -> bool {
        platform == Platform::Native || !self.native_only
    }

    fn has_name(&self, wanted: &str) -> bool {
        self.names().any(|known| normal(known) == wanted)
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.synonyms.iter().copied())
    }

    fn set(&self, options: &mut Options, value: &str) -> Result<(), OptionError> {
        let bad =
            |expected| OptionError::BadValue { name: self.name, value: shown(value), expected };
        match self.kind {
            Kind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(options, true),
                "false" => set(options, false),
                _ => return Err(bad(Expected::Check)),
            },
            Kind::Spin { min, max, set, .. } => {
                // Numbers too large for i64 are out of range, not malformed.
                let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
                if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                    return Err(bad(Expected::Integer));
                }
                match value.parse::<i64>() {
                    Ok(number) if (min..=max).contains(&number) => set(options, number),
                    _ => {
                        let value = shown(value);
                        return Err(OptionError::OutOfRange { name: self.name, value, min, max });
                    }
                }
            }
            Kind::Combo { values, set, .. } => {
                let found = values.iter().position(|known| known.eq_ignore_ascii_case(value));
                set(options, found.ok_or_else(|| bad(Expected::OneOf(values)))?);
            }
            Kind::Text { set, .. } => set(options, if value == "<empty>" { "" } else { value }),
        }
        Ok(())
    }
}

impl Kind {
    fn set_default(&self, options: &mut Options) {
        match *self {
            Kind::Check { default, set } => set(options, default),
            Kind::Spin { default, set, .. } => set(options, default),
            Kind::Combo { default, set, .. } => set(options, default),
            Kind::Text { default, set, .. } => set(options, default),
        }
    }
}

/// Type, default and values as USI announces them.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Combo { default, values, .. } => {
                write!(f, "combo default {}", values[*default])?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            Kind::Text { file, default, .. } => {
                let kind = if *file { "filename" } else { "string" };
                let default = if default.is_empty() { "<empty>" } else { default };
                write!(f, "{kind} default {default}")
            }
        }
    }
}

/// All options in the order in which they are announced.
fn specs() -> impl Iterator<Item = &'static Spec> {
    table::TABLE.iter().chain(&book::TABLE)
}

#[cfg(test)]
mod tests;
