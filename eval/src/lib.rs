//! Evaluation of positions by networks or piece-square tables, behind one type.
//!
//! The search holds an [`EvalStack`]: it pushes what a move changed and asks for the value when it
//! needs one. Pushing is the same two stores for every evaluation; which one answers is one
//! predictable branch in [`EvalStack::evaluate`].
//!
//! ```
//! use monomi_eval::{EvalStack, Evaluation};
//! use monomi_movegen::Position;
//!
//! let mut position = Position::startpos();
//! let mut stack = EvalStack::new(&Evaluation::internal(), &position);
//! let quiet = stack.evaluate(&position);
//! let mv = "7g7f".parse().unwrap();
//! stack.push(position.do_move(mv));
//! stack.evaluate(&position); // White's view: it is White's turn.
//! stack.pop();
//! position.undo_move();
//! assert_eq!(stack.evaluate(&position), quiet);
//! ```
//!
//! # How it works
//!
//! `Evaluation` is immutable and shared by all threads. `EvalStack` belongs to one thread and follows its position: `push`
//! what a move changed, `pop` to undo it, `evaluate` when a value is needed. `Evaluation` is an enum rather than a type
//! parameter of the search: one well-predicted branch costs nothing compared with an evaluation, while compiling the search
//! for each network type would multiply its code.
//!
//! ## Networks
//!
//! One implementation serves all shapes: eight feature sets, plain networks of any layer sizes, and SFNN networks with
//! layer stacks. It is parameterised by features, activation, sizes and stacks; there is no file per architecture. The
//! shape is recognised from hashes and sizes, and from the header text where these are not enough (docs/networks.md).
//!
//! - *Containers* (`read.rs`, `read/`) check every length, count and stack index before memory is allocated.
//! - *Features* (`features.rs`) are tables from a `Place` to an input for each perspective; feature sets differ in the
//!   table and in when the accumulator is refreshed.
//! - *Accumulators* are updated lazily: `push` records a move, `evaluate` or `bring_forward` goes back to the last computed
//!   accumulator and applies the recorded moves, one or two rows out and as many in. The search calls `bring_forward` right
//!   after each move, while the transposition table's cache line is being loaded. After a king's move, feature sets with
//!   king buckets refresh from a cache with the last accumulator for each king square and side (accumulator refresh table).
//! - *Kernels* exist for AVX-512 and AVX2 (each with and without VNNI), SSE4.1, NEON, WebAssembly's SIMD128 and plain code.
//!   The level is chosen when a network is created. The plain code is the reference for all others.
//! - Debug builds compare every accumulator with a full refresh.
//! - *Memory* (`support/src/memory`): arrays aligned to cache lines, on large pages from 64 KiB on, for weights, accumulators,
//!   histories and the transposition table.
//! - *Processes do not share weights.* Several engines on one machine could map one decoded file. Eight processes with
//!   a K+P 256x2-32-32 network of 0.9 MB have 912 MiB together (PSS; `USI_Hash` 16, one thread). With a network of
//!   1536 neurons (SFNN HalfKA_hm2) they have 2,644 MiB: 216 more each, which all but one would save. But pages of a mapped
//!   file are small, and without large pages the bench needs 9.1 % (± 1.3) more processor time with that network (12
//!   pairs of runs to depth 7, large pages switched off by `prctl` for the whole process). So every user of a large network
//!   would pay for what few need.
//!
//! ## Without `target-cpu=native`
//!
//! The default build is for baseline x86-64:
//!
//! - networks choose their kernels at run time, as above;
//! - sliding attacks need subtraction, byte swaps and small tables;
//! - bit scans of words known to be non-zero compile to one instruction everywhere;
//! - counting bits is rare in the search; perft chooses `popcnt` at run time for its last ply.

mod breakdown;
mod line;
pub mod network;
pub mod piece_square;
pub mod score;
pub mod source;
mod stack;

use monomi_movegen::Position;
use monomi_support::text::{Lang, Message, error_message};
use network::{Architecture, Network, NetworkError, NetworkFile, Routing, SimdLevel};
use piece_square::PieceSquareTable;
use std::fmt;
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use breakdown::{Breakdown, Removal};
pub use score::MAX_EVAL;
pub use stack::EvalStack;

