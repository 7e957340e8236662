//! Bounds on the time and size of responses.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::fault::{Fault, Kind};

/// Bounds on the time and size of responses. Without bounds, a server could send single bytes for
/// days, each within the read timeout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Minimum speed of a body in bytes per second, averaged over [`window`](Self::window).
    pub min_speed: u64,
    /// Length of the time window over which the speed is averaged.
    pub window: Duration,
    /// Maximum time for one response that is read into memory, with its redirects.
    pub response: Duration,
    /// Maximum time that a client spends on all responses that it reads into memory.
    pub all_responses: Duration,
    /// Maximum bytes of all responses that a client reads into memory.
    pub all_bytes: u64,
    /// Maximum time for one download into a file. The next run continues it.
    pub download: Duration,
    /// Maximum bytes of one download into a file.
    pub max_download_bytes: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            min_speed: 256,
            window: Duration::from_secs(30),
            response: Duration::from_mins(10),
            all_responses: Duration::from_hours(2),
            all_bytes: 512 * 1024 * 1024,
            download: Duration::from_hours(6),
            max_download_bytes: 16 * 1024 * 1024 * 1024,
        }
    }
}

/// Time and bytes that a client has spent on responses read into memory.
#[derive(Debug, Default)]
pub struct Spent {
    milliseconds: AtomicU64,
    bytes: AtomicU64,
}

impl Spent {
    /// Returns an error if no time or bytes are left.
    pub fn check(&self, bounds: &Bounds, url: &str) -> Result<(), Fault> {
        let time = Duration::from_millis(self.milliseconds.load(Ordering::Relaxed));
        if time > bounds.all_responses || self.remaining_bytes(bounds) == 0 {
            let message = format!(
                "{url} was not requested: earlier answers exceed the limit, with {} s and {} bytes",
                time.as_secs(),
                self.bytes.load(Ordering::Relaxed)
            );
            return Err(Fault::new(Kind::Large, message));
        }
        Ok(())
    }

    /// Returns the number of bytes that may still be read.
    pub fn remaining_bytes(&self, bounds: &Bounds) -> u64 {
        let spent = self.bytes.load(Ordering::Relaxed);
        bounds.all_bytes.saturating_sub(spent)
    }

    pub fn add_time(&self, time: Duration) {
        let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.milliseconds.fetch_add(milliseconds, Ordering::Relaxed);
    }

    pub fn add_bytes(&self, bytes: u64) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A check of a body's speed and total time.
pub struct Pace<'b> {
    bounds: &'b Bounds,
    /// Maximum time for the whole body.
    max_total_time: Duration,
    started: Instant,
    window: Instant,
    /// Number of bytes received before the current window.
    bytes_before_window: u64,
}

impl<'b> Pace<'b> {
    /// Starts the check of a body. `bytes` were received before, by an earlier download.
    pub fn new(bounds: &'b Bounds, max_total_time: Duration, bytes: u64) -> Self {
        let now = Instant::now();
        Self { bounds, max_total_time, started: now, window: now, bytes_before_window: bytes }
    }

    /// Returns an error if the body is too slow. `bytes` is the number of bytes received so far.
    pub fn check(&mut self, url: &str, bytes: u64) -> Result<(), Fault> {
        if self.started.elapsed() > self.max_total_time {
            return Err(Fault::timed_out(url, self.started.elapsed()));
        }
        let time = self.window.elapsed();
        if time < self.bounds.window {
            return Ok(());
        }
        let min_speed = u128::from(self.bounds.min_speed) * time.as_millis() / 1000;
        if u128::from(bytes - self.bytes_before_window) < min_speed {
            let message = format!("{url} is too slow: {bytes} bytes received so far");
            return Err(Fault::new(Kind::Stalled, message));
        }
        (self.window, self.bytes_before_window) = (Instant::now(), bytes);
        Ok(())
    }
}
