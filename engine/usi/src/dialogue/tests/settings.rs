//! Tests of options and `isready`.

use super::*;

#[test]
fn isready_during_a_search_is_answered_at_once() {
    let mut talk = Talk::ready();
    talk.send("go infinite");
    talk.quietly(&["setoption name USI_Hash value 64"]);
    for _ in 0..3 {
        assert_eq!(talk.send("isready"), ["readyok"]);
    }
    assert_eq!(talk.send("usi").last().map(String::as_str), Some("usiok"));
    talk.send("stop");
    talk.done(1, "7g7f");
    // The new table is for the next search.
    assert_eq!(talk.send("go depth 3"), ["RUN Resize(64)", "RUN go 2"]);
}

#[test]
fn shares_of_wins_use_the_scale_of_the_network() {
    let mut talk = Talk::ready();
    talk.quietly(&["setoption name USI_ShowWDL value true"]);
    talk.send("go infinite");
    let line = &talk.info(1, 3, "7g7f")[0];
    assert!(line.contains(" score cp 7 wdl 503 0 497 "), "{line}");
    talk.send("stop");
    talk.done(1, "7g7f");
    let network = Evaluation::internal();
    let wins = 1000.0 * Score::Cp(7).winning_probability(network.win_scale());
    let shares = format!(" wdl {wins:.0} 0 ");
    assert!(!line.contains(&shares), "the network's scale is another one: {shares}");
    talk.tell(Event::Evaluation(network));
    talk.send("go infinite");
    let line = &talk.info(2, 3, "7g7f")[0];
    assert!(line.contains(&shares), "{line}");
}

#[test]
fn isready_applies_options_and_clears_what_was_used() {
    let mut talk = Talk::new();
    talk.quietly(&["setoption name USI_Hash value 16", "setoption name Threads value 1"]);
    let first = ["RUN SetThreads(1)", "RUN Resize(16)", "RUN Forget", "RUN Ready"];
    assert_eq!(talk.send("isready"), first);
    assert_eq!(talk.tell(Event::Ready), ["readyok"]);
    assert_eq!(talk.send("isready"), ["RUN Ready"], "nothing was searched");
    talk.tell(Event::Ready);
    assert_eq!(talk.send("usinewgame"), ["RUN NewGame"]);
    talk.send("go depth 1");
    talk.done(1, "7g7f");
    assert_eq!(talk.send("isready"), ["RUN Forget", "RUN Ready"]);
    // Each is answered.
    assert_eq!(talk.send("isready"), ["RUN Ready"]);
    assert_eq!(talk.tell(Event::Ready), ["readyok"]);
    assert_eq!(talk.tell(Event::Ready), ["readyok"]);
}

#[test]
fn a_long_isready_is_kept_alive_by_empty_lines() {
    let mut talk = Talk::new();
    talk.send("isready");
    assert_eq!(talk.wakes_in(), Some(3_000));
    assert_eq!(talk.after(2_999), NOTHING);
    assert_eq!(talk.after(1), [""]);
    assert_eq!(talk.wakes_in(), Some(3_000));
    assert_eq!(talk.after(3_000), [""]);
    assert_eq!(talk.tell(Event::Ready), ["readyok"]);
    assert_eq!(talk.wakes_in(), None);
    assert_eq!(talk.after(60_000), NOTHING);
}

#[test]
fn options_during_a_search_are_for_the_next_one() {
    let mut talk = Talk::ready();
    talk.send("go infinite");
    talk.quietly(&["setoption name MultiPV value 4", "setoption name Threads value 2"]);
    assert_eq!(talk.last_search().options.multi_pv, 1);
    talk.send("stop");
    talk.done(1, "7g7f");
    assert_eq!(talk.send("go infinite"), ["RUN SetThreads(2)", "RUN go 2"]);
    assert_eq!(talk.last_search().options.multi_pv, 4);
    let error = talk.send("setoption name MultiPV value many");
    assert_eq!(error, ["info string Error! option MultiPV: expected an integer, got `many`"]);
}

