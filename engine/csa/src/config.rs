//! Configuration of `monomi csa`: a TOML file whose keys are the names of the command line options.

mod error;

pub use error::{ConfigError, SyntaxFault, ValueFault};

use crate::secret::Secret;
use monomi_batch::files;
use monomi_usi::Options;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The environment variable for the password if the configuration names no other.
pub const PASSWORD_VARIABLE: &str = "MONOMI_CSA_PASSWORD";
/// Default port of CSA servers.
const DEFAULT_PORT: u16 = 4081;
/// Time limit for answers that servers send at once.
const PATIENCE: Duration = Duration::from_secs(60);
/// The protocol forbids keep-alive lines within 30 seconds of another line.
const SHORTEST_KEEP_ALIVE: u64 = 30;

/// The keys of the file. All are optional, because the command line may set them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FileConfig {
    /// The server's name or address.
    pub host: Option<String>,
    /// Its port.
    pub port: Option<u16>,
    /// The player's name.
    pub user: Option<String>,
    /// A file whose first line is the password.
    pub password_file: Option<PathBuf>,
    /// The environment variable that holds the password.
    pub password_env: Option<String>,
    /// The game's name, such as `floodgate-300-10F`.
    pub game: Option<String>,
    /// The color to request.
    pub color: Option<ColorChoice>,
    /// Log in with shogi-server's extended mode (x1).
    pub extended: Option<bool>,
    /// Connect with TLS.
    pub tls: Option<bool>,
    /// A file with the certificates (PEM) to trust instead of the usual ones.
    pub tls_ca: Option<PathBuf>,
    /// Number of games; 0 for no limit.
    pub games: Option<u32>,
    /// Think on the opponent's time.
    pub ponder: Option<bool>,
    /// Send the score and the PV with each move.
    pub comments: Option<bool>,
    /// Resign when the score is at most minus this many centipawns.
    pub resign: Option<u32>,
    /// The folder for records.
    pub record_folder: Option<PathBuf>,
    /// The file for every line sent and received; passwords are masked.
    pub log_file: Option<PathBuf>,
    /// Seconds between keep-alive lines; 0 for none.
    pub keep_alive: Option<u64>,
    /// Seconds without a line from the server after which the client reconnects.
    pub silence: Option<u64>,
    /// Engine options by their USI names.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
}

