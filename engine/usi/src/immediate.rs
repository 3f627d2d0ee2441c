//! A USI session without threads, for WebAssembly: every call does its work before it returns.
//!
//! A search without an end of its own (`go infinite`, `go ponder`) is done in slices, so that other
//! lines can be read between them: after [`Immediate::line`] has returned [`Next::Step`], call
//! [`Immediate::step`] until it returns [`Next::Wait`] or a line ends the search. Each slice is a
//! search of its own that continues from the transposition table; only iterations deeper than
//! those before are printed.

use crate::command::{self, Command};
use crate::go::{ClockParts, GoCommand, MateTime};
use crate::options::Options;
use crate::output::{bestmove_line, checkmate_line, info_line, mate_info_line};
use crate::root::{Prepared, Root};
use crate::running::Running;
use crate::skill::Skill;
use crate::{chance, display};
use monomi_eval::Evaluation;
use monomi_host::Instant;
use monomi_mate::{MateAnswer, MateLimits, MateSolver};
use monomi_memory::NotEnoughMemory;
use monomi_search::divide::divide;
use monomi_search::eval_source::EvalSource;
use monomi_search::{Info, Limits, Reporter, SearchResult, Searcher, Signals};
use monomi_text::Lang;
use monomi_text::shown;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Size of the transposition table at first, in mebibytes.
const HASH_MIB: usize = 16;
/// Options that need threads, files or a game server.
const UNAVAILABLE: [&str; 8] = [
    "Threads",
    "Stochastic_Ponder",
    "EvalFile",
    "EvalDir",
    "FV_SCALE",
    "EvalRouting",
    "DebugLogFile",
    "Book",
];

/// Receives the output, line by line.
pub type Output<'a> = &'a mut (dyn FnMut(&str) + Send);

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Wait for a line.
    Wait,
    /// Call [`Immediate::step`], unless there is a line to read.
    Step,
    /// `quit` was read.
    Quit,
}

/// A session.
pub struct Immediate {
    searcher: Searcher,
    mate: Option<(usize, MateSolver)>,
    options: Options,
    hash_mib: usize,
    root: Root,
    /// The `go` that waits for `stop` or `ponderhit`.
    sliced: Option<Sliced>,
}

/// A search in slices.
struct Sliced {
    running: Running,
    limits: Limits,
    progress: Progress,
    /// The search has come to its end.
    over: bool,
}

/// What the slices so far have done.
#[derive(Default)]
struct Progress {
    depth: u32,
    nodes: u64,
    time: Duration,
}

