//! Counts downloads: combines the requests from a listener for the files of one episode (IAB
//! Podcast Measurement Technical Guidelines 2.2).
//!
//! A download is counted when a listener has received, within 24 hours, enough bytes of one file
//! for a minute of sound. All requests from the same listener for any file of the episode in the
//! following 24 hours belong to that download. The 24 hours begin with the request that completed
//! the minute, regardless of calendar days.

use std::collections::VecDeque;

/// 24 hours in microseconds.
pub(super) const DAY: i64 = 24 * 60 * 60 * 1_000_000;
/// One second in microseconds.
const SECOND: i64 = 1_000_000;

/// A request that can be part of a download: a GET request from a listener with the status 200 or
/// 206.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub listener: i64,
    /// The time in microseconds since 1970.
    pub time: i64,
    /// The index of the requested file among the files of the episode.
    pub file: usize,
    pub agent: u32,
    /// The number of bytes sent.
    pub bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CountedDownload {
    /// The request that completed the download.
    pub hit: Hit,
    /// The total number of bytes of the episode sent in requests that belong to the download.
    pub bytes: u64,
}

/// Counts the downloads of one episode.
#[derive(Debug)]
pub(super) struct Counter<'n> {
    /// For each file, the number of bytes in a minute of sound.
    needed: &'n [u64],
    listener: i64,
    /// The last download, if its 24 hours are not over.
    open: Option<CountedDownload>,
    /// For each file, the bytes that were sent within the last 24 hours and are not part of a
    /// download yet.
    sent: Vec<Sent>,
}

/// The bytes of one file sent within the last 24 hours.
#[derive(Debug, Default)]
struct Sent {
    sum: u64,
    /// The time and the number of bytes of each request. Requests within the same second are
    /// combined, so there are at most as many entries as seconds in a day.
    parts: VecDeque<(i64, u64)>,
}

impl<'n> Counter<'n> {
    /// Creates a counter for an episode. `needed` contains the number of bytes in a minute of
    /// sound, for each file.
    pub(super) fn new(needed: &'n [u64]) -> Self {
        Self {
            needed,
            listener: 0,
            open: None,
            sent: needed.iter().map(|_| Sent::default()).collect(),
        }
    }

    /// Processes the next request. Requests must be sorted by listener, then by time. Returns a
    /// download when no further request can belong to it.
    pub(super) fn take(&mut self, hit: Hit) -> Option<CountedDownload> {
        let mut done = None;
        if hit.listener != self.listener {
            done = self.finish();
            self.listener = hit.listener;
        }
        if let Some(open) = &mut self.open {
            if hit.time.saturating_sub(open.hit.time) < DAY {
                open.bytes = open.bytes.saturating_add(hit.bytes);
                return None;
            }
            done = self.open.take();
        }
        for sent in &mut self.sent {
            sent.forget_before(hit.time);
        }
        let sent = self.sent.get_mut(hit.file)?;
        sent.add(hit.time, hit.bytes);
        if sent.sum >= self.needed[hit.file] {
            let sums = self.sent.iter().map(|sent| sent.sum);
            let bytes = sums.fold(0, u64::saturating_add);
            self.open = Some(CountedDownload { hit, bytes });
            self.forget();
        }
        done
    }

    /// Returns the last download, if there is one, and resets the counter.
    pub(super) fn finish(&mut self) -> Option<CountedDownload> {
        self.forget();
        self.open.take()
    }

    fn forget(&mut self) {
        for sent in &mut self.sent {
            sent.sum = 0;
            sent.parts.clear();
        }
    }
}

impl Sent {
    fn forget_before(&mut self, time: i64) {
        while let Some(&(old, gone)) = self.parts.front()
            && time.saturating_sub(old) >= DAY
        {
            self.parts.pop_front();
            self.sum -= gone;
        }
    }

    fn add(&mut self, time: i64, bytes: u64) {
        // The sum is limited to `u64::MAX`, and must stay equal to the sum of the parts.
        let bytes = bytes.min(u64::MAX - self.sum);
        self.sum += bytes;
        match self.parts.back_mut() {
            Some((last, sum)) if last.div_euclid(SECOND) == time.div_euclid(SECOND) => {
                *sum += bytes
            }
            _ if bytes > 0 => self.parts.push_back((time, bytes)),
            _ => {}
        }
    }
}
