//! Static exchange evaluation compared with a minimax over all sequences of captures on the square.

use monomi_movegen::attacks::line;
use monomi_movegen::{Bitboard, PackedMove, Position, SEE_VALUE};
use shogi_core::{Color, PieceKind, Square};
use tests::data;
use tests::games::visit_random_positions;

fn value(kind: PieceKind) -> i32 {
    SEE_VALUE[kind as usize]
}

/// An exchange on one square: each side may take with any of its pieces, or stop.
struct Exchange<'a> {
    position: &'a Position,
    to: Square,
    /// Each side takes with its cheapest piece, or stops: what the swap algorithm assumes.
    cheapest_only: bool,
}

impl Exchange<'_> {
    /// What `side` gains by taking a piece of that value from the square, or not.
    fn gain(&self, side: Color, victim: i32, occupied: Bitboard) -> i32 {
        let position = self.position;
        let takers = position.attackers_to(self.to, side, occupied) & occupied;
        let kind_at = |from: Square| position.piece_at(from).unwrap().piece_kind();
        let mut takers: Vec<Square> =
            takers.into_iter().filter(|&from| self.may_leave(from, side)).collect();
        // The order of equally valued pieces is see_ge's own.
        takers.sort_by_key(|&from| {
            (value(kind_at(from)), kind_at(from) == PieceKind::Gold, kind_at(from) as u8)
        });
        if self.cheapest_only {
            takers.truncate(1);
        }
        let mut best = 0;
        for from in takers {
            let kind = kind_at(from);
            let left = occupied & !Bitboard::single(from);
            if kind == PieceKind::King {
                // The king takes if nothing can take it.
                let back = position.attackers_to(self.to, side.flip(), left) & left;
                if back.is_empty() {
                    best = best.max(victim);
                }
            } else {
                best = best.max(victim - self.gain(side.flip(), value(kind), left));
            }
        }
        best
    }

    /// Whether the piece is not pinned at the start, or goes along the pin's line.
    fn may_leave(&self, from: Square, side: Color) -> bool {
        let position = self.position;
        let Some(king) = position.king(side) else { return true };
        if from == king {
            return true;
        }
        let lifted = position.occupied() & !Bitboard::single(from);
        let before = position.attackers_to(king, side.flip(), position.occupied());
        let after = position.attackers_to(king, side.flip(), lifted);
        (after & !before).is_empty() || line(king, from).contains(self.to)
    }
}

/// The value of a legal move by that minimax.
fn exchange_value(position: &Position, mv: PackedMove, cheapest_only: bool) -> i32 {
    let us = position.side_to_move();
    let to = mv.to();
    let moving = match mv.from_square() {
        Some(from) => position.piece_at(from).unwrap().piece_kind(),
        None => mv.dropped().unwrap(),
    };
    let arrived = if mv.is_promotion() { moving.promote().unwrap() } else { moving };
    let taken = position.piece_at(to).map_or(0, |victim| value(victim.piece_kind()));
    let vacated = mv.from_square().map_or(Bitboard::EMPTY, Bitboard::single);
    let occupied = (position.occupied() | Bitboard::single(to)) & !vacated;
    let answer = Exchange { position, to, cheapest_only }.gain(us.flip(), value(arrived), occupied);
    taken + value(arrived) - value(moving) - answer
}

const STARTS: [&str; 3] = [
    "startpos",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "1+LG+P+S1+P1+S/+b+S1GG+N1P1/1+P1bK3+P/4p+P2P/2+RP4p/kp6+R/pn2+l3+p/+p+s5+l+n/+pg+p+l+n+p+p2 b - 1",
];

/// Calls `f` on each legal move of many positions and returns how many there were.
fn each_move(seed: u64, mut f: impl FnMut(&Position, PackedMove)) -> usize {
    let count = if data::full() { 50_000 } else { 2000 };
    let mut moves = 0;
    for (seed, sfen) in (seed..).zip(STARTS) {
        let start = Position::from_sfen(sfen).unwrap();
        visit_random_positions(&start, seed, 200, count, |position| {
            for mv in position.legal_moves() {
                f(position, mv);
                moves += 1;
            }
        });
    }
    moves
}

#[test]
fn thresholds_agree_with_cheapest_first_minimax() {
    let mut gains = [0; 3];
    each_move(900, |position, mv| {
        let exact = exchange_value(position, mv, true);
        gains[(exact.signum() + 1) as usize] += 1;
        for threshold in [exact, exact - 1, 0, -90, 90, -2000] {
            let holds = position.see_ge(mv, threshold);
            assert_eq!(
                holds,
                exact >= threshold,
                "{mv} is worth {exact}, not {threshold}: {}",
                position.to_sfen()
            );
        }
        assert!(!position.see_ge(mv, exact + 1), "{mv} above {exact}: {}", position.to_sfen());
    });
    assert!(gains.iter().all(|&n| n > 1000), "{gains:?}");
}

/// Taking with the cheapest piece is a heuristic: a dearer one may uncover a piece behind it, or be
/// pinned less. How often that matters is measured, and must stay rare.
#[test]
fn cheapest_first_is_nearly_always_best() {
    let mut off = 0;
    let moves = each_move(950, |position, mv| {
        off +=
            usize::from(exchange_value(position, mv, false) != exchange_value(position, mv, true));
    });
    tests::report(&format!("{off} of {moves} moves have a better order of captures"));
    assert!(off * 500 < moves, "{off} of {moves}");
}
