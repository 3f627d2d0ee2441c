//! The engine that plays: a USI session on a thread of this program, driven by typed commands, or another
//! engine's process.
//!
//! Search, pondering, book, resignation and time management are part of the engine.

mod other;

use self::other::OtherEngine;
use crossbeam_channel::{Receiver, Sender, bounded, never, unbounded};
use monomi_movegen::{PackedMove, Position};
use monomi_search::{BestMove, Clock, Info};
use monomi_support::text::{error_message, messages};
use monomi_usi::{
    ClockParts, Command, FileNote, GoCommand, Incoming, Precedence, Reply, Request, Session,
    UsiError,
};
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time for the session to end.
const QUIT: Duration = Duration::from_secs(2);
/// Time for a move in games without clocks.
const UNTIMED: Duration = Duration::from_secs(5);

/// Output of the engine.
#[derive(Debug)]
pub enum Said {
    /// A line of the search in progress.
    Thought(Info),
    /// The answer to the last `go`: what to play, and the predicted reply.
    Answer(BestMove, Option<PackedMove>),
    /// The answer of another engine to the last `go` cannot be read.
    NoAnswer(String),
    /// The engine is ready.
    Ready,
    /// A file of options.
    OptionFile(FileNote),
    /// An error.
    Trouble(UsiError),
    /// An error, in the words of another engine.
    OtherTrouble(String),
}

messages! {
    /// Why an engine cannot play.
    #[derive(Debug)]
    pub enum EngineFault {
        /// The thread of this program's engine has ended.
        OwnEnded => "the engine's thread has ended", "エンジンのスレッドが終わりました";
        /// The program of another engine cannot be started.
        Start {
            /// Path of the program.
            path: PathBuf,
            /// The reason.
            error: io::Error,
        } => "cannot start {path}: {error}", "{path} を起動できません: {error}";
        /// It has ended.
        Ended(path: PathBuf) => "{path} has ended", "{path} が終了しました";
        /// It does not answer.
        Silent {
            /// Path of the program.
            path: PathBuf,
            /// The answer that did not come.
            word: &'static str,
        } =>
            "{path} does not answer `{word}`; is it a USI engine?",
            "{path} から `{word}` が返ってきません。USI エンジンではないかもしれません";
        /// It has no such option.
        NoOption {
            /// Path of the program.
            path: PathBuf,
            /// The option's name.
            name: String,
        } => "{path} has no option `{name}`", "{path} に `{name}` というオプションはありません";
    }
}
error_message!(EngineFault);

/// A position to search, and how.
pub struct Search {
    /// The position at which the game began.
    pub start: Position,
    /// The moves from there.
    pub moves: Vec<PackedMove>,
    /// The clocks; without them a move takes a few seconds.
    pub clock: Option<Clock>,
    /// Whether the last move is only predicted.
    pub ponder: bool,
    /// When the clock began to run.
    pub at: Instant,
}

impl Search {
    /// The position to search, with its history.
    fn position(&self) -> Position {
        let mut position = self.start.clone();
        for &mv in &self.moves {
            position.do_move(mv);
        }
        position
    }
}

/// A running engine.
pub struct Engine {
    driver: Driver,
    /// Number of cancelled `go` commands whose answers are still to come.
    stale: u32,
    /// Whether a `go` has not been answered yet.
    thinking: bool,
}

enum Driver {
    Own(OwnEngine),
    Other(Box<OtherEngine>),
}

/// The engine of this program.
struct OwnEngine {
    input: Option<Sender<Incoming>>,
    output: Receiver<Reply>,
    /// Another engine's channel, which this one does not have.
    no_lines: Receiver<String>,
    thread: Option<JoinHandle<()>>,
    ended: Receiver<()>,
}

impl OwnEngine {
    fn send(&self, request: impl Into<Request>, at: Instant) {
        if let Some(input) = &self.input {
            // If the session has ended, its closed output channel reports that.
            let _ = input.send(Incoming::Request(request.into(), at));
        }
    }
}

impl Engine {
    /// Starts the engine of this program on a thread. Files of options beside program and network are read;
    /// options that are set replace what the files say.
    ///
    /// # Errors
    /// The thread cannot be created.
    pub fn start() -> io::Result<Self> {
        let (input, incoming) = unbounded();
        let (sender, output) = unbounded();
        let (end, ended) = bounded(1);
        let thread =
            std::thread::Builder::new().name("csa-engine".to_owned()).spawn(move || {
                // Dropped at the end of the thread, however it ends.
                let _end: Sender<()> = end;
                // Without a session the output channel closes, which the client reports.
                if let Ok(session) = Session::new(sender) {
                    session.with_option_files(Precedence::Command).run(&incoming);
                }
            })?;
        let (input, thread) = (Some(input), Some(thread));
        let own = OwnEngine { input, output, no_lines: never(), thread, ended };
        Ok(Self { driver: Driver::Own(own), stale: 0, thinking: false })
    }

