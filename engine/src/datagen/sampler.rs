//! Positions from the trees of searches, to learn from besides those of the game.
//!
//! A search of some thousand nodes has looked a few plies ahead in dozens of positions, and they are
//! just of the kind that the evaluation is asked about: learning from them is the idea of Veness,
//! Silver, Uther and Blair, "Bootstrapping from Game Tree Search" (NIPS 2009). With null windows most
//! values are bounds, which say something where they contradict the evaluation.

use crate::search::NodeObserver;
use monomi_records::{Layout, PackedPosition, Random, TreeSample};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

/// Nodes searched to less than this teach too little.
const LEAST_DEPTH: i32 = 3;
/// A game's list has no room for more.
const MOST: usize = u16::MAX as usize;

/// Draws from the trees of a game's searches by lot.
#[derive(Clone)]
pub(super) struct Sampler(Arc<Mutex<Drawn>>);

struct Drawn {
    one_in: NonZeroU32,
    random: Random,
    samples: Vec<TreeSample>,
}

impl Sampler {
    /// Takes one in so many of the nodes that qualify.
    pub(super) fn new(one_in: NonZeroU32, random: Random) -> Self {
        Self(Arc::new(Mutex::new(Drawn { one_in, random, samples: Vec::new() })))
    }

    /// What the search shows its nodes to.
    pub(super) fn observer(&self) -> NodeObserver {
        let Self(drawn) = self.clone();
        Box::new(move |node| {
            let Ok(value) = i16::try_from(node.value) else { return };
            if node.depth < LEAST_DEPTH {
                return;
            }
            let mut drawn = drawn.lock().unwrap_or_else(PoisonError::into_inner);
            let one_in = drawn.one_in.get() as usize;
            if drawn.random.below(one_in) != 0 || drawn.samples.len() >= MOST {
                return;
            }
            if let Ok(position) = PackedPosition::pack(node.position, Layout::Sfen) {
                let depth = u8::try_from(node.depth).unwrap_or(u8::MAX);
                drawn.samples.push(TreeSample { position, value, bound: node.bound, depth });
            }
        })
    }

    /// What has been drawn since the last call.
    pub(super) fn take(&self) -> Vec<TreeSample> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).samples)
    }
}
