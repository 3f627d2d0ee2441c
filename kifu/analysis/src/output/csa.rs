//! Annotated CSA, version 2.2, in UTF-8.

use crate::judge::AnalyzedGame;
use crate::output::comments::{CommentStyle, annotated, by_ply, is_of_gui, own};
use monomi_record::{Encoding, Format, write};

/// The game as CSA in UTF-8 with the analysis as `'*` comments.
///
/// If the record was read from CSA, this is its text with comments inserted. Otherwise headers that
/// CSA does not have become `'` comments, and variations are left out: CSA has none.
pub fn csa(game: &AnalyzedGame<'_>, style: CommentStyle) -> String {
    let record = game.record;
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
    write::csa(&annotated(record, &annotations), Encoding::Utf8)
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
