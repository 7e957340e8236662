//! The response to a request.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::{Timestamp, fmt::rfc2822};
use ureq::Body;
use ureq::http::{HeaderMap, Response};
use url::Url;

use crate::bounds::{Bounds, Pace, Spent};
use crate::fault::{Fault, Kind};
use crate::permits::Permit;

/// Number of bytes per read.
const CHUNK_BYTES: usize = 64 * 1024;

/// Maximum wait for a busy host, even if its `Retry-After` header requests a longer wait.
const MAX_WAIT: Duration = Duration::from_mins(1);

/// A redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// Status code: 301, 302, 303, 307 or 308.
    pub status: u16,
    pub from: Url,
}

#[derive(Debug)]
pub struct FetchResponse {
    /// Status code (RFC 9110, section 15).
    pub status: u16,
    /// URL of the response, after all redirects.
    pub url: Url,
    /// The new permanent address of the first URL, if the server redirected permanently.
    pub moved: Option<Url>,
    /// The redirects to this response, in order.
    pub hops: Vec<Hop>,
    headers: HeaderMap,
    body: Body,
    permit: Permit,
    bounds: Bounds,
    spent: Arc<Spent>,
}

impl FetchResponse {
    pub(crate) fn new(
        response: Response<Body>,
        (url, moved, hops): (Url, Option<Url>, Vec<Hop>),
        permit: Permit,
        (bounds, spent): (Bounds, Arc<Spent>),
    ) -> Self {
        let (parts, body) = response.into_parts();
        Self {
            status: parts.status.as_u16(),
            url,
            moved,
            hops,
            headers: parts.headers,
            body,
            permit,
            bounds,
            spent,
        }
    }

    /// Returns the value of a header, or `None` if the header is missing or not ASCII text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the media type in lower case, without its parameters.
    pub fn media_type(&self) -> Option<String> {
        let (kind, _) = split_content_type(self.header("content-type")?);
        (!kind.is_empty()).then(|| kind.to_ascii_lowercase())
    }

    /// Returns the character encoding from the `Content-Type` header.
    pub fn charset(&self) -> Option<String> {
        let (_, rest) = split_content_type(self.header("content-type")?);
        let mut parameters = rest.split(';').filter_map(|one| one.split_once('='));
        let (_, charset) =
            parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
        Some(charset.trim().trim_matches(['"', '\'']).to_owned())
    }

    /// Returns the announced length of the body in bytes (`Content-Length`).
    pub fn length(&self) -> Option<u64> {
        self.header("content-length")?.trim().parse().ok()
    }

    /// Reads the whole body into memory, up to `max_bytes` bytes and within the client's
    /// [`Bounds`].
    ///
    /// # Errors
    ///
    /// Returns an error if the body is too long, takes too long, or ends early.
    pub fn bytes(mut self, max_bytes: u64) -> Result<Vec<u8>, Fault> {
        let url = self.url.as_str();
        let max_bytes = max_bytes.min(self.spent.remaining_bytes(&self.bounds));
        if self.length().is_some_and(|length| length > max_bytes) {
            return Err(Fault::body_too_large(url, max_bytes));
        }
        let begun = Instant::now();
        let mut pace = Pace::new(&self.bounds, self.bounds.response, 0);
        let mut bytes = Vec::new();
        let mut part = vec![0; CHUNK_BYTES];
        let mut body = self.body.as_reader();
        let read = loop {
            // Checks the pace after each read, so that a slow server is noticed early.
            match body.read(&mut part) {
                Ok(0) => break Ok(()),
                Ok(count) => bytes.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => break Err(Fault::from_ureq(&error.into(), url)),
            }
            let count = bytes.len() as u64;
            if count > max_bytes {
                break Err(Fault::body_too_large(url, max_bytes));
            }
            if let Err(fault) = pace.check(url, count) {
                break Err(fault);
            }
        };
        self.spent.add_time(begun.elapsed());
        self.spent.add_bytes(bytes.len() as u64);
        read.map(|()| bytes)
    }

    /// Returns a reader that streams the body.
    pub fn reader(self) -> impl Read {
        Reader { body: self.body.into_reader(), _permit: self.permit }
    }

    /// Returns whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// Returns whether the request failed and a retry could succeed.
    pub(crate) fn is_temporary(&self) -> bool {
        !self.is_success() && self.refusal().is_temporary()
    }

    /// Returns how long to wait before a retry because the host is busy.
    pub(crate) fn wait(&self) -> Duration {
        if !matches!(self.status, 429 | 503) {
            return Duration::ZERO;
        }
        let wait = self.retry_after().unwrap_or_default();
        wait.min(MAX_WAIT)
    }

    /// Returns the wait that the host requests in a `Retry-After` header, as seconds or a date (RFC
    /// 9110, section 10.2.3). If a response with status 403 or 429 lacks that header, returns the
    /// time until the rate limit resets. Many APIs send the reset time in the header
    /// `x-ratelimit-reset`, in seconds since 1970.
    pub fn retry_after(&self) -> Option<Duration> {
        let until =
            |time: Timestamp| Duration::try_from(time.duration_since(Timestamp::now())).ok();
        let after = self.header("retry-after").map(str::trim).and_then(|text| {
            let date = |text| until(rfc2822::parse(text).ok()?.timestamp());
            text.parse().map(Duration::from_secs).ok().or_else(|| date(text))
        });
        let anew = || {
            let is_refusal = matches!(self.status, 403 | 429);
            let time = self.header("x-ratelimit-reset").filter(|_| is_refusal)?;
            until(Timestamp::from_second(time.trim().parse().ok()?).ok()?)
        };
        after.or_else(anew)
    }

    /// Returns the fault that describes a status other than 2xx.
    pub fn refusal(&self) -> Fault {
        let what = match self.status {
            401 => "requires a key or a password",
            403 => "denies access",
            404 | 410 => "was not found",
            429 => "received too many requests",
            500..=599 => "returned a server error, or is overloaded",
            _ => "returned an unexpected response",
        };
        let message = format!("{} {what} (status {})", self.url, self.status);
        Fault::new(Kind::Status(self.status), message)
    }
}

/// A body that counts as a running request to its host until it is dropped.
struct Reader<R> {
    body: R,
    _permit: Permit,
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
        self.body.read(part)
    }
}

fn split_content_type(content_type: &str) -> (&str, &str) {
    let (kind, rest) = content_type.split_once(';').unwrap_or((content_type, ""));
    (kind.trim(), rest)
}
