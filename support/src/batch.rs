//! Tools for long runs: many jobs on several threads ([`jobs`]), and files that are replaced
//! atomically ([`files`]).

pub mod files;
pub mod jobs;
