//! Compressed games (`MGG2`): moves are stored as their rank in a fixed order and scores as
//! differences, both coded with adaptive probabilities. docs/records.md describes the format.
//!
//! One function handles both writing and reading, so that they always match.

use super::bits::{Bit, BitReader, BitWriter, Coder, Number};
use super::code::{GameError, base_bytes, outcome_bits, outcome_from_bits};
use super::ordering::Ordering;
use crate::game::Game;
use monomi_movegen::{Layout, PackedPosition};
use monomi_movegen::{PackedMove, Position};

/// Number of ranks with their own contexts.
const NEAR: usize = 12;
/// Number of contexts for the size of the last score differences.
const SIZES: usize = 9;
/// Maximum length of the line from a position to the leaf of its quiescence search.
pub const MAX_LEAF: usize = 63;

/// The adaptive state, updated with each game of a frame.
pub struct Models {
    ordering: Ordering,
    from_start: Bit,
    ply: Number,
    opening_length: Number,
    length: Number,
    outcome: [Bit; 128],
    has_tree: Bit,
    has_leaves: Bit,
    /// `[0 if in check, otherwise class of the last rank + 1][rank]`.
    near: [[Bit; NEAR]; 5],
    far: [Number; 5],
    /// `[size of the last differences]`.
    difference: Vec<Number>,
    /// `[sign of the last difference][size of this one]`.
    sign: [[Bit; 18]; 3],
    leaf: [Bit; 64],
    leaf_near: [Bit; NEAR],
    leaf_far: Number,
}

impl Models {
    pub fn new() -> Self {
        Self {
            ordering: Ordering::new(),
            from_start: Bit::NEW,
            ply: Number::NEW,
            opening_length: Number::NEW,
            length: Number::NEW,
            outcome: [Bit::NEW; 128],
            has_tree: Bit::NEW,
            has_leaves: Bit::NEW,
            near: [[Bit::NEW; NEAR]; 5],
            far: std::array::from_fn(|_| Number::NEW),
            difference: vec![Number::NEW; SIZES],
            sign: [[Bit::NEW; 18]; 3],
            leaf: [Bit::NEW; 64],
            leaf_near: [Bit::NEW; NEAR],
            leaf_far: Number::NEW,
        }
    }

    /// Writes a game without its positions from search trees.
    ///
    /// # Errors
    /// A move is illegal.
    pub fn write(&mut self, coder: &mut BitWriter, game: &Game) -> Result<(), GameError> {
        self.game(coder, Some(game)).map(drop)
    }

    /// Reads a game, and whether it has positions from search trees.
    ///
    /// # Errors
    /// The code is damaged.
    pub fn read(&mut self, coder: &mut BitReader) -> Result<(Game, bool), GameError> {
        self.game(coder, None)
    }

    fn game(
        &mut self,
        coder: &mut impl Coder,
        written: Option<&Game>,
    ) -> Result<(Game, bool), GameError> {
        let base = self.base(coder, written)?;
        let outcome = written.map_or(0, |game| outcome_bits(game.outcome));
        let outcome = coder.tree(&mut self.outcome, 7, outcome.into())?;
        let outcome = outcome_from_bits(outcome as u8)?;
        let tree = written.is_some_and(|game| !game.tree.is_empty());
        let tree = coder.bit(&mut self.has_tree, tree)?;
        let leaves = written.is_some_and(|game| !game.leaves.is_empty());
        let leaves = coder.bit(&mut self.has_leaves, leaves)?;
        let count = |moves: Option<usize>| moves.unwrap_or(0) as u32;
        let opening = count(written.map(|game| game.opening.len()));
        let opening = coder.number(&mut self.opening_length, opening)?;
        let moves = count(written.map(|game| game.moves.len()));
        let moves = coder.number(&mut self.length, moves)?;

        let mut game = Game {
            base,
            opening: Vec::new(),
            moves: Vec::new(),
            scores: Vec::new(),
            leaves: Vec::new(),
            outcome,
            tree: Vec::new(),
        };
        let mut position = game.base.clone();
        self.ordering.start_game();
        for i in 0..opening as usize {
            let mv = written.map(|game| game.opening[i]);
            let mv = self.random_move(coder, &position, mv)?;
            self.ordering.learn(&position, mv);
            position.do_move(mv);
            game.opening.push(mv);
        }
        let mut scores = ScoreContext::default();
        let mut class = 0;
        for i in 0..moves as usize {
            let score = written.map_or(0, |game| game.scores[i]);
            game.scores.push(self.score(coder, &mut scores, score)?);
            if leaves {
                let leaf = written.map(|game| &game.leaves[i][..]);
                game.leaves.push(self.leaf(coder, &position, leaf)?);
            }
            let mv = written.map(|game| game.moves[i]);
            let mv = self.played_move(coder, &position, &mut class, mv)?;
            self.ordering.learn(&position, mv);
            position.do_move(mv);
            game.moves.push(mv);
        }
        Ok((game, tree))
    }

