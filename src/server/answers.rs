//! The memory for answers that clients have not read yet.
//!
//! The server makes each answer in memory, and a client that does not read keeps it there. The total size of all
//! answers is bounded, and few large answers are made at a time. If an answer finds no room, the connections whose
//! clients have not read for longest are closed.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// Answers up to this size need no reservation: the number of connections bounds them.
const SMALL: u64 = 4 * 1024;

/// Maximum number of public documents that are being made or wait for room.
const MADE_AT_ONCE: usize = 3;

/// Interval at which to look for clients that do not read, while an answer waits for room.
const LOOK: Duration = Duration::from_millis(200);

/// Time after which a client that does not read loses its connection to a waiting answer.
pub const UNTAKEN: Duration = Duration::from_millis(500);

/// The permit to make an answer. It ends when the answer has its memory.
pub type Turn = Arc<OwnedSemaphorePermit>;

#[derive(Debug)]
pub struct Answers {
    turns: Arc<Semaphore>,
    /// Free kibibytes.
    room: Arc<Semaphore>,
    all: u32,
    /// Maximum time that an answer waits.
    patience: Duration,
}

impl Answers {
    /// Memory of so many bytes.
    pub fn new(bytes: usize, patience: Duration) -> Self {
        let all = kibibytes(bytes as u64);
        Self {
            turns: Arc::new(Semaphore::new(MADE_AT_ONCE)),
            room: Arc::new(Semaphore::new(usize::try_from(all).unwrap_or_default())),
            all,
            patience,
        }
    }

    /// Waits for the permit to make an answer. None on a timeout.
    pub async fn turn(&self) -> Option<Turn> {
        let turn = timeout(self.patience, Arc::clone(&self.turns).acquire_owned()).await;
        turn.ok()?.ok().map(Arc::new)
    }

    /// Reserves the memory of an answer; small answers need none. Calls `make_room` repeatedly until memory is free.
    /// Returns an error on a timeout.
    pub async fn hold(&self, bytes: u64, make_room: impl Fn()) -> Result<Option<Room>, NoRoom> {
        if bytes <= SMALL {
            return Ok(None);
        }
        // An answer that is larger than all memory reserves all of it.
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

/// The reservation of an answer, kept until the last of its bytes is dropped.
pub type Room = Arc<OwnedSemaphorePermit>;

/// No memory became free for an answer.
#[derive(Debug)]
pub struct NoRoom;

/// Bytes that keep their reservation.
struct Held {
    bytes: Bytes,
    _room: Room,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The same bytes with their reservation.
pub fn in_room(bytes: Bytes, room: &Room) -> Bytes {
    Bytes::from_owner(Held { bytes, _room: Arc::clone(room) })
}

fn kibibytes(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX)
}
