//! The command line apart from `analyze` and `datagen`.

mod book;
mod commands;
