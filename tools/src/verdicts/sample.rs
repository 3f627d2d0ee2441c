//! The sample of moves.

use super::{Games, MoveId, Row, provisional_loss};
use std::collections::BTreeMap;

/// Which half of the games a game belongs to: `tuning`, on which settings may be chosen, or `test`.
pub fn half(game: &str) -> &'static str {
    if crc32fast::hash(game.as_bytes()).is_multiple_of(2) { "tuning" } else { "test" }
}

/// Chance of a move to be drawn, relative to that of the moves that seem bad.
fn rate(before: &Row, after: &Row) -> f64 {
    let loss = provisional_loss(before, after);
    match () {
        () if before.is_named() || loss >= 0.04 => 1.0,
        () if loss >= 0.015 => 0.5,
        () if before.best != before.played => 0.25,
        () => 0.12,
    }
}

/// Moves drawn at random without replacement.
pub struct Sample {
    /// In the order in which they were drawn.
    drawn: Vec<(MoveId, f64)>,
    weights: BTreeMap<MoveId, f64>,
}

impl Sample {
    /// Draws `count` moves that the frame judges. Depends only on the frame and the seed.
    ///
    /// Each move has a random number divided by its rate; the moves with the smallest are drawn
    /// (sequential Poisson sampling). The inverse of its chance to be below the first one not drawn
    /// is the weight of a move.
    pub fn draw(frame: &Games, count: usize, seed: u64) -> Self {
        let mut moves: Vec<(f64, f64, MoveId)> = Vec::new();
        for (game, rows) in frame {
            for pair in rows.windows(2) {
                let [before, after] = pair else { continue };
                if before.loss.is_none() || before.played.is_none() {
                    continue;
                }
                let id = (game.clone(), before.ply);
                let place = u64::from(crc32fast::hash(game.as_bytes())) << 32 | before.ply as u64;
                let random = fastrand::Rng::with_seed(place ^ seed.wrapping_mul(0x9E37_79B9)).f64();
                let rate = rate(before, after);
                moves.push((random / rate, rate, id));
            }
        }
        moves.sort_by(|a, b| a.0.total_cmp(&b.0));
        let limit = moves.get(count).map_or(f64::INFINITY, |next| next.0);
        moves.truncate(count);
        let weigh = |(_, rate, id): (f64, f64, MoveId)| (id, 1.0 / (rate * limit).min(1.0));
        let drawn: Vec<(MoveId, f64)> = moves.into_iter().map(weigh).collect();
        Self { weights: drawn.iter().cloned().collect(), drawn }
    }

    /// The moves in the order in which they were drawn.
    pub fn moves(&self) -> impl Iterator<Item = &MoveId> {
        self.drawn.iter().map(|(id, _)| id)
    }

    /// The moves by game and ply, and how many moves each stands for.
    pub fn weights(&self) -> impl Iterator<Item = (&MoveId, f64)> {
        self.weights.iter().map(|(id, &weight)| (id, weight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(games: usize, plies: usize) -> Games {
        let row = |game: &str, ply: usize| Row {
            game: game.to_owned(),
            ply,
            sfen: "startpos".to_owned(),
            played: Some("7g7f".to_owned()),
            // A third of the moves are the engine's choice, a third seem to lose much.
            best: Some(if ply.is_multiple_of(3) { "7g7f" } else { "2g2f" }.to_owned()),
            win: if ply % 3 == 1 { 0.9 } else { 0.5 },
            nodes: 1,
            comparison_nodes: 0,
            loss: Some(0.0),
            class: None,
        };
        let game = |number| {
            let name = format!("game {number}");
            let rows = (0..plies).map(|ply| row(&name, ply)).collect();
            (name, rows)
        };
        (0..games).map(game).collect()
    }

    #[test]
    fn weights_add_up_to_the_number_of_moves() {
        let games = games(50, 61);
        for seed in 0..3 {
            let sample = Sample::draw(&games, 600, seed);
            assert_eq!(sample.moves().count(), 600);
            for remainder in 0..3 {
                let of = |(id, _): &(&MoveId, f64)| id.1 % 3 == remainder;
                let sum: f64 = sample.weights().filter(of).map(|(_, weight)| weight).sum();
                assert!((600.0..1500.0).contains(&sum), "{remainder}: {sum}, expected about 1000");
            }
        }
        // Everything is drawn: each move stands for itself.
        let sample = Sample::draw(&games, 10_000, 0);
        assert_eq!(sample.moves().count(), 3000);
        assert!(sample.weights().all(|(_, weight)| weight == 1.0));
    }

    #[test]
    fn a_smaller_sample_is_part_of_a_larger_one() {
        let games = games(10, 100);
        let (few, many) = (Sample::draw(&games, 50, 7), Sample::draw(&games, 200, 7));
        assert!(few.moves().eq(many.moves().take(50)));
        assert!(!few.moves().eq(Sample::draw(&games, 50, 8).moves()));
    }

    #[test]
    fn halves_are_about_equal() {
        let tuning = (0..1000).filter(|n| half(&format!("game {n}.csa")) == "tuning").count();
        assert!((400..600).contains(&tuning), "{tuning}");
    }
}
