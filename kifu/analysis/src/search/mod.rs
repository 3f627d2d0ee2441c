//! The first stage: searches positions.

mod account;
mod compare;
mod exercise;
mod result;

pub use compare::Comparison;
pub use exercise::Exercise;
pub use result::SearchedPosition;
pub use result::{Over, ScoredLine};

use crate::settings::AnalysisSettings;
use account::Searches;
use compare::ScoresByMove;
use monomi_movegen::{PackedMove, Position, Repetition};
use monomi_search::{Limits, Score, SearchOptions, Searcher, Signals};
use result::LineCollector;
use std::sync::Arc;
use std::time::Duration;

/// A short search has the nodes or the time of others divided by this.
const SHORT: u64 = 20;
/// At least so many nodes.
const SHORTEST: u64 = 200;

/// A searcher with the settings of the analysis.
pub struct PositionSearcher {
    searcher: Searcher,
    settings: AnalysisSettings,
    signals: Arc<Signals>,
}

impl PositionSearcher {
    pub fn new(searcher: Searcher, settings: AnalysisSettings, signals: Arc<Signals>) -> Self {
        Self { searcher, settings, signals }
    }

    /// Clears the transposition table and the histories.
    pub fn forget(&mut self) {
        self.searcher.forget();
    }

    /// Searches a position on the calling thread, which must come from [`monomi_search::spawn`],
    /// within the limits of the settings and `movetime`, nodes and time `share` times as large.
    pub fn search(
        &mut self,
        position: &Position,
        share: u32,
        movetime: Option<Duration>,
    ) -> SearchedPosition {
        let repeated = |score| SearchedPosition::over(Over::Repetition, score);
        match position.repeated(4) {
            Some(Repetition::Win) => return repeated(Score::Mate(1)),
            Some(Repetition::Lose) => return repeated(Score::Mate(0)),
            Some(_) => return repeated(Score::Cp(0)),
            None => {}
        }
        let movetime = movetime.map(|time| time.saturating_mul(share));
        self.search_moves(position, Vec::new(), share, movetime)
    }

    /// Searches these moves of a position; all if there are none.
    fn search_moves(
        &mut self,
        position: &Position,
        searchmoves: Vec<PackedMove>,
        share: u32,
        movetime: Option<Duration>,
    ) -> SearchedPosition {
        let nodes = self.settings.nodes.map(|nodes| nodes.saturating_mul(share.into()));
        let limits =
            Limits::new().with_nodes(nodes).with_movetime(movetime).with_searchmoves(searchmoves);
        self.search_lines(position, limits, self.settings.multi_pv)
    }

    /// Searches so many lines of a position, within these limits and the depth of the settings.
    fn search_lines(
        &mut self,
        position: &Position,
        limits: Limits,
        lines: usize,
    ) -> SearchedPosition {
        let limits = limits.with_depth(self.settings.depth);
        self.search_within(position, &limits, lines)
    }

    /// Searches so many lines of a position within these limits.
    fn search_within(
        &mut self,
        position: &Position,
        limits: &Limits,
        lines: usize,
    ) -> SearchedPosition {
        let options = options(lines);
        let mut collector = LineCollector::default();
        let result =
            self.searcher.go_here(position, limits, &options, &self.signals, &mut collector);
        let reproducible = self.settings.is_reproducible();
        let millis = if reproducible { 0 } else { limits.start.elapsed().as_millis() as u64 };
        collector.result(position, &result, millis)
    }

    /// Compares the played move with the best one, see [`account::account`].
    pub fn compare(
        &mut self,
        position: &Position,
        searched: &mut SearchedPosition,
        chance: f64,
        played: (PackedMove, f64),
        movetime: Option<Duration>,
    ) -> Comparison {
        let scale = self.settings.win_scale;
        let mut searches = SearchesOf { searcher: self, position, movetime };
        account::account(&mut searches, searched, chance, played, scale)
    }

    /// The best line of a position by a short search, with a twentieth of the nodes or the time.
    pub fn shortly(
        &mut self,
        position: &Position,
        movetime: Option<Duration>,
    ) -> Option<ScoredLine> {
        let nodes = self.settings.nodes.map(|nodes| (nodes / SHORT).max(SHORTEST));
        let movetime = movetime.map(|time| time / SHORT as u32);
        let depth = self.settings.depth.map(|depth| (depth / 2).max(1));
        let limits = Limits::new().with_nodes(nodes).with_movetime(movetime).with_depth(depth);
        self.search_within(position, &limits, 1).lines.into_iter().next()
    }

