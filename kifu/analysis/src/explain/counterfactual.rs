//! What is taken away to see whether a claim is true, and how much of the loss that takes away.

use crate::explain::scene::Scene;
use crate::line::usi;
use monomi_movegen::{PackedMove, Position};
use monomi_search::Score;

/// The searches that a claim may ask for; each costs a part of the budget, and there is none when that is spent.
pub trait Evidence {
    /// The next searches get so many times the nodes, and count as so many.
    fn set_effort(&mut self, times: u32);
    /// Keeps so many searches for later.
    fn reserve(&mut self, searches: usize);
    /// The score of the side to move and its best line, without these moves.
    fn without(
        &mut self,
        position: &Position,
        moves: &[PackedMove],
    ) -> Option<(f64, Vec<PackedMove>)>;
    /// The winning probabilities of two moves, by one search of both.
    fn both(&mut self, position: &Position, moves: [PackedMove; 2]) -> Option<[f64; 2]>;
    /// Whether the side to move has a mate by checks.
    fn is_mate(&mut self, position: &Position) -> Option<bool>;
}

/// The position with the cause of a claim taken away.
#[derive(Clone, Debug, PartialEq)]
pub enum Counterfactual {
    /// Nothing is taken away: the mate is proven.
    Proof,
    /// The opponent may not reply to the move with these moves.
    Replies(Vec<PackedMove>),
    /// After the best move and the opponent's reply, the mover may not go on with these moves.
    FollowUps(Vec<PackedMove>),
    /// Both moves are made in another position.
    Elsewhere(Box<Position>),
    /// The position after the move is changed to this one, in which there is no mate.
    NoMate(Box<Position>),
}

/// The result of a counterfactual.
pub struct Found {
    /// Share of the loss that is gone.
    pub share: f64,
    /// The best line without the cause.
    pub line: Vec<PackedMove>,
}

impl Counterfactual {
    /// Whether the moves of the claim are replies of the opponent.
    pub fn is_of_replies(&self) -> bool {
        matches!(self, Self::Replies(_) | Self::Proof | Self::NoMate(_))
    }

    /// Which share of the loss is gone without the cause; `None` where that cannot be searched.
    pub fn test(&self, scene: &Scene<'_>, evidence: &mut dyn Evidence) -> Option<Found> {
        let loss = scene.best_win - scene.kept_win;
        let none = Vec::new;
        match self {
            Self::Proof => Some(Found { share: 1.0, line: none() }),
            Self::NoMate(position) => {
                let share = if evidence.is_mate(position)? { 0.0 } else { 1.0 };
                Some(Found { share, line: none() })
            }
            _ if loss <= 0.0 => None,
            Self::Replies(moves) => {
                let legal = scene.after.legal_moves();
                if moves.is_empty() || legal.iter().all(|mv| moves.contains(mv)) {
                    return None;
                }
                let (chance, line) = evidence.without(&scene.after, moves)?;
                // What the search of the position after the move does not see is not the reply's doing.
                let now = scene.kept_win.max(scene.searched_win);
                Some(Found { share: (1.0 - chance - now) / loss, line })
            }
            Self::FollowUps(moves) => {
                let position = scene.answered.as_ref()?;
                let legal = position.legal_moves();
                if moves.is_empty() || legal.iter().all(|mv| moves.contains(mv)) {
                    return None;
                }
                let (all, _) = evidence.without(position, &[])?;
                let (chance, line) = evidence.without(position, moves)?;
                Some(Found { share: (scene.best_win.min(all) - chance) / loss, line })
            }
            Self::Elsewhere(position) => {
                let moves = [scene.best, scene.played];
                if !moves.iter().all(|&mv| position.is_legal(mv)) {
                    return None;
                }
                let [best, played] = evidence.both(position, moves)?;
                // The difference is that of the scores: where one side is much better after the change, winning
                // probabilities differ little, whatever the moves.
                let centipawns =
                    |chance: f64| match scene.scale.score(chance.clamp(1e-6, 1.0 - 1e-6)) {
                        Score::Cp(cp) => cp,
                        Score::Mate(_) => 0,
                    };
                let difference = centipawns(best) - centipawns(played);
                let there = centipawns(scene.best_win) - difference;
                let left = scene.best_win - scene.scale.chance(Score::Cp(there));
                Some(Found { share: 1.0 - left / loss, line: none() })
            }
        }
    }

    /// For programs that verify it: `SFEN without MOVES` (a search of the position without these moves),
    /// `SFEN both MOVES` (a comparison of these two), `SFEN no mate`, or `proof`.
    pub fn to_text(&self, scene: &Scene<'_>) -> String {
        match self {
            Self::Proof => "proof".to_owned(),
            Self::NoMate(position) => format!("{} no mate", position.to_sfen()),
            Self::Replies(moves) => format!("{} without {}", scene.after.to_sfen(), usi(moves)),
            Self::FollowUps(moves) => {
                let position = scene.answered.as_ref().map(Position::to_sfen).unwrap_or_default();
                format!("{position} without {}", usi(moves))
            }
            Self::Elsewhere(position) => {
                format!("{} both {}", position.to_sfen(), usi(&[scene.best, scene.played]))
            }
        }
    }
}
