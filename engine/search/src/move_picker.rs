//! The move picker: hands out moves one by one, the most promising first, and generates them only
//! when needed.
//!
//! Stages: the transposition table's move, captures that do not lose material, quiet moves by
//! history, captures that lose material, quiet moves with a bad history. In check all evasions come
//! in one list.

use crate::move_scorer::{MoveScorer, ScoredMove, ScoredMoves};
use monomi_movegen::{CheckInfo, EachMove, MoveList, PackedMove, Position};

/// From this depth on enough quiet moves are tried for sorting to pay off.
const SORT_DEPTH: i32 = 6;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    BadQuiets,
    Done,
    // In check.
    EvasionTtMove,
    GenerateEvasions,
    Evasions,
    // Quiescence and ProbCut.
    CaptureTtMove,
    GenerateCapturesOnly,
    CapturesOnly,
}

/// Hands out a node's moves in order.
pub struct MovePicker {
    stage: Stage,
    tt_move: Option<PackedMove>,
    list: ScoredMoves,
    next: usize,
    /// End of the losing captures, which are moved to the front of the list.
    bad_end: usize,
    captures_end: usize,
    /// Where the quiet moves continue after the losing captures.
    quiets_left: usize,
    /// Depth of a node where quiet moves are sorted. `None`: selected one by one instead, since near
    /// the leaves few of them are needed.
    sort_depth: Option<i32>,
    /// ProbCut: captures must gain this in exchanges.
    threshold: Option<i32>,
    skip_quiets: bool,
    /// Whether the moves that are left out were added.
    complete: bool,
}

impl MovePicker {
    fn start(stage: Stage, tt_move: Option<PackedMove>) -> Self {
        Self {
            stage,
            tt_move,
            list: ScoredMoves::new(),
            next: 0,
            bad_end: 0,
            captures_end: 0,
            quiets_left: 0,
            sort_depth: None,
            threshold: None,
            skip_quiets: false,
            complete: false,
        }
    }

    /// After the last move: adds those that are left out because they hardly ever matter, such as a
    /// bishop's move without promotion. Once they are handed out, all legal moves have been.
    #[cold]
    pub fn add_left_out(&mut self, scorer: &MoveScorer) {
        if scorer.all_moves || std::mem::replace(&mut self.complete, true) {
            return;
        }
        self.list.clear();
        self.next = 0;
        let moves = left_out(scorer.position).into_iter().filter(|&mv| Some(mv) != self.tt_move);
        self.list.extend(moves.map(|mv| ScoredMove { mv, score: 0 }));
        self.stage = Stage::Evasions;
    }

    /// All moves, for the main search. The table's move must be legal.
    pub fn main(in_check: bool, tt_move: Option<PackedMove>, depth: i32) -> Self {
        let stage = if in_check { Stage::EvasionTtMove } else { Stage::TtMove };
        let sort_depth = (depth >= SORT_DEPTH).then_some(depth);
        Self { sort_depth, ..Self::start(stage, tt_move) }
    }

    /// Captures and pawn promotions; all evasions in check.
    pub fn quiescence(in_check: bool, tt_move: Option<PackedMove>) -> Self {
        Self::start(if in_check { Stage::EvasionTtMove } else { Stage::CaptureTtMove }, tt_move)
    }

    /// Captures that gain at least `threshold` in exchanges.
    pub fn probcut(tt_move: Option<PackedMove>, threshold: i32) -> Self {
        Self { threshold: Some(threshold), ..Self::start(Stage::CaptureTtMove, tt_move) }
    }

