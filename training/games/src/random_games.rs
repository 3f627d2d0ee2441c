//! Random games for tests of the formats.

use crate::game::{EndReason, Game, Outcome};
use crate::tree_sample::TreeSample;
use monomi_eval::score::Bound;
use monomi_movegen::Random;
use monomi_movegen::{Layout, PackedPosition};
use monomi_movegen::{PackedMove, Position};
use shogi_core::Color;

/// Random games with all lengths, outcomes and openings.
pub fn games(count: usize) -> Vec<Game> {
    let mut random = Random::new(5);
    let game = |number: usize| {
        let base = Position::startpos();
        let mut position = base.clone();
        let mut moves = Vec::new();
        for _ in 0..random.below(150) {
            let Some(mv) = random.choose(&position.legal_moves()) else { break };
            moves.push(mv);
            position.do_move(mv);
        }
        let opening: Vec<PackedMove> = moves.drain(..random.below(10).min(moves.len())).collect();
        let scores = moves.iter().map(|_| random.next_u64() as i16).collect();
        let winner = [None, Some(Color::Black), Some(Color::White)][number % 3];
        let outcome = Outcome { winner, reason: EndReason::ALL[number % 7] };
        let sample = |at: usize| TreeSample {
            position: PackedPosition::pack(&position, Layout::Sfen).unwrap(),
            value: at as i16 * 7 - 20,
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][at % 3],
            depth: at as u8,
        };
        // Every third game has random leaf lines, most of them empty.
        let mut leaves: Vec<Vec<PackedMove>> = Vec::new();
        if number.is_multiple_of(3) {
            let mut position = base.clone();
            for &mv in &opening {
                position.do_move(mv);
            }
            for &mv in &moves {
                let mut leaf = position.clone();
                let mut line = Vec::new();
                for _ in 0..random.below(8).saturating_sub(4) {
                    let Some(mv) = random.choose(&leaf.legal_moves()) else { break };
                    line.push(mv);
                    leaf.do_move(mv);
                }
                leaves.push(line);
                position.do_move(mv);
            }
        }
        // Every other game has no tree positions.
        let tree = (0..number % 2 * (number % 9)).map(sample).collect();
        Game { base, opening, moves, scores, leaves, outcome, tree }
    };
    (0..count).map(game).collect()
}
