//! CSA's format, versions 1 to 3 (<http://www2.computer-shogi.org/protocol/record_v22.html>,
//! <http://www2.computer-shogi.org/protocol/record_v3.html>).

use crate::board::{HANDICAPS, all_left, from_partial};
use crate::build::Builder;
use crate::ending::Ending;
use crate::fault::{Fault, ReadError, Reason};
use crate::format::Format;
use crate::notation::{csa_letters, csa_piece, digit};
use crate::record::Record;
use monomi_movegen::square::{HAND_KINDS, unpromoted};
use monomi_movegen::{PackedMove, Position};
use shogi_core::{Color, PartialPosition, Piece, PieceKind, Square};
use std::fmt::Write as _;

/// CSA headers and the KIF headers they correspond to.
pub const HEADERS: [(&str, &str); 6] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("TIME_LIMIT", "持ち時間"),
    ("OPENING", "戦型"),
];

/// Reads the games of a file, or the position of a CSA server's game summary.
///
/// # Errors
/// No game begins.
pub fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let mut records = Vec::new();
    let mut fault = None;
    let mut game = Game::new();
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim_end();
        if line == "/" {
            let over = std::mem::replace(&mut game, Game::new());
            over.finish(&mut records, &mut fault);
            continue;
        }
        // Files of several games often lack the separator.
        if game.ends_before(line) {
            let over = std::mem::replace(&mut game, Game::new());
            over.finish(&mut records, &mut fault);
        }
        // A line may hold several statements separated by commas (tabs in Shogi Wars); a comment takes the
        // whole line.
        let statements = if line.starts_with(['\'', '$', 'N']) {
            vec![line]
        } else if line.starts_with('P') {
            // The squares of a row may have tabs between them.
            line.split(',').collect()
        } else {
            line.split([',', '\t']).collect()
        };
        for statement in statements {
            game.statement(number, statement);
        }
    }
    game.finish(&mut records, &mut fault);
    match fault {
        Some(fault) if records.is_empty() => Err(ReadError::Fault(fault)),
        _ if records.is_empty() => Err(ReadError::NoRecord),
        _ => Ok(records),
    }
}

/// The side and its rating, from a comment of floodgate: `black_rate:NAME:3204.0`.
fn rating(comment: &str) -> Option<(usize, i32)> {
    let black = comment.strip_prefix("black_rate:");
    let side = usize::from(black.is_none());
    let (_, number) = black.or(comment.strip_prefix("white_rate:"))?.rsplit_once(':')?;
    let number: f64 = number.trim().parse().ok()?;
    Some((side, number.round() as i32))
}

struct Game {
    headers: Vec<(String, String)>,
    ratings: [Option<i32>; 2],
    comments: Vec<String>,
    /// A win or loss by default, which a comment states.
    by_default: Option<Ending>,
    faults: Vec<Fault>,
    setup: PartialPosition,
    has_board: bool,
    side: Option<Color>,
    builder: Option<Builder>,
    seen: bool,
    /// The time that the sides had left after their last moves (Shogi Wars).
    left: [Option<u32>; 2],
}

impl Game {
    fn new() -> Self {
        Self {
            headers: Vec::new(),
            ratings: [None; 2],
            comments: Vec::new(),
            by_default: None,
            faults: Vec::new(),
            setup: PartialPosition::empty(),
            has_board: false,
            side: None,
            builder: None,
            seen: false,
            left: [None; 2],
        }
    }

    /// Whether a line begins another game.
    fn ends_before(&self, line: &str) -> bool {
        let Some(builder) = &self.builder else { return false };
        let head = ["N+", "N-", "PI", "P1", "$EVENT"].iter().any(|start| line.starts_with(start));
        is_version(line) || builder.is_ended() && head
    }

    fn finish(mut self, records: &mut Vec<Record>, fault: &mut Option<Fault>) {
        if !self.seen {
            return;
        }
        let ratings = self.ratings;
        match self.start(0) {
            Ok(builder) => {
                builder.record().ratings = ratings;
                records.extend(self.builder.map(Builder::finish));
            }
            Err(error) => {
                // A later game without a valid start is reported with the game before it.
                match records.last_mut() {
                    Some(record) => record.faults.push(error),
                    None => *fault = Some(error),
                }
            }
        }
    }

