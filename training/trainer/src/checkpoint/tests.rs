use super::*;
use crate::sample::{Sample, Samples, SourceError};
use crate::training_loop::{
    EpochReport, Learner as _, Plan, Step, TrainingProgress, Watcher, train,
};
use ::tests::folder::Folder;
use ::tests::games::visit_random_positions;
use monomi_movegen::Position;
use std::ops::ControlFlow;

const SMALL: Architecture = Architecture::plain(FeatureSet::HalfKP, 32, 8, 8);

fn samples() -> Vec<Sample> {
    let mut samples = Vec::new();
    visit_random_positions(&Position::startpos(), 9, 80, 700, |position| {
        let score = (samples.len() as i16 * 37) % 900 - 450;
        samples.push(Sample::new(position, score, 1));
    });
    samples
}

/// Samples that start at another place in each pass.
struct Rotated<'a> {
    samples: &'a [Sample],
    start: usize,
    given: usize,
}

impl Samples for Rotated<'_> {
    fn start(&mut self, pass: u64) -> Result<(), SourceError> {
        (self.start, self.given) = (pass as usize * 100, 0);
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Sample>, SourceError> {
        if self.given == self.samples.len() {
            return Ok(None);
        }
        self.given += 1;
        Ok(Some(self.samples[(self.start + self.given) % self.samples.len()]))
    }

    fn done(&self) -> f64 {
        self.given as f64 / self.samples.len() as f64
    }
}

/// Saves after each epoch, and stops after a given one.
struct Saver<'a> {
    path: &'a Path,
    stop: u64,
    losses: Vec<f64>,
}

impl Watcher<Trainer> for Saver<'_> {
    fn batch(&mut self, _: &TrainingProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn epoch(
        &mut self,
        trainer: &mut Trainer,
        epochs: u64,
        report: &EpochReport,
    ) -> ControlFlow<()> {
        save(self.path, trainer, epochs).unwrap();
        self.losses.push(report.held_out.unwrap().loss);
        if epochs == self.stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_resumed_run_gives_the_same_result_as_an_uninterrupted_one() {
    let folder = Folder::new();
    let path = folder.path().join("resumed.checkpoint");
    let samples = samples();
    // Rounded parameters are used from the middle of the third epoch on.
    let plan = Plan { epochs: 4, batch: 128, rounded_part: 0.375, ..Plan::default() };
    let objective = Objective::default();
    let run = |trainer: &mut Trainer, first, stop| {
        let mut source = Rotated { samples: &samples[100..], start: 0, given: 0 };
        let mut saver = Saver { path: &path, stop, losses: Vec::new() };
        train(trainer, &mut source, &samples[..100], &plan, first, &mut saver).unwrap();
        saver.losses
    };
    let start = || Trainer::new(Net::random(SMALL, plan.seed), objective).averaging(0.99);

    let mut whole = start();
    let losses = run(&mut whole, 0, u64::MAX);
    assert!(losses.len() == 4 && losses[3] < losses[0], "{losses:?}");
    // Twice the same.
    let mut again = start();
    assert_eq!(run(&mut again, 0, u64::MAX), losses);
    assert!(parts(&again) == parts(&whole));

    for stop in [2, 3] {
        let done = stop as usize;
        assert_eq!(run(&mut start(), 0, stop), losses[..done]);
        let Checkpoint { trainer, epochs } = load(&path, objective).unwrap();
        assert_eq!(epochs, stop);
        assert_eq!((trainer.average.is_some(), trainer.rounded.is_some()), (stop == 2, stop == 3));
        let mut trainer = trainer.averaging(0.99);
        assert_eq!(run(&mut trainer, epochs, u64::MAX), losses[done..]);
        assert!(parts(&trainer) == parts(&whole));
    }
}

#[test]
fn errors_name_the_damage() {
    let folder = Folder::new();
    let path = folder.path().join("damaged.checkpoint");
    let mut trainer = Trainer::new(Net::random(SMALL, 1), Objective::default());
    trainer.step(&samples()[..40], Step { rate: 1e-3, result_share: 0.2, rounded: false });
    save(&path, &trainer, 3).unwrap();
    let good = std::fs::read(&path).unwrap();
    let error = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        load(&path, Objective::default()).err().unwrap().to_string()
    };
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] ^= byte;
        bytes
    };
    assert!(error(&with(0, 1)).ends_with("not a checkpoint of this trainer"));
    assert!(error(&with(8, 8)).ends_with("unknown features"));
    assert!(error(&with(40, 8)).ends_with("unknown flags"));
    assert!(error(&with(40, 4)).ends_with("optimiser's state is missing"));
    assert!(error(&with(12, 1)).ends_with("impossible sizes"));
    assert!(error(&with(12, 64)).ends_with("wrong length"));
    assert!(error(&with(good.len() / 2, 16)).ends_with("(wrong checksum)"));
    assert!(error(&good[..good.len() - 1]).ends_with("wrong length"));
    assert!(error(&good[..10]).contains("damaged.checkpoint"));
}

