//! Mates by brute force: plain enough to be right, and slow.

use monomi_movegen::Position;
use std::collections::HashMap;

/// Whether the side to move mates by checks within `plies`, whatever the defender does.
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

/// Whether the side to move mates by checks in whatever number of plies; `None` if more than `most`
/// positions would have to be looked at.
///
/// All positions that checks and replies reach are gathered first; then those that are mated, or
/// can mate, are marked until nothing is added. There is no path in this, so no repetition to be
/// treated: the oracle for searches that have to.
pub fn mates_at_all(root: &Position, most: usize) -> Option<bool> {
    let mut numbers = HashMap::from([((root.board_key(), root.hand_key()), 0)]);
    let mut children: Vec<Vec<usize>> = Vec::new();
    let mut won = Vec::new();
    let mut waiting = vec![root.clone()];
    let attacker = root.side_to_move();
    // Numbers are given in the order of `waiting`, which is taken from the front.
    let mut next = 0;
    while next < waiting.len() {
        let mut position = waiting[next].clone();
        let attacking = position.side_to_move() == attacker;
        let mut below = Vec::new();
        // What lies behind a mate in one need not be gathered.
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
