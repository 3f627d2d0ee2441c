//! The position: board, hands, side to move and data derived from them.

use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, lance_attacks, lance_rays, rook_attacks,
    rook_rays, step_attacks,
};
use crate::bitboard::Bitboard;
use crate::earlier_boards::EarlierBoards;
use crate::packed_move::PackedMove;
use crate::place::{Place, PlaceKind};
use crate::square::{Dense, HAND_KINDS, SQUARES};
use crate::zobrist::{WHITE_TO_MOVE, place_key};
use shogi_core::{Color, Hand, PartialPosition, Piece, PieceKind, Square};

/// Data that unmaking a move restores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Key of the board and the side to move.
    pub board_key: u64,
    /// Key of both hands.
    pub hand_key: u64,
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// The side to move's pieces that shield its king from an enemy slider.
    pub pinned: Bitboard,
    /// The side to move's hand, which superior and inferior repetitions compare.
    pub hand: Hand,
    /// Plies since the last null move or the start.
    pub plies_from_null: u16,
    /// By colour: twice the number of its most recent moves that all gave check.
    pub continuous_checks: [u16; 2],
    /// The piece that the last move captured.
    pub captured: Option<Piece>,
    pub last_move: Option<PackedMove>,
}

/// A shogi position with the history needed for repetition.
///
/// Moves are made and unmade in place; keys, checkers and pinned pieces are updated incrementally.
/// One king may be missing (tsume problems), but not both.
///
/// ```
/// use monomi_movegen::Position;
/// let mut position: Position = "startpos moves 7g7f 3c3d".parse()?;
/// position.play("8h2b+".parse()?)?;
/// assert!(position.is_legal("3a2b".parse()?));
/// position.undo_move();
/// assert!(!position.in_check());
/// assert!(position.play("8h3d".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Two positions are equal if board, hands and side to move are; move number and history do not count.
#[derive(Clone)]
pub struct Position {
    pub(crate) board: [Option<Piece>; SQUARES],
    pub(crate) by_color: [Bitboard; 2],
    /// By kind. Index 0 has all pieces, index 15 golds and the promoted pieces that move like them.
    pub(crate) by_kind: [Bitboard; 16],
    pub(crate) kings: [Option<Square>; 2],
    pub(crate) hands: [Hand; 2],
    pub(crate) side_to_move: Color,
    pub(crate) ply: u16,
    pub(crate) state: State,
    pub(crate) history: Vec<State>,
    /// The board keys of `history`.
    pub(crate) earlier_boards: EarlierBoards,
}

const OCCUPIED: usize = 0;
const GOLD_MOVERS: usize = 15;

/// All bits set for the kinds that move like a gold.
const GOLD_MASK: [u128; 16] = {
    let mut mask = [0; 16];
    let golds = [
        PieceKind::Gold,
        PieceKind::ProPawn,
        PieceKind::ProLance,
        PieceKind::ProKnight,
        PieceKind::ProSilver,
    ];
    let mut i = 0;
    while i < golds.len() {
        mask[golds[i] as usize] = u128::MAX;
        i += 1;
    }
    mask
};

impl Position {
    /// The initial position of an even game.
    pub fn startpos() -> Self {
        Self::assemble(&PartialPosition::startpos())
    }

