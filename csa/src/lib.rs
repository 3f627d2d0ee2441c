//! The client of CSA servers: floodgate, tournaments, private servers.
//!
//! | module | what |
//! |---|---|
//! | `protocol`, `summary` | the server's lines as typed messages and back; no I/O |
//! | `connection` | TCP or TLS, lines of limited length, the log |
//! | `clock`, `game` | the state of one game: position, clocks, end; no I/O, no engine |
//! | `engine` | a USI session on its own thread, or another engine's process |
//! | `latency` | measured network latency as `NetworkDelay` and `NetworkDelay2` |
//! | `record` | a game record, written while the game is played |
//! | `client` | the loop over logins and games |
//! | `play` | one game with its record and the engine's lines |
//! | `config`, `secret` | the user's settings |
//! | `notice` | messages for the user, and why connections end |
//! | `output` | events for a listener; results |

mod client;
pub mod clock;
pub mod config;
mod connection;
mod engine;
mod game;
mod latency;
mod notice;
pub mod output;
mod play;
pub mod protocol;
mod record;
mod secret;
pub mod summary;
mod units;

pub use client::{Client, ClientError};
pub use connection::connect;
pub use engine::EngineFault;
pub use game::{End, Moved};
pub use notice::{ConnectError, Lost, Notice, Refusal, TlsFault};
pub use secret::Secret;

/// The example of README.md runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
