//! Move generators. All of them generate legal moves only: pins and checks are masks on the
//! destinations, king moves are tested against the enemy's attacks, and a pawn drop is examined for
//! uchifuzume only if it gives check.

use crate::attacks::{
    attacks, between, bishop_attacks, bishop_rays, king_attacks, lance_attacks, lance_rays, line,
    rook_attacks, rook_rays, step_attacks, surroundings,
};
use crate::bitboard::Bitboard;
use crate::check_info::CheckInfo;
use crate::moves::{MoveCounter, MoveList, MoveSink, held_kinds};
use crate::position::Position;
use crate::square::dead_ranks;
use shogi_core::{Color, PieceKind, Square};

/// Which moves are generated.
trait Class {
    /// Captures and pawn promotions.
    const CAPTURES: bool;
    /// All other moves, including drops.
    const QUIETS: bool;
    /// Also pointless non-promotions: of a pawn, bishop or rook, and of a lance to the second rank.
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

impl Position {
    /// All legal moves, including pointless non-promotions.
    ///
    /// ```
    /// use monomi_movegen::Position;
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1")?;
    /// let mates = position.legal_moves().into_iter().filter(|&mv| {
    ///     let mut after = position.clone();
    ///     after.do_move(mv);
    ///     after.in_check() && !after.has_legal_move()
    /// });
    /// assert_eq!(mates.map(|mv| mv.to_string()).collect::<Vec<_>>(), ["G*5b"]);
    /// # Ok::<(), monomi_movegen::PositionError>(())
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<All, _>(&mut list);
        list
    }

    /// The number of legal moves, including pointless non-promotions.
    #[inline]
    pub fn count_legal_moves(&self) -> u64 {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor supports the instruction, as just detected.
            return unsafe { self.count_with_popcnt() };
        }
        self.count()
    }

    /// The baseline x86-64 has no `popcnt`, and counting bits is a third of the work here.
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

    /// All moves that [`Position::generate_captures`] does not generate, including drops.
    #[inline]
    pub fn generate_quiets(&self, sink: &mut impl MoveSink) {
        self.generate::<Quiets, _>(sink);
    }

    /// [`Position::generate_captures`] with pointless non-promotions.
    #[cold]
    pub fn generate_all_captures(&self, sink: &mut impl MoveSink) {
        self.generate::<AllCaptures, _>(sink);
    }

    /// [`Position::generate_quiets`] with pointless non-promotions.
    #[cold]
    pub fn generate_all_quiets(&self, sink: &mut impl MoveSink) {
        self.generate::<AllQuiets, _>(sink);
    }

    /// Captures and quiets without pointless non-promotions. In check these are the evasions.
    #[inline]
    pub fn generate_useful(&self, sink: &mut impl MoveSink) {
        self.generate::<Useful, _>(sink);
    }

    /// All legal moves, including pointless non-promotions.
    #[inline]
    pub fn generate_all(&self, sink: &mut impl MoveSink) {
        self.generate::<All, _>(sink);
    }

    /// Moves that give check, including captures and drops, without pointless non-promotions.
    #[inline]
    pub fn generate_checks(&self, sink: &mut impl MoveSink) {
        self.generate::<Checks, _>(sink);
    }

    /// All moves that give check.
    #[inline]
    pub fn generate_all_checks(&self, sink: &mut impl MoveSink) {
        self.generate::<AllChecks, _>(sink);
    }

    #[inline(always)]
    fn generate<C: Class, S: MoveSink>(&self, sink: &mut S) {
        match self.side_to_move() {
            Color::Black => Generator::<C, S, false>::new(self, sink).run(),
            Color::White => Generator::<C, S, true>::new(self, sink).run(),
        }
    }

    /// Whether the side to move has a legal move. If not, it has lost.
    pub fn has_legal_move(&self) -> bool {
        // For each pointless non-promotion the promotion is legal too, so these are enough.
        let mut counter = MoveCounter::default();
        self.generate::<Useful, _>(&mut counter);
        counter.count > 0
    }
}

