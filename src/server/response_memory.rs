//! Limits the memory for responses that clients have not read yet.
//!
//! The server produces each response in memory, and the response stays there until the client has
//! read it. The total size of all responses is bounded, and only a few large responses are produced
//! at a time. While a response waits for memory, the server closes connections whose clients have
//! read nothing for [`UNREAD_TIMEOUT`].

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// Maximum size in bytes of a response that needs no reservation. The maximum number of connections
/// bounds the total size of such responses.
const MAX_UNRESERVED: u64 = 4 * 1024;

/// Maximum number of responses that are being produced or wait for memory.
const MAX_CONCURRENT_RESPONSES: usize = 3;

/// Interval between searches for clients that have stopped reading, while a response waits for
/// memory.
const UNREAD_CHECK_INTERVAL: Duration = Duration::from_millis(200);

/// Maximum time that a client may read nothing while another response waits for memory. After that
/// time, the client's connection is closed.
pub const UNREAD_TIMEOUT: Duration = Duration::from_millis(500);

/// The permit to produce a response. The permit is released once the response has reserved its
/// memory.
pub type ResponsePermit = Arc<OwnedSemaphorePermit>;

#[derive(Debug)]
pub struct ResponseMemory {
    turns: Arc<Semaphore>,
    /// A semaphore with one permit for each free KiB.
    room: Arc<Semaphore>,
    all: u32,
    /// Maximum time that a response waits for memory or for a permit.
    wait_limit: Duration,
}

impl ResponseMemory {
    /// Creates a pool of `bytes` bytes.
    pub fn new(bytes: usize, wait_limit: Duration) -> Self {
        let all = kibibytes(bytes as u64);
        Self {
            turns: Arc::new(Semaphore::new(MAX_CONCURRENT_RESPONSES)),
            room: Arc::new(Semaphore::new(usize::try_from(all).unwrap_or_default())),
            all,
            wait_limit,
        }
    }

    /// Waits for the permit to produce a response. Returns `None` on a timeout.
    pub async fn acquire_permit(&self) -> Option<ResponsePermit> {
        let permit = timeout(self.wait_limit, Arc::clone(&self.turns).acquire_owned()).await;
        permit.ok()?.ok().map(Arc::new)
    }

    /// Reserves memory for a response. Small responses need no reservation. Until memory is free,
    /// calls `close_one` repeatedly. Returns an error on a timeout.
    pub async fn reserve(
        &self,
        bytes: u64,
        close_one: impl Fn(),
    ) -> Result<Option<MemoryReservation>, OutOfMemory> {
        if bytes <= MAX_UNRESERVED {
            return Ok(None);
        }
        // A response that is larger than the pool reserves the whole pool.
        let wanted = kibibytes(bytes).min(self.all);
        let mut held = Box::pin(Arc::clone(&self.room).acquire_many_owned(wanted));
        let due = Instant::now() + self.wait_limit;
        loop {
            match timeout(UNREAD_CHECK_INTERVAL, &mut held).await {
                Ok(Ok(held)) => return Ok(Some(Arc::new(held))),
                Ok(Err(_)) => return Err(OutOfMemory),
                Err(_) if Instant::now() > due => return Err(OutOfMemory),
                Err(_) => close_one(),
            }
        }
    }
}

/// The memory reservation of a response. The reservation ends when the last byte of the response is
/// dropped.
pub type MemoryReservation = Arc<OwnedSemaphorePermit>;

/// The error for a response that got no memory in time.
#[derive(Debug)]
pub struct OutOfMemory;

/// Bytes that keep their memory reserved until they are dropped.
struct ReservedBytes {
    bytes: Bytes,
    _room: MemoryReservation,
}

impl AsRef<[u8]> for ReservedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Returns the same bytes, bound to their memory reservation.
pub fn bind_reservation(bytes: Bytes, room: &MemoryReservation) -> Bytes {
    Bytes::from_owner(ReservedBytes { bytes, _room: Arc::clone(room) })
}

fn kibibytes(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX)
}
