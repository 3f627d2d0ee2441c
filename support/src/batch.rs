//! Tools for long runs: many jobs on several threads ([`jobs`]), and files that are replaced
//! atomically ([`files`]); work that is divided among machines ([`shard`]).

pub mod files;
pub mod jobs;
pub mod shard;
