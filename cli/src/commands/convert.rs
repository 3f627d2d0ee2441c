//! `monomi convert`.

use super::{EvalArg, PARTLY, complain, progress};
use crate::commands::records::{games_text, positions_text};
use crate::commands::values::{parsed, within};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::{Lang, count};
use indicatif::ProgressBar;
use monomi_datagen::{LeafFinder, fingerprint};
use monomi_games::{
    Assembler, BlockReader, Entry, FlatError, FlatFormat, FlatReader, Game, GameReader, GameWriter,
    GenerationSettings, RecordError, Shuffle,
};
use monomi_movegen::NotAFullSet;
use monomi_support::batch::files::NewFile;
use monomi_support::text::{Message, messages, say};
use rayon::iter::{
    IntoParallelRefIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _,
};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Maximum number of errors to print; further ones are only counted.
const NAMED_FAULTS: u64 = 10;
/// Number of games read before their leaves are found, in parallel, and the games are written.
const GAMES_AT_ONCE: usize = 1024;
/// Blocks of game records, and positions, that are read on all cores before they are written.
const BLOCKS_AT_ONCE: usize = 64;
const POSITIONS_AT_ONCE: usize = 1 << 16;

const AFTER_HELP: &str = "\
Examples:
  monomi convert games.mgr more.mgr -o positions.psv
  monomi convert positions.psv -o games.mgr
  monomi convert old.mgr -o new.mgr --leaves
  monomi convert games.mgr -o shuffled.psv --shuffle 1 --unique
  monomi convert a.psv b.psv -o all.hcpe --shuffle 1 --memory 8192

Formats are recognised by the names of the files: .mgr game records, .psv or .bin PackedSfenValue,
.hcpe HuffmanCodedPosAndEval. Scores are written unchanged, in internal units (90 to a pawn). The
random moves at the start of a game are not written to .psv and .hcpe, and neither are leaves and
positions of search trees; a notice says how many were left out.

--shuffle and --unique work on files of any size: what does not fit into --memory goes to a
temporary file beside the output, as large as the positions. A shuffled file has no games any more:
trainers that hold out games for measuring take them from the file before it is shuffled.

