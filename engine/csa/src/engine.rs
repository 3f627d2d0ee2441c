//! The engine: a USI session on its own thread, driven by USI commands as from a GUI.
//!
//! Search, pondering, book, resignation and time management are part of that session.

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use monomi_movegen::PackedMove;
use monomi_search::Score;
use monomi_usi::{InputLine, Session};
use std::io::{self, Write};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time for the session to end.
const QUIT: Duration = Duration::from_secs(2);

/// Output of the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// An info line of the current search.
    Thought(Thought),
    /// The answer to the last `go`.
    Answer(Answer),
    /// `readyok`.
    Ready,
    /// An error message.
    Trouble(String),
}

/// An info line of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// Depth of the iteration, in plies.
    pub depth: u32,
    /// Score for the side to move.
    pub score: Option<Score>,
    /// Nodes searched so far.
    pub nodes: u64,
    /// The principal variation.
    pub pv: Vec<PackedMove>,
}

/// The answer to `go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A move and the predicted reply.
    Move(PackedMove, Option<PackedMove>),
    /// Resign.
    Resign,
    /// Declare the win.
    Win,
}

/// A running engine.
pub struct Engine {
    input: Option<Sender<InputLine>>,
    output: Receiver<String>,
    thread: Option<JoinHandle<()>>,
    ended: Receiver<()>,
    /// Number of cancelled `go` commands whose answers are still to come.
    stale: u32,
    /// Whether a `go` has not been answered yet.
    thinking: bool,
}

impl Engine {
    /// Starts the engine's thread.
    ///
    /// # Errors
    /// The thread cannot be created.
    pub fn start() -> io::Result<Self> {
        let (input, lines) = unbounded();
        let (sender, output) = unbounded();
        let (end, ended) = bounded(1);
        let thread =
            std::thread::Builder::new().name("csa-engine".to_owned()).spawn(move || {
                // Dropped at the end of the thread, however it ends.
                let _end: Sender<()> = end;
                let out = LineWriter { lines: sender, text: Vec::new() };
                // Without a session the output channel closes, which the client reports.
                if let Ok(session) = Session::new(out) {
                    session.run(&lines);
                }
            })?;
        let input = Some(input);
        Ok(Self { input, output, thread: Some(thread), ended, stale: 0, thinking: false })
    }

    /// Channel of the engine's output lines, to be passed to [`Engine::parse`]. It closes when
    /// the session ends.
    pub fn output(&self) -> &Receiver<String> {
        &self.output
    }

    /// Whether a `go` has not been answered yet.
    pub fn is_thinking(&self) -> bool {
        self.thinking
    }

    fn send(&self, text: String, at: Instant) {
        if let Some(input) = &self.input {
            // If the session has ended, its closed output channel reports that.
            let _ = input.send(InputLine { text, at, cut: false });
        }
    }

    /// Sets an option.
    pub fn set_option(&self, name: &str, value: &str) {
        self.send(format!("setoption name {name} value {value}"), Instant::now());
    }

    /// Sends `isready`; [`Said::Ready`] follows.
    pub fn prepare(&self) {
        self.send("isready".to_owned(), Instant::now());
    }

    /// Sends `usinewgame`.
    pub fn new_game(&self) {
        self.send("usinewgame".to_owned(), Instant::now());
    }

    /// Starts a search of the position after `moves` from `start`. The clock (`btime ...`) runs from
    /// `at`. A search in progress is cancelled.
    pub fn go(
        &mut self,
        start: &str,
        moves: &[PackedMove],
        clock: &str,
        ponder: bool,
        at: Instant,
    ) {
        self.give_up();
        let mut position = format!("position sfen {start}");
        if !moves.is_empty() {
            position.push_str(" moves");
            moves.iter().for_each(|mv| position.push_str(&format!(" {mv}")));
        }
        self.send(position, at);
        let ponder = if ponder { "ponder " } else { "" };
        self.send(format!("go {ponder}{clock}"), at);
        self.thinking = true;
    }

    /// Reports a ponder hit. The given clock runs from `at`.
    pub fn ponderhit(&self, clock: &str, at: Instant) {
        self.send(format!("ponderhit {clock}"), at);
    }

    /// Cancels the search; its answer is ignored.
    pub fn give_up(&mut self) {
        if std::mem::take(&mut self.thinking) {
            self.stale += 1;
            self.send("stop".to_owned(), Instant::now());
        }
    }

