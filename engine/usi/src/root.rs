//! The position of a session, and the preparation of its search.

use crate::go::GoCommand;
use crate::info_gate::InfoGate;
use crate::limits;
use crate::notice::UsiError;
use crate::options::Options;
use crate::reply::announcement;
use crate::running::Running;
use monomi_movegen::Position;
use monomi_movegen::position_text;
use monomi_search::{BestMove, Info, Limits, Score, SearchResult, answer_without_search};
use monomi_support::host::Instant;
use std::time::Duration;

/// The position to search, set by `position`.
pub struct Root {
    position: Position,
    /// The last `position` was invalid; `position` is the one before it.
    stale: bool,
}

/// A `go` before its search.
pub struct Prepared {
    pub limits: Limits,
    /// Errors to report.
    pub errors: Vec<UsiError>,
    pub running: Running,
    /// The answer, if no search is needed.
    pub at_once: Option<SearchResult>,
    /// The info line for this answer.
    pub announcement: Option<Info>,
}

impl Root {
    /// The start position.
    pub fn startpos() -> Self {
        Self { position: Position::startpos(), stale: false }
    }

    /// The last valid position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether a `go` must be refused, because the last `position` was invalid. A move for another
    /// position could be illegal or a blunder, and no answer at all would hang the GUI.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Executes `position`.
    ///
    /// # Errors
    /// The text is not a valid position. The old position is kept and marked as stale.
    pub fn read(&mut self, text: &str) -> Result<(), UsiError> {
        let read = position_text::read(text);
        self.stale = read.is_err();
        self.position = read.map_err(UsiError::Position)?;
        Ok(())
    }

    /// Sets the position.
    pub fn set(&mut self, position: Position) {
        *self = Self { position, stale: false };
    }

    /// Prepares the search of `go`. A stale position is answered by resigning. `broken` says that
    /// some part of the command was invalid.
    ///
    /// Where a win can be declared, `go infinite` announces that and searches a move besides.
    pub fn prepare(
        &self,
        id: u64,
        go: &GoCommand,
        at: Instant,
        broken: bool,
        options: &Options,
    ) -> Prepared {
        let root = self.position.clone();
        let (mut limits, mut errors) = limits::from_command(go, at, broken, &root, options);
        let timed = limits.clock.is_some() || limits.movetime.is_some();
        let all = options.consideration_mode || limits.infinite || !timed;
        let interval = if all { Duration::ZERO } else { options.pv_interval };
        let gate = InfoGate::new(interval, options.output_fail_lh_pv);
        let rule = options.search.entering_king_rule;
        let mut declares = false;
        let (at_once, announcement) = if self.stale {
            errors.clear();
            let best = BestMove::Resign;
            let score = Score::Cp(0);
            (Some(SearchResult::new(best, score)), None)
        } else {
            let answer = answer_without_search(&root, rule, &limits.searchmoves);
            let info = answer.as_ref().map(announcement);
            declares = answer.as_ref().is_some_and(|answer| answer.best == BestMove::Win);
            if declares && limits.infinite {
                // With certain moves asked for, the search does not declare.
                limits.searchmoves = root.legal_moves().to_vec();
            }
            (answer.filter(|_| !(declares && limits.infinite)), info)
        };
        let mut running = Running::new(id, root, &limits, gate, options.resign_value);
        running.declares = declares;
        Prepared { limits, errors, running, at_once, announcement }
    }
}
