//! Depth-first proof-number search (Nagai 2002) with a stack of its own, so that no length of mate
//! overflows the thread's.
//!
//! The attacker's nodes need one move that mates, the defender's one that escapes. The search walks
//! down to the leaf whose answer would tell most and stays below a node as long as its numbers are
//! under thresholds. Endless transpositions are broken by raising the thresholds where a known
//! position is met deeper than before (threshold controlling, Kishimoto 2010).

use super::hand::MateHand;
use super::leaf;
use super::node::{Child, Node, Summary};
use super::repetition::{Path, PathTable};
use super::table::Table;
use super::value::{INFINITE, LIMIT_PLY, NO_PLY, Plies, Ply, UNLIMITED, Value, shorter};
use monomi_movegen::{MoveList, PackedMove, Position};

/// No path is longer: enough for every problem that was ever composed (1,525 plies).
const LONGEST_PATH: Ply = 4000;
/// Nodes between two looks at the clock.
const PATIENCE: u64 = 128;

/// The search's memory.
pub(super) struct Memory {
    pub(super) table: Table,
    pub(super) paths: PathTable,
    path: Path,
    nodes: Vec<Node>,
    children: Vec<Child>,
}

impl Memory {
    /// Tables of at most so many bytes together.
    pub(super) fn new(bytes: usize) -> Self {
        let mut path = Path::default();
        path.clear();
        Self {
            table: Table::new(bytes / 16 * 15),
            paths: PathTable::new(bytes / 16),
            path,
            nodes: Vec::new(),
            children: Vec::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.table.clear();
        self.paths.clear();
    }
}

/// A search from one position.
pub(super) struct Dfpn<'a> {
    pub(super) position: Position,
    pub(super) memory: &'a mut Memory,
    /// Whether to end; asked every [`PATIENCE`] nodes and while the table is rebuilt.
    pub(super) stop: &'a dyn Fn() -> bool,
    /// Nodes entered.
    pub(super) count: u64,
    /// The search ends when the counter reaches this.
    pub(super) count_limit: u64,
    pub(super) stopped: bool,
    /// How many nodes of the path have met a position known from a shorter one, less the leaves
    /// reached since.
    extensions: u32,
}

impl<'a> Dfpn<'a> {
    pub(super) fn new(
        position: Position,
        memory: &'a mut Memory,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        memory.path.clear();
        Self {
            position,
            memory,
            stop,
            count: 0,
            count_limit: u64::MAX,
            stopped: false,
            extensions: 0,
        }
    }

    /// Searches for a mate within `len` plies. `attacking`: the attacker is to move; `hand` is the
    /// attacker's. The result is final unless the search was stopped, or (a refutation) rests on
    /// [`LIMIT_PLY`].
    pub(super) fn search(&mut self, attacking: bool, hand: MateHand, len: Plies) -> Value {
        self.extensions = 0;
        self.enter(attacking, hand, len, INFINITE, INFINITE);
        loop {
            let Some(&node) = self.memory.nodes.last() else { return Value::open(1, 1) };
            let (summary, finished) = self.look(&node);
            if !finished {
                self.descend(node, &summary);
                continue;
            }
            let value = self.leave(&node, &summary);
            let Some(parent) = self.memory.nodes.last().copied() else { return value };
            self.position.undo_move();
            let child = &mut self.memory.children[parent.current];
            child.value = value;
            self.unlock(&parent, parent.current);
        }
    }

    /// Sums a node up, and says whether it is done with.
    fn look(&mut self, node: &Node) -> (Summary, bool) {
        let children = &self.memory.children[node.first..];
        let summary = node.summary(children, node.max_pn, node.max_dn);
        if summary.pn == 0 || summary.dn == 0 || self.stopped {
            return (summary, true);
        }
        if self.extensions == 0 {
            let finished = summary.pn >= node.max_pn || summary.dn >= node.max_dn;
            return (summary, finished);
        }
        let max_pn = node.max_pn.max(summary.pn.saturating_add(1)).min(INFINITE);
        let max_dn = node.max_dn.max(summary.dn.saturating_add(1)).min(INFINITE);
        let finished = summary.pn >= max_pn || summary.dn >= max_dn;
        (node.summary(children, max_pn, max_dn), finished)
    }

