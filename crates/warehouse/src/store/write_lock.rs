//! The right to write a dataset.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Held by the one that writes a dataset, and given back when it is dropped.
#[derive(Debug)]
pub struct WriteLock(Arc<AtomicBool>);

impl WriteLock {
    /// Takes it. None where somebody has it.
    pub(crate) fn try_take(is_taken: &Arc<AtomicBool>) -> Option<Self> {
        (!is_taken.swap(true, Ordering::Acquire)).then(|| Self(Arc::clone(is_taken)))
    }
}

impl Drop for WriteLock {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
