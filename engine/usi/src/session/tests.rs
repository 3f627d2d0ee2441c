//! Behaviour of the session that cannot be tested through a USI dialogue.

use super::*;
use crate::output::InfoGate;
use monomi_search::BestMove;
use std::sync::Mutex;

/// A stream that can be read while the session writes to it.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Heard {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    fn wait_for(&self, line: &str) {
        let deadline = Instant::now() + Duration::from_secs(20);
        while !self.text().lines().any(|heard| heard == line) {
            assert!(Instant::now() < deadline, "{line} in {}", self.text());
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn line(text: &str) -> InputLine {
    InputLine { text: text.to_owned(), at: Instant::now(), cut: false }
}

#[test]
fn a_long_isready_is_kept_alive_by_empty_lines() {
    let heard = Heard::default();
    let mut session = Session::new(heard.clone()).unwrap();
    session.keepalive = Duration::from_millis(10);
    // A long job before the answer, such as loading a network.
    let root = Box::new(Position::startpos());
    let signals = session.engine.new_signals();
    session.engine.send(Job::Perft { id: u64::MAX, root, depth: 5, signals });
    let (sender, lines) = crossbeam_channel::unbounded();
    sender.send(line("isready")).unwrap();
    let thread = std::thread::spawn(move || session.run(&lines));
    heard.wait_for("readyok");
    drop(sender);
    thread.join().unwrap();
    let before = heard.text().split("readyok").next().unwrap().to_owned();
    assert!(before.len() > 2 && before.bytes().all(|byte| byte == b'\n'), "{before:?}");
}

#[test]
fn a_search_that_breaks_down_is_answered_all_the_same() {
    let heard = Heard::default();
    let mut session = Session::new(heard.clone()).unwrap();
    let limits = monomi_search::Limits { infinite: true, ..monomi_search::Limits::new() };
    let gate = InfoGate::new(Duration::ZERO, true);
    let running = Running::new(7, Position::startpos(), &limits, gate, 99_999);
    session.activity = Activity::Search(Box::new(running));
    session.hear(Event::Failed(6, "an older one".to_owned()));
    session.hear(Event::Failed(7, "index out of bounds".to_owned()));
    assert!(!heard.text().contains("bestmove"), "not before stop");
    session.stop();
    let text = heard.text();
    assert!(text.contains("info string Error!") && text.contains("index out of bounds"));
    assert_eq!(text.matches("bestmove ").count(), 1, "{text}");
}

#[test]
fn events_of_older_searches_are_thrown_away() {
    let heard = Heard::default();
    let mut session = Session::new(heard.clone()).unwrap();
    let best = BestMove::Resign;
    let score = monomi_search::Score::Cp(0);
    let result = SearchResult { best, ponder: None, score, depth: 1, nodes: 1 };
    session.hear(Event::Done(3, result));
    session.hear(Event::PerftDone(4, Some(1), Duration::ZERO));
    assert_eq!(heard.text(), "");
}
