//! Sends requests to the published site, with limits on time and size.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use fetch::{Bounds, Client, Fault, FetchResponse, Hop, Kind, Options, Reach, Request, Url};
use flate2::read::MultiGzDecoder;
use project::Live;

use super::finding::{Finding, Need};

/// The `User-Agent` header of requests.
const USER_AGENT: &str = concat!("feedwright/", env!("CARGO_PKG_VERSION"));

/// Number of failed requests after which a host is not requested any more.
const MAX_FAILURES: usize = 2;

/// Maximum number of redirects of an address of another site. Services that count downloads
/// each add a redirect.
const MAX_HOPS: usize = 5;

/// Maximum size in bytes of a decompressed text.
const MAX_TEXT: u64 = 64 * 1024 * 1024;

/// The fields of responses that checks read.
const FIELDS: [&str; 10] = [
    "access-control-allow-origin", "cache-control", "content-encoding", "content-length",
    "content-range", "content-type", "etag", "last-modified", "location", "server",
];

pub struct Prober {
    client: Client,
    /// Name of the site's own host.
    own: String,
    begun: Instant,
    limit: Duration,
    /// Number of failed requests of each host.
    failures: Mutex<HashMap<String, usize>>,
    /// Number of requests that were not sent, because the time was up.
    skipped: AtomicUsize,
}

/// A response, without the body if it was not requested.
#[derive(Debug)]
pub struct Reply {
    requested: String,
    pub status: u16,
    /// Address of the response, after all redirects.
    pub url: Url,
    hops: Vec<Hop>,
    fields: BTreeMap<&'static str, String>,
    pub body: Vec<u8>,
}

impl Prober {
    pub fn new(live: &Live, reach: Reach, own: &Url) -> Self {
        let roots = std::env::var_os("SSL_CERT_FILE").and_then(|file| std::fs::read(file).ok());
        let bounds = Bounds {
            window: live.timeout,
            response: live.timeout * 8,
            all_bytes: 2 * 1024 * 1024 * 1024,
            ..Bounds::default()
        };
        let client = Client::new(Options {
            user_agent: USER_AGENT.to_owned(),
            reach,
            timeout: live.timeout,
            bounds,
            roots: roots.map(|pem| fetch::read_pem(&pem)).unwrap_or_default(),
            redirects: 10,
            retries: 1,
            ..Options::default()
        });
        Self {
            client,
            own: own.host_str().unwrap_or_default().to_owned(),
            begun: Instant::now(),
            limit: live.limit,
            failures: Mutex::default(),
            skipped: AtomicUsize::new(0),
        }
    }

    /// Returns the client, for a connection to a host that answers.
    pub fn client(&self, url: &str) -> Result<&Client, Vec<Finding>> {
        let host = host(url);
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.get(&host).is_some_and(|count| *count >= MAX_FAILURES) {
            return Err(Vec::new());
        }
        if self.begun.elapsed() > self.limit {
            self.skipped.fetch_add(1, Ordering::Relaxed);
            return Err(Vec::new());
        }
        Ok(&self.client)
    }

    /// Sends a request, and reads at most `max_bytes` of the body. `None` reads no body. The
    /// response can have any status.
    pub fn send(
        &self,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
        max_bytes: Option<u64>,
    ) -> Result<Reply, Vec<Finding>> {
        let response = self.open(method, url, headers)?;
        let mut reply = Reply::of(url, &response);
        if let Some(max_bytes) = max_bytes {
            reply.body =
                response.bytes(max_bytes).map_err(|fault| self.interrupted(url, &fault))?;
        }
        Ok(reply)
    }

    /// Requests an address with GET. Returns a response with status 200, and findings about its
    /// redirects.
    pub fn get(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        max_bytes: u64,
    ) -> Result<(Reply, Vec<Finding>), Vec<Finding>> {
        let reply = self.send("GET", url, headers, Some(max_bytes))?;
        let found = self.redirects(&reply);
        match reply.status {
            200 => Ok((reply, found)),
            _ => Err(vec![reply.unexpected_status()]),
        }
    }

    /// Sends a request, and passes the parts of its body to `each`, up to `max_bytes` bytes.
    /// Returns whether the whole body was read.
    pub fn stream(
        &self,
        url: &str,
        max_bytes: u64,
        mut each: impl FnMut(&[u8]),
    ) -> Result<bool, Vec<Finding>> {
        let mut body = self.open("GET", url, &[])?.reader().take(max_bytes + 1);
        let mut part = vec![0; 64 * 1024];
        let mut bytes = 0;
        loop {
            let read = body.read(&mut part).map_err(|_| {
                vec![Finding::new(Need::Answer, url, "stopped in the middle of the file")]
            })?;
            bytes += read as u64;
            if read == 0 || bytes > max_bytes || self.begun.elapsed() > self.limit {
                return Ok(read == 0);
            }
            each(&part[..read]);
        }
    }

    fn open(
        &self,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
    ) -> Result<FetchResponse, Vec<Finding>> {
        let request = Request { method, headers, ..Request::get(url) };
        let sent = self.client(url)?.send_unchecked(&request);
        let response = sent.map_err(|fault| self.failed(url, &fault))?;
        if response.status == 429 {
            // The host must not be requested again.
            self.count_failure(url, MAX_FAILURES);
        }
        Ok(response)
    }

