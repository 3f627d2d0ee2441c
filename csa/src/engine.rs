//! The engine: a USI session on its own thread, driven by typed commands.
//!
//! Search, pondering, book, resignation and time management are part of that session.

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use monomi_movegen::{PackedMove, Position};
use monomi_search::{BestMove, Clock, Info};
use monomi_usi::{
    ClockParts, Command, FileNote, GoCommand, Incoming, Precedence, Reply, Request, Session,
    UsiError,
};
use std::io;
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
    /// The engine is ready.
    Ready,
    /// A file of options.
    OptionFile(FileNote),
    /// An error.
    Trouble(UsiError),
}

/// A running engine.
pub struct Engine {
    input: Option<Sender<Incoming>>,
    output: Receiver<Reply>,
    thread: Option<JoinHandle<()>>,
    ended: Receiver<()>,
    /// Number of cancelled `go` commands whose answers are still to come.
    stale: u32,
    /// Whether a `go` has not been answered yet.
    thinking: bool,
}

impl Engine {
    /// Starts the engine's thread. Files of options beside program and network are read; options that
    /// are set replace what the files say.
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
        let input = Some(input);
        Ok(Self { input, output, thread: Some(thread), ended, stale: 0, thinking: false })
    }

    /// Channel of the engine's replies, to be passed to [`Engine::handle_reply`]. It closes when the session
    /// ends.
    pub fn output(&self) -> &Receiver<Reply> {
        &self.output
    }

    /// Whether a `go` has not been answered yet.
    pub fn is_thinking(&self) -> bool {
        self.thinking
    }

    fn send(&self, request: impl Into<Request>, at: Instant) {
        if let Some(input) = &self.input {
            // If the session has ended, its closed output channel reports that.
            let _ = input.send(Incoming::Request(request.into(), at));
        }
    }

    pub fn set_option(&self, name: &str, value: &str) {
        let (name, value) = (name.to_owned(), Some(value.to_owned()));
        self.send(Command::SetOption { name, value }, Instant::now());
    }

    /// Prepares for a game; [`Said::Ready`] follows.
    pub fn prepare(&self) {
        self.send(Command::IsReady, Instant::now());
    }

    /// Begins a new game.
    pub fn new_game(&self) {
        self.send(Command::NewGame, Instant::now());
    }

    /// Starts a search of a position, whose history is the game's. The clock runs from `at`; without one
    /// the search takes a few seconds. A search in progress is cancelled.
    pub fn go(&mut self, position: Position, clock: Option<Clock>, ponder: bool, at: Instant) {
        self.give_up();
        self.send(Request::position(position), at);
        let movetime = clock.is_none().then_some(UNTIMED);
        let clock = clock.map(ClockParts::from).unwrap_or_default();
        let mut go = GoCommand::default();
        (go.clock, go.movetime, go.ponder) = (clock, movetime, ponder);
        self.send(Command::Go(go), at);
        self.thinking = true;
    }

    /// Reports a ponder hit. The given clock runs from `at`.
    pub fn ponderhit(&self, clock: Clock, at: Instant) {
        self.send(Command::PonderHit(clock.into()), at);
    }

    /// Cancels the search; its answer is ignored.
    pub fn give_up(&mut self) {
        if std::mem::take(&mut self.thinking) {
            self.stale += 1;
            self.send(Command::Stop, Instant::now());
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
}

impl Drop for Engine {
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
        engine.go(Position::startpos(), seconds(60), false, Instant::now());
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
        engine.go(Position::startpos(), seconds(600), true, Instant::now());
        engine.go(mated(), seconds(1), false, Instant::now());
        assert_eq!(next_answer(&mut engine), BestMove::Resign);
        engine.go(Position::startpos(), seconds(600), true, Instant::now());
        engine.give_up();
        engine.go(mated(), seconds(1), false, Instant::now());
        assert_eq!(next_answer(&mut engine), BestMove::Resign);
    }
}
