//! Annotated CSA, version 2.2, in UTF-8.

use crate::judge::AnalyzedGame;
use crate::judge::story::Side;
use crate::output::comments::{CommentStyle, by_ply, is_of_gui, others, own};
use monomi_record::notation::csa_move;
use monomi_record::{CSA_HEADERS, Ending, Format, csa_board};
use monomi_support::text::{Lang, Message as _};
use shogi_core::Color;
use std::fmt::Write as _;

/// The game as CSA in UTF-8 with the analysis as `'*` comments.
///
/// If the record was read from CSA, this is its text with comments inserted. Otherwise headers that
/// CSA does not have become `'` comments, and variations are left out: CSA has none.
pub fn csa(game: &AnalyzedGame<'_>, style: CommentStyle) -> String {
    let record = game.record;
    let positions = &game.positions;
    let of_gui = is_of_gui(record);
    let mut annotations = by_ply(style, game);
    if style == CommentStyle::Floodgate
        && let Some(first) = annotations.first_mut()
    {
        // cshogi 1.1.0 crashes on Floodgate comments before the first move.
        first.clear();
    }
    if record.format == Format::Csa
        && let Some(source) = &record.source
    {
        let marked: Vec<Vec<String>> = annotations
            .iter()
            .map(|lines| lines.iter().map(|line| format!("'*{line}")).collect())
            .collect();
        return in_utf8(&source.with_comments(&marked, |lines| own(lines, "'*", of_gui)));
    }
    let mut text = String::from("'CSA encoding=UTF-8\nV2.2\n");
    let [black, white] = record.players();
    let _ = writeln!(text, "N+{black}\nN-{white}");
    for (name, key) in CSA_HEADERS {
        if let Some(value) = record.header(key) {
            let _ = writeln!(text, "${name}:{value}");
        }
    }
    for (key, value) in &record.headers {
        let known = CSA_HEADERS.iter().any(|(_, known)| known == key);
        if !known && !["先手", "後手", "下手", "上手"].contains(&key.as_str()) {
            let _ = writeln!(text, "'{key}：{value}");
        }
    }
    text.push_str(&csa_board(&record.start));
    let comments = |text: &mut String, comments: &[String]| {
        for comment in comments {
            let _ = writeln!(text, "'*{comment}");
        }
    };
    comments(&mut text, &others(&record.comments, annotations.first(), of_gui));
    for (judged, annotations) in positions.iter().zip(&annotations) {
        let before = judged.ply.checked_sub(1).map(|ply| &positions[ply]);
        if let Some((before, played)) = before.zip(judged.previous) {
            text.push_str(&csa_move(&before.position, played.mv));
            text.push('\n');
            if let Some(seconds) = played.seconds {
                let _ = writeln!(text, "T{seconds}");
            }
            comments(&mut text, &others(&played.comments, Some(annotations), of_gui));
        }
        comments(&mut text, annotations);
    }
    if let Some(ending) = &record.ending {
        let black_to_move =
            record.moves.len() % 2 == usize::from(record.start.side_to_move() == Color::White);
        let word = match (ending, black_to_move) {
            // Names the side that broke the rules.
            (Ending::FoulLoss, true) | (Ending::FoulWin, false) => "+ILLEGAL_ACTION",
            (Ending::FoulLoss, false) | (Ending::FoulWin, true) => "-ILLEGAL_ACTION",
            _ => ending.csa(),
        };
        if let Ending::Other(known) = ending
            && !known.is_ascii()
        {
            // CSA has no word for it.
            let winner =
                game.record.winner().map(|color| Side { color, handicap: game.is_handicap() });
            let winner = winner.map(|winner| format!("（{}の勝ち）", winner.in_lang(Lang::Ja)));
            let _ = writeln!(text, "'結果：{known}{}", winner.unwrap_or_default());
        }
        let _ = writeln!(text, "%{word}");
        if let Some(seconds) = record.ending_seconds {
            let _ = writeln!(text, "T{seconds}");
        }
    }
    text
}

/// Declares UTF-8: replaces the declaration of another encoding, or adds one to text that is not
/// ASCII.
fn in_utf8(text: &str) -> String {
    const DECLARATION: &str = "'CSA encoding=";
    let declared = text.lines().next().is_some_and(|line| line.starts_with(DECLARATION));
    let rest = if declared { text.split_once('\n').map_or("", |(_, rest)| rest) } else { text };
    if declared || !text.is_ascii() {
        format!("{DECLARATION}UTF-8\n{rest}")
    } else {
        text.to_owned()
    }
}
