//! What a server answers.

use std::io::{self, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::{Timestamp, fmt::rfc2822};
use ureq::Body;
use ureq::http::{HeaderMap, Response};
use url::Url;

use crate::bounds::{Bounds, Pace, Spent};
use crate::fault::{Fault, Kind};
use crate::turns::Turn;

/// Bytes to read at a time.
const PART: usize = 64 * 1024;

/// The longest that is waited for a host that says how long it is busy.
const LONGEST_WAIT: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub struct Answer {
    /// The status (RFC 9110, section 15).
    pub status: u16,
    /// Where the answer is from, when all redirects were followed.
    pub url: Url,
    /// The address that is the first one's for good, if it was told so.
    pub moved: Option<Url>,
    headers: HeaderMap,
    body: Body,
    turn: Turn,
    bounds: Bounds,
    spent: Arc<Spent>,
}

impl Answer {
    pub(crate) fn new(
        answer: Response<Body>,
        url: Url,
        moved: Option<Url>,
        turn: Turn,
        (bounds, spent): (Bounds, Arc<Spent>),
    ) -> Self {
        let (parts, body) = answer.into_parts();
        Self {
            status: parts.status.as_u16(),
            url,
            moved,
            headers: parts.headers,
            body,
            turn,
            bounds,
            spent,
        }
    }

    /// A header, if it is one of characters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The media type, in lower case and without its parameters.
    pub fn media_type(&self) -> Option<String> {
        let (kind, _) = split(self.header("content-type")?);
        (!kind.is_empty()).then(|| kind.to_ascii_lowercase())
    }

    /// The character encoding that `Content-Type` names.
    pub fn charset(&self) -> Option<String> {
        let (_, rest) = split(self.header("content-type")?);
        let mut parameters = rest.split(';').filter_map(|one| one.split_once('='));
        let (_, charset) =
            parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
        Some(charset.trim().trim_matches(['"', '\'']).to_owned())
    }

    /// How many bytes are announced.
    pub fn length(&self) -> Option<u64> {
        self.header("content-length")?.trim().parse().ok()
    }

    /// Reads the whole body, of at most `most` bytes, within the client's [`Bounds`].
    ///
    /// # Errors
    ///
    /// When it is longer, takes too long, or breaks off.
    pub fn bytes(mut self, most: u64) -> Result<Vec<u8>, Fault> {
        let url = self.url.as_str();
        let most = most.min(self.spent.left(&self.bounds));
        if self.length().is_some_and(|length| length > most) {
            return Err(Fault::large(url, most));
        }
        let begun = Instant::now();
        let mut pace = Pace::new(&self.bounds, self.bounds.answer, 0);
        let mut bytes = Vec::new();
        let mut part = vec![0; PART];
        let mut body = self.body.as_reader();
        let read = loop {
            // One read at a time, so that the speed of a slow server is checked often.
            match body.read(&mut part) {
                Ok(0) => break Ok(()),
                Ok(count) => bytes.extend_from_slice(&part[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => break Err(Fault::of(&error.into(), url)),
            }
            let count = bytes.len() as u64;
            if count > most {
                break Err(Fault::large(url, most));
            }
            if let Err(fault) = pace.check(url, count) {
                break Err(fault);
            }
        };
        self.spent.add_time(begun.elapsed());
        self.spent.add_bytes(bytes.len() as u64);
        read.map(|()| bytes)
    }

    /// The body as it comes.
    pub fn reader(self) -> impl Read {
        Reader { body: self.body.into_reader(), _turn: self.turn }
    }

    /// Whether it is what was asked for.
    pub fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// Whether another answer may come a moment later.
    pub(crate) fn may_pass(&self) -> bool {
        !self.is_success() && self.refusal().may_pass()
    }

    /// How long is waited for a busy host before it is asked again.
    pub(crate) fn wait(&self) -> Duration {
        if !matches!(self.status, 429 | 503) {
            return Duration::ZERO;
        }
        let wait = self.retry_after().unwrap_or_default();
        wait.min(LONGEST_WAIT)
    }

    /// How long a host wants to be left alone: seconds or a date (RFC 9110, section 10.2.3). Where it refuses and does not
    /// say so, the time at which it counts anew, which many APIs give in seconds since 1970, and with every answer.
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

    /// What an answer of no success says.
    pub fn refusal(&self) -> Fault {
        let what = match self.status {
            401 => "wants a key or a password",
            403 => "refuses",
            404 | 410 => "is not there",
            429 => "asks not to be asked so often",
            500..=599 => "has a fault of its own, or is busy",
            _ => "answers with what cannot be used",
        };
        let message = format!("{} {what} (status {})", self.url, self.status);
        Fault::new(Kind::Status(self.status), message)
    }
}

/// A body, which takes its host's turn until it is dropped.
struct Reader<R> {
    body: R,
    _turn: Turn,
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, part: &mut [u8]) -> io::Result<usize> {
        self.body.read(part)
    }
}

fn split(content_type: &str) -> (&str, &str) {
    let (kind, rest) = content_type.split_once(';').unwrap_or((content_type, ""));
    (kind.trim(), rest)
}