    /// Returns the finding about a request without a response.
    pub fn failed(&self, url: &str, fault: &Fault) -> Vec<Finding> {
        let need = match fault.kind {
            Kind::Certificate => Need::Certificate,
            Kind::Circle => Need::Redirect,
            Kind::Stalled | Kind::Large | Kind::Length => Need::Answer,
            _ => Need::Reach,
        };
        let failures = match fault.kind {
            Kind::Certificate | Kind::Local => MAX_FAILURES,
            Kind::Unreachable | Kind::Stalled => 1,
            _ => 0,
        };
        self.count_failure(url, failures);
        // The message starts with the address, or with the address of a redirect.
        let problem = match fault.kind {
            Kind::Circle => "redirects in a loop, or too many times",
            _ => fault.message.split_once(' ').map_or(fault.message.as_str(), |(_, rest)| rest),
        };
        vec![Finding::new(need, url, problem)]
    }

    /// Returns the finding about a body that ended early.
    fn interrupted(&self, url: &str, fault: &Fault) -> Vec<Finding> {
        match fault.kind {
            Kind::Unreachable => {
                vec![Finding::new(Need::Answer, url, "stopped in the middle of its response")]
            }
            _ => self.failed(url, fault),
        }
    }

    fn count_failure(&self, url: &str, count: usize) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        *failures.entry(host(url)).or_default() += count;
    }

    /// Reports redirects to unencrypted addresses, and long chains of redirects.
    pub fn redirects(&self, reply: &Reply) -> Vec<Finding> {
        let hops = reply.hops.iter();
        let next = reply.hops.iter().skip(1).map(|hop| &hop.from).chain([&reply.url]);
        let mut steps = hops.map(|hop| &hop.from).zip(next);
        if steps.any(|(from, to)| from.scheme() == "https" && to.scheme() == "http") {
            return vec![reply.finding(Need::Redirect, "redirects to an unencrypted address")];
        }
        let max = if host(&reply.requested) == self.own { 1 } else { MAX_HOPS };
        let count = reply.hops.len();
        if count > max {
            let problem = format!("redirects {count} times before it answers");
            return vec![reply.finding(Need::Redirect, problem)];
        }
        Vec::new()
    }

    /// Reports requests that were not sent, because the time was up.
    pub fn unfinished(&self, url: &str) -> Option<Finding> {
        let skipped = self.skipped.load(Ordering::Relaxed);
        let minutes = self.limit.as_secs() / 60;
        let problem = format!(
            "was not checked completely: {skipped} requests were left after {minutes} minutes"
        );
        (skipped > 0).then(|| Finding::new(Need::Answer, url, problem))
    }
}

fn host(url: &str) -> String {
    let url = Url::parse(url).ok();
    url.and_then(|url| Some(url.host_str()?.to_owned())).unwrap_or_default()
}

impl Reply {
    fn of(url: &str, response: &FetchResponse) -> Self {
        let field = |name: &'static str| Some((name, response.header(name)?.to_owned()));
        Self {
            requested: url.to_owned(),
            status: response.status,
            url: response.url.clone(),
            hops: response.hops.clone(),
            fields: FIELDS.into_iter().filter_map(field).collect(),
            body: Vec::new(),
        }
    }

    /// Returns the value of one of [`FIELDS`].
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    /// Returns the media type in lower case, without its parameters.
    pub fn media_type(&self) -> String {
        let field = self.field("content-type").unwrap_or_default();
        field.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    pub fn length(&self) -> Option<u64> {
        self.field("content-length")?.trim().parse().ok()
    }

    /// Returns a finding about this response.
    pub fn finding(&self, need: Need, problem: impl Into<String>) -> Finding {
        let software = self.field("server").map(str::to_owned);
        Finding { software, ..Finding::new(need, &self.requested, problem) }
    }

    /// Returns the finding about a status other than the expected one.
    pub fn unexpected_status(&self) -> Finding {
        let what = match self.status {
            401..=403 => "refuses access",
            404 | 410 => "is missing",
            429 => "refuses so many requests",
            500..=599 => "has a server error",
            _ => "has an unexpected response",
        };
        self.finding(Need::Status, format!("{what} (status {})", self.status))
    }

    /// Returns the body without its compression.
    pub fn text(&self) -> Result<Vec<u8>, Vec<Finding>> {
        let failed = |problem: String| vec![self.finding(Need::Compression, problem)];
        match self.field("content-encoding").unwrap_or("identity") {
            "identity" => Ok(self.body.clone()),
            "gzip" | "x-gzip" => {
                let mut text = Vec::new();
                let read = MultiGzDecoder::new(&*self.body).take(MAX_TEXT).read_to_end(&mut text);
                match read {
                    Ok(_) => Ok(text),
                    Err(_) => Err(failed("is not valid gzip, although its headers say so".into())),
                }
            }
            other => Err(failed(format!("has the encoding {other:?}, which was not requested"))),
        }
    }

    /// Returns whether the body is compressed.
    pub fn is_compressed(&self) -> bool {
        self.field("content-encoding").is_some_and(|encoding| encoding != "identity")
    }
}
