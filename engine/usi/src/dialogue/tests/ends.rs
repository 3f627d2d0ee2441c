//! How a session ends.

use super::*;

#[test]
fn quit_ends_an_idle_session_at_once() {
    let mut talk = Talk::ready();
    assert_eq!(talk.send("quit"), ["END true"]);
    assert_eq!(talk.send("usi"), NOTHING);
    assert_eq!(talk.handle(Input::End), NOTHING);
}

#[test]
fn quit_answers_the_search_first() {
    for (go, answer) in
        [("go infinite", "bestmove 2g2f"), ("go mate infinite", "checkmate timeout")]
    {
        // In time ...
        let mut talk = Talk::ready();
        talk.send(go);
        assert_eq!(talk.send("quit"), ["STOP"]);
        assert_eq!(talk.wakes_in(), Some(60));
        let event = if go.contains("mate") {
            let answer = MateAnswer::Unknown;
            let result = MateResult::new(answer, 1, Duration::ZERO);
            Event::Mate(1, result)
        } else {
            Event::Done(1, result("2g2f"))
        };
        let lines = talk.tell(event);
        assert_eq!(lines[lines.len() - 2..], [answer, "END true"]);
        // ... or not.
        let mut talk = Talk::ready();
        talk.send(go);
        talk.info(1, 4, "2g2f");
        talk.send("quit");
        assert_eq!(talk.after(59), NOTHING);
        assert_eq!(talk.after(1), [answer, "END true"]);
    }
    // A result that is held.
    let mut talk = Talk::ready();
    talk.send("go ponder btime 1000");
    talk.done(1, "7g7f");
    assert_eq!(talk.send("quit"), ["bestmove 7g7f", "END true"]);
}

#[test]
fn quit_answers_every_go_that_waits() {
    let mut talk = Talk::ready();
    talk.send("go infinite");
    talk.send("go infinite");
    talk.quietly(&[
        "position startpos moves 7g7f",
        "go btime 1",
        "usi",
        "go mate 100",
        "go perft 9",
    ]);
    talk.quietly(&["quit"]);
    let lines = talk.after(60);
    let answers: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(answers, ["bestmove", "bestmove", "bestmove", "checkmate", "END"], "{lines:?}");
    // While the engine is getting ready.
    let mut talk = Talk::new();
    talk.send("isready");
    talk.quietly(&["go infinite", "quit"]);
    let lines = talk.after(60);
    assert!(lines[0].starts_with("bestmove ") && lines[1..] == ["END true"], "{lines:?}");
}

#[test]
fn at_the_end_of_input_a_search_with_a_limit_is_finished() {
    for go in ["go movetime 500", "go nodes 5", "go btime 60000"] {
        let mut talk = Talk::ready();
        talk.send(go);
        assert_eq!(talk.handle(Input::End), NOTHING);
        assert_eq!(talk.wakes_in(), None);
        assert_eq!(talk.after(60_000), NOTHING);
        assert_eq!(talk.done(1, "7g7f"), ["bestmove 7g7f", "END false"]);
    }
    let mut talk = Talk::ready();
    talk.send("go mate 5000");
    assert_eq!(talk.handle(Input::End), NOTHING);
    assert_eq!(talk.wakes_in(), None);
}

#[test]
fn at_the_end_of_input_other_searches_are_stopped() {
    for go in ["go infinite", "go ponder btime 1000", "go", "go mate", "go perft 9"] {
        let mut talk = Talk::ready();
        talk.send(go);
        assert_eq!(talk.handle(Input::End), ["STOP"], "{go}");
        let lines = talk.after(60);
        assert_eq!(lines.last().map(String::as_str), Some("END false"), "{go}");
        assert_eq!(lines.len(), if go.contains("perft") { 1 } else { 2 }, "{go}");
    }
}

#[test]
fn at_the_end_of_input_the_commands_that_wait_are_executed() {
    let mut talk = Talk::new();
    talk.send("isready");
    talk.quietly(&["go infinite", "go depth 2"]);
    assert_eq!(talk.handle(Input::End), NOTHING);
    assert_eq!(talk.tell(Event::Ready), ["readyok", "RUN go 1", "STOP"]);
    assert_eq!(talk.done(1, "7g7f"), ["bestmove 7g7f", "RUN go 2"]);
    assert_eq!(talk.after(30_000), NOTHING);
    assert_eq!(talk.done(2, "7g7f"), ["bestmove 7g7f", "END false"]);
    // `readyok` is waited for.
    let mut talk = Talk::new();
    talk.send("isready");
    assert_eq!(talk.handle(Input::End), NOTHING);
    assert_eq!(talk.tell(Event::Ready), ["readyok", "END false"]);
}

#[test]
fn a_search_that_breaks_down_is_answered_all_the_same() {
    let mut talk = Talk::ready();
    talk.send("go infinite");
    talk.info(1, 3, "2g2f 8c8d");
    let crashed = "info string Error! the search has crashed: ";
    let older = talk.tell(Event::Failed(0, "an older one".to_owned()));
    assert_eq!(older, [format!("{crashed}an older one")]);
    let lines = talk.tell(Event::Failed(1, "index out of bounds".to_owned()));
    assert_eq!(lines, [format!("{crashed}index out of bounds")], "not before stop");
    assert_eq!(talk.send("stop"), ["bestmove 2g2f"]);
    talk.send("go mate 100");
    let lines = talk.tell(Event::Failed(2, "x".to_owned()));
    assert_eq!(lines[1..], ["checkmate timeout"]);
}

#[test]
fn when_the_engine_is_gone_the_session_ends_with_an_answer() {
    let mut talk = Talk::ready();
    talk.send("go infinite");
    let lines = talk.handle(Input::EngineEnded);
    assert!(lines[0].contains("please restart the engine"), "{lines:?}");
    assert!(lines[1].starts_with("bestmove ") && lines[2..] == ["END false"], "{lines:?}");
}
