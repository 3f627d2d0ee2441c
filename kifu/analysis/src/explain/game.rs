//! The moves of a game that are explained, and how many searches each of them gets: at most half as many nodes
//! again as the analysis.

use crate::explain::Explanation;
use crate::judge::{MoveContext, SolvedAt, Verdict};
use crate::settings::AnalysisSettings;
use crate::solve::SolvedPosition;
use crate::worker::Worker;
use monomi_movegen::Position;
use monomi_record::Record;
use monomi_support::batch::jobs::Cancel;
use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

/// With a clock a search of an explanation has the time of a position divided by this.
const TIME_SHARE: u32 = 4;
/// The share of all searches that moves which are only worth a hint get, as a divisor.
const HINT_SHARE: usize = 5;
/// Most searches for a bad move, and for a hint.
const MOST: [usize; 2] = [16, 6];

/// What is to be explained in a part of a game. The results of all its positions are known. Moves are explained in the
/// order of the game: a search without some moves leaves its value in the table, where only earlier positions meet it.
#[derive(Default)]
pub struct Explaining {
    /// The plies, and whether the move was only worth a hint.
    open: VecDeque<(usize, bool)>,
    /// Searches and moves left, of bad moves and of hints.
    left: [(usize, usize); 2],
    movetime: Option<Duration>,
}

impl Explaining {
    /// The moves of these plies. `results` may have gaps.
    pub fn new(
        record: &Record,
        plies: Range<usize>,
        settings: &AnalysisSettings,
        results: &dyn Fn(usize) -> Option<SolvedPosition>,
    ) -> Self {
        let mut explaining = Self::default();
        if !settings.reasons {
            return explaining;
        }
        let count = plies.len();
        let positions: Vec<Position> =
            record.positions().skip(plies.start).take(count + 1).collect();
        for (at, ply) in plies.enumerate() {
            let (Some(before), Some(after)) = (results(ply), results(ply + 1)) else { continue };
            let (Some(played), Some(next)) = (record.moves.get(ply), positions.get(at + 1)) else {
                continue;
            };
            let context = MoveContext {
                played: played.mv,
                before: SolvedAt { position: &positions[at], result: &before },
                after: SolvedAt { position: next, result: &after },
                scale: settings.win_scale,
            };
            let verdict = Verdict::of(&context);
            if verdict.is_explained(&context) {
                explaining.open.push_back((ply, !verdict.class.is_bad()));
            }
        }
        // With nodes a search has half of those of a position.
        let searches = if settings.nodes.is_some() { count } else { count / 2 };
        let hints = explaining.open.iter().filter(|(_, hint)| *hint).count();
        let of_hints = if hints == 0 { 0 } else { searches / HINT_SHARE };
        explaining.left = [(searches - of_hints, explaining.open.len() - hints), (of_hints, hints)];
        let of_game = settings.time_per_game.map(|time| time / record.moves.len().max(1) as u32);
        explaining.movetime = settings.movetime.or(of_game).map(|time| time / TIME_SHARE);
        explaining
    }

    /// How many moves are left.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// The ply of the next move.
    pub fn next_ply(&self) -> Option<usize> {
        self.open.front().map(|(ply, _)| *ply)
    }

    /// Explains the next move; `before` and `after` are the results of the positions before and after it. The calling thread
    /// must come from [`monomi_search::spawn`].
    pub fn advance(
        &mut self,
        worker: &mut Worker,
        record: &Record,
        (before, after): (&SolvedPosition, &SolvedPosition),
        cancel: &Cancel,
    ) -> Option<Explanation> {
        let (ply, hint) = self.open.pop_front()?;
        let kind = usize::from(hint);
        let (searches, moves) = &mut self.left[kind];
        let quota = (*searches / (*moves).max(1)).min(MOST[kind]);
        *moves = moves.saturating_sub(1);
        *searches -= quota;
        let both: Vec<Position> = record.positions().skip(ply).take(2).collect();
        let ([position, next], Some(played)) = (both.as_slice(), record.moves.get(ply)) else {
            return None;
        };
        let mut left = quota;
        let after = SolvedAt { position: next, result: after };
        let limits = (&mut left, self.movetime);
        let explanation = worker.explain(position, before, played.mv, after, limits, cancel);
        self.left[kind].0 += left;
        explanation
    }
}
