//! Mate in one.
//!
//! A mating move must give check, must leave the king no flight square (a neighbour that is neither
//! attacked nor occupied by its own side) and, next to the king, must be protected. The attacks of
//! the side to move around the king are computed once. Most positions are rejected because no piece is
//! near the king or aimed at its neighbours, and in the others a mask or two rejects nearly all moves;
//! only the rest are examined closely. No move is made on the board.

use crate::attacks::{
    attacks, bishop_rays, is_slider, king_attacks, lance_rays, line, near, rook_rays,
    slider_attacks, slider_rays, sliders_around, step_attacks, surroundings,
};
use crate::bitboard::Bitboard;
use crate::moves::EachMove;
use crate::packed_move::PackedMove;
use crate::position::Position;
use crate::square::{in_promotion_zone, promoted, relative_rank};
use shogi_core::{Color, PieceKind, Square};

impl Position {
    /// A move that mates, if there is one; never a mate by a pawn drop (uchifuzume).
    ///
    /// Exact with one exception: interposing by a pawn drop counts as a defence even if that drop
    /// would be uchifuzume itself.
    pub fn mate_in_one(&self) -> Option<PackedMove> {
        let king = self.king(self.side_to_move().flip())?;
        if self.in_check() {
            return self.mating_evasion(king);
        }
        let attack = KingAttack::new(self, king)?;
        attack.drop().or_else(|| attack.board_move())
    }

    /// In check only few moves are legal and hardly any of them gives check: try them one by one.
    #[cold]
    fn mating_evasion(&self, king: Square) -> Option<PackedMove> {
        let mut mate = None;
        self.generate_checks(&mut EachMove(|mv: PackedMove| {
            if mate.is_none() && self.is_mate_after(mv, self.arriving_kind(mv), king) {
                mate = Some(mv);
            }
        }));
        mate
    }
}

/// Attacks around the enemy king, for a side to move that is not in check.
struct KingAttack<'a> {
    position: &'a Position,
    us: Color,
    king: Square,
    own: Bitboard,
    occupied: Bitboard,
    neighbours: Bitboard,
    /// Neighbours of the king (and other squares) that `us` attacks at least once and at least twice.
    once: Bitboard,
    twice: Bitboard,
    /// The squares to which the king can move now.
    flights: Bitboard,
    /// Pieces of `us` whose departure may extend a slider's line or discover a check. For their
    /// moves the masks above are not exact.
    screens: Bitboard,
    /// Pieces of `screens` that give a discovered check.
    discoverers: Bitboard,
    /// Whether the defender's hand has a piece that can interpose on any square.
    interposes: bool,
}

impl<'a> KingAttack<'a> {
    /// `None` if there is surely no mate.
    #[inline(always)]
    fn new(position: &'a Position, king: Square) -> Option<Self> {
        use PieceKind::*;
        let us = position.side_to_move();
        let them = us.flip();
        let own = position.pieces(us);
        let occupied = position.occupied();
        let neighbours = king_attacks(king);
        let mut once = Bitboard::EMPTY;
        let mut twice = Bitboard::EMPTY;
        let mut screens = Bitboard::EMPTY;
        let mut add = |attacked: Bitboard| {
            twice |= once & attacked;
            once |= attacked;
        };
        let close = own & surroundings(king);
        let [rooks, bishops, lances] = sliders_around(us, king);
        let (horses, dragons) = (position.kind(ProBishop), position.kind(ProRook));
        // Sliders that would attack a neighbour on an empty board.
        let aimed = own
            & ((position.kind(Rook) | dragons) & rooks
                | (position.kind(Bishop) | horses) & bishops
                | position.kind(Lance) & lances
                | (horses | dragons) & near(king));
        if (close | aimed).is_empty()
            && !can_be_covered(neighbours.without(position.pieces(them)), position, king)
        {
            return None;
        }
        add((close & position.kind(Pawn)).forward(us));
        for from in close & (position.generals() | position.kind(Knight) | position.kind(King)) {
            let Some(piece) = position.piece_at(from) else { continue };
            add(step_attacks(piece.piece_kind(), us, from));
        }
        for from in aimed {
            let Some(piece) = position.piece_at(from) else { continue };
            let kind = piece.piece_kind();
            let reach = slider_attacks(kind, us, from, occupied);
            add(reach | step_attacks(kind, us, from));
            screens |= reach & own;
        }
        let discoverers =
            if aimed.any() { position.blockers(king, us) & own } else { Bitboard::EMPTY };
        let holds = |kind| position.hand_count(them, kind) > 0;
        Some(Self {
            position,
            us,
            king,
            own,
            occupied,
            neighbours,
            once,
            twice,
            flights: neighbours.without(once | position.pieces(them)),
            screens: screens | discoverers,
            discoverers,
            interposes: holds(Silver) || holds(Gold) || holds(Bishop) || holds(Rook),
        })
    }

