//! Making games to learn from: self-play at fixed nodes from varied openings.

mod openings;
mod play;
mod run;
mod sampler;
mod style;

pub use openings::{Openings, OpeningsError};
pub use play::{Adjudication, Play};
pub use run::{Cancel, DatagenError, Job, Progress, Target, fingerprint, run};
