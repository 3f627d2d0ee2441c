//! The arithmetic, once for each level of the processor's vector instructions.
//!
//! The level is chosen when a network is made, and the network keeps the functions of that level:
//! one indirect call for an update or a forward pass. Every path gives the same integers.

mod scalar;

use super::aligned::{Aligned, LINE};
use super::layers::Layers;

/// Vector instructions of a processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SimdLevel {
    /// Whatever the compiler makes of plain code.
    Scalar,
}

impl SimdLevel {
    /// All levels that this machine has, the best first, `Scalar` last.
    pub fn available() -> impl Iterator<Item = Self> {
        [SimdLevel::Scalar].into_iter().filter(|level| level.is_available())
    }

    /// The best level of this machine.
    pub fn best() -> Self {
        Self::available().next().unwrap_or(SimdLevel::Scalar)
    }

    fn is_available(self) -> bool {
        true
    }

    /// A name for people.
    pub fn name(self) -> &'static str {
        match self {
            SimdLevel::Scalar => "scalar",
        }
    }
}

/// The rows of the transformer's weights, one for each input.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    weights: &'a [i16],
    width: usize,
}

impl<'a> Rows<'a> {
    pub(crate) fn new(weights: &'a Aligned<i16>, width: usize) -> Self {
        assert!(width.is_multiple_of(32), "widths are checked when reading");
        Self { weights, width }
    }

    #[inline(always)]
    fn row(self, input: u32) -> &'a [i16] {
        &self.weights[input as usize * self.width..][..self.width]
    }

    #[inline(always)]
    fn holds(self, input: u32) -> bool {
        (input as usize + 1) * self.width <= self.weights.len()
    }
}

type Update = unsafe fn(Rows<'_>, parent: &[i16], child: &mut [i16], pairs: &[(u32, u32)]);
type Apply = unsafe fn(Rows<'_>, accumulator: &mut [i16], gone: &[u32], come: &[u32]);
type Forward = unsafe fn(&Layers, us: &[i16], them: &[i16]) -> i32;

/// The functions of a level.
///
/// They may be called on a machine that has the level, with accumulators of the rows' or layers'
/// width, which is a multiple of 32, that start at a cache line, and with rows that exist.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    update: Update,
    apply: Apply,
    forward: Forward,
}

impl Kernels {
    /// The functions of a level, which must be available.
    pub(crate) fn new(level: SimdLevel, _layers: &Layers) -> Self {
        assert!(level.is_available(), "this machine has no {}", level.name());
        match level {
            SimdLevel::Scalar => {
                Self { update: scalar::update, apply: scalar::apply, forward: scalar::forward }
            }
        }
    }

    /// `child = parent`, each pair's first row subtracted and its second added.
    #[inline(always)]
    pub(crate) fn update(
        &self,
        rows: Rows<'_>,
        parent: &[i16],
        child: &mut [i16],
        pairs: &[(u32, u32)],
    ) {
        check_accumulator(parent, rows.width);
        check_accumulator(child, rows.width);
        assert!(pairs.iter().all(|&(gone, come)| rows.holds(gone) && rows.holds(come)));
        // SAFETY: the level was available when `self` was made; the rest has just been checked.
        unsafe { (self.update)(rows, parent, child, pairs) }
    }

    /// Rows subtracted from an accumulator and added to it.
    pub(crate) fn apply(
        &self,
        rows: Rows<'_>,
        accumulator: &mut [i16],
        gone: &[u32],
        come: &[u32],
    ) {
        check_accumulator(accumulator, rows.width);
        assert!(gone.iter().chain(come).all(|&row| rows.holds(row)));
        // SAFETY: as in `update`.
        unsafe { (self.apply)(rows, accumulator, gone, come) }
    }

    /// The layers behind the accumulators: the raw value.
    #[inline(always)]
    pub(crate) fn forward(&self, layers: &Layers, us: &[i16], them: &[i16]) -> i32 {
        check_accumulator(us, layers.l1);
        check_accumulator(them, layers.l1);
        // SAFETY: as in `update`.
        unsafe { (self.forward)(layers, us, them) }
    }
}

#[inline(always)]
fn check_accumulator(accumulator: &[i16], width: usize) {
    assert!(accumulator.len() == width && accumulator.as_ptr().addr().is_multiple_of(LINE));
}