    /// Starts another engine, in its own folder.
    ///
    /// # Errors
    /// It cannot be started, or does not speak USI.
    pub fn start_other(path: &Path) -> Result<Self, EngineFault> {
        let driver = Driver::Other(Box::new(OtherEngine::start(path)?));
        Ok(Self { driver, stale: 0, thinking: false })
    }

    /// Starts another engine again, which has ended, with the options that it had, and waits until it is
    /// ready. Its search is lost.
    ///
    /// # Errors
    /// It is the engine of this program, which cannot be started again, or the other one has ended too often
    /// since the last game began, or does not start any more.
    pub fn restart(&mut self) -> Result<(), EngineFault> {
        let Driver::Other(other) = &mut self.driver else { return Err(EngineFault::OwnEnded) };
        (self.stale, self.thinking) = (0, false);
        other.restart()
    }

    /// Channel of the replies of this program's engine, to be passed to [`Engine::handle_reply`]. It closes
    /// when the session ends.
    pub fn output(&self) -> &Receiver<Reply> {
        match &self.driver {
            Driver::Own(own) => &own.output,
            Driver::Other(other) => other.no_replies(),
        }
    }

    /// Channel of the lines of another engine, to be passed to [`Engine::handle_line`]. It closes when the
    /// process ends.
    pub fn lines(&self) -> &Receiver<String> {
        match &self.driver {
            Driver::Own(own) => &own.no_lines,
            Driver::Other(other) => other.lines(),
        }
    }

    /// Whether a `go` has not been answered yet.
    pub fn is_thinking(&self) -> bool {
        self.thinking
    }

    /// Sets an option. Another engine that does not have it is left alone.
    pub fn set_option(&mut self, name: &str, value: &str) {
        match &mut self.driver {
            Driver::Own(own) => {
                let (name, value) = (name.to_owned(), Some(value.to_owned()));
                own.send(Command::SetOption { name, value }, Instant::now());
            }
            Driver::Other(other) => other.set_option(name, value),
        }
    }

    /// Fails if another engine does not have an option.
    ///
    /// # Errors
    /// The option.
    pub fn require_option(&self, name: &str) -> Result<(), EngineFault> {
        match &self.driver {
            Driver::Own(_) => Ok(()),
            Driver::Other(other) => other.require_option(name),
        }
    }

    /// Prepares for a game; [`Said::Ready`] follows.
    pub fn prepare(&mut self) {
        match &mut self.driver {
            Driver::Own(own) => own.send(Command::IsReady, Instant::now()),
            Driver::Other(other) => other.prepare(),
        }
    }

    /// Begins a new game. Another engine is asked to be ready for it, and waited for; returns the errors
    /// that it reports.
    ///
    /// # Errors
    /// The other engine has ended or does not answer.
    pub fn new_game(&mut self) -> Result<Vec<String>, EngineFault> {
        match &mut self.driver {
            Driver::Own(own) => {
                own.send(Command::NewGame, Instant::now());
                Ok(Vec::new())
            }
            Driver::Other(other) => {
                self.stale = 0;
                other.new_game()
            }
        }
    }

    /// Starts a search. A search in progress is cancelled.
    pub fn go(&mut self, search: Search) {
        self.give_up();
        self.thinking = true;
        match &mut self.driver {
            Driver::Own(own) => {
                own.send(Request::position(search.position()), search.at);
                let movetime = search.clock.is_none().then_some(UNTIMED);
                let clock = search.clock.map(ClockParts::from).unwrap_or_default();
                let mut go = GoCommand::default();
                (go.clock, go.movetime, go.ponder) = (clock, movetime, search.ponder);
                own.send(Command::Go(go), search.at);
            }
            Driver::Other(other) => other.go(search),
        }
    }

    /// Reports a ponder hit. The given clock runs from `at`.
    pub fn ponderhit(&mut self, clock: Clock, at: Instant) {
        match &mut self.driver {
            Driver::Own(own) => own.send(Command::PonderHit(clock.into()), at),
            Driver::Other(other) => other.ponderhit(clock, at),
        }
    }

    /// Cancels the search; its answer is ignored.
    pub fn give_up(&mut self) {
        if !std::mem::take(&mut self.thinking) {
            return;
        }
        match &mut self.driver {
            Driver::Own(own) => {
                self.stale += 1;
                own.send(Command::Stop, Instant::now());
            }
            Driver::Other(other) => self.stale += u32::from(other.stop()),
        }
    }

