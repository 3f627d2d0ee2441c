//! `Network`: static evaluation.

use crate::board::Board;
use crate::convert::{position, value_error};
use crate::training::format_of;
use monomi_eval::score::Score;
use monomi_eval::source::EvalSource;
use monomi_eval::{EvalStack, Evaluation, LoadOptions};
use monomi_movegen::Position;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

/// An evaluation: the built-in network by default, or a file (nn.bin; `<piece-square>` names the piece-square tables).
///
/// `fv_scale`: the divisor from the network's output to centipawns, for files that do not state it.
#[pyclass(module = "monomi_shogi", frozen)]
pub struct Network {
    pub evaluation: Arc<Evaluation>,
}

fn load(py: Python<'_>, file: PathBuf, fv_scale: Option<u16>) -> PyResult<Arc<Evaluation>> {
    let fv_scale = match fv_scale {
        None => None,
        Some(scale) => {
            let scale = NonZeroU16::new(scale);
            Some(scale.ok_or_else(|| value_error("fv_scale is 0: expected 1 or more"))?)
        }
    };
    let options = LoadOptions::default().with_fv_scale(fv_scale);
    let source = EvalSource::from_name(&file, options);
    py.detach(|| source.load(&mut |_| ())).map_err(value_error)
}

/// The evaluation of a position in centipawns for the side to move.
fn centipawns(evaluation: &Evaluation, position: &Position) -> i32 {
    let value = EvalStack::new(evaluation, position).evaluate(position);
    match Score::from_value(value) {
        Score::Cp(cp) => cp,
        // Evaluations are no mates.
        Score::Mate(plies) => plies.signum() * 32_000,
    }
}

impl Network {
    /// The evaluation that an argument names: a `Network`, a path, or nothing.
    pub fn of(py: Python<'_>, value: Option<&Bound<'_, PyAny>>) -> PyResult<Arc<Evaluation>> {
        let Some(value) = value.filter(|value| !value.is_none()) else {
            return Ok(Evaluation::internal());
        };
        if let Ok(network) = value.cast::<Self>() {
            return Ok(Arc::clone(&network.get().evaluation));
        }
        let path: PathBuf = value.extract().map_err(|_| {
            let kind = value.get_type();
            PyTypeError::new_err(format!("network is a Network or a path, not {kind}"))
        })?;
        load(py, path, None)
    }
}

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (file = None, *, fv_scale = None))]
    fn new(py: Python<'_>, file: Option<PathBuf>, fv_scale: Option<u16>) -> PyResult<Self> {
        let evaluation = match file {
            None => Evaluation::internal(),
            Some(file) => load(py, file, fv_scale)?,
        };
        Ok(Self { evaluation })
    }

    /// The evaluation of a position in centipawns for the side to move, without a search.
    fn evaluate(&self, board: &Bound<'_, PyAny>) -> PyResult<i32> {
        if let Ok(board) = board.cast::<Board>() {
            return Ok(centipawns(&self.evaluation, &board.try_borrow()?.position));
        }
        Ok(centipawns(&self.evaluation, &position(board)?))
    }

    /// The evaluations of many positions (`Board` or str), in centipawns for their sides to move.
    #[pyo3(signature = (boards, *, threads = 1))]
    fn evaluate_many(
        &self,
        py: Python<'_>,
        boards: Vec<Bound<'_, PyAny>>,
        threads: usize,
    ) -> PyResult<Vec<i32>> {
        let positions: Vec<Position> = boards.iter().map(position).collect::<PyResult<_>>()?;
        let evaluate = |position: &Position| Ok(centipawns(&self.evaluation, position));
        py.detach(|| in_parallel(&positions, threads, evaluate))
    }

    /// The evaluations of records of PSV or hcpe, given as bytes: 32-bit numbers, little-endian, in centipawns for the sides
    /// to move. `monomi_shogi.numpy.evaluate` takes and returns arrays.
    #[pyo3(signature = (data, format, *, threads = 1))]
    fn evaluate_packed<'py>(
        &self,
        py: Python<'py>,
        data: &[u8],
        format: &str,
        threads: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let format = format_of(format)?;
        let records = crate::training::records(data, format)?;
        let numbered: Vec<(usize, &[u8])> = records.enumerate().collect();
        let evaluate = |&(index, record): &(usize, &[u8])| {
            let position = crate::training::position(record, format, index)?;
            Ok(centipawns(&self.evaluation, &position))
        };
        let values = py.detach(|| in_parallel(&numbered, threads, evaluate))?;
        let bytes: Vec<u8> = values.into_iter().flat_map(i32::to_le_bytes).collect();
        Ok(PyBytes::new(py, &bytes))
    }

    /// What kind of network it is, in one line.
    #[getter]
    fn description(&self) -> String {
        self.evaluation.describe()
    }

    /// The score in centipawns that wins 73 % of the games.
    #[getter]
    fn win_scale(&self) -> u16 {
        self.evaluation.win_scale().get()
    }

    fn __repr__(&self) -> String {
        format!("<Network: {}>", self.evaluation.describe())
    }
}

/// Applies a function to all items, which the threads divide equally.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    each: impl Fn(&T) -> PyResult<R> + Sync,
) -> PyResult<Vec<R>> {
    let threads = threads.clamp(1, items.len().max(1));
    if threads == 1 {
        return items.iter().map(each).collect();
    }
    let size = items.len().div_ceil(threads);
    let each = &each;
    let parts: Vec<PyResult<Vec<R>>> = thread::scope(|scope| {
        let work = |part| scope.spawn(move || items_of(part, each));
        let running: Vec<_> = items.chunks(size).map(work).collect();
        let joined = |thread: thread::ScopedJoinHandle<'_, PyResult<Vec<R>>>| {
            thread.join().unwrap_or_else(|_| Err(value_error("internal error in a thread")))
        };
        running.into_iter().map(joined).collect()
    });
    let mut all = Vec::with_capacity(items.len());
    for part in parts {
        all.extend(part?);
    }
    Ok(all)
}

fn items_of<T, R>(part: &[T], each: &(impl Fn(&T) -> PyResult<R> + Sync)) -> PyResult<Vec<R>> {
    part.iter().map(each).collect()
}
