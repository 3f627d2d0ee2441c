//! The driver without threads, for WebAssembly: every call does its work before it returns.
//!
//! A search without an end of its own (`go infinite`, `go ponder`) is done in slices, so that other
//! lines can be read between them: after [`Immediate::line`] has returned [`Next::Step`], call
//! [`Immediate::step`] until it returns [`Next::Wait`] or a line ends the search. Each slice is a
//! search of its own that continues from the transposition table; only iterations deeper than
//! those before are printed.

use crate::dialogue::{Action, Dialogue, Input};
use crate::input::InputLine;
use crate::job::{Event, Job, Search};
use crate::options::Platform;
use crate::worker::Worker;
use monomi_eval::Evaluation;
use monomi_host::Instant;
use monomi_memory::NotEnoughMemory;
use monomi_search::{Info, Limits, SearchResult, Signals};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

/// Receives the output, line by line.
pub type LineOutput<'a> = &'a mut (dyn FnMut(&str) + Send);

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
    dialogue: Dialogue,
    worker: Worker,
    /// The search in slices.
    sliced: Option<Sliced>,
    ended: bool,
}

/// A search in slices.
struct Sliced {
    search: Search,
    /// The deepest iteration, the nodes and the time of the slices so far.
    depth: u32,
    nodes: u64,
    time: Duration,
    result: Option<SearchResult>,
}

