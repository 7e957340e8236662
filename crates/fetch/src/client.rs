//! The client that sends requests.

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ureq::config::Config;
use ureq::http::{Request as Outgoing, uri::InvalidUri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body, Timeout};
use url::Url;

use crate::bounds::{Bounds, Spent};
use crate::certificate::Certificate;
use crate::fault::{Fault, Kind};
use crate::network::{GuardedResolver, Reach, SharedResolver};
use crate::permits::{HostPermits, Permit};
use crate::response::{FetchResponse, Hop};

/// Maximum number of redirects, as in browsers.
const MAX_REDIRECTS: usize = 20;

/// Settings of a client.
#[derive(Debug, Clone)]
pub struct Options {
    /// `User-Agent` header, usually the program's name and a link to information about the program.
    pub user_agent: String,
    /// Network addresses that the client is allowed to connect to.
    pub reach: Reach,
    /// Whether to follow a redirect that changes the method to GET (RFC 9110, section 15.4). If
    /// not, the redirect itself is returned as the response.
    pub becomes_get: bool,
    /// Maximum number of simultaneous requests per host. A request is counted until its response
    /// has been read or dropped.
    pub max_per_host: usize,
    /// Timeout for connecting, and for each read and write.
    pub timeout: Duration,
    /// Maximum time from the start of a request to the end of its response, including downloads
    /// into files.
    pub max_time: Option<Duration>,
    /// Limits on the time and size of responses.
    pub bounds: Bounds,
    /// Trusted certificates (DER). Empty means the public certificate authorities.
    pub roots: Vec<Vec<u8>>,
    /// Maximum number of redirects. If 0, a redirect itself is returned as the response.
    pub redirects: usize,
    /// Number of retries after a temporary failure.
    pub retries: usize,
    /// Delay before the first retry. The delay doubles with each further retry.
    pub retry_delay: Duration,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            user_agent: "feedwright".to_owned(),
            reach: Reach::Internet,
            becomes_get: true,
            max_per_host: 2,
            timeout: Duration::from_secs(30),
            max_time: None,
            bounds: Bounds::default(),
            roots: Vec::new(),
            redirects: MAX_REDIRECTS,
            retries: 3,
            retry_delay: Duration::from_secs(1),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// `GET`, `HEAD`, `POST` or another method.
    pub method: &'a str,
    pub url: &'a str,
    /// Header names and values. Secret headers such as `Authorization` are not sent after a
    /// redirect to another origin.
    pub headers: &'a [(&'a str, &'a str)],
    pub body: &'a [u8],
}

impl<'a> Request<'a> {
    /// Returns a GET request for a URL.
    pub fn get(url: &'a str) -> Self {
        Self { method: "GET", url, headers: &[], body: &[] }
    }
}

#[derive(Debug)]
pub struct Client {
    agent: Agent,
    resolver: SharedResolver,
    permits: Arc<HostPermits>,
    spent: Arc<Spent>,
    options: Options,
}

impl Client {
    /// Creates a client with these options.
    pub fn new(options: Options) -> Self {
        Self::with_resolver(options, DefaultResolver::default())
    }

    /// Creates a client that looks up host names with `resolver`.
    pub(crate) fn with_resolver(options: Options, resolver: impl Resolver) -> Self {
        let config = Config::builder()
            .http_status_as_error(false)
            .max_redirects(0)
            // No proxy, because the client could not check which address the proxy connects to.
            .proxy(None)
            .max_redirects_will_error(false)
            .allow_non_standard_methods(true)
            .user_agent(&options.user_agent)
            .accept("*/*")
            .accept_encoding("identity")
            .timeout_resolve(Some(options.timeout))
            .timeout_connect(Some(options.timeout))
            .timeout_recv_response(Some(options.timeout))
            .timeout_per_read(Some(options.timeout))
            .timeout_per_write(Some(options.timeout))
            .timeout_global(options.max_time)
            .tls_config(tls_config(&options.roots))
            .build();
        let resolver = GuardedResolver::new(options.reach.clone(), resolver);
        let resolver = SharedResolver(Arc::new(resolver));
        Self {
            agent: Agent::with_parts(config, DefaultConnector::default(), resolver.clone()),
            resolver,
            permits: Arc::default(),
            spent: Arc::default(),
            options,
        }
    }