    /// Whether a piece on `to` would attack all flight squares if nothing stood in between.
    #[inline(always)]
    fn could_cover(&self, kind: PieceKind, to: Square) -> bool {
        let steps = step_attacks(kind, self.us, to);
        let reach = if is_slider(kind) { steps | slider_rays(kind, self.us, to) } else { steps };
        self.flights.without(reach).is_empty()
    }

    /// Whether a piece that checks from `to` attacks all flight squares.
    #[inline(always)]
    fn covers(&self, kind: PieceKind, to: Square) -> bool {
        if self.flights.is_empty() || !self.could_cover(kind, to) {
            return self.flights.is_empty();
        }
        let lifted = self.occupied.without(Bitboard::single(self.king));
        !is_slider(kind) || self.flights.without(attacks(kind, self.us, to, lifted)).is_empty()
    }

    fn drop(&self) -> Option<PackedMove> {
        use PieceKind::*;
        let them = self.us.flip();
        let king = self.king;
        let holds = |kind| self.position.hand_count(self.us, kind) > 0;
        // Drops next to the king, on empty protected squares.
        let open = self.neighbours.without(self.occupied) & self.once;
        if open.any() {
            let next_to = |kind: PieceKind, from: Bitboard| {
                if holds(kind) { self.first_drop(kind, open & from) } else { None }
            };
            let mate = next_to(Gold, step_attacks(Gold, them, king))
                .or_else(|| next_to(Silver, step_attacks(Silver, them, king)))
                .or_else(|| next_to(Rook, rook_rays(king)))
                .or_else(|| next_to(Bishop, bishop_rays(king)))
                .or_else(|| next_to(Lance, lance_rays(them, king)));
            if mate.is_some() {
                return mate;
            }
        }
        if self.flights.is_empty() && holds(Knight) {
            let from = step_attacks(Knight, them, king).without(self.occupied);
            let mate = self.first_drop(Knight, from);
            if mate.is_some() {
                return mate;
            }
        }
        if self.interposes {
            return None;
        }
        // Drops from a distance: all flight squares must be on the line.
        let far = |kind: PieceKind, rays: Bitboard| {
            if !holds(kind) || self.flights.without(rays).any() {
                return None;
            }
            let from = attacks(kind, them, king, self.occupied);
            self.first_drop(kind, from.without(self.neighbours | self.occupied))
        };
        far(Rook, rook_rays(king))
            .or_else(|| far(Bishop, bishop_rays(king)))
            .or_else(|| far(Lance, rook_rays(king)))
    }

    /// The first mate among drops that all give check.
    #[inline(always)]
    fn first_drop(&self, kind: PieceKind, targets: Bitboard) -> Option<PackedMove> {
        targets
            .into_iter()
            .filter(|&to| self.covers(kind, to))
            .map(|to| PackedMove::drop(kind, to))
            .find(|&mv| self.position.is_mate_after(mv, kind, self.king))
    }

    fn board_move(&self) -> Option<PackedMove> {
        // Moves next to the king, protected by another piece or by a slider behind the moving piece.
        let targets = (self.neighbours & self.once).without(self.own);
        let targets = if self.screens.any() { targets } else { targets & self.twice };
        for to in targets {
            // Without screens the moving piece must attack all flight squares itself.
            let most = king_attacks(to) | rook_rays(to) | bishop_rays(to);
            if self.screens.is_empty() && self.flights.without(most).any() {
                continue;
            }
            let mut movers = self.position.attackers_to(to, self.us, self.occupied);
            if !self.twice.contains(to) {
                movers &= self.screens;
            }
            let mate = self.first_move(movers.without(self.position.kind(PieceKind::King)), to);
            if mate.is_some() {
                return mate;
            }
        }
        self.knight_move().or_else(|| self.far_slider_move()).or_else(|| self.discovered_check())
    }

    #[inline(always)]
    fn first_move(&self, movers: Bitboard, to: Square) -> Option<PackedMove> {
        movers.into_iter().find_map(|from| self.mating_move(from, to))
    }

