//! `monomi csa` against servers that follow a script, over loopback: every reply of the protocol,
//! every connection failure, and the program itself.

mod client;
mod ends;
mod faults;
mod game;
#[cfg(unix)]
mod other_engine;
mod program;
mod resume;
mod server;
mod tls;
