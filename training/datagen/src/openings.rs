//! Starting positions of games: a position from a list, followed by some random moves.

use monomi_games::{GameReader, RecordError};
use monomi_movegen::Random;
use monomi_movegen::{Layout, NotAFullSet, PackedPosition};
use monomi_movegen::{PackedMove, Position, PositionError};
use monomi_search::Value;
use monomi_support::batch::files;
use monomi_support::text::{error_message, messages};
use std::collections::HashSet;
use std::io::BufRead;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The positions from which openings are drawn, and the number of random moves that follow.
#[derive(Clone, Debug)]
pub struct Openings {
    /// At least one position, each with its move number. Packed, because a `Position` takes much
    /// more memory.
    bases: Vec<(PackedPosition, u16)>,
    random_plies: RangeInclusive<u8>,
    /// The share of games that begin from the start position instead, and their number of random
    /// moves.
    from_start: Option<(f64, RangeInclusive<u8>)>,
}

messages! {
    /// Why a list of openings could not be used.
    #[derive(Debug)]
    pub enum OpeningsError {
        /// It cannot be read.
        Io {
            /// Path of the list.
            path: PathBuf,
            /// The system's error.
            error: std::io::Error,
        } => both "{path}: {error}";
        /// A line is not a position that can be played.
        Line {
            /// Path of the list.
            path: PathBuf,
            /// The line number, from 1.
            line: usize,
            /// Why the line is no position.
            error: PositionError,
        } => "{path}, line {line}: {error}", "{path} の {line} 行目: {error}";
        /// A position does not have all pieces.
        NotAFullSet {
            /// Path of the list.
            path: PathBuf,
            /// The line number, from 1.
            line: usize,
        } =>
            "{path}, line {line}: only positions with all forty pieces can be recorded",
            "{path} の {line} 行目: 四十枚の駒が揃った局面しか記録できません";
        /// The games cannot be read.
        Games(error: RecordError) => both "{error}";
        /// The file contains no position.
        Empty {
            /// Path of the list.
            path: PathBuf,
        } => "{path}: there is no position in it", "{path}: 局面がありません";
        /// None of the positions of the games is balanced enough.
        NoneBalanced {
            /// Path of the games.
            path: PathBuf,
            /// The bound on the score.
            score: Value,
        } =>
            "{path}: no position of these games has a score within {score}",
            "{path}: 評価値が ±{score} 以内の局面がありません";
    }
}
error_message!(OpeningsError, Games: RecordError);

impl Openings {
    /// The normal start position, followed by random moves.
    pub fn startpos(random_plies: RangeInclusive<u8>) -> Self {
        // The start position has all forty pieces.
        let bases = packed(&Position::startpos()).into_iter().collect();
        Self { bases, random_plies, from_start: None }
    }

    /// Makes a share of the games, from 0 to 1, begin from the start position with this number of
    /// random moves.
    #[must_use]
    pub fn with_startpos(mut self, share: f64, random_plies: RangeInclusive<u8>) -> Self {
        self.from_start = Some((share, random_plies));
        self
    }

    /// Reads the positions of a file: one sfen per line, with or without the prefix `sfen`. Empty
    /// lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// The file cannot be read, or a line is not a position that can be played and recorded.
    pub fn read(path: &Path, random_plies: RangeInclusive<u8>) -> Result<Self, OpeningsError> {
        let io = |error| OpeningsError::Io { path: path.to_owned(), error };
        let file = files::open(path).map_err(io)?;
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

    /// Takes the positions of recorded games whose score is at most `score`, positive or negative, in internal units.
    /// Positions in check are left out, and a position that occurs more than once counts once.
    ///
    /// Games that branch off from others by a random move or two contain positions after moves that the network would not
    /// play itself, as search trees do.
    ///
    /// # Errors
    /// The file cannot be read, or no position is left.
    pub fn of_games(
        path: &Path,
        score: Value,
        random_plies: RangeInclusive<u8>,
    ) -> Result<Self, OpeningsError> {
        let (mut bases, mut seen) = (Vec::new(), HashSet::new());
        for game in GameReader::open(path)? {
            game?.walk(|found| {
                let position = found.position;
                if Value::from(found.score).abs() > score
                    || position.in_check()
                    || !seen.insert(position.key())
                {
                    return;
                }
                // Records of games contain only positions with all forty pieces.
                bases.extend(packed(position));
            });
        }
        if bases.is_empty() {
            return Err(OpeningsError::NoneBalanced { path: path.to_owned(), score });
        }
        Ok(Self { bases, random_plies, from_start: None })
    }

    /// Number of positions to draw from.
    pub fn bases(&self) -> usize {
        self.bases.len()
    }

    /// Draws an opening: its base, its moves and the position after them. It has fewer moves if no
    /// legal move is left.
    pub fn draw(&self, random: &mut Random) -> (Position, Vec<PackedMove>, Position) {
        let uniform = |random: &mut Random| (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        // Without a share no random number is drawn, so that older seeds give the same games.
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