    /// The best line of a position without these moves, by a search with half of the nodes of a position or this time, `times` as
    /// large; and the nodes.
    pub fn without(
        &mut self,
        position: &Position,
        moves: &[PackedMove],
        (times, movetime): (u32, Option<Duration>),
    ) -> Option<ScoredLine> {
        let legal = position.legal_moves();
        let searchmoves: Vec<PackedMove> = match moves {
            [] => Vec::new(),
            moves => legal.iter().copied().filter(|mv| !moves.contains(mv)).collect(),
        };
        if !moves.is_empty() && searchmoves.is_empty() {
            return None;
        }
        let movetime = movetime.map(|time| time * times);
        let limits = Limits::new()
            .with_nodes(self.half(times))
            .with_movetime(movetime)
            .with_searchmoves(searchmoves);
        self.search_lines(position, limits, 1).lines.into_iter().next()
    }

    /// The winning probabilities of two moves, by one search of both with half of the nodes of a position or this time, `times` as
    /// large.
    pub fn both(
        &mut self,
        position: &Position,
        moves: [PackedMove; 2],
        (times, movetime): (u32, Option<Duration>),
    ) -> Option<[f64; 2]> {
        let movetime = movetime.map(|time| time * times);
        let (scores, depth, _) =
            self.root_moves(position, moves.to_vec(), self.half(times), movetime);
        scores.means(moves, depth, self.settings.win_scale)
    }

    fn half(&self, times: u32) -> Option<u64> {
        self.settings.nodes.map(|nodes| (nodes / 2).max(1).saturating_mul(times.into()))
    }

    /// The answers to an exercise: which moves are as good as the first one of the line `known`, the best
    /// one by the analysis, and what refutes the others. `None` if the move `played` turns out to be
    /// good. Takes one and a half times the nodes of a position, or twice its time.
    pub fn exercise(
        &mut self,
        position: &Position,
        (known, played): (&ScoredLine, PackedMove),
        movetime: Option<Duration>,
    ) -> Option<Exercise> {
        let best = *known.pv.first()?;
        let scale = self.settings.win_scale;
        let nodes = self.settings.nodes;
        let limits =
            Limits::new().with_nodes(nodes.map(|nodes| (nodes / 2).max(1))).with_movetime(movetime);
        let all = self.search_lines(position, limits, position.legal_moves().len()).lines;
        let searchmoves = exercise::promising(&all, best, played, scale);
        let count = searchmoves.len();
        let limits =
            Limits::new().with_nodes(nodes).with_movetime(movetime).with_searchmoves(searchmoves);
        let mut close = self.search_lines(position, limits, count).lines;
        if matches!(known.score, Score::Mate(plies) if plies > 0) {
            // The mate solver has proven it, whether or not the search sees it.
            close.retain(|line| line.pv.first() != Some(&best));
            close.push(known.clone());
        }
        Exercise::new(&all, close, (best, played), scale)
    }

    /// Searches only these root moves, one line for each. Returns their scores, the depth completed
    /// and the nodes searched.
    fn root_moves(
        &mut self,
        position: &Position,
        moves: Vec<PackedMove>,
        nodes: Option<u64>,
        movetime: Option<Duration>,
    ) -> (ScoresByMove, u32, u64) {
        let options = options(moves.len());
        let depth = self.settings.depth.map(|depth| depth + 1);
        let nodes = nodes.map(|nodes| nodes.max(1));
        let limits = Limits::new()
            .with_nodes(nodes)
            .with_depth(depth)
            .with_movetime(movetime)
            .with_searchmoves(moves);
        let mut scores = ScoresByMove::default();
        let result = self.searcher.go_here(position, &limits, &options, &self.signals, &mut scores);
        (scores, result.depth, result.nodes)
    }
}

/// The searches of one position.
struct SearchesOf<'a> {
    searcher: &'a mut PositionSearcher,
    position: &'a Position,
    movetime: Option<Duration>,
}

impl Searches for SearchesOf<'_> {
    fn without(&mut self, moves: &[PackedMove]) -> Option<SearchedPosition> {
        let legal = self.position.legal_moves();
        let others: Vec<PackedMove> =
            legal.iter().copied().filter(|mv| !moves.contains(mv)).collect();
        (!others.is_empty())
            .then(|| self.searcher.search_moves(self.position, others, 1, self.movetime))
    }

    fn both(&mut self, moves: [PackedMove; 2], share: u32) -> (Option<[f64; 2]>, u64) {
        let nodes = self.searcher.settings.nodes.map(|nodes| nodes.saturating_mul(share.into()));
        let (scores, depth, nodes) =
            self.searcher.root_moves(self.position, moves.to_vec(), nodes, self.movetime);
        (scores.means(moves, depth, self.searcher.settings.win_scale), nodes)
    }

    fn after(&mut self, mv: PackedMove, share: u32) -> (f64, u64) {
        let mut after = self.position.clone();
        after.do_move(mv);
        let searched = self.searcher.search(&after, share, self.movetime);
        (1.0 - self.searcher.settings.win_scale.chance(searched.score()), searched.nodes)
    }
}

fn options(multi_pv: usize) -> SearchOptions {
    SearchOptions::default().with_multi_pv(multi_pv)
}
