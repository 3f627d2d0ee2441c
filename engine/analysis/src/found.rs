//! The result of searching one position, and the reporter that collects it.

use crate::compare::Comparison;
use monomi_movegen::{PackedMove, Position};
use monomi_search::{BestMove, Bound, Info, Reporter, Score, SearchResult};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// A line with its score for the side to move at its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoredLine {
    /// For the side to move.
    pub score: Score,
    /// The moves; empty if the game is over.
    pub pv: Vec<PackedMove>,
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

/// The result of searching one position.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Last completed iteration, in plies.
    pub depth: u32,
    /// Longest line searched, in plies.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time in milliseconds; 0 if results must be reproducible.
    pub millis: u64,
    /// The best lines, best first; at least one.
    pub lines: Vec<ScoredLine>,
    /// Set if the game is over here; nothing was searched then.
    pub over: Option<Over>,
    /// The best move and the move played here compared, if that was needed to judge it.
    pub comparison: Option<Comparison>,
}

impl Found {
    /// The game is over, with this score for the side to move.
    pub fn over(over: Over, score: Score) -> Self {
        let lines = vec![ScoredLine { score, pv: Vec::new() }];
        Self {
            depth: 0,
            seldepth: 0,
            nodes: 0,
            millis: 0,
            lines,
            over: Some(over),
            comparison: None,
        }
    }

    /// The score of the best line, for the side to move.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::Cp(0), |line| line.score)
    }

    /// The best move.
    pub fn best(&self) -> Option<PackedMove> {
        self.lines.first()?.pv.first().copied()
    }
}

/// Collects the lines of the last completed iteration.
///
/// An interrupted iteration may have refuted its first move without searching the others, so its
/// lines are discarded. Which iteration was the last is known only at the end of the search;
/// therefore two are kept.
#[derive(Default)]
pub struct Gatherer {
    /// Lines of the current iteration.
    current: Vec<ScoredLine>,
    /// The last iterations reported with all lines, at most two.
    complete: Vec<(u32, Vec<ScoredLine>)>,
    seldepth: u32,
}

