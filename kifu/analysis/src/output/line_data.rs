//! Lines and answers as pages get them.

use crate::chance::{black_view, parts};
use crate::line::{names, usi};
use crate::search::{Exercise, ScoredLine};
use monomi_movegen::{PackedMove, Position};
use serde::Serialize;
use shogi_core::PartialPosition;

/// Longest line of an answer, in plies; mates are shown to the end.
const ANSWER_PLIES: usize = 6;

/// A line; its score is from Black's point of view.
#[derive(Serialize)]
pub(super) struct LineData {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// USI moves separated by blanks.
    moves: String,
    /// The same in Japanese notation, without separators.
    names: String,
}

impl LineData {
    /// A line of a position, which is given twice, for moves and for notation. At most so many plies of
    /// it, but mates to the end.
    pub(super) fn new(
        (position, partial): (&Position, &PartialPosition),
        line: &ScoredLine,
        plies: usize,
    ) -> Self {
        let (cp, mate) = parts(black_view(line.score, position.side_to_move()));
        let plies = if mate.is_some() { usize::MAX } else { plies };
        let pv = &line.pv[..line.pv.len().min(plies)];
        Self { cp, mate, moves: usi(pv), names: names(position, partial, pv).concat() }
    }
}

/// The answers to an exercise, best first.
#[derive(Serialize)]
pub(super) struct AnswersData {
    right: Vec<LineData>,
    wrong: Vec<LineData>,
    /// Other moves that might be right, in USI with blanks between them.
    unclear: String,
}

impl AnswersData {
    /// The answers in a position, which is given twice, for moves and for notation, with at most so many
    /// refutations of wrong ones besides that of the move played.
    pub(super) fn new(
        at: (&Position, &PartialPosition),
        exercise: &Exercise,
        (played, most): (PackedMove, usize),
    ) -> Self {
        let data = |line: &ScoredLine| LineData::new(at, line, ANSWER_PLIES);
        let is_played = |line: &ScoredLine| line.pv.first() == Some(&played);
        let wrong = exercise.wrong.iter().enumerate();
        let wrong = wrong.filter(|(index, line)| *index < most || is_played(line));
        Self {
            right: exercise.right.iter().map(data).collect(),
            wrong: wrong.map(|(_, line)| data(line)).collect(),
            unclear: usi(&exercise.unclear),
        }
    }
}
