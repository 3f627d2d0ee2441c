use super::*;
use crate::training_loop::Plan;
use ::tests::games::{Random, visit_random_positions};
use monomi_eval::network::{Architecture, FeatureSet, NetworkFile, SimdLevel};
use monomi_eval::{DEFAULT_FV_SCALE, Evaluation};
use monomi_movegen::Position;

const fn shape(features: FeatureSet, l1: usize, l2: usize, l3: usize) -> Architecture {
    Architecture::plain(features, l1, l2, l3)
}

const SMALL: [Architecture; 4] = [
    shape(FeatureSet::KP, 64, 8, 16),
    shape(FeatureSet::HalfKP, 32, 16, 32),
    Architecture::sfnn(FeatureSet::HalfKAHm2, 64, 15, 32, 9),
    Architecture::sfnn(FeatureSet::KP, 64, 7, 16, 1),
];

fn at_rate(rate: f32) -> Step {
    let result_share = Objective::default().result_share;
    Step { rate, result_share, rounded: false }
}

fn mean_loss(trainer: &mut Trainer, samples: &[Sample]) -> f64 {
    let outputs = trainer.outputs(samples);
    trainer.objective().mean_loss(&outputs, samples)
}

/// Positions of random games, each once, from several starts: their kings are on all ranks.
fn positions(count: usize) -> Vec<Position> {
    const STARTS: [&str; 3] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "lnsg1gsnl/1r5b1/pp2K2pp/9/9/5k3/PP5PP/1B5R1/LNSG1GSNL b 5P5p 1",
        "lnsg1gsnl/1r5b1/pp5pp/4K4/9/7k1/PP5PP/1B5R1/LNSG1GSNL w 5P5p 1",
    ];
    let mut seen = std::collections::HashSet::new();
    let mut of_start = |sfen: &str| {
        let mut positions = Vec::new();
        visit_random_positions(&Position::from_sfen(sfen).unwrap(), 42, 120, count, |position| {
            if seen.insert(position.key()) {
                positions.push(position.clone());
            }
        });
        positions
    };
    let of_starts = STARTS.map(&mut of_start);
    let mut positions = Vec::new();
    for i in 0..count {
        positions.extend(of_starts.iter().filter_map(|of_start| of_start.get(i).cloned()));
    }
    assert!(positions.len() > count);
    positions.truncate(count);
    positions
}

/// Positions with made-up scores.
fn samples(count: usize) -> Vec<Sample> {
    let mut random = Random::new(7);
    let mut sample = |position: &Position| {
        Sample::new(position, random.below(4001) as i16 - 2000, random.below(3) as i8 - 1)
    };
    positions(count).iter().map(&mut sample).collect()
}

#[test]
fn gradients_match_differences_of_the_loss() {
    for architecture in SMALL {
        let batch = samples(40);
        let mut trainer = Trainer::new(Net::random(architecture, 3), Objective::default());
        trainer.gradient(&batch, Objective::default());
        // The parameters with the largest gradients of each kind, and where they stand.
        let layout = trainer.net.layout.clone();
        let mut ranges = vec![layout.first_bias.clone()];
        // The parameters of a stack that is used.
        let used = &layout.stacks[layout.stack(&batch[0])];
        ranges.extend(used.iter().flat_map(|l| [l.weights.clone(), l.bias.clone()]));
        let mut places = Vec::new();
        for range in ranges {
            let mut order: Vec<usize> = range.collect();
            order.sort_by(|&a, &b| {
                trainer.dense_gradient[b].abs().total_cmp(&trainer.dense_gradient[a].abs())
            });
            places.extend(order.into_iter().take(6).map(|i| (false, i)));
        }
        let mut order: Vec<usize> = (0..trainer.net.rows.len()).collect();
        order.sort_by(|&a, &b| {
            trainer.row_gradient[b].abs().total_cmp(&trainer.row_gradient[a].abs())
        });
        places.extend(order.into_iter().take(20).map(|i| (true, i)));
        let mut compared = 0;
        for (row, i) in places {
            let found = if row { trainer.row_gradient[i] } else { trainer.dense_gradient[i] };
            let mut at = |offset: f32| {
                let net = &mut trainer.net;
                let value = if row { &mut net.rows[i] } else { &mut net.dense[i] };
                let before = *value;
                *value += offset;
                let loss = mean_loss(&mut trainer, &batch);
                let net = &mut trainer.net;
                *(if row { &mut net.rows[i] } else { &mut net.dense[i] }) = before;
                loss
            };
            // The clamps' corners disturb a difference or two, but hardly all three.
            let differences = [1e-3_f32, 2e-4, 5e-5].map(|h| (at(h) - at(-h)) / f64::from(2.0 * h));
            let found = f64::from(found);
            let near = |expected: &f64| (found - expected).abs() < 2e-5 + 0.02 * expected.abs();
            assert!(differences.iter().any(near), "{architecture} {i}: {found} {differences:?}");
            compared += usize::from(found.abs() > 1e-4);
        }
        assert!(compared > 30, "{architecture}: only {compared} gradients tell anything");
    }
}

