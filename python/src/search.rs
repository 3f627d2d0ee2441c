//! `Search`: a search that runs while Python goes on.

use crate::score::{Info, Result};
use crate::work::ASK;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use monomi_eval::score::Bound as Exactness;
use monomi_search::{SearchResult, Signals};
use pyo3::exceptions::{PyRuntimeError, PyTimeoutError};
use pyo3::prelude::*;
use std::num::NonZeroU16;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a search says.
pub enum Event {
    /// A line.
    Info(monomi_search::Info),
    /// The end. The engine is free again.
    Done(SearchResult),
}

/// A search that runs.
///
/// Iterating over it gives each line (`Info`) as soon as it is known, until the search ends. `result()` waits for the end,
/// `stop()` brings it about.
#[pyclass(module = "monomi_shogi", frozen)]
pub struct Search {
    signals: Signals,
    /// Locked only without the interpreter's lock.
    events: Mutex<Receiver<Event>>,
    scale: NonZeroU16,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The last line of each rank.
    lines: Vec<monomi_search::Info>,
    result: Option<SearchResult>,
}

/// What came within a time.
enum Step {
    Info(monomi_search::Info),
    End,
    Nothing,
    /// The thread of the search is gone without a result.
    Broken,
}

impl Search {
    pub fn new(signals: Signals, events: Receiver<Event>, scale: NonZeroU16) -> Self {
        Self { signals, events: Mutex::new(events), scale, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Poisoning does not matter: the values are plain data.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the next event. Only called without the interpreter's lock: several threads may wait here, and the one that
    /// takes an event also stores what it says.
    fn step(&self, time: Duration) -> Step {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        if self.state().result.is_some() {
            return Step::End;
        }
        match events.recv_timeout(time) {
            Err(RecvTimeoutError::Timeout) => Step::Nothing,
            Err(RecvTimeoutError::Disconnected) => Step::Broken,
            Ok(Event::Done(result)) => {
                self.state().result = Some(result);
                Step::End
            }
            Ok(Event::Info(info)) => {
                let mut state = self.state();
                let rank = info.multipv;
                state.lines.truncate(info.multipv_count);
                let next = state.lines.len() + 1;
                match state.lines.get_mut(rank - 1) {
                    // A bound says less than the line of the iteration before.
                    Some(_) if info.bound != Exactness::Exact => {}
                    Some(line) => *line = info.clone(),
                    None if next == rank => state.lines.push(info.clone()),
                    None => {}
                }
                Step::Info(info)
            }
        }
    }

    /// The next line; `None` at the end, or after `until`.
    pub fn next(&self, py: Python<'_>, until: Option<Instant>) -> PyResult<Option<Info>> {
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            let time = left.map_or(ASK, |left| left.min(ASK));
            match py.detach(|| self.step(time)) {
                Step::Info(info) => return Ok(Some(Info::new(info, self.scale))),
                Step::End => return Ok(None),
                Step::Nothing if left.is_some_and(|left| left.is_zero()) => return Ok(None),
                Step::Nothing => py.check_signals()?,
                Step::Broken => {
                    let text = "the search ended with an internal error";
                    return Err(PyRuntimeError::new_err(text));
                }
            }
        }
    }

    /// Ends the search.
    pub fn halt(&self) {
        self.signals.stop();
    }

    fn finished(&self) -> Option<Result> {
        let state = self.state();
        let result = state.result.clone()?;
        Some(Result { result, lines: state.lines.clone(), scale: self.scale })
    }

    /// Waits for the end; Ctrl-C stops the search.
    pub fn wait(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<Result> {
        let until = match timeout {
            None => None,
            Some(seconds) => Some(Instant::now() + crate::convert::duration("timeout", seconds)?),
        };
        loop {
            if let Some(result) = self.finished() {
                return Ok(result);
            }
            match self.next(py, until) {
                Ok(_) if until.is_none_or(|until| Instant::now() < until) => {}
                Ok(_) if self.finished().is_some() => {}
                Ok(_) => return Err(PyTimeoutError::new_err("the search has not ended yet")),
                Err(error) => {
                    self.signals.stop();
                    return Err(error);
                }
            }
        }
    }
}

#[pymethods]
impl Search {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Info>> {
        self.next(py, None)
    }

    /// Ends the search. It still has a result.
    fn stop(&self) {
        self.signals.stop();
    }

    /// Whether the search has ended and all its lines were taken.
    #[getter]
    fn done(&self) -> bool {
        self.state().result.is_some()
    }

    /// Waits for the end, at most `timeout` seconds, and returns the result. Lines that were not taken yet are dropped.
    /// TimeoutError if the search has not ended by then: it goes on.
    #[pyo3(signature = (timeout = None))]
    fn result(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<Result> {
        self.wait(py, timeout)
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    /// Stops the search and waits for its end.
    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyAny>) -> PyResult<()> {
        self.signals.stop();
        self.wait(py, None).map(drop)
    }

    fn __repr__(&self) -> &'static str {
        if self.done() { "<Search: ended>" } else { "<Search: running>" }
    }
}

/// Nobody reads the lines any more.
impl Drop for Search {
    fn drop(&mut self) {
        self.signals.stop();
    }
}

/// The engine already works for another search.
pub fn busy() -> PyErr {
    PyRuntimeError::new_err("a search of this engine is running: stop it first")
}
