//! Each `go` gets exactly one `bestmove`, neither too early nor too late.

use monomi_movegen::Position;
use std::time::{Duration, Instant};
use tests::usi_client::{PATIENCE, UsiClient, best_move_of, pv_of, value_of};

#[test]
fn stop_directly_after_go() {
    let mut client = UsiClient::ready();
    client.send("position startpos");
    for go in ["go infinite", "go btime 600000 wtime 600000", "go ponder", "go"] {
        for _ in 0..20 {
            client.send_raw(format!("{go}\nstop\n").as_bytes());
            let answer = client.expect("bestmove");
            assert_ne!(best_move_of(&answer), "resign");
        }
    }
    client.settle();
    client.quit();
}

#[test]
fn stop_after_the_answer_is_ignored() {
    let mut client = UsiClient::ready();
    client.send("stop");
    client.send("ponderhit");
    client.send("gameover win");
    client.settle();
    client.send("go depth 3");
    client.best_move();
    client.send("stop");
    client.send("stop");
    client.send("gameover lose");
    client.send("ponderhit");
    client.settle();
    client.quit();
}

#[test]
fn go_infinite_waits_for_stop() {
    let mut client = UsiClient::ready();
    // Finished at once by depth, by nodes, by a single reply, by a mate.
    let single = "4k4/9/9/9/9/9/9/4r4/3gK4 b - 1";
    let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1";
    for (sfen, extra) in
        [("startpos", "depth 1"), ("startpos", "nodes 10"), (single, ""), (mate, "")]
    {
        client.send(&format!("position {sfen}"));
        client.send(&format!("go infinite {extra}"));
        client.settle();
        client.send("isready");
        client.expect("readyok");
        client.send("stop");
        client.expect("bestmove");
    }
    client.send("setoption name DepthLimit value 2");
    client.send("go infinite");
    client.settle();
    client.send("gameover draw");
    client.expect("bestmove");
    client.quit();
}

#[test]
fn all_threads_sleep_while_an_answer_is_held() {
    let mut client = UsiClient::ready_with(&[("Threads", "3")]);
    let tasks = format!("/proc/{}/task", client.id());
    if !std::path::Path::new(&tasks).exists() {
        return tests::report("skipped: no /proc to read the state of threads from");
    }
    client.send("position startpos");
    client.send("go infinite depth 1");
    client.settle();
    // Behind the name in parentheses is the state. A thread that waits in a loop would run again and again.
    let sleeps = |task: std::io::Result<std::fs::DirEntry>| {
        let stat = std::fs::read_to_string(task.expect("a thread").path().join("stat"));
        stat.map_or(true, |stat| stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" S")))
    };
    let all_sleep = || std::fs::read_dir(&tasks).expect("the engine runs").all(sleeps);
    let deadline = Instant::now() + PATIENCE;
    let mut in_a_row = 0;
    while in_a_row < 20 {
        assert!(Instant::now() < deadline, "threads work while the answer is held");
        in_a_row = if all_sleep() { in_a_row + 1 } else { 0 };
        std::thread::sleep(Duration::from_millis(1));
    }
    client.send("stop");
    client.best_move();
    client.quit();
}

#[test]
fn ponder_waits_for_ponderhit_or_stop() {
    let mut client = UsiClient::ready();
    client.send("position startpos moves 7g7f 3c3d");
    let clock = "btime 600 wtime 600 binc 50 winc 50";
    // A hit, with the search over and not.
    for extra in ["", "depth 1"] {
        client.send(&format!("go ponder {clock} {extra}"));
        client.settle();
        client.send("ponderhit");
        client.expect("bestmove");
        client.send("ponderhit");
        client.send("stop");
    }
    // A miss.
    for _ in 0..2 {
        client.send(&format!("go ponder {clock}"));
        client.settle();
        client.send("stop");
        client.expect("bestmove");
        client.send("ponderhit");
    }
    // The game ends.
    client.send(&format!("go ponder {clock}"));
    client.settle();
    client.send("gameover win");
    client.expect("bestmove");
    client.settle();
    client.quit();
}

#[test]
fn stop_and_gameover_give_one_answer() {
    let mut client = UsiClient::ready();
    client.send_raw(b"go ponder btime 10000 wtime 10000\nstop\ngameover lose\n");
    client.expect("bestmove");
    client.settle();
    client.quit();
}

