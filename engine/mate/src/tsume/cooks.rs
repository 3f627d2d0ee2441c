//! Other mates and equally long defences along the main line.

use crate::MateLimits;
use crate::tsume::defect::{CookKind, Defect, Severity};
use crate::tsume::search::Stopped;
use crate::tsume::solver::{Solution, TsumeSolver, is_attacker_to_move};
use crate::tsume::table::{Length, NEVER, Plies};
use monomi_movegen::attacks::between;
use monomi_movegen::{MoveList, PackedMove, Position};
use monomi_support::host::Instant;
use shogi_core::PieceKind;
use std::collections::HashMap;

/// A look for defects along a main line.
pub struct Cooks<'a> {
    pub solver: &'a mut TsumeSolver,
    pub root: &'a Position,
    pub solution: &'a Solution,
    /// The node limit for one move.
    pub most: u64,
    pub deadline: Option<Instant>,
    /// The search ends after the first defect that is as serious as this.
    pub enough: Option<Severity>,
    pub stop: &'a dyn Fn() -> bool,
}

/// What a check leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Mate in this many plies, the check included, if known.
    Mate(Option<Plies>),
    NoMate,
    Unknown,
}

impl Cooks<'_> {
    /// Goes through the main line.
    pub fn find(&mut self) -> Vec<Defect> {
        let mut defects = Vec::new();
        let mut position = self.root.clone();
        let length = self.solution.line.len();
        for (index, &mv) in self.solution.line.iter().enumerate() {
            let (ply, rest) = (index as u16 + 1, (length - index) as Plies);
            if is_attacker_to_move(self.root) == (index % 2 == 0) {
                self.other_checks(&position, mv, ply, rest, &mut defects);
            } else {
                self.equal_defences(&position, mv, ply, rest, &mut defects);
            }
            if self.has_enough(&defects) {
                break;
            }
            position.do_move(mv);
        }
        defects
    }

    fn has_enough(&self, defects: &[Defect]) -> bool {
        let serious = |enough| defects.iter().any(|defect| defect.severity() >= enough);
        self.enough.is_some_and(serious)
    }

    fn other_checks(
        &mut self,
        position: &Position,
        main: PackedMove,
        ply: u16,
        rest: Plies,
        defects: &mut Vec<Defect>,
    ) {
        let mut checks = MoveList::new();
        position.generate_all_checks(&mut checks);
        for &mv in checks.iter().filter(|&&mv| mv != main) {
            let mut after = position.clone();
            after.do_move(mv);
            let fate = if rest == 1 { self.last_fate(&after) } else { self.fate(&after, rest) };
            let defect = match fate {
                Fate::NoMate => continue,
                // Another mate instead of the last move is allowed, so the verdict does not depend on it.
                Fate::Unknown if rest == 1 => continue,
                Fate::Unknown => Defect::UndecidedMove { ply, mv },
                Fate::Mate(plies) => {
                    let kind = match rest {
                        1 => CookKind::LastMove,
                        _ => self.kind_of_cook(position, &after, (main, mv), plies),
                    };
                    Defect::Cook { ply, mv, plies, kind }
                }
            };
            defects.push(defect);
            if self.has_enough(defects) {
                return;
            }
        }
    }

    fn exact(&mut self, after: &Position, limit: Plies, most: u64) -> Result<Length, Stopped> {
        let (deadline, user) = (self.deadline, self.stop);
        let stop = || user() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.solver.search(after, most, &stop).defend(limit)
    }

    /// [`Cooks::fate`] of another last move. Longer mates are only notes, so a check that ends at the
    /// first serious defect does not look for them.
    fn last_fate(&mut self, after: &Position) -> Fate {
        match self.exact(after, 0, u64::MAX) {
            Ok(Length::Exact(0)) => Fate::Mate(Some(1)),
            Ok(_) if self.enough.is_none() => self.fate(after, 1),
            Ok(_) => Fate::NoMate,
            Err(Stopped) => Fate::Unknown,
        }
    }

    /// Whether a check mates; `after` is the position after it. The exact search looks a little
    /// further than the main line, then the search by proof numbers decides.
    fn fate(&mut self, after: &Position, rest: Plies) -> Fate {
        match self.exact(after, rest + 1, self.most / 10) {
            Ok(Length::Exact(length)) => return Fate::Mate(Some(length + 1)),
            Ok(Length::AtLeast(NEVER)) => return Fate::NoMate,
            _ => {}
        }
        let fate = self.any_mate(after);
        if fate != Fate::Mate(None) {
            return fate;
        }
        for limit in (rest + 3..rest + 20).step_by(2) {
            match self.exact(after, limit, self.most / 10) {
                Ok(Length::Exact(length)) => return Fate::Mate(Some(length + 1)),
                Ok(_) => {}
                Err(Stopped) => break,
            }
        }
        Fate::Mate(None)
    }

    /// Whether every reply leads to mate.
    fn any_mate(&mut self, after: &Position) -> Fate {
        let limits = MateLimits { deadline: self.deadline, nodes: Some(self.most), plies: None };
        match self.solver.mates_every_reply(after, &limits, self.stop) {
            Some(true) => Fate::Mate(None),
            Some(false) => Fate::NoMate,
            None => Fate::Unknown,
        }
    }

    /// Classifies the pair of the main move and another one that mates.
    fn kind_of_cook(
        &mut self,
        position: &Position,
        after: &Position,
        (main, other): (PackedMove, PackedMove),
        plies: Option<Plies>,
    ) -> CookKind {
        let same_piece =
            main.from_square() == other.from_square() && main.dropped() == other.dropped();
        if same_piece && !main.is_drop() && main.to() == other.to() {
            return CookKind::Promotion;
        }
        if same_piece && is_same_line(position, main, other) {
            return CookKind::DropSquare;
        }
        match plies {
            Some(plies) if self.is_detour(position, after, plies) => CookKind::Detour,
            _ => CookKind::Other,
        }
    }

    /// Whether the other mate of this length needs to return to the position.
    fn is_detour(&mut self, position: &Position, after: &Position, plies: Plies) -> bool {
        let (deadline, user) = (self.deadline, self.stop);
        let stop = || user() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.solver.clear();
        let mut search = self.solver.search(after, self.most, &stop);
        search.forbidden.push(position.key());
        let found = search.defend(plies + 1);
        drop(search);
        self.solver.clear();
        matches!(found, Ok(Length::AtLeast(_)))
    }

    fn equal_defences(
        &mut self,
        position: &Position,
        main: PackedMove,
        ply: u16,
        rest: Plies,
        defects: &mut Vec<Defect>,
    ) {
        let (deadline, user) = (self.deadline, self.stop);
        let stop = || user() || deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let mut search = self.solver.search(position, u64::MAX, &stop);
        let Ok(replies) = search.longest_replies(rest) else { return };
        let mut left = HashMap::new();
        let mut seen = vec![main];
        for mv in replies {
            // Several pieces interposed on one square are one defence.
            let same = |&other: &PackedMove| {
                mv == other || mv.is_drop() && other.is_drop() && mv.to() == other.to()
            };
            if seen.iter().any(same) {
                continue;
            }
            search.position.do_move(mv);
            let few = search.fewest_left(true, rest - 1, u64::MAX, &mut left);
            search.position.undo_move();
            if few == Ok(0) {
                seen.push(mv);
                defects.push(Defect::EqualDefence { ply, mv });
            }
        }
    }
}

/// Whether both moves drop the same slider on one line with the king.
fn is_same_line(position: &Position, main: PackedMove, other: PackedMove) -> bool {
    let slider =
        matches!(main.dropped(), Some(PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook));
    let Some(king) = position.king(position.side_to_move().flip()) else { return false };
    let beyond = |near: PackedMove, far: PackedMove| between(king, far.to()).contains(near.to());
    slider && (beyond(main, other) || beyond(other, main))
}
