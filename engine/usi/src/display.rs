//! Text for users at a terminal: the board, the evaluation and counts.

use monomi_eval::Evaluation;
use monomi_movegen::square::HAND_KINDS;
use monomi_movegen::{Position, side_name};
use monomi_search::Score;
use monomi_support::text::{Lang, say};
use shogi_core::{Color, PieceKind, Square, ToUsi};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// The board with hands, side to move, sfen and key.
pub fn position(position: &Position) -> String {
    let mut text = String::from("  9  8  7  6  5  4  3  2  1\n");
    for rank in 1..=9 {
        for file in (1..=9).rev() {
            let piece = Square::new(file, rank).and_then(|square| position.piece_at(square));
            let piece = piece.map_or_else(|| "·".to_owned(), |piece| piece.to_usi_owned());
            let _ = write!(text, "{piece:>3}");
        }
        let _ = writeln!(text, " {}", char::from(b'a' - 1 + rank));
    }
    for (name, color) in [("Black", Color::Black), ("White", Color::White)] {
        let _ = writeln!(text, "{name} in hand: {}", hand(position, color));
    }
    let _ = writeln!(text, "To move: {:?}", position.side_to_move());
    if position.in_check() {
        text.push_str("In check\n");
    }
    let _ = writeln!(text, "Sfen: {}", position.to_sfen());
    let _ = writeln!(text, "Key: {:016x}", position.key());
    text
}

fn hand(position: &Position, color: Color) -> String {
    let held = |kind: &PieceKind| match position.hand_count(color, *kind) {
        0 => None,
        count => Some(format!("{kind:?} {count}")),
    };
    let all: Vec<String> = HAND_KINDS.iter().rev().filter_map(held).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
}

/// One line that describes an evaluation.
pub fn description(evaluation: &Evaluation, lang: Lang) -> String {
    match lang {
        Lang::En => evaluation.describe(),
        Lang::Ja => evaluation.describe_in_japanese(),
    }
}

/// The commands that a person types.
pub const HELP: &str = "\
position startpos moves 7g7f 3c3d     set the position; instead of startpos also sfen BOARD SIDE HANDS NUMBER
go movetime 1000                      search for a second; also nodes N, depth N, mate 5000, infinite
stop                                  end the search
d                                     show the position
eval                                  evaluate the position without a search
setoption name MultiPV value 3        set an option
getoption                             show all options
usi                                   introduce the engine and its options to a GUI
bench                                 search a fixed set of positions
quit                                  end the program
`monomi --help` lists what the program can do besides, docs/guis.md describes the options.
";

/// The static evaluation of a position: the evaluation's name, and the score without each piece.
pub fn evaluation(evaluation: &Arc<Evaluation>, position: &Position, lang: Lang) -> String {
    let breakdown = evaluation.breakdown(position);
    let mut text = say!(lang, "Evaluation: {}\n", "評価関数: {}\n", description(evaluation, lang));
    if let Some(stack) = evaluation.stack(position) {
        text += &say!(lang, "Layer stack: {stack}\n", "層スタック: {stack}\n");
    }
    text += &say!(
        lang,
        "Score without each piece (kings stay):\n",
        "駒を一枚ずつ除いたときの評価値（玉は除きません）:\n"
    );
    let without = |square: Square| {
        breakdown.removals.iter().find(|removal| removal.square == square).map(|r| r.value)
    };
    for rank in 1..=9 {
        let row = || (1..=9).rev().filter_map(move |file| Square::new(file, rank));
        for square in row() {
            let piece = position.piece_at(square);
            let piece = piece.map_or_else(|| "·".to_owned(), |piece| piece.to_usi_owned());
            let _ = write!(text, "{piece:>7}");
        }
        text.push('\n');
        for square in row() {
            let score = without(square).map_or_else(String::new, |value| value.to_string());
            let _ = write!(text, "{score:>7}");
        }
        let _ = writeln!(text, " {}", char::from(b'a' - 1 + rank));
    }
    // In internal units, for the side to move.
    let (material, squares) = (breakdown.material, breakdown.piece_square);
    text += &say!(
        lang,
        "material {material}\npiece-square {squares}\n",
        "駒割 {material}\n駒位置評価 {squares}\n"
    );
    if let Some(raw) = breakdown.raw {
        text += &say!(lang, "raw {raw}\n", "評価関数の出力 {raw}\n");
    }
    let value = breakdown.value;
    let cp = match Score::from_value(value) {
        Score::Cp(cp) => cp,
        Score::Mate(_) => value,
    };
    let to_move = breakdown.side_to_move;
    let side = side_name(to_move);
    text + &say!(
        lang,
        "score {value} ({cp} centipawns) for {to_move:?}, to move\n",
        "評価値 {value}（{cp} センチポーン、手番の{side}から見た値）\n"
    )
}

/// Time, speed and, on the last line, the total.
pub fn perft_summary(nodes: u64, time: Duration) -> String {
    let speed = nodes as f64 / time.as_secs_f64().max(1e-9);
    format!("Time: {:.3} s\nNodes/second: {speed:.0}\nTotal: {nodes}\n", time.as_secs_f64())
}
