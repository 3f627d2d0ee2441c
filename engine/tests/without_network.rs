//! Without the feature `builtin-network`:
//! `cargo test -p monomi-engine --no-default-features --test without_network`.
#![cfg(not(feature = "builtin-network"))]

use monomi_engine::{EvalSource, Evaluation, usi};
use std::io::Cursor;

fn session(lines: &'static str) -> String {
    let mut output = Vec::new();
    usi::serve(Cursor::new(lines), &mut output).expect("a session");
    String::from_utf8(output).expect("UTF-8")
}

#[test]
fn the_piece_square_tables_play_until_a_network_is_loaded() {
    assert_eq!(EvalSource::default(), EvalSource::PieceSquare);
    let described = Evaluation::piece_square().describe();
    assert_eq!(Evaluation::built_in().describe(), described);
    let played = session("usi\nisready\nposition startpos\ngo nodes 500\n");
    assert!(
        played.contains("option name EvalFile type filename default <piece-square>"),
        "{played}"
    );
    assert!(played.contains("readyok") && played.contains("bestmove "), "{played}");
    assert!(!played.contains("Error"), "{played}");
}

#[test]
fn the_network_that_is_not_there_is_an_error() {
    let error = EvalSource::Internal.load(&mut |_| ()).err().expect("no network").to_string();
    assert_eq!(error, "this program was built without a network: load a network file");
    let refused = session("setoption name EvalFile value <internal>\nisready\n");
    assert!(refused.contains("Error") && refused.contains(&error), "{refused}");
}
