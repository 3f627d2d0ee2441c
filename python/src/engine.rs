//! `Engine`: searches.

use crate::convert::{duration, legal_move, position, value_error};
use crate::network::Network;
use crate::score::Result;
use crate::search::{Event, Search, busy};
use crossbeam_channel::{Sender, unbounded};
use monomi_eval::Evaluation;
use monomi_movegen::{EnteringKingRule, Position};
use monomi_search::{Clock, Limits, Reporter, SearchOptions, Searcher, Signals};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// The engine: searches positions in this process, on threads of its own, without the interpreter's lock.
///
/// `threads`: search threads. `hash_mib`: size of the transposition table in MiB. `network`: a `Network`, or the path of an
/// evaluation file; the built-in network by default. `rule`: how an entered king wins, see `Board.declaration`. `max_moves`:
/// a game that is longer is a draw; 0 for no limit. `network_delay`: seconds that a move on a clock takes on its way.
///
/// Limits of a search, given by name: `movetime` (seconds), `nodes`, `depth` (plies), or a clock: `btime`, `wtime`, `binc`,
/// `winc`, `byoyomi` (seconds). Further: `multipv` (number of best lines), `searchmoves` (only these moves in USI). A search
/// by nodes or depth with one thread always gives the same result in a new engine.
///
/// As a context manager (`with Engine() as engine:`) it is closed at the end.
#[pyclass(module = "monomi_shogi", frozen)]
pub struct Engine {
    state: Arc<Mutex<State>>,
    evaluation: Arc<Evaluation>,
    rule: EnteringKingRule,
    max_moves: u32,
    delay: Duration,
}

/// The searcher is either here or with a running search.
#[derive(Default)]
struct State {
    searcher: Option<Searcher>,
    running: Option<Signals>,
    closed: bool,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // A panic of a search loses its searcher, which the state then says.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn give_back(state: &Mutex<State>, searcher: Searcher) {
    let mut state = lock(state);
    state.running = None;
    if !state.closed {
        state.searcher = Some(searcher);
    }
}

/// Sends the lines of a search.
struct Lines(Sender<Event>);

