//! Whole games: moves, times, comments, records, modes, declarations, stopping.

use crate::client::{PASSWORD, start, start_with};
use crate::server::{Offer, Peer, Server};
use monomi_movegen::Position;
use monomi_record::{Ending, read};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Plays a game with this many moves of the client, then the opponent resigns. Returns the moves.
fn play(peer: &mut Peer, offer: &Offer, moves: usize, time: &str) -> Vec<String> {
    let mut position = Position::startpos();
    let mut played = Vec::new();
    peer.begin(offer);
    if offer.turn == '-' {
        played.push(peer.make_move(&mut position, time));
    }
    for round in 0..moves {
        played.push(peer.take_move(&mut position, time));
        if round + 1 < moves {
            played.push(peer.make_move(&mut position, time));
        }
    }
    peer.send("%TORYO,T1\n#RESIGN\n#WIN");
    played
}

#[test]
fn records_contain_the_game() {
    let (sender, receiver) = channel();
    let server = Server::start(move |listener| {
        for turn in ['+', '-'] {
            let mut peer = Peer::accept(listener);
            peer.login();
            let offer = Offer::new(&format!("test+game-60-10+{turn}"), turn);
            sender.send(play(&mut peer, &offer, 5, "T3")).unwrap();
            peer.logout();
        }
    });
    let outcome = start(server.port, "games = 2").finish();
    server.finish();
    for (text, moves) in outcome.records().iter().zip(receiver) {
        let lines: Vec<&str> =
            text.lines().filter(|line| line.len() == 7 && line.starts_with(['+', '-'])).collect();
        assert_eq!(lines, moves);
        let record = &read(text.as_bytes()).unwrap().records[0];
        assert!(record.faults.is_empty(), "{:?}", record.faults);
        assert_eq!(record.ending, Some(Ending::Resign));
        assert_eq!(record.moves.len(), moves.len());
        assert!(record.moves.iter().all(|played| played.seconds == Some(3)));
        // Read by another library.
        let other = shogi_kifu_converter::parser::parse_csa_str(text).expect("CSA for others");
        assert!(other.moves.len() > moves.len());
        assert!(text.contains("\n'** "), "no comments: {text}");
        assert!(text.contains("$EVENT:test+game-60-10+"), "{text}");
    }
    assert_eq!(outcome.tally.by_color.map(|counts| counts.wins), [1, 1]);
}

#[test]
fn times_in_milliseconds_are_recorded_as_such() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        let mut offer = Offer::new("ms", '-');
        offer.times = "BEGIN Time\nTime_Unit:1msec\nTotal_Time:10000\nByoyomi:100\nEND Time".into();
        play(&mut peer, &offer, 3, "T1234");
        peer.logout();
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    let text = &outcome.records()[0];
    assert!(text.contains("\nV3.0\n") && text.contains("\nT1.234\n"), "{text}");
    assert!(text.contains("$TIME:10+0.1+0"), "{text}");
    assert!(read(text.as_bytes()).unwrap().records[0].faults.is_empty());
}

#[test]
fn comments_contain_a_score_and_legal_moves_unless_disabled() {
    let (sender, receiver) = channel();
    let server = Server::start(move |listener| {
        for _ in 0..2 {
            let mut peer = Peer::accept(listener);
            peer.login();
            peer.begin(&Offer::new("g", '+'));
            sender.send(peer.line()).unwrap();
            peer.send("#TIME_UP\n#LOSE");
            peer.logout();
        }
    });
    start(server.port, "games = 1").finish();
    start(server.port, "games = 1\ncomments = false").finish();
    server.finish();
    let lines: Vec<String> = receiver.iter().collect();
    let (mv, comment) = lines[0].split_once(",'* ").expect("a comment");
    let mut words = comment.split(' ');
    assert!(words.next().unwrap().parse::<i32>().is_ok(), "{comment}");
    let mut position = Position::startpos();
    for text in std::iter::once(mv).chain(words) {
        let mv = monomi_record::parse_csa_move(&position, text).unwrap();
        assert!(position.is_legal(mv), "{comment}");
        position.do_move(mv);
    }
    assert_eq!(lines[1].len(), 7, "{}", lines[1]);
}

