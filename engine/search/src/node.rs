//! The state of a node, and of the move being tried there.

use crate::correction::CorrectionIndex;
use crate::piece_to::piece_to;
use crate::tt::{DEPTH_NONE, TtBound, TtEntry, TtSlot};
use arrayvec::ArrayVec;
use monomi_eval::score::{INFINITE, MAX_PLY, Value, mate_in, mated_in};
use monomi_movegen::{PackedMove, Position};
use shogi_core::{Piece, PieceKind};
use std::ops::Neg;

/// A search window for the side to move, with `alpha < beta`.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub alpha: Value,
    pub beta: Value,
}

impl Window {
    /// The null window that only tells whether a value is above `alpha`.
    #[inline(always)]
    pub fn above(alpha: Value) -> Self {
        Window { alpha, beta: alpha + 1 }
    }

    /// The null window that only tells whether a value reaches `beta`.
    #[inline(always)]
    pub fn below(beta: Value) -> Self {
        Window { alpha: beta - 1, beta }
    }

    /// Whether no value lies strictly inside the window.
    pub fn is_null(self) -> bool {
        self.beta == self.alpha + 1
    }

    /// Whether a value lies strictly inside the window.
    #[inline(always)]
    pub fn contains(self, value: Value) -> bool {
        self.alpha < value && value < self.beta
    }
}

/// The same window from the opponent's point of view.
impl Neg for Window {
    type Output = Window;

    #[inline(always)]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The first moves of a node, whose failure the histories learn: a later move comes so late because
/// the histories know it already.
const FIRST_MOVES: u32 = 32;

/// Those of the [first moves](FIRST_MOVES) that were searched and not the best one.
pub type TriedMoves = ArrayVec<PackedMove, { FIRST_MOVES as usize }>;

/// What the search knows about the node it is working on and no other ply reads. The rest is in the
/// node's [entry on the stack](crate::stack::StackEntry).
pub struct Node {
    /// Window for the side to move; `alpha` rises as moves are searched.
    pub window: Window,
    /// Remaining depth in plies.
    pub depth: i32,
    /// Distance from the root.
    pub ply: usize,
    /// Whether the node is expected to fail high.
    pub cut_node: bool,
    /// The move that a singular search leaves out.
    pub excluded: Option<PackedMove>,
    /// By how many plies the move to this node was reduced.
    pub prior_reduction: i32,

    /// Where the node's result goes in the transposition table.
    pub tt_slot: TtSlot,
    /// What the transposition table knew of the position.
    pub tt_entry: Option<TtEntry>,
    /// The table's move, legal here. At the root, the best move so far.
    pub tt_move: Option<PackedMove>,
    /// Whether the table's move is a capture or a pawn promotion.
    pub tt_capture: bool,

    /// Evaluation before correction; `None` in check.
    pub raw_eval: Option<Value>,
    /// The best estimate of the node's value: the static evaluation, or the table's value where
    /// that is a tighter bound. 0 in check.
    pub estimate: Value,
    /// The node's entries in the correction history.
    pub correction_index: CorrectionIndex,
    /// Correction of the evaluation in 1/131,072 units. In check it only tells how uncertain
    /// evaluations of such positions are.
    pub correction: i32,
    /// Whether the evaluation is better than two plies ago.
    pub improving: bool,
    /// Whether the opponent's evaluation got worse with their last move.
    pub opponent_worsening: bool,

    /// Moves tried so far, pruned ones included.
    pub move_count: u32,
    /// Moves searched so far, counted by NegaScout.
    pub searched: u32,
    /// The best value so far, fail-soft.
    pub best_value: Value,
    /// The last move that raised alpha.
    pub best_move: Option<PackedMove>,
    /// The node's value if it became known before the last move was searched.
    pub settled: Option<Value>,
    /// Quiet moves searched that are not the best move.
    pub quiets: TriedMoves,
    /// Captures searched that are not the best move.
    pub captures: TriedMoves,
}

impl Node {
    /// A node about which nothing is known yet.
    #[inline(always)]
    pub fn new(window: Window, depth: i32, ply: usize, cut_node: bool) -> Self {
        Self {
            window,
            depth: depth.min(MAX_PLY as i32 - 1),
            ply,
            cut_node,
            excluded: None,
            prior_reduction: 0,
            tt_slot: TtSlot::default(),
            tt_entry: None,
            tt_move: None,
            tt_capture: false,
            raw_eval: None,
            estimate: 0,
            correction_index: CorrectionIndex::default(),
            correction: 0,
            improving: false,
            opponent_worsening: false,
            move_count: 0,
            searched: 0,
            best_value: -INFINITE,
            best_move: None,
            settled: None,
            quiets: TriedMoves::new(),
            captures: TriedMoves::new(),
        }
    }

