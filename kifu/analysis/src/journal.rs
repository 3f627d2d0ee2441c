//! The results of an interrupted analysis, from which the next run continues: one line of JSON for
//! each position searched.

use crate::fnv;
use crate::solve::SolvedPosition;
use monomi_record::Record;
use monomi_support::batch::files;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Result, Write as _};
use std::path::{Path, PathBuf};

/// One line of the journal.
#[derive(Serialize, Deserialize)]
struct JournalLine {
    game: String,
    settings: String,
    ply: usize,
    result: SolvedPosition,
}

/// An open journal.
pub struct Journal {
    path: PathBuf,
    file: File,
    settings: String,
    known: HashMap<(String, usize), SolvedPosition>,
    of_other_settings: usize,
}

/// The key of a game in the journal: a hash of its start and moves. Equal games share results.
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
    /// Opens a new journal or that of an earlier run. `settings` identifies the search settings;
    /// results with other settings are ignored.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn open(path: &Path, settings: &str) -> Result<Self> {
        let (mut known, mut of_other_settings) = (HashMap::new(), 0);
        match files::open(path) {
            Ok(file) => {
                for line in BufReader::new(file).split(b'\n') {
                    // A crash can leave a truncated line.
                    let Ok(entry) = serde_json::from_slice::<JournalLine>(&line?) else { continue };
                    if entry.settings == settings {
                        known.insert((entry.game, entry.ply), entry.result);
                    } else {
                        of_other_settings += 1;
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let mut file = files::append(path)?;
        file.write_all(b"\n")?;
        let (path, settings) = (path.to_owned(), settings.to_owned());
        Ok(Self { path, file, settings, known, of_other_settings })
    }

    /// How many results of other settings were ignored.
    pub fn of_other_settings(&self) -> usize {
        self.of_other_settings
    }

    /// The known results for the positions of a game.
    pub fn known(&self, record: &Record) -> Vec<Option<SolvedPosition>> {
        if self.known.is_empty() {
            return vec![None; record.moves.len() + 1];
        }
        let key = game_key(record);
        let of = |(ply, position)| {
            let result = self.known.get(&(key.clone(), ply))?;
            result.belongs_to(&position).then(|| result.clone())
        };
        record.positions().enumerate().map(of).collect()
    }

    /// Adds a result and writes it immediately.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, game: &str, ply: usize, result: &SolvedPosition) -> Result<()> {
        let (game, settings) = (game.to_owned(), self.settings.clone());
        let entry = JournalLine { game, settings, ply, result: result.clone() };
        let mut line = serde_json::to_vec(&entry)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }

    /// The analysis is complete: removes the file.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(self) -> Result<()> {
        drop(self.file);
        std::fs::remove_file(&self.path)
    }
}
