//! What an interrupted analysis leaves behind, so that the next run goes on from there: a line of
//! JSON for each position that was searched.

use crate::analyze::fnv;
use crate::analyze::found::{Found, Stored};
use crate::analyze::record::Record;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, ErrorKind, Result, Write as _};
use std::path::{Path, PathBuf};

/// One line.
#[derive(Serialize, Deserialize)]
struct Entry {
    game: String,
    settings: String,
    ply: usize,
    found: Stored,
}

/// An open journal.
pub struct Journal {
    path: PathBuf,
    file: File,
    settings: String,
    known: HashMap<(String, usize), Stored>,
}

/// What names a game in the journal: where it begins and how it goes on. Two equal games share
/// their findings.
pub fn game_key(record: &Record) -> String {
    let mut text = record.start.to_sfen();
    for played in &record.moves {
        text.push(' ');
        text.push_str(&played.mv.to_string());
    }
    let hash = fnv::fnv(fnv::EMPTY, text.as_bytes());
    format!("{hash:016x}-{}", record.moves.len())
}

impl Journal {
    /// Opens a journal, new or left behind by an earlier run; `settings` names what findings
    /// depend on, others are passed over.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn open(path: &Path, settings: &str) -> Result<Self> {
        let mut known = HashMap::new();
        match File::open(path) {
            Ok(file) => {
                for line in BufReader::new(file).split(b'\n') {
                    // A line torn by a crash is no line.
                    let Ok(entry) = serde_json::from_slice::<Entry>(&line?) else { continue };
                    if entry.settings == settings {
                        known.insert((entry.game, entry.ply), entry.found);
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(b"\n")?;
        Ok(Self { path: path.to_owned(), file, settings: settings.to_owned(), known })
    }

    /// What is known of a game's positions.
    pub fn known(&self, record: &Record) -> Vec<Option<Found>> {
        if self.known.is_empty() {
            return vec![None; record.moves.len() + 1];
        }
        let key = game_key(record);
        let of = |(ply, position)| self.known.get(&(key.clone(), ply))?.found(&position);
        record.positions().enumerate().map(of).collect()
    }

    /// Adds a finding. It reaches the disk at once: the next moment may bring anything.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: &str, ply: usize, found: &Found) -> Result<()> {
        let (game, settings) = (game.to_owned(), self.settings.clone());
        let entry = Entry { game, settings, ply, found: found.into() };
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    /// Everything is done: removes the file.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(self) -> Result<()> {
        drop(self.file);
        std::fs::remove_file(&self.path)
    }
}
