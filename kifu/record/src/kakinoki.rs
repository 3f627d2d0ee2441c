//! Kakinoki's formats, KIF and KI2 (<http://kakinoki.o.oo7.jp/kif_format.html>): the same headers,
//! comments and variations, but different notations for moves.
//!
//! Other programs write much that the definition does not have. No line that might be a move is passed over
//! in silence: it is read, or the numbers, symbols or closing words show that it was none, or it is a fault.

mod head;

use crate::board::BARS;
use crate::build::Builder;
use crate::ending::Ending;
use crate::fault::{ReadError, Reason};
use crate::format::Format;
use crate::kakinoki_words::{
    begins_like_a_move, brackets, closing_words, ending, ending_in_words, foul_of, has_marked_move,
    header, is_decoration, numbered, one_word, only_moves, time, with_symbol,
};
use crate::notation::{is_blank, leading_number, mark, names_a_move, parse_move};
use crate::record::Record;
use head::Head;
use shogi_core::Color;

pub fn read(text: &str, format: Format) -> Result<Vec<Record>, ReadError> {
    let mut reader = Reader {
        format,
        head: Head::new(),
        builder: None,
        without_start: false,
        first: None,
        numbered: false,
        paired: None,
        unknown: None,
        guess: None,
        games: Vec::new(),
        error: None,
    };
    let mut last = 0;
    for (line, number) in text.lines().zip(1..) {
        reader.line(number, line);
        last = number;
    }
    reader.finish_game(last);
    match reader.error {
        Some(error) if reader.games.is_empty() => Err(error),
        _ if reader.games.is_empty() => Err(ReadError::NoRecord),
        _ => Ok(reader.games),
    }
}

struct Reader {
    format: Format,
    /// Of this game, or of the next one once the moves have begun.
    head: Head,
    /// `None` while reading the headers.
    builder: Option<Builder>,
    /// The game has no valid starting position: its moves are not read.
    without_start: bool,
    /// Number that the file gives to its first move.
    first: Option<usize>,
    /// Moves have numbers, as in KIF.
    numbered: bool,
    /// Whether a number counts two moves.
    paired: Option<bool>,
    /// The last line that is neither a move nor anything else known, since the last move.
    unknown: Option<(usize, String)>,
    /// How the game ended and the time, if the unknown line is its last one.
    guess: Option<(Ending, Option<u32>)>,
    games: Vec<Record>,
    error: Option<ReadError>,
}

impl Reader {
    /// Ends a game at a line; what has been read of the next one stays.
    fn finish_game(&mut self, line: usize) {
        // Nothing follows words such as 以上.
        if self.unknown.as_ref().is_some_and(|(_, text)| ending_in_words(text).is_some())
            && self.guess.is_none()
        {
            self.unknown = None;
        }
        self.settle();
        let began = self.builder.is_some() || self.without_start;
        // Headers after the last game are no game.
        if !began && !self.games.is_empty() && !self.head.setup.has_diagram() {
            return;
        }
        if let Some(builder) = self.start(line) {
            // Nothing was read, but there was something to read.
            if !builder.has_begun()
                && let Some((line, text)) = self.head.suspect.take()
                && let Some(builder) = &mut self.builder
            {
                builder.broken(line, &text, Reason::NotAMove);
            }
        }
        self.games.extend(self.builder.take().map(Builder::finish));
        self.without_start = false;
        self.head.suspect = None;
        (self.first, self.numbered, self.paired) = (None, false, None);
    }

    /// Reports the unknown line if it might be a move that no number or closing words account for.
    fn settle(&mut self) {
        let guess = self.guess.take();
        let Some((line, text)) = self.unknown.take() else { return };
        let Some(builder) = &mut self.builder else { return };
        if builder.is_closed() {
            return;
        }
        if let Some((ending, seconds)) = guess {
            builder.end(line, ending);
            if let Some(seconds) = seconds {
                builder.seconds(seconds);
            }
            return;
        }
        let digits = text.starts_with(|c: char| c.is_numeric());
        if digits || text.starts_with(|c| mark(c).is_some()) || names_a_move(&text) {
            builder.broken(line, &text, Reason::NotAMove);
        } else if !self.numbered && !text.is_ascii() {
            builder.fault(line, Some(builder.ply() + 1), &text, Reason::NotAMove);
        }
    }