struct Generator<'a, C, S, const WHITE: bool> {
    position: &'a Position,
    sink: &'a mut S,
    /// Computed only for classes of checks.
    checks: CheckInfo,
    /// Allowed destinations of pieces other than pawns and king.
    targets: Bitboard,
    /// In check, the squares on which a piece captures the checker or interposes; otherwise all.
    evasion_targets: Bitboard,
    class: std::marker::PhantomData<C>,
}

impl<'a, C: Class, S: MoveSink, const WHITE: bool> Generator<'a, C, S, WHITE> {
    const US: Color = if WHITE { Color::White } else { Color::Black };
    const THEM: Color = if WHITE { Color::Black } else { Color::White };
    const ZONE: Bitboard = Bitboard::far_ranks(Self::US, 3);

    /// The squares on which an unpromoted piece of this kind could never move again.
    #[inline(always)]
    const fn dead(kind: PieceKind) -> Bitboard {
        Bitboard::far_ranks(Self::US, dead_ranks(kind))
    }

    #[inline(always)]
    fn new(position: &'a Position, sink: &'a mut S) -> Self {
        let evasion_targets = match (position.checkers().first(), position.king(Self::US)) {
            (Some(checker), Some(king)) => between(king, checker) | Bitboard::single(checker),
            _ => Bitboard::ALL,
        };
        let class_targets = match (C::CAPTURES, C::QUIETS) {
            (true, true) => !position.pieces(Self::US),
            (true, false) => position.pieces(Self::THEM),
            _ => !position.occupied(),
        };
        let checks = if C::CHECKS { CheckInfo::new(position) } else { CheckInfo::default() };
        let targets = class_targets & evasion_targets;
        let class = std::marker::PhantomData;
        Self { position, sink, checks, targets, evasion_targets, class }
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

    /// For classes of checks: those of the targets on which the piece gives check, directly or by
    /// leaving its line.
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

    /// The targets that a piece may move to: if it is pinned, only along its line to the king.
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
        // Pinned pawns and those that may give a discovered check are handled one by one.
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

    /// Pawn promotions belong to the class of captures because they change the material.
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
        to & allowed & self.evasion_targets
    }

    #[inline(always)]
    fn pawn_choices(&self, to: Bitboard) -> (Bitboard, Bitboard) {
        let must = Self::dead(PieceKind::Pawn);
        let plain = if C::EVERYTHING { to.without(must) } else { to.without(Self::ZONE) };
        (to & Self::ZONE, plain)
    }

