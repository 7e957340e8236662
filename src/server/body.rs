//! Request bodies. The server reads each body as it arrives, and all bodies share one memory limit.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, Bytes};
use futures_util::{Stream, StreamExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep, timeout};
use warp::http::header::CONTENT_LENGTH;
use warp::http::{HeaderMap, StatusCode};

use super::response_memory::ResponseMemory;

/// The bytes of a request body as they arrive. If the client sends nothing for too long, the stream
/// ends with an error.
pub struct BodyStream {
    chunks: Option<Chunks>,
    /// The value of `Content-Length`, in bytes.
    length: Option<usize>,
    /// Fires when the client has sent nothing for too long.
    silence: Option<Pin<Box<Sleep>>>,
    arrival: Arrival,
}

type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, warp::Error>> + Send>>;

/// Maximum number of bytes of an unread body to read and discard: 32 MiB.
const MAX_DISCARDED: usize = 32 * 1024 * 1024;

/// Maximum time to read and discard an unread body.
const DISCARD_TIMEOUT: Duration = Duration::from_secs(10);

/// Bodies of at most 64 KiB use no shared memory, so that a small API call does not wait for
/// uploads. The maximum number of connections bounds the total size of small bodies.
const MAX_UNSHARED: usize = 64 * 1024;

/// The connection data of a request: the client's address, and the shared limits.
#[derive(Debug, Clone, Default)]
pub struct Arrival {
    /// The address of the client.
    pub peer: Option<IpAddr>,
    /// Maximum time that a client may pause while it sends a body, or `None` for no limit.
    silence: Option<Duration>,
    bodies: Option<Arc<Bodies>>,
    response_memory: Option<Arc<ResponseMemory>>,
}

impl Arrival {
    /// Creates the connection data for a client at `peer`.
    pub fn new(
        peer: IpAddr,
        silence: Duration,
        bodies: Arc<Bodies>,
        response_memory: Arc<ResponseMemory>,
    ) -> Self {
        Self {
            peer: Some(peer),
            silence: Some(silence),
            bodies: Some(bodies),
            response_memory: Some(response_memory),
        }
    }

    /// Reserves shared memory for a body. Returns `None` for a small body, which needs no
    /// reservation.
    async fn reserve(&self, bytes: usize) -> Result<Option<OwnedSemaphorePermit>, BodyError> {
        match &self.bodies {
            Some(bodies) if bytes > MAX_UNSHARED => bodies.reserve(bytes).await.map(Some),
            _ => Ok(None),
        }
    }
}

/// The memory pool that all bodies share.
#[derive(Debug)]
pub struct Bodies {
    /// A semaphore with one permit for each free KiB.
    free_memory: Arc<Semaphore>,
    all: u32,
    /// Maximum time that a body waits for free memory.
    wait_limit: Duration,
}

impl Bodies {
    /// Creates a pool of `bytes` bytes.
    pub fn new(bytes: usize, wait_limit: Duration) -> Self {
        let all = kibibytes(bytes);
        Self {
            free_memory: Arc::new(Semaphore::new(usize::try_from(all).unwrap_or_default())),
            all,
            wait_limit,
        }
    }

    /// Reserves memory. Waiting bodies get memory in the order of their requests.
    async fn reserve(&self, bytes: usize) -> Result<OwnedSemaphorePermit, BodyError> {
        // A body that is larger than the pool reserves the whole pool.
        let wanted = kibibytes(bytes).min(self.all);
        let held = Arc::clone(&self.free_memory).acquire_many_owned(wanted);
        match timeout(self.wait_limit, held).await {
            Ok(Ok(held)) => Ok(held),
            Ok(Err(_)) | Err(_) => Err(BodyError::OutOfMemory),
        }
    }
}

fn kibibytes(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX)
}

impl BodyStream {
    /// Returns the memory pool for responses on this connection.
    pub fn response_memory(&self) -> Option<Arc<ResponseMemory>> {
        self.arrival.response_memory.clone()
    }

    /// Wraps the body of a request with these headers.
    pub fn new(
        headers: &HeaderMap,
        body: impl Stream<Item = Result<impl Buf, warp::Error>> + Send + 'static,
        arrival: Arrival,
    ) -> Self {
        let length = headers.get(CONTENT_LENGTH);
        let chunks =
            body.map(|chunk| chunk.map(|mut chunk| chunk.copy_to_bytes(chunk.remaining())));
        Self {
            chunks: Some(Box::pin(chunks)),
            length: length.and_then(|length| length.to_str().ok()?.parse().ok()),
            silence: None,
            arrival,
        }
    }

