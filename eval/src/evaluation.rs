//! An evaluation: a network or piece-square tables.

use crate::network::{Architecture, Network, NetworkError, NetworkFile, Routing, SimdLevel};
use crate::piece_square::{Numbers, PieceSquareTable};
use crate::score::DEFAULT_WIN_SCALE;
use monomi_movegen::Position;
use monomi_support::text::{error_message, messages};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An evaluation, immutable and shared by all threads.
pub struct Evaluation {
    pub(crate) kind: Kind,
    win_scale: NonZeroU16,
    stated_fv_scale: Option<NonZeroU16>,
}

/// [`Evaluation::describe`].
impl std::fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Evaluation({})", self.describe())
    }
}

/// The one branch between the evaluations.
pub enum Kind {
    PieceSquare(Arc<PieceSquareTable>),
    Network { network: Arc<Network>, fv_scale: i32 },
}

messages! {
    /// Why an evaluation file cannot be used.
    #[derive(Debug)]
    #[non_exhaustive]
    pub struct LoadError {
        /// Path of the evaluation file.
        pub path: PathBuf,
        /// What is wrong with the file.
        pub reason: NetworkError,
    } => both "{path}: {reason}";
}
error_message!(LoadError);

/// Properties a network file can omit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadOptions {
    /// Divisor from the output to the score; `None`: the file's value, else the shape's default.
    pub fv_scale: Option<NonZeroU16>,
    /// How the layer stack is chosen; `None`: the file's value, else the shape's default.
    pub routing: Option<Routing>,
}

impl LoadOptions {
    /// With the divisor from the output to the score.
    #[must_use]
    pub fn with_fv_scale(self, fv_scale: impl Into<Option<NonZeroU16>>) -> Self {
        Self { fv_scale: fv_scale.into(), ..self }
    }

    /// With the choice of the layer stack.
    #[must_use]
    pub fn with_routing(self, routing: impl Into<Option<Routing>>) -> Self {
        Self { routing: routing.into(), ..self }
    }
}

/// The scale of the built-in network; eval/nets/README.md says how it was fitted.
#[cfg(feature = "builtin-network")]
const INTERNAL_WIN_SCALE: NonZeroU16 = NonZeroU16::new(287).unwrap();

/// Reads the built-in network; takes milliseconds. `None` without the feature `builtin-network`.
pub fn internal_network() -> Option<NetworkFile> {
    #[cfg(feature = "builtin-network")]
    return Some(read_internal());
    #[cfg(not(feature = "builtin-network"))]
    None
}

#[cfg(feature = "builtin-network")]
fn read_internal() -> NetworkFile {
    const BYTES: &[u8] = include_bytes!("../nets/monomi.bin");
    let mut file =
        NetworkFile::read(BYTES, BYTES.len() as u64).expect("the built-in network is valid");
    file.info.stated_win_scale = Some(INTERNAL_WIN_SCALE);
    file
}

impl Evaluation {
    /// The built-in network, on the best vector instructions of this machine.
    /// `eval/nets/README.md` describes its training. Needs the feature `builtin-network`.
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
    #[cfg(feature = "builtin-network")]
    pub fn internal() -> Arc<Self> {
        let file = read_internal();
        let fv_scale = file.fv_scale();
        Self::from_network(file, fv_scale, SimdLevel::best())
    }

    /// What evaluates where nothing else is asked for: the built-in network, or without the feature
    /// `builtin-network` the piece-square tables, which play far worse.
    pub fn built_in() -> Arc<Self> {
        #[cfg(feature = "builtin-network")]
        return Self::internal();
        #[cfg(not(feature = "builtin-network"))]
        Self::piece_square()
    }

    /// The piece-square tables built into the program.
    pub fn piece_square() -> Arc<Self> {
        Self::from_piece_square(&Numbers::internal())
    }

    /// An evaluation by piece-square tables.
    pub fn from_piece_square(numbers: &Numbers) -> Arc<Self> {
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

    /// A copy in memory that the calling thread writes, and that lies on its NUMA node if it is bound to one.
    /// Piece-square tables are not copied: they fit into the caches.
    pub fn copied(&self) -> Arc<Self> {
        let kind = match &self.kind {
            Kind::PieceSquare(table) => Kind::PieceSquare(Arc::clone(table)),
            Kind::Network { network, fv_scale } => {
                let network = Arc::new(Network::clone(network));
                Kind::Network { network, fv_scale: *fv_scale }
            }
        };
        let Self { win_scale, stated_fv_scale, .. } = *self;
        Arc::new(Self { kind, win_scale, stated_fv_scale })
    }

    /// Memory of the weights of a network's first layer, which are nearly all of it, in bytes; 0 for
    /// piece-square tables.
    pub fn bytes(&self) -> u64 {
        match &self.kind {
            Kind::PieceSquare(_) => 0,
            Kind::Network { network, .. } => network.bytes(),
        }
    }

    /// The score in centipawns that wins 73 % of the games, or more exactly `1 / (1 + exp(-1))`: what
    /// the network's file states (`win_scale=N` in its text), 287 for the built-in network, else
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