    /// Waits for output that means something.
    ///
    /// # Errors
    /// The engine has ended, or the other engine has said nothing for two minutes.
    pub fn recv(&mut self) -> Result<Said, EngineFault> {
        loop {
            let said = match &mut self.driver {
                Driver::Own(own) => {
                    let reply = own.output.recv().map_err(|_| EngineFault::OwnEnded)?;
                    self.handle_reply(reply)
                }
                Driver::Other(other) => {
                    let line = other.recv()?;
                    self.handle_line(&line)
                }
            };
            if let Some(said) = said {
                return Ok(said);
            }
        }
    }

    /// Takes a reply. `None` for replies to cancelled searches and for most notices.
    pub fn handle_reply(&mut self, reply: Reply) -> Option<Said> {
        match reply {
            Reply::ReadyOk => Some(Said::Ready),
            Reply::BestMove { .. } if self.stale > 0 => {
                self.stale -= 1;
                None
            }
            Reply::BestMove { best, ponder } => {
                self.thinking = false;
                Some(Said::Answer(best, ponder))
            }
            Reply::Info(_) | Reply::InfoWithShares(..) if self.stale > 0 => None,
            Reply::Info(info) | Reply::InfoWithShares(info, _) => Some(Said::Thought(info)),
            Reply::Notice(monomi_usi::Notice::OptionFile(note)) => Some(Said::OptionFile(note)),
            Reply::Error(error) => Some(Said::Trouble(error)),
            _ => None,
        }
    }

    /// Takes a line of another engine. `None` for answers to cancelled searches and for most lines.
    pub fn handle_line(&mut self, line: &str) -> Option<Said> {
        let Driver::Other(other) = &mut self.driver else { return None };
        match other.read(line)? {
            Said::Answer(..) | Said::NoAnswer(_) if self.stale > 0 => {
                self.stale -= 1;
                None
            }
            Said::Thought(_) if self.stale > 0 => None,
            said => {
                self.thinking &= !matches!(said, Said::Answer(..) | Said::NoAnswer(_));
                Some(said)
            }
        }
    }
}

impl Drop for OwnEngine {
    fn drop(&mut self) {
        // At the end of input alone, a search with a limit would be finished first.
        self.send(Command::Quit, Instant::now());
        self.input = None;
        let _ = self.ended.recv_timeout(QUIT);
        if let Some(thread) = self.thread.take().filter(JoinHandle::is_finished) {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(engine: &mut Engine, start: Position, clock: Option<Clock>, ponder: bool) {
        engine.go(Search { start, moves: Vec::new(), clock, ponder, at: Instant::now() });
    }

    fn next(engine: &mut Engine) -> Said {
        loop {
            let reply = engine.output().recv_timeout(Duration::from_secs(60)).unwrap();
            if let Some(said) = engine.handle_reply(reply) {
                return said;
            }
        }
    }

    fn next_answer(engine: &mut Engine) -> BestMove {
        loop {
            if let Said::Answer(best, _) = next(engine) {
                return best;
            }
        }
    }

    fn seconds(number: u64) -> Option<Clock> {
        Some(Clock { time: [Duration::from_secs(number); 2], ..Clock::default() })
    }

    #[test]
    fn answers_and_thoughts_come_back_typed() {
        let mut engine = Engine::start().unwrap();
        engine.set_option("USI_Hash", "1");
        engine.set_option("DepthLimit", "3");
        engine.set_option("Nonsense", "1");
        engine.prepare();
        let trouble = next(&mut engine);
        assert!(matches!(trouble, Said::Trouble(what) if what.to_string().contains("Nonsense")));
        while !matches!(next(&mut engine), Said::Ready) {}
        go(&mut engine, Position::startpos(), seconds(60), false);
        let mut thoughts = 0;
        let best = loop {
            match next(&mut engine) {
                Said::Thought(thought) => thoughts += usize::from(!thought.pv.is_empty()),
                Said::Answer(best, _) => break best,
                other => panic!("{other:?}"),
            }
        };
        let BestMove::Move(mv) = best else { panic!("{best:?}") };
        assert!(Position::startpos().is_legal(mv) && thoughts > 0 && !engine.is_thinking());
    }

    #[test]
    fn answers_of_cancelled_searches_are_ignored() {
        let mut engine = Engine::start().unwrap();
        engine.set_option("USI_Hash", "1");
        let mated = || Position::from_sfen("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
        go(&mut engine, Position::startpos(), seconds(600), true);
        go(&mut engine, mated(), seconds(1), false);
        assert_eq!(next_answer(&mut engine), BestMove::Resign);
        go(&mut engine, Position::startpos(), seconds(600), true);
        engine.give_up();
        go(&mut engine, mated(), seconds(1), false);
        assert_eq!(next_answer(&mut engine), BestMove::Resign);
    }
}
