//! JSON Kifu Format.

use crate::board::handicap_name;
use crate::ending::Ending;
use crate::jkf::PRESETS;
use crate::notation::{csa_letters, official};
use crate::record::{Played, Record};
use crate::write::csa::word;
use crate::write::{lines, to_move};
use monomi_movegen::Position;
use monomi_movegen::square::{HAND_KINDS, promoted};
use serde_json::{Map, Value, json};
use shogi_core::{Color, PartialPosition, Square};

/// A record as JSON Kifu Format.
pub fn jkf(record: &Record) -> String {
    format!("{}\n", to_json(record))
}

/// A record as a JSON object.
pub fn to_json(record: &Record) -> Value {
    let header: Map<String, Value> =
        record.headers.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    let mut first = Map::new();
    comments(&mut first, &record.comments);
    let mut moves = vec![Value::Object(first)];
    let tree = Lines::new(record);
    moves.extend(tree.line(0));
    json!({ "header": header, "initial": initial(&record.start), "moves": moves })
}

/// A line of the game: where it begins, its moves, its end.
struct Line<'a> {
    /// The line that it leaves; `None` for the main line.
    parent: Option<usize>,
    before: usize,
    moves: &'a [Played],
    ending: Option<&'a Ending>,
    ending_seconds: Option<u32>,
}

/// The main line, and the variations in the order of the record.
struct Lines<'a> {
    record: &'a Record,
    all: Vec<Line<'a>>,
}

impl<'a> Lines<'a> {
    fn new(record: &'a Record) -> Self {
        let mut all = vec![Line {
            parent: None,
            before: 0,
            moves: &record.moves,
            ending: record.ending.as_ref(),
            ending_seconds: record.ending_seconds,
        }];
        // A variation leaves the latest line before it that reaches its first move.
        for branch in &record.branches {
            let reaches = |line: &Line<'_>| line.before + line.moves.len() >= branch.before;
            let begins = |line: &Line<'_>| line.before <= branch.before;
            let mut parent = all.len() - 1;
            while !(begins(&all[parent]) && reaches(&all[parent])) {
                match all[parent].parent {
                    Some(above) => parent = above,
                    None => break,
                }
            }
            all.push(Line {
                parent: Some(parent),
                before: branch.before,
                moves: &branch.moves,
                ending: branch.ending.as_ref(),
                ending_seconds: branch.ending_seconds,
            });
        }
        Self { record, all }
    }

    /// The moves from the start of the game to the first move of a line.
    fn path(&self, index: usize) -> Vec<&'a Played> {
        let line = &self.all[index];
        let Some(parent) = line.parent else { return Vec::new() };
        let mut path = self.path(parent);
        path.extend(&self.all[parent].moves[..line.before - self.all[parent].before]);
        path
    }

    /// The moves of a line, its end, and the variations that leave it.
    fn line(&self, index: usize) -> Vec<Value> {
        let line = &self.all[index];
        let mut position = self.record.start.clone();
        let mut partial = position.to_partial();
        let mut totals = [0_u64; 2];
        let mut ply = 0;
        for played in self.path(index) {
            totals[ply % 2] += u64::from(played.seconds.unwrap_or(0));
            step(&mut position, &mut partial, played);
            ply += 1;
        }
        let mut items = Vec::new();
        for played in line.moves {
            let mut item = Map::new();
            item.insert("move".to_owned(), a_move(&position, &partial, played));
            time(&mut item, played.seconds, &mut totals[ply % 2]);
            comments(&mut item, &played.comments);
            self.forks(index, ply, &mut item);
            items.push(Value::Object(item));
            step(&mut position, &mut partial, played);
            ply += 1;
        }
        let mut end = Map::new();
        if let Some(ending) = line.ending {
            let special = match ending {
                Ending::Other(word) => word.clone(),
                _ => word(ending, to_move(self.record, ply)),
            };
            end.insert("special".to_owned(), json!(special));
            time(&mut end, line.ending_seconds, &mut totals[ply % 2]);
        }
        self.forks(index, ply, &mut end);
        if !end.is_empty() {
            items.push(Value::Object(end));
        }
        items
    }

    /// The variations of the move after `before` moves of the game.
    fn forks(&self, index: usize, before: usize, item: &mut Map<String, Value>) {
        let leaves = |line: &Line<'_>| line.parent == Some(index) && line.before == before;
        let here = (0..self.all.len()).filter(|&at| leaves(&self.all[at]));
        let forks: Vec<Value> = here.map(|at| Value::Array(self.line(at))).collect();
        if !forks.is_empty() {
            item.insert("forks".to_owned(), Value::Array(forks));
        }
    }
}

