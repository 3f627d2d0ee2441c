//! All forms of `position`, and roots without anything to search.

use monomi_movegen::Position;
use tests::usi_client::UsiClient;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// The sfen that the engine has, by its own word.
fn sfen_of(client: &mut UsiClient) -> String {
    client.send("d");
    let line = client.expect("Sfen:");
    client.settle();
    line.trim_start_matches("Sfen: ").to_owned()
}

#[test]
fn all_forms_of_position_are_read() {
    let mut client = UsiClient::ready();
    let behind = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    for (line, sfen) in [
        ("position startpos".to_owned(), START),
        ("position startpos moves".to_owned(), START),
        ("position  startpos   moves 7g7f  3c3d ".to_owned(), behind),
        (format!("position sfen {START} moves 7g7f 3c3d"), behind),
        (format!("position {START} moves 7g7f 3c3d"), behind),
        (format!("position {}", START.trim_end_matches(" 1")), START),
    ] {
        client.send("position sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1");
        client.send(&line);
        assert_eq!(sfen_of(&mut client), sfen, "{line}");
    }
    client.quit();
}

#[test]
fn invalid_positions_are_reported() {
    let mut client = UsiClient::ready();
    client.send("position startpos moves 7g7f");
    let good = sfen_of(&mut client);
    for (line, named) in [
        ("position", "position"),
        ("position fen", "fen"),
        ("position startpos 7g7f", "`7g7f`"),
        ("position startpos moves 7g7f 7c7e", "move 2, `7c7e`"),
        ("position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e x", "move 6, `x`"),
        ("position startpos moves 7g7f 3c3d 8h2b+ 3a2b b*5e", "move 5, `b*5e`"),
        ("position sfen 9/9/9/9 b - 1", "4 rows"),
        (
            "position sfen lnsgkgsnl/1r5b1/pppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "pppppppp",
        ),
        ("position sfen 9/9/9/9/9/9/9/9/9 b - 1", "no king"),
        ("position sfen 4k4/9/9/9/9/9/4P4/4P4/4K4 b - 1", "two pawns"),
        ("position sfen P3k4/9/9/9/9/9/9/9/4K4 b - 1", "can never move"),
        ("position sfen 4k4/4G4/9/9/9/9/9/9/4K4 b - 1", "in check"),
        ("position sfen 4k4/9/9/9/9/9/9/9/3KK4 b - 1", "more than one king"),
        ("position sfen 4k4/9/9/9/9/9/9/9/4K4 b 3R 1", "Rook"),
        ("position sfen 4k4/9/9/9/9/9/9/9/4K4 x - 1", "`x"),
        ("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - one", "`one`"),
    ] {
        client.send(line);
        let answer = client.expect("info string Error!");
        assert!(answer.contains(named), "{line}: {answer}");
        assert_eq!(sfen_of(&mut client), good, "{line}");
    }
    client.send(&format!("position {good}"));
    client.send("go depth 2");
    let best = client.best_move();
    let position = Position::from_sfen(&good).expect("the engine's own sfen");
    assert!(position.is_legal(best.parse().expect("a move")), "{best}");
    client.quit();
}

#[test]
fn go_after_an_invalid_position_does_not_play_in_the_previous_one() {
    let mut client = UsiClient::ready();
    client.send("position startpos moves 7g7f");
    client.send("position startpos moves 7g7f 7c7e");
    client.expect("info string Error! position:");
    for go in ["go depth 3", "go btime 1000 wtime 1000", "go"] {
        client.send(go);
        client.expect("info string Error! go:");
        assert_eq!(client.best_move(), "resign", "{go}");
    }
    client.send("go mate 100");
    assert_eq!(client.expect("checkmate"), "checkmate timeout");
    // Analysis and pondering are answered when it is their turn.
    client.send("go infinite");
    client.settle();
    client.send("stop");
    assert_eq!(client.best_move(), "resign");
    client.send("position startpos moves 7g7f 3c3d");
    client.send("go depth 3");
    assert_ne!(client.best_move(), "resign");
    client.quit();
}

#[test]
fn a_thousand_plies_are_read() {
    // The generals walk about in ever new positions: no fourfold repetition before the end.
    let cycle = "4i4h 6a6b 4h4i 6b6a 6i6h 4a4b 6h6i 4b4a ";
    let line = format!("position startpos moves {}", cycle.repeat(125));
    let mut client = UsiClient::ready();
    client.send(&line);
    client.settle();
    assert!(sfen_of(&mut client).ends_with(" 1001"));
    client.send("go depth 4");
    client.best_move();
    client.quit();
}

