//! The generators. Every one of them yields legal moves only: pins and checks are masks on the
//! targets, king moves are tested square by square, and a pawn drop is looked at closely only when
//! it checks.

use crate::attacks::{
    attacks, between, bishop_attacks, bishop_rays, king_attacks, lance_attacks, lance_rays, line,
    rook_attacks, rook_rays, step_attacks, surroundings,
};
use crate::bitboard::Bitboard;
use crate::check_info::CheckInfo;
use crate::moves::{MoveCounter, MoveList, MoveSink, held_kinds};
use crate::position::Position;
use shogi_core::{Color, PieceKind, Square};

/// Which moves a generator yields.
trait Class {
    /// Captures, and pawn promotions.
    const CAPTURES: bool;
    /// All others: quiet moves and drops.
    const QUIETS: bool;
    /// Also the choices that are never better: not promoting a pawn, bishop or rook, or a lance
    /// on the second rank.
    const EVERYTHING: bool;
    /// Only moves that give check.
    const CHECKS: bool = false;
}

macro_rules! class {
    ($name:ident, captures $captures:literal, quiets $quiets:literal, everything $all:literal, checks $checks:literal) => {
        struct $name;
        impl Class for $name {
            const CAPTURES: bool = $captures;
            const QUIETS: bool = $quiets;
            const EVERYTHING: bool = $all;
            const CHECKS: bool = $checks;
        }
    };
}

class!(Captures, captures true, quiets false, everything false, checks false);
class!(Quiets, captures false, quiets true, everything false, checks false);
class!(Useful, captures true, quiets true, everything false, checks false);
class!(AllCaptures, captures true, quiets false, everything true, checks false);
class!(AllQuiets, captures false, quiets true, everything true, checks false);
class!(All, captures true, quiets true, everything true, checks false);
class!(Checks, captures true, quiets true, everything false, checks true);
class!(AllChecks, captures true, quiets true, everything true, checks true);
class!(QuietChecks, captures false, quiets true, everything false, checks true);

impl Position {
    /// Every legal move, useless non-promotions included.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<All, _>(&mut list);
        list
    }

    /// The number of legal moves, useless non-promotions included.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has the instruction, as it just said.
            return unsafe { self.count_with_popcnt() };
        }
        self.count()
    }

    /// The plain build may not use the instruction that counts bits, and counting is a third of
    /// the work here.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "popcnt")]
    fn count_with_popcnt(&self) -> u64 {
        self.count()
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        let mut counter = MoveCounter::default();
        self.generate::<All, _>(&mut counter);
        counter.count
    }

    /// Captures and pawn promotions.
    #[inline]
    pub fn generate_captures(&self, sink: &mut impl MoveSink) {
        self.generate::<Captures, _>(sink);
    }

    /// Everything that [`Position::generate_captures`] does not yield, drops included.
    #[inline]
    pub fn generate_quiets(&self, sink: &mut impl MoveSink) {
        self.generate::<Quiets, _>(sink);
    }

    /// [`Position::generate_captures`] with the useless non-promotions.
    #[cold]
    pub fn generate_all_captures(&self, sink: &mut impl MoveSink) {
        self.generate::<AllCaptures, _>(sink);
    }

    /// [`Position::generate_quiets`] with the useless non-promotions.
    #[cold]
    pub fn generate_all_quiets(&self, sink: &mut impl MoveSink) {
        self.generate::<AllQuiets, _>(sink);
    }

    /// Captures and quiets together, without the useless non-promotions; in check these are the
    /// evasions.
    #[inline]
    pub fn generate_useful(&self, sink: &mut impl MoveSink) {
        self.generate::<Useful, _>(sink);
    }

    /// Every legal move, useless non-promotions included.
    #[inline]
    pub fn generate_all(&self, sink: &mut impl MoveSink) {
        self.generate::<All, _>(sink);
    }

    /// Moves that give check, captures and drops included, without useless non-promotions.
    #[inline]
    pub fn generate_checks(&self, sink: &mut impl MoveSink) {
        self.generate::<Checks, _>(sink);
    }

    /// Every move that gives check.
    #[inline]
    pub fn generate_all_checks(&self, sink: &mut impl MoveSink) {
        self.generate::<AllChecks, _>(sink);
    }

    /// Moves of [`Position::generate_quiets`] that give check.
    #[inline]
    pub fn generate_quiet_checks(&self, sink: &mut impl MoveSink) {
        self.generate::<QuietChecks, _>(sink);
    }

    #[inline(always)]
    fn generate<C: Class, S: MoveSink>(&self, sink: &mut S) {
        match self.side_to_move() {
            Color::Black => Generator::<C, S, false>::new(self, sink).run(),
            Color::White => Generator::<C, S, true>::new(self, sink).run(),
        }
    }

    /// Whether the side to move has a legal move: it is mated (or stalemated) if not.
    pub fn has_legal_move(&self) -> bool {
        // Most positions have one among the useful moves, and each useless one has a useful twin.
        let mut counter = MoveCounter::default();
        self.generate::<Useful, _>(&mut counter);
        counter.count > 0
    }
}

