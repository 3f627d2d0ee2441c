//! `monomi convert`.

use super::{EvalArg, PARTLY, complain, progress};
use crate::commands::records::{games_text, positions_text};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use indicatif::ProgressBar;
use monomi_datagen::{LeafFinder, fingerprint};
use monomi_games::{
    Assembler, FlatError, FlatFormat, FlatReader, GameReader, GameWriter, GenerationSettings,
    RecordError,
};
use monomi_support::batch::files::NewFile;
use monomi_support::text::{Message, messages, say};
use rayon::iter::{IntoParallelRefMutIterator as _, ParallelIterator as _};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Maximum number of errors to print; further ones are only counted.
const NAMED_FAULTS: u64 = 10;
/// Number of games read before their leaves are found, in parallel, and the games are written.
const GAMES_AT_ONCE: usize = 1024;

const AFTER_HELP: &str = "\
Examples:
  monomi convert games.mgr more.mgr -o positions.psv
  monomi convert positions.psv -o games.mgr
  monomi convert old.mgr -o new.mgr --leaves

Formats are recognised by the names of the files: .mgr game records, .psv or .bin PackedSfenValue,
.hcpe HuffmanCodedPosAndEval. Scores are written unchanged, in internal units (90 to a pawn). The
random moves at the start of a game are not written to .psv and .hcpe, and neither are leaves and
positions of search trees; a notice says how many were left out.

Exit codes: 0 success; 1 failure; 2 invalid arguments; 3 done, but some input could not be read.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Files to convert, all of one format.
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// Format of the input, whatever the names of the files.
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<Format>,
    /// Format of the output, whatever its name.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
    /// Only from game records to game records: store the leaf of each position's quiescence search,
    /// which training can use instead of the position.
    #[arg(long)]
    leaves: bool,
    #[command(flatten)]
    evaluation: EvalArg,
}

/// A format of training data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Monomi's game records.
    Mgr,
    /// PackedSfenValue.
    Psv,
    /// HuffmanCodedPosAndEval.
    Hcpe,
}

impl Format {
    fn of(path: &Path) -> Result<Self, Failure> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "mgr" => Ok(Format::Mgr),
            "psv" | "bin" => Ok(Format::Psv),
            "hcpe" => Ok(Format::Hcpe),
            _ => Err(Failure::usage(Problem::UnknownFormat(path.to_owned()))),
        }
    }

    fn flat(self) -> Option<FlatFormat> {
        match self {
            Format::Mgr => None,
            Format::Psv => Some(FlatFormat::Psv),
            Format::Hcpe => Some(FlatFormat::Hcpe),
        }
    }
}

messages! {
    /// Why files are not converted.
    enum Problem {
        UnknownFormat(path: PathBuf) =>
            "{path}: the name does not tell the format (.mgr, .psv, .bin, .hcpe); use --from or \
             --to",
            "{path}: 名前から形式（.mgr、.psv、.bin、.hcpe）が分かりません。--from か --to を指定して\
             ください";
        ByWayOfRecords =>
            "cannot convert between PSV and hcpe or from a mix of formats: convert to game \
             records (.mgr) first",
            "PSV と hcpe の間の変換や、異なる形式の混在した変換はできません。先に自己対局の記録\
             （.mgr）へ変換してください";
        LeavesNeedRecords =>
            "--leaves applies only to conversions of game records (.mgr) to game records",
            "--leaves は自己対局の記録（.mgr）から記録への変換でのみ使えます";
        Exists(path: PathBuf) =>
            "{path}: exists already: choose another name or remove the file",
            "{path}: すでに存在します。別の名前にするか、ファイルを削除してください";
        OtherSettings(path: PathBuf) =>
            "{path}: its games were generated with other settings than those before: convert the \
             files one by one, then join them with `cat`",
            "{path}: 前のファイルと設定が異なる対局です。一ファイルずつ変換してから `cat` でつないで\
             ください";
        NoGame => "no game to convert", "変換する対局がありません";
    }
}