    /// Skips the remaining quiet moves.
    #[inline(always)]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next legal move; `None` when there are no more.
    pub fn next(&mut self, scorer: &MoveScorer, checks: &CheckInfo) -> Option<PackedMove> {
        loop {
            match self.stage {
                Stage::TtMove | Stage::EvasionTtMove | Stage::CaptureTtMove => {
                    self.advance();
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures | Stage::GenerateCapturesOnly => {
                    self.generate_captures(scorer);
                    self.advance();
                }
                Stage::GoodCaptures => {
                    while let Some(ScoredMove { mv, score }) = self.select_best() {
                        if scorer.position.see_ge(mv, -score / scorer.params().order_capture_see) {
                            return Some(mv);
                        }
                        self.list.swap(self.bad_end, self.next - 1);
                        self.bad_end += 1;
                    }
                    self.advance();
                }
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.generate_quiets(scorer, checks);
                    }
                    self.advance();
                }
                Stage::Quiets => {
                    if let Some(scored) = self.next_quiet() {
                        if scored.score > -scorer.params().order_good_quiet {
                            return Some(scored.mv);
                        }
                        self.next -= 1;
                    }
                    // The rest comes after the losing captures.
                    self.quiets_left = self.next;
                    self.next = 0;
                    self.advance();
                }
                Stage::BadCaptures => {
                    if self.next < self.bad_end
                        && let Some(scored) = self.take()
                    {
                        return Some(scored.mv);
                    }
                    self.next = self.quiets_left;
                    self.advance();
                }
                Stage::BadQuiets => match self.next_quiet() {
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateEvasions => {
                    self.generate_evasions(scorer);
                    self.advance();
                }
                Stage::Evasions => match self.select_best() {
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::Done,
                },
                Stage::CapturesOnly => {
                    while let Some(ScoredMove { mv, .. }) = self.select_best() {
                        if self.threshold.is_none_or(|t| scorer.position.see_ge(mv, t)) {
                            return Some(mv);
                        }
                    }
                    self.advance();
                }
                Stage::Done => return None,
            }
        }
    }

    fn advance(&mut self) {
        use Stage::*;
        self.stage = match self.stage {
            TtMove => GenerateCaptures,
            GenerateCaptures => GoodCaptures,
            GoodCaptures => GenerateQuiets,
            GenerateQuiets => Quiets,
            Quiets => BadCaptures,
            BadCaptures => BadQuiets,
            EvasionTtMove => GenerateEvasions,
            GenerateEvasions => Evasions,
            CaptureTtMove => GenerateCapturesOnly,
            GenerateCapturesOnly => CapturesOnly,
            BadQuiets | Evasions | CapturesOnly | Done => Done,
        };
    }

    fn next_quiet(&mut self) -> Option<ScoredMove> {
        if self.skip_quiets || self.next < self.captures_end {
            None
        } else if self.sort_depth.is_some() {
            self.take()
        } else {
            self.select_best()
        }
    }

    fn take(&mut self) -> Option<ScoredMove> {
        let scored = self.list.get(self.next).copied()?;
        self.next += 1;
        Some(scored)
    }

    /// Takes the best remaining move: cheaper than sorting if the first few moves cause a cutoff.
    fn select_best(&mut self) -> Option<ScoredMove> {
        let rest = self.list.get_mut(self.next..)?;
        // Two passes, because the compiler vectorises the first.
        let best = rest.iter().map(|scored| scored.score).fold(i32::MIN, i32::max);
        let at = rest.iter().position(|scored| scored.score == best)?;
        rest.swap(0, at);
        self.take()
    }

    #[inline(never)]
    fn generate_captures(&mut self, scorer: &MoveScorer) {
        let Self { list, tt_move, .. } = self;
        let mut sink = EachMove(|mv| {
            if Some(mv) != *tt_move {
                list.push(ScoredMove { mv, score: scorer.capture(mv) });
            }
        });
        if scorer.all_moves {
            scorer.position.generate_all_captures(&mut sink);
        } else {
            scorer.position.generate_captures(&mut sink);
        }
        self.captures_end = self.list.len();
    }

