//! The move picker: moves one by one, the most promising first, generated only when needed.
//!
//! NegaScout's whole gain rests on this order. Stages: the table's move; captures that do not lose
//! material; quiet moves by history; captures that do; quiet moves of bad
//! repute. In check all evasions come in one list.

use crate::search::history::{Continuation, Histories, piece_to};
use crate::search::quiet_scorer::QuietScorer;
use arrayvec::ArrayVec;
use monomi_movegen::{CheckInfo, EachMove, MAX_MOVES, PackedMove, Position, SEE_VALUE};
use shogi_core::{Piece, PieceKind};

/// What ordering looks at.
#[derive(Clone, Copy)]
pub struct Ordering<'a> {
    /// The position at the node.
    pub position: &'a Position,
    /// The thread's histories.
    pub histories: &'a Histories,
    /// The continuation tables behind the moves one, two, three, four and six plies ago.
    pub continuations: [Continuation; 5],
    /// Distance from the root.
    pub ply: usize,
    /// Hash of the pawns.
    pub pawns: u64,
    /// Useless non-promotions are moves too.
    pub all_moves: bool,
}

/// From this depth on so many quiets are tried that sorting them pays.
const SORT_DEPTH: i32 = 6;

/// Quiets below this come behind the losing captures.
const GOOD_QUIET: i32 = -14_000;

#[derive(Clone, Copy)]
struct ScoredMove {
    mv: PackedMove,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Table,
    GenerateCaptures,
    GoodCaptures,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    BadQuiets,
    Done,
    // In check.
    EvasionTable,
    GenerateEvasions,
    Evasions,
    // Quiescence and ProbCut: captures above a bound.
    NoisyTable,
    GenerateNoisy,
    Noisy,
}

/// Hands out a node's moves in order.
pub struct MovePicker {
    stage: Stage,
    tt_move: Option<PackedMove>,
    list: ArrayVec<ScoredMove, MAX_MOVES>,
    next: usize,
    /// End of the losing captures, which are moved to the list's front.
    bad_end: usize,
    captures_end: usize,
    /// Where the quiets go on once the losing captures are through.
    quiets_left: usize,
    /// Quiets with a lower score are not sorted. With none they are not sorted at all, but picked
    /// one by one: near the leaves few of them are ever asked for.
    sort_limit: Option<i32>,
    /// ProbCut: captures must gain this.
    threshold: Option<i32>,
    skip_quiets: bool,
}

impl MovePicker {
    fn start(stage: Stage, tt_move: Option<PackedMove>) -> Self {
        Self {
            stage,
            tt_move,
            list: ArrayVec::new(),
            next: 0,
            bad_end: 0,
            captures_end: 0,
            quiets_left: 0,
            sort_limit: None,
            threshold: None,
            skip_quiets: false,
        }
    }

    /// All moves, for the main search. The table's move must be legal.
    pub fn main(in_check: bool, tt_move: Option<PackedMove>, depth: i32) -> Self {
        let stage = if in_check { Stage::EvasionTable } else { Stage::Table };
        let sort_limit = (depth >= SORT_DEPTH).then_some(-3_500 * depth);
        Self { sort_limit, ..Self::start(stage, tt_move) }
    }

    /// Captures and pawn promotions; all evasions in check.
    pub fn quiescence(in_check: bool, tt_move: Option<PackedMove>) -> Self {
        Self::start(if in_check { Stage::EvasionTable } else { Stage::NoisyTable }, tt_move)
    }

    /// Captures whose exchange gains at least `threshold`.
    pub fn probcut(tt_move: Option<PackedMove>, threshold: i32) -> Self {
        Self { threshold: Some(threshold), ..Self::start(Stage::NoisyTable, tt_move) }
    }

