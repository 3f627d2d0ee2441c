//! One search thread: its position, its memory, and making and taking back moves.

use crate::history::{ContinuationIndex, Histories, SharedHistories};
use crate::limits::{Limits, SearchOptions};
use crate::move_scorer::MoveScorer;
use crate::node::{Candidate, Node, Window};
use crate::observer::{NodeObserver, Visit};
use crate::params::Params;
use crate::piece_to::{PIECE_TO, piece_to};
use crate::reduction_table::ReductionTable;
use crate::report::{Info, Reporter};
use crate::root_move::RootMove;
use crate::signals::Signals;
use crate::stack::{Stack, StackEntry};
use crate::time::{PreviousMove, TimeManager};
use crate::tt::{TranspositionTable, TtEntry, TtSlot};
use monomi_eval::score::Value;
use monomi_eval::{EvalStack, Evaluation};
use monomi_movegen::{PackedMove, Position};
use shogi_core::{Color, Piece};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Memory of a thread that outlives a search.
pub struct ThreadMemory {
    pub histories: Histories,
    pub stack: Stack,
    /// Created by the first search: allocating it takes longer than a short search.
    pub eval: Option<EvalStack>,
    /// The network's copy on the thread's NUMA node, if it has one.
    pub copy: Option<Arc<Evaluation>>,
    /// The time manager's record of the previous move of the game.
    pub previous_move: PreviousMove,
    /// Called with each finished quiet node.
    pub observer: Option<NodeObserver>,
}

impl ThreadMemory {
    /// Empty tables.
    pub fn new() -> Self {
        Self {
            histories: Histories::new(),
            stack: Stack::new(),
            eval: None,
            copy: None,
            previous_move: PreviousMove::default(),
            observer: None,
        }
    }

    /// Clears everything learned.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.stack.clear();
        self.previous_move = PreviousMove::default();
    }
}

/// A node counter on its own cache line.
#[repr(align(128))]
#[derive(Default)]
pub struct NodeCounter(AtomicU64);

impl NodeCounter {
    /// The count as last published.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// Whether the search has an answer and whether it must end.
#[derive(Debug, Default)]
pub struct Ending {
    ended: AtomicBool,
    has_answer: AtomicBool,
}

impl Ending {
    /// Ends all threads: the stop signal came or a limit was reached.
    pub fn end(&self) {
        self.ended.store(true, Relaxed);
    }

    /// Whether all threads are to end.
    #[inline(always)]
    pub fn ended(&self) -> bool {
        self.ended.load(Relaxed)
    }

    /// The first iteration is complete: the search may end at any time.
    pub fn set_has_answer(&self) {
        self.has_answer.store(true, Relaxed);
    }

    /// Whether the first iteration is complete.
    pub fn has_answer(&self) -> bool {
        self.has_answer.load(Relaxed)
    }
}

/// Data that the threads of one search share.
pub struct Shared {
    pub tt: Arc<TranspositionTable>,
    pub evaluation: Arc<Evaluation>,
    pub options: SearchOptions,
    pub limits: Limits,
    pub reductions: Arc<ReductionTable>,
    pub ending: Arc<Ending>,
    /// Nodes of each thread.
    pub nodes: Vec<NodeCounter>,
    /// The side to move at the root.
    pub root_side: Color,
    /// The moves to choose from at the root.
    pub root_moves: Vec<RootMove>,
    /// Changes the keys of the transposition table, see [`history_key`].
    pub history_key: u64,
}

/// A key of the positions that occurred twice or more in the game up to the root, 0 if there are
/// none, as nearly always.
///
/// A line that comes to such a position ends there, and so values in the transposition table rest
/// on the history of the game. Their keys contain this one, so that they are found only as long as
/// the same positions have occurred as often: not in the next game, and not in the analysis of
/// another position.
pub fn history_key(root: &Position) -> u64 {
    let mix = |(key, times): (u64, usize)| {
        let key = (key ^ (times as u64) << 56).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (key ^ key >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    };
    root.repeated_positions(2).into_iter().map(mix).fold(0, |all, key| all ^ key)
}

impl Shared {
    /// Looks a position up in the transposition table.
    #[inline(always)]
    pub fn probe(&self, key: u64, ply: usize) -> (Option<TtEntry>, TtSlot) {
        self.tt.probe(key ^ self.history_key, ply)
    }

    /// Prefetches what the transposition table has of a position.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.tt.prefetch(key ^ self.history_key);
    }

    /// Nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(NodeCounter::get).sum()
    }
}