impl Immediate {
    /// A session at the start position.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new() -> Result<Self, NotEnoughMemory> {
        let evaluation = Evaluation::internal();
        let worker = Worker::new(Arc::clone(&evaluation), |_, _| ())?;
        let dialogue = Dialogue::new(Platform::Browser, evaluation, Instant::now());
        Ok(Self { dialogue, worker, sliced: None, ended: false })
    }

    /// Changes the evaluation.
    pub fn set_evaluation(&mut self, evaluation: Arc<Evaluation>) {
        self.worker.set_evaluation(Arc::clone(&evaluation));
        self.dialogue.set_evaluation(evaluation);
    }

    /// The evaluation in use.
    pub fn evaluation(&self) -> &Arc<Evaluation> {
        self.dialogue.evaluation()
    }

    /// Executes a line.
    pub fn line(&mut self, line: &str, out: LineOutput<'_>) -> Next {
        let at = Instant::now();
        let line = InputLine { text: line.to_owned(), at, cut: false };
        self.handle(Input::Line(line), out)
    }

    /// Searches for about this long.
    pub fn step(&mut self, time: Duration, out: LineOutput<'_>) -> Next {
        let Some(mut sliced) = self.sliced.take() else { return Next::Wait };
        match self.slice(&mut sliced, time, out) {
            Some(result) => self.handle(Input::Event(Event::Done(sliced.search.id, result)), out),
            None => {
                self.sliced = Some(sliced);
                Next::Step
            }
        }
    }

    fn handle(&mut self, input: Input, out: LineOutput<'_>) -> Next {
        let mut actions = VecDeque::from(self.dialogue.handle(input, Instant::now()));
        while let Some(action) = actions.pop_front() {
            match action {
                Action::Say(reply) => out(&reply.to_string()),
                Action::Run(Job::Go(search)) if !is_bounded(&search.limits) => {
                    let time = Duration::ZERO;
                    let search = *search;
                    self.sliced = Some(Sliced { search, depth: 0, nodes: 0, time, result: None });
                }
                Action::Run(job) => self.work(job, &mut actions, out),
                Action::Stop => {
                    let Some(mut sliced) = self.sliced.take() else { continue };
                    if sliced.result.is_none() {
                        self.slice(&mut sliced, Duration::from_millis(1), out);
                    }
                    if let Some(result) = sliced.result {
                        self.tell(Event::Done(sliced.search.id, result), &mut actions);
                    }
                }
                Action::PonderHit { at, clock } => {
                    let Some(mut sliced) = self.sliced.take() else { continue };
                    let limits = &mut sliced.search.limits;
                    (limits.start, limits.ponder) = (at, false);
                    limits.clock = clock.or(limits.clock);
                    if is_bounded(limits) {
                        actions.push_front(Action::Run(Job::Go(Box::new(sliced.search))));
                    } else {
                        self.sliced = Some(sliced);
                    }
                }
                Action::End { .. } => self.ended = true,
                // There are no files.
                Action::Log { .. } => {}
            }
        }
        match &self.sliced {
            _ if self.ended => Next::Quit,
            Some(_) => Next::Step,
            None => Next::Wait,
        }
    }

    fn tell(&mut self, event: Event, actions: &mut VecDeque<Action>) {
        actions.extend(self.dialogue.handle(Input::Event(event), Instant::now()));
    }

    /// Runs a job. What it reports is printed at once, other actions that follow from it wait.
    fn work(&mut self, job: Job, actions: &mut VecDeque<Action>, out: LineOutput<'_>) {
        let Self { dialogue, worker, .. } = self;
        let mut tell = |event| {
            for action in dialogue.handle(Input::Event(event), Instant::now()) {
                match action {
                    Action::Say(reply) => out(&reply.to_string()),
                    other => actions.push_back(other),
                }
            }
            ControlFlow::Continue(())
        };
        let _ = worker.work(job, &Signals::default(), &mut tell);
    }

    /// Searches a slice. Returns the result if the search has come to its end.
    fn slice(
        &mut self,
        sliced: &mut Sliced,
        time: Duration,
        out: LineOutput<'_>,
    ) -> Option<SearchResult> {
        let mut search = Search { skill: None, book: None, ..sliced.search.clone() };
        let limits = &mut search.limits;
        (limits.start, limits.movetime) = (Instant::now(), Some(time));
        (limits.infinite, limits.ponder, limits.clock) = (false, false, None);
        limits.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(sliced.nodes).max(1));
        let limits = limits.clone();
        let Self { dialogue, worker, .. } = self;
        let mut found = None;
        let mut tell = |event| {
            let event = match event {
                Event::Info(_, info) if info.depth <= sliced.depth => None,
                // As those of one search that began with the first slice.
                Event::Info(id, info) => {
                    let (nodes, time) = (sliced.nodes + info.nodes, sliced.time + info.time);
                    Some(Event::Info(id, Info { nodes, time, ..info }))
                }
                Event::Done(_, result) => {
                    found = Some(result);
                    None
                }
                other => Some(other),
            };
            for action in event
                .map_or_else(Vec::new, |event| dialogue.handle(Input::Event(event), Instant::now()))
            {
                if let Action::Say(reply) = action {
                    out(&reply.to_string());
                }
            }
            ControlFlow::Continue(())
        };
        let _ = worker.work(Job::Go(Box::new(search)), &Signals::default(), &mut tell);
        let result = found?;
        let spent = limits.start.elapsed();
        sliced.time += spent;
        sliced.nodes += result.nodes;
        sliced.depth = sliced.depth.max(result.depth);
        // A slice that ended early has found a mate or reached a limit.
        let over = spent < time.mul_f64(0.9)
            || limits.nodes.is_some_and(|nodes| result.nodes >= nodes)
            || limits.depth.is_some_and(|depth| result.depth >= depth);
        // `bestmove` must be the first move of the last line printed. A slice that got no deeper
        // than those before may prefer another move without having printed it.
        if sliced.result.is_none() || self.dialogue.last_line_begins_with(&result.best) {
            sliced.result = Some(result);
        }
        sliced.result.clone().filter(|_| over)
    }
}

/// Whether a search ends by itself, and may.
fn is_bounded(limits: &Limits) -> bool {
    let limited = limits.clock.is_some()
        || limits.movetime.is_some()
        || limits.nodes.is_some()
        || limits.depth.is_some();
    limited && !limits.infinite && !limits.ponder
}

#[cfg(test)]
mod tests;
