//! `genfens`: random openings for engine matches, in the form that OpenBench asks for.

use crate::failure::Failure;
use monomi_datagen::Openings;
use monomi_eval::Evaluation;
use monomi_movegen::Random;
use monomi_search::{Limits, Score, SearchOptions, Searcher, Signals, Silent};
use monomi_support::text::{messages, shown};
use std::io::Write;
use std::path::Path;

/// Number of random moves from the start position.
const FROM_START: std::ops::RangeInclusive<u8> = 8..=9;
/// Number of random moves from a position of a book.
const FROM_BOOK: std::ops::RangeInclusive<u8> = 2..=3;
/// Openings worse than this for either side, in centipawns, are drawn again.
const MOST_CP: i32 = 300;
/// Nodes of the search that judges an opening.
const NODES: u64 = 2_000;
/// Number of positions drawn for each opening before giving up.
const MOST_DRAWS: usize = 200;

messages! {
    /// What is wrong with the command.
    enum Problem {
        /// Not of the form `genfens N seed S book FILE`.
        Usage(line: String) =>
            "expected `genfens COUNT seed SEED book FILE` (or `book None`), got `{line}`",
            "`genfens 個数 seed 乱数の種 book ファイル`（または `book None`）と指定してください\
             （指定: `{line}`）";
        /// Too few openings are new and balanced.
        TooFew(found: usize) =>
            "genfens: only {found} different balanced openings were found",
            "genfens: 互角の異なる局面は {found} 個しか見つかりませんでした";
    }
}

/// Prints `info string genfens SFEN` for each opening.
pub fn run(line: &str, out: &mut impl Write) -> Result<(), Failure> {
    let usage = || Failure::usage(Problem::Usage(shown(line)));
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["genfens", count, "seed", seed, "book", book] = words[..] else { return Err(usage()) };
    let count: usize = count.parse().map_err(|_| usage())?;
    let seed: u64 = seed.parse().map_err(|_| usage())?;
    let openings = match book {
        _ if book.eq_ignore_ascii_case("none") => Openings::startpos(FROM_START),
        _ => Openings::read(Path::new(book), FROM_BOOK)?,
    };
    let mut random = Random::new(seed);
    let mut searcher = Searcher::new(1, Evaluation::internal())?;
    let mut seen = Vec::new();
    let mut draws = 0;
    while seen.len() < count {
        if draws == count.saturating_mul(MOST_DRAWS) {
            return Err(Problem::TooFew(seen.len()).into());
        }
        draws += 1;
        let (_, _, position) = openings.draw(&mut random);
        if seen.contains(&position.key()) || !position.has_legal_move() {
            continue;
        }
        let limits = Limits::new().with_nodes(NODES);
        let (options, signals) = (SearchOptions::default(), Signals::default());
        let result = searcher.go(&position, &limits, &options, &signals, &mut Silent);
        if matches!(result.score, Score::Cp(cp) if cp.abs() <= MOST_CP) {
            seen.push(position.key());
            writeln!(out, "info string genfens {}", position.to_sfen())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use monomi_movegen::Position;

    fn sfens(line: &str) -> Vec<String> {
        let mut out = Vec::new();
        run(line, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let sfen = |line: &str| line.strip_prefix("info string genfens ").map(str::to_owned);
        text.lines().map(|line| sfen(line).unwrap()).collect()
    }

    #[test]
    fn openings_depend_on_the_seed_alone_and_are_different() {
        let first = sfens("genfens 5 seed 7 book None");
        assert_eq!(first, sfens("genfens 5 seed 7 book none"));
        assert_ne!(first, sfens("genfens 5 seed 8 book None"));
        assert_eq!(first.len(), 5);
        for (i, sfen) in first.iter().enumerate() {
            let position = Position::from_sfen(sfen).unwrap();
            assert!((9..=10).contains(&position.ply()), "{sfen}");
            assert!(!first[..i].contains(sfen));
        }
    }

    #[test]
    fn wrong_commands_are_named() {
        for line in ["genfens", "genfens x seed 1 book None", "genfens 1 seed 1 book None extra 3"]
        {
            let error = run(line, &mut Vec::new()).unwrap_err().to_string();
            assert!(error.contains(line), "{error}");
        }
    }
}
