//! Bitboards.
//!
//! Files 1 to 7 are bits 0..63, files 8 and 9 are bits 64..82; bit 63 is always zero. No file is
//! split between the two machine words, and a borrow in 128-bit subtraction still passes from the
//! low word to the high word.

use crate::square::{Dense, SQUARES, square_of};
use shogi_core::{Color, Square};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
#[repr(transparent)]
pub struct Bitboard(u128);

const fn bit(index: usize) -> u128 {
    1 << (index + (index >= 63) as usize)
}

const SINGLE: [Bitboard; SQUARES] = {
    let mut table = [Bitboard(0); SQUARES];
    let mut i = 0;
    while i < SQUARES {
        table[i] = Bitboard(bit(i));
        i += 1;
    }
    table
};

/// One bit in each file, at rank a.
const RANK_A: u128 = {
    let mut bits = 0;
    let mut file = 0;
    while file < 9 {
        bits |= bit(file * 9);
        file += 1;
    }
    bits
};

/// One bit in each file, at rank i.
const RANK_I: u128 = RANK_A << 8;

const ALL: u128 = (1 << 82) - 1 - (1 << 63);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 81 squares.
    pub const ALL: Bitboard = Bitboard(ALL);

    /// The set of one square.
    #[inline(always)]
    pub fn single(square: Square) -> Self {
        SINGLE[square.dense()]
    }

    /// The set of the square with this dense index, for constant tables.
    pub(crate) const fn from_index(index: usize) -> Self {
        Bitboard(bit(index))
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Bitboard(self.0 | other.0)
    }

    /// The set as a number: squares 1a to 7i are bits 0 to 62, squares 8a to 9i bits 64 to 81.
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// `bits` must contain only bits of squares: other code relies on it for memory safety.
    pub(crate) const fn from_bits(bits: u128) -> Self {
        debug_assert!(bits & !ALL == 0);
        Bitboard(bits)
    }

    /// Ranks `first..=last`, from 1 (a) to 9 (i); empty if `last < first`.
    ///
    /// # Panics
    /// `first` is 0 or `last` is greater than 9.
    pub const fn ranks(first: u8, last: u8) -> Self {
        assert!(1 <= first && last <= 9, "ranks are numbered from 1 to 9");
        let mut bits = 0;
        let mut rank = first;
        while rank <= last {
            bits |= RANK_A << (rank - 1);
            rank += 1;
        }
        Bitboard(bits)
    }

    /// The `n` ranks that are farthest from `color`'s side of the board.
    ///
    /// # Panics
    /// `n` is greater than 9.
    #[inline(always)]
    pub(crate) const fn far_ranks(color: Color, n: u8) -> Self {
        match color {
            Color::Black => Self::ranks(1, n),
            Color::White => Self::ranks(10 - n, 9),
        }
    }

    /// Whether the set is empty.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set is not empty.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    #[inline(always)]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Number of squares in the set.
    #[inline(always)]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set holds `square`.
    #[inline(always)]
    pub fn contains(self, square: Square) -> bool {
        (self & Self::single(square)).any()
    }

    /// The squares of a file, from 1 to 9.
    ///
    /// # Panics
    /// There is no such file.
    pub const fn file(file: u8) -> Self {
        assert!(1 <= file && file <= 9, "files are numbered from 1 to 9");
        let mut bits = 0;
        let mut rank = 0;
        while rank < 9 {
            bits |= bit((file as usize - 1) * 9 + rank);
            rank += 1;
        }
        Bitboard(bits)
    }

    /// Whether all squares of the set are in the other one.
    #[inline(always)]
    pub const fn is_subset(self, of: Self) -> bool {
        self.0 & !of.0 == 0
    }

    /// Whether the sets share a square.
    #[inline(always)]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The squares of `self` that are not in `other`.
    #[inline(always)]
    pub const fn without(self, other: Self) -> Self {
        Bitboard(self.0 & !other.0)
    }

    /// A hash of the set. Every square affects the low bits, which tables use as an index: the two
    /// halves of a 128-bit product, combined (the mixing step of wyhash,
    /// <https://github.com/wangyi-fudan/wyhash>).
    #[inline(always)]
    pub const fn hash64(self) -> u64 {
        let low = self.0 as u64 ^ 0x9E37_79B9_7F4A_7C15;
        let high = (self.0 >> 64) as u64 ^ 0xD6E8_FEB8_6659_FD93;
        let product = low as u128 * high as u128;
        product as u64 ^ (product >> 64) as u64
    }

    /// The set as two words, each with the dense index of its lowest bit.
    #[inline(always)]
    pub const fn words(self) -> [(u64, usize); 2] {
        [(self.0 as u64, 0), ((self.0 >> 64) as u64, 63)]
    }

    /// The first square of the set.
    #[inline(always)]
    pub fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(self.lowest()) }
    }

    /// The lowest square of a non-empty set. The extra bit tells the compiler that the scan of the
    /// high word always finds one.
    #[inline(always)]
    fn lowest(self) -> Square {
        let lo = self.0 as u64;
        let index = if lo != 0 {
            lo.trailing_zeros() as usize
        } else {
            63 + (((self.0 >> 64) as u64) | 1 << 18).trailing_zeros() as usize
        };
        square_of(index)
    }

    /// Moves every square one rank forward, as `color` sees it. Squares on the far rank are
    /// dropped.
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::Black => Bitboard((self.0 & !RANK_A) >> 1),
            Color::White => Bitboard((self.0 & !RANK_I) << 1),
        }
    }

    /// All squares of the files in which the set has no square: where a pawn may be dropped without
    /// nifu. The set must have at most one square per file; otherwise the result is some other set
    /// of squares.
    #[inline(always)]
    pub(crate) const fn files_without(self) -> Self {
        // In the nine bits of each file: 2^8 minus the pawn leaves bit 8 set only if there is no
        // pawn, and bit 8 minus bit 0 fills the other bits.
        let free = RANK_I.wrapping_sub(self.0) & RANK_I;
        Bitboard(free | (free - (free >> 8)))
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Bitboard(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Bitboard(self.0 ^ ALL)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 = xor_128(self.0, other.0);
    }
}

