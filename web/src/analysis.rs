//! Analysis of a game in parts. A whole game gives the results of `monomi analyze` without a clock. Several instances
//! can share the stretches of a game: those results do not depend on the number of instances, but in games of more than
//! one stretch they differ slightly from the results of the whole game.

use monomi_analysis::output::{BrowserEngine, CommentStyle, EngineInfo, html, kif};
use monomi_analysis::{
    AnalysisSettings, AnalyzedGame, SolvedPosition, StretchedGame, WinScale, stretches,
};
use monomi_eval::Evaluation;
use monomi_record::{Encoding, Record};
use std::ops::Range;
use std::sync::Arc;

/// A game being analysed.
pub struct Analysis {
    name: String,
    evaluation: Arc<Evaluation>,
    game: StretchedGame,
    /// What is being searched: the whole game, or one of its stretches.
    stretch: Range<usize>,
}

/// Positions of one call of [`Analysis::advance`]; between two of them the analysis can be stopped.
const PART: usize = 1;

impl Analysis {
    /// Begins with the whole game.
    pub fn new(
        name: String,
        record: Record,
        nodes: u64,
        multi_pv: usize,
        evaluation: Arc<Evaluation>,
    ) -> Self {
        let scale = WinScale::new(evaluation.win_scale());
        let settings = AnalysisSettings { multi_pv, ..AnalysisSettings::of_nodes(nodes, scale) };
        let stretch = 0..record.moves.len() + 1;
        let mut game = StretchedGame::new(record, settings, Arc::clone(&evaluation));
        game.begin(stretch.clone());
        Self { name, evaluation, game, stretch }
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.game.results().len()
    }

    /// The stretches that instances can search at the same time, and the size of the table of each instance in
    /// MiB.
    pub fn stretches(&self) -> (Vec<Range<usize>>, usize) {
        (stretches(self.positions()), self.game.settings().table_of_game())
    }

    /// Begins a stretch instead of the whole game. False if there is no such stretch.
    pub fn begin(&mut self, stretch: Range<usize>) -> bool {
        let exists = stretch.start < stretch.end && stretch.end <= self.positions();
        if exists {
            self.game.begin(stretch.clone());
            self.stretch = stretch;
        }
        exists
    }

    /// Searches the next positions, from the end of the stretch, and reports the number done so far after
    /// each. False at the end.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn advance(&mut self, tell: &mut dyn FnMut(usize)) -> Result<bool, String> {
        let end = self.stretch.end;
        let left = self.game.advance(PART, &mut |ply| tell(end - ply));
        left.map(|left| left > 0).map_err(|error| error.to_string())
    }

    /// See [`StretchedGame::join`].
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn join(&mut self, ply: usize, first: bool) -> Result<bool, String> {
        self.game.join(ply, first).map_err(|error| error.to_string())
    }

    /// The results of these positions, `None` where there are none yet or no such position.
    pub fn results(&self, from: usize, to: usize) -> &[Option<SolvedPosition>] {
        self.game.results().get(from..to).unwrap_or_default()
    }

    /// See [`StretchedGame::take`].
    pub fn take(&mut self, from: usize, results: Vec<Option<SolvedPosition>>) -> bool {
        self.game.take(from, results)
    }

    fn game(&self) -> AnalyzedGame<'_> {
        let scale = self.game.settings().win_scale;
        AnalyzedGame::new(&self.name, self.game.record(), self.game.results(), scale)
    }

    /// The report of what has been searched; `hosted`: as a part of the app, whose engine it uses.
    ///
    /// # Errors
    /// As [`html`].
    pub fn report(&self, hosted: bool) -> Result<String, String> {
        let limits = format!(
            "{} nodes, MultiPV {}",
            self.game.settings().nodes.unwrap_or(0),
            self.game.settings().multi_pv
        );
        let live = hosted.then(BrowserEngine::hosted);
        let engine = EngineInfo { network: self.evaluation.describe(), limits, live };
        html(&self.game(), &engine).map_err(|error| error.to_string())
    }

    /// The annotated record.
    pub fn kif(&self) -> String {
        kif(&self.game(), CommentStyle::Shogihome, Encoding::Utf8)
    }
}
