//! Connections: how many there are, and how long each may take for what.
//!
//! A client that is slow, stuck or hostile holds a connection, a file descriptor and what it sent so
//! far. Each of these has a bound in [`Limits`]. A client within them is never cut off: uploads and
//! downloads may last as long as bytes flow, streams of events forever.

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

use super::answers::{Answers, Turn, UNTAKEN};
use super::body::{Arrival, Bodies};
use super::http;
use super::refusal::Refusal;
use activity::{Activity, Phase};
use tracked::{TrackedBody, TrackedStream};

/// A request as it comes over a connection.
type Request = hyper::Request<Incoming>;

/// How much of a server clients may use.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Connections at once.
    pub connections: usize,
    /// How long the head of a request may take, from its first byte.
    pub head: Duration,
    /// How long a body may bring no byte.
    pub body: Duration,
    /// How long a connection may have nothing to do.
    pub idle: Duration,
    /// How long a client may take none of the bytes sent to it.
    pub untaken: Duration,
    /// Bytes that all bodies may hold together while they are read and answered.
    pub bodies: usize,
    /// Maximum bytes of all unread answers together.
    pub answers: usize,
    /// How long a body or an answer may wait for memory.
    pub room: Duration,
    /// Requests with keys that are not valid, from one address in a minute, until they are slowed down.
    pub failures: u32,
    /// How long the answers to further ones are delayed.
    pub slowed: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: descriptors::room(),
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            untaken: Duration::from_secs(60),
            bodies: 64 * 1024 * 1024,
            answers: 16 * 1024 * 1024,
            room: Duration::from_secs(30),
            failures: 10,
            slowed: Duration::from_secs(1),
        }
    }
}

/// How often to try again when all places are taken, or no more files can be opened.
const AGAIN: Duration = Duration::from_millis(50);

/// How long a new client counts as about to send something.
const NEW: Duration = Duration::from_secs(1);

/// How long a connection has to finish its last answer.
const FAREWELL: Duration = Duration::from_secs(1);

/// Most bytes of a connection that are buffered. A whole head has to fit.
const BUFFER: usize = 64 * 1024;

/// What is sent to a client that did not finish its request.
const TOO_SLOW: &[u8] =
    b"HTTP/1.1 408 Request Timeout\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Content-Length: 40\r\nConnection: close\r\n\r\nthe head of the request did not come in\n";

/// Answers the requests of all connections, and never ends.
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
    let answers = Arc::new(Answers::new(limits.answers, limits.room));
    let limits = Arc::new(limits);
    loop {
        let (stream, peer) = match accept(&listeners).await {
            Ok(accepted) => accepted,
            Err(error) => {
                after(&error, &open).await;
                continue;
            }
        };
        let place = loop {
            if places.available_permits() == 0 {
                open.make_room();
            }
            match timeout(AGAIN, Arc::clone(&places).acquire_owned()).await {
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
                Arc::clone(&answers),
            ),
            activity: Arc::clone(&activity),
            answers: Arc::clone(&answers),
            open: open.clone(),
            limits: Arc::clone(&limits),
        };
        let (open, service) = (open.clone(), service.clone());
        tokio::spawn(async move {
            let _end = End { open, activity, _place: place };
            connection.run(stream, service).await;
        });
    }
}

/// The next connection, wherever it comes.
async fn accept(listeners: &[TcpListener]) -> io::Result<(TcpStream, SocketAddr)> {
    let all = listeners.iter().map(|listener| Box::pin(listener.accept()));
    select_all(all).await.0
}

/// Waits a little after an error that would come again. Most errors concern one connection, which its
/// client gave up.
async fn after(error: &io::Error, open: &OpenConnections) {
    let is_of_one = matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    );
    if !is_of_one {
        open.make_room();
        sleep(AGAIN).await;
    }
}

#[derive(Debug, Clone, Default)]
struct OpenConnections(Arc<Mutex<Vec<Arc<Activity>>>>);

impl OpenConnections {
    fn add(&self) -> Arc<Activity> {
        let activity = Arc::new(Activity::new());
        self.with(|open| open.push(Arc::clone(&activity)));
        activity
    }

    fn remove(&self, gone: &Arc<Activity>) {
        self.with(|open| open.retain(|activity| !Arc::ptr_eq(activity, gone)));
    }