    /// Requests a URL with GET.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no response, or if its status is not 2xx.
    pub fn get(&self, url: &str) -> Result<FetchResponse, Fault> {
        self.send_checked(&Request::get(url))
    }

    /// Sends a request and retries temporary failures. Returns only a response with a 2xx status.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no response, or if its status is not 2xx.
    pub fn send_checked(&self, request: &Request<'_>) -> Result<FetchResponse, Fault> {
        self.spent.check(&self.options.bounds, request.url)?;
        let begun = Instant::now();
        let lookups = self.send_unchecked(request);
        self.spent.add_time(begun.elapsed());
        let response = lookups?;
        match response.is_success() {
            true => Ok(response),
            false => Err(response.refusal()),
        }
    }

    /// Sends a request and retries temporary failures. The response can have any status.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no response.
    pub fn send_unchecked(&self, request: &Request<'_>) -> Result<FetchResponse, Fault> {
        let mut retry_delay = self.options.retry_delay;
        let mut retries_left = self.options.retries;
        loop {
            let sent = self.send(request);
            let (is_temporary, wait) = match &sent {
                Ok(response) => (response.is_temporary(), response.wait()),
                Err(fault) => (fault.is_temporary(), Duration::ZERO),
            };
            if !is_temporary || retries_left == 0 {
                return sent;
            }
            sleep(wait + retry_delay);
            retry_delay *= 2;
            retries_left -= 1;
        }
    }

    /// Repeats `attempt` while it fails temporarily, up to the number of retries.
    pub(crate) fn retry<T>(
        &self,
        mut attempt: impl FnMut() -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let mut retry_delay = self.options.retry_delay;
        for _ in 0..self.options.retries {
            match attempt() {
                Err(fault) if fault.is_temporary() => sleep(retry_delay),
                done => return done,
            }
            retry_delay *= 2;
        }
        attempt()
    }

    /// Returns the limits on the time and size of responses.
    pub(crate) fn bounds(&self) -> &Bounds {
        &self.options.bounds
    }

    /// Sends a request once and follows redirects. The response can have any status.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no response.
    pub fn send(&self, request: &Request<'_>) -> Result<FetchResponse, Fault> {
        let first = parse_url(request.url)?;
        let begun = Instant::now();
        let mut seen = vec![first.clone()];
        let (mut url, mut method, mut body) = (first.clone(), request.method, request.body);
        let (mut moved, mut hops) = (None, Vec::new());
        loop {
            let (response, permit) = self.send_to(&url, method, body, request.headers, &first)?;
            let status = response.status().as_u16();
            let becomes_get = status == 303 || (matches!(status, 301 | 302) && method == "POST");
            let is_followed = matches!(status, 301 | 302 | 303 | 307 | 308)
                && self.options.redirects > 0
                && (!becomes_get || self.options.becomes_get || matches!(method, "GET" | "HEAD"));
            let location = response.headers().get("location");
            let Some(location) = location.filter(|_| is_followed) else {
                let limits = (self.options.bounds.clone(), Arc::clone(&self.spent));
                return Ok(FetchResponse::new(response, (url, moved, hops), permit, limits));
            };
            let location = String::from_utf8_lossy(location.as_bytes());
            let next = url.join(&location).map_err(|error| {
                let message = format!(
                    "{url} redirects to {location:?}, which is not a valid address: {error}"
                );
                Fault::new(Kind::Address, message)
            })?;
            if seen.len() > self.options.redirects || (seen.contains(&next) && method == "GET") {
                let message =
                    format!("{first} redirects in a loop or too many times, through {next}");
                return Err(Fault::new(Kind::Circle, message));
            }
            if begun.elapsed() > self.options.bounds.response {
                return Err(Fault::timed_out(first.as_str(), begun.elapsed()));
            }
            // The first URL has moved permanently only if every redirect so far is permanent.
            if matches!(status, 301 | 308) && (seen.len() == 1 || moved.is_some()) {
                moved = Some(next.clone());
            } else if seen.len() == 1 {
                moved = None;
            }
            if becomes_get {
                (method, body) = (if method == "HEAD" { "HEAD" } else { "GET" }, &[]);
            }
            seen.push(next.clone());
            hops.push(Hop { status, from: url });
            url = parse_url(next.as_str())?;
        }
    }

