//! Analysis of a game in parts, as `monomi analyze` does it without a clock: the same results.

use monomi_analysis::output::{CommentStyle, EngineInfo, html, kif};
use monomi_analysis::{AnalysisSettings, AnalyzedGame, SolvedPosition, WinScale, Worker};
use monomi_batch::jobs::Cancel;
use monomi_eval::Evaluation;
use monomi_record::{Encoding, Record};
use std::sync::Arc;

/// A game being analysed.
pub struct Analysis {
    name: String,
    record: Record,
    settings: AnalysisSettings,
    evaluation: Arc<Evaluation>,
    /// Its table knows the positions searched so far.
    worker: Option<Worker>,
    results: Vec<Option<SolvedPosition>>,
}

/// Positions of one call of [`Analysis::advance`].
const PART: usize = 8;

impl Analysis {
    /// Begins with the game.
    pub fn new(
        name: String,
        record: Record,
        nodes: u64,
        multi_pv: usize,
        evaluation: Arc<Evaluation>,
    ) -> Self {
        let positions = record.moves.len() + 1;
        let settings = AnalysisSettings {
            nodes: Some(nodes),
            depth: None,
            movetime: None,
            time_per_game: None,
            threads: 1,
            jobs: 1,
            multi_pv,
            hash_mib: None,
            win_scale: WinScale::new(evaluation.win_scale()),
        };
        let results = (0..positions).map(|_| None).collect();
        Self { name, record, settings, evaluation, worker: None, results }
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.results.len()
    }

    /// Searches the next positions, from the end of the game, and reports the number done so far after
    /// each. False at the end.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn advance(&mut self, tell: &mut dyn FnMut(usize)) -> Result<bool, String> {
        let all = self.results.len();
        let open = self.results.iter().take_while(|result| result.is_none()).count();
        let worker = match &mut self.worker {
            Some(worker) => worker,
            none => none.insert(
                Worker::single(&self.settings, &self.evaluation)
                    .map_err(|error| error.to_string())?,
            ),
        };
        let start = open.saturating_sub(PART);
        let next = self.results.get(open).cloned().flatten();
        let results = &mut self.results;
        let mut tell = |ply: usize, result| {
            results[ply] = Some(result);
            tell(all - ply);
        };
        let part = start..open;
        worker.stretch(&self.record, part, next.as_ref(), &Cancel::new(), &|_| None, &mut tell);
        Ok(start > 0)
    }

    fn game(&self) -> AnalyzedGame<'_> {
        AnalyzedGame::new(&self.name, &self.record, &self.results, self.settings.win_scale)
    }

    /// The report of what has been searched.
    ///
    /// # Errors
    /// As [`html`].
    pub fn report(&self) -> Result<String, String> {
        let limits = format!(
            "{} nodes, MultiPV {}",
            self.settings.nodes.unwrap_or(0),
            self.settings.multi_pv
        );
        let engine = EngineInfo { network: self.evaluation.describe(), limits, live: None };
        html(&self.game(), &engine).map_err(|error| error.to_string())
    }

    /// The annotated record.
    pub fn kif(&self) -> String {
        kif(&self.game(), CommentStyle::Shogihome, Encoding::Utf8)
    }
}