    /// Asks a connection to leave: an idle one, else one whose request is incomplete, else one that
    /// waits for events. Of these, the one that has done so for longest.
    fn make_room(&self) {
        self.with(|open| {
            let all = open.iter().filter(|activity| !activity.is_leaving());
            let all = all.map(|activity| (activity.standing(), activity));
            let first = all.filter(|((phase, _), _)| *phase != Phase::Request).min_by_key(
                |((phase, since), _)| {
                    // A new client is about to send something.
                    let is_new = *phase == Phase::Idle && since.elapsed() < NEW;
                    (is_new, *phase, *since)
                },
            );
            if let Some((_, activity)) = first {
                activity.send_away();
            }
        });
    }

    /// Closes every connection whose client has read nothing for this long.
    fn cut_untaken(&self, time: Duration) {
        self.with(|open| {
            let untaken = open.iter().filter(|activity| activity.is_untaken(time));
            untaken.for_each(|activity| activity.cut());
        });
    }

    fn with<T>(&self, work: impl FnOnce(&mut Vec<Arc<Activity>>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Frees a connection's place, however the connection ends.
struct End {
    open: OpenConnections,
    activity: Arc<Activity>,
    _place: tokio::sync::OwnedSemaphorePermit,
}

impl Drop for End {
    fn drop(&mut self) {
        self.open.remove(&self.activity);
    }
}

struct Connection {
    arrival: Arrival,
    activity: Arc<Activity>,
    answers: Arc<Answers>,
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
                Err(_) if http2::begins(&self.activity.opening()) => Ended::Http2,
                _ => return,
            },
            end = self.overdue() => end,
        };
        match end {
            // A request that arrives at this moment is still answered.
            Ended::Overdue(Phase::Idle) => {
                Pin::new(&mut running).graceful_shutdown();
                tokio::select! {
                    _ = &mut running => {}
                    () = self.farewell() => {}
                }
            }
            Ended::Overdue(Phase::Head) => {
                let mut stream = running.into_parts().io.into_inner().stream;
                let _ = timeout(FAREWELL, stream.write_all(TOO_SLOW)).await;
            }
            Ended::Overdue(Phase::Events | Phase::Request) | Ended::Untaken => {}
            Ended::Http2 => {
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
        // hyper accepts up to 16 pipelined requests, even if their answers are not read.
        self.activity.taken().await;
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
        // Only a body in memory has a known size; others are produced while the client reads.
        let in_memory = response.body().size_hint().exact().unwrap_or_default();
        let make_room = || self.open.cut_untaken(UNTAKEN);
        let room = match self.answers.hold(in_memory, make_room).await {
            Ok(room) => room,
            Err(_) => {
                let words = "the server has too many unread answers; try again";
                response = http::refused(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words));
                None
            }
        };
        response.extensions_mut().remove::<Turn>();
        let activity = Arc::clone(&self.activity);
        Ok(response.map(|body| TrackedBody::new(body, activity, room)))
    }

    /// Waits while a last request is answered, within the limits.
    async fn farewell(&self) {
        loop {
            sleep(FAREWELL).await;
            let is_due = self.activity.due(&self.limits).is_some_and(|due| due <= Instant::now());
            if is_due || self.activity.standing().0 != Phase::Request {
                return;
            }
        }
    }

    /// Waits until the connection must end.
    async fn overdue(&self) -> Ended {
        let limits = &self.limits;
        let shortest = limits.head.min(limits.idle).min(limits.untaken);
        loop {
            let now = Instant::now();
            let due = self.activity.due(limits);
            if due.is_some_and(|due| due <= now) {
                return Ended::Overdue(self.activity.standing().0);
            }
            // A phase that begins meanwhile is due no sooner.
            let next = now + shortest;
            tokio::select! {
                () = sleep_until(due.map_or(next, |due| due.min(next))) => {}
                () = self.activity.leave.notified() => match self.activity.standing().0 {
                    _ if self.activity.is_cut() => return Ended::Untaken,
                    Phase::Request => self.activity.stay(),
                    phase => return Ended::Overdue(phase),
                },
            }
        }
    }
}

/// Why a connection ends before its client ends it.
enum Ended {
    /// Its client takes too long, or others need its place.
    Overdue(Phase),
    /// Its client does not read, and another answer needs the memory.
    Untaken,
    /// It does not speak HTTP/1.1.
    Http2,
}

fn is_event_stream<B>(response: &hyper::Response<B>) -> bool {
    let media_type = response.headers().get(CONTENT_TYPE);
    media_type.is_some_and(|media_type| media_type == "text/event-stream")
}
