//! Labels from another network: knowledge distillation (Hinton, Vinyals and Dean,
//! <https://arxiv.org/abs/1503.02531>).

use crate::sample::{Sample, Samples, SourceError};
use crate::scales::OUTPUT_UNIT;
use crate::trainer::Trainer;
use crate::training_loop::Learner;
use monomi_eval::score::Bound;

/// Samples labelled at a time.
const CHUNK: usize = 4096;

/// Replaces scores by the values of a network, and forgets the results of the games.
pub(crate) fn label(teacher: &mut Trainer, samples: &mut [Sample]) {
    let values = teacher.outputs(samples);
    for (sample, value) in samples.iter_mut().zip(values) {
        // Values outside the range of `i16` become its ends.
        sample.score = (value * OUTPUT_UNIT).round() as i16;
        sample.bound = Bound::Exact;
        sample.result = None;
    }
}

/// Samples with a teacher's labels.
pub(crate) struct Taught<S> {
    samples: S,
    teacher: Trainer,
    chunk: Vec<Sample>,
    at: usize,
}

impl<S: Samples> Taught<S> {
    pub(crate) fn new(samples: S, teacher: Trainer) -> Self {
        Self { samples, teacher, chunk: Vec::new(), at: 0 }
    }
}

impl<S: Samples> Samples for Taught<S> {
    fn start(&mut self, pass: u64) -> Result<(), SourceError> {
        self.chunk.clear();
        self.at = 0;
        self.samples.start(pass)
    }

    fn next(&mut self) -> Result<Option<Sample>, SourceError> {
        if self.at == self.chunk.len() {
            self.chunk.clear();
            self.at = 0;
            while self.chunk.len() < CHUNK
                && let Some(sample) = self.samples.next()?
            {
                self.chunk.push(sample);
            }
            label(&mut self.teacher, &mut self.chunk);
        }
        let next = self.chunk.get(self.at).copied();
        self.at += usize::from(next.is_some());
        Ok(next)
    }

    fn done(&self) -> f64 {
        self.samples.done()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Net;
    use crate::objective::Objective;
    use ::tests::games::visit_random_positions;
    use monomi_eval::network::{Architecture, FeatureSet};
    use monomi_movegen::Position;

    struct List(Vec<Sample>, usize);

    impl Samples for List {
        fn start(&mut self, _: u64) -> Result<(), SourceError> {
            self.1 = 0;
            Ok(())
        }
        fn next(&mut self) -> Result<Option<Sample>, SourceError> {
            self.1 += 1;
            Ok(self.0.get(self.1 - 1).copied())
        }
        fn done(&self) -> f64 {
            self.1 as f64 / self.0.len() as f64
        }
    }

    fn net() -> Trainer {
        let shape = Architecture::plain(FeatureSet::KP, 32, 8, 8);
        Trainer::new(Net::random(shape, 5), Objective::default())
    }

    #[test]
    fn every_sample_is_labelled_in_order() {
        let (mut given, mut score) = (Vec::new(), 0);
        visit_random_positions(&Position::startpos(), 3, 150, 2 * CHUNK + 5, |position| {
            score += 1;
            given.push(Sample::new(position, score % 1_000, 1));
        });
        assert!(given.len() > 2 * CHUNK && !given.len().is_multiple_of(CHUNK));
        let mut taught = Taught::new(List(given.clone(), 0), net());
        let mut teacher = net();
        for pass in 0..2 {
            taught.start(pass).unwrap();
            for sample in &given {
                let score = (teacher.outputs(&[*sample])[0] * OUTPUT_UNIT).round() as i16;
                let expected = Sample { score, bound: Bound::Exact, result: None, ..*sample };
                assert_eq!(taught.next().unwrap(), Some(expected));
            }
            assert!(taught.next().unwrap().is_none());
        }
    }
}
