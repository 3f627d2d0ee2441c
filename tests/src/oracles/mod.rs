//! The predecessors and alternatives of NegaScout, implemented as in the papers.
//!
//! They search any [`GameTree`]: random trees in memory ([`ExplicitTree`]), where thousands of
//! cases are cheap, and real shogi ([`ShogiTree`]). Their pruning is sound, so all return the
//! minimax value. [`Algorithm`] lists them.
//!
//! | file | algorithm | source |
//! |---|---|---|
//! | [`minimax`] | NegaMax, alpha-beta | Knuth & Moore 1975; Fishburn 1983 for fail-soft |
//! | [`scout`] | Scout, PAB | Pearl 1980; Fishburn & Finkel 1980 |
//! | [`pvs`] | PVS in two functions and in one | Marsland & Campbell 1982; Marsland 1983 |
//! | [`negascout`] | NegaScout, and Monomi's variant | Reinefeld 1983, 1989 |
//! | [`mtd`] | MTD(f), AB-SSS*, DUAL* | Plaat, Schaeffer, Pijls & de Bruin 1996 |
//! | [`sss`] | SSS* | Stockman 1979; Campbell & Marsland 1983 |
//!
//! They neither count nodes nor order moves; the wrappers [`Counted`] and [`Reordered`] do.
//!
//! ```
//! use tests::oracles::{Algorithm, Counted, ExplicitTree, Random};
//! let tree = ExplicitTree::uniform(&mut Random::new(1), 4, 6, -100..=100);
//! let minimax = Algorithm::NegaMax.search(&&tree);
//! for algorithm in Algorithm::ALL {
//!     let counted = Counted::new(&tree);
//!     assert_eq!(algorithm.search(&counted), minimax);
//!     assert!(counted.count().leaves > 0);
//! }
//! ```

mod algorithm;
mod explicit;
pub mod mate;
pub mod minimax;
pub mod mtd;
pub mod negascout;
pub mod pvs;
pub mod scout;
mod shogi;
pub mod sss;
mod tree;

pub use algorithm::{Algorithm, WindowSearch};
pub use explicit::{ExplicitTree, Random};
pub use shogi::{Game, MATE, Material, RootMoves, ShogiNode, ShogiTree, root_moves};
pub use tree::{Count, Counted, GameTree, INFINITE, Reordered, Value};
