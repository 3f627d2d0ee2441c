//! Fits piece-square tables to samples.

use crate::kernels::{Moments, adam};
use crate::objective::Objective;
use crate::sample::Sample;
use crate::scales::OUTPUT_UNIT;
use crate::simd::Level;
use crate::training_loop::{Learner, Step};
use monomi_eval::piece_square::{Entry, Numbers, PHASE_END, entry, phase_of};
use monomi_movegen::Place;
use monomi_support::memory::Aligned;
use rayon::prelude::*;
use shogi_core::Color;

/// Samples in a slice. Gradients are summed slice by slice, so the result does not depend on the
/// number of threads.
const SLICE: usize = 1024;

/// The largest number that a file can hold.
const LIMIT: f32 = 30_000.0;

/// Piece-square tables in training. Parameters and learning rate are in internal units.
pub struct PieceSquareLearner {
    terms: Vec<(Entry, i16)>,
    numbers: Numbers,
    values: Aligned<f32>,
    gradient: Aligned<f32>,
    averages: [Aligned<f32>; 2],
    steps: u64,
    objective: Objective,
}

impl PieceSquareLearner {
    /// Starts from tables. Numbers that no sample uses stay as they are.
    pub fn new(numbers: Numbers, objective: Objective) -> Self {
        let count = numbers.as_slice().len().next_multiple_of(16);
        let mut values = Aligned::zeroed(count);
        for (value, &number) in values.iter_mut().zip(numbers.as_slice()) {
            *value = f32::from(number);
        }
        Self {
            terms: Place::all().map(|(_, what)| (entry(what), phase_of(what))).collect(),
            numbers,
            values,
            gradient: Aligned::zeroed(count),
            averages: [Aligned::zeroed(count), Aligned::zeroed(count)],
            steps: 0,
            objective,
        }
    }

    /// The tables as they are now, rounded, with left and right made equal.
    pub fn numbers(&self) -> Numbers {
        let mut sums = vec![(0.0, 0.0_f32); self.values.len()];
        let mirror = crate::sample::Mirror::new();
        for (place, _) in Place::all() {
            let [here, there] =
                [place.index(), mirror.place(place.index())].map(|place| self.terms[place].0);
            for (here, there) in [(here.opening, there.opening), (here.endgame, there.endgame)] {
                sums[here].0 += self.values[here] + self.values[there];
                sums[here].1 += 2.0;
            }
        }
        let mut numbers = self.numbers.clone();
        for (number, (sum, count)) in numbers.as_mut_slice().iter_mut().zip(sums) {
            *number = (sum / count).round() as i16;
        }
        numbers
    }

    /// The phase of a sample, and its value for the side to move.
    fn value(&self, sample: &Sample) -> (f32, f32) {
        let (mut opening, mut endgame, mut phase) = (0.0, 0.0, 0);
        for &place in sample.places() {
            let (entry, of_phase) = self.terms[usize::from(place)];
            let sign = f32::from(entry.sign);
            opening += sign * self.values[entry.opening];
            endgame += sign * self.values[entry.endgame];
            phase += i32::from(of_phase);
        }
        let phase = phase.clamp(0, PHASE_END) as f32 / PHASE_END as f32;
        let black = opening * (1.0 - phase) + endgame * phase;
        (phase, if sample.side == Color::Black { black } else { -black })
    }

    /// Phase, loss, and the loss's derivative with respect to the value.
    fn sample_loss(&self, sample: &Sample, objective: Objective) -> (f32, f32, f32) {
        let (phase, value) = self.value(sample);
        let (loss, slope) = objective.judge(value / OUTPUT_UNIT, sample);
        (phase, loss, slope / OUTPUT_UNIT)
    }
}

impl Learner for PieceSquareLearner {
    fn objective(&self) -> Objective {
        self.objective
    }

