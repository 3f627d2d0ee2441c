//! Training data: game records, filtered, split, held in memory and shuffled.

use crate::sample::{Sample, Samples, SourceError};
use monomi::training::{Game, GameReader, Random};
use rayon::prelude::*;
use std::path::PathBuf;

/// Which positions of a game are learnt from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Scores beyond this are left out, in internal units: won games, mates.
    pub max_score: i16,
    /// Positions in check, and positions where the best move captures, are left out: what is
    /// learnt is the worth of quiet positions, the search sees to the others.
    pub quiet: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self { max_score: 3000, quiet: true }
    }
}

impl Filter {
    /// The positions of a game that pass.
    fn samples(&self, game: &Game, visit: &mut impl FnMut(Sample)) {
        game.walk(|found| {
            let position = found.position;
            let loud = || position.in_check() || position.piece_at(found.mv.to()).is_some();
            if found.score.unsigned_abs() <= self.max_score.unsigned_abs()
                && !(self.quiet && loud())
            {
                visit(Sample::new(position, found.score, found.result));
            }
        });
    }
}

/// What is to be read.
#[derive(Clone, Debug)]
pub struct Request {
    /// Files of game records.
    pub files: Vec<PathBuf>,
    /// The positions wanted.
    pub filter: Filter,
    /// The share of the openings, from 0 to 1, whose games are not learnt from.
    pub held_out: f64,
    /// Samples that may be held in memory.
    pub limit: usize,
}

/// Data read.
#[derive(Debug, Default)]
pub struct Loaded {
    /// To learn from.
    pub training: Vec<Sample>,
    /// To measure by.
    pub held_out: Vec<Sample>,
    /// Games.
    pub games: u64,
    /// What was wrong with the files, but could be passed over.
    pub faults: Vec<String>,
}

/// Why data were not read.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file that cannot be read at all.
    #[error(transparent)]
    Record(#[from] monomi::training::RecordError),
    /// More than may be held.
    #[error("the data hold more than {0} positions: raise --memory or give fewer files")]
    TooMuch(usize),
}

impl Request {
    /// Reads all files, several at a time. Their order counts, that of the threads does not.
    ///
    /// # Errors
    /// Names the file that cannot be read; damage within a file is passed over and noted.
    pub fn load(&self) -> Result<Loaded, LoadError> {
        let parts: Vec<Loaded> =
            self.files.par_iter().map(|file| self.load_file(file)).collect::<Result<_, _>>()?;
        let mut all = Loaded::default();
        for mut part in parts {
            all.training.append(&mut part.training);
            all.held_out.append(&mut part.held_out);
            all.faults.append(&mut part.faults);
            all.games += part.games;
        }
        if all.training.len() > self.limit {
            return Err(LoadError::TooMuch(self.limit));
        }
        Ok(all)
    }

    fn load_file(&self, file: &std::path::Path) -> Result<Loaded, LoadError> {
        let mut part = Loaded::default();
        for game in GameReader::open(file)? {
            let game = match game {
                Ok(game) => game,
                Err(fault) => {
                    part.faults.push(fault.to_string());
                    continue;
                }
            };
            part.games += 1;
            let to = if self.holds_out(&game) { &mut part.held_out } else { &mut part.training };
            self.filter.samples(&game, &mut |sample| to.push(sample));
            if part.training.len() > self.limit {
                return Err(LoadError::TooMuch(self.limit));
            }
        }
        Ok(part)
    }

    /// By the opening, so that no position of a game tells of another on the other side; and by
    /// nothing else, so that a game stays on its side in every run.
    fn holds_out(&self, game: &Game) -> bool {
        let lot = Random::new(game.family()).next_u64() >> 11;
        (lot as f64 / (1_u64 << 53) as f64) < self.held_out
    }
}

/// Samples in memory, in another order in each pass.
pub struct Shuffled {
    samples: Vec<Sample>,
    order: Vec<u32>,
    at: usize,
    seed: u64,
}

impl Shuffled {
    /// Orders drawn from a seed.
    ///
    /// # Panics
    /// If there are more than 2^32 samples.
    pub fn new(samples: Vec<Sample>, seed: u64) -> Self {
        let count = u32::try_from(samples.len()).expect("no memory holds so many samples");
        Self { samples, order: (0..count).collect(), at: 0, seed }
    }
}

impl Samples for Shuffled {
    fn start(&mut self, pass: u64) -> Result<(), SourceError> {
        self.at = 0;
        // From the natural order, so that a pass does not depend on those before it.
        self.order.iter_mut().zip(0..).for_each(|(slot, number)| *slot = number);
        let mut random = Random::stream(self.seed, pass);
        for end in (2..=self.order.len()).rev() {
            self.order.swap(end - 1, random.below(end));
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Sample>, SourceError> {
        let next = self.order.get(self.at).map(|&number| self.samples[number as usize]);
        self.at += usize::from(next.is_some());
        Ok(next)
    }

    fn done(&self) -> f64 {
        self.at as f64 / self.samples.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests;