    /// Parses an output line. `None` for lines of cancelled searches and other lines.
    pub fn parse(&mut self, line: &str) -> Option<Said> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "readyok" => Some(Said::Ready),
            "bestmove" => {
                if self.stale > 0 {
                    self.stale -= 1;
                    return None;
                }
                self.thinking = false;
                Some(match answer(rest) {
                    Some(answer) => Said::Answer(answer),
                    None => Said::Trouble(line.to_owned()),
                })
            }
            "info" => match rest.strip_prefix("string ") {
                Some(text) => text.strip_prefix("Error! ").map(|what| Said::Trouble(what.into())),
                None if self.stale > 0 => None,
                None => Some(Said::Thought(thought(rest))),
            },
            _ => None,
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // At the end of input alone, a search with a limit would be finished first.
        self.send("quit".to_owned(), Instant::now());
        self.input = None;
        let _ = self.ended.recv_timeout(QUIT);
        if let Some(thread) = self.thread.take().filter(JoinHandle::is_finished) {
            let _ = thread.join();
        }
    }
}

fn answer(rest: &str) -> Option<Answer> {
    let mut words = rest.split_whitespace();
    match words.next()? {
        "resign" => Some(Answer::Resign),
        "win" => Some(Answer::Win),
        mv => {
            let ponder = words.nth(1).and_then(|mv| mv.parse().ok());
            Some(Answer::Move(mv.parse().ok()?, ponder))
        }
    }
}

fn thought(text: &str) -> Thought {
    let mut thought = Thought::default();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => thought.depth = words.next().and_then(|n| n.parse().ok()).unwrap_or(0),
            "nodes" => thought.nodes = words.next().and_then(|n| n.parse().ok()).unwrap_or(0),
            "score" => {
                let kind = words.next();
                let number = words.next().and_then(|n| n.parse().ok());
                thought.score = match (kind, number) {
                    (Some("cp"), Some(cp)) => Some(Score::Cp(cp)),
                    (Some("mate"), Some(plies)) => Some(Score::Mate(plies)),
                    _ => None,
                };
            }
            "pv" => thought.pv = words.by_ref().map_while(|mv| mv.parse().ok()).collect(),
            _ => {}
        }
    }
    thought
}

/// A writer that sends complete lines to a channel.
struct LineWriter {
    lines: Sender<String>,
    text: Vec<u8>,
}

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        while let Some(end) = self.text.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.text.drain(..=end).collect();
            let line = String::from_utf8_lossy(&line[..end]).into_owned();
            self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Position;

    fn next(engine: &mut Engine) -> Said {
        loop {
            let line = engine.output().recv_timeout(Duration::from_secs(60)).unwrap();
            if let Some(said) = engine.parse(&line) {
                return said;
            }
        }
    }

    fn next_answer(engine: &mut Engine) -> Answer {
        loop {
            if let Said::Answer(answer) = next(engine) {
                return answer;
            }
        }
    }

    #[test]
    fn answers_and_thoughts_come_back_typed() {
        let mut engine = Engine::start().unwrap();
        engine.set_option("USI_Hash", "1");
        engine.set_option("Nonsense", "1");
        engine.prepare();
        assert!(matches!(next(&mut engine), Said::Trouble(what) if what.contains("Nonsense")));
        while next(&mut engine) != Said::Ready {}
        let start = Position::startpos().to_sfen();
        engine.go(&start, &[], "depth 3", false, Instant::now());
        let mut thoughts = 0;
        let answer = loop {
            match next(&mut engine) {
                Said::Thought(thought) => {
                    thoughts += usize::from(thought.score.is_some() && !thought.pv.is_empty());
                }
                Said::Answer(answer) => break answer,
                other => panic!("{other:?}"),
            }
        };
        let Answer::Move(mv, _) = answer else { panic!("{answer:?}") };
        assert!(Position::startpos().is_legal(mv) && thoughts > 0 && !engine.is_thinking());
    }

    #[test]
    fn answers_of_cancelled_searches_are_ignored() {
        let mut engine = Engine::start().unwrap();
        engine.set_option("USI_Hash", "1");
        let start = Position::startpos().to_sfen();
        engine.go(&start, &[], "btime 600000", true, Instant::now());
        let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
        engine.go(mated, &[], "btime 1000", false, Instant::now());
        assert_eq!(next_answer(&mut engine), Answer::Resign);
        engine.go(&start, &[], "btime 600000", true, Instant::now());
        engine.give_up();
        engine.go(mated, &[], "btime 1000", false, Instant::now());
        assert_eq!(next_answer(&mut engine), Answer::Resign);
    }

    #[test]
    fn lines_of_output_are_understood() {
        assert_eq!(answer("win"), Some(Answer::Win));
        assert_eq!(answer("nonsense"), None);
        let mv = |text: &str| text.parse::<PackedMove>().unwrap();
        let both = Answer::Move(mv("7g7f"), Some(mv("3c3d")));
        assert_eq!(answer("7g7f ponder 3c3d"), Some(both));
        let line = thought("depth 7 seldepth 9 score mate -6 nodes 12 nps 3 pv 7g7f 3c3d");
        assert_eq!((line.depth, line.nodes, line.pv.len()), (7, 12, 2));
        assert_eq!(line.score, Some(Score::Mate(-6)));
    }
}
