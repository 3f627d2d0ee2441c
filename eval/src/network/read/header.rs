//! What the caller and the start of a file say.

use crate::network::detect::TextInfo;
use crate::network::file::FileInfo;
use crate::network::reason::Reason;
use crate::network::routing::Routing;
use std::path::PathBuf;

/// Settings the caller supplies when the file omits them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// How the layer stack is chosen, or parts of it; `None` leaves it to the file.
    pub routing: Option<Routing>,
    /// Where `progress.bin` is.
    pub folder: Option<PathBuf>,
}

/// What the start of a file and the caller say.
pub(super) struct Header<'a> {
    /// What is understood of the text.
    pub(super) text: TextInfo,
    /// Number of layer stacks, if the text or the word after it states it.
    pub(super) stacks: Option<usize>,
    pub(super) info: FileInfo,
    pub(super) options: &'a ReadOptions,
}

impl Header<'_> {
    /// Notes what a part of the shape was recognised by.
    pub(super) fn because(&mut self, reason: Reason) {
        self.info.reasons.push(reason);
    }
}
