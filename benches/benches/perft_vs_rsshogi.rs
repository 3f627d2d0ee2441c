//! Perft compared with the published `rsshogi` crate. Both count the same positions alternately in one
//! process, so that other load on the machine affects both.
//!
//! `cargo bench -p benches --bench perft_vs_rsshogi [-- ROUNDS]` (default: 7 rounds)
//!
//! Monomi counts the moves of the last ply as sets, without listing them. In the column "unpacked" it
//! writes each of them to a list first, as rsshogi does.

#![expect(clippy::print_stdout, reason = "a table for the terminal")]

use monomi_movegen::{MoveList, Position, perft};
use std::time::Instant;

const CASES: [(&str, &str, u8); 2] = [
    ("start position", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 6),
    ("many drops", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 3),
];

/// Perft that lists the moves of the last ply too.
fn perft_unpacked(position: &mut Position, depth: u8) -> u64 {
    let mut moves = MoveList::new();
    position.generate_all(&mut moves);
    if depth == 1 {
        return std::hint::black_box(&moves).len() as u64;
    }
    let mut nodes = 0;
    for &mv in moves.iter() {
        position.do_move(mv);
        nodes += perft_unpacked(position, depth - 1);
        position.undo_move();
    }
    nodes
}

/// CPU seconds of this thread on Linux, where other programs disturb less; elapsed time elsewhere.
fn seconds(start: Instant) -> f64 {
    let on_processor = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = on_processor.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

/// Nodes and millions of nodes per second.
fn timed(start: Instant, count: impl FnOnce() -> u64) -> (u64, f64) {
    let begun = seconds(start);
    let nodes = count();
    (nodes, nodes as f64 / (seconds(start) - begun) / 1e6)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    // Cargo passes `--bench`; a number is the number of rounds.
    let start = Instant::now();
    let rounds = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(7_usize).max(1);
    println!(
        "{rounds} rounds; medians, in millions of nodes a second; ratios to rsshogi, by round"
    );
    for (name, sfen, depth) in CASES {
        let mut position = Position::from_sfen(sfen).expect("a sound sfen");
        let theirs = rsshogi::board::position_from_sfen(sfen).expect("a sound sfen");
        // A short count is repeated until it takes some tenths of a second.
        let repeats = if depth < 6 { 20 } else { 1 };
        let mut speeds = [vec![], vec![], vec![]];
        let mut ratios = [vec![], vec![]];
        let mut nodes = [0; 3];
        for _ in 0..rounds {
            let results = [
                timed(start, || (0..repeats).map(|_| perft(&mut position, u32::from(depth))).sum()),
                timed(start, || (0..repeats).map(|_| perft_unpacked(&mut position, depth)).sum()),
                timed(start, || (0..repeats).map(|_| rsshogi_perft(&theirs, depth)).sum()),
            ];
            for (i, &(count, speed)) in results.iter().enumerate() {
                nodes[i] = count;
                speeds[i].push(speed);
            }
            ratios[0].push(results[0].1 / results[2].1);
            ratios[1].push(results[1].1 / results[2].1);
        }
        assert!(nodes[0] == nodes[1] && nodes[0] == nodes[2], "counts differ: {nodes:?}");
        println!("{name}, depth {depth}, {} nodes", nodes[0] / repeats);
        println!("  rsshogi            {:7.1}", median(&mut speeds[2]));
        for (i, label) in ["monomi", "monomi, unpacked"].into_iter().enumerate() {
            let (speed, ratio) = (median(&mut speeds[i]), median(&mut ratios[i]));
            println!("  {label:18} {speed:7.1}  x {ratio:.2}");
        }
    }
}

fn rsshogi_perft(position: &rsshogi::board::Position, depth: u8) -> u64 {
    rsshogi::board::perft::perft(position, depth).map_or(0, |result| result.nodes)
}
