//! What all crates of Monomi share and no user of a single crate needs to know: messages in two languages
//! ([`text`]), time, random numbers and encodings natively and in browsers ([`host`]), arrays on large pages
//! ([`memory`]), long runs on several threads and files that are replaced as a whole ([`batch`]), modules of
//! JavaScript as one script ([`scripts`]), engines that run as processes ([`usi_process`]).
//!
//! `batch` (with `usi_process`), `host` and `memory` are features, all on by default.

#[cfg(feature = "batch")]
pub mod batch;
#[cfg(feature = "host")]
pub mod host;
#[cfg(feature = "memory")]
pub mod memory;
pub mod scripts;
pub mod text;
#[cfg(all(feature = "batch", not(all(target_arch = "wasm32", target_os = "unknown"))))]
pub mod usi_process;

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