    fn descend(&mut self, mut node: Node, summary: &Summary) {
        node.current = node.first + summary.best;
        let child = &mut self.memory.children[node.current];
        let mv = child.mv;
        if std::mem::take(&mut child.fresh) {
            self.extensions = self.extensions.saturating_sub(1);
        }
        if let Some(last) = self.memory.nodes.last_mut() {
            last.current = node.current;
        }
        let hand = if node.attacking { node.hand.after(&self.position, mv) } else { node.hand };
        self.position.do_move(mv);
        let (pn, dn) = (summary.child_pn, summary.child_dn);
        self.enter(!node.attacking, hand, shorter(node.len), pn, dn);
    }

    /// Puts the position's node on the stack and looks at its moves.
    fn enter(&mut self, attacking: bool, hand: MateHand, len: Plies, max_pn: u32, max_dn: u32) {
        self.count += 1;
        if self.count.is_multiple_of(PATIENCE) && (self.stop)() || self.count >= self.count_limit {
            self.stopped = true;
        }
        if self.memory.table.is_crowded() && self.memory.table.make_room(self.stop).is_err() {
            self.stopped = true;
        }
        let board = self.position.board_key();
        let node = Node {
            attacking,
            board,
            hand,
            len,
            max_pn,
            max_dn,
            first: self.memory.children.len(),
            current: 0,
            entered_at: self.count,
        };
        self.memory.path.push(board, hand);
        self.memory.nodes.push(node);
        if self.stopped {
            return;
        }
        let mut moves = MoveList::new();
        if attacking {
            self.position.generate_all_checks(&mut moves);
        } else {
            self.position.generate_all(&mut moves);
        }
        self.line_up(&node, &moves);
        let mut met_before = false;
        for index in node.first..self.memory.children.len() {
            if !self.memory.children[index].locked {
                met_before |= self.evaluate(&node, index);
                let value = self.memory.children[index].value;
                if node.own(&value) == 0 && value.rests_on == NO_PLY {
                    // This one decides.
                    break;
                }
                met_before |= self.unlock(&node, index);
            }
        }
        if met_before {
            self.extensions += 1;
        }
    }

    /// Lists the moves. Some wait for another: of the drops on one square, and of those on squares
    /// that no other piece of the defender guards, all but the first, as what answers one mostly
    /// answers all; and a move without promotion for the same with it, as it is better only where a
    /// pawn drop must not mate.
    fn line_up(&mut self, node: &Node, moves: &[PackedMove]) {
        // Squares count from 1.
        const UNGUARDED: usize = 0;
        let position = &self.position;
        let (us, occupied) = (position.side_to_move(), position.occupied());
        let children = &mut self.memory.children;
        let mut dropped_at = [usize::MAX; 82];
        for (index, &mv) in moves.iter().enumerate() {
            let leader = if mv.is_drop() {
                let guarded = node.attacking || position.is_attacked(mv.to(), us, occupied);
                let square = if guarded { mv.to().index() as usize } else { UNGUARDED };
                let last = &mut dropped_at[square];
                let leader = (!node.attacking && *last != usize::MAX).then_some(*last);
                *last = index;
                leader
            } else if !mv.is_promotion() {
                let same = |other: &PackedMove| {
                    other.is_promotion() && other.from() == mv.from() && other.to() == mv.to()
                };
                moves[..index].iter().rposition(same)
            } else {
                None
            };
            if let Some(leader) = leader {
                children[node.first + leader].leads_to = (index - leader) as u16;
            }
            children.push(Child {
                mv,
                value: Value::open(1, 1),
                locked: leader.is_some(),
                fresh: true,
                leads_to: 0,
            });
        }
    }

