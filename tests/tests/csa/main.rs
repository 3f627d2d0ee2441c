//! `monomi csa` against servers that follow a script, over loopback: every reply of the protocol,
//! every way in which a connection fails, and the program as it is shipped.

mod client;
mod ends;
mod faults;
mod game;
mod program;
mod resume;
mod server;
mod tls;
