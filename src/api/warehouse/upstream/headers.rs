//! Selects the headers to forward to the service and to return to the client.

use std::sync::LazyLock;

use ureq::http::header::{
    CONNECTION, CONTENT_LENGTH, COOKIE, EXPECT, HOST, HeaderName, LOCATION, ORIGIN,
    PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, REFERER, SET_COOKIE, STRICT_TRANSPORT_SECURITY, TE,
    TRAILER, TRANSFER_ENCODING, UPGRADE, VIA,
};
use ureq::http::{HeaderMap, HeaderValue};

use super::route::Route;
use server::http::Request;

/// Headers that apply only to one connection, and are never forwarded (RFC 9110, section 7.6.1).
const CONNECTION_HEADERS: [HeaderName; 9] = [
    CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// Headers that are meant only for this server.
const LOCAL_HEADERS: [HeaderName; 5] = [HOST, EXPECT, COOKIE, ORIGIN, REFERER];

/// Headers in the service's answers that a browser would apply to this server.
const SERVICE_HEADERS: [HeaderName; 3] =
    [SET_COOKIE, STRICT_TRANSPORT_SECURITY, HeaderName::from_static("alt-svc")];

/// Returns whether a request has a body. A body without a `Content-Length` counts even if it is
/// empty.
pub fn has_body(request: &Request) -> bool {
    let is_long = request.header(CONTENT_LENGTH.as_str()).map(|text| text != "0");
    is_long.unwrap_or(request.headers.contains_key(TRANSFER_ENCODING))
}

/// Returns the headers to forward with a request. Adds the name of this server to `Via`.
pub fn forwarded_headers(headers: &HeaderMap) -> HeaderMap {
    let mut forwarded = without(headers, &LOCAL_HEADERS);
    if let Ok(via) = HeaderValue::try_from(format!("1.1 {}", *NAME)) {
        forwarded.append(VIA, via);
    }
    forwarded
}

/// Returns whether this server has already forwarded the request (RFC 9110, section 7.6.3).
pub fn is_forwarded_by_self(headers: &HeaderMap) -> bool {
    let through = headers.get_all(VIA).iter();
    through.filter_map(|via| via.to_str().ok()).any(|via| via.contains(NAME.as_str()))
}

/// The name of this server in `Via`. Each process has a different name, because one server can
/// forward calls to another.
static NAME: LazyLock<String> = LazyLock::new(|| {
    let mut random = [0; 8];
    // The error is ignored, because a system without random numbers cannot create keys either.
    let _ = getrandom::fill(&mut random);
    format!("feedwright-{:016x}", u64::from_ne_bytes(random))
});

/// Returns the headers to send to the client with an answer. Replaces an upload address at the
/// service with an address at this server.
pub fn returned_headers(headers: &HeaderMap, route: &Route, host: Option<&str>) -> HeaderMap {
    let mut forwarded = without(headers, &SERVICE_HEADERS);
    let location = forwarded.get(LOCATION).and_then(|value| value.to_str().ok());
    let here = location.zip(host).and_then(|(location, host)| route.local_location(location, host));
    if let Some(Ok(here)) = here.map(HeaderValue::try_from) {
        forwarded.insert(LOCATION, here);
    }
    forwarded
}

fn without(headers: &HeaderMap, names: &[HeaderName]) -> HeaderMap {
    let mut forwarded = headers.clone();
    let listed = headers.get_all(CONNECTION).iter();
    for name in listed.filter_map(|value| value.to_str().ok()) {
        for name in name.split(',') {
            forwarded.remove(name.trim());
        }
    }
    for name in names.iter().chain(&CONNECTION_HEADERS) {
        forwarded.remove(name);
    }
    forwarded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(all: &[(&'static str, &'static str)]) -> HeaderMap {
        let all = all
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        all.collect()
    }

    #[test]
    fn connection_headers_are_not_forwarded() {
        let sent = headers(&[
            ("host", "localhost"),
            ("connection", "close, X-Hop"),
            ("x-hop", "1"),
            ("te", "trailers"),
            ("cookie", "a=b"),
            ("authorization", "Bearer token"),
            ("content-type", "application/json"),
        ]);
        let forwarded = forwarded_headers(&sent);
        let names: Vec<&str> = forwarded.keys().map(HeaderName::as_str).collect();
        assert_eq!(names.len(), 3, "{names:?}");
        assert!(is_forwarded_by_self(&forwarded) && !is_forwarded_by_self(&sent));
        assert_eq!(forwarded["authorization"], "Bearer token");
    }
}
