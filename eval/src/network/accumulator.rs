//! Accumulators along a line of moves, computed on demand.

use super::Network;
use super::features::VIEWS;
use super::refresh::RefreshTable;
use crate::line::{Step, USUAL_DEPTH};
use monomi_movegen::Position;
use monomi_movegen::square::Dense;
use monomi_support::memory::Aligned;
use shogi_core::Color;
use std::sync::Arc;

/// The accumulators of both perspectives for each position of a line.
pub struct AccumulatorStack {
    network: Arc<Network>,
    /// The network's L1: numbers of one accumulator.
    width: usize,
    /// `[position][perspective][width]`.
    values: Aligned<i16>,
    table: RefreshTable,
}

impl AccumulatorStack {
    pub fn new(network: Arc<Network>) -> Self {
        let width = network.architecture.l1;
        Self {
            width,
            values: Aligned::zeroed((USUAL_DEPTH + 1) * 2 * width),
            table: RefreshTable::new(&network),
            network,
        }
    }

    /// Computes the root's accumulators.
    pub fn reset(&mut self, position: &Position) {
        for view in VIEWS {
            self.refresh(position, view, 0);
        }
    }

    /// The network's output for the end of the line, which is `position`.
    #[inline]
    pub fn raw(&mut self, line: &mut [Step], position: &Position) -> i32 {
        self.bring_forward(line, position);
        let end = line.len();
        // A wrong accumulator stays wrong along its line, so one position in eight is enough.
        if cfg!(debug_assertions) && position.key().is_multiple_of(8) {
            for view in VIEWS {
                let full = self.network.accumulator(position, view);
                assert_eq!(
                    *full,
                    *self.get(end, view),
                    "incremental and full accumulator of {view:?} differ"
                );
            }
        }
        let us = position.side_to_move();
        self.network.output(position, self.get(end, us), self.get(end, us.flip()))
    }

    /// Computes both perspectives' accumulators for the end of the line, which is `position`.
    #[inline]
    pub fn bring_forward(&mut self, line: &mut [Step], position: &Position) {
        let Some((last, before)) = line.split_last_mut() else { return };
        if last.computed == [true; 2] {
            return;
        }
        self.make_room(before.len() + 1);
        let one_move = before.last().is_none_or(|step| step.computed == [true; 2]);
        if one_move && !(self.network.map.refreshes() && last.dirty.king().is_some()) {
            for view in VIEWS {
                self.follow(last, view, position, before.len());
            }
        } else {
            for view in VIEWS {
                self.bring_view_forward(line, position, view);
            }
        }
    }

    /// Computes the accumulator after a move on the way to `position`; its parent has number `index`.
    #[inline(always)]
    fn follow(&mut self, step: &mut Step, view: Color, position: &Position, index: usize) {
        let (parent, child) = (self.start(index, view), self.start(index + 1, view));
        let network = &*self.network;
        let changes = network.map.changes(view, position, step.dirty);
        let (before, after) = self.values.split_at_mut(child);
        let parent = &before[parent..][..self.width];
        let child = &mut after[..self.width];
        // SAFETY: both have the width of this network's rows, of which `Network::new` checked that it is
        // a multiple of 32; so each accumulator fills whole cache lines, and `values` starts at one. The
        // changes name inputs of the network's feature set, and `Network::new` checked that there is a
        // row for each.
        unsafe { network.kernels.update(network.rows(), parent, child, &changes) };
        step.computed[view.dense()] = true;
    }

    #[inline(always)]
    fn make_room(&mut self, end: usize) {
        let needed = (end + 1) * 2 * self.width;
        if needed > self.values.len() {
            self.grow(2 * needed);
        }
    }

    #[cold]
    fn grow(&mut self, length: usize) {
        let mut larger = Aligned::zeroed(length);
        larger[..self.values.len()].copy_from_slice(&self.values);
        self.values = larger;
    }

    #[inline(always)]
    fn start(&self, index: usize, view: Color) -> usize {
        (2 * index + view.dense()) * self.width
    }

    #[inline(always)]
    fn get(&self, index: usize, view: Color) -> &[i16] {
        &self.values[self.start(index, view)..][..self.width]
    }

    /// Walks back to the last computed accumulator of a perspective and updates it move by move.
    /// If its king has moved since and the features depend on it, only the end of the line is
    /// computed, by a refresh.
    #[inline(never)]
    fn bring_view_forward(&mut self, line: &mut [Step], position: &Position, view: Color) {
        let (end, v) = (line.len(), view.dense());
        let mut computed = end;
        while computed > 0 && !line[computed - 1].computed[v] {
            computed -= 1;
            if self.network.map.refreshes() && line[computed].dirty.king() == Some(view) {
                self.refresh(position, view, end);
                line[end - 1].computed[v] = true;
                return;
            }
        }
        for (index, step) in line.iter_mut().enumerate().skip(computed) {
            self.follow(step, view, position, index);
        }
    }

    #[cold]
    fn refresh(&mut self, position: &Position, view: Color, index: usize) {
        let start = self.start(index, view);
        let fresh = self.table.refresh(&self.network, position, view);
        self.values[start..][..self.width].copy_from_slice(fresh);
    }
}
