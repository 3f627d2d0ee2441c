use super::*;
use ::tests::games::{Random, visit_random_positions};
use monomi_eval::network::{Architecture, SimdLevel};
use monomi_eval::{DEFAULT_FV_SCALE, Evaluation};
use monomi_movegen::Position;

const fn shape(features: FeatureSet, l1: usize, l2: usize, l3: usize) -> Architecture {
    Architecture { features, l1, l2, l3 }
}

const SMALL: [Architecture; 2] =
    [shape(FeatureSet::KP, 64, 8, 16), shape(FeatureSet::HalfKP, 32, 16, 32)];

/// Positions of random games, each once.
fn positions(count: usize) -> Vec<Position> {
    let (mut positions, mut seen) = (Vec::new(), std::collections::HashSet::new());
    visit_random_positions(&Position::startpos(), 42, 120, 2 * count, |position| {
        if seen.insert(position.key()) {
            positions.push(position.clone());
        }
    });
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
fn gradients_are_those_of_the_loss() {
    for architecture in SMALL {
        let batch = samples(40);
        let mut trainer = Trainer::new(Net::random(architecture, 3), Objective::default());
        trainer.gradient(&batch);
        // The parameters with the largest gradients of each kind, and where they stand.
        let layout = trainer.net.layout.clone();
        let mut ranges = vec![layout.first_bias.clone()];
        ranges.extend(layout.layers.iter().flat_map(|l| [l.weights.clone(), l.bias.clone()]));
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
                let loss = trainer.loss(&batch);
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
fn few_samples_are_learnt_by_heart() {
    let plan = crate::run::Plan { rate: 2e-3, final_share: 0.0, ..Default::default() };
    for architecture in [shape(FeatureSet::KP, 128, 32, 32), shape(FeatureSet::HalfKP, 64, 16, 32)]
    {
        let batch = samples(64);
        let mut trainer = Trainer::new(Net::random(architecture, 3), Objective::default());
        let before = trainer.loss(&batch);
        for step in 0..1000 {
            trainer.step(&batch, plan.rate_at(f64::from(step) / 1000.0));
        }
        let after = trainer.loss(&batch);
        assert!(before > 0.02 && after < 2e-4, "{architecture}: {before} -> {after}");
    }
}

#[test]
fn levels_and_threads_agree() {
    let batch = samples(1000);
    for architecture in SMALL {
        let train = |level, threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let net = Net::random(architecture, 9);
                let mut trainer = Trainer::with_level(net, Objective::default(), level);
                for part in batch.chunks(300) {
                    trainer.step(part, 1e-3);
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
fn outputs_are_the_engines_within_rounding() {
    let positions = positions(400);
    let batch: Vec<_> = positions.iter().map(|p| Sample::new(p, 0, 0)).collect();
    let learnt = samples(400);
    for architecture in [SMALL[0], SMALL[1], shape(FeatureSet::KP, 256, 32, 32)] {
        let outputs = |net| Trainer::new(net, Objective::default()).outputs(&batch);
        // It has learnt something, so that no part of it is zero any more.
        let mut trainer = Trainer::new(Net::random(architecture, 11), Objective::default());
        for _ in 0..30 {
            trainer.step(&learnt, 1e-3);
        }
        let file = trainer.net.quantised();
        let full = trainer.outputs(&batch);
        // The weights rounded, the activations not: all that differs from the engine.
        let rounded = outputs(Net::from_file(trainer.net.quantised()));
        let evaluation = Evaluation::from_network(file, DEFAULT_FV_SCALE, SimdLevel::best());
        let (mut worst, mut sum, mut apart, mut spread) = (0.0_f64, 0.0, 0.0_f64, 0.0);
        for (i, position) in positions.iter().enumerate() {
            let raw = f64::from(evaluation.breakdown(position).raw.unwrap());
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
        assert!(worst < 128.0 && mean.abs() < 8.0 && apart < 800.0, "{found}");
    }
}
