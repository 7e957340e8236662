//! Kills the ssh process if the server is silent for too long while requests are pending. ssh
//! itself only checks that the machine responds.

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
    pub fn start_with(child: Arc<Mutex<Child>>, patience: Duration) -> Self {
        let (is_asked, activity) = mpsc::channel();
        let has_ended = Arc::new(AtomicBool::new(false));
        let announces = Arc::clone(&has_ended);
        thread::spawn(move || {
            if wait_for_silence(&activity, patience) {
                announces.store(true, Ordering::SeqCst);
                if let Ok(mut child) = child.lock() {
                    let _ = child.kill();
                }
            }
        });
        Self { is_asked, has_ended }
    }

    /// Records that bytes were transferred, and that the server should transfer more.
    pub fn expect_more(&self) {
        let _ = self.is_asked.send(true);
    }

    /// Records that no request is pending, so the server may be silent.
    pub fn allow_silence(&self) {
        let _ = self.is_asked.send(false);
    }

    /// Whether the watch has killed the program.
    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::SeqCst)
    }
}

/// Waits until the program has been silent for too long (`true`), or the session has ended
/// (`false`).
fn wait_for_silence(activity: &Receiver<bool>, patience: Duration) -> bool {
    let mut is_asked = false;
    loop {
        let now = if is_asked {
            activity.recv_timeout(patience)
        } else {
            activity.recv().map_err(RecvTimeoutError::from)
        };
        match now {
            Ok(now) => is_asked = now,
            Err(error) => return error == RecvTimeoutError::Timeout,
        }
    }
}
