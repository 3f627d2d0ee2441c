//! Samples positions from search trees, for training in addition to the positions of the game.
//!
//! A search of a few thousand nodes looks a few plies ahead from dozens of positions, which are of
//! the kind that the evaluation is called for. Training on them is the idea of Veness, Silver,
//! Uther and Blair, "Bootstrapping from Game Tree Search" (NIPS 2009). With null windows most
//! values are bounds, which are useful where they contradict the evaluation.

use monomi_games::TreeSample;
use monomi_movegen::{Layout, PackedPosition, Random};
use monomi_search::NodeObserver;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};

/// Minimum search depth of a sampled node; shallower values are not accurate enough.
const LEAST_DEPTH: i32 = 3;
/// The maximum number of samples that a game record can hold.
const MOST: usize = u16::MAX as usize;

/// Samples nodes at random from the search trees of a game.
#[derive(Clone)]
pub(super) struct Sampler(Arc<Mutex<Drawn>>);

struct Drawn {
    one_in: NonZeroU32,
    random: Random,
    samples: Vec<TreeSample>,
}

impl Sampler {
    /// Samples one in `one_in` of the nodes that qualify.
    pub(super) fn new(one_in: NonZeroU32, random: Random) -> Self {
        Self(Arc::new(Mutex::new(Drawn { one_in, random, samples: Vec::new() })))
    }

    /// The observer to pass to the search.
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

    /// The samples collected since the last call.
    pub(super) fn take(&self) -> Vec<TreeSample> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).samples)
    }
}