    fn line(&mut self, number: usize, line: &str) {
        let bare = line.trim_matches(is_blank);
        if bare.is_empty() || line.starts_with(['#', '＃', '&', '＆']) {
            return;
        }
        if let Some(comment) = bare.strip_prefix(['*', '＊']) {
            return self.comment(number, comment);
        }
        if bare.starts_with("手数---") || bare.starts_with("手数－－－") {
            if self.builder.as_ref().is_some_and(Builder::has_begun) || self.without_start {
                self.finish_game(number);
            }
            return;
        }
        if let Some(rest) = bare.strip_prefix("変化") {
            return self.variation(number, bare, rest);
        }
        if bare.starts_with("まで") {
            return self.closing(number, bare);
        }
        if bare.starts_with(BARS) {
            if self.head.setup.is_complete() {
                self.finish_game(number);
            }
            self.head.seen = true;
            let read = self.head.setup.row(bare);
            return self.head_result(number, bare, read);
        }
        if let Some(diagram) =
            bare.strip_prefix("手数").filter(|rest| rest.starts_with(['＝', '=']))
        {
            // The last move of a diagram: `手数＝31  ▲５二金打  まで`.
            if let Some(color) = diagram.chars().find_map(mark) {
                self.head.setup.side_if_unknown(color.flip());
            }
            return;
        }
        if is_decoration(bare) || self.side_line(bare) {
            return;
        }
        if self.marked_header(number, bare) {
            return;
        }
        if let Some(marked) = with_symbol(bare)
            && self.moves(number, &marked)
        {
            return;
        }
        if self.moves(number, bare) {
            return;
        }
        if let Some((key, value)) = header(bare) {
            return self.pair(number, bare, key, value);
        }
        if self.builder.is_some() {
            self.unknown.get_or_insert_with(|| (number, bare.to_owned()));
        } else if begins_like_a_move(bare) || has_marked_move(bare) {
            self.head.suspect.get_or_insert_with(|| (number, bare.to_owned()));
        }
    }

    fn comment(&mut self, number: usize, comment: &str) {
        match &mut self.builder {
            // How 81Dojo marks an illegal last move.
            Some(builder) if builder.is_broken() && comment.contains("反則手") => {
                builder.end(number, Ending::IllegalMove);
            }
            Some(builder) => builder.comment(comment),
            None => self.head.comments.push(comment.to_owned()),
        }
    }

    fn variation(&mut self, number: usize, line: &str, rest: &str) {
        self.settle();
        let rest = rest.trim_start_matches(|c| is_blank(c) || matches!(c, '：' | ':'));
        let ply = leading_number(rest).map(|(ply, _)| ply);
        let first = self.first.unwrap_or(1);
        let Some(builder) = self.start(number) else { return };
        match ply.and_then(|ply| ply.checked_sub(first)) {
            Some(before) => builder.branch(number, line, before),
            None => builder.fault(number, None, line, Reason::MissingMoveNumber),
        }
        self.paired = None;
    }

    /// `まで123手で先手の勝ち`.
    fn closing(&mut self, number: usize, text: &str) {
        let rest = text.trim_start_matches("まで");
        let rest = rest.trim_start_matches(|c| is_blank(c) || matches!(c, '、' | ','));
        let stated = leading_number(rest).filter(|(_, rest)| rest.starts_with('手'));
        let first = self.first.unwrap_or(1);
        if self.start(number).is_none() {
            return;
        }
        let read = self.builder.as_ref().map_or(0, |builder| builder.ply() + first - 1);
        match stated {
            // The count may include the illegal move that ended the game.
            Some((stated, _)) if stated > read + 1 || (stated > read && self.unknown.is_some()) => {
                let known = self.unknown.take();
                let reason = Reason::MissingMoves { stated, read };
                if let Some(builder) = &mut self.builder {
                    match known {
                        Some((line, text)) => builder.broken(line, &text, reason),
                        None => builder.broken(number, text, reason),
                    }
                }
            }
            Some((stated, _)) if stated == read && self.guess.is_none() => self.unknown = None,
            _ => self.settle(),
        }
        let ending = closing_words(rest);
        if let Some((stated, _)) = stated
            && let Some(builder) = &mut self.builder
            && !builder.is_closed()
            && stated > read
            && !matches!(ending, Some(Ending::FoulWin | Ending::FoulLoss))
        {
            builder.broken(number, text, Reason::MissingMoves { stated, read });
        }
        if let Some(builder) = &mut self.builder {
            builder.closing(number, text);
            match (ending, foul_of(rest)) {
                (Some(Ending::FoulWin | Ending::FoulLoss), Some(loser)) => {
                    builder.end_by_foul(number, loser);
                }
                (Some(ending), _) => builder.end(number, ending),
                (None, _) => {}
            }
        }
    }

