//! The engine as a USI program: the tests start it and speak the protocol.

mod book;
mod eval_file;
mod game;
mod go;
mod handshake;
mod mate;
mod option_files;
mod options;
mod position;
mod real_clients;
mod robust;
mod storm;
