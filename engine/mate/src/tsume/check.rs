//! Checks of problems: other mates, other defences, pieces that are not needed.

use crate::MateLimits;
use crate::dfpn::MateLineError;
use crate::tsume::cooks::Cooks;
use crate::tsume::defect::{Defect, ProblemPiece, Severity};
use crate::tsume::solver::{Solution, TsumeAnswer, TsumeResult, TsumeSolver};
use crate::tsume::solver::{attacker, is_attacker_to_move};
use crate::tsume::table::Length;
use monomi_movegen::square::{HAND_KINDS, unpromoted};
use monomi_movegen::{PackedMove, Position, SET_COUNT};
use shogi_core::{PieceKind, Square};

/// The result of a check.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckResult {
    /// The solution and statistics.
    pub solved: TsumeResult,
    /// What was found, in the order of the moves.
    pub defects: Vec<Defect>,
}

impl CheckResult {
    /// Whether the problem is sound (完全作): nothing found is [`Severity::Unsound`].
    pub fn is_sound(&self) -> bool {
        self.defects.iter().all(|defect| defect.severity() < Severity::Unsound)
    }
}

/// Nodes for the question whether one other move mates.
const MOVE_NODES: u64 = 300_000;

impl TsumeSolver {
    /// Checks a problem. `given` is its intended solution, empty if unknown. `limits` hold for each
    /// of the searches that it takes, except for the deadline.
    pub fn check(
        &mut self,
        root: &Position,
        given: &[PackedMove],
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
    ) -> CheckResult {
        let mut result = self.check_moves(root, limits, None, stop);
        if !given.is_empty() {
            let mates = !is_attacker_to_move(root) || self.mates(root, given, stop);
            result.defects.splice(0..0, of_given(mates, given.len(), &result.solved));
        }
        result.defects.splice(0..0, of_position(root));
        if result.is_sound() {
            for piece in pieces(root) {
                if stop() {
                    break;
                }
                if self.is_unneeded(root, piece, &result, limits, stop) {
                    result.defects.push(Defect::UnneededPiece(piece));
                }
            }
        }
        result
    }

    /// Whether a line of checks ends in mate, useless interpositions aside. True if that is not
    /// known because of `stop`.
    fn mates(&mut self, root: &Position, line: &[PackedMove], stop: &dyn Fn() -> bool) -> bool {
        match crate::dfpn::verify(root, line) {
            Err(MateLineError::NoMate) if line.len() % 2 == 1 => {}
            answer => return answer.is_ok(),
        }
        let mut end = root.clone();
        for &mv in line {
            end.do_move(mv);
        }
        self.clear();
        let found = self.search(&end, MOVE_NODES, stop).defend(0);
        found.is_err() || matches!(found, Ok(Length::Exact(0)))
    }

    /// The solution and what is wrong with its moves, up to the first defect that is as serious as
    /// `enough`.
    fn check_moves(
        &mut self,
        root: &Position,
        limits: &MateLimits,
        enough: Option<Severity>,
        stop: &dyn Fn() -> bool,
    ) -> CheckResult {
        let solved = self.solve(root, limits, stop);
        let mut defects = Vec::new();
        match &solved.answer {
            TsumeAnswer::NoMate => defects.push(Defect::NoMate),
            TsumeAnswer::Mate(solution) if solution.shortest => {
                if solution.leaves_pieces() {
                    defects.push(Defect::PiecesLeft);
                }
                defects.extend(self.cooks(root, solution, limits, enough, stop));
            }
            _ => defects.push(Defect::Undecided),
        }
        CheckResult { solved, defects }
    }