    /// Reads the moves of a line, numbered or not: `12 ７六歩(77)   ( 0:16/00:00:16)`, `3 投了`,
    /// `▲７六歩 △３四歩`, `1. ▲７六歩`, `７六歩 ３四歩`. False if it has none.
    fn moves(&mut self, line: usize, bare: &str) -> bool {
        let mut rest = bare;
        let mut count = 0;
        while !rest.is_empty() {
            let number = numbered(rest);
            let text = number.map_or(rest, |(_, text)| text);
            let side = text.chars().next().and_then(mark);
            let text = match side {
                Some(_) => text.trim_start_matches(|c| mark(c).is_some() || is_blank(c)),
                None => text,
            };
            let number = number.map(|(number, _)| number);
            let last = self.builder.as_ref().and_then(Builder::last_to);
            let mv = parse_move(text, last);
            let next = number.is_some_and(|number| self.expects(number)) && side.is_none();
            let in_words = || ending_in_words(text).filter(|_| next && !text.starts_with("パス"));
            let end = match ending(text).or_else(in_words) {
                // Or a remark, or a move that cannot be read: the next line tells.
                Some((Ending::Other(word), after)) if Ending::from_kif(&word).is_none() => {
                    self.unknown = Some((line, bare.to_owned()));
                    self.guess = Some((Ending::Other(word), time(after)));
                    return true;
                }
                end => end,
            };
            if count == 0 {
                // Another game may follow in the other notation.
                let over = self.head.seen && self.builder.as_ref().is_some_and(Builder::is_ended);
                let numbers_tell = self.numbered && number.is_none() && !over;
                let readable = match (number, side) {
                    // A number in prose before the moves or between them.
                    (Some(number), _) => {
                        mv.is_ok()
                            || end.is_some()
                            || self.expects(number)
                            || text.starts_with("パス")
                    }
                    (None, Some(_)) => true,
                    (None, None) => {
                        only_moves(bare, last) || end.is_some() && self.builder.is_some()
                    }
                };
                if numbers_tell && end.is_none() || !readable {
                    return false;
                }
            }
            count += 1;
            if !self.number(line, number, side, bare, end.is_some()) {
                return true;
            }
            let Some(builder) = &mut self.builder else { return true };
            if let Some((ending, after)) = end {
                // Also after a broken move: the ending may explain it.
                builder.end(line, ending);
                if let Some(seconds) = time(after) {
                    builder.seconds(seconds);
                }
                return true;
            }
            let shown = if number.is_some() && count == 1 { bare } else { one_word(rest) };
            let after = match mv {
                _ if text.starts_with("パス") => {
                    builder.broken(line, shown, Reason::Pass);
                    return true;
                }
                Err(reason) => {
                    builder.broken(line, shown, reason);
                    return true;
                }
                Ok((written, after)) => {
                    builder.push_written(line, shown, &written);
                    after
                }
            };
            let (seconds, after) = brackets(after);
            if let Some(seconds) = seconds {
                builder.seconds(seconds);
            }
            rest = self.after_move(line, after, number.is_some());
        }
        count > 0
    }

