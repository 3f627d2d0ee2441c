//! The leaf of a position's quiescence search: the quiet position that its value comes from. A
//! separate small search that uses only the evaluation and no tables, so that the same position
//! always gives the same leaf.

use monomi_eval::{EvalStack, Evaluation};
use monomi_games::MAX_LEAF;
use monomi_movegen::{MoveList, PackedMove, Position, SEE_VALUE};
use std::sync::Arc;

/// Depth in plies at which positions are evaluated without further search.
const MAX_PLY: usize = 12;
const _: () = assert!(MAX_PLY <= MAX_LEAF);
/// The value of being mated at the root; each ply later adds 1.
const MATED: i32 = -32_000;
/// Values beyond this, positive or negative, are mates.
const DECISIVE: i32 = 31_000;

/// Finds leaves.
pub struct LeafFinder {
    evals: EvalStack,
}

impl LeafFinder {
    /// Creates a finder with an evaluation.
    pub fn new(evaluation: Arc<Evaluation>) -> Self {
        Self { evals: EvalStack::new(&evaluation, &Position::startpos()) }
    }

    /// The captures and promotions that lead to the leaf. Empty if the position is its own leaf or
    /// the line ends in mate.
    pub fn line(&mut self, position: &Position) -> Vec<PackedMove> {
        let mut position = position.clone();
        self.evals.reset(&position);
        let mut line = Vec::new();
        let value = self.search(&mut position, MATED, -MATED, 0, &mut line);
        if value.abs() > DECISIVE {
            line.clear();
        }
        line
    }

    /// NegaScout. Returns a position's value and, if it is between `alpha` and `beta`, writes the
    /// principal variation to `line`.
    fn search(
        &mut self,
        position: &mut Position,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        line: &mut Vec<PackedMove>,
    ) -> i32 {
        line.clear();
        let stand_pat =
            (!position.in_check() || ply >= MAX_PLY).then(|| self.evals.evaluate(position));
        if ply >= MAX_PLY {
            return stand_pat.unwrap_or(MATED);
        }
        let mut best = stand_pat.unwrap_or(MATED + ply as i32);
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        let mut below = Vec::new();
        for (number, mv) in candidates(position).into_iter().enumerate() {
            self.evals.push(position.do_move(mv));
            // Without a check, the evaluation takes the place of the first move.
            let first = number == 0 && stand_pat.is_none();
            let upper = if first { beta } else { alpha + 1 };
            let mut value = -self.search(position, -upper, -alpha, ply + 1, &mut below);
            if !first && alpha < value && value < beta {
                value = -self.search(position, -beta, -alpha, ply + 1, &mut below);
            }
            position.undo_move();
            self.evals.pop();
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    line.clear();
                    line.push(mv);
                    line.append(&mut below);
                }
                if value >= beta {
                    break;
                }
            }
        }
        best
    }
}

/// All evasions if in check, otherwise captures and pawn promotions that do not lose material. The
/// most valuable victims come first.
fn candidates(position: &Position) -> Vec<PackedMove> {
    let mut moves = MoveList::new();
    let in_check = position.in_check();
    if in_check {
        moves = position.legal_moves();
    } else {
        position.generate_captures(&mut moves);
    }
    let mut moves = moves.to_vec();
    moves.retain(|&mv| in_check || position.see_ge(mv, 0));
    let victim = |mv: PackedMove| {
        position.piece_at(mv.to()).map_or(0, |piece| SEE_VALUE[piece.piece_kind() as usize & 15])
    };
    // Equal victims are ordered by the bits of the moves, so that the result does not depend on the
    // order of move generation.
    moves.sort_by_key(|&mv| (-victim(mv), mv.bits()));
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Random;

    /// The value of the same tree by plain minimax without bounds; `None` if it has more than
    /// `nodes` nodes.
    fn minimax(
        evaluation: &Arc<Evaluation>,
        position: &Position,
        ply: usize,
        nodes: &mut u32,
    ) -> Option<i32> {
        *nodes = nodes.checked_sub(1)?;
        let evaluate = || EvalStack::new(evaluation, position).evaluate(position);
        if ply >= MAX_PLY {
            return Some(evaluate());
        }
        let start = if position.in_check() { MATED + ply as i32 } else { evaluate() };
        candidates(position).into_iter().try_fold(start, |best, mv| {
            let mut after = position.clone();
            after.do_move(mv);
            Some(best.max(-minimax(evaluation, &after, ply + 1, nodes)?))
        })
    }

    #[test]
    fn leaves_have_the_value_of_a_plain_minimax() {
        let evaluation = Arc::new(Evaluation::from_piece_square(
            &monomi_eval::piece_square::Numbers::internal(),
        ));
        let mut finder = LeafFinder::new(Arc::clone(&evaluation));
        let mut random = Random::new(4);
        let (mut longer, mut mates) = (0, 0);
        for _ in 0..12 {
            let mut position = Position::startpos();
            for _ in 0..60 {
                let Some(mv) = random.choose(&position.legal_moves()) else { break };
                position.do_move(mv);
                // Skip positions with very many exchanges.
                let Some(expected) = minimax(&evaluation, &position, 0, &mut 500) else { continue };
                let line = finder.line(&position);
                if expected.abs() > DECISIVE {
                    assert!(line.is_empty());
                    mates += 1;
                    continue;
                }
                let mut leaf = position.clone();
                for &mv in &line {
                    assert!(leaf.is_legal(mv));
                    leaf.do_move(mv);
                }
                let value = EvalStack::new(&evaluation, &leaf).evaluate(&leaf);
                let value = if line.len().is_multiple_of(2) { value } else { -value };
                assert_eq!(value, expected, "{}", position.to_sfen());
                longer += usize::from(!line.is_empty());
            }
        }
        assert!(longer > 50, "{longer} leaves, {mates} mates");
    }
}
