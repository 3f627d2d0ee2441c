//! Training data: game records, filtered, split and shuffled within a bound of memory.

use crate::look_ahead::LookAhead;
use crate::sample::{Sample, Samples, SourceError};
use monomi_records::{Game, GameReader, Random, RecordError, UnpackError};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// Which positions of a game are learnt from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Scores beyond this are left out, in internal units: won games, mates.
    pub max_score: i16,
    /// Positions in check, and positions where the best move captures, are left out: what is
    /// learnt is the worth of quiet positions, the search sees to the others.
    pub quiet: bool,
    /// Positions from the searches' trees are taken, too (to learn from, never to measure by).
    pub tree: bool,
    /// What the later game has to say in a position's score, behind the filter.
    pub look_ahead: LookAhead,
}

impl Default for Filter {
    fn default() -> Self {
        Self { max_score: 3000, quiet: true, tree: true, look_ahead: LookAhead::default() }
    }
}

impl Filter {
    /// The positions of a game that pass.
    fn samples(&self, game: &Game, visit: &mut impl FnMut(Sample)) {
        let mut scores = self.look_ahead.scores(game).into_iter();
        game.walk(|found| {
            let position = found.position;
            let score = scores.next().unwrap_or(found.score);
            let loud = || position.in_check() || position.piece_at(found.mv.to()).is_some();
            if self.admits(found.score) && !(self.quiet && loud()) {
                visit(Sample::new(position, score, found.result));
            }
        });
    }

    /// The positions to learn from besides: those from the trees of a game's searches.
    ///
    /// # Errors
    /// The first that is no position; the others are visited all the same.
    fn tree_samples(&self, game: &Game, visit: &mut impl FnMut(Sample)) -> Result<(), UnpackError> {
        let mut fault = Ok(());
        for found in game.tree.iter().filter(|found| self.tree && self.admits(found.value)) {
            match found.unpack() {
                Ok(position) => visit(Sample::of_tree(&position, found.value, found.bound)),
                Err(error) => fault = fault.and(Err(error)),
            }
        }
        fault
    }

    /// Appends all that is learnt from a game: its positions, then those of its trees.
    fn append(&self, game: &Game, samples: &mut Vec<Sample>) -> Appended {
        let before = samples.len();
        self.samples(game, &mut |sample| samples.push(sample));
        let of_game = samples.len() - before;
        let fault = self.tree_samples(game, &mut |sample| samples.push(sample)).err();
        Appended { of_game, of_trees: samples.len() - before - of_game, fault }
    }

    fn admits(&self, score: i16) -> bool {
        score.unsigned_abs() <= self.max_score.unsigned_abs()
    }
}

/// What [`Filter::append`] has found in a game.
struct Appended {
    of_game: usize,
    of_trees: usize,
    /// The first position of a tree that is none.
    fault: Option<UnpackError>,
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
    /// Samples that may be held in memory at a time.
    pub limit: usize,
}

/// What a first look at the data has found.
#[derive(Debug, Default)]
pub struct Found {
    /// Samples to learn from.
    pub training: u64,
    /// Those of them that come from trees.
    pub of_trees: u64,
    /// Samples to measure by.
    pub held_out: Vec<Sample>,
    /// Games.
    pub games: u64,
    /// What was wrong with the files, but could be passed over.
    pub faults: Vec<String>,
}

impl Request {
    /// Looks through all files, several at a time, and makes a source of their samples, whose
    /// order is drawn from a seed. The order of the files counts, that of the threads does not.
    ///
    /// # Errors
    /// Names the file that cannot be read; damage within a file is passed over and noted.
    pub fn open(self, seed: u64) -> Result<(Shuffled, Found), RecordError> {
        let room = AtomicUsize::new(self.limit);
        let parts: Vec<(Found, Vec<Sample>)> =
            self.files.par_iter().map(|file| self.look(file, &room)).collect::<Result<_, _>>()?;
        let mut found = Found::default();
        let mut samples = Vec::new();
        for (mut part, mut held) in parts {
            found.training += part.training;
            found.of_trees += part.of_trees;
            found.held_out.append(&mut part.held_out);
            found.faults.append(&mut part.faults);
            found.games += part.games;
            samples.append(&mut held);
        }
        let total = found.training;
        let held_whole = samples.len() as u64 == total;
        if !held_whole {
            samples = Vec::new();
        }
        let source = Shuffled {
            request: self,
            seed,
            total,
            held_whole,
            order: Vec::new(),
            samples,
            at: 0,
            given: 0,
            random: Random::new(seed),
            files: Vec::new(),
            open: None,
        };
        Ok((source, found))
    }

