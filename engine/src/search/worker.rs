//! One search thread: its position, its memory, and the moves it makes on them.

use crate::search::correction::Corrections;
use crate::search::frame::Stack;
use crate::search::history::{Continuation, Histories, PIECE_TO, piece_to};
use crate::search::observer::NodeObserver;
use crate::search::params::Params;
use crate::search::pruning::Reductions;
use crate::search::root::RootMove;
use crate::search::score::{MAX_PLY, SUPERIOR, Value, mate_in, mated_in};
use crate::search::time::{Pace, TimeManager};
use crate::search::tt::TranspositionTable;
use crate::search::{Limits, SearchOptions, Signals};
use monomi_eval::{EvalStack, Evaluation};
use monomi_movegen::{PackedMove, Position, Repetition};
use shogi_core::{Color, Piece};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// What a thread remembers from search to search.
pub struct Memory {
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) stack: Stack,
    /// Made by the first search: what it lies on costs more than a short search does.
    pub(super) eval: Option<EvalStack>,
    /// How the game's moves before were timed.
    pub(super) pace: Pace,
    /// Is shown the nodes of the tree.
    pub(super) observer: Option<NodeObserver>,
}

impl Memory {
    /// Blank.
    pub fn new() -> Self {
        Self {
            histories: Histories::new(),
            corrections: Corrections::new(),
            stack: Stack::new(),
            eval: None,
            pace: Pace::new(),
            observer: None,
        }
    }

    /// Forgets everything learnt.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.stack.clear();
        self.pace = Pace::new();
    }
}

/// A counter on a cache line of its own.
#[repr(align(128))]
#[derive(Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// The count as last published.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// What the threads of one search share.
pub struct Shared<'a> {
    pub(super) tt: &'a TranspositionTable,
    pub(super) options: &'a SearchOptions,
    pub(super) limits: &'a Limits,
    pub(super) signals: &'a Signals,
    pub(super) reductions: &'a Reductions,
    /// Ends all threads: set when the signal came or a limit was reached.
    pub(super) stop: AtomicBool,
    /// Nodes of each thread.
    pub(super) nodes: Vec<Counter>,
    /// The side to move at the root.
    pub(super) root_side: Color,
}

impl Shared<'_> {
    /// Nodes of all threads.
    pub fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(Counter::get).sum()
    }
}

/// Plies between two looks at clock and signals, less one: a power of two less one.
const POLL_MASK: u64 = 511;
/// How far back the search looks for repetitions. The game's own history beyond that matters only
/// for fourfold repetition at the root.
const REPETITION_PLIES: usize = 32;
/// A win by the rules that is no mate: perpetual check, within the tree.
const WIN_BY_RULE: Value = SUPERIOR + 500;

/// A thread at work on one search.
pub struct Worker<'a> {
    pub(super) id: usize,
    pub(super) shared: &'a Shared<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) position: Position,
    pub(super) eval: EvalStack,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    pub(super) stopped: bool,
    /// No null move before this ply: the verification search of one is going on.
    pub(super) null_min_ply: usize,
    /// Width of the root's window: reductions look at a node's share of it.
    pub(super) root_delta: Value,
    pub(super) root_depth: i32,
    pub(super) completed_depth: i32,
    pub(super) root_moves: Vec<RootMove>,
    /// The root's moves in the order in which this iteration searches them, with their places in
    /// `root_moves`.
    pub(super) root_order: Vec<(PackedMove, usize)>,
    /// The principal variation of the last finished iteration.
    pub(super) last_pv: Vec<PackedMove>,
    /// The line (MultiPV) being searched.
    pub(super) pv_index: usize,
    /// How often another move became the best one in this iteration.
    pub(super) best_move_changes: f64,
    /// When to stop for time; only the first thread has it.
    pub(super) clock: Option<TimeManager>,
}

impl<'a> Worker<'a> {
    /// A worker on a root position.
    pub fn new(
        id: usize,
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        root: &Position,
        root_moves: Vec<RootMove>,
        evaluation: Arc<Evaluation>,
    ) -> Self {
        memory.stack.clear();
        memory.histories.new_search();
        let eval = match memory.eval.take() {
            Some(mut eval) => {
                eval.reset(root);
                eval
            }
            None => EvalStack::new(evaluation, root),
        };
        Self {
            id,
            shared,
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
            root_order: Vec::with_capacity(root_moves.len()),
            root_moves,
            last_pv: Vec::new(),
            pv_index: 0,
            best_move_changes: 0.0,
            clock: None,
        }
    }

