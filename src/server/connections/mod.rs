//! Connections: their number, and time limits for each phase.
//!
//! A slow, stuck or hostile client occupies a connection, a file descriptor and the memory for the
//! bytes it has sent. [`Limits`] bounds all of them. Uploads and downloads may last as long as
//! bytes flow, and event streams have no time limit. If all connections are in use, the server
//! closes one of the idle or waiting connections for each new client.

mod activity;
mod descriptors;
mod http2;
mod tracked;

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::select_all;
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use warp::http::StatusCode;
use warp::http::header::CONTENT_TYPE;

use super::body::{Arrival, Bodies};
use super::http;
use super::refusal::Refusal;
use super::response_memory::{ResponseMemory, ResponsePermit, UNREAD_TIMEOUT};
use activity::{Activity, Phase};
use tracked::{TrackedBody, TrackedStream};

/// A request as received from a connection.
type Request = hyper::Request<Incoming>;

/// Limits on the server resources that clients may use.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Maximum number of simultaneous connections.
    pub connections: usize,
    /// Maximum time from the first byte of a request to the end of its headers.
    pub head: Duration,
    /// Maximum time that a client may pause while it sends a body.
    pub body: Duration,
    /// Maximum time that a connection may be idle.
    pub idle: Duration,
    /// Maximum time that a client may leave sent bytes unread.
    pub unread_timeout: Duration,
    /// Maximum total size in bytes of all request bodies in memory.
    pub bodies: usize,
    /// Maximum total size in bytes of all responses that clients have not read yet.
    pub response_memory: usize,
    /// Maximum time that a body or a response waits for memory.
    pub room: Duration,
    /// Maximum number of requests with invalid keys per client and minute. Responses to further
    /// requests with invalid keys are delayed.
    pub failures: u32,
    /// The delay of responses to further requests with invalid keys.
    pub refusal_delay: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: descriptors::room(),
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            unread_timeout: Duration::from_secs(60),
            bodies: 64 * 1024 * 1024,
            response_memory: 16 * 1024 * 1024,
            room: Duration::from_secs(30),
            failures: 10,
            refusal_delay: Duration::from_secs(1),
        }
    }
}

/// Interval between attempts to accept a connection when all connections are in use or no more
/// files can be opened.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// How long a new connection is protected: the server prefers to close other connections, because a
/// new client will probably send a request soon.
const NEW_CONNECTION_TIMEOUT: Duration = Duration::from_secs(1);

/// Interval at which a closing connection is checked, and maximum time to write
/// [`TIMEOUT_RESPONSE`].
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Maximum number of buffered bytes per connection. The headers of a request must fit.
const BUFFER: usize = 64 * 1024;

/// The response to a client that did not finish its request.
const TIMEOUT_RESPONSE: &[u8] =
    b"HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Content-Length: 46\r\nConnection: close\r\n\r\nthe request headers were not received in time\n";

/// Answers the requests of all connections. Never returns.
pub async fn serve<S, B>(listeners: Vec<TcpListener>, limits: Limits, service: S)
where
    S: Service<Request, Response = hyper::Response<B>> + Clone + Send + Sync + 'static,
    S::Error: std::error::Error + Send + Sync + 'static,
    S::Future: Send + 'static,
    B: Body<Data = Bytes, Error: std::error::Error + Send + Sync>
        + From<String>
        + Send
        + Unpin
        + 'static,
{
    let places = Arc::new(Semaphore::new(limits.connections));
    let open = OpenConnections::default();
    let bodies = Arc::new(Bodies::new(limits.bodies, limits.room));
    let response_memory = Arc::new(ResponseMemory::new(limits.response_memory, limits.room));
    let limits = Arc::new(limits);
    loop {
        let (stream, peer) = match accept(&listeners).await {
            Ok(accepted) => accepted,
            Err(error) => {
                pause_after_error(&error, &open).await;
                continue;
            }
        };
        let place = loop {
            if places.available_permits() == 0 {
                open.close_one();
            }
            match timeout(RETRY_INTERVAL, Arc::clone(&places).acquire_owned()).await {
                Ok(Ok(place)) => break place,
                Ok(Err(_)) => return,
                Err(_) => {}
            }
        };
        let activity = open.add();
        let connection = Connection {
            arrival: Arrival::new(
                peer.ip(),
                limits.body,
                Arc::clone(&bodies),
                Arc::clone(&response_memory),
            ),
            activity: Arc::clone(&activity),
            response_memory: Arc::clone(&response_memory),
            open: open.clone(),
            limits: Arc::clone(&limits),
        };
        let (open, service) = (open.clone(), service.clone());
        tokio::spawn(async move {
            let _end = PlaceGuard { open, activity, _place: place };
            connection.run(stream, service).await;
        });
    }
}

