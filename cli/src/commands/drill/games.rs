//! Analyses the games of which exercises are made; an interrupted analysis is continued.

use crate::commands::analyze::dependence;
use crate::commands::games::Game;
use crate::failure::{Context as _, Doing, Failure};
use monomi_analysis::{AnalysisSettings, Journal, SolvedPosition, analyze, game_key};
use monomi_eval::Evaluation;
use monomi_record::Record;
use monomi_support::batch::files::Claim;
use monomi_support::batch::jobs::Cancel;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of the journal in the output folder.
const JOURNAL: &str = ".monomi-drill";

/// The results of games, stored as soon as they are known.
pub(super) struct Analysis {
    journal: Journal,
    path: PathBuf,
    _claim: Claim,
}

impl Analysis {
    /// Opens the journal of an earlier run in this folder, or a new one.
    pub(super) fn open(
        folder: &Path,
        settings: &AnalysisSettings,
        evaluation: &Arc<Evaluation>,
    ) -> Result<Self, Failure> {
        let path = folder.join(JOURNAL);
        let claim = Claim::new(&path).with_context(|| Doing::Writing(folder.to_owned()))?;
        let journal = Journal::open(&path, &dependence(settings, evaluation))
            .with_context(|| Doing::Writing(path.clone()))?;
        Ok(Self { journal, path, _claim: claim })
    }

    /// The results by game and position; positions that an interruption left out have none. `tell` gets
    /// the name of each game that is complete, and the number of those.
    pub(super) fn run(
        &mut self,
        games: &[Game],
        (settings, evaluation, cancel): (&AnalysisSettings, &Arc<Evaluation>, &Cancel),
        tell: &mut dyn FnMut(&str, usize),
    ) -> Result<Vec<Vec<Option<SolvedPosition>>>, Failure> {
        let known: Vec<_> = games.iter().map(|game| self.journal.known(&game.record)).collect();
        let records: Vec<&Record> = games.iter().map(|game| &game.record).collect();
        let mut results = known.clone();
        let is_done = |game: &Vec<Option<SolvedPosition>>| game.iter().all(Option::is_some);
        let mut done = results.iter().filter(|game| is_done(game)).count();
        let mut failed = None;
        let (journal, path) = (&mut self.journal, &self.path);
        analyze(&records, settings, evaluation, cancel, &known, &mut |game, ply, result| {
            let added = journal.add(&game_key(records[game]), ply, &result);
            if let Err(failure) = added.with_context(|| Doing::Writing(path.clone())) {
                failed.get_or_insert(failure);
                cancel.cancel();
            }
            results[game][ply] = Some(result);
            if is_done(&results[game]) {
                done += 1;
                tell(&games[game].name, done);
            }
        })?;
        failed.map_or(Ok(results), Err)
    }

    /// The exercises are complete: removes the journal.
    pub(super) fn remove(self) -> Result<(), Failure> {
        let Self { journal, path, .. } = self;
        journal.remove().with_context(|| Doing::Removing(path))
    }
}
