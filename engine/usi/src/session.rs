//! The session: handles input lines and the engine thread's events, and writes all output.
//!
//! A `go` is kept in [`Activity`] until it is answered. It is answered exactly once, in
//! [`Session::answer`]: when the search ends, or with the held result at `stop` or `ponderhit`, or
//! with a fallback when the process ends first. Events of older searches are recognized by their id
//! and dropped.

mod applied;
mod ponder;

use self::applied::Applied;
use crate::command::{self, Command};
use crate::console::Console;
use crate::display;
use crate::engine_thread::{EngineThread, Event, Job};
use crate::go::{GoCommand, MateTime};
use crate::input::InputLine;
use crate::options::Options;
use crate::output::{bestmove_line, checkmate_line, info_line, mate_info_line};
use crate::root::{Prepared, Root};
use crate::running::{Running, Stochastic};
use crate::skill::Skill;
use crossbeam_channel::{Receiver, after, never, select};
use monomi_eval::Evaluation;
use monomi_host::Instant;
use monomi_mate::MateAnswer;
use monomi_movegen::Position;
use monomi_search::{Info, Limits, SearchResult};
use monomi_text::Lang;
use monomi_text::shown;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// GUIs wait ten seconds or longer before they give up.
const KEEPALIVE: Duration = Duration::from_secs(3);
/// How long a search may take to stop before it is answered without it. Much longer than it takes,
/// but a job before it may be loading a network.
const STOPPED: Duration = Duration::from_secs(5);
/// How long the search may take to stop when the process ends.
const LAST_ANSWER: Duration = Duration::from_millis(60);
/// How long the engine thread may take to end after that.
const LAST_JOIN: Duration = Duration::from_millis(25);

/// The `go` in progress.
enum Activity {
    Idle,
    Search(Box<Running>),
    Mate { id: u64, bounded: bool },
    Perft(u64),
}

/// A dialogue with a GUI.
pub struct Session<W> {
    console: Console<W>,
    engine: EngineThread,
    options: Options,
    applied: Option<Applied>,
    evaluation: Arc<Evaluation>,
    root: Root,
    activity: Activity,
    last_id: u64,
    /// Number of `isready` not yet answered.
    readying: u32,
    /// Positions of `eval` commands received before `readyok`.
    to_evaluate: Vec<Position>,
    /// The tables have been used and must be cleared before the next game.
    used: bool,
    /// Interval of the empty lines sent while `isready` takes long, so that the GUI does not give up.
    keepalive: Duration,
    /// Closed when the output can no longer be written.
    output_ended: Receiver<()>,
}

/// How a session ended.
pub struct Ended<W> {
    /// The stream it wrote to.
    pub out: W,
    /// By `quit`, not by the end of its input.
    pub by_quit: bool,
}

impl<W: Write> Session<W> {
    /// A session that writes to `out`.
    ///
    /// # Errors
    /// The engine thread cannot be started.
    pub fn new(out: W) -> anyhow::Result<Self> {
        let evaluation = Evaluation::internal();
        Ok(Self {
            console: Console::new(out),
            engine: EngineThread::start(Arc::clone(&evaluation))?,
            options: Options::default(),
            applied: None,
            evaluation,
            root: Root::startpos(),
            activity: Activity::Idle,
            last_id: 0,
            readying: 0,
            to_evaluate: Vec::new(),
            used: false,
            keepalive: KEEPALIVE,
            output_ended: never(),
        })
    }

    /// Ends also when this channel is closed: the output can no longer be written.
    pub fn ending_with(self, output_ended: Receiver<()>) -> Self {
        Self { output_ended, ..self }
    }

