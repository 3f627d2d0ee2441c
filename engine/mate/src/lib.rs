//! Mate problems: [`dfpn`] finds a mate or proves that there is none, [`tsume`] solves problems by the rules
//! of tsume shogi, with their exact length.

#![warn(missing_debug_implementations)]

pub mod dfpn;
mod limits;
pub mod tsume;

pub use dfpn::{MateAnswer, MateLineError, MateProgress, MateResult, MateSolver, verify};
pub use limits::MateLimits;

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
