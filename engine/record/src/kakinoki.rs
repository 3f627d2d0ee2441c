//! Kakinoki's formats, KIF and KI2 (<http://kakinoki.o.oo7.jp/kif_format.html>): the same headers,
//! comments and variations, but different notations for moves.

use crate::board::Setup;
use crate::build::Builder;
use crate::notation::{digit, leading_number, parse_move};
use crate::{Ending, Fault, Format, ReadError, Reason, Record};
use monomi_movegen::Position;
use shogi_core::Color;

const BLANKS: [char; 3] = [' ', '\u{3000}', '\t'];
const MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

pub fn read(text: &str, format: Format) -> Result<Vec<Record>, ReadError> {
    let mut reader = Reader {
        format,
        setup: Setup::new(),
        headers: Vec::new(),
        comments: Vec::new(),
        faults: Vec::new(),
        builder: None,
        first: None,
    };
    for (line, number) in text.lines().zip(1..) {
        reader.line(number, line.trim_end())?;
    }
    reader.start(0)?;
    reader.builder.map(|builder| vec![builder.finish()]).ok_or(ReadError::NoRecord)
}

struct Reader {
    format: Format,
    setup: Setup,
    headers: Vec<(String, String)>,
    comments: Vec<String>,
    /// Faults in the headers.
    faults: Vec<Fault>,
    /// `None` while reading the headers.
    builder: Option<Builder>,
    /// Number that the file gives to its first move.
    first: Option<usize>,
}

impl Reader {
    /// Ends the headers and sets up the position.
    fn start(&mut self, line: usize) -> Result<&mut Builder, ReadError> {
        if self.builder.is_none() {
            let position = self.setup.position().map_err(|reason| {
                let text = "開始局面".to_owned();
                // A fault in the headers is more helpful than the invalid position it causes.
                let fault = Fault { line, ply: None, text, reason };
                ReadError::Fault(self.faults.first().cloned().unwrap_or(fault))
            })?;
            self.builder = Some(self.begin(position));
        }
        self.builder.as_mut().ok_or(ReadError::NoRecord)
    }

    fn begin(&mut self, position: Position) -> Builder {
        let mut builder = Builder::new(self.format, position);
        let record = builder.record();
        record.headers = std::mem::take(&mut self.headers);
        record.comments = std::mem::take(&mut self.comments);
        record.faults = std::mem::take(&mut self.faults);
        builder
    }

    fn line(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        let bare = line.trim_start_matches(BLANKS);
        if bare.is_empty() || line.starts_with('#') || line.starts_with('&') {
            return Ok(());
        }
        if let Some(comment) = bare.strip_prefix('*') {
            match &mut self.builder {
                // How 81Dojo marks an illegal last move.
                Some(builder) if builder.is_broken() && comment.contains("反則手") => {
                    builder.end(number, Ending::IllegalMove);
                }
                Some(builder) => builder.comment(comment),
                None => self.comments.push(comment.to_owned()),
            }
            return Ok(());
        }
        if bare.starts_with("手数---") {
            return Ok(());
        }
        if let Some(rest) = bare.strip_prefix("変化") {
            let rest = rest.trim_start_matches(['：', ':', ' ', '\u{3000}']);
            let ply = leading_number(rest).map(|(ply, _)| ply);
            let first = self.first.unwrap_or(1);
            let builder = self.start(number)?;
            match ply.and_then(|ply| ply.checked_sub(first)) {
                Some(before) => builder.branch(number, line, before),
                None => builder.fault(number, None, line, Reason::MissingMoveNumber),
            }
            return Ok(());
        }
        if let Some(rest) = bare.strip_prefix("まで") {
            let builder = self.start(number)?;
            builder.closing(number, bare);
            if let Some(ending) = closing_words(rest) {
                builder.end(number, ending);
            }
            return Ok(());
        }
        if self.format == Format::Ki2 && bare.starts_with(MARKS) {
            self.ki2_moves(number, bare)
        } else if let Some((ply, rest)) =
            leading_number(bare).filter(|(_, rest)| may_follow_number(rest))
        {
            self.kif_move(number, ply, rest.trim_start_matches(BLANKS), line)
        } else {
            self.header(number, bare);
            Ok(())
        }
    }