    /// Codes the base: the start position, or a packed position and its move number.
    fn base(
        &mut self,
        coder: &mut impl Coder,
        written: Option<&Game>,
    ) -> Result<Position, GameError> {
        let start = Position::startpos();
        let is_start = written
            .is_some_and(|game| game.base.key() == start.key() && game.base.ply() == start.ply());
        if coder.bit(&mut self.from_start, is_start)? {
            return Ok(start);
        }
        let bytes = match written {
            Some(game) => base_bytes(game).map_err(|_| GameError::Coded)?,
            None => PackedPosition([0; 32]),
        };
        let mut read = PackedPosition([0; 32]);
        for (read, byte) in read.0.iter_mut().zip(bytes.0) {
            *read = coder.plain(8, byte.into())? as u8;
        }
        let ply = coder.number(&mut self.ply, written.map_or(0, |game| game.base.ply().into()))?;
        Ok(read.unpack(Layout::Sfen, ply as u16)?)
    }

    /// Codes a random move. All legal moves are equally likely.
    fn random_move(
        &self,
        coder: &mut impl Coder,
        position: &Position,
        mv: Option<PackedMove>,
    ) -> Result<PackedMove, GameError> {
        let mut moves: Vec<PackedMove> = position.legal_moves().to_vec();
        moves.sort_unstable_by_key(|mv| mv.bits());
        let rank = rank_of(&moves, position, mv)?;
        let bits = usize::BITS - moves.len().leading_zeros();
        let rank = coder.plain(bits, rank as u32)? as usize;
        moves.get(rank).copied().ok_or(GameError::Coded)
    }

    fn played_move(
        &mut self,
        coder: &mut impl Coder,
        position: &Position,
        class: &mut usize,
        mv: Option<PackedMove>,
    ) -> Result<PackedMove, GameError> {
        let moves = self.ordering.moves(position);
        let rank = rank_of(&moves, position, mv)?;
        let context = if position.in_check() { 0 } else { 1 + *class };
        let rank = ranked(coder, &mut self.near[context], &mut self.far[context], rank)?;
        *class = match rank {
            0 => 0,
            1..4 => 1,
            4..12 => 2,
            _ => 3,
        };
        moves.get(rank).copied().ok_or(GameError::Coded)
    }

    /// Codes the line to the leaf of a position's quiescence search.
    fn leaf(
        &mut self,
        coder: &mut impl Coder,
        position: &Position,
        line: Option<&[PackedMove]>,
    ) -> Result<Vec<PackedMove>, GameError> {
        let length = line.map_or(0, <[_]>::len) as u32;
        let length = coder.tree(&mut self.leaf, 6, length)? as usize;
        let mut read = Vec::with_capacity(length);
        if length == 0 {
            return Ok(read);
        }
        let mut position = position.clone();
        for i in 0..length {
            let moves = self.ordering.moves(&position);
            let rank = rank_of(&moves, &position, line.map(|line| line[i]))?;
            let rank = ranked(coder, &mut self.leaf_near, &mut self.leaf_far, rank)?;
            let mv = moves.get(rank).copied().ok_or(GameError::Coded)?;
            position.do_move(mv);
            read.push(mv);
        }
        Ok(read)
    }

