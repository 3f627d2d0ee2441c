//! Game records and training data.

mod datagen;
mod formats;
mod readers;
