//! How the layer stack is chosen: as asked for, else as the text says, else by a rule.

use super::header::{Header, ReadOptions};
use crate::network::architecture::Architecture;
use crate::network::error::{NetworkError, ProgressFault};
use crate::network::reason::{Reason, RoutingReason};
use crate::network::routing::{ProgressPart, ProgressWeights, Routing};

/// Name of the file with the weights of the progress.
const PROGRESS_FILE: &str = "progress.bin";

/// The routing of a network. `progress` says whether its file has weights of the progress.
pub(super) fn choose(
    shape: Architecture,
    progress: bool,
    header: &mut Header<'_>,
) -> Result<Routing, NetworkError> {
    let stacks = shape.stacks();
    let Header { text, info, options, .. } = header;
    let mut decide = |routing: Routing, why: RoutingReason| {
        if !shape.is_plain() {
            info.reasons.push(Reason::Routing(routing, why));
        }
        Ok(routing)
    };
    let candidates = |wanted| Routing::candidates(stacks, progress, wanted);
    if let Some(wanted) = options.routing {
        return match candidates(wanted)[..] {
            [] => Err(NetworkError::WrongRouting { routing: wanted, stacks, progress }),
            ref found if found.contains(&wanted) => decide(wanted, RoutingReason::Option),
            [routing] => decide(routing, RoutingReason::OptionAndStacks),
            ref several => Err(NetworkError::UnknownRouting { stacks, choices: several.to_vec() }),
        };
    }
    let stated = text.routing;
    if stated != Routing::default() {
        if candidates(stated).contains(&stated) {
            return decide(stated, RoutingReason::Text);
        }
        return Err(NetworkError::WrongTextRouting { routing: stated, stacks, progress });
    }
    let beside = options.folder.as_ref().map(|folder| folder.join(PROGRESS_FILE));
    if stacks == 9 && beside.is_some_and(|path| path.is_file()) {
        let routing = Routing { progress: Some(ProgressPart::Absolute), ..Routing::default() };
        return decide(routing, RoutingReason::ProgressFile);
    }
    match candidates(Routing::default())[..] {
        [routing] => decide(routing, RoutingReason::Stacks),
        ref others => Err(NetworkError::UnknownRouting { stacks, choices: others.to_vec() }),
    }
}

/// Reads `progress.bin`.
pub(super) fn read_progress_file(
    routing: Routing,
    options: &ReadOptions,
) -> Result<ProgressWeights, NetworkError> {
    let failed = |fault| NetworkError::ProgressFile { routing, fault };
    let folder = options.folder.as_ref().ok_or_else(|| failed(ProgressFault::NoFolder))?;
    let path = folder.join(PROGRESS_FILE);
    let metadata = path.metadata().map_err(|error| failed(error.into()))?;
    if !metadata.is_file() || metadata.len() != ProgressWeights::FILE_BYTES {
        return Err(failed(ProgressFault::Length(metadata.len())));
    }
    let bytes = std::fs::read(&path).map_err(|error| failed(error.into()))?;
    ProgressWeights::from_file(&bytes).ok_or_else(|| failed(ProgressFault::NotFinite))
}
