//! Servers that violate the protocol or send nothing.

use crate::client::{start, start_with};
use crate::server::{Offer, Peer, Server};
use monomi_csa::config::Config;
use monomi_movegen::Position;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;
use tests::full_disk::FullDisk;

/// Logs the client in and lets it win a game, which shows that it still works.
fn good_game(peer: &mut Peer) {
    peer.login();
    peer.begin(&Offer::new("good", '+'));
    peer.take_move(&mut Position::startpos(), "T1");
    peer.send("%TORYO,T1\n#RESIGN\n#WIN");
    peer.logout();
}

/// A server that runs `fault` on the first connection after the login and then plays a game.
fn after_login(fault: impl FnOnce(&mut Peer) + Send + 'static) -> Server {
    Server::start(move |listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        fault(&mut peer);
        drop(peer);
        good_game(&mut Peer::accept(listener));
    })
}

fn short(config: &mut Config) {
    config.settings.silence = Duration::from_millis(300);
    config.patience = Duration::from_millis(300);
}

#[test]
fn a_few_lines_of_garbage_do_no_harm() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.send("welcome\n\n+7776FU,T1\n#WIN\nSTART:x\n\u{1b}[2J\u{0}");
        peer.login();
        peer.send("##[CHAT] hello\nEND Game_Summary\nREJECT:other by nobody\n%TORYO");
        peer.begin(&Offer::new("g", '+'));
        peer.send("noise\n##[CHAT] hi");
        peer.take_move(&mut Position::startpos(), "Tx");
        peer.send("#WIN");
        peer.logout();
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    assert_eq!(outcome.tally.all.wins, 1);
    assert!(outcome.said("unrecognised line"));
    assert!(!outcome.notices.concat().contains('\u{1b}'));
}

#[test]
fn endless_garbage_ends_the_connection() {
    let server =
        after_login(|peer| while peer.stream.write_all(b"garbage garbage garbage\n").is_ok() {});
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    assert!(outcome.said("is it a CSA server?") && outcome.tally.all.wins == 1);
}

#[test]
fn an_endless_line_uses_no_memory_and_counts_as_silence() {
    let server = after_login(|peer| {
        let part = vec![b'x'; 1 << 20];
        for _ in 0..32 {
            if peer.stream.write_all(&part).is_err() {
                return;
            }
        }
        while peer.next_line().is_some() {}
    });
    let outcome = start_with(server.port, "games = 1", |config| {
        config.settings.silence = Duration::from_secs(1);
    })
    .finish();
    server.finish();
    assert!(outcome.said("silent") && outcome.tally.all.wins == 1, "{:?}", outcome.notices);
}

#[test]
fn a_summary_without_end_ends_the_connection() {
    let server = after_login(|peer| {
        peer.send("BEGIN Game_Summary");
        while peer.stream.write_all(b"Key:value\n").is_ok() {}
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    assert!(outcome.said("KiB") && outcome.tally.all.wins == 1, "{:?}", outcome.notices);
}

#[test]
fn lines_may_come_in_pieces() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.line();
        let text = format!("LOGIN:me OK\r\n{}\r\n", Offer::new("g", '+').text());
        for piece in text.as_bytes().chunks(7) {
            peer.stream.write_all(piece).unwrap();
            std::thread::sleep(Duration::from_millis(1));
        }
        peer.expect("AGREE g");
        peer.send("START:g\r\n#TIME_UP\r\n#WIN\r");
        peer.logout();
    });
    let outcome = start(server.port, "games = 1").finish();
    server.finish();
    assert_eq!(outcome.tally.all.wins, 1);
}

#[test]
fn silence_before_login_while_waiting_and_before_the_start_is_reported() {
    for stage in 0..3 {
        let server = Server::start(move |listener| {
            let mut peer = Peer::accept(listener);
            if stage > 0 {
                peer.login();
            }
            if stage > 1 {
                peer.send(&Offer::new("g", '+').text());
            }
            while peer.next_line().is_some() {}
            good_game(&mut Peer::accept(listener));
        });
        let outcome = start_with(server.port, "games = 1", short).finish();
        server.finish();
        let expected = if stage == 0 { "" } else { "silent for 300 ms" };
        assert!(outcome.said(expected) && outcome.tally.all.wins == 1, "{:?}", outcome.notices);
    }
}

#[test]
fn silence_after_a_move_is_reported() {
    let server = after_login(|peer| {
        peer.begin(&Offer::new("g", '+'));
        peer.line();
        while peer.next_line().is_some() {}
    });
    let outcome = start_with(server.port, "games = 2", |config| {
        config.patience = Duration::from_millis(300);
    })
    .finish();
    server.finish();
    assert!(outcome.said("overdue by 300 ms"), "{:?}", outcome.notices);
    assert_eq!((outcome.tally.all.wins, outcome.tally.all.unfinished), (1, 1));
}

#[test]
fn an_opponent_who_exceeds_the_time_without_a_verdict_is_reported() {
    let server = after_login(|peer| {
        let mut offer = Offer::new("g", '-');
        offer.times = "BEGIN Time\nTime_Unit:1msec\nTotal_Time:200\nEND Time".to_owned();
        peer.begin(&offer);
        while peer.next_line().is_some() {}
    });
    let outcome = start_with(server.port, "games = 2", |config| {
        config.patience = Duration::from_millis(300);
    })
    .finish();
    server.finish();
    assert!(outcome.said("overdue"), "{:?}", outcome.notices);
}

