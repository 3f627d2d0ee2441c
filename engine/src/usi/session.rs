//! The session: reads lines and the worker's events, and says all that is said.
//!
//! Each `go` lives in [`Activity`] until it is answered. It is answered exactly once, in
//! [`Session::answer`]: by the search's end, or from the held result when `stop` or `ponderhit`
//! allows it, or by a fallback when the process ends first. Events of older searches are told by
//! their id and thrown away.

mod ponder;
mod settings;

use self::settings::Applied;
use crate::mate::MateAnswer;
use crate::search::{BestMove, Bound, Info, Limits, SearchResult, answer_without_search};
use crate::usi::command::{self, Command, shown};
use crate::usi::console::Console;
use crate::usi::display;
use crate::usi::go::{GoCommand, MateTime};
use crate::usi::lines::Line;
use crate::usi::options::Options;
use crate::usi::output::{InfoGate, bestmove_line, checkmate_line, info_line, mate_info_line};
use crate::usi::running::{Running, Stochastic};
use crate::usi::skill::Skill;
use crate::usi::worker::{Event, Job, Worker};
use crate::usi::{limits, position};
use crossbeam_channel::{Receiver, after, never, select};
use monomi_eval::Evaluation;
use monomi_movegen::Position;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// GUIs in use give up after ten seconds and more.
const KEEPALIVE: Duration = Duration::from_secs(3);
/// How long the search may take to stop when the process is to end.
const LAST_ANSWER: Duration = Duration::from_millis(60);
/// How long the worker may take to end after that.
const LAST_JOIN: Duration = Duration::from_millis(25);

/// What the worker is busy with on behalf of a `go`.
enum Activity {
    Idle,
    Search(Box<Running>),
    Mate(u64),
    Perft(u64),
}

/// A dialogue with a GUI.
pub struct Session<W> {
    console: Console<W>,
    worker: Worker,
    options: Options,
    applied: Option<Applied>,
    evaluation: Arc<Evaluation>,
    position: Position,
    activity: Activity,
    last_id: u64,
    /// Number of `isready` whose `readyok` is still to come.
    readying: u32,
    /// Positions of `eval` that wait for it.
    to_evaluate: Vec<Position>,
    /// The tables are to be cleared before the next game.
    used: bool,
    /// While `isready` takes long, an empty line this often keeps the GUI from giving up.
    keepalive: Duration,
}

impl<W: Write> Session<W> {
    /// A session that writes to `out`.
    ///
    /// # Errors
    /// The worker cannot be started.
    pub fn new(out: W) -> anyhow::Result<Self> {
        let evaluation = Evaluation::internal();
        Ok(Self {
            console: Console::new(out),
            worker: Worker::start(Arc::clone(&evaluation))?,
            options: Options::default(),
            applied: None,
            evaluation,
            position: Position::startpos(),
            activity: Activity::Idle,
            last_id: 0,
            readying: 0,
            to_evaluate: Vec::new(),
            used: false,
            keepalive: KEEPALIVE,
        })
    }

    /// Serves until `quit`, the end of the lines, or of those who listen.
    pub fn run(mut self, lines: &Receiver<Line>) {
        while !self.console.closed() {
            let beat = if self.readying > 0 { after(self.keepalive) } else { never() };
            select! {
                recv(lines) -> line => match line {
                    Ok(line) => if self.read(&line).is_break() { break },
                    Err(_) => break,
                },
                recv(self.worker.events()) -> event => match event {
                    Ok(event) => self.hear(event),
                    Err(_) => {
                        self.console.error("the search thread is gone; please restart");
                        break;
                    }
                },
                recv(beat) -> _ => self.console.line(""),
            }
        }
        self.close();
    }

