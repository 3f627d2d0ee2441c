//! Work on a few large pieces with all cores.
//!
//! Rayon would do the same, but panics if the system cannot create its threads, and keeps them until
//! the program ends.

use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

/// Does the work for each item, on as many threads as there are cores; on fewer if the system cannot
/// create them.
pub fn in_parallel<T: Send>(items: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let items = Mutex::new(items);
    let run = || {
        loop {
            let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            match next {
                Some(item) => work(item),
                None => return,
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..cores {
            if Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    #[test]
    fn every_item_is_worked_on_once() {
        let counts: Vec<AtomicU32> = (0..1_000).map(|_| AtomicU32::new(0)).collect();
        in_parallel(counts.iter(), |count| {
            count.fetch_add(1, Relaxed);
        });
        assert!(counts.iter().all(|count| count.load(Relaxed) == 1));
        in_parallel(std::iter::empty::<u32>(), |_| panic!("there is nothing to do"));
    }
}
