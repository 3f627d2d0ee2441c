//! Where games begin: a position of a list, and some moves by lot.

use monomi_movegen::{PackedMove, Position, PositionError};
use monomi_records::Random;
use monomi_records::{Layout, NotAFullSet, PackedPosition};
use std::io::BufRead;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The positions from which openings are drawn, and how many moves by lot follow.
#[derive(Clone, Debug)]
pub struct Openings {
    /// At least one, each with the number of its move; a position at hand takes much more memory.
    bases: Vec<(PackedPosition, u16)>,
    random_plies: RangeInclusive<u8>,
    /// The share of games that begin from the start position instead, with so many random moves.
    from_start: Option<(f64, RangeInclusive<u8>)>,
}

/// Why a list of openings was not taken over.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's word.
        error: std::io::Error,
    },
    /// A line is no position to play on from.
    #[error("{}, line {line}: {error}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        error: PositionError,
    },
    /// A position lacks pieces.
    #[error("{}, line {line}: only positions with all forty pieces can be recorded", path.display())]
    NotAFullSet {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
    },
    /// No line holds a position.
    #[error("{}: there is no position in it", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

impl Openings {
    /// The start position of an even game, and so many moves by lot.
    pub fn startpos(random_plies: RangeInclusive<u8>) -> Self {
        // The start position has all forty pieces.
        let bases = packed(&Position::startpos()).into_iter().collect();
        Self { bases, random_plies, from_start: None }
    }

    /// Lets a share of the games, from 0 to 1, begin from the start position with so many random
    /// moves.
    #[must_use]
    pub fn with_startpos(mut self, share: f64, random_plies: RangeInclusive<u8>) -> Self {
        self.from_start = Some((share, random_plies));
        self
    }

    /// The positions of a file: sfens, one a line, with or without `sfen` before them. Empty lines
    /// and lines that begin with `#` are passed over.
    ///
    /// # Errors
    /// The file cannot be read, or a line is no position that can be played on and recorded.
    pub fn read(path: &Path, random_plies: RangeInclusive<u8>) -> Result<Self, OpeningsError> {
        let io = |error| OpeningsError::Io { path: path.to_owned(), error };
        let file = std::fs::File::open(path).map_err(io)?;
        let mut bases = Vec::new();
        for (text, line) in std::io::BufReader::new(file).lines().zip(1..) {
            let text = text.map_err(io)?;
            let sfen = text.trim();
            if sfen.is_empty() || sfen.starts_with('#') {
                continue;
            }
            let base = Position::from_sfen(sfen.trim_start_matches("sfen ").trim_start())
                .map_err(|error| OpeningsError::Line { path: path.to_owned(), line, error })?;
            let base = packed(&base)
                .map_err(|_| OpeningsError::NotAFullSet { path: path.to_owned(), line })?;
            bases.push(base);
        }
        if bases.is_empty() {
            return Err(OpeningsError::Empty { path: path.to_owned() });
        }
        Ok(Self { bases, random_plies, from_start: None })
    }

    /// Number of positions to draw from.
    pub fn bases(&self) -> usize {
        self.bases.len()
    }

    /// Draws an opening: its base, its moves and where they lead. Drawing ends early where no
    /// legal move is left.
    pub fn draw(&self, random: &mut Random) -> (Position, Vec<PackedMove>, Position) {
        let uniform = |random: &mut Random| (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        // Without a share nothing is drawn for it, so that older seeds give the same games.
        let from_start = self.from_start.as_ref().filter(|(share, _)| uniform(random) < *share);
        let (base, random_plies) = match from_start {
            Some((_, random_plies)) => (Position::startpos(), random_plies),
            None => {
                let (base, ply) = &self.bases[random.below(self.bases.len())];
                let base = base.unpack(Layout::Sfen, *ply).expect("what was packed comes back");
                (base, &self.random_plies)
            }
        };
        let (least, most) = (*random_plies.start(), *random_plies.end());
        let plies = usize::from(least) + random.below(usize::from(most.saturating_sub(least)) + 1);
        let mut position = base.clone();
        let mut moves = Vec::with_capacity(plies);
        for _ in 0..plies {
            let Some(mv) = random.choose(&position.legal_moves()) else { break };
            position.do_move(mv);
            moves.push(mv);
        }
        (base, moves, position)
    }
}

fn packed(position: &Position) -> Result<(PackedPosition, u16), NotAFullSet> {
    Ok((PackedPosition::pack(position, Layout::Sfen)?, position.ply()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_games_begins_from_the_start_position() {
        let base = Position::from_sfen(
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
        )
        .unwrap();
        let bases = vec![packed(&base).unwrap()];
        let plain = Openings { bases, random_plies: 2..=3, from_start: None };
        let mixed = plain.clone().with_startpos(0.3, 6..=14);
        let mut random = Random::new(1);
        let mut from_start = 0;
        for _ in 0..2_000 {
            let (drawn, moves, _) = mixed.draw(&mut random);
            if drawn.key() == Position::startpos().key() {
                from_start += 1;
                assert!((6..=14).contains(&moves.len()));
            } else {
                assert!(drawn.key() == base.key() && (2..=3).contains(&moves.len()));
            }
        }
        assert!((500..700).contains(&from_start), "{from_start}");
    }
}