    /// The search's numbers.
    #[inline(always)]
    pub(super) fn params(&self) -> &'a Params {
        if cfg!(feature = "tune") { &self.shared.options.params } else { &Params::DEFAULT }
    }

    /// Makes a move on the position and all that follows it.
    #[inline]
    pub(super) fn do_move(&mut self, mv: PackedMove, ply: usize) {
        self.shared.tt.prefetch(self.position.key_after(mv));
        let us = self.position.side_to_move();
        let index = self.piece_to(mv);
        let noisy = self.position.is_capture_class(mv);
        let in_check = self.position.in_check();
        let frame = self.memory.stack.at(ply);
        frame.current_move = Some(mv);
        frame.piece_to = index;
        frame.continuation = Continuation::after(index, noisy, in_check);
        debug_assert!(self.position.is_legal(mv), "{mv} for {us:?} in {}", self.position.to_sfen());
        let dirty = self.position.do_move(mv);
        self.eval.push(dirty);
        self.eval.bring_forward(&self.position);
        self.count_node();
    }

    /// Takes a move back.
    #[inline]
    pub(super) fn undo_move(&mut self) {
        self.position.undo_move();
        self.eval.pop();
    }

    /// Passes. As in the field's engines no node is counted: nodes are moves made.
    #[inline]
    pub(super) fn do_null_move(&mut self, ply: usize) {
        let frame = self.memory.stack.at(ply);
        frame.current_move = None;
        frame.piece_to = PIECE_TO;
        frame.continuation = Continuation::NONE;
        self.position.do_null_move();
        self.shared.tt.prefetch(self.position.key());
    }

    #[inline(always)]
    fn count_node(&mut self) {
        self.nodes += 1;
        self.shared.nodes[self.id].0.store(self.nodes, Relaxed);
    }

    /// The histories' index of a legal move.
    #[inline(always)]
    pub(super) fn piece_to(&self, mv: PackedMove) -> usize {
        let kind = self.position.arriving_kind(mv);
        piece_to(Piece::new(kind, self.position.side_to_move()), mv.to())
    }

    /// Whether the search is to end. The first thread looks at limits, clock and signals now and
    /// then; the others look at the flag.
    #[inline]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.id == 0 {
            if let Some(limit) = self.shared.limits.nodes
                && self.nodes >= limit.saturating_sub(self.other_nodes())
            {
                self.shared.stop.store(true, Relaxed);
            }
            if self.nodes & POLL_MASK == 0 {
                self.poll();
            }
        }
        self.stopped = self.shared.stop.load(Relaxed);
        self.stopped
    }

    fn other_nodes(&self) -> u64 {
        if self.shared.nodes.len() == 1 { 0 } else { self.shared.total_nodes() - self.nodes }
    }

    #[cold]
    fn poll(&mut self) {
        let signals = self.shared.signals;
        let out_of_time = self.clock.as_mut().is_some_and(|clock| clock.must_stop(signals));
        if signals.stopped() || (out_of_time && self.completed_depth >= 1) {
            self.shared.stop.store(true, Relaxed);
        }
    }

    /// The value of a draw for the side to move.
    #[inline(always)]
    pub(super) fn draw_value(&self) -> Value {
        use monomi_movegen::square::Dense;
        let value = self.shared.options.draw_value[self.shared.root_side.dense()];
        if self.position.side_to_move() == self.shared.root_side { value } else { -value }
    }

    /// The value of a node that needs no search: by the rules, or because a shorter mate is known
    /// than any that could be found from here, which narrows the window first.
    #[inline(always)]
    pub(super) fn settled_by_rules(
        &mut self,
        alpha: &mut Value,
        beta: &mut Value,
        ply: usize,
    ) -> Option<Value> {
        let value = self.value_by_rule(ply);
        if value.is_some() {
            return value;
        }
        *alpha = (*alpha).max(mated_in(ply));
        *beta = (*beta).min(mate_in(ply + 1));
        (*alpha >= *beta).then_some(*alpha)
    }

    /// The value that the rules give a node at once: repetition, or the game's longest length.
    #[inline]
    fn value_by_rule(&mut self, ply: usize) -> Option<Value> {
        if let Some((repetition, back)) = self.position.repetition(REPETITION_PLIES) {
            let far = ply as Value;
            // Who let the other gain something for nothing would have done better before: that
            // decides as long as it can still be avoided, which moves of the game cannot.
            let avoidable = back < ply;
            match repetition {
                Repetition::Draw => return Some(self.draw_value()),
                Repetition::Win => return Some(WIN_BY_RULE - far),
                Repetition::Lose => return Some(far - WIN_BY_RULE),
                Repetition::Superior if avoidable => return Some(SUPERIOR - far),
                Repetition::Inferior if avoidable => return Some(far - SUPERIOR),
                Repetition::Superior | Repetition::Inferior => {}
            }
        }
        let limit = self.shared.options.max_moves_to_draw;
        if limit > 0 && u32::from(self.position.ply()) > limit {
            let mated = self.position.in_check() && !self.position.has_legal_move();
            return Some(if mated { mated_in(ply) } else { self.draw_value() });
        }
        if ply >= MAX_PLY {
            return Some(if self.position.in_check() { 0 } else { self.evaluate() });
        }
        None
    }

    /// The evaluation before correction, for the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Value {
        self.eval.evaluate(&self.position)
    }
}
