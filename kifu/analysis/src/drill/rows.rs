//! Mistakes from the rows that `monomi analyze -f jsonl` has written.

use crate::drill::Mistake;
use crate::judge::Difficulty;
use crate::line;
use crate::search::ScoredLine;
use monomi_movegen::{PackedMove, Position};
use monomi_search::Score;
use monomi_support::text::{Lang, Message, error_message, say};
use serde::Deserialize;
use std::fmt::{self, Formatter};

/// What is read of a row.
#[derive(Deserialize)]
struct Row {
    game: String,
    ply: usize,
    sfen: String,
    played: Option<String>,
    pv: String,
    cp: Option<i32>,
    mate: Option<i32>,
    loss: Option<f64>,
    class: Option<String>,
    missed_mate: Option<usize>,
    reason: Option<String>,
    reason_ja: Option<String>,
    #[serde(default)]
    claim: Option<String>,
    // Not in the rows of older versions.
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
    #[serde(default)]
    found_after: u64,
    #[serde(default)]
    difficulty: Option<Difficulty>,
}

/// Why a row cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub struct RowError {
    /// Line of the file, from 1.
    pub line: usize,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    NotARow(serde_json::Error),
    Position,
    Move(String),
}

impl Message for RowError {
    fn write(&self, lang: Lang, f: &mut Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match &self.problem {
            Problem::NotARow(error) => say!(
                lang,
                f,
                "line {line}: not a row that `monomi analyze -f jsonl` writes for a game: {error}",
                "{line}行目: `monomi analyze -f jsonl` が対局について書く行ではありません（{error}）"
            ),
            Problem::Position => say!(
                lang,
                f,
                "line {line}: the position is invalid",
                "{line}行目: 局面が正しくありません"
            ),
            Problem::Move(text) => say!(
                lang,
                f,
                "line {line}: {text} cannot be played in the position",
                "{line}行目: {text} はこの局面で指せません"
            ),
        }
    }
}
error_message!(RowError);

/// The bad moves and missed mates in the rows of analysed games, JSON objects one per line. Empty lines
/// are skipped.
///
/// # Errors
/// The first line that is no row of a game, or whose moves cannot be played in its position.
pub fn read_mistakes(text: &str) -> Result<Vec<Mistake>, RowError> {
    let mut mistakes = Vec::new();
    let mut before: Option<(String, usize, Position, PackedMove)> = None;
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let fail = |problem| RowError { line, problem };
        let row: Row = serde_json::from_str(text).map_err(|error| fail(Problem::NotARow(error)))?;
        let position = Position::from_sfen(&row.sfen).map_err(|_| fail(Problem::Position))?;
        let previous = before.take().filter(|(game, ply, before, mv)| {
            let mut after = before.clone();
            after.do_move(*mv);
            *game == row.game && ply + 1 == row.ply && after.to_sfen() == position.to_sfen()
        });
        let Some(played) = &row.played else { continue };
        let legal = |word: &str| word.parse().ok().filter(|&mv| position.is_legal(mv));
        let played = legal(played).ok_or_else(|| fail(Problem::Move(played.clone())))?;
        before = Some((row.game.clone(), row.ply, position.clone(), played));
        let bad = ["dubious", "mistake", "blunder"];
        let is_bad = row.class.as_deref().is_some_and(|class| bad.contains(&class));
        if !is_bad && row.missed_mate.is_none() {
            continue;
        }
        let words = row.pv.split_ascii_whitespace().map(str::parse);
        let pv: Option<Vec<PackedMove>> = words.map(Result::ok).collect();
        let pv = pv.filter(|pv| !pv.is_empty() && line::is_legal(&position, pv));
        let pv = pv.ok_or_else(|| fail(Problem::Move(row.pv.clone())))?;
        let score = row.mate.map_or(Score::Cp(row.cp.unwrap_or(0)), Score::Mate);
        mistakes.push(Mistake {
            game: row.game,
            ply: row.ply,
            players: [row.black, row.white],
            date: None,
            position,
            previous: previous.map(|(_, _, position, mv)| (position, mv)),
            played,
            loss: row.loss.unwrap_or(0.0),
            missed_mate: row.missed_mate,
            reason: row.reason_ja.zip(row.reason).map(|(ja, en)| [ja, en]),
            claim: row.claim,
            difficulty: row.difficulty.map(|difficulty| (difficulty, row.found_after)),
            best: ScoredLine { score, pv },
        });
    }
    Ok(mistakes)
}
