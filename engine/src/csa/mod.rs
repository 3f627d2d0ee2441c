//! The client of CSA servers: floodgate, tournaments, private servers.
//!
//! | module | what |
//! |---|---|
//! | `protocol`, `summary` | the server's lines as typed messages and back; no I/O |
//! | `config`, `secret` | what the user sets |

pub mod config;
pub mod protocol;
mod secret;
pub mod summary;

pub use secret::Secret;
