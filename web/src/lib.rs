//! What the app for browsers asks for, and the app's own server.
//!
//! [`Requests`] answers what the app asks beside USI: rules, records, analysis. In browsers the WebAssembly module
//! (`web/module`) uses it. `monomi app` uses [`server`], where it stands beside native sessions.

mod account;
mod analysis;
mod requests;
#[cfg(not(target_arch = "wasm32"))]
pub mod server;

pub use requests::{Requests, Tell};