impl Reporter for Gatherer {
    fn info(&mut self, info: &Info) -> ControlFlow<()> {
        if info.bound != Bound::Exact && info.multipv_count == 1 {
            return ControlFlow::Continue(());
        }
        self.seldepth = self.seldepth.max(info.seldepth);
        if info.multipv == 1 {
            self.current.clear();
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

impl Gatherer {
    /// Combines the lines with the result of the search.
    pub fn found(mut self, root: &Position, result: &SearchResult, millis: u64) -> Found {
        let best = match result.best {
            BestMove::Move(mv) => mv,
            BestMove::Win => return Found::over(Over::Declaration, Score::Mate(1)),
            BestMove::Resign => return Found::over(Over::Mated, Score::Mate(0)),
        };
        let last = self.complete.iter().rposition(|(depth, _)| *depth <= result.depth);
        let last = last.unwrap_or(self.complete.len().wrapping_sub(1));
        let mut lines = match last < self.complete.len() {
            true => self.complete.swap_remove(last).1,
            false => Vec::new(),
        };
        lines.retain(|line| line.pv.first().is_some_and(|&mv| root.is_legal(mv)));
        if lines.is_empty() {
            let pv = std::iter::once(best).chain(result.ponder).collect();
            lines.push(ScoredLine { score: result.score, pv });
        }
        let (depth, nodes) = (result.depth, result.nodes);
        Found {
            depth,
            seldepth: self.seldepth.max(depth),
            nodes,
            millis,
            lines,
            over: None,
            comparison: None,
        }
    }
}

/// A [`Found`] as stored between runs.
#[derive(Serialize, Deserialize)]
pub struct Stored {
    depth: u32,
    seldepth: u32,
    nodes: u64,
    millis: u64,
    lines: Vec<(Option<i32>, Option<i32>, String)>,
    over: Option<Over>,
    #[serde(default)]
    comparison: Option<Comparison>,
}

impl From<&Found> for Stored {
    fn from(found: &Found) -> Self {
        let line = |line: &ScoredLine| {
            let (cp, mate) = parts(line.score);
            (cp, mate, usi(&line.pv))
        };
        Self {
            depth: found.depth,
            seldepth: found.seldepth,
            nodes: found.nodes,
            millis: found.millis,
            lines: found.lines.iter().map(line).collect(),
            over: found.over,
            comparison: found.comparison,
        }
    }
}

impl Stored {
    /// Restores the result; `None` if it does not belong to this position.
    pub fn found(&self, root: &Position) -> Option<Found> {
        let line = |(cp, mate, pv): &(Option<i32>, Option<i32>, String)| {
            let score = match (cp, mate) {
                (Some(cp), None) => Score::Cp(*cp),
                (None, Some(mate)) => Score::Mate(*mate),
                _ => return None,
            };
            let mut position = root.clone();
            let mut moves = Vec::new();
            for word in pv.split_ascii_whitespace() {
                let mv: PackedMove = word.parse().ok().filter(|&mv| position.is_legal(mv))?;
                position.do_move(mv);
                moves.push(mv);
            }
            Some(ScoredLine { score, pv: moves })
        };
        let lines: Vec<ScoredLine> = self.lines.iter().map(line).collect::<Option<_>>()?;
        if lines.is_empty() {
            return None;
        }
        let &Stored { depth, seldepth, nodes, millis, over, comparison, .. } = self;
        Some(Found { depth, seldepth, nodes, millis, lines, over, comparison })
    }
}

/// Centipawns or plies to mate; one of the two is set.
pub fn parts(score: Score) -> (Option<i32>, Option<i32>) {
    match score {
        Score::Cp(cp) => (Some(cp), None),
        Score::Mate(plies) => (None, Some(plies)),
    }
}

/// Moves in USI notation.
pub fn usi(moves: &[PackedMove]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn info(depth: u32, multipv: usize, of: usize, score: Score, mv: &str) -> Info {
        Info {
            depth,
            seldepth: depth,
            multipv,
            multipv_count: of,
            score,
            bound: Bound::Exact,
            nodes: 100,
            time: Duration::ZERO,
            hashfull: 0,
            pv: vec![mv.parse().unwrap()],
        }
    }

    fn result(depth: u32, mv: &str) -> SearchResult {
        let best = BestMove::Move(mv.parse().unwrap());
        SearchResult { best, ponder: None, score: Score::Mate(-6), depth, nodes: 100 }
    }

    #[test]
    fn an_interrupted_iteration_does_not_count() {
        let position = Position::startpos();
        let mut gatherer = Gatherer::default();
        for (depth, score) in [(1, 10), (2, 20), (3, 30)] {
            let _ = gatherer.info(&info(depth, 1, 2, Score::Cp(score), "7g7f"));
            let _ = gatherer.info(&info(depth, 2, 2, Score::Cp(score - 5), "2g2f"));
        }
        let _ = gatherer.info(&info(4, 1, 2, Score::Mate(-6), "7g7f"));
        let _ = gatherer.info(&info(4, 2, 2, Score::Cp(25), "2g2f"));
        let found = gatherer.found(&position, &result(3, "7g7f"), 0);
        assert_eq!((found.score(), found.lines.len()), (Score::Cp(30), 2));
    }

    #[test]
    fn half_an_iteration_and_bounds_do_not_count() {
        let position = Position::startpos();
        let mut gatherer = Gatherer::default();
        let _ = gatherer.info(&info(1, 1, 2, Score::Cp(10), "7g7f"));
        let _ = gatherer.info(&info(1, 2, 2, Score::Cp(5), "2g2f"));
        let _ = gatherer.info(&info(2, 1, 2, Score::Cp(99), "2g2f"));
        let found = gatherer.found(&position, &result(2, "2g2f"), 0);
        assert_eq!((found.score(), found.best()), (Score::Cp(10), "7g7f".parse().ok()));
        let mut gatherer = Gatherer::default();
        let _ = gatherer.info(&info(1, 1, 1, Score::Cp(10), "7g7f"));
        let bound = Info { bound: Bound::Upper, ..info(2, 1, 1, Score::Cp(-900), "7g7f") };
        let _ = gatherer.info(&bound);
        assert_eq!(gatherer.found(&position, &result(2, "7g7f"), 0).score(), Score::Cp(10));
        // Without reports, the final result is used.
        let found = Gatherer::default().found(&position, &result(0, "7g7f"), 0);
        assert_eq!((found.score(), found.best()), (Score::Mate(-6), "7g7f".parse().ok()));
    }

    #[test]
    fn stored_results_are_restored() {
        let position = Position::startpos();
        let mut gatherer = Gatherer::default();
        let _ = gatherer.info(&info(1, 1, 2, Score::Cp(-10), "7g7f"));
        let _ = gatherer.info(&info(1, 2, 2, Score::Mate(-4), "2g2f"));
        let found = gatherer.found(&position, &result(1, "7g7f"), 12);
        for found in [found, Found::over(Over::Mated, Score::Mate(0))] {
            let text = serde_json::to_string(&Stored::from(&found)).unwrap();
            let stored: Stored = serde_json::from_str(&text).unwrap();
            assert_eq!(stored.found(&position), Some(found));
        }
        let stored = Stored::from(&Found {
            lines: vec![ScoredLine { score: Score::Cp(0), pv: vec!["5e5d".parse().unwrap()] }],
            ..Found::over(Over::Mated, Score::Mate(0))
        });
        assert_eq!(stored.found(&position), None, "belongs to another position");
    }
}
