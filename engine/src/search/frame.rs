//! What belongs to one node of the line being searched.

use crate::search::history::Continuation;
use crate::search::score::{MAX_PLY, Value};
use arrayvec::ArrayVec;
use monomi_movegen::{PackedMove, Position};
use shogi_core::PieceKind;

/// Frames before the root's, so that "six plies ago" always exists.
const BEFORE_ROOT: usize = 7;

/// A principal variation.
pub type Line = ArrayVec<PackedMove, { MAX_PLY + 1 }>;

/// One node.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The move being searched; `None` is a null move.
    pub current_move: Option<PackedMove>,
    /// Index of the piece that it moves, on its destination.
    pub piece_to: usize,
    /// The continuation tables behind it.
    pub continuation: Continuation,
    /// The continuation tables behind the moves one, two, three, four and six plies before.
    pub continuations: [Continuation; 5],
    /// Hash of the pawns.
    pub pawns: u64,
    /// Static evaluation with corrections; `None` in check.
    pub static_eval: Option<Value>,
    /// Left out by the singular search.
    pub excluded: Option<PackedMove>,
    /// Whether the node is or was in a principal variation.
    pub tt_pv: bool,
    /// Whether its side to move is in check.
    pub in_check: bool,
    /// Moves tried so far.
    pub move_count: u32,
    /// Whether the table knew the node.
    pub tt_hit: bool,
    /// Whether the moves so far are those of the last iteration's principal variation.
    pub follow_pv: bool,
    /// How often the node's children failed high.
    pub cutoffs: u32,
    /// Reduction of the move being searched, in plies.
    pub reduction: i32,
    /// History score of the move being searched.
    pub history_score: i32,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            current_move: None,
            piece_to: crate::search::history::PIECE_TO,
            continuation: Continuation::NONE,
            continuations: [Continuation::NONE; 5],
            pawns: 0,
            static_eval: None,
            excluded: None,
            tt_pv: false,
            in_check: false,
            move_count: 0,
            tt_hit: false,
            follow_pv: false,
            cutoffs: 0,
            reduction: 0,
            history_score: 0,
        }
    }
}

/// The frames of the current line, and the principal variations found below each ply.
pub struct Stack {
    frames: Vec<Frame>,
    lines: Vec<Line>,
}

impl Stack {
    /// Blank frames.
    pub fn new() -> Self {
        Self {
            frames: vec![Frame::default(); BEFORE_ROOT + MAX_PLY + 3],
            lines: vec![Line::new(); MAX_PLY + 3],
        }
    }

    /// Blank again, for a new search.
    pub fn clear(&mut self) {
        self.frames.fill(Frame::default());
        self.lines.iter_mut().for_each(Line::clear);
    }

    /// The frame of a ply.
    #[inline(always)]
    pub fn at(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[BEFORE_ROOT + ply]
    }

    /// By how much the move to this ply was reduced; asked once, since a second search of the same
    /// node (a verification, a singular search) is no reduced one.
    #[inline(always)]
    pub fn take_reduction(&mut self, ply: usize) -> i32 {
        std::mem::take(&mut self.frames[BEFORE_ROOT + ply - 1].reduction)
    }

    /// The frame some plies before, up to seven; blank frames lie before the root.
    #[inline(always)]
    pub fn back(&self, ply: usize, plies: usize) -> &Frame {
        &self.frames[BEFORE_ROOT + ply - plies]
    }

    /// The frame of a ply, with what all moves of the node look at: what leads here does not change
    /// while the node is searched.
    #[inline(always)]
    pub fn enter(&mut self, ply: usize, position: &Position) -> &mut Frame {
        let continuations = [1, 2, 3, 4, 6].map(|plies| self.back(ply, plies).continuation);
        let frame = self.at(ply);
        frame.continuations = continuations;
        frame.pawns = position.kind(PieceKind::Pawn).hash64();
        frame.in_check = position.in_check();
        frame
    }

    /// No line below this ply yet.
    #[inline(always)]
    pub fn clear_line(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// The best line below this ply.
    pub fn line(&self, ply: usize) -> &Line {
        &self.lines[ply]
    }

    /// The line of this ply is the move and the line below.
    pub fn extend_line(&mut self, ply: usize, mv: PackedMove) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(below[0].iter().copied().take(room));
    }
}
