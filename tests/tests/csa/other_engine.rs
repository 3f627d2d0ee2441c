//! `monomi csa` with an engine that is another program.

use crate::client::{PASSWORD, start_with};
use crate::server::{Offer, Peer, Server};
use monomi_csa::ClientError;
use monomi_csa::config::Config;
use monomi_movegen::Position;
use monomi_support::text::{Lang, Message as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;
use tests::folder::Folder;

/// An engine for `sh` that writes down what it is told, in its folder. `$n` is the number of `go` commands
/// since its start.
fn script(folder: &Folder, on_go: &str) {
    let text = format!(
        "#!/bin/sh\nn=0\nwhile read -r line; do\n  echo \"$line\" >> told\n  case $line in\n\
         usi) echo 'option name MaxMovesToDraw type spin default 0 min 0 max 1000'; echo usiok ;;\n\
         isready) echo readyok ;;\n\
         'go ponder'*) ;;\n\
         stop) echo 'bestmove 9g9f' ;;\n\
         quit) exit ;;\n\
         go*|ponderhit) n=$((n + 1)); {on_go} ;;\n  esac\ndone\n"
    );
    folder.write("engine.sh", text);
    let path = folder.path().join("engine.sh");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Makes the client play with the script.
fn with_script(folder: &Folder) -> impl FnOnce(&mut Config) + use<> {
    let path = folder.path().join("engine.sh");
    move |config| {
        config.settings.engine = Some(path);
        config.settings.options.clear();
    }
}

fn told(folder: &Folder) -> Vec<String> {
    let text = std::fs::read_to_string(folder.path().join("told")).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Plays the client's moves and these replies; the opponent resigns after the last one.
fn play(peer: &mut Peer, id: &str, replies: &[&str]) -> Vec<String> {
    let mut position = Position::startpos();
    peer.begin(&Offer::new(id, '+'));
    let mut moves = Vec::new();
    for (index, reply) in replies.iter().enumerate() {
        moves.push(peer.take_move(&mut position, "T1"));
        if index + 1 < replies.len() {
            let mv = monomi_record::parse_csa_move(&position, reply).unwrap();
            position.do_move(mv);
            peer.send(&format!("{reply},T1"));
        }
    }
    peer.send("%TORYO,T1\n#RESIGN\n#WIN");
    moves
}

#[test]
fn it_is_told_what_guis_tell() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        // The first reply is the one that the engine predicts, the second is not.
        let moves = play(&mut peer, "other", &["-3334FU", "-8384FU", ""]);
        assert_eq!(moves, ["+7776FU", "+2726FU", "+2625FU"]);
        peer.logout();
    });
    let folder = Folder::new();
    script(
        &folder,
        "case $n in\n\
         1) echo 'info depth 3 score cp 50 nodes 10 pv 7g7f 3c3d 1i1a'; \
            echo 'bestmove 7g7f ponder 3c3d' ;;\n\
         2) echo 'bestmove 2g2f ponder 4c4d' ;;\n\
         *) echo 'bestmove 2f2e' ;; esac",
    );
    let outcome = start_with(server.port, "games = 1", with_script(&folder)).finish();
    server.finish();
    assert!(outcome.result.is_ok(), "{:?}", outcome.result);
    let start = "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let expected = [
        "usi",
        "setoption name USI_Ponder value true",
        "isready",
        // For the game; other options that follow from it are none of this engine's.
        "setoption name MaxMovesToDraw value 256",
        "isready",
        "usinewgame",
        start,
        "go btime 60000 wtime 60000 byoyomi 10000",
        &format!("{start} moves 7g7f 3c3d"),
        "go ponder btime 60000 wtime 60000 byoyomi 10000",
        "ponderhit",
        &format!("{start} moves 7g7f 3c3d 2g2f 4c4d"),
        "go ponder btime 59000 wtime 59000 byoyomi 10000",
        "stop",
        &format!("{start} moves 7g7f 3c3d 2g2f 8c8d"),
        "go btime 58000 wtime 58000 byoyomi 10000",
        "quit",
    ];
    // The clock of a search runs from the opponent's move, a few milliseconds earlier.
    let rounded = |line: &String| {
        let words = line.split(' ').map(|word| match word.parse::<u32>() {
            Ok(ms) if ms > 1000 => ms.next_multiple_of(1000).to_string(),
            _ => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(told(&folder).iter().map(rounded).collect::<Vec<_>>(), expected);
    // Its score and the legal part of its line are in the record.
    let record = &outcome.records()[0];
    assert!(record.contains("'** 50 -3334FU\n"), "{record}");
}

#[test]
fn another_monomi_plays_both_colors() {
    let server = Server::start(|listener| {
        for turn in ['+', '-'] {
            let mut peer = Peer::accept(listener);
            peer.login();
            let mut position = Position::startpos();
            peer.begin(&Offer::new(&format!("game{turn}"), turn));
            if turn == '-' {
                peer.make_move(&mut position, "T1");
            }
            for _ in 0..6 {
                peer.take_move(&mut position, "T1");
                peer.make_move(&mut position, "T1");
            }
            peer.take_move(&mut position, "T1");
            peer.send("%TORYO,T1\n#RESIGN\n#WIN");
            peer.logout();
        }
    });
    let change =
        |config: &mut Config| config.settings.engine = Some(tests::program::engine().to_owned());
    let outcome = start_with(server.port, "games = 2", change).finish();
    server.finish();
    assert_eq!(outcome.tally.by_color.map(|counts| counts.wins), [1, 1]);
    assert!(outcome.notices.is_empty(), "{:?}", outcome.notices);
    assert!(outcome.records().iter().all(|record| record.contains("\n'** ")));
}

#[test]
fn it_is_started_again_when_it_ends_in_a_game() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        let moves = play(&mut peer, "crash", &["-3334FU", ""]);
        assert_eq!(moves, ["+7776FU", "+2726FU"]);
        peer.logout();
    });
    let folder = Folder::new();
    // It ends when it is to find the second move, but not once it has been started again.
    script(
        &folder,
        "if [ -e ended ]; then echo 'bestmove 2g2f'\n\
         elif [ $n = 2 ]; then : > ended; exit 1\n\
         else echo 'bestmove 7g7f'; fi",
    );
    let outcome = start_with(server.port, "games = 1", with_script(&folder)).finish();
    server.finish();
    assert!(outcome.result.is_ok(), "{:?}", outcome.result);
    assert!(
        outcome.said("the engine stopped working and was started again"),
        "{:?}",
        outcome.notices
    );
    let told = told(&folder);
    let after: Vec<&str> =
        told.iter().map(String::as_str).skip_while(|line| *line != "usi").skip(1).collect();
    let after = after.iter().position(|line| *line == "usi").map(|at| &after[at..]).unwrap();
    assert_eq!(after[1], "setoption name USI_Ponder value true");
    assert_eq!(after[2], "setoption name MaxMovesToDraw value 256");
    assert!(after.contains(&"usinewgame") && after.iter().any(|line| line.ends_with("3c3d")));
}

