//! What the app for browsers asks for, and the app's own server.
//!
//! [`Requests`] answers what the app asks beside USI: rules, records, analysis. In browsers the WebAssembly module
//! (`web/module`) uses it. `monomi app` uses [`server`], where it stands beside native sessions. [`live`] is a page that
//! shows a game in progress.

mod account;
mod analysis;
#[cfg(not(target_arch = "wasm32"))]
pub mod live;
mod requests;
#[cfg(not(target_arch = "wasm32"))]
pub mod server;

pub use requests::{Requests, Tell};
