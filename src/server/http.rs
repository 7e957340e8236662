//! Requests and responses as the rest of the server sees them; the only file that knows how warp
//! takes a request apart.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Buf, Bytes};
use futures_util::{Stream, StreamExt};
use percent_encoding::percent_decode_str;
use warp::Filter;
use warp::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use warp::http::{HeaderMap, HeaderValue, Method, StatusCode};
use warp::reply::Reply;

/// A response.
pub type Response = warp::reply::Response;

/// The bytes of a request as they arrive.
pub struct BodyStream(Option<Chunks>);

type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, warp::Error>> + Send>>;

/// Most bytes that are read though nobody wants them: 32 MiB.
const MOST_UNWANTED: usize = 32 * 1024 * 1024;

/// How long they are waited for.
const PATIENCE: Duration = Duration::from_secs(10);

impl BodyStream {
    /// The body of a request that has none.
    #[cfg(test)]
    pub fn empty() -> Self {
        Self(None)
    }
}

impl Stream for BodyStream {
    type Item = Result<Bytes, warp::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(chunks) = &mut self.0 else {
            return Poll::Ready(None);
        };
        let chunk = chunks.as_mut().poll_next(context);
        if let Poll::Ready(None | Some(Err(_))) = chunk {
            self.0 = None;
        }
        chunk
    }
}

/// An answer may come before the body was read. To close the connection then would cut a client off
/// that is still sending, and has not read the answer.
impl Drop for BodyStream {
    fn drop(&mut self) {
        let runtime = tokio::runtime::Handle::try_current();
        if let (Some(mut chunks), Ok(runtime)) = (self.0.take(), runtime) {
            runtime.spawn(tokio::time::timeout(PATIENCE, async move {
                let mut unwanted = 0;
                while let Some(Ok(chunk)) = chunks.next().await
                    && unwanted < MOST_UNWANTED
                {
                    unwanted += chunk.len();
                }
            }));
        }
    }
}

/// A request.
pub struct Request {
    /// Its method.
    pub method: Method,
    /// Its path, percent-encoded as it came.
    pub path: String,
    /// What stands after `?`, or nothing.
    pub query: String,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body, not read yet.
    pub body: BodyStream,
}

/// Takes every request.
pub fn request() -> impl Filter<Extract = (Request,), Error = warp::Rejection> + Clone {
    let query = warp::query::raw().or(warp::any().map(String::new)).unify();
    warp::method()
        .and(warp::path::full())
        .and(query)
        .and(warp::header::headers_cloned())
        .and(warp::body::stream())
        .map(
            |method, path: warp::path::FullPath, query, headers, body| Request {
                method,
                path: path.as_str().to_owned(),
                query,
                headers,
                body: chunks(body),
            },
        )
}

fn chunks(body: impl Stream<Item = Result<impl Buf, warp::Error>> + Send + 'static) -> BodyStream {
    BodyStream(Some(Box::pin(body.map(|chunk| {
        chunk.map(|mut chunk| chunk.copy_to_bytes(chunk.remaining()))
    }))))
}

impl Request {
    /// The path, percent-decoded; see [`decode_path`].
    pub fn decoded_path(&self) -> Option<String> {
        decode_path(&self.path)
    }

    /// Another address with the query of this request.
    pub fn with_query(&self, address: String) -> String {
        match self.query.as_str() {
            "" => address,
            query => format!("{address}?{query}"),
        }
    }

    /// A header's value, where there is one and it is readable text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// A path, percent-decoded. None where that is not UTF-8, or where decoding shows what no path of a
/// site has: a part `.` or `..`, an encoded slash or backslash, a zero byte.
pub fn decode_path(path: &str) -> Option<String> {
    let parts: Option<Vec<_>> = path
        .split('/')
        .map(|part| {
            let part = percent_decode_str(part).decode_utf8().ok()?;
            let safe = !matches!(part.as_ref(), "." | "..") && !part.contains(['/', '\\', '\0']);
            safe.then_some(part)
        })
        .collect();
    parts.map(|parts| parts.join("/"))
}

/// Why a body could not be read whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyError {
    /// It has more bytes than it may have.
    TooLarge,
    /// The client went away.
    Broken,
}

/// Reads a body of at most `limit` bytes.
pub async fn read_body(mut body: BodyStream, limit: usize) -> Result<Bytes, BodyError> {
    let mut whole = Vec::new();
    while let Some(chunk) = body.next().await {
        let chunk = chunk.map_err(|_| BodyError::Broken)?;
        if whole.len() + chunk.len() > limit {
            return Err(BodyError::TooLarge);
        }
        whole.extend_from_slice(&chunk);
    }
    Ok(whole.into())
}

/// A response of these bytes.
pub fn bytes(status: StatusCode, media_type: &str, body: impl Into<Bytes>) -> Response {
    let mut response = warp::http::Response::new(body.into()).into_response();
    *response.status_mut() = status;
    set(&mut response, CONTENT_TYPE, media_type);
    response
}

/// A response of a few words, for programs that should not have asked.
pub fn text(status: StatusCode, words: &str) -> Response {
    bytes(status, "text/plain; charset=utf-8", format!("{words}\n"))
}

/// JSON for whoever asked: no cache keeps it.
pub fn private_json(status: StatusCode, value: &serde_json::Value) -> Response {
    let mut response = bytes(status, "application/json", value.to_string());
    set(&mut response, CACHE_CONTROL, "private, no-store");
    response
}

/// Sets a header; a value that no header can have is left out.
pub fn set(response: &mut Response, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paths_are_decoded_once() {
        assert_eq!(decode_path("/i/caf%C3%A9/").as_deref(), Some("/i/café/"));
        assert_eq!(decode_path("/a%252e/").as_deref(), Some("/a%2e/"));
        for path in [
            "/%2e%2e/a",
            "/a/..",
            "/a%2fb",
            "/a%5cb",
            "/a\\b",
            "/%00",
            "/%ff",
        ] {
            assert_eq!(decode_path(path), None, "{path}");
        }
    }

    proptest! {
        #[test]
        fn no_decoded_path_leaves_its_folder(
            parts in prop::collection::vec(
                prop_oneof![Just("%2e"), Just("."), Just("%2F"), Just("%5c"), Just("/"), Just("a"), Just("%")],
                0..12,
            ),
        ) {
            let path = parts.concat();
            if let Some(decoded) = decode_path(&path) {
                prop_assert!(decoded.split('/').all(|part| part != "." && part != ".."));
                prop_assert!(!decoded.contains(['\\', '\0']));
                prop_assert_eq!(decoded.matches('/').count(), path.matches('/').count());
            }
        }
    }
}