/// The value of an engine option in the file.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
pub enum OptionValue {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

impl OptionValue {
    fn text(&self) -> String {
        match self {
            Self::Bool(on) => on.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// The color to request from the server.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ColorChoice {
    /// Either.
    #[default]
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

impl FileConfig {
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

    /// Replaces values with those set in `over`.
    #[must_use]
    pub fn overridden_by(self, over: Self) -> Self {
        let mut options = self.options;
        options.extend(over.options);
        Self {
            host: over.host.or(self.host),
            port: over.port.or(self.port),
            user: over.user.or(self.user),
            // One source of the password replaces the others.
            password_env: over
                .password_env
                .or(self.password_env.filter(|_| over.password_file.is_none())),
            password_file: over.password_file.or(self.password_file),
            game: over.game.or(self.game),
            color: over.color.or(self.color),
            extended: over.extended.or(self.extended),
            tls: over.tls.or(self.tls),
            tls_ca: over.tls_ca.or(self.tls_ca),
            games: over.games.or(self.games),
            ponder: over.ponder.or(self.ponder),
            comments: over.comments.or(self.comments),
            resign: over.resign.or(self.resign),
            record_folder: over.record_folder.or(self.record_folder),
            log_file: over.log_file.or(self.log_file),
            keep_alive: over.keep_alive.or(self.keep_alive),
            silence: over.silence.or(self.silence),
            options,
        }
    }
}

/// The complete configuration of a client.
#[derive(Clone, Debug)]
pub struct Config {
    /// The server's name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// TLS with these certificates; `None` for a plain connection.
    pub tls: Option<TlsConfig>,
    /// The player's name.
    pub user: String,
    /// The password without the game name.
    pub password: Secret,
    /// The game name, for servers that need one.
    pub game: Option<String>,
    /// The color to request.
    pub color: ColorChoice,
    /// Log in with shogi-server's extended mode (x1).
    pub extended: bool,
    /// Number of games; `None` for no limit.
    pub games: Option<u32>,
    /// Think on the opponent's time.
    pub ponder: bool,
    /// Send the score and the PV with each move.
    pub comments: bool,
    /// The folder for records; `None` for none.
    pub record_folder: Option<PathBuf>,
    /// The file for every line sent and received.
    pub log_file: Option<PathBuf>,
    /// Time between keep-alive lines; `None` for none.
    pub keep_alive: Option<Duration>,
    /// Time without a line from the server after which the client reconnects.
    pub silence: Duration,
    /// Time limit for answers that servers send at once.
    pub patience: Duration,
    /// Delays between attempts to connect.
    pub retry: Retry,
    /// Engine options: name and value.
    pub options: Vec<(String, String)>,
}

/// Trusted certificates for TLS.
#[derive(Clone, Debug, Default)]
pub struct TlsConfig {
    /// A file with the certificates (PEM) to trust instead of the usual ones.
    pub ca: Option<PathBuf>,
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
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(1),
            longest: Duration::from_secs(60),
            refused: Duration::from_secs(3600),
        }
    }
}

impl Config {
    /// Validates and completes the values of the file and the command line. `ask` asks the user for
    /// the password if neither a file nor the environment has it.
    ///
    /// # Errors
    /// A value is missing or invalid; the error names it.
    pub fn new(
        file: FileConfig,
        ask: impl FnOnce() -> Result<String, ConfigError>,
    ) -> Result<Self, ConfigError> {
        let host = file.host.filter(|host| !host.is_empty());
        let host = host.ok_or(ConfigError::Missing("host"))?;
        let user = file.user.ok_or(ConfigError::Missing("user"))?;
        one_word("user", &user)?;
        if let Some(game) = &file.game {
            one_word("game", game)?;
        }
        let extended = file.extended.unwrap_or(false);
        if extended && file.game.is_none() {
            return Err(bad("extended", ValueFault::ExtendedNeedsGame));
        }
        let color = file.color.unwrap_or_default();
        if color != ColorChoice::Any && file.game.is_none() {
            return Err(bad("color", ValueFault::ColorNeedsGame));
        }
        let tls = file.tls.unwrap_or(false);
        if file.tls_ca.is_some() && !tls {
            return Err(bad("tls-ca", ValueFault::NeedsTls));
        }
        let keep_alive = file.keep_alive.unwrap_or(60);
        if keep_alive != 0 && keep_alive < SHORTEST_KEEP_ALIVE {
            return Err(bad("keep-alive", ValueFault::KeepAlive));
        }
        let silence = file.silence.unwrap_or(3600);
        if silence == 0 {
            return Err(bad("silence", ValueFault::Silence));
        }
        let mut options: Vec<(String, String)> =
            file.options.iter().map(|(name, value)| (name.clone(), value.text())).collect();
        if let Some(resign) = file.resign {
            options.push(("ResignValue".to_owned(), resign.to_string()));
        }
        let mut trial = Options::default();
        for (name, value) in &options {
            trial.set(name, Some(value)).map_err(ConfigError::Option)?;
        }
        // Last, because it may ask the user.
        let password = match (&file.password_file, &file.password_env) {
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
        Ok(Self {
            host,
            port: file.port.unwrap_or(DEFAULT_PORT),
            tls: tls.then_some(TlsConfig { ca: file.tls_ca }),
            user,
            password,
            game: file.game,
            color,
            extended,
            games: Some(file.games.unwrap_or(0)).filter(|&games| games > 0),
            ponder: file.ponder.unwrap_or(true),
            comments: file.comments.unwrap_or(true),
            record_folder: Some(file.record_folder.unwrap_or_else(|| PathBuf::from("games")))
                .filter(|folder| !folder.as_os_str().is_empty()),
            log_file: file.log_file,
            keep_alive: Some(Duration::from_secs(keep_alive)).filter(|time| !time.is_zero()),
            silence: Duration::from_secs(silence),
            patience: PATIENCE,
            retry: Retry::default(),
            options,
        })
    }

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
        self.options.iter().any(|(set, _)| Options::is_same_name(set, name))
    }
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
mod tests {
    use super::*;