    /// The text of a line from its next move on.
    fn after_move<'a>(&mut self, line: usize, after: &'a str, number: bool) -> &'a str {
        let after =
            after.trim_start_matches(|c| is_blank(c) || matches!(c, '+' | '、' | '，' | ','));
        if after.is_empty() {
            return after;
        }
        if after.starts_with("まで") {
            self.closing(line, after);
            return "";
        }
        let last = self.builder.as_ref().and_then(Builder::last_to);
        let next = |text: &str| {
            text.starts_with(|c| mark(c).is_some())
                || numbered(text).is_some_and(|(_, text)| {
                    text.starts_with(|c| mark(c).is_some()) || parse_move(text, last).is_ok()
                })
        };
        if next(after) || !number && (parse_move(after, last).is_ok() || ending(after).is_some()) {
            return after;
        }
        // Remarks, as long as they name no move.
        let end = after.find(|c| mark(c).is_some()).unwrap_or(after.len());
        let (remark, more) = after.split_at(end);
        if names_a_move(remark)
            && !number
            && let Some(builder) = &mut self.builder
        {
            builder.broken(line, remark, Reason::NotAMove);
        }
        if number { "" } else { more }
    }

    /// Whether a move of this number comes next.
    fn expects(&self, number: usize) -> bool {
        let first = self.first.unwrap_or(1);
        self.builder.as_ref().is_some_and(|builder| number == builder.ply() + first)
    }

    /// Prepares for a move or an ending with this number and symbol. False if it cannot be played.
    fn number(
        &mut self,
        line: usize,
        number: Option<usize>,
        side: Option<Color>,
        text: &str,
        is_end: bool,
    ) -> bool {
        if let Some(builder) = &self.builder
            && builder.is_ended()
            && (number == Some(1) || number.is_none() && !is_end)
            && builder.ply() > 0
        {
            self.finish_game(line);
        } else if self.head.seen
            && self.builder.as_ref().is_some_and(|builder| builder.ply() > 0 || number == Some(1))
            && (number == Some(1) || number.is_none() && !is_end)
        {
            self.finish_game(line);
        }
        if let Some(color) = side
            && self.builder.is_none()
            && self.head.setup.has_diagram()
        {
            self.head.setup.side_if_unknown(color);
        }
        self.start(line);
        let suspect = self.head.suspect.take();
        let (unknown, guess) = (self.unknown.take(), self.guess.take());
        let Some(builder) = &mut self.builder else { return false };
        self.numbered |= number.is_some() && side.is_none();
        let first = *self.first.get_or_insert(number.unwrap_or(1));
        if let Some((line, text)) = suspect
            && number != Some(1)
        {
            if begins_like_a_move(&text) {
                builder.broken(line, &text, Reason::NotAMove);
            } else {
                // Prose about a move, perhaps.
                builder.fault(line, Some(1), &text, Reason::NotAMove);
            }
        }
        let expected = builder.ply() + first;
        if number.is_some_and(|number| number == expected) && !is_end {
            builder.resume();
        }
        if builder.is_closed() {
            if !is_end {
                builder.beyond(line, text);
            }
            return is_end;
        }
        let in_pairs = |number: usize| {
            builder.ply().is_multiple_of(2) && number == builder.ply() / 2 + 1 && expected > 2
        };
        match number {
            Some(number) if number == expected => {
                if number == 2 {
                    self.paired = Some(false);
                }
            }
            Some(number) if self.paired != Some(false) && in_pairs(number) => {
                self.paired = Some(true);
            }
            // Some count the ending as the last move.
            Some(number) if is_end && number < expected => {}
            Some(found) => {
                match unknown {
                    Some((line, text)) => builder.broken(line, &text, Reason::NotAMove),
                    None => builder.broken(line, text, Reason::WrongNumber { found, expected }),
                }
                if !is_end {
                    builder.beyond(line, text);
                }
                return is_end;
            }
            None => {
                (self.unknown, self.guess) = (unknown, guess);
                self.settle();
            }
        }
        let Some(builder) = &mut self.builder else { return false };
        if side.is_some_and(|side| side != builder.position().side_to_move()) && !is_end {
            builder.broken(line, text, Reason::OtherSidesTurn);
        }
        is_end || !builder.is_closed()
    }
}