    /// Obeys a line; `Break` to end.
    fn read(&mut self, line: &Line) -> ControlFlow<()> {
        self.console.heard(&line.text, line.at);
        if line.cut {
            self.console.error(format!("a line of {} bytes is ignored", line.text.len()));
            return ControlFlow::Continue(());
        }
        let (command, complaints) = command::parse(&line.text);
        for complaint in &complaints {
            self.console.error(complaint);
        }
        match command {
            Command::Empty => {}
            Command::Usi => self.introduce(),
            Command::IsReady => self.make_ready(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::NewGame => self.worker.send(Job::NewGame),
            Command::Position(text) => match position::read(&text) {
                Ok(position) => self.position = position,
                Err(error) => self.console.error(error),
            },
            Command::Go(go) => self.go(&go, line.at, !complaints.is_empty()),
            Command::Stop | Command::GameOver => self.stop(),
            Command::PonderHit(clock) => self.ponderhit(&clock, line.at),
            Command::Quit => return ControlFlow::Break(()),
            Command::Display => self.show(&display::position(&self.position)),
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

    /// Shows what a position is worth. What comes behind `isready` means the evaluation that it
    /// reads, and waits for it.
    fn evaluate(&mut self) {
        if self.readying > 0 {
            self.to_evaluate.push(self.position.clone());
        } else {
            self.show(&display::evaluation(&self.evaluation, &self.position));
        }
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    fn go(&mut self, go: &GoCommand, at: Instant, complained: bool) {
        // The former `go` is owed its answer first.
        self.finish();
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        if let Some(time) = go.mate {
            return self.mate(time, at);
        }
        self.apply_options();
        let (limits, notes) =
            limits::from_command(go, at, complained, &self.position, &self.options);
        for note in notes {
            self.console.error(note);
        }
        let timed = limits.clock.is_some() || limits.movetime.is_some();
        let all = self.options.consideration_mode || limits.infinite || !timed;
        let interval = if all { Duration::ZERO } else { self.options.pv_interval };
        let gate = InfoGate::new(interval, self.options.output_fail_lh_pv);
        let resign_value = self.options.resign_value;
        let root = self.position.clone();
        let id = self.next_id();
        let mut running = Running::new(id, root, &limits, gate, resign_value);
        let rule = self.options.search.entering_king_rule;
        let at_once = answer_without_search(&self.position, rule, &limits.searchmoves);
        if let Some(result) = at_once {
            self.activity = Activity::Search(Box::new(running));
            self.announce(&result);
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
        // Who analyses wants to know what the engine thinks.
        let book = self.options.own_book && !limits.infinite;
        let root = self.position.clone();
        self.search(id, root, limits, book);
    }

    /// Has the worker search.
    fn search(&mut self, id: u64, root: Position, limits: Limits, book: bool) {
        // Who analyses wants full strength.
        let level = (!limits.infinite).then_some(self.options.skill_level);
        let skill = level.and_then(Skill::new);
        self.used = true;
        self.worker.signals().clear();
        self.worker.send(Job::Go {
            id,
            root: Box::new(root),
            limits: Box::new(limits),
            options: Box::new(self.options.search.clone()),
            book: book.then(|| self.options.book.clone()),
            skill,
        });
    }

    fn mate(&mut self, time: MateTime, at: Instant) {
        let deadline = match time {
            MateTime::Within(time) => at.checked_add(time),
            MateTime::Infinite => None,
        };
        let id = self.next_id();
        self.activity = Activity::Mate(id);
        self.worker.signals().clear();
        let root = Box::new(self.position.clone());
        let hash_mib = self.options.hash_mib;
        self.worker.send(Job::Mate { id, root, deadline, hash_mib });
    }

    /// A line for an answer that no search has found.
    fn announce(&mut self, result: &SearchResult) {
        let pv = match result.best {
            BestMove::Move(mv) => vec![mv],
            BestMove::Resign | BestMove::Win => Vec::new(),
        };
        self.console.line(&info_line(&Info {
            depth: 0,
            seldepth: 0,
            multipv: 1,
            multipv_count: 1,
            score: result.score,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv,
        }));
    }

    fn perft(&mut self, depth: u32) {
        let id = self.next_id();
        self.activity = Activity::Perft(id);
        self.worker.signals().clear();
        self.worker.send(Job::Perft { id, root: Box::new(self.position.clone()), depth });
    }

    /// The search shall end and be answered.
    fn stop(&mut self) {
        match &mut self.activity {
            Activity::Idle => {}
            Activity::Mate(_) | Activity::Perft(_) => self.worker.signals().stop(),
            Activity::Search(running) => {
                running.stopped = true;
                match running.result.take() {
                    Some(result) => self.answer(result),
                    None => self.worker.signals().stop(),
                }
            }
        }
    }

    /// Stops what is going on and sees it answered.
    fn finish(&mut self) {
        self.stop();
        while !matches!(self.activity, Activity::Idle) {
            match self.worker.events().recv() {
                Ok(event) => self.hear(event),
                Err(_) => self.give_up(),
            }
        }
    }

    /// Answers what is open, with whatever is known when the time is up, and ends the worker.
    fn close(mut self) {
        let deadline = Instant::now() + LAST_ANSWER;
        self.stop();
        while !matches!(self.activity, Activity::Idle) || self.readying > 0 {
            match self.worker.events().recv_deadline(deadline) {
                Ok(event) => self.hear(event),
                Err(_) => break,
            }
        }
        self.give_up();
        self.worker.quit(LAST_JOIN);
    }

    /// Answers in place of a search that will not.
    fn give_up(&mut self) {
        match std::mem::replace(&mut self.activity, Activity::Idle) {
            Activity::Search(running) => {
                let fallback = running.final_answer(running.fallback());
                self.console.line(&bestmove_line(&fallback));
            }
            Activity::Mate(_) => self.console.line(&checkmate_line(&MateAnswer::Unknown)),
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
                        self.show(&display::evaluation(&self.evaluation, &position));
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
                    let last = running.gate.finish();
                    let result = running.own_result(result);
                    self.show_infos(&last);
                    self.take_result(result);
                }
            }
            Event::Failed(id, reason) => {
                self.console.error(format!("the search broke down: {}", shown(&reason)));
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
                    self.show(summary.as_deref().unwrap_or("info string perft was stopped"));
                }
            }
        }
    }

    /// The search in progress if it is this one.
    fn running(&mut self, id: u64) -> Option<&mut Running> {
        match &mut self.activity {
            Activity::Search(running) if running.id == id => Some(running),
            _ => None,
        }
    }

    fn mating(&self, id: u64) -> bool {
        matches!(self.activity, Activity::Mate(mating) if mating == id)
    }

    fn counting(&self, id: u64) -> bool {
        matches!(self.activity, Activity::Perft(counting) if counting == id)
    }

    fn show_infos(&mut self, infos: &[Info]) {
        infos.iter().for_each(|info| self.console.line(&info_line(info)));
    }

    /// The search is over: answers, or keeps the answer until it may be given.
    fn take_result(&mut self, result: SearchResult) {
        match &mut self.activity {
            Activity::Search(running) if running.holds() => running.result = Some(result),
            _ => self.answer(result),
        }
    }

    /// Answers the `go` in progress: the only place that writes a searched `bestmove`.
    fn answer(&mut self, result: SearchResult) {
        if let Activity::Search(running) = std::mem::replace(&mut self.activity, Activity::Idle) {
            self.console.line(&bestmove_line(&running.final_answer(result)));
        }
    }
}

#[cfg(test)]
mod tests;
