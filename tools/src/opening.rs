//! Lists of openings, and positions as USI writes them.

use anyhow::{Context, Result, ensure};
use monomi_movegen::{PackedMove, Position};
use std::path::Path;

/// A position to start games from, with the moves that led to it as far as the list has them.
#[derive(Clone, Debug)]
pub struct Opening {
    /// `startpos` or `sfen ...`.
    pub base: String,
    /// The moves after that, in USI.
    pub moves: Vec<String>,
    /// The position after these moves, with its history.
    pub position: Position,
}

impl Opening {
    /// Reads `startpos`, an sfen with or without the word `sfen`, and moves after `moves`.
    pub fn parse(line: &str) -> Result<Self> {
        let (start, moves) = match line.split_once("moves") {
            Some((start, moves)) => (start, moves),
            None => (line, ""),
        };
        let start = start.trim();
        let mut position = Position::from_sfen(start)?;
        let base = match start.strip_prefix("sfen") {
            Some(_) => start.to_owned(),
            None if start == "startpos" => start.to_owned(),
            None => format!("sfen {start}"),
        };
        let moves: Vec<String> = moves.split_ascii_whitespace().map(str::to_owned).collect();
        for (index, text) in moves.iter().enumerate() {
            let mv = legal_move(&position, text)
                .with_context(|| format!("move {} `{text}` is not legal", index + 1))?;
            position.do_move(mv);
        }
        Ok(Self { base, moves, position })
    }

    /// Reads a file with an opening in each line; empty lines and lines after `#` are skipped.
    /// Returns the openings and the checksum of the file.
    pub(crate) fn read_list(path: &Path) -> Result<(Vec<Self>, u32)> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the openings {}", path.display()))?;
        let mut openings = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let opening = Self::parse(line)
                .with_context(|| format!("{} line {}", path.display(), number + 1))?;
            ensure!(
                opening.position.has_legal_move(),
                "{} line {}: the side to move is mated",
                path.display(),
                number + 1
            );
            openings.push(opening);
        }
        ensure!(!openings.is_empty(), "{} contains no openings", path.display());
        Ok((openings, crc32fast::hash(text.as_bytes())))
    }

    /// The text after `position`, with more moves played.
    pub fn position_text(&self, played: &[String]) -> String {
        let mut text = self.base.clone();
        for (index, mv) in self.moves.iter().chain(played).enumerate() {
            text.push_str(if index == 0 { " moves " } else { " " });
            text.push_str(mv);
        }
        text
    }
}

/// The move if the text is one and it is legal.
pub(crate) fn legal_move(position: &Position, text: &str) -> Option<PackedMove> {
    let mv: PackedMove = text.parse().ok()?;
    position.is_legal(mv).then_some(mv)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_of_a_position_are_read() {
        let sfen = Position::startpos().to_sfen();
        for line in ["startpos".to_owned(), sfen.clone(), format!("sfen {sfen}")] {
            assert_eq!(Opening::parse(&line).unwrap().position.to_sfen(), sfen, "{line}");
        }
        let opening = Opening::parse("startpos moves 7g7f 3c3d").unwrap();
        assert_eq!(opening.position.ply(), 3);
        let played = ["8h2b+".to_owned()];
        assert_eq!(opening.position_text(&played), "startpos moves 7g7f 3c3d 8h2b+");
        assert_eq!(opening.position_text(&[]), "startpos moves 7g7f 3c3d");
    }

    #[test]
    fn a_bad_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.sfen");
        std::fs::write(&path, "# comment\n\nstartpos moves 7g7f 7g7f\n").unwrap();
        let error = format!("{:#}", Opening::read_list(&path).unwrap_err());
        assert!(error.contains("line 3") && error.contains("move 2 `7g7f`"), "{error}");
        std::fs::write(&path, "\n").unwrap();
        assert!(Opening::read_list(&path).unwrap_err().to_string().contains("no openings"));
    }
}
