//! `monomi book leaves` and `monomi book add`: what to search next, and the results back into the book.

use crate::commands::book::choice::ChoiceArgs;
use crate::commands::book::convert::{complain, folder_of};
use crate::commands::book::{exit_code, size_text};
use crate::commands::values::at_least;
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::Lang;
use monomi_book::{BookEntry, BookMove, Conversion, Minimax, entry_of, extend, leaves};
use monomi_movegen::{PackedMove, Position};
use monomi_support::batch::files;
use monomi_support::text::{Message, messages};
use serde::Deserialize;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The value of a mate in no moves.
const MATE: i64 = 32_000;

const LEAVES_HELP: &str = "\
The list begins with the positions on the best lines of both sides; then come those on lines that
lose little to them in all, by the values that `monomi book minimax` gives. No file of values is
needed.

Examples:
  monomi book leaves mined.ybb > next.sfen
  monomi book leaves --count 5000 --margin 60 --start 'startpos moves 2g2f 8c8d' mined.ybb > next.sfen
  monomi analyze --positions --multipv 4 --nodes 1000000 -o out -f jsonl next.sfen
  monomi book add mined.ybb out/next.monomi.jsonl -o mined.ybb";

const ADD_HELP: &str = "\
The book may be the output, and it need not exist. Each position gets the moves of all lines that
were searched (--multipv), with values and depths; a move that is in the book already gets the
value of the deeper search.

Examples:
  monomi book add mined.ybb out/next.monomi.jsonl -o mined.ybb
  monomi book add mined.ybb shard1.jsonl shard2.jsonl -o mined.ybb";

#[derive(Debug, clap::Args)]
#[command(after_help = LEAVES_HELP)]
pub(in crate::commands) struct Leaves {
    /// The book (.db or .ybb); it need not exist.
    #[arg(value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    book: PathBuf,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// The greatest number of positions.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = at_least(1usize))]
    count: usize,
}

#[derive(Debug, clap::Args)]
#[command(after_help = ADD_HELP)]
pub(in crate::commands) struct Add {
    /// The book (.db or .ybb).
    #[arg(value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    book: PathBuf,
    /// Results of `monomi analyze` as JSONL.
    #[arg(required = true, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    results: Vec<PathBuf>,
    /// The book to write.
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
}

messages! {
    /// A line of the results that is not one.
    struct NotAResult {
        path: PathBuf,
        line: usize,
    } =>
        "{path}: line {line} is not a searched position",
        "{path}: {line} 行目は探索した局面ではありません";
}

pub(super) fn run(args: &Leaves, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let (choice, all_good) = args.choice.read(args.count, lang)?;
    for position in leaves(&args.book, &choice, &how(&args.book, cores(), 0))? {
        writeln!(out, "{}", position.to_sfen())?;
    }
    Ok(exit_code(all_good))
}

/// The number of cores.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// How the values of a book are computed and the book is written.
pub(super) fn how(output: &Path, threads: usize, draw: i16) -> Minimax {
    Minimax { threads, shrink: false, draw, conversion: conversion(output) }
}

fn conversion(output: &Path) -> Conversion {
    let folder = folder_of(output);
    Conversion { memory: 512 << 20, folder, depths: true, starts: Vec::new() }
}

/// The value of a mate in this number of plies; negative for the other side.
pub(super) fn eval_of_mate(plies: i64) -> i32 {
    ((MATE - plies.abs().min(MATE)) * plies.signum()) as i32
}

/// A line of a search.
#[derive(Deserialize)]
struct Line {
    cp: Option<i32>,
    mate: Option<i64>,
    #[serde(default)]
    pv: String,
}

/// A searched position; other fields are ignored.
#[derive(Deserialize)]
struct Row {
    sfen: String,
    depth: u32,
    #[serde(flatten)]
    best: Line,
    #[serde(default)]
    candidates: Vec<Line>,
}

impl Row {
    /// The position with its moves. `None` if the row is invalid; without moves if the game is over.
    fn entry(&self) -> Option<BookEntry> {
        let position = Position::from_sfen(&self.sfen).ok()?;
        let mut moves = Vec::new();
        for line in std::iter::once(&self.best).chain(&self.candidates) {
            let mut pv = line.pv.split_ascii_whitespace().map(str::parse::<PackedMove>);
            let Some(mv) = pv.next() else { continue };
            let mv = mv.ok().filter(|&mv| position.is_legal(mv))?;
            let ponder = pv.next().and_then(Result::ok);
            let eval = line.cp.or_else(|| line.mate.map(eval_of_mate))?;
            moves.push(BookMove { mv, ponder, eval, depth: self.depth, count: 1 });
        }
        entry_of(&position, moves).ok()
    }
}

/// The searched positions of a file. Says whether every line was one.
fn read(path: &Path, entries: &mut Vec<BookEntry>, lang: Lang) -> Result<bool, Failure> {
    let reading = || Doing::File(path.to_owned());
    let mut all_good = true;
    let file = files::open(path).with_context(reading)?;
    for (number, line) in BufReader::new(file).lines().enumerate() {
        let line = line.with_context(reading)?;
        if line.trim().is_empty() {
            continue;
        }
        let row = serde_json::from_str::<Row>(&line).ok();
        match row.and_then(|row| row.entry()) {
            Some(entry) => entries.push(entry),
            None => {
                let fault = NotAResult { path: path.to_owned(), line: number + 1 };
                crate::commands::complain(fault.in_lang(lang).to_string());
                all_good = false;
            }
        }
    }
    Ok(all_good)
}

pub(super) fn add(args: &Add, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let mut entries = Vec::new();
    let mut all_good = true;
    for path in &args.results {
        all_good &= read(path, &mut entries, lang)?;
    }
    let books = if args.book.exists() { vec![args.book.clone()] } else { Vec::new() };
    let written = extend(&books, &entries, &args.output, &conversion(&args.output))?;
    for (path, faults) in &written.faults {
        complain(path, faults, lang);
        all_good &= faults.count == 0;
    }
    let size = size_text(written.positions as usize, written.moves as usize, lang);
    writeln!(out, "{size}")?;
    Ok(exit_code(all_good))
}
