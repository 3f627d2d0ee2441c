//! Scores and lines of searches.

use crate::convert::move_list;
use monomi_eval::score::Bound as Exactness;
use monomi_movegen::PackedMove;
use monomi_search as search;
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::num::NonZeroU16;

/// A score for the side to move: either `cp` or `mate` is set.
#[pyclass(module = "monomi_shogi", frozen, eq)]
#[derive(Clone, PartialEq)]
pub struct Score {
    score: search::Score,
    scale: NonZeroU16,
}

impl Score {
    pub fn new(score: search::Score, scale: NonZeroU16) -> Self {
        Self { score, scale }
    }
}

#[pymethods]
impl Score {
    /// Centipawns, or None for a mate.
    #[getter]
    fn cp(&self) -> Option<i32> {
        match self.score {
            search::Score::Cp(cp) => Some(cp),
            search::Score::Mate(_) => None,
        }
    }

    /// Plies to the mate, negative if the side to move is mated (0: already), or None.
    #[getter]
    fn mate(&self) -> Option<i32> {
        match self.score {
            search::Score::Mate(plies) => Some(plies),
            search::Score::Cp(_) => None,
        }
    }

    /// The winning probability of the side to move that belongs to the score, by the network's scale: 0 to 1.
    #[getter]
    fn win(&self) -> f64 {
        self.score.winning_probability(self.scale)
    }

    fn __repr__(&self) -> String {
        match self.score {
            search::Score::Cp(cp) => format!("Score(cp={cp})"),
            search::Score::Mate(plies) => format!("Score(mate={plies})"),
        }
    }
}

/// A line of an iteration.
#[pyclass(module = "monomi_shogi", frozen)]
#[derive(Clone)]
pub struct Info {
    pub info: search::Info,
    scale: NonZeroU16,
}

impl Info {
    pub fn new(info: search::Info, scale: NonZeroU16) -> Self {
        Self { info, scale }
    }
}

#[pymethods]
impl Info {
    /// The iteration, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.info.depth
    }

    /// The longest line searched, in plies.
    #[getter]
    fn seldepth(&self) -> u32 {
        self.info.seldepth
    }

    /// The rank of the line, from 1.
    #[getter]
    fn multipv(&self) -> usize {
        self.info.multipv
    }

    /// The score for the side to move.
    #[getter]
    fn score(&self) -> Score {
        Score::new(self.info.score, self.scale)
    }

    /// 'exact'; 'lower' if the score is at least this much, 'upper' if it is at most this much.
    #[getter]
    fn bound(&self) -> &'static str {
        match self.info.bound {
            Exactness::Exact => "exact",
            Exactness::Lower => "lower",
            Exactness::Upper => "upper",
        }
    }

    /// The nodes of all threads so far.
    #[getter]
    fn nodes(&self) -> u64 {
        self.info.nodes
    }

    /// Nodes a second.
    #[getter]
    fn nps(&self) -> u64 {
        self.info.nps()
    }

    /// Seconds since the start of the search.
    #[getter]
    fn time(&self) -> f64 {
        self.info.time.as_secs_f64()
    }

    /// The used part of the transposition table, in permille.
    #[getter]
    fn hashfull(&self) -> u32 {
        self.info.hashfull
    }

    /// The moves of the line, in USI.
    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        move_list(py, &self.info.pv)
    }

    fn __repr__(&self) -> String {
        format!(
            "Info(depth={}, multipv={}, score={}, pv={:?})",
            self.info.depth,
            self.info.multipv,
            self.score().__repr__(),
            usi(&self.info.pv)
        )
    }
}

fn usi(moves: &[PackedMove]) -> String {
    monomi_analysis::usi(moves)
}

/// The result of a search.
#[pyclass(module = "monomi_shogi", frozen)]
#[derive(Clone)]
pub struct Result {
    pub result: search::SearchResult,
    pub lines: Vec<search::Info>,
    pub scale: NonZeroU16,
}

#[pymethods]
impl Result {
    /// The best move in USI, 'resign' where there is no legal move, or 'win' where the side to move can declare a win.
    #[getter]
    fn r#move(&self) -> String {
        match self.result.best {
            search::BestMove::Move(mv) => mv.to_string(),
            search::BestMove::Resign => "resign".to_owned(),
            search::BestMove::Win => "win".to_owned(),
        }
    }

    /// The expected reply, or None.
    #[getter]
    fn ponder(&self) -> Option<String> {
        self.result.ponder.map(|mv| mv.to_string())
    }

    /// The score of the best move for the side to move.
    #[getter]
    fn score(&self) -> Score {
        Score::new(self.result.score, self.scale)
    }

    /// The last completed iteration, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.result.depth
    }

    /// The nodes of all threads.
    #[getter]
    fn nodes(&self) -> u64 {
        self.result.nodes
    }

    /// The last line of each rank, the best one first. Empty where no search was needed.
    #[getter]
    fn lines(&self) -> Vec<Info> {
        self.lines.iter().map(|info| Info::new(info.clone(), self.scale)).collect()
    }

    fn __repr__(&self) -> String {
        let (mv, score) = (self.r#move(), self.score().__repr__());
        format!(
            "Result(move='{mv}', score={score}, depth={}, nodes={})",
            self.depth(),
            self.nodes()
        )
    }
}
