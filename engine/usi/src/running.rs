//! A `go` that has not been answered yet.

use crate::info_gate::InfoGate;
use monomi_movegen::{PackedMove, Position};
use monomi_search::{BestMove, Bound, Info, Limits, Score, SearchResult};
use monomi_support::host::Instant;

/// The value of `ResignValue` for never resigning; no score is as high.
const NEVER_RESIGN: i32 = 99_999;

/// A search between its `go` and its `bestmove`.
pub struct Running {
    /// The id in the events of this search.
    pub id: u64,
    /// The position searched.
    pub root: Position,
    /// Pondering, until `ponderhit`.
    pub pondering: bool,
    /// `go infinite`: only `stop` ends it.
    pub infinite: bool,
    /// The search has a limit and ends without `stop`.
    pub bounded: bool,
    /// `stop` was received.
    pub stopped: bool,
    /// The result, held until an answer is allowed.
    pub result: Option<SearchResult>,
    /// Selects the lines to print.
    pub gate: InfoGate,
    /// A win can be declared: that is the answer, whatever the search finds.
    pub declares: bool,
    /// When the lines held back are to be printed.
    pub due_at: Option<Instant>,
    /// Set while pondering on the position before the predicted move.
    pub stochastic: Option<Stochastic>,
    /// The best move of the latest iteration.
    best_so_far: Option<PackedMove>,
    /// The first move of the last main line to print.
    printed: Option<PackedMove>,
    /// Resign at scores of minus this or less, in centipawns.
    resign_value: i32,
}

/// Pondering on the position before the predicted move (Stochastic_Ponder). It fills the table for
/// all replies of the opponent.
#[derive(Debug)]
pub struct Stochastic {
    /// Limits of the search started by `ponderhit`.
    pub limits: Limits,
    /// The move that the opponent is expected to play.
    pub predicted: PackedMove,
    /// The search has ended.
    pub over: bool,
}

impl Stochastic {
    /// Limits of the search of the previous position: only depth and nodes.
    pub fn bounds(mut limits: Limits) -> Limits {
        limits = limits.with_clock(None).with_movetime(None).with_searchmoves([]);
        (limits.infinite, limits.ponder) = (true, false);
        limits
    }

    /// Converts a line of the previous position into one of the root, if it begins with the
    /// predicted move.
    fn translate(&self, mut info: Info) -> Option<Info> {
        if info.multipv_count > 1 || info.pv.len() < 2 || info.pv[0] != self.predicted {
            return None;
        }
        info.pv.remove(0);
        info.depth = info.depth.saturating_sub(1).max(1);
        info.seldepth = info.seldepth.saturating_sub(1).max(1);
        info.score = match info.score {
            Score::Cp(value) => Score::Cp(-value),
            // The removed ply shortens a mate by one.
            Score::Mate(plies) if plies > 0 => Score::Mate(1 - plies),
            Score::Mate(plies) => Score::Mate(-plies - 1),
        };
        info.bound = match info.bound {
            Bound::Exact => Bound::Exact,
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        };
        Some(info)
    }
}

impl Running {
    /// A search about to start.
    pub fn new(
        id: u64,
        root: Position,
        limits: &Limits,
        gate: InfoGate,
        resign_value: i32,
    ) -> Self {
        Self {
            id,
            root,
            pondering: limits.ponder,
            infinite: limits.infinite,
            bounded: limits.is_bounded(),
            stopped: false,
            result: None,
            stochastic: None,
            due_at: None,
            declares: false,
            gate,
            best_so_far: None,
            printed: None,
            resign_value,
        }
    }

    /// Whether an answer must wait for `stop` or `ponderhit`.
    pub fn holds(&self) -> bool {
        !self.stopped && (self.pondering || self.infinite)
    }

    /// Receives a line at the time `now`; returns the lines to print now.
    pub fn add_info(&mut self, info: Info, now: Instant) -> Vec<Info> {
        let translated = match &self.stochastic {
            Some(stochastic) => stochastic.translate(info),
            None => Some(info),
        };
        let Some(info) = translated else { return Vec::new() };
        if info.multipv == 1
            && let Some(&mv) = info.pv.first()
        {
            self.best_so_far = Some(mv);
        }
        let time = info.time;
        let lines = self.gate.pass(info);
        self.due_at = self.gate.due().map(|due| now + due.saturating_sub(time));
        self.remember_printed(&lines);
        lines
    }

    /// Returns the lines held back if the interval has ended by `now`.
    pub fn release(&mut self, now: Instant) -> Vec<Info> {
        if self.due_at.take_if(|due| now >= *due).is_none() {
            return Vec::new();
        }
        let lines = self.gate.release();
        self.remember_printed(&lines);
        lines
    }

