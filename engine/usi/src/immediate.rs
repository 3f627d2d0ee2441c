//! The driver without threads, for WebAssembly: every call does its work before it returns.
//!
//! A search without an end of its own (`go infinite`, `go ponder`) is done in slices, so that other
//! lines can be read between them: after [`Immediate::line`] has returned [`Next::Step`], call
//! [`Immediate::step`] until it returns [`Next::Wait`] or a line ends the search.

mod sliced;

use self::sliced::Sliced;
use crate::dialogue::{Action, Dialogue, Input};
use crate::input::InputLine;
use crate::job::{Event, Job};
use crate::options::Platform;
use crate::worker::Worker;
use monomi_eval::Evaluation;
use monomi_search::{Limits, SearchResult, Signals};
use monomi_support::host::Instant;
use monomi_support::memory::NotEnoughMemory;
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
    /// Actions to be executed.
    actions: VecDeque<Action>,
    sliced: Option<Sliced>,
    ended: bool,
}

impl Immediate {
    /// A session at the start position.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new() -> Result<Self, NotEnoughMemory> {
        let evaluation = Evaluation::built_in();
        let worker = Worker::new(Arc::clone(&evaluation), |_, _| ())?;
        let dialogue = Dialogue::new(Platform::Browser, evaluation, Instant::now());
        Ok(Self { dialogue, worker, actions: VecDeque::new(), sliced: None, ended: false })
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
        self.handle_input(Input::Line(line));
        self.execute(out)
    }

    /// Searches for about this long.
    pub fn step(&mut self, time: Duration, out: LineOutput<'_>) -> Next {
        if let Some(mut sliced) = self.sliced.take() {
            match self.slice(&mut sliced, time, out) {
                Some(result) => {
                    self.handle_input(Input::Event(Event::Done(sliced.search.id, result)))
                }
                None => self.sliced = Some(sliced),
            }
        }
        self.execute(out)
    }

    fn handle_input(&mut self, input: Input) {
        self.actions.extend(self.dialogue.handle(input, Instant::now()));
    }

    fn execute(&mut self, out: LineOutput<'_>) -> Next {
        while let Some(action) = self.actions.pop_front() {
            match action {
                Action::Say(reply) => out(&reply.to_string()),
                Action::Run(Job::Go(search)) if !ends(&search.limits) => {
                    self.sliced = Some(Sliced::new(*search));
                }
                Action::Run(job) => {
                    self.work(job, out, Some);
                }
                Action::Stop => {
                    let Some(mut sliced) = self.sliced.take() else { continue };
                    if sliced.result.is_none() {
                        self.slice(&mut sliced, Duration::from_millis(1), out);
                    }
                    if let Some(result) = sliced.result {
                        self.handle_input(Input::Event(Event::Done(sliced.search.id, result)));
                    }
                }
                Action::PonderHit { at, clock } => {
                    let Some(mut sliced) = self.sliced.take() else { continue };
                    let limits = &mut sliced.search.limits;
                    (limits.start, limits.ponder) = (at, false);
                    limits.clock = clock.or(limits.clock);
                    if ends(limits) {
                        self.actions.push_front(Action::Run(Job::Go(Box::new(sliced.search))));
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

    /// Runs a job. Those of its events that `report` returns are printed at once; other actions that
    /// follow from them wait. Returns whether the job was told to end (`monomi_support::host::pause`).
    fn work(
        &mut self,
        job: Job,
        out: LineOutput<'_>,
        mut report: impl FnMut(Event) -> Option<Event> + Send,
    ) -> bool {
        let Self { dialogue, worker, actions, .. } = self;
        let mut tell = |event| {
            let input = report(event).map(Input::Event);
            let new = input.map(|input| dialogue.handle(input, Instant::now()));
            for action in new.into_iter().flatten() {
                match action {
                    Action::Say(reply) => out(&reply.to_string()),
                    other => actions.push_back(other),
                }
            }
            ControlFlow::Continue(())
        };
        let signals = Signals::default();
        let _ = worker.work(job, &signals, &mut tell);
        signals.stopped()
    }

    /// Searches a slice. Returns the result if the search has come to its end.
    fn slice(
        &mut self,
        sliced: &mut Sliced,
        time: Duration,
        out: LineOutput<'_>,
    ) -> Option<SearchResult> {
        let search = sliced.next(time, Instant::now());
        let (limits, mut found) = (search.limits.clone(), None);
        let job = Job::Go(Box::new(search));
        let interrupted = self.work(job, out, |event| sliced.report(event, &mut found));
        let begins = |best: &_| self.dialogue.last_line_begins_with(best);
        sliced.add(&found?, &limits, Instant::now(), begins).filter(|_| !interrupted)
    }
}

/// Whether a search ends by itself, and may.
fn ends(limits: &Limits) -> bool {
    limits.is_bounded() && !limits.infinite && !limits.ponder
}

#[cfg(test)]
mod tests;
