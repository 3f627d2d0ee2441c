//! The behaviour of a USI session, without threads, streams or clocks.
//!
//! A driver passes everything that happens to [`Dialogue::handle`], with the time, and executes the
//! [`Action`]s that it returns, in their order. [`Session`](crate::session::Session) is the driver with threads,
//! [`Immediate`](crate::immediate::Immediate) the one for browsers.
//!
//! A `go` is kept in [`Activity`] until it is answered. It is answered exactly once, in
//! `answer.rs`: when the search ends, or with the held result at `stop` or `ponderhit`, or
//! with a fallback when the session ends first. Events of older searches are recognised by their id
//! and dropped.
//!
//! A `go` must wait until the `go` before it has been answered, and until `readyok`. All commands
//! behind it wait as well, except `quit`. A `go` without an `isready` before it waits until the engine
//! has loaded what that would have loaded.

mod answer;
mod exchange;
mod ponder;
mod settings;

use self::exchange::What;
pub use self::exchange::{Action, Input, Request};
use self::settings::Applied;
use crate::command::{self, Command};
use crate::display;
use crate::go::{GoCommand, MateTime};
use crate::input::InputLine;
use crate::job::{Job, Search};
use crate::notice::{Notice, UsiError};
use crate::options::{Options, Overrides, Platform};
use crate::reply::Reply;
use crate::root::{Prepared, Root};
use crate::running::{Running, Stochastic};
use crate::skill::Skill;
use crate::tool::{self, Tool};
use monomi_eval::Evaluation;
use monomi_mate::MateAnswer;
use monomi_movegen::Position;
use monomi_search::{BestMove, Limits};
use monomi_support::host::Instant;
use monomi_support::text::{Lang, shown};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// GUIs wait ten seconds or longer before they give up.
const KEEPALIVE: Duration = Duration::from_secs(3);
/// How long a search may take to stop before it is answered without it. Much longer than it takes,
/// but a job before it may be loading a network.
const STOPPED: Duration = Duration::from_secs(5);
/// Number of waiting commands from which no more are read: each may have megabytes.
const MOST_WAITING: usize = 64;
/// How long the search may take to stop when the session ends.
const LAST_ANSWER: Duration = Duration::from_millis(60);

/// The `go` in progress.
enum Activity {
    Idle,
    Search(Box<Running>),
    Mate { id: u64, bounded: bool },
    Perft { id: u64, since: Instant },
    Tool(u64),
}

/// Whether the session is about to end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    No,
    /// When a search with a limit has ended.
    AfterSearch,
    /// At this time at the latest, without waiting for a search.
    By {
        time: Instant,
        by_quit: bool,
    },
    /// The session has ended.
    Over,
}

/// A session.
pub struct Dialogue {
    platform: Platform,
    options: Options,
    /// The options announced as the defaults.
    initial: Options,
    overrides: Overrides,
    applied: Option<Applied>,
    evaluation: Arc<Evaluation>,
    root: Root,
    activity: Activity,
    last_id: u64,
    /// Number of `isready` not yet answered.
    readying: u32,
    /// The engine is getting ready for a `go` without an `isready` before it.
    loading: bool,
    /// When to send an empty line while `isready` takes long.
    keep_alive_at: Instant,
    /// Commands that wait for the answer to a `go` or for `readyok`, and when they were read.
    waiting: VecDeque<(Request, Instant)>,
    /// When the `go` in progress is answered without its search, which has been stopped.
    give_up_at: Option<Instant>,
    /// The tables have been used and must be cleared before the next game.
    used: bool,
    ending: Ending,
    actions: Vec<Action>,
    /// The time of the input that is being handled.
    now: Instant,
}

impl Dialogue {
    /// A session at the start position with the default options of the platform. The engine is expected to
    /// use this evaluation.
    pub fn new(platform: Platform, evaluation: Arc<Evaluation>, now: Instant) -> Self {
        let options = Options::of(platform);
        Self {
            platform,
            initial: options.clone(),
            options,
            overrides: Overrides::default(),
            applied: None,
            evaluation,
            root: Root::startpos(),
            activity: Activity::Idle,
            last_id: 0,
            readying: 0,
            loading: false,
            keep_alive_at: now,
            waiting: VecDeque::new(),
            give_up_at: None,
            used: false,
            ending: Ending::No,
            actions: Vec::new(),
            now,
        }
    }

