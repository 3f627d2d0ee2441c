//! Tools for contributors: matches between USI engines, factorial tests of many changes at once,
//! comparisons of speed, a mate suite and a generator of balanced openings. See tools/README.md.

mod adjudication;
mod analyses;
mod csa_file;
pub mod curve;
pub mod factorial;
pub mod game;
pub mod generation;
mod info_line;
pub mod match_command;
mod match_settings;
pub mod mate_suite;
pub mod opening;
pub mod openings_command;
mod progress_line;
pub mod reasons;
mod regression;
pub mod regret;
pub mod result_command;
pub mod runner;
pub mod spec;
pub mod speed;
pub mod statistics;
pub mod store;
pub mod tournament;
mod usi_engine;
pub mod verdicts;
pub mod win_scale;
