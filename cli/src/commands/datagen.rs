//! `monomi datagen`.

mod progress;

use super::EvalArg;
use crate::commands::records::{games_text, positions_text};
use crate::commands::values::{at_least, parsed, range, within};
use crate::commands::{INTERRUPTED, complain, on_interrupt};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::Lang;
use monomi_datagen::{Adjudication, Job, Openings, Play, Target, fingerprint, generate};
use monomi_games::{GameWriter, GenerationSettings, RecordError, scan};
use monomi_movegen::Random;
use monomi_support::batch::files;
use monomi_support::batch::jobs::Cancel;
use monomi_support::text::{Message, messages, say};
use progress::GamesProgress;
use std::io::Write;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Number of random plies after a position of the openings file.
const BEHIND_FILE: RangeInclusive<u8> = 2..=9;
/// Number of random plies from the start position; more than after a file position, so that games
/// do not repeat.
const FROM_START: RangeInclusive<u8> = 6..=14;

const AFTER_HELP: &str = "\
Examples:
  monomi datagen games.mgr --games 10000
  monomi datagen games.mgr --openings even.sfen --nodes 5000 --eval-file nn.bin --positions 5000000
  monomi datagen branches.mgr --openings games.mgr --random-plies 1-2 --nodes 5000 --tree 0

The same command continues a run that ended for any reason. Ctrl-C stops after the games in
progress, a second Ctrl-C at once. docs/records.md describes the file.

Exit codes: 0 success; 1 failure; 2 invalid arguments; 130 interrupted.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// File of game records to write or to append to.
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// Stop when the file contains this many games.
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    games: Option<u64>,
    /// Stop when the file contains this many positions with a score.
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    positions: Option<u64>,
    /// Nodes for each move.
    #[arg(long, value_name = "N", default_value_t = 2_000,
          value_parser = at_least(100u64))]
    nodes: u64,
    /// Number of games played at the same time [default: number of cores].
    #[arg(long, value_name = "N", value_parser = within(1..=1024u16))]
    threads: Option<u16>,
    /// Size of each game's transposition table in MiB [default: depends on --nodes].
    #[arg(long, value_name = "MIB", value_parser = within(1..=65_536u32))]
    hash: Option<u32>,
    #[command(flatten)]
    evaluation: EvalArg,
    /// File of start positions: one SFEN per line, or game records (.mgr), whose positions within
    /// --opening-score are used [default: the usual start position].
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    openings: Option<PathBuf>,
    /// Share of the games (0 to 1) that begin with 6 to 14 random moves from the usual start position
    /// instead of a position of --openings.
    #[arg(long, value_name = "SHARE", requires = "openings", default_value_t = 0.0,
          value_parser = within(0.0..=1.0))]
    startpos_share: f64,
    /// Number of random moves at the start of a game, or its range [default: 2-9 with --openings,
    /// otherwise 6-14].
    #[arg(long, value_name = "N-M", value_parser = range::<u8>)]
    random_plies: Option<RangeInclusive<u8>>,
    /// Choose another opening if its score is beyond this, in internal units (90 to a pawn).
    #[arg(long, value_name = "UNITS", default_value_t = 800,
          value_parser = within(1..=31_000i32))]
    opening_score: i32,
    /// A game is won when the score is beyond this for --adjudicate-times moves in a row, in internal
    /// units.
    #[arg(long, value_name = "UNITS", default_value_t = 2_500,
          value_parser = within(1..=31_000i32))]
    adjudicate_score: i32,
    /// Number of moves required by --adjudicate-score.
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = at_least(1u32))]
    adjudicate_times: u32,
    /// A game is a draw after this many moves.
    #[arg(long, value_name = "N", default_value_t = 320,
          value_parser = within(1..=5_000u16))]
    max_plies: u16,
    /// Also record one in this many quiet positions of the search trees; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = parsed::<u32>)]
    tree: u32,
    /// Vary the playing style every few games: add noise of this standard deviation to the network's
    /// first layer, whose weights have a standard deviation of about 9; 0 for none.
    #[arg(long, value_name = "DEVIATION", default_value_t = 0.0, value_parser = within(0.0..=100.0))]
    style: f64,
    /// Seed of the random numbers [default: that of the file, or a new one].
    #[arg(long, value_name = "SEED", value_parser = parsed::<u64>)]
    seed: Option<u64>,
    /// Print no progress.
    #[arg(short, long)]
    quiet: bool,
}

impl Args {
    fn play(&self) -> Play {
        Play {
            nodes: self.nodes,
            opening_score: self.opening_score,
            adjudication: Adjudication {
                score: self.adjudicate_score,
                times: self.adjudicate_times,
            },
            max_plies: self.max_plies,
            tree: NonZeroU32::new(self.tree),
            style: self.style,
        }
    }

