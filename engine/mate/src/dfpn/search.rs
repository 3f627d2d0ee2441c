//! Depth-first proof-number search (df-pn, Nagai 2002) with an explicit stack, so that long mates
//! cannot overflow the thread's stack.
//!
//! An attacker's node needs one move that mates, a defender's node one that escapes. The search
//! descends to the most proving leaf and stays below a node while its proof and disproof numbers
//! are under the thresholds. Where a known position is reached deeper than before, thresholds are
//! raised to avoid infinite loops (threshold controlling, Kishimoto 2010).

use super::hand::MateHand;
use super::leaf;
use super::node::{Child, Node, Summary};
use super::progress::{MateProgress, Watch};
use super::repetition::{Path, PathTable};
use super::table::Table;
use super::team::Team;
use super::value::{FIRST_PLY, INFINITE, LIMIT_PLY, NO_PLY, Plies, Ply, UNLIMITED, Value, shorter};
use monomi_movegen::{MoveList, PackedMove, Position};
use parking_lot::{RwLock, RwLockReadGuard};
use std::time::Duration;

/// The maximum length of a path; the longest known problem (Microcosmos) takes 1,525 plies.
const MAX_PATH: Ply = 4000;
/// Nodes between two calls of `stop`.
const STOP_INTERVAL: u64 = 128;

/// What one thread of the search needs beside the table, reused from search to search.
pub(super) struct ThreadMemory {
    pub(super) paths: PathTable,
    path: Path,
    nodes: Vec<Node>,
    children: Vec<Child>,
}

impl ThreadMemory {
    /// With a table of paths of at most `bytes`.
    pub(super) fn new(bytes: usize) -> Self {
        let mut path = Path::default();
        path.clear();
        Self { paths: PathTable::new(bytes), path, nodes: Vec::new(), children: Vec::new() }
    }
}

/// A search from one position by one thread.
pub(super) struct Dfpn<'a> {
    pub(super) position: Position,
    pub(super) memory: &'a mut ThreadMemory,
    lock: &'a RwLock<Table>,
    /// Unlocked only while the table is rebuilt.
    pub(super) table: RwLockReadGuard<'a, Table>,
    /// The other threads, if there are any.
    pub(super) team: Option<&'a Team>,
    /// The number of this thread; 0 is the one that has to answer.
    pub(super) thread: usize,
    /// Whether to stop; called every [`STOP_INTERVAL`] nodes and while the table is rebuilt.
    pub(super) stop: &'a dyn Fn() -> bool,
    /// The number of nodes entered.
    pub(super) count: u64,
    /// The search stops when `count` reaches this.
    pub(super) count_limit: u64,
    pub(super) stopped: bool,
    /// The keys of the positions that occurred three times in the game: at the next occurrence the
    /// game ends, and not by mate.
    occurred: Vec<u64>,
    /// Who wants to know the progress.
    pub(super) watch: Option<Watch<'a>>,
    /// The number of nodes of the path with a child known from a shorter path, minus the number of
    /// leaves reached since.
    extensions: u32,
}

impl<'a> Dfpn<'a> {
    pub(super) fn new(
        position: Position,
        memory: &'a mut ThreadMemory,
        lock: &'a RwLock<Table>,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        memory.path.clear();
        memory.nodes.clear();
        memory.children.clear();
        let occurred = position.repeated_positions(3).into_iter().map(|(key, _)| key).collect();
        Self {
            position,
            memory,
            lock,
            table: lock.read(),
            team: None,
            thread: 0,
            stop,
            count: 0,
            count_limit: u64::MAX,
            stopped: false,
            occurred,
            watch: None,
            extensions: 0,
        }
    }

    /// Makes room in the table. The first thread does it, the others wait for it.
    #[cold]
    fn make_room(&mut self) {
        let (lock, stop, is_first) = (self.lock, self.stop, self.thread == 0);
        let interrupted = RwLockReadGuard::unlocked(&mut self.table, || {
            if is_first {
                return lock.write().make_room(stop).is_err();
            }
            while !stop() && lock.read().needs_room() {
                std::thread::yield_now();
            }
            false
        });
        self.stopped |= interrupted;
    }

