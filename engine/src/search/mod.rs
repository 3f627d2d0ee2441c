//! NegaScout and everything around it. Nothing here prints, reads lines or knows USI.

mod budget;
mod correction;
mod frame;
mod history;
mod learning;
mod limits;
mod move_decisions;
mod negascout;
mod node;
mod node_info;
mod node_pruning;
mod observer;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod quiet_scorer;
mod report;
mod root;
mod rows;
mod searcher;
mod signals;
mod time;
mod tt;
mod worker;

pub(crate) use monomi_eval::score;

pub use limits::{Clock, Limits, SearchOptions};
pub use observer::{NodeObserver, SearchedNode};
pub use params::Params;
pub use report::{BestMove, Info, Reporter, SearchResult, Silent};
pub use score::{
    Bound, INFINITE, MATE, MATE_IN_MAX_PLY, MAX_EVAL, MAX_PLY, SUPERIOR, Score, Value, is_decisive,
    is_loss, is_win, mate_in, mated_in,
};
pub use searcher::{Searcher, spawn};
pub use signals::Signals;
pub use tt::TableTooLarge;
