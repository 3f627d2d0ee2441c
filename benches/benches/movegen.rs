//! Speed of move generation by class, making moves and mate in one on middlegame positions. All times
//! are per position, or per move if the name says so.
//!
//! `cargo bench -p benches --bench movegen`

use benches::{in_check, middlegames};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use monomi_movegen::{CheckInfo, MoveList, PackedMove, Position};
use std::hint::black_box;

/// Measures `f` on all positions in turn; the throughput counts positions.
fn on_each<R>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    positions: &[Position],
    f: impl Fn(&Position) -> R,
) {
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for position in positions {
                black_box(f(black_box(position)));
            }
        });
    });
}

fn listed(generate: impl Fn(&Position, &mut MoveList)) -> impl Fn(&Position) -> usize {
    move |position| {
        let mut list = MoveList::new();
        generate(position, &mut list);
        list.len()
    }
}

fn generation(c: &mut Criterion) {
    let positions: Vec<Position> = middlegames().into_iter().filter(|p| !p.in_check()).collect();
    let checked = in_check(&positions);
    let mut group = c.benchmark_group("generate");
    on_each(&mut group, "all", &positions, listed(|p, l| p.generate_all(l)));
    on_each(&mut group, "useful", &positions, listed(|p, l| p.generate_useful(l)));
    on_each(&mut group, "captures", &positions, listed(|p, l| p.generate_captures(l)));
    on_each(&mut group, "quiets", &positions, listed(|p, l| p.generate_quiets(l)));
    on_each(&mut group, "checks", &positions, listed(|p, l| p.generate_checks(l)));
    on_each(&mut group, "evasions", &checked, listed(|p, l| p.generate_useful(l)));
    on_each(&mut group, "count", &positions, Position::count_legal_moves);
    group.finish();
}

fn moves(c: &mut Criterion) {
    let mut positions = middlegames();
    let lists: Vec<MoveList> = positions.iter().map(Position::legal_moves).collect();
    let count: u64 = lists.iter().map(|list| list.len() as u64).sum();
    let mut group = c.benchmark_group("each move");
    group.throughput(Throughput::Elements(count));
    group.bench_function("do and undo", |bencher| {
        bencher.iter(|| {
            for (position, list) in positions.iter_mut().zip(&lists) {
                for &mv in list.iter() {
                    black_box(position.do_move(mv));
                    position.undo_move();
                }
            }
        });
    });
    let mut on_each_move = |name: &str, f: &dyn Fn(&Position, &CheckInfo, PackedMove) -> bool| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for (position, list) in positions.iter().zip(&lists) {
                    let checks = CheckInfo::new(position);
                    for &mv in list.iter() {
                        black_box(f(position, &checks, mv));
                    }
                }
            });
        });
    };
    on_each_move("is_legal", &|position, _, mv| position.is_legal(mv));
    on_each_move("gives_check", &|position, checks, mv| position.gives_check(mv, checks));
    on_each_move("see_ge", &|position, _, mv| position.see_ge(mv, 0));
    group.finish();
}

fn mate(c: &mut Criterion) {
    let positions: Vec<Position> = middlegames().into_iter().filter(|p| !p.in_check()).collect();
    // Every position a move away: what the search asks about.
    let mut after = Vec::new();
    for position in &positions {
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.do_move(mv);
            if !next.in_check() {
                after.push(next);
            }
        }
    }
    let mated = |p: &Position| p.mate_in_one().is_some();
    let (mates, none): (Vec<Position>, Vec<Position>) = after.into_iter().partition(mated);
    // Few enough to stay in the cache, as the search's one position does.
    let none: Vec<Position> = none.into_iter().step_by(61).collect();
    let mates: Vec<Position> = mates.into_iter().step_by(5).collect();
    let mut group = c.benchmark_group("mate in one");
    on_each(&mut group, "there is none", &none, Position::mate_in_one);
    on_each(&mut group, "there is one", &mates, Position::mate_in_one);
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(500))
        .measurement_time(std::time::Duration::from_secs(2));
    targets = generation, moves, mate
}
criterion_main!(benches);
