//! Monomi as the Python module `monomi_shogi._native`. `package/monomi_shogi` has what users import: it re-exports this
//! module, and adds what is easier said in Python (numpy, asyncio, the program). `_native.pyi` has the types of
//! everything here.
//!
//! Moves are texts in USI and squares are texts such as `7g`, as in the npm package. Times are seconds. Whatever takes
//! longer than a moment runs without the interpreter's lock, and Ctrl-C ends it.

mod analysis;
mod board;
mod convert;
mod engine;
mod mate;
mod network;
mod record;
mod score;
mod search;
mod training;
mod work;

use pyo3::prelude::*;

/// The part of `monomi_shogi` that is written in Rust.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::analysis::{Analysis, analyze};
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::mate::{Defect, MateResult, TsumeResult, mate, tsume};
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::record::{Branch, Played, Record, read_file, read_records};
    #[pymodule_export]
    use crate::score::{Info, Result, Score};
    #[pymodule_export]
    use crate::search::Search;
    #[pymodule_export]
    use crate::training::{Entry, convert, pack, unpack};

    /// The version of Monomi.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
