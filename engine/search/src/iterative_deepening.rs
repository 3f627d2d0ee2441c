//! Iterative deepening with aspiration windows: the search of the root.

use crate::move_picker::{MovePicker, left_out};
use crate::node::{Node, Outcome, Window};
use crate::node_type::Root;
use crate::report::{Info, Reporter};
use crate::root_move::{ExactLine, RootMove};
use crate::selective::Selective;
use crate::thread::SearchThread;
use crate::time::{IterationStats, NextStep, PreviousMove};
use monomi_eval::score::{Bound, INFINITE, MATE, MAX_PLY, Score, Value, is_loss};
use monomi_movegen::{CheckInfo, PackedMove};
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// Longest principal variation made from the transposition table.
const EXTENDED_PV: usize = 16;

/// Whether a mate is so short for this depth that a deeper search would have found a shorter one.
fn mate_is_final(value: Value, depth: i32) -> bool {
    let plies = MATE - value.abs();
    (0..=MAX_PLY as i32).contains(&plies) && (plies + 2) * 5 / 2 < depth
}

impl SearchThread<'_> {
    /// Iterative deepening until a limit is reached. Only the first thread reports and watches the
    /// clock.
    pub fn iterative_deepening(&mut self, reporter: &mut dyn Reporter) {
        let shared = self.shared;
        let limits = &shared.limits;
        let max_depth =
            limits.depth.map_or(MAX_PLY as i32 - 1, |d| d.clamp(1, MAX_PLY as u32 - 1) as i32);
        let lines = self.shared.options.multi_pv.clamp(1, self.root_moves.len());
        let mut stats = IterationStats::default();
        // MultiPV: the root moves after the last completed iteration.
        let mut completed = Vec::new();
        for depth in 1..=max_depth {
            self.root_depth = depth;
            stats.changes /= 2.0;
            for root in &mut self.root_moves {
                root.previous = root.value;
            }
            let best_before = self.root_moves[0].mv;
            for index in 0..lines {
                self.pv_index = index;
                self.seldepth = 0;
                let adjusted = depth - 3 * (stats.repeats + 1) / 4;
                self.aspiration_windows(adjusted, lines, reporter);
                self.root_moves[..=index].sort_by_key(|root| Reverse(root.value));
                if self.stopped {
                    break;
                }
            }
            if self.stopped {
                break;
            }
            self.completed_depth = depth;
            if depth == 1 {
                self.shared.ending.set_has_answer();
                if let Some(start_helpers) = self.start_helpers.take() {
                    start_helpers();
                }
            }
            self.last_pv.clone_from(&self.root_moves[0].pv);
            if lines > 1 {
                completed.clone_from(&self.root_moves);
            }
            if self.id == 0 {
                for index in 0..lines {
                    let info = self.info(index, lines);
                    self.report(info, reporter);
                }
            }
            let best = &self.root_moves[0];
            stats.changes += std::mem::take(&mut self.best_move_changes);
            if best.mv != best_before {
                stats.last_change = depth;
            }
            if lines == 1 && limits.depth.is_none() && mate_is_final(best.value, depth) {
                break;
            }
            match self.next_step(depth, &mut stats) {
                NextStep::Deepen => {}
                NextStep::Repeat => stats.repeats += 1,
                NextStep::Stop => break,
            }
        }
        if self.stopped && lines == 1 {
            self.prefer_unrefuted_move();
        } else if self.stopped && !completed.is_empty() {
            // Lines of different depths cannot be ranked.
            self.root_moves = completed;
        }
        if self.id == 0 {
            self.shared.ending.end();
            // Pondering on a move that was not played says nothing of the game.
            if self.clock.as_ref().is_some_and(|clock| !clock.is_pondering()) {
                self.memory.previous_move =
                    PreviousMove::new(self.root_moves[0].mean, &stats, self.params());
            }
            // Report once more so that the final info line matches bestmove.
            if self.stopped {
                let infos: Vec<_> = (0..lines).map_while(|i| self.final_info(i)).collect();
                let multipv_count = infos.len();
                for info in infos {
                    self.report(Some(Info { multipv_count, ..info }), reporter);
                }
            }
        }
    }

    /// If the search was stopped after its first move had turned out to lose, moves the best of
    /// those that are not known to lose to the front. Not if it was known to lose before: then the
    /// others most probably lose as well.
    fn prefer_unrefuted_move(&mut self) {
        let refuted = |best: &RootMove| {
            best.value != -INFINITE
                && is_loss(best.value)
                && !(best.previous != -INFINITE && is_loss(best.previous))
        };
        if !self.root_moves.first().is_some_and(refuted) {
            return;
        }
        let hope = |root: &RootMove| {
            let known = root.known();
            (!root.loses && known.is_none_or(|value| !is_loss(value))).then_some(known)
        };
        let order = &self.root_order;
        let rank = |root: &RootMove| order.iter().position(|&(mv, _)| mv == root.mv);
        let best = (1..self.root_moves.len())
            .filter(|&i| hope(&self.root_moves[i]).is_some())
            .max_by_key(|&i| {
                let root = &self.root_moves[i];
                (hope(root), Reverse(rank(root)))
            });
        if let Some(best) = best {
            self.root_moves[..=best].rotate_right(1);
        }
    }

    /// What time management decides after an iteration.
    fn next_step(&mut self, depth: i32, stats: &mut IterationStats) -> NextStep {
        let best = &self.root_moves[0];
        stats.depth = depth;
        stats.share = best.effort as f64 / self.nodes.max(1) as f64;
        stats.single = self.root_moves.len() == 1;
        stats.values.rotate_right(1);
        stats.values[0] = Some(best.value);
        match (&mut self.clock, self.signals) {
            (Some(clock), Some(signals)) => {
                clock.after_iteration(stats, &self.memory.previous_move, signals)
            }
            _ => NextStep::Deepen,
        }
    }

    /// One line of one iteration with aspiration windows: a window around the expected value that is
    /// widened on the side on which the search fails.
    fn aspiration_windows(&mut self, depth: i32, lines: usize, reporter: &mut dyn Reporter) {
        let params = self.params();
        let index = self.pv_index;
        let root = &self.root_moves[index];
        let mut alpha = -INFINITE;
        let mut beta = INFINITE;
        // Lazy SMP: different windows make the threads search different trees.
        let mut delta = params.aspiration_delta + (self.id % 8) as Value;
        if let (Some(mean), Some(squared)) = (root.mean, root.mean_squared) {
            delta += (squared.abs() / i64::from(params.aspiration_divisor)).min(1_000) as Value;
            alpha = (mean - delta).max(-INFINITE);
            beta = (mean + delta).min(INFINITE);
        }
        let mut failed_high = 0;
        loop {
            self.root_delta = beta - alpha;
            let adjusted = (depth - failed_high).max(1);
            let value = self.search::<Selective, Root>(Window { alpha, beta }, adjusted, 0, false);
            // The sort is stable: moves without a value keep their order.
            self.root_moves[index..].sort_by_key(|root| Reverse(root.value));
            if self.stopped {
                return;
            }
            if value <= alpha {
                beta = alpha;
                alpha = (value - delta).max(-INFINITE);
                failed_high = 0;
                if let Some(clock) = &mut self.clock {
                    clock.failed_low();
                }
            } else if value >= beta {
                alpha = (beta - delta).max(alpha);
                beta = (value + delta).min(INFINITE);
                failed_high += 1;
            } else {
                break;
            }
            // After a fail high the moves not searched keep the values of the last iteration. One of
            // them may be first now; it has no result of this depth.
            let searched = self.root_moves[index].bound != Bound::Exact;
            if self.id == 0 && lines == 1 && searched {
                let info = self.info(index, lines);
                self.report(info, reporter);
            }
            delta += delta / 3;
        }
    }

    /// Orders the root moves as the move picker does, with the histories of the iterations so far;
    /// moves that the picker does not generate come last.
    pub fn order_root_moves(&mut self, node: &Node) {
        let checks = CheckInfo::new(&self.position);
        let mut picker = MovePicker::main(self.entry(node).in_check, node.tt_move, MAX_PLY as i32);
        let mut order = std::mem::take(&mut self.root_order);
        order.clear();
        let moves = self.root_moves.iter().map(|root| root.mv).zip(0..).skip(self.pv_index);
        let mut rest: Vec<(PackedMove, usize)> = moves.clone().collect();
        rest.sort_unstable_by_key(|(mv, _)| mv.bits());
        while let Some(mv) = picker.next(&self.move_scorer(0), &checks) {
            if let Ok(found) = rest.binary_search_by_key(&mv.bits(), |(mv, _)| mv.bits()) {
                order.push(rest[found]);
            }
        }
        if order.len() < rest.len() {
            let left: Vec<_> = moves.filter(|entry| !order.contains(entry)).collect();
            order.extend(left);
        }
        self.root_order = order;
    }

    /// Adds the moves that are left out at first, unless certain moves were asked for: all others
    /// lose by mate.
    #[cold]
    pub fn add_left_out_root_moves(&mut self) {
        if !self.shared.limits.searchmoves.is_empty() {
            return;
        }
        for mv in left_out(&self.position) {
            if self.root_moves.iter().all(|root| root.mv != mv) {
                self.root_order.push((mv, self.root_moves.len()));
                self.root_moves.push(RootMove::new(mv));
            }
        }
    }

    /// Records the value of the root move just searched and the nodes spent on it.
    pub fn record_root_move(&mut self, node: &Node, value: Value, outcome: Outcome, effort: u64) {
        let move_count = node.move_count;
        let (mv, place) = self.root_order[move_count as usize - 1];
        let root = &mut self.root_moves[place];
        debug_assert_eq!(root.mv, mv);
        root.effort += effort;
        root.loses = outcome != Outcome::Cutoff && is_loss(value);
        root.mean = Some(root.mean.map_or(value, |mean| (mean + value) / 2));
        let squared = i64::from(value) * i64::from(value.abs());
        root.mean_squared = Some(root.mean_squared.map_or(squared, |mean| (mean + squared) / 2));
        if move_count == 1 || outcome != Outcome::Worse {
            root.value = value;
            root.seldepth = self.seldepth;
            root.bound = match outcome {
                Outcome::Worse => Bound::Upper,
                Outcome::Better => Bound::Exact,
                Outcome::Cutoff => Bound::Lower,
            };
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend(self.memory.stack.line(1));
            if root.bound == Bound::Exact {
                let (depth, seldepth) = (self.root_depth as u32, root.seldepth);
                root.exact = Some(ExactLine { depth, seldepth, value, pv: root.pv.clone() });
            }
            if move_count > 1 && self.pv_index == 0 {
                self.best_move_changes += 1.0;
            }
        } else {
            root.value = -INFINITE;
        }
    }

    /// Reports one line. The reporter may end the search.
    fn report(&mut self, info: Option<Info>, reporter: &mut dyn Reporter) {
        if reporter.listens()
            && let Some(info) = info
            && let ControlFlow::Break(()) = reporter.info(&info)
        {
            self.shared.ending.end();
        }
    }

    /// One of `lines` lines as of this iteration; `None` if it has not been searched.
    fn info(&self, index: usize, lines: usize) -> Option<Info> {
        let root = &self.root_moves[index];
        root.known().map(|value| Info {
            depth: self.root_depth as u32,
            seldepth: root.seldepth as u32,
            multipv: index + 1,
            multipv_count: lines,
            score: Score::from_value(value),
            bound: if root.value == value { root.bound } else { Bound::Exact },
            nodes: self.shared.total_nodes(),
            time: self.shared.limits.start.elapsed(),
            hashfull: self.shared.tt.hashfull(),
            pv: root.pv.clone(),
        })
    }

    /// The line to report for a root move after the search: the root move's exact result of this or the last
    /// completed iteration, with the depth that found it. A move without one (it failed high just
    /// now, or it replaced a refuted move) gets its last value instead, and a principal variation
    /// from the transposition table. `None` if it has not been searched at all.
    pub fn final_info(&self, index: usize) -> Option<Info> {
        let root = &self.root_moves[index];
        let recent = |exact: &&ExactLine| exact.depth as i32 >= self.completed_depth;
        let single = self.shared.options.multi_pv <= 1;
        let line = match root.exact.as_ref().filter(recent) {
            // A single move shows nothing to ponder on. Only after a stop is this line shown; with
            // MultiPV all lines stay as they were.
            Some(exact) if self.stopped && single && exact.pv.len() == 1 => {
                ExactLine { pv: self.extended_pv(&exact.pv), ..exact.clone() }
            }
            Some(exact) => exact.clone(),
            None => ExactLine {
                depth: self.completed_depth.max(1) as u32,
                seldepth: root.seldepth,
                value: root.known().or(root.mean)?,
                pv: self.extended_pv(&root.pv),
            },
        };
        Some(Info {
            depth: line.depth,
            seldepth: line.seldepth as u32,
            multipv: index + 1,
            multipv_count: 1,
            score: Score::from_value(line.value),
            bound: Bound::Exact,
            nodes: self.shared.total_nodes(),
            time: self.shared.limits.start.elapsed(),
            hashfull: self.shared.tt.hashfull(),
            pv: line.pv,
        })
    }

    /// A line from the root continued with the transposition table's moves, up to
    /// [`EXTENDED_PV`] moves or a repetition.
    fn extended_pv(&self, line: &[PackedMove]) -> Vec<PackedMove> {
        let mut position = self.position.clone();
        let mut pv = line.to_vec();
        for &mv in line {
            position.do_move(mv);
        }
        while pv.len() < EXTENDED_PV && position.repetition_in_search(pv.len()).is_none() {
            let (entry, _) = self.shared.probe(position.key(), pv.len());
            let Some(mv) = entry.and_then(|e| e.mv).filter(|&mv| position.is_legal(mv)) else {
                break;
            };
            position.do_move(mv);
            pv.push(mv);
        }
        pv
    }
}