    /// Connects to the host of an `https:` URL, and returns the host's certificate.
    ///
    /// # Errors
    ///
    /// Returns an error if the host cannot be reached, or if its certificate is invalid.
    pub fn certificate(&self, url: &str) -> Result<Certificate, Fault> {
        let url = parse_url(url)?;
        if !self.options.reach.allows(&url) {
            return Err(Fault::local_address(url.as_str()));
        }
        let fault = |error: ureq::Error| Fault::from_ureq(&error, url.as_str());
        let uri = url
            .as_str()
            .parse()
            .map_err(|error: InvalidUri| fault(ureq::http::Error::from(error).into()))?;
        let timeout = NextTimeout {
            after: self.options.timeout.into(),
            reason: Timeout::Resolve,
            per_read: None,
            per_write: None,
        };
        let addresses = self.resolver.resolve(&uri, self.agent.config(), timeout).map_err(fault)?;
        let host = url.host_str().unwrap_or_default();
        let (roots, timeout) = (&self.options.roots, self.options.timeout);
        Certificate::request(host, &addresses, roots, timeout).map_err(|error| fault(error.into()))
    }

    fn send_to(
        &self,
        url: &Url,
        method: &str,
        body: &[u8],
        headers: &[(&str, &str)],
        first: &Url,
    ) -> Result<(ureq::http::Response<Body>, Permit), Fault> {
        let host = url.host_str().unwrap_or_default();
        if !self.options.reach.allows(url) {
            return Err(Fault::local_address(url.as_str()));
        }
        let mut plain = url.clone();
        // The fragment is not sent. The user name and password are sent in a header.
        plain.set_fragment(None);
        let (user, password) = (plain.username().to_owned(), plain.password());
        let secret = (!user.is_empty())
            .then(|| STANDARD.encode(format!("{user}:{}", password.unwrap_or_default())));
        // Both calls always succeed for an HTTP URL.
        let _ = (plain.set_username(""), plain.set_password(None));
        let mut outgoing = Outgoing::builder().method(method).uri(plain.as_str());
        let is_same = url.origin() == first.origin();
        for (name, value) in headers.iter().filter(|(name, _)| is_same || !is_secret(name)) {
            outgoing = outgoing.header(*name, *value);
        }
        if let Some(secret) = secret {
            outgoing = outgoing.header("authorization", format!("Basic {secret}"));
        }
        let wrong = |error: ureq::http::Error| {
            Fault::new(Kind::Address, format!("{url} cannot be requested: {error}"))
        };
        let permit = self.permits.acquire(host, self.options.max_per_host);
        let sent = match body.is_empty() && method != "POST" && method != "PUT" {
            true => self.agent.run(outgoing.body(()).map_err(wrong)?),
            false => self.agent.run(outgoing.body(body).map_err(wrong)?),
        };
        let response = sent.map_err(|error| Fault::from_ureq(&error, plain.as_str()))?;
        Ok((response, permit))
    }
}

fn tls_config(roots: &[Vec<u8>]) -> TlsConfig {
    let own = roots.iter().map(|one| ureq::tls::Certificate::from_der(one).to_owned());
    let roots = match roots.is_empty() {
        true => RootCerts::WebPki,
        false => RootCerts::new_with_certs(&own.collect::<Vec<_>>()),
    };
    TlsConfig::builder().root_certs(roots).build()
}

fn is_secret(header: &str) -> bool {
    ["authorization", "cookie", "x-api-key"].iter().any(|name| header.eq_ignore_ascii_case(name))
}