impl Immediate {
    /// A session at the start position.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new() -> Result<Self, NotEnoughMemory> {
        let mut options = Options { hash_mib: HASH_MIB, ..Options::default() };
        // There is no network between the page and the engine.
        options.search.network_delay = Duration::ZERO;
        options.search.network_delay2 = Duration::ZERO;
        options.search.round_up_to_full_second = false;
        Ok(Self {
            searcher: Searcher::new(HASH_MIB, Evaluation::internal())?,
            mate: None,
            options,
            hash_mib: HASH_MIB,
            root: Root::startpos(),
            sliced: None,
        })
    }

    /// Changes the evaluation.
    pub fn set_evaluation(&mut self, evaluation: Arc<Evaluation>) {
        self.searcher.set_evaluation(evaluation);
    }

    /// The evaluation in use.
    pub fn evaluation(&self) -> &Arc<Evaluation> {
        self.searcher.evaluation()
    }

    /// Executes a line.
    pub fn line(&mut self, line: &str, out: Output<'_>) -> Next {
        let (command, errors) = command::parse(line);
        for error in &errors {
            tell_error(out, error);
        }
        match command {
            Command::Empty => {}
            Command::Usi => introduce(out),
            Command::IsReady => {
                if self.sliced.is_none() {
                    self.apply_options(out);
                    self.searcher.forget();
                }
                out("readyok");
            }
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref(), out),
            Command::NewGame => self.searcher.new_game(),
            Command::Position(text) => {
                if let Err(error) = self.root.set(&text) {
                    tell_error(out, error);
                }
            }
            Command::Go(go) => self.go(&go, !errors.is_empty(), out),
            Command::Stop | Command::GameOver => self.stop(out),
            Command::PonderHit(clock) => self.ponderhit(&clock, out),
            Command::Quit => {
                self.stop(out);
                return Next::Quit;
            }
            Command::Display => tell(out, &display::position(self.root.position())),
            Command::Eval => {
                tell(out, &display::evaluation(self.evaluation(), self.root.position(), Lang::En))
            }
            Command::Unknown(word) => {
                out(&format!("info string unknown command `{}`", shown(&word)));
            }
        }
        self.next()
    }

    /// Searches for about this long.
    pub fn step(&mut self, time: Duration, out: Output<'_>) -> Next {
        let Some(mut sliced) = self.sliced.take() else { return Next::Wait };
        if !sliced.over {
            let mut limits = Limits { start: Instant::now(), ..sliced.limits.clone() };
            (limits.infinite, limits.ponder, limits.clock) = (false, false, None);
            limits.movetime = Some(time);
            limits.nodes = limits.nodes.map(|n| n.saturating_sub(sliced.progress.nodes).max(1));
            let result = self.search(&limits, None, &mut sliced.running, &sliced.progress, out);
            let spent = limits.start.elapsed();
            let progress = &mut sliced.progress;
            progress.time += spent;
            progress.nodes += result.nodes;
            // A slice that ended early has found a mate or reached a limit.
            sliced.over = spent < time.mul_f64(0.9)
                || limits.nodes.is_some_and(|nodes| result.nodes >= nodes)
                || limits.depth.is_some_and(|depth| result.depth >= depth);
            progress.depth = progress.depth.max(result.depth);
            // `bestmove` must be the first move of the last line printed. A slice that got no deeper
            // than those before may prefer another move without having printed it.
            if sliced.running.result.is_none() || sliced.running.was_printed_last(&result.best) {
                sliced.running.result = Some(result);
            }
        }
        self.sliced = Some(sliced);
        self.next()
    }

    fn next(&self) -> Next {
        match &self.sliced {
            Some(sliced) if !sliced.over => Next::Step,
            _ => Next::Wait,
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, out: Output<'_>) {
        let plain = |name: &str| name.to_lowercase().replace('_', "");
        let missing = |missing: &&&str| plain(name).starts_with(&plain(missing));
        if let Some(missing) = UNAVAILABLE.iter().find(missing) {
            return tell_error(out, format!("option {missing} is not available here"));
        }
        if let Err(error) = self.options.set(name, value) {
            tell_error(out, error);
        }
    }

    fn apply_options(&mut self, out: Output<'_>) {
        debug_assert_eq!(self.options.eval_source(), EvalSource::Internal);
        if self.options.hash_mib == self.hash_mib {
            return;
        }
        match self.searcher.resize_hash(self.options.hash_mib) {
            Ok(()) => self.hash_mib = self.options.hash_mib,
            Err(error) => {
                tell_error(out, format!("USI_Hash {}: {error}", self.options.hash_mib));
                self.options.hash_mib = self.hash_mib;
            }
        }
    }

    fn go(&mut self, go: &GoCommand, errors: bool, out: Output<'_>) {
        self.stop(out);
        let start = Instant::now();
        let stale = self.root.is_stale();
        if stale {
            tell_error(out, Root::NO_POSITION);
        }
        if let Some(depth) = go.perft {
            if !stale {
                self.perft(depth, start, out);
            }
            return;
        }
        if let Some(time) = go.mate {
            return match stale {
                true => out(&checkmate_line(&MateAnswer::Unknown)),
                false => self.mate(time, start, out),
            };
        }
        if !stale {
            self.apply_options(out);
        }
        let prepared = self.root.prepare(0, go, start, errors, &self.options);
        let Prepared { limits, notes, mut running, at_once, announcement } = prepared;
        notes.into_iter().for_each(|note| tell_error(out, note));
        announcement.iter().for_each(|line| out(line));
        let endless = limits.infinite || limits.ponder || !running.bounded;
        if endless && !stale {
            running.result = at_once.clone();
            let over = at_once.is_some();
            self.sliced = Some(Sliced { running, limits, progress: Progress::default(), over });
            return;
        }
        let result = at_once.unwrap_or_else(|| self.play(&limits, &mut running, out));
        out(&bestmove_line(&running.final_answer(result)));
    }

    fn perft(&self, depth: u32, start: Instant, out: Output<'_>) {
        let total = divide(self.root.position(), depth, &|| false, |mv, nodes| {
            out(&format!("{mv}: {nodes}"));
        });
        tell(out, &display::perft_summary(total.unwrap_or(0), start.elapsed()));
    }

    /// Searches in one piece, at the level of strength that is set.
    fn play(&mut self, limits: &Limits, running: &mut Running, out: Output<'_>) -> SearchResult {
        let skill = Skill::new(self.options.skill_level);
        self.search(limits, skill, running, &Progress::default(), out)
    }

    fn search(
        &mut self,
        limits: &Limits,
        skill: Option<Skill>,
        running: &mut Running,
        before: &Progress,
        out: Output<'_>,
    ) -> SearchResult {
        self.mate = None;
        let (mut limits, mut options) = (limits.clone(), self.options.search.clone());
        let shown = options.multi_pv;
        if let Some(skill) = skill {
            skill.narrow(&mut limits, &mut options);
        }
        let root = running.root.clone();
        let mut printer = Printer { running, before, shown, kept: Vec::new(), out };
        let mut result =
            self.searcher.go_here(&root, &limits, &options, &Signals::default(), &mut printer);
        let Printer { running, kept, out, .. } = printer;
        running.finish().iter().for_each(|info| out(&info_line(info)));
        if let Some(skill) = skill
            && let Some(played) = skill.choose(&kept, chance::share(), &mut result)
        {
            // So that the last info line matches bestmove.
            out(&info_line(&Info { multipv: 1, multipv_count: 1, ..played.clone() }));
        }
        result
    }

    fn mate(&mut self, time: MateTime, start: Instant, out: Output<'_>) {
        let deadline = time.deadline(start);
        let size = self.options.hash_mib;
        let kept = self.mate.take().filter(|(kept, _)| *kept == size);
        let mut solver = kept.map_or_else(|| MateSolver::new(size), |(_, solver)| solver);
        let limits = MateLimits { deadline, ..MateLimits::default() };
        let result = solver.solve(self.root.position(), &limits, &|| false);
        self.mate = Some((size, solver));
        out(&mate_info_line(&result));
        out(&checkmate_line(&result.answer));
    }

    /// Answers the `go` in progress.
    fn stop(&mut self, out: Output<'_>) {
        if self.sliced.as_ref().is_some_and(|sliced| sliced.running.result.is_none()) {
            // Stopped before the first slice.
            self.step(Duration::from_millis(1), out);
        }
        if let Some(Sliced { running, .. }) = self.sliced.take() {
            let result = running.result.clone().unwrap_or_else(|| running.fallback());
            out(&bestmove_line(&running.final_answer(result)));
        }
    }

    fn ponderhit(&mut self, clock: &ClockParts, out: Output<'_>) {
        let Some(mut sliced) = self.sliced.take() else { return };
        if !sliced.running.pondering {
            self.sliced = Some(sliced);
            return;
        }
        let mut limits = Limits { start: Instant::now(), ponder: false, ..sliced.limits.clone() };
        limits.clock = clock.clock().or(limits.clock);
        sliced.running.pondering = false;
        let bounded = limits.clock.is_some()
            || limits.movetime.is_some()
            || limits.nodes.is_some()
            || limits.depth.is_some();
        let result = match sliced.running.result.take().filter(|_| sliced.over) {
            Some(result) => result,
            None if bounded => self.play(&limits, &mut sliced.running, out),
            None => {
                sliced.limits = limits;
                self.sliced = Some(sliced);
                return;
            }
        };
        out(&bestmove_line(&sliced.running.final_answer(result)));
    }
}