/// Exclusive or in one SSE register. Otherwise the compiler stores two 64-bit halves, and a 16-byte
/// load right after them cannot be forwarded from the store buffer.
#[inline(always)]
fn xor_128(a: u128, b: u128) -> u128 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE2 is part of every x86-64.
    let xor = bytemuck::cast(unsafe {
        std::arch::x86_64::_mm_xor_si128(bytemuck::cast(a), bytemuck::cast(b))
    });
    #[cfg(not(target_arch = "x86_64"))]
    let xor = a ^ b;
    xor
}

/// Iterator over the squares of a set, in order of their index.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0.wrapping_sub(1);
        Some(square)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count() as usize;
        (left, Some(left))
    }

    /// `for_each` uses this: word by word is faster than [`Squares::next`] for many squares.
    #[inline(always)]
    fn fold<B, F: FnMut(B, Square) -> B>(self, init: B, mut f: F) -> B {
        let mut result = init;
        for (mut word, start) in self.0.words() {
            while word != 0 {
                result = f(result, square_of(start + word.trailing_zeros() as usize));
                word &= word - 1;
            }
        }
        result
    }
}

impl ExactSizeIterator for Squares {}

impl std::iter::FusedIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, sq| set | Self::single(sq))
    }
}

impl std::fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.into_iter().map(|s| (s.file(), s.rank()))).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_ranks_divide_the_board() {
        for (file, rank) in (1..=9).flat_map(|file| (1..=9).map(move |rank| (file, rank))) {
            let both = Bitboard::file(file) & Bitboard::ranks(rank, rank);
            assert_eq!(both.into_iter().collect::<Vec<_>>(), [Square::new(file, rank).unwrap()]);
            assert!(both.is_subset(Bitboard::file(file)) && !Bitboard::file(file).is_subset(both));
        }
        let mut squares = Bitboard::file(8).into_iter();
        for left in (0..=9).rev() {
            assert_eq!(squares.len(), left);
            squares.next();
        }
    }

    /// Adding or removing any square changes the low 13 bits of the hash, the fewest that a table
    /// uses as an index, about as often as in a random hash, where one change in 8,192 has no effect.
    #[test]
    fn every_square_affects_the_low_bits_of_the_hash() {
        let low = |set: Bitboard| set.hash64() % 8_192;
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 11
        };
        // About a quarter of all squares, like the pieces of a position.
        let sets: Vec<Bitboard> = (0..1_000)
            .map(|_| {
                Square::all()
                    .filter(|_| random() % 4 == 0)
                    .fold(Bitboard::EMPTY, |set, square| set | Bitboard::single(square))
            })
            .collect();
        for square in Square::all() {
            let flipped = |set: Bitboard| {
                let single = Bitboard::single(square);
                if set.contains(square) { set.without(single) } else { set | single }
            };
            let same = sets.iter().filter(|&&set| low(set) == low(flipped(set))).count();
            assert!(same <= 3, "{square:?}: {same} of {} sets", sets.len());
        }
    }

    #[test]
    fn squares_are_iterated_in_order() {
        assert_eq!(Bitboard::ALL.count(), 81);
        assert!(Bitboard::ALL.into_iter().eq(Square::all()));
        for square in Square::all() {
            let set = Bitboard::single(square);
            assert_eq!(set.into_iter().collect::<Vec<_>>(), [square]);
            assert!(!set.more_than_one() && !(!set).contains(square));
            assert_eq!((!set).count(), 80);
            let mut folded = Vec::new();
            (!set).into_iter().for_each(|square| folded.push(square));
            assert!((!set).into_iter().eq(folded));
        }
    }

    #[test]
    fn files_without_agrees_with_its_definition() {
        // Every combination of "no pawn" and "pawn on rank r" in two adjacent files, including the
        // seventh and eighth, which are in different words.
        let files = if cfg!(miri) { 7..8 } else { 1..9u8 };
        for file in files {
            for a in (0..10u8).step_by(if cfg!(miri) { 4 } else { 1 }) {
                for b in 0..10u8 {
                    let pawns: Bitboard = [Square::new(file, a), Square::new(file + 1, b)]
                        .into_iter()
                        .flatten()
                        .collect();
                    let expected: Bitboard = Square::all()
                        .filter(|s| pawns.into_iter().all(|p| p.file() != s.file()))
                        .collect();
                    assert_eq!(pawns.files_without(), expected);
                }
            }
        }
    }

    #[test]
    fn ranks_and_forward() {
        for color in Color::all() {
            for n in 1..=9 {
                let expected: Bitboard =
                    Square::all().filter(|s| s.relative_rank(color) <= n).collect();
                assert_eq!(Bitboard::far_ranks(color, n), expected);
            }
            assert!(Bitboard::far_ranks(color, 0).is_empty());
            for square in Bitboard::ALL {
                // `None` on the far rank.
                let ahead = Square::new_relative(
                    square.relative_file(color),
                    square.relative_rank(color) - 1,
                    color,
                );
                assert_eq!(Bitboard::single(square).forward(color).first(), ahead);
            }
            let all: Vec<Square> = Bitboard::ALL.forward(color).into_iter().collect();
            assert_eq!(all.len(), 72);
        }
    }

    #[test]
    fn ranks_outside_the_board_are_rejected() {
        for (first, last) in [(9, 10), (0, 3), (10, 10)] {
            let result = std::panic::catch_unwind(|| Bitboard::ranks(first, last));
            assert!(result.is_err(), "{first}..={last}");
        }
        assert!(std::panic::catch_unwind(|| Bitboard::far_ranks(Color::White, 11)).is_err());
    }
}
