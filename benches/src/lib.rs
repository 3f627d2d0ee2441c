//! Positions shared by the benchmarks.

use monomi_movegen::Position;

/// Positions from games of strong engines.
///
/// # Panics
/// Never: the file is embedded and its parsing is tested.
pub fn middlegames() -> Vec<Position> {
    include_str!("../data/middlegames.sfen")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|sfen| Position::from_sfen(sfen).expect("a position of our own file"))
        .collect()
}

/// The positions after each check that one of `positions` allows.
pub fn in_check(positions: &[Position]) -> Vec<Position> {
    let mut checked = Vec::new();
    for position in positions {
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.do_move(mv);
            if next.in_check() {
                checked.push(next);
            }
        }
    }
    checked
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_are_positions_of_both_sorts() {
        let positions = super::middlegames();
        assert_eq!(positions.len(), 128);
        assert!(super::in_check(&positions).len() > 200);
    }
}
