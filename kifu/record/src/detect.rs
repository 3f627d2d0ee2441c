//! Detects the format of a record from its content, not from the file name.

use crate::board::BARS;
use crate::format::Format;
use crate::kakinoki_words::{
    begins_like_a_move, ending, hand_of, header, is_handicap, numbered, only_moves, with_symbol,
};
use crate::notation::{digit, is_blank, leading_number, leading_piece, mark};

/// The format of the first line that is valid in one format only.
pub fn detect(text: &str) -> Option<Format> {
    if text.trim_start().starts_with('{') {
        return Some(Format::Jkf);
    }
    let (mut kakinoki, mut moves) = (false, false);
    for line in text.lines() {
        let line = line.trim_matches(is_blank);
        if let Some(format) = of_line(line) {
            return Some(format);
        }
        kakinoki |= is_kakinoki_header(line) || is_row(line);
        moves |= only_moves(line, None) || with_symbol(line).is_some();
    }
    if moves {
        // Without numbers and symbols.
        return Some(Format::Ki2);
    }
    // Headers or a board, but no moves.
    kakinoki.then_some(Format::Kif)
}

fn of_line(line: &str) -> Option<Format> {
    if line.starts_with("手数---") || line.starts_with("#KIF") || is_kif_move(line) {
        return Some(Format::Kif);
    }
    if line.starts_with("#KI2") || is_ki2_moves(line) {
        return Some(Format::Ki2);
    }
    // `1. ▲７六歩`, `1手目 ７六歩`.
    if let Some((_, text)) = numbered(line)
        && begins_like_a_move(text)
        && !text.is_ascii()
    {
        return Some(Format::Ki2);
    }
    if is_csa(line) {
        return Some(Format::Csa);
    }
    is_usi(line).then_some(Format::Usi)
}

/// `12 ７六歩(77)`, `3 投了`.
fn is_kif_move(line: &str) -> bool {
    let Some((_, rest)) = leading_number(line) else { return false };
    if !rest.starts_with(is_blank) {
        return false;
    }
    let rest = rest.trim_start_matches(is_blank);
    let square = rest.chars().take(2).filter_map(digit).count() == 2
        && rest.chars().nth(1).is_some_and(|c| !c.is_ascii_digit());
    let same = rest.strip_prefix('同').map(|rest| rest.trim_start_matches(is_blank));
    let same = same.is_some_and(|rest| leading_piece(rest).is_some());
    square || same || ending(rest).is_some()
}

/// `▲７六歩    △３四歩`.
fn is_ki2_moves(line: &str) -> bool {
    let Some(rest) = line.strip_prefix(|c| mark(c).is_some()) else { return false };
    let rest = rest.trim_start_matches(is_blank);
    let mut chars = rest.chars();
    rest.starts_with('同')
        || chars.next().and_then(digit).is_some()
            && chars.next().and_then(digit).is_some()
            && leading_piece(chars.as_str().trim_start_matches(|c| c == '同' || is_blank(c)))
                .is_some()
}

fn is_csa(line: &str) -> bool {
    let bytes = line.as_bytes();
    let version = matches!(bytes, [b'V', b'1'..=b'3', ..]) && line.len() <= 5;
    let place = line.starts_with("P1-")
        || line.starts_with("P1+")
        || line.starts_with("P1 ")
        || line.starts_with("PI")
        || line.starts_with("P+")
        || line.starts_with("P-");
    let is_move = matches!(bytes, [b'+' | b'-', rest @ ..] if rest.len() >= 6
        && rest[..4].iter().all(u8::is_ascii_digit)
        && rest[4..6].iter().all(u8::is_ascii_uppercase));
    version || place || is_move || line.starts_with("N+") || line.starts_with("N-")
}

fn is_usi(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else { return false };
    let board = |word: &str| word.matches('/').count() == 8;
    match first {
        "startpos" => true,
        "moves" => {
            words.next().is_some_and(|word| word.parse::<monomi_movegen::PackedMove>().is_ok())
        }
        "position" | "sfen" => {
            words.next().is_some_and(|word| board(word) || word == "startpos" || word == "sfen")
        }
        _ => board(first) || first.parse::<monomi_movegen::PackedMove>().is_ok(),
    }
}

fn is_kakinoki_header(line: &str) -> bool {
    let keys = [
        "手合割",
        "手合い割",
        "手合",
        "先手",
        "後手",
        "下手",
        "上手",
        "攻方",
        "玉方",
        "受方",
        "開始日時",
        "棋戦",
        "場所",
        "手番",
    ];
    keys.iter().any(|key| {
        line.strip_prefix(key)
            .is_some_and(|rest| rest.trim_start_matches(is_blank).starts_with(['：', ':']))
    }) || header(line).is_some_and(|(key, _)| hand_of(key).is_some() || is_handicap(key))
}

/// A row of a board diagram: `| ・v桂 ・ ...|一`.
fn is_row(line: &str) -> bool {
    let cells = line.chars().filter(|&c| !is_blank(c)).count();
    line.starts_with(BARS) && cells >= 11 && line.chars().filter(|c| BARS.contains(c)).count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_is_enough() {
        for (text, expected) in [
            ("手合割：平手\n1 ７六歩(77)\n", Some(Format::Kif)),
            ("   1 ７六歩(77)   ( 0:00/00:00:00)", Some(Format::Kif)),
            ("先手：あ\n後手：い\n", Some(Format::Kif)),
            ("1 投了", Some(Format::Kif)),
            ("先手：あ\n\n▲７六歩 △３四歩\n", Some(Format::Ki2)),
            ("☗７六歩", Some(Format::Ki2)),
            ("V2.2\nN+a\n", Some(Format::Csa)),
            ("PI\n+\n+7776FU\n", Some(Format::Csa)),
            ("'comment\n+7776FU\n", Some(Format::Csa)),
            ("{\"moves\":[]}", Some(Format::Jkf)),
            ("position startpos moves 7g7f", Some(Format::Usi)),
            ("startpos", Some(Format::Usi)),
            ("7g7f 3c3d", Some(Format::Usi)),
            ("4k4/9/9/9/9/9/9/9/4K4 b - 1", Some(Format::Usi)),
            ("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1", Some(Format::Usi)),
            ("Dear diary,\n2 eggs, 3 apples\n- sugar\n", None),
            ("1. e4 e5 2. Nf3", None),
        ] {
            assert_eq!(detect(text), expected, "{text}");
        }
    }
}
