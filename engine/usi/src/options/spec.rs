//! One option: its names, type, default and effect.

use super::{Expected, OptionError, Options, Platform, normal};
use monomi_support::text::shown;
use std::fmt::Write as _;

/// An option of USI.
pub struct Spec {
    pub name: &'static str,
    pub synonyms: &'static [&'static str],
    pub kind: Kind,
    /// What it does, in English and Japanese.
    pub about: [&'static str; 2],
    /// Not on [`Platform::Browser`].
    pub native_only: bool,
    /// It names a file to be written: not on [`Platform::Hosted`].
    pub writes: bool,
    /// The machine decides on the default.
    pub automatic: bool,
    /// Another default on [`Platform::Browser`], 0 or 1 for `false` or `true`.
    pub browser_default: Option<i64>,
}

/// The type of an option, with its default and its effect.
#[derive(Clone, Copy)]
pub enum Kind {
    Check { default: bool, set: fn(&mut Options, bool) },
    Spin { default: i64, min: i64, max: i64, set: fn(&mut Options, i64) },
    Combo { default: usize, values: &'static [&'static str], set: fn(&mut Options, usize) },
    Text { file: bool, default: &'static str, set: fn(&mut Options, &str) },
}

pub const fn spec(name: &'static str, kind: Kind) -> Spec {
    Spec {
        name,
        synonyms: &[],
        kind,
        about: [""; 2],
        native_only: false,
        writes: false,
        automatic: false,
        browser_default: None,
    }
}

pub const fn check(name: &'static str, default: bool, set: fn(&mut Options, bool)) -> Spec {
    spec(name, Kind::Check { default, set })
}

pub const fn spin(
    name: &'static str,
    default: i64,
    min: i64,
    max: i64,
    set: fn(&mut Options, i64),
) -> Spec {
    spec(name, Kind::Spin { default, min, max, set })
}

impl Spec {
    pub const fn or(mut self, synonyms: &'static [&'static str]) -> Self {
        self.synonyms = synonyms;
        self
    }

    pub const fn about(mut self, english: &'static str, japanese: &'static str) -> Self {
        self.about = [english, japanese];
        self
    }

    pub const fn automatic(mut self) -> Self {
        self.automatic = true;
        self
    }

    pub const fn native(mut self) -> Self {
        self.native_only = true;
        self
    }

    pub const fn writes(mut self) -> Self {
        self.writes = true;
        self
    }

    pub const fn in_browsers(mut self, default: i64) -> Self {
        self.browser_default = Some(default);
        self
    }

    /// The kind with the default of a platform.
    pub fn kind_on(&self, platform: Platform) -> Kind {
        match (self.kind, self.browser_default.filter(|_| platform == Platform::Browser)) {
            (Kind::Spin { min, max, set, .. }, Some(default)) => {
                Kind::Spin { default, min, max, set }
            }
            (Kind::Check { set, .. }, Some(default)) => Kind::Check { default: default != 0, set },
            (kind, _) => kind,
        }
    }

    pub fn exists_on(&self, platform: Platform) -> bool {
        match platform {
            Platform::Native => true,
            Platform::Hosted => !self.writes,
            Platform::Browser => !self.native_only,
        }
    }

    pub fn has_name(&self, wanted: &str) -> bool {
        self.names().any(|known| normal(known) == wanted)
    }

    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.synonyms.iter().copied())
    }

    pub fn set(&self, options: &mut Options, value: &str) -> Result<(), OptionError> {
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
    fn usi_type(&self) -> &'static str {
        match self {
            Kind::Check { .. } => "check",
            Kind::Spin { .. } => "spin",
            Kind::Combo { .. } => "combo",
            Kind::Text { file: true, .. } => "filename",
            Kind::Text { file: false, .. } => "string",
        }
    }

    /// The default as text.
    pub fn default_text(&self) -> String {
        match *self {
            Kind::Check { default, .. } => default.to_string(),
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Combo { default, values, .. } => values[default].to_owned(),
            Kind::Text { default, .. } => default.to_owned(),
        }
    }

    /// A valid value in its usual spelling.
    pub fn canonical(&self, value: &str) -> String {
        match *self {
            Kind::Check { .. } => value.to_ascii_lowercase(),
            Kind::Spin { .. } => value.parse().map_or(value.to_owned(), |n: i64| n.to_string()),
            Kind::Combo { values, .. } => {
                let known = values.iter().find(|known| known.eq_ignore_ascii_case(value));
                known.map_or(value, |known| *known).to_owned()
            }
            Kind::Text { .. } if value == "<empty>" => String::new(),
            Kind::Text { .. } => value.to_owned(),
        }
    }

    pub fn set_default(&self, options: &mut Options) {
        match *self {
            Kind::Check { default, set } => set(options, default),
            Kind::Spin { default, set, .. } => set(options, default),
            Kind::Combo { default, set, .. } => set(options, default),
            Kind::Text { default, set, .. } => set(options, default),
        }
    }
}

impl Spec {
    /// The line with which USI announces the option.
    pub fn announcement(&self, default: &str) -> String {
        let mut line = format!("option name {} type {} default ", self.name, self.kind.usi_type());
        line.push_str(if default.is_empty() { "<empty>" } else { default });
        match &self.kind {
            Kind::Spin { min, max, .. } => {
                let _ = write!(line, " min {min} max {max}");
            }
            Kind::Combo { values, .. } => {
                for value in *values {
                    let _ = write!(line, " var {value}");
                }
            }
            Kind::Check { .. } | Kind::Text { .. } => {}
        }
        line
    }
}