    /// Searches for a mate within `len` plies. `attacking`: the attacker is to move. `hand` is the
    /// attacker's hand. The result is final unless the search was stopped or it is a refutation that
    /// depends on [`LIMIT_PLY`].
    pub(super) fn search(&mut self, attacking: bool, hand: MateHand, len: Plies) -> Value {
        self.extensions = 0;
        self.enter(attacking, hand, len, INFINITE, INFINITE);
        loop {
            let Some(&node) = self.memory.nodes.last() else { return Value::open(1, 1) };
            let (summary, finished) = self.summarise(&node);
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

    /// Summarises a node's children. The second result is whether to return to its parent.
    fn summarise(&mut self, node: &Node) -> (Summary, bool) {
        let children = &self.memory.children[node.first..];
        // The first thread searches as if it were alone.
        let team = self.team.filter(|_| self.thread > 0);
        let summarise = |max_pn: u32, max_dn: u32| match team {
            None => node.summary(children, max_pn, max_dn, |_| 0),
            Some(team) => node.summary(children, max_pn, max_dn, |child| team.inside(child.mark)),
        };
        let summary = summarise(node.max_pn, node.max_dn);
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
        (summarise(max_pn, max_dn), finished)
    }

    fn descend(&mut self, mut node: Node, summary: &Summary) {
        node.current = node.first + summary.best;
        let mv = self.memory.children[node.current].mv;
        if let Some(last) = self.memory.nodes.last_mut() {
            last.current = node.current;
        }
        let hand = if node.attacking { node.hand.after(&self.position, mv) } else { node.hand };
        let len = shorter(node.len);
        let (pn, dn) = (summary.child_pn, summary.child_dn);
        self.position.do_move(mv);
        if self.team.is_some() && self.others_have_searched(&node, hand, len, pn, dn) {
            return;
        }
        if std::mem::take(&mut self.memory.children[node.current].fresh) {
            self.extensions = self.extensions.saturating_sub(1);
        }
        self.enter(!node.attacking, hand, len, pn, dn);
    }

    /// Whether another thread has searched the current child, the current position, beyond the
    /// thresholds. Then its value is taken and its move taken back.
    fn others_have_searched(
        &mut self,
        node: &Node,
        hand: MateHand,
        len: Plies,
        max_pn: u32,
        max_dn: u32,
    ) -> bool {
        let board = self.position.board_key();
        let known = self.table.probe(board, hand, len);
        let searched = known.value.is_final() || known.ply.is_some();
        if !searched || known.value.pn < max_pn && known.value.dn < max_dn {
            return false;
        }
        self.position.undo_move();
        let child = &mut self.memory.children[node.current];
        child.value = known.value;
        child.fresh = false;
        self.unlock(node, node.current);
        true
    }

    /// Pushes a node for the current position and evaluates its moves.
    fn enter(&mut self, attacking: bool, hand: MateHand, len: Plies, max_pn: u32, max_dn: u32) {
        self.count += 1;
        if self.count.is_multiple_of(STOP_INTERVAL) {
            self.stopped |= (self.stop)();
            if let Some(team) = self.team {
                self.stopped |= team.count(STOP_INTERVAL) >= self.count_limit || team.is_halted();
            }
            if let Some(watch) = &self.watch {
                watch.tell(|time| self.progress(time));
            }
        }
        self.stopped |= self.count >= self.count_limit;
        if self.table.needs_room() {
            self.make_room();
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
        if let Some(team) = self.team {
            team.enter(Team::mark(board, hand));
        }
        if self.stopped {
            return;
        }
        let mut moves = MoveList::new();
        if attacking {
            self.position.generate_all_checks(&mut moves);
        } else {
            self.position.generate_all(&mut moves);
        }
        self.create_children(&node, &moves);
        let mut met_before = false;
        for index in node.first..self.memory.children.len() {
            if !self.memory.children[index].locked {
                met_before |= self.evaluate(&node, index);
                let value = self.memory.children[index].value;
                if node.own(&value) == 0 && value.depends_on == NO_PLY {
                    // This child decides the node.
                    break;
                }
                met_before |= self.unlock(&node, index);
            }
        }
        if met_before {
            self.extensions += 1;
        }
    }

    fn progress(&self, time: Duration) -> MateProgress {
        let ThreadMemory { nodes, children, .. } = &*self.memory;
        let end = nodes.get(1).map_or(children.len(), |second| second.first);
        let root = nodes.first().filter(|_| end > 0);
        let summary = root.map(|root| root.summary(&children[..end], INFINITE, INFINITE, |_| 0));
        // The moves of the last node are not chosen yet.
        let parents = nodes.iter().take(nodes.len().saturating_sub(1));
        MateProgress {
            nodes: self.team.map_or(self.count, Team::nodes),
            time,
            proof: summary.as_ref().map_or(1, |summary| summary.pn),
            disproof: summary.as_ref().map_or(1, |summary| summary.dn),
            hashfull: self.table.permille(),
            line: parents.map(|node| children[node.current].mv).collect(),
        }
    }

    /// Creates the children. Some are locked until another one has failed: all but the first of the
    /// defender's drops on one square, and of its drops on unprotected squares, because the same
    /// reply usually refutes all of them; and a move without promotion until the promotion has
    /// failed, because it can only be better to avoid uchifuzume.
    fn create_children(&mut self, node: &Node, moves: &[PackedMove]) {
        // `Square::index` starts at 1.
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
                    other.is_promotion()
                        && other.from_square() == mv.from_square()
                        && other.to() == mv.to()
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
                mark: 0,
            });
        }
    }

