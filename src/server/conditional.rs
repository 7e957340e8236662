//! Conditional and byte-range requests (RFC 9110, sections 13 and 14). Players seek in audio, and
//! browsers check whether their cached copy is current.

use std::time::SystemTime;

use headers::{ETag, HeaderMapExt, IfModifiedSince, IfNoneMatch, IfRange, LastModified};
use warp::http::header::RANGE;
use warp::http::{HeaderMap, Method};

/// The validators of a representation. They change whenever the representation changes.
#[derive(Debug, Clone)]
pub struct Validators {
    pub etag: ETag,
    /// The time of the last change, if known.
    pub modified: Option<SystemTime>,
}

/// The kind of response to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The complete representation: 200.
    Whole,
    /// No body, because the client's copy is current: 304.
    NotModified,
    /// The bytes from the first position up to, but not including, the second: 206.
    Part(u64, u64),
    /// An error, because the requested bytes do not exist: 416.
    Unsatisfiable,
}

/// Chooses the response to a request with these headers. `length` is the size of the representation
/// in bytes. Ranges apply only to GET requests (RFC 9110, section 14.2).
pub fn answer(
    method: &Method,
    headers: &HeaderMap,
    validators: &Validators,
    length: u64,
) -> Answer {
    if let Some(known) = headers.typed_get::<IfNoneMatch>() {
        if !known.precondition_passes(&validators.etag) {
            return Answer::NotModified;
        }
    } else if let (Some(since), Some(modified)) =
        (headers.typed_get::<IfModifiedSince>(), validators.modified)
        && !since.is_modified(modified)
    {
        return Answer::NotModified;
    }
    let range = headers.get(RANGE).filter(|_| method == Method::GET);
    let Some(range) = range.and_then(|value| value.to_str().ok()) else {
        return Answer::Whole;
    };
    let last_modified = validators.modified.map(LastModified::from);
    if headers
        .typed_get::<IfRange>()
        .is_some_and(|held| held.is_modified(Some(&validators.etag), last_modified.as_ref()))
    {
        return Answer::Whole;
    }
    match one_range(range) {
        Some((first, last)) => part(first, last, length),
        None => Answer::Whole,
    }
}

/// Parses a `Range` header with a single range, and returns the positions of its first and last
/// byte. Returns `None` for headers that a server may ignore (RFC 9110, section 14.2): malformed
/// values, units other than bytes, and multiple ranges, which players do not use.
fn one_range(range: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (unit, range) = range.split_once('=')?;
    let (first, last) = range.trim().split_once('-')?;
    let number = |digits: &str| match digits.trim() {
        "" => Some(None),
        // A number that is too large counts as a position after the end.
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(Some(digits.parse().unwrap_or(u64::MAX)))
        }
        _ => None,
    };
    let (first, last) = (number(first)?, number(last)?);
    let is_valid = match (first, last) {
        (Some(first), Some(last)) => first <= last,
        (None, None) => false,
        _ => true,
    };
    (unit.eq_ignore_ascii_case("bytes") && is_valid).then_some((first, last))
}

/// Limits a range to the bytes that exist (RFC 9110, section 14.1.2).
fn part(first: Option<u64>, last: Option<u64>, length: u64) -> Answer {
    let (first, after) = match (first, last) {
        (Some(first), last) => (first, last.map_or(length, |last| last.saturating_add(1))),
        (None, last) => (length.saturating_sub(last.unwrap_or(0)), length),
    };
    let after = after.min(length);
    if first < after { Answer::Part(first, after) } else { Answer::Unsatisfiable }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer_get(headers: &[(&'static str, &str)]) -> Answer {
        answer_to(&Method::GET, headers)
    }

    fn answer_to(method: &Method, headers: &[(&'static str, &str)]) -> Answer {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        let validators = Validators {
            etag: "\"a\"".parse().unwrap(),
            modified: Some(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000)),
        };
        answer(method, &map, &validators, 1000)
    }

    #[test]
    fn a_current_copy_gets_304() {
        assert_eq!(answer_get(&[]), Answer::Whole);
        assert_eq!(answer_get(&[("if-none-match", "\"a\"")]), Answer::NotModified);
        assert_eq!(answer_get(&[("if-none-match", "W/\"a\"")]), Answer::NotModified);
        assert_eq!(answer_get(&[("if-none-match", "\"b\", \"a\"")]), Answer::NotModified);
        assert_eq!(answer_get(&[("if-none-match", "*")]), Answer::NotModified);
        assert_eq!(answer_get(&[("if-none-match", "\"b\"")]), Answer::Whole);
        let date = "Tue, 14 Nov 2023 22:13:20 GMT";
        assert_eq!(answer_get(&[("if-modified-since", date)]), Answer::NotModified);
        assert_eq!(
            answer_get(&[("if-none-match", "\"b\""), ("if-modified-since", date)]),
            Answer::Whole
        );
    }

    #[test]
    fn a_head_request_ignores_ranges() {
        let range = [("range", "bytes=0-9")];
        assert_eq!(answer_to(&Method::HEAD, &range), Answer::Whole);
        let known = [("range", "bytes=0-9"), ("if-none-match", "\"a\"")];
        assert_eq!(answer_to(&Method::HEAD, &known), Answer::NotModified);
    }

    #[test]
    fn ranges_select_parts() {
        assert_eq!(answer_get(&[("range", "bytes=0-0")]), Answer::Part(0, 1));
        assert_eq!(answer_get(&[("range", "bytes=0-")]), Answer::Part(0, 1000));
        assert_eq!(answer_get(&[("range", "bytes=500-")]), Answer::Part(500, 1000));
        assert_eq!(answer_get(&[("range", "bytes=500-9999")]), Answer::Part(500, 1000));
        assert_eq!(answer_get(&[("range", "bytes=-100")]), Answer::Part(900, 1000));
        assert_eq!(answer_get(&[("range", "bytes=-5000")]), Answer::Part(0, 1000));
        assert_eq!(answer_get(&[("range", "bytes=1000-")]), Answer::Unsatisfiable);
        assert_eq!(answer_get(&[("range", "bytes=-0")]), Answer::Unsatisfiable);
        assert_eq!(answer_get(&[("range", "bytes=0-1,5-6")]), Answer::Whole);
        assert_eq!(answer_get(&[("range", "items=0-1")]), Answer::Whole);
        assert_eq!(answer_get(&[("range", "bytes=5-1")]), Answer::Whole);
        assert_eq!(answer_get(&[("range", "bytes=-")]), Answer::Whole);
        assert_eq!(answer_get(&[("range", "bytes=+1-2")]), Answer::Whole);
        let huge = "bytes=99999999999999999999999-";
        assert_eq!(answer_get(&[("range", huge)]), Answer::Unsatisfiable);
        assert_eq!(
            answer_get(&[("range", "bytes=0-9"), ("if-range", "\"a\"")]),
            Answer::Part(0, 10)
        );
        assert_eq!(answer_get(&[("range", "bytes=0-9"), ("if-range", "\"b\"")]), Answer::Whole);
    }
}
