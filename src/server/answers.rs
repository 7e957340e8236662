//! Limits the memory for responses that clients have not read yet.
//!
//! The server produces each response in memory, and it stays there until the client reads it. The
//! total size of all responses is bounded, and only a few large responses are produced at a time.
//! If memory is short, the server closes connections whose clients have read nothing for
//! [`UNTAKEN`].

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// Responses up to this size in bytes need no reservation: the number of connections bounds them.
const SMALL: u64 = 4 * 1024;

/// Maximum number of responses that are being produced or wait for memory.
const MADE_AT_ONCE: usize = 3;

/// Interval at which to look for clients that do not read, while a response waits for memory.
const LOOK: Duration = Duration::from_millis(200);

/// Time after which a client that does not read loses its connection to a waiting response.
pub const UNTAKEN: Duration = Duration::from_millis(500);

/// The permit to produce a response. It is released once the response has reserved its
/// memory.
pub type Turn = Arc<OwnedSemaphorePermit>;

#[derive(Debug)]
pub struct Answers {
    turns: Arc<Semaphore>,
    /// Free kibibytes.
    room: Arc<Semaphore>,
    all: u32,
    /// Maximum time that a response waits.
    patience: Duration,
}

impl Answers {
    /// Creates a pool of this many bytes.
    pub fn new(bytes: usize, patience: Duration) -> Self {
        let all = kibibytes(bytes as u64);
        Self {
            turns: Arc::new(Semaphore::new(MADE_AT_ONCE)),
            room: Arc::new(Semaphore::new(usize::try_from(all).unwrap_or_default())),
            all,
            patience,
        }
    }

    /// Waits for the permit to produce a response. Returns `None` on a timeout.
    pub async fn turn(&self) -> Option<Turn> {
        let turn = timeout(self.patience, Arc::clone(&self.turns).acquire_owned()).await;
        turn.ok()?.ok().map(Arc::new)
    }

    /// Reserves the memory of a response; small responses need none. Calls `make_room` repeatedly
    /// until memory is free. Returns an error on a timeout.
    pub async fn hold(&self, bytes: u64, make_room: impl Fn()) -> Result<Option<Room>, NoRoom> {
        if bytes <= SMALL {
            return Ok(None);
        }
        // A response that is larger than the pool reserves the whole pool.
        let wanted = kibibytes(bytes).min(self.all);
        let mut held = Box::pin(Arc::clone(&self.room).acquire_many_owned(wanted));
        let due = Instant::now() + self.patience;
        loop {
            match timeout(LOOK, &mut held).await {
                Ok(Ok(held)) => return Ok(Some(Arc::new(held))),
                Ok(Err(_)) => return Err(NoRoom),
                Err(_) if Instant::now() > due => return Err(NoRoom),
                Err(_) => make_room(),
            }
        }
    }
}

/// The memory reservation of a response, held until its last byte is dropped.
pub type Room = Arc<OwnedSemaphorePermit>;

/// The error if no memory became free for a response.
#[derive(Debug)]
pub struct NoRoom;

/// Bytes that hold their memory reservation.
struct Held {
    bytes: Bytes,
    _room: Room,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Returns the same bytes, bound to their memory reservation.
pub fn in_room(bytes: Bytes, room: &Room) -> Bytes {
    Bytes::from_owner(Held { bytes, _room: Arc::clone(room) })
}

fn kibibytes(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX)
}