/// An evaluation, immutable and shared by all threads.
pub struct Evaluation {
    kind: Kind,
    win_scale: NonZeroU16,
    stated_fv_scale: Option<NonZeroU16>,
}

/// The one branch between the evaluations.
enum Kind {
    PieceSquare(Arc<PieceSquareTable>),
    Network { network: Arc<Network>, fv_scale: i32 },
}

/// Why an evaluation file cannot be used.
#[derive(Debug)]
pub struct LoadError {
    /// Path of the evaluation file.
    pub path: PathBuf,
    /// What is wrong with the file.
    pub reason: NetworkError,
}

impl Message for LoadError {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason.in_lang(lang))
    }
}
error_message!(LoadError);

/// Properties a network file can omit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadOptions {
    /// Divisor from the output to the score; `None`: the file's value, else the shape's default.
    pub fv_scale: Option<NonZeroU16>,
    /// How the layer stack is chosen; `None`: the file's value, else the shape's default.
    pub routing: Option<Routing>,
}

/// The usual divisor of a network's output.
pub const DEFAULT_FV_SCALE: NonZeroU16 = NonZeroU16::new(16).unwrap();

/// The scale of the winning probability that GUIs assume, for evaluations that state no other.
pub const DEFAULT_WIN_SCALE: NonZeroU16 = NonZeroU16::new(600).unwrap();

/// The scale of the built-in network; eval/nets/README.md says how it was fitted.
const INTERNAL_WIN_SCALE: NonZeroU16 = NonZeroU16::new(302).unwrap();

/// Reads the built-in network; takes milliseconds.
pub fn internal_network() -> NetworkFile {
    const BYTES: &[u8] = include_bytes!("../nets/monomi.bin");
    let mut file =
        NetworkFile::read(BYTES, BYTES.len() as u64).expect("the built-in network is valid");
    file.info.stated_win_scale = Some(INTERNAL_WIN_SCALE);
    file
}

impl Evaluation {
    /// The built-in network, on the best vector instructions of this machine.
    /// `eval/nets/README.md` describes its training.
    ///
    /// ```
    /// use monomi_eval::Evaluation;
    /// use monomi_movegen::Position;
    ///
    /// let evaluation = Evaluation::internal();
    /// assert!(evaluation.describe().starts_with("network SFNN K+P 512-15-32"));
    /// // Nine sets of layers, chosen by the ranks of both kings.
    /// assert_eq!(evaluation.stack(&Position::startpos()), Some(8));
    /// ```
    pub fn internal() -> Arc<Self> {
        let file = internal_network();
        let fv_scale = file.fv_scale();
        Self::from_network(file, fv_scale, SimdLevel::best())
    }

    /// The piece-square tables built into the program.
    pub fn piece_square() -> Arc<Self> {
        Self::from_piece_square(&piece_square::Numbers::internal())
    }

    /// An evaluation by piece-square tables.
    pub fn from_piece_square(numbers: &piece_square::Numbers) -> Arc<Self> {
        let table = Arc::new(PieceSquareTable::new(numbers));
        Arc::new(Self {
            kind: Kind::PieceSquare(table),
            win_scale: DEFAULT_WIN_SCALE,
            stated_fv_scale: None,
        })
    }

    /// Reads a network (`nn.bin`) of any supported shape, to run on the best vector instructions of
    /// this machine.
    ///
    /// The output is divided by `fv_scale`, or for `None` by what the file states or its shape
    /// usually has ([`NetworkFile::fv_scale`]).
    ///
    /// # Errors
    /// Names the path and what is wrong: missing, truncated, of an unsupported version or shape,
    /// with trailing bytes, ...
    pub fn load(path: &Path, fv_scale: Option<NonZeroU16>) -> Result<Arc<Self>, LoadError> {
        Self::load_with(path, &LoadOptions { fv_scale, routing: None }, &mut |_, _| ())
    }

