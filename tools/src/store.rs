//! The file of games: a header with the settings and a line of JSON for each finished game, so
//! that a run can be continued and games can be looked at.

use crate::spec::{EngineSpec, Limit};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A finished game as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the pair, from 0.
    pub pair: usize,
    /// Whether engine A had White.
    pub swap: bool,
    /// Engine A's points: 1, 0.5 or 0.
    pub score: f64,
    /// How it ended: `mate`, `resign`, `declaration`, `repetition`, `perpetual-check`, `max-plies`
    /// or `forfeit`.
    pub ending: String,
    /// The name of the engine that forfeited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeited_by: Option<String>,
    /// How the engine forfeited, e.g. `illegal-move 7g7e`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// In a factorial test, for each factor `1` if engine A had the changed value, else `0`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub factors: Option<String>,
    /// Thinking time of Black and White in milliseconds.
    pub time_ms: [u64; 2],
    /// The game as after USI's `position`.
    pub game: String,
}

impl GameRecord {
    /// A game of which only engine A's points and factors are known.
    pub(crate) fn without_moves(pair: usize, swap: bool, score: f64, factors: &str) -> Self {
        Self {
            pair,
            swap,
            score,
            ending: "unknown".to_owned(),
            forfeited_by: None,
            fault: None,
            factors: Some(factors.to_owned()),
            time_ms: [0; 2],
            game: String::new(),
        }
    }

    /// The kind of the fault, without its details.
    pub(crate) fn fault_kind(&self) -> Option<&str> {
        self.fault.as_deref().and_then(|fault| fault.split(' ').next())
    }
}

/// Settings that must not change when a run is continued.
pub type Header = Map<String, Value>;

/// The key of the header under which [`programs`] are stored. If they change, the run says so.
pub const PROGRAMS: &str = "programs";

/// The key of the header under which [`shown`] is stored. It is not compared.
const SHOWN: &str = "shown";

/// What a report says of the games: the names of the engines or factors, and the limit of each move.
pub fn shown(header: &mut Header, names: &[&str], limit: Option<Limit>) {
    let limit = limit.map(|limit| limit.to_string());
    header.insert(SHOWN.to_owned(), json!({ "names": names, "limit": limit }));
}

/// The names and the limit that [`shown`] has stored; nothing in files of before it existed.
pub fn names_and_limit(header: &Header) -> (Vec<String>, String) {
    let stored = header.get(SHOWN).cloned().unwrap_or_default();
    let names = stored["names"].as_array().into_iter().flatten();
    let names = names.filter_map(|name| Some(name.as_str()?.to_owned())).collect();
    (names, stored["limit"].as_str().unwrap_or_default().to_owned())
}

/// The checksum of the program file of each engine, as far as it can be read.
pub fn programs<'a>(engines: impl IntoIterator<Item = &'a EngineSpec>) -> Value {
    let checksum = |engine: &EngineSpec| {
        let program = Path::new(&engine.command[0]);
        let found = match (program.components().count(), &engine.folder) {
            (1, _) => std::env::split_paths(&std::env::var_os("PATH")?)
                .map(|folder| folder.join(program))
                .find(|path| path.is_file())?,
            // Where the system looks for it.
            (_, Some(folder)) if program.is_relative() => {
                let inside = Path::new(folder).join(program);
                if inside.is_file() { inside } else { program.to_owned() }
            }
            _ => PathBuf::from(program),
        };
        let sum = crc32fast::hash(&std::fs::read(found).ok()?);
        Some((engine.name.clone(), Value::from(format!("{sum:08x}"))))
    };
    Value::Object(engines.into_iter().filter_map(checksum).collect())
}

/// The file, or nothing if games are not stored.
pub struct Store {
    file: Option<File>,
    /// The names of engines whose program is another one than in the games of the file.
    changed: Vec<String>,
}

