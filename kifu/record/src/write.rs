//! Writes records in all formats.
//!
//! Every writer takes any record, whatever it was read from. Comments of several lines become several comments; line
//! ends within a header become blanks. KI2, CSA and USI lines cannot hold everything: KI2 has no times, CSA no
//! variations, and a USI line has nothing but the moves.

mod csa;
mod encode;
mod jkf;
mod ki2;
mod kif;
mod kif_branches;
mod usi;

pub use csa::csa;
pub use encode::encode;
pub use jkf::jkf;
#[cfg(feature = "serde")]
pub(crate) use jkf::to_json;
pub use ki2::ki2;
pub use kif::kif;
pub use kif_branches::with_branches;
pub use usi::usi;

use crate::board::handicap_name;
use crate::encoding::Encoding;
use crate::ending::Ending;
use crate::format::Format;
use crate::record::Record;
use shogi_core::Color;

/// A record as text in a format. Formats that name their encoding name this one.
pub fn write(record: &Record, format: Format, encoding: Encoding) -> String {
    match format {
        Format::Kif => kif(record, encoding),
        Format::Ki2 => ki2(record),
        Format::Csa => csa(record, encoding),
        Format::Jkf => jkf(record),
        Format::Usi => usi(record),
    }
}

/// The lines of a text that people wrote.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split(['\n', '\r']).filter(|line| !line.is_empty() || !text.contains('\r'))
}

/// A header in one line.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// The name of a side: 先手, or 下手 where the game has a handicap.
fn side_name(color: Color, handicap: bool) -> &'static str {
    match (color, handicap) {
        (Color::Black, false) => "先手",
        (Color::Black, true) => "下手",
        (Color::White, false) => "後手",
        (Color::White, true) => "上手",
    }
}

fn is_handicap(record: &Record) -> bool {
    handicap_name(&record.start).is_some_and(|name| name != "平手")
}

/// The side to move after so many moves.
fn to_move(record: &Record, moves: usize) -> Color {
    match moves % 2 {
        0 => record.start.side_to_move(),
        _ => record.start.side_to_move().flip(),
    }
}

/// The closing words of KIF and KI2 for an ending after so many moves, where the result is clear.
fn closing(record: &Record, moves: usize, ending: &Ending) -> Option<String> {
    let handicap = is_handicap(record);
    let side = to_move(record, moves);
    let (winner, loser) = (side_name(side.flip(), handicap), side_name(side, handicap));
    Some(match ending {
        Ending::Resign => format!("まで{moves}手で{winner}の勝ち"),
        Ending::Mate => format!("まで{moves}手で詰み"),
        Ending::TimeUp => format!("まで{moves}手で時間切れにより{winner}の勝ち"),
        Ending::Declaration => format!("まで{moves}手で{loser}の入玉勝ち"),
        Ending::Repetition => format!("まで{moves}手で千日手"),
        Ending::Impasse => format!("まで{moves}手で持将棋"),
        Ending::Interrupted => format!("まで{moves}手で中断"),
        _ => return None,
    })
}
