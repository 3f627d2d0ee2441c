//! How the layer stack is chosen: as asked for, else as the text says, else by a rule.

use super::{Header, ReadOptions};
use crate::network::architecture::Architecture;
use crate::network::file::NetworkError;
use crate::network::routing::{ProgressPart, ProgressWeights, Routing};

/// Name of the file with the weights of the progress.
const PROGRESS_FILE: &str = "progress.bin";

/// The routing of a network. `progress` tells whether its file has weights of the progress.
pub(super) fn choose(
    shape: Architecture,
    progress: bool,
    header: &mut Header<'_>,
) -> Result<Routing, NetworkError> {
    let stacks = shape.stacks();
    let Header { text, info, options, .. } = header;
    let mut decide = |routing: Routing, why: &str| {
        if !shape.is_plain() {
            info.reasons.push(format!("routing {routing}: {why}"));
        }
        Ok(routing)
    };
    let candidates = |wanted| Routing::candidates(stacks, progress, wanted);
    if let Some(wanted) = options.routing {
        return match candidates(wanted)[..] {
            [] => Err(NetworkError::WrongRouting { routing: wanted, stacks, progress }),
            ref found if found.contains(&wanted) => decide(wanted, "option EvalRouting"),
            [routing] => decide(routing, "option EvalRouting and number of stacks"),
            ref several => Err(NetworkError::UnknownRouting { stacks, choices: names(several) }),
        };
    }
    let stated = text.routing;
    if stated != Routing::default() {
        if candidates(stated).contains(&stated) {
            return decide(stated, "header text");
        }
        return Err(NetworkError::WrongTextRouting { routing: stated, stacks, progress });
    }
    let beside = options.folder.as_ref().map(|folder| folder.join(PROGRESS_FILE));
    if stacks == 9 && beside.is_some_and(|path| path.is_file()) {
        let routing = Routing { progress: Some(ProgressPart::Absolute), ..Routing::default() };
        return decide(routing, "nine stacks and a file progress.bin in the same folder");
    }
    match candidates(Routing::default())[..] {
        [routing] => decide(routing, "the only one with this number of stacks"),
        [] => Err(NetworkError::UnknownRouting { stacks, choices: "none is known".into() }),
        ref several => Err(NetworkError::UnknownRouting { stacks, choices: names(several) }),
    }
}

fn names(routings: &[Routing]) -> String {
    routings.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Reads `progress.bin`.
pub(super) fn read_progress_file(
    routing: Routing,
    options: &ReadOptions,
) -> Result<ProgressWeights, NetworkError> {
    let failed = |reason: String| NetworkError::ProgressFile { routing, reason };
    let folder = options.folder.as_ref().ok_or_else(|| failed("no folder is known".into()))?;
    let path = folder.join(PROGRESS_FILE);
    let metadata = path.metadata().map_err(|error| failed(error.to_string()))?;
    if !metadata.is_file() || metadata.len() != ProgressWeights::FILE_BYTES {
        let expected = ProgressWeights::FILE_BYTES;
        return Err(failed(format!("{} bytes, expected {expected}", metadata.len())));
    }
    let bytes = std::fs::read(&path).map_err(|error| failed(error.to_string()))?;
    ProgressWeights::from_file(&bytes).ok_or_else(|| failed("a weight is not finite".into()))
}
