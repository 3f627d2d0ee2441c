//! Arguments that choose the positions of a book to search next.

use crate::commands::games::each_game;
use crate::commands::values::{at_least, parsed};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::Lang;
use monomi_analysis::{Place, read_list};
use monomi_book::LeafChoice;
use monomi_movegen::Position;
use monomi_movegen::position_text;
use monomi_support::batch::files;
use monomi_support::batch::shard::Shard;
use monomi_support::text::Message as _;
use std::io::BufReader;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub(super) struct ChoiceArgs {
    /// Where lines begin: a position, or a file with one on each line. May be repeated
    /// [default: the initial position].
    #[arg(long, value_name = "SFEN|FILE")]
    start: Vec<String>,
    /// Game records of opponents, or folders of records: the position where a game leaves the book,
    /// and the ends of the best lines before it. May be repeated.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// How much worse than the best move of its position a move may be, in centipawns.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 30, value_parser = at_least(0i32))]
    margin: i32,
    /// The greatest number of moves of a line.
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = parsed::<u32>)]
    plies: u32,
    /// Moves with greater values, for either side, are not followed out of the book.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 2000, value_parser = at_least(0i32))]
    max_eval: i32,
    /// How much the value of a position must differ from that of its own search for its best line to be
    /// continued.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 100, value_parser = at_least(1i32))]
    change: i32,
}

impl ChoiceArgs {
    /// Reads the positions and games. False if part of them could not be read.
    pub fn read(&self, count: usize, lang: Lang) -> Result<(LeafChoice, bool), Failure> {
        let (starts, mut all_good) = starts(&self.start, lang)?;
        let mut games = Vec::new();
        let most = self.plies as usize + 1;
        if !self.games.is_empty() {
            all_good &= each_game(&self.games, lang, |game| {
                games.push(game.record.positions().take(most).collect());
            });
        }
        let choice = LeafChoice {
            starts,
            games,
            margin: self.margin,
            plies: self.plies,
            eval: self.max_eval,
            change: self.change,
            count,
        };
        Ok((choice, all_good))
    }
}

/// The positions that these arguments name, which are positions or files with one on each line; the
/// initial position if there is none. False if part of a file could not be read.
pub(super) fn starts(texts: &[String], lang: Lang) -> Result<(Vec<Position>, bool), Failure> {
    if texts.is_empty() {
        return Ok((vec![Position::startpos()], true));
    }
    let (mut found, mut all_good) = (Vec::new(), true);
    for text in texts {
        let path = Path::new(text);
        if path.is_file() {
            all_good &= list(path, &mut found, lang).with_context(|| Doing::File(path.into()))?;
        } else {
            found.push(position_text::read(text).map_err(Failure::invalid)?);
        }
    }
    Ok((found, all_good))
}

/// Reads a list of positions. Complains about lines that are not one.
fn list(path: &Path, found: &mut Vec<Position>, lang: Lang) -> Result<bool, Failure> {
    let source = monomi_record::list_in_utf8(Box::new(BufReader::new(files::open(path)?)))?;
    let mut all_good = true;
    for entry in read_list(source, Shard::WHOLE, Place::START)? {
        match entry?.position {
            Ok(position) => found.push(position),
            Err(fault) => {
                crate::commands::complain(format!("{}: {}", path.display(), fault.in_lang(lang)));
                all_good = false;
            }
        }
    }
    Ok(all_good)
}
