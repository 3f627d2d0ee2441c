//! The USI options. One table is used to announce, read and check them.

mod book;
mod error;
mod files;
mod markdown;
mod spec;
mod table;
mod threads;

pub use book::BookSource;
pub use error::{Expected, OptionError};
pub use files::{FileNote, OptionFileError, Overrides, Precedence, ReadFile};
use spec::{Kind, Spec, check, spec, spin};

use crate::skill::Skill;
use monomi_book::BookOptions;
use monomi_eval::LoadOptions;

use monomi_eval::source::{DEFAULT, EvalSource};
use monomi_search::{Params, SearchOptions, TimeOptions};
use monomi_support::text::shown;
use std::collections::BTreeMap;
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
    /// Bind the search threads to NUMA nodes, where there are several.
    pub numa: bool,
    /// The GUI may send `go ponder`; the engine itself does not use this.
    pub ponder: bool,
    /// Playing strength, full from `FULL_STRENGTH` on.
    pub skill_level: u32,
    /// Play at the strength of `elo`.
    pub limit_strength: bool,
    /// Rating to play at, see docs/skill.md.
    pub elo: i32,
    /// Show the shares of wins, draws and losses in `info`.
    pub show_wdl: bool,
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
    /// The evaluation file, or the name of a built-in evaluation; see [`monomi_eval::source`].
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
    /// The text of each option whose value is not the default of the table.
    texts: BTreeMap<&'static str, String>,
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
            numa: true,
            ponder: false,
            skill_level: 0,
            limit_strength: false,
            elo: 0,
            show_wdl: false,
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
            book: BookOptions::default(),
            debug_log_file: String::new(),
            texts: BTreeMap::new(),
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
        self.put("EvalFile", &source.name());
        self.put("EvalDir", "");
        if let EvalSource::File { options, .. } = source {
            let LoadOptions { fv_scale, routing, .. } = *options;
            self.put("FV_SCALE", &fv_scale.map_or(0, u16::from).to_string());
            self.put("EvalRouting", &routing.map_or("auto".to_owned(), |r| r.to_string()));
        }
    }

    /// Sets an option to a value that it has had before.
    pub(crate) fn put(&mut self, name: &str, value: &str) {
        // It was valid then, so there is no error.
        let _ = self.set(name, Some(value));
    }

    /// The name of an option in the table, and its value as text. `None` if there is no such option.
    pub(crate) fn text(&self, name: &str) -> Option<(&'static str, String)> {
        let wanted = normal(name);
        let spec = specs().find(|spec| spec.has_name(&wanted))?;
        Some((spec.name, self.text_of(spec)))
    }

    /// The names of all options in the order in which they are announced, and their values.
    pub(crate) fn all_texts(&self, platform: Platform) -> impl Iterator<Item = (&str, String)> {
        let here = specs().filter(move |spec| spec.exists_on(platform));
        here.map(|spec| (spec.name, self.text_of(spec)))
    }

    fn text_of(&self, spec: &Spec) -> String {
        self.texts.get(spec.name).cloned().unwrap_or_else(|| spec.kind.default_text())
    }

    /// The level to play at: `SkillLevel`, or the one of `USI_Elo` if that is lower and in use.
    pub fn playing_level(&self) -> u32 {
        match self.limit_strength {
            true => Skill::level_of_elo(self.elo).min(self.skill_level),
            false => self.skill_level,
        }
    }

    /// The evaluation that the options name.
    pub fn eval_source(&self) -> EvalSource {
        match (self.eval_file.as_str(), self.eval_dir.as_str()) {
            ("" | DEFAULT, dir) if !dir.is_empty() => {
                let path = Path::new(dir).join(EVAL_NAME);
                EvalSource::File { path, options: self.eval_options }
            }
            (file, _) => EvalSource::from_name(Path::new(file), self.eval_options),
        }
    }

    /// The defaults of a platform.
    pub fn of(platform: Platform) -> Self {
        let mut options = Self::default();
        for spec in specs().filter(|spec| spec.browser_default.is_some()) {
            options.put(spec.name, &spec.kind_on(platform).default_text());
        }
        options.put("Threads", &threads::automatic(platform).to_string());
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
            Some(spec) => Err(OptionError::NotHere(spec.name)),
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
        let value = value.unwrap_or_default().trim();
        spec.set(self, value)?;
        let text = spec.kind.canonical(value);
        if text == spec.kind.default_text() {
            self.texts.remove(spec.name);
        } else {
            self.texts.insert(spec.name, text);
        }
        Ok(())
    }

    /// The `option` lines of the answer to `usi`. The present values are announced as the defaults.
    pub(crate) fn announcement(&self, platform: Platform) -> impl Iterator<Item = String> {
        let params = if cfg!(feature = "tune") { Params::TABLE } else { &[] };
        let param = |&(name, default, min, max): &(&str, i32, i32, i32)| {
            format!("option name {name} type spin default {default} min {min} max {max}")
        };
        let here = specs().filter(move |spec| spec.exists_on(platform));
        here.map(|spec| spec.announcement(&self.text_of(spec))).chain(params.iter().map(param))
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
    /// A program whose commands come from others than its user, such as a page: it writes no files that they
    /// name.
    Hosted,
    /// A WebAssembly module: no threads, no files, no game server.
    Browser,
}

/// All options in the order in which they are announced.
fn specs() -> impl Iterator<Item = &'static Spec> {
    table::TABLE.iter().chain(&book::TABLE)
}

#[cfg(test)]
mod tests;
