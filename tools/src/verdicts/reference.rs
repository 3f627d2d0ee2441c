//! The reference searches and the file that stores them.

use super::{MoveId, Row};
use crate::info_line::InfoLine;
use crate::runner::Stop;
use crate::spec::EngineSpec;
use crate::usi_engine::{Silence, UsiEngine};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::num::NonZeroU16;
use std::path::Path;
use std::time::Duration;

/// How long a reference search may take.
const PATIENCE: Duration = Duration::from_secs(3600);
/// Scale of the winning probabilities in the file of references, in centipawns.
const STORED_SCALE: NonZeroU16 = NonZeroU16::new(600).unwrap();

/// What a long search says about a played move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    pub game: String,
    /// Moves before this one.
    pub ply: usize,
    /// The move played.
    pub played: String,
    /// The best move.
    pub best: String,
    /// Winning probability after the best move, with a scale of 600.
    pub best_win: f64,
    /// Winning probability after the played move, with a scale of 600.
    pub played_win: f64,
    /// Depth of both.
    pub depth: u32,
    /// Nodes of the search of the position.
    pub nodes: u64,
}

impl Reference {
    /// Winning probability lost by the played move, with another scale than the stored one.
    pub fn loss(&self, scale: NonZeroU16) -> f64 {
        let ratio = f64::from(STORED_SCALE.get()) / f64::from(scale.get());
        // The odds of winning are exp(cp / scale).
        let rescaled = |stored: f64| 1.0 / (1.0 + ((1.0 - stored) / stored).powf(ratio));
        (rescaled(self.best_win) - rescaled(self.played_win)).max(0.0)
    }
}

/// The file of references: one line of JSON for each.
pub struct References {
    file: File,
    nodes: u64,
    known: HashMap<MoveId, Reference>,
}

impl References {
    /// Opens or creates the file. References of other lengths are an error.
    pub fn open(path: &Path, nodes: u64) -> Result<Self> {
        let shown = path.display();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(anyhow::Error::new(error).context(format!("cannot read {shown}")));
            }
        };
        let mut known = HashMap::new();
        // A line that was cut off when the machine stopped is not used.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (number, line) in text[..whole].lines().enumerate().filter(|line| !line.1.is_empty()) {
            let reference: Reference = serde_json::from_str(line)
                .with_context(|| format!("{shown} line {}", number + 1))?;
            ensure!(
                reference.nodes == nodes,
                "{shown} line {}: searched with {} nodes, not {nodes}",
                number + 1,
                reference.nodes
            );
            known.insert((reference.game.clone(), reference.ply), reference);
        }
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .with_context(|| format!("cannot write {shown}"))?;
        if whole < text.len() {
            file.write_all(b"\n")?;
            bail!("{shown}: the last line is incomplete; remove it");
        }
        Ok(Self { file, nodes, known })
    }

    /// What the file contains.
    pub fn known(&self) -> &HashMap<MoveId, Reference> {
        &self.known
    }

    /// Adds a reference and writes it immediately.
    pub fn add(&mut self, reference: Reference) -> Result<()> {
        debug_assert_eq!(reference.nodes, self.nodes);
        let mut line = serde_json::to_vec(&reference)?;
        line.push(b'\n');
        self.file.write_all(&line).context("cannot write the file of references")?;
        self.known.insert((reference.game.clone(), reference.ply), reference);
        Ok(())
    }
}

/// The last exact line of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Line {
    depth: u32,
    win: f64,
}

/// Reads an `info` line with an exact score.
fn exact_line(line: &str) -> Option<Line> {
    let info = InfoLine::parse(line)?;
    Some(Line { depth: info.depth?, win: info.chance(STORED_SCALE)? })
}

/// An engine that makes reference searches.
pub struct Examiner<'a> {
    engine: UsiEngine<'a>,
    nodes: u64,
}

