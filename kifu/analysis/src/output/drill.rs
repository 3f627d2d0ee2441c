//! Exercises: a page that works offline, and ShogiHome's collection of next-move problems.

use crate::chance::{WinScale, black_view, parts, rounded};
use crate::drill::{DrillPosition, Mistake};
use crate::explain::{GROUPS, group_of};
use crate::judge::Difficulty;
use crate::line::names;
use crate::output::html::{EngineInfo, board_page};
use crate::output::line_data::AnswersData;
use crate::search::ScoredLine;
use serde::Serialize;
use serde_json::{Value, json};
use shogi_core::Color;
use std::io;

const PAGE: &str = include_str!("report/drill.html");

/// The name and version of ShogiHome's format (specs/next-move-problem-format.md there).
const NEXT_MOVE_FORMAT: &str = "shogihome-next-move";
const NEXT_MOVE_VERSION: u32 = 1;
/// So many wrong answers are named there as candidates, besides the right ones.
const NEXT_MOVE_WRONG: usize = 5;

/// The input of the script.
#[derive(Serialize)]
struct Data<'a> {
    engine: String,
    network: &'a str,
    limits: &'a str,
    /// Groups of reasons, each in Japanese and in English.
    kinds: [&'a str; GROUPS.len()],
    exercises: Vec<ExerciseData<'a>>,
}

#[derive(Serialize)]
struct ExerciseData<'a> {
    game: &'a str,
    /// The number of the move, from 1.
    number: usize,
    players: &'a [String; 2],
    date: Option<&'a str>,
    sfen: String,
    turn: char,
    /// The move before.
    previous: Option<String>,
    /// The move that was bad, in USI and in Japanese notation.
    played: String,
    name: String,
    loss: f64,
    missed: Option<usize>,
    reason: Option<&'a [String; 2]>,
    /// The index of the group of the reason.
    kind: usize,
    hard: Option<(Difficulty, u64)>,
    answers: AnswersData,
}

impl<'a> ExerciseData<'a> {
    fn new(exercise: &'a DrillPosition) -> Self {
        let DrillPosition { mistake, answers } = exercise;
        let Mistake { position, played, .. } = mistake;
        let partial = position.to_partial();
        Self {
            game: &mistake.game,
            number: mistake.ply + 1,
            players: &mistake.players,
            date: mistake.date.as_deref(),
            sfen: position.to_sfen(),
            turn: if mistake.color() == Color::Black { 'b' } else { 'w' },
            previous: mistake.previous.as_ref().map(|(_, mv)| mv.to_string()),
            played: played.to_string(),
            name: names(position, &partial, &[*played]).concat(),
            loss: rounded(mistake.loss),
            missed: mistake.missed_mate,
            reason: mistake.reason.as_ref(),
            kind: match (&mistake.claim, mistake.missed_mate) {
                (_, Some(_)) => 0,
                (Some(claim), None) => group_of(claim),
                (None, None) => GROUPS.len() - 1,
            },
            hard: mistake.difficulty,
            answers: AnswersData::new((position, &partial), answers, (*played, usize::MAX)),
        }
    }
}

/// A page with the exercises, in a single file that works without a network.
///
/// # Errors
/// Serialization fails; no exercise causes this.
pub fn drill_page(exercises: &[DrillPosition], engine: &EngineInfo) -> io::Result<String> {
    let data = Data {
        engine: concat!("Monomi ", env!("CARGO_PKG_VERSION")).to_owned(),
        network: &engine.network,
        limits: &engine.limits,
        kinds: GROUPS,
        exercises: exercises.iter().map(ExerciseData::new).collect(),
    };
    board_page(PAGE, "Monomi drill", "drill.js", &data)
}

/// The exercises as a collection of next-move problems for ShogiHome, JSON.
///
/// # Errors
/// As [`drill_page`].
pub fn next_moves(exercises: &[DrillPosition], scale: WinScale) -> io::Result<String> {
    let collection = json!({
        "format": NEXT_MOVE_FORMAT,
        "version": NEXT_MOVE_VERSION,
        "metadata": {
            "title": "Monomi",
            "engine": { "name": concat!("Monomi ", env!("CARGO_PKG_VERSION")) },
            "criteria": {
                "winRateDropThreshold": 10,
                "acceptableWinRateDiff": 3,
                "coefficientInSigmoid": scale.centipawns(),
            },
        },
        "problems": exercises.iter().map(problem).collect::<Vec<Value>>(),
    });
    Ok(serde_json::to_string_pretty(&collection)? + "\n")
}

fn problem(exercise: &DrillPosition) -> Value {
    let DrillPosition { mistake, answers } = exercise;
    let to_move = mistake.color();
    let candidate = |line: &ScoredLine, accepted: bool| {
        let mut value = score(line, to_move);
        let pv: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
        value["usi"] = pv[0].clone().into();
        value["accepted"] = accepted.into();
        value["pv"] = pv.into();
        value
    };
    let right = answers.right.iter().map(|line| candidate(line, true));
    let wrong = answers.wrong.iter().take(NEXT_MOVE_WRONG).map(|line| candidate(line, false));
    let of_played = answers.wrong.iter().find(|line| line.pv.first() == Some(&mistake.played));
    let mut actual = of_played.map_or(json!({}), |line| {
        let mut actual = score(line, to_move);
        actual["scoreSource"] = "research".into();
        actual
    });
    actual["usi"] = mistake.played.to_string().into();
    let mut problem = json!({
        "sfen": without_number(&mistake.position.to_sfen()),
        "candidates": right.chain(wrong).collect::<Vec<Value>>(),
        "actualMove": actual,
        "source": {
            "path": mistake.game,
            "ply": mistake.ply + 1,
            "blackPlayer": mistake.players[0],
            "whitePlayer": mistake.players[1],
        },
    });
    if let Some(date) = &mistake.date {
        problem["source"]["date"] = date.clone().into();
    }
    if let Some((before, mv)) = &mistake.previous {
        problem["previousMove"] =
            json!({ "usi": mv.to_string(), "sfen": without_number(&before.to_sfen()) });
    }
    problem
}

/// `score` or `mate`, from Black's point of view.
fn score(line: &ScoredLine, to_move: Color) -> Value {
    match parts(black_view(line.score, to_move)) {
        (Some(cp), _) => json!({ "score": cp }),
        (_, mate) => json!({ "mate": mate }),
    }
}

/// The position with 1 as the number of the move.
fn without_number(sfen: &str) -> String {
    sfen.rsplit_once(' ').map_or(sfen.to_owned(), |(position, _)| format!("{position} 1"))
}
