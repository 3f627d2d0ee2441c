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
//! let limits = Limits::new().with_depth(3);
//! let options = SearchOptions::default();
//! let result = searcher.go(&root, &limits, &options, &Signals::default(), &mut Silent);
//! assert_eq!(result.depth, 3);
//! let BestMove::Move(best) = result.best else { panic!("the start position has legal moves") };
//! assert!(root.is_legal(best));
//! ```
//!
//! # Files
//!
//! | file | contents |
//! |---|---|
//! | `searcher.rs` | `Searcher`, the entry point: owns transposition table and histories; `go`; lazy SMP and its vote |
//! | `pool.rs`, `parallel.rs` | the other search threads and the one that watches the clock; work with all cores |
//! | `placement.rs` | on machines with several NUMA nodes: the nodes of the threads, and copies of the network |
//! | `iterative_deepening.rs`, `root_move.rs` | iterative deepening, aspiration windows, MultiPV; what is known of a root move |
//! | `negascout.rs` | NegaScout, the main search, on one page; docs/negascout.md explains it |
//! | `policy.rs`, `selective.rs` | what NegaScout leaves open: `Exact`, the textbook; `Selective`, the search that plays |
//! | `quiescence.rs` | quiescence search |
//! | `node.rs`, `node_type.rs` | `Node`, the state of a node, and `Window`; root, PV and other nodes as type parameters |
//! | `node_start.rs` | the start of a node, shared by both searches: values by rule, table, mate in one, static evaluation |
//! | `node_pruning.rs`, `move_pruning.rs`, `extensions.rs`, `reductions.rs` | one function for each technique |
//! | `reduction_table.rs` | base reductions by depth and move number |
//! | `params.rs` | the parameters of all of these, with their ranges; USI options under the feature `tune` |
//! | `move_picker.rs`, `move_scorer.rs` | staged move generation; scores of moves |
//! | `history.rs`, `correction.rs`, `history_update.rs`, `piece_to.rs` | history tables, correction history, and when they are updated |
//! | `resettable.rs` | large tables that remember which rows were written |
//! | `tt.rs` | the transposition table: relaxed atomics, five entries to a cache line with 32 bits of key each |
//! | `thread.rs`, `stack.rs` | one search thread; what the plies of the current line keep for each other |
//! | `time.rs`, `budget.rs` | time management: when to stop; the time budget of a move |
//! | `limits.rs`, `report.rs`, `signals.rs`, `observer.rs` | input and output of a search |
//!
//! # What to know before changing it
//!
//! **A node.** `Node` holds what the search knows of a node and no other ply reads; the rest is in its entry on the stack.
//! The techniques are functions of both: each returns a value that ends the node, a number of plies, or whether to skip a
//! move. `Selective` (`selective.rs`) calls them in order and is the only one that changes the depth of a node.
//!
//! **Many short searches** (data generation, analysis) are sensitive to the cost of starting a search. `go_here` uses the
//! calling thread as the first search thread, the evaluation stack stays with the thread, and clearing the histories resets
//! only rows that were written (`resettable.rs`).
//!
//! **Reproducibility.** The search does no input or output and knows nothing of USI: it calls a `Reporter`, which may also
//! end it. Stop and ponderhit are two atomic flags (`Signals`), polled every 512 nodes. A search limited by depth or nodes
//! never checks the clock, so bench, tests and data generation are reproducible.
//!
//! **Time.** A move gets an even share of the time on the clock and of the increments to come, over the moves still to be
//! expected: at most five such shares, and never everything. How much of this time the search uses depends on what it
//! finds: more when the value falls or the best move changes, less when the best move is stable or has had nearly all
//! nodes. While pondering the search decides in the same way, remembers it, and stops with `ponderhit`. Time that the
//! previous move saved may be spent. When the next iteration would probably not be completed, the
//! search repeats the depth.
//!
//! **Threads and memory.** `Threads` is checked against the memory that is left (`monomi_support::memory::Available`), as is the
//! table's size. The first thread starts the others after its first iteration, so it always has an answer; with several
//! threads another one watches the clock, because on a busy machine the first might not get a core in time. Every wait has
//! a deadline: results that come more than 0.1 s after the end of a search are not counted.
//!
//! **Memory between games.** `isready` clears everything, so what follows it is reproducible. `usinewgame`, after which the
//! clock may start at once, only resets time management; table and histories of the previous game still improve move
//! ordering.
//!
//! **Fail-soft and its exceptions.** Values outside the window are bounds found by the search, with three usual exceptions:
//! reverse futility pruning and ProbCut return values moved towards beta, because a shallow estimate is less reliable, and
//! futility pruning may raise the best value to the bound that pruned a move.
//!
//! **Values.** Mates are counted from the root; the transposition table converts them to distances from the node. A win by
//! perpetual check or a superior repetition within the tree is worth more than any evaluation (27,000 at most) but less
//! than any mate: the opponent could still deviate, and an unproven mate is never printed. A repetition within the tree
//! counts at once. If the earlier positions are positions of the game, the root among them, it counts from the third
//! occurrence on, since moves of the game cannot be taken back and nobody must repeat them; superior and inferior
//! positions then do not count. What the table holds from a game with repeated positions is found only while the same
//! positions have occurred as often (`history_key` in `thread.rs`). A mate must hold against all legal moves: where all
//! moves of a node lose by mate, the non-promotions that are left out otherwise are searched, too.

#![warn(missing_debug_implementations)]

pub mod bench;
mod budget;
mod correction;
mod extensions;
mod gravity;
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
mod placement;
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
/// Why a table or threads cannot be made.
pub use monomi_support::memory::NotEnoughMemory;
pub use observer::{NodeObserver, SearchedNode, Visit};
#[doc(hidden)]
pub use params::Params;
pub use report::{BestMove, Info, Reporter, SearchResult, Silent};
pub use searcher::{Searcher, ThreadsError, answer_without_search, spawn};
pub use signals::Signals;
pub use thread::STACK_SIZE;

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