struct Generator<'a, C, S, const WHITE: bool> {
    position: &'a Position,
    sink: &'a mut S,
    /// What gives check; filled only for the classes that ask.
    checks: CheckInfo,
    /// Where pieces other than pawns and king may go.
    targets: Bitboard,
    /// Where a check may be parried (everywhere when there is none).
    parry: Bitboard,
    class: std::marker::PhantomData<C>,
}

impl<'a, C: Class, S: MoveSink, const WHITE: bool> Generator<'a, C, S, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };
    const ZONE: Bitboard = Bitboard::far_ranks(Self::US, 3);

    #[inline(always)]
    fn new(position: &'a Position, sink: &'a mut S) -> Self {
        let parry = match (position.checkers().first(), position.king(Self::US)) {
            (Some(checker), Some(king)) => between(king, checker) | Bitboard::single(checker),
            _ => Bitboard::ALL,
        };
        let class_targets = match (C::CAPTURES, C::QUIETS) {
            (true, true) => !position.pieces(Self::US),
            (true, false) => position.pieces(Self::THEM),
            _ => !position.occupied(),
        };
        let checks = if C::CHECKS { CheckInfo::new(position) } else { CheckInfo::default() };
        let class = std::marker::PhantomData;
        Self { position, sink, checks, targets: class_targets & parry, parry, class }
    }

    #[inline(always)]
    fn run(&mut self) {
        if C::CHECKS && self.position.king(Self::THEM).is_none() {
            return;
        }
        if !self.position.checkers().more_than_one() {
            self.pawns();
            self.pieces();
            if C::QUIETS {
                self.drops();
            }
        }
        self.king();
    }

    /// The squares from which a piece of this kind checks, plus all squares off the line for one
    /// that uncovers a check.
    #[inline(always)]
    fn checking(&self, kind: PieceKind, from: Square, targets: Bitboard) -> Bitboard {
        if !C::CHECKS {
            return targets;
        }
        let direct = targets & self.checks.squares(kind);
        if self.checks.discoverers().contains(from) {
            direct | targets.without(self.checks.shielding_line(from))
        } else {
            direct
        }
    }

    /// Where a pinned piece may go: along its line to the king.
    #[inline(always)]
    fn unpinned(&self, from: Square, targets: Bitboard) -> Bitboard {
        if self.position.pinned().contains(from) {
            match self.position.king(Self::US) {
                Some(king) => targets & line(king, from),
                None => targets,
            }
        } else {
            targets
        }
    }

    #[inline(always)]
    fn pawns(&mut self) {
        let pawns = self.position.pieces_of(Self::US, PieceKind::Pawn);
        let shielding = if C::CHECKS { self.checks.discoverers() } else { Bitboard::EMPTY };
        // Pinned pawns and those that uncover a check go one by one.
        let special = pawns & (self.position.pinned() | shielding);
        for from in special {
            let to = self.pawn_targets(Bitboard::single(from).forward(Self::US));
            let to = self.unpinned(from, to);
            let (promotions, plain) = self.pawn_choices(to);
            let promotions = self.checking(PieceKind::ProPawn, from, promotions);
            let plain = self.checking(PieceKind::Pawn, from, plain);
            self.sink.pawns(Self::US, promotions, plain);
        }
        let to = self.pawn_targets(pawns.without(special).forward(Self::US));
        let (mut promotions, mut plain) = self.pawn_choices(to);
        if C::CHECKS {
            promotions &= self.checks.squares(PieceKind::ProPawn);
            plain &= self.checks.squares(PieceKind::Pawn);
        }
        self.sink.pawns(Self::US, promotions, plain);
    }

    /// A pawn's promotion is a matter for the captures' class, for it changes the material.
    #[inline(always)]
    fn pawn_targets(&self, to: Bitboard) -> Bitboard {
        let allowed = match (C::CAPTURES, C::QUIETS) {
            (true, true) => !self.position.pieces(Self::US),
            (true, false) => {
                self.position.pieces(Self::THEM)
                    | Self::ZONE.without(self.position.pieces(Self::US))
            }
            _ => !(self.position.occupied() | Self::ZONE),
        };
        to & allowed & self.parry
    }

    #[inline(always)]
    fn pawn_choices(&self, to: Bitboard) -> (Bitboard, Bitboard) {
        let must = Bitboard::far_ranks(Self::US, 1);
        let plain = if C::EVERYTHING { to.without(must) } else { to.without(Self::ZONE) };
        (to & Self::ZONE, plain)
    }

    #[inline(always)]
    fn pieces(&mut self) {
        use PieceKind::*;
        let own = self.position.pieces(Self::US);
        let occupied = self.position.occupied();
        let near = |n| Bitboard::far_ranks(Self::US, n);
        for from in own & self.position.kind(Lance) {
            let reach = lance_attacks(Self::US, from, occupied);
            let plain = !near(if C::EVERYTHING { 1 } else { 2 });
            self.promotable(Lance, ProLance, from, reach, plain);
        }
        for from in own & self.position.kind(Knight) {
            let reach = step_attacks(Knight, Self::US, from);
            self.promotable(Knight, ProKnight, from, reach, !near(2));
        }
        let generals = if C::CHECKS { own & self.checks.generals_from() } else { own };
        for from in generals & self.position.kind(Silver) {
            let reach = step_attacks(Silver, Self::US, from);
            self.promotable(Silver, ProSilver, from, reach, Bitboard::ALL);
        }
        for from in own & self.position.kind(Bishop) {
            let reach = bishop_attacks(from, occupied);
            self.great(Bishop, ProBishop, from, reach);
        }
        for from in own & self.position.kind(Rook) {
            let reach = rook_attacks(from, occupied);
            self.great(Rook, ProRook, from, reach);
        }
        for from in generals & self.position.gold_movers() {
            self.plain(Gold, from, step_attacks(Gold, Self::US, from));
        }
        for from in own & self.position.kind(ProBishop) {
            self.plain(ProBishop, from, attacks(ProBishop, Self::US, from, occupied));
        }
        for from in own & self.position.kind(ProRook) {
            self.plain(ProRook, from, attacks(ProRook, Self::US, from, occupied));
        }
    }

    /// A piece with a choice between promoting and not, the latter on the squares of `may_stay`.
    #[inline(always)]
    fn promotable(
        &mut self,
        kind: PieceKind,
        promoted: PieceKind,
        from: Square,
        reach: Bitboard,
        may_stay: Bitboard,
    ) {
        let to = self.unpinned(from, reach & self.targets);
        let promoting = if Self::ZONE.contains(from) { to } else { to & Self::ZONE };
        let promotions = self.checking(promoted, from, promoting);
        let plain = self.checking(kind, from, to & may_stay);
        self.sink.piece(from, promotions, plain);
    }

    /// Bishop and rook: promoted they do all that they did before, and more.
    #[inline(always)]
    fn great(&mut self, kind: PieceKind, promoted: PieceKind, from: Square, reach: Bitboard) {
        let promoting = if Self::ZONE.contains(from) { Bitboard::ALL } else { Self::ZONE };
        let may_stay = if C::EVERYTHING { Bitboard::ALL } else { !promoting };
        self.promotable(kind, promoted, from, reach, may_stay);
    }

    #[inline(always)]
    fn plain(&mut self, kind: PieceKind, from: Square, reach: Bitboard) {
        let to = self.unpinned(from, reach & self.targets);
        let to = self.checking(kind, from, to);
        self.sink.piece(from, Bitboard::EMPTY, to);
    }

    #[inline(always)]
    fn king(&mut self) {
        let Some(from) = self.position.king(Self::US) else { return };
        let allowed = match (C::CAPTURES, C::QUIETS) {
            (true, true) => !self.position.pieces(Self::US),
            (true, false) => self.position.pieces(Self::THEM),
            _ => !self.position.occupied(),
        };
        let mut to = king_attacks(from) & allowed;
        if C::CHECKS {
            // A king checks only by uncovering a slider.
            if !self.checks.discoverers().contains(from) {
                return;
            }
            to = to.without(self.checks.shielding_line(from));
        }
        let safe = self.position.safe_squares(from, Self::US, to);
        self.sink.piece(from, Bitboard::EMPTY, safe);
    }

    #[inline(always)]
    fn drops(&mut self) {
        use PieceKind::*;
        let hand = self.position.hand(Self::US);
        let empty = self.parry.without(self.position.occupied());
        if empty.is_empty() {
            return;
        }
        for kind in held_kinds(hand) {
            let mut to = match kind {
                Pawn => self.pawn_drops(empty),
                Lance => empty.without(Bitboard::far_ranks(Self::US, 1)),
                Knight => empty.without(Bitboard::far_ranks(Self::US, 2)),
                _ => empty,
            };
            if C::CHECKS {
                to &= self.checks.squares(kind);
            }
            self.sink.drops(kind, to);
        }
    }

    /// One pawn a file, none on the far rank, and no mate by dropping one.
    #[inline(always)]
    fn pawn_drops(&self, empty: Bitboard) -> Bitboard {
        let pawns = self.position.pieces_of(Self::US, PieceKind::Pawn);
        let to = (empty & pawns.files_without()).without(Bitboard::far_ranks(Self::US, 1));
        let Some(king) = self.position.king(Self::THEM) else { return to };
        let checking = to & step_attacks(PieceKind::Pawn, Self::THEM, king);
        match checking.first() {
            Some(square) if self.position.is_pawn_drop_mate(square) => to.without(checking),
            _ => to,
        }
    }
}

