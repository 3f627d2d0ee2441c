//! Attack sets and lines, from constant tables and arithmetic.
//!
//! Sliding attacks neither scan squares nor need large magic tables. Ranks and diagonals use
//! hyperbola quintessence (<https://www.chessprogramming.org/Hyperbola_Quintessence>): a subtraction
//! fills the squares from the slider to the first blocker, and a byte swap reverses the line for the
//! other direction. This works because adjacent squares of such a line are 8 to 10 bits apart, so
//! that no two squares of a line share a byte. A file is nine adjacent bits; its attacks are looked
//! up by the seven inner ones.

use crate::attack_tables::{
    ANTIDIAGONAL, BETWEEN, BISHOP_RAYS, BISHOPS_AROUND, DIAGONAL, FILE_ATTACKS, FILE_GEOMETRY,
    LANCE_RAYS, LANCES_AROUND, LINES, NEAR, NO_LINE, RANK, ROOK_RAYS, ROOKS_AROUND, SHARED_LINE,
    STEPS, SURROUNDINGS,
};
use crate::bitboard::Bitboard;
use crate::square::Dense;
use shogi_core::{Color, PieceKind, Square};

/// From where a rook, bishop or lance of a colour attacks neighbours of `square` on an empty board.
#[inline(always)]
pub(crate) fn sliders_around(color: Color, square: Square) -> [Bitboard; 3] {
    let at = square.dense();
    [ROOKS_AROUND[at], BISHOPS_AROUND[at], LANCES_AROUND[color.dense()][at]]
}

/// All squares from which a step, including a knight's, can reach a neighbour of `square`.
#[inline(always)]
pub(crate) fn surroundings(square: Square) -> Bitboard {
    SURROUNDINGS[square.dense()]
}

/// `square` and all squares at most two king steps away. A silver or gold on any other square
/// cannot move next to `square`.
#[inline(always)]
pub(crate) fn near(square: Square) -> Bitboard {
    NEAR[square.dense()]
}

/// Attacks of a piece that does not slide, or the king-like steps of a horse or dragon. Empty for
/// lance, bishop and rook.
#[inline(always)]
pub(crate) fn step_attacks(kind: PieceKind, color: Color, square: Square) -> Bitboard {
    STEPS[color.dense()][kind as usize & 15][square.dense()]
}

/// The neighbours of a square: up to eight.
#[inline(always)]
pub(crate) fn king_attacks(square: Square) -> Bitboard {
    step_attacks(PieceKind::King, Color::Black, square)
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn flood(line: usize, square: Square, occupied: Bitboard) -> Bitboard {
    let mask = LINES[line][square.dense()].bits();
    let slider = Bitboard::single(square).bits();
    let blockers = occupied.bits() & mask;
    let up = blockers.wrapping_sub(slider);
    let down = blockers.swap_bytes().wrapping_sub(slider.swap_bytes()).swap_bytes();
    Bitboard::from_bits((up ^ down) & mask)
}

/// The same with vector instructions: WebAssembly has no byte swap of words.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn flood(line: usize, square: Square, occupied: Bitboard) -> Bitboard {
    use std::arch::wasm32::*;
    let vector = |bits: u128| u64x2(bits as u64, (bits >> 64) as u64);
    // Reverses bytes 0 to 14. The last byte of the low word stays there, and bit 63 remains zero.
    let reversed = |v| i8x16_shuffle::<14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15>(v, v);
    // A signed comparison finds the borrow, since bit 63 is zero.
    let minus = |a, b| {
        let borrow = i64x2_shuffle::<2, 0>(i64x2_lt(a, b), i64x2_splat(0));
        i64x2_add(i64x2_sub(a, b), borrow)
    };
    let mask = vector(LINES[line][square.dense()].bits());
    let slider = vector(Bitboard::single(square).bits());
    let blockers = v128_and(vector(occupied.bits()), mask);
    let up = minus(blockers, slider);
    let down = reversed(minus(reversed(blockers), reversed(slider)));
    let attacks = v128_and(v128_xor(up, down), mask);
    let [low, high] = [u64x2_extract_lane::<0>(attacks), u64x2_extract_lane::<1>(attacks)];
    Bitboard::from_bits(u128::from(low) | u128::from(high) << 64)
}

#[inline(always)]
fn file_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let (rank, shift) = FILE_GEOMETRY[square.dense()];
    let high = square.dense() >= 63;
    let bits = occupied.bits();
    let word = if high { (bits >> 64) as u64 } else { bits as u64 };
    let inner = (word >> (shift + 1)) & 127;
    let attacks = u64::from(FILE_ATTACKS[rank as usize][inner as usize]) << shift;
    Bitboard::from_bits(if high { u128::from(attacks) << 64 } else { u128::from(attacks) })
}

/// Rook attacks up to and including the first occupied square in each direction.
#[inline(always)]
pub(crate) fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    flood(RANK, square, occupied) | file_attacks(square, occupied)
}

/// Bishop attacks up to and including the first occupied square in each direction.
#[inline(always)]
pub(crate) fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    flood(DIAGONAL, square, occupied) | flood(ANTIDIAGONAL, square, occupied)
}

/// Lance attacks up to and including the first occupied square.
#[inline(always)]
pub(crate) fn lance_attacks(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    file_attacks(square, occupied) & lance_rays(color, square)
}

