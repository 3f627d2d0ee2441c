//! Lookups in opening books of 100,000 positions with about six moves each. Times are per lookup; half
//! of the positions are not in the book.
//!
//! `cargo bench -p benches --bench book`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use monomi_book::{Book, HEADER, Lookup};
use monomi_movegen::Position;
use std::fmt::Write as _;
use std::hint::black_box;
use tests::games::visit_random_positions;

const POSITIONS: usize = 100_000;

fn lookups(c: &mut Criterion) {
    let mut blocks = Vec::new();
    let mut asked = Vec::new();
    let start = Position::startpos();
    visit_random_positions(&start, 1, 60, 2 * POSITIONS, |position| {
        let wanted = blocks.len() < POSITIONS;
        if wanted {
            let mut block = format!("sfen {}\n", position.to_sfen());
            for mv in position.legal_moves().iter().take(6) {
                let _ = writeln!(block, "{mv} none 0 20 1");
            }
            blocks.push(block);
        }
        if asked.len() < 1_000 || !wanted && asked.len() < 2_000 {
            asked.push(position.clone());
        }
    });
    blocks.sort();
    let text = format!("{HEADER}\n{}", blocks.concat());
    let path = std::env::temp_dir().join(format!("monomi-bench-{}.db", std::process::id()));
    std::fs::write(&path, text).expect("a file can be written");
    let mut group = c.benchmark_group("book");
    group.throughput(Throughput::Elements(asked.len() as u64));
    for (name, on_disk) in [("in memory", false), ("on disk", true)] {
        let (book, _) = Book::open(&path, on_disk).expect("a book");
        for (kind, flipped) in [("", false), (", turned too", true)] {
            let how = Lookup { ignore_ply: false, flipped };
            group.bench_function(format!("{name}{kind}"), |bencher| {
                bencher.iter(|| {
                    for position in &asked {
                        let found = book.find(black_box(position), how).expect("a lookup");
                        black_box(found);
                    }
                });
            });
        }
    }
    group.finish();
    let _ = std::fs::remove_file(&path);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = lookups
}
criterion_main!(benches);
