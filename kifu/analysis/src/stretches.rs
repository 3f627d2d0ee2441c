//! A game analysed in stretches, which several workers can search at the same time. The results do not depend on the
//! number of workers: the stretches follow from the length of the game, and the results of each one from its positions
//! and the results of the next stretch.
//!
//! A stretch is searched backwards with an empty table, like a game. The position after the stretch is searched first:
//! its result is used until the next stretch is complete. Then the last moves of the stretch are judged again with the
//! next stretch's first result, backwards, until a move's new judgement equals the old one.

use crate::explain::Explaining;
use crate::judge::SolvedAt;
use crate::settings::AnalysisSettings;
use crate::solve::SolvedPosition;
use crate::worker::Worker;
use monomi_eval::Evaluation;
use monomi_movegen::Position;
use monomi_record::Record;
use monomi_support::batch::jobs::Cancel;
use monomi_support::memory::NotEnoughMemory;
use std::ops::Range;
use std::sync::Arc;

/// Positions of a stretch, at most.
const LENGTH: usize = 16;
/// Where two stretches are joined, winning probabilities that differ by less count as equal. A loss as small gets no
/// verdict.
const EQUAL: f64 = 0.025;

/// The stretches of a game with so many positions, first one first. Their lengths differ by at most one.
pub fn stretches(positions: usize) -> Vec<Range<usize>> {
    let count = positions.div_ceil(LENGTH).max(1);
    (0..count).map(|at| at * positions / count..(at + 1) * positions / count).collect()
}

/// A game that is analysed in stretches: by one instance, or by several that exchange results.
pub struct StretchedGame {
    record: Record,
    settings: AnalysisSettings,
    evaluation: Arc<Evaluation>,
    /// Created by the first search, because an instance that only collects results needs no table.
    worker: Option<Worker>,
    results: Vec<Option<SolvedPosition>>,
    /// Positions of the stretch at work that are still to be searched.
    open: Range<usize>,
    /// The result of the position after the stretch, if that is not in `results`.
    after: Option<SolvedPosition>,
    /// The bad moves of the stretch that are still to be explained; set when its positions are searched.
    explaining: Option<Explaining>,
    /// The stretch at work.
    stretch: Range<usize>,
}

impl StretchedGame {
    /// Nothing is searched yet.
    pub fn new(record: Record, settings: AnalysisSettings, evaluation: Arc<Evaluation>) -> Self {
        let results = (0..=record.moves.len()).map(|_| None).collect();
        Self {
            record,
            settings,
            evaluation,
            worker: None,
            results,
            open: 0..0,
            after: None,
            explaining: None,
            stretch: 0..0,
        }
    }

    /// The game.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The settings of all searches.
    pub fn settings(&self) -> &AnalysisSettings {
        &self.settings
    }

    /// The results so far, by ply.
    pub fn results(&self) -> &[Option<SolvedPosition>] {
        &self.results
    }

    /// Takes results from elsewhere. False if one of them cannot be that of its position; then none is taken.
    pub fn take(&mut self, from: usize, results: Vec<Option<SolvedPosition>>) -> bool {
        let fits = |(position, result): (_, &Option<SolvedPosition>)| {
            result.as_ref().is_none_or(|result| result.belongs_to(&position))
        };
        let places = from..from.saturating_add(results.len());
        if places.end > self.results.len()
            || !self.record.positions().skip(from).zip(&results).all(fits)
        {
            return false;
        }
        self.results[places].clone_from_slice(&results);
        true
    }

    /// Begins a stretch, or the whole game, with an empty table and without results.
    pub fn begin(&mut self, stretch: Range<usize>) {
        self.forget();
        self.after = None;
        self.results.fill(None);
        self.explaining = None;
        self.stretch = stretch.clone();
        self.open = stretch;
    }

