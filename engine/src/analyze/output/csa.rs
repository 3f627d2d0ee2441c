//! Annotated CSA, version 2.2, in UTF-8.

use crate::analyze::output::comments::{CommentStyle, lines};
use crate::analyze::record::CSA_HEADERS;
use crate::analyze::record::notation::{csa_letters, csa_move};
use crate::analyze::rows::Analysis;
use monomi_movegen::Position;
use monomi_movegen::square::HAND_KINDS;
use shogi_core::{Color, Square};
use std::fmt::Write as _;

/// The game as CSA with the analysis as `'*` comments. The format knows no variations: they are
/// left out.
pub fn csa(analysis: &Analysis<'_>, style: CommentStyle) -> String {
    let record = analysis.record;
    let mut text = String::from("'CSA encoding=UTF-8\nV2.2\n");
    let [black, white] = record.players();
    let _ = writeln!(text, "N+{black}\nN-{white}");
    for (name, key) in CSA_HEADERS {
        if let Some(value) = record.header(key) {
            let _ = writeln!(text, "${name}:{value}");
        }
    }
    text.push_str(&board(&record.start));
    let comments = |text: &mut String, comments: &[String]| {
        for comment in comments {
            let _ = writeln!(text, "'*{comment}");
        }
    };
    comments(&mut text, &record.comments);
    let steps = analysis.steps();
    for step in &steps {
        let judged = step.ply.checked_sub(1).map(|ply| &steps[ply]);
        if let Some((before, played)) = judged.zip(step.previous) {
            text.push_str(&csa_move(&before.position, played.mv));
            text.push('\n');
            if let Some(seconds) = played.seconds {
                let _ = writeln!(text, "T{seconds}");
            }
            comments(&mut text, &played.comments);
        }
        // cshogi 1.1.0 crashes on floodgate's comments before the first move.
        if step.ply > 0 || style != CommentStyle::Floodgate {
            comments(&mut text, &lines(style, step, judged));
        }
    }
    if let Some(ending) = &record.ending {
        let _ = writeln!(text, "%{}", ending.csa());
    }
    text
}

fn board(position: &Position) -> String {
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
