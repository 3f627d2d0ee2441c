//! Statistics of both sides, and the turning points of a game.

use crate::judge::JudgedPosition;
use crate::judge::verdict::{Class, accuracy};
use shogi_core::Color;

/// Number of turning points listed.
const TURNING_POINTS: usize = 5;

/// Statistics of the moves of one side.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Side {
    /// Number of moves judged.
    pub(crate) moves: usize,
    /// Number of moves that were the engine's choice.
    pub(crate) best: usize,
    /// Mean accuracy, 0 to 100; `None` if no move was judged.
    pub(crate) accuracy: Option<f64>,
    /// Mean loss of winning probability, 0 to 1.
    pub(crate) loss: f64,
    /// Number of inaccuracies, dubious moves, mistakes and blunders.
    pub(crate) bad: [usize; 4],
    /// Number of missed mates.
    pub(crate) missed_mates: usize,
}

/// Statistics of Black and White.
pub(crate) fn sides(positions: &[JudgedPosition<'_>]) -> [Side; 2] {
    [Color::Black, Color::White].map(|color| {
        let mut side = Side::default();
        let mut sum = 0.0;
        let own = positions.iter().filter(|judged| judged.position.side_to_move() == color);
        for verdict in own.filter_map(|judged| judged.verdict) {
            side.moves += 1;
            side.best += usize::from(matches!(verdict.class, Class::Best | Class::Only));
            sum += accuracy(verdict.loss);
            side.loss += verdict.loss;
            side.missed_mates += usize::from(verdict.missed_mate.is_some());
            let bad = [Class::Inaccuracy, Class::Dubious, Class::Mistake, Class::Blunder];
            if let Some(at) = bad.iter().position(|&class| class == verdict.class) {
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
pub(crate) fn turning_points<'s, 'a>(
    positions: &'s [JudgedPosition<'a>],
) -> Vec<&'s JudgedPosition<'a>> {
    let bad = |judged: &&JudgedPosition<'_>| judged.verdict.is_some_and(|v| v.class.is_bad());
    let mut points: Vec<&JudgedPosition<'_>> = positions.iter().filter(bad).collect();
    let loss = |judged: &JudgedPosition<'_>| judged.verdict.map_or(0.0, |verdict| verdict.loss);
    points.sort_by(|a, b| loss(b).total_cmp(&loss(a)));
    points.truncate(TURNING_POINTS);
    points.sort_by_key(|judged| judged.ply);
    points
}
