//! The stack of plies: what the nodes of the current line keep for each other.

use crate::history::ContinuationIndex;
use crate::piece_to::PIECE_TO;
use arrayvec::ArrayVec;
use monomi_eval::score::{MAX_PLY, Value};
use monomi_movegen::{PackedMove, Position};

/// Entries before the root's, so that "six plies ago" always exists.
const BEFORE_ROOT: usize = 7;
/// All entries.
const ENTRIES: usize = BEFORE_ROOT + MAX_PLY + 3;

const _: () = assert!(ENTRIES.is_power_of_two());

/// Index of the entry some plies before a ply. The remainder tells the compiler that it is in range.
#[inline(always)]
fn index(ply: usize, plies: usize) -> usize {
    debug_assert!(plies <= BEFORE_ROOT && BEFORE_ROOT + ply - plies < ENTRIES);
    (BEFORE_ROOT + ply - plies) % ENTRIES
}

/// A principal variation.
pub type PvLine = ArrayVec<PackedMove, { MAX_PLY + 1 }>;

/// What other plies need to know of a node, too. One cache line.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct StackEntry {
    /// The move being searched; `None` for a null move.
    pub current_move: Option<PackedMove>,
    /// History index of the piece it moves and its destination; [`PIECE_TO`] for a null move.
    pub piece_to: u16,
    /// The continuation history that follows it.
    pub continuation: ContinuationIndex,
    /// The continuation histories that follow the moves one, two, three, four and six plies ago.
    pub continuations: [ContinuationIndex; 5],
    /// Corrected static evaluation; in check that of two plies ago.
    pub static_eval: Option<Value>,
    /// Whether the node is or was part of a principal variation.
    pub tt_pv: bool,
    /// Whether its side to move is in check.
    pub in_check: bool,
    /// Number of the move being searched, pruned moves counted; 0 for a null move and in ProbCut.
    pub move_number: u32,
    /// Whether the transposition table knew the node.
    pub tt_hit: bool,
    /// Whether the line so far is the last iteration's principal variation.
    pub follow_pv: bool,
    /// Fail highs at this ply since the node two plies above was entered.
    pub cutoffs: u32,
    /// Reduction of the move being searched, in plies.
    pub reduction: i32,
    /// History score of the move being searched.
    pub history_score: i32,
}

const _: () = assert!(size_of::<StackEntry>() == 64);

impl Default for StackEntry {
    fn default() -> Self {
        Self {
            current_move: None,
            piece_to: PIECE_TO as u16,
            continuation: ContinuationIndex::NONE,
            continuations: [ContinuationIndex::NONE; 5],
            static_eval: None,
            tt_pv: false,
            in_check: false,
            move_number: 0,
            tt_hit: false,
            follow_pv: false,
            cutoffs: 0,
            reduction: 0,
            history_score: 0,
        }
    }
}

/// The entries of the current line, and the principal variation found from each ply on.
pub struct Stack {
    entries: Box<[StackEntry; ENTRIES]>,
    lines: Vec<PvLine>,
}

impl Stack {
    /// An empty stack.
    pub fn new() -> Self {
        Self {
            entries: Box::new(std::array::from_fn(|_| StackEntry::default())),
            lines: vec![PvLine::new(); MAX_PLY + 3],
        }
    }

    /// Resets every ply, for a new search.
    pub fn clear(&mut self) {
        self.entries.fill(StackEntry::default());
        self.lines.iter_mut().for_each(PvLine::clear);
    }

    /// The entry of a ply.
    #[inline(always)]
    pub fn at(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.entries[index(ply, 0)]
    }

    /// The entry some plies earlier, up to seven; those before the root are empty.
    #[inline(always)]
    pub fn back(&self, ply: usize, plies: usize) -> &StackEntry {
        &self.entries[index(ply, plies)]
    }

    /// By how many plies the move to this ply was reduced. Resets it: a second search of the same
    /// node (singular search, null move verification) is not a reduced one.
    #[inline(always)]
    pub fn take_reduction(&mut self, ply: usize) -> i32 {
        std::mem::take(&mut self.entries[index(ply, 1)].reduction)
    }

    /// Prepares the entry of a ply with what is the same for all moves of the node.
    #[inline(always)]
    pub fn enter(&mut self, ply: usize, position: &Position) -> &mut StackEntry {
        let continuations = [1, 2, 3, 4, 6].map(|plies| self.back(ply, plies).continuation);
        let entry = self.at(ply);
        entry.continuations = continuations;
        entry.in_check = position.in_check();
        entry
    }

    /// Empties the principal variation of a ply.
    #[inline(always)]
    pub fn clear_line(&mut self, ply: usize) {
        self.lines[ply].clear();
    }

    /// The principal variation from a ply on.
    pub fn line(&self, ply: usize) -> &PvLine {
        &self.lines[ply]
    }

    /// Sets the principal variation of a ply to the move followed by that of the next ply.
    pub fn extend_line(&mut self, ply: usize, mv: PackedMove) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        let room = line.remaining_capacity();
        line.extend(below[0].iter().copied().take(room));
    }
}