#[test]
fn samples_of_the_tests_use_several_layer_stacks() {
    let net = Net::zeroed(SMALL[2]);
    let used: std::collections::HashSet<_> =
        samples(40).iter().map(|sample| net.layout.stack(sample)).collect();
    assert!(used.len() >= 4, "{used:?}");
}

/// The engine counts the input of a missing piece; no training position has one.
#[test]
fn inputs_of_missing_pieces_stay_zero() {
    const HANDICAP: &str = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    let start = Position::from_sfen(HANDICAP).unwrap();
    let mut batch = samples(200);
    let mut handicaps = Vec::new();
    visit_random_positions(&start, 8, 60, 60, |position| handicaps.push(position.clone()));
    batch.extend(handicaps.iter().map(|position| Sample::new(position, 300, 1)));
    for architecture in SMALL {
        let mut trainer =
            Trainer::new(Net::random(architecture, 3), Objective::default()).averaging(0.9);
        for step in 0..60 {
            trainer.step(&batch, Step { rounded: step >= 50, ..at_rate(2e-3) });
        }
        let mut file = trainer.net().quantised();
        let weights = file.transformer_mut().1;
        let block = match architecture.features.block() {
            0 => architecture.features.inputs(),
            block => block,
        };
        let mut rows = weights.chunks_exact(architecture.l1).step_by(block);
        assert!(rows.all(|row| row.iter().all(|&weight| weight == 0)), "{architecture}");
        assert!(weights.iter().any(|&weight| weight != 0));
        // So the trainer, which leaves missing pieces out, agrees with the engine.
        let integer = IntegerNet::new(trainer.net().quantised());
        let evaluation = Evaluation::from_network(file, DEFAULT_FV_SCALE, SimdLevel::best());
        for position in &handicaps {
            let sample = Sample::new(position, 0, 0);
            assert_eq!(evaluation.breakdown(position).raw, Some(integer.raw(&sample)));
        }
    }
}

#[test]
fn a_small_set_is_fitted_almost_exactly() {
    let plan = Plan { rate: 2e-3, final_share: 0.0, ..Plan::default() };
    for architecture in [
        shape(FeatureSet::KP, 128, 32, 32),
        shape(FeatureSet::HalfKP, 64, 16, 32),
        Architecture::sfnn(FeatureSet::HalfKAHm2, 128, 15, 32, 9),
    ] {
        let batch = samples(64);
        let mut trainer = Trainer::new(Net::random(architecture, 3), Objective::default());
        let before = mean_loss(&mut trainer, &batch);
        for step in 0..1000 {
            trainer.step(&batch, at_rate(plan.rate_at(f64::from(step) / 1000.0)));
        }
        let after = mean_loss(&mut trainer, &batch);
        assert!(before > 0.02 && after < 2e-4, "{architecture}: {before} -> {after}");
    }
}

#[test]
fn results_do_not_depend_on_instructions_or_threads() {
    let batch = samples(1000);
    for architecture in SMALL {
        let train = |level, threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let net = Net::random(architecture, 9);
                let mut trainer = Trainer::with_level(net, Objective::default(), level);
                for part in batch.chunks(300) {
                    trainer.step(part, at_rate(1e-3));
                }
                trainer.net
            })
        };
        let reference = train(Level::PORTABLE, 1);
        for level in Level::available() {
            let one = train(level, 1);
            for threads in [1, 3] {
                let again = train(level, threads);
                assert!(*one.rows == *again.rows && *one.dense == *again.dense);
            }
            let close = |a: &[f32], b: &[f32]| {
                a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
            };
            // Adam moves by the sign where a gradient is tiny, so a step or two may differ.
            let apart = close(&one.rows, &reference.rows).max(close(&one.dense, &reference.dense));
            assert!(apart < 8e-3, "{architecture} {}: {apart}", level.name());
        }
    }
}

