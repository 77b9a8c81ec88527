//! Lets points begin only while there is memory for them beside those that run.

use std::sync::{Condvar, Mutex, PoisonError};

/// The memory that there is, and how much of it is promised.
pub(super) struct MemoryGate {
    available: u64,
    promised: Mutex<u64>,
    released: Condvar,
}

impl MemoryGate {
    /// For points that each fit into `available` bytes.
    pub fn new(available: u64) -> Self {
        MemoryGate {
            available,
            promised: Mutex::new(0),
            released: Condvar::new(),
        }
    }

    /// Does `work` as soon as there are `bytes` for it.
    pub fn with<T>(&self, bytes: u64, work: impl FnOnce() -> T) -> T {
        let promised = self.promised.lock().unwrap_or_else(PoisonError::into_inner);
        // Alone, every point may run.
        let fits = |promised: &mut u64| *promised > 0 && *promised + bytes > self.available;
        let mut promised = self
            .released
            .wait_while(promised, fits)
            .unwrap_or_else(PoisonError::into_inner);
        *promised += bytes;
        drop(promised);
        let _release = Release(self, bytes);
        work()
    }
}

/// Gives its bytes back, even if the work panics.
struct Release<'a>(&'a MemoryGate, u64);

impl Drop for Release<'_> {
    fn drop(&mut self) {
        let Release(gate, bytes) = self;
        *gate.promised.lock().unwrap_or_else(PoisonError::into_inner) -= *bytes;
        gate.released.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn no_more_runs_at_once_than_fits_and_everything_runs() {
        let gate = MemoryGate::new(10);
        let (used, done) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for bytes in [1, 4, 5, 6, 9, 3, 2, 30] {
                let (gate, used, done) = (&gate, &used, &done);
                scope.spawn(move || {
                    gate.with(bytes, || {
                        let now = used.fetch_add(bytes, Ordering::SeqCst) + bytes;
                        assert!(now <= 10 || now == bytes, "{now} bytes in use");
                        std::thread::yield_now();
                        used.fetch_sub(bytes, Ordering::SeqCst);
                        done.fetch_add(1, Ordering::SeqCst);
                    });
                });
            }
        });
        assert_eq!(done.into_inner(), 8);
    }
}