impl Store {
    /// Opens or creates the file, which is this process's own until it ends. Returns the games that it has
    /// already.
    ///
    /// # Errors
    /// The file cannot be read or written, another process is writing to it, it is no file of games, or it was
    /// made with other settings.
    pub fn open(path: Option<&Path>, header: &Header) -> Result<(Self, Vec<GameRecord>)> {
        let mut changed = Vec::new();
        let Some(path) = path else { return Ok((Self { file: None, changed }, Vec::new())) };
        let shown = path.display();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot open {shown}"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!("{shown}: another process is writing to this file")
            }
            // The file system does not support locks; continue without one.
            Err(TryLockError::Error(_)) => {}
        }
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| format!("cannot read {shown}"))?;
        // A line that was cut off when the machine stopped.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines().enumerate();
        let mut games = Vec::new();
        if let Some((_, first)) = lines.next() {
            let stored: Header = serde_json::from_str(first)
                .with_context(|| format!("{shown} is not a file of games"))?;
            compare(&stored, header).with_context(|| {
                format!(
                    "{shown} was made with other settings; give another file or the same settings"
                )
            })?;
            changed = changed_programs(&stored, header);
            for (number, line) in lines {
                let game = serde_json::from_str(line)
                    .with_context(|| format!("{shown} line {}", number + 1))?;
                games.push(game);
            }
            file.set_len(whole as u64).with_context(|| format!("cannot write {shown}"))?;
            file.seek(SeekFrom::End(0))?;
        } else if !text.is_empty() && !text.starts_with('{') {
            bail!("{shown} is not a file of games");
        } else {
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "{}", Value::Object(header.clone()))
                .with_context(|| format!("cannot write {shown}"))?;
        }
        Ok((Self { file: Some(file), changed }, games))
    }

    /// What to say about engines whose program has changed since the first game of the file.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.changed.iter().map(|name| {
            format!(
                "warning: the program of engine `{name}` has changed since this file of games was begun: its \
                 games would be those of two engines. Give another file to --games for a new match"
            )
        })
    }

    /// Appends a game.
    pub fn add(&mut self, game: &GameRecord) -> Result<()> {
        if let Some(file) = &mut self.file {
            let mut line = serde_json::to_string(game)?;
            line.push('\n');
            file.write_all(line.as_bytes()).context("cannot write the file of games")?;
        }
        Ok(())
    }
}

/// Reads finished files of games of one match. Returns their common settings, all games, and the names of
/// engines whose programs were not the same for all.
///
/// # Errors
/// A file cannot be read or is no file of games, settings differ, or a game is there twice.
pub fn read_all(paths: &[PathBuf]) -> Result<(Header, Vec<GameRecord>, Vec<String>)> {
    let mut all: Option<Header> = None;
    let (mut games, mut changed) = (Vec::new(), Vec::new());
    let mut seen: HashMap<(usize, bool), &Path> = HashMap::new();
    for path in paths {
        let shown = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let mut lines = text.lines().enumerate();
        let header: Option<Header> =
            lines.next().and_then(|(_, first)| serde_json::from_str(first).ok());
        let header = header
            .filter(|header| header.contains_key("monomi-tools"))
            .with_context(|| format!("{shown} is not a file of games"))?;
        if let Some(first) = &all {
            compare(first, &header).with_context(|| {
                format!("{shown} was made with other settings than {}", paths[0].display())
            })?;
            changed.extend(changed_programs(first, &header));
        } else {
            all = Some(header);
        }
        for (number, line) in lines {
            let game: GameRecord = serde_json::from_str(line)
                .with_context(|| format!("{shown} line {}", number + 1))?;
            if let Some(other) = seen.insert((game.pair, game.swap), path) {
                bail!(
                    "{shown} line {}: pair {} is in {} already",
                    number + 1,
                    game.pair,
                    other.display()
                );
            }
            games.push(game);
        }
    }
    changed.sort_unstable();
    changed.dedup();
    Ok((all.context("no files")?, games, changed))
}

