//! The second stage: the mate solver examines a searched position. What it proves depends on nothing
//! but the position and the result of its search.

use crate::chance::WinScale;
use crate::explain::Explanation;
use crate::line;
use crate::search::{Exercise, ScoredLine, SearchedPosition};
use monomi_mate::{MateAnswer, MateLimits, MateSolver};
use monomi_movegen::{PackedMove, Position};
use monomi_search::Score;
use monomi_support::text::{Lang, Message, say};
use serde::{Deserialize, Serialize};
use std::fmt::{Formatter, Result};

/// Memory of the mate solver in MiB.
const SOLVER_MIB: usize = 16;
/// The node limit of each mate search is the position's nodes divided by this.
const NODE_SHARE: u64 = 20;
/// Bounds of that limit.
const SOLVER_NODES: (u64, u64) = (100, 20_000);
/// The limit is this many times larger if the search has found a mate.
const CLAIMED_MATE: u64 = 10;
/// Below this winning probability a threatmate is examined for being a brinkmate.
const HOPELESS: f64 = 0.2;

/// What threatens the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Threat {
    /// 詰めろ: it is mated if it passes.
    Threatmate,
    /// 必至: every legal move allows a mate.
    Brinkmate,
}

impl Message for Threat {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> Result {
        match self {
            Threat::Threatmate => say!(lang, f, "threatmate", "詰めろ"),
            Threat::Brinkmate => say!(lang, f, "brinkmate", "必至"),
        }
    }
}

/// What the mate solver proved about a position. Mates are mates by checks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proofs {
    /// A mate by the side to move; empty if none was found.
    #[serde(with = "line::as_text")]
    mate: Vec<PackedMove>,
    /// A threat against the side to move, where it has no mate itself.
    pub threat: Option<Threat>,
    /// The mate that threatens, after a pass of the side to move.
    #[serde(default, with = "line::as_text")]
    pub threat_line: Vec<PackedMove>,
    /// The side to move is in check, and every legal move allows a mate.
    pub checked_to_mate: bool,
    /// The best move is a threatmate.
    pub threatens: bool,
    /// After the best move the opponent's reply is a threatmate; known where the move played allows one.
    pub allows_threatmate: bool,
}

impl Proofs {
    /// A mate by the side to move.
    pub fn mate(&self) -> Option<&[PackedMove]> {
        (!self.mate.is_empty()).then_some(&self.mate)
    }
}

/// The result of the second stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SolvedPosition {
    /// The result of the first stage.
    pub(crate) searched: SearchedPosition,
    pub(crate) proofs: Proofs,
    /// The best line of the side that does not move, after a pass of the side to move, by a short search;
    /// its score is for the side that does not move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) passed: Option<ScoredLine>,
    /// The answers to the question for a better move, where one was missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) exercise: Option<Exercise>,
    /// Why the move played here is bad, and what the best one prepares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) explanation: Option<Explanation>,
}

impl SolvedPosition {
    /// The winning probability of the side to move: in the account of the game if there is one, else by
    /// the mate solver and the search.
    pub(crate) fn chance(&self, scale: WinScale) -> f64 {
        match &self.searched.comparison {
            Some(comparison) => comparison.chance(),
            None if self.proofs.mate().is_some() => 1.0,
            None if self.proofs.checked_to_mate => 0.0,
            None => scale.chance(self.searched.score()),
        }
    }

    /// Whether this can be the result of a position: its lines can be played there.
    pub(crate) fn belongs_to(&self, position: &Position) -> bool {
        self.searched.belongs_to(position)
            && line::is_legal(position, &self.proofs.mate)
            && self.threats_belong_to(position)
            && self.exercise.as_ref().is_none_or(|exercise| exercise.belongs_to(position))
    }
}

impl SolvedPosition {
    /// Whether the game goes on, and neither side has a mate or threatens one.
    pub(crate) fn is_quiet(&self) -> bool {
        let is_mate = matches!(self.searched.score(), Score::Mate(_));
        let proven = !self.proofs.mate.is_empty() || self.proofs.threat.is_some();
        self.searched.over.is_none() && !is_mate && !proven && !self.proofs.checked_to_mate
    }

