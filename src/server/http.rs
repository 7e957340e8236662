//! Requests and responses as the rest of the server sees them. Only this file knows how warp
//! represents a request.

use std::net::IpAddr;

use bytes::Bytes;
use percent_encoding::percent_decode_str;
use warp::Filter;
use warp::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, HeaderName, X_CONTENT_TYPE_OPTIONS};
use warp::http::{HeaderMap, HeaderValue, Method, StatusCode, Version};
use warp::reply::Reply;

use super::body::Arrival;
pub use super::body::bind_to_body;
pub use super::body::{BodyError, BodyStream, read_body, read_body_reserving};
use super::refusal::Refusal;

pub type Response = warp::reply::Response;

pub struct Request {
    pub method: Method,
    /// The percent-encoded path, as received.
    pub path: String,
    /// The name of the show whose API is requested. The path is then relative to the show's path.
    pub show: Option<String>,
    /// The part after `?`, or empty.
    pub query: String,
    pub headers: HeaderMap,
    /// The body, which has not been read yet.
    pub body: BodyStream,
    /// The address of the client, if known.
    pub peer: Option<IpAddr>,
}

/// Validates the target of a request. A host in the target replaces the `Host` header (RFC 9112,
/// section 3.2.2).
pub fn admit<B>(request: &mut warp::http::Request<B>) -> Result<(), Refusal> {
    if request.method() == Method::CONNECT {
        let words = "this server is not a proxy";
        return Err(Refusal::new(StatusCode::NOT_IMPLEMENTED, words));
    }
    // `OPTIONS *` does not apply to a resource (RFC 9112, section 3.2.4).
    if !request.uri().path().starts_with('/') {
        let words = "the target of a request must be a path that begins with a slash";
        return Err(Refusal::new(StatusCode::BAD_REQUEST, words));
    }
    let authority = request.uri().authority().map(|authority| authority.as_str());
    let Some(authority) = authority.map(HeaderValue::from_str) else {
        return Ok(());
    };
    let hosts = request.headers().get_all(HOST).iter().count();
    let is_old = request.version() <= Version::HTTP_10;
    match (authority, hosts) {
        (Ok(host), 1) => {
            request.headers_mut().insert(HOST, host);
        }
        (Ok(host), 0) if is_old => {
            request.headers_mut().insert(HOST, host);
        }
        // The guard later refuses requests with no host or with several hosts.
        _ => {}
    }
    Ok(())
}

/// Builds the response to a request that was not admitted.
pub fn refused<B: From<String>>(refusal: Refusal) -> warp::http::Response<B> {
    let mut response = warp::http::Response::new(B::from(format!("{}\n", refusal.why)));
    *response.status_mut() = refusal.status;
    let media_type = HeaderValue::from_static("text/plain; charset=utf-8");
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, media_type);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

pub fn request() -> impl Filter<Extract = (Request,), Error = warp::Rejection> + Clone {
    let query = warp::query::raw().or(warp::any().map(String::new)).unify();
    warp::method()
        .and(warp::path::full())
        .and(query)
        .and(warp::header::headers_cloned())
        .and(warp::body::stream())
        .and(warp::ext::optional())
        .map(
            |method, path: warp::path::FullPath, query, headers, body, arrival: Option<Arrival>| {
                let arrival = arrival.unwrap_or_default();
                Request {
                    method,
                    path: path.as_str().to_owned(),
                    show: None,
                    query,
                    peer: arrival.peer,
                    body: BodyStream::new(&headers, body, arrival),
                    headers,
                }
            },
        )
}

impl Request {
    /// Returns the percent-decoded path; see [`decode_path`].
    pub fn decoded_path(&self) -> Option<String> {
        decode_path(&self.path)
    }

    /// Appends the query of this request to another address.
    pub fn with_query(&self, address: String) -> String {
        match self.query.as_str() {
            "" => address,
            query => format!("{address}?{query}"),
        }
    }

    /// Returns the value of a header, or `None` if the header is missing or contains characters
    /// other than visible ASCII.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// Percent-decodes a path. Returns `None` if the result is not UTF-8, or contains a part that is
/// not valid in a path of a site: `.` or `..`, an encoded slash or backslash, or a NUL byte.
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

pub fn bytes(status: StatusCode, media_type: &str, body: impl Into<Bytes>) -> Response {
    let mut response = warp::http::Response::new(body.into()).into_response();
    *response.status_mut() = status;
    set(&mut response, CONTENT_TYPE, media_type);
    response
}

/// Builds a short plain-text response.
pub fn text(status: StatusCode, words: &str) -> Response {
    bytes(status, "text/plain; charset=utf-8", format!("{words}\n"))
}

/// Builds a JSON response that must not be cached.
pub fn private_json(status: StatusCode, value: &serde_json::Value) -> Response {
    let mut response = bytes(status, "application/json", value.to_string());
    set(&mut response, CACHE_CONTROL, "private, no-store");
    response
}

/// Sets a header. A value that is not valid in a header is ignored.
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
        for path in ["/%2e%2e/a", "/a/..", "/a%2fb", "/a%5cb", "/a\\b", "/%00", "/%ff"] {
            assert_eq!(decode_path(path), None, "{path}");
        }
    }

    proptest! {
        #[test]
        fn decoded_paths_never_leave_their_folder(
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