#[test]
fn an_illegal_move_is_reported_and_the_servers_verdict_counts() {
    for line in ["-3335FU,T1", "+9998KY,T1", "-9999XX,T1", "-0055KA,T1"] {
        let server = Server::start(move |listener| {
            let mut peer = Peer::accept(listener);
            peer.login();
            peer.begin(&Offer::new("g", '+'));
            peer.take_move(&mut Position::startpos(), "T1");
            peer.send(line);
            peer.send("#ILLEGAL_MOVE\n#WIN");
            peer.logout();
        });
        let outcome = start(server.port, "games = 1").finish();
        server.finish();
        assert_eq!(outcome.tally.all.wins, 1);
        assert!(outcome.said(&line[..7]), "{:?}", outcome.notices);
        assert!(!outcome.records()[0].contains(&line[..7]));
    }
}

#[test]
fn an_illegal_move_without_a_verdict_ends_the_game() {
    let server = after_login(|peer| {
        peer.begin(&Offer::new("g", '+'));
        peer.take_move(&mut Position::startpos(), "T1");
        peer.send("-3335FU,T1");
        assert_eq!(peer.next_line(), None, "no move, no logout");
    });
    let outcome = start_with(server.port, "games = 2", |config| {
        config.patience = Duration::from_millis(300);
    })
    .finish();
    server.finish();
    assert_eq!((outcome.tally.all.wins, outcome.tally.all.unfinished), (1, 1));
}

#[test]
fn a_folder_that_cannot_be_written_does_not_stop_the_games() {
    let server = Server::start(|listener| good_game(&mut Peer::accept(listener)));
    let outcome = start_with(server.port, "games = 1", |config| {
        let file = config.record_folder.clone();
        std::fs::write(&file, "a file, no folder").unwrap();
    })
    .finish();
    server.finish();
    assert!(outcome.said("has no record") && outcome.tally.all.wins == 1);
}

#[test]
fn a_full_disk_does_not_stop_the_games() {
    let Some(disk) = FullDisk::mount().map(Arc::new) else { return };
    /// The size of a page, in which the file system allocates.
    const PAGE: usize = 4_096;
    let during_the_game = Arc::clone(&disk);
    let server = Server::start(move |listener| {
        let disk = during_the_game;
        // The disk is full from the beginning.
        good_game(&mut Peer::accept(listener));
        // It is not full. The name of the next game is chosen so that its first move is recorded within
        // two pages and six more pairs of moves are not; the disk is filled in between.
        std::fs::remove_file(disk.filler()).unwrap();
        good_game(&mut Peer::accept(listener));
        let length = std::fs::metadata(&disk.files()[0]).unwrap().len() as usize;
        let longer = 2 * PAGE - 100 - length;
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.begin(&Offer::new(&format!("good{}", "x".repeat(longer)), '+'));
        let mut position = Position::startpos();
        peer.take_move(&mut position, "T1");
        disk.fill();
        for _ in 0..6 {
            peer.make_move(&mut position, "T1");
            peer.take_move(&mut position, "T1");
        }
        peer.send("%TORYO,T1\n#RESIGN\n#WIN");
        peer.logout();
    });
    let outcome = start_with(server.port, "games = 3", |config| {
        config.settings.record_folder = disk.path().into();
    })
    .finish();
    server.finish();
    assert_eq!(outcome.tally.all.wins, 3);
    let expected = ["this game has no record: No space left", "is not complete: No space left"];
    assert_eq!(outcome.notices.len(), expected.len(), "{:?}", outcome.notices);
    assert!(expected.iter().all(|text| outcome.said(text)), "{:?}", outcome.notices);
    // No empty file of the first game; what could be written of the last one.
    let mut lengths: Vec<_> =
        disk.files().iter().map(|path| path.metadata().unwrap().len() as usize).collect();
    lengths.sort_unstable();
    assert!(matches!(lengths[..], [1..PAGE, length] if length == 2 * PAGE), "{lengths:?}");
}

#[test]
fn an_existing_record_is_never_overwritten() {
    let server = Server::start(|listener| {
        good_game(&mut Peer::accept(listener));
        good_game(&mut Peer::accept(listener));
    });
    let outcome = start(server.port, "games = 2").finish();
    server.finish();
    let names: Vec<_> =
        outcome.games.iter().map(|game| game.record().unwrap().file_name().unwrap()).collect();
    assert_eq!(names, ["good.csa", "good-2.csa"]);
}

#[test]
fn options_with_missing_files_end_the_client_at_the_start() {
    let text = "host = 'h'\nuser = 'u'\n[options]\nEvalFile = '/does/not/exist.bin'";
    let settings = monomi_csa::config::Settings::parse(text).unwrap();
    let config = settings.complete(|| Ok("p".to_owned())).unwrap();
    struct Nobody;
    impl monomi_csa::output::Listener for Nobody {
        fn on_report(&mut self, _: &monomi_csa::output::Report<'_>) {}
    }
    let mut nobody = Nobody;
    let client = monomi_csa::Client::new(&config, &mut nobody, crossbeam_channel::never());
    let error = client.err().expect("no client").to_string();
    assert!(error.contains("/does/not/exist.bin"), "{error}");
}