    fn threats_belong_to(&self, position: &Position) -> bool {
        let lines =
            [&self.proofs.threat_line[..], self.passed.as_ref().map_or(&[], |line| &line.pv)];
        lines
            .into_iter()
            .filter(|line| !line.is_empty())
            .all(|line| passed(position).is_some_and(|passed| line::is_legal(&passed, line)))
    }
}

/// Examines positions with the mate solver.
pub struct PositionSolver {
    solver: MateSolver,
    scale: WinScale,
}

impl PositionSolver {
    /// With empty tables, which grow up to 16 MiB.
    pub fn new(scale: WinScale) -> Self {
        Self { solver: MateSolver::new(SOLVER_MIB), scale }
    }

    /// Proves what it can about a position after its search. `stop` is called about once per
    /// millisecond; once it returns true, nothing more is proven.
    pub fn solve(
        &mut self,
        position: &Position,
        searched: SearchedPosition,
        stop: &dyn Fn() -> bool,
    ) -> SolvedPosition {
        let nodes = share(searched.nodes);
        let chance = self.scale.chance(searched.score());
        let mut prover = Prover { solver: &mut self.solver, nodes, stop };
        let proofs = prover.proofs(position, &searched, chance);
        SolvedPosition { searched, proofs, passed: None, exercise: None, explanation: None }
    }

    /// A mate by checks for the side to move, in a position that gets so many nodes.
    pub fn mate(
        &mut self,
        position: &Position,
        nodes: u64,
        stop: &dyn Fn() -> bool,
    ) -> Option<ScoredLine> {
        let nodes = share(nodes) * CLAIMED_MATE;
        let pv = Prover { solver: &mut self.solver, nodes, stop }.mate(position, nodes)?;
        Some(ScoredLine { score: Score::Mate(i32::try_from(pv.len()).ok()?), pv })
    }

    /// Whether the best line allows a threatmate: its second move is one.
    pub fn allows_threatmate(
        &mut self,
        position: &Position,
        searched: &SearchedPosition,
        stop: &dyn Fn() -> bool,
    ) -> bool {
        let [first, second, ..] = *searched.best_line() else { return false };
        let nodes = share(searched.nodes);
        let reply = after(&after(position, first), second);
        Prover { solver: &mut self.solver, nodes, stop }.threatens(&reply)
    }
}

/// The node limit of a mate search in a position that was searched with so many nodes.
fn share(nodes: u64) -> u64 {
    (nodes / NODE_SHARE).clamp(SOLVER_NODES.0, SOLVER_NODES.1)
}

struct Prover<'a> {
    solver: &'a mut MateSolver,
    /// Node limit of each mate search.
    nodes: u64,
    stop: &'a dyn Fn() -> bool,
}

impl Prover<'_> {
    /// `chance` is the winning probability of the side to move by the search.
    fn proofs(&mut self, position: &Position, searched: &SearchedPosition, chance: f64) -> Proofs {
        // Where the search has found the loss already, nothing needs to be proven.
        let open = 1.0 - chance < 1.0;
        let checked_to_mate = open && position.in_check() && self.is_lost_to_mate(position);
        if searched.over.is_some() {
            return Proofs { checked_to_mate, ..Proofs::default() };
        }
        let claimed = matches!(searched.score(), Score::Mate(plies) if plies > 0);
        let mate = self.mate(position, self.nodes * if claimed { CLAIMED_MATE } else { 1 });
        if let Some(mate) = mate {
            return Proofs { mate, checked_to_mate, ..Proofs::default() };
        }
        let threat_line = self.threat(position).unwrap_or_default();
        let threat = (!threat_line.is_empty()).then(|| {
            let brinkmate = chance < HOPELESS && self.is_lost_to_mate(position);
            if brinkmate { Threat::Brinkmate } else { Threat::Threatmate }
        });
        let threatens =
            !claimed && searched.best().is_some_and(|best| self.threatens(&after(position, best)));
        Proofs { threat, threat_line, checked_to_mate, threatens, ..Proofs::default() }
    }

    fn mate(&mut self, position: &Position, nodes: u64) -> Option<Vec<PackedMove>> {
        let limits = MateLimits::default().with_nodes(nodes);
        match self.solver.solve(position, &limits, self.stop).answer {
            MateAnswer::Mate(line) => Some(line),
            MateAnswer::NoMate | MateAnswer::Unknown => None,
        }
    }

    /// Whether the side that does not move threatens mate.
    fn threatens(&mut self, position: &Position) -> bool {
        self.threat(position).is_some()
    }

    /// The mate that the side that does not move threatens: the side to move would be mated if it passed.
    /// In check it cannot pass.
    fn threat(&mut self, position: &Position) -> Option<Vec<PackedMove>> {
        self.mate(&passed(position)?, self.nodes)
    }

    /// Whether the side that does not move mates whatever the side to move does: every legal move
    /// allows a mate.
    fn is_lost_to_mate(&mut self, position: &Position) -> bool {
        let moves = position.legal_moves();
        moves.iter().all(|&mv| self.mate(&after(position, mv), self.nodes).is_some())
    }
}