#[test]
fn a_mating_move_has_no_ponder_move() {
    let mut client = UsiClient::ready();
    // A gold in front of the king.
    client.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1");
    client.send("go depth 6");
    let lines = client.collect("bestmove");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove G*5b"));
    assert!(lines.iter().any(|line| line.contains("score mate 1 ")), "{lines:#?}");
    client.quit();
}

#[test]
fn ponderhit_may_bring_the_clock() {
    let mut client = UsiClient::ready_with(&[("RoundUpToFullSecond", "false")]);
    client.send("position startpos moves 7g7f");
    // White to move with half a second left: that decides, not Black's hour.
    client.send("go ponder");
    client.settle();
    client.send("ponderhit btime 3600000 wtime 500 binc 0 winc 0");
    client.expect("bestmove");
    client.send("go ponder");
    client.settle();
    client.send("ponderhit btime 0 wtime 0 byoyomi 300");
    client.expect("bestmove");
    // The clock of the hit replaces that of the go.
    client.send("go ponder btime 3600000 wtime 3600000");
    client.settle();
    client.send("ponderhit btime 500 wtime 500");
    client.expect("bestmove");
    // No clock from anywhere: what is there has to do.
    client.send("go ponder");
    client.settle();
    client.send("ponderhit");
    client.expect("bestmove");
    client.quit();
}

#[test]
fn isready_and_usi_while_searching() {
    let mut client = UsiClient::ready();
    client.send("go infinite");
    for _ in 0..3 {
        client.send("isready");
        client.expect("readyok");
    }
    // A new table is for later; the search goes on.
    client.send("setoption name USI_Hash value 64");
    client.send("isready");
    client.expect("readyok");
    client.send("usi");
    client.expect("usiok");
    client.send("usinewgame");
    client.send("position startpos moves 2g2f");
    client.settle();
    client.send("stop");
    // The answer is to the position that was searched.
    let best = client.best_move();
    assert!(Position::startpos().is_legal(best.parse().expect("a move")), "{best}");
    client.send("go depth 3");
    let best = client.best_move();
    let mut next = Position::startpos();
    next.do_move("2g2f".parse().expect("a move"));
    assert!(next.is_legal(best.parse().expect("a move")), "{best}");
    client.quit();
}

#[test]
fn two_go_commands_get_two_answers() {
    let mut client = UsiClient::ready();
    client.send_raw(b"go infinite\nposition startpos moves 7g7f\ngo depth 2\n");
    let first = client.best_move();
    assert!(Position::startpos().is_legal(first.parse().expect("a move")), "{first}");
    let second = client.best_move();
    assert!(!Position::startpos().is_legal(second.parse().expect("a move")), "{second}");
    client.send_raw(b"go ponder btime 100 wtime 100\ngo infinite\ngo mate 100\n");
    client.expect("bestmove");
    client.expect("bestmove");
    client.expect("checkmate");
    client.send_raw(b"go infinite\ngo infinite\nstop\n");
    client.expect("bestmove");
    client.expect("bestmove");
    client.settle();
    client.quit();
}

#[test]
fn go_mate_is_answered_by_checkmate_only() {
    let mut client = UsiClient::ready();
    let mate = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1";
    let none = "position sfen 4k4/9/9/9/9/9/9/9/4K4 b G2r 1";
    for (position, answer) in [(mate, "checkmate G*5b"), (none, "checkmate nomate")] {
        client.send(position);
        for go in ["go mate 1000", "go mate infinite", "go mate"] {
            client.send(go);
            assert_eq!(client.expect("checkmate"), answer);
            client.send("stop");
        }
    }
    client.settle();
    client.quit();
}

#[test]
fn invalid_numbers_are_reported_and_answered() {
    let mut client = UsiClient::ready();
    for (go, named) in [
        ("go depth x", "`x`"),
        ("go nodes", "nodes"),
        ("go btime abc wtime", "`abc`"),
        ("go movetime 1e3", "`1e3`"),
        ("go byoyomi NaN", "`NaN`"),
        ("go depth 3 nodes inf", "`inf`"),
    ] {
        client.send(go);
        let error = client.expect("info string Error!");
        assert!(error.contains(named), "{go}: {error}");
        client.expect("bestmove");
    }
    for go in [
        "go movetime 0.9",
        "go movetime -5",
        "go btime -100 wtime -100",
        "go btime 0 wtime 0",
        "go btime 0.5 wtime 99999999999999999999999 quickly depth 2",
        "go depth 0",
        "go nodes 0",
        "go rtime 50",
        "go byoyomi 0",
    ] {
        client.send(go);
        client.expect("bestmove");
    }
    client.quit();
}

