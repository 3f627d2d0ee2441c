//! `mate` and `tsume`.

use crate::convert::{a_move, duration, move_list, position, value_error};
use crate::work;
use monomi_mate::tsume::{STACK, Severity, TsumeAnswer, TsumeRules, TsumeSolver};
use monomi_mate::{MateAnswer, MateLimits, MateSolver};
use monomi_movegen::PackedMove;
use monomi_support::host::Instant;
use monomi_support::text::{Lang, Message as _};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use shogi_core::{Hand, ToUsi};
use std::sync::atomic::Ordering;

/// What `mate` found.
#[pyclass(module = "monomi_shogi", frozen)]
pub struct MateResult {
    /// True: there is a mate; False: there is none by continuous checks; None: not known within the limits.
    #[pyo3(get)]
    mate: Option<bool>,
    line: Vec<PackedMove>,
    /// Nodes searched.
    #[pyo3(get)]
    nodes: u64,
    /// Seconds.
    #[pyo3(get)]
    time: f64,
}

#[pymethods]
impl MateResult {
    /// A mating line in USI. It need not be the shortest.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        move_list(py, &self.line)
    }

    fn __repr__(&self) -> String {
        let moves = monomi_analysis::usi(&self.line);
        format!("MateResult(mate={}, moves={moves:?}, nodes={})", truth(self.mate), self.nodes)
    }
}

fn truth(value: Option<bool>) -> &'static str {
    match value {
        None => "None",
        Some(true) => "True",
        Some(false) => "False",
    }
}

fn at_least_one(name: &str, value: usize) -> PyResult<()> {
    match value {
        0 => Err(value_error(format!("{name} is 0: expected 1 or more"))),
        _ => Ok(()),
    }
}

/// Searches for a mate by continuous checks of the side to move, however long.
///
/// Limits: `movetime` in seconds, `nodes`, `plies` (longest mate; then False means that there is none this short). Without
/// limits it runs until it has an answer. `hash_mib` is the size of its tables in MiB.
#[pyfunction]
#[pyo3(signature = (board, *, movetime = None, nodes = None, plies = None, hash_mib = 64, threads = 1))]
pub fn mate(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    movetime: Option<f64>,
    nodes: Option<u64>,
    plies: Option<u16>,
    hash_mib: usize,
    threads: usize,
) -> PyResult<MateResult> {
    at_least_one("hash_mib", hash_mib)?;
    at_least_one("threads", threads)?;
    let root = position(board)?;
    let limits = MateLimits::default()
        .with_deadline(deadline(movetime)?)
        .with_nodes(nodes)
        .with_plies(plies);
    let result = work::run(py, 8 << 20, |stop| {
        let mut solver = MateSolver::with_threads(hash_mib, threads);
        solver.solve(&root, &limits, &|| stop.load(Ordering::Relaxed))
    })?;
    let (mate, line) = match result.answer {
        MateAnswer::Mate(line) => (Some(true), line),
        MateAnswer::NoMate => (Some(false), Vec::new()),
        MateAnswer::Unknown => (None, Vec::new()),
    };
    Ok(MateResult { mate, line, nodes: result.nodes, time: result.time.as_secs_f64() })
}

fn deadline(movetime: Option<f64>) -> PyResult<Option<Instant>> {
    let time = movetime.map(|time| duration("movetime", time)).transpose()?;
    Ok(time.map(|time| Instant::now() + time))
}

/// Something wrong with a tsume problem, or worth to know.
#[pyclass(module = "monomi_shogi", frozen, get_all)]
#[derive(Clone)]
pub struct Defect {
    /// Its name: no_mate, undecided, invalid_solution, shorter_mate, longer_defence, pieces_left, cook, detour, promotion,
    /// drop_square, last_move, undecided_move, equal_defence, unneeded_piece, two_kings, missing_pieces, king_in_check.
    code: &'static str,
    /// 'note', 'flaw' (キズ) or 'unsound' (不完全作).
    severity: &'static str,
    /// The number of the move that it is about, from 1, or None.
    ply: Option<u16>,
    /// That move in USI, or None.
    r#move: Option<String>,
    /// In English.
    text: String,
    /// In Japanese.
    text_ja: String,
}

#[pymethods]
impl Defect {
    fn __repr__(&self) -> String {
        let place = match (&self.ply, &self.r#move) {
            (Some(ply), Some(mv)) => format!("{ply} {mv}: "),
            _ => String::new(),
        };
        format!("Defect({}: {place}{})", self.severity, self.text)
    }
}