    /// Runs until `quit`, the end of input, or a write error.
    pub fn run(mut self, lines: &Receiver<InputLine>) -> Ended<W> {
        let mut by_quit = false;
        while !self.console.closed() {
            let beat = if self.readying > 0 { after(self.keepalive) } else { never() };
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => if self.read(&line).is_break() {
                        by_quit = true;
                        break;
                    },
                    Err(_) => {
                        self.finish_bounded();
                        break;
                    }
                },
                recv(self.engine.events()) -> event => match event {
                    Ok(event) => self.hear(event),
                    Err(_) => {
                        self.console.error("the search thread has died; please restart the engine");
                        break;
                    }
                },
                recv(beat) -> _ => self.console.line(""),
                recv(self.output_ended) -> _ => break,
            }
        }
        Ended { out: self.close(), by_quit }
    }

    /// After the end of input: waits for a search that has a limit, and for `readyok`. Everything
    /// else is stopped by [`Session::close`].
    fn finish_bounded(&mut self) {
        let bounded = match &self.activity {
            Activity::Idle => true,
            Activity::Search(running) => running.bounded && !running.holds(),
            Activity::Mate { bounded, .. } => *bounded,
            // Perft may take years.
            Activity::Perft(_) => false,
        };
        if !bounded {
            return;
        }
        while !self.console.closed()
            && (!matches!(self.activity, Activity::Idle) || self.readying > 0)
        {
            match self.engine.events().recv() {
                Ok(event) => self.hear(event),
                Err(_) => return,
            }
        }
    }

    /// Executes a line; `Break` to end.
    fn read(&mut self, line: &InputLine) -> ControlFlow<()> {
        self.console.heard(&line.text, line.at);
        if line.cut {
            self.console.error(format!("line of more than {} bytes ignored", line.text.len()));
            return ControlFlow::Continue(());
        }
        let (command, errors) = command::parse(&line.text);
        for error in &errors {
            self.console.error(error);
        }
        match command {
            Command::Empty => {}
            Command::Usi => self.introduce(),
            Command::IsReady => self.make_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.engine.send(Job::NewGame),
            Command::Position(text) => {
                if let Err(error) = self.root.set(&text) {
                    self.console.error(error);
                }
            }
            Command::Go(go) => self.go(&go, line.at, !errors.is_empty()),
            Command::Stop | Command::GameOver => self.stop(),
            Command::PonderHit(clock) => self.ponderhit(&clock, line.at),
            Command::Quit => return ControlFlow::Break(()),
            Command::Display => self.show(&display::position(self.root.position())),
            Command::Eval => self.evaluate(),
            Command::Unknown(word) => {
                self.console.line(&format!("info string unknown command `{}`", shown(&word)));
            }
        }
        ControlFlow::Continue(())
    }

    fn introduce(&mut self) {
        self.console.line(&format!("id name Monomi {}", env!("CARGO_PKG_VERSION")));
        self.console.line("id author the Monomi authors");
        Options::announcement().for_each(|line| self.console.line(&line));
        self.console.line("usiok");
    }

    fn show(&mut self, text: &str) {
        text.lines().for_each(|line| self.console.line(line));
    }

    /// Prints the evaluation of the position. While an `isready` is in progress, this is delayed
    /// until `readyok`, because the evaluation may change.
    fn evaluate(&mut self) {
        if self.readying > 0 {
            self.to_evaluate.push(self.root.position().clone());
        } else {
            self.show(&display::evaluation(&self.evaluation, self.root.position(), Lang::En));
        }
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    fn go(&mut self, go: &GoCommand, at: Instant, errors: bool) {
        // The previous `go` must be answered first.
        self.finish();
        let stale = self.root.is_stale();
        if stale {
            self.console.error(Root::NO_POSITION);
        }
        if let Some(depth) = go.perft {
            if !stale {
                self.perft(depth);
            }
            return;
        }
        if let Some(time) = go.mate {
            return match stale {
                true => self.console.line(&checkmate_line(&MateAnswer::Unknown)),
                false => self.mate(time, at),
            };
        }
        if !stale {
            self.apply_options();
        }
        let id = self.next_id();
        let prepared = self.root.prepare(id, go, at, errors, &self.options);
        let Prepared { limits, notes, mut running, at_once, announcement } = prepared;
        notes.into_iter().for_each(|note| self.console.error(note));
        if let Some(result) = at_once {
            self.activity = Activity::Search(Box::new(running));
            announcement.iter().for_each(|line| self.console.line(line));
            return self.take_result(result);
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

    /// Sends a search to the engine thread.
    fn search(&mut self, id: u64, root: Position, limits: Limits, book: bool) {
        // Analysis uses full strength.
        let level = (!limits.infinite).then_some(self.options.skill_level);
        let skill = level.and_then(Skill::new);
        self.used = true;
        let signals = self.engine.new_signals();
        self.engine.send(Job::Go {
            id,
            root: Box::new(root),
            limits: Box::new(limits),
            options: Box::new(self.options.search.clone()),
            book: book.then(|| self.options.book.clone()),
            skill,
            signals,
        });
    }

    fn mate(&mut self, time: MateTime, at: Instant) {
        let deadline = time.deadline(at);
        let id = self.next_id();
        self.activity = Activity::Mate { id, bounded: deadline.is_some() };
        let signals = self.engine.new_signals();
        let root = Box::new(self.root.position().clone());
        let hash_mib = self.options.hash_mib;
        self.engine.send(Job::Mate { id, root, deadline, hash_mib, signals });
    }

    fn perft(&mut self, depth: u32) {
        let id = self.next_id();
        self.activity = Activity::Perft(id);
        let signals = self.engine.new_signals();
        let root = Box::new(self.root.position().clone());
        self.engine.send(Job::Perft { id, root, depth, signals });
    }

    /// Ends the search in progress and lets it be answered.
    fn stop(&mut self) {
        match &mut self.activity {
            Activity::Idle => {}
            Activity::Mate { .. } | Activity::Perft(_) => self.engine.signals().stop(),
            Activity::Search(running) => {
                running.stopped = true;
                match running.result.take() {
                    Some(result) => self.answer(result),
                    None => self.engine.signals().stop(),
                }
            }
        }
    }

    /// Stops the `go` in progress and waits until it has been answered, if need be by a fallback.
    fn finish(&mut self) {
        self.stop();
        let deadline = Instant::now() + STOPPED;
        while !matches!(self.activity, Activity::Idle) {
            let rest = deadline.saturating_duration_since(Instant::now());
            match self.engine.events().recv_timeout(rest) {
                Ok(event) => self.hear(event),
                Err(error) => {
                    if error.is_timeout() {
                        self.console.error("the search does not stop; answering without it");
                    }
                    self.give_up();
                }
            }
        }
    }

    /// Answers the `go` in progress, with a fallback if it takes too long, and ends the engine thread.
    fn close(mut self) -> W {
        let deadline = Instant::now() + LAST_ANSWER;
        self.stop();
        while !matches!(self.activity, Activity::Idle) || self.readying > 0 {
            let rest = deadline.saturating_duration_since(Instant::now());
            match self.engine.events().recv_timeout(rest) {
                Ok(event) => self.hear(event),
                Err(_) => break,
            }
        }
        self.give_up();
        self.engine.quit(LAST_JOIN);
        self.console.into_inner()
    }

    /// Answers in place of a search that does not end.
    fn give_up(&mut self) {
        match std::mem::replace(&mut self.activity, Activity::Idle) {
            Activity::Search(running) => {
                let fallback = running.final_answer(running.fallback());
                self.console.line(&bestmove_line(&fallback));
            }
            Activity::Mate { .. } => self.console.line(&checkmate_line(&MateAnswer::Unknown)),
            Activity::Idle | Activity::Perft(_) => {}
        }
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Ready => {
                self.readying = self.readying.saturating_sub(1);
                self.console.line("readyok");
                if self.readying == 0 {
                    for position in std::mem::take(&mut self.to_evaluate) {
                        self.show(&display::evaluation(&self.evaluation, &position, Lang::En));
                    }
                }
            }
            Event::Refused(setting, reason) => self.refused(setting, &reason),
            Event::Note(note) => self.console.line(&format!("info string {note}")),
            Event::Evaluation(evaluation) => {
                let line = format!("info string evaluation: {}", evaluation.describe());
                self.evaluation = evaluation;
                self.console.line(&line);
            }
            Event::Info(id, info) => {
                if let Some(running) = self.running(id) {
                    let shown = running.hear(info);
                    self.show_infos(&shown);
                }
            }
            Event::Done(id, result) => {
                if let Some(running) = self.running(id) {
                    let last = running.finish();
                    let result = running.own_result(result);
                    self.show_infos(&last);
                    self.take_result(result);
                }
            }
            Event::Failed(id, reason) => {
                self.console.error(format!("the search has crashed: {}", shown(&reason)));
                if let Some(running) = self.running(id) {
                    let fallback = running.fallback();
                    let result = running.own_result(fallback);
                    self.take_result(result);
                } else if self.mating(id) {
                    self.give_up();
                }
            }
            Event::Mate(id, result) => {
                if self.mating(id) {
                    self.activity = Activity::Idle;
                    self.console.line(&mate_info_line(&result));
                    self.console.line(&checkmate_line(&result.answer));
                }
            }
            Event::PerftShare(id, mv, nodes) => {
                if self.counting(id) {
                    self.console.line(&format!("{mv}: {nodes}"));
                }
            }
            Event::PerftDone(id, total, time) => {
                if self.counting(id) {
                    self.activity = Activity::Idle;
                    let summary = total.map(|nodes| display::perft_summary(nodes, time));
                    self.show(summary.as_deref().unwrap_or("info string perft stopped"));
                }
            }
        }
    }

    /// The search in progress, if it has this id.
    fn running(&mut self, id: u64) -> Option<&mut Running> {
        match &mut self.activity {
            Activity::Search(running) if running.id == id => Some(running),
            _ => None,
        }
    }

    fn mating(&self, id: u64) -> bool {
        matches!(self.activity, Activity::Mate { id: mating, .. } if mating == id)
    }

    fn counting(&self, id: u64) -> bool {
        matches!(self.activity, Activity::Perft(counting) if counting == id)
    }

    fn show_infos(&mut self, infos: &[Info]) {
        infos.iter().for_each(|info| self.console.line(&info_line(info)));
    }

    /// The search has ended: answers, or keeps the result until an answer is allowed.
    fn take_result(&mut self, result: SearchResult) {
        match &mut self.activity {
            Activity::Search(running) if running.holds() => running.result = Some(result),
            _ => self.answer(result),
        }
    }

    /// Answers the `go` in progress.
    fn answer(&mut self, result: SearchResult) {
        if let Activity::Search(running) = std::mem::replace(&mut self.activity, Activity::Idle) {
            self.console.line(&bestmove_line(&running.final_answer(result)));
        }
    }
}

#[cfg(test)]
mod tests;
