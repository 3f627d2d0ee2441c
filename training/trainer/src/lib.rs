//! Trains Monomi's evaluations from scored positions: networks and piece-square tables.
//!
//! | file | contents |
//! |---|---|
//! | `sample.rs` | positions with score and result, and the trait of what supplies them |
//! | `dataset.rs` | game records and files of positions: filtered, split, shuffled |
//! | `look_ahead.rs` | scores that take the rest of the game into account |
//! | `inputs.rs` | from samples to active inputs |
//! | `net.rs` | a network's parameters in floating point |
//! | `scales.rs`, `quantise.rs`, `integer.rs` | rounding to the engine's integers, and evaluating them |
//! | `objective.rs` | the loss |
//! | `teacher.rs` | labels from another network |
//! | `backprop.rs`, `trainer.rs` | forward and backward pass, optimiser |
//! | `training_loop.rs` | epochs, learning rate, held-out loss |
//! | `checkpoint.rs`, `checkpoint/npz.rs` | saving and resuming; arrays for numpy |
//! | `piece_square.rs` | fits piece-square tables |
//! | `cli/` | the command line |
//! | `kernels/`, `simd.rs` | the arithmetic |

mod backprop;
pub mod checkpoint;
pub mod cli;
mod dataset;
mod inputs;
mod integer;
mod kernels;
mod look_ahead;
pub mod net;
mod objective;
pub mod piece_square;
mod quantise;
pub mod sample;
pub mod scales;
pub mod simd;
mod teacher;
pub mod trainer;
mod training_loop;
