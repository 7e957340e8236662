//! Operations that are in progress in this process. A second request for the same operation waits
//! or is refused.

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

/// The exclusive right to an operation, until it is dropped.
pub struct Claim {
    of: Arc<Shared>,
    what: Digest,
}

impl InFlight {
    /// Waits until no other request performs this operation.
    pub fn wait_for(&self, what: Digest) -> Claim {
        let mut held = self.0.hold();
        while !held.insert(what) {
            held = self.0.freed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        Claim { of: Arc::clone(&self.0), what }
    }

    /// Claims an operation. Returns `None` if another request performs it.
    pub fn claim(&self, what: Digest) -> Option<Claim> {
        self.0.hold().insert(what).then(|| Claim { of: Arc::clone(&self.0), what })
    }
}

impl Claim {
    /// Returns the id of the operation.
    pub fn what(&self) -> &Digest {
        &self.what
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.of.hold().remove(&self.what);
        self.of.freed.notify_all();
    }
}

impl Shared {
    fn hold(&self) -> MutexGuard<'_, HashSet<Digest>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
