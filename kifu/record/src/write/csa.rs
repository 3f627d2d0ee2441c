//! CSA, version 2.2.

use crate::csa::{HEADERS, board};
use crate::encoding::Encoding;
use crate::ending::Ending;
use crate::notation::csa_move;
use crate::record::Record;
use crate::write::{is_handicap, lines, one_line, side_name, to_move};
use shogi_core::Color;
use std::fmt::Write as _;

/// A record as CSA. `encoding` is what its first line names: the caller encodes the text.
///
/// Headers that CSA does not have become `'` comments, and variations are left out: CSA has none.
pub fn csa(record: &Record, encoding: Encoding) -> String {
    let mut text = format!("'CSA encoding={}\nV2.2\n", encoding.declared_in_csa());
    let [black, white] = record.players().map(one_line);
    let _ = writeln!(text, "N+{black}\nN-{white}");
    for (name, key) in HEADERS {
        if let Some(value) = record.header(key) {
            let _ = writeln!(text, "${name}:{}", one_line(value));
        }
    }
    for (key, value) in &record.headers {
        let known = HEADERS.iter().any(|(_, known)| known == key);
        if !known && !["先手", "後手", "下手", "上手"].contains(&key.as_str()) {
            let _ = writeln!(text, "'{}：{}", one_line(key), one_line(value));
        }
    }
    text.push_str(&board(&record.start));
    comments(&mut text, &record.comments);
    let mut position = record.start.clone();
    for played in &record.moves {
        text.push_str(&csa_move(&position, played.mv));
        text.push('\n');
        if let Some(seconds) = played.seconds {
            let _ = writeln!(text, "T{seconds}");
        }
        comments(&mut text, &played.comments);
        position.do_move(played.mv);
    }
    if let Some(ending) = &record.ending {
        if let Ending::Other(known) = ending
            && !known.is_ascii()
        {
            // CSA has no word for it.
            let winner = record.winner().map(|color| side_name(color, is_handicap(record)));
            let winner = winner.map(|winner| format!("（{winner}の勝ち）"));
            let _ = writeln!(text, "'結果：{}{}", one_line(known), winner.unwrap_or_default());
        }
        let _ = writeln!(text, "%{}", word(ending, to_move(record, record.moves.len())));
        if let Some(seconds) = record.ending_seconds {
            let _ = writeln!(text, "T{seconds}");
        }
    }
    text
}

/// The word for an ending, without `%`: it names the side that broke the rules.
pub(super) fn word(ending: &Ending, to_move: Color) -> String {
    match (ending, to_move) {
        (Ending::FoulLoss, Color::Black) | (Ending::FoulWin, Color::White) => "+ILLEGAL_ACTION",
        (Ending::FoulLoss, Color::White) | (Ending::FoulWin, Color::Black) => "-ILLEGAL_ACTION",
        _ => ending.csa(),
    }
    .replace(['\n', '\r'], " ")
}

fn comments(text: &mut String, comments: &[String]) {
    for line in comments.iter().flat_map(|comment| lines(comment)) {
        let _ = writeln!(text, "'*{line}");
    }
}
