//! Settings of `monomi csa`: options of the command line, and keys of the same names in a TOML file.

mod error;

pub use error::{ConfigError, SyntaxFault, ValueFault};

use crate::secret::Secret;
use clap::ArgAction::Set;
use clap::{ArgMatches, Command, FromArgMatches, ValueHint};
use monomi_support::batch::files;
use monomi_support::text::{AnyMessage, parsed};
use monomi_usi::Options;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The environment variable for the password if the configuration names no other.
pub const PASSWORD_VARIABLE: &str = "MONOMI_CSA_PASSWORD";
/// Time limit for answers that servers send at once.
const PATIENCE: Duration = Duration::from_secs(60);
/// The protocol forbids keep-alive lines within 30 seconds of another line.
const SHORTEST_KEEP_ALIVE: u64 = 30;

/// What users can set, with the defaults of what they leave out.
#[derive(Clone, Debug, Deserialize, clap::Args)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    /// The server's name or address.
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Hostname)]
    pub host: String,
    /// The server's port [default: 4081].
    #[arg(long, value_name = "N", value_parser = parsed::<u16>)]
    pub port: u16,
    /// The player's name.
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Username)]
    pub user: String,
    /// File whose first line is the password.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub password_file: Option<PathBuf>,
    /// Environment variable that holds the password [default: MONOMI_CSA_PASSWORD].
    #[arg(long, value_name = "NAME", conflicts_with = "password_file")]
    pub password_env: Option<String>,
    /// The game's name, such as floodgate-300-10F.
    #[arg(long, value_name = "NAME")]
    pub game: Option<String>,
    /// The color to ask for [default: any].
    #[arg(long, value_enum, value_name = "COLOR")]
    pub color: ColorChoice,
    /// Log in with shogi-server's extended mode (x1) and stay logged in between games.
    #[arg(long, value_name = "BOOL", action = Set)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub extended: bool,
    /// Connect with TLS.
    #[arg(long, value_name = "BOOL", action = Set)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub tls: bool,
    /// File with the certificates (PEM) to trust instead of the usual ones.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub tls_ca: Option<PathBuf>,
    /// USI engine to play with, started in its own folder [default: Monomi].
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::ExecutablePath)]
    pub engine: Option<PathBuf>,
    /// Number of games, 0 for no limit [default: 0].
    #[arg(long, value_name = "N", value_parser = parsed::<u32>)]
    pub games: u32,
    /// Think on the opponent's time [default: true].
    #[arg(long, value_name = "BOOL", action = Set)]
    pub ponder: bool,
    /// Send scores and lines with the moves, for viewers [default: true].
    #[arg(long, value_name = "BOOL", action = Set)]
    pub comments: bool,
    /// The rule by which a win is declared (%KACHI) [default: server].
    #[arg(long, value_enum, value_name = "RULE")]
    pub declaration: DeclarationChoice,
    /// Resign when the score is at or below minus this [default: never].
    #[arg(long, value_name = "CENTIPAWNS", value_parser = parsed::<u32>)]
    pub resign: Option<u32>,
    /// Folder for records, empty for none [default: games].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub record_folder: PathBuf,
    /// Show the game in progress on a page of this machine, at this port; 0 is a free one [default: none].
    #[arg(long, value_name = "PORT", value_parser = parsed::<u16>)]
    pub page: Option<u16>,
    /// Shell command to run at each event but moves: its name in MONOMI_EVENT, its JSON on standard input [default: none].
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString)]
    pub on_event: Option<String>,
    /// File for every line sent and received; passwords are masked.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub log_file: Option<PathBuf>,
    /// Time between keep-alive lines, 0 for none [default: 60].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    #[serde(deserialize_with = "seconds_in_file")]
    pub keep_alive: Duration,
    /// Time without a line after which the connection is given up [default: 3600].
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    #[serde(deserialize_with = "seconds_in_file")]
    pub silence: Duration,
    /// Engine option by its USI name; may be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = pair)]
    #[serde(deserialize_with = "options_in_file")]
    pub options: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            host: String::new(),
            port: 4081,
            user: String::new(),
            password_file: None,
            password_env: None,
            game: None,
            color: ColorChoice::Any,
            extended: false,
            tls: false,
            tls_ca: None,
            engine: None,
            games: 0,
            ponder: true,
            comments: true,
            declaration: DeclarationChoice::Server,
            resign: None,
            record_folder: PathBuf::from("games"),
            page: None,
            on_event: None,
            log_file: None,
            keep_alive: Duration::from_secs(60),
            silence: Duration::from_secs(3600),
            options: Vec::new(),
        }
    }
}

