//! Training data and objective as arguments.

use crate::dataset::{Filter, Request, Shuffled};
use crate::look_ahead::LookAhead;
use crate::objective::Objective;
use crate::sample::Sample;
use indicatif::HumanCount;
use std::io::Write;
use std::path::PathBuf;

/// The training data.
#[derive(Debug, clap::Args)]
pub(super) struct DataArgs {
    /// Game records, as written by `monomi datagen`, or positions: PSV (.psv, .bin) and hcpe (.hcpe).
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// For each file, the share of its positions that is used in each epoch, drawn anew each time:
    /// less for older games. The last one counts for all files that follow.
    #[arg(long, value_name = "SHARE,...", value_delimiter = ',')]
    weights: Vec<f64>,
    /// Share of the openings whose games are held out: not trained on, only measured.
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    held_out: f64,
    /// Leave out positions with scores beyond this, in internal units (90 to a pawn).
    #[arg(long, value_name = "SCORE", default_value_t = Filter::default().max_score)]
    max_score: i16,
    /// Also use positions in check and positions whose best move captures or promotes.
    #[arg(long)]
    all_positions: bool,
    /// Use positions as they are, even where the leaf of the quiescence search is recorded.
    #[arg(long)]
    no_leaves: bool,
    /// Leave out positions whose leaf is more plies away than this.
    #[arg(long, value_name = "N", conflicts_with = "no_leaves")]
    leaf_plies: Option<usize>,
    /// Do not use the positions from search trees in the records.
    #[arg(long)]
    no_tree: bool,
    /// Weight of the rest of the game in each position's score (lambda of TD(lambda)): 0 for the
    /// score alone; 0.9 covers about the next ten plies.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    look_ahead: f64,
    /// Memory for positions, in MiB. Data that do not fit are read again in each epoch, in parts.
    #[arg(long, value_name = "MIB", default_value_t = 8192)]
    memory: usize,
}

impl DataArgs {
    /// Reads the data: those to train on, and those held out. `scale` is the objective's.
    pub(super) fn open(
        &self,
        seed: u64,
        scale: f32,
        out: &mut impl Write,
    ) -> anyhow::Result<(Shuffled, Vec<Sample>)> {
        anyhow::ensure!(
            (0.0..1.0).contains(&self.held_out),
            "--held-out must be from 0 to below 1"
        );
        anyhow::ensure!((0.0..=1.0).contains(&self.look_ahead), "--look-ahead must be from 0 to 1");
        anyhow::ensure!(
            self.weights.iter().all(|&weight| weight > 0.0 && weight <= 1.0),
            "--weights must be above 0 and at most 1"
        );
        anyhow::ensure!(
            self.weights.len() <= self.files.len(),
            "--weights has {} numbers for {} files",
            self.weights.len(),
            self.files.len()
        );
        let request = Request {
            files: self.files.clone(),
            weights: self.weights.clone(),
            filter: Filter {
                max_score: self.max_score,
                quiet: !self.all_positions,
                leaf_plies: (!self.no_leaves).then_some(self.leaf_plies.unwrap_or(usize::MAX)),
                tree: !self.no_tree,
                look_ahead: LookAhead { share: self.look_ahead, scale: scale.into() },
            },
            held_out: self.held_out,
            limit: (self.memory.max(1) << 20) / (size_of::<Sample>() + size_of::<u32>()),
        };
        let limit = request.limit as u64;
        let (source, found) = request.open(seed)?;
        for fault in found.faults {
            writeln!(out, "warning: {fault}")?;
        }
        writeln!(
            out,
            "{} games: {} positions to train on{}{}{}, {} held out",
            HumanCount(found.games),
            HumanCount(found.training),
            match &self.weights[..] {
                [] => String::new(),
                _ => format!(" ({} in each epoch)", HumanCount(source.total())),
            },
            match found.of_trees {
                0 => String::new(),
                of_trees => format!(" ({} of them from search trees)", HumanCount(of_trees)),
            },
            if found.training > limit { " (more than --memory holds at a time)" } else { "" },
            HumanCount(found.held_out.len() as u64),
        )?;
        for path in found.shuffled.iter().filter(|_| !found.held_out.is_empty()) {
            writeln!(
                out,
                "note: {}: most positions do not follow from the one before, as after shuffling. Held-out \
                 positions have neighbours from the same games among those that are trained on, so the \
                 held-out loss says little about other games. Measure with another file, or train on the \
                 file before it was shuffled.",
                path.display()
            )?;
        }
        Ok((source, found.held_out))
    }
}

/// The objective.
#[derive(Debug, clap::Args)]
pub(super) struct TargetArgs {
    /// Weight of the game's result in the target; the rest is the score.
    #[arg(long, value_name = "SHARE", default_value_t = Objective::default().result_share)]
    result_share: f32,
    /// The score, in internal units, that wins with probability 0.73.
    #[arg(long, value_name = "SCORE", default_value_t = Objective::default().scale)]
    scale: f32,
    /// Exponent of the loss.
    #[arg(long, value_name = "X", default_value_t = Objective::default().exponent)]
    exponent: f32,
}

impl TargetArgs {
    pub(super) fn objective(&self) -> anyhow::Result<Objective> {
        let &Self { result_share, scale, exponent } = self;
        anyhow::ensure!((0.0..=1.0).contains(&result_share), "--result-share must be from 0 to 1");
        anyhow::ensure!(scale > 0.0 && scale.is_finite(), "--scale must be above 0");
        anyhow::ensure!((1.0..=10.0).contains(&exponent), "--exponent must be from 1 to 10");
        Ok(Objective { result_share, scale, exponent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Both {
        #[command(flatten)]
        data: DataArgs,
        #[command(flatten)]
        target: TargetArgs,
    }

    /// The error for an option; the file of games does not exist.
    fn complaint(option: &str, number: &str) -> String {
        let Both { data, target } =
            Both::try_parse_from(["", "no such file", option, number]).unwrap();
        let opened =
            target.objective().and_then(|it| data.open(1, it.scale, &mut Vec::new()).map(drop));
        opened.unwrap_err().to_string()
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        for (option, wrong, right) in [
            ("--look-ahead", ["1.01", "NaN"], "1"),
            ("--result-share", ["1.01", "inf"], "0"),
            ("--held-out", ["1", "NaN"], "0"),
            ("--scale", ["0", "inf"], "1"),
            ("--exponent", ["0.9", "NaN"], "1"),
            ("--weights", ["0", "1.5"], "0.5"),
        ] {
            for number in wrong {
                let said = complaint(option, number);
                assert!(said.starts_with(&format!("{option} must be ")), "{number}: {said}");
            }
            let said = complaint(option, right);
            assert!(said.contains("no such file"), "{option} {right}: {said}");
        }
    }
}
