//! The curve of winning probabilities of a game: who led, how clearly, how long, and until when.

use shogi_core::Color;

/// A side above this winning probability is winning; changes above it, or below the opposite, do not
/// count as lasting.
pub(super) const WON: f64 = 0.85;

/// Black's winning probability in each position of a game, as reports show it.
pub(super) struct Curve {
    black: Vec<f64>,
    /// The side that makes the first move.
    first: Color,
}

/// What a side had until some move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lead {
    /// Its highest winning probability, and the number of moves before it first had it.
    pub(super) most: f64,
    pub(super) ply: usize,
    /// In how many positions it was winning.
    pub(super) winning: usize,
}

/// The move with which the lead changed hands, and a side's winning probabilities before and after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    /// Number of the move, from 1.
    pub(super) number: usize,
    pub(super) before: f64,
    pub(super) after: f64,
}

impl Curve {
    /// From Black's winning probabilities, of which there is at least one.
    pub(super) fn new(black: Vec<f64>, first: Color) -> Self {
        Self { black, first }
    }

    /// The number of moves.
    pub(super) fn end(&self) -> usize {
        self.black.len() - 1
    }

    /// The winning probability of a side after this many moves.
    pub(super) fn chance(&self, color: Color, ply: usize) -> f64 {
        if color == Color::Black { self.black[ply] } else { 1.0 - self.black[ply] }
    }

    /// What a side had in the positions up to the one after `until` moves.
    pub(super) fn lead(&self, color: Color, until: usize) -> Lead {
        let mut lead = Lead { most: self.chance(color, 0), ply: 0, winning: 0 };
        for ply in 0..=until {
            let chance = self.chance(color, ply);
            lead.winning += usize::from(chance >= WON);
            if chance > lead.most {
                (lead.most, lead.ply) = (chance, ply);
            }
        }
        lead
    }

    /// The last position but the one at the end in which a side had more than half.
    pub(super) fn last_lead(&self, color: Color) -> Option<usize> {
        (0..self.end()).rev().find(|&ply| self.chance(color, ply) > 0.5)
    }

    /// The most that a side lost with one move of either side from a position on, as far as it counts.
    pub(super) fn largest_step(&self, color: Color, from: usize) -> f64 {
        let counted = |ply: usize| self.chance(color, ply).clamp(1.0 - WON, WON);
        (from..self.end()).map(|ply| counted(ply) - counted(ply + 1)).fold(0.0, f64::max)
    }

    /// By how much each move of a side lastingly lowered its winning probability.
    pub(super) fn lasting_falls(&self, color: Color) -> impl Iterator<Item = (usize, f64)> {
        let own = usize::from(color != self.first);
        (own..self.end()).step_by(2).map(move |at| {
            let chances: Vec<f64> = (at..=self.end()).map(|ply| self.chance(color, ply)).collect();
            (at, lasting_fall(&chances))
        })
    }
}

/// By how much the move after `chances[0]` lastingly lowered its side's winning probability; the others
/// are those of the following positions, for the same side. What happens to a won or lost game does not
/// count, and neither does what the opponent gives back.
fn lasting_fall(chances: &[f64]) -> f64 {
    let Some((&before, later)) = chances.split_first() else { return 0.0 };
    let counted = |chance: f64| chance.clamp(1.0 - WON, WON);
    let later = later.iter().map(|&chance| counted(chance)).reduce(f64::max);
    later.map_or(0.0, |later| counted(before) - later)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fall(chances: &[f64]) -> f64 {
        (lasting_fall(chances) * 1000.0).round() / 1000.0
    }

    #[test]
    fn a_fall_counts_as_far_as_it_lasts() {
        assert_eq!(fall(&[0.8, 0.5, 0.5, 0.4]), 0.3);
        // The opponent gives a part of it back, or everything.
        assert_eq!(fall(&[0.8, 0.5, 0.7, 0.4]), 0.1);
        assert!(fall(&[0.8, 0.5, 0.9, 0.4]) < 0.0);
        // Swings of a won or lost game.
        assert_eq!(fall(&[0.99, 0.86]), 0.0);
        assert_eq!(fall(&[0.1, 0.0, 0.0]), 0.0);
        assert_eq!(fall(&[0.99, 0.5]), 0.35);
        assert_eq!((fall(&[]), fall(&[0.5])), (0.0, 0.0));
    }
}