    fn header(&mut self, number: usize, line: &str) {
        if let Some(builder) = &mut self.builder {
            // Neither a move nor a comment: probably a truncated line.
            let known = line.contains(['：', ':']) || builder.is_closed();
            if !known {
                builder.broken(number, line, Reason::NotAMove);
            }
            return;
        }
        let result = if line.starts_with('|') {
            self.setup.row(line)
        } else if line.starts_with('+') || line.starts_with('９') || line.starts_with('9') {
            Ok(())
        } else if line.starts_with("後手番") || line.starts_with("上手番") {
            self.setup.side(Color::White);
            Ok(())
        } else if line.starts_with("先手番") || line.starts_with("下手番") {
            self.setup.side(Color::Black);
            Ok(())
        } else if let Some((key, value)) = line.split_once(['：', ':']) {
            self.pair(key.trim_matches(BLANKS), value.trim_matches(BLANKS))
        } else {
            Ok(())
        };
        if let Err(reason) = result {
            let fault = Fault { line: number, ply: None, text: line.to_owned(), reason };
            self.faults.push(fault);
        }
    }

    fn pair(&mut self, key: &str, value: &str) -> Result<(), Reason> {
        match key {
            "手合割" => {
                if !self.setup.handicap(value) {
                    return Err(Reason::UnknownHandicap);
                }
            }
            "先手の持駒" | "下手の持駒" => return self.setup.hand(Color::Black, value),
            "後手の持駒" | "上手の持駒" => return self.setup.hand(Color::White, value),
            _ => self.headers.push((key.to_owned(), value.to_owned())),
        }
        Ok(())
    }

    /// `７六歩(77)   ( 0:16/00:00:16)`, `投了`: the text after the move number.
    fn kif_move(
        &mut self,
        number: usize,
        ply: usize,
        text: &str,
        line: &str,
    ) -> Result<(), ReadError> {
        let first = *self.first.get_or_insert(ply);
        let builder = self.start(number)?;
        if let Some(ending) = kif_ending(text) {
            // Also after a broken move: the ending may explain it.
            builder.end(number, ending);
            if let Some(seconds) = time(text) {
                builder.seconds(seconds);
            }
            return Ok(());
        }
        if builder.is_closed() {
            return Ok(());
        }
        let expected = builder.ply() + first;
        match parse_move(text, builder.last_to()) {
            Err(reason) => builder.broken(number, line, reason),
            Ok(_) if ply != expected => {
                let reason = Reason::WrongNumber { found: ply, expected };
                builder.broken(number, line, reason);
            }
            Ok((written, rest)) => {
                builder.push_written(number, line, &written);
                if let Some(seconds) = time(rest) {
                    builder.seconds(seconds);
                }
            }
        }
        Ok(())
    }

    /// `▲７六歩    △３四歩`.
    fn ki2_moves(&mut self, number: usize, line: &str) -> Result<(), ReadError> {
        let builder = self.start(number)?;
        for word in line.split(MARKS).skip(1) {
            let word = word.trim_matches(BLANKS);
            match parse_move(word, builder.last_to()) {
                Err(reason) => builder.broken(number, word, reason),
                Ok((written, _)) => builder.push_written(number, word, &written),
            }
        }
        Ok(())
    }
}

/// Whether this can follow a move number; false for the file digits `９ ８ ７ ...` above a board.
fn may_follow_number(rest: &str) -> bool {
    let mut chars = rest.trim_start_matches(BLANKS).chars();
    let files =
        chars.next().and_then(digit).is_some() && chars.next().is_some_and(|c| BLANKS.contains(&c));
    rest.starts_with(BLANKS) && !files
}

fn kif_ending(text: &str) -> Option<Ending> {
    let word = text.split([' ', '\u{3000}', '\t', '(', '（']).next().unwrap_or_default();
    Ending::from_kif(word)
}

/// The time of one move, in seconds: `( 0:16/00:00:16)`, `(0:00:16/...)`.
fn time(text: &str) -> Option<u32> {
    let inner = text[text.find('(')? + 1..].split(['/', ')']).next()?;
    inner.trim().split(':').try_fold(0u32, |sum, part| {
        let part: u32 = part.trim().parse().ok()?;
        sum.checked_mul(60)?.checked_add(part)
    })
}

/// The ending that the text after `まで` states: `123手で先手の勝ち`.
fn closing_words(text: &str) -> Option<Ending> {
    let has = |word: &str| text.contains(word);
    if has("時間切れ") || has("切れ負け") {
        Some(Ending::TimeUp)
    } else if has("反則勝ち") {
        Some(Ending::FoulWin)
    } else if has("反則") {
        Some(Ending::FoulLoss)
    } else if has("入玉") || has("宣言") {
        Some(Ending::Declaration)
    } else if has("千日手") {
        Some(Ending::Repetition)
    } else if has("持将棋") {
        Some(Ending::Impasse)
    } else if has("中断") {
        Some(Ending::Interrupted)
    } else if has("不詰") {
        Some(Ending::NoMate)
    } else if has("詰") {
        Some(Ending::Mate)
    } else if has("引き分け") || has("引分") {
        Some(Ending::Draw)
    } else if has("勝ち") || has("投了") {
        Some(Ending::Resign)
    } else {
        None
    }
}
