//! The command line apart from `analyze` and `datagen`.

mod book;
mod books;
mod commands;
mod doctor;
mod full_disk;
mod japanese;
mod shells;
mod terminal;
mod tsume;
mod usi_lines;
