//! The two flags that control a running search from outside.

use crate::search::limits::Clock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Stop and ponderhit, shared between the session and the search.
///
/// The session clears them before it sends a job; the worker never does. So a stop that comes right
/// after a go is not lost.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    ponderhit: AtomicBool,
    /// Written before the flag is set, read only after.
    hit: Mutex<Option<PonderHit>>,
}

/// What came with `ponderhit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PonderHit {
    /// When it was read: the engine's clock runs from here.
    pub at: Instant,
    /// The current clock, if the GUI sends it with `ponderhit` (early ponder). It replaces the one in
    /// the limits.
    pub clock: Option<Clock>,
}

impl Signals {
    /// Clears both flags.
    pub fn clear(&self) {
        self.stop.store(false, Ordering::Release);
        self.ponderhit.store(false, Ordering::Release);
        *self.hit() = None;
    }

    fn hit(&self) -> MutexGuard<'_, Option<PonderHit>> {
        // Poisoning does not matter: the value is plain data.
        self.hit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Tells the search that the predicted move was played: when that was read, and the clock if the
    /// GUI sent it.
    pub fn ponderhit(&self, at: Instant, clock: Option<Clock>) {
        *self.hit() = Some(PonderHit { at, clock });
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

    /// What came with `ponderhit`. Takes a lock, so call it only after [`Signals::ponder_hit`]
    /// returned true.
    pub fn ponder_hit_details(&self) -> Option<PonderHit> {
        *self.hit()
    }
}
