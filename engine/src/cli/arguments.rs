//! Arguments that several commands have: the same name means the same everywhere.

use crate::search::Limits;
use crate::usi::{self, EvalSource};
use monomi_eval::{DEFAULT_FV_SCALE, Evaluation};
use monomi_movegen::Position;
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A position as an argument.
#[derive(Debug, clap::Args)]
pub struct PositionArg {
    /// `startpos` (the default) or an sfen, quoted or not, with or without `moves ...`.
    #[arg(value_name = "SFEN")]
    position: Vec<String>,
}

impl PositionArg {
    /// The position.
    pub fn read(&self) -> Result<Position, usi::ReadError> {
        if self.position.is_empty() {
            return Ok(Position::startpos());
        }
        usi::read_position(&self.position.join(" "))
    }
}

/// An evaluation as an argument.
#[derive(Debug, clap::Args)]
pub struct EvalArg {
    /// Evaluation file (nn.bin) or `<piece-square>` instead of the network built in.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    eval_file: Option<PathBuf>,
    /// Divisor from a network's output to the score.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_FV_SCALE,
          value_parser = clap::value_parser!(NonZeroU16))]
    fv_scale: NonZeroU16,
}

impl EvalArg {
    /// The evaluation.
    pub fn load(&self) -> Result<Arc<Evaluation>, usi::EvalFileError> {
        let source = EvalSource { file: self.eval_file.clone(), fv_scale: self.fv_scale };
        usi::load_evaluation(&source)
    }

    /// What names it, to compare.
    pub fn fingerprint(&self) -> String {
        format!("eval {:?} / {}", self.eval_file, self.fv_scale)
    }
}

/// Limits of each search.
#[derive(Debug, clap::Args)]
pub struct LimitArgs {
    /// Nodes for each position.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Depth for each position in plies.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Time for each position in milliseconds.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
}

impl LimitArgs {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_none() && self.depth.is_none() && self.movetime.is_none()
    }

    /// The time for each position.
    pub fn movetime(&self) -> Option<Duration> {
        self.movetime.map(Duration::from_millis)
    }

    /// As the search takes them; the time runs from here.
    pub fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes, movetime: self.movetime(), ..Limits::new() }
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
        for text in ["startpos", sfen, &format!("sfen {sfen}"), &format!("{sfen} moves")] {
            assert_eq!(words(text).read().unwrap().key(), key);
            let quoted = PositionArg { position: vec![text.to_owned()] };
            assert_eq!(quoted.read().unwrap().key(), key);
        }
        assert_eq!(PositionArg { position: Vec::new() }.read().unwrap().key(), key);
        assert!(words("startpos moves 7g7e").read().is_err());
    }
}
