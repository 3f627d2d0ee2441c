use super::*;
use monomi_movegen::EnteringKingRule;
use std::num::NonZeroU16;

#[test]
fn defaults_are_those_of_the_search_and_of_the_field() {
    let options = Options::default();
    assert_eq!(options.search, SearchOptions::default());
    assert_eq!(options.pv_interval, Duration::from_millis(300));
    assert_eq!(options.eval_source(), EvalSource::Internal);
}

#[test]
fn announced_lines_split_on_single_spaces() {
    for line in Options::default().announcement(Platform::Native) {
        assert!(line.split(' ').all(|word| !word.is_empty()), "{line}");
        assert!(line.starts_with("option name "), "{line}");
    }
    let all: Vec<String> = Options::default().announcement(Platform::Native).collect();
    assert!(
        all.contains(
            &"option name NetworkDelay2 type spin default 1120 min 0 max 10000".to_owned()
        )
    );
    assert!(all.contains(&"option name USI_Ponder type check default false".to_owned()));
    assert!(all.contains(&"option name EvalDir type string default <empty>".to_owned()));
    let rule = "option name EnteringKingRule type combo default CSARule27 \
                var NoEnteringKing var CSARule24 var CSARule24H var CSARule27 var CSARule27H \
                var TryRule";
    assert!(all.contains(&rule.to_owned()));
}

#[test]
fn every_announced_default_can_be_set_back() {
    for spec in specs() {
        let line = spec.announcement(&spec.kind.default_text());
        let default = line.split(' ').skip_while(|&word| word != "default").nth(1);
        let mut options = Options::default();
        assert_eq!(options.set(spec.name, default), Ok(()), "{line}");
        assert_eq!(options, Options::default(), "{line}");
    }
}

#[test]
fn names_are_unique_under_loose_spelling() {
    let mut names: Vec<String> = specs().flat_map(Spec::names).map(normal).collect();
    let all = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn loose_spelling_and_synonyms() {
    let mut options = Options::default();
    options.set("hash", Some("64")).unwrap();
    options.set("usi ponder", Some("TRUE")).unwrap();
    options.set("USI_MultiPV", Some(" 3 ")).unwrap();
    options.set("enteringkingrule", Some("tryrule")).unwrap();
    options.set("Eval Dir", Some("my nets")).unwrap();
    options.set("EvalFile", None).unwrap();
    assert_eq!((options.hash_mib, options.ponder, options.search.multi_pv), (64, true, 3));
    assert_eq!(options.search.entering_king_rule, EnteringKingRule::Try);
    let path = Path::new("my nets").join("nn.bin");
    assert_eq!(options.eval_source(), EvalSource::File { path, options: LoadOptions::default() });
}

#[test]
fn the_names_of_an_option_are_the_same() {
    assert!(Options::is_same_name("network_delay", "NetworkDelay"));
    assert!(Options::is_same_name("USI Hash", "hash"));
    assert!(!Options::is_same_name("NetworkDelay", "NetworkDelay2"));
    assert!(!Options::is_same_name("", "USI_Hash"));
}

#[test]
fn bad_values_name_the_option_and_change_nothing() {
    for (name, value) in [
        ("USI_Hash", Some("0")),
        ("USI_Hash", Some("99999999999999999999")),
        ("USI_Hash", Some("12x")),
        ("USI_Hash", Some("1.5")),
        ("USI_Hash", None),
        ("SlowMover", Some("-5")),
        ("USI_Ponder", Some("maybe")),
        ("USI_Ponder", None),
        ("EnteringKingRule", Some("CSARule28")),
        ("NoSuchThing", Some("1")),
    ] {
        let mut options = Options::default();
        let error = options.set(name, value).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
        assert_eq!(options, Options::default());
    }
}

#[test]
fn messages_say_what_was_expected() {
    let error = |name, value| Options::default().set(name, Some(value)).unwrap_err().to_string();
    assert_eq!(
        error("USI_Ponder", "maybe"),
        "option USI_Ponder: expected true or false, got `maybe`"
    );
    assert_eq!(error("Threads", "x"), "option Threads: expected an integer, got `x`");
    assert_eq!(error("Threads", "0"), "option Threads: 0 is not between 1 and 1024");
}

#[test]
fn routings_are_announced_and_reach_the_evaluation() {
    let parts: Vec<_> = monomi_eval::network::Routing::part_names().collect();
    assert_eq!(table::ROUTINGS[2..], parts);
    let mut options = Options::default();
    assert_eq!(options.eval_options, LoadOptions::default());
    options.set("EvalRouting", Some("k9k9z")).unwrap();
    assert_eq!(options.eval_options.routing.unwrap().to_string(), "k9k9z");
    options.set("EvalRouting", Some("auto")).unwrap();
    assert_eq!(options.eval_options.routing, None);
    options.set("FV_SCALE", Some("24")).unwrap();
    assert_eq!(options.eval_options.fv_scale, NonZeroU16::new(24));
    assert!(options.set("EvalRouting", Some("k5k5")).is_err());
}

#[test]
fn docs_options_has_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/options.md");
    let wanted = Options::markdown();
    if std::env::var_os("MONOMI_BLESS").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
    assert!(found == wanted, "write it by MONOMI_BLESS=1 cargo test -p monomi-usi options");
}

