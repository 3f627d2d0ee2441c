//! NegaScout and everything around it. Nothing here prints, reads lines or knows USI.

mod limits;
mod report;
mod score;
mod searcher;
mod signals;

pub use limits::{Clock, Limits, SearchOptions};
pub use report::{BestMove, Info, Reporter, SearchResult, Silent};
pub use score::{
    Bound, INFINITE, MATE, MATE_IN_MAX_PLY, MAX_EVAL, MAX_PLY, SUPERIOR, Score, Value, mate_in,
    mated_in,
};
pub use searcher::Searcher;
pub use signals::Signals;