#[test]
fn the_answer_is_one_of_searchmoves() {
    let mut client = UsiClient::ready();
    client.send("position startpos");
    client.send("go depth 5 searchmoves 1g1f 9g9f");
    let best = client.best_move();
    assert!(["1g1f", "9g9f"].contains(&best.as_str()), "{best}");
    client.send("go searchmoves 3g3f depth 5");
    assert_eq!(client.best_move(), "3g3f");
    // Illegal moves are named and left out.
    client.send("go depth 3 searchmoves 7g7e 4g4f");
    assert!(client.expect("info string Error!").contains("7g7e"));
    assert_eq!(client.best_move(), "4g4f");
    client.send("go depth 3 searchmoves 7g7e");
    client.best_move();
    client.quit();
}

#[test]
fn depth_nodes_and_movetime_limits_hold() {
    let mut client = UsiClient::ready();
    client.send("position startpos");
    client.send("go depth 5");
    let lines = client.collect("bestmove");
    let depths = lines.iter().filter_map(|line| value_of(line, "depth")?.parse::<u32>().ok());
    assert_eq!(depths.max(), Some(5));
    client.send("go nodes 5000");
    let lines = client.collect("bestmove");
    let nodes = lines.iter().filter_map(|line| value_of(line, "nodes")?.parse::<u64>().ok());
    assert!(nodes.max().is_some_and(|nodes| nodes <= 5000 + 2048), "{lines:?}");
    let start = Instant::now();
    client.send("go movetime 400");
    client.expect("bestmove");
    assert!(start.elapsed() >= Duration::from_millis(300), "{:?}", start.elapsed());
    client.send("setoption name NodesLimit value 1000");
    client.send("go btime 600000 wtime 600000");
    client.expect("bestmove");
    client.quit();
}

#[test]
fn lines_are_well_formed_and_their_moves_legal() {
    let mut client = UsiClient::ready_with(&[("MultiPV", "3")]);
    for sfen in [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "1k3p1R1/5g3/l1spps1pp/p1p3p2/1P3P1P1/P+bP1P1P2/1G1+s+r3P/K8/LN5NL w N2Pb2gsnl 94",
    ] {
        let root = Position::from_sfen(sfen).expect("a good sfen");
        client.send(&format!("position sfen {sfen}"));
        client.send("go infinite");
        let mut lines = client.collect("info depth 6");
        client.send("stop");
        lines.extend(client.collect("bestmove"));
        let mut ranks = Vec::new();
        let mut best = String::new();
        for line in lines.iter().filter(|line| line.contains(" score ")) {
            assert_line_is_well_formed(line);
            let pv = pv_of(line);
            assert!(!pv.is_empty(), "{line}");
            assert_legal(&root, &pv, line);
            let rank: usize = value_of(line, "multipv").and_then(|n| n.parse().ok()).unwrap_or(1);
            // 1, 2, 3, 1, 2, 3, ...
            assert_eq!(rank, ranks.last().map_or(1, |last| last % 3 + 1), "{line}");
            ranks.push(rank);
            if rank == 1 {
                best = pv[0].to_owned();
            }
        }
        assert!(ranks.len() >= 9, "{ranks:?}");
        let answer = lines.last().expect("the answer");
        assert_eq!(best_move_of(answer), best, "{lines:#?}");
        let mut moves = vec![best.as_str()];
        moves.extend(value_of(answer, "ponder"));
        assert_legal(&root, &moves, answer);
    }
    client.quit();
}

fn assert_line_is_well_formed(line: &str) {
    const ORDER: [&str; 9] =
        ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"];
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[0], "info", "{line}");
    let at = |keyword: &str| words.iter().position(|&word| word == keyword);
    let places: Vec<usize> = ORDER.iter().filter_map(|keyword| at(keyword)).collect();
    assert!(places.len() >= 8 && places.is_sorted(), "{line}");
    for keyword in ["depth", "seldepth", "nodes", "nps", "hashfull", "time"] {
        let value = value_of(line, keyword).and_then(|value| value.parse::<u64>().ok());
        assert!(value.is_some(), "{keyword} in {line}");
    }
    let score = at("score").expect("a score");
    assert!(["cp", "mate"].contains(&words[score + 1]), "{line}");
    assert!(words[score + 2].parse::<i32>().is_ok(), "{line}");
    assert!(["nodes", "lowerbound", "upperbound"].contains(&words[score + 3]), "{line}");
}