/// Counts and error messages.
struct Tally {
    bar: ProgressBar,
    lang: Lang,
    before: u64,
    games: u64,
    positions: u64,
    faults: u64,
    /// Ends of lines, and positions of search trees, for which the other format has no place.
    left_out: [u64; 2],
}

impl Tally {
    fn fault(&mut self, fault: &impl Message) {
        self.faults += 1;
        if self.faults > NAMED_FAULTS {
            return;
        }
        let mut text = fault.in_lang(self.lang).to_string();
        if self.faults == NAMED_FAULTS {
            text += &say!(self.lang, " (more are only counted)", "（以降は件数だけを数えます）");
        }
        self.bar.suspend(|| complain(text));
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let to = args.to.map_or_else(|| Format::of(&args.output), Ok)?;
    let from: Vec<Format> = match args.from {
        Some(from) => vec![from; args.files.len()],
        None => args.files.iter().map(|file| Format::of(file)).collect::<Result<_, _>>()?,
    };
    let repack = to == Format::Mgr && from.iter().all(|&from| from == Format::Mgr);
    if !repack && from.iter().any(|from| from.flat().is_some() == to.flat().is_some()) {
        return Err(Failure::usage(Problem::ByWayOfRecords));
    }
    if args.leaves && !repack {
        return Err(Failure::usage(Problem::LeavesNeedRecords));
    }
    if args.output.exists() {
        return Err(Problem::Exists(args.output.clone()).into());
    }
    let mut total = 0;
    for file in &args.files {
        let metadata = file.metadata().with_context(|| Doing::File(file.clone()))?;
        total += metadata.len();
    }
    let bar = progress::bar(false, Some(total), "{bar:20} {bytes}/{total_bytes}{left}", lang);
    let mut tally =
        Tally { bar, lang, before: 0, games: 0, positions: 0, faults: 0, left_out: [0; 2] };
    let written = NewFile::create(&args.output).map_err(Failure::from).and_then(|new| {
        if to == Format::Mgr {
            // The writer of game records has a lock of its own.
            new.unlock();
        }
        match to.flat() {
            Some(format) => export(&args.files, format, new.path(), &mut tally)?,
            None if repack => recode(args, new.path(), &mut tally)?,
            None => import(args, &from, new.path(), &mut tally)?,
        }
        Ok(new.commit()?)
    });
    tally.bar.finish_and_clear();
    written.with_context(|| Doing::Writing(args.output.clone()))?;
    let Tally { games, positions, faults, left_out: [leaves, tree], .. } = tally;
    let (games, positions) = (games_text(games, lang), positions_text(positions, lang));
    say!(
        lang,
        out,
        "{}: {games}, {positions}\n",
        "{}: {games}、{positions}\n",
        args.output.display()
    )?;
    if leaves > 0 {
        complain(say!(
            lang,
            "the leaves of {leaves} positions were left out: the other format has no place for them",
            "{leaves} 局面の末端局面は書き出していません（この形式には書けません）"
        ));
    }
    if tree > 0 {
        complain(say!(
            lang,
            "{tree} positions of search trees were left out: they belong to no game",
            "探索木の {tree} 局面は書き出していません（対局の局面ではないため）"
        ));
    }
    if faults > 0 {
        let parts = count(faults, "part", "parts");
        complain(say!(
            lang,
            "{parts} of the input left out",
            "入力のうち {faults} 箇所を読み飛ばしました"
        ));
        return Ok(ExitCode::from(PARTLY));
    }
    Ok(ExitCode::SUCCESS)
}

fn export(
    files: &[PathBuf],
    format: FlatFormat,
    output: &Path,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let mut out = BufWriter::new(File::create(output)?);
    let mut bytes = Vec::new();
    for file in files {
        let mut reader = GameReader::open(file)?;
        while let Some(game) = reader.next() {
            let game = match game {
                Ok(game) => game,
                Err(error @ RecordError::Io { .. }) => return Err(error.into()),
                Err(fault) => {
                    tally.fault(&fault);
                    continue;
                }
            };
            bytes.clear();
            let mut written = Ok(());
            game.walk(|sample| {
                if written.is_ok() {
                    let (position, winner) = (sample.position, game.outcome.winner);
                    written = format.write(position, sample.mv, sample.score, winner, &mut bytes);
                }
            });
            written?;
            out.write_all(&bytes)?;
            tally.games += 1;
            tally.positions += game.moves.len() as u64;
            tally.left_out[0] += game.leaves.len() as u64;
            tally.left_out[1] += game.tree.len() as u64;
            tally.bar.set_position(tally.before + reader.offset());
        }
        tally.before += file.metadata().map_or(0, |metadata| metadata.len());
    }
    out.flush()?;
    Ok(())
}

fn import(args: &Args, from: &[Format], output: &Path, tally: &mut Tally) -> Result<(), Failure> {
    let names: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
    let settings = GenerationSettings::default()
        .with("# monomi", env!("CARGO_PKG_VERSION"))
        .with("converted-from", names.join(" "));
    let (mut writer, _) = GameWriter::open(output, &settings)?;
    for (file, from) in args.files.iter().zip(from) {
        let Some(format) = from.flat() else { continue };
        let mut reader = FlatReader::open(file, format)?;
        let mut assembler = Assembler::default();
        while let Some(entry) = reader.next() {
            match entry {
                Ok(entry) => {
                    tally.positions += 1;
                    if let Some(game) = assembler.add(entry) {
                        writer.add(&game)?;
                        tally.games += 1;
                        tally.bar.set_position(tally.before + reader.offset());
                    }
                }
                Err(error @ FlatError::Io { .. }) => return Err(error.into()),
                Err(fault) => tally.fault(&fault),
            }
        }
        if let Some(game) = assembler.finish() {
            writer.add(&game)?;
            tally.games += 1;
        }
        tally.before += reader.offset();
    }
    writer.finish()?;
    Ok(())
}

/// Rewrites game records in the current format. Leaves, if requested, are found on all cores.
fn recode(args: &Args, output: &Path, tally: &mut Tally) -> Result<(), Failure> {
    let evaluation = args.leaves.then(|| args.evaluation.load(tally.lang)).transpose()?;
    let leaves = evaluation.as_ref().map(|found| format!("{:08x}", fingerprint(found)));
    let mut writer: Option<(GameWriter, GenerationSettings)> = None;
    for file in &args.files {
        let mut reader = GameReader::open(file)?;
        loop {
            let mut games = Vec::with_capacity(GAMES_AT_ONCE);
            while games.len() < GAMES_AT_ONCE
                && let Some(game) = reader.next()
            {
                match game {
                    // A concatenated file has several settings.
                    Ok(game) => games.push((game, reader.settings().clone())),
                    Err(error @ RecordError::Io { .. }) => return Err(error.into()),
                    Err(fault) => tally.fault(&fault),
                }
            }
            if games.is_empty() {
                break;
            }
            if let Some(evaluation) = &evaluation {
                let finder = || LeafFinder::new(Arc::clone(evaluation));
                games.par_iter_mut().for_each_init(finder, |finder, (game, _)| {
                    let mut lines = Vec::with_capacity(game.moves.len());
                    game.walk(|sample| lines.push(finder.line(sample.position)));
                    game.leaves = lines;
                });
            }
            for (game, mut settings) in games {
                if let Some(leaves) = &leaves {
                    settings.0.retain(|(key, _)| key != "leaves");
                    settings = settings.with("leaves", leaves);
                }
                let (writer, first) = match &mut writer {
                    Some(writer) => writer,
                    None => {
                        let (opened, _) = GameWriter::open(output, &settings)?;
                        writer.insert((opened, settings.clone()))
                    }
                };
                if *first != settings {
                    return Err(Problem::OtherSettings(file.clone()).into());
                }
                writer.add(&game)?;
                tally.games += 1;
                tally.positions += game.moves.len() as u64;
            }
            tally.bar.set_position(tally.before + reader.offset());
        }
        tally.before += file.metadata().map_or(0, |metadata| metadata.len());
    }
    let (writer, _) = writer.ok_or(Problem::NoGame)?;
    writer.finish()?;
    Ok(())
}
