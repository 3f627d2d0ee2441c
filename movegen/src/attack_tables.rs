//! Constant tables of attacks and lines, computed at compile time. `attacks.rs` says how they are used.

use crate::bitboard::Bitboard;
use crate::square::SQUARES;
use shogi_core::{Color, PieceKind};

type Table = [Bitboard; SQUARES];

const EMPTY: Table = [Bitboard::EMPTY; SQUARES];

const fn coordinates(index: usize) -> (i32, i32) {
    (index as i32 / 9, index as i32 % 9)
}

const fn on_board(file: i32, rank: i32) -> bool {
    0 <= file && file < 9 && 0 <= rank && rank < 9
}

/// The squares at most `reach` steps away in each of the given directions (file, rank), as Black sees
/// them, on the empty board.
const fn walks<const N: usize>(directions: [(i32, i32); N], reach: usize, color: Color) -> Table {
    let sign = if matches!(color, Color::Black) { 1 } else { -1 };
    let mut table = EMPTY;
    let mut from = 0;
    while from < SQUARES {
        let (f, r) = coordinates(from);
        let mut i = 0;
        while i < N {
            let (df, dr) = (sign * directions[i].0, sign * directions[i].1);
            let (mut tf, mut tr) = (f + df, r + dr);
            let mut taken = 0;
            while taken < reach && on_board(tf, tr) {
                table[from] = table[from].union(Bitboard::from_index((tf * 9 + tr) as usize));
                tf += df;
                tr += dr;
                taken += 1;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

/// The squares one step away in each of the given directions, as Black sees them.
const fn steps<const N: usize>(directions: [(i32, i32); N], color: Color) -> Table {
    walks(directions, 1, color)
}

/// All squares in the given directions to the edge of the empty board.
const fn rays<const N: usize>(directions: [(i32, i32); N]) -> Table {
    walks(directions, 8, Color::Black)
}

const PAWN: [(i32, i32); 1] = [(0, -1)];
const KNIGHT: [(i32, i32); 2] = [(-1, -2), (1, -2)];
const SILVER: [(i32, i32); 5] = [(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)];
const GOLD: [(i32, i32); 6] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
const KING: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// Step attacks as `[color][kind][square]`. Empty for lance, bishop and rook; the king's steps for
/// horse and dragon.
pub static STEPS: [[Table; 16]; 2] = {
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

pub const RANK: usize = 0;
pub const FILE: usize = 1;
pub const DIAGONAL: usize = 2;
pub const ANTIDIAGONAL: usize = 3;

/// The four lines through each square, without the square itself.
const LINE_MASKS: [Table; 4] = [
    rays([(1, 0), (-1, 0)]),
    rays([(0, 1), (0, -1)]),
    rays([(1, 1), (-1, -1)]),
    rays([(1, -1), (-1, 1)]),
];
pub static LINES: [Table; 4] = LINE_MASKS;

const fn unions(a: &Table, b: &Table) -> Table {
    let mut table = EMPTY;
    let mut i = 0;
    while i < SQUARES {
        table[i] = a[i].union(b[i]);
        i += 1;
    }
    table
}

pub static ROOK_RAYS: Table = unions(&LINE_MASKS[RANK], &LINE_MASKS[FILE]);
pub static BISHOP_RAYS: Table = unions(&LINE_MASKS[DIAGONAL], &LINE_MASKS[ANTIDIAGONAL]);
pub static LANCE_RAYS: [Table; 2] = [rays([(0, -1)]), rays([(0, 1)])];

/// Attacks along a file as `[rank of the slider][occupancy of the seven inner squares]`.
pub static FILE_ATTACKS: [[u16; 128]; 9] = {
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
pub static FILE_GEOMETRY: [(u8, u8); SQUARES] = {
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
pub static SHARED_LINE: [[u8; SQUARES]; SQUARES] = {
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
pub const NO_LINE: u8 = 4;

pub static BETWEEN: [Table; SQUARES] = {
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

pub static ROOKS_AROUND: Table = around(&unions(&LINE_MASKS[RANK], &LINE_MASKS[FILE]));
pub static BISHOPS_AROUND: Table =
    around(&unions(&LINE_MASKS[DIAGONAL], &LINE_MASKS[ANTIDIAGONAL]));
/// By the lance's colour.
pub static LANCES_AROUND: [Table; 2] = [around(&rays([(0, 1)])), around(&rays([(0, -1)]))];
pub static NEAR: Table = within(2, 2);
pub static SURROUNDINGS: Table = within(2, 3);