    /// Handles an input at the time `now`.
    pub fn handle(&mut self, input: Input, now: Instant) -> Vec<Action> {
        self.now = now;
        if self.ending != Ending::Over {
            match input {
                Input::Line(line) => self.read(&line),
                Input::Request(request, at) => self.handle_request(request, at),
                Input::Event(event) => self.handle_event(event),
                Input::End => {
                    if self.ending == Ending::No {
                        self.ending = Ending::AfterSearch;
                    }
                }
                Input::EngineEnded => {
                    self.error(UsiError::ThreadEnded);
                    self.end(false);
                }
                Input::Tick => {}
            }
            self.look_at_clock();
            self.run_waiting();
        }
        std::mem::take(&mut self.actions)
    }

    /// When [`Input::Tick`] must be passed, unless other inputs come first.
    pub fn wakes_at(&self) -> Option<Instant> {
        let keep_alive = (self.readying > 0).then_some(self.keep_alive_at);
        let end = match self.ending {
            Ending::By { time, .. } => Some(time),
            _ => None,
        };
        let line = match &self.activity {
            Activity::Search(running) => running.due_at,
            _ => None,
        };
        [keep_alive, self.give_up_at, end, line].into_iter().flatten().min()
    }

    /// Whether so many commands wait that no more should be read for now.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= MOST_WAITING
    }

    /// Whether this move begins the last main line of the search in progress, as the last line before
    /// `bestmove` must.
    pub fn last_line_begins_with(&self, best: &BestMove) -> bool {
        matches!(&self.activity, Activity::Search(running) if running.ends_with(best))
    }

    /// Changes the evaluation that `eval` shows.
    pub fn set_evaluation(&mut self, evaluation: Arc<Evaluation>) {
        self.evaluation = evaluation;
    }

    /// The evaluation in use.
    pub fn evaluation(&self) -> &Arc<Evaluation> {
        &self.evaluation
    }

    fn reply(&mut self, reply: Reply) {
        self.actions.push(Action::Say(reply));
    }

    fn error(&mut self, error: UsiError) {
        self.reply(Reply::Error(error));
    }

    fn reply_text(&mut self, text: &str) {
        text.lines().for_each(|line| self.reply(Reply::Text(line.to_owned())));
    }

    fn run(&mut self, job: Job) {
        self.actions.push(Action::Run(job));
    }

    fn is_idle(&self) -> bool {
        matches!(self.activity, Activity::Idle)
    }

    fn read(&mut self, line: &InputLine) {
        if line.cut {
            return self.error(UsiError::LongLine(line.text.len()));
        }
        let (command, errors) = command::parse(&line.text);
        self.handle_request(Request { what: What::Command(command), errors }, line.at);
    }

    /// Executes a command, or lets it wait.
    fn handle_request(&mut self, request: Request, at: Instant) {
        let quit = matches!(request.what, What::Command(Command::Quit));
        if matches!(request.what, What::Command(Command::Stop)) && self.is_measuring() {
            self.actions.push(Action::Stop);
        } else if quit && !self.is_measuring() && !self.waiting.iter().any(is_tool) {
            self.ending = Ending::By { time: self.now + LAST_ANSWER, by_quit: true };
        } else if !self.waiting.is_empty() || self.must_wait(&request) {
            self.waiting.push_back((request, at));
        } else {
            self.execute(request, at);
        }
    }

    /// Whether a command must wait. Stops the search for which it would wait.
    fn must_wait(&mut self, request: &Request) -> bool {
        match request.what {
            _ if self.is_measuring() => true,
            What::Command(Command::Go(ref go)) => {
                self.finish();
                if self.is_idle() && go.perft.is_none() {
                    self.load_unless_ready();
                }
                !self.is_idle() || self.readying > 0 || self.loading
            }
            What::Command(Command::Tool(_)) => {
                self.finish();
                !self.is_idle() || self.readying > 0
            }
            // The evaluation may change until then.
            What::Command(Command::Eval) => self.readying > 0,
            _ => false,
        }
    }

    /// Executes the commands that need not wait any more, and ends the session when it is time.
    fn run_waiting(&mut self) {
        while let Some((request, at)) = self.waiting.pop_front() {
            if self.must_wait(&request) {
                self.waiting.push_front((request, at));
                break;
            }
            // It has waited for the end of a tool.
            if matches!(request.what, What::Command(Command::Quit)) {
                self.ending = Ending::By { time: self.now + LAST_ANSWER, by_quit: true };
            }
            self.execute(request, at);
        }
        if self.ending == Ending::AfterSearch && self.waiting.is_empty() {
            let bounded = match &self.activity {
                Activity::Idle => true,
                Activity::Search(running) => running.bounded && !running.holds(),
                Activity::Mate { bounded, .. } => *bounded,
                Activity::Tool(_) => true,
                // Perft may take years.
                Activity::Perft { .. } => false,
            };
            if bounded && self.is_idle() && self.readying == 0 {
                return self.end(false);
            } else if !bounded {
                self.ending = Ending::By { time: self.now + LAST_ANSWER, by_quit: false };
            }
        }
        if let Ending::By { time, by_quit } = self.ending {
            self.finish();
            let done = self.is_idle() && self.readying == 0 && self.waiting.is_empty();
            if done || self.now >= time {
                self.end(by_quit);
            }
        }
    }

    fn look_at_clock(&mut self) {
        if self.readying > 0 && self.now >= self.keep_alive_at {
            self.reply(Reply::KeepAlive);
            self.keep_alive_at = self.now + KEEPALIVE;
        }
        let now = self.now;
        if let Activity::Search(running) = &mut self.activity {
            let lines = running.release(now);
            self.show_infos(lines);
        }
        if self.give_up_at.is_some_and(|time| self.now >= time) {
            self.error(UsiError::DoesNotStop);
            self.give_up();
        }
    }

    fn execute(&mut self, request: Request, at: Instant) {
        let Request { what, errors } = request;
        let broken = !errors.is_empty();
        errors.into_iter().for_each(|error| self.error(UsiError::Syntax(error)));
        let command = match what {
            What::Position(position) => return self.root.set(*position),
            What::Command(command) => command,
        };
        match command {
            Command::Empty => {}
            Command::Usi => self.introduce(),
            Command::IsReady => self.make_ready(at),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.run(Job::NewGame),
            Command::Position(text) => {
                if let Err(error) = self.root.read(&text) {
                    self.error(error);
                }
            }
            Command::Go(go) => self.go(&go, at, broken),
            Command::Stop | Command::GameOver => self.stop(),
            Command::PonderHit(clock) => self.ponderhit(&clock, at),
            // `quit` is not executed in its turn.
            Command::Quit => {}
            Command::GetOption(name) => self.show_option(&name),
            Command::Compiler => self.reply_text(&tool::compiler()),
            Command::Tool(tool) => self.measure(tool),
            Command::Display => self.reply_text(&display::position(self.root.position())),
            Command::Eval => {
                self.reply_text(&display::evaluation(
                    &self.evaluation,
                    self.root.position(),
                    Lang::En,
                ));
            }
            Command::Help => self.reply_text(display::HELP),
            Command::Unknown(word) => {
                self.reply(Reply::Notice(Notice::UnknownCommand(shown(&word))))
            }
        }
    }

    fn introduce(&mut self) {
        self.reply(Reply::Name(concat!("Monomi ", env!("CARGO_PKG_VERSION"))));
        self.reply(Reply::Author("the Monomi authors"));
        let options: Vec<String> = self.initial.announcement(self.platform).collect();
        options.into_iter().for_each(|line| self.reply(Reply::Option(line)));
        self.reply(Reply::UsiOk);
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    fn go(&mut self, go: &GoCommand, at: Instant, broken: bool) {
        let stale = self.root.is_stale();
        if stale {
            self.error(UsiError::NoPosition);
        }
        if let Some(depth) = go.perft {
            if !stale {
                self.perft(depth);
            }
            return;
        }
        if let Some(time) = go.mate {
            return match stale {
                true => self.reply(Reply::Checkmate(MateAnswer::Unknown)),
                false => self.mate(time, at),
            };
        }
        if !stale {
            self.apply_options();
        }
        let id = self.next_id();
        let prepared = self.root.prepare(id, go, at, broken, &self.options);
        let Prepared { limits, errors, mut running, at_once, announcement } = prepared;
        errors.into_iter().for_each(|error| self.error(error));
        if let Some(result) = at_once {
            self.activity = Activity::Search(Box::new(running));
            self.show_infos(announcement.into_iter().collect());
            return self.take_result(result);
        }
        if let Some(announcement) = announcement {
            self.activity = Activity::Search(Box::new(running));
            self.show_infos(vec![announcement]);
            let root = self.root.position().clone();
            return self.search(id, root, limits, false);
        }
        if limits.ponder
            && !limits.infinite
            && self.options.stochastic_ponder
            && let Some(before) = self.start_stochastic(&mut running, &limits)
        {
            self.activity = Activity::Search(Box::new(running));
            return self.search(id, before, Stochastic::bounds(limits), false);
        }
        self.activity = Activity::Search(Box::new(running));
        // Analysis does not use the book.
        let book = self.options.own_book && !limits.infinite;
        let root = self.root.position().clone();
        self.search(id, root, limits, book);
    }

    fn search(&mut self, id: u64, root: Position, limits: Limits, book: bool) {
        // Analysis uses full strength.
        let level = (!limits.infinite).then_some(self.options.playing_level());
        let skill = level.and_then(Skill::new);
        self.used = true;
        let options = self.options.search.clone();
        let book = book.then(|| self.options.book.clone());
        self.run(Job::Go(Box::new(Search { id, root, limits, options, book, skill })));
    }

    fn mate(&mut self, time: MateTime, at: Instant) {
        let deadline = time.deadline(at);
        let id = self.next_id();
        self.activity = Activity::Mate { id, bounded: deadline.is_some() };
        let root = Box::new(self.root.position().clone());
        let hash_mib = self.options.hash_mib;
        let tsume = self.options.tsume_rules.then_some(self.options.search.multi_pv);
        self.run(Job::Mate { id, root, deadline, hash_mib, tsume });
    }

    fn perft(&mut self, depth: u32) {
        let id = self.next_id();
        self.activity = Activity::Perft { id, since: self.now };
        let root = Box::new(self.root.position().clone());
        self.run(Job::Perft { id, root, depth });
    }

    fn measure(&mut self, tool: Tool) {
        if self.platform == Platform::Hosted && matches!(tool, Tool::ExportNet(_)) {
            return self.error(UsiError::WritesNoFiles);
        }
        self.apply_options();
        let id = self.next_id();
        self.activity = Activity::Tool(id);
        self.run(Job::Tool { id, tool });
    }

    fn is_measuring(&self) -> bool {
        matches!(self.activity, Activity::Tool(_))
    }

    /// Ends the search in progress and lets it be answered.
    fn stop(&mut self) {
        match &mut self.activity {
            Activity::Idle => {}
            Activity::Mate { .. } | Activity::Perft { .. } | Activity::Tool(_) => {
                self.actions.push(Action::Stop);
            }
            Activity::Search(running) => {
                running.stopped = true;
                match running.result.take() {
                    Some(result) => self.answer(result),
                    None => self.actions.push(Action::Stop),
                }
            }
        }
    }

    /// Answers every `go` and ends the session.
    fn end(&mut self, by_quit: bool) {
        self.give_up();
        for (request, at) in std::mem::take(&mut self.waiting) {
            if matches!(&request.what, What::Position(_))
                || matches!(&request.what, What::Command(Command::Go(_) | Command::Position(_)))
            {
                let kept = self.actions.len();
                self.execute(request, at);
                // There is no time left for its job.
                let new = self.actions.split_off(kept).into_iter();
                self.actions.extend(new.filter(|action| !matches!(action, Action::Run(_))));
                self.give_up();
            }
        }
        self.ending = Ending::Over;
        self.actions.push(Action::End { by_quit });
    }
}

/// Whether this is a tool, which runs to its end before the session may.
fn is_tool((request, _): &(Request, Instant)) -> bool {
    matches!(request.what, What::Command(Command::Tool(_)))
}

#[cfg(test)]
mod tests;
