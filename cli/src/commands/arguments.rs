//! Arguments shared by several commands.

use crate::commands::values::{at_least, parsed, within};
use crate::failure::{Context as _, Doing, Failure};
use crate::lang::Lang;
use monomi_eval::network::Routing;
use monomi_eval::source::{EvalSource, EvalSourceError};
use monomi_eval::{Evaluation, LoadOptions};
use monomi_movegen::Position;
use monomi_movegen::position_text;
use monomi_record;
use monomi_search::Limits;
use monomi_support::batch::files;
use monomi_support::text::{Message, messages};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A position as an argument.
#[derive(Debug, clap::Args)]
pub struct PositionArg {
    /// `startpos` (default), an SFEN, quoted or not, optionally followed by `moves ...`, or a file
    /// with a game or a diagram (KIF, KI2, BOD, CSA, JKF, USI; `-` for standard input): the last
    /// position of the first game in it.
    #[arg(value_name = "SFEN|FILE", value_hint = clap::ValueHint::FilePath)]
    position: Vec<String>,
}

impl PositionArg {
    /// The position; of a game the last one.
    pub fn read(&self) -> Result<Position, Failure> {
        match self.position.as_slice() {
            [] => Ok(Position::startpos()),
            [name] if name == "-" => {
                let bytes = files::read_all(std::io::stdin().lock())?;
                position_in(&bytes).context(Doing::StandardInput)
            }
            [name] if Path::new(name).is_file() || looks_like_a_file(name) => {
                let file = || Doing::File(name.into());
                let bytes = files::read(Path::new(name)).with_context(file)?;
                position_in(&bytes).with_context(file)
            }
            words => {
                let text = words.join(" ");
                // A line of a log may be given as it is.
                let text = text.trim_start();
                let text = text.strip_prefix("position ").unwrap_or(text);
                position_text::read(text).map_err(Failure::invalid)
            }
        }
    }
}

/// What a draw is worth.
#[derive(Debug, clap::Args)]
pub struct DrawArg {
    /// The value of a draw for Black in centipawns; White's is its opposite.
    #[arg(
        id = "draw_value",
        long = "draw-value",
        value_name = "CENTIPAWNS",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = within(-30_000i16..=30_000)
    )]
    pub value: i16,
}

/// Whether a word that is not an existing file must have been meant as one: no SFEN contains a dot
/// or a backslash. Reading it then says why it cannot be read.
fn looks_like_a_file(word: &str) -> bool {
    word.contains(['.', '\\'])
}

/// The last position of the first game in a file.
pub fn position_in(bytes: &[u8]) -> Result<Position, Failure> {
    let records = monomi_record::read(bytes)?.records;
    let record = records.into_iter().next().ok_or(NoGame)?;
    if let Some(fault) = record.faults.first() {
        return Err(fault.clone().into());
    }
    Ok(record.last_position())
}

messages! {
    /// A file in the format of a record, without a game.
    struct NoGame => "no game in it", "棋譜がありません";
}

/// An evaluation as an argument.
#[derive(Debug, clap::Args)]
pub struct EvalArg {
    /// Evaluation file (nn.bin), or `<piece-square>` [default: the built-in network].
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    eval_file: Option<PathBuf>,
    /// Divisor from the output of the evaluation file's network to the score [default: as the file
    /// says, else 28 for SFNN networks and 16 for others].
    #[arg(long, value_name = "N", value_parser = parsed::<NonZeroU16>)]
    fv_scale: Option<NonZeroU16>,
    /// How the network's layer stack is chosen: k3k3, hand16_k3k3, ... [default: as the file says].
    #[arg(long, value_name = "ROUTING", value_parser = parsed::<Routing>)]
    eval_routing: Option<Routing>,
}

impl EvalArg {
    /// The evaluation. Standard error shows how far it has been read, if that takes long.
    pub fn load(&self, lang: Lang) -> Result<Arc<Evaluation>, EvalSourceError> {
        self.source().load(&mut |loading| super::complain(loading.in_lang(lang)))
    }

    fn source(&self) -> EvalSource {
        match &self.eval_file {
            Some(name) => {
                let options = LoadOptions::default()
                    .with_fv_scale(self.fv_scale)
                    .with_routing(self.eval_routing);
                EvalSource::from_name(name, options)
            }
            None => EvalSource::Internal,
        }
    }
}

/// Limits of each search.
#[derive(Debug, clap::Args)]
pub struct LimitArgs {
    /// Nodes for each position.
    #[arg(long, value_name = "N", value_parser = at_least(1u64))]
    pub nodes: Option<u64>,
    /// Depth for each position in plies.
    #[arg(long, value_name = "PLIES", value_parser = at_least(1u32))]
    pub depth: Option<u32>,
    /// Time for each position in milliseconds.
    #[arg(long, value_name = "MS", value_parser = at_least(1u64))]
    pub movetime: Option<u64>,
}

impl LimitArgs {
    /// Whether no limit is given.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_none() && self.depth.is_none() && self.movetime.is_none()
    }

    /// The time for each position.
    pub fn movetime(&self) -> Option<Duration> {
        self.movetime.map(Duration::from_millis)
    }

    /// As search limits; the time starts now.
    pub fn limits(&self) -> Limits {
        Limits::new().with_depth(self.depth).with_nodes(self.nodes).with_movetime(self.movetime())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_may_come_unquoted() {
        let words =
            |text: &str| PositionArg { position: text.split(' ').map(ToOwned::to_owned).collect() };
        let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let key = Position::startpos().key();
        for text in [
            "startpos",
            "position startpos",
            sfen,
            &format!("sfen {sfen}"),
            &format!("position sfen {sfen}"),
            &format!("{sfen} moves"),
        ] {
            assert_eq!(words(text).read().unwrap().key(), key);
            let quoted = PositionArg { position: vec![text.to_owned()] };
            assert_eq!(quoted.read().unwrap().key(), key);
        }
        assert_eq!(PositionArg { position: Vec::new() }.read().unwrap().key(), key);
        let missing = words("games/nofile.kif").read().unwrap_err();
        assert!(missing.in_lang(Lang::En).to_string().starts_with("games/nofile.kif: "));
        assert!(words("startpos moves 7g7e").read().is_err());
        assert!(words("position").read().is_err());
        let resigned = words("position startpos moves 7g7f resign").read().unwrap();
        assert_eq!(resigned.moves_made(), 1);
    }
}
