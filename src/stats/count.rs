//! What counts: requests of listeners for the files of one episode, taken together to downloads
//! (IAB Podcast Measurement Technical Guidelines 2.2).
//!
//! A download is counted when the bytes sent to one listener for one file within 24 hours are enough for a
//! minute. What that listener asks of the episode in the 24 hours from then on belongs to it, whatever file it
//! is. The hours run from the request that counted; the calendar plays no part.

use std::collections::VecDeque;

/// 24 hours in microseconds.
pub(super) const DAY: i64 = 24 * 60 * 60 * 1_000_000;
/// A second in microseconds.
const SECOND: i64 = 1_000_000;

/// A request that may count: a GET of a listener that was answered with 200 or 206.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hit {
    pub listener: i64,
    /// When, in microseconds since 1970.
    pub time: i64,
    /// Which of the episode's files.
    pub file: usize,
    pub agent: u32,
    /// How many bytes were sent.
    pub bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counted {
    /// The request that made it one.
    pub hit: Hit,
    /// How many bytes of the episode were sent, from the first request that belongs to it to the last.
    pub bytes: u64,
}

/// Counts the downloads of one episode.
#[derive(Debug)]
pub(super) struct Counter<'n> {
    /// Bytes of a minute of each file.
    needed: &'n [u64],
    listener: i64,
    /// The last download, while its 24 hours are not over.
    open: Option<Counted>,
    /// The bytes of each file within the last 24 hours that do not make a download yet.
    sent: Vec<Sent>,
}

/// Bytes of one file within the last 24 hours.
#[derive(Debug, Default)]
struct Sent {
    sum: u64,
    /// Requests within one second are one, so that there are never more than a day has seconds.
    parts: VecDeque<(i64, u64)>,
}

impl<'n> Counter<'n> {
    /// Counts an episode whose files take so many bytes for a minute.
    pub(super) fn new(needed: &'n [u64]) -> Self {
        Self {
            needed,
            listener: 0,
            open: None,
            sent: needed.iter().map(|_| Sent::default()).collect(),
        }
    }

    /// Takes the next request. They come by listener, those of one listener by time. Answers a download
    /// when nothing more can belong to it.
    pub(super) fn take(&mut self, hit: Hit) -> Option<Counted> {
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
            self.open = Some(Counted { hit, bytes });
            self.forget();
        }
        done
    }

    /// The last download. The counter can begin anew.
    pub(super) fn finish(&mut self) -> Option<Counted> {
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
        // The sum is what the parts add up to: neither may be more than a number can hold.
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