    /// If the child has failed for its side, the one that waits for it gets its turn, and so on.
    /// Says whether a position was met that is known from a shorter path.
    fn unlock(&mut self, node: &Node, mut index: usize) -> bool {
        let mut met_before = false;
        loop {
            let child = &self.memory.children[index];
            if node.others(&child.value) != 0 || child.leads_to == 0 {
                return met_before;
            }
            index += usize::from(std::mem::take(&mut self.memory.children[index].leads_to));
            self.memory.children[index].locked = false;
            met_before |= self.evaluate(node, index);
        }
    }

    /// Finds out what is known of a child. Says whether it was met before on a shorter path.
    fn evaluate(&mut self, node: &Node, index: usize) -> bool {
        let mv = self.memory.children[index].mv;
        let hand = if node.attacking { node.hand.after(&self.position, mv) } else { node.hand };
        self.position.do_move(mv);
        let len = shorter(node.len);
        let (value, met_at) = self.known(!node.attacking, hand, len);
        self.position.undo_move();
        let child = &mut self.memory.children[index];
        child.value = value;
        child.fresh = met_at.is_none();
        if node.attacking && child.fresh && !value.is_final() {
            let (harder, safer) = leaf::prospects(&self.position, mv);
            child.value.pn += harder;
            child.value.dn += safer;
        }
        met_at.is_some_and(|ply| ply <= self.memory.path.ply())
    }

    /// What is known of the position, one ply below the path's end, and the least ply at which it
    /// was searched.
    fn known(&mut self, attacking: bool, hand: MateHand, len: Plies) -> (Value, Option<Ply>) {
        let board = self.position.board_key();
        let path = &self.memory.path;
        if let Some(ply) = path.find(board, hand) {
            return (Value::refuted(hand, UNLIMITED, ply), None);
        }
        if path.ply() >= LONGEST_PATH {
            return (Value::refuted(hand, UNLIMITED, LIMIT_PLY), None);
        }
        let known = self.memory.table.probe(board, hand, len);
        if known.value.is_final() {
            return (known.value, None);
        }
        if let Some((len, ply)) = self.memory.paths.probe(path.hash_with(board, hand), len) {
            return (Value::refuted(hand, len, ply), None);
        }
        // At the limit of plies a look tells all.
        if known.ply.is_some() && len > 1 {
            return (known.value, known.ply);
        }
        let first = if attacking {
            leaf::attacker(&mut self.position, hand, len)
        } else {
            leaf::defender(&self.position, hand, len)
        };
        if first.is_final() {
            let ply = self.memory.path.ply() + 1;
            self.memory.table.store(board, hand, &first, ply, 1);
            return (first, None);
        }
        (Value::open(first.pn.max(known.value.pn), first.dn.max(known.value.dn)), None)
    }

    /// Takes the node off the stack and remembers what came out.
    fn leave(&mut self, node: &Node, summary: &Summary) -> Value {
        let ply = self.memory.path.ply();
        let path = self.memory.path.hash();
        let effort = u32::try_from(self.count - node.entered_at + 1).unwrap_or(u32::MAX);
        let mut value = Value::open(summary.pn, summary.dn);
        if (summary.pn == 0 || summary.dn == 0) && !self.interrupted_at(node) {
            let children = &self.memory.children[node.first..];
            value = node.conclusion(children, &self.position);
        }
        self.memory.path.pop();
        self.memory.nodes.pop();
        self.memory.children.truncate(node.first);
        if self.stopped && !value.is_final() {
            return value;
        }
        if value.is_refuted() && value.rests_on < ply {
            self.memory.paths.store(path, value.len, value.rests_on);
            return value;
        }
        // What rests on this node itself, or on one below, rests on nothing: a shortest mate would
        // not come back here.
        value.rests_on = NO_PLY;
        self.memory.table.store(node.board, node.hand, &value, ply, effort);
        value
    }

    /// A node entered when the search was stopped has not looked at its moves.
    fn interrupted_at(&self, node: &Node) -> bool {
        self.stopped && self.memory.children.len() == node.first
    }
}