fn introduce(out: Output<'_>) {
    out(concat!("id name Monomi ", env!("CARGO_PKG_VERSION")));
    out("id author the Monomi authors");
    let here = |line: &String| {
        let name = line.strip_prefix("option name ").unwrap_or_default();
        !UNAVAILABLE.iter().any(|missing| name.starts_with(missing)) && !name.contains("Book")
    };
    Options::announcement().filter(here).for_each(|line| out(&line));
    out("usiok");
}

fn tell(out: Output<'_>, text: &str) {
    text.lines().for_each(out);
}

fn tell_error(out: Output<'_>, what: impl std::fmt::Display) {
    out(&format!("info string Error! {what}"));
}

/// Prints the lines of a search, as those of one that began with the first slice.
struct Printer<'a> {
    running: &'a mut Running,
    before: &'a Progress,
    /// Number of lines of an iteration to print.
    shown: usize,
    /// The lines of the last iteration, printed or not.
    kept: Vec<Info>,
    out: Output<'a>,
}

impl Reporter for Printer<'_> {
    fn info(&mut self, info: &Info) -> ControlFlow<()> {
        if info.multipv == 1 {
            self.kept.clear();
        }
        self.kept.push(info.clone());
        if info.multipv > self.shown || info.depth <= self.before.depth {
            return ControlFlow::Continue(());
        }
        let info = Info {
            multipv_count: info.multipv_count.min(self.shown),
            nodes: self.before.nodes + info.nodes,
            time: self.before.time + info.time,
            ..info.clone()
        };
        self.running.hear(info).iter().for_each(|info| (self.out)(&info_line(info)));
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests;