    /// Searches the next positions of the stretch, `most` at most, last one first, and tells the ply of each. When there are
    /// none, explains the next bad move. Returns the number of positions and bad moves that are left.
    ///
    /// # Errors
    /// Not enough memory.
    pub fn advance(
        &mut self,
        most: usize,
        tell: &mut dyn FnMut(usize),
    ) -> Result<usize, NotEnoughMemory> {
        let Range { start, end } = self.open.clone();
        if start >= end {
            return self.explain();
        }
        if end < self.results.len() && self.results[end].is_none() && self.after.is_none() {
            let mut after = None;
            self.search(end..end + 1, None, &mut |_, result| after = Some(result))?;
            self.after = after;
        }
        let part = end.saturating_sub(most.max(1)).max(start)..end;
        let next = match self.results.get(end) {
            Some(Some(next)) => Some(next.clone()),
            _ => self.after.clone(),
        };
        let mut found = Vec::new();
        self.search(part.clone(), next.as_ref(), &mut |ply, result| {
            tell(ply);
            found.push((ply, result));
        })?;
        for (ply, result) in found {
            self.results[ply] = Some(result);
        }
        self.open = start..part.start;
        if !self.open.is_empty() {
            return Ok(self.open.len());
        }
        let result = |ply: usize| self.result(ply);
        let explaining =
            Explaining::new(&self.record, self.stretch.clone(), &self.settings, &result);
        let left = explaining.len();
        self.explaining = Some(explaining);
        Ok(left)
    }

    /// The result of a position of the stretch or of the one after it.
    fn result(&self, ply: usize) -> Option<SolvedPosition> {
        let known = self.results.get(ply).cloned().flatten();
        known.or_else(|| self.after.clone().filter(|_| ply == self.stretch.end))
    }

    /// Explains the next bad move, and returns how many are left.
    fn explain(&mut self) -> Result<usize, NotEnoughMemory> {
        let Some(mut explaining) = self.explaining.take() else { return Ok(0) };
        if let Some(ply) = explaining.next_ply()
            && let (Some(mut before), Some(after)) = (self.result(ply), self.result(ply + 1))
        {
            self.worker()?;
            if let Some(worker) = &mut self.worker {
                let both = (&before, &after);
                before.explanation = explaining.advance(worker, &self.record, both, &Cancel::new());
            }
            self.results[ply] = Some(before);
        } else {
            explaining = Explaining::default();
        }
        let left = explaining.len();
        self.explaining = Some(explaining);
        Ok(left)
    }

    /// Compares the move played in a position with the best one again, now that the true result after it is
    /// known; `first`: with an empty table. Whether this makes a difference for the position before.
    ///
    /// # Errors
    /// Not enough memory.
    pub fn join(&mut self, ply: usize, first: bool) -> Result<bool, NotEnoughMemory> {
        if first {
            self.forget();
        }
        let both: Vec<Position> = self.record.positions().skip(ply).take(2).collect();
        let result = |ply: usize| self.results.get(ply).cloned().flatten();
        let (Some(mut solved), Some(next)) = (result(ply), result(ply + 1)) else {
            return Ok(false);
        };
        let ([position, after], Some(played)) = (both.as_slice(), self.record.moves.get(ply))
        else {
            return Ok(false);
        };
        let played = played.mv;
        let scale = self.settings.win_scale;
        let (before, best) = (solved.chance(scale), solved.searched.best());
        let after = SolvedAt { position: after, result: &next };
        self.worker()?.account_again(position, &mut solved, played, after);
        if solved.searched.best() != best {
            // What was said was said of another best move.
            solved.explanation = None;
        }
        let differs = (before - solved.chance(scale)).abs() >= EQUAL;
        self.results[ply] = Some(solved);
        Ok(differs)
    }

    fn forget(&mut self) {
        if let Some(worker) = &mut self.worker {
            worker.forget();
        }
    }

    fn search(
        &mut self,
        part: Range<usize>,
        next: Option<&SolvedPosition>,
        tell: &mut dyn FnMut(usize, SolvedPosition),
    ) -> Result<(), NotEnoughMemory> {
        self.worker()?;
        if let Some(worker) = &mut self.worker {
            worker.stretch(&self.record, part, next, &Cancel::new(), &|_| None, tell);
        }
        Ok(())
    }

