//! A `go` that is not answered yet.

use crate::search::{BestMove, Bound, Info, Limits, Score, SearchResult};
use crate::usi::output::InfoGate;
use monomi_movegen::{PackedMove, Position};

/// Scores never reach this: the value of `ResignValue` that means never to resign.
const NEVER_RESIGN: i32 = 99_999;

/// A search between its `go` and its `bestmove`.
pub struct Running {
    /// What the worker's events carry.
    pub id: u64,
    /// The position searched.
    pub root: Position,
    /// Still on the opponent's time.
    pub pondering: bool,
    /// `go infinite`: only `stop` ends it.
    pub infinite: bool,
    /// Something other than `stop` ends the search by itself.
    pub bounded: bool,
    /// `stop` came.
    pub stopped: bool,
    /// The answer, held back until it may be given.
    pub result: Option<SearchResult>,
    /// Which lines are shown.
    pub gate: InfoGate,
    /// What is really searched while pondering, where it is not the root.
    pub stochastic: Option<Stochastic>,
    /// The best move of the latest iteration.
    best_so_far: Option<PackedMove>,
    /// No better score than minus this is played on.
    resign_value: i32,
}

/// Pondering on the position before the predicted move (Stochastic_Ponder): whatever the opponent
/// plays, the tables are filled.
#[derive(Debug)]
pub struct Stochastic {
    /// The bounds of the search that `ponderhit` starts.
    pub limits: Limits,
    /// The move that the opponent is expected to play.
    pub predicted: PackedMove,
    /// The search has ended by itself.
    pub over: bool,
}

impl Stochastic {
    /// The bounds of the search of the position before: those of depth and nodes alone.
    pub fn bounds(limits: Limits) -> Limits {
        Limits {
            clock: None,
            movetime: None,
            infinite: true,
            ponder: false,
            searchmoves: Vec::new(),
            ..limits
        }
    }

    /// A line of the position before, as one of the root: what stands behind the predicted move.
    fn translate(&self, mut info: Info) -> Option<Info> {
        if info.multipv_count > 1 || info.pv.len() < 2 || info.pv[0] != self.predicted {
            return None;
        }
        info.pv.remove(0);
        info.depth = info.depth.saturating_sub(1).max(1);
        info.seldepth = info.seldepth.saturating_sub(1).max(1);
        info.score = match info.score {
            Score::Cp(value) => Score::Cp(-value),
            // The one ply that is gone was the mated side's if that side is to move no more.
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
            bounded: limits.clock.is_some()
                || limits.movetime.is_some()
                || limits.nodes.is_some()
                || limits.depth.is_some(),
            stopped: false,
            result: None,
            stochastic: None,
            gate,
            best_so_far: None,
            resign_value,
        }
    }

    /// Whether an answer must wait for `stop` or `ponderhit`.
    pub fn holds(&self) -> bool {
        !self.stopped && (self.pondering || self.infinite)
    }

    /// Takes a line in and yields those to be shown.
    pub fn hear(&mut self, info: Info) -> Vec<Info> {
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
        self.gate.pass(info)
    }

    /// A search's result as one of the root.
    pub fn own_result(&mut self, result: SearchResult) -> SearchResult {
        match &mut self.stochastic {
            Some(stochastic) => {
                stochastic.over = true;
                self.fallback()
            }
            None => result,
        }
    }

    /// An answer for a search that cannot give its own any more.
    pub fn fallback(&self) -> SearchResult {
        let first = || self.root.legal_moves().first().copied();
        let best = self.best_so_far.or_else(first).map_or(BestMove::Resign, BestMove::Move);
        SearchResult { best, ponder: None, score: Score::Cp(0), depth: 0, nodes: 0 }
    }

    /// The answer as it goes out: hopeless games are resigned, and the ponder move is one that
    /// the opponent can play.
    pub fn final_answer(&self, mut result: SearchResult) -> SearchResult {
        if self.is_hopeless(result.score) && !self.infinite {
            result.best = BestMove::Resign;
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
    use crate::search::answer_without_search;
    use std::time::Duration;

    fn running(resign_value: i32, infinite: bool) -> Running {
        let limits = Limits { infinite, ..Limits::new() };
        let gate = InfoGate::new(Duration::ZERO, true);
        Running::new(1, Position::startpos(), &limits, gate, resign_value)
    }

    fn result(best: &str, ponder: &str, score: Score) -> SearchResult {
        let best = BestMove::Move(best.parse().unwrap());
        SearchResult { best, ponder: ponder.parse().ok(), score, depth: 1, nodes: 1 }
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
    fn ponder_moves_are_legal_behind_the_best_move() {
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