    fn start(&mut self, line: usize) -> Result<&mut Builder, Fault> {
        if self.builder.is_none() {
            if let Some(fault) = self.faults.first() {
                return Err(fault.clone());
            }
            let position = if self.has_board {
                self.setup.side_to_move_set(self.side.unwrap_or(Color::Black));
                from_partial(&self.setup)
            } else {
                let even = HANDICAPS[0].1;
                let turned = even.replace(" b ", " w ");
                Position::from_sfen(if self.side == Some(Color::White) { &turned } else { even })
            };
            let position = position.map_err(|error| {
                let text = "the starting position".to_owned();
                Fault { line, ply: None, text, reason: error.into() }
            })?;
            let mut builder = Builder::new(Format::Csa, position);
            builder.record().headers = std::mem::take(&mut self.headers);
            builder.record().comments = std::mem::take(&mut self.comments);
            self.builder = Some(builder);
        }
        let unreachable =
            || Fault { line, ply: None, text: String::new(), reason: Reason::NotACsaStatement };
        self.builder.as_mut().ok_or_else(unreachable)
    }

    fn statement(&mut self, number: usize, text: &str) {
        if let Some(comment) = text.strip_prefix('\'') {
            // Only `'*` comments are meant for people.
            if let Some(comment) = comment.strip_prefix('*') {
                match &mut self.builder {
                    Some(builder) => builder.comment(comment),
                    None => self.comments.push(comment.to_owned()),
                }
            } else if let Some((side, rating)) = rating(comment) {
                self.ratings[side] = Some(rating);
            } else if let Some(result) = comment.strip_prefix("結果：") {
                // CSA has no word for these; Monomi writes them beside `%CHUDAN`.
                let known = ["不戦勝", "不戦敗"].iter().find(|word| result.starts_with(**word));
                self.by_default = known.map(|word| Ending::Other((*word).to_owned()));
            }
            return;
        }
        let text = text.trim_start();
        self.seen |= !text.is_empty();
        let begun = self.builder.is_some();
        let result = match text.as_bytes() {
            [] => Ok(()),
            // Neither a version nor a board belongs between moves.
            [b'V' | b'P', ..] | [b'+' | b'-'] if begun => Err(Reason::NotACsaStatement),
            [b'N', b'+' | b'-', ..] if begun => Err(Reason::NotACsaStatement),
            [b'$', ..] if begun && !text.contains(':') => Err(Reason::NotACsaStatement),
            [b'V', ..] => Ok(()),
            [b'N', b'+', ..] => self.header("先手", &text[2..]),
            [b'N', b'-', ..] => self.header("後手", &text[2..]),
            [b'$', ..] => {
                let (key, value) = text[1..].split_once(':').unwrap_or((&text[1..], ""));
                let known = HEADERS.iter().find(|(csa, _)| *csa == key);
                self.header(known.map_or(key, |(_, kif)| kif), value)
            }
            [b'P', b'I', ..] => self.even(&text[2..]),
            [b'P', b'+' | b'-', ..] => self.pieces(&text[1..]),
            [b'P', b'1'..=b'9', ..] => self.row(&text[1..]),
            [b'+' | b'-'] => {
                self.side = Some(side(text));
                Ok(())
            }
            [b'+' | b'-', ..] => return self.a_move(number, text),
            // Every word has letters: digits are those of a damaged move.
            [b'%', rest @ ..] if !rest.iter().any(u8::is_ascii_digit) => {
                return self.end(number, &text[1..]);
            }
            // No move looks like a time, so that a damaged time loses nothing but itself.
            [b'T', rest @ ..] if !rest.iter().any(u8::is_ascii_uppercase) => {
                let time = text[1..].trim();
                let end = time.find(|c: char| !c.is_ascii_digit()).unwrap_or(time.len());
                let (whole, after) = time.split_at(end);
                // `T00:05` is not a number of seconds.
                let known = whole.parse().ok().filter(|_| !after.contains(':'));
                if let (Some(seconds), Some(builder)) = (known, &mut self.builder) {
                    builder.seconds(seconds);
                }
                Ok(())
            }
            [b'L', rest @ ..] if begun && rest.iter().all(u8::is_ascii_digit) => {
                self.time_left(text[1..].parse().ok());
                Ok(())
            }
            _ => match wars_ending(text) {
                Some(ending) => {
                    return self.end_with(number, |builder| builder.end(number, ending));
                }
                None => Err(Reason::NotACsaStatement),
            },
        };
        if let Err(reason) = result {
            match &mut self.builder {
                Some(builder) => builder.broken(number, text, reason),
                None => {
                    let text = text.to_owned();
                    self.faults.push(Fault { line: number, ply: None, text, reason });
                }
            }
        }
    }

    /// `L599`: the seconds that the side has left after its move. The first move's time stays unknown.
    fn time_left(&mut self, left: Option<u32>) {
        let Some(builder) = &mut self.builder else { return };
        let former = &mut self.left[builder.position().side_to_move() as usize - 1];
        if let (Some(before), Some(left)) = (*former, left) {
            builder.seconds(before.saturating_sub(left));
        }
        *former = left;
    }