#[test]
fn a_refused_setting_is_not_tried_again() {
    let mut talk = Talk::ready();
    talk.quietly(&["setoption name Threads value 1000"]);
    assert_eq!(talk.send("go depth 1"), ["RUN SetThreads(1000)", "RUN go 1"]);
    let error = std::io::Error::from(std::io::ErrorKind::OutOfMemory);
    let error = UsiError::Threads { threads: 1000, error: error.into() };
    let lines = talk.tell(Event::Refused(Setting::Threads(1), error));
    assert!(lines[0].starts_with("info string Error! Threads 1000: "), "{lines:?}");
    talk.done(1, "7g7f");
    assert_eq!(talk.send("go depth 1"), ["RUN go 2"]);
}

#[test]
fn the_log_is_opened_once_and_a_refused_one_forgotten() {
    let mut talk = Talk::new();
    let set = |file: &str| format!("setoption name DebugLogFile value {file}");
    assert_eq!(talk.send(&set("a")), ["LOG \"a\" before \"\""]);
    assert_eq!(talk.send(&set("a")), NOTHING);
    assert_eq!(talk.send(&set("/b")), ["LOG \"/b\" before \"a\""]);
    let error = std::io::ErrorKind::PermissionDenied.into();
    let error = UsiError::LogFile { file: "/b".to_owned(), error };
    talk.tell(Event::Refused(Setting::LogFile("a".to_owned()), error));
    assert_eq!(talk.send(&set("<empty>")), ["LOG \"\" before \"a\""]);
}

#[test]
fn browsers_have_neither_threads_nor_files() {
    let mut talk = Talk::new();
    talk.dialogue = Dialogue::new(Platform::Browser, Evaluation::piece_square(), talk.now);
    let lines = talk.send("usi");
    let has =
        |name: &str| lines.iter().any(|line| line.starts_with(&format!("option name {name} ")));
    assert!(has("SkillLevel") && has("USI_Hash"));
    for name in ["Threads", "EvalFile", "EvalDir", "USI_OwnBook", "BookFile", "DebugLogFile"] {
        assert!(!has(name), "{name}");
    }
    // However the name is spelled.
    for name in ["number of threads", "eval_file", "BOOKFILE", "Stochastic_Ponder"] {
        let lines = talk.send(&format!("setoption name {name} value 1"));
        assert!(lines[0].ends_with(" is not available here"), "{lines:?}");
    }
    assert!(talk.send("setoption name X")[0].contains("no option `X`"));
}

#[test]
fn hosted_sessions_write_no_files() {
    let mut talk = Talk::new();
    talk.dialogue = Dialogue::new(Platform::Hosted, Evaluation::piece_square(), talk.now);
    let lines = talk.send("usi");
    let has =
        |name: &str| lines.iter().any(|line| line.starts_with(&format!("option name {name} ")));
    assert!(has("Threads") && has("EvalFile") && has("BookFile") && !has("DebugLogFile"));
    for name in ["name DebugLogFile", "DebugLogFile", "name debug_log file"] {
        let lines = talk.send(&format!("setoption {name} value x"));
        assert!(lines.len() == 1 && lines[0].ends_with(" is not available here"), "{lines:?}");
    }
    let lines = talk.send("export_net x");
    assert!(lines.len() == 1 && lines[0].contains("no files are written here"), "{lines:?}");
}

#[test]
fn the_first_go_loads_before_its_clock_starts() {
    let mut talk = Talk::new();
    let jobs = talk.send("go movetime 1000");
    assert!(jobs.len() > 2 && jobs.iter().all(|job| !job.starts_with("RUN go")), "{jobs:?}");
    assert_eq!(jobs.last().map(String::as_str), Some("RUN Ready"));
    // What follows waits, too.
    assert_eq!(talk.send("stop"), NOTHING);
    talk.now += Duration::from_millis(800);
    let jobs = talk.tell(Event::Ready);
    assert_eq!(jobs, ["RUN go 1", "STOP"], "no readyok");
    assert_eq!(talk.clock_starts_at(), 800);
    talk.done(1, "7g7f");
    // Later ones do not wait.
    assert_eq!(talk.send("go movetime 1000"), ["RUN go 2"]);

    // The clock of a game runs at the GUI: the time for loading counts.
    let mut talk = Talk::new();
    talk.send("go btime 1000 wtime 1000");
    talk.now += Duration::from_millis(800);
    assert_eq!(talk.tell(Event::Ready), ["RUN go 1"]);
    assert_eq!(talk.clock_starts_at(), 0);

    // After `isready` nothing is left to load.
    let mut talk = Talk::ready();
    assert_eq!(talk.send("go movetime 1000"), ["RUN go 1"]);
}
