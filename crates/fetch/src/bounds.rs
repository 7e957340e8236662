//! Limits on the time and size of responses.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::fault::{Fault, Kind};

/// Limits on the time and size of responses. Without them, a server could keep a connection open
/// for days by sending single bytes, each within the read timeout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bounds {
    /// Minimum speed of a body in bytes per second, averaged over [`window`](Self::window).
    pub min_speed: u64,
    /// Length of the time window over which the speed is averaged.
    pub window: Duration,
    /// Maximum time for following the redirects of a request, and for reading a body into memory.
    pub response: Duration,
    /// Maximum total time that a client spends on responses that it reads into memory.
    pub all_responses: Duration,
    /// Maximum total size in bytes of the responses that a client reads into memory.
    pub all_bytes: u64,
    /// Maximum time for one download into a file. A later download continues the file.
    pub download: Duration,
    /// Maximum size in bytes of one download into a file.
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

/// Total time and size of the responses that a client has read into memory.
#[derive(Debug, Default)]
pub struct Spent {
    milliseconds: AtomicU64,
    bytes: AtomicU64,
}

impl Spent {
    /// Returns an error if the client has used up its total time or bytes.
    pub fn check(&self, bounds: &Bounds, url: &str) -> Result<(), Fault> {
        let time = Duration::from_millis(self.milliseconds.load(Ordering::Relaxed));
        if time > bounds.all_responses || self.remaining_bytes(bounds) == 0 {
            let message = format!(
                "{url} was not requested: earlier responses used up the limit ({} s, {} bytes)",
                time.as_secs(),
                self.bytes.load(Ordering::Relaxed)
            );
            return Err(Fault::new(Kind::Large, message));
        }
        Ok(())
    }

    /// Returns the number of bytes that the client can still read.
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

/// Checks a body's speed and total time while it is received.
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
    /// Starts the check of a body. `bytes` is the number of bytes that an earlier download
    /// received.
    pub fn new(bounds: &'b Bounds, max_total_time: Duration, bytes: u64) -> Self {
        let now = Instant::now();
        Self { bounds, max_total_time, started: now, window: now, bytes_before_window: bytes }
    }

    /// Returns an error if the body is too slow or takes too long. `bytes` is the number of bytes
    /// received so far.
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