/// Accepts the next connection on any listener.
async fn accept(listeners: &[TcpListener]) -> io::Result<(TcpStream, SocketAddr)> {
    let all = listeners.iter().map(|listener| Box::pin(listener.accept()));
    select_all(all).await.0
}

/// Waits briefly after an error that would otherwise repeat immediately. An error that affects only
/// one connection, which is the most frequent kind, needs no wait.
async fn pause_after_error(error: &io::Error, open: &OpenConnections) {
    let is_of_one = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    );
    if !is_of_one {
        open.close_one();
        sleep(RETRY_INTERVAL).await;
    }
}

#[derive(Debug, Clone, Default)]
struct OpenConnections(Arc<Mutex<Vec<Arc<Activity>>>>);

impl OpenConnections {
    fn add(&self) -> Arc<Activity> {
        let activity = Arc::new(Activity::new());
        self.with_activities(|open| open.push(Arc::clone(&activity)));
        activity
    }

    fn remove(&self, gone: &Arc<Activity>) {
        self.with_activities(|open| open.retain(|activity| !Arc::ptr_eq(activity, gone)));
    }

    /// Requests that one connection close. Prefers idle connections, then connections with an
    /// incomplete request, then event streams. Among connections in the same phase, chooses the one
    /// that has been in the phase longest.
    fn close_one(&self) {
        self.with_activities(|open| {
            let all = open.iter().filter(|activity| !activity.is_closing());
            let all = all.map(|activity| (activity.phase_since(), activity));
            let first = all.filter(|((phase, _), _)| *phase != Phase::Request).min_by_key(
                |((phase, since), _)| {
                    let is_new = *phase == Phase::Idle && since.elapsed() < NEW_CONNECTION_TIMEOUT;
                    (is_new, *phase, *since)
                },
            );
            if let Some((_, activity)) = first {
                activity.request_close();
            }
        });
    }

    /// Closes every connection whose client has read nothing for at least `time`.
    fn abort_unread(&self, time: Duration) {
        self.with_activities(|open| {
            let unread_timeout = open.iter().filter(|activity| activity.is_unread(time));
            unread_timeout.for_each(|activity| activity.abort());
        });
    }