#[test]
fn every_option_says_what_it_does() {
    for spec in specs() {
        for about in spec.about {
            assert!(!about.is_empty() && !about.contains(['|', '\n']), "{}", spec.name);
        }
        assert!(spec.about[0].is_ascii() && !spec.about[1].is_ascii(), "{}", spec.name);
    }
}

#[test]
fn the_defaults_announced_are_those_in_use() {
    for platform in [Platform::Native, Platform::Browser] {
        let mut announced = Options::of(platform);
        for line in Options::of(platform).announcement(platform) {
            let words: Vec<&str> = line.split(' ').collect();
            announced.set(words[2], Some(words[6])).unwrap();
        }
        assert_eq!(format!("{announced:?}"), format!("{:?}", Options::of(platform)));
    }
    assert_eq!((Options::of(Platform::Browser).hash_mib, Options::default().hash_mib), (16, 256));
}

#[test]
fn the_text_of_an_option_is_its_last_valid_value() {
    let mut options = Options::default();
    assert_eq!(options.text("hash"), Some(("USI_Hash", "256".to_owned())));
    options.set("Hash", Some("0064")).unwrap();
    options.set("Hash", Some("x")).unwrap_err();
    options.set("usi_ponder", Some("TRUE")).unwrap();
    options.set("EnteringKingRule", Some("tryrule")).unwrap();
    options.set("EvalDir", Some("<empty>")).unwrap();
    let text = |name| options.text(name).unwrap().1;
    let texts = ["USI_Hash", "USI_Ponder", "EnteringKingRule", "EvalDir"].map(text);
    assert_eq!(texts, ["64", "true", "TryRule", ""]);
    assert_eq!(options.text("no such"), None);
    // What is announced as the default after that is the same.
    let lines: Vec<String> = options.announcement(Platform::Native).collect();
    assert!(
        lines.iter().any(|line| line.starts_with("option name USI_Hash type spin default 64 "))
    );
}

#[test]
fn a_refused_evaluation_puts_all_its_options_back() {
    let mut options = Options::default();
    let before = EvalSource::File {
        path: "a.bin".into(),
        options: LoadOptions::default()
            .with_fv_scale(NonZeroU16::new(24))
            .with_routing("k9k9z".parse::<monomi_eval::network::Routing>().ok()),
    };
    options.set("EvalDir", Some("b")).unwrap();
    options.set_eval_source(&before);
    assert_eq!(options.eval_source(), before);
    let text = |name| options.text(name).unwrap().1;
    assert_eq!(["EvalFile", "FV_SCALE", "EvalRouting"].map(text), ["a.bin", "24", "k9k9z"]);
}

#[test]
fn the_defaults_of_the_book_are_those_of_its_crate() {
    assert_eq!(Options::default().book, monomi_book::BookOptions::default());
}
