//! Attack sets and lines, from constant tables and arithmetic.
//!
//! Sliding attacks neither scan squares nor need large magic tables. Ranks and diagonals use
//! hyperbola quintessence (<https://www.chessprogramming.org/Hyperbola_Quintessence>): a subtraction
//! fills the squares from the slider to the first blocker, and a byte swap reverses the line for the
//! other direction. This works because adjacent squares of such a line are 8 to 10 bits apart, so
//! that no two squares of a line share a byte. A file is nine adjacent bits; its attacks are looked
//! up by the seven inner ones.

use crate::bitboard::Bitboard;
use crate::square::{Dense, SQUARES};
use shogi_core::{Color, PieceKind, Square};

type Table = [Bitboard; SQUARES];

const EMPTY: Table = [Bitboard::EMPTY; SQUARES];

const fn coordinates(index: usize) -> (i32, i32) {
    (index as i32 / 9, index as i32 % 9)
}

const fn on_board(file: i32, rank: i32) -> bool {
    0 <= file && file < 9 && 0 <= rank && rank < 9
}

/// The squares one step away in each of the given directions (file, rank), as Black sees them.
const fn steps<const N: usize>(directions: [(i32, i32); N], color: Color) -> Table {
    let sign = if matches!(color, Color::Black) { 1 } else { -1 };
    let mut table = EMPTY;
    let mut from = 0;
    while from < SQUARES {
        let (f, r) = coordinates(from);
        let mut i = 0;
        while i < N {
            let (tf, tr) = (f + sign * directions[i].0, r + sign * directions[i].1);
            if on_board(tf, tr) {
                table[from] = table[from].union(Bitboard::from_index((tf * 9 + tr) as usize));
            }
            i += 1;
        }
        from += 1;
    }
    table
}

