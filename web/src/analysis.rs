//! Analysis of a game in parts, as `monomi analyze` does it without a clock: the same results.

use monomi_analysis::analysis_settings::AnalysisSettings;
use monomi_analysis::analyzed_game::AnalyzedGame;
use monomi_analysis::examine::Examiner;
use monomi_analysis::found::Found;
use monomi_analysis::output::{CommentStyle, EngineInfo, html, kif};
use monomi_analysis::run::together;
use monomi_batch::jobs::Cancel;
use monomi_eval::Evaluation;
use monomi_record::{Encoding, Record};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// A game being analysed.
pub struct Analysis {
    name: String,
    record: Record,
    settings: AnalysisSettings,
    evaluation: Arc<Evaluation>,
    parts: VecDeque<Range<usize>>,
    found: Vec<Option<Found>>,
}

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
        };
        let found = (0..positions).map(|_| None).collect();
        Self { name, record, settings, evaluation, parts: together(positions).collect(), found }
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.found.len()
    }

    /// Searches the next positions and reports the number done so far after each. False at the end.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn advance(&mut self, tell: &mut dyn FnMut(usize)) -> Result<bool, String> {
        let Some(part) = self.parts.pop_front() else { return Ok(false) };
        let mut examiner = Examiner::single(&self.settings, &self.evaluation)
            .map_err(|error| error.to_string())?;
        let mut done = self.found.iter().flatten().count();
        let found = &mut self.found;
        examiner.stretch(&self.record, part, &Cancel::new(), &|_| None, &mut |ply, result| {
            found[ply] = Some(result);
            done += 1;
            tell(done);
        });
        Ok(!self.parts.is_empty())
    }

    fn game(&self) -> AnalyzedGame<'_> {
        AnalyzedGame::new(&self.name, &self.record, &self.found)
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
