//! Every end of a game and every reply to a login.

use crate::client::{PASSWORD, start, start_with};
use crate::server::{Offer, Peer, Server};
use monomi_csa::ClientError;
use monomi_csa::output::Verdict;
use monomi_movegen::Position;
use monomi_support::text::Lang;
use std::time::Duration;

/// The server's lines after the client's first move, the verdict, and the last line of the record.
const ENDS: [(&str, Verdict, &str); 14] = [
    ("%TORYO,T1\n#RESIGN\n#WIN", Verdict::Win, "%TORYO"),
    ("#RESIGN\n#LOSE", Verdict::Loss, "%TORYO"),
    ("#TIME_UP\n#WIN", Verdict::Win, "%TIME_UP"),
    ("#TIME_UP\n#LOSE", Verdict::Loss, "%TIME_UP"),
    ("#ILLEGAL_MOVE\n#WIN", Verdict::Win, "%ILLEGAL_MOVE"),
    ("#ILLEGAL_MOVE\n#LOSE", Verdict::Loss, "%ILLEGAL_MOVE"),
    ("#SENNICHITE\n#DRAW", Verdict::Draw, "%SENNICHITE"),
    ("#OUTE_SENNICHITE\n#WIN", Verdict::Win, "%-ILLEGAL_ACTION"),
    ("#OUTE_SENNICHITE\n#LOSE", Verdict::Loss, "%+ILLEGAL_ACTION"),
    ("%KACHI,T2\n#JISHOGI\n#LOSE", Verdict::Loss, "%KACHI"),
    ("#MAX_MOVES\n#CENSORED", Verdict::Draw, "%MAX_MOVES"),
    ("#CENSORED", Verdict::Unfinished, "%CHUDAN"),
    ("#CHUDAN", Verdict::Unfinished, "%CHUDAN"),
    ("%CHUDAN\n#CHUDAN", Verdict::Unfinished, "%CHUDAN"),
];

#[test]
fn every_end_is_counted_and_recorded() {
    let server = Server::start(|listener| {
        for (number, (end, _, _)) in ENDS.iter().enumerate() {
            let mut peer = Peer::accept(listener);
            assert_eq!(peer.login(), format!("LOGIN me {PASSWORD}"));
            peer.begin(&Offer::new(&format!("game-{number}"), '+'));
            peer.take_move(&mut Position::startpos(), "T1");
            peer.send(end);
            peer.logout();
        }
    });
    let outcome = start(server.port, &format!("games = {}", ENDS.len())).finish();
    server.finish();
    assert!(outcome.result.is_ok(), "{:?}", outcome.result);
    for ((game, record), (end, verdict, word)) in
        outcome.games.iter().zip(outcome.records()).zip(ENDS)
    {
        assert_eq!(game.result, verdict, "{end}");
        assert_eq!((game.opponent.as_str(), game.plies), ("you", 1));
        assert!(record.lines().any(|line| line == word), "{end}: {record}");
    }
    let all = outcome.tally.all;
    assert_eq!((all.wins, all.losses, all.draws, all.unfinished), (4, 5, 2, 3));
    assert_eq!(outcome.tally.by_opponent["you"][0], all);
    assert!(outcome.notices.is_empty(), "{:?}", outcome.notices);
}

#[test]
fn a_reason_without_a_result_ends_the_game_when_the_connection_closes() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.begin(&Offer::new("g", '+').with_token("0123456789abcdef"));
        peer.take_move(&mut Position::startpos(), "T1");
        peer.send("#ABNORMAL");
        peer.cut();
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    assert_eq!(outcome.tally.all.unfinished, 1);
    assert_eq!(outcome.games[0].reason(Lang::En), "ABNORMAL");
}

#[test]
fn a_wrong_password_ends_the_program_without_a_second_attempt() {
    for (reply, expected) in [
        ("LOGIN:incorrect", "wrong password"),
        ("LOGIN:incorrect unknown_game_name", "unknown_game_name"),
    ] {
        let (sender, client_ended) = std::sync::mpsc::channel();
        let server = Server::start(move |listener| {
            let mut peer = Peer::accept(listener);
            peer.line();
            peer.send(reply);
            assert_eq!(peer.next_line(), None);
            listener.set_nonblocking(true).unwrap();
            client_ended.recv().unwrap();
            assert!(listener.accept().is_err(), "a second attempt");
        });
        let outcome = start(server.port, "").finish();
        sender.send(()).unwrap();
        server.finish();
        let error = outcome.result.unwrap_err();
        assert!(matches!(error, ClientError::Login { .. }), "{error}");
        let text = format!("{error} {error:?} {:?}", outcome.notices);
        assert!(text.contains(expected) && !text.contains(PASSWORD), "{text}");
    }
}

#[test]
fn a_login_with_a_name_in_use_is_retried() {
    let server = Server::start(|listener| {
        for reply in [
            "LOGIN:incorrect\nusername me is already connected",
            "LOGIN:incorrect rate_limited retry_after=0",
        ] {
            let mut peer = Peer::accept(listener);
            peer.line();
            peer.send(reply);
        }
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.begin(&Offer::new("g", '+'));
        peer.send("#TIME_UP\n#LOSE");
        peer.logout();
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    assert!(outcome.result.is_ok() && outcome.said("already connected"));
}

#[test]
fn a_refusal_after_a_successful_login_is_retried_for_a_while() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.cut();
        for _ in 0..3 {
            let mut peer = Peer::accept(listener);
            peer.line();
            peer.send("LOGIN:incorrect busy");
        }
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.begin(&Offer::new("g", '+'));
        peer.send("#TIME_UP\n#LOSE");
        peer.logout();
        // The second run, which retries for a shorter time.
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.cut();
        while listener.accept().map(|(stream, _)| refuse(stream)).unwrap_or(false) {}
    });
    let outcome = start(server.port, "games = 1").finish();
    assert!(outcome.result.is_ok() && outcome.said("the login is refused (busy)"));
    let short = |config: &mut monomi_csa::config::Config| {
        config.retry.refused = Duration::from_millis(300);
    };
    let outcome = start_with(server.port, "", short).finish();
    assert!(matches!(outcome.result, Err(ClientError::Login { .. })));
    // Ends the server's loop.
    drop(std::net::TcpStream::connect(("127.0.0.1", server.port)));
    server.finish();
}

/// Refuses a login. Returns whether there was one.
fn refuse(stream: std::net::TcpStream) -> bool {
    use std::io::{BufRead as _, BufReader, Write as _};
    let mut line = String::new();
    let read = BufReader::new(&stream).read_line(&mut line);
    let _ = (&stream).write_all(b"LOGIN:incorrect busy\n");
    read.is_ok() && !line.is_empty()
}