fn seconds(text: &str) -> Result<Duration, AnyMessage> {
    parsed(text).map(Duration::from_secs)
}

fn seconds_in_file<'de, D: Deserializer<'de>>(value: D) -> Result<Duration, D::Error> {
    u64::deserialize(value).map(Duration::from_secs)
}

fn pair(text: &str) -> Result<(String, String), AnyMessage> {
    let pair = text.split_once('=').ok_or_else(|| AnyMessage::new(ValueFault::NoPair))?;
    Ok((pair.0.trim().to_owned(), pair.1.trim().to_owned()))
}

/// The value of an engine option in the file.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected true, false, a whole number or a text")]
enum OptionValue {
    Bool(bool),
    Number(i64),
    Text(String),
}

fn options_in_file<'de, D: Deserializer<'de>>(table: D) -> Result<Vec<(String, String)>, D::Error> {
    let table = BTreeMap::<String, OptionValue>::deserialize(table)?;
    let text = |value| match value {
        OptionValue::Bool(on) => on.to_string(),
        OptionValue::Number(number) => number.to_string(),
        OptionValue::Text(text) => text,
    };
    Ok(table.into_iter().map(|(name, value)| (name, text(value))).collect())
}

/// The rule by which a win is declared.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, clap::ValueEnum)]
pub enum DeclarationChoice {
    /// As the game's conditions say; 27 points, as on floodgate, if they say nothing.
    #[serde(rename = "server")]
    Server,
    /// 27 points.
    #[serde(rename = "27")]
    #[value(name = "27")]
    Points27,
    /// 24 points.
    #[serde(rename = "24")]
    #[value(name = "24")]
    Points24,
    /// Never declare.
    #[serde(rename = "never")]
    Never,
}

/// The color to request from the server.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ColorChoice {
    /// Either.
    Any,
    /// Black (sente).
    Black,
    /// White (gote).
    White,
}

impl ColorChoice {
    /// The color as `%%GAME` of the extended mode writes it.
    pub(super) fn sign(self) -> char {
        match self {
            Self::Any => '*',
            Self::Black => '+',
            Self::White => '-',
        }
    }
}

/// The [`Settings`] that a command line sets, to be flattened into the arguments of a command.
#[derive(Clone, Debug)]
pub struct CommandLine(ArgMatches);

impl FromArgMatches for CommandLine {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl clap::Args for CommandLine {
    fn augment_args(command: Command) -> Command {
        // Nothing is required here, because a file may set it.
        Settings::augment_args_for_update(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Settings::augment_args_for_update(command)
    }
}

impl Settings {
    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or has unknown keys or values of the wrong type.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = files::read_text(path)
            .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
        Self::parse(&text).map_err(|fault| ConfigError::Syntax { path: path.to_owned(), fault })
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// The error, with its line.
    pub fn parse(text: &str) -> Result<Self, SyntaxFault> {
        let parsed: Result<Self, toml::de::Error> = toml::from_str(text);
        // The parser's message quotes the line, which may contain a password.
        parsed.map_err(|error| match error.message() {
            message if message.contains("unknown field `password`") => SyntaxFault::Password,
            _ => SyntaxFault::Toml(error.to_string().trim_end().to_owned()),
        })
    }

    /// Replaces what the command line sets.
    ///
    /// # Errors
    /// The arguments are not those of [`Settings`].
    pub fn overridden_by(mut self, line: &CommandLine) -> Result<Self, clap::Error> {
        if ["password_file", "password_env"].iter().any(|source| line.0.contains_id(source)) {
            // One source of the password replaces the other.
            (self.password_file, self.password_env) = (None, None);
        }
        let mut options = std::mem::take(&mut self.options);
        self.update_from_arg_matches(&line.0)?;
        options.retain(|(name, _)| !sets(&self.options, name));
        self.options.splice(0..0, options);
        Ok(self)
    }

    /// Checks the values and adds the password. `ask` asks the user for the password if neither a file
    /// nor the environment has it.
    ///
    /// # Errors
    /// A value is missing or invalid; the error names it.
    pub fn complete(
        mut self,
        ask: impl FnOnce() -> Result<String, ConfigError>,
    ) -> Result<Config, ConfigError> {
        if let Some(resign) = self.resign {
            self.options.push(("ResignValue".to_owned(), resign.to_string()));
        }
        self.check()?;
        // Last, because it may ask the user.
        let password = self.password(ask)?;
        Ok(Config { settings: self, password, patience: PATIENCE, retry: Retry::default() })
    }

