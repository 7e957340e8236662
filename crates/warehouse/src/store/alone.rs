//! The right to write a dataset.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Held by the one that writes a dataset, and given back when it is dropped.
#[derive(Debug)]
pub struct Alone(Arc<AtomicBool>);

impl Alone {
    /// Takes it. None where somebody has it.
    pub fn try_take(is_taken: &Arc<AtomicBool>) -> Option<Self> {
        (!is_taken.swap(true, Ordering::Acquire)).then(|| Self(Arc::clone(is_taken)))
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
