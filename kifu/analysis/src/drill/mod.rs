//! Exercises from the mistakes and missed mates of games: `monomi drill`.

mod rows;
mod search;

pub use rows::{RowError, read_mistakes};
pub use search::search_mistakes;

use crate::judge::{AnalyzedGame, Difficulty, JudgedPosition};
use crate::search::{Exercise, ScoredLine};
use monomi_movegen::{PackedMove, Position};
use shogi_core::Color;
use std::collections::HashSet;

/// A move of a game that was bad or missed a mate.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Mistake {
    /// Name of the game.
    pub(crate) game: String,
    /// Number of moves before it.
    pub(crate) ply: usize,
    /// Black and White; empty if not known.
    pub(crate) players: [String; 2],
    pub(crate) date: Option<String>,
    /// The position in which it was played.
    pub(crate) position: Position,
    /// The move before that position, with the position before that move.
    pub(crate) previous: Option<(Position, PackedMove)>,
    pub(crate) played: PackedMove,
    /// Winning probability lost, 0 to 1.
    pub(crate) loss: f64,
    /// Plies of the mate that was missed.
    pub(crate) missed_mate: Option<usize>,
    /// Why it is bad, in Japanese and in English.
    pub(crate) reason: Option<[String; 2]>,
    /// The kind of the reason.
    pub(crate) claim: Option<String>,
    /// How hard the better move was to find, and the nodes that the search needed.
    pub(crate) difficulty: Option<(Difficulty, u64)>,
    /// The best line by the analysis.
    best: ScoredLine,
}

impl Mistake {
    /// The name of the player, empty if not known.
    pub fn player(&self) -> &str {
        &self.players[usize::from(self.position.side_to_move() == Color::White)]
    }

    /// Whether Black or White played it.
    pub fn color(&self) -> Color {
        self.position.side_to_move()
    }

    /// The position without the number of the move, by which positions are the same.
    fn key(&self) -> String {
        let sfen = self.position.to_sfen();
        sfen.rsplit_once(' ').map_or(sfen.clone(), |(key, _)| key.to_owned())
    }
}

/// A mistake with the answers to the question for a better move.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DrillPosition {
    pub(crate) mistake: Mistake,
    pub(crate) answers: Exercise,
}

impl DrillPosition {
    /// An exercise from a mistake and the answers that were found; `None` where nothing better was.
    pub fn new(mistake: Mistake, answers: Option<Answers>) -> Option<Self> {
        Some(Self { mistake, answers: answers?.0 })
    }

    /// The mistake.
    pub fn mistake(&self) -> &Mistake {
        &self.mistake
    }

    /// The exercises of a game.
    pub fn of_game(game: &AnalyzedGame<'_>) -> Vec<Self> {
        let positions = game.positions.iter();
        let exercises = positions.filter_map(|judged| {
            let mistake = mistake(game, judged)?;
            Some(Self { mistake, answers: judged.exercise()?.clone() })
        });
        exercises.collect()
    }
}

/// The answers to an exercise.
#[derive(Clone, Debug)]
pub struct Answers(Exercise);

/// At most `most` exercises, those from the largest losses, in the order of the games. A position is
/// asked once.
pub fn select(mut exercises: Vec<DrillPosition>, most: usize) -> Vec<DrillPosition> {
    let mut known = HashSet::new();
    exercises.retain(|exercise| known.insert(exercise.mistake.key()));
    let mut losses: Vec<(usize, f64)> =
        exercises.iter().map(|exercise| exercise.mistake.loss).enumerate().collect();
    losses.sort_by(|a, b| b.1.total_cmp(&a.1));
    let chosen: HashSet<usize> = losses.into_iter().take(most).map(|(at, _)| at).collect();
    let mut at = 0..;
    exercises.retain(|_| at.next().is_some_and(|at| chosen.contains(&at)));
    exercises
}

fn mistake(game: &AnalyzedGame<'_>, judged: &JudgedPosition<'_>) -> Option<Mistake> {
    let verdict = judged.verdict?;
    let previous = judged.ply.checked_sub(1).map(|ply| &game.positions[ply]);
    Some(Mistake {
        game: game.name.to_owned(),
        ply: judged.ply,
        players: game.record.players().map(str::to_owned),
        date: game.record.header("開始日時").map(str::to_owned),
        position: judged.position.clone(),
        previous: previous.and_then(|before| Some((before.position.clone(), before.played?.mv))),
        played: judged.played?.mv,
        loss: verdict.loss,
        missed_mate: verdict.missed_mate,
        reason: judged.reason().map(|reason| reason.words.clone()),
        claim: judged.reason().map(|reason| reason.claim.clone()),
        difficulty: judged.difficulty(),
        best: judged.lines().into_iter().next()?,
    })
}