#[test]
fn one_that_ends_again_and_again_ends_the_client() {
    let server = Server::start(|listener| {
        let mut peer = Peer::accept(listener);
        peer.login();
        peer.begin(&Offer::new("crashes", '+'));
        assert_eq!(peer.next_line(), None);
    });
    let folder = Folder::new();
    script(&folder, "exit 1");
    let outcome = start_with(server.port, "games = 1", with_script(&folder)).finish();
    server.finish();
    let error = outcome.result.unwrap_err();
    assert!(matches!(error, ClientError::Fault(_)), "{error:?}");
    assert!(error.in_lang(Lang::En).to_string().ends_with("engine.sh has ended"), "{error}");
    let restarts = outcome.notices.iter().filter(|text| text.contains("started again")).count();
    assert_eq!(restarts, 3);
}

#[test]
fn an_answer_that_is_no_legal_move_resigns() {
    for answer in ["1a1b", "(none)"] {
        let server = Server::start(|listener| {
            let mut peer = Peer::accept(listener);
            peer.login();
            peer.begin(&Offer::new("illegal", '+'));
            peer.expect("%TORYO");
            peer.send("%TORYO,T1\n#RESIGN\n#LOSE");
            peer.logout();
        });
        let folder = Folder::new();
        script(&folder, &format!("echo 'bestmove {answer}'"));
        let outcome = start_with(server.port, "games = 1", with_script(&folder)).finish();
        server.finish();
        let notice = format!("the engine answered `{answer}`, which is no legal move; resigning");
        assert!(outcome.said(&notice), "{:?}", outcome.notices);
        assert_eq!(outcome.tally.all.losses, 1);
    }
}

#[test]
fn engines_that_cannot_play_are_named() {
    let folder = Folder::new();
    script(&folder, "echo 'bestmove resign'");
    folder.write("plain.txt", "no program");
    let run = |engine: &Path, option: &str| {
        let mut command = tests::program::command();
        command.args(["csa", "--host", "127.0.0.1", "--port", "1", "--user", "me"]);
        command.arg("--engine").arg(engine).args(["--option", option]);
        command.env("MONOMI_CSA_PASSWORD", PASSWORD).stdin(Stdio::null());
        let output = command.output().expect("the engine runs");
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let path = |name: &str| folder.path().join(name);
    for (engine, option, expected) in [
        (path("none"), "USI_Hash=1", "cannot start"),
        (path("plain.txt"), "USI_Hash=1", "cannot start"),
        ("/bin/true".into(), "USI_Hash=1", "/bin/true has ended"),
        (path("engine.sh"), "Nonsense=1", "engine.sh has no option `Nonsense`"),
    ] {
        let said = run(&engine, option);
        assert!(said.contains(expected), "{}: {said}", engine.display());
    }
}
