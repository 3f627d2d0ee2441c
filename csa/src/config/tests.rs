use super::*;
use clap::Args as _;

fn config(text: &str) -> Result<Config, ConfigError> {
    Settings::parse(text).unwrap().complete(|| Ok("secret".to_owned()))
}

const LEAST: &str = "host = 'h'\nuser = 'u'\n";

#[test]
fn little_is_needed() {
    let config = config(LEAST).unwrap();
    assert_eq!((config.port, config.games), (4081, 0));
    assert!(config.ponder && config.comments && !config.tls);
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
        let error = Settings::parse(text).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(name) && error.contains("line"), "{text}: {error}");
    }
}

#[test]
fn a_password_in_the_file_is_not_repeated() {
    let error = Settings::parse("password = 'hunter2'").unwrap_err();
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

/// A file with a command line.
fn both(file: &str, line: &[&str]) -> Settings {
    let command = CommandLine::augment_args(Command::new("csa").no_binary_name(true));
    let line = CommandLine::from_arg_matches(&command.get_matches_from(line)).unwrap();
    Settings::parse(file).unwrap().overridden_by(&line).unwrap()
}

#[test]
fn the_command_line_overrides_the_file() {
    let file = "host = 'a'\nuser = 'u'\npassword-env = 'X'\ntls = true\nponder = false\n\
                [options]\nThreads = 1\nUSI_Hash = 64";
    let line =
        "--host b --password-file p --games 3 --option threads=2 --option PvInterval=7 --extended";
    let both = both(file, &line.split(' ').collect::<Vec<_>>());
    assert_eq!((both.host.as_str(), both.user.as_str(), both.games), ("b", "u", 3));
    assert_eq!((both.password_env, both.password_file), (None, Some("p".into())));
    assert!(both.tls && both.extended && !both.ponder);
    let options = both.options.iter().map(|(name, value)| format!("{name}={value}"));
    assert_eq!(options.collect::<Vec<_>>(), ["USI_Hash=64", "threads=2", "PvInterval=7"]);
}

#[test]
fn the_command_line_can_switch_off_what_the_file_switches_on() {
    let both = both("tls = true\nextended = true", &["--tls=false"]);
    assert!(!both.tls && both.extended);
}

#[test]
fn what_nothing_sets_has_the_default_of_the_help() {
    let (none, default) = (both("", &[]), Settings::default());
    assert_eq!(format!("{none:?}"), format!("{default:?}"));
    let command = Settings::augment_args(Command::new("csa"));
    for (id, default) in [
        ("port", default.port.to_string()),
        ("games", default.games.to_string()),
        ("ponder", default.ponder.to_string()),
        ("comments", default.comments.to_string()),
        ("record_folder", default.record_folder.display().to_string()),
        ("keep_alive", default.keep_alive.as_secs().to_string()),
        ("silence", default.silence.as_secs().to_string()),
    ] {
        let argument = command.get_arguments().find(|argument| argument.get_id() == id);
        let help = argument.unwrap().get_help().unwrap().to_string();
        assert!(help.ends_with(&format!("[default: {default}]")), "{id}: {help}");
    }
}

#[test]
fn options_are_found_in_any_spelling() {
    let config = config(&format!("{LEAST}[options]\nnetwork_delay = 100")).unwrap();
    assert!(config.sets("NetworkDelay") && !config.sets("NetworkDelay2"));
}
