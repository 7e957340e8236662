//! Sends bytes from memory, or files of any size. The response is complete, partial, or empty if
//! the client's copy is current.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use headers::{ETag, HeaderMapExt, LastModified};
use warp::http::header::{ACCEPT_RANGES, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, ETAG};
use warp::http::{Method, StatusCode};
use warp::reply::Reply;
use xxhash_rust::xxh3::xxh3_64;

use super::conditional::{self, Answer, Validators};
use super::http::{self, Request, Response, set};
use model::PublishedRecording;
use recording_tags::Tagged;
use source::stamp::{FileFacts, touched};

/// Size of one chunk of a streamed file, in bytes.
const CHUNK: u64 = 64 * 1024;

/// The year 10000, in seconds since 1970. Later times do not fit in a header, because years have
/// four digits (RFC 9110, section 5.6.7). Times before 1970 are not sent either, because they come
/// from broken clocks.
const YEAR_10000: u64 = 253_402_300_800;

/// Sends bytes from memory.
pub fn bytes(
    request: &Request,
    status: StatusCode,
    media_type: &str,
    mut body: Vec<u8>,
) -> Response {
    // Release the unused capacity, which can be as large as the body. The memory stays in use until
    // the client has read the response.
    body.shrink_to_fit();
    let tag = format!("\"{:016x}\"", xxh3_64(&body));
    let Ok(etag) = tag.parse::<ETag>() else {
        return http::bytes(status, media_type, body);
    };
    let validators = Validators { etag, modified: None };
    let length = body.len() as u64;
    // Only a 200 response can be partial or unchanged (RFC 9110, section 13.2.1).
    let answer = match status {
        StatusCode::OK => {
            conditional::answer(&request.method, &request.headers, &validators, length)
        }
        _ => Answer::Whole,
    };
    let mut response = partial(answer, media_type, length, |first, after| {
        let range = usize::try_from(first).unwrap_or(0)..usize::try_from(after).unwrap_or(0);
        warp::http::Response::new(Bytes::from(body).slice(range)).into_response()
    });
    if answer == Answer::Whole {
        *response.status_mut() = status;
    }
    set(&mut response, ETAG, &tag);
    response
}

/// Sends a file of the site. The file is read gradually, as the client reads the response.
pub fn file(request: &Request, root: &Path, file: &Path, media_type: &str) -> Response {
    let Some((facts, opened)) = open(root, file) else {
        return gone();
    };
    let modified = facts.modified().ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.filter(|_| since.is_some_and(|since| since.as_secs() < YEAR_10000));
    let nanoseconds = since.map_or(0, |since| since.as_nanos());
    // The tag includes the status change time, because programs can restore an old modification
    // time but not an old status change time.
    let tag = format!("\"{:x}-{nanoseconds:x}-{:x}\"", facts.len(), touched(&facts));
    let Ok(etag) = tag.parse::<ETag>() else {
        return gone();
    };
    let mut response =
        answer(request, Validators { etag, modified }, media_type, facts.len(), opened);
    set(&mut response, ETAG, &tag);
    if let Some(modified) = modified {
        let modified = LastModified::from(modified);
        response.headers_mut().typed_insert(modified);
    }
    response
}

/// Sends a recording with tags. Its audio is read gradually from the author's file.
pub fn recording(
    request: &Request,
    root: &Path,
    recording: PublishedRecording,
    media_type: &str,
) -> Response {
    let opened = open(root, &recording.file);
    // If the file changed since the tags were made, the client must ask again.
    let opened = opened.filter(|(facts, _)| FileFacts::of(facts).version() == recording.version);
    let tag = format!("\"{:016x}\"", recording.fingerprint);
    let (Some((_, source)), Ok(etag)) = (opened, tag.parse::<ETag>()) else {
        return gone();
    };
    let length = recording.tagged.len();
    let reader = Tagged::reader(recording.tagged, source);
    let validators = Validators { etag, modified: None };
    let mut response = answer(request, validators, media_type, length, reader);
    set(&mut response, ETAG, &tag);
    response
}

fn gone() -> Response {
    http::text(StatusCode::NOT_FOUND, "this file no longer exists")
}

/// Opens a file of the site, which must still be inside the site: a symlink may have replaced it
/// since the site was read.
fn open(root: &Path, file: &Path) -> Option<(fs::Metadata, fs::File)> {
    let path = root.join(file);
    let inside = path.canonicalize().ok()?.starts_with(root.canonicalize().ok()?);
    let opened = fs::File::open(path).ok()?;
    let facts = opened.metadata().ok()?;
    (inside && facts.is_file()).then_some((facts, opened))
}

/// Answers a request for the content of a reader.
fn answer(
    request: &Request,
    validators: Validators,
    media_type: &str,
    length: u64,
    mut content: impl Read + Seek + Send + Sync + 'static,
) -> Response {
    let answer = conditional::answer(&request.method, &request.headers, &validators, length);
    partial(answer, media_type, length, |first, after| {
        if request.method == Method::HEAD || content.seek(SeekFrom::Start(first)).is_err() {
            return warp::http::Response::new(Bytes::new()).into_response();
        }
        stream(content, after - first)
    })
}

/// Builds the response to a conditional or byte-range request. `body` builds a response with a
/// range of bytes; its second argument is the position after the last byte.
fn partial(
    answer: Answer,
    media_type: &str,
    length: u64,
    body: impl FnOnce(u64, u64) -> Response,
) -> Response {
    let mut response = match answer {
        Answer::Whole => {
            let mut response = body(0, length);
            set(&mut response, CONTENT_TYPE, media_type);
            set(&mut response, CONTENT_LENGTH, &length.to_string());
            response
        }
        Answer::NotModified => {
            let mut response = warp::http::Response::new(Bytes::new()).into_response();
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response
        }
        Answer::Part(first, after) => {
            let mut response = body(first, after);
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            set(&mut response, CONTENT_TYPE, media_type);
            set(&mut response, CONTENT_LENGTH, &(after - first).to_string());
            let range = format!("bytes {first}-{}/{length}", after - 1);
            set(&mut response, CONTENT_RANGE, &range);
            response
        }
        Answer::Unsatisfiable => {
            let mut response = http::text(
                StatusCode::RANGE_NOT_SATISFIABLE,
                "the requested range is outside the file",
            );
            set(&mut response, CONTENT_RANGE, &format!("bytes */{length}"));
            response
        }
    };
    set(&mut response, ACCEPT_RANGES, "bytes");
    response
}

/// Streams `length` bytes from the current position. Each chunk is read only after the client has
/// read the previous one, so a client that stops reading occupies no memory.
fn stream(content: impl Read + Send + Sync + 'static, length: u64) -> Response {
    let start = Some((content, length)).filter(|_| length > 0);
    let chunks = futures_util::stream::unfold(start, |rest| async move {
        let (mut content, left) = rest?;
        let size = left.min(CHUNK);
        let read = tokio::task::spawn_blocking(move || {
            let mut chunk = vec![0; usize::try_from(size).unwrap_or_default()];
            content.read_exact(&mut chunk).map(|()| (chunk, content))
        });
        match read.await.map_err(io::Error::other).and_then(|read| read) {
            Ok((chunk, content)) => {
                let rest = Some((content, left - size)).filter(|(_, left)| *left > 0);
                Some((Ok(Bytes::from(chunk)), rest))
            }
            // The file became shorter. Only an aborted response shows the client that bytes are
            // missing.
            Err(error) => Some((Err(error), None)),
        }
    });
    warp::reply::stream(chunks).into_response()
}