#[test]
fn moves_before_the_game_are_part_of_it() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        let mut offer = Offer::new("buoy", '+');
        offer.position = "PI\n+\n+7776FU,T12\n-3334FU,T5".to_owned();
        peer.begin(&offer);
        let mut position = Position::startpos();
        for mv in ["7g7f", "3c3d"] {
            position.do_move(mv.parse().unwrap());
        }
        peer.take_move(&mut position, "T1");
        peer.send("#TIME_UP\n#WIN");
        peer.logout();
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    let record = &read(outcome.records()[0].as_bytes()).unwrap().records[0];
    let seconds: Vec<Option<u32>> = record.moves.iter().map(|played| played.seconds).collect();
    assert_eq!(seconds, [Some(12), Some(5), Some(1)]);
}

#[test]
fn the_extended_mode_stays_logged_in() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        assert_eq!(peer.login(), format!("LOGIN me {PASSWORD} x1"));
        peer.send("##[LOGIN] +OK x1");
        for number in 0..3 {
            peer.expect("%%GAME test-60-10 -");
            play(&mut peer, &Offer::new(&format!("g{number}"), '-'), 2, "T0");
        }
        peer.logout();
    });
    let more = "games = 3\nextended = true\ngame = 'test-60-10'\ncolor = 'white'";
    let outcome = start(server.port, more).finish();
    server.finish();
    assert_eq!((outcome.tally.by_color[1].wins, outcome.records().len()), (3, 3));
}

#[test]
fn the_games_name_is_part_of_the_password_in_the_plain_mode() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        assert_eq!(peer.login(), format!("LOGIN me floodgate-300-10F,{PASSWORD}"));
        play(&mut peer, &Offer::new("g", '+'), 1, "T0");
        peer.logout();
    });
    start(server.port, "games = 1\ngame = 'floodgate-300-10F'").finish();
    server.finish();
}

#[test]
fn rejected_and_unplayable_offers_do_not_count() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.send(&Offer::new("first", '+').text());
        peer.expect("AGREE first");
        peer.send("REJECT:first by you");
        let mut broken = Offer::new("broken", '+');
        broken.position = "PI\n+\n+7775FU,T1".to_owned();
        peer.send(&broken.text());
        peer.expect("REJECT broken");
        play(&mut peer, &Offer::new("good", '+'), 1, "T0");
        peer.logout();
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    assert_eq!((outcome.tally.games(), outcome.tally.all.wins), (1, 1));
    assert!(outcome.said("rejected: first by you") && outcome.said("this client cannot play"));
}

/// Black's king has entered, with enough points for the 27-point rule.
const ENTERED: &str = "P1+OU+GI+GI+GI+GI+KI+KI+KI+KI\nP2+FU+FU *  *  *  *  *  *  * \n\
     P9-OU *  *  *  *  *  *  *  * \nP+00HI00HI00KA00FU00FU00FU\n+";

#[test]
fn wins_are_declared_only_where_the_rules_allow_it() {
    for (more, option, declares) in [
        ("Declaration:Jishogi 1.1", "", true),
        ("Entering_King_Rule:CSARule27", "", true),
        ("Declaration:Jishogi 1.1\nEntering_King_Rule:NoEnteringKing", "", false),
        ("Entering_King_Rule:Unheard", "", false),
        // The line may be left out.
        ("Max_Moves:256", "", true),
        // The user's choice replaces what the server says.
        ("Max_Moves:256", "declaration = '27'", true),
        // 28 points; a win needs 31 by this rule.
        ("Max_Moves:256", "declaration = '24'", false),
        ("Max_Moves:256", "declaration = 'never'", false),
        ("Declaration:Jishogi 1.1", "declaration = 'never'", false),
        ("Entering_King_Rule:NoEnteringKing", "declaration = '27'", true),
    ] {
        let server = Server::start(move |listener| {
            let mut peer = Peer::accept(listener);
            peer.login();
            let mut offer = Offer::new("g", '+');
            (offer.position, offer.more) = (ENTERED.to_owned(), more.to_owned());
            peer.begin(&offer);
            let line = peer.line();
            assert_eq!(line == "%KACHI", declares, "{more} {option}: {line}");
            peer.send("%KACHI,T1\n#JISHOGI\n#WIN");
            peer.logout();
        });
        let outcome = start(server.port, &format!("games = 1\n{option}")).finish();
        server.finish();
        assert_eq!(outcome.tally.all.wins, 1);
        let warned = outcome.said("names no rule for declaring a win");
        assert_eq!(warned, more.starts_with("Max_Moves") && option.is_empty());
    }
}