    fn with_activities<T>(&self, work: impl FnOnce(&mut Vec<Arc<Activity>>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Removes a connection from the list of open connections when dropped, and makes room for a new
/// connection.
struct PlaceGuard {
    open: OpenConnections,
    activity: Arc<Activity>,
    _place: tokio::sync::OwnedSemaphorePermit,
}

impl Drop for PlaceGuard {
    fn drop(&mut self) {
        self.open.remove(&self.activity);
    }
}

struct Connection {
    arrival: Arrival,
    activity: Arc<Activity>,
    response_memory: Arc<ResponseMemory>,
    open: OpenConnections,
    limits: Arc<Limits>,
}

impl Connection {
    async fn run<S, B>(self, stream: TcpStream, service: S)
    where
        S: Service<Request, Response = hyper::Response<B>>,
        S::Error: std::error::Error + Send + Sync + 'static,
        B: Body<Data = Bytes, Error: std::error::Error + Send + Sync>
            + From<String>
            + Unpin
            + 'static,
    {
        let stream = TokioIo::new(TrackedStream { stream, activity: Arc::clone(&self.activity) });
        let answer = service_fn(|request| self.answer(&service, request));
        let mut running = http1::Builder::new()
            .max_buf_size(BUFFER)
            .header_read_timeout(None)
            .serve_connection(stream, answer);
        let end = tokio::select! {
            end = &mut running => match end {
                Err(_) if http2::is_http2(&self.activity.first_bytes()) => CloseReason::Http2,
                _ => return,
            },
            end = self.wait_until_overdue() => end,
        };
        match end {
            // A request that arrives at this moment is still answered.
            CloseReason::Overdue(Phase::Idle) => {
                Pin::new(&mut running).graceful_shutdown();
                tokio::select! {
                    _ = &mut running => {}
                    () = self.finish_response() => {}
                }
            }
            CloseReason::Overdue(Phase::Head) => {
                let mut stream = running.into_parts().io.into_inner().stream;
                let _ = timeout(CLOSE_TIMEOUT, stream.write_all(TIMEOUT_RESPONSE)).await;
            }
            CloseReason::Overdue(Phase::Events | Phase::Request) | CloseReason::Unread => {}
            CloseReason::Http2 => {
                let parts = running.into_parts();
                let mut stream = parts.io.into_inner().stream;
                http2::refuse(&mut stream, &parts.read_buf).await;
            }
        }
    }

    async fn answer<S, B>(
        &self,
        service: &S,
        mut request: Request,
    ) -> Result<hyper::Response<TrackedBody<B>>, S::Error>
    where
        S: Service<Request, Response = hyper::Response<B>>,
        B: Body + From<String>,
    {
        self.activity.enter(Phase::Request);
        // hyper accepts up to 16 pipelined requests, even if the client does not read the
        // responses.
        self.activity.until_read().await;
        let mut response = match http::admit(&mut request) {
            Ok(()) => {
                request.extensions_mut().insert(self.arrival.clone());
                service.call(request).await?
            }
            Err(refusal) => http::refused(refusal),
        };
        if is_event_stream(&response) {
            self.activity.enter(Phase::Events);
        }
        // Only a body in memory has a known size. Other bodies are produced while the client reads.
        let in_memory = response.body().size_hint().exact().unwrap_or_default();
        let close_one = || self.open.abort_unread(UNREAD_TIMEOUT);
        let room = match self.response_memory.reserve(in_memory, close_one).await {
            Ok(room) => room,
            Err(_) => {
                let words = "the server has too many unread responses; try again";
                response = http::refused(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words));
                None
            }
        };
        response.extensions_mut().remove::<ResponsePermit>();
        let activity = Arc::clone(&self.activity);
        Ok(response.map(|body| TrackedBody::new(body, activity, room)))
    }

    /// Waits until the last response is sent or exceeds a limit.
    async fn finish_response(&self) {
        loop {
            sleep(CLOSE_TIMEOUT).await;
            let is_due = self
                .activity
                .deadline(&self.limits)
                .is_some_and(|deadline| deadline <= Instant::now());
            if is_due || self.activity.phase_since().0 != Phase::Request {
                return;
            }
        }
    }

    /// Waits until the connection must end.
    async fn wait_until_overdue(&self) -> CloseReason {
        let limits = &self.limits;
        let shortest = limits.head.min(limits.idle).min(limits.unread_timeout);
        loop {
            let now = Instant::now();
            let deadline = self.activity.deadline(limits);
            if deadline.is_some_and(|deadline| deadline <= now) {
                return CloseReason::Overdue(self.activity.phase_since().0);
            }
            // Wake up after the shortest limit at the latest. A phase that begins while this task
            // sleeps cannot exceed its limit earlier.
            let next = now + shortest;
            tokio::select! {
                () = sleep_until(deadline.map_or(next, |deadline| deadline.min(next))) => {}
                () = self.activity.close_requested.notified() => match self.activity.phase_since().0 {
                    _ if self.activity.is_aborted() => return CloseReason::Unread,
                    Phase::Request => self.activity.cancel_close(),
                    phase => return CloseReason::Overdue(phase),
                },
            }
        }
    }
}

/// The reason why the server ends a connection.
enum CloseReason {
    /// The client is too slow, or the server needs the connection for another client.
    Overdue(Phase),
    /// The client does not read its response, and another response needs the memory.
    Unread,
    /// The client speaks HTTP/2 instead of HTTP/1.1.
    Http2,
}

fn is_event_stream<B>(response: &hyper::Response<B>) -> bool {
    let media_type = response.headers().get(CONTENT_TYPE);
    media_type.is_some_and(|media_type| media_type == "text/event-stream")
}