    /// Whether the transposition table knew the position.
    #[inline(always)]
    pub fn tt_hit(&self) -> bool {
        self.tt_entry.is_some()
    }

    /// The table's value, mates counted from the root.
    #[inline(always)]
    pub fn tt_value(&self) -> Option<Value> {
        self.tt_entry.and_then(|entry| entry.value)
    }

    /// Depth of the table's value; [`DEPTH_NONE`] without an entry.
    #[inline(always)]
    pub fn tt_depth(&self) -> i32 {
        self.tt_entry.map_or(DEPTH_NONE, |entry| entry.depth)
    }

    /// What the table's value says of the true one.
    #[inline(always)]
    pub fn tt_bound(&self) -> TtBound {
        self.tt_entry.map_or(TtBound::None, |entry| entry.bound)
    }

    /// Mate distance pruning: no value from here can be better than mate with the next move or worse
    /// than being mated now. Narrows the window to that range and returns its end if the window is
    /// then empty: a shorter mate is already known.
    #[inline(always)]
    pub fn mate_distance_pruning(&mut self) -> Option<Value> {
        let Window { alpha, beta } = &mut self.window;
        *alpha = (*alpha).max(mated_in(self.ply));
        *beta = (*beta).min(mate_in(self.ply + 1));
        (*alpha >= *beta).then_some(*alpha)
    }

    /// The table's value where its bound makes it a better estimate than the static evaluation,
    /// otherwise the static evaluation.
    #[inline(always)]
    pub fn better_estimate(&self, static_eval: Value) -> Value {
        let Some(value) = self.tt_value() else { return static_eval };
        let bound = self.tt_bound();
        let tighter = if value > static_eval { bound.is_lower() } else { bound.is_upper() };
        if tighter { value } else { static_eval }
    }

    /// Remembers the move just searched, which is not the best one, if it is one of the first.
    #[inline(always)]
    pub fn add_tried(&mut self, candidate: &Candidate) {
        if self.move_count <= FIRST_MOVES {
            let tried = if candidate.capture { &mut self.captures } else { &mut self.quiets };
            let _ = tried.try_push(candidate.mv);
        }
    }
}

/// What the value of a move means for its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It does not exceed alpha.
    Worse,
    /// It has raised alpha.
    Better,
    /// It reaches beta: the opponent avoids the node.
    Cutoff,
}

/// A move of the node, and what is known of it before it is made.
pub struct Candidate {
    pub mv: PackedMove,
    /// The kind of piece that it puts on its destination.
    pub arrived: PieceKind,
    /// Whether it captures or promotes a pawn.
    pub capture: bool,
    pub gives_check: bool,
    /// Exchange value of the captured piece; 0 if there is none.
    pub victim_value: Value,
    /// Sum of its histories.
    pub history: i32,
    /// The butterfly history of a quiet move; 0 for others.
    pub butterfly: i32,
    /// The sum of a quiet move's continuation histories after the last two moves; 0 for others.
    pub continuation: i32,
    /// Index of its piece and destination in the histories.
    pub piece_to: usize,
    /// Base reduction in 1/1024 plies, by depth and move number.
    pub reduction: i32,
    /// Extension in plies; negative for a reduction.
    pub extension: i32,
    /// Depth in plies for a search of the position after the move.
    pub depth: i32,
    /// Nodes searched before the move; only noted at the root.
    pub nodes_before: u64,
    /// The best value of the moves before it.
    pub best_before: Value,
}

impl Candidate {
    /// A move of a position of which little is known yet, to be searched to a depth in plies.
    #[inline(always)]
    pub fn new(position: &Position, mv: PackedMove, depth: i32) -> Self {
        let arrived = position.arriving_kind(mv);
        let piece = Piece::new(arrived, position.side_to_move());
        Self {
            mv,
            arrived,
            capture: position.is_capture_class(mv),
            gives_check: false,
            victim_value: 0,
            history: 0,
            butterfly: 0,
            continuation: 0,
            piece_to: piece_to(piece, mv.to()),
            reduction: 0,
            extension: 0,
            depth,
            nodes_before: 0,
            best_before: -INFINITE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_moves_of_a_node_are_remembered() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RBGSNLP 1").unwrap();
        let moves = position.legal_moves();
        let mut node = Node::new(Window::above(0), 5, 1, false);
        for mv in moves {
            node.move_count += 1;
            // Pruned moves count, too.
            if !node.move_count.is_multiple_of(4) {
                node.add_tried(&Candidate::new(&position, mv, 4));
            }
        }
        assert!(node.move_count > 2 * FIRST_MOVES);
        assert_eq!(node.quiets.len() as u32, FIRST_MOVES * 3 / 4);
    }
}