    fn header(&mut self, key: &str, value: &str) -> Result<(), Reason> {
        let value = value.trim().to_owned();
        let headers = match &mut self.builder {
            Some(builder) => &mut builder.record().headers,
            None => &mut self.headers,
        };
        headers.push((key.to_owned(), value));
        Ok(())
    }

    /// `PI82HI22KA`: the normal starting position without these pieces.
    fn even(&mut self, without: &str) -> Result<(), Reason> {
        self.has_board = true;
        self.setup = PartialPosition::startpos();
        for item in chunks(without, 4)? {
            let square = square(item).ok_or(Reason::InvalidSquare)?;
            self.setup.piece_set(square, None);
        }
        Ok(())
    }

    /// `P1-KY-KE * +HI...`.
    fn row(&mut self, text: &str) -> Result<(), Reason> {
        self.has_board = true;
        let rank = text.chars().next().and_then(digit).ok_or(Reason::InvalidRank)?;
        let row = text.get(1..).unwrap_or_default();
        if let Some(items) = row_of_nine(row) {
            for (item, file) in items.iter().zip((1..=9).rev()) {
                let Some(letters) = item else { continue };
                let kind = csa_piece(&letters[1..]).ok_or(Reason::UnknownPiece(None))?;
                let square = Square::new(file, rank).ok_or(Reason::InvalidSquare)?;
                self.setup.piece_set(square, Some(Piece::new(kind, side(letters))));
            }
            return Ok(());
        }
        for (index, file) in (1..=9).rev().enumerate() {
            // Editors strip trailing blanks.
            let item = row.get(index * 3..(index * 3 + 3).min(row.len())).unwrap_or_default();
            let item = item.trim();
            if item.is_empty() || item == "*" {
                continue;
            }
            let kind = item.get(1..).and_then(csa_piece).ok_or(Reason::UnknownPiece(None))?;
            let square = Square::new(file, rank).ok_or(Reason::InvalidSquare)?;
            self.setup.piece_set(square, Some(Piece::new(kind, side(item))));
        }
        Ok(())
    }

    /// `+63FU00KI`, `-00AL`: single pieces; 00 is the hand, AL all remaining pieces.
    fn pieces(&mut self, text: &str) -> Result<(), Reason> {
        self.has_board = true;
        let color = side(text);
        for item in chunks(&text[1..], 4)? {
            let letters = &item[2..];
            if letters == "AL" {
                all_left(&mut self.setup, color);
                continue;
            }
            let kind = csa_piece(letters).ok_or(Reason::UnknownPiece(None))?;
            if &item[..2] == "00" {
                let hand = self.setup.hand_of_a_player_mut(color);
                *hand = hand.added(kind).ok_or(Reason::NotHoldable)?;
            } else {
                let square = square(item).ok_or(Reason::InvalidSquare)?;
                self.setup.piece_set(square, Some(Piece::new(kind, color)));
            }
        }
        Ok(())
    }

    fn a_move(&mut self, number: usize, text: &str) {
        let mover = side(text);
        match self.start(number) {
            Err(fault) => {
                if self.faults.is_empty() {
                    self.faults.push(fault);
                }
            }
            Ok(builder) => {
                let mv = if builder.position().side_to_move() == mover {
                    parse(builder.position(), text)
                } else {
                    Err(Reason::OtherSidesTurn)
                };
                builder.push(number, text, mv);
            }
        }
    }

    fn end(&mut self, number: usize, word: &str) {
        if word.trim().eq_ignore_ascii_case("CHUDAN")
            && let Some(ending) = self.by_default.take()
        {
            return self.end_with(number, |builder| builder.end(number, ending));
        }
        self.end_with(number, |builder| end(builder, number, word.trim()));
    }

    fn end_with(&mut self, number: usize, end: impl FnOnce(&mut Builder)) {
        match self.start(number) {
            Ok(builder) => end(builder),
            Err(fault) => {
                if self.faults.is_empty() {
                    self.faults.push(fault);
                }
            }
        }
    }
}

/// Ends a line with a word of CSA. `+ILLEGAL_ACTION`: that side broke the rules.
pub fn end(builder: &mut Builder, number: usize, word: &str) {
    match word.to_ascii_uppercase().as_str() {
        "+ILLEGAL_ACTION" | "-ILLEGAL_ACTION" => builder.end_by_foul(number, side(word)),
        "ILLEGAL_ACTION" => builder.end(number, Ending::IllegalMove),
        _ => builder.end(number, Ending::from_csa(word)),
    }
}

