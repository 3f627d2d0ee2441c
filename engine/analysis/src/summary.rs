//! Summary of a game as text, for the terminal.

use crate::analyzed_game::{AnalyzedGame, Step, black_chance, black_view};
use crate::judge::{Class, accuracy};
use crate::opening::opening;
use crate::words::AnalysisTexts as _;
use monomi_search::Score;
use monomi_text::Lang;
use shogi_core::Color;
use std::fmt::Write as _;

/// Width of the graph in columns.
const WIDTH: usize = 60;
/// Number of turning points listed.
const TURNING_POINTS: usize = 5;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Statistics of the moves of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// Number of moves judged.
    pub moves: usize,
    /// Number of moves that were the engine's choice.
    pub best: usize,
    /// Mean accuracy, 0 to 100; `None` if no move was judged.
    pub accuracy: Option<f64>,
    /// Mean loss of winning probability, 0 to 1.
    pub loss: f64,
    /// Number of inaccuracies, dubious moves, mistakes and blunders.
    pub bad: [usize; 4],
    /// Number of missed mates.
    pub missed_mates: usize,
}

/// Statistics of Black and White.
pub fn sides(steps: &[Step<'_>]) -> [Side; 2] {
    [Color::Black, Color::White].map(|color| {
        let mut side = Side::default();
        let mut sum = 0.0;
        let own = steps.iter().filter(|step| step.position.side_to_move() == color);
        for judgement in own.filter_map(|step| step.judgement) {
            side.moves += 1;
            side.best += usize::from(matches!(judgement.class, Class::Best | Class::Only));
            sum += accuracy(judgement.loss);
            side.loss += judgement.loss;
            side.missed_mates += usize::from(judgement.missed_mate.is_some());
            let bad = [Class::Inaccuracy, Class::Dubious, Class::Mistake, Class::Blunder];
            if let Some(at) = bad.iter().position(|&class| class == judgement.class) {
                side.bad[at] += 1;
            }
        }
        let count = side.moves.max(1) as f64;
        side.accuracy = (side.moves > 0).then_some(sum / count);
        side.loss /= count;
        side
    })
}

/// The moves that lost most, in the order of the game.
pub fn turning_points<'s, 'a>(steps: &'s [Step<'a>]) -> Vec<&'s Step<'a>> {
    let bad = |step: &&Step<'_>| step.judgement.is_some_and(|j| j.class.is_bad());
    let mut points: Vec<&Step<'_>> = steps.iter().filter(bad).collect();
    let loss = |step: &Step<'_>| step.judgement.map_or(0.0, |judgement| judgement.loss);
    points.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
    points.truncate(TURNING_POINTS);
    points.sort_by_key(|step| step.ply);
    points
}

/// Black's winning probability over the game, left to right; blank where not searched.
pub fn graph(steps: &[Step<'_>]) -> String {
    let width = steps.len().min(WIDTH);
    let column = |index: usize| {
        let from = index * steps.len() / width;
        let to = ((index + 1) * steps.len() / width).max(from + 1);
        let chances: Vec<f64> = steps[from..to]
            .iter()
            .filter_map(|step| Some(black_chance(step.evaluation?, step.position.side_to_move())))
            .collect();
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
    let steps = &game.steps;
    let searched = steps.iter().filter(|step| step.found.is_some()).count();
    let mut text = lang.game_heading(
        game.name,
        record.format.name(),
        record.moves.len(),
        record.ending.as_ref().map(|ending| ending.kif()),
        opening(record).map(|opening| opening.ja).as_deref(),
        (searched < steps.len()).then_some((searched, steps.len())),
    );
    if record.moves.is_empty() {
        text.push_str(&position(&steps[0], lang));
    } else {
        text.push_str(&statistics(record.players(), &sides(steps), lang));
        let _ = writeln!(text, "  {}  {}", graph(steps), lang.graph_label());
        for step in turning_points(steps) {
            text.push_str(&turning_point(step, lang));
        }
        // Those of bad moves are among the turning points.
        let small = |step: &&Step<'_>| step.judgement.is_some_and(|j| !j.class.is_bad());
        for step in steps.iter().filter(small) {
            if let Some(missed) = missed_mate(step, lang) {
                let played = step.played_name().unwrap_or_default();
                let _ = writeln!(text, "  {:>4} {played}  {missed}", step.ply + 1);
            }
        }
    }
    text.replace(|c: char| c.is_control() && c != '\n', "\u{FFFD}")
}

fn statistics(names: [&str; 2], sides: &[Side; 2], lang: Lang) -> String {
    let mut text = lang.statistics_heading().to_owned();
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

/// The score from Black's point of view.
fn evaluation(step: &Step<'_>, lang: Lang) -> Option<String> {
    let score = step.evaluation?;
    let to_move = step.position.side_to_move();
    Some(match black_view(score, to_move) {
        Score::Cp(cp) => lang.evaluation(cp, black_chance(score, to_move) * 100.0),
        Score::Mate(plies) => {
            let winner = match (plies, to_move) {
                // The side to move is mated already.
                (0, Color::Black) => '△',
                (0, Color::White) => '▲',
                (1.., _) => '▲',
                _ => '△',
            };
            lang.mate_for(plies.unsigned_abs(), winner)
        }
    })
}

/// The evaluation of a single position.
fn position(step: &Step<'_>, lang: Lang) -> String {
    let Some(found) = step.found else { return lang.not_searched().to_owned() };
    let line = found.lines.first().map(|line| step.names(&line.pv).concat()).unwrap_or_default();
    let evaluation = evaluation(step, lang).unwrap_or_default();
    let mut text = lang.position_evaluation(&evaluation, found.depth, &line);
    match &step.tactics.mate {
        Some(line) => {
            let _ = writeln!(text, "  {}", lang.mate_line(line.len(), &step.names(line).concat()));
        }
        None => {
            if let Some(threat) = step.tactics.threat {
                let _ = writeln!(text, "  {}", lang.threat(threat));
            }
        }
    }
    text
}

fn turning_point(step: &Step<'_>, lang: Lang) -> String {
    let Some(judgement) = step.judgement else { return String::new() };
    let played = step.played_name().unwrap_or_default();
    let class = lang.class(judgement.class);
    let mut text =
        format!("  {:>4} {played}  -{:.0}%  {class}", step.ply + 1, judgement.loss * 100.0);
    let line = step.found.and_then(|found| found.lines.first());
    let better = line.map(|line| step.names(&line.pv[..line.pv.len().min(5)]).concat());
    if let Some(better) = better.filter(|better| !better.is_empty()) {
        text.push_str(&lang.better(&better));
    }
    if let Some(reason) = step.reason {
        text.push_str(&lang.reason(reason));
    }
    if let Some(missed) = missed_mate(step, lang) {
        text.push_str(lang.separator());
        text.push_str(&missed);
    }
    text.push('\n');
    text
}

/// The mate that the move missed, if it did, with the mate's moves.
fn missed_mate(step: &Step<'_>, lang: Lang) -> Option<String> {
    let plies = step.judgement?.missed_mate?;
    let line = step.tactics.mate.as_deref().unwrap_or_default();
    Some(format!("{}: {}", lang.missed_mate(plies), step.names(line).concat()))
}