/// Stack size of a search thread. A ply needs about 10 KiB, the longest line (246 plies) 2.5 MiB; the rest is a
/// margin that costs address space only.
pub const STACK_SIZE: usize = 16 << 20;
/// Nodes between two checks of clock and signals, minus one; one less than a power of two.
const POLL_MASK: u64 = 511;

/// A thread in one search.
pub struct SearchThread<'a> {
    pub id: usize,
    pub shared: &'a Shared,
    /// The large histories, which other threads use too.
    pub shared_histories: &'a SharedHistories,
    pub memory: &'a mut ThreadMemory,
    pub position: Position,
    pub eval: EvalStack,
    pub nodes: u64,
    pub seldepth: usize,
    pub stopped: bool,
    /// No null moves before this ply: a null move is being verified.
    pub null_min_ply: usize,
    /// Width of the root window, to which reductions compare a node's window.
    pub root_delta: Value,
    pub root_depth: i32,
    pub completed_depth: i32,
    pub root_moves: Vec<RootMove>,
    /// The root moves in the order in which this iteration searches them, with their indices in
    /// `root_moves`.
    pub root_order: Vec<(PackedMove, usize)>,
    /// The principal variation of the last completed iteration.
    pub last_pv: Vec<PackedMove>,
    /// Index of the line (MultiPV) being searched.
    pub pv_index: usize,
    /// How often the best move changed in this iteration.
    pub best_move_changes: f64,
    /// When to stop for time; only the first thread has it.
    pub clock: Option<TimeManager>,
    /// Signals from outside; only the first thread looks at them.
    pub signals: Option<&'a Signals>,
    /// Starts the helper threads; called when the first thread has an answer.
    pub start_helpers: Option<Box<dyn FnOnce() + 'a>>,
    /// Called with each node of the exact search.
    pub visits: Option<&'a mut dyn FnMut(&Visit<'_>)>,
}

impl<'a> SearchThread<'a> {
    /// A thread that is to search a root position.
    pub fn new(
        id: usize,
        shared: &'a Shared,
        shared_histories: &'a SharedHistories,
        memory: &'a mut ThreadMemory,
        root: &Position,
    ) -> Self {
        memory.stack.clear();
        memory.histories.new_search();
        let eval = match memory.eval.take() {
            Some(mut eval) => {
                eval.reset(root);
                eval
            }
            None => EvalStack::new(memory.copy.as_ref().unwrap_or(&shared.evaluation), root),
        };
        Self {
            id,
            shared,
            shared_histories,
            memory,
            position: root.clone(),
            eval,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            null_min_ply: 0,
            root_delta: 1,
            root_depth: 0,
            completed_depth: 0,
            root_order: Vec::with_capacity(shared.root_moves.len()),
            root_moves: shared.root_moves.clone(),
            last_pv: Vec::new(),
            pv_index: 0,
            best_move_changes: 0.0,
            clock: None,
            signals: None,
            start_helpers: None,
            visits: None,
        }
    }

    /// What the stack holds of a node.
    #[inline(always)]
    pub fn entry(&self, node: &Node) -> &StackEntry {
        self.memory.stack.back(node.ply, 0)
    }

    /// The corrected static evaluation of a node whose side to move is not in check.
    #[inline(always)]
    pub fn static_eval(&self, node: &Node) -> Value {
        self.entry(node).static_eval.unwrap_or(0)
    }

