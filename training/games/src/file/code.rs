//! The parts of a block that are plain bytes: its header, base positions, outcomes, positions from trees.

use crate::game::{EndReason, Game, Outcome};
use crate::tree_sample::TreeSample;
use monomi_eval::score::Bound;
use monomi_movegen::{Layout, NotAFullSet, PackedPosition, UnpackError};
use monomi_support::text::{error_message, messages};
use shogi_core::Color;

messages! {
    /// Why a game could not be read.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum GameError {
        /// The bytes end before the game does.
        Short => "the block ends within a game", "ブロックが対局の途中で終わっています";
        /// There are bytes after the last game.
        Extra(bytes: usize) =>
            "{bytes} bytes follow the last game", "最後の対局の後ろに {bytes} バイトあります";
        /// The base is not a valid position.
        Base(error: UnpackError) => both "{error}";
        /// A move that is invalid or illegal.
        Move {
            /// Its number, from 1 at the base.
            ply: usize,
            /// The sixteen bits.
            bits: u16,
            /// The position before it.
            sfen: String,
        } =>
            "move {ply} (0x{bits:04x}) is illegal in {sfen}",
            "{ply} 手目 (0x{bits:04x}) は指せません（局面 {sfen}）";
        /// A position from a tree has an invalid bound.
        Bound(bound: u8) => "the bound {bound} is unknown", "評価値の種類 {bound} は未知です";
        /// Compressed games that cannot be decoded.
        Coded => "the compressed games are damaged", "圧縮された対局が破損しています";
        /// The result and reason are invalid.
        Outcome(outcome: u8) =>
            "the outcome 0x{outcome:02x} is unknown", "結果 0x{outcome:02x} は未知です";
    }
}
error_message!(GameError, Base: UnpackError);

/// The bounds of positions from search trees, in order of their numbers.
const BOUNDS: [Bound; 3] = [Bound::Exact, Bound::Lower, Bound::Upper];

/// Size in bytes of the header before a block's games.
pub const BLOCK_HEAD: usize = 16;

/// The base of a game as bytes.
///
/// # Errors
/// A piece of the full set is missing, so the format cannot represent the position.
pub fn base_bytes(game: &Game) -> Result<PackedPosition, NotAFullSet> {
    PackedPosition::pack(&game.base, Layout::Sfen)
}

/// Result and reason as seven bits.
pub fn outcome_bits(outcome: Outcome) -> u8 {
    let winner = match outcome.winner {
        None => 0,
        Some(Color::Black) => 1,
        Some(Color::White) => 2,
    };
    winner | (outcome.reason as u8) << 2
}

/// The inverse of [`outcome_bits`].
///
/// # Errors
/// The bits are invalid.
pub fn outcome_from_bits(bits: u8) -> Result<Outcome, GameError> {
    let reason = EndReason::ALL.get(usize::from(bits >> 2)).copied();
    let winner = match bits & 3 {
        0 => Some(None),
        1 => Some(Some(Color::Black)),
        2 => Some(Some(Color::White)),
        _ => None,
    };
    let (Some(winner), Some(reason)) = (winner, reason) else {
        return Err(GameError::Outcome(bits));
    };
    Ok(Outcome { winner, reason })
}

/// Appends the number of a game's positions from search trees, and the positions.
pub fn write_tree(game: &Game, bytes: &mut Vec<u8>) {
    bytes.extend((game.tree.len() as u16).to_le_bytes());
    for sample in &game.tree {
        bytes.extend(sample.position.0);
        bytes.extend(sample.value.to_le_bytes());
        let bound = BOUNDS.iter().position(|&bound| bound == sample.bound).unwrap_or(0);
        bytes.extend([sample.depth, bound as u8]);
    }
}

/// Reads numbers from the front of a slice.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub fn take<const N: usize>(&mut self) -> Result<[u8; N], GameError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(GameError::Short)?;
        self.0 = rest;
        Ok(*head)
    }

    fn u16(&mut self) -> Result<u16, GameError> {
        self.take().map(u16::from_le_bytes)
    }

    /// The header of a block: the number of the first game, the number of games and the number of
    /// positions.
    pub fn block_head(&mut self) -> Result<(u64, u32, u32), GameError> {
        let first = u64::from_le_bytes(self.take()?);
        Ok((first, u32::from_le_bytes(self.take()?), u32::from_le_bytes(self.take()?)))
    }

    /// Reads positions from search trees, after their number.
    pub fn tree(&mut self) -> Result<Vec<TreeSample>, GameError> {
        let count = usize::from(self.u16()?);
        let mut samples = Vec::with_capacity(count);
        for _ in 0..count {
            let position = PackedPosition(self.take()?);
            let value = i16::from_le_bytes(self.take()?);
            let [depth, bound] = self.take()?;
            let bound = *BOUNDS.get(usize::from(bound)).ok_or(GameError::Bound(bound))?;
            samples.push(TreeSample { position, value, bound, depth });
        }
        Ok(samples)
    }
}
