//! Removes from a problem the pieces that it does not need.

use crate::MateLimits;
use crate::tsume::check::{pieces, without};
use crate::tsume::defect::{Defect, Severity};
use crate::tsume::solver::{Solution, TsumeAnswer, TsumeSolver, attacker};
use monomi_movegen::Position;

/// A sound problem.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SoundProblem {
    /// The position, with the attacker to move.
    pub position: Position,
    /// The solution, proven to be the shortest.
    pub solution: Solution,
    /// What [`TsumeSolver::check`] finds in the moves; nothing is [`Severity::Unsound`].
    pub defects: Vec<Defect>,
}

/// Which problems are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The length in plies.
    pub plies: u16,
    /// Node limit for the question whether one other move mates; what it leaves undecided counts as
    /// unsound. The solution may take ten times as many.
    pub nodes: u64,
    /// Whether flaws ([`Severity::Flaw`]) are allowed, such as equally long defences.
    pub flaws: bool,
}

impl Wanted {
    pub(crate) fn limits(&self) -> MateLimits {
        let nodes = self.nodes.saturating_mul(10);
        MateLimits { nodes: Some(nodes), plies: Some(self.plies), deadline: None }
    }
}

impl TsumeSolver {
    /// The problem in a position if it is sound and has the length that is wanted. Pieces that are
    /// not needed are no reason to refuse it.
    pub fn sound(
        &mut self,
        root: &Position,
        wanted: &Wanted,
        stop: &dyn Fn() -> bool,
    ) -> Option<SoundProblem> {
        let solution = self.of_length(root, wanted, stop)?;
        if solution.leaves_pieces() {
            return None;
        }
        let enough = if wanted.flaws { Severity::Unsound } else { Severity::Flaw };
        let limits = MateLimits { nodes: Some(wanted.nodes), ..wanted.limits() };
        let defects = self.cooks(root, &solution, &limits, Some(enough), stop);
        let good = defects.iter().all(|defect| defect.severity() < enough);
        (good && !stop()).then(|| SoundProblem { position: root.clone(), solution, defects })
    }

    /// The solution if its proven length is the one that is wanted.
    fn of_length(
        &mut self,
        root: &Position,
        wanted: &Wanted,
        stop: &dyn Fn() -> bool,
    ) -> Option<Solution> {
        match self.solve(root, &wanted.limits(), stop).answer {
            TsumeAnswer::Mate(solution) => {
                let plies = solution.line.len() == usize::from(wanted.plies);
                (plies && solution.shortest).then_some(solution)
            }
            _ => None,
        }
    }

    /// Makes a position whose mate has the length that is wanted a sound problem of the pieces that
    /// it needs: pieces go into the defender's hand, one at a time, and the attacker's king goes off
    /// the board. First only the attacker's, until the problem is sound; then any, while it stays sound.
    /// `None` if that does not succeed.
    pub fn reduce(
        &mut self,
        root: &Position,
        wanted: &Wanted,
        stop: &dyn Fn() -> bool,
    ) -> Option<SoundProblem> {
        let mut problem = match self.sound(root, wanted, stop) {
            Some(problem) => problem,
            None => {
                self.of_length(root, wanted, stop)?;
                let fewer = self.without_attackers(root, wanted, stop);
                self.sound(&fewer, wanted, stop)?
            }
        };
        loop {
            let before = problem.position.clone();
            if let Some(position) = without_king(&problem.position) {
                problem = self.sound(&position, wanted, stop).unwrap_or(problem);
            }
            for piece in pieces(&before) {
                let Some(position) = without(&problem.position, piece) else { continue };
                problem = self.sound(&position, wanted, stop).unwrap_or(problem);
            }
            if stop() {
                return None;
            }
            if problem.position.key() == before.key() {
                return Some(problem);
            }
        }
    }

    /// Removes the attacker's pieces, those in the hand first, while the length stays the same.
    fn without_attackers(
        &mut self,
        root: &Position,
        wanted: &Wanted,
        stop: &dyn Fn() -> bool,
    ) -> Position {
        let mut position = root.clone();
        loop {
            let before = position.clone();
            let mut own = pieces(&before);
            own.retain(|piece| piece.color == attacker(root));
            own.sort_by_key(|piece| piece.square.is_some());
            for piece in own {
                let Some(fewer) = without(&position, piece) else { continue };
                if self.of_length(&fewer, wanted, stop).is_some() {
                    position = fewer;
                }
            }
            if position.key() == before.key() || stop() {
                return position;
            }
        }
    }
}

/// The position without the attacker's king, if it is on the board.
fn without_king(root: &Position) -> Option<Position> {
    let mut partial = root.to_partial();
    partial.piece_set(root.king(attacker(root))?, None);
    Position::from_partial(&partial).ok()
}
