//! Brute-force mate search: simple and slow.

use monomi_movegen::Position;
use std::collections::HashMap;

/// Whether the side to move can force mate within `plies` by checks only.
pub fn mates_within(position: &mut Position, plies: usize) -> bool {
    if plies == 0 {
        return false;
    }
    position.legal_moves().into_iter().any(|mv| {
        position.do_move(mv);
        let mates = position.in_check() && is_mated_within(position, plies - 1);
        position.undo_move();
        mates
    })
}

fn is_mated_within(position: &mut Position, plies: usize) -> bool {
    position.legal_moves().into_iter().all(|mv| {
        position.do_move(mv);
        let mates = mates_within(position, plies.saturating_sub(1));
        position.undo_move();
        mates
    })
}

/// Whether the side to move can force mate by checks in any number of plies; `None` if more than
/// `most` positions would have to be examined.
///
/// First collects all positions reachable by checks and replies, then marks those that are mated or
/// can mate until nothing changes. It does not depend on paths, so it needs no special treatment of
/// repetitions. Tests compare it with searches that do.
pub fn mates_at_all(root: &Position, most: usize) -> Option<bool> {
    let mut numbers = HashMap::from([((root.board_key(), root.hand_key()), 0)]);
    let mut children: Vec<Vec<usize>> = Vec::new();
    let mut won = Vec::new();
    let mut waiting = vec![root.clone()];
    let attacker = root.side_to_move();
    // A position's number is its index in `waiting`, which is processed from the front.
    let mut next = 0;
    while next < waiting.len() {
        let mut position = waiting[next].clone();
        let attacking = position.side_to_move() == attacker;
        let mut below = Vec::new();
        // Positions after a mate in one are not needed.
        won.push(attacking && mates_within(&mut position, 1));
        let moves = if won[next] { Default::default() } else { position.legal_moves() };
        for mv in moves {
            position.do_move(mv);
            if !attacking || position.in_check() {
                let fresh = numbers.len();
                let key = (position.board_key(), position.hand_key());
                let number = *numbers.entry(key).or_insert(fresh);
                if number == fresh {
                    waiting.push(position.clone());
                }
                below.push(number);
            }
            position.undo_move();
        }
        children.push(below);
        next += 1;
        if waiting.len() > most {
            return None;
        }
    }
    loop {
        let before = won.iter().filter(|&&won| won).count();
        for number in (0..children.len()).rev() {
            let attacking = waiting[number].side_to_move() == attacker;
            let mut below = children[number].iter().map(|&child| won[child]);
            won[number] |= if attacking { below.any(|won| won) } else { below.all(|won| won) };
        }
        if won.iter().filter(|&&won| won).count() == before {
            return Some(won[0]);
        }
    }
}
