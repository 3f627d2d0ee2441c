//! The first stage: searches positions.

mod compare;
mod result;

pub(crate) use compare::Comparison;
pub use result::SearchedPosition;
pub(crate) use result::{Over, ScoredLine};

use crate::chance::win_probability;
use crate::settings::AnalysisSettings;
use compare::{SUSPICIOUS, ScoresByMove};
use monomi_movegen::{PackedMove, Position, Repetition};
use monomi_search::{Limits, Score, SearchOptions, Searcher, Signals};
use result::LineCollector;
use std::sync::Arc;
use std::time::Duration;

/// A searcher with the settings of the analysis.
pub(crate) struct PositionSearcher<'a> {
    searcher: Searcher,
    settings: &'a AnalysisSettings,
    signals: Arc<Signals>,
}

impl<'a> PositionSearcher<'a> {
    pub(crate) fn new(
        searcher: Searcher,
        settings: &'a AnalysisSettings,
        signals: Arc<Signals>,
    ) -> Self {
        Self { searcher, settings, signals }
    }

    /// Clears the transposition table and the histories.
    pub(crate) fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Searches a position on the calling thread, which must come from [`monomi_search::spawn`],
    /// within the limits of the settings and `movetime`.
    pub(crate) fn search(
        &mut self,
        position: &Position,
        movetime: Option<Duration>,
    ) -> SearchedPosition {
        let repeated = |score| SearchedPosition::over(Over::Repetition, score);
        match position.repeated(4) {
            Some(Repetition::Win) => return repeated(Score::Mate(1)),
            Some(Repetition::Lose) => return repeated(Score::Mate(0)),
            Some(_) => return repeated(Score::Cp(0)),
            None => {}
        }
        let limits = Limits {
            nodes: self.settings.nodes,
            depth: self.settings.depth,
            movetime,
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

    /// Compares the played move with the best one, if the result of the position after it (`kept`,
    /// the mover's winning probability) calls for it or is missing.
    pub(crate) fn compare(
        &mut self,
        position: &Position,
        searched: &SearchedPosition,
        played: PackedMove,
        kept: Option<f64>,
        movetime: Option<Duration>,
    ) -> Option<Comparison> {
        let best = searched.best().filter(|&best| best != played)?;
        let chance = win_probability(searched.score());
        let mut nodes = 0;
        let kept = match kept {
            Some(kept) => kept,
            // The position after the move belongs to another stretch.
            None => {
                let half = movetime.map(|time| time / 2);
                let (scores, depth, searched) = self.root_moves(
                    position,
                    vec![played],
                    self.settings.nodes.map(|n| n / 2),
                    half,
                );
                nodes += searched;
                let [kept] = scores.means([played], depth)?;
                kept
            }
        };
        if (chance - kept).abs() < SUSPICIOUS {
            return (nodes > 0).then(|| Comparison::new(chance, kept, nodes));
        }
        let (scores, depth, searched) =
            self.root_moves(position, vec![best, played], self.settings.nodes, movetime);
        let [best, played] = scores.means([best, played], depth)?;
        Some(Comparison::new(best, played, nodes + searched))
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