#[test]
fn every_kind_of_network_is_saved_and_loaded() {
    let folder = Folder::new();
    let path = folder.path().join("any.checkpoint");
    let samples = samples();
    for architecture in [
        Architecture::plain(FeatureSet::HalfKPVm, 32, 8, 8),
        Architecture::sfnn(FeatureSet::HalfKAHm2, 64, 7, 8, 9),
        Architecture::sfnn(FeatureSet::KP, 64, 15, 32, 1),
    ] {
        let mut trainer = Trainer::new(Net::random(architecture, 1), Objective::default());
        trainer.step(&samples[..40], Step { rate: 1e-3, result_share: 0.2, rounded: false });
        save(&path, &trainer, 3).unwrap();
        let loaded = load(&path, Objective::default()).unwrap().trainer;
        assert_eq!(loaded.net.architecture, architecture);
        assert!(parts(&loaded) == parts(&trainer), "{architecture}");
    }
}

#[test]
fn before_the_first_step_only_the_parameters_are_saved() {
    let folder = Folder::new();
    let path = folder.path().join("mean.checkpoint");
    let net = Net::random(SMALL, 1);
    let parameters = net.rows.len() + net.dense.len();
    let trainer = Trainer::new(net, Objective::default());
    save(&path, &trainer, 0).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(bytes.len() as u64, HEADER + 4 * parameters as u64 + CHECKSUM);
    let mut loaded = load(&path, Objective::default()).unwrap().trainer;
    assert!(parts(&loaded) == parts(&trainer) && parts(&loaded).len() == 2);
    // It can go on, and is then saved with the optimiser's state.
    loaded.step(&samples()[..40], Step { rate: 1e-3, result_share: 0.2, rounded: false });
    save(&path, &loaded, 1).unwrap();
    let again = load(&path, Objective::default()).unwrap().trainer;
    assert!(parts(&again) == parts(&loaded) && parts(&again).len() == 6);
    // Files of earlier versions have the state before the first step, too.
    let mut old = bytes[..bytes.len() - 4].to_vec();
    old[40] = 0;
    old.extend(vec![0; 8 * parameters]);
    let mut sum = Hasher::new();
    sum.update(&old);
    old.extend(sum.finalize().to_le_bytes());
    std::fs::write(&path, &old).unwrap();
    assert!(parts(&load(&path, Objective::default()).unwrap().trainer) == parts(&trainer));
}

/// Through arrays of numpy and back, nothing changes.
#[test]
fn arrays_of_numpy_have_everything() {
    let folder = Folder::new();
    let [path, arrays] = ["a.ckpt", "a.npz"].map(|name| folder.path().join(name));
    let samples = samples();
    let objective = Objective::default();
    for architecture in [
        Architecture::plain(FeatureSet::KP, 32, 8, 8),
        Architecture::plain(FeatureSet::HalfKPVm, 32, 16, 8),
        Architecture::sfnn(FeatureSet::KP, 64, 15, 32, 9),
    ] {
        for (steps, rounded) in [(0, false), (40, false), (40, true)] {
            let mut trainer = Trainer::new(Net::random(architecture, 1), objective).averaging(0.99);
            for batch in 0..steps {
                let step = Step { rate: 1e-3, result_share: 0.2, rounded: rounded && batch == 39 };
                trainer.step(&samples[batch * 10..][..40], step);
            }
            assert_eq!((trainer.average.is_some(), trainer.rounded.is_some()), (!rounded, rounded));
            save(&path, &trainer, 3).unwrap();
            let before = std::fs::read(&path).unwrap();
            npz::export(&arrays, &load(&path, objective).unwrap()).unwrap();
            let Checkpoint { trainer, epochs } = npz::import(&arrays, objective).unwrap();
            save(&path, &trainer, epochs).unwrap();
            assert!(std::fs::read(&path).unwrap() == before, "{architecture}, {steps} steps");
        }
    }
    let error = |bytes: &[u8]| {
        std::fs::write(&arrays, bytes).unwrap();
        npz::import(&arrays, objective).err().unwrap().to_string()
    };
    let whole = std::fs::read(&arrays).unwrap();
    assert!(error(b"PK").contains("no .npz file"));
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    let said = error(&damaged);
    assert!(said.contains("a.npz: `") && said.to_lowercase().contains("checksum"), "{said}");
}
