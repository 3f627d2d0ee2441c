//! The file of choices and verdicts: one line of JSON for each.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// The move that an engine chose in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choice {
    pub(super) engine: String,
    /// Nodes of its search.
    pub(super) nodes: u64,
    /// As after USI's `position`.
    pub(super) position: String,
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// Its score in centipawns for the side to move.
    pub(super) cp: i32,
    /// Depth of its last iteration.
    pub(super) depth: u32,
}

/// The value that a referee gives to a move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Verdict {
    /// Name and nodes of the referee.
    pub(super) referee: String,
    pub(super) position: String,
    #[serde(rename = "move")]
    pub(super) mv: String,
    /// Score after the move in centipawns, for the side that made it.
    pub(super) cp: i32,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Choice(Choice),
    Verdict(Verdict),
}

/// What the file contains.
pub(super) struct Store {
    file: File,
    /// By position, then by engine and nodes.
    choices: HashMap<String, HashMap<(String, u64), Choice>>,
    /// By position and move, then by referee.
    verdicts: HashMap<(String, String), HashMap<String, i32>>,
}

impl Store {
    /// Opens or creates the file. A last line that was cut off when a run ended is removed.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let shown = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(anyhow::Error::new(error).context(format!("cannot read {shown}")));
            }
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .with_context(|| format!("cannot write {shown}"))?;
        let mut store = Self { file, choices: HashMap::new(), verdicts: HashMap::new() };
        for (number, line) in (1..).zip(text[..whole].lines()) {
            let line = serde_json::from_str(line)
                .with_context(|| format!("{shown} line {number} is no choice and no verdict"))?;
            store.insert(line);
        }
        store.file.set_len(whole as u64).with_context(|| format!("cannot write {shown}"))?;
        Ok(store)
    }

    fn insert(&mut self, line: Line) {
        match line {
            Line::Choice(choice) => {
                let of_position = self.choices.entry(choice.position.clone()).or_default();
                of_position.insert((choice.engine.clone(), choice.nodes), choice);
            }
            Line::Verdict(Verdict { referee, position, mv, cp }) => {
                self.verdicts.entry((position, mv)).or_default().insert(referee, cp);
            }
        }
    }

    fn add(&mut self, lines: Vec<Line>) -> Result<()> {
        let mut text = Vec::new();
        for line in &lines {
            serde_json::to_writer(&mut text, line)?;
            text.push(b'\n');
        }
        self.file.write_all(&text).context("cannot write choices and verdicts")?;
        lines.into_iter().for_each(|line| self.insert(line));
        Ok(())
    }

    pub(super) fn add_choices(&mut self, choices: Vec<Choice>) -> Result<()> {
        self.add(choices.into_iter().map(Line::Choice).collect())
    }

    pub(super) fn add_verdict(&mut self, verdict: Verdict) -> Result<()> {
        self.add(vec![Line::Verdict(verdict)])
    }

    pub(super) fn choice(&self, engine: &str, nodes: u64, position: &str) -> Option<&Choice> {
        self.choices.get(position)?.get(&(engine.to_owned(), nodes))
    }

    /// All moves that these engines chose in a position, at any number of nodes.
    pub(super) fn moves(&self, position: &str, engines: &[&str]) -> BTreeSet<&str> {
        let choices = self.choices.get(position).into_iter().flat_map(HashMap::values);
        choices
            .filter(|choice| engines.contains(&choice.engine.as_str()))
            .map(|choice| choice.mv.as_str())
            .collect()
    }

    /// Numbers of nodes with choices of an engine, in order.
    pub(super) fn nodes_of(&self, engine: &str) -> BTreeSet<u64> {
        let keys = self.choices.values().flat_map(HashMap::keys);
        keys.filter(|(name, _)| name == engine).map(|&(_, nodes)| nodes).collect()
    }

    pub(super) fn verdict(&self, referee: &str, position: &str, mv: &str) -> Option<i32> {
        self.verdicts.get(&(position.to_owned(), mv.to_owned()))?.get(referee).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(engine: &str, mv: &str) -> Choice {
        let position = "startpos".to_owned();
        Choice { engine: engine.into(), nodes: 9, position, mv: mv.into(), cp: 30, depth: 4 }
    }

    #[test]
    fn a_store_is_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("regret.jsonl");
        let mut store = Store::open(&path).unwrap();
        store.add_choices(vec![choice("a", "7g7f"), choice("b", "2g2f")]).unwrap();
        let verdict = |mv: &str, cp| Verdict {
            referee: "r 5".into(),
            position: "startpos".into(),
            mv: mv.into(),
            cp,
        };
        store.add_verdict(verdict("7g7f", -12)).unwrap();
        drop(store);
        // A run ended in the middle of a line.
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(br#"{"referee":"r 5","posi"#).unwrap();
        drop(file);
        let mut store = Store::open(&path).unwrap();
        store.add_verdict(verdict("2g2f", 7)).unwrap();
        let store = Store::open(&path).unwrap();
        assert_eq!(store.choice("a", 9, "startpos"), Some(&choice("a", "7g7f")));
        assert_eq!(store.choice("a", 8, "startpos"), None);
        assert_eq!(store.moves("startpos", &["a", "b"]).len(), 2);
        assert_eq!(store.moves("startpos", &["b"]).len(), 1);
        assert_eq!(store.verdict("r 5", "startpos", "7g7f"), Some(-12));
        assert_eq!(store.verdict("r 5", "startpos", "2g2f"), Some(7));
        assert_eq!(store.verdict("r 6", "startpos", "2g2f"), None);
    }

    #[test]
    fn another_file_is_refused_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.jsonl");
        std::fs::write(&path, "{\"x\":1}\nrest").unwrap();
        let error = format!("{:#}", Store::open(&path).err().unwrap());
        assert!(error.contains("line 1"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"x\":1}\nrest");
    }
}
