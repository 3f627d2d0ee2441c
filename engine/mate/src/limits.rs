//! Limits of both solvers.

use monomi_support::host::Instant;

/// Limits of a search. Without limits it runs until it has an answer or is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MateLimits {
    /// Stop at this time.
    pub deadline: Option<Instant>,
    /// The maximum number of nodes.
    pub nodes: Option<u64>,
    /// The maximum length of the mate in plies. `NoMate` then means that there is no mate that short.
    pub plies: Option<u16>,
}

impl MateLimits {
    /// With a deadline.
    #[must_use]
    pub fn with_deadline(self, deadline: impl Into<Option<Instant>>) -> Self {
        Self { deadline: deadline.into(), ..self }
    }

    /// With a limit of nodes.
    #[must_use]
    pub fn with_nodes(self, nodes: impl Into<Option<u64>>) -> Self {
        Self { nodes: nodes.into(), ..self }
    }

    /// With a longest mate.
    #[must_use]
    pub fn with_plies(self, plies: impl Into<Option<u16>>) -> Self {
        Self { plies: plies.into(), ..self }
    }
}