fn assert_legal(root: &Position, moves: &[&str], line: &str) {
    let mut position = root.clone();
    for text in moves {
        let mv = text.parse().unwrap_or_else(|error| panic!("{error} in {line}"));
        assert!(position.is_legal(mv), "{text} is illegal in {line}");
        position.do_move(mv);
    }
}

#[test]
fn in_games_only_the_last_shallow_line_is_printed() {
    let mut client = UsiClient::ready_with(&[("RoundUpToFullSecond", "false")]);
    client.send("position startpos");
    client.send("go btime 0 wtime 0 byoyomi 1000");
    let lines = client.collect("bestmove");
    let infos: Vec<&String> = lines.iter().filter(|line| line.contains(" score ")).collect();
    assert!((1..=5).contains(&infos.len()), "{lines:#?}");
    let answer = lines.last().expect("the answer");
    assert_eq!(pv_of(infos[infos.len() - 1])[0], best_move_of(answer));
    client.send("setoption name PvInterval value 0");
    client.send("go btime 0 wtime 0 byoyomi 1000");
    let all = client.collect("bestmove");
    assert!(all.len() > lines.len(), "{all:#?}");
    client.quit();
}

#[test]
fn perft_counts_and_can_be_stopped() {
    let mut client = UsiClient::ready();
    client.send("position startpos");
    client.send("go perft 4");
    let lines = client.collect("Total: 719731");
    assert_eq!(lines.iter().filter(|line| line.contains(": ") && line.len() > 5).count(), 33);
    client.send("go perft 30");
    client.send("isready");
    client.expect("readyok");
    client.send("stop");
    client.send("go depth 2");
    client.expect("bestmove");
    client.quit();
}

#[test]
fn quit_and_end_of_input_end_the_process() {
    for go in ["go infinite", "go ponder btime 60000 wtime 60000", "go perft 30", "", "isready"] {
        for quit in [true, false] {
            let mut client = UsiClient::ready();
            client.send(go);
            if go.starts_with("go") {
                // The search runs.
                client.settle();
            }
            if quit {
                client.send("quit");
            } else {
                client.close_input();
            }
            let (lines, status) = client.wait();
            let answers = lines.iter().filter(|line| line.text.starts_with("bestmove")).count();
            let searches = usize::from(go.contains("infinite") || go.contains("ponder"));
            assert_eq!(answers, searches, "{go}, quit {quit}: {lines:?}");
            assert!(status.success(), "{go}, quit {quit}: {status}");
        }
    }
}

#[test]
fn isready_clears_the_table_and_usinewgame_does_not() {
    let mut client = UsiClient::ready();
    let mut nodes = |before: &[&str]| {
        for line in before {
            client.send(line);
        }
        client.send("position startpos");
        client.send("go depth 7");
        let lines = client.collect("bestmove");
        let last = lines.iter().rev().find_map(|line| value_of(line, "nodes")).expect("nodes");
        last.parse::<u64>().expect("a number")
    };
    let first = nodes(&[]);
    assert_ne!(nodes(&["usinewgame"]), first, "the table and the histories are kept");
    assert_eq!(nodes(&["isready", "usinewgame"]), first);
    client.quit();
}

#[test]
fn at_the_end_of_input_a_search_with_a_limit_is_finished() {
    for (go, answer) in [("go movetime 500", "bestmove"), ("go nodes 20000", "bestmove")] {
        let mut client = UsiClient::ready();
        client.send("position startpos");
        client.send(go);
        client.send("isready");
        client.close_input();
        let (lines, status) = client.wait();
        assert!(status.success(), "{status}");
        assert!(lines.iter().any(|line| line.text == "readyok"), "{lines:?}");
        assert!(lines.last().is_some_and(|line| line.text.starts_with(answer)), "{lines:?}");
        let depths = lines.iter().filter_map(|line| value_of(&line.text, "depth")?.parse().ok());
        assert!(depths.max() >= Some(4_u32), "{lines:?}");
    }
    // A mate search with a time limit, too.
    let mut client = UsiClient::ready();
    client.send("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1");
    client.send("go mate 5000");
    client.close_input();
    let (lines, _) = client.wait();
    assert!(lines.iter().any(|line| line.text == "checkmate G*5b"), "{lines:?}");
}