impl Defect {
    fn new(defect: &monomi_mate::tsume::Defect) -> Self {
        let place = defect.place();
        Self {
            code: defect.code(),
            severity: match defect.severity() {
                Severity::Note => "note",
                Severity::Flaw => "flaw",
                Severity::Unsound => "unsound",
            },
            ply: place.map(|(ply, _)| ply),
            r#move: place.map(|(_, mv)| mv.to_string()),
            text: defect.in_lang(Lang::En).to_string(),
            text_ja: defect.in_lang(Lang::Ja).to_string(),
        }
    }
}

/// What `tsume` found.
#[pyclass(module = "monomi_shogi", frozen)]
pub struct TsumeResult {
    /// True: there is a mate; False: there is none; None: not known within the limits.
    #[pyo3(get)]
    mate: Option<bool>,
    line: Vec<PackedMove>,
    /// Whether `moves` is proven to be the main line: the attacker's shortest mate against the longest defence.
    #[pyo3(get)]
    shortest: bool,
    hand: Hand,
    /// No mate takes fewer plies than this: proven.
    #[pyo3(get)]
    at_least: u16,
    /// Nodes searched.
    #[pyo3(get)]
    nodes: u64,
    /// Seconds.
    #[pyo3(get)]
    time: f64,
    /// With `check=True` what was found, in the order of the moves; otherwise None.
    #[pyo3(get)]
    defects: Option<Vec<Defect>>,
}

#[pymethods]
impl TsumeResult {
    /// The main line in USI.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        move_list(py, &self.line)
    }

    /// The attacker's hand at the end (駒余り if it is not empty), as `Board.hand`.
    #[getter]
    fn hand_left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let held = PyDict::new(py);
        for kind in monomi_movegen::square::HAND_KINDS.into_iter().rev() {
            if let Some(count @ 1..) = self.hand.count(kind) {
                held.set_item(kind.to_usi_owned(), count)?;
            }
        }
        Ok(held)
    }

    /// With `check=True` whether the problem is sound (完全作); otherwise None.
    #[getter]
    fn sound(&self) -> Option<bool> {
        let defects = self.defects.as_ref()?;
        Some(self.mate == Some(true) && defects.iter().all(|defect| defect.severity != "unsound"))
    }

    fn __repr__(&self) -> String {
        let moves = monomi_analysis::usi(&self.line);
        let shortest = truth(Some(self.shortest));
        format!("TsumeResult(mate={}, moves={moves:?}, shortest={shortest})", truth(self.mate))
    }
}

/// Solves a tsume problem by its rules: the attacker's shortest mate against the longest defence, without useless
/// interpositions (無駄合); with `keep_useless` they count as replies.
///
/// `check=True` also looks for cooks and other defects; `solution` is then the intended line, if it is known. Limits:
/// `movetime` in seconds, `nodes`, `plies` (longest mate). Without limits it runs until it has an answer. `hash_mib` is the
/// size of its tables in MiB.
#[pyfunction]
#[pyo3(signature = (board, *, check = false, solution = Vec::new(), movetime = None, nodes = None, plies = None, keep_useless = false, hash_mib = 64, threads = 1))]
#[allow(clippy::too_many_arguments, reason = "keywords in Python")]
pub fn tsume(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    check: bool,
    solution: Vec<String>,
    movetime: Option<f64>,
    nodes: Option<u64>,
    plies: Option<u16>,
    keep_useless: bool,
    hash_mib: usize,
    threads: usize,
) -> PyResult<TsumeResult> {
    at_least_one("hash_mib", hash_mib)?;
    at_least_one("threads", threads)?;
    let root = position(board)?;
    let given: Vec<PackedMove> = solution.iter().map(|mv| a_move(mv)).collect::<PyResult<_>>()?;
    let limits = MateLimits::default()
        .with_deadline(deadline(movetime)?)
        .with_nodes(nodes)
        .with_plies(plies);
    let rules = TsumeRules::default().with_useless(keep_useless);
    let (result, defects) = work::run(py, STACK, |stop| {
        let mut solver = TsumeSolver::with_threads(hash_mib, threads, rules);
        let stop = || stop.load(Ordering::Relaxed);
        if !check {
            return (solver.solve(&root, &limits, &stop), None);
        }
        // The deadline holds for the whole check.
        let over = || stop() || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let checked = solver.check(&root, &given, &limits, &over);
        (checked.solved, Some(checked.defects.iter().map(Defect::new).collect()))
    })?;
    let (mate, line, shortest, hand) = match result.answer {
        TsumeAnswer::Mate(solution) => {
            (Some(true), solution.line, solution.shortest, solution.hand_left)
        }
        TsumeAnswer::NoMate => (Some(false), Vec::new(), false, Hand::new()),
        TsumeAnswer::Unknown => (None, Vec::new(), false, Hand::new()),
    };
    Ok(TsumeResult {
        mate,
        line,
        shortest,
        hand,
        at_least: result.at_least,
        nodes: result.nodes,
        time: result.time.as_secs_f64(),
        defects,
    })
}
