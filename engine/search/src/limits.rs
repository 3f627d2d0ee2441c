//! Limits and options of a search.

use crate::params::Params;
use monomi_eval::score::Value;
use monomi_movegen::square::Dense;
use monomi_movegen::{EnteringKingRule, PackedMove};
use monomi_support::host::Instant;
use shogi_core::Color;
use std::time::Duration;

/// The clock of a game; arrays are indexed by color, Black first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub time: [Duration; 2],
    /// Increment per move (Fischer).
    pub increment: [Duration; 2],
    /// Time for each move after the main time is used up.
    pub byoyomi: Duration,
}

impl Clock {
    /// Whether a side's clock seems to count whole seconds: no time has a fraction of a second.
    pub fn counts_whole_seconds(&self, side: Color) -> bool {
        let times = [self.time[side.dense()], self.increment[side.dense()], self.byoyomi];
        times.iter().all(|time| time.subsec_nanos() == 0)
    }
}

/// The limits of one search. Without any the search runs until it is stopped.
///
/// ```
/// use monomi_search::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::new().with_nodes(100_000).with_movetime(Duration::from_secs(1));
/// assert!(limits.is_bounded());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// When the command was read; times count from here.
    pub start: Instant,
    /// The clock of a game.
    pub clock: Option<Clock>,
    /// Search for exactly this time.
    pub movetime: Option<Duration>,
    /// Stop after this many nodes of all threads.
    pub nodes: Option<u64>,
    /// Stop after this iteration. 0 counts as 1, and [`MAX_PLY`](crate::MAX_PLY) or more as one less than that.
    pub depth: Option<u32>,
    /// Search until stopped; the caller holds the result back until then.
    pub infinite: bool,
    /// Search during the opponent's time; the clock starts with `ponderhit`.
    pub ponder: bool,
    /// Search only these root moves; all if empty.
    pub searchmoves: Vec<PackedMove>,
    /// How to use the clock.
    pub time: TimeOptions,
}

impl Limits {
    /// No limits, starting now.
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
            time: TimeOptions::default(),
        }
    }

    /// With the clock of a game.
    #[must_use]
    pub fn with_clock(self, clock: impl Into<Option<Clock>>) -> Self {
        Self { clock: clock.into(), ..self }
    }

    /// With exactly this time.
    #[must_use]
    pub fn with_movetime(self, movetime: impl Into<Option<Duration>>) -> Self {
        Self { movetime: movetime.into(), ..self }
    }

    /// With a limit of nodes.
    #[must_use]
    pub fn with_nodes(self, nodes: impl Into<Option<u64>>) -> Self {
        Self { nodes: nodes.into(), ..self }
    }

    /// With a limit of iterations.
    #[must_use]
    pub fn with_depth(self, depth: impl Into<Option<u32>>) -> Self {
        Self { depth: depth.into(), ..self }
    }

    /// With only these root moves.
    #[must_use]
    pub fn with_searchmoves(self, searchmoves: impl Into<Vec<PackedMove>>) -> Self {
        Self { searchmoves: searchmoves.into(), ..self }
    }

    /// Whether the search ends without a `stop`, unless it is infinite or ponders.
    pub fn is_bounded(&self) -> bool {
        let has_time = self.clock.is_some() || self.movetime.is_some();
        has_time || self.nodes.is_some() || self.depth.is_some()
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}

/// How to use the time on a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimeOptions {
    /// Time subtracted from every move for the way to the GUI and back.
    pub network_delay: Duration,
    /// The same where exceeding the time loses the game.
    pub network_delay2: Duration,
    /// Minimum time per move while a clock runs.
    pub minimum_thinking_time: Duration,
    /// Percentage of the usual thinking time.
    pub slow_mover: u32,
    /// Use up each second where the clock counts whole seconds.
    pub round_up_to_full_second: bool,
}

impl Default for TimeOptions {
    /// For games on a server that counts whole seconds.
    fn default() -> Self {
        Self {
            network_delay: Duration::from_millis(120),
            network_delay2: Duration::from_millis(1120),
            minimum_thinking_time: Duration::from_millis(2000),
            slow_mover: 100,
            round_up_to_full_second: true,
        }
    }
}

/// Options, which stay the same from search to search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchOptions {
    /// Number of best lines to find (MultiPV). 0 counts as 1, and a number above that of the root moves as
    /// theirs.
    pub multi_pv: usize,
    /// The game is drawn when its ply number exceeds this; 0 for never.
    pub max_moves_to_draw: u32,
    /// The rule for winning by declaration with an entered king.
    pub entering_king_rule: EnteringKingRule,
    /// Value of a draw for the side to move at the root, by its color, in internal units.
    pub draw_value: [Value; 2],
    /// Also search useless non-promotions (of pawn, lance, bishop, rook).
    pub generate_all_legal_moves: bool,
    /// The search's parameters. Used only in builds with the feature `tune`; the others have the
    /// defaults compiled in. Not part of the public API.
    #[doc(hidden)]
    pub params: Params,
}

impl SearchOptions {
    /// With a number of best lines.
    #[must_use]
    pub fn with_multi_pv(self, multi_pv: usize) -> Self {
        Self { multi_pv, ..self }
    }

    /// With a rule for winning by declaration.
    #[must_use]
    pub fn with_entering_king_rule(self, entering_king_rule: EnteringKingRule) -> Self {
        Self { entering_king_rule, ..self }
    }

    /// With a ply number after which the game is drawn; 0 for never.
    #[must_use]
    pub fn with_max_moves_to_draw(self, max_moves_to_draw: u32) -> Self {
        Self { max_moves_to_draw, ..self }
    }

    /// The search's parameters.
    #[inline(always)]
    pub(crate) fn params(&self) -> &Params {
        self.params.in_use()
    }
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            max_moves_to_draw: 0,
            entering_king_rule: EnteringKingRule::Csa27,
            draw_value: [-2, -2],
            generate_all_legal_moves: false,
            params: Params::DEFAULT,
        }
    }
}