    /// Sets up a position without checking it; `sfen.rs` does that.
    pub(crate) fn assemble(partial: &PartialPosition) -> Self {
        let empty = State {
            board_key: 0,
            hand_key: 0,
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            hand: Hand::new(),
            plies_from_null: 0,
            continuous_checks: [0; 2],
            captured: None,
            last_move: None,
        };
        let mut position = Position {
            board: [None; SQUARES],
            by_color: [Bitboard::EMPTY; 2],
            by_kind: [Bitboard::EMPTY; 16],
            kings: [None; 2],
            hands: [Hand::new(); 2],
            side_to_move: partial.side_to_move(),
            ply: partial.ply(),
            state: empty,
            history: Vec::with_capacity(1024),
            earlier_boards: EarlierBoards::new(),
        };
        for square in Square::all() {
            if let Some(piece) = partial.piece_at(square) {
                position.put(piece, square);
                if piece.piece_kind() == PieceKind::King {
                    position.kings[piece.color().dense()] = Some(square);
                }
            }
        }
        position.hands = [Color::Black, Color::White].map(|color| partial.hand_of_a_player(color));
        let (board_key, hand_key) = position.recomputed_keys();
        let us = position.side_to_move;
        position.state.board_key = board_key;
        position.state.hand_key = hand_key;
        position.state.hand = position.hand(us);
        let (checkers, pinned) = position.checkers_and_pinned(us);
        position.state.checkers = checkers;
        position.state.pinned = pinned;
        if checkers.any() {
            // Earlier moves are unknown; the last one gave check.
            position.state.continuous_checks[us.flip().dense()] = 2;
        }
        position
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.dense()]
    }

    /// The hand of a side.
    #[inline(always)]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color.dense()]
    }

    /// The king's square, if that side has a king.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.dense()]
    }

    /// The side to move.
    #[inline(always)]
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The number of the next move as in sfen: 1 at the start of a game. It stays at 65,535 in games that are
    /// longer.
    #[inline(always)]
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// The number of moves that can be unmade.
    pub fn moves_made(&self) -> usize {
        self.history.len()
    }

    /// The last move made; `None` if there is none or it was a null move.
    #[inline]
    pub fn last_move(&self) -> Option<PackedMove> {
        self.state.last_move
    }

    /// The piece that the last move captured.
    #[inline]
    pub fn last_captured(&self) -> Option<Piece> {
        self.state.captured
    }

    /// All occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.by_kind[OCCUPIED]
    }

    /// The squares of a side's pieces.
    #[inline(always)]
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.by_color[color.dense()]
    }

    /// The squares of both sides' pieces of one kind.
    #[inline(always)]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind as usize & 15]
    }

    /// The squares of a side's pieces of one kind.
    #[inline(always)]
    pub fn pieces_of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.pieces(color) & self.kind(kind)
    }

    /// The squares of both sides' golds and promoted pieces that move like golds.
    #[inline(always)]
    pub fn gold_movers(&self) -> Bitboard {
        self.by_kind[GOLD_MOVERS]
    }

    /// The squares of both sides' silvers, golds, and promoted pieces that move like golds.
    #[inline(always)]
    pub(crate) fn generals(&self) -> Bitboard {
        self.kind(PieceKind::Silver) | self.gold_movers()
    }

    /// Enemy pieces that give check.
    #[inline(always)]
    pub fn checkers(&self) -> Bitboard {
        self.state.checkers
    }

    /// Whether the side to move is in check.
    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.state.checkers.any()
    }

    /// The side to move's pinned pieces: leaving their line to the king would expose it.
    #[inline(always)]
    pub fn pinned(&self) -> Bitboard {
        self.state.pinned
    }

    /// The Zobrist key of board, side to move and hands.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.state.board_key ^ self.state.hand_key
    }

    /// The Zobrist key of board and side to move, without the hands.
    #[inline(always)]
    pub fn board_key(&self) -> u64 {
        self.state.board_key
    }

    /// The Zobrist key of the hands.
    #[inline(always)]
    pub fn hand_key(&self) -> u64 {
        self.state.hand_key
    }

    /// The number of pieces of a kind in a hand; 0 for kings and promoted pieces.
    #[inline(always)]
    pub fn hand_count(&self, color: Color, kind: PieceKind) -> u8 {
        self.hand(color).count(kind).unwrap_or(0)
    }

    /// All active places: one for each piece on the board and in the hands.
    pub fn places(&self) -> impl Iterator<Item = (Place, PlaceKind)> + '_ {
        let board = self.occupied().into_iter().filter_map(|sq| {
            let piece = self.piece_at(sq)?;
            Some((Place::board(piece, sq), PlaceKind::Board(piece, sq)))
        });
        let hands = [Color::Black, Color::White].into_iter().flat_map(move |color| {
            HAND_KINDS.into_iter().flat_map(move |kind| {
                (0..self.hand_count(color, kind))
                    .map(move |n| (Place::hand(color, kind, n), PlaceKind::Hand(color, kind, n)))
            })
        });
        board.chain(hands)
    }

    /// Board key and hand key computed from scratch, to check the incremental ones.
    pub(crate) fn recomputed_keys(&self) -> (u64, u64) {
        let start = if self.side_to_move == Color::White { WHITE_TO_MOVE } else { 0 };
        self.places().fold((start, 0), |(board, hand), (place, kind)| match kind {
            PlaceKind::Board(..) => (board ^ place_key(place), hand),
            PlaceKind::Hand(..) => (board, hand ^ place_key(place)),
        })
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        let (kind, color) = piece.to_parts();
        let set = Bitboard::single(square);
        self.by_color[color.dense()] ^= set;
        self.by_kind[OCCUPIED] ^= set;
        self.by_kind[kind as usize & 15] ^= set;
        self.by_kind[GOLD_MOVERS] ^=
            Bitboard::from_bits(set.bits() & GOLD_MASK[kind as usize & 15]);
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.piece_at(square).is_none());
        self.toggle(piece, square);
        self.board[square.dense()] = Some(piece);
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, piece: Piece, square: Square) {
        debug_assert_eq!(self.piece_at(square), Some(piece));
        self.toggle(piece, square);
        self.board[square.dense()] = None;
    }

    /// Moves a piece to an empty square, where it becomes `after`.
    #[inline(always)]
    pub(crate) fn relocate(&mut self, before: Piece, from: Square, after: Piece, to: Square) {
        debug_assert!(self.piece_at(from) == Some(before) && self.piece_at(to).is_none());
        let (left, entered) = (Bitboard::single(from), Bitboard::single(to));
        let both = left ^ entered;
        let (kind, color) = before.to_parts();
        let arrived = after.piece_kind();
        self.by_color[color.dense()] ^= both;
        self.by_kind[OCCUPIED] ^= both;
        let golds = |set: Bitboard, kind: PieceKind| {
            Bitboard::from_bits(set.bits() & GOLD_MASK[kind as usize & 15])
        };
        if kind == arrived {
            self.by_kind[kind as usize & 15] ^= both;
            self.by_kind[GOLD_MOVERS] ^= golds(both, kind);
        } else {
            self.by_kind[kind as usize & 15] ^= left;
            self.by_kind[arrived as usize & 15] ^= entered;
            self.by_kind[GOLD_MOVERS] ^= golds(left, kind) | golds(entered, arrived);
        }
        self.board[from.dense()] = None;
        self.board[to.dense()] = Some(after);
    }

    /// Sliders of `color` that would attack `square` if nothing were in between.
    #[inline(always)]
    pub(crate) fn snipers(&self, square: Square, color: Color) -> Bitboard {
        let rooks = self.kind(PieceKind::Rook) | self.kind(PieceKind::ProRook);
        let bishops = self.kind(PieceKind::Bishop) | self.kind(PieceKind::ProBishop);
        let lances = self.kind(PieceKind::Lance);
        (rook_rays(square) & rooks
            | bishop_rays(square) & bishops
            | lance_rays(color.flip(), square) & lances)
            & self.pieces(color)
    }

    /// Pieces of `color` that attack `square` by a step, not by sliding.
    #[inline(always)]
    pub(crate) fn step_attackers(&self, square: Square, color: Color) -> Bitboard {
        let them = color.flip();
        let from = |kind| step_attacks(kind, them, square);
        let kings = self.kind(PieceKind::King)
            | self.kind(PieceKind::ProBishop)
            | self.kind(PieceKind::ProRook);
        (from(PieceKind::Pawn) & self.kind(PieceKind::Pawn)
            | from(PieceKind::Knight) & self.kind(PieceKind::Knight)
            | from(PieceKind::Silver) & self.kind(PieceKind::Silver)
            | from(PieceKind::Gold) & self.gold_movers()
            | from(PieceKind::King) & kings)
            & self.pieces(color)
    }

    /// All pieces of `color` that attack `square`, with sliders blocked by `occupied`.
    #[inline]
    pub fn attackers_to(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let rooks = self.kind(PieceKind::Rook) | self.kind(PieceKind::ProRook);
        let bishops = self.kind(PieceKind::Bishop) | self.kind(PieceKind::ProBishop);
        self.step_attackers(square, color)
            | (rook_attacks(square, occupied) & rooks
                | bishop_attacks(square, occupied) & bishops
                | lance_attacks(color.flip(), square, occupied) & self.kind(PieceKind::Lance))
                & self.pieces(color)
    }

    /// All pieces of both sides that attack `square`, with sliders blocked by `occupied`.
    #[inline]
    pub fn all_attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let bishops = self.kind(PieceKind::Bishop) | self.kind(PieceKind::ProBishop);
        let kings = self.kind(PieceKind::King)
            | self.kind(PieceKind::ProBishop)
            | self.kind(PieceKind::ProRook);
        let [black, white] = self.by_color;
        let from = |kind| {
            step_attacks(kind, Color::White, square) & black
                | step_attacks(kind, Color::Black, square) & white
        };
        from(PieceKind::Pawn) & self.kind(PieceKind::Pawn)
            | from(PieceKind::Knight) & self.kind(PieceKind::Knight)
            | from(PieceKind::Silver) & self.kind(PieceKind::Silver)
            | from(PieceKind::Gold) & self.gold_movers()
            | king_attacks(square) & kings
            | rook_attacks(square, occupied) & self.rook_like(square)
            | bishop_attacks(square, occupied) & bishops
    }

    /// Rooks, dragons, and the lances of both sides that face `square` on its file.
    #[inline(always)]
    pub(crate) fn rook_like(&self, square: Square) -> Bitboard {
        let [black, white] = self.by_color;
        let facing =
            lance_rays(Color::White, square) & black | lance_rays(Color::Black, square) & white;
        self.kind(PieceKind::Rook)
            | self.kind(PieceKind::ProRook)
            | facing & self.kind(PieceKind::Lance)
    }

    /// Whether any piece of `color` attacks `square`, with sliders blocked by `occupied`.
    #[inline]
    pub fn is_attacked(&self, square: Square, color: Color, occupied: Bitboard) -> bool {
        self.step_attackers(square, color).any()
            || self
                .snipers(square, color)
                .into_iter()
                .any(|sniper| !between(square, sniper).intersects(occupied))
    }

    /// The enemy pieces that check the king of `us`, and the pieces of `us` that shield it.
    #[inline(always)]
    pub(crate) fn checkers_and_pinned(&self, us: Color) -> (Bitboard, Bitboard) {
        match self.king(us) {
            Some(king) => {
                let (sliders, pinned) = self.sliders_and_pinned(king, us);
                (sliders | self.step_attackers(king, us.flip()), pinned)
            }
            None => (Bitboard::EMPTY, Bitboard::EMPTY),
        }
    }

    /// The enemy sliders that check the king of `us`, and the pieces of `us` that shield it.
    #[inline(always)]
    pub(crate) fn sliders_and_pinned(&self, king: Square, us: Color) -> (Bitboard, Bitboard) {
        let mut sliders = Bitboard::EMPTY;
        let mut pinned = Bitboard::EMPTY;
        for sniper in self.snipers(king, us.flip()) {
            let gap = between(king, sniper) & self.occupied();
            if gap.is_empty() {
                sliders |= Bitboard::single(sniper);
            } else if !gap.more_than_one() {
                pinned |= gap & self.pieces(us);
            }
        }
        (sliders, pinned)
    }

    /// Pieces of both sides that are the only piece between `king` and a slider of `color`.
    #[inline]
    pub(crate) fn blockers(&self, king: Square, color: Color) -> Bitboard {
        let mut blockers = Bitboard::EMPTY;
        for sniper in self.snipers(king, color) {
            let gap = between(king, sniper) & self.occupied();
            if !gap.more_than_one() {
                blockers |= gap;
            }
        }
        blockers
    }
}
