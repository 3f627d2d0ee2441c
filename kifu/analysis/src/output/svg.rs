//! The graph of Black's winning probability as SVG.

use crate::judge::{AnalyzedGame, JudgedPosition};
use monomi_support::text::escaped;
use std::fmt::Write as _;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 240.0;

const STYLE: &str = "\
.back{fill:#fff}.area{fill:#4a7fb5;fill-opacity:.25}.line{fill:none;stroke:#2b5f95;stroke-width:2}\
.axis{stroke:#999;stroke-width:1}.bad{fill:#c8401f}.text{font:12px sans-serif;fill:#555}\
@media (prefers-color-scheme:dark){.back{fill:#1c1f24}.line{stroke:#8ab8e6}.text{fill:#bbb}\
.axis{stroke:#666}.bad{fill:#ff8a65}}";

/// The graph as an SVG file.
pub fn svg(game: &AnalyzedGame<'_>) -> String {
    let [black, white] = game.record.players();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\
         <title>{}</title><style>{STYLE}</style>\
         <rect class=\"back\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>",
        escaped(game.name)
    );
    for part in [0.25, 0.5, 0.75] {
        let y = HEIGHT * part;
        let dash = if part == 0.5 { "" } else { " stroke-dasharray=\"3 5\"" };
        let _ = write!(text, "<path class=\"axis\" d=\"M0 {y}H{WIDTH}\"{dash}/>");
    }
    text.push_str(&curve(&game.positions));
    let _ = write!(
        text,
        "<text class=\"text\" x=\"6\" y=\"16\">▲{}</text><text class=\"text\" x=\"6\" y=\"{}\">△{}</text>",
        escaped(black),
        HEIGHT - 8.0,
        escaped(white)
    );
    text.push_str("</svg>\n");
    text
}

fn curve(positions: &[JudgedPosition<'_>]) -> String {
    let last = positions.len().saturating_sub(1).max(1) as f64;
    let x = |ply: usize| WIDTH * ply as f64 / last;
    let mut line = String::new();
    let mut dots = String::new();
    let mut start = None;
    for judged in positions {
        let Some(chance) = judged.black_chance() else { continue };
        let (x, y) = (x(judged.ply), HEIGHT * (1.0 - chance));
        let _ = write!(line, "{}{x:.1} {y:.1}", if line.is_empty() { "M" } else { "L" });
        start.get_or_insert(x);
        // Marks positions after a bad move.
        let verdict = judged.ply.checked_sub(1).and_then(|ply| positions[ply].verdict);
        if verdict.is_some_and(|verdict| verdict.loss >= 0.2) {
            let _ = write!(dots, "<circle class=\"bad\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>");
        }
    }
    let Some(first) = start else { return String::new() };
    format!(
        "<path class=\"area\" d=\"{line}V{HEIGHT}H{first:.1}Z\"/>\
         <path class=\"line\" d=\"{line}\"/>{dots}"
    )
}
