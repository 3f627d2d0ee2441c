//! Requests in JSON and their answers: `{"ok": ...}` or `{"error": "..."}`.

use crate::analysis::Analysis;
use crate::{Instance, Output};
use monomi_analysis::output::{CommentStyle, kif};
use monomi_analysis::{AnalyzedGame, WinScale, names};
use monomi_movegen::{EnteringKingRule, PackedMove, Position, Repetition};
use monomi_record::position_text;
use monomi_record::{Encoding, Ending, HANDICAPS, Record, handicap_name, read_usi_line};
use monomi_score::Score;
use serde::Deserialize;
use serde_json::{Value, json};
use shogi_core::Color;

/// A request. Positions are texts as after `position` in USI.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Request {
    /// Side to move, legal moves and more of a position.
    Position { position: String },
    /// Japanese names of moves from a position on.
    Names { position: String, moves: Vec<String> },
    /// The static evaluation for the side to move, in centipawns.
    Evaluate { position: String },
    /// A game as KIF, with the names of the players and how it ended.
    Kif {
        position: String,
        #[serde(default)]
        players: [String; 2],
        #[serde(default)]
        ending: Option<String>,
    },
    /// The handicaps and their positions.
    Handicaps,
    /// Begins the analysis of a game of the file opened last.
    Analyze {
        #[serde(default)]
        name: String,
        #[serde(default)]
        game: usize,
        nodes: u64,
        #[serde(default = "one")]
        lines: usize,
    },
    /// Continues the analysis.
    Advance,
    /// The report of the analysis so far.
    Report,
}

fn one() -> usize {
    1
}

/// Executes a request.
pub fn execute(
    instance: &mut Instance,
    request: &str,
    tell: &mut dyn FnMut(Output, &str),
) -> Result<Value, String> {
    match serde_json::from_str(request).map_err(|error| format!("request: {error}"))? {
        Request::Position { position } => describe(&read(&position)?),
        Request::Names { position, moves } => {
            let position = read(&position)?;
            let moves: Vec<PackedMove> = moves.iter().map_while(|mv| mv.parse().ok()).collect();
            Ok(json!(names_from(&position, &moves)))
        }
        Request::Evaluate { position } => {
            let position = read(&position)?;
            let evaluation = instance.session.evaluation();
            let value = monomi_eval::EvalStack::new(evaluation, &position).evaluate(&position);
            Ok(match Score::from_value(value) {
                Score::Cp(value) => json!(value),
                Score::Mate(plies) => json!({ "mate": plies }),
            })
        }
        Request::Kif { position, players, ending } => {
            let mut record = read_usi_line(1, &position).map_err(|fault| fault.to_string())?;
            if let Some(fault) = record.faults.first() {
                return Err(fault.to_string());
            }
            for (key, name) in ["先手", "後手"].into_iter().zip(players) {
                if !name.is_empty() {
                    record.headers.push((key.to_owned(), name));
                }
            }
            record.ending = ending.as_deref().map(Ending::from_csa);
            let game = AnalyzedGame::new("", &record, &[], WinScale::default());
            Ok(json!(kif(&game, CommentStyle::Shogihome, Encoding::Utf8)))
        }
        Request::Handicaps => Ok(json!(HANDICAPS)),
        Request::Analyze { name, game, nodes, lines } => {
            let record = instance.records.get(game).ok_or("there is no such game")?.clone();
            let evaluation = std::sync::Arc::clone(instance.session.evaluation());
            let analysis =
                Analysis::new(name, record, nodes.max(1), lines.clamp(1, 16), evaluation);
            let positions = analysis.positions();
            instance.analysis = Some(analysis);
            Ok(json!({ "positions": positions }))
        }
        Request::Advance => {
            let analysis = instance.analysis.as_mut().ok_or("no analysis was begun")?;
            let all = analysis.positions();
            let more = analysis.advance(&mut |done| {
                tell(Output::Progress, &json!({ "done": done, "of": all }).to_string());
            })?;
            Ok(json!({ "more": more }))
        }
        Request::Report => {
            let analysis = instance.analysis.as_ref().ok_or("no analysis was begun")?;
            Ok(json!({ "html": analysis.report()?, "kif": analysis.kif() }))
        }
    }
}

/// Sends an answer.
pub fn answer(answer: Result<Value, String>, tell: &mut dyn FnMut(Output, &str)) {
    let answer = match answer {
        Ok(value) => json!({ "ok": value }),
        Err(error) => json!({ "error": error }),
    };
    tell(Output::Answer, &answer.to_string());
}

fn read(text: &str) -> Result<Position, String> {
    let text = text.strip_prefix("position ").unwrap_or(text);
    position_text::read(text).map_err(|error| error.to_string())
}

fn names_from(position: &Position, moves: &[PackedMove]) -> Vec<String> {
    let mut legal = Vec::new();
    let mut walk = position.clone();
    for &mv in moves {
        if !walk.is_legal(mv) {
            break;
        }
        walk.do_move(mv);
        legal.push(mv);
    }
    let mut partial = position.to_partial();
    // The square of the last move is written as 同.
    if let Some(last) = position.last_move() {
        let mut before = position.clone();
        before.undo_move();
        partial = before.to_partial();
        let _ = partial.make_move(last.to_core(before.side_to_move()));
    }
    names(position, &partial, &legal)
}

fn describe(position: &Position) -> Result<Value, String> {
    let legal: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    let over = if legal.is_empty() {
        Some("mate")
    } else {
        match position.repeated(4) {
            Some(Repetition::Win | Repetition::Superior) => Some("perpetual-won"),
            Some(Repetition::Lose | Repetition::Inferior) => Some("perpetual-lost"),
            Some(Repetition::Draw) => Some("repetition"),
            None => None,
        }
    };
    Ok(json!({
        "sfen": position.to_sfen(),
        "turn": if position.side_to_move() == Color::Black { "b" } else { "w" },
        "ply": position.ply(),
        "check": position.in_check(),
        "last": position.last_move().map(|mv| mv.to_string()),
        "declaration": position.declaration(EnteringKingRule::Csa27).is_some(),
        "over": over,
        "legal": legal,
    }))
}

/// The games of a file.
pub fn games(records: &[Record]) -> Value {
    let game = |record: &Record| {
        let moves: Vec<String> = record.moves.iter().map(|played| played.mv.to_string()).collect();
        let start = record.start.to_sfen();
        json!({
            "players": record.players(),
            "event": record.header("棋戦"),
            "date": record.header("開始日時"),
            "handicap": handicap_name(&record.start),
            "start": start,
            "moves": moves,
            "ending": record.closing.as_deref().or(record.ending.as_ref().map(Ending::kif)),
            "faults": record.faults.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    };
    records.iter().map(game).collect()
}
