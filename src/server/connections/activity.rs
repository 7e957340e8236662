//! Tracks the current phase of a connection, and its deadline.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::Limits;

/// The current activity of a connection. The connection's stream, its response bodies and the list
/// of open connections share this value.
#[derive(Debug)]
pub struct Activity {
    state: Mutex<State>,
    /// Notified when the connection must close; see [`Activity::request_close`] and
    /// [`Activity::abort`].
    pub close_requested: Notify,
    /// Notified when the client has read the bytes that were waiting to be sent.
    until_read: Notify,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    since: Instant,
    /// The time when the client stopped reading, or `None` while it reads.
    blocked: Option<Instant>,
    /// The first bytes received, at most four.
    first_bytes: Vec<u8>,
    /// Whether the connection should close to make room for another connection.
    is_closing: bool,
    /// Whether the connection must close immediately.
    is_aborted: bool,
}

/// The phase of a connection. If the server needs to close a connection, it prefers connections in
/// earlier phases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// No request has begun, or the last one is answered.
    Idle,
    /// The headers of a request are arriving.
    Head,
    /// A stream of events is open. The browser reconnects when it ends.
    Events,
    /// A request is being answered.
    Request,
}

impl Activity {
    pub fn new() -> Self {
        Self {
            state: Mutex::new(State {
                phase: Phase::Idle,
                since: Instant::now(),
                blocked: None,
                first_bytes: Vec::new(),
                is_closing: false,
                is_aborted: false,
            }),
            close_requested: Notify::new(),
            until_read: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records received bytes.
    pub fn received(&self, bytes: &[u8]) {
        let mut state = self.state();
        let missing = 4_usize.saturating_sub(state.first_bytes.len());
        let first_bytes = &bytes[..missing.min(bytes.len())];
        state.first_bytes.extend(first_bytes);
        if state.phase == Phase::Idle && !bytes.is_empty() {
            state.phase = Phase::Head;
            state.since = Instant::now();
        }
    }

    pub fn enter(&self, phase: Phase) {
        let mut state = self.state();
        state.phase = phase;
        state.since = Instant::now();
    }

    /// Records whether bytes are waiting because the client does not read.
    pub fn blocked(&self, blocked: bool) {
        let mut state = self.state();
        let was_blocked = state.blocked.is_some();
        state.blocked = if blocked { state.blocked.or_else(|| Some(Instant::now())) } else { None };
        drop(state);
        if was_blocked && !blocked {
            self.until_read.notify_one();
        }
    }

    /// Returns the current phase and its start time. If the server needs to close a connection, it
    /// chooses the connection with the smallest value.
    pub fn phase_since(&self) -> (Phase, Instant) {
        let state = self.state();
        (state.phase, state.since)
    }

    /// Returns the first bytes received, at most four.
    pub fn first_bytes(&self) -> Vec<u8> {
        self.state().first_bytes.clone()
    }

    /// Requests that the connection close to make room for another connection.
    pub fn request_close(&self) {
        self.state().is_closing = true;
        self.close_requested.notify_one();
    }

    /// Withdraws the request to close.
    pub fn cancel_close(&self) {
        self.state().is_closing = false;
    }

    /// Whether a close was requested. The connection may remain open until its last response is
    /// sent.
    pub fn is_closing(&self) -> bool {
        self.state().is_closing
    }

    /// Waits until the client has read all waiting bytes. The next response could not be sent
    /// earlier.
    pub async fn until_read(&self) {
        while self.state().blocked.is_some() {
            self.until_read.notified().await;
        }
    }

    /// Whether the client has read nothing for at least `time`.
    pub fn is_unread(&self, time: Duration) -> bool {
        let blocked = self.state().blocked;
        blocked.is_some_and(|since| since.elapsed() >= time)
    }

    /// Closes the connection immediately, to free the memory of a response that the client does not
    /// read.
    pub fn abort(&self) {
        self.state().is_aborted = true;
        self.close_requested.notify_one();
    }

    /// Whether the connection must close immediately.
    pub fn is_aborted(&self) -> bool {
        self.state().is_aborted
    }

    /// Returns the deadline of the current phase, or `None` if the phase has no time limit.
    pub fn deadline(&self, limits: &Limits) -> Option<Instant> {
        let state = self.state();
        let phase = match state.phase {
            Phase::Idle => Some(state.since + limits.idle),
            Phase::Head => Some(state.since + limits.head),
            Phase::Events | Phase::Request => None,
        };
        let blocked = state.blocked.map(|since| since + limits.unread_timeout);
        phase.into_iter().chain(blocked).min()
    }
}
