//! The two flags that control a running search from outside.

use crate::limits::Clock;
use monomi_support::host::Instant;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Stop and ponderhit, shared between the session and the search.
///
/// Every job gets signals of its own (`EngineThread::send`), so a `stop` right after a `go` is not lost.
/// Clones are the same signals.
#[derive(Clone, Debug, Default)]
pub struct Signals(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    stop: AtomicBool,
    ponderhit: AtomicBool,
    /// Written before the flag is set, read only after.
    hit: Mutex<Option<PonderHit>>,
    /// Wakes [`Signals::wait`], with the lock held so that no call is missed.
    changed: Condvar,
}

/// The arguments of `ponderhit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PonderHit {
    /// When it was read: the engine's clock runs from here.
    pub at: Instant,
    /// The current clock, if the GUI sends it with `ponderhit` (early ponder). It replaces the one in
    /// the limits.
    pub clock: Option<Clock>,
}

impl Signals {
    fn hit(&self) -> MutexGuard<'_, Option<PonderHit>> {
        // Poisoning does not matter: the value is plain data.
        self.0.hit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the search to end.
    pub fn stop(&self) {
        self.0.stop.store(true, Ordering::Release);
        self.wake();
    }

    /// Tells the search that the predicted move was played: when that was read, and the clock if the
    /// GUI sent it.
    pub fn ponderhit(&self, at: Instant, clock: Option<Clock>) {
        *self.hit() = Some(PonderHit { at, clock });
        self.0.ponderhit.store(true, Ordering::Release);
        self.wake();
    }

    /// Whether the search was asked to end.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.0.stop.load(Ordering::Acquire)
    }

    /// Whether the predicted move was played.
    #[inline]
    pub fn ponder_hit(&self) -> bool {
        self.0.ponderhit.load(Ordering::Acquire)
    }

    /// Ends [`Signals::wait`], so that it looks at its condition again.
    pub(crate) fn wake(&self) {
        let _lock = self.hit();
        self.0.changed.notify_all();
    }

    /// Waits until `over` is true, or for this time. Code that makes `over` true must
    /// call `wake`. May return early.
    pub(crate) fn wait(&self, time: Duration, over: impl Fn() -> bool) {
        let lock = self.hit();
        if !over() {
            drop(self.0.changed.wait_timeout(lock, time));
        }
    }

    /// The arguments of `ponderhit`. Takes a lock, so call it only after [`Signals::ponder_hit`]
    /// returned true.
    pub fn ponder_hit_details(&self) -> Option<PonderHit> {
        *self.hit()
    }
}
