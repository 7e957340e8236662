//! Kills an ssh process whose server is silent for too long while requests are pending. ssh itself
//! only checks that the machine responds.

use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

pub struct Watch {
    is_asked: Sender<bool>,
    has_ended: Arc<AtomicBool>,
}

impl Watch {
    pub fn over(child: Arc<Mutex<Child>>, patience: Duration) -> Self {
        let (is_asked, heard) = mpsc::channel();
        let has_ended = Arc::new(AtomicBool::new(false));
        let tells = Arc::clone(&has_ended);
        thread::spawn(move || {
            if is_silent(&heard, patience) {
                tells.store(true, Ordering::SeqCst);
                if let Ok(mut child) = child.lock() {
                    let _ = child.kill();
                }
            }
        });
        Self { is_asked, has_ended }
    }

    /// Reports that bytes were transferred and that more are expected.
    pub fn goes_on(&self) {
        let _ = self.is_asked.send(true);
    }

    /// Reports that no request is pending, so silence is allowed.
    pub fn rests(&self) {
        let _ = self.is_asked.send(false);
    }

    /// Whether the watch has killed the program.
    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::SeqCst)
    }
}

/// Waits until the program has been silent for too long (`true`), or the session has ended
/// (`false`).
fn is_silent(heard: &Receiver<bool>, patience: Duration) -> bool {
    let mut is_asked = false;
    loop {
        let now = if is_asked {
            heard.recv_timeout(patience)
        } else {
            heard.recv().map_err(RecvTimeoutError::from)
        };
        match now {
            Ok(now) => is_asked = now,
            Err(error) => return error == RecvTimeoutError::Timeout,
        }
    }
}
