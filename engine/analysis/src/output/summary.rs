//! Summary of a game as text, for the terminal.

use crate::chance::{black_chance, black_view};
use crate::judge::{AnalyzedGame, JudgedPosition, Side, sides, turning_points};
use crate::opening::opening;
use crate::output::words::SummaryText;
use monomi_search::Score;
use monomi_text::{Lang, Message as _};
use shogi_core::Color;
use std::fmt::Write as _;

/// Width of the graph in columns.
const WIDTH: usize = 60;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Black's winning probability over the game, left to right; blank where not searched.
fn graph(positions: &[JudgedPosition<'_>]) -> String {
    let width = positions.len().min(WIDTH);
    let column = |index: usize| {
        let from = index * positions.len() / width;
        let to = ((index + 1) * positions.len() / width).max(from + 1);
        let chances: Vec<f64> =
            positions[from..to].iter().filter_map(JudgedPosition::black_chance).collect();
        if chances.is_empty() {
            return ' ';
        }
        let mean = chances.iter().sum::<f64>() / chances.len() as f64;
        BARS[((mean * BARS.len() as f64) as usize).min(BARS.len() - 1)]
    };
    (0..width).map(column).collect()
}

/// The summary: a heading, the statistics of both sides, the graph and the turning points. A record
/// without moves gets the evaluation of its position instead.
///
/// Text from the record may contain anything; control characters are replaced, so that it is safe
/// to print.
pub fn summary(game: &AnalyzedGame<'_>, lang: Lang) -> String {
    let record = game.record;
    let positions = &game.positions;
    let searched = positions.iter().filter(|judged| judged.searched().is_some()).count();
    let opening = opening(record).map(|opening| opening.ja);
    let heading = SummaryText::Heading {
        name: game.name,
        format: record.format.name(),
        moves: record.moves.len(),
        ending: record.ending.as_ref().map(|ending| ending.kif()),
        opening: opening.as_deref(),
        searched: (searched < positions.len()).then_some((searched, positions.len())),
    };
    let mut text = heading.in_lang(lang).to_string();
    if record.moves.is_empty() {
        text.push_str(&position(&positions[0], lang));
    } else {
        text.push_str(&statistics(record.players(), &sides(positions), lang));
        let _ = writeln!(text, "  {}  {}", graph(positions), SummaryText::GraphLabel.in_lang(lang));
        for judged in turning_points(positions) {
            text.push_str(&turning_point(judged, lang));
        }
        // Those of bad moves are among the turning points.
        let small =
            |judged: &&JudgedPosition<'_>| judged.verdict.is_some_and(|v| !v.class.is_bad());
        for judged in positions.iter().filter(small) {
            if let Some(missed) = missed_mate(judged, lang) {
                let played = judged.played_name().unwrap_or_default();
                let _ = writeln!(text, "  {:>4} {played}  {missed}", judged.ply + 1);
            }
        }
    }
    text.replace(|c: char| c.is_control() && c != '\n', "\u{FFFD}")
}

fn statistics(names: [&str; 2], sides: &[Side; 2], lang: Lang) -> String {
    let mut text = SummaryText::StatisticsHeading.in_lang(lang).to_string();
    for ((side, mark), name) in sides.iter().zip(['▲', '△']).zip(names) {
        let percent = |value: f64, digits: usize| match side.moves {
            0 => "–".to_owned(),
            _ => format!("{value:.digits$}%"),
        };
        let best = side.best as f64 * 100.0 / side.moves.max(1) as f64;
        let [inaccurate, dubious, mistakes, blunders] = side.bad;
        let _ = writeln!(
            text,
            "  {:>8}  {:>9}  {:>5}  {inaccurate:>10}  {dubious:>7}  {mistakes:>8}  \
             {blunders:>8}  {:>12}  {mark}{name}",
            percent(side.accuracy.unwrap_or_default(), 1),
            percent(side.loss * 100.0, 2),
            percent(best, 0),
            side.missed_mates,
        );
    }
    text
}

/// The evaluation from Black's point of view.
fn evaluation(judged: &JudgedPosition<'_>) -> Option<SummaryText<'static>> {
    let score = judged.evaluation?;
    let to_move = judged.position.side_to_move();
    Some(match black_view(score, to_move) {
        Score::Cp(cp) => {
            SummaryText::Evaluation { cp, percent: black_chance(score, to_move) * 100.0 }
        }
        Score::Mate(plies) => {
            let winner = match (plies, to_move) {
                // The side to move is mated already.
                (0, Color::Black) => '△',
                (0, Color::White) => '▲',
                (1.., _) => '▲',
                _ => '△',
            };
            SummaryText::MateFor { plies: plies.unsigned_abs(), winner }
        }
    })
}

/// The evaluation of a single position.
fn position(judged: &JudgedPosition<'_>, lang: Lang) -> String {
    let Some(searched) = judged.searched() else {
        return SummaryText::NotSearched.in_lang(lang).to_string();
    };
    let line = judged.names(searched.best_line()).concat();
    let evaluation = evaluation(judged).map(|text| text.in_lang(lang).to_string());
    let evaluation = evaluation.as_deref().unwrap_or_default();
    let evaluated =
        SummaryText::PositionEvaluation { evaluation, depth: searched.depth, line: &line };
    let mut text = evaluated.in_lang(lang).to_string();
    let mate = judged.mate().map(|mate| (mate.len(), judged.names(mate).concat()));
    let remark = match &mate {
        Some((plies, line)) => Some(SummaryText::MateLine { plies: *plies, line }),
        None => judged.threat().map(SummaryText::Threat),
    };
    if let Some(remark) = remark {
        let _ = writeln!(text, "  {}", remark.in_lang(lang));
    }
    text
}

fn turning_point(judged: &JudgedPosition<'_>, lang: Lang) -> String {
    let Some(verdict) = judged.verdict else { return String::new() };
    let played = judged.played_name().unwrap_or_default();
    let bad = SummaryText::BadMove { loss: verdict.loss, class: verdict.class };
    let mut text = format!("  {:>4} {played}  {}", judged.ply + 1, bad.in_lang(lang));
    let line = judged.searched().map_or(&[][..], |searched| searched.best_line());
    let better = judged.names(&line[..line.len().min(5)]).concat();
    if !better.is_empty() {
        let _ = write!(text, "{}", SummaryText::Better(&better).in_lang(lang));
    }
    if let Some(reason) = verdict.reason {
        let _ = write!(text, "{}", SummaryText::Reason(reason).in_lang(lang));
    }
    if let Some(missed) = missed_mate(judged, lang) {
        let _ = write!(text, "{}{missed}", SummaryText::Separator.in_lang(lang));
    }
    text.push('\n');
    text
}

/// The mate that the move missed, if it did, with the mate's moves.
fn missed_mate(judged: &JudgedPosition<'_>, lang: Lang) -> Option<String> {
    let plies = judged.verdict?.missed_mate?;
    let line = judged.names(judged.mate().unwrap_or_default()).concat();
    Some(SummaryText::MissedMate { plies, line: &line }.in_lang(lang).to_string())
}
