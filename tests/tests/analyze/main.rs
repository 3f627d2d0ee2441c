//! `monomi analyze`.

mod game_records;
mod other_programs;
mod positions;
