//! JSON Kifu Format (<https://github.com/na2hiro/json-kifu-format>). Accepts moves with or without
//! their origin, and a preset or a board as the starting position.

use crate::board::{HANDICAPS, from_partial};
use crate::build::Builder;
use crate::csa;
use crate::ending::Ending;
use crate::fault::{Fault, ReadError, Reason};
use crate::format::Format;
use crate::notation::{Written, csa_piece};
use crate::record::Record;
use monomi_movegen::Position;
use serde_json::Value;
use shogi_core::{Color, PartialPosition, Piece, Square};

/// Presets and the Japanese names of their handicaps.
pub const PRESETS: [(&str, &str); 16] = [
    ("HIRATE", "平手"),
    ("KY", "香落ち"),
    ("KY_R", "右香落ち"),
    ("KA", "角落ち"),
    ("HI", "飛車落ち"),
    ("HIKY", "飛香落ち"),
    ("2", "二枚落ち"),
    ("3", "三枚落ち"),
    ("4", "四枚落ち"),
    ("5", "五枚落ち"),
    ("5_L", "左五枚落ち"),
    ("6", "六枚落ち"),
    ("7_L", "左七枚落ち"),
    ("7_R", "右七枚落ち"),
    ("8", "八枚落ち"),
    ("10", "十枚落ち"),
];

/// Variations nested deeper than this are ignored.
const MAX_NESTING: usize = 100;

pub fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let json: Value = serde_json::from_str(text)
        .map_err(|error| broken(error.line(), Reason::Json(error.to_string())))?;
    Ok(vec![from_json(&json)?])
}

fn broken(line: usize, reason: Reason) -> ReadError {
    ReadError::Fault(Fault::new(line, "JSON", reason))
}

/// The record of a JSON object.
pub fn from_json(json: &Value) -> Result<Record, ReadError> {
    let moves = json.get("moves").and_then(Value::as_array).ok_or(ReadError::NoRecord)?;
    let position = start(json.get("initial")).map_err(|reason| broken(0, reason))?;
    let mut builder = Builder::new(Format::Jkf, position);
    if let Some(headers) = json.get("header").and_then(Value::as_object) {
        let pairs = headers.iter().filter_map(|(k, v)| Some((k.clone(), v.as_str()?.to_owned())));
        builder.record().headers = pairs.collect();
    }
    line(&mut builder, moves, true);
    let mut later = Vec::new();
    forks(moves, 0, 0, &mut later);
    for (before, moves) in later {
        builder.branch(0, "forks", before);
        line(&mut builder, moves, false);
    }
    Ok(builder.finish())
}

/// Collects the variations of a line whose first item is before move `base + 1`, last one first.
/// KIF lists them in this order, so that each variation branches off the right line.
fn forks<'a>(
    moves: &'a [Value],
    base: usize,
    nesting: usize,
    later: &mut Vec<(usize, &'a [Value])>,
) {
    if nesting > MAX_NESTING {
        return;
    }
    // The first item of a game is the starting position, not a move.
    let first = usize::from(nesting == 0 && moves.first().is_some_and(|m| m.get("move").is_none()));
    for (index, item) in moves.iter().enumerate().rev() {
        let lines = item.get("forks").and_then(Value::as_array).into_iter().flatten();
        for fork in lines.filter_map(Value::as_array) {
            let before = (base + index).saturating_sub(first);
            later.push((before, fork));
            forks(fork, before, nesting + 1, later);
        }
    }
}

fn line(builder: &mut Builder, moves: &[Value], is_main: bool) {
    for (item, index) in moves.iter().zip(0..) {
        let special = item.get("special").and_then(Value::as_str);
        let is_start = index == 0 && is_main;
        let is_empty = item.as_object().is_some_and(serde_json::Map::is_empty);
        let mv = item.get("move").filter(|mv| !mv.is_null());
        if mv.is_none() && special.is_none() && !is_start && !(is_empty && index + 1 == moves.len())
        {
            // Something that should be a move.
            builder.broken(0, &item.to_string(), Reason::NotAMove);
        }
        if let Some(mv) = mv {
            let text = mv.to_string();
            let color = mv.get("color").and_then(Value::as_u64).map(color);
            let turn = builder.position().side_to_move();
            match written(mv, builder.last_to()) {
                _ if color.is_some_and(|color| color != turn) && !builder.is_closed() => {
                    builder.broken(0, &text, Reason::OtherSidesTurn);
                }
                Ok(written) => builder.push_written(0, &text, &written),
                Err(_) if builder.is_closed() => builder.beyond(0, &text),
                Err(reason) => builder.broken(0, &text, reason),
            }
            if let Some(seconds) = seconds(item) {
                builder.seconds(seconds);
            }
        }
        for comment in item.get("comments").and_then(Value::as_array).into_iter().flatten() {
            if let Some(comment) = comment.as_str() {
                builder.comment(comment);
            }
        }
        if let Some(special) = special {
            let word = special.trim_start_matches('%');
            match Ending::from_kif(word) {
                Some(ending) => builder.end(0, ending),
                None => csa::end(builder, 0, word),
            }
            if let Some(seconds) = seconds(item) {
                builder.seconds(seconds);
            }
        }
    }
}

