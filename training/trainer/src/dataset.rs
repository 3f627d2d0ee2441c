//! Training data: game records, filtered, split and shuffled within a limit of memory.

use crate::look_ahead::LookAhead;
use crate::sample::{Sample, Samples, SourceError};
use monomi_games::{
    BlockReader, FlatError, FlatFormat, FlatReader, Game, GameReader, GenerationSettings,
    RecordError, flat_games,
};
use monomi_movegen::{Random, UnpackError};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// Which positions are used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Positions with scores beyond this, in internal units, are left out: won games, mates.
    pub max_score: i16,
    /// Positions in check and positions whose best move captures or promotes are left out: the
    /// network evaluates quiet positions, the search resolves the others.
    pub quiet: bool,
    /// Positions are replaced by the leaves of their quiescence searches, where these are recorded;
    /// those whose leaf is more plies away than this are left out. `None`: no position is replaced.
    pub leaf_plies: Option<usize>,
    /// Positions from search trees are used for training (never for measuring).
    pub tree: bool,
    /// How much the rest of the game counts in a score, after filtering.
    pub look_ahead: LookAhead,
}

impl Default for Filter {
    fn default() -> Self {
        let look_ahead = LookAhead::default();
        Self { max_score: 3000, quiet: true, leaf_plies: Some(usize::MAX), tree: true, look_ahead }
    }
}

impl Filter {
    /// The positions of a game that pass.
    fn samples(&self, game: &Game, visit: &mut impl FnMut(Sample)) {
        let mut scores = self.look_ahead.scores(game).into_iter();
        let mut leaves = game.leaves.iter();
        game.walk(|found| {
            let position = found.position;
            let score = scores.next().unwrap_or(found.score);
            let leaf = leaves.next().filter(|leaf| !leaf.is_empty());
            let noisy = || {
                position.in_check()
                    || position.piece_at(found.mv.to()).is_some()
                    || found.mv.is_promotion()
            };
            if !self.admits(found.score) || self.quiet && noisy() {
                return;
            }
            let (Some(leaf), Some(most)) = (leaf, self.leaf_plies) else {
                visit(Sample::new(position, score, found.result));
                return;
            };
            if leaf.len() > most {
                return;
            }
            let mut position = position.clone();
            for &mv in leaf {
                position.do_move(mv);
            }
            if !position.in_check() {
                let sign = if leaf.len().is_multiple_of(2) { 1 } else { -1 };
                visit(Sample::new(&position, score * sign, found.result * sign as i8));
            }
        });
    }

    /// The positions from the search trees of a game that pass.
    ///
    /// # Errors
    /// The first that is not a position; the others are visited all the same.
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

    fn admits(&self, score: i16) -> bool {
        score.unsigned_abs() <= self.max_score.unsigned_abs()
    }
}

/// What to read.
#[derive(Clone, Debug)]
pub struct Request {
    /// Files of game records, or of positions (PSV, hcpe), which their names tell.
    pub files: Vec<PathBuf>,
    /// For each file, the share of its samples that is used in each pass, drawn anew each time:
    /// less for older games. Files beyond the end of the list have the last one's; none means 1.
    pub weights: Vec<f64>,
    /// The positions wanted.
    pub filter: Filter,
    /// The share of openings, from 0 to 1, whose games are not trained on.
    pub held_out: f64,
    /// Largest number of samples in memory.
    pub limit: usize,
}

/// Contents of the files.
#[derive(Debug, Default)]
pub struct Found {
    /// Samples to train on, whatever their weight.
    pub training: u64,
    /// Samples to train on that come from search trees.
    pub of_trees: u64,
    /// Samples to measure with.
    pub held_out: Vec<Sample>,
    pub games: u64,
    /// Damage in the files that could be skipped.
    pub faults: Vec<String>,
    /// Files most of whose positions do not follow from each other, as after shuffling.
    pub shuffled: Vec<PathBuf>,
}

/// A block of games: its file and where it begins there, in bytes; in files of positions the number of the first.
type Block = (usize, u64);

/// Positions in a block of a file of positions.
const POSITIONS: u64 = if cfg!(test) { 500 } else { 1 << 16 };

/// Contents of a block.
#[derive(Default)]
struct Part {
    file: usize,
    found: Found,
    /// Samples to train on; none if they did not fit.
    samples: Vec<Sample>,
    /// Games of one move.
    single: u64,
}