    /// As [`Evaluation::load`], with what a file can omit. `progress` is told from
    /// time to time how many bytes of how many have been read.
    ///
    /// # Errors
    /// See [`Evaluation::load`].
    pub fn load_with(
        path: &Path,
        options: &LoadOptions,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Arc<Self>, LoadError> {
        let file = NetworkFile::open_with(path, options.routing, progress)
            .map_err(|reason| LoadError { path: path.to_owned(), reason })?;
        let fv_scale = options.fv_scale.unwrap_or(file.fv_scale());
        Ok(Self::from_network(file, fv_scale, SimdLevel::best()))
    }

    /// An evaluation by a network, on a certain level of vector instructions.
    ///
    /// # Panics
    /// If this machine does not have the level.
    pub fn from_network(file: NetworkFile, fv_scale: NonZeroU16, level: SimdLevel) -> Arc<Self> {
        let win_scale = file.win_scale();
        let stated_fv_scale = file.info.stated_fv_scale;
        let network = Arc::new(Network::new(file, level));
        Arc::new(Self {
            kind: Kind::Network { network, fv_scale: fv_scale.get().into() },
            win_scale,
            stated_fv_scale,
        })
    }

    /// The same network with noise added to each weight of its first layer, for varied self-play.
    /// `None` for piece-square tables.
    pub fn with_noise(&self, noise: &mut dyn FnMut() -> i16) -> Option<Arc<Self>> {
        let Kind::Network { network, fv_scale } = &self.kind else { return None };
        let network = Arc::new(network.with_noise(noise));
        let kind = Kind::Network { network, fv_scale: *fv_scale };
        let Self { win_scale, stated_fv_scale, .. } = *self;
        Some(Arc::new(Self { kind, win_scale, stated_fv_scale }))
    }

    /// The score in centipawns that wins 73 % of the games, or more exactly `1 / (1 + exp(-1))`: what
    /// the network's file states (`win_scale=N` in its text), 302 for the built-in network, else
    /// [`DEFAULT_WIN_SCALE`].
    pub fn win_scale(&self) -> NonZeroU16 {
        self.win_scale
    }

    /// The divisor that the network's file states (`fv_scale=N` in its text), whichever is used.
    pub fn stated_fv_scale(&self) -> Option<NonZeroU16> {
        self.stated_fv_scale
    }

    /// The layer stack that a position uses, if the evaluation is a network with several.
    pub fn stack(&self, position: &Position) -> Option<usize> {
        match &self.kind {
            Kind::Network { network, .. } if network.architecture.stacks() > 1 => {
                Some(network.stack(position))
            }
            _ => None,
        }
    }

    /// The network's features and sizes, if it is one.
    pub fn architecture(&self) -> Option<Architecture> {
        match &self.kind {
            Kind::PieceSquare(_) => None,
            Kind::Network { network, .. } => Some(network.architecture),
        }
    }

    /// The parts of a position's value.
    pub fn breakdown(&self, position: &Position) -> Breakdown {
        Breakdown::new(self, position)
    }

    /// [`Evaluation::describe`] in Japanese.
    pub fn describe_in_japanese(&self) -> String {
        match &self.kind {
            Kind::PieceSquare(_) => "駒と位置の表".to_owned(),
            Kind::Network { network, fv_scale } => {
                let routing = match network.architecture.stacks() {
                    1 => String::new(),
                    _ => format!("（EvalRouting {}）", network.routing),
                };
                let (shape, level) = (network.architecture.in_japanese(), network.level.name());
                format!("ネットワーク {shape}{routing}、FV_SCALE {fv_scale}、{level}")
            }
        }
    }

    /// One line that describes the evaluation, for users.
    pub fn describe(&self) -> String {
        match &self.kind {
            Kind::PieceSquare(_) => "piece-square tables".to_owned(),
            Kind::Network { network, fv_scale } => {
                let routing = match network.architecture.stacks() {
                    1 => String::new(),
                    _ => format!(" (EvalRouting {})", network.routing),
                };
                let level = network.level.name();
                format!("network {}{routing}, FV_SCALE {fv_scale}, {level}", network.architecture)
            }
        }
    }
}
