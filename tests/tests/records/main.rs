//! Game records and training data.

mod commands;
mod datagen;
mod formats;
mod readers;
mod round_trip;
