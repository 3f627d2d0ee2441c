//! How floating-point parameters relate to the engine's integers.
//!
//! Activations run from 0 to 1 here and from 0 to 127 in the engine. An output of 1 is a score of
//! `OUTPUT_UNIT`.
//!
//! | parameter | integer that stands for 1.0 |
//! |---|---|
//! | first layer, weights and bias | 127 |
//! | hidden weights | 64 |
//! | hidden bias | 127 x 64 |
//! | output weights | 9600 / 127 |
//! | output bias | 9600 = 600 x FV_SCALE 16 |
//!
//! The engine divides a hidden sum by 64 and rounds down. Half a unit (32) is added to the bias, so
//! that the result is rounded to nearest. In SFNN networks these 32 are also part of the sums that
//! are squared and of the skip connection; `HALF_STEP` takes them into account.

/// The score of an output of 1, in internal units (90 to a pawn).
pub(crate) const OUTPUT_UNIT: f32 = 600.0;

/// The integer of an activation of 1.
pub(crate) const ACTIVATION: f64 = 127.0;
/// The integer of a hidden weight of 1; the engine's shift by 6 removes it again.
const HIDDEN: f64 = 64.0;
/// The engine's raw output for an output of 1, at FV_SCALE 16.
pub(crate) const RAW_OUTPUT: f64 = OUTPUT_UNIT as f64 * 16.0;
/// Half of what the engine's shift drops.
const HALF: f64 = 32.0;

/// SFNN: the engine's product of two activations of 1 (`127 * 127 >> 7`).
pub(crate) const PRODUCT: f32 = 127.0 / 128.0;
/// SFNN: the engine's square of a hidden sum of 1 (`8128 * 8128 >> 19`).
pub(crate) const SQUARE: f32 = (8128.0 * 8128.0 / (1 << 19) as f64 / ACTIVATION) as f32;
/// What half a unit in the bias adds to a hidden sum.
pub(crate) const HALF_STEP: f32 = (HALF / (ACTIVATION * HIDDEN)) as f32;
/// SFNN: what a sum of 1 adds to the output through the skip connection.
pub(crate) const SKIP: f32 = (ACTIVATION * HIDDEN / RAW_OUTPUT) as f32;

/// The integers of an affine layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AffineScale {
    /// Integer of a weight of 1.
    pub(crate) weight: f64,
    /// Integer of a bias of 1.
    pub(crate) bias: f64,
    /// Added to the integer bias.
    pub(crate) offset: f64,
}

const HIDDEN_LAYER: AffineScale =
    AffineScale { weight: HIDDEN, bias: ACTIVATION * HIDDEN, offset: HALF };

/// The affine layers after the first, in order.
pub(crate) const AFFINE: [AffineScale; 3] = [
    HIDDEN_LAYER,
    HIDDEN_LAYER,
    AffineScale { weight: RAW_OUTPUT / ACTIVATION, bias: RAW_OUTPUT, offset: 0.0 },
];

/// The largest absolute values that the integers can hold. Training never leaves this range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// First layer: no sum of 40 rows and the bias overflows 16 bits.
    pub(crate) first: f32,
    /// Weights of each affine layer: 8 bits.
    pub(crate) layers: [f32; 3],
}

pub(crate) const LIMITS: Limits = Limits {
    first: (32767.0 / 127.0 / 41.0) as f32,
    layers: [
        (127.0 / AFFINE[0].weight) as f32,
        (127.0 / AFFINE[1].weight) as f32,
        (127.0 / AFFINE[2].weight) as f32,
    ],
};

/// The integer of a parameter.
pub(crate) fn integer(value: f32, scale: f64, offset: f64) -> f64 {
    (f64::from(value) * scale + offset).round()
}

/// A parameter rounded to the nearest value that an integer can represent.
pub(crate) fn rounded(value: f32, scale: f64, offset: f64) -> f32 {
    ((integer(value, scale, offset) - offset) / scale) as f32
}