    fn outputs(&mut self, samples: &[Sample]) -> Vec<f32> {
        samples.par_iter().map(|sample| self.value(sample).1 / OUTPUT_UNIT).collect()
    }

    fn written_outputs(&mut self, samples: &[Sample]) -> Option<Vec<f32>> {
        Some(Self::new(self.numbers(), self.objective).outputs(samples))
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn step(&mut self, batch: &[Sample], step: Step) -> f64 {
        if batch.is_empty() {
            return 0.0;
        }
        let objective = Objective { result_share: step.result_share, ..self.objective };
        let share = 1.0 / batch.len() as f32;
        let part = |samples: &[Sample]| {
            let mut gradient = vec![0.0; self.values.len()];
            let mut sum = 0.0;
            for sample in samples {
                let (phase, loss, slope) = self.sample_loss(sample, objective);
                sum += f64::from(loss);
                let black = if sample.side == Color::Black { slope } else { -slope };
                for &place in sample.places() {
                    let entry = self.terms[usize::from(place)].0;
                    let slope = f32::from(entry.sign) * black * share;
                    gradient[entry.opening] += slope * (1.0 - phase);
                    gradient[entry.endgame] += slope * phase;
                }
            }
            (gradient, sum)
        };
        let parts: Vec<_> = batch.par_chunks(SLICE).map(part).collect();
        let mut loss = 0.0;
        for (gradient, sum) in parts {
            loss += sum;
            self.gradient.iter_mut().zip(gradient).for_each(|(sum, part)| *sum += part);
        }
        self.steps += 1;
        let [first, second] = &mut self.averages;
        let moments = Moments::at(self.steps, step.rate, LIMIT);
        adam(Level::best(), &mut self.values, &mut self.gradient, first, second, moments);
        loss / batch.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::games::visit_random_positions;
    use monomi_eval::{EvalStack, Evaluation};
    use monomi_movegen::Position;

    fn positions(count: usize) -> Vec<Position> {
        let mut positions = Vec::new();
        visit_random_positions(&Position::startpos(), 5, 150, count, |position| {
            positions.push(position.clone());
        });
        positions
    }

    fn value(evaluation: &Evaluation, position: &Position) -> i32 {
        EvalStack::new(evaluation, position).evaluate(position)
    }

    #[test]
    fn values_match_the_engine() {
        let numbers = Numbers::internal();
        let learner = PieceSquareLearner::new(numbers.clone(), Objective::default());
        let engine = Evaluation::from_piece_square(&numbers);
        for position in positions(300) {
            let found = learner.value(&Sample::new(&position, 0, 0)).1;
            assert!((found - value(&engine, &position) as f32).abs() < 1.5, "{found}");
        }
        // Without training nothing changes.
        assert_eq!(learner.numbers(), numbers);
    }

    #[test]
    fn the_tables_of_a_teacher_are_recovered() {
        // The teacher uses other numbers; training must come close to its values.
        let mut numbers = Numbers::internal();
        for number in numbers.as_mut_slice() {
            *number = *number * 3 / 4 + 20;
        }
        let teacher = Evaluation::from_piece_square(&numbers);
        let positions = positions(4000);
        let samples: Vec<_> =
            positions.iter().map(|p| Sample::new(p, value(&teacher, p) as i16, 0)).collect();
        let objective = Objective { result_share: 0.0, ..Objective::default() };
        let mut learner = PieceSquareLearner::new(Numbers::internal(), objective);
        let mean_loss = |learner: &mut PieceSquareLearner| {
            objective.mean_loss(&learner.outputs(&samples), &samples)
        };
        let step = Step { rate: 1.0, result_share: 0.0, rounded: false };
        let before = mean_loss(&mut learner);
        for _ in 0..200 {
            for batch in samples.chunks(500) {
                learner.step(batch, step);
            }
        }
        let after = mean_loss(&mut learner);
        assert!(after < before / 20.0, "{before} -> {after}");
    }
}
