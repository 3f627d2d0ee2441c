//! What the best move prepares.

use crate::explain::counterfactual::Evidence;
use crate::explain::scene::{Scene, near};
use crate::explain::words::{Both, both, kind, name, piece};
use crate::judge::{LOSS, Material};
use crate::solve::passed;
use monomi_movegen::{PackedMove, Position};
use shogi_core::PieceKind;

/// So many times the opponent passes, at most.
const PASSES: usize = 3;
/// A plan is confirmed if the best line carries it out within so many plies.
const WITHIN: usize = 8;

/// The plan of the best move, in Japanese and in English: what its side would do if the opponent passed, provided that
/// the best line does it, too.
pub fn plan(scene: &Scene<'_>, evidence: &mut dyn Evidence) -> Option<Both> {
    let own: Vec<PackedMove> =
        scene.best_line.iter().copied().take(WITHIN).step_by(2).skip(1).collect();
    if own.is_empty() {
        return None;
    }
    let mut position = scene.best_after.clone();
    let mut moves: Vec<(PackedMove, Both)> = Vec::new();
    for _ in 0..PASSES {
        let free = passed(&position)?;
        let (_, line) = evidence.without(&free, &[])?;
        // The moves of the line that the best line makes, too, up to the first one that wins something.
        let mut there = free.clone();
        let mut planned: Vec<(PackedMove, Both)> = Vec::new();
        for (at, &mv) in line.iter().enumerate().take(WITHIN) {
            if at % 2 == 0 && own.contains(&mv) {
                planned.push((mv, name(&there, mv)));
                if let Some(gain) = aim(&there, &line[at..]) {
                    moves.extend(planned);
                    return Some(in_words(&moves, &gain));
                }
            }
            there.do_move(mv);
        }
        let next = *line.first().filter(|mv| own.contains(mv))?;
        moves.push((next, name(&free, next)));
        position = free;
        position.do_move(next);
    }
    None
}

/// What a line wins at once: a piece, a promotion, or an attack on the king.
fn aim(position: &Position, line: &[PackedMove]) -> Option<Both> {
    let first = *line.first()?;
    let wins = Material::of_line(position, line).balance >= LOSS;
    if let Some([ja, en]) = piece(position, first.to()).filter(|_| wins) {
        return Some(both(format!("{ja}を取る"), format!("takes the {en}")));
    }
    if first.is_promotion() {
        let [ja, en] = kind(position.arriving_kind(first));
        return Some(both(format!("{ja}を作る"), format!("makes a {en}")));
    }
    let mut next = position.clone();
    next.do_move(first);
    let king = next.king(next.side_to_move())?;
    if next.in_check() {
        return Some(both("王手をかける".to_owned(), "gives check".to_owned()));
    }
    let attacks = position.moving_kind(first) != PieceKind::King && near(first.to(), king, 2);
    attacks.then(|| both("玉を攻める".to_owned(), "attacks the king".to_owned()))
}

fn in_words(moves: &[(PackedMove, Both)], gain: &Both) -> Both {
    let list = |index: usize, separator: &str| {
        moves.iter().map(|(_, name)| name[index].as_str()).collect::<Vec<_>>().join(separator)
    };
    both(
        format!("次に{}と{}狙い", list(0, ""), gain[0]),
        format!("prepares {}, which {}", list(1, " "), gain[1]),
    )
}
