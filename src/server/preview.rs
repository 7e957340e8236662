//! The public paths: the document behind each, rendered from the newest moment.

use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use headers::{ETag, HeaderMapExt};
use warp::http::header::{
    ACCEPT_RANGES, ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, ETAG, LOCATION,
};
use warp::http::{Method, StatusCode};
use warp::reply::Reply;
use xxhash_rust::xxh3::xxh3_64;

use super::App;
use super::conditional::{self, Answer, Validators};
use super::http::{self, Request, Response, set};
use super::live::{Found, Moment};
use crate::model::url::encode_path;
use crate::render::{Body, Document, media_type};

/// Bytes of a medium in one chunk of a response.
const CHUNK: usize = 64 * 1024;

/// Answers a request for a public path.
pub async fn answer(app: Arc<App>, request: Request) -> Response {
    if !matches!(request.method, Method::GET | Method::HEAD) {
        let mut response = http::text(
            StatusCode::METHOD_NOT_ALLOWED,
            "public paths are read with GET",
        );
        set(&mut response, ALLOW, "GET, HEAD");
        return response;
    }
    let moment = app.live.now();
    let root = app.live.root().to_path_buf();
    tokio::task::spawn_blocking(move || respond(&root, &moment, &request))
        .await
        .unwrap_or_else(|_| {
            http::text(
                StatusCode::INTERNAL_SERVER_ERROR,
                "this page could not be rendered",
            )
        })
}

fn respond(root: &Path, moment: &Moment, request: &Request) -> Response {
    let Some(path) = request.decoded_path() else {
        return not_found(root, moment, request);
    };
    match moment.find(&path) {
        Some(Found::Document(document)) => {
            render(root, moment, request, document, &path, StatusCode::OK)
        }
        Some(Found::Redirect(to)) => moved(request, &encode_path(to)),
        // The same path as a folder is what the author most likely meant.
        None if !path.ends_with('/') && moment.find(&format!("{path}/")).is_some() => {
            moved(request, &format!("{}/", encode_path(&path)))
        }
        None => not_found(root, moment, request),
    }
}

fn moved(request: &Request, to: &str) -> Response {
    let mut response = http::text(StatusCode::MOVED_PERMANENTLY, "this page has moved");
    let query = match request.query.as_str() {
        "" => String::new(),
        query => format!("?{query}"),
    };
    set(&mut response, LOCATION, &format!("{to}{query}"));
    // A preview changes while it is watched; browsers keep a 301 for good.
    set(&mut response, CACHE_CONTROL, "no-store");
    response
}

fn not_found(root: &Path, moment: &Moment, request: &Request) -> Response {
    match moment.find("/404.html") {
        Some(Found::Document(document)) => render(
            root,
            moment,
            request,
            document,
            "/404.html",
            StatusCode::NOT_FOUND,
        ),
        _ => http::text(StatusCode::NOT_FOUND, "there is nothing at this address"),
    }
}

fn render(
    root: &Path,
    moment: &Moment,
    request: &Request,
    document: &Document,
    path: &str,
    status: StatusCode,
) -> Response {
    let site = &moment.site;
    let media_type = media_type(document, path, &site.snapshot);
    let renderer = site.renderer();
    let mut response = match renderer.render(document) {
        Ok(Body::Bytes(bytes)) => whole(request, status, bytes),
        Ok(Body::File(file)) => medium(request, &root.join(file)),
        Err(diagnostic) => http::text(StatusCode::INTERNAL_SERVER_ERROR, &format!("{diagnostic}")),
    };
    if response.status().is_success() || response.status() == status {
        set(&mut response, warp::http::header::CONTENT_TYPE, &media_type);
    }
    set(&mut response, CACHE_CONTROL, "no-cache");
    response
}

/// A rendered document.
fn whole(request: &Request, status: StatusCode, body: Vec<u8>) -> Response {
    let tag = format!("\"{:016x}\"", xxh3_64(&body));
    let Ok(etag) = tag.parse::<ETag>() else {
        return http::bytes(status, "", body);
    };
    let validators = Validators {
        etag,
        modified: None,
    };
    let length = body.len() as u64;
    let answer = match status {
        StatusCode::OK => conditional::answer(&request.headers, &validators, length),
        _ => Answer::Whole,
    };
    let mut response = partial(answer, status, length, |first, after| {
        let range = usize::try_from(first).unwrap_or(0)..usize::try_from(after).unwrap_or(0);
        let part = Bytes::from(body).slice(range);
        warp::http::Response::new(part).into_response()
    });
    set(&mut response, ETAG, &tag);
    response
}

/// A medium: its file, read as it is sent.
fn medium(request: &Request, file: &Path) -> Response {
    let opened = fs::File::open(file).and_then(|opened| Ok((opened.metadata()?, opened)));
    let Ok((facts, mut opened)) = opened else {
        return http::text(StatusCode::NOT_FOUND, "this file is gone");
    };
    let modified = facts.modified().ok();
    let nanoseconds = modified
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
        .map_or(0, |since| since.as_nanos());
    let tag = format!("\"{:x}-{nanoseconds:x}\"", facts.len());
    let Ok(etag) = tag.parse::<ETag>() else {
        return http::text(StatusCode::NOT_FOUND, "this file cannot be read");
    };
    let validators = Validators { etag, modified };
    let answer = conditional::answer(&request.headers, &validators, facts.len());
    let mut response = partial(answer, StatusCode::OK, facts.len(), |first, after| {
        if request.method == Method::HEAD || opened.seek(SeekFrom::Start(first)).is_err() {
            return warp::http::Response::new(Bytes::new()).into_response();
        }
        stream(opened, after - first)
    });
    set(&mut response, ETAG, &tag);
    if let Some(modified) = modified {
        response
            .headers_mut()
            .typed_insert(headers::LastModified::from(modified));
    }
    response
}

/// The response to a conditional or byte-range request; `body` makes what stands from one byte to
/// before another.
fn partial(
    answer: Answer,
    status: StatusCode,
    length: u64,
    body: impl FnOnce(u64, u64) -> Response,
) -> Response {
    let mut response = match answer {
        Answer::Whole => {
            let mut response = body(0, length);
            *response.status_mut() = status;
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
            set(&mut response, CONTENT_LENGTH, &(after - first).to_string());
            let range = format!("bytes {first}-{}/{length}", after - 1);
            set(&mut response, CONTENT_RANGE, &range);
            response
        }
        Answer::Unsatisfiable => {
            let mut response = http::text(
                StatusCode::RANGE_NOT_SATISFIABLE,
                "the file has no such bytes",
            );
            set(&mut response, CONTENT_RANGE, &format!("bytes */{length}"));
            response
        }
    };
    set(&mut response, ACCEPT_RANGES, "bytes");
    response
}

/// `length` bytes of a file from where it stands, read a chunk ahead of the client.
fn stream(mut file: fs::File, length: u64) -> Response {
    let (sender, mut receiver) = tokio::sync::mpsc::channel::<Result<Bytes, std::io::Error>>(2);
    tokio::task::spawn_blocking(move || {
        let mut left = length;
        while left > 0 {
            let size = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
            let mut chunk = vec![0; size];
            let read = file.read_exact(&mut chunk).map(|()| Bytes::from(chunk));
            let failed = read.is_err();
            // A client that went away has all it wants.
            if sender.blocking_send(read).is_err() || failed {
                return;
            }
            left -= size as u64;
        }
    });
    let chunks = futures_util::stream::poll_fn(move |context| receiver.poll_recv(context));
    warp::reply::stream(chunks).into_response()
}