    /// Leaves the rest of the quiet moves out.
    #[inline(always)]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move, legal always; `None` when there are no more.
    pub fn next(&mut self, ordering: &Ordering, checks: &CheckInfo) -> Option<PackedMove> {
        loop {
            match self.stage {
                Stage::Table | Stage::EvasionTable | Stage::NoisyTable => {
                    self.advance();
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateCaptures | Stage::GenerateNoisy => {
                    self.generate_captures(ordering);
                    self.advance();
                }
                Stage::GoodCaptures => {
                    while let Some(ScoredMove { mv, score }) = self.select_best() {
                        if ordering.position.see_ge(mv, -score / 18) {
                            return Some(mv);
                        }
                        self.list.swap(self.bad_end, self.next - 1);
                        self.bad_end += 1;
                    }
                    self.advance();
                }
                Stage::GenerateQuiets => {
                    if !self.skip_quiets {
                        self.generate_quiets(ordering, checks);
                    }
                    self.advance();
                }
                Stage::Quiets => {
                    if let Some(scored) = self.next_quiet() {
                        if scored.score > GOOD_QUIET {
                            return Some(scored.mv);
                        }
                        self.next -= 1;
                    }
                    // The rest comes behind the losing captures.
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
                    self.generate_evasions(ordering);
                    self.advance();
                }
                Stage::Evasions => match self.select_best() {
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Noisy => {
                    while let Some(ScoredMove { mv, .. }) = self.select_best() {
                        if self.threshold.is_none_or(|t| ordering.position.see_ge(mv, t)) {
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
            Table => GenerateCaptures,
            GenerateCaptures => GoodCaptures,
            GoodCaptures => GenerateQuiets,
            GenerateQuiets => Quiets,
            Quiets => BadCaptures,
            BadCaptures => BadQuiets,
            EvasionTable => GenerateEvasions,
            GenerateEvasions => Evasions,
            NoisyTable => GenerateNoisy,
            GenerateNoisy => Noisy,
            BadQuiets | Evasions | Noisy | Done => Done,
        };
    }

    fn next_quiet(&mut self) -> Option<ScoredMove> {
        if self.skip_quiets || self.next < self.captures_end {
            None
        } else if self.sort_limit.is_some() {
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

    /// Takes the best of the rest: cheaper than sorting where the first few moves usually cut.
    fn select_best(&mut self) -> Option<ScoredMove> {
        let rest = self.list.get_mut(self.next..)?;
        // Two passes, since the first is one that the compiler does several moves at a time.
        let best = rest.iter().map(|scored| scored.score).fold(i32::MIN, i32::max);
        let at = rest.iter().position(|scored| scored.score == best)?;
        rest.swap(0, at);
        self.take()
    }

    fn generate_captures(&mut self, ordering: &Ordering) {
        let Self { list, tt_move, .. } = self;
        let mut sink = EachMove(|mv| {
            if Some(mv) != *tt_move {
                list.push(ScoredMove { mv, score: capture_score(ordering, mv) });
            }
        });
        if ordering.all_moves {
            ordering.position.generate_all_captures(&mut sink);
        } else {
            ordering.position.generate_captures(&mut sink);
        }
        self.captures_end = self.list.len();
    }

    fn generate_quiets(&mut self, ordering: &Ordering, checks: &CheckInfo) {
        self.list.truncate(self.captures_end);
        self.next = self.captures_end;
        let Self { list, tt_move, .. } = self;
        let mut sink = QuietScorer::new(ordering, checks, |mv, score| {
            if Some(mv) != *tt_move {
                list.push(ScoredMove { mv, score });
            }
        });
        if ordering.all_moves {
            ordering.position.generate_all_quiets(&mut sink);
        } else {
            ordering.position.generate_quiets(&mut sink);
        }
        if let Some(limit) = self.sort_limit {
            sort_above(&mut self.list[self.captures_end..], limit);
        }
    }

    fn generate_evasions(&mut self, ordering: &Ordering) {
        let Self { list, tt_move, .. } = self;
        let mut sink = EachMove(|mv| {
            if Some(mv) != *tt_move {
                list.push(ScoredMove { mv, score: evasion_score(ordering, mv) });
            }
        });
        if ordering.all_moves {
            ordering.position.generate_all(&mut sink);
        } else {
            ordering.position.generate_useful(&mut sink);
        }
    }
}

/// Sorts those that reach the limit to the front, best first; the others follow as they are.
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

/// The piece and destination that index the histories.
#[inline(always)]
fn index_of(position: &Position, mv: PackedMove) -> usize {
    piece_to(Piece::new(position.arriving_kind(mv), position.side_to_move()), mv.to())
}

fn victim(position: &Position, mv: PackedMove) -> Option<PieceKind> {
    position.piece_at(mv.to()).map(|piece| piece.piece_kind())
}

fn capture_score(ordering: &Ordering, mv: PackedMove) -> i32 {
    let position = ordering.position;
    let victim = victim(position, mv);
    let gain = victim.map_or(0, |kind| SEE_VALUE[kind as usize]);
    // What a promotion adds is left to the history: counted here it made the order worse.
    7 * gain + ordering.histories.capture(index_of(position, mv), victim)
}

fn evasion_score(ordering: &Ordering, mv: PackedMove) -> i32 {
    let position = ordering.position;
    match victim(position, mv) {
        Some(kind) => (1 << 28) + SEE_VALUE[kind as usize] * 16 - position.moving_kind(mv) as i32,
        None => {
            let index = index_of(position, mv);
            ordering.histories.butterfly(position.side_to_move(), mv)
                + ordering.histories.continuation(ordering.continuations[0], index)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_records::Random;
    use std::collections::BTreeSet;

    /// All that the picker of the main search hands out.
    fn picked(
        histories: &Histories,
        position: &Position,
        tt_move: Option<PackedMove>,
        all_moves: bool,
    ) -> Vec<PackedMove> {
        let continuations = [Continuation::NONE; 5];
        let ordering = Ordering { position, histories, continuations, ply: 1, pawns: 0, all_moves };
        let mut picker = MovePicker::main(position.in_check(), tt_move, 4);
        let checks = CheckInfo::new(position);
        std::iter::from_fn(|| picker.next(&ordering, &checks)).collect()
    }

    #[test]
    fn every_move_comes_once() {
        let histories = Histories::new();
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
                    let moves = picked(&histories, &position, tt_move, all_moves);
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