Exit codes: 0 success; 1 failure; 2 invalid arguments; 3 done, but some input could not be read.";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Files to convert.
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
    /// To PSV and hcpe: write the positions in random order. The same seed gives the same order.
    #[arg(long, value_name = "SEED", value_parser = parsed::<u64>)]
    shuffle: Option<u64>,
    /// With --shuffle: keep only the first of all entries with the same position.
    #[arg(long, requires = "shuffle")]
    unique: bool,
    /// With --shuffle: memory in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = within(16..=1_048_576usize))]
    memory: usize,
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
        match FlatFormat::of(path) {
            Some(FlatFormat::Psv) => Ok(Format::Psv),
            Some(FlatFormat::Hcpe) => Ok(Format::Hcpe),
            None if path.extension().is_some_and(|it| it.eq_ignore_ascii_case("mgr")) => {
                Ok(Format::Mgr)
            }
            None => Err(Failure::usage(Problem::UnknownFormat(path.to_owned()))),
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
        Mixed =>
            "game records cannot be made of game records and positions together: convert the \
             positions first",
            "自己対局の記録と局面を混ぜて記録へ変換することはできません。先に局面を記録へ変換して\
             ください";
        ShuffleNeedsPositions =>
            "--shuffle applies only to PSV and hcpe: game records are read in random order anyway",
            "--shuffle は PSV と hcpe への変換でのみ使えます（自己対局の記録は学習時に無作為な順序で\
             読まれます）";
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
    /// Positions that came before.
    duplicates: u64,
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
    if to == Format::Mgr && !repack && from.contains(&Format::Mgr) {
        return Err(Failure::usage(Problem::Mixed));
    }
    if args.shuffle.is_some() && to == Format::Mgr {
        return Err(Failure::usage(Problem::ShuffleNeedsPositions));
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
    let mut tally = Tally {
        bar,
        lang,
        before: 0,
        games: 0,
        positions: 0,
        faults: 0,
        left_out: [0; 2],
        duplicates: 0,
    };
    let written = NewFile::create(&args.output).map_err(Failure::from).and_then(|new| {
        if to == Format::Mgr {
            // The writer of game records has a lock of its own.
            new.unlock();
        }
        match to.flat() {
            Some(format) => export(args, &from, format, new.path(), &mut tally)?,
            None if repack => recode(args, new.path(), &mut tally)?,
            None => import(args, &from, new.path(), &mut tally)?,
        }
        Ok(new.commit()?)
    });
    tally.bar.finish_and_clear();
    written.with_context(|| Doing::Writing(args.output.clone()))?;
    let Tally { games, positions, faults, left_out: [leaves, tree], duplicates, .. } = tally;
    let positions = positions_text(positions, lang);
    let counts = match to.flat().is_some() && !from.contains(&Format::Mgr) {
        // Positions stay positions.
        true => positions,
        false => {
            let games = games_text(games, lang);
            say!(lang, "{games}, {positions}", "{games}、{positions}")
        }
    };
    writeln!(out, "{}: {counts}", args.output.display())?;
    if args.unique {
        let same = positions_text(duplicates, lang);
        say!(
            lang,
            out,
            "{same} left out: the same position came before\n",
            "同じ局面が前にあったため {same}を除きました\n"
        )?;
    }
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

/// Where positions are written.
enum Sink<'a> {
    File(BufWriter<&'a File>),
    Shuffle(Shuffle),
}

impl Sink<'_> {
    fn write(&mut self, records: &[u8]) -> io::Result<()> {
        match self {
            Sink::File(out) => out.write_all(records),
            Sink::Shuffle(shuffle) => shuffle.add(records),
        }
    }
}

/// The records of games, and counts.
#[derive(Default)]
struct Exported {
    records: Vec<u8>,
    games: u64,
    left_out: [u64; 2],
}

impl Exported {
    fn add(&mut self, game: &Game, format: FlatFormat) -> Result<(), NotAFullSet> {
        let mut written = Ok(());
        game.walk(|sample| {
            if written.is_ok() {
                let (position, winner) = (sample.position, game.outcome.winner);
                let records = &mut self.records;
                written = format.write(position, sample.mv, sample.score, winner, records);
            }
        });
        self.games += 1;
        self.left_out[0] += game.leaves.len() as u64;
        self.left_out[1] += game.tree.len() as u64;
        written
    }
}

/// Writes positions, read and encoded on all cores.
fn export(
    args: &Args,
    from: &[Format],
    format: FlatFormat,
    output: &Path,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let file = File::create(output)?;
    let mut sink = match args.shuffle {
        Some(seed) => {
            let folder = args.output.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            Sink::Shuffle(Shuffle::new(format, seed, args.unique, args.memory << 20, folder))
        }
        None => Sink::File(BufWriter::new(&file)),
    };
    for (path, from) in args.files.iter().zip(from) {
        match from.flat() {
            Some(from) => export_positions(path, (from, format), &mut sink, tally)?,
            None => export_games(path, format, &mut sink, tally)?,
        }
        tally.before += path.metadata().map_or(0, |metadata| metadata.len());
        tally.bar.set_position(tally.before);
    }
    match sink {
        Sink::File(mut out) => out.flush()?,
        Sink::Shuffle(shuffle) => {
            let mut out = BufWriter::with_capacity(1 << 20, &file);
            tally.bar.set_length(tally.positions * format.size() as u64);
            let done = shuffle.finish(&mut out, &mut |bytes| tally.bar.set_position(bytes))?;
            out.flush()?;
            (tally.positions, tally.duplicates) = (done.written, done.duplicates);
        }
    }
    Ok(())
}

/// Writes the positions of game records.
fn export_games(
    path: &Path,
    format: FlatFormat,
    sink: &mut Sink<'_>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let (blocks, faults) = BlockReader::open(path)?.blocks()?;
    faults.iter().for_each(|fault| tally.fault(fault));
    for some in blocks.chunks(BLOCKS_AT_ONCE) {
        let parts: Vec<(Exported, Option<RecordError>)> = some
            .par_iter()
            .map(|&at| {
                let (games, fault) = BlockReader::open(path)?.games(at)?;
                let mut part = Exported::default();
                games.iter().try_for_each(|game| part.add(game, format))?;
                Ok((part, fault))
            })
            .collect::<Result<_, Failure>>()?;
        for (part, fault) in parts {
            sink.write(&part.records)?;
            tally.games += part.games;
            tally.positions += (part.records.len() / format.size()) as u64;
            tally.left_out[0] += part.left_out[0];
            tally.left_out[1] += part.left_out[1];
            if let Some(fault) = fault {
                tally.fault(&fault);
            }
        }
        tally.bar.set_position(tally.before + some[some.len() - 1]);
    }
    Ok(())
}

/// Writes positions of a file of positions.
fn export_positions(
    path: &Path,
    (from, to): (FlatFormat, FlatFormat),
    sink: &mut Sink<'_>,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let mut reader = FlatReader::open(path, from)?;
    loop {
        let chunk = reader.chunk(POSITIONS_AT_ONCE);
        if chunk.is_empty() {
            return Ok(());
        }
        let mut records = Vec::with_capacity(chunk.len() * to.size());
        for entry in chunk {
            match entry {
                Ok(Entry { position, mv, score, winner }) => {
                    to.write(&position, mv, score, winner, &mut records)?;
                    tally.positions += 1;
                }
                Err(error @ FlatError::Io { .. }) => return Err(error.into()),
                Err(fault) => tally.fault(&fault),
            }
        }
        sink.write(&records)?;
        tally.bar.set_position(tally.before + reader.offset());
    }
}

/// Makes game records of positions; they are read and encoded on all cores.
fn import(args: &Args, from: &[Format], output: &Path, tally: &mut Tally) -> Result<(), Failure> {
    let names: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
    let settings = GenerationSettings::default()
        .with("# monomi", env!("CARGO_PKG_VERSION"))
        .with("converted-from", names.join(" "));
    let (mut writer, _) = GameWriter::open(output, &settings)?;
    let mut games: Vec<Game> = Vec::new();
    for (file, from) in args.files.iter().zip(from) {
        let Some(format) = from.flat() else { continue };
        let mut reader = FlatReader::open(file, format)?;
        let mut assembler = Assembler::default();
        loop {
            let chunk = reader.chunk(POSITIONS_AT_ONCE);
            if chunk.is_empty() {
                break;
            }
            for entry in chunk {
                match entry {
                    Ok(entry) => {
                        tally.positions += 1;
                        games.extend(assembler.add(entry));
                    }
                    Err(error @ FlatError::Io { .. }) => return Err(error.into()),
                    Err(fault) => tally.fault(&fault),
                }
            }
            writer.add_all(&games)?;
            tally.games += games.len() as u64;
            games.clear();
            tally.bar.set_position(tally.before + reader.offset());
        }
        games.extend(assembler.finish());
        tally.before += reader.offset();
    }
    writer.add_all(&games)?;
    tally.games += games.len() as u64;
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