/// The position after a pass of the side to move; `None` in check, where it cannot pass.
pub fn passed(position: &Position) -> Option<Position> {
    let mut passed = position.clone();
    (!position.in_check()).then(|| {
        passed.do_null_move();
        passed
    })
}

fn after(position: &Position, mv: PackedMove) -> Position {
    let mut after = position.clone();
    after.do_move(mv);
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Over;

    fn solved(sfen: &str, best: &str, cp: i32) -> Proofs {
        let position = Position::from_sfen(sfen).unwrap();
        let pv = best.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        let searched = SearchedPosition {
            nodes: 200_000,
            lines: vec![ScoredLine { score: Score::Cp(cp), pv }],
            over: None,
            ..SearchedPosition::over(Over::Mated, Score::Mate(0))
        };
        PositionSolver::new(WinScale::default()).solve(&position, searched, &|| false).proofs
    }

    #[test]
    fn mates_and_threats_are_proven() {
        let proofs = solved("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "5c5b", 0);
        assert_eq!(line::usi(proofs.mate().unwrap()), "G*5b");
        assert_eq!((proofs.threat, proofs.threatens), (None, false));
        let passed = "4k4/9/4P4/9/9/9/9/9/4K4 w G 1";
        let threatened = solved(passed, "5a4a", 0);
        assert_eq!(threatened.threat, Some(Threat::Threatmate));
        assert_eq!(line::usi(&threatened.threat_line), "G*5b");
        // In check nobody can pass.
        let checked = "4k4/4P4/9/9/9/9/9/9/4K4 w G 1";
        assert_eq!(solved(checked, "5a5b", 0).threat, None);
        // The king has one move, after which a gold is dropped before it: that is a brinkmate, but
        // it is examined only where the side to move stands badly.
        let cornered = "k8/9/GP7/9/9/9/9/9/4K4 w G 1";
        assert_eq!(solved(cornered, "9a8a", -3000).threat, Some(Threat::Brinkmate));
        assert_eq!(solved(cornered, "9a8a", 0).threat, Some(Threat::Threatmate));
    }

    #[test]
    fn the_best_move_may_threaten_mate() {
        // A pawn to the third rank, with a gold in hand.
        let before = "4k4/9/9/4P4/9/9/9/9/4K4 b G 1";
        assert!(solved(before, "5d5c", 500).threatens);
        assert!(!solved(before, "5i5h", 500).threatens);
    }

    #[test]
    fn checks_that_keep_the_mate_are_recognised() {
        // The gold checks; the king's only moves are to the edge, before a gold in hand.
        let checked = "k8/1G7/2P6/9/9/9/9/9/4K4 w G 1";
        let position = Position::from_sfen(checked).unwrap();
        assert!(position.in_check());
        let free = "4k4/4P4/9/9/9/9/9/9/4K4 w G 1";
        assert!(!solved(free, "5a5b", 0).checked_to_mate);
        // Nothing is proven where the search has found the loss already.
        assert!(!solved(checked, "9a8b", -30_000).checked_to_mate);
    }
}