#[test]
fn unusual_positions_are_searched() {
    for sfen in [
        // Handicaps, White to move.
        "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        // One king only, on either side.
        "7nl/6k2/6ppp/5s3/9/9/9/9/9 b RGSN 1",
        "9/9/9/9/9/9/9/9/4K4 b 2P 1",
        // 593 legal moves.
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        // Only moves that the search would rather not try: a pawn that must promote, a lone king.
        "4k4/P8/9/9/9/9/9/9/8K b - 1",
    ] {
        let mut client = UsiClient::ready();
        client.send(&format!("position sfen {sfen}"));
        client.send("go nodes 3000");
        let best = client.best_move();
        let position = Position::from_sfen(sfen).expect("a good sfen");
        assert!(position.is_legal(best.parse().expect("a move")), "{sfen}: {best}");
        client.quit();
    }
}

#[test]
fn without_a_legal_move_the_answer_is_resign() {
    let mut client = UsiClient::ready();
    // Mated, and stalemated.
    for sfen in ["4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "k8/2G6/1G7/9/9/9/9/9/4K4 w - 1"] {
        client.send(&format!("position sfen {sfen}"));
        for go in ["go btime 1000 wtime 1000", "go depth 5", "go movetime 100", "go"] {
            client.send(go);
            assert_eq!(client.best_move(), "resign");
        }
        client.send("go infinite");
        client.settle();
        client.send("stop");
        assert_eq!(client.best_move(), "resign");
        client.send("go ponder btime 1000 wtime 1000");
        client.settle();
        client.send("ponderhit");
        assert_eq!(client.best_move(), "resign");
    }
    client.send("go depth 3");
    let lines = client.collect("bestmove");
    assert!(lines.iter().any(|line| line.contains("score mate -0")), "{lines:?}");
    client.quit();
}

#[test]
fn a_winning_declaration_is_played() {
    let entered = "KSSSSGGGG/PP7/9/9/9/9/9/9/k8 b 2RB3P 1";
    let mut client = UsiClient::ready();
    client.send(&format!("position sfen {entered}"));
    client.send("go btime 1000 wtime 1000");
    assert_eq!(client.best_move(), "win");
    client.send("go ponder btime 1000 wtime 1000");
    client.settle();
    client.send("ponderhit");
    assert_eq!(client.best_move(), "win");
    // Asked about moves, it answers with a move.
    client.send("go nodes 1000 searchmoves 2a2b");
    assert_eq!(client.best_move(), "2a2b");
    for rule in ["NoEnteringKing", "CSARule24", "TryRule"] {
        client.send(&format!("setoption name EnteringKingRule value {rule}"));
        client.send("go nodes 2000");
        assert_ne!(client.best_move(), "win", "{rule}");
    }
    // The try rule plays the move.
    client.send("position sfen 9/3K5/9/9/9/9/9/9/4k4 b P 1");
    client.send("go btime 1000 wtime 1000");
    assert_eq!(client.best_move(), "6b5a");
    client.quit();
}

#[test]
fn hopeless_games_are_resigned_if_requested() {
    // Black is mated in four plies.
    let lost = "1k3p1R1/5g3/l1spps1pp/p1p3p2/1P3P1P1/P+bP1P1P2/1G1+s+r3P/K8/LN5NL w N2Pb2gsnl 94 \
                moves 8f8g";
    let mut client = UsiClient::ready();
    client.send(&format!("position sfen {lost}"));
    client.send("go depth 12");
    assert_ne!(client.best_move(), "resign");
    client.send("setoption name ResignValue value 3000");
    client.send("go depth 12");
    assert_eq!(client.best_move(), "resign");
    // Analysis is no game.
    client.send("go infinite depth 12");
    client.settle();
    client.send("stop");
    assert_ne!(client.best_move(), "resign");
    // Far behind without a mate in sight.
    client.send("position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    client.send("go depth 2");
    assert_ne!(client.best_move(), "resign");
    client.send("setoption name ResignValue value 500");
    client.send("go depth 2");
    assert_eq!(client.best_move(), "resign");
    client.send("go infinite depth 2");
    client.settle();
    client.send("stop");
    assert_ne!(client.best_move(), "resign");
    client.send("position startpos");
    client.send("go depth 2");
    assert_ne!(client.best_move(), "resign");
    client.quit();
}
