//! The first stage: searches positions.

mod compare;
mod result;

pub(crate) use compare::Comparison;
pub use result::SearchedPosition;
pub(crate) use result::{Over, ScoredLine};

use crate::settings::AnalysisSettings;
use compare::{CHECK_SHARE, CONTRADICTED, SHOWN, SUSPICIOUS, ScoresByMove, reduced};
use monomi_movegen::{PackedMove, Position, Repetition};
use monomi_search::{Limits, Score, SearchOptions, Searcher, Signals};
use result::LineCollector;
use std::sync::Arc;
use std::time::Duration;

/// A searcher with the settings of the analysis.
pub(crate) struct PositionSearcher {
    searcher: Searcher,
    settings: AnalysisSettings,
    signals: Arc<Signals>,
}

impl PositionSearcher {
    pub(crate) fn new(
        searcher: Searcher,
        settings: AnalysisSettings,
        signals: Arc<Signals>,
    ) -> Self {
        Self { searcher, settings, signals }
    }

    /// Clears the transposition table and the histories.
    pub(crate) fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Searches a position on the calling thread, which must come from [`monomi_search::spawn`],
    /// within the limits of the settings and `movetime`, nodes and time `share` times as large.
    pub(crate) fn search(
        &mut self,
        position: &Position,
        share: u32,
        movetime: Option<Duration>,
    ) -> SearchedPosition {
        let repeated = |score| SearchedPosition::over(Over::Repetition, score);
        match position.repeated(4) {
            Some(Repetition::Win) => return repeated(Score::Mate(1)),
            Some(Repetition::Lose) => return repeated(Score::Mate(0)),
            Some(_) => return repeated(Score::Cp(0)),
            None => {}
        }
        let movetime = movetime.map(|time| time.saturating_mul(share));
        self.search_moves(position, Vec::new(), share, movetime)
    }

    /// Searches these moves of a position; all if there are none.
    fn search_moves(
        &mut self,
        position: &Position,
        searchmoves: Vec<PackedMove>,
        share: u32,
        movetime: Option<Duration>,
    ) -> SearchedPosition {
        let limits = Limits {
            nodes: self.settings.nodes.map(|nodes| nodes.saturating_mul(share.into())),
            depth: self.settings.depth,
            movetime,
            searchmoves,
            ..Limits::new()
        };
        let options = options(self.settings.multi_pv);
        let mut collector = LineCollector::default();
        let result =
            self.searcher.go_here(position, &limits, &options, &self.signals, &mut collector);
        let reproducible = self.settings.is_reproducible();
        let millis = if reproducible { 0 } else { limits.start.elapsed().as_millis() as u64 };
        collector.result(position, &result, millis)
    }

    /// Compares the played move with the best one. `kept` is the mover's winning probability after the
    /// played move in the account of the rest of the game, `chance` that of the position by its search
    /// and the mate solver.
    ///
    /// The comparison says by how much the best move is better; how good the played move is, the rest
    /// of the game says. So the winning probabilities of consecutive positions differ by exactly the
    /// losses of the moves.
    pub(crate) fn compare(
        &mut self,
        position: &Position,
        searched: &mut SearchedPosition,
        chance: f64,
        (played, kept): (PackedMove, f64),
        movetime: Option<Duration>,
    ) -> Comparison {
        let difference = chance - kept;
        let by_account = |best: f64, nodes| Comparison { best, played: kept, nodes };
        let Some(best) = searched.best() else { return by_account(chance, 0) };
        if best == played {
            if difference < CONTRADICTED {
                return Comparison::of_best_move(kept);
            }
            return self.reconsider(position, searched, (played, kept), movetime);
        }
        // A mate needs no comparison.
        if difference.abs() < SUSPICIOUS || chance == 1.0 {
            return by_account(chance, 0);
        }
        match self.difference(position, [best, played], movetime) {
            (Some(difference), nodes) => by_account((kept + difference).clamp(0.0, 1.0), nodes),
            (None, nodes) => by_account(chance, nodes),
        }
    }

    /// By how much the first move is better than the second, and the nodes searched. A difference that
    /// will be shown to the player is checked by a longer search.
    fn difference(
        &mut self,
        position: &Position,
        moves: [PackedMove; 2],
        movetime: Option<Duration>,
    ) -> (Option<f64>, u64) {
        let (mut difference, mut all) = (None, 0);
        for share in [1, CHECK_SHARE] {
            let nodes = self.settings.nodes.map(|nodes| nodes.saturating_mul(share));
            let (scores, depth, nodes) = self.root_moves(position, moves.to_vec(), nodes, movetime);
            all += nodes;
            let means = scores.means(moves, depth, self.settings.win_scale);
            difference = means.map(|[best, played]| reduced(best, played)).or(difference);
            if difference.is_none_or(|difference| difference < SHOWN) {
                break;
            }
        }
        (difference, all)
    }

    /// The engine would have played the same move, but what follows contradicts its score. Searches the
    /// other moves: if one is better, it becomes the best move, otherwise nobody would be blamed for
    /// the loss.
    fn reconsider(
        &mut self,
        position: &Position,
        searched: &mut SearchedPosition,
        (played, kept): (PackedMove, f64),
        movetime: Option<Duration>,
    ) -> Comparison {
        let others: Vec<PackedMove> =
            position.legal_moves().iter().copied().filter(|&mv| mv != played).collect();
        if others.is_empty() {
            return Comparison::of_best_move(kept);
        }
        let mut other = self.search_moves(position, others, 1, movetime);
        let nodes = other.nodes;
        // No search of both moves here: later positions have contradicted the search of the played one.
        let gain = reduced(self.settings.win_scale.chance(other.score()), kept);
        if gain <= 0.0 {
            return Comparison { best: kept, played: kept, nodes };
        }
        (other.nodes, other.millis) = (searched.nodes, searched.millis + other.millis);
        *searched = other;
        Comparison { best: (kept + gain).min(1.0), played: kept, nodes }
    }

    /// Searches only these root moves, one line for each. Returns their scores, the depth completed
    /// and the nodes searched.
    fn root_moves(
        &mut self,
        position: &Position,
        moves: Vec<PackedMove>,
        nodes: Option<u64>,
        movetime: Option<Duration>,
    ) -> (ScoresByMove, u32, u64) {
        let options = options(moves.len());
        let depth = self.settings.depth.map(|depth| depth + 1);
        let nodes = nodes.map(|nodes| nodes.max(1));
        let limits = Limits { nodes, depth, movetime, searchmoves: moves, ..Limits::new() };
        let mut scores = ScoresByMove::default();
        let result = self.searcher.go_here(position, &limits, &options, &self.signals, &mut scores);
        (scores, result.depth, result.nodes)
    }
}

fn options(multi_pv: usize) -> SearchOptions {
    SearchOptions { multi_pv, ..SearchOptions::default() }
}
