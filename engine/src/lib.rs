//! Monomi as a library: the one crate that another program depends on.
//!
//! | for | types |
//! |---|---|
//! | rules: positions, legal moves, sfen | [`Position`], [`PackedMove`], [`movegen`] |
//! | evaluation: the built-in network, network files | [`Evaluation`], [`EvalSource`], [`eval`] |
//! | search | [`Searcher`], [`Limits`], [`SearchOptions`], [`SearchResult`], [`search`] |
//! | mate problems | [`MateSolver`], [`TsumeSolver`], [`mate`] |
//! | a whole USI engine in the own process | [`usi::Session`], [`usi::serve`], [`usi`] |
//!
//! The crates behind it are re-exported as modules. Squares, pieces, colours and hands are the types of
//! [`shogi_core`].
//!
//! ```
//! use monomi_engine::{BestMove, Evaluation, Limits, Position, SearchOptions, Searcher, Signals, Silent};
//!
//! let root = Position::startpos();
//! let mut searcher = Searcher::new(16, Evaluation::internal())?;
//! let limits = Limits::new().with_nodes(2_000);
//! let result = searcher.go(&root, &limits, &SearchOptions::default(), &Signals::default(), &mut Silent);
//! let BestMove::Move(best) = result.best else { panic!("the start position has legal moves") };
//! assert!(root.is_legal(best));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Three programs in `examples/`: `play` makes the engine play a move, `analyse` shows the best lines of a
//! position, `mate` solves a mate problem.

#![warn(missing_debug_implementations)]

pub use monomi_eval as eval;
pub use monomi_mate as mate;
pub use monomi_movegen as movegen;
pub use monomi_search as search;
pub use monomi_usi as usi;
pub use shogi_core;

pub use monomi_eval::source::EvalSource;
pub use monomi_eval::{EvalStack, Evaluation};
pub use monomi_mate::tsume::{TsumeAnswer, TsumeRules, TsumeSolver};
pub use monomi_mate::{MateAnswer, MateLimits, MateSolver};
pub use monomi_movegen::position_text::read as read_position;
pub use monomi_movegen::{PackedMove, Position};
pub use monomi_search::{
    BestMove, Info, Limits, Reporter, Score, SearchOptions, SearchResult, Searcher, Signals, Silent,
};

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