#[test]
fn outputs_match_the_engine_within_rounding() {
    let positions = positions(400);
    let batch: Vec<_> = positions.iter().map(|p| Sample::new(p, 0, 0)).collect();
    let learnt = samples(400);
    for architecture in SMALL.into_iter().chain([shape(FeatureSet::KP, 256, 32, 32)]) {
        let outputs = |net| Trainer::new(net, Objective::default()).outputs(&batch);
        // The network has learnt something, so that no part of it is zero any more.
        let mut trainer = Trainer::new(Net::random(architecture, 11), Objective::default());
        for _ in 0..30 {
            trainer.step(&learnt, at_rate(1e-3));
        }
        // Through a written file.
        let mut bytes = Vec::new();
        trainer.net.quantised().write(&mut bytes).unwrap();
        let file = NetworkFile::read(bytes.as_slice(), bytes.len() as u64).unwrap();
        assert_eq!(file.fv_scale(), DEFAULT_FV_SCALE);
        let integer = IntegerNet::new(trainer.net.quantised());
        let full = trainer.outputs(&batch);
        // The weights rounded, the activations not: all that differs from the engine.
        let rounded = outputs(Net::from_file(trainer.net.quantised()));
        let evaluation = Evaluation::from_network(file, DEFAULT_FV_SCALE, SimdLevel::best());
        let (mut worst, mut sum, mut apart, mut spread) = (0.0_f64, 0.0, 0.0_f64, 0.0);
        for (i, position) in positions.iter().enumerate() {
            let raw = evaluation.breakdown(position).raw.unwrap();
            // The trainer's own integer arithmetic is exactly the engine's.
            assert_eq!(integer.raw(&batch[i]), raw, "{architecture}");
            let raw = f64::from(raw);
            let [full, rounded, first] =
                [full[i], rounded[i], rounded[0]].map(|x| f64::from(x) * 9600.0);
            worst = worst.max((raw - rounded).abs());
            sum += raw - rounded;
            apart = apart.max((raw - full).abs());
            spread += (rounded - first).abs();
        }
        let [mean, spread] = [sum, spread].map(|sum| sum / positions.len() as f64);
        let found = format!("{architecture}: {worst} {mean} {apart} {spread}");
        assert!(spread > 1000.0, "{found}");
        // Products and squares are rounded down, which the trainer does not imitate.
        let limits =
            if architecture.is_plain() { [128.0, 8.0, 800.0] } else { [400.0, 120.0, 2e3] };
        assert!(worst < limits[0] && mean.abs() < limits[1] && apart < limits[2], "{found}");
    }
}

#[test]
fn training_with_rounded_weights_lowers_the_loss_of_the_file() {
    let samples = samples(600);
    for architecture in SMALL {
        let mut trainer =
            Trainer::new(Net::random(architecture, 3), Objective::default()).averaging(0.99);
        let rate_at = |step: i32| 2e-3 * (1.0 - step as f32 / 420.0);
        for step in 0..300 {
            trainer.step(&samples, at_rate(rate_at(step)));
        }
        let written = |trainer: &mut Trainer| {
            let outputs = trainer.written_outputs(&samples).unwrap();
            trainer.objective().mean_loss(&outputs, &samples)
        };
        let before = written(&mut trainer);
        for step in 300..400 {
            trainer.step(&samples, Step { rounded: true, ..at_rate(rate_at(step)) });
        }
        let (float, after) = (mean_loss(&mut trainer, &samples), written(&mut trainer));
        assert!(after < before, "{architecture}: {before} -> {after}, {float} in floating point");
        // The forward pass uses the weights that are written.
        let rounded = trainer.rounded.take().unwrap();
        let file = Net::from_file(trainer.net().quantised());
        assert!(*rounded.rows == *file.rows && *rounded.dense == *file.dense);
        // The parameters behind them are not rounded.
        assert!(*trainer.net.dense != *file.dense);
    }
}

#[test]
fn an_average_of_steps_is_measured_and_written() {
    let samples = samples(300);
    let mut trainer = Trainer::new(Net::random(SMALL[0], 3), Objective::default()).averaging(0.95);
    // The mean by definition, over the parameters that the updates see.
    let mut expected: Vec<f32> = trainer.net.dense.to_vec();
    for step in 1..=96_u64 {
        trainer.step(&samples, at_rate(1e-3));
        if step.is_multiple_of(AVERAGE_EVERY) {
            let updates = (step / AVERAGE_EVERY) as f32;
            let keep = 0.95_f32.powi(16).min(updates / (updates + 9.0));
            for (mean, now) in expected.iter_mut().zip(trainer.net.dense.iter()) {
                *mean = keep * *mean + (1.0 - keep) * now;
            }
        }
    }
    let close = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    assert!(close(&trainer.net().dense, &expected));
    assert!(!close(&trainer.net().dense, &trainer.net.dense));
    let outputs = Trainer::new(trainer.net(), Objective::default()).outputs(&samples);
    assert_eq!(trainer.outputs(&samples), outputs);
    // Rounding starts from the average; a new run does, too.
    let average = trainer.net();
    let trainer = trainer.restarted();
    assert!(trainer.average.is_none() && *trainer.net.dense == *average.dense);
    let mut trainer = trainer.averaging(0.9);
    trainer.start_rounding();
    assert!(trainer.average.is_none() && *trainer.net.dense == *average.dense);
}
