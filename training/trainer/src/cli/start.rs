//! Networks to start from: checkpoints or written files.

use crate::checkpoint;
use crate::net::{Net, is_trainable_file};
use crate::objective::Objective;
use crate::trainer::Trainer;
use anyhow::{Context as _, anyhow};
use monomi_eval::DEFAULT_FV_SCALE;
use monomi_eval::network::NetworkFile;
use std::fmt;
use std::num::NonZeroU16;
use std::path::Path;

/// The kind of file that a network was read from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A checkpoint whose optimiser has made so many steps, 0 if its state was not used.
    Checkpoint(u64),
    /// A written network.
    Rounded,
}

impl Kind {
    pub(super) fn is_rounded(self) -> bool {
        self == Kind::Rounded
    }

    /// Whether the optimiser starts without knowing the size of gradients.
    pub(super) fn needs_warm_up(self) -> bool {
        matches!(self, Kind::Checkpoint(0) | Kind::Rounded)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Checkpoint(0) => write!(f, "floating-point weights, new optimiser state"),
            Kind::Checkpoint(steps) => {
                write!(f, "floating-point weights, optimiser state after {steps} steps")
            }
            Kind::Rounded => write!(f, "rounded weights, new optimiser state"),
        }
    }
}

/// A network to start from.
pub(super) struct Start {
    pub(super) trainer: Trainer,
    pub(super) kind: Kind,
}

/// Reads a checkpoint or a written network, whichever it is. The network's scores are those that
/// it gives at `fv_scale`.
pub(super) fn read_start(
    path: &Path,
    fv_scale: NonZeroU16,
    objective: Objective,
) -> anyhow::Result<Start> {
    let name = || path.display().to_string();
    let is_checkpoint = checkpoint::is_checkpoint(path).with_context(name)?;
    let (mut trainer, mut kind) = if is_checkpoint {
        let trainer = checkpoint::load(path, objective)?.trainer.restarted();
        let steps = trainer.steps;
        (trainer, Kind::Checkpoint(steps))
    } else {
        let file = NetworkFile::open(path).with_context(name)?;
        anyhow::ensure!(
            is_trainable_file(&file),
            "{}: this is {} (EvalRouting {}); only plain networks and SFNN networks with one stack \
             or k3k3 can be trained, neither with K+A2 nor with PSQT",
            path.display(),
            file.architecture,
            file.routing
        );
        (Trainer::new(Net::from_file(file), objective), Kind::Rounded)
    };
    if fv_scale != DEFAULT_FV_SCALE {
        let mut net = trainer.net();
        rescale(&mut net, fv_scale).with_context(name)?;
        // The optimiser's state is that of the unscaled network.
        trainer = Trainer::new(net, objective);
        if is_checkpoint {
            kind = Kind::Checkpoint(0);
        }
    }
    Ok(Start { trainer, kind })
}

/// Turns a network that is used with `fv_scale` into one for 16.
///
/// # Errors
/// If the output weights would be too large.
pub(super) fn rescale(net: &mut Net, fv_scale: NonZeroU16) -> anyhow::Result<()> {
    let [usual, its] = [DEFAULT_FV_SCALE, fv_scale].map(|scale| f32::from(scale.get()));
    net.scale_output(usual / its).map_err(|error| {
        let least = (usual / error.most).ceil();
        anyhow!("its output weights fit FV_SCALE {least} and above, not {fv_scale}")
    })
}