/// All squares in the given directions to the edge of the empty board.
const fn rays<const N: usize>(directions: [(i32, i32); N]) -> Table {
    let mut table = EMPTY;
    let mut from = 0;
    while from < SQUARES {
        let (f, r) = coordinates(from);
        let mut i = 0;
        while i < N {
            let (df, dr) = directions[i];
            let (mut tf, mut tr) = (f + df, r + dr);
            while on_board(tf, tr) {
                table[from] = table[from].union(Bitboard::from_index((tf * 9 + tr) as usize));
                tf += df;
                tr += dr;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

const PAWN: [(i32, i32); 1] = [(0, -1)];
const KNIGHT: [(i32, i32); 2] = [(-1, -2), (1, -2)];
const SILVER: [(i32, i32); 5] = [(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const GOLD: [(i32, i32); 6] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const KING: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Step attacks as `[color][kind][square]`. Empty for lance, bishop and rook; the king's steps for
/// horse and dragon.
static STEPS: [[Table; 16]; 2] = {
    const fn side(color: Color) -> [Table; 16] {
        let mut table = [EMPTY; 16];
        let gold = steps(GOLD, color);
        let king = steps(KING, color);
        table[PieceKind::Pawn as usize] = steps(PAWN, color);
        table[PieceKind::Knight as usize] = steps(KNIGHT, color);
        table[PieceKind::Silver as usize] = steps(SILVER, color);
        table[PieceKind::Gold as usize] = gold;
        table[PieceKind::ProPawn as usize] = gold;
        table[PieceKind::ProLance as usize] = gold;
        table[PieceKind::ProKnight as usize] = gold;
        table[PieceKind::ProSilver as usize] = gold;
        table[PieceKind::King as usize] = king;
        table[PieceKind::ProBishop as usize] = king;
        table[PieceKind::ProRook as usize] = king;
        table
    }
    [side(Color::Black), side(Color::White)]
};

const RANK: usize = 0;
const FILE: usize = 1;
const DIAGONAL: usize = 2;
const ANTIDIAGONAL: usize = 3;

/// The four lines through each square, without the square itself.
const LINE_MASKS: [Table; 4] = [
    rays([(1, 0), (-1, 0)]),
    rays([(0, 1), (0, -1)]),
    rays([(1, 1), (-1, -1)]),
    rays([(1, -1), (-1, 1)]),
];
static LINES: [Table; 4] = LINE_MASKS;

const fn unions(a: &Table, b: &Table) -> Table {
    let mut table = EMPTY;
    let mut i = 0;
    while i < SQUARES {
        table[i] = a[i].union(b[i]);
        i += 1;
    }
    table
}

static ROOK_RAYS: Table = unions(&LINE_MASKS[RANK], &LINE_MASKS[FILE]);
static BISHOP_RAYS: Table = unions(&LINE_MASKS[DIAGONAL], &LINE_MASKS[ANTIDIAGONAL]);
static LANCE_RAYS: [Table; 2] = [rays([(0, -1)]), rays([(0, 1)])];

/// Attacks along a file as `[rank of the slider][occupancy of the seven inner squares]`.
static FILE_ATTACKS: [[u16; 128]; 9] = {
    let mut table = [[0; 128]; 9];
    let mut rank = 0;
    while rank < 9 {
        let mut inner = 0;
        while inner < 128 {
            let occupied = (inner as u32) << 1;
            let mut attacks = 0;
            let mut r = rank;
            while r > 0 {
                r -= 1;
                attacks |= 1 << r;
                if occupied >> r & 1 != 0 {
                    break;
                }
            }
            r = rank;
            while r < 8 {
                r += 1;
                attacks |= 1 << r;
                if occupied >> r & 1 != 0 {
                    break;
                }
            }
            table[rank][inner] = attacks;
            inner += 1;
        }
        rank += 1;
    }
    table
};

/// For each square its rank and the bit of its file's first square within its 64-bit word.
static FILE_GEOMETRY: [(u8, u8); SQUARES] = {
    let mut table = [(0, 0); SQUARES];
    let mut i = 0;
    while i < SQUARES {
        let word_start = if i < 63 { 0 } else { 63 };
        table[i] = ((i % 9) as u8, (i - i % 9 - word_start) as u8);
        i += 1;
    }
    table
};

/// The line that contains two squares (an index into `LINES`), or `NO_LINE`.
static SHARED_LINE: [[u8; SQUARES]; SQUARES] = {
    let mut table = [[NO_LINE; SQUARES]; SQUARES];
    let mut a = 0;
    while a < SQUARES {
        let (af, ar) = coordinates(a);
        let mut b = 0;
        while b < SQUARES {
            let (bf, br) = coordinates(b);
            let (df, dr) = (bf - af, br - ar);
            if a != b {
                if dr == 0 {
                    table[a][b] = RANK as u8;
                } else if df == 0 {
                    table[a][b] = FILE as u8;
                } else if df == dr {
                    table[a][b] = DIAGONAL as u8;
                } else if df == -dr {
                    table[a][b] = ANTIDIAGONAL as u8;
                }
            }
            b += 1;
        }
        a += 1;
    }
    table
};
const NO_LINE: u8 = 4;

static BETWEEN: [Table; SQUARES] = {
    let mut table = [EMPTY; SQUARES];
    let mut a = 0;
    while a < SQUARES {
        let (f, r) = coordinates(a);
        let mut d = 0;
        while d < 8 {
            let (df, dr) = KING[d];
            let (mut tf, mut tr) = (f + df, r + dr);
            let mut passed = Bitboard::EMPTY;
            while on_board(tf, tr) {
                let index = (tf * 9 + tr) as usize;
                table[a][index] = passed;
                passed = passed.union(Bitboard::from_index(index));
                tf += df;
                tr += dr;
            }
            d += 1;
        }
        a += 1;
    }
    table
};

/// The squares at most `files` files and `ranks` ranks away.
const fn within(files: i32, ranks: i32) -> Table {
    let mut table = EMPTY;
    let mut from = 0;
    while from < SQUARES {
        let (f, r) = coordinates(from);
        let mut to = 0;
        while to < SQUARES {
            let (tf, tr) = coordinates(to);
            if (tf - f).abs() <= files && (tr - r).abs() <= ranks {
                table[from] = table[from].union(Bitboard::from_index(to));
            }
            to += 1;
        }
        from += 1;
    }
    table
}

/// For each square the union of `rays` of its neighbours.
const fn around(rays: &Table) -> Table {
    let mut table = EMPTY;
    let mut square = 0;
    while square < SQUARES {
        let (f, r) = coordinates(square);
        let mut d = 0;
        while d < 8 {
            let (nf, nr) = (f + KING[d].0, r + KING[d].1);
            if on_board(nf, nr) {
                table[square] = table[square].union(rays[(nf * 9 + nr) as usize]);
            }
            d += 1;
        }
        square += 1;
    }
    table
}

static ROOKS_AROUND: Table = around(&unions(&LINE_MASKS[RANK], &LINE_MASKS[FILE]));
static BISHOPS_AROUND: Table = around(&unions(&LINE_MASKS[DIAGONAL], &LINE_MASKS[ANTIDIAGONAL]));
/// By the lance's colour.
static LANCES_AROUND: [Table; 2] = [around(&rays([(0, 1)])), around(&rays([(0, -1)]))];

/// From where a rook, bishop or lance of a colour attacks neighbours of `square` on an empty board.
#[inline(always)]
pub(crate) fn sliders_around(color: Color, square: Square) -> [Bitboard; 3] {
    let at = square.dense();
    [ROOKS_AROUND[at], BISHOPS_AROUND[at], LANCES_AROUND[color.dense()][at]]
}

static NEAR: Table = within(2, 2);
static SURROUNDINGS: Table = within(2, 3);

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