/// The results of Shogi Wars: `SENTE_WIN_TORYO`, `DRAW_SENNICHI`.
fn wars_ending(word: &str) -> Option<Ending> {
    let how = ["SENTE_WIN_", "GOTE_WIN_", "DRAW_"].iter().find_map(|who| word.strip_prefix(who))?;
    Some(match how {
        "TORYO" => Ending::Resign,
        "CHECKMATE" => Ending::Mate,
        "TIMEOUT" => Ending::TimeUp,
        "ENTERINGKING" => Ending::Declaration,
        "DISCONNECT" => Ending::Other("切断".to_owned()),
        "SENNICHI" => Ending::Repetition,
        _ => Ending::Other(word.to_owned()),
    })
}

/// `V2.2`.
fn is_version(line: &str) -> bool {
    matches!(line.as_bytes(), [b'V', b'1'..=b'3', ..]) && line.len() <= 5
}

/// The squares of a row, where it names all nine with any blanks between them; `None` for an empty square.
fn row_of_nine(row: &str) -> Option<Vec<Option<&str>>> {
    let mut items = Vec::new();
    let mut rest = row.trim();
    while !rest.is_empty() {
        let width = if rest.starts_with('*') { 1 } else { 3 };
        let item = rest.get(..width).filter(|item| item.starts_with(['*', '+', '-']))?;
        items.push((width == 3).then_some(item));
        rest = rest[width..].trim_start();
    }
    (items.len() == 9).then_some(items)
}

fn side(text: &str) -> Color {
    if text.starts_with('-') { Color::White } else { Color::Black }
}

fn square(text: &str) -> Option<Square> {
    let mut chars = text.chars();
    let file = chars.next().and_then(digit)?;
    let rank = chars.next().and_then(digit)?;
    Square::new(file, rank)
}

/// Splits ASCII text into items of `width` bytes, with or without blanks between them.
fn chunks(text: &str, width: usize) -> Result<Vec<&str>, Reason> {
    let mut items = Vec::new();
    for word in text.split_ascii_whitespace() {
        if !word.is_ascii() || !word.len().is_multiple_of(width) {
            return Err(Reason::NotPiecesOnSquares);
        }
        items.extend((0..word.len()).step_by(width).map(|at| &word[at..at + width]));
    }
    Ok(items)
}

/// Reads `+7776FU` in a position. The side and the legality are not checked.
///
/// # Errors
/// What is wrong with the text.
pub fn parse(position: &Position, text: &str) -> Result<PackedMove, Reason> {
    let text = text.trim_end();
    if text.len() < 7 || !text.is_ascii() {
        return Err(Reason::NotACsaMove);
    }
    let kind = csa_piece(&text[5..7]).ok_or(Reason::UnknownPiece(None))?;
    let to = square(&text[3..5]).ok_or(Reason::MissingDestination)?;
    if &text[1..3] == "00" {
        let holdable = unpromoted(kind) == kind && kind != PieceKind::King;
        return if holdable { Ok(PackedMove::drop(kind, to)) } else { Err(Reason::NotDroppable) };
    }
    let from = square(&text[1..3]).ok_or(Reason::MissingOrigin)?;
    let moving = position.piece_at(from).ok_or(Reason::EmptyOrigin)?.piece_kind();
    if from == to {
        return Err(Reason::OriginIsDestination);
    }
    if moving == kind {
        Ok(PackedMove::normal(from, to, false))
    } else if unpromoted(kind) == moving {
        Ok(PackedMove::normal(from, to, true))
    } else {
        Err(Reason::AnotherPiece)
    }
}

/// A position in CSA: the rows, the hands and the side to move, one per line.
pub fn board(position: &Position) -> String {
    let mut text = String::new();
    for rank in 1..=9 {
        let _ = write!(text, "P{rank}");
        for file in (1..=9).rev() {
            let piece = Square::new(file, rank).and_then(|square| position.piece_at(square));
            match piece {
                None => text.push_str(" * "),
                Some(piece) => {
                    text.push(sign(piece.color()));
                    text.push_str(csa_letters(piece.piece_kind()));
                }
            }
        }
        text.push('\n');
    }
    for color in Color::all() {
        let held: String = HAND_KINDS
            .into_iter()
            .flat_map(|kind| (0..position.hand_count(color, kind)).map(move |_| kind))
            .map(|kind| format!("00{}", csa_letters(kind)))
            .collect();
        if !held.is_empty() {
            let _ = writeln!(text, "P{}{held}", sign(color));
        }
    }
    let _ = writeln!(text, "{}", sign(position.side_to_move()));
    text
}

fn sign(color: Color) -> char {
    if color == Color::Black { '+' } else { '-' }
}