    #[inline(always)]
    fn pieces(&mut self) {
        use PieceKind::*;
        let own = self.position.pieces(Self::US);
        let occupied = self.position.occupied();
        for from in own & self.position.kind(Lance) {
            let reach = lance_attacks(Self::US, from, occupied);
            let must =
                if C::EVERYTHING { Self::dead(Lance) } else { Bitboard::far_ranks(Self::US, 2) };
            self.promotable(Lance, ProLance, from, reach, !must);
        }
        for from in own & self.position.kind(Knight) {
            let reach = step_attacks(Knight, Self::US, from);
            self.promotable(Knight, ProKnight, from, reach, !Self::dead(Knight));
        }
        let generals = if C::CHECKS { own & self.checks.generals_from() } else { own };
        for from in generals & self.position.kind(Silver) {
            let reach = step_attacks(Silver, Self::US, from);
            self.promotable(Silver, ProSilver, from, reach, Bitboard::ALL);
        }
        for from in own & self.position.kind(Bishop) {
            let reach = bishop_attacks(from, occupied);
            self.bishop_or_rook(Bishop, ProBishop, from, reach);
        }
        for from in own & self.position.kind(Rook) {
            let reach = rook_attacks(from, occupied);
            self.bishop_or_rook(Rook, ProRook, from, reach);
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

    /// The targets that a piece reaches. `None` if it has no capture and only captures are wanted,
    /// the usual case.
    #[inline(always)]
    fn reachable(&self, from: Square, reach: Bitboard) -> Option<Bitboard> {
        let to = reach & self.targets;
        if !C::QUIETS && to.is_empty() { None } else { Some(self.unpinned(from, to)) }
    }

    /// Moves of a piece that can promote. Moves without promotion are generated on `may_stay` only.
    #[inline(always)]
    fn promotable(
        &mut self,
        kind: PieceKind,
        promoted: PieceKind,
        from: Square,
        reach: Bitboard,
        may_stay: Bitboard,
    ) {
        let Some(to) = self.reachable(from, reach) else { return };
        let promoting = if Self::ZONE.contains(from) { to } else { to & Self::ZONE };
        let promotions = self.checking(promoted, from, promoting);
        let plain = self.checking(kind, from, to & may_stay);
        self.sink.piece(from, promotions, plain);
    }

    /// Moves of a bishop or rook, which loses no move by promoting.
    #[inline(always)]
    fn bishop_or_rook(
        &mut self,
        kind: PieceKind,
        promoted: PieceKind,
        from: Square,
        reach: Bitboard,
    ) {
        let promoting = if Self::ZONE.contains(from) { Bitboard::ALL } else { Self::ZONE };
        let may_stay = if C::EVERYTHING { Bitboard::ALL } else { !promoting };
        self.promotable(kind, promoted, from, reach, may_stay);
    }

    #[inline(always)]
    fn plain(&mut self, kind: PieceKind, from: Square, reach: Bitboard) {
        let Some(to) = self.reachable(from, reach) else { return };
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
            // A king can give only discovered checks.
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
        let empty = self.evasion_targets.without(self.position.occupied());
        if empty.is_empty() {
            return;
        }
        for kind in held_kinds(hand) {
            let mut to = match kind {
                Pawn => self.pawn_drops(empty),
                _ => empty.without(Self::dead(kind)),
            };
            if C::CHECKS {
                to &= self.checks.squares(kind);
            }
            self.sink.drops(kind, to);
        }
    }

    /// Squares for pawn drops: no nifu, no dead pawn, no uchifuzume.
    #[inline(always)]
    fn pawn_drops(&self, empty: Bitboard) -> Bitboard {
        let pawns = self.position.pieces_of(Self::US, PieceKind::Pawn);
        let to = (empty & pawns.files_without()).without(Self::dead(PieceKind::Pawn));
        let Some(king) = self.position.king(Self::THEM) else { return to };
        let checking = to & step_attacks(PieceKind::Pawn, Self::THEM, king);
        match checking.first() {
            Some(square) if self.position.is_pawn_drop_mate(square) => to.without(checking),
            _ => to,
        }
    }
}

impl Position {
    /// The squares of `to`, neighbours of the king of `us` on `king`, that the enemy would not
    /// attack after the king moved there.
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

    /// Whether a pawn drop on `square`, directly in front of the enemy king, is mate (uchifuzume).
    #[cold]
    #[inline(never)]
    pub(crate) fn is_pawn_drop_mate(&self, square: Square) -> bool {
        let us = self.side_to_move();
        let them = us.flip();
        let Some(king) = self.king(them) else { return false };
        let pawn = Bitboard::single(square);
        let occupied = self.occupied() | pawn;
        // A piece other than the king captures the pawn, unless a pin forbids it.
        let pinned = self.blockers(king, us) & self.pieces(them);
        let takers = self.attackers_to(square, them, occupied).without(Bitboard::single(king));
        for taker in takers {
            if !pinned.contains(taker) || line(king, taker).contains(square) {
                return false;
            }
        }
        // The king moves away or captures the pawn.
        let lifted = occupied.without(Bitboard::single(king));
        king_attacks(king)
            .without(self.pieces(them))
            .into_iter()
            .all(|flight| self.is_attacked(flight, us, lifted))
    }
}