    fn random_plies(&self) -> RangeInclusive<u8> {
        let default = if self.openings.is_some() { BEHIND_FILE } else { FROM_START };
        self.random_plies.clone().unwrap_or(default)
    }

    /// A few thousand nodes fill only a small table, and a larger one takes longer to clear.
    fn hash_mib(&self) -> usize {
        let by_nodes = (self.nodes / 1_000).clamp(2, 64);
        self.hash.map_or(by_nodes as usize, |mib| mib as usize)
    }

    /// The seed: from the command line, otherwise from the file, otherwise a new one.
    #[expect(clippy::disallowed_methods, reason = "a random number, not a duration")]
    fn seed(&self) -> Result<u64, RecordError> {
        if let Some(seed) = self.seed {
            return Ok(seed);
        }
        let of_file = match self.file.metadata() {
            Ok(metadata) if metadata.len() > 0 => {
                scan(&self.file)?.settings.get("seed").and_then(|seed| seed.parse().ok())
            }
            _ => None,
        };
        Ok(of_file.unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            // 32 bits are short enough to type.
            Random::new(now.as_nanos() as u64).next_u64() >> 32
        }))
    }
}

messages! {
    /// The evaluation is not a network, whose style could vary.
    struct StyleNeedsNetwork(evaluation: String) =>
        "--style needs a network; this evaluation is {evaluation}",
        "--style には NNUE が必要です（この評価関数は {evaluation}）";
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let evaluation = args.evaluation.load(lang)?;
    if args.style != 0.0 && evaluation.architecture().is_none() {
        return Err(StyleNeedsNetwork(evaluation.describe()).into());
    }
    let random_plies = args.random_plies();
    let (openings, list) = match &args.openings {
        Some(path) => {
            let openings = if path
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("mgr"))
            {
                Openings::of_games(path, args.opening_score, random_plies.clone())?
            } else {
                Openings::read(path, random_plies.clone())?
            };
            let bytes = files::read(path).with_context(|| Doing::File(path.clone()))?;
            (openings, format!("{:08x}", crc32fast::hash(&bytes)))
        }
        None => (Openings::startpos(random_plies.clone()), "startpos".to_owned()),
    };
    let openings = if args.startpos_share > 0.0 {
        openings.with_startpos(args.startpos_share, FROM_START)
    } else {
        openings
    };
    let play = args.play();
    let (seed, hash_mib) = (args.seed()?, args.hash_mib());
    let GenerationSettings(of_play) = play.settings();
    let mut settings = GenerationSettings::default()
        .with("# monomi", env!("CARGO_PKG_VERSION"))
        .with("seed", seed)
        .with("evaluation", format!("{:08x}", fingerprint(&evaluation)))
        .with("# evaluation", evaluation.describe())
        .with("openings", list)
        .with("random-plies", format!("{}-{}", random_plies.start(), random_plies.end()))
        .with("hash", hash_mib);
    if args.startpos_share > 0.0 {
        settings = settings.with("startpos-share", args.startpos_share);
    }
    settings.0.extend(of_play);

    let (writer, scan) = GameWriter::open(&args.file, &settings)?;
    for fault in &scan.faults {
        let fault_text = fault.in_lang(lang);
        match fault {
            RecordError::Torn { .. } => {
                complain(say!(lang, "{fault_text}; cut off", "{fault_text}。切り捨てました"));
            }
            _ => complain(fault_text),
        }
    }
    let threads = args
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let cancel = Arc::new(Cancel::new());
    let handler = Arc::clone(&cancel);
    on_interrupt(move || handler.cancel())?;
    let target = Target { games: args.games, positions: args.positions };
    let job = Job { play: &play, openings: &openings, evaluation: &evaluation, seed, hash_mib };
    let mut progress = GamesProgress::new(args.quiet, target, &scan, lang);
    let done =
        generate(&job, target, writer, &scan, threads, &cancel, &mut |now| progress.tell(now));
    progress.finish();
    let done = done?;
    let (games, positions) = (games_text(done.games, lang), positions_text(done.positions, lang));
    let new = done.positions - scan.positions;
    let speed = progress.positions_a_second(&done);
    say!(
        lang,
        out,
        "{}: {games}, {positions}, {new} of them from this run at {speed:.0} per second; seed {seed}\n",
        "{}: {games}、{positions}（今回 {new} 局面、毎秒 {speed:.0} 局面）、シード {seed}\n",
        args.file.display()
    )?;
    let complete = target.is_reached(&done);
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::from(INTERRUPTED) })
}
