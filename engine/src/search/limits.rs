//! What a search is asked to do.

use crate::search::params::Params;
use crate::search::score::Value;
use monomi_movegen::square::Dense;
use monomi_movegen::{EnteringKingRule, PackedMove};
use shogi_core::Color;
use std::time::{Duration, Instant};

/// The clock of one game, both sides by `Color`'s dense index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub time: [Duration; 2],
    /// Increment a move (Fischer).
    pub increment: [Duration; 2],
    /// Time for each move once the main time is used up.
    pub byoyomi: Duration,
}

impl Clock {
    /// Whether a side's clock goes by whole seconds, as far as one can see: who counts milliseconds
    /// soon shows some.
    pub fn counts_whole_seconds(&self, side: Color) -> bool {
        let times = [self.time[side.dense()], self.increment[side.dense()], self.byoyomi];
        times.iter().all(|time| time.subsec_nanos() == 0)
    }
}

/// The bounds of one search. Without any bound the search goes on until it is stopped.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the command was read: time counts from here.
    pub start: Instant,
    /// Time control of a game.
    pub clock: Option<Clock>,
    /// Exactly this much time.
    pub movetime: Option<Duration>,
    /// Stop after so many nodes.
    pub nodes: Option<u64>,
    /// Stop after this iteration.
    pub depth: Option<u32>,
    /// Search until told to stop; the result is held back until then.
    pub infinite: bool,
    /// On the opponent's time: the clock starts with `ponderhit`.
    pub ponder: bool,
    /// Consider only these moves at the root; all when empty.
    pub searchmoves: Vec<PackedMove>,
}

impl Limits {
    /// No bounds, starting now.
    pub fn new() -> Self {
        Self {
            start: Instant::now(),
            clock: None,
            movetime: None,
            nodes: None,
            depth: None,
            infinite: false,
            ponder: false,
            searchmoves: Vec::new(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

/// Settings that outlive a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// Number of best lines to find, from 1.
    pub multi_pv: usize,
    /// Kept off every move's time for the way to the GUI and back.
    pub network_delay: Duration,
    /// The same for the last moment, when running over loses.
    pub network_delay2: Duration,
    /// No move faster than this while a clock runs.
    pub minimum_thinking_time: Duration,
    /// Share of the usual thinking time, in percent.
    pub slow_mover: u32,
    /// Use each second that has begun to its end, where the clock counts whole seconds.
    pub round_up_to_full_second: bool,
    /// The game is drawn once its ply number passes this; 0 for never.
    pub max_moves_to_draw: u32,
    /// By which rule a king that entered wins.
    pub entering_king_rule: EnteringKingRule,
    /// Value of a draw for black and for white as the root's side, in internal units.
    pub draw_value: [Value; 2],
    /// Consider useless non-promotions too.
    pub generate_all_legal_moves: bool,
    /// The search's numbers. Only builds with the feature `tune` look here; the others have the
    /// defaults compiled in.
    pub params: Params,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            network_delay: Duration::from_millis(120),
            network_delay2: Duration::from_millis(1120),
            minimum_thinking_time: Duration::from_millis(2000),
            slow_mover: 100,
            round_up_to_full_second: true,
            max_moves_to_draw: 0,
            entering_king_rule: EnteringKingRule::Csa27,
            draw_value: [-2, -2],
            generate_all_legal_moves: false,
            params: Params::DEFAULT,
        }
    }
}
