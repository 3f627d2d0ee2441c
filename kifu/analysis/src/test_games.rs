//! Games for tests.

use monomi_movegen::Position;
use monomi_record::{Record, read_usi_line};

/// The record of a game with this many moves, which are legal but arbitrary.
pub fn record(moves: usize) -> Record {
    let mut position = Position::startpos();
    let mut text = "startpos moves".to_owned();
    for number in 0..moves {
        let legal = position.legal_moves();
        let mv = legal[(number * 7 + 3) % legal.len()];
        text.push_str(&format!(" {mv}"));
        position.do_move(mv);
    }
    read_usi_line(1, &text).expect("a game")
}
