//! A limit on simultaneous requests to each host.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The number of running requests per host, and a condition variable to wait for the end of a
/// request.
#[derive(Debug, Default)]
pub struct HostPermits {
    running: Mutex<HashMap<String, usize>>,
    ended: Condvar,
}

/// A permit for one request to a host. Dropping the permit allows another request.
#[derive(Debug)]
pub struct Permit {
    permits: Arc<HostPermits>,
    host: String,
}

impl HostPermits {
    /// Waits until fewer than `max` requests to the host are running, then returns a permit for one
    /// more request.
    pub fn acquire(self: &Arc<Self>, host: &str, max: usize) -> Permit {
        let mut running = self.running();
        while running.get(host).is_some_and(|count| *count >= max) {
            running = self.ended.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
        *running.entry(host.to_owned()).or_default() += 1;
        drop(running);
        Permit { permits: Arc::clone(self), host: host.to_owned() }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(count) = self.permits.running().get_mut(&self.host) {
            *count -= 1;
        }
        self.permits.ended.notify_all();
    }
}