    fn worker(&mut self) -> Result<&mut Worker, NotEnoughMemory> {
        match &mut self.worker {
            Some(worker) => Ok(worker),
            none => Ok(none.insert(Worker::single(&self.settings, &self.evaluation)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::WinScale;
    use crate::test_games;
    use monomi_search::spawn;

    #[test]
    fn stretches_cover_the_game() {
        for positions in 1..500 {
            let parts = stretches(positions);
            assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, positions));
            assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            let lengths = parts.iter().map(Range::len);
            assert!(lengths.clone().max().unwrap() <= LENGTH);
            assert!(lengths.clone().max().unwrap() - lengths.min().unwrap() <= 1);
        }
    }

    fn game(moves: usize) -> StretchedGame {
        let settings = AnalysisSettings::of_nodes(300, WinScale::default());
        StretchedGame::new(test_games::record(moves), settings, Evaluation::internal())
    }

    fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
        std::thread::scope(|scope| spawn(scope, work).unwrap().join().unwrap())
    }

    /// Analyses the game with this many workers, which exchange results as JSON.
    fn shared(workers: usize) -> Vec<Option<SolvedPosition>> {
        let mut workers: Vec<_> = (0..workers).map(|_| game(32)).collect();
        let all = game(32).results().len();
        let mut collected = game(32);
        let parts = stretches(all);
        assert_eq!(parts.len(), 3);
        let copied = |results: &[Option<SolvedPosition>]| {
            let text = serde_json::to_string(results).unwrap();
            serde_json::from_str::<Vec<Option<SolvedPosition>>>(&text).unwrap()
        };
        let count = workers.len();
        for (number, part) in parts.iter().enumerate() {
            let worker = &mut workers[number % count];
            worker.begin(part.clone());
            let mut told = Vec::new();
            while worker.advance(1 + number * 2, &mut |ply| told.push(ply)).unwrap() > 0 {}
            assert_eq!(told, part.clone().rev().collect::<Vec<_>>());
            assert!(collected.take(part.start, copied(&worker.results()[part.clone()])));
        }
        for (number, part) in parts.iter().enumerate().rev().skip(1) {
            let worker = &mut workers[(number + 1) % count];
            assert!(worker.take(part.start, copied(&collected.results()[part.start..=part.end])));
            for ply in part.clone().rev() {
                if !worker.join(ply, ply + 1 == part.end).unwrap() {
                    break;
                }
            }
            assert!(collected.take(part.start, copied(&worker.results()[part.clone()])));
        }
        // Where stretches are joined, the account goes on.
        let scale = WinScale::default();
        for part in &parts[..parts.len() - 1] {
            let [before, next] =
                [part.end - 1, part.end].map(|ply| collected.results()[ply].as_ref().unwrap());
            let played = before.searched.comparison.unwrap().played;
            assert!((played - (1.0 - next.chance(scale))).abs() < 1e-12, "{part:?}");
        }
        collected.results().to_vec()
    }

    #[test]
    fn the_number_of_workers_changes_nothing() {
        with_stack(|| {
            let one = shared(1);
            assert!(one.iter().all(Option::is_some));
            assert_eq!(one, shared(2));
            assert_eq!(one, shared(3));
        });
    }

    #[test]
    fn foreign_results_are_not_taken() {
        with_stack(|| {
            let mut one = game(5);
            one.begin(0..6);
            while one.advance(2, &mut |_| {}).unwrap() > 0 {}
            let results = one.results().to_vec();
            let mut other = game(5);
            assert!(other.take(0, results.clone()));
            assert_eq!(other.results(), one.results());
            assert!(!game(5).take(1, results.clone()), "too many");
            assert!(!game(5).take(1, results[..5].to_vec()), "of other positions");
        });
    }
}