    /// The search's parameters.
    #[inline(always)]
    pub fn params(&self) -> &'a Params {
        self.shared.options.params()
    }

    /// Makes a move at a ply.
    #[inline]
    pub fn do_move(&mut self, mv: PackedMove, ply: usize) {
        self.do_candidate(&Candidate::new(&self.position, mv, 0), ply);
    }

    /// Makes the move of a node that is at a ply.
    #[inline(always)]
    pub fn do_candidate(&mut self, candidate: &Candidate, ply: usize) {
        let us = self.position.side_to_move();
        let &Candidate { mv, piece_to, capture, .. } = candidate;
        let in_check = self.position.in_check();
        let entry = self.memory.stack.at(ply);
        entry.current_move = Some(mv);
        entry.piece_to = piece_to as u16;
        entry.continuation = ContinuationIndex::after(piece_to, capture, in_check);
        debug_assert!(self.position.is_legal(mv), "{mv} for {us:?} in {}", self.position.to_sfen());
        let shared = self.shared;
        let dirty = self.position.do_move_with(mv, |key| shared.prefetch(key));
        self.eval.push(dirty);
        self.eval.bring_forward(&self.position);
        self.count_node();
    }

    /// Takes a move back.
    #[inline]
    pub fn undo_move(&mut self) {
        self.position.undo_move();
        self.eval.pop();
    }

    /// Makes a null move. As in other engines it does not count as a node.
    #[inline]
    pub fn do_null_move(&mut self, ply: usize) {
        let entry = self.memory.stack.at(ply);
        entry.current_move = None;
        entry.piece_to = PIECE_TO as u16;
        entry.continuation = ContinuationIndex::NONE;
        self.position.do_null_move();
        self.shared.prefetch(self.position.key());
    }

    #[inline(always)]
    fn count_node(&mut self) {
        self.nodes += 1;
        self.shared.nodes[self.id].0.store(self.nodes, Relaxed);
    }

    /// The histories' index of a legal move.
    #[inline(always)]
    pub fn piece_to(&self, mv: PackedMove) -> usize {
        let kind = self.position.arriving_kind(mv);
        piece_to(Piece::new(kind, self.position.side_to_move()), mv.to())
    }

    /// A scorer for the moves of the current position, at a ply already entered.
    pub fn move_scorer(&self, ply: usize) -> MoveScorer<'_> {
        let entry = self.memory.stack.back(ply, 0);
        MoveScorer {
            position: &self.position,
            histories: &self.memory.histories,
            shared_histories: self.shared_histories,
            continuations: entry.continuations,
            ply,
            all_moves: self.shared.options.generate_all_legal_moves,
            tuned: &self.shared.options.params,
        }
    }

    /// Whether to end the search. The first thread checks limits, clock and signals from time to
    /// time; the others only look at the shared flag.
    #[inline]
    pub fn must_stop(&mut self) -> bool {
        if self.id == 0 {
            if let Some(limit) = self.shared.limits.nodes
                && self.nodes >= limit.saturating_sub(self.other_nodes())
            {
                self.shared.ending.end();
            }
            if self.nodes & POLL_MASK == 0 {
                self.poll();
            }
        }
        self.stopped = self.shared.ending.ended();
        self.stopped
    }

    fn other_nodes(&self) -> u64 {
        if self.shared.nodes.len() == 1 { 0 } else { self.shared.total_nodes() - self.nodes }
    }

    #[cold]
    fn poll(&mut self) {
        let Some(signals) = self.signals else { return };
        if monomi_support::host::pause() {
            signals.stop();
        }
        let out_of_time = self.clock.as_mut().is_some_and(|clock| clock.must_stop(signals));
        if signals.stopped() || (out_of_time && self.completed_depth >= 1) {
            self.shared.ending.end();
        }
    }

    /// Calls `visits`, if it is set, with the current node of the exact search.
    pub fn show_visit(&mut self, Window { alpha, beta }: Window, depth: i32) {
        if let Some(visits) = &mut self.visits {
            visits(&Visit { position: &self.position, depth, alpha, beta });
        }
    }

    /// The value of a draw for the side to move.
    #[inline(always)]
    pub fn draw_value(&self) -> Value {
        use monomi_movegen::square::Dense;
        let value = self.shared.options.draw_value[self.shared.root_side.dense()];
        if self.position.side_to_move() == self.shared.root_side { value } else { -value }
    }

    /// The evaluation before correction, for the side to move.
    #[inline]
    pub fn evaluate(&mut self) -> Value {
        self.eval.evaluate(&self.position)
    }
}

/// The result of one thread.
pub struct ThreadResult {
    pub best: RootMove,
    pub depth: i32,
    /// The final line of its best move; `None` if nothing was searched.
    pub last: Option<Info>,
    /// Whether the thread has reported its lines itself.
    pub reported: bool,
}

/// Ends the search for all threads when one panics.
struct EndOnPanic<'a>(&'a Ending);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

/// Runs one thread's search and returns its result or its panic.
pub fn search<'a>(
    ending: &Ending,
    make: impl FnOnce() -> SearchThread<'a>,
    reporter: &mut dyn Reporter,
) -> std::thread::Result<ThreadResult> {
    catch_unwind(AssertUnwindSafe(move || {
        let _guard = EndOnPanic(ending);
        let mut thread = make();
        thread.iterative_deepening(reporter);
        let (last, reported) = (thread.final_info(0), thread.id == 0);
        thread.memory.eval = Some(thread.eval);
        ThreadResult {
            best: thread.root_moves[0].clone(),
            depth: thread.completed_depth,
            last,
            reported,
        }
    }))
}