    /// What is in a file, and its samples to learn from while there is room for them.
    fn look(&self, file: &Path, room: &AtomicUsize) -> Result<(Found, Vec<Sample>), RecordError> {
        let mut found = Found::default();
        let mut samples = Vec::new();
        for game in GameReader::open(file)? {
            let game = match game {
                Ok(game) => game,
                Err(error @ RecordError::Io { .. }) => return Err(error),
                Err(fault) => {
                    found.faults.push(fault.to_string());
                    continue;
                }
            };
            found.games += 1;
            if self.holds_out(&game) {
                self.filter.samples(&game, &mut |sample| found.held_out.push(sample));
                continue;
            }
            let Appended { of_game, of_trees, fault } = self.filter.append(&game, &mut samples);
            if let Some(fault) = fault {
                found.faults.push(format!("{}: in a tree: {fault}", file.display()));
            }
            let count = of_game + of_trees;
            found.training += count as u64;
            found.of_trees += of_trees as u64;
            let take = |left: usize| left.checked_sub(count);
            if room.fetch_update(Relaxed, Relaxed, take).is_err() {
                // Too much for all files together: every one goes on without holding anything.
                room.store(0, Relaxed);
                samples = Vec::new();
            }
        }
        Ok((found, samples))
    }

    /// By the opening, so that no position of a game tells of another on the other side; and by
    /// nothing else, so that a game stays on its side in every run.
    fn holds_out(&self, game: &Game) -> bool {
        let lot = Random::new(game.family()).next_u64() >> 11;
        (lot as f64 / (1_u64 << 53) as f64) < self.held_out
    }
}

/// Samples in an order drawn by lot, another one in each pass: all of them, if memory holds them;
/// or else, in each pass, as many games as it holds at a time, from the files in drawn order.
pub struct Shuffled {
    request: Request,
    seed: u64,
    /// Samples of a pass.
    total: u64,
    /// Whether `samples` are all of them.
    held_whole: bool,
    samples: Vec<Sample>,
    order: Vec<u32>,
    at: usize,
    given: u64,
    random: Random,
    /// Files that are still to be read in this pass, and the one that is being read.
    files: Vec<PathBuf>,
    open: Option<GameReader>,
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for end in (2..=items.len()).rev() {
        items.swap(end - 1, random.below(end));
    }
}

impl Shuffled {
    /// Samples in a pass.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Draws the order of the samples in memory.
    fn draw(&mut self) {
        self.order.clear();
        // No memory holds more.
        self.order.extend(0..u32::try_from(self.samples.len()).unwrap_or(u32::MAX));
        shuffle(&mut self.order, &mut self.random);
        self.at = 0;
    }

    /// Reads games until memory is full or the files are at their end.
    fn refill(&mut self) -> Result<(), RecordError> {
        self.samples.clear();
        while self.samples.len() < self.request.limit {
            let Some(reader) = &mut self.open else {
                let Some(file) = self.files.pop() else { break };
                self.open = Some(GameReader::open(&file)?);
                continue;
            };
            match reader.next() {
                None => self.open = None,
                Some(Err(error @ RecordError::Io { .. })) => return Err(error),
                // Noted when the files were looked through.
                Some(Err(_)) => {}
                Some(Ok(game)) => {
                    if !self.request.holds_out(&game) {
                        // Faults were noted when the files were looked through.
                        self.request.filter.append(&game, &mut self.samples);
                    }
                }
            }
        }
        self.draw();
        Ok(())
    }
}

impl Samples for Shuffled {
    fn start(&mut self, pass: u64) -> Result<(), SourceError> {
        self.given = 0;
        // From a new start each time, so that a pass does not depend on those before it.
        self.random = Random::stream(self.seed, pass);
        if self.held_whole {
            self.draw();
        } else {
            self.files.clone_from(&self.request.files);
            shuffle(&mut self.files, &mut self.random);
            self.open = None;
            self.refill()?;
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Sample>, SourceError> {
        if self.at == self.order.len() && !self.held_whole {
            self.refill()?;
        }
        let next = self.order.get(self.at).map(|&number| self.samples[number as usize]);
        self.at += usize::from(next.is_some());
        self.given += u64::from(next.is_some());
        Ok(next)
    }

    fn done(&self) -> f64 {
        // The files may have grown since they were looked through.
        (self.given as f64 / self.total.max(1) as f64).min(1.0)
    }
}

#[cfg(test)]
mod tests;
