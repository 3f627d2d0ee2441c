//! Lost connections during the client's move, the opponent's move and between games; resumed games.

use crate::client::{ClientResult, PASSWORD, start, start_with};
use crate::server::{Offer, Peer, Server, some_move};
use monomi_movegen::Position;
use monomi_record::csa_board;
use monomi_record::read;
use monomi_support::text::Lang;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// The lines that rshogi's server sends to a player who reconnects.
fn resumption(offer: &Offer, position: &Position, last: Option<&str>, ms: [u32; 2]) -> String {
    let mut offer = offer.clone();
    offer.position = csa_board(position).trim_end().to_owned();
    let last = last.map(|mv| format!("Last_Move:{mv}\n")).unwrap_or_default();
    let turn = offer.position.chars().last().unwrap();
    format!(
        "{}\nBEGIN Reconnect_State\nCurrent_Turn:{turn}\nBlack_Time_Remaining_Ms:{}\n\
         White_Time_Remaining_Ms:{}\n{last}END Reconnect_State",
        offer.text(),
        ms[0],
        ms[1]
    )
}

fn expect_resumption(peer: &mut Peer) {
    let line = peer.login();
    assert_eq!(line, format!("LOGIN me {PASSWORD} reconnect:game+{TOKEN}"));
}

/// Checks that there is one record of one won game with these moves.
fn check(outcome: &ClientResult, moves: &[String]) {
    assert!(outcome.result.is_ok(), "{:?}", outcome.result);
    assert_eq!((outcome.tally.all.wins, outcome.tally.games()), (1, 1));
    let text = &outcome.records()[0];
    let record = &read(text.as_bytes()).unwrap().records[0];
    assert!(record.faults.is_empty(), "{:?}", record.faults);
    let lines: Vec<&str> =
        text.lines().filter(|line| line.len() == 7 && line.starts_with(['+', '-'])).collect();
    assert_eq!(lines, moves);
    let told = format!("{text} {:?}", outcome.notices);
    assert!(!told.contains(TOKEN) && !told.contains(PASSWORD), "{told}");
}

/// Reads the client's move and makes it, but does not confirm it.
fn read_move(peer: &mut Peer, position: &mut Position) -> String {
    let text = peer.line().split(',').next().unwrap().to_owned();
    let mv = monomi_record::parse_csa_move(position, &text).unwrap();
    position.do_move(mv);
    text
}

/// Plays a game in which the server closes the connection. `cut` plays until then and returns the
/// lines that the server sends when the client reconnects.
fn with_cut(
    cut: impl FnOnce(Peer, &mut Position, &mut Vec<String>) -> Option<String> + Send + 'static,
) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let server = Server::start(move |listener| {
        let offer = Offer::new("game", '+').with_token(TOKEN);
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.begin(&offer);
        moves.push(peer.take_move(&mut position, "T2"));
        moves.push(peer.make_move(&mut position, "T3"));
        let last = cut(peer, &mut position, &mut moves);
        let mut peer = Peer::accept(listener);
        expect_resumption(&mut peer);
        peer.send(&resumption(&offer, &position, last.as_deref(), [50_000, 40_000]));
        if position.side_to_move() == shogi_core::Color::White {
            moves.push(peer.make_move(&mut position, "T1"));
        }
        moves.push(peer.take_move(&mut position, "T1"));
        peer.send("%TORYO,T1\n#RESIGN\n#WIN");
        peer.logout();
        sender.send(moves).unwrap();
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    check(&outcome, &receiver.recv().unwrap());
    assert!(outcome.said("the game goes on"));
}

#[test]
fn cut_while_the_client_thinks() {
    with_cut(|peer, _, moves| {
        peer.cut();
        moves.last().cloned()
    });
}

#[test]
fn cut_before_the_confirmation_of_a_move() {
    with_cut(|mut peer, position, moves| {
        moves.push(read_move(&mut peer, position));
        peer.cut();
        moves.last().cloned()
    });
}

#[test]
fn cut_so_that_the_move_never_arrives() {
    with_cut(|mut peer, _, moves| {
        // The server reads the move and ignores it.
        peer.line();
        peer.cut();
        moves.last().cloned()
    });
}

#[test]
fn cut_while_the_opponent_thinks() {
    with_cut(|mut peer, position, moves| {
        moves.push(peer.take_move(position, "T1"));
        peer.cut();
        moves.last().cloned()
    });
}

#[test]
fn cut_while_the_opponent_thinks_and_then_moves() {
    with_cut(|mut peer, position, moves| {
        moves.push(peer.take_move(position, "T1"));
        peer.cut();
        moves.push(some_move(position));
        moves.last().cloned()
    });
}

#[test]
fn cut_before_the_confirmation_and_the_opponent_moves() {
    with_cut(|mut peer, position, moves| {
        moves.push(read_move(&mut peer, position));
        moves.push(some_move(position));
        peer.cut();
        moves.last().cloned()
    });
}

#[test]
fn cut_between_games() {
    let server = Server::start(|listener| {
        for number in 0..2 {
            let mut peer = Peer::accept(listener);
            peer.login();
            peer.cut();
            let mut peer = Peer::accept(listener);
            assert_eq!(peer.login(), format!("LOGIN me {PASSWORD}"));
            peer.begin(&Offer::new(&format!("g{number}"), '+').with_token(TOKEN));
            peer.send("#TIME_UP\n#WIN");
            peer.cut();
        }
    });
    let outcome = start(server.port, "games = 2").finish();
    server.finish();
    assert_eq!((outcome.tally.all.wins, outcome.tally.games()), (2, 2));
}

#[test]
fn a_server_that_is_down_for_a_while() {
    // A port on which no server listens at first.
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let client = start(port, "games = 1");
    client.wait_for("cannot connect to 127.0.0.1");
    let listener = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    let mut peer = Peer::accept(&listener);
    peer.login();
    peer.begin(&Offer::new("g", '+'));
    peer.send("#TIME_UP\n#WIN");
    peer.logout();
    assert_eq!(client.finish().tally.all.wins, 1);
}

#[test]
fn a_port_that_refuses_the_first_connection_for_long_ends_the_client() {
    use std::time::Duration;
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let retry = |config: &mut monomi_csa::config::Config| {
        config.retry.unreached = Duration::from_millis(300);
    };
    let outcome = start_with(port, "games = 1", retry).finish();
    let error = outcome.result.unwrap_err().to_string();
    assert!(error.contains(&format!("cannot connect to 127.0.0.1:{port}")), "{error}");
    // It has tried several times.
    assert!(outcome.notices.len() > 1, "{:?}", outcome.notices);
}

#[test]
fn a_server_may_offer_the_same_game_again_with_its_moves() {
    let (sender, receiver) = std::sync::mpsc::channel();
    let server = Server::start(move |listener| {
        let mut offer = Offer::new("game", '+');
        let mut position = Position::startpos();
        let mut moves = Vec::new();
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.begin(&offer);
        moves.push(peer.take_move(&mut position, "T2"));
        peer.cut();
        moves.push(some_move(&mut position));
        let mut peer = Peer::accept(listener);
        assert_eq!(peer.login(), format!("LOGIN me {PASSWORD}"));
        offer.position = format!("PI\n+\n{},T2\n{},T4", moves[0], moves[1]);
        peer.begin(&offer);
        moves.push(peer.take_move(&mut position, "T1"));
        peer.send("#TIME_UP\n#WIN");
        peer.logout();
        sender.send(moves).unwrap();
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    check(&outcome, &receiver.recv().unwrap());
}

#[test]
fn a_game_that_is_not_resumed_is_unfinished_and_the_next_one_is_played() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.begin(&Offer::new("game", '+').with_token(TOKEN));
        peer.take_move(&mut Position::startpos(), "T1");
        peer.cut();
        let mut peer = Peer::accept(listener);
        peer.line();
        peer.send("LOGIN:incorrect reconnect_rejected");
        peer.cut();
        let mut peer = Peer::accept(listener);
        assert_eq!(peer.login(), format!("LOGIN me {PASSWORD}"));
        peer.begin(&Offer::new("next", '+'));
        peer.send("#TIME_UP\n#WIN");
        peer.logout();
    });
    let outcome = start(server.port, "games = 2").finish();
    server.finish();
    assert_eq!((outcome.tally.all.wins, outcome.tally.all.unfinished), (1, 1));
    assert_eq!(outcome.games[0].reason(Lang::En), "connection lost");
    assert!(outcome.records()[0].contains("%CHUDAN"));
}