/// The engines of which both have a checksum, and different ones.
fn changed_programs(stored: &Header, wanted: &Header) -> Vec<String> {
    let all = |header: &Header| header.get(PROGRAMS).and_then(Value::as_object).cloned();
    let (Some(stored), Some(wanted)) = (all(stored), all(wanted)) else { return Vec::new() };
    let differs =
        |(name, sum): &(String, Value)| stored.get(name).is_some_and(|stored| stored != sum);
    wanted.into_iter().filter(differs).map(|(name, _)| name).collect()
}

fn compare(stored: &Header, wanted: &Header) -> Result<()> {
    for key in wanted.keys().chain(stored.keys()).filter(|key| *key != PROGRAMS && *key != SHOWN) {
        let show = |header: &Header| header.get(key).map_or("nothing".to_owned(), Value::to_string);
        let (old, new) = (show(stored), show(wanted));
        if old != new {
            bail!("`{key}` is {old} there and {new} here");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(seed: u64) -> Header {
        Map::from_iter([("seed".to_owned(), Value::from(seed))])
    }

    fn game(pair: usize) -> GameRecord {
        GameRecord {
            pair,
            swap: false,
            score: 0.5,
            ending: "repetition".to_owned(),
            forfeited_by: None,
            fault: None,
            factors: None,
            time_ms: [1, 2],
            game: "startpos".to_owned(),
        }
    }

    #[test]
    fn games_are_read_again_and_a_torn_line_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut store, games) = Store::open(Some(&path), &header(1)).unwrap();
        assert!(games.is_empty());
        store.add(&game(0)).unwrap();
        store.add(&game(1)).unwrap();
        drop(store);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"pair\":2,\"sw").unwrap();
        drop(file);
        let (mut store, games) = Store::open(Some(&path), &header(1)).unwrap();
        assert_eq!(games, [game(0), game(1)]);
        store.add(&game(2)).unwrap();
        drop(store);
        let (_, games) = Store::open(Some(&path), &header(1)).unwrap();
        assert_eq!(games, [game(0), game(1), game(2)]);
    }

    #[test]
    fn a_file_belongs_to_one_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let (mut store, _) = Store::open(Some(&path), &header(1)).unwrap();
        store.add(&game(0)).unwrap();
        let error = format!("{:#}", Store::open(Some(&path), &header(1)).err().unwrap());
        assert!(error.contains("another process is writing to this file"), "{error}");
        drop(store);
        assert_eq!(Store::open(Some(&path), &header(1)).unwrap().1, [game(0)]);
    }

    #[test]
    fn a_changed_program_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let [path, program] = ["games.jsonl", "engine"].map(|name| folder.path().join(name));
        let engine: EngineSpec = format!("name=new cmd={}", program.display()).parse().unwrap();
        let header = || {
            let mut all = header(1);
            all.insert(PROGRAMS.to_owned(), programs([&engine]));
            all
        };
        let warnings = |header: &Header| {
            Store::open(Some(&path), header).unwrap().0.warnings().collect::<Vec<_>>()
        };
        std::fs::write(&program, "one").unwrap();
        assert!(warnings(&header()).is_empty());
        assert!(warnings(&header()).is_empty());
        std::fs::write(&program, "two").unwrap();
        let said = warnings(&header());
        assert!(said.len() == 1 && said[0].contains("`new` has changed"), "{said:?}");
        // Files of before checksums were stored.
        let mut old = header();
        old.remove(PROGRAMS);
        std::fs::remove_file(&path).unwrap();
        assert!(warnings(&old).is_empty());
        assert!(warnings(&header()).is_empty());
    }

    #[test]
    fn other_settings_and_other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        drop(Store::open(Some(&path), &header(1)).unwrap());
        let error = format!("{:#}", Store::open(Some(&path), &header(2)).err().unwrap());
        assert!(error.contains("`seed` is 1 there and 2 here"), "{error}");
        std::fs::write(&path, "not a file of games").unwrap();
        assert!(Store::open(Some(&path), &header(1)).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "not a file of games");
    }
}
