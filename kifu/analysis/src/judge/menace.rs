//! What a move threatens: a mate, or the gain of material or a promotion.

use crate::chance::WinScale;
use crate::judge::material::{LOSS, Material};
use crate::search::ScoredLine;
use crate::solve::{SolvedPosition, passed};
use monomi_movegen::{PackedMove, Position};

/// A threat to win material is named if carrying it out would raise the winning probability by this much.
const RAISED: f64 = 0.05;

/// What the move before a position threatens, if its opponent does not see to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Menace<'a> {
    /// A mate by checks.
    Mate(&'a [PackedMove]),
    /// A capture or a promotion that wins material and was not possible before.
    Move(PackedMove),
}

impl Menace<'_> {
    /// Plies of the mate.
    pub fn mate(self) -> Option<usize> {
        match self {
            Self::Mate(line) => Some(line.len()),
            Self::Move(_) => None,
        }
    }

    /// The move with which the threat would be carried out.
    pub fn first(self) -> Option<PackedMove> {
        match self {
            Self::Mate(line) => line.first().copied(),
            Self::Move(mv) => Some(mv),
        }
    }
}

/// What the move from `before` to `position` threatens; at the start of a game, a mate. Nothing where
/// `position` is a check, since a pass would leave the king in check.
pub fn menace<'a>(
    before: Option<&Position>,
    position: &Position,
    result: &'a SolvedPosition,
    scale: WinScale,
) -> Option<Menace<'a>> {
    let mate = &result.proofs.threat_line;
    if !mate.is_empty() {
        return Some(Menace::Mate(mate));
    }
    let line = result.passed.as_ref()?;
    let now = 1.0 - scale.chance(result.searched.score());
    let gains = scale.chance(line.score) - now >= RAISED;
    (gains && wins_material(before?, &passed(position)?, line)).then_some(())?;
    line.pv.first().copied().map(Menace::Move)
}

/// Whether a line begins with a capture or a promotion that was not possible in `before`, and wins more
/// than two pawns. `passed` is the position with the other side to move again.
fn wins_material(before: &Position, passed: &Position, line: &ScoredLine) -> bool {
    let Some(&first) = line.pv.first() else { return false };
    let takes = passed.piece_at(first.to()).is_some();
    (takes || first.is_promotion())
        && !before.is_legal(first)
        && Material::of_line(passed, &line.pv).balance >= LOSS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Over, SearchedPosition};
    use crate::solve::Proofs;
    use monomi_search::Score;

    /// What a move threatens, if its side has the advantage of `after` centipawns after a pass and the
    /// line, and none before.
    fn threatened(sfen: &str, mv: &str, line: &str, after: i32) -> Option<String> {
        let before = Position::from_sfen(sfen).unwrap();
        let mut position = before.clone();
        position.do_move(mv.parse().unwrap());
        let pv = line.split(' ').map(|mv| mv.parse().unwrap()).collect();
        let mut searched = SearchedPosition::over(Over::Mated, Score::Cp(0));
        searched.over = None;
        let passed = Some(ScoredLine { score: Score::Cp(after), pv });
        let result = SolvedPosition {
            searched,
            proofs: Proofs::default(),
            passed,
            exercise: None,
            explanation: None,
        };
        menace(Some(&before), &position, &result, WinScale::default()).map(|menace| match menace {
            Menace::Move(mv) => mv.to_string(),
            Menace::Mate(_) => "mate".to_owned(),
        })
    }

    #[test]
    fn captures_and_promotions_are_threats_if_they_win_something() {
        // The rook comes to the file of a gold without protection.
        let sfen = "4k4/9/9/1g7/9/9/9/7R1/4K4 b - 1";
        let threat = Some("8h8d".to_owned());
        assert_eq!(threatened(sfen, "2h8h", "8h8d 5a4a", 900), threat);
        // It would be no gain by the search.
        assert_eq!(threatened(sfen, "2h8h", "8h8d 5a4a", 10), None);
        // A lance takes back: the rook would be lost for the gold.
        let guarded = "1l2k4/9/9/1g7/9/9/9/7R1/4K4 b - 1";
        assert_eq!(threatened(guarded, "2h8h", "8h8d 8a8d", 900), None);
        // Nothing is taken by the first move.
        assert_eq!(threatened(sfen, "2h8h", "8h8e 5a4a 8e8d", 900), None);
    }

    #[test]
    fn what_was_possible_before_is_no_threat_of_the_move() {
        let sfen = "4k4/9/9/1g7/9/9/9/1R7/4K4 b - 1";
        assert_eq!(threatened(sfen, "5i5h", "8h8d 5a4a", 900), None);
    }

    #[test]
    fn a_check_is_no_threat() {
        // The rook gives check on the fifth file; a pass would leave the king in check.
        let sfen = "4k4/9/9/9/9/9/9/7R1/3K5 b - 1";
        assert_eq!(threatened(sfen, "2h5h", "5h5a", 9_000), None);
    }

    #[test]
    fn a_promotion_is_a_threat() {
        // The gold makes way for the rook.
        let sfen = "4k4/9/9/9/7G1/9/9/7R1/4K4 b - 1";
        assert_eq!(threatened(sfen, "2e3e", "2h2b+ 5a4a", 400), Some("2h2b+".to_owned()));
        // Here it stays in the way.
        assert_eq!(threatened(sfen, "5i5h", "2h2b+ 5a4a", 400), None);
    }
}