/// Whether the kind slides along lines: lance, bishop, rook, horse and dragon.
#[inline(always)]
pub(crate) const fn is_slider(kind: PieceKind) -> bool {
    use PieceKind::*;
    const SLIDERS: u32 = 1 << Lance as u32
        | 1 << Bishop as u32
        | 1 << Rook as u32
        | 1 << ProBishop as u32
        | 1 << ProRook as u32;
    SLIDERS >> (kind as u32 & 15) & 1 != 0
}

/// Attacks of a slider along its lines, without the steps of a horse or dragon.
#[inline(always)]
pub(crate) fn slider_attacks(
    kind: PieceKind,
    color: Color,
    square: Square,
    occupied: Bitboard,
) -> Bitboard {
    use PieceKind::*;
    // Comparisons, because processors predict them better than the jump table of a `match`.
    if kind == Lance {
        lance_attacks(color, square, occupied)
    } else if kind == Rook || kind == ProRook {
        rook_attacks(square, occupied)
    } else {
        bishop_attacks(square, occupied)
    }
}

/// A slider's lines on an empty board, without the steps of a horse or dragon.
#[inline(always)]
pub(crate) fn slider_rays(kind: PieceKind, color: Color, square: Square) -> Bitboard {
    use PieceKind::*;
    if kind == Lance {
        lance_rays(color, square)
    } else if kind == Rook || kind == ProRook {
        rook_rays(square)
    } else {
        bishop_rays(square)
    }
}

/// Attacks of any piece, with sliders blocked by the occupied squares.
#[inline(always)]
pub fn attacks(kind: PieceKind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let steps = step_attacks(kind, color, square);
    if is_slider(kind) { slider_attacks(kind, color, square, occupied) | steps } else { steps }
}

/// The rook's lines on an empty board.
#[inline(always)]
pub(crate) fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.dense()]
}

/// The bishop's lines on an empty board.
#[inline(always)]
pub(crate) fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.dense()]
}

/// The lance's line on an empty board.
#[inline(always)]
pub(crate) fn lance_rays(color: Color, square: Square) -> Bitboard {
    LANCE_RAYS[color.dense()][square.dense()]
}

/// The squares strictly between two squares of one line; empty if they are not on one line.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.dense()][b.dense()]
}

/// The whole line through two squares, without `a`; empty if they are not on one line.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    match LINES.get(SHARED_LINE[a.dense()][b.dense()] as usize) {
        Some(masks) => masks[a.dense()],
        None => Bitboard::EMPTY,
    }
}

/// Whether three squares are on one line; `false` if `b` or `c` equals `a`.
#[inline(always)]
pub fn aligned(a: Square, b: Square, c: Square) -> bool {
    let shared = SHARED_LINE[a.dense()][b.dense()];
    shared != NO_LINE && shared == SHARED_LINE[a.dense()][c.dense()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reference implementation: walks the board square by square.
    fn walk(from: Square, directions: &[(i8, i8)], occupied: Bitboard) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for &(df, dr) in directions {
            let mut next = from.shift(df, dr);
            while let Some(square) = next {
                set |= Bitboard::single(square);
                next = if occupied.contains(square) { None } else { square.shift(df, dr) };
            }
        }
        set
    }

    const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const DIAGONALS: [(i8, i8); 4] = [(1, 1), (-1, -1), (1, -1), (-1, 1)];

    #[test]
    fn sliding_attacks_agree_with_a_walk_over_the_board() {
        let mut seed = 0x9E37_79B9_7F4A_7C15u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        let rounds = if cfg!(miri) { 2 } else { 2000 };
        for round in 0..rounds {
            let density = 1 + round % 6;
            let occupied: Bitboard =
                Square::all().filter(|_| random() % 7 < density as u64).collect();
            for square in Square::all() {
                assert_eq!(rook_attacks(square, occupied), walk(square, &ORTHOGONAL, occupied));
                assert_eq!(bishop_attacks(square, occupied), walk(square, &DIAGONALS, occupied));
                assert_eq!(
                    lance_attacks(Color::Black, square, occupied),
                    walk(square, &[(0, -1)], occupied)
                );
                assert_eq!(
                    lance_attacks(Color::White, square, occupied),
                    walk(square, &[(0, 1)], occupied)
                );
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "531,441 triples of squares; the tables are built at compile time")]
    fn line_between_and_aligned_agree_with_a_walk_over_the_board() {
        for a in Square::all() {
            for b in Square::all() {
                let both = Bitboard::single(a) | Bitboard::single(b);
                let shared: Vec<Bitboard> = ORTHOGONAL
                    .iter()
                    .chain(&DIAGONALS)
                    .filter(|&&(f, r)| walk(a, &[(f, r)], Bitboard::EMPTY).contains(b))
                    .map(|&(f, r)| walk(a, &[(f, r), (-f, -r)], Bitboard::EMPTY))
                    .collect();
                assert_eq!(line(a, b), shared.first().copied().unwrap_or_default());
                let gap = if shared.is_empty() {
                    Bitboard::EMPTY
                } else {
                    line(a, b)
                        & (rook_attacks(a, both) | bishop_attacks(a, both))
                        & (rook_attacks(b, both) | bishop_attacks(b, both))
                };
                assert_eq!(between(a, b), gap);
                for c in Square::all() {
                    assert_eq!(aligned(a, b, c), a != b && a != c && line(a, b).contains(c));
                }
            }
        }
    }
}
