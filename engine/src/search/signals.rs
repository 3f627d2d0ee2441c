//! The two flags by which the outside reaches into a running search.

use std::sync::atomic::{AtomicBool, Ordering};

/// Stop and ponderhit, shared between the session and the search.
///
/// The session clears them before it sends a job, never the worker: so a stop that comes right
/// behind a go is not lost.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    ponderhit: AtomicBool,
}

impl Signals {
    /// Both flags down.
    pub fn clear(&self) {
        self.stop.store(false, Ordering::Release);
        self.ponderhit.store(false, Ordering::Release);
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Tells the search that the predicted move was played: its clock runs from now.
    pub fn ponderhit(&self) {
        self.ponderhit.store(true, Ordering::Release);
    }

    /// Whether the search was asked to end.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Whether the predicted move was played.
    #[inline]
    pub fn ponder_hit(&self) -> bool {
        self.ponderhit.load(Ordering::Acquire)
    }
}
