//! What a connection does just now, and until when it may.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio::time::Instant;

use super::Limits;

/// A connection, as those who watch it see it.
#[derive(Debug)]
pub struct Activity {
    state: Mutex<State>,
    /// Tells that its place is needed; see [`Activity::send_away`].
    pub leave: Notify,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    since: Instant,
    /// Since when the client takes nothing of what is sent.
    blocked: Option<Instant>,
    /// The first bytes that came.
    opening: Vec<u8>,
    /// Whether it was told that its place is needed.
    is_leaving: bool,
}

/// What happens on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Nothing: no request has begun, or the last one is answered.
    Idle,
    /// The head of a request arrives.
    Head,
    /// Events are sent as they happen; the browser comes again when they end.
    Events,
    /// A request is answered.
    Request,
}

impl Activity {
    /// A connection that was just made.
    pub fn new() -> Self {
        Self {
            state: Mutex::new(State {
                phase: Phase::Idle,
                since: Instant::now(),
                blocked: None,
                opening: Vec::new(),
                is_leaving: false,
            }),
            leave: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Bytes arrived.
    pub fn received(&self, bytes: &[u8]) {
        let mut state = self.state();
        let missing = 4_usize.saturating_sub(state.opening.len());
        let opening = &bytes[..missing.min(bytes.len())];
        state.opening.extend(opening);
        if state.phase == Phase::Idle && !bytes.is_empty() {
            state.phase = Phase::Head;
            state.since = Instant::now();
        }
    }

    /// Something else happens now.
    pub fn enter(&self, phase: Phase) {
        let mut state = self.state();
        state.phase = phase;
        state.since = Instant::now();
    }

    /// Whether bytes wait for the client to take them.
    pub fn blocked(&self, blocked: bool) {
        let mut state = self.state();
        state.blocked = if blocked {
            state.blocked.or_else(|| Some(Instant::now()))
        } else {
            None
        };
    }

    /// What happens, and since when: those who can be sent away first are least.
    pub fn standing(&self) -> (Phase, Instant) {
        let state = self.state();
        (state.phase, state.since)
    }

    /// The first bytes, four of them once they are there.
    pub fn opening(&self) -> Vec<u8> {
        self.state().opening.clone()
    }

    /// Tells that its place is needed.
    pub fn send_away(&self) {
        self.state().is_leaving = true;
        self.leave.notify_one();
    }

    /// Keeps its place all the same.
    pub fn stay(&self) {
        self.state().is_leaving = false;
    }

    /// Whether it was told that its place is needed: its last words may take a while.
    pub fn is_leaving(&self) -> bool {
        self.state().is_leaving
    }

    /// When this has gone on for too long. None while it may go on for ever.
    pub fn due(&self, limits: &Limits) -> Option<Instant> {
        let state = self.state();
        let phase = match state.phase {
            Phase::Idle => Some(state.since + limits.idle),
            Phase::Head => Some(state.since + limits.head),
            Phase::Events | Phase::Request => None,
        };
        let blocked = state.blocked.map(|since| since + limits.untaken);
        phase.into_iter().chain(blocked).min()
    }
}
