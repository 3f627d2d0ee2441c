//! Monomi (物見, the scout sent ahead): a shogi engine. This crate is the command line; the crates it uses
//! are libraries: `monomi-search`, `monomi-mate`, `monomi-usi`, `monomi-analysis` and others.

pub mod commands;
mod failure;
mod lang;

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
