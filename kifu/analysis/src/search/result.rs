//! The result of searching one position, and the reporter that collects it.

use crate::chance::WinScale;
use crate::line;
use crate::search::compare::Comparison;
use monomi_movegen::{PackedMove, Position};
use monomi_search::{BestMove, Bound, Info, Reporter, Score, SearchResult};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// A line with its score for the side to move at its root.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ScoredLine {
    #[serde(with = "ScoreFields")]
    pub score: Score,
    /// The moves; empty if the game is over.
    #[serde(with = "line::as_text")]
    pub pv: Vec<PackedMove>,
}

/// A [`Score`] in the journal.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Score", rename_all = "lowercase")]
enum ScoreFields {
    Cp(i32),
    Mate(i32),
}

/// Why a position was not searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Over {
    /// The side to move has no legal move.
    Mated,
    /// The side to move can declare a win.
    Declaration,
    /// The position has occurred for the fourth time.
    Repetition,
}

/// The result of the first stage: a position was searched, or the game is over there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchedPosition {
    /// Last completed iteration, in plies.
    pub(crate) depth: u32,
    /// Longest line searched, in plies.
    pub(crate) seldepth: u32,
    pub(crate) nodes: u64,
    /// Nodes after which the best move was the best one and remained it.
    pub(crate) found_after: u64,
    /// Time in milliseconds; 0 if results must be reproducible.
    pub(crate) millis: u64,
    /// The best lines, best first; at least one.
    pub(crate) lines: Vec<ScoredLine>,
    /// Set if the game is over here; nothing was searched then.
    pub(crate) over: Option<Over>,
    /// The best move and the move played here compared, if that was needed to judge it.
    pub(crate) comparison: Option<Comparison>,
}

impl SearchedPosition {
    /// The game is over, with this score for the side to move.
    pub(crate) fn over(over: Over, score: Score) -> Self {
        let lines = vec![ScoredLine { score, pv: Vec::new() }];
        Self {
            depth: 0,
            seldepth: 0,
            nodes: 0,
            found_after: 0,
            millis: 0,
            lines,
            over: Some(over),
            comparison: None,
        }
    }

    /// The last completed iteration, in plies.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The lines, best first, with their scores for the side to move. A line without moves says that the
    /// game is over.
    pub fn lines(&self) -> impl Iterator<Item = (Score, &[PackedMove])> {
        self.lines.iter().map(|line| (line.score, line.pv.as_slice()))
    }

    /// The score of the best line, for the side to move.
    pub(crate) fn score(&self) -> Score {
        self.lines.first().map_or(Score::Cp(0), |line| line.score)
    }

    /// The best line; empty if the game is over.
    pub(crate) fn best_line(&self) -> &[PackedMove] {
        self.lines.first().map_or(&[], |line| &line.pv)
    }

    /// The best move.
    pub(crate) fn best(&self) -> Option<PackedMove> {
        self.best_line().first().copied()
    }

    /// Whether this can be the result of searching a position: its lines can be played there.
    pub(crate) fn belongs_to(&self, position: &Position) -> bool {
        !self.lines.is_empty() && self.lines.iter().all(|line| line::is_legal(position, &line.pv))
    }
}

/// Collects the lines of the last completed iteration.
///
/// An interrupted iteration may have refuted its first move without searching the others, so its
/// lines are discarded. Which iteration was the last is known only at the end of the search;
/// therefore two are kept. What a search of all moves with a narrower window proved in the interrupted
/// iteration counts: the score is not above an upper bound, nor below a lower one.
#[derive(Default)]
pub struct LineCollector {
    /// Lines of the current iteration.
    current: Vec<ScoredLine>,
    /// The last iterations reported with all lines, at most two.
    complete: Vec<(u32, Vec<ScoredLine>)>,
    /// The last bound that a search with one line proved, and its iteration.
    proven: Option<(u32, Bound, ScoredLine)>,
    /// The moves that were best, each with the nodes searched until then.
    changes: Vec<(PackedMove, u64)>,
    seldepth: u32,
}

impl Reporter for LineCollector {
    fn info(&mut self, info: &Info) -> ControlFlow<()> {
        if info.bound != Bound::Exact && info.multipv_count == 1 {
            let line = ScoredLine { score: info.score, pv: info.pv.clone() };
            self.proven = Some((info.depth, info.bound, line));
            return ControlFlow::Continue(());
        }
        self.seldepth = self.seldepth.max(info.seldepth);
        if info.multipv == 1 {
            self.current.clear();
            self.note_best(info);
        }
        self.current.push(ScoredLine { score: info.score, pv: info.pv.clone() });
        if info.multipv >= info.multipv_count {
            self.complete.retain(|(depth, _)| *depth != info.depth);
            self.complete.push((info.depth, std::mem::take(&mut self.current)));
            if self.complete.len() > 2 {
                self.complete.remove(0);
            }
        }
        ControlFlow::Continue(())
    }
}

