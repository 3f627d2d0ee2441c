//! `monomi analyze`.

mod game_records;
mod long_games;
mod other_programs;
mod positions;
mod web;
