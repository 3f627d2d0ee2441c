//! Evaluation of positions by networks or piece-square tables, behind one type.
//!
//! The search holds an [`EvalStack`]: it pushes what a move changed and asks for the value when it
//! needs one. Pushing is the same two stores for every evaluation; which one answers is one
//! predictable branch in [`EvalStack::evaluate`].
//!
//! ```
//! use monomi_eval::{EvalStack, Evaluation};
//! use monomi_movegen::Position;
//!
//! let mut position = Position::startpos();
//! let mut stack = EvalStack::new(&Evaluation::internal(), &position);
//! let quiet = stack.evaluate(&position);
//! let mv = "7g7f".parse().unwrap();
//! stack.push(position.do_move(mv));
//! stack.evaluate(&position); // White's view: it is White's turn.
//! stack.pop();
//! position.undo_move();
//! assert_eq!(stack.evaluate(&position), quiet);
//! ```
//!
//! # How it works
//!
//! `Evaluation` is immutable and shared by all threads. `EvalStack` belongs to one thread and follows its position: `push`
//! what a move changed, `pop` to undo it, `evaluate` when a value is needed. `Evaluation` is an enum rather than a type
//! parameter of the search: one well-predicted branch costs nothing compared with an evaluation, while compiling the search
//! for each network type would multiply its code.
//!
//! ## Networks
//!
//! One implementation serves all shapes: eight feature sets, plain networks of any layer sizes, and SFNN networks with
//! layer stacks. It is parameterised by features, activation, sizes and stacks; there is no file per architecture. The
//! shape is recognised from hashes and sizes, and from the header text where these are not enough (docs/networks.md).
//!
//! - *Containers* (`read.rs`, `read/`) check every length, count and stack index before memory is allocated.
//! - *Features* (`features.rs`) are tables from a `Place` to an input for each perspective; feature sets differ in the
//!   table and in when the accumulator is refreshed.
//! - *Accumulators* are updated lazily: `push` records a move, `evaluate` or `bring_forward` goes back to the last computed
//!   accumulator and applies the recorded moves, one or two rows out and as many in. The search calls `bring_forward` right
//!   after each move, while the transposition table's cache line is being loaded. After a king's move, feature sets with
//!   king buckets refresh from a cache with the last accumulator for each king square and side (accumulator refresh table).
//! - *Kernels* exist for AVX-512 and AVX2 (each with and without VNNI), SSE4.1, NEON, WebAssembly's SIMD128 and plain code.
//!   The level is chosen when a network is created. The plain code is the reference for all others.
//! - Debug builds compare every accumulator with a full refresh.
//! - *Memory* (`support/src/memory`): arrays aligned to cache lines, on large pages from 64 KiB on, for weights, accumulators,
//!   histories and the transposition table.
//! - *Processes do not share weights.* Several engines on one machine could map one decoded file. Eight processes with
//!   a K+P 256x2-32-32 network of 0.9 MB have 912 MiB together (PSS; `USI_Hash` 16, one thread). With a network of
//!   1536 neurons (SFNN HalfKA_hm2) they have 2,644 MiB: 216 more each, which all but one would save. But pages of a mapped
//!   file are small, and without large pages the bench needs 9.1 % (± 1.3) more processor time with that network (12
//!   pairs of runs to depth 7, large pages switched off by `prctl` for the whole process). So every user of a large network
//!   would pay for what few need.
//!
//! ## One build for all processors
//!
//! The build is for baseline x86-64:
//!
//! - networks choose their kernels at run time, as above;
//! - sliding attacks need subtraction, byte swaps and small tables;
//! - bit scans of words known to be non-zero compile to one instruction everywhere;
//! - counting bits is rare in the search; perft chooses `popcnt` at run time for its last ply.

#![warn(missing_debug_implementations)]

mod breakdown;
mod evaluation;
mod line;
pub mod network;
pub mod piece_square;
pub mod score;
pub mod source;
mod stack;

pub use breakdown::{Breakdown, Removal};
pub use evaluation::{Evaluation, LoadError, LoadOptions, internal_network};
pub use network::DEFAULT_FV_SCALE;
pub use score::{DEFAULT_WIN_SCALE, MAX_EVAL};
pub use stack::EvalStack;

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
