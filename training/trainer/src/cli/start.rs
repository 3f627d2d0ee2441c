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
    /// The FV_SCALE that a network file states; checkpoints state none.
    pub(super) stated: Option<NonZeroU16>,
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
    let mut stated = None;
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
        stated = file.info.stated_fv_scale;
        (Trainer::new(Net::from_file(file), objective), Kind::Rounded)
    };
    if fv_scale != DEFAULT_FV_SCALE {
        let mut net = trainer.net();
        rescale(&mut net, fv_scale, DEFAULT_FV_SCALE).with_context(name)?;
        // The optimiser's state is that of the unscaled network.
        trainer = Trainer::new(net, objective);
        if is_checkpoint {
            kind = Kind::Checkpoint(0);
        }
    }
    Ok(Start { trainer, kind, stated })
}

/// Turns a network that is used with the FV_SCALE `from` into one for `to`.
///
/// # Errors
/// If the output weights would be too large.
pub(super) fn rescale(net: &mut Net, from: NonZeroU16, to: NonZeroU16) -> anyhow::Result<()> {
    let [wanted, its] = [to, from].map(|scale| f32::from(scale.get()));
    net.scale_output(wanted / its).map_err(|error| {
        let least = (wanted / error.most).ceil();
        anyhow!("its output weights fit FV_SCALE {least} and above, not {from}")
    })
}
