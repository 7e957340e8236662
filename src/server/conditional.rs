//! Conditional and byte-range requests (RFC 9110, sections 13 and 14): players seek in audio, and
//! browsers ask whether what they have is still right.

use std::time::SystemTime;

use headers::{ETag, HeaderMapExt, IfModifiedSince, IfNoneMatch, IfRange, LastModified, Range};
use warp::http::HeaderMap;

/// What tells one state of a representation from another.
#[derive(Debug, Clone)]
pub struct Validators {
    /// Its entity tag, strong.
    pub etag: ETag,
    /// When it last changed, where that is known.
    pub modified: Option<SystemTime>,
}

/// What a request is to be answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// All of it: 200.
    Whole,
    /// The client has it: 304.
    NotModified,
    /// The bytes from the first to before the second: 206.
    Part(u64, u64),
    /// No such bytes: 416.
    Unsatisfiable,
}

/// What to answer to a GET or HEAD with these headers, where the representation has `length` bytes.
pub fn answer(headers: &HeaderMap, validators: &Validators, length: u64) -> Answer {
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
    let Some(range) = headers.typed_get::<Range>() else {
        return Answer::Whole;
    };
    let last_modified = validators.modified.map(LastModified::from);
    if headers
        .typed_get::<IfRange>()
        .is_some_and(|held| held.is_modified(Some(&validators.etag), last_modified.as_ref()))
    {
        return Answer::Whole;
    }
    one_range(headers, &range, length)
}

/// One range is answered; several, which no player asks for, get the whole (RFC 9110, section 14.2
/// lets a server ignore them).
fn one_range(headers: &HeaderMap, range: &Range, length: u64) -> Answer {
    use std::ops::Bound;
    let several = headers
        .get("range")
        .is_some_and(|value| value.as_bytes().contains(&b','));
    if several {
        return Answer::Whole;
    }
    let Some((start, end)) = range.satisfiable_ranges(length).next() else {
        return Answer::Unsatisfiable;
    };
    let first = match start {
        Bound::Included(first) => first,
        Bound::Excluded(before) => before + 1,
        Bound::Unbounded => 0,
    };
    let after = match end {
        Bound::Included(last) => last.saturating_add(1),
        Bound::Excluded(after) => after,
        Bound::Unbounded => length,
    }
    .min(length);
    if first >= after {
        return Answer::Unsatisfiable;
    }
    Answer::Part(first, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(headers: &[(&'static str, &str)]) -> Answer {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        let validators = Validators {
            etag: "\"a\"".parse().unwrap(),
            modified: Some(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000)),
        };
        answer(&map, &validators, 1000)
    }

    #[test]
    fn a_client_that_has_it_is_told_so() {
        assert_eq!(ask(&[]), Answer::Whole);
        assert_eq!(ask(&[("if-none-match", "\"a\"")]), Answer::NotModified);
        assert_eq!(ask(&[("if-none-match", "W/\"a\"")]), Answer::NotModified);
        assert_eq!(
            ask(&[("if-none-match", "\"b\", \"a\"")]),
            Answer::NotModified
        );
        assert_eq!(ask(&[("if-none-match", "*")]), Answer::NotModified);
        assert_eq!(ask(&[("if-none-match", "\"b\"")]), Answer::Whole);
        let date = "Tue, 14 Nov 2023 22:13:20 GMT";
        assert_eq!(ask(&[("if-modified-since", date)]), Answer::NotModified);
        assert_eq!(
            ask(&[("if-none-match", "\"b\""), ("if-modified-since", date)]),
            Answer::Whole
        );
    }

    #[test]
    fn players_seek() {
        assert_eq!(ask(&[("range", "bytes=0-0")]), Answer::Part(0, 1));
        assert_eq!(ask(&[("range", "bytes=0-")]), Answer::Part(0, 1000));
        assert_eq!(ask(&[("range", "bytes=500-")]), Answer::Part(500, 1000));
        assert_eq!(ask(&[("range", "bytes=500-9999")]), Answer::Part(500, 1000));
        assert_eq!(ask(&[("range", "bytes=-100")]), Answer::Part(900, 1000));
        assert_eq!(ask(&[("range", "bytes=-5000")]), Answer::Part(0, 1000));
        assert_eq!(ask(&[("range", "bytes=1000-")]), Answer::Unsatisfiable);
        assert_eq!(ask(&[("range", "bytes=-0")]), Answer::Unsatisfiable);
        assert_eq!(ask(&[("range", "bytes=0-1,5-6")]), Answer::Whole);
        assert_eq!(ask(&[("range", "items=0-1")]), Answer::Whole);
        assert_eq!(
            ask(&[("range", "bytes=0-9"), ("if-range", "\"a\"")]),
            Answer::Part(0, 10)
        );
        assert_eq!(
            ask(&[("range", "bytes=0-9"), ("if-range", "\"b\"")]),
            Answer::Whole
        );
    }
}
