//! The HTTP client for a bucket. It uses the program's blocking HTTP library on separate threads.
//!
//! The crate `fetch` is not suitable here: object_store retries requests itself, and the signature
//! of a request is valid for only one address. The client follows no redirects, so it connects only
//! to the endpoint that the author specified.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use object_store::path::Path;
use ureq::Agent;
use ureq::http::{Method, Response};

use super::listing::Listing;

/// Maximum size of a response in bytes. The largest response is the deploy record of a site.
const MAX_RESPONSE: u64 = 256 * 1024 * 1024;

/// Maximum size of one part of a listing, in bytes: 1,000 keys of 1 KiB, each escaped.
const MAX_LISTING_PART: u64 = 16 * 1024 * 1024;

/// Maximum time for the body of a response.
const BODY_TIMEOUT: Duration = Duration::from_mins(15);

/// Maximum time during which no byte is sent or received. The total time for sending a body is
/// unlimited, because connections may be slow.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(120);

#[derive(Debug)]
pub struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(Client { agent: agent(IDLE_TIMEOUT), listing: Arc::default() }))
    }
}

fn agent(patience: Duration) -> Agent {
    Agent::config_builder()
        .user_agent(concat!("feedwright/", env!("CARGO_PKG_VERSION")))
        .http_status_as_error(false)
        // A signature is valid for only one address.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(Duration::from_secs(15)))
        .timeout_per_read(Some(patience))
        .timeout_per_write(Some(patience))
        .timeout_recv_response(Some(patience))
        .timeout_recv_body(Some(BODY_TIMEOUT))
        .build()
        .new_agent()
}

#[derive(Debug)]
struct Client {
    agent: Agent,
    /// The listing that is being read. Only one listing is read at a time.
    listing: Arc<Mutex<Listing>>,
}

#[async_trait]
impl HttpService for Client {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let (agent, listing) = (self.agent.clone(), Arc::clone(&self.listing));
        let query = parts.uri.query().unwrap_or_default();
        let is_list = query.contains("list-type=2");
        let is_first = is_list && !query.contains("continuation-token=");
        let sent = tokio::task::spawn_blocking(move || {
            let has_body = matches!(parts.method, Method::PUT | Method::POST);
            let mut answer = if has_body {
                agent.run(ureq::http::Request::from_parts(parts, body.as_ref()))
            } else {
                agent.run(ureq::http::Request::from_parts(parts, ()))
            }?;
            let bytes = answer
                .body_mut()
                .with_config()
                .limit(if is_list { MAX_LISTING_PART } else { MAX_RESPONSE })
                .read_to_vec()?;
            let bytes = match String::from_utf8(bytes) {
                Ok(text) if is_list => {
                    let mut listing = listing.lock().unwrap_or_else(PoisonError::into_inner);
                    if is_first {
                        *listing = Listing::default();
                    }
                    if answer.status().is_success() {
                        listing.add(&text).map_err(ureq::Error::Other)?;
                    }
                    without_invalid_keys(&text).into_bytes()
                }
                Ok(text) => text.into_bytes(),
                Err(error) => error.into_bytes(),
            };
            Ok((answer.into_parts().0, bytes))
        });
        let sent = sent.await.map_err(|error| HttpError::new(HttpErrorKind::Unknown, error))?;
        let (parts, bytes) =
            sent.map_err(|error: ureq::Error| HttpError::new(kind(&error), error))?;
        Ok(Response::from_parts(parts, HttpResponseBody::from(bytes)))
    }
}

/// Removes objects whose keys are not valid paths, such as `a//b`, from a listing. No deploy
/// creates such objects, but a single one would make the whole listing fail.
fn without_invalid_keys(list: &str) -> String {
    let mut filtered = String::with_capacity(list.len());
    let mut rest = list;
    while let Some((before, after)) = rest.split_once("<Contents>")
        && let Some((object, after)) = after.split_once("</Contents>")
    {
        filtered.push_str(before);
        if is_path(object) {
            filtered.extend(["<Contents>", object, "</Contents>"]);
        }
        rest = after;
    }
    filtered + rest
}

fn is_path(object: &str) -> bool {
    let key = object.split_once("<Key>");
    let key = key.and_then(|(_, rest)| Some(rest.split_once("</Key>")?.0));
    let key = key.and_then(|key| quick_xml::escape::unescape(key).ok());
    key.is_some_and(|key| Path::parse(&*key).is_ok_and(|path| path.as_ref() == key))
}

/// Returns the kind of an error. object_store retries requests after some kinds of errors.
fn kind(error: &ureq::Error) -> HttpErrorKind {
    match error {
        ureq::Error::ConnectionFailed | ureq::Error::HostNotFound => HttpErrorKind::Connect,
        ureq::Error::Timeout(_) => HttpErrorKind::Timeout,
        ureq::Error::Io(_) | ureq::Error::Protocol(_) => HttpErrorKind::Interrupted,
        _ => HttpErrorKind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    #[test]
    fn a_listing_with_invalid_keys_is_read() {
        let object = |key: &str| format!("<Contents><Key>{key}</Key><Size>1</Size></Contents>");
        let odd = ["a//b", "./a", "a/../b", "a&#x9;b", "a&#1;b", "folder/", "/a", "a&b"];
        let plain = [object("a b/ü.html"), object("a&amp;b")];
        let list = |objects: &str| format!("<List><KeyCount>2</KeyCount>{objects}<T>x</T></List>");
        let mixed = odd.map(object).concat() + &plain.concat();
        assert_eq!(without_invalid_keys(&list(&mixed)), list(&plain.concat()));
        assert_eq!(without_invalid_keys("<Contents><Key>a//b"), "<Contents><Key>a//b");
    }

    /// Sends 16 MiB to a server that sleeps before each of its first `waits` reads.
    fn send(patience: Duration, wait: Duration, waits: usize) -> Result<(), ureq::Error> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let body = vec![b'x'; 16 * 1024 * 1024];
        let length = body.len();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut part = vec![0; 3 * 1024 * 1024];
            let mut read = 0;
            for turn in 0.. {
                if turn < waits {
                    thread::sleep(wait);
                }
                match stream.read(&mut part).unwrap_or(0) {
                    0 => return,
                    more => read += more,
                }
                if read >= length {
                    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
                }
            }
        });
        agent(patience).put(&address).send(&body).map(drop)
    }

    #[test]
    fn a_slow_upload_continues_and_a_stalled_one_times_out() {
        let patience = Duration::from_secs(3);
        send(patience, Duration::from_millis(500), 8).unwrap();
        let stalled = send(patience, Duration::from_secs(30), 1).unwrap_err();
        assert!(matches!(stalled, ureq::Error::Timeout(_)), "{stalled}");
    }
}
