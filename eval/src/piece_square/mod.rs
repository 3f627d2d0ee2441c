//! Piece-square tables: a value for each piece on each square and in hand.
//!
//! Opening and endgame values are blended by game phase (tapered evaluation,
//! <https://www.chessprogramming.org/Tapered_Eval>). Pieces do not leave the game in shogi, so the
//! phase counts pieces in hand and in the enemy's camp. It is a sum over the active places as well.

mod data;

use crate::line::Step;
pub use data::{Entry, NotNumbers, Numbers, entry};
use monomi_movegen::square::{Dense, SQUARES, in_promotion_zone};
use monomi_movegen::{Place, PlaceKind, Position, SET_COUNT};
use shogi_core::{Color, PieceKind, Square};

/// Phase from which the endgame values count alone.
pub const PHASE_END: i32 = 24;

/// The sums over the active places, from Black's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    opening: i32,
    endgame: i32,
    phase: i32,
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, term: Term) {
        self.opening += i32::from(term.opening);
        self.endgame += i32::from(term.endgame);
        self.phase += i32::from(term.phase);
    }

    #[inline(always)]
    fn sub(&mut self, term: Term) {
        self.opening -= i32::from(term.opening);
        self.endgame -= i32::from(term.endgame);
        self.phase -= i32::from(term.phase);
    }

    /// The blended value from a side's view, in internal units.
    #[inline]
    pub(crate) fn value(self, view: Color) -> i32 {
        let phase = self.phase.clamp(0, PHASE_END);
        let black = (self.opening * (PHASE_END - phase) + self.endgame * phase) / PHASE_END;
        if view == Color::Black { black } else { -black }
    }
}

/// The contribution of one place.
#[derive(Clone, Copy, Default)]
#[repr(align(8))]
struct Term {
    opening: i16,
    endgame: i16,
    phase: i16,
}

/// The contribution of every place.
pub(crate) struct PieceSquareTable {
    terms: Box<[Term; Place::COUNT]>,
}

impl PieceSquareTable {
    /// The built-in table.
    pub(crate) fn internal() -> Self {
        Self::new(&Numbers::internal())
    }

    pub(crate) fn new(numbers: &Numbers) -> Self {
        let numbers = numbers.as_slice();
        let mut terms = Box::new([Term::default(); Place::COUNT]);
        for (place, what) in Place::all() {
            let Entry { opening, endgame, sign } = entry(what);
            terms[place.index()] = Term {
                opening: sign * numbers[opening],
                endgame: sign * numbers[endgame],
                phase: phase_of(what),
            };
        }
        Self { terms }
    }

    /// The sum over all active places.
    pub(crate) fn sum(&self, position: &Position) -> Sum {
        let mut sum = Sum::default();
        for (place, _) in position.places() {
            sum.add(self.terms[place.index()]);
        }
        sum
    }

    /// The value for the side to move, as if one of the active places were empty.
    pub(crate) fn value_without(&self, position: &Position, place: Option<Place>) -> i32 {
        let mut sum = self.sum(position);
        if let Some(place) = place {
            sum.sub(self.terms[place.index()]);
        }
        sum.value(position.side_to_move())
    }

    /// Brings the sums of a line up to its end. `sums[0]` is the root's.
    #[inline]
    pub(crate) fn bring_forward(&self, line: &mut [Step], sums: &mut Vec<Sum>) -> Sum {
        if sums.len() <= line.len() {
            sums.resize(line.len() + 1, Sum::default());
        }
        let stale = line.iter().rev().take_while(|step| !step.computed[0]).count();
        for i in line.len() - stale..line.len() {
            let step = &mut line[i];
            let mut sum = sums[i];
            let (before, after) = step.dirty.moved();
            sum.sub(self.terms[before.index()]);
            sum.add(self.terms[after.index()]);
            if let Some((on_board, in_hand)) = step.dirty.captured() {
                sum.sub(self.terms[on_board.index()]);
                sum.add(self.terms[in_hand.index()]);
            }
            step.computed[0] = true;
            sums[i + 1] = sum;
        }
        sums[line.len()]
    }
}

/// The difference in material by the usual piece values, for the side to move.
pub(crate) fn material(position: &Position) -> i32 {
    // By kind, pawn to dragon; the king counts nothing.
    const VALUES: [i32; 14] = [90, 315, 405, 495, 540, 855, 990, 0, 540, 540, 540, 540, 945, 1395];
    let worth = |(_, what)| {
        let (color, kind) = match what {
            PlaceKind::Board(piece, _) => (piece.color(), piece.piece_kind()),
            PlaceKind::Hand(color, kind, _) => (color, kind),
        };
        let value = VALUES[kind as usize - 1];
        if color == position.side_to_move() { value } else { -value }
    };
    position.places().map(worth).sum()
}

/// The contribution of a place to the game phase: pieces in hand by strength, and pieces in the
/// enemy's camp.
pub fn phase_of(place: PlaceKind) -> i16 {
    match place {
        PlaceKind::Hand(_, kind, _) => match kind {
            PieceKind::Pawn => 0,
            PieceKind::Lance | PieceKind::Knight => 1,
            _ => 2,
        },
        PlaceKind::Board(piece, square) => {
            let (kind, color) = piece.to_parts();
            2 * i16::from(kind != PieceKind::King && in_promotion_zone(square, color))
        }
    }
}

#[cfg(test)]
mod tests;
