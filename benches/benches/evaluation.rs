//! The cost of the evaluation: an update, a refresh and a forward pass for each level of vector
//! instructions that the machine supports, and of loading a file.
//!
//! `cargo bench -p benches --bench evaluation [-- FILTER]`. Each measurement covers 128
//! middlegame positions and prints nanoseconds per position. The weights are random and do not have
//! a trained network's pattern of zeros; set `MONOMI_EVAL_FILE` to an `nn.bin` to measure that
//! network too.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use monomi_eval::network::{Architecture, FeatureSet, NetworkFile, SimdLevel};
use monomi_eval::{DEFAULT_FV_SCALE, EvalStack, Evaluation};
use monomi_movegen::{DirtyPiece, PackedMove, Position};
use std::fs::File;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn networks() -> Vec<(String, Box<dyn Fn() -> NetworkFile>)> {
    let shapes = [
        Architecture::plain(FeatureSet::KP, 256, 32, 32),
        Architecture::plain(FeatureSet::HalfKP, 256, 32, 32),
        Architecture::plain(FeatureSet::HalfKP, 512, 16, 32),
        Architecture::plain(FeatureSet::HalfKP, 1024, 8, 32),
    ];
    let mut networks: Vec<(String, Box<dyn Fn() -> NetworkFile>)> = Vec::new();
    if let Some(path) = std::env::var_os("MONOMI_EVAL_FILE") {
        let open = move || NetworkFile::open(Path::new(&path)).expect("MONOMI_EVAL_FILE");
        networks.push(("file".to_owned(), Box::new(open)));
    }
    for shape in shapes {
        let name = shape.to_string().replace(' ', "_");
        networks.push((name, Box::new(move || random_network(shape))));
    }
    networks
}

fn random_network(shape: Architecture) -> NetworkFile {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut within = |limit: i64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as i64 % (2 * limit + 1) - limit
    };
    let mut file = NetworkFile::zeroed(shape);
    let (bias, weights) = file.transformer_mut();
    // Half a standard deviation below zero: a third of the neurons is active, as in trained networks.
    bias.iter_mut().for_each(|b| *b = within(20) as i16 - 50);
    weights.iter_mut().for_each(|w| *w = within(28) as i16);
    for layer in &mut file.stacks[0] {
        layer.weights.iter_mut().for_each(|w| *w = within(30) as i8);
    }
    file
}

/// A position and a stack with it as root.
struct Case {
    stack: EvalStack,
    root: Position,
    after: Position,
    dirty: DirtyPiece,
}

/// Middlegame positions with one of their moves each; a king's or another piece's.
fn cases(evaluation: &Arc<Evaluation>, king: bool) -> Vec<Case> {
    let case = |(i, root): (usize, Position)| {
        let mut after = root.clone();
        let moves = root.legal_moves();
        let is_king = |mv: &&PackedMove| root.clone().do_move(**mv).king().is_some() == king;
        let wanted: Vec<&PackedMove> = moves.iter().filter(is_king).collect();
        let dirty = after.do_move(**wanted.get(i % wanted.len().max(1))?);
        Some(Case { stack: EvalStack::new(evaluation, &root), root, after, dirty })
    };
    benches::middlegames().into_iter().enumerate().filter_map(case).collect()
}

fn evaluation(c: &mut Criterion) {
    let mut group = c.benchmark_group("evaluation");
    group.sample_size(20);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    for (name, file) in networks() {
        for level in SimdLevel::available() {
            let evaluation = Evaluation::from_network(file(), DEFAULT_FV_SCALE, level);
            let id = |what: &str| BenchmarkId::new(format!("{name}/{what}"), level.name());

            let mut quiet = cases(&evaluation, false);
            group.throughput(Throughput::Elements(quiet.len() as u64));
            group.bench_function(id("forward"), |b| {
                b.iter(|| {
                    for case in &mut quiet {
                        black_box(case.stack.evaluate(black_box(&case.root)));
                    }
                });
            });
            group.bench_function(id("update"), |b| {
                b.iter(|| {
                    for case in &mut quiet {
                        case.stack.push(black_box(case.dirty));
                        case.stack.bring_forward(black_box(&case.after));
                        case.stack.pop();
                    }
                });
            });
            let mut king = cases(&evaluation, true);
            group.throughput(Throughput::Elements(king.len() as u64));
            group.bench_function(id("king move"), |b| {
                b.iter(|| {
                    for case in &mut king {
                        case.stack.push(black_box(case.dirty));
                        case.stack.bring_forward(black_box(&case.after));
                        case.stack.pop();
                    }
                });
            });
            // Both views after a jump to an unrelated position.
            let positions = benches::middlegames();
            let mut stack = EvalStack::new(&evaluation, &positions[0]);
            group.throughput(Throughput::Elements(positions.len() as u64));
            group.bench_function(id("refresh"), |b| {
                b.iter(|| positions.iter().for_each(|p| stack.reset(black_box(p))));
            });
        }
    }
    group.finish();
}

/// Reading a file that the system has in its cache.
fn load(c: &mut Criterion) {
    let mut group = c.benchmark_group("load");
    group.sample_size(10);
    let path = std::env::temp_dir().join(format!("monomi-bench-{}.bin", std::process::id()));
    for (name, file) in networks() {
        file().write(File::create(&path).expect("a temporary file")).expect("room for a network");
        group.throughput(Throughput::Bytes(path.metadata().map_or(0, |file| file.len())));
        group.bench_function(name, |b| {
            b.iter(|| Evaluation::load(black_box(&path), None).expect("what we wrote"));
        });
    }
    group.finish();
    // Failing to delete a temporary file is not an error.
    let _ = std::fs::remove_file(&path);
}

criterion_group!(benches, evaluation, load);
criterion_main!(benches);
