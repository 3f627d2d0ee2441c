//! `go mate` over USI: each gets one `checkmate` in time and never a `bestmove`.

use std::time::{Duration, Instant};
use tests::usi_client::UsiClient;

const LONG: &str = "position sfen g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/\
    2P1+Ps2N/4+P1P1L/+B5G1g b - 1";
const MATE: &str = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1";

#[test]
fn go_mate_answers_when_time_runs_out() {
    let mut client = UsiClient::ready();
    client.send(LONG);
    let start = Instant::now();
    client.send("go mate 200");
    assert_eq!(client.expect("checkmate"), "checkmate timeout");
    assert!(start.elapsed() >= Duration::from_millis(190), "{:?}", start.elapsed());
    client.settle();
    client.quit();
}

#[test]
fn stop_and_quit_are_answered() {
    let mut client = UsiClient::ready();
    client.send(LONG);
    for _ in 0..5 {
        client.send("go mate infinite");
        client.settle();
        client.send("stop");
        assert_eq!(client.expect("checkmate"), "checkmate timeout");
    }
    client.send_raw(b"go mate infinite\nstop\ngo mate\ngo mate 10\n");
    for _ in 0..3 {
        assert_eq!(client.expect("checkmate"), "checkmate timeout");
    }
    client.settle();
    client.send("go mate infinite");
    let answers = client.quit();
    assert_eq!(answers.iter().filter(|a| a.text.starts_with("checkmate")).count(), 1);
}

#[test]
fn searches_and_mate_searches_alternate() {
    let mut client = UsiClient::ready_with(&[("USI_Hash", "16")]);
    for _ in 0..3 {
        client.send(MATE);
        client.send("go mate 5000");
        assert_eq!(client.expect("checkmate"), "checkmate G*5b");
        client.send("go depth 2");
        assert_eq!(client.best_move(), "G*5b");
        client.send("usinewgame");
    }
    client.quit();
}