impl Reporter for Lines {
    fn info(&mut self, info: &monomi_search::Info) -> ControlFlow<()> {
        match self.0.send(Event::Info(info.clone())) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// A search as the arguments describe it.
struct Wanted {
    limits: Limits,
    multi_pv: usize,
}

const LIMITS: &str =
    "movetime, nodes, depth, btime, wtime, binc, winc, byoyomi, multipv, searchmoves";

impl Wanted {
    fn read(arguments: Option<&Bound<'_, PyDict>>, root: &Position) -> PyResult<Self> {
        let mut limits = Limits::new();
        let mut multi_pv = 1;
        let mut clock = Clock::default();
        let mut has_clock = false;
        for (key, value) in arguments.into_iter().flatten() {
            if value.is_none() {
                continue;
            }
            let key = key.cast::<PyString>()?.to_cow()?.into_owned();
            let time = || duration(&key, value.extract::<f64>()?);
            match key.as_str() {
                "movetime" => limits.movetime = Some(time()?),
                "nodes" => limits.nodes = Some(value.extract()?),
                "depth" => limits.depth = Some(value.extract()?),
                "multipv" => multi_pv = value.extract()?,
                "searchmoves" => {
                    let moves: Vec<String> = value.extract()?;
                    let moves = moves.iter().map(|mv| legal_move(root, mv));
                    limits.searchmoves = moves.collect::<PyResult<_>>()?;
                }
                "btime" => clock.time[0] = time()?,
                "wtime" => clock.time[1] = time()?,
                "binc" => clock.increment[0] = time()?,
                "winc" => clock.increment[1] = time()?,
                "byoyomi" => clock.byoyomi = time()?,
                _ => {
                    let text = format!("`{key}` is no limit of a search: expected {LIMITS}");
                    return Err(PyTypeError::new_err(text));
                }
            }
            has_clock |= ["btime", "wtime", "binc", "winc", "byoyomi"].contains(&key.as_str());
        }
        limits.clock = has_clock.then_some(clock);
        for (name, value) in [
            ("nodes", limits.nodes),
            ("depth", limits.depth.map(u64::from)),
            ("multipv", Some(multi_pv as u64)),
        ] {
            if value == Some(0) {
                return Err(value_error(format!("{name} is 0: expected 1 or more")));
            }
        }
        Ok(Self { limits, multi_pv })
    }
}

impl Engine {
    /// The searcher, for one search.
    fn take(&self) -> PyResult<Searcher> {
        let mut state = lock(&self.state);
        if state.closed {
            return Err(PyValueError::new_err("the engine is closed"));
        }
        state.searcher.take().ok_or_else(busy)
    }

    /// Starts a search; the thread gives the searcher back at its end.
    fn begin(&self, root: Position, wanted: Wanted) -> PyResult<Search> {
        let Wanted { mut limits, multi_pv } = wanted;
        let time = &mut limits.time;
        (time.network_delay, time.network_delay2) = (self.delay, self.delay);
        time.minimum_thinking_time = Duration::ZERO;
        time.round_up_to_full_second = false;
        let options = SearchOptions::default()
            .with_multi_pv(multi_pv)
            .with_max_moves_to_draw(self.max_moves)
            .with_entering_king_rule(self.rule);
        let signals = Signals::default();
        let (sender, events) = unbounded();
        let mut searcher = self.take()?;
        lock(&self.state).running = Some(signals.clone());
        let (shared, of_thread) = (Arc::clone(&self.state), signals.clone());
        let started = Builder::new().name("monomi".to_owned()).spawn(move || {
            let mut lines = Lines(sender);
            let result = searcher.go(&root, &limits, &options, &of_thread, &mut lines);
            give_back(&shared, searcher);
            // Nobody may listen any more.
            let _ = lines.0.send(Event::Done(result));
        });
        started.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Search::new(signals, events, self.evaluation.win_scale()))
    }

    fn go(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        on_info: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Result> {
        let root = position(board)?;
        let wanted = Wanted::read(limits, &root)?;
        if !wanted.limits.is_bounded() {
            return Err(PyValueError::new_err(
                "a search without a limit would never end: give movetime, nodes, depth or a clock, or use start()",
            ));
        }
        let search = self.begin(root, wanted)?;
        if let Some(call) = on_info {
            while let Some(info) = search.next(py, None)? {
                if let Err(error) = call.call1((info,)) {
                    search.halt();
                    search.wait(py, None)?;
                    return Err(error);
                }
            }
        }
        search.wait(py, None)
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (*, threads = 1, hash_mib = 64, network = None, rule = "CSARule27", max_moves = 0, network_delay = 0.05))]
    fn new(
        py: Python<'_>,
        threads: usize,
        hash_mib: usize,
        network: Option<&Bound<'_, PyAny>>,
        rule: &str,
        max_moves: u32,
        network_delay: f64,
    ) -> PyResult<Self> {
        for (name, value) in [("threads", threads), ("hash_mib", hash_mib)] {
            if value == 0 {
                return Err(value_error(format!("{name} is 0: expected 1 or more")));
            }
        }
        let rule = crate::board::rule_of(rule)?;
        let delay = duration("network_delay", network_delay)?;
        let evaluation = Network::of(py, network)?;
        let searcher = py.detach(|| {
            let mut searcher = Searcher::new(hash_mib, Arc::clone(&evaluation))
                .map_err(|error| PyMemoryError::new_err(error.to_string()))?;
            searcher.set_threads(threads).map_err(|error| PyOSError::new_err(error.to_string()))?;
            Ok::<_, PyErr>(searcher)
        })?;
        let state = State { searcher: Some(searcher), ..State::default() };
        let state = Arc::new(Mutex::new(state));
        Ok(Self { state, evaluation, rule, max_moves, delay })
    }

    /// Searches a move to play and waits for it. `board`: a `Board`, or a text as after `position` in USI. `on_info` is
    /// called with each line (`Info`); an exception that it raises ends the search and is raised by this call.
    #[pyo3(signature = (board, *, on_info = None, **limits))]
    fn play(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        on_info: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Result> {
        self.go(py, board, on_info, limits)
    }

    /// Searches the best lines and waits for them, as `play`; `multipv=N` finds the N best ones.
    #[pyo3(signature = (board, *, on_info = None, **limits))]
    fn analyse(
        &self,
        py: Python<'_>,
        board: &Bound<'_, PyAny>,
        on_info: Option<&Bound<'_, PyAny>>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Result> {
        self.go(py, board, on_info, limits)
    }

    /// Starts a search and returns it (`Search`). Without a limit it runs until `stop()`; it also ends where nothing is left
    /// to search, as after a short mate.
    #[pyo3(signature = (board, **limits))]
    fn start(
        &self,
        board: &Bound<'_, PyAny>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Search> {
        let root = position(board)?;
        let mut wanted = Wanted::read(limits, &root)?;
        wanted.limits.infinite = !wanted.limits.is_bounded();
        self.begin(root, wanted)
    }

    /// Forgets everything learned: the next search is that of a new engine.
    fn forget(&self, py: Python<'_>) -> PyResult<()> {
        let mut searcher = self.take()?;
        // The lock is free meanwhile: a thread that holds the interpreter's may ask for it.
        py.detach(|| searcher.forget());
        give_back(&self.state, searcher);
        Ok(())
    }

    /// The network in use.
    #[getter]
    fn network(&self) -> Network {
        Network { evaluation: Arc::clone(&self.evaluation) }
    }

    /// Stops a running search and gives the memory back. A closed engine searches no more.
    fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        if let Some(running) = &state.running {
            running.stop();
        }
        state.searcher = None;
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, PyAny>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        format!("<Engine: {}>", self.evaluation.describe())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.close();
    }
}
