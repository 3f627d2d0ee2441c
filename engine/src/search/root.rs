//! Iterative deepening with aspiration windows: the search from the root's side.

use crate::search::node::{ExactRoot, Root};
use crate::search::pruning::is_loss;
use crate::search::report::{Info, Reporter};
use crate::search::score::{Bound, INFINITE, MATE, MAX_PLY, Score, Value};
use crate::search::time::{Pace, Verdict};
use crate::search::worker::Worker;
use monomi_movegen::PackedMove;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: PackedMove,
    /// Value in this iteration; minus infinity while it is only known to be worse.
    pub value: Value,
    /// Value in the iteration before.
    pub previous: Value,
    /// Running mean of its values, the centre of the next window.
    pub mean: Option<Value>,
    /// Running mean of value times magnitude: how much the window should open.
    pub mean_squared: Option<i64>,
    /// Whether `value` is exact.
    pub bound: Bound,
    /// Deepest line.
    pub seldepth: usize,
    /// Nodes spent on it, all iterations.
    pub effort: u64,
    /// Its line.
    pub pv: Vec<PackedMove>,
}

impl RootMove {
    /// A move not yet searched.
    pub fn new(mv: PackedMove) -> Self {
        Self {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            mean: None,
            mean_squared: None,
            bound: Bound::Exact,
            seldepth: 0,
            effort: 0,
            pv: vec![mv],
        }
    }

    /// Its value as last searched: in this iteration or in the one before.
    pub(super) fn known(&self) -> Option<Value> {
        [self.value, self.previous].into_iter().find(|&value| value != -INFINITE)
    }
}

/// Whether a mate is found that searching this much deeper has not made shorter.
fn settled_by_mate(value: Value, depth: i32) -> bool {
    let plies = MATE - value.abs();
    (0..=MAX_PLY as i32).contains(&plies) && (plies + 2) * 5 / 2 < depth
}

/// How the best move of the first line has behaved over the iterations; time management asks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// The iteration just finished.
    pub(super) depth: i32,
    /// Whether there is but one move.
    pub(super) single: bool,
    /// The best move's share of all nodes.
    pub(super) share: f64,
    /// Iteration in which the best move last changed.
    pub(super) last_change: i32,
    /// Recent changes of the best move, fading.
    pub(super) changes: f64,
    /// Values of the last iterations, newest first.
    pub(super) values: [Option<Value>; 5],
    /// Iterations that did not go deeper for want of time.
    pub(super) repeats: i32,
}

impl Worker<'_> {
    /// Deepens until a limit is reached. Only the first thread reports and watches the clock.
    pub(super) fn deepen(&mut self, reporter: &mut dyn Reporter) {
        let limits = self.shared.limits;
        let max_depth =
            limits.depth.map_or(MAX_PLY as i32 - 1, |d| d.clamp(1, MAX_PLY as u32 - 1) as i32);
        let lines = self.shared.options.multi_pv.clamp(1, self.root_moves.len());
        let mut progress = Progress::default();
        for depth in 1..=max_depth {
            self.root_depth = depth;
            progress.changes /= 2.0;
            for root in &mut self.root_moves {
                root.previous = root.value;
            }
            let best_before = self.root_moves[0].mv;
            for index in 0..lines {
                self.pv_index = index;
                self.seldepth = 0;
                self.aspirate(depth - 3 * (progress.repeats + 1) / 4, lines, reporter);
                self.root_moves[..=index].sort_by_key(|root| std::cmp::Reverse(root.value));
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
            progress.changes += std::mem::take(&mut self.best_move_changes);
            if best.mv != best_before {
                progress.last_change = depth;
            }
            if lines == 1 && limits.depth.is_none() && settled_by_mate(best.value, depth) {
                break;
            }
            match self.verdict(depth, &mut progress) {
                Verdict::Deepen => {}
                Verdict::Repeat => progress.repeats += 1,
                Verdict::Enough => break,
            }
        }
        if self.stopped {
            self.escape_refutation();
        }
        if self.id == 0 {
            self.shared.stop.store(true, Relaxed);
            if self.clock.is_some() {
                self.memory.pace = Pace::after(self.root_moves[0].mean, &progress);
            }
            // The last word is about the move that will be played.
            if self.stopped {
                self.report_lines(lines, reporter);
            }
        }
    }

    /// The iteration was cut off right behind the refutation of its first move: a move of which no
    /// such thing is known goes before it.
    fn escape_refutation(&mut self) {
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
                (hope(root), std::cmp::Reverse(rank(root)))
            });
        if let Some(best) = best {
            self.root_moves[..=best].rotate_right(1);
        }
    }

    /// The minimax value of the root at exactly this depth, by NegaScout without any pruning.
    pub(super) fn search_exactly(&mut self, depth: i32) -> Value {
        self.root_depth = depth;
        self.root_delta = 2 * INFINITE;
        self.negascout::<ExactRoot>(-INFINITE, INFINITE, depth, 0, false)
    }

    /// What the clock makes of the iteration just finished.
    fn verdict(&mut self, depth: i32, progress: &mut Progress) -> Verdict {
        let best = &self.root_moves[0];
        progress.depth = depth;
        progress.share = best.effort as f64 / self.nodes.max(1) as f64;
        progress.single = self.root_moves.len() == 1;
        progress.values.rotate_right(1);
        progress.values[0] = Some(best.value);
        let signals = self.shared.signals;
        match &mut self.clock {
            Some(clock) => clock.after_iteration(progress, &self.memory.pace, signals),
            None => Verdict::Deepen,
        }
    }

    /// One line of one iteration: a window around the expected value, widened on the side on
    /// which the value falls out.
    fn aspirate(&mut self, depth: i32, lines: usize, reporter: &mut dyn Reporter) {
        let params = self.params();
        let index = self.pv_index;
        let root = &self.root_moves[index];
        let mut alpha = -INFINITE;
        let mut beta = INFINITE;
        // Threads that look through different windows see different things.
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
            let value = self.negascout::<Root>(alpha, beta, adjusted, 0, false);
            // Stable: moves of equal (unknown) value keep their order.
            self.root_moves[index..].sort_by_key(|root| std::cmp::Reverse(root.value));
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

    /// Notes the outcome of a move at the root, the `move_count`-th of this iteration.
    pub(super) fn record_root_move(
        &mut self,
        value: Value,
        alpha: Value,
        beta: Value,
        move_count: u32,
        effort: u64,
    ) {
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

    fn report_lines(&mut self, lines: usize, reporter: &mut dyn Reporter) {
        for index in 0..lines {
            self.report_line(index, lines, reporter);
        }
    }

    /// Tells of one line. The reporter may end the search.
    fn report_line(&mut self, index: usize, lines: usize, reporter: &mut dyn Reporter) {
        if reporter.listens()
            && let Some(info) = self.line(index, lines)
            && let ControlFlow::Break(()) = reporter.info(&info)
        {
            self.shared.stop.store(true, Relaxed);
        }
    }

    /// One of so many lines, as far as it has been searched.
    pub(super) fn line(&self, index: usize, lines: usize) -> Option<Info> {
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
