//! Operations in progress in this process. A second request for the same operation waits or is
//! refused.

use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::secret::Digest;

/// The set of operations in progress.
#[derive(Clone, Default)]
pub struct InFlight(Arc<Shared>);

#[derive(Default)]
struct Shared {
    held: Mutex<HashSet<Digest>>,
    freed: Condvar,
}

/// The exclusive right to perform an operation. It ends when this value is dropped.
pub struct Claim {
    of: Arc<Shared>,
    operation_id: Digest,
}

impl InFlight {
    /// Waits until no other request is performing this operation, and claims it.
    pub fn wait_for(&self, operation_id: Digest) -> Claim {
        let mut held = self.0.lock_held();
        while !held.insert(operation_id) {
            held = self.0.freed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        Claim { of: Arc::clone(&self.0), operation_id }
    }

    /// Claims an operation. Returns `None` if another request is performing it.
    pub fn claim(&self, operation_id: Digest) -> Option<Claim> {
        self.0
            .lock_held()
            .insert(operation_id)
            .then(|| Claim { of: Arc::clone(&self.0), operation_id })
    }
}

impl Claim {
    /// Returns the id of the operation.
    pub fn operation_id(&self) -> &Digest {
        &self.operation_id
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.of.lock_held().remove(&self.operation_id);
        self.of.freed.notify_all();
    }
}

impl Shared {
    fn lock_held(&self) -> MutexGuard<'_, HashSet<Digest>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
