//! Positions where a better move was missed, as exercises: which answers are right, and what refutes the
//! others.

use crate::chance::WinScale;
use crate::line;
use crate::search::result::ScoredLine;
use monomi_movegen::{PackedMove, Position};
use monomi_search::Score;
use serde::{Deserialize, Serialize};

/// An answer is right if it is worse than the best one by at most this much.
const ACCEPTED: f64 = 0.03;
/// Moves are examined more closely if the first search says that they are worse by at most this much.
const PROMISING: f64 = 0.15;
/// So many of them at most, besides the best and the played one.
const CANDIDATES: usize = 8;

/// The answers to an exercise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exercise {
    /// The right answers with their lines, best first; at least one.
    pub right: Vec<ScoredLine>,
    /// The wrong answers, each with a line that refutes it, best first.
    pub wrong: Vec<ScoredLine>,
    /// Moves that might be right: there were too many to examine them.
    #[serde(with = "line::as_text")]
    pub unclear: Vec<PackedMove>,
}

impl Exercise {
    /// The answers by two searches: `all` of every legal move, `close` of the promising ones. The `best`
    /// move of the analysis is right, too. `None` if the move `played` is as good as the best one, so
    /// that there is nothing to find.
    pub(super) fn new(
        all: &[ScoredLine],
        mut close: Vec<ScoredLine>,
        (best_move, played): (PackedMove, PackedMove),
        scale: WinScale,
    ) -> Option<Self> {
        let best = close.iter().map(|line| scale.chance(line.score)).reduce(f64::max)?;
        sort(&mut close, scale);
        let is_right = |line: &ScoredLine| {
            best - scale.chance(line.score) <= ACCEPTED || line.pv.first() == Some(&best_move)
        };
        let (right, mut wrong): (Vec<_>, Vec<_>) = close.into_iter().partition(is_right);
        if right.iter().any(|line| line.pv.first() == Some(&played)) {
            return None;
        }
        let is_known = |line: &ScoredLine| {
            right.iter().chain(&wrong).any(|known| known.pv.first() == line.pv.first())
        };
        let top = all.iter().map(|line| scale.chance(line.score)).fold(0.0, f64::max);
        let others = all.iter().filter(|line| !is_known(line)).cloned();
        let (unclear, others): (Vec<_>, Vec<_>) =
            others.partition(|line| top - scale.chance(line.score) <= ACCEPTED);
        wrong.extend(others);
        sort(&mut wrong, scale);
        let unclear = unclear.iter().filter_map(|line| line.pv.first().copied()).collect();
        Some(Self { right, wrong, unclear })
    }

    /// The right answers, best first.
    pub fn accepted(&self) -> Vec<PackedMove> {
        self.right.iter().filter_map(|line| line.pv.first().copied()).collect()
    }

    /// Whether these can be the answers in a position: the lines can be played there.
    pub fn belongs_to(&self, position: &Position) -> bool {
        let lines = self.right.iter().chain(&self.wrong);
        lines.map(|found| &found.pv).all(|pv| line::is_legal(position, pv))
            && self.unclear.iter().all(|&mv| position.is_legal(mv))
    }
}

fn sort(lines: &mut [ScoredLine], scale: WinScale) {
    // Among mates the shortest first.
    let plies = |score| match score {
        Score::Mate(plies) => plies,
        Score::Cp(_) => 0,
    };
    lines.sort_by(|a, b| {
        let by_chance = scale.chance(b.score).total_cmp(&scale.chance(a.score));
        by_chance.then(plies(a.score).cmp(&plies(b.score)))
    });
}

/// The moves to examine more closely after a search of all: the best and the played move, and those that
/// are nearly as good.
pub(super) fn promising(
    all: &[ScoredLine],
    best: PackedMove,
    played: PackedMove,
    scale: WinScale,
) -> Vec<PackedMove> {
    let top = all.iter().map(|line| scale.chance(line.score)).fold(0.0, f64::max);
    let near = |line: &&ScoredLine| top - scale.chance(line.score) <= PROMISING;
    let others = all.iter().filter(near).filter_map(|line| line.pv.first().copied());
    let mut moves = vec![best, played];
    for mv in others.filter(|mv| ![best, played].contains(mv)).take(CANDIDATES) {
        moves.push(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(chance: f64, mv: &str) -> ScoredLine {
        ScoredLine { score: WinScale::default().score(chance), pv: vec![mv.parse().unwrap()] }
    }

    fn moves(lines: &[ScoredLine]) -> Vec<String> {
        lines.iter().map(|line| line.pv[0].to_string()).collect()
    }

    #[test]
    fn answers_nearly_as_good_as_the_best_one_are_right() {
        let scale = WinScale::default();
        let mut all = ["2g2f", "1g1f", "9g9f", "5g5f"].map(|mv| line(0.4, mv)).to_vec();
        // The last one was not examined, but might be as good as the first.
        all.extend([line(0.6, "7g7f"), line(0.58, "3g3f")]);
        let close = vec![line(0.58, "2g2f"), line(0.6, "7g7f"), line(0.5, "1g1f")];
        let moves_of = |best: &str, played: &str| (best.parse().unwrap(), played.parse().unwrap());
        let played = moves_of("7g7f", "1g1f");
        let exercise = Exercise::new(&all, close.clone(), played, scale).unwrap();
        assert_eq!(moves(&exercise.right), ["7g7f", "2g2f"]);
        assert_eq!(moves(&exercise.wrong), ["1g1f", "9g9f", "5g5f"]);
        assert_eq!(exercise.unclear, ["3g3f".parse().unwrap()]);
        // The move played turns out to be good.
        assert_eq!(Exercise::new(&all, close.clone(), moves_of("7g7f", "2g2f"), scale), None);
        // What the analysis calls the best move is not called wrong here.
        let exercise = Exercise::new(&all, close, moves_of("1g1f", "9g9f"), scale).unwrap();
        assert_eq!(moves(&exercise.right), ["7g7f", "2g2f", "1g1f"]);
        assert_eq!(Exercise::new(&all, Vec::new(), played, scale), None);
    }

    #[test]
    fn a_mate_is_better_than_a_won_position_and_a_short_one_first() {
        let mate = |plies, mv| ScoredLine { score: Score::Mate(plies), ..line(0.5, mv) };
        let both = ("1g1f".parse().unwrap(), "9g9f".parse().unwrap());
        let close = vec![line(0.98, "2g2f"), mate(5, "7g7f"), mate(3, "1g1f"), line(0.9, "9g9f")];
        let exercise = Exercise::new(&[], close, both, WinScale::default()).unwrap();
        assert_eq!(moves(&exercise.right), ["1g1f", "7g7f", "2g2f"]);
    }

    #[test]
    fn the_promising_moves_are_examined() {
        let all =
            [(0.6, "7g7f"), (0.5, "2g2f"), (0.44, "1g1f")].map(|(chance, mv)| line(chance, mv));
        let [best, played] = ["5g5f", "7g7f"].map(|mv| mv.parse().unwrap());
        let found = promising(&all, best, played, WinScale::default());
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, ["5g5f", "7g7f", "2g2f"]);
    }
}
