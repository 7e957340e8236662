//! The lock of a dataset for writing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The lock that a writer of a dataset holds. Dropping it releases the lock.
#[derive(Debug)]
pub struct WriteLock(Arc<AtomicBool>);

impl WriteLock {
    /// Takes the lock. None if another writer holds it.
    pub(crate) fn try_take(is_taken: &Arc<AtomicBool>) -> Option<Self> {
        (!is_taken.swap(true, Ordering::Acquire)).then(|| Self(Arc::clone(is_taken)))
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