    /// Codes a score as its difference from the prediction.
    fn score(
        &mut self,
        coder: &mut impl Coder,
        context: &mut ScoreContext,
        score: i16,
    ) -> Result<i16, GameError> {
        let expected = context.expected();
        let difference = i32::from(score) - expected;
        let size = SIZES.min(1 + context.size().saturating_sub(2)) - 1;
        let magnitude = coder.number(&mut self.difference[size], difference.unsigned_abs())?;
        let mut read = expected;
        if magnitude > 0 {
            let length = (u32::BITS - magnitude.leading_zeros()) as usize;
            let sign = &mut self.sign[(context.last.signum() + 1) as usize][length.min(17)];
            let negative = coder.bit(sign, difference < 0)?;
            let magnitude = i32::try_from(magnitude).map_err(|_| GameError::Coded)?;
            read += if negative { -magnitude } else { magnitude };
        }
        let read = i16::try_from(read).map_err(|_| GameError::Coded)?;
        context.see(read, i32::from(read) - expected);
        Ok(read)
    }
}

/// Codes a rank: one bit for each of the first few ranks, then the rest as a number.
fn ranked(
    coder: &mut impl Coder,
    near: &mut [Bit; NEAR],
    far: &mut Number,
    rank: usize,
) -> Result<usize, GameError> {
    for (i, context) in near.iter_mut().enumerate() {
        if coder.bit(context, rank == i)? {
            return Ok(i);
        }
    }
    Ok(NEAR + coder.number(far, rank.saturating_sub(NEAR) as u32)? as usize)
}

/// Index of a move in a list; 0 for `None`, which is passed when reading.
fn rank_of(
    moves: &[PackedMove],
    position: &Position,
    mv: Option<PackedMove>,
) -> Result<usize, GameError> {
    let Some(mv) = mv else { return Ok(0) };
    moves.iter().position(|&other| other == mv).ok_or_else(|| GameError::Move {
        ply: position.moves_made() + 1,
        bits: mv.bits(),
        sfen: position.to_sfen(),
    })
}

/// The previous scores, each for the side to move in its position.
#[derive(Default)]
struct ScoreContext {
    /// The last two scores, newest first.
    scores: [i32; 2],
    /// The last two differences, newest first.
    last: i32,
    before: i32,
}

impl ScoreContext {
    /// The prediction: a weighted mean of the opponent's last score and the own last score.
    fn expected(&self) -> i32 {
        let [last, own] = self.scores;
        ((3 * -last + own) / 4).clamp(i16::MIN.into(), i16::MAX.into())
    }

    /// Length in bits of a weighted mean of the last differences.
    fn size(&self) -> usize {
        let size = (2 * self.last.unsigned_abs() + self.before.unsigned_abs()) / 3;
        (u32::BITS - size.leading_zeros()) as usize
    }

    fn see(&mut self, score: i16, difference: i32) {
        self.scores = [score.into(), self.scores[0]];
        self.before = self.last;
        self.last = difference;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games::games;

    #[test]
    fn games_are_read_as_they_were_written() {
        let games = games(60);
        let mut writer = BitWriter::default();
        let mut models = Models::new();
        for game in &games {
            models.write(&mut writer, game).unwrap();
        }
        let bytes = writer.finish();
        let mut reader = BitReader::new(&bytes).unwrap();
        let mut models = Models::new();
        for game in &games {
            let (read, has_tree) = models.read(&mut reader).unwrap();
            assert_eq!(has_tree, !game.tree.is_empty());
            let expected = Game { tree: Vec::new(), ..game.clone() };
            assert_eq!(format!("{read:?}"), format!("{expected:?}"));
        }
    }

    #[test]
    fn an_illegal_move_is_not_written() {
        let mut game = games(2).remove(1);
        game.opening.clear();
        game.moves = vec!["5e5d".parse().unwrap()];
        game.scores = vec![0];
        let error = Models::new().write(&mut BitWriter::default(), &game).unwrap_err();
        assert!(error.to_string().contains("is illegal in"), "{error}");
    }

    #[test]
    fn damaged_code_is_an_error_or_another_game() {
        let games = games(20);
        let (mut writer, mut models) = (BitWriter::default(), Models::new());
        games.iter().for_each(|game| models.write(&mut writer, game).unwrap());
        let bytes = writer.finish();
        for at in 0..bytes.len().min(400) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x55;
            let mut reader = BitReader::new(&damaged).unwrap();
            let mut models = Models::new();
            // Reading must end without a panic.
            for _ in 0..3 {
                if models.read(&mut reader).is_err() {
                    break;
                }
            }
        }
        assert!(BitReader::new(&bytes[..bytes.len() - 1]).is_err());
    }
}
