//! `bench`, `speedtest` and `export_net`: commands that run for a while and print lines.

use crate::notice::UsiError;
use crate::syntax_error::SyntaxError;
use monomi_eval::Evaluation;
use monomi_eval::source::{EvalSource, locate};
use monomi_search::bench::{self, SpeedTest};
use monomi_search::{Signals, ThreadsError};
use monomi_support::batch::files;
use monomi_support::memory::NotEnoughMemory;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Such a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// `bench [HASH [DEPTH]]`: searches fixed positions on one thread and counts the nodes.
    Bench {
        /// Depth of each search in plies.
        depth: u32,
        /// Size of the table in mebibytes.
        hash_mib: usize,
    },
    /// `speedtest [THREADS [HASH [SECONDS]]]`: measures the speed on all cores.
    SpeedTest(SpeedTest),
    /// `export_net FILE`: writes the network in use.
    ExportNet(PathBuf),
}

/// Why a tool has stopped before its end.
enum Ended {
    /// Nobody needs its lines any more, or it was told to stop.
    Stopped,
    /// It failed.
    Failed(UsiError),
}

impl From<NotEnoughMemory> for Ended {
    fn from(error: NotEnoughMemory) -> Self {
        Self::Failed(UsiError::Measure(ThreadsError::Memory(error)))
    }
}

impl Tool {
    /// Reads a command by its first word and the rest of its line. `None` if it is none of these.
    pub fn parse(word: &str, rest: &str, errors: &mut Vec<SyntaxError>) -> Option<Self> {
        let mut words = rest.split_whitespace();
        let mut number = |keyword, usual: u64| match words.next() {
            None => usual,
            Some(word) => word.parse().ok().filter(|&number| number > 0).unwrap_or_else(|| {
                errors.push(SyntaxError::NotANumber { keyword, token: word.to_owned() });
                usual
            }),
        };
        Some(match word {
            "bench" => Self::Bench {
                hash_mib: number("bench", bench::HASH_MIB as u64) as usize,
                depth: number("bench", bench::DEPTH.into()).try_into().unwrap_or(u32::MAX),
            },
            "speedtest" => {
                let cores = std::thread::available_parallelism().map_or(1, usize::from);
                let threads = number("speedtest", cores as u64) as usize;
                let mut test = SpeedTest::on(threads);
                test.hash_mib = number("speedtest", test.hash_mib as u64) as usize;
                test.time = Duration::from_secs(number("speedtest", test.time.as_secs()));
                Self::SpeedTest(test)
            }
            "export_net" if rest.is_empty() => {
                errors.push(SyntaxError::MissingFile);
                return Some(Self::ExportNet(PathBuf::new()));
            }
            "export_net" => Self::ExportNet(PathBuf::from(rest)),
            _ => return None,
        })
    }

    /// Runs it with the evaluation in use, and where that came from. Each line goes to `say`, which returns
    /// `Break` if no more are needed.
    ///
    /// # Errors
    /// There is not enough memory, or the network cannot be written.
    pub fn run(
        &self,
        (evaluation, source): (&Arc<Evaluation>, &EvalSource),
        signals: &Signals,
        say: &mut dyn FnMut(String) -> ControlFlow<()>,
    ) -> Result<(), UsiError> {
        let mut lines = |text: String| {
            let all = text.lines().try_for_each(|line| say(line.to_owned()));
            if all.is_break() || signals.stopped() { Err(Ended::Stopped) } else { Ok(()) }
        };
        let done = match self {
            Self::Bench { depth, hash_mib } => {
                let evaluation = Arc::clone(evaluation);
                bench::run(*depth, *hash_mib, evaluation, |share| lines(share.to_string()))
                    .and_then(|total| lines(total.to_string()))
            }
            Self::SpeedTest(test) => test
                .run(Arc::clone(evaluation), signals)
                .map_err(|error| Ended::Failed(UsiError::Measure(error)))
                .and_then(|total| {
                    let SpeedTest { threads, hash_mib, .. } = test;
                    let (nodes, seconds) = (total.nodes, total.time.as_secs_f64());
                    lines(format!(
                        "Threads: {threads}\nHash: {hash_mib} MiB\nTime: {seconds:.3} s\n\
                         Nodes: {nodes}\nNodes/second: {}",
                        total.nps()
                    ))
                }),
            Self::ExportNet(file) if file.as_os_str().is_empty() => Ok(()),
            Self::ExportNet(file) => export(source, file)
                .map_err(Ended::Failed)
                .and_then(|()| lines(format!("info string network written to {}", file.display()))),
        };
        match done {
            Ok(()) | Err(Ended::Stopped) => Ok(()),
            Err(Ended::Failed(error)) => Err(error),
        }
    }
}

/// Writes the network of this source.
fn export(source: &EvalSource, file: &Path) -> Result<(), UsiError> {
    let fail = |error| UsiError::Export { file: file.to_owned(), error };
    let mut bytes = Vec::new();
    match source {
        EvalSource::Internal => {
            let network = monomi_eval::internal_network().ok_or(UsiError::NoNetwork)?;
            network.write(&mut bytes).map_err(fail)?;
        }
        EvalSource::PieceSquare => return Err(UsiError::NoNetwork),
        EvalSource::File { path, .. } => {
            bytes = files::read(&locate(path).unwrap_or(path.clone())).map_err(fail)?;
        }
    }
    files::write(file, &bytes).map_err(fail)
}

/// How the program was built, for the answer to `compiler`.
pub fn compiler() -> String {
    format!(
        "Monomi {} compiled by {} for {}{}",
        env!("CARGO_PKG_VERSION"),
        env!("MONOMI_RUSTC"),
        env!("MONOMI_TARGET"),
        if cfg!(debug_assertions) { ", with assertions" } else { "" }
    )
}
