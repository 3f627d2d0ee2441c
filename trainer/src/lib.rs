//! Trains Monomi's evaluations from scored positions: networks and piece-square tables.
//!
//! | file | what |
//! |---|---|
//! | `sample.rs` | positions with scores and results, and what gives them |
//! | `source.rs` | game records, filtered, split and shuffled |
//! | `returns.rs` | scores that have heard of what came later |
//! | `inputs.rs` | from samples to active inputs |
//! | `net.rs`, `quantise.rs` | parameters in floating point, and as the engine's integers |
//! | `objective.rs` | the loss |
//! | `piece_square.rs` | fits piece-square tables |
//! | `pass.rs`, `trainer.rs` | forward, backward, and the step |
//! | `run.rs`, `checkpoint.rs` | epochs, the learning rate's course, interruption and resumption |
//! | `cli/` | the program |
//! | `kernels/`, `simd.rs` | the arithmetic |

pub mod checkpoint;
pub mod cli;
mod inputs;
mod kernels;
pub mod net;
pub mod objective;
mod pass;
pub mod piece_square;
mod quantise;
pub mod returns;
pub mod run;
pub mod sample;
pub mod simd;
pub mod source;
pub mod trainer;