    /// Ends the search's output; returns the lines to print now.
    pub fn finish(&mut self) -> Vec<Info> {
        self.due_at = None;
        let lines = self.gate.finish();
        self.remember_printed(&lines);
        lines
    }

    fn remember_printed(&mut self, lines: &[Info]) {
        if let Some(line) = lines.iter().rfind(|line| line.multipv == 1) {
            self.printed = line.pv.first().copied();
        }
    }

    /// Whether this is the first move of the last main line, printed or about to be.
    pub fn ends_with(&self, best: &BestMove) -> bool {
        let last = self.gate.last_move().or(self.printed);
        matches!(best, BestMove::Move(mv) if Some(*mv) == last)
    }

    /// Converts a search's result into one of the root.
    pub fn own_result(&mut self, result: SearchResult) -> SearchResult {
        match &mut self.stochastic {
            Some(stochastic) => {
                stochastic.over = true;
                self.fallback()
            }
            None => result,
        }
    }

    /// The answer if the search cannot give one.
    pub fn fallback(&self) -> SearchResult {
        let first = || self.root.legal_moves().first().copied();
        let best = self.best_so_far.or_else(first).map_or(BestMove::Resign, BestMove::Move);
        SearchResult::new(best, Score::Cp(0))
    }

    /// The answer to print: resigns at hopeless scores and drops an illegal ponder move.
    pub fn final_answer(&self, mut result: SearchResult) -> SearchResult {
        if self.is_hopeless(result.score) && !self.infinite {
            result.best = BestMove::Resign;
        }
        if self.declares {
            result.best = BestMove::Win;
        }
        result.ponder = result.ponder.filter(|&reply| match result.best {
            BestMove::Move(mv) if self.root.is_legal(mv) => {
                let mut next = self.root.clone();
                next.do_move(mv);
                next.is_legal(reply)
            }
            _ => false,
        });
        result
    }

    fn is_hopeless(&self, score: Score) -> bool {
        self.resign_value < NEVER_RESIGN
            && match score {
                Score::Cp(value) => value <= -self.resign_value,
                Score::Mate(plies) => plies <= 0,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_search::answer_without_search;
    use std::time::Duration;

    fn running(resign_value: i32, infinite: bool) -> Running {
        let mut limits = Limits::new();
        limits.infinite = infinite;
        let gate = InfoGate::new(Duration::ZERO, true);
        Running::new(1, Position::startpos(), &limits, gate, resign_value)
    }

    fn result(best: &str, ponder: &str, score: Score) -> SearchResult {
        let best = BestMove::Move(best.parse().unwrap());
        let mut result = SearchResult::new(best, score);
        result.ponder = ponder.parse().ok();
        result
    }

    #[test]
    fn resigns_only_when_asked_to() {
        let best = |resign_value, infinite, score| {
            let answer = running(resign_value, infinite).final_answer(result("7g7f", "", score));
            answer.best == BestMove::Resign
        };
        assert!(best(1000, false, Score::Cp(-1000)));
        assert!(best(1000, false, Score::Mate(-8)));
        assert!(!best(1000, false, Score::Cp(-999)));
        assert!(!best(1000, false, Score::Mate(8)));
        assert!(!best(1000, true, Score::Cp(-3000)));
        assert!(!best(99_999, false, Score::Mate(-2)));
    }

    #[test]
    fn the_ponder_move_is_legal_after_the_best_move() {
        let ponder = |reply: &str| {
            running(99_999, false).final_answer(result("7g7f", reply, Score::Cp(0))).ponder
        };
        assert!(ponder("3c3d").is_some());
        assert!(ponder("2g2f").is_none());
        assert!(ponder("P*5e").is_none());
    }

    #[test]
    fn answers_at_once() {
        use monomi_movegen::EnteringKingRule::{Csa27, None as NoRule, Try};
        let at_once = |sfen: &str, rule| {
            answer_without_search(&Position::from_sfen(sfen).unwrap(), rule, &[]).map(|r| r.best)
        };
        assert_eq!(at_once("startpos", Csa27), None);
        let mated = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
        assert_eq!(at_once(mated, NoRule), Some(BestMove::Resign));
        let entered = "KSSSSGGGG/PP7/9/9/9/9/9/9/k8 b 2RB3P 1";
        assert_eq!(at_once(entered, Csa27), Some(BestMove::Win));
        assert_eq!(at_once(entered, NoRule), None);
        let tries = "9/3K5/9/9/9/9/9/9/4k4 b - 1";
        assert!(matches!(at_once(tries, Try), Some(BestMove::Move(_))));
        let position = Position::from_sfen(entered).unwrap();
        let only = [position.legal_moves()[0]];
        assert!(answer_without_search(&position, Csa27, &only).is_none());
    }
}
