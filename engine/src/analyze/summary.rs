//! A game in a few lines of text, for the terminal.

use crate::analyze::judge::{Class, accuracy};
use crate::analyze::opening::opening;
use crate::analyze::rows::{Analysis, Step, black_chance};
use shogi_core::Color;
use std::fmt::Write as _;

/// Columns of the graph.
const WIDTH: usize = 60;
/// Turning points that are listed.
const TURNING_POINTS: usize = 5;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// One side's moves in numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// Moves judged.
    pub moves: usize,
    /// Those that were the engine's choice.
    pub best: usize,
    /// Mean accuracy, 0 to 100; 100 when nothing was judged.
    pub accuracy: f64,
    /// Mean loss of winning probability, from 0 to 1.
    pub loss: f64,
    /// Inaccuracies, dubious moves, mistakes, blunders.
    pub bad: [usize; 4],
    /// Mates given away.
    pub missed_mates: usize,
}

/// Both sides' moves in numbers.
pub fn sides(steps: &[Step<'_>]) -> [Side; 2] {
    [Color::Black, Color::White].map(|color| {
        let mut side = Side::default();
        let own = steps.iter().filter(|step| step.position.side_to_move() == color);
        for judgement in own.filter_map(|step| step.judgement) {
            side.moves += 1;
            side.best += usize::from(matches!(judgement.class, Class::Best | Class::Only));
            side.accuracy += accuracy(judgement.loss);
            side.loss += judgement.loss;
            side.missed_mates += usize::from(judgement.missed_mate.is_some());
            let bad = [Class::Inaccuracy, Class::Dubious, Class::Mistake, Class::Blunder];
            if let Some(at) = bad.iter().position(|&class| class == judgement.class) {
                side.bad[at] += 1;
            }
        }
        let count = side.moves.max(1) as f64;
        side.accuracy = if side.moves == 0 { 100.0 } else { side.accuracy / count };
        side.loss /= count;
        side
    })
}

/// The moves that lost most, in the game's order.
pub fn turning_points<'s, 'a>(steps: &'s [Step<'a>]) -> Vec<&'s Step<'a>> {
    let bad = |step: &&Step<'_>| step.judgement.is_some_and(|j| j.class.is_bad());
    let mut points: Vec<&Step<'_>> = steps.iter().filter(bad).collect();
    let loss = |step: &Step<'_>| step.judgement.map_or(0.0, |judgement| judgement.loss);
    points.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
    points.truncate(TURNING_POINTS);
    points.sort_by_key(|step| step.ply);
    points
}

/// Black's winning probability over the game, left to right; blank where nothing was searched.
pub fn graph(steps: &[Step<'_>]) -> String {
    let width = steps.len().min(WIDTH);
    let column = |index: usize| {
        let from = index * steps.len() / width;
        let to = ((index + 1) * steps.len() / width).max(from + 1);
        let chances: Vec<f64> = steps[from..to]
            .iter()
            .filter_map(|step| {
                let score = step.found?.score();
                Some(black_chance(score, step.position.side_to_move()))
            })
            .collect();
        if chances.is_empty() {
            return ' ';
        }
        let mean = chances.iter().sum::<f64>() / chances.len() as f64;
        BARS[((mean * BARS.len() as f64) as usize).min(BARS.len() - 1)]
    };
    (0..width).map(column).collect()
}

/// The summary: a heading, a line for each side, the graph and the turning points.
pub fn summary(analysis: &Analysis<'_>) -> String {
    let steps = analysis.steps();
    let record = analysis.record;
    let searched = steps.iter().filter(|step| step.found.is_some()).count();
    let mut text = format!("{}  ({}", analysis.name, record.format.name());
    let _ = write!(text, ", {} moves", record.moves.len());
    if let Some(ending) = &record.ending {
        let _ = write!(text, ", {}", ending.kif());
    }
    if let Some(opening) = opening(record) {
        let _ = write!(text, ", {}", opening.ja);
    }
    if searched < steps.len() {
        let _ = write!(text, ", {searched} of {} positions searched", steps.len());
    }
    text.push_str(")\n");
    let _ = writeln!(
        text,
        "  accuracy  loss/move   best  inaccurate  dubious  mistakes  blunders  missed mates"
    );
    let names = record.players();
    for ((side, mark), name) in sides(&steps).iter().zip(['▲', '△']).zip(names) {
        let best = side.best as f64 * 100.0 / side.moves.max(1) as f64;
        let [inaccurate, dubious, mistakes, blunders] = side.bad;
        let _ = writeln!(
            text,
            "  {:>7.1}%  {:>8.2}%  {best:>4.0}%  {inaccurate:>10}  {dubious:>7}  {mistakes:>8}  \
             {blunders:>8}  {:>12}  {mark}{name}",
            side.accuracy,
            side.loss * 100.0,
            side.missed_mates,
        );
    }
    let _ = writeln!(text, "  {}  ▲'s winning chances", graph(&steps));
    for step in turning_points(&steps) {
        let Some(judgement) = step.judgement else { continue };
        let played = step.played_name().unwrap_or_default();
        let class = judgement.class.english();
        let _ = write!(
            text,
            "  {:>4} {played}  -{:.0}%  {class}",
            step.ply + 1,
            judgement.loss * 100.0
        );
        let line = step.found.and_then(|found| found.lines.first());
        // A mate is shown to its end.
        let shown = if judgement.missed_mate.is_some() { usize::MAX } else { 5 };
        let better = line.map(|line| step.names(&line.pv[..line.pv.len().min(shown)]).concat());
        if let Some(better) = better.filter(|better| !better.is_empty()) {
            let _ = write!(text, "; better {better}");
        }
        if let Some(plies) = judgement.missed_mate {
            let _ = write!(text, "; misses a mate in {plies}");
        }
        text.push('\n');
    }
    text
}