    /// Returns an empty body.
    pub fn empty() -> Self {
        Self { chunks: None, length: None, silence: None, arrival: Arrival::default() }
    }

    /// Whether the client has sent nothing for too long.
    fn is_timed_out(&mut self, context: &mut Context<'_>) -> bool {
        let Some(wait_limit) = self.arrival.silence else {
            return false;
        };
        let silence = self.silence.get_or_insert_with(|| Box::pin(sleep(wait_limit)));
        silence.as_mut().poll(context).is_ready()
    }
}

impl Stream for BodyStream {
    type Item = Result<Bytes, BodyError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(chunks) = &mut self.chunks else {
            return Poll::Ready(None);
        };
        match chunks.as_mut().poll_next(context) {
            Poll::Ready(Some(Ok(chunk))) => {
                self.silence = None;
                Poll::Ready(Some(Ok(chunk)))
            }
            Poll::Ready(Some(Err(_))) => {
                self.chunks = None;
                Poll::Ready(Some(Err(BodyError::Broken)))
            }
            Poll::Ready(None) => {
                self.chunks = None;
                Poll::Ready(None)
            }
            Poll::Pending if self.is_timed_out(context) => {
                self.chunks = None;
                Poll::Ready(Some(Err(BodyError::TimedOut)))
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

/// The server may respond before it has read the whole body. If it closed the connection
/// immediately, a client that is still sending could not read the response. Therefore the rest of
/// the body is read and discarded.
impl Drop for BodyStream {
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current();
        if let (Some(mut chunks), Ok(runtime)) = (self.chunks.take(), runtime) {
            runtime.spawn(timeout(DISCARD_TIMEOUT, async move {
                let mut unwanted = 0;
                while let Some(Ok(chunk)) = chunks.next().await
                    && unwanted < MAX_DISCARDED
                {
                    unwanted += chunk.len();
                }
            }));
        }
    }
}

/// The reason why a body could not be read completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// The body exceeds its size limit.
    #[error("the body is too large")]
    TooLarge,
    #[error("the body ended too early")]
    Broken,
    /// The client stays connected but sends nothing.
    #[error("the body stopped arriving")]
    TimedOut,
    /// Other bodies use all of the shared memory.
    #[error("the server has no memory for more request bodies; try again later")]
    OutOfMemory,
}

impl BodyError {
    /// Returns the HTTP status for this error.
    pub fn status(self) -> StatusCode {
        match self {
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Broken => StatusCode::BAD_REQUEST,
            Self::TimedOut => StatusCode::REQUEST_TIMEOUT,
            Self::OutOfMemory => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// Wraps bytes that were derived from `body`, so that the memory reservation of `body` lasts until
/// they are dropped.
pub fn bind_to_body(body: Bytes, became: Vec<u8>) -> Bytes {
    Bytes::from_owner(ReservedBody { bytes: became, _held: body })
}

/// Bytes that keep a body's memory reserved until they are dropped.
struct ReservedBody<T> {
    bytes: Vec<u8>,
    _held: T,
}

impl<T> AsRef<[u8]> for ReservedBody<T> {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads a body of at most `limit` bytes. The memory stays reserved until the returned bytes are
/// dropped.
pub async fn read_body(body: BodyStream, limit: usize) -> Result<Bytes, BodyError> {
    read_body_reserving(body, limit, 0).await
}

/// Reads a body, and reserves `more` bytes for data derived from it.
pub async fn read_body_reserving(
    mut body: BodyStream,
    limit: usize,
    more: usize,
) -> Result<Bytes, BodyError> {
    let length = body.length.unwrap_or(limit);
    if length > limit {
        return Err(BodyError::TooLarge);
    }
    let arrival = body.arrival.clone();
    let held = arrival.reserve(length + more).await?;
    let mut whole = Vec::new();
    while let Some(chunk) = body.next().await {
        let chunk = chunk?;
        if whole.len() + chunk.len() > limit {
            return Err(BodyError::TooLarge);
        }
        if whole.is_empty() {
            whole.reserve_exact(body.length.unwrap_or(chunk.len()));
        }
        whole.extend_from_slice(&chunk);
    }
    Ok(Bytes::from_owner(ReservedBody { bytes: whole, _held: held }))
}
