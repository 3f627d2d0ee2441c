//! Generates training games: self-play with fixed nodes from varied openings.

mod generate;
mod leaf;
mod openings;
mod play;
mod sampler;
mod style;

pub use generate::{DatagenError, Job, Produced, Target, fingerprint, generate};
pub use leaf::LeafFinder;
pub use openings::{Openings, OpeningsError};
pub use play::{Adjudication, NoOpening, Play};

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
