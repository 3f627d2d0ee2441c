//! Any text is a position or a reason why not; a position has sound moves and comes back the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use monomi_movegen::Position;

fuzz_target!(|text: &str| {
    let Ok(mut position) = Position::from_sfen(text) else { return };
    position.validate().expect("what is kept at hand agrees with the board");
    let again = Position::from_sfen(&position.to_sfen()).expect("its own sfen");
    assert_eq!(again.key(), position.key());
    for mv in position.legal_moves() {
        assert!(position.is_legal(mv));
        position.do_move(mv);
        position.validate().expect("behind a move too");
        position.undo_move();
    }
});