impl Request {
    /// Reads the files once, keeping the held-out samples, and makes a source of the others. Their
    /// order depends on the seed and on the order of the files, not on the number of threads.
    ///
    /// # Errors
    /// Names the file that cannot be read. Damage within a file is skipped and reported in
    /// [`Found::faults`].
    pub fn open(self, seed: u64) -> Result<(Shuffled, Found), RecordError> {
        let mut found = Found { faults: self.equal_files()?, ..Found::default() };
        let mut blocks: Vec<Block> = Vec::new();
        for (file, path) in self.files.iter().enumerate() {
            if let Some(format) = FlatFormat::of(path) {
                FlatReader::open(path, format).map_err(|error| unreadable(path, &error))?;
                let io = |error| RecordError::Io { path: path.clone(), error };
                let count = path.metadata().map_err(io)?.len().div_ceil(format.size() as u64);
                blocks.extend((0..count).step_by(POSITIONS as usize).map(|at| (file, at)));
                continue;
            }
            let mut reader = BlockReader::open(path)?;
            let (starts, faults) = reader.blocks()?;
            blocks.extend(starts.into_iter().map(|at| (file, at)));
            found.faults.extend(faults.iter().map(ToString::to_string));
        }
        let room = AtomicUsize::new(self.limit);
        let parts: Vec<Part> =
            blocks.par_iter().map(|&block| self.look(block, &room)).collect::<Result<_, _>>()?;
        let mut per_file = vec![0; self.files.len()];
        // Games, and those of one move.
        let mut lengths = vec![[0; 2]; self.files.len()];
        let held_whole = room.load(Relaxed) > 0;
        let mut samples = Vec::new();
        for Part { file, found: part, samples: mut held, single } in parts {
            lengths[file][0] += part.games;
            lengths[file][1] += single;
            per_file[file] += part.training;
            found.training += part.training;
            found.of_trees += part.of_trees;
            found.held_out.extend(part.held_out);
            found.faults.extend(part.faults);
            found.games += part.games;
            if held_whole {
                samples.append(&mut held);
            }
        }
        let single = |[games, single]: [u64; 2]| single * 2 > games;
        let shuffled = self.files.iter().zip(&lengths).filter(|(_, lengths)| single(**lengths));
        found.shuffled = shuffled.map(|(path, _)| path.clone()).collect();
        let total = per_file
            .iter()
            .enumerate()
            .map(|(file, &count)| (self.weight(file) * count as f64).round() as u64)
            .sum();
        let source = Shuffled {
            request: self,
            seed,
            total,
            held_whole,
            per_file,
            blocks,
            order: Vec::new(),
            samples,
            at: 0,
            given: 0,
            random: Random::new(seed),
            left: Vec::new(),
        };
        Ok((source, found))
    }

    /// Names the files whose games are the same as those of an earlier file: generated games depend on the seed and
    /// the other settings only.
    fn equal_files(&self) -> Result<Vec<String>, RecordError> {
        let (mut seen, mut faults) = (Vec::new(), Vec::new());
        for path in self.files.iter().filter(|path| FlatFormat::of(path).is_none()) {
            let settings = GameReader::open(path)?.settings().clone();
            let Some(seed) = settings.get("seed") else { continue };
            let same =
                |other: &&(&PathBuf, GenerationSettings)| settings.difference(&other.1).is_none();
            match seen.iter().find(same) {
                Some((other, _)) => faults.push(format!(
                    "{}: the seed ({seed}) and all other settings are those of {}, so the games are the same",
                    path.display(),
                    other.display()
                )),
                None => seen.push((path, settings)),
            }
        }
        Ok(faults)
    }

    fn weight(&self, file: usize) -> f64 {
        let weights = &self.weights;
        weights.get(file).or(weights.last()).copied().unwrap_or(1.0)
    }

    /// Contents of a block, with its samples while there is room for them.
    fn look(&self, (file, at): Block, room: &AtomicUsize) -> Result<Part, RecordError> {
        let mut part = Part { file, ..Part::default() };
        let found = &mut part.found;
        let (games, fault) = self.games((file, at))?;
        found.faults.extend(fault);
        for game in games {
            found.games += 1;
            part.single += u64::from(game.moves.len() == 1);
            if self.holds_out(&game) {
                self.filter.samples(&game, &mut |sample| found.held_out.push(sample));
                continue;
            }
            let samples = &mut part.samples;
            let before = samples.len();
            self.filter.samples(&game, &mut |sample| samples.push(sample));
            let of_game = samples.len();
            let fault = self.filter.tree_samples(&game, &mut |sample| samples.push(sample)).err();
            if let Some(fault) = fault {
                let name = self.files[file].display();
                found.faults.push(format!("{name}: in a search tree: {fault}"));
            }
            found.training += (samples.len() - before) as u64;
            found.of_trees += (samples.len() - of_game) as u64;
        }
        let count = part.samples.len();
        // One more than is needed, so that 0 means that there is not enough room.
        let take = |left: usize| left.checked_sub(count).filter(|&left| left > 0);
        if room.fetch_update(Relaxed, Relaxed, take).is_err() {
            room.store(0, Relaxed);
            part.samples = Vec::new();
        }
        Ok(part)
    }

    /// The games of a block, and what is wrong with others.
    fn games(&self, (file, at): Block) -> Result<(Vec<Game>, Option<String>), RecordError> {
        let path = &self.files[file];
        let Some(format) = FlatFormat::of(path) else {
            let (games, fault) = BlockReader::open(path)?.games(at)?;
            return Ok((games, fault.map(|fault| fault.to_string())));
        };
        let io = |error| RecordError::Io { path: path.clone(), error };
        let count = path.metadata().map_err(io)?.len().div_ceil(format.size() as u64);
        let end = Some(at + POSITIONS).filter(|end| *end < count).unwrap_or(u64::MAX);
        let (games, faults) =
            flat_games(path, format, at, end).map_err(|error| unreadable(path, &error))?;
        let fault = faults.first().map(|first| match faults.len() {
            1 => first.to_string(),
            count => format!("{first} (and {} more in this part)", count - 1),
        });
        Ok((games, fault))
    }