    /// A knight's check needs no protection, and the knight attacks no other neighbour of the king.
    #[inline(always)]
    fn knight_move(&self) -> Option<PackedMove> {
        let them = self.us.flip();
        let mut knights = self.own & self.position.kind(PieceKind::Knight);
        if self.flights.any() {
            knights &= self.screens;
        }
        if knights.is_empty() {
            return None;
        }
        step_attacks(PieceKind::Knight, them, self.king)
            .without(self.own)
            .into_iter()
            .find_map(|to| self.first_move(knights & step_attacks(PieceKind::Knight, them, to), to))
    }

    /// Checks by sliders from a distance: no piece may be able to interpose.
    #[inline(always)]
    fn far_slider_move(&self) -> Option<PackedMove> {
        use PieceKind::*;
        if self.interposes {
            return None;
        }
        for (kind, promoted) in [(Rook, ProRook), (Bishop, ProBishop), (Lance, Lance)] {
            let sliders = self.own & (self.position.kind(kind) | self.position.kind(promoted));
            if sliders.is_empty() {
                continue;
            }
            let targets = attacks(kind, self.us.flip(), self.king, self.occupied)
                .without(self.neighbours | self.own);
            for from in sliders {
                let Some(piece) = self.position.piece_at(from) else { continue };
                let reach = attacks(piece.piece_kind(), self.us, from, self.occupied);
                let mate = (reach & targets).into_iter().find_map(|to| self.mating_move(from, to));
                if mate.is_some() {
                    return mate;
                }
            }
        }
        None
    }

    /// Moves that give a discovered check.
    #[inline(always)]
    fn discovered_check(&self) -> Option<PackedMove> {
        for from in self.discoverers {
            let Some(piece) = self.position.piece_at(from) else { continue };
            let mut targets = attacks(piece.piece_kind(), self.us, from, self.occupied)
                .without(self.own | line(self.king, from));
            if piece.piece_kind() == PieceKind::King {
                targets = self.position.safe_squares(from, self.us, targets);
            }
            let mate = targets.into_iter().find_map(|to| self.mating_move(from, to));
            if mate.is_some() {
                return mate;
            }
        }
        None
    }

    /// The mating move from one square to another, with promotion or without, if there is one. For
    /// a king `to` must be safe.
    fn mating_move(&self, from: Square, to: Square) -> Option<PackedMove> {
        use PieceKind::*;
        let us = self.us;
        let kind = self.position.piece_at(from)?.piece_kind();
        if self.position.pinned().contains(from)
            && !line(self.position.king(us)?, from).contains(to)
        {
            return None;
        }
        let zone = in_promotion_zone(from, us) || in_promotion_zone(to, us);
        let promotes = zone && promoted(kind) != kind;
        // Pieces that keep all their attacks when they promote need not be tried unpromoted.
        let stays = match kind {
            Pawn | Bishop | Rook => !zone,
            Lance | Knight => relative_rank(to, us) > 2,
            _ => true,
        };
        let screen = self.screens.contains(from);
        let mates = |arrived: PieceKind, promote: bool| {
            if !screen && !self.could_cover(arrived, to) {
                return None;
            }
            let lifted = (self.occupied | Bitboard::single(to))
                .without(Bitboard::single(self.king) | Bitboard::single(from));
            let reach = attacks(arrived, us, to, lifted);
            let mv = PackedMove::normal(from, to, promote);
            // A discovered check comes from a distance, so the defender may interpose.
            let checks =
                reach.contains(self.king) || !self.interposes && self.discoverers.contains(from);
            let covers = screen || self.flights.without(reach).is_empty();
            (checks && covers && self.position.is_mate_after(mv, arrived, self.king)).then_some(mv)
        };
        let promotion = if promotes { mates(promoted(kind), true) } else { None };
        promotion.or_else(|| if stays { mates(kind, false) } else { None })
    }
}

/// Whether one piece that checks a king from a distance can attack all its flight squares: they lie on
/// the king's ranks and files or diagonals, or next to a dragon two steps away.
#[inline(always)]
fn can_be_covered(flights: Bitboard, position: &Position, king: Square) -> bool {
    if flights.without(rook_rays(king)).is_empty() || flights.without(bishop_rays(king)).is_empty()
    {
        return true;
    }
    let us = position.side_to_move();
    if !position
        .pieces(us)
        .intersects(position.kind(PieceKind::Rook) | position.kind(PieceKind::ProRook))
    {
        return false;
    }
    let two_steps = (rook_rays(king) & near(king)).without(king_attacks(king));
    two_steps.into_iter().any(|to| flights.without(king_attacks(to) | rook_rays(to)).is_empty())
}
