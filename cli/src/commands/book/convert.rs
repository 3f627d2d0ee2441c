//! `monomi book convert`, and `check` of a `.ybb`.

use crate::commands::book::choice::starts;
use crate::commands::book::{complain_count, exit_code, size_text};
use crate::commands::records::positions_text;
use crate::commands::values::at_least;
use crate::failure::Failure;
use crate::lang::{Lang, count};
use monomi_book::{Conversion, Converted, Faults, convert, inspect_ybb};
use monomi_support::text::{Message, say};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
The formats follow from the names: .ybb, .bin for Apery's, .sbk for ShogiGUI's, which is only read,
and .db for any other. A .ybb has no replies, counts and results, a .bin no depths. Several books
are merged: counts are added, evaluations are taken from the deeper search. The output is sorted, as
searching on disk requires.

Examples:
  monomi book convert book.db -o book.ybb
  monomi book convert book.ybb -o book.db
  monomi book convert mine.db other.ybb -o all.ybb
  monomi book convert apery.bin -o apery.ybb
  monomi book convert shogigui.sbk -o shogigui.db";

#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub(in crate::commands) struct Args {
    /// Books (.db, .ybb, Apery's .bin, or ShogiGUI's .sbk).
    #[arg(required = true, value_name = "BOOK", value_hint = clap::ValueHint::FilePath)]
    books: Vec<PathBuf>,
    /// The book to write.
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// Leave the depths out of a .ybb: four bytes for each move instead of six.
    #[arg(long)]
    no_depth: bool,
    /// Memory for sorting in MiB; the rest is sorted in temporary files.
    #[arg(long, default_value_t = 512, value_name = "MIB", value_parser = at_least(1usize))]
    memory: usize,
    /// Folder of the temporary files [default: that of the output].
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    temp: Option<PathBuf>,
    /// Where the positions of a .bin are searched, which has only their keys; may be repeated
    /// [default: the initial position].
    #[arg(long, value_name = "SFEN|FILE")]
    start: Vec<String>,
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

pub(super) fn run(args: &Args, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let (starts, list_is_good) = starts(&args.start, lang)?;
    let how = Conversion {
        memory: args.memory.saturating_mul(1 << 20),
        folder: args.temp.clone().unwrap_or_else(|| folder_of(&args.output)),
        depths: !args.no_depth,
        starts,
    };
    let converted = convert(&args.books, &args.output, &how)?;
    for (path, faults) in &converted.faults {
        complain(path, faults, lang);
    }
    let Converted { positions, moves, merged, clamped, unreached, .. } = converted;
    writeln!(out, "{}", size_text(positions as usize, moves as usize, lang))?;
    if merged > 0 {
        let english = positions_text(merged, lang);
        say!(lang, out, "{english} merged\n", "{english}を併合しました\n")?;
    }
    if clamped > 0 {
        let english = count(clamped, "move has", "moves have");
        say!(
            lang,
            out,
            "{english} numbers that the format does not; the nearest were written\n",
            "{clamped} 手の数値は形式の範囲を超えるため、最も近い値にしました\n"
        )?;
    }
    if unreached > 0 {
        let english = count(unreached, "move belongs", "moves belong");
        say!(
            lang,
            out,
            "{english} to positions not reached from the start (--start)\n",
            "{unreached} 手は開始局面（--start）から到達できない局面の手です\n"
        )?;
    }
    let books_are_good = converted.faults.iter().all(|(_, faults)| faults.count == 0);
    Ok(exit_code(list_is_good && books_are_good))
}

/// Reports what is wrong with a book.
pub(super) fn complain(path: &Path, faults: &Faults, lang: Lang) {
    for fault in &faults.named {
        crate::commands::complain(format!("{}: {}", path.display(), fault.in_lang(lang)));
    }
    complain_count(path, faults.count, lang);
}

/// `check` of a `.ybb`.
pub(super) fn check(path: &Path, out: &mut impl Write, lang: Lang) -> Result<ExitCode, Failure> {
    let found = inspect_ybb(path)?;
    complain(path, &found.faults, lang);
    writeln!(out, "{}", size_text(found.positions as usize, found.moves as usize, lang))?;
    let faults = found.faults.count;
    let english = count(faults, "fault", "faults");
    say!(lang, out, "{english}\n", "誤り {faults} 件\n")?;
    Ok(exit_code(faults == 0))
}