impl LineCollector {
    fn note_best(&mut self, info: &Info) {
        if let Some(&best) = info.pv.first()
            && self.changes.last().is_none_or(|(last, _)| *last != best)
        {
            self.changes.push((best, info.nodes));
        }
    }

    /// The lines and the result of the search together.
    pub fn result(
        mut self,
        root: &Position,
        result: &SearchResult,
        millis: u64,
    ) -> SearchedPosition {
        let best = match result.best {
            BestMove::Move(mv) => mv,
            BestMove::Win => return SearchedPosition::over(Over::Declaration, Score::Mate(1)),
            BestMove::Resign => return SearchedPosition::over(Over::Mated, Score::Mate(0)),
        };
        let last = self.complete.iter().rposition(|(depth, _)| *depth <= result.depth);
        let last = last.unwrap_or(self.complete.len().wrapping_sub(1));
        let (completed, mut lines) = match last < self.complete.len() {
            true => self.complete.swap_remove(last),
            false => (0, Vec::new()),
        };
        lines.retain(|line| line.pv.first().is_some_and(|&mv| root.is_legal(mv)));
        if lines.is_empty() {
            let pv = std::iter::once(best).chain(result.ponder).collect();
            lines.push(ScoredLine { score: result.score, pv });
        }
        if let (Some((depth, bound, line)), [last]) = (self.proven, &mut lines[..])
            && depth > completed
            && line.pv.first().is_some_and(|&mv| root.is_legal(mv))
        {
            // Only the sign counts, which is that of any scale.
            let chance = |score| WinScale::default().chance(score);
            let difference = chance(line.score) - chance(last.score);
            match bound {
                Bound::Upper if difference < 0.0 => last.score = line.score,
                Bound::Lower if difference > 0.0 => *last = line,
                _ => {}
            }
        }
        let (depth, nodes) = (result.depth, result.nodes);
        let best = lines.first().and_then(|line| line.pv.first());
        let found = self.changes.iter().rfind(|(mv, _)| Some(mv) == best);
        SearchedPosition {
            depth,
            seldepth: self.seldepth.max(depth),
            nodes,
            found_after: found.map_or(nodes, |(_, nodes)| *nodes),
            millis,
            lines,
            over: None,
            comparison: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(depth: u32, multipv: usize, of: usize, score: Score, mv: &str) -> Info {
        let mut info = Info::new(score, vec![mv.parse().unwrap()]);
        (info.depth, info.multipv, info.multipv_count, info.nodes) = (depth, multipv, of, 100);
        info
    }

    fn bound(bound: Bound, depth: u32, cp: i32, mv: &str) -> Info {
        let mut info = info(depth, 1, 1, Score::Cp(cp), mv);
        info.bound = bound;
        info
    }

    fn result(depth: u32, mv: &str) -> SearchResult {
        let best = BestMove::Move(mv.parse().unwrap());
        let mut result = SearchResult::new(best, Score::Mate(-6));
        (result.depth, result.nodes) = (depth, 100);
        result
    }

    fn result_after(nodes: u64, depth: u32, mv: &str) -> SearchResult {
        let mut result = result(depth, mv);
        result.nodes = nodes;
        result
    }

    #[test]
    fn an_interrupted_iteration_does_not_count() {
        let position = Position::startpos();
        let mut collector = LineCollector::default();
        for (depth, score) in [(1, 10), (2, 20), (3, 30)] {
            let _ = collector.info(&info(depth, 1, 2, Score::Cp(score), "7g7f"));
            let _ = collector.info(&info(depth, 2, 2, Score::Cp(score - 5), "2g2f"));
        }
        let _ = collector.info(&info(4, 1, 2, Score::Mate(-6), "7g7f"));
        let _ = collector.info(&info(4, 2, 2, Score::Cp(25), "2g2f"));
        let found = collector.result(&position, &result(3, "7g7f"), 0);
        assert_eq!((found.score(), found.lines.len()), (Score::Cp(30), 2));
    }

    #[test]
    fn half_an_iteration_and_earlier_bounds_do_not_count() {
        let position = Position::startpos();
        let mut collector = LineCollector::default();
        let _ = collector.info(&info(1, 1, 2, Score::Cp(10), "7g7f"));
        let _ = collector.info(&info(1, 2, 2, Score::Cp(5), "2g2f"));
        let _ = collector.info(&info(2, 1, 2, Score::Cp(99), "2g2f"));
        let found = collector.result(&position, &result(2, "2g2f"), 0);
        assert_eq!((found.score(), found.best()), (Score::Cp(10), "7g7f".parse().ok()));
        let mut collector = LineCollector::default();
        let _ = collector.info(&info(1, 1, 1, Score::Cp(10), "7g7f"));
        let _ = collector.info(&bound(Bound::Upper, 1, -900, "7g7f"));
        assert_eq!(collector.result(&position, &result(1, "7g7f"), 0).score(), Score::Cp(10));
        // Without reports, the final result is used.
        let found = LineCollector::default().result(&position, &result(0, "7g7f"), 0);
        assert_eq!((found.score(), found.best()), (Score::Mate(-6), "7g7f".parse().ok()));
    }

    #[test]
    fn bounds_of_an_interrupted_iteration_count() {
        let position = Position::startpos();
        let searched = |kind, cp, mv| {
            let mut collector = LineCollector::default();
            let _ = collector.info(&info(16, 1, 1, Score::Cp(190), "7g7f"));
            let _ = collector.info(&bound(kind, 17, cp, mv));
            let searched = collector.result(&position, &result(16, mv), 0);
            (searched.score(), searched.best().unwrap().to_string())
        };
        let line = |cp, mv: &str| (Score::Cp(cp), mv.to_owned());
        assert_eq!(searched(Bound::Upper, 130, "7g7f"), line(130, "7g7f"));
        assert_eq!(searched(Bound::Lower, 250, "2g2f"), line(250, "2g2f"));
        // These say nothing new.
        assert_eq!(searched(Bound::Upper, 250, "7g7f"), line(190, "7g7f"));
        assert_eq!(searched(Bound::Lower, 130, "2g2f"), line(190, "7g7f"));
    }

    /// Until the best move changes for the last time. An interrupted iteration does not count.
    #[test]
    fn a_move_is_found_when_it_becomes_the_best_one_for_good() {
        let found_after = |moves: &[&str], completed| {
            let mut collector = LineCollector::default();
            for (mv, depth) in moves.iter().zip(1..) {
                let nodes = 10_u64.pow(depth);
                let mut info = info(depth, 1, 1, Score::Cp(0), mv);
                info.nodes = nodes;
                let _ = collector.info(&info);
            }
            let last = moves[completed as usize - 1];
            let found = result_after(5_000_000, completed, last);
            collector.result(&Position::startpos(), &found, 0).found_after
        };
        assert_eq!(found_after(&["7g7f"], 1), 10);
        assert_eq!(found_after(&["7g7f", "7g7f", "7g7f"], 3), 10);
        assert_eq!(found_after(&["7g7f", "2g2f", "7g7f", "7g7f"], 4), 1000);
        assert_eq!(found_after(&["7g7f", "2g2f", "2g2f", "7g7f"], 3), 100);
        // A move that no iteration was completed with.
        let mut collector = LineCollector::default();
        let _ = collector.info(&info(1, 1, 1, Score::Cp(0), "7g7f"));
        let _ = collector.info(&bound(Bound::Lower, 2, 90, "2g2f"));
        let found = result_after(5_000, 1, "2g2f");
        assert_eq!(collector.result(&Position::startpos(), &found, 0).found_after, 5_000);
    }

    #[test]
    fn stored_results_are_restored() {
        let position = Position::startpos();
        let mut collector = LineCollector::default();
        let _ = collector.info(&info(1, 1, 2, Score::Cp(-10), "7g7f"));
        let _ = collector.info(&info(1, 2, 2, Score::Mate(-4), "2g2f"));
        let searched = collector.result(&position, &result(1, "7g7f"), 12);
        for searched in [searched, SearchedPosition::over(Over::Mated, Score::Mate(0))] {
            let text = serde_json::to_string(&searched).unwrap();
            assert_eq!(serde_json::from_str::<SearchedPosition>(&text).unwrap(), searched);
            assert!(searched.belongs_to(&position));
        }
        let other = SearchedPosition {
            lines: vec![ScoredLine { score: Score::Cp(0), pv: vec!["5e5d".parse().unwrap()] }],
            ..SearchedPosition::over(Over::Mated, Score::Mate(0))
        };
        assert!(!other.belongs_to(&position));
    }
}
