//! The write lock of a dataset.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A write lock that is held. Dropping this value releases the lock.
#[derive(Debug)]
pub struct WriteLock(Arc<AtomicBool>);

impl WriteLock {
    /// Takes the lock. Returns `None` if another writer holds the lock.
    pub(crate) fn try_take(is_taken: &Arc<AtomicBool>) -> Option<Self> {
        (!is_taken.swap(true, Ordering::Acquire)).then(|| Self(Arc::clone(is_taken)))
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