    fn config(text: &str) -> Result<Config, ConfigError> {
        Config::new(FileConfig::parse(text).unwrap(), || Ok("secret".to_owned()))
    }

    const LEAST: &str = "host = 'h'\nuser = 'u'\n";

    #[test]
    fn little_is_needed() {
        let config = config(LEAST).unwrap();
        assert_eq!((config.port, config.games), (4081, None));
        assert!(config.ponder && config.comments && config.tls.is_none());
        assert_eq!(config.login_password().reveal(), "secret");
        assert!(!format!("{config:?}").contains("secret"));
    }

    #[test]
    fn the_game_name_is_sent_in_front_of_the_password() {
        let password = |more: &str| {
            config(&format!("{LEAST}{more}")).unwrap().login_password().reveal().to_owned()
        };
        assert_eq!(password("game = 'floodgate-300-10F'"), "floodgate-300-10F,secret");
        assert_eq!(password("game = 'g-60-10'\ncolor = 'black'"), "g-60-10-B,secret");
        assert_eq!(password("game = 'g-60-10'\nextended = true"), "secret");
    }

    #[test]
    fn unknown_keys_are_named_with_their_line() {
        for (text, name) in [
            ("host = 'h'\nhots = 'x'", "hots"),
            ("pasword-file = 'x'", "pasword-file"),
            ("port = 'x'", "port"),
            ("port = 99999", "port"),
            ("color = 'red'", "red"),
            ("[engine]\nThreads = 1", "engine"),
            ("host =", "1"),
        ] {
            let error = FileConfig::parse(text).unwrap_err();
            let error = error.to_string();
            assert!(error.contains(name) && error.contains("line"), "{text}: {error}");
        }
    }

    #[test]
    fn a_password_in_the_file_is_not_repeated() {
        let error = FileConfig::parse("password = 'hunter2'").unwrap_err();
        assert_eq!(error, SyntaxFault::Password);
        let error = error.to_string();
        assert!(error.contains("password-file") && !error.contains("hunter2"), "{error}");
    }

    #[test]
    fn bad_values_are_named() {
        for (more, expected) in [
            ("extended = true", "`extended`"),
            ("color = 'white'", "`color`"),
            ("tls-ca = 'x'", "`tls-ca`"),
            ("keep-alive = 5", "at least 30"),
            ("game = 'a b'", "`game`"),
            ("silence = 0", "`silence`"),
            ("resign = 1000000", "ResignValue"),
            ("password-file = '/does/not/exist'", "/does/not/exist"),
            ("password-env = 'MONOMI_NO_SUCH_VARIABLE'", "MONOMI_NO_SUCH_VARIABLE"),
            ("[options]\nTheads = 4", "Theads"),
            ("[options]\nThreads = 'many'", "many"),
            ("[options]\nThreads = true", "Threads"),
        ] {
            let error = config(&format!("{LEAST}{more}")).unwrap_err().to_string();
            assert!(error.contains(expected), "{more}: {error}");
        }
        assert!(config("user = 'u'").unwrap_err().to_string().contains("`host`"));
        assert!(config("host = 'u'").unwrap_err().to_string().contains("`user`"));
    }

    #[test]
    fn the_command_line_overrides_the_file() {
        let file = FileConfig::parse(
            "host = 'a'\nuser = 'u'\npassword-env = 'X'\n[options]\nThreads = 1\nUSI_Hash = 64",
        );
        let over =
            FileConfig::parse("host = 'b'\npassword-file = 'p'\ngames = 3\n[options]\nThreads = 2");
        let both = file.unwrap().overridden_by(over.unwrap());
        assert_eq!((both.host.as_deref(), both.user.as_deref()), (Some("b"), Some("u")));
        assert_eq!((both.password_env, both.games), (None, Some(3)));
        assert_eq!(both.options["Threads"], OptionValue::Number(2));
        assert_eq!(both.options["USI_Hash"], OptionValue::Number(64));
    }

    #[test]
    fn options_are_found_in_any_spelling() {
        let config = config(&format!("{LEAST}[options]\nnetwork_delay = 100")).unwrap();
        assert!(config.sets("NetworkDelay") && !config.sets("NetworkDelay2"));
    }
}
