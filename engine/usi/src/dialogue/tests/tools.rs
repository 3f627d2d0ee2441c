//! `bench` and its like, `getoption`, and files of options.

use super::*;
use crate::options::Precedence;
use std::io;
use std::path::Path;

/// Lines that begin `RUN Tool` and `END`, of these.
fn runs(lines: &[String]) -> Vec<&str> {
    let wanted =
        |line: &&str| ["RUN Tool", "RUN go", "END", "STOP"].iter().any(|w| line.starts_with(w));
    lines.iter().map(String::as_str).filter(wanted).collect()
}

#[test]
fn a_bench_runs_to_its_end_before_anything_else() {
    let mut talk = Talk::ready();
    let bench = talk.send("bench 32 4");
    assert_eq!(runs(&bench), ["RUN Tool { id: 1, tool: Bench { depth: 4, hash_mib: 32 } }"]);
    talk.quietly(&["bench 16 2", "go depth 1", "quit"]);
    assert_eq!(talk.tell(Event::ToolLine(1, "Bench: 5".to_owned())), ["Bench: 5"]);
    let second = talk.tell(Event::ToolDone(1, Ok(())));
    assert_eq!(runs(&second).len(), 1, "{second:?}");
    // Lines of a tool that has ended are not shown.
    assert_eq!(talk.tell(Event::ToolLine(1, "late".to_owned())), [""; 0]);
    let search = talk.tell(Event::ToolDone(2, Ok(())));
    assert_eq!(runs(&search), ["RUN go 3", "STOP"]);
    assert_eq!(talk.done(3, "7g7f").last().map(String::as_str), Some("END true"));
}

#[test]
fn stop_ends_a_bench_and_errors_are_told() {
    let mut talk = Talk::ready();
    talk.send("speedtest 2");
    assert_eq!(talk.send("stop"), ["STOP"]);
    let error = UsiError::NoNetwork;
    let lines = talk.tell(Event::ToolDone(1, Err(error)));
    assert!(lines[0].starts_with("info string Error! export_net"), "{lines:?}");
    let lines = talk.send("bench x");
    assert!(lines[0].contains("`bench` needs a number, got `x`"), "{lines:?}");
    assert_eq!(runs(&lines).len(), 1);
}

#[test]
fn the_end_of_input_waits_for_a_bench() {
    let mut talk = Talk::ready();
    talk.send("bench");
    assert_eq!(talk.handle(Input::End), [""; 0]);
    assert_eq!(talk.tell(Event::ToolDone(1, Ok(()))), ["END false"]);
}

#[test]
fn getoption_shows_one_option_or_all() {
    let mut talk = Talk::new();
    talk.quietly(&["setoption name USI_Hash value 77"]);
    assert_eq!(talk.send("getoption hash"), ["USI_Hash = 77"]);
    assert_eq!(talk.send("getoption BookDir"), ["BookDir = book"]);
    assert!(talk.send("getoption nothing")[0].contains("no option `nothing`"));
    let all = talk.send("getoption");
    assert!(all.len() > 30 && all.contains(&"USI_Hash = 77".to_owned()), "{all:?}");
}

#[test]
fn a_rating_limits_the_strength_and_shares_are_shown() {
    let mut talk = Talk::ready();
    let level = |talk: &mut Talk, number: u64| {
        talk.send("go nodes 1000000");
        let skill = talk.search.as_ref().unwrap().skill;
        let lines = talk.done(number, "7g7f");
        (skill, lines)
    };
    talk.quietly(&["setoption name USI_Elo value 1000"]);
    assert_eq!(level(&mut talk, 1).0, None);
    talk.quietly(&["setoption name USI_LimitStrength value true"]);
    assert_eq!(level(&mut talk, 2).0, Skill::new(6));
    talk.quietly(&["setoption name SkillLevel value 2"]);
    assert_eq!(level(&mut talk, 3).0, Skill::new(2));
    // Also lists of processors, as YaneuraOu takes them.
    for policy in ["auto", "none", "0-7:8-15"] {
        talk.quietly(&[&format!("setoption name NumaPolicy value {policy}")]);
        assert_eq!(talk.send("getoption NumaPolicy"), [format!("NumaPolicy = {policy}")]);
    }
    // The last value counts, and only a change is passed on.
    talk.quietly(&["setoption name NumaPolicy value none"]);
    assert_eq!(talk.send("isready")[0], "RUN UseNuma(false)");
    assert!(!talk.send("isready").contains(&"RUN UseNuma(false)".to_owned()));
    talk.quietly(&["setoption name NumaPolicy value auto"]);
    assert_eq!(talk.send("isready")[0], "RUN UseNuma(true)");
}

#[test]
fn help_lists_the_commands_that_a_person_types() {
    let mut talk = Talk::ready();
    let said = talk.send("help");
    for command in ["position startpos", "go movetime", "setoption", "quit"] {
        assert!(said.iter().any(|line| line.starts_with(command)), "{said:?}");
    }
    assert!(said.len() < 15 && said.iter().all(|line| !line.contains("unknown")), "{said:?}");
}

fn engine_file(path: &Path) -> io::Result<Option<String>> {
    let text = match path.file_name().and_then(|name| name.to_str()) {
        Some("engine_options.txt") => "MultiPV 3\nUSI_Hash=48\nNoSuch 1\n",
        Some("eval_options.txt") => "FV_SCALE=24\n",
        _ => return Ok(None),
    };
    Ok(Some(text.to_owned()))
}

#[test]
fn files_of_options_are_defaults_that_stay() {
    let mut talk = Talk::new();
    talk.dialogue.read_option_files(Path::new("folder"), engine_file, Precedence::File);
    let usi = talk.send("usi");
    assert!(usi.contains(&"option name MultiPV type spin default 3 min 1 max 600".to_owned()));
    assert!(usi.iter().all(|line| !line.starts_with("info")), "{usi:?}");
    assert_eq!(talk.send("setoption name MultiPV value 3"), [""; 0]);
    assert!(talk.send("setoption name MultiPV value 1")[0].contains("stays `3`"));
    talk.quietly(&["setoption name EvalFile value nets/a.bin"]);
    let ready = talk.send("isready");
    assert!(ready[0].starts_with("info string options read from"), "{ready:?}");
    assert!(ready[1].contains("line 3") && ready[1].contains("NoSuch"), "{ready:?}");
    let load = ready.iter().find(|line| line.contains("LoadEval")).unwrap();
    assert!(load.contains("fv_scale: Some(24)"), "{load}");
    assert!(ready.contains(&"RUN Resize(48)".to_owned()), "{ready:?}");
    assert_eq!(talk.send("getoption FV_SCALE"), ["FV_SCALE = 24"]);
}