    fn check(&self) -> Result<(), ConfigError> {
        for (key, value) in [("host", &self.host), ("user", &self.user)] {
            if value.is_empty() {
                return Err(ConfigError::Missing(key));
            }
        }
        one_word("user", &self.user)?;
        if let Some(game) = &self.game {
            one_word("game", game)?;
        }
        if self.extended && self.game.is_none() {
            return Err(bad("extended", ValueFault::ExtendedNeedsGame));
        }
        if self.color != ColorChoice::Any && self.game.is_none() {
            return Err(bad("color", ValueFault::ColorNeedsGame));
        }
        if self.tls_ca.is_some() && !self.tls {
            return Err(bad("tls-ca", ValueFault::NeedsTls));
        }
        if (1..SHORTEST_KEEP_ALIVE).contains(&self.keep_alive.as_secs()) {
            return Err(bad("keep-alive", ValueFault::KeepAlive));
        }
        if self.silence.is_zero() {
            return Err(bad("silence", ValueFault::Silence));
        }
        if self.engine.is_some() {
            // What another engine does not have is known once it runs.
            return Ok(());
        }
        let mut trial = Options::default();
        for (name, value) in &self.options {
            trial.set(name, Some(value)).map_err(ConfigError::Option)?;
        }
        Ok(())
    }

    fn password(
        &self,
        ask: impl FnOnce() -> Result<String, ConfigError>,
    ) -> Result<Secret, ConfigError> {
        let password = match (&self.password_file, &self.password_env) {
            (Some(path), _) => files::read_text(path)
                .map_err(|error| ConfigError::Unreadable { path: path.clone(), error })?
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned(),
            (None, Some(name)) => std::env::var(name)
                .map_err(|_| bad("password-env", ValueFault::NoVariable(name.clone())))?,
            (None, None) => match std::env::var(PASSWORD_VARIABLE) {
                Ok(password) => password,
                Err(_) => ask()?,
            },
        };
        let password = Secret::new(password.trim_end());
        if !password.is_one_word() {
            return Err(bad("password", ValueFault::Password));
        }
        Ok(password)
    }
}

/// What a client needs: checked settings, the password, and times that users cannot set.
#[derive(Clone, Debug)]
pub struct Config {
    /// The settings, which are consistent.
    pub settings: Settings,
    /// The password without the game name.
    pub password: Secret,
    /// Time limit for answers that servers send at once.
    pub patience: Duration,
    /// Delays between attempts to connect.
    pub retry: Retry,
}

impl Deref for Config {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.settings
    }
}

/// Delays between attempts to connect.
#[derive(Clone, Copy, Debug)]
pub struct Retry {
    /// The first delay; each further one is twice as long.
    pub first: Duration,
    /// The longest delay.
    pub longest: Duration,
    /// How long to retry when the server refuses the login after an earlier login succeeded.
    pub refused: Duration,
    /// How long to retry when the server cannot be reached and there was no login yet.
    pub unreached: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(1),
            longest: Duration::from_secs(60),
            refused: Duration::from_secs(3600),
            unreached: Duration::from_secs(120),
        }
    }
}

impl Config {
    /// The password as it is sent. shogi-server expects the game name and the color in front of it
    /// (`floodgate-300-10F,secret`), except in extended mode.
    pub fn login_password(&self) -> Secret {
        let Some(game) = self.game.as_ref().filter(|_| !self.extended) else {
            return self.password.clone();
        };
        let color = match self.color {
            ColorChoice::Any => "",
            ColorChoice::Black => "-B",
            ColorChoice::White => "-W",
        };
        Secret::new(format!("{game}{color},{}", self.password.reveal()))
    }

    /// Whether the user sets this engine option.
    pub fn sets(&self, name: &str) -> bool {
        sets(&self.options, name)
    }
}

fn sets(options: &[(String, String)], name: &str) -> bool {
    options.iter().any(|(set, _)| Options::is_same_name(set, name))
}

fn bad(key: &'static str, fault: ValueFault) -> ConfigError {
    ConfigError::Bad { key, fault }
}

fn one_word(key: &'static str, text: &str) -> Result<(), ConfigError> {
    if text.is_empty() || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(bad(key, ValueFault::NotOneWord));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