    /// If the child has failed for its side, unlocks the child that waits for it, and so on. Returns
    /// whether a position known from a shorter path was found.
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

    /// Looks a child up or evaluates it as a leaf. Returns whether it is known from a shorter path.
    fn evaluate(&mut self, node: &Node, index: usize) -> bool {
        let mv = self.memory.children[index].mv;
        let hand = if node.attacking { node.hand.after(&self.position, mv) } else { node.hand };
        self.position.do_move(mv);
        let len = shorter(node.len);
        let (value, met_at) = self.known(!node.attacking, hand, len);
        let mark = Team::mark(self.position.board_key(), hand);
        self.position.undo_move();
        let child = &mut self.memory.children[index];
        child.value = value;
        child.mark = mark;
        child.fresh = met_at.is_none();
        if node.attacking && child.fresh && !value.is_final() {
            let (harder, safer) = leaf::initial_number_bonus(&self.position, mv);
            child.value.pn += harder;
            child.value.dn += safer;
        }
        met_at.is_some_and(|ply| ply <= self.memory.path.ply())
    }

    /// The known value of the current position, which is one ply beyond the path, and the smallest
    /// ply at which it was searched.
    fn known(&mut self, attacking: bool, hand: MateHand, len: Plies) -> (Value, Option<Ply>) {
        let board = self.position.board_key();
        if !self.occurred.is_empty() && self.occurred.contains(&self.position.key()) {
            // Holds for this hand and game only, so it is stored by path.
            return (Value::refuted(hand, UNLIMITED, FIRST_PLY), None);
        }
        let path = &self.memory.path;
        if let Some(ply) = path.find(board, hand) {
            return (Value::refuted(hand, UNLIMITED, ply), None);
        }
        if path.ply() >= MAX_PATH {
            return (Value::refuted(hand, UNLIMITED, LIMIT_PLY), None);
        }
        let known = self.table.probe(board, hand, len);
        if known.value.is_final() {
            return (known.value, None);
        }
        let path = &self.memory.path;
        if let Some((len, ply)) = self.memory.paths.probe(path.hash_with(board, hand), len) {
            return (Value::refuted(hand, len, ply), None);
        }
        // At the limit of plies the leaf evaluation is exact.
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
            self.table.store(board, hand, &first, ply, 1);
            return (first, None);
        }
        (Value::open(first.pn.max(known.value.pn), first.dn.max(known.value.dn)), None)
    }

    /// Pops the node and stores its value.
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
        if let Some(team) = self.team {
            team.leave(Team::mark(node.board, node.hand));
        }
        self.memory.children.truncate(node.first);
        if self.stopped && !value.is_final() {
            return value;
        }
        if value.is_refuted() && value.depends_on < ply {
            self.memory.paths.store(path, value.len, value.depends_on);
            return value;
        }
        // A refutation that depends only on this node or on its descendants holds on every path: a
        // shortest mate does not repeat this position.
        value.depends_on = NO_PLY;
        self.table.store(node.board, node.hand, &value, ply, effort);
        value
    }

    /// Whether the search was stopped before the node's moves were evaluated.
    fn interrupted_at(&self, node: &Node) -> bool {
        self.stopped && self.memory.children.len() == node.first
    }
}
