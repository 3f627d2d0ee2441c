//! An engine for the tests of the match runner that plays a fault on purpose. The first argument
//! says which: `good`, `illegal`, `hang`, `crash`, `killed`, `late`, `flood`, `deaf`, `no-usiok`,
//! `wins-by-option` (resigns at once unless its option Strong is true) or `fast` and `slow` (report
//! 4,000 and 1,000 nodes after 20 ms) or `ponder` (names the reply that it expects, and answers `go
//! ponder` at `ponderhit` or `stop` only). With its option EvalFile, or in the mode `no-book`, it
//! reports at `isready` that a file is missing.

use std::io::{BufRead, Write};
use std::time::Duration;

/// The moves that a good player of the start position has here: the rook to and fro.
fn shuffle(position: &str) -> &'static str {
    let plies = position.split_once("moves").map_or(0, |(_, moves)| moves.split(' ').count() - 1);
    ["2h3h", "8b7b", "3h2h", "7b8b"][plies % 4]
}

fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let mut out = std::io::stdout().lock();
    let mut say = |line: &str| {
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    };
    let (mut position, mut strong, mut moves) = (String::new(), false, 0);
    let mut missing = (mode == "no-book").then(|| ": can't read file : book.db".to_owned());
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match line.split(' ').next().unwrap_or_default() {
            "usi" if mode == "no-usiok" => return,
            "usi" => {
                say("id name scripted");
                say("option name Strong type check default false");
                say("option name EvalFile type string default nn.bin");
                say("usiok");
            }
            "isready" => {
                if let Some(missing) = &missing {
                    say(&format!("info string Error! {missing}"));
                }
                say("readyok");
            }
            "setoption" if line.to_lowercase().contains("evalfile") => {
                missing = Some("EvalFile: there is no such file".to_owned());
            }
            "setoption" => strong = line.ends_with("true"),
            "position" => position = line,
            "quit" => return,
            "go" if line.starts_with("go ponder") => assert_eq!(mode, "ponder"),
            "ponderhit" | "stop" => {
                say(&format!("bestmove {}", shuffle(&position)));
            }
            "go" => {
                moves += 1;
                match mode.as_str() {
                    "illegal" if moves > 2 => say("bestmove 5i5h+"),
                    "hang" if moves > 2 => continue,
                    "deaf" if moves > 2 => std::thread::sleep(Duration::from_secs(3600)),
                    "crash" if moves > 2 => std::process::exit(3),
                    // As if the machine had no memory left.
                    "killed" if moves > 2 => {
                        let id = std::process::id().to_string();
                        let _ = std::process::Command::new("kill").args(["-9", &id]).status();
                    }
                    "flood" if moves > 2 => loop {
                        say("info string more and more");
                    },
                    "late" if moves > 2 => {
                        std::thread::sleep(Duration::from_millis(700));
                        say(&format!("bestmove {}", shuffle(&position)));
                    }
                    "fast" | "slow" => {
                        std::thread::sleep(Duration::from_millis(20));
                        say(&format!("info nodes {}", if mode == "fast" { 4000 } else { 1000 }));
                        say("bestmove resign");
                    }
                    "ponder" => {
                        let mv = shuffle(&position);
                        let after = match position.contains("moves") {
                            true => format!("{position} {mv}"),
                            false => format!("{position} moves {mv}"),
                        };
                        say(&format!("bestmove {mv} ponder {}", shuffle(&after)));
                    }
                    "wins-by-option" if !strong => say("bestmove resign"),
                    _ => say(&format!("bestmove {}", shuffle(&position))),
                }
            }
            _ => {}
        }
    }
}
