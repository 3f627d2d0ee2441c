//! What the search found in one position, and the reporter that gathers it.

use crate::search::{BestMove, Bound, Info, Reporter, Score, SearchResult};
use monomi_movegen::{PackedMove, Position};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// A line with its score for the side to move at its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// For the side to move.
    pub score: Score,
    /// The moves; empty where the game is over.
    pub pv: Vec<PackedMove>,
}

/// Why there was nothing to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Over {
    /// The side to move has no legal move.
    Mated,
    /// The side to move may declare its win.
    Declaration,
    /// The position stands for the fourth time.
    Repetition,
}

/// What the search found in one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Last finished iteration, in plies.
    pub depth: u32,
    /// The deepest line searched, in plies.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time in milliseconds; 0 where results must not depend on it.
    pub millis: u64,
    /// The best lines, best first; at least one.
    pub lines: Vec<Line>,
    /// Set when the game is over here and nothing was searched.
    pub over: Option<Over>,
}

impl Found {
    /// A game that is over, with the score that this means for the side to move.
    pub fn over(over: Over, score: Score) -> Self {
        let lines = vec![Line { score, pv: Vec::new() }];
        Self { depth: 0, seldepth: 0, nodes: 0, millis: 0, lines, over: Some(over) }
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

/// Gathers the lines of the last whole iteration.
///
/// An iteration that was interrupted may have seen its first move refuted and no other one yet:
/// its lines are worth nothing, so those of the iteration before are kept until the search has said
/// how far it got.
#[derive(Default)]
pub struct Gatherer {
    coming: Vec<Line>,
    /// The latest iterations told of whole, the last one at the end, at most two.
    told: Vec<(u32, Vec<Line>)>,
    seldepth: u32,
}

impl Reporter for Gatherer {
    fn info(&mut self, info: &Info) -> ControlFlow<()> {
        if info.bound != Bound::Exact && info.multipv_count == 1 {
            return ControlFlow::Continue(());
        }
        self.seldepth = self.seldepth.max(info.seldepth);
        if info.multipv == 1 {
            self.coming.clear();
        }
        self.coming.push(Line { score: info.score, pv: info.pv.clone() });
        if info.multipv >= info.multipv_count {
            self.told.retain(|(depth, _)| *depth != info.depth);
            self.told.push((info.depth, std::mem::take(&mut self.coming)));
            if self.told.len() > 2 {
                self.told.remove(0);
            }
        }
        ControlFlow::Continue(())
    }
}

impl Gatherer {
    /// Puts the lines and the search's outcome together.
    pub fn found(mut self, root: &Position, result: &SearchResult, millis: u64) -> Found {
        let best = match result.best {
            BestMove::Move(mv) => mv,
            BestMove::Win => return Found::over(Over::Declaration, Score::Mate(1)),
            BestMove::Resign => return Found::over(Over::Mated, Score::Mate(0)),
        };
        let whole = self.told.iter().rposition(|(depth, _)| *depth <= result.depth);
        let whole = whole.unwrap_or(self.told.len().wrapping_sub(1));
        let mut lines = match whole < self.told.len() {
            true => self.told.swap_remove(whole).1,
            false => Vec::new(),
        };
        lines.retain(|line| line.pv.first().is_some_and(|&mv| root.is_legal(mv)));
        if lines.is_empty() {
            let pv = std::iter::once(best).chain(result.ponder).collect();
            lines.push(Line { score: result.score, pv });
        }
        let (depth, nodes) = (result.depth, result.nodes);
        Found { depth, seldepth: self.seldepth.max(depth), nodes, millis, lines, over: None }
    }
}

/// How findings are kept between runs.
#[derive(Serialize, Deserialize)]
pub struct Stored {
    depth: u32,
    seldepth: u32,
    nodes: u64,
    millis: u64,
    lines: Vec<(Option<i32>, Option<i32>, String)>,
    over: Option<Over>,
}

impl From<&Found> for Stored {
    fn from(found: &Found) -> Self {
        let line = |line: &Line| {
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
        }
    }
}

impl Stored {
    /// The findings again; `None` when they do not belong to this position.
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
            Some(Line { score, pv: moves })
        };
        let lines: Vec<Line> = self.lines.iter().map(line).collect::<Option<_>>()?;
        if lines.is_empty() {
            return None;
        }
        let &Stored { depth, seldepth, nodes, millis, over, .. } = self;
        Some(Found { depth, seldepth, nodes, millis, lines, over })
    }
}

/// Centipawns or plies to the mate, one of the two.
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
        // Nothing told: the outcome itself.
        let found = Gatherer::default().found(&position, &result(0, "7g7f"), 0);
        assert_eq!((found.score(), found.best()), (Score::Mate(-6), "7g7f".parse().ok()));
    }

    #[test]
    fn what_is_stored_comes_back() {
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
            lines: vec![Line { score: Score::Cp(0), pv: vec!["5e5d".parse().unwrap()] }],
            ..Found::over(Over::Mated, Score::Mate(0))
        });
        assert_eq!(stored.found(&position), None, "a line of another position");
    }
}