impl<'a> Examiner<'a> {
    /// Starts the engine.
    pub fn new(spec: &EngineSpec, nodes: u64, stop: &'a Stop) -> Result<Self> {
        Ok(Self { engine: UsiEngine::start(spec, stop.flag())?, nodes })
    }

    /// Searches the position before a move of a game, and the move alone to the same depth. `None`
    /// after an interruption.
    pub fn examine(&mut self, id: &MoveId, game: &[Row]) -> Result<Option<Reference>> {
        let (name, ply) = id;
        let context = || format!("{name}, ply {ply}");
        let played = game[*ply].played.clone().with_context(context)?;
        let moves: Vec<&str> =
            game[..*ply].iter().filter_map(|row| row.played.as_deref()).collect();
        let position = format!("sfen {} moves {}", game[0].sfen, moves.join(" "));
        self.engine.new_game()?;
        let all = format!("go nodes {}", self.nodes);
        let Some((best, before)) = self.go(&position, &all).with_context(context)? else {
            return Ok(None);
        };
        let mut played_win = before.win;
        if best != played {
            let one = format!(
                "go depth {} nodes {} searchmoves {played}",
                before.depth.max(1),
                self.nodes
            );
            match self.go(&position, &one).with_context(context)? {
                Some((_, after)) => played_win = after.win,
                None => return Ok(None),
            }
        }
        Ok(Some(Reference {
            game: name.clone(),
            ply: *ply,
            played,
            best,
            best_win: before.win,
            played_win,
            depth: before.depth,
            nodes: self.nodes,
        }))
    }

    fn go(&mut self, position: &str, go: &str) -> Result<Option<(String, Line)>> {
        let mut last = None;
        let see = |line: &str| {
            last = exact_line(line).or(last);
        };
        match self.engine.ask(position, go, "bestmove", PATIENCE, see) {
            Ok(answer) => {
                let best = answer.line.split_ascii_whitespace().nth(1).unwrap_or_default();
                let last = last.with_context(|| format!("`{go}`: no exact score before `{best}`"));
                Ok(Some((best.to_owned(), last?)))
            }
            Err(Silence::Interrupted) => Ok(None),
            Err(Silence::TimedOut) => bail!("no answer to `{go}`"),
            Err(Silence::Ended | Silence::Killed) => bail!("the engine ended during `{go}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(best_win: f64, played_win: f64) -> Reference {
        Reference {
            game: "a.csa".to_owned(),
            ply: 3,
            played: "7g7f".to_owned(),
            best: "2g2f".to_owned(),
            best_win,
            played_win,
            depth: 20,
            nodes: 1000,
        }
    }

    #[test]
    fn losses_follow_the_scale() {
        let line = |score| exact_line(&format!("info depth 1 score {score} pv 7g7f")).unwrap().win;
        let loss = |best, played, scale| {
            reference(line(best), line(played)).loss(NonZeroU16::new(scale).unwrap())
        };
        let win = |cp: f64, scale: f64| 1.0 / (1.0 + (-cp / scale).exp());
        for scale in [270, 600] {
            let expected = win(400.0, scale.into()) - win(-150.0, scale.into());
            assert!((loss("cp 400", "cp -150", scale) - expected).abs() < 1e-9);
        }
        assert_eq!(loss("cp -150", "cp 400", 270), 0.0);
        // Mates are certain with every scale.
        assert_eq!(loss("mate 3", "mate -3", 270), 1.0);
    }

    #[test]
    fn references_are_kept_and_not_mixed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("references.jsonl");
        let reference = reference(0.6, 0.4);
        let mut file = References::open(&path, 1000).unwrap();
        assert!(file.known().is_empty());
        file.add(reference.clone()).unwrap();
        let file = References::open(&path, 1000).unwrap();
        assert_eq!(file.known()[&("a.csa".to_owned(), 3)], reference);
        let error = References::open(&path, 2000).err().unwrap().to_string();
        assert!(error.contains("1000 nodes, not 2000"), "{error}");
    }
}