    #[inline(never)]
    fn generate_quiets(&mut self, scorer: &MoveScorer, checks: &CheckInfo) {
        self.list.truncate(self.captures_end);
        self.next = self.captures_end;
        scorer.add_quiets(checks, self.tt_move, &mut self.list);
        if let Some(depth) = self.sort_depth {
            let limit = -scorer.params().order_sort * depth;
            sort_above(&mut self.list[self.captures_end..], limit);
        }
    }

    fn generate_evasions(&mut self, scorer: &MoveScorer) {
        let Self { list, tt_move, .. } = self;
        let mut sink = EachMove(|mv| {
            if Some(mv) != *tt_move {
                list.push(ScoredMove { mv, score: scorer.evasion(mv) });
            }
        });
        if scorer.all_moves {
            scorer.position.generate_all(&mut sink);
        } else {
            scorer.position.generate_useful(&mut sink);
        }
    }
}

/// The legal moves that the search leaves out.
pub fn left_out(position: &Position) -> Vec<PackedMove> {
    let mut useful = MoveList::new();
    position.generate_useful(&mut useful);
    let mut moves = position.legal_moves().to_vec();
    moves.retain(|mv| !useful.contains(mv));
    moves
}

/// Sorts the moves that reach the limit to the front, best first; the order of the others is arbitrary.
fn sort_above(moves: &mut [ScoredMove], limit: i32) {
    let mut reach = 0;
    for i in 0..moves.len() {
        if moves[i].score >= limit {
            moves.swap(i, reach);
            reach += 1;
        }
    }
    moves[..reach].sort_by_key(|scored| std::cmp::Reverse(scored.score));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{ContinuationIndex, Histories, SharedHistories};
    use crate::params::Params;
    use monomi_movegen::Random;
    use std::collections::BTreeSet;

    /// Every move that the picker of the main search hands out.
    fn picked(
        histories: (&Histories, &SharedHistories),
        position: &Position,
        tt_move: Option<PackedMove>,
        all_moves: bool,
    ) -> Vec<PackedMove> {
        let continuations = [ContinuationIndex::NONE; 5];
        let (histories, shared_histories) = histories;
        let ply = 1;
        let scorer = MoveScorer {
            position,
            histories,
            shared_histories,
            continuations,
            ply,
            all_moves,
            tuned: &Params::DEFAULT,
        };
        let mut picker = MovePicker::main(position.in_check(), tt_move, 4);
        let checks = CheckInfo::new(position);
        std::iter::from_fn(|| picker.next(&scorer, &checks)).collect()
    }

    #[test]
    fn every_move_is_picked_once() {
        let histories = Histories::new();
        let shared = SharedHistories::try_new().unwrap();
        let mut random = Random::new(7);
        let (mut useless, mut evasions) = (0, 0);
        for _ in 0..30 {
            let mut position = Position::startpos();
            for _ in 0..150 {
                let legal = position.legal_moves();
                let Some(mv) = random.choose(&legal) else { break };
                let mut useful = Vec::new();
                position.generate_useful(&mut EachMove(|mv| useful.push(mv)));
                for (all_moves, expected) in [(true, &legal[..]), (false, &useful[..])] {
                    let tt_move = Some(mv).filter(|mv| expected.contains(mv));
                    let moves = picked((&histories, &shared), &position, tt_move, all_moves);
                    assert!(tt_move.is_none_or(|mv| moves[0] == mv));
                    assert_eq!(moves.len(), expected.len(), "{}", position.to_sfen());
                    let set = |moves: &[PackedMove]| moves.iter().map(|mv| mv.bits()).collect();
                    let (moves, expected): (BTreeSet<u16>, BTreeSet<u16>) =
                        (set(&moves), set(expected));
                    assert_eq!(moves, expected, "{}", position.to_sfen());
                }
                useless += legal.len() - useful.len();
                evasions += usize::from(position.in_check());
                position.do_move(mv);
            }
        }
        assert!(useless > 1_000 && evasions > 50, "{useless} {evasions}");
    }
}
