//! A page with reasons and diagrams, on which a player can judge each one.

use super::{Mistake, stem};
use monomi_movegen::{PackedMove, Position, piece_name};
use shogi_core::{Color, PieceKind, Square};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const KANJI: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
/// Width of a square of a diagram.
const SIZE: i32 = 28;

/// The page with so many of the reasons, chosen at random, always the same ones.
pub(super) fn page(mistakes: &[Mistake], count: usize) -> String {
    let mut chosen: Vec<&Mistake> =
        mistakes.iter().filter(|mistake| mistake.row.reason.is_some()).collect();
    fastrand::Rng::with_seed(74).shuffle(&mut chosen);
    chosen.truncate(count);
    let cards: String = chosen
        .iter()
        .enumerate()
        .map(|(index, mistake)| card(index + 1, mistake, &buttons(index + 1)))
        .collect();
    include_str!("page.html").replace("{{cards}}", &cards)
}

/// A page with one reason of each kind, the one that its search confirms most clearly.
pub(super) fn examples(mistakes: &[Mistake]) -> String {
    let mut best: BTreeMap<&str, &Mistake> = BTreeMap::new();
    for mistake in mistakes {
        let Some(claim) = mistake.row.claim.as_deref() else { continue };
        let share = |mistake: &Mistake| mistake.row.confirmed.unwrap_or(0.0);
        let known = best.entry(claim).or_insert(mistake);
        if share(mistake) > share(known) {
            *known = mistake;
        }
    }
    let name = |claim: &str| format!("<code>{}</code>", escaped(claim));
    let cards: String = best
        .iter()
        .enumerate()
        .map(|(index, (claim, mistake))| card(index + 1, mistake, &name(claim)))
        .collect();
    include_str!("examples.html").replace("{{cards}}", &cards)
}

/// The choice of a judgement.
fn buttons(number: usize) -> String {
    [("right", "正しい / right"), ("trivial", "当たり前 / trivial"), ("wrong", "誤り / wrong")]
        .into_iter()
        .map(|(value, label)| {
            format!(
                "<label><input type=\"radio\" name=\"r{number}\" value=\"{value}\"> {label}</label>"
            )
        })
        .collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn card(number: usize, mistake: &Mistake, end: &str) -> String {
    let row = &mistake.row;
    let text = |text: &Option<String>| escaped(text.as_deref().unwrap_or_default());
    let plan = match (&row.plan_ja, &row.plan) {
        (Some(ja), Some(en)) => format!("<p class=\"plan\">{} / {}</p>", escaped(ja), escaped(en)),
        _ => String::new(),
    };
    format!(
        "<section data-claim=\"{claim}\"><h2>{number}. {game}, {ply}: {played} (−{loss:.0} %)</h2>\n\
         <div class=\"boards\">{diagram}</div>\n\
         <p class=\"reason\">{ja}<br>{en}</p>\n{plan}\
         <p class=\"line\">最善 / best: {best}</p>\n\
         <p class=\"line\">{played} の後 / after it: {replies}</p>\n\
         <p class=\"judge\">{end}</p></section>\n",
        claim = text(&row.claim),
        game = escaped(&stem(&row.game)),
        ply = row.ply + 1,
        played = text(&row.played_ja),
        loss = row.loss.unwrap_or(0.0) * 100.0,
        diagram = diagram(row.sfen.as_str(), row.played.as_deref(), row.squares.as_deref()),
        ja = text(&row.reason_ja),
        en = text(&row.reason),
        best = escaped(&row.pv_ja),
        replies = escaped(&mistake.replies),
    )
}

/// The position after the move played, with the squares of the move and of the reason marked.
fn diagram(sfen: &str, played: Option<&str>, squares: Option<&str>) -> String {
    let Ok(mut position) = Position::from_sfen(sfen) else { return String::new() };
    let mut moved = Vec::new();
    if let Some(mv) = played.and_then(|mv| mv.parse::<PackedMove>().ok()) {
        moved.extend(mv.from_square());
        moved.push(mv.to());
        position.do_move(mv);
    }
    let told: Vec<&str> = squares.unwrap_or_default().split(' ').collect();
    let width = SIZE * 9;
    let mut svg =
        format!("<svg viewBox=\"-2 -16 {} {}\" width=\"{}\">", width + 20, width + 20, width + 20);
    let name =
        |square: Square| format!("{}{}", square.file(), char::from(b'a' + square.rank() - 1));
    let corner = |square: Square| {
        (SIZE * (9 - i32::from(square.file())), SIZE * (i32::from(square.rank()) - 1))
    };
    for square in Square::all() {
        let (x, y) = corner(square);
        let class = match told.contains(&name(square).as_str()) {
            true => Some("told"),
            false => moved.contains(&square).then_some("moved"),
        };
        if let Some(class) = class {
            let _ = write!(
                svg,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{SIZE}\"/>"
            );
        }
        let Some(piece) = position.piece_at(square) else { continue };
        let (cx, cy) = (x + SIZE / 2, y + SIZE / 2);
        let turn = if piece.color() == Color::White {
            format!(" transform=\"rotate(180 {cx} {cy})\"")
        } else {
            String::new()
        };
        let kind = piece.piece_kind();
        let letter = match kind {
            PieceKind::ProLance => "杏",
            PieceKind::ProKnight => "圭",
            PieceKind::ProSilver => "全",
            kind => piece_name(kind),
        };
        let _ = write!(svg, "<text x=\"{cx}\" y=\"{}\"{turn}>{letter}</text>", cy + 7);
    }
    let mut grid = String::new();
    for line in 0..=9 {
        let at = SIZE * line;
        let _ = write!(grid, "M{at} 0v{width}M0 {at}h{width}");
    }
    let _ = write!(svg, "<path d=\"{grid}\"/>");
    for file in 1..=9 {
        let x = SIZE * (9 - file) + SIZE / 2;
        let _ = write!(svg, "<text class=\"edge\" x=\"{x}\" y=\"-4\">{file}</text>");
        let y = SIZE * (file - 1) + SIZE / 2 + 4;
        let _ = write!(
            svg,
            "<text class=\"edge\" x=\"{}\" y=\"{y}\">{}</text>",
            width + 8,
            KANJI[file as usize - 1]
        );
    }
    svg.push_str("</svg>");
    let hands = [(Color::White, "△"), (Color::Black, "▲")].map(|(color, mark)| {
        let held: String = [
            PieceKind::Rook,
            PieceKind::Bishop,
            PieceKind::Gold,
            PieceKind::Silver,
            PieceKind::Knight,
            PieceKind::Lance,
            PieceKind::Pawn,
        ]
        .into_iter()
        .filter_map(|kind| match position.hand_count(color, kind) {
            0 => None,
            1 => Some(piece_name(kind).to_owned()),
            count => Some(format!("{}{count}", piece_name(kind))),
        })
        .collect();
        format!("<p class=\"hand\">{mark} {}</p>", if held.is_empty() { "なし" } else { &held })
    });
    format!("{}{svg}{}", hands[0], hands[1])
}
