//! Iterative deepening with aspiration windows: the search of the root.

use crate::search::move_picker::MovePicker;
use crate::search::node::{Node, Window};
use crate::search::node_type::{ExactRoot, Root};
use crate::search::report::{Info, Reporter};
use crate::search::root_move::RootMove;
use crate::search::score::{Bound, INFINITE, MATE, MAX_PLY, Score, Value, is_loss};
use crate::search::thread::SearchThread;
use crate::search::time::{IterationStats, NextStep, PreviousMove};
use monomi_movegen::{CheckInfo, PackedMove};
use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Whether a mate is so short for this depth that a deeper search would have found a shorter one.
fn mate_is_final(value: Value, depth: i32) -> bool {
    let plies = MATE - value.abs();
    (0..=MAX_PLY as i32).contains(&plies) && (plies + 2) * 5 / 2 < depth
}

impl SearchThread<'_> {
    /// Iterative deepening until a limit is reached. Only the first thread reports and watches the
    /// clock.
    pub(super) fn iterative_deepening(&mut self, reporter: &mut dyn Reporter) {
        let limits = self.shared.limits;
        let max_depth =
            limits.depth.map_or(MAX_PLY as i32 - 1, |d| d.clamp(1, MAX_PLY as u32 - 1) as i32);
        let lines = self.shared.options.multi_pv.clamp(1, self.root_moves.len());
        let mut stats = IterationStats::default();
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
            self.last_pv.clone_from(&self.root_moves[0].pv);
            if self.id == 0 {
                self.report_lines(lines, reporter);
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
        if self.stopped {
            self.prefer_unrefuted_move();
        }
        if self.id == 0 {
            self.shared.stop.store(true, Relaxed);
            if self.clock.is_some() {
                self.memory.previous_move = PreviousMove::new(self.root_moves[0].mean, &stats);
            }
            // Report once more so that the final info line matches bestmove.
            if self.stopped {
                self.report_lines(lines, reporter);
            }
        }
    }

    /// If the search was stopped after its first move had turned out to lose, moves the best of
    /// those that are not known to lose to the front.
    fn prefer_unrefuted_move(&mut self) {
        if self
            .root_moves
            .first()
            .is_none_or(|best| best.value == -INFINITE || !is_loss(best.value))
        {
            return;
        }
        let hope = |root: &RootMove| {
            let known = root.known();
            known.is_none_or(|value| !is_loss(value)).then_some(known)
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

    /// The minimax value of the root at exactly this depth, by NegaScout without any pruning.
    pub(super) fn search_exactly(&mut self, depth: i32) -> Value {
        self.root_depth = depth;
        self.root_delta = 2 * INFINITE;
        self.negascout::<ExactRoot>(Window::FULL, depth, 0, false)
    }

    /// What time management decides after an iteration.
    fn next_step(&mut self, depth: i32, stats: &mut IterationStats) -> NextStep {
        let best = &self.root_moves[0];
        stats.depth = depth;
        stats.share = best.effort as f64 / self.nodes.max(1) as f64;
        stats.single = self.root_moves.len() == 1;
        stats.values.rotate_right(1);
        stats.values[0] = Some(best.value);
        let signals = self.shared.signals;
        match &mut self.clock {
            Some(clock) => clock.after_iteration(stats, &self.memory.previous_move, signals),
            None => NextStep::Deepen,
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
            let value = self.negascout::<Root>(Window { alpha, beta }, adjusted, 0, false);
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
            if self.id == 0 && lines == 1 {
                self.report_line(index, lines, reporter);
            }
            delta += delta / 3;
        }
    }

    /// Orders the root moves as the move picker does, with the histories of the iterations so far;
    /// moves that the picker does not generate come last.
    pub(super) fn order_root_moves(&mut self, node: &Node, checks: &CheckInfo) {
        let mut picker = MovePicker::main(node.in_check, node.tt_move, MAX_PLY as i32);
        let mut order = std::mem::take(&mut self.root_order);
        order.clear();
        let moves = self.root_moves.iter().map(|root| root.mv).zip(0..).skip(self.pv_index);
        let mut rest: Vec<(PackedMove, usize)> = moves.clone().collect();
        rest.sort_unstable_by_key(|(mv, _)| mv.bits());
        while let Some(mv) = picker.next(&self.move_scorer(0), checks) {
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

    /// Records the value of the root move just searched and the nodes spent on it.
    pub(super) fn record_root_move(&mut self, node: &Node, value: Value, effort: u64) {
        let Window { alpha, beta } = node.window;
        let move_count = node.move_count;
        let (mv, place) = self.root_order[move_count as usize - 1];
        let root = &mut self.root_moves[place];
        debug_assert_eq!(root.mv, mv);
        root.effort += effort;
        root.mean = Some(root.mean.map_or(value, |mean| (mean + value) / 2));
        let squared = i64::from(value) * i64::from(value.abs());
        root.mean_squared = Some(root.mean_squared.map_or(squared, |mean| (mean + squared) / 2));
        if move_count == 1 || value > alpha {
            root.value = value;
            root.seldepth = self.seldepth;
            root.bound = if value >= beta {
                Bound::Lower
            } else if value <= alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root.pv.clear();
            root.pv.push(mv);
            root.pv.extend(self.memory.stack.line(1));
            if move_count > 1 && self.pv_index == 0 {
                self.best_move_changes += 1.0;
            }
        } else {
            root.value = -INFINITE;
        }
    }

    /// Reports all lines.
    fn report_lines(&mut self, lines: usize, reporter: &mut dyn Reporter) {
        for index in 0..lines {
            self.report_line(index, lines, reporter);
        }
    }

    /// Reports one line. The reporter may end the search.
    fn report_line(&mut self, index: usize, lines: usize, reporter: &mut dyn Reporter) {
        if reporter.listens()
            && let Some(info) = self.info(index, lines)
            && let ControlFlow::Break(()) = reporter.info(&info)
        {
            self.shared.stop.store(true, Relaxed);
        }
    }

    /// One of `lines` lines for the reporter; `None` if it has not been searched.
    pub(super) fn info(&self, index: usize, lines: usize) -> Option<Info> {
        let root = &self.root_moves[index];
        root.known().map(|value| Info {
            depth: self.root_depth as u32,
            seldepth: root.seldepth as u32,
            multipv: index + 1,
            multipv_count: lines,
            score: Score::from_value(value),
            bound: if root.value == value { root.bound } else { Bound::Exact },
            nodes: self.shared.total_nodes(),
            time: self.elapsed(),
            hashfull: self.shared.tt.hashfull(),
            pv: root.pv.clone(),
        })
    }

    fn elapsed(&self) -> Duration {
        self.shared.limits.start.elapsed()
    }
}