    /// What is wrong with the moves of a solution that [`TsumeSolver::solve`] has just found, up to the
    /// first defect that is as serious as `enough`.
    pub(crate) fn cooks(
        &mut self,
        root: &Position,
        solution: &Solution,
        limits: &MateLimits,
        enough: Option<Severity>,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Defect> {
        let most = limits.nodes.unwrap_or(MOVE_NODES);
        let deadline = limits.deadline;
        Cooks { solver: self, root, solution, most, deadline, enough, stop }.find()
    }

    /// Whether the problem is the same and as sound with a piece in the defender's hand.
    fn is_unneeded(
        &mut self,
        root: &Position,
        piece: ProblemPiece,
        with: &CheckResult,
        limits: &MateLimits,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let TsumeAnswer::Mate(main) = &with.solved.answer else { return false };
        let Some(without) = without(root, piece) else { return false };
        let same = |solution: &Solution| solution.line == main.line && solution.shortest;
        let plies = Some(main.line.len() as u16);
        let first = self.solve(&without, &MateLimits { plies, ..*limits }, stop);
        if !matches!(&first.answer, TsumeAnswer::Mate(solution) if same(solution)) {
            return false;
        }
        let result = self.check_moves(&without, limits, Some(Severity::Unsound), stop);
        let flaws = |result: &CheckResult| {
            result.defects.iter().filter(|defect| defect.severity() == Severity::Flaw).count()
        };
        result.is_sound() && !stop() && flaws(&result) <= flaws(with)
    }
}

/// What is wrong with the position itself.
fn of_position(root: &Position) -> Vec<Defect> {
    let mut defects = Vec::new();
    let (us, attacking) = (root.side_to_move(), is_attacker_to_move(root));
    if attacking && root.in_check() {
        defects.push(Defect::KingInCheck);
    }
    if root.king(us).is_some() && root.king(us.flip()).is_some() {
        defects.push(Defect::TwoKings);
    }
    let mut missing = 0;
    for kind in HAND_KINDS {
        let on_board = root.places().filter(|(_, place)| match place {
            monomi_movegen::PlaceKind::Board(piece, _) => unpromoted(piece.piece_kind()) == kind,
            monomi_movegen::PlaceKind::Hand(..) => false,
        });
        let in_hands = root.hand_count(us, kind) + root.hand_count(us.flip(), kind);
        let all = on_board.count() as u16 + u16::from(in_hands);
        missing += u16::from(SET_COUNT[kind as usize]).saturating_sub(all);
    }
    if missing > 0 {
        defects.push(Defect::MissingPieces { count: missing });
    }
    defects
}

/// What is wrong with a given solution of so many plies, which mates or not.
fn of_given(mates: bool, length: usize, solved: &TsumeResult) -> Vec<Defect> {
    let length = length as u16;
    let TsumeAnswer::Mate(solution) = &solved.answer else { return Vec::new() };
    let plies = solution.line.len() as u16;
    if !mates {
        return vec![Defect::InvalidSolution];
    }
    match plies.cmp(&length) {
        _ if !solution.shortest => Vec::new(),
        std::cmp::Ordering::Less => vec![Defect::Shorter { plies, given: length }],
        std::cmp::Ordering::Equal => Vec::new(),
        std::cmp::Ordering::Greater => vec![Defect::Longer { plies, given: length }],
    }
}

/// The pieces but the kings: those on the board and one of each kind in the attacker's hand.
pub fn pieces(root: &Position) -> Vec<ProblemPiece> {
    let attacker = attacker(root);
    let mut found = Vec::new();
    for square in Square::all() {
        if let Some(piece) = root.piece_at(square)
            && piece.piece_kind() != PieceKind::King
        {
            let (kind, color) = (piece.piece_kind(), piece.color());
            found.push(ProblemPiece { kind, color, square: Some(square) });
        }
    }
    for kind in HAND_KINDS {
        if root.hand_count(attacker, kind) > 0 {
            found.push(ProblemPiece { kind, color: attacker, square: None });
        }
    }
    found
}

/// The position with a piece in the defender's hand; `None` if that is no problem.
pub fn without(root: &Position, piece: ProblemPiece) -> Option<Position> {
    let attacker = attacker(root);
    let mut partial = root.to_partial();
    match piece.square {
        Some(square) => partial.piece_set(square, None),
        None => {
            let hand = partial.hand_of_a_player_mut(attacker);
            *hand = hand.removed(piece.kind)?;
        }
    }
    let hand = partial.hand_of_a_player_mut(attacker.flip());
    *hand = hand.added(unpromoted(piece.kind))?;
    Position::from_partial(&partial).ok()
}