#[test]
fn the_users_rule_does_not_override_the_servers() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        let mut offer = Offer::new("g", '+');
        offer.position = ENTERED.to_owned();
        offer.more = "Entering_King_Rule:NoEnteringKing".to_owned();
        peer.begin(&offer);
        assert_eq!(peer.line().split(',').next().unwrap().len(), 7);
        peer.send("#TIME_UP\n#WIN");
        peer.logout();
    });
    let change = |config: &mut monomi_csa::config::Config| {
        config.settings.options.push(("EnteringKingRule".to_owned(), "CSARule27".to_owned()));
    };
    let outcome = start_with(server.port, "games = 1", change).finish();
    server.finish();
    assert!(outcome.said("do not allow the declaration"), "{:?}", outcome.notices);
}

#[test]
fn a_mated_client_resigns() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        let mut offer = Offer::new("g", '-');
        offer.position = "P1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  * +KI *  *  *  * \n\
             P3 *  *  *  * +FU *  *  *  * \nP9 *  *  *  * +OU *  *  *  * \n-"
            .to_owned();
        peer.begin(&offer);
        peer.expect("%TORYO");
        peer.send("%TORYO,T1\n#RESIGN\n#LOSE");
        peer.logout();
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    assert_eq!(outcome.tally.all.losses, 1);
}

#[test]
fn lost_games_are_resigned_if_the_user_wants() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        let mut offer = Offer::new("g", '+');
        offer.position = "PI22KA82HI88KA28HI\nP-00HI00HI00KA00KA\n+".to_owned();
        peer.begin(&offer);
        peer.expect("%TORYO");
        peer.send("%TORYO,T1\n#RESIGN\n#LOSE");
        peer.logout();
    });
    let outcome = start(server.port, "games = 1\nresign = 500").finish();
    server.finish();
    assert_eq!(outcome.tally.all.losses, 1);
}

#[test]
fn the_first_stop_request_waits_for_the_game() {
    let (sender, receiver) = channel();
    let server = Server::start(move |listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        let mut position = Position::startpos();
        peer.begin(&Offer::new("g", '+'));
        peer.take_move(&mut position, "T1");
        receiver.recv().unwrap();
        peer.make_move(&mut position, "T1");
        peer.take_move(&mut position, "T1");
        peer.send("%TORYO,T1\n#RESIGN\n#WIN");
        peer.logout();
    });
    let client = start(server.port, "");
    client.wait_for_moves(1);
    client.stop();
    client.wait_for("ending after this game");
    sender.send(()).unwrap();
    let outcome = client.finish();
    server.finish();
    assert_eq!((outcome.tally.all.wins, outcome.tally.games()), (1, 1));
}

#[test]
fn the_second_stop_request_does_not_wait() {
    let server = Server::start(move |listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.begin(&Offer::new("g", '+'));
        peer.take_move(&mut Position::startpos(), "T1");
        while peer.next_line().is_some() {}
    });
    let client = start(server.port, "");
    client.wait_for_moves(1);
    client.stop();
    client.wait_for("ending after this game");
    client.stop();
    let outcome = client.finish();
    server.finish();
    assert_eq!(outcome.tally.all.unfinished, 1);
    assert!(outcome.records()[0].contains("%CHUDAN"));
}

#[test]
fn without_a_game_the_first_stop_request_logs_out() {
    let server = Server::start(move |listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.logout();
    });
    let client = start(server.port, "");
    client.stop();
    let outcome = client.finish();
    assert!(outcome.result.is_ok() && outcome.tally.games() == 0);
    // If the request came before the connection, there was no connection.
    drop(std::net::TcpStream::connect(("127.0.0.1", server.port)));
    drop(server);
}

#[test]
fn keep_alive_lines_are_sent_while_waiting() {
    let server = Server::start(move |listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        for _ in 0..3 {
            assert_eq!(peer.byte(), b'\n');
            peer.send("");
        }
        play(&mut peer, &Offer::new("g", '+'), 1, "T0");
        peer.logout();
    });
    let change = |config: &mut monomi_csa::config::Config| {
        config.settings.keep_alive = Duration::from_millis(50);
    };
    let outcome = start_with(server.port, "games = 1", change).finish();
    server.finish();
    assert_eq!(outcome.tally.all.wins, 1);
}