#[test]
fn an_unrelated_position_is_not_resumed() {
    let server = Server::start(|listener| {
        let offer = Offer::new("game", '+').with_token(TOKEN);
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.begin(&offer);
        peer.take_move(&mut Position::startpos(), "T1");
        peer.cut();
        let mut peer = Peer::accept(listener);
        expect_resumption(&mut peer);
        let strange = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R 1").unwrap();
        peer.send(&resumption(&offer, &strange, None, [1000, 1000]));
        while peer.next_line().is_some() {}
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    assert_eq!(outcome.tally.all.unfinished, 1);
    assert!(outcome.said("does not follow from the game"));
}

/// The client's turn has 6 s, 5 of them increment. The connection is cut when the opponent's move has
/// arrived, and comes back at the start, in the middle and in the last second of the turn: the server's
/// clock has run since the move. `Time_Remaining_Ms` contains the increment.
#[test]
fn the_clock_runs_while_the_connection_is_lost() {
    use std::time::{Duration, Instant};
    for back_after in [0, 3_000, 5_000] {
        let server = Server::start(move |listener| {
            let mut offer = Offer::new("game", '+').with_token(TOKEN);
            offer.times = "BEGIN Time\nTime_Unit:1msec\nTotal_Time:2000\nIncrement:5000\n\
                           Least_Time_Per_Move:0\nEND Time"
                .to_owned();
            let mut position = Position::startpos();
            let mut peer = Peer::accept(listener);
            peer.login();
            peer.begin(&offer);
            peer.take_move(&mut position, "T6000");
            let last = peer.make_move(&mut position, "T100");
            let moved = Instant::now();
            peer.cut();
            let mut peer = Peer::accept(listener);
            expect_resumption(&mut peer);
            std::thread::sleep(Duration::from_millis(back_after).saturating_sub(moved.elapsed()));
            peer.send(&resumption(&offer, &position, Some(&last), [6_000, 11_900]));
            peer.take_move(&mut position, "T5900");
            let used = moved.elapsed();
            assert!(used < Duration::from_secs(6), "{used:?}, back after {back_after} ms");
            peer.send("%TORYO,T1\n#RESIGN\n#WIN");
            peer.logout();
        });
        let started = start_with(server.port, "games = 1", |config| {
            // Only time ends the search.
            config.settings.options.retain(|(name, _)| name != "DepthLimit");
            config.settings.options.push(("NetworkDelay".to_owned(), "100".to_owned()));
            config.settings.options.push(("NetworkDelay2".to_owned(), "100".to_owned()));
        });
        let outcome = started.finish();
        server.finish();
        assert!(outcome.result.is_ok(), "{:?}", outcome.result);
        assert_eq!((outcome.tally.all.wins, outcome.tally.games()), (1, 1));
    }
}