fn step(position: &mut Position, partial: &mut PartialPosition, played: &Played) {
    // The moves of a record are legal.
    let _ = partial.make_move(played.mv.to_core(position.side_to_move()));
    position.do_move(played.mv);
}

fn comments(item: &mut Map<String, Value>, comments: &[String]) {
    let all: Vec<&str> = comments.iter().flat_map(|comment| lines(comment)).collect();
    if !all.is_empty() {
        item.insert("comments".to_owned(), json!(all));
    }
}

fn time(item: &mut Map<String, Value>, seconds: Option<u32>, total: &mut u64) {
    let Some(seconds) = seconds.map(u64::from) else { return };
    *total += seconds;
    let parts = |time: u64| json!({ "h": time / 3600, "m": time / 60 % 60, "s": time % 60 });
    item.insert("time".to_owned(), json!({ "now": parts(seconds), "total": parts(*total) }));
}

fn color(color: Color) -> u8 {
    u8::from(color == Color::White)
}

fn place(square: Square) -> Value {
    json!({ "x": square.file(), "y": square.rank() })
}

fn a_move(position: &Position, partial: &PartialPosition, played: &Played) -> Value {
    let (mv, us) = (played.mv, position.side_to_move());
    let kind = position.moving_kind(mv);
    let mut item = Map::new();
    item.insert("color".to_owned(), json!(color(us)));
    item.insert("to".to_owned(), place(mv.to()));
    item.insert("piece".to_owned(), json!(csa_letters(kind)));
    if let Some(from) = mv.from_square() {
        item.insert("from".to_owned(), place(from));
        if position.last_move().is_some_and(|last| last.to() == mv.to()) {
            item.insert("same".to_owned(), json!(true));
        }
        let third = |square: Square| match us {
            Color::Black => square.rank() <= 3,
            Color::White => square.rank() >= 7,
        };
        if promoted(kind) != kind && (third(from) || third(mv.to())) {
            item.insert("promote".to_owned(), json!(mv.is_promotion()));
        }
        if let Some(captured) = position.piece_at(mv.to()) {
            item.insert("capture".to_owned(), json!(csa_letters(captured.piece_kind())));
        }
    }
    let name = official(position, partial, mv).unwrap_or_default();
    let letters = |c: char| match c {
        '左' => Some('L'),
        '直' => Some('C'),
        '右' => Some('R'),
        '上' => Some('U'),
        '寄' => Some('M'),
        '引' => Some('D'),
        '打' => Some('H'),
        _ => None,
    };
    let relative: String = name.chars().filter_map(letters).collect();
    if !relative.is_empty() {
        item.insert("relative".to_owned(), json!(relative));
    }
    Value::Object(item)
}

fn initial(start: &Position) -> Value {
    let preset = handicap_name(start)
        .and_then(|name| PRESETS.iter().find(|(_, known)| *known == name))
        .map(|(preset, _)| *preset);
    if let Some(preset) = preset {
        return json!({ "preset": preset });
    }
    let square =
        |file, rank| match Square::new(file, rank).and_then(|square| start.piece_at(square)) {
            Some(piece) => {
                json!({ "color": color(piece.color()), "kind": csa_letters(piece.piece_kind()) })
            }
            None => json!({}),
        };
    let board: Vec<Vec<Value>> =
        (1..=9).map(|file| (1..=9).map(|rank| square(file, rank)).collect()).collect();
    let hand = |side| {
        let held = HAND_KINDS.map(|kind| (kind, start.hand_count(side, kind)));
        let held = held.into_iter().filter(|(_, count)| *count > 0);
        held.map(|(kind, count)| (csa_letters(kind).to_owned(), json!(count)))
            .collect::<Map<String, Value>>()
    };
    let hands = [hand(Color::Black), hand(Color::White)];
    let data = json!({ "color": color(start.side_to_move()), "board": board, "hands": hands });
    json!({ "preset": "OTHER", "data": data })
}
