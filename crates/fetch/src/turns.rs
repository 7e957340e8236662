//! A few requests at a time to each host.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Who waits, and for which host.
#[derive(Debug, Default)]
pub struct Turns {
    running: Mutex<HashMap<String, usize>>,
    ended: Condvar,
}

/// One request to a host, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Arc<Turns>,
    host: String,
}

impl Turns {
    /// Waits until the host has fewer than `most` requests.
    pub fn take(self: &Arc<Self>, host: &str, most: usize) -> Turn {
        let mut running = self.running();
        while running.get(host).is_some_and(|count| *count >= most) {
            running = self.ended.wait(running).unwrap_or_else(PoisonError::into_inner);
        }
        *running.entry(host.to_owned()).or_default() += 1;
        drop(running);
        Turn { turns: Arc::clone(self), host: host.to_owned() }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(count) = self.turns.running().get_mut(&self.host) {
            *count -= 1;
        }
        self.turns.ended.notify_all();
    }
}
