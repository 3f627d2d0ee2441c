//! Diagrams of positions as SVG.

use crate::lang::Lang;
use monomi_movegen::Position;
use monomi_movegen::square::HAND_KINDS;
use monomi_record::notation::{board_letter, kanji_digit};
use shogi_core::{Color, Piece, Square};
use std::fmt::Write as _;

/// Side of a square.
const SIDE: u32 = 32;
/// Left of the board and above it.
const LEFT: u32 = 8;
const TOP: u32 = 22;
/// Right of the board: the ranks, then the hand.
const RIGHT: u32 = 62;

/// Classes that the diagrams use.
pub const STYLE: &str = "\
svg.board{width:100%;height:auto}\
svg.board .grid{fill:none;stroke:currentColor;stroke-width:1}\
svg.board .frame{fill:none;stroke:currentColor;stroke-width:2}\
svg.board text{fill:currentColor;text-anchor:middle;font-family:serif}\
svg.board .piece{font-size:25px}svg.board .edge{font-size:13px}svg.board .hand{font-size:19px}";

/// The board with its pieces, and Black's hand beside it.
pub fn board(position: &Position, title: &str, lang: Lang) -> String {
    let size = 9 * SIDE;
    let (width, height) = (LEFT + size + RIGHT, TOP + size + LEFT);
    let mut svg = format!(
        "<svg class=\"board\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"{title}\"><path class=\"grid\" d=\""
    );
    for line in 1..9 {
        let at = line * SIDE;
        let _ = write!(svg, "M{} {TOP}v{size}M{LEFT} {}h{size}", LEFT + at, TOP + at);
    }
    let _ = write!(
        svg,
        "\"/><rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{size}\" height=\"{size}\"/>"
    );
    edges(&mut svg, lang);
    for square in Square::all() {
        if let Some(found) = position.piece_at(square) {
            piece(&mut svg, found, square);
        }
    }
    hand(&mut svg, position, lang);
    svg.push_str("</svg>");
    svg
}

fn middle(number: u32) -> u32 {
    number * SIDE + SIDE / 2
}

fn edges(svg: &mut String, lang: Lang) {
    for (number, letter) in (0..9u8).zip('a'..) {
        let rank = if lang == Lang::Ja { kanji_digit(number + 1) } else { letter };
        let number = u32::from(number);
        let (file, x, y) = (9 - number, LEFT + middle(number), TOP + middle(number) + 5);
        let right = LEFT + 9 * SIDE + 10;
        let _ = write!(
            svg,
            "<text class=\"edge\" x=\"{x}\" y=\"{}\">{file}</text>\
             <text class=\"edge\" x=\"{right}\" y=\"{y}\">{rank}</text>",
            TOP - 7
        );
    }
}

fn piece(svg: &mut String, piece: Piece, square: Square) {
    let x = LEFT + middle(9 - u32::from(square.file()));
    let y = TOP + middle(u32::from(square.rank()) - 1);
    let name = board_letter(piece.piece_kind());
    let turn = match piece.color() {
        Color::Black => String::new(),
        Color::White => format!(" transform=\"rotate(180 {x} {y})\""),
    };
    let _ = write!(svg, "<text class=\"piece\" x=\"{x}\" y=\"{}\"{turn}>{name}</text>", y + 9);
}

/// Black's hand from top to bottom, the large pieces first.
fn hand(svg: &mut String, position: &Position, lang: Lang) {
    let mut words = vec!["☗".to_owned()];
    if lang == Lang::Ja {
        words.extend(["持".to_owned(), "駒".to_owned()]);
    }
    let before = words.len();
    for kind in HAND_KINDS.into_iter().rev() {
        let count = position.hand_count(Color::Black, kind);
        if count > 0 {
            words.push(board_letter(kind).to_string());
        }
        if count > 1 {
            words.push(format!("{count}"));
        }
    }
    if words.len() == before {
        words.push(if lang == Lang::Ja { "なし" } else { "–" }.to_owned());
    }
    let x = LEFT + 9 * SIDE + 40;
    for (number, word) in (0..).zip(words) {
        let y = TOP + 18 + number * 23;
        let _ = write!(svg, "<text class=\"hand\" x=\"{x}\" y=\"{y}\">{word}</text>");
    }
}