/// The time used for an item, in seconds.
fn seconds(item: &Value) -> Option<u32> {
    let now = item.get("time")?.get("now")?;
    // Fractions of a second are dropped.
    let number = |value: &Value| value.as_f64().or_else(|| value.as_str()?.trim().parse().ok());
    let part = |key| now.get(key).and_then(number).unwrap_or(0.0).max(0.0) as u64;
    let minutes = part("h").saturating_mul(60).saturating_add(part("m"));
    let seconds = minutes.saturating_mul(60).saturating_add(part("s"));
    Some(u32::try_from(seconds).unwrap_or(u32::MAX))
}

fn color(number: u64) -> Color {
    if number == 1 { Color::White } else { Color::Black }
}

fn square(value: Option<&Value>) -> Option<Square> {
    let part = |key| value?.get(key)?.as_u64().and_then(|n| u8::try_from(n).ok());
    Square::new(part("x")?, part("y")?)
}

fn written(mv: &Value, last: Option<Square>) -> Result<Written<'_>, Reason> {
    let same = mv.get("same").and_then(Value::as_bool) == Some(true);
    let to = square(mv.get("to")).or(last.filter(|_| same)).ok_or(Reason::MissingDestination)?;
    let letters = mv.get("piece").and_then(Value::as_str).unwrap_or_default();
    let kind = csa_piece(letters).ok_or(Reason::MissingPiece)?;
    let relative = mv.get("relative").and_then(Value::as_str).unwrap_or_default();
    let from = square(mv.get("from"));
    Ok(Written {
        kind,
        to,
        promote: mv.get("promote").and_then(Value::as_bool),
        drop: relative == "H" && from.is_none(),
        from,
        relative: match relative {
            "L" => "左",
            "C" => "直",
            "R" => "右",
            "U" => "上",
            "M" => "寄",
            "D" => "引",
            "LU" => "左上",
            "LM" => "左寄",
            "LD" => "左引",
            "RU" => "右上",
            "RM" => "右寄",
            "RD" => "右引",
            _ => "",
        },
    })
}

fn start(initial: Option<&Value>) -> Result<Position, Reason> {
    let Some(initial) = initial.filter(|initial| !initial.is_null()) else {
        return Ok(Position::startpos());
    };
    let preset = initial.get("preset").and_then(Value::as_str).unwrap_or("OTHER");
    if preset != "OTHER" {
        let name = PRESETS.iter().find(|(known, _)| *known == preset).map(|(_, name)| *name);
        let sfen = HANDICAPS.iter().find(|(known, _)| Some(*known) == name);
        let (_, sfen) = sfen.ok_or_else(|| Reason::UnknownPreset(preset.to_owned()))?;
        return Position::from_sfen(sfen).map_err(Reason::from);
    }
    let data = initial.get("data").ok_or(Reason::MissingStart)?;
    let mut partial = PartialPosition::empty();
    let side = |value: Option<&Value>| value.and_then(Value::as_u64).map_or(Color::Black, color);
    let files = data.get("board").and_then(Value::as_array).ok_or(Reason::MissingBoard)?;
    for (ranks, file) in files.iter().zip(1..) {
        for (item, rank) in ranks.as_array().into_iter().flatten().zip(1..) {
            let Some(letters) = item.get("kind").and_then(Value::as_str) else { continue };
            let kind =
                csa_piece(letters).ok_or_else(|| Reason::UnknownPiece(Some(letters.to_owned())))?;
            let square = Square::new(file, rank).ok_or(Reason::BoardTooLarge)?;
            partial.piece_set(square, Some(Piece::new(kind, side(item.get("color")))));
        }
    }
    let hands = data.get("hands").and_then(Value::as_array);
    for (hand, color) in hands.into_iter().flatten().zip(Color::all()) {
        for (letters, count) in hand.as_object().into_iter().flatten() {
            let kind =
                csa_piece(letters).ok_or_else(|| Reason::UnknownPiece(Some(letters.to_owned())))?;
            for _ in 0..count.as_u64().unwrap_or(0).min(18) {
                let held = partial.hand_of_a_player_mut(color);
                *held = held.added(kind).ok_or(Reason::NotHoldable)?;
            }
        }
    }
    partial.side_to_move_set(side(data.get("color")));
    from_partial(&partial).map_err(Reason::from)
}