    /// By the opening, so that no position of a held-out game is trained on in another game; and by
    /// nothing else, so that a game is held out in every run or in none.
    fn holds_out(&self, game: &Game) -> bool {
        uniform(&mut Random::new(game.family())) < self.held_out
    }
}

fn unreadable(path: &Path, error: &FlatError) -> RecordError {
    let path = path.to_owned();
    match error {
        FlatError::Io { error, .. } => {
            RecordError::Io { path, error: std::io::Error::new(error.kind(), error.to_string()) }
        }
        other => RecordError::Io { path, error: std::io::Error::other(other.to_string()) },
    }
}

/// A random number from 0 to below 1.
fn uniform(random: &mut Random) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Samples in random order, a different one in each pass: all of them if they fit into memory,
/// otherwise as many randomly chosen blocks at a time as fit.
pub struct Shuffled {
    request: Request,
    seed: u64,
    /// Samples in a pass, about, after weighting.
    total: u64,
    /// Whether `samples` are all of them.
    held_whole: bool,
    /// Samples to train on in each file.
    per_file: Vec<u64>,
    blocks: Vec<Block>,
    samples: Vec<Sample>,
    order: Vec<u32>,
    at: usize,
    given: u64,
    random: Random,
    /// Blocks not yet read in this pass, in reverse order.
    left: Vec<Block>,
}

fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for end in (2..=items.len()).rev() {
        items.swap(end - 1, random.below(end));
    }
}

/// Blocks that are read at a time.
const BLOCKS_AT_ONCE: usize = 64;

impl Shuffled {
    /// Samples in a pass: exact if all weights are 1.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Chooses and orders the samples in memory.
    fn draw(&mut self) {
        self.order.clear();
        // No memory holds more than `u32::MAX` samples.
        let end = u32::try_from(self.samples.len()).unwrap_or(u32::MAX);
        if self.held_whole && !self.request.weights.is_empty() {
            let (mut file, mut last) = (0, self.per_file[0]);
            for number in 0..end {
                while u64::from(number) >= last {
                    file += 1;
                    last += self.per_file[file];
                }
                if uniform(&mut self.random) < self.request.weight(file) {
                    self.order.push(number);
                }
            }
        } else {
            self.order.extend(0..end);
        }
        shuffle(&mut self.order, &mut self.random);
        self.at = 0;
    }

    /// Reads blocks until memory is full or none are left.
    fn refill(&mut self) -> Result<(), RecordError> {
        self.samples.clear();
        while self.samples.len() < self.request.limit && !self.left.is_empty() {
            let batch = self.left.split_off(self.left.len().saturating_sub(BLOCKS_AT_ONCE));
            // Each block has random numbers of its own, so that threads do not matter.
            let seeds: Vec<u64> = batch.iter().map(|_| self.random.next_u64()).collect();
            let parts: Vec<Vec<Sample>> = batch
                .into_par_iter()
                .zip(seeds)
                .map(|(block, seed)| self.load(block, Random::new(seed)))
                .collect::<Result<_, _>>()?;
            self.samples.extend(parts.into_iter().flatten());
        }
        self.draw();
        Ok(())
    }

    /// The samples of a block that are used in this pass. Damage has been reported already.
    fn load(&self, block: Block, mut random: Random) -> Result<Vec<Sample>, RecordError> {
        let ((file, at), request) = (block, &self.request);
        let (games, _) = request.games((file, at))?;
        let mut samples = Vec::new();
        for game in games.iter().filter(|game| !request.holds_out(game)) {
            request.filter.samples(game, &mut |sample| samples.push(sample));
            let _ = request.filter.tree_samples(game, &mut |sample| samples.push(sample));
        }
        let weight = request.weight(file);
        if weight < 1.0 {
            samples.retain(|_| uniform(&mut random) < weight);
        }
        Ok(samples)
    }
}

impl Samples for Shuffled {
    fn start(&mut self, pass: u64) -> Result<(), SourceError> {
        self.given = 0;
        // Seeded anew, so that a pass does not depend on the passes before it.
        self.random = Random::stream(self.seed, pass);
        if self.held_whole {
            self.draw();
        } else {
            self.left.clone_from(&self.blocks);
            shuffle(&mut self.left, &mut self.random);
            self.refill()?;
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Sample>, SourceError> {
        while self.at == self.order.len() && !self.left.is_empty() {
            self.refill()?;
        }
        let next = self.order.get(self.at).map(|&number| self.samples[number as usize]);
        self.at += usize::from(next.is_some());
        self.given += u64::from(next.is_some());
        Ok(next)
    }

    fn done(&self) -> f64 {
        // With weights, the number of samples is only known on average.
        (self.given as f64 / self.total.max(1) as f64).min(1.0)
    }
}

#[cfg(test)]
mod tests;