fn parse_url(url: &str) -> Result<Url, Fault> {
    let parsed = Url::parse(url.trim());
    let why = match parsed {
        Ok(parsed) if matches!(parsed.scheme(), "http" | "https") => return Ok(parsed),
        Ok(parsed) => format!("it must start with http: or https:, not {}:", parsed.scheme()),
        Err(error) => error.to_string(),
    };
    Err(Fault::new(Kind::Address, format!("{url} is not a valid address: {why}")))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{IpAddr, SocketAddr, TcpListener};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use ureq::http::Uri;
    use ureq::unversioned::resolver::ResolvedSocketAddrs;
    use ureq::unversioned::transport::NextTimeout;

    use super::*;

    /// A resolver that answers each lookup with the next entry of a list, and repeats the last
    /// entry when the list is exhausted.
    #[derive(Debug)]
    struct Names {
        responses: Vec<Vec<IpAddr>>,
        lookups: AtomicUsize,
    }

    impl Resolver for Names {
        fn resolve(
            &self,
            uri: &Uri,
            _: &Config,
            _: NextTimeout,
        ) -> Result<ResolvedSocketAddrs, ureq::Error> {
            let at = self.lookups.fetch_add(1, Ordering::Relaxed);
            let mut found = self.empty();
            let port = uri.port_u16().unwrap_or(80);
            for address in &self.responses[at.min(self.responses.len() - 1)] {
                found.push(SocketAddr::new(*address, port));
            }
            Ok(found)
        }
    }

    /// Starts a local server that counts requests. It redirects each request to `to`, or answers
    /// with status 200 if `to` is empty.
    fn server(to: &'static str) -> (u16, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                counted.fetch_add(1, Ordering::Relaxed);
                let _ = stream.read(&mut [0; 4096]);
                let response = match to {
                    "" => "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                        .to_owned(),
                    to => format!(
                        "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    ),
                };
                let _ = stream.write_all(response.as_bytes());
            }
        });
        (port, count)
    }

    fn client(reach: Reach, responses: &[&[&str]]) -> Client {
        let responses =
            responses.iter().map(|one| one.iter().map(|ip| ip.parse().unwrap()).collect());
        let names = Names { responses: responses.collect(), lookups: AtomicUsize::new(0) };
        let options = Options {
            reach,
            retries: 0,
            timeout: std::time::Duration::from_millis(300),
            ..Options::default()
        };
        Client::with_resolver(options, names)
    }

    #[test]
    fn a_host_with_a_public_and_a_local_address_is_not_connected_to() {
        let (port, count) = server("");
        let url = format!("http://both.example:{port}/");
        let both: &[&[&str]] = &[&["93.184.216.34", "127.0.0.1"]];
        let other_order: &[&[&str]] = &[&["127.0.0.1", "93.184.216.34"]];
        for responses in [both, other_order, &[&["1.1.1.1", "64:ff9b::a9fe:a9fe"]]] {
            for reach in [Reach::Internet, Reach::named(&url)] {
                let fault = client(reach, responses).get(&url).unwrap_err();
                assert_eq!(fault.kind, Kind::Local, "{fault}");
            }
        }
        assert_eq!(count.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_host_that_becomes_local_between_two_lookups_is_not_connected_to() {
        let (port, count) = server("");
        let url = format!("http://rebinds.example:{port}/");
        for reach in [Reach::Internet, Reach::named(&url)] {
            // No server answers at the public address, so the first request fails.
            let client = client(reach, &[&["203.1.113.1"], &["127.0.0.1"]]);
            let _ = client.get(&url);
            assert_eq!(client.get(&url).unwrap_err().kind, Kind::Local);
        }
        assert_eq!(count.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_named_local_host_is_allowed_but_no_redirect_to_another() {
        let (port, count) = server("");
        let url = format!("http://nas.example:{port}/");
        let named = client(Reach::named(&url), &[&["127.0.0.1"]]);
        named.get(&url).unwrap();
        assert_eq!(count.load(Ordering::Relaxed), 1);
        for other in ["other.example", "127.0.0.2", "[::ffff:7f00:2]", "0x7f.0.0.3"] {
            let fault = named.get(&format!("http://{other}:{port}/")).unwrap_err();
            assert_eq!(fault.kind, Kind::Local, "{other}: {fault}");
        }
        let (port, first) = server("http://169.254.169.254/latest/meta-data/");
        let url = format!("http://nas.example:{port}/");
        let named = client(Reach::named(&url), &[&["127.0.0.1"]]);
        assert_eq!(named.get(&url).unwrap_err().kind, Kind::Local);
        assert_eq!(first.load(Ordering::Relaxed), 1);
    }
}
