//! Analysis of game records and lists of positions. Independent of USI.
//!
//! The analysis of a game has four stages; each has one type for its result.
//!
//! | stage | result | what it does |
//! |---|---|---|
//! | search | [`SearchedPosition`] | searches a position, compares the move played there with the best one |
//! | solve | [`SolvedPosition`] | the mate solver proves mates and threats |
//! | judge | [`AnalyzedGame`] | the verdict on each move, the evaluation of each position to show |
//! | show | text | JSONL, CSV, annotated records, reports, summaries ([`output`]) |
//!
//! The first two run on many threads ([`analyze`]), and the [`Journal`] keeps their results. The other two
//! need no search: they run for a whole game at once. Lists of positions are only searched
//! ([`search_list`]) and shown.
//!
//! Why a move is bad is proposed and verified in `explain/`, with searches of its own, after a game has been searched.
//! What a move lost is decided in `search/account.rs`, from searches behind a trait, so that tests can script them.
//! `search/exercise.rs` finds the answers to the question for a better move; `drill/` collects such positions of many games
//! for `monomi drill`.
//! docs/analysis.md describes the rules of the verdicts.

mod chance;
pub mod drill;
mod explain;
mod fnv;
mod games;
mod journal;
mod judge;
mod line;
mod list;
pub mod opening;
pub mod output;
mod search;
mod settings;
mod solve;
mod stream;
mod stretches;
#[cfg(test)]
mod test_games;
mod worker;

pub use chance::WinScale;
pub use games::analyze;
pub use journal::{Journal, game_key};
pub use judge::AnalyzedGame;
pub use line::{Notation, names, usi};
pub use list::{ListError, ListedPosition, Place, read_list};
pub use search::SearchedPosition;
pub use settings::AnalysisSettings;
pub use solve::SolvedPosition;
pub use stream::{StreamError, search_list};
pub use stretches::{StretchedGame, stretches};

/// Ends an analysis early.
pub use monomi_support::batch::jobs::Cancel;

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
