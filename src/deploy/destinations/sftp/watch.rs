//! Ends a program that says nothing for too long while it is asked: ssh itself sees only whether the machine is there.

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

    /// Bytes came or went, and more have to.
    pub fn goes_on(&self) {
        let _ = self.is_asked.send(true);
    }

    /// Nothing is asked: silence is fine.
    pub fn rests(&self) {
        let _ = self.is_asked.send(false);
    }

    /// Whether the program was ended.
    pub fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::SeqCst)
    }
}

/// Waits until the program was silent too long, or nobody needs it any more.
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