impl Position {
    /// Those of the squares `to`, neighbours of the king of `us` on `king`, that it could enter
    /// without being taken.
    #[inline(always)]
    pub(crate) fn safe_squares(&self, king: Square, us: Color, to: Bitboard) -> Bitboard {
        use PieceKind::*;
        let them = us.flip();
        let occupied = self.occupied().without(Bitboard::single(king));
        let mut safe = to;
        if to.is_empty() {
            return to;
        }
        let close = self.pieces(them) & surroundings(king);
        if close.any() {
            safe = safe.without((close & self.kind(Pawn)).forward(them));
            for from in close & self.kind(Knight) {
                safe = safe.without(step_attacks(Knight, them, from));
            }
            for from in close & self.kind(Silver) {
                safe = safe.without(step_attacks(Silver, them, from));
            }
            for from in close & self.gold_movers() {
                safe = safe.without(step_attacks(Gold, them, from));
            }
            for from in close & (self.kind(King) | self.kind(ProBishop) | self.kind(ProRook)) {
                safe = safe.without(king_attacks(from));
            }
        }
        let enemies = self.pieces(them);
        for from in enemies & (self.kind(Rook) | self.kind(ProRook)) {
            if rook_rays(from).intersects(safe) {
                safe = safe.without(rook_attacks(from, occupied));
            }
        }
        for from in enemies & (self.kind(Bishop) | self.kind(ProBishop)) {
            if bishop_rays(from).intersects(safe) {
                safe = safe.without(bishop_attacks(from, occupied));
            }
        }
        for from in enemies & self.kind(Lance) {
            if lance_rays(them, from).intersects(safe) {
                safe = safe.without(lance_attacks(them, from, occupied));
            }
        }
        safe
    }

    /// Whether a pawn dropped on `square`, right in front of the enemy king, would mate it.
    #[cold]
    #[inline(never)]
    pub(crate) fn is_pawn_drop_mate(&self, square: Square) -> bool {
        let us = self.side_to_move();
        let them = us.flip();
        let Some(king) = self.king(them) else { return false };
        let pawn = Bitboard::single(square);
        let occupied = self.occupied() | pawn;
        // A piece other than the king takes the pawn, unless it is pinned off that line.
        let pinned = self.blockers(king, us) & self.pieces(them);
        let takers = self.attackers_to(square, them, occupied).without(Bitboard::single(king));
        for taker in takers {
            if !pinned.contains(taker) || line(king, taker).contains(square) {
                return false;
            }
        }
        // The king steps away, or takes it.
        let lifted = occupied.without(Bitboard::single(king));
        king_attacks(king)
            .without(self.pieces(them))
            .into_iter()
            .all(|flight| self.is_attacked(flight, us, lifted))
    }
}
