//! The search: NegaScout with the usual pruning, extensions and reductions; see docs/negascout.md
//! for the algorithm and docs/search.md for the rest. It does no input or output and knows nothing
//! of USI.
//!
//! ```
//! use monomi_search::{BestMove, Limits, SearchOptions, Searcher, Signals, Silent};
//! use monomi_eval::Evaluation;
//! use monomi_movegen::Position;
//!
//! let mut searcher = Searcher::new(16, Evaluation::internal()).expect("16 MiB are available");
//! let root = Position::startpos();
//! let limits = Limits { depth: Some(3), ..Limits::new() };
//! let options = SearchOptions::default();
//! let result = searcher.go(&root, &limits, &options, &Signals::default(), &mut Silent);
//! assert_eq!(result.depth, 3);
//! let BestMove::Move(best) = result.best else { panic!("the start position has legal moves") };
//! assert!(root.is_legal(best));
//! ```

pub mod bench;
mod budget;
mod correction;
mod extensions;
mod history;
mod history_update;
mod iterative_deepening;
mod limits;
mod move_picker;
mod move_pruning;
mod move_scorer;
mod negascout;
mod node;
mod node_pruning;
mod node_start;
mod node_type;
mod observer;
mod parallel;
mod params;
mod piece_to;
mod policy;
mod pool;
mod quiescence;
mod reduction_table;
mod reductions;
mod report;
mod resettable;
mod root_move;
mod searcher;
mod selective;
mod signals;
mod stack;
mod thread;
mod time;
mod tt;

pub use limits::{Clock, Limits, SearchOptions, TimeOptions};
pub use monomi_eval::score::{
    Bound, INFINITE, MATE, MATE_IN_MAX_PLY, MAX_EVAL, MAX_PLY, SUPERIOR, Score, Value, is_decisive,
    is_loss, is_win, mate_in, mated_in,
};
pub use observer::{NodeObserver, SearchedNode, Visit};
pub use params::Params;
pub use report::{BestMove, Info, Reporter, SearchResult, Silent};
pub use searcher::{Searcher, ThreadsError, answer_without_search, spawn};
pub use signals::Signals;
pub use thread::STACK_SIZE;
