//! Tests of downloads from servers that interrupt the response, send the wrong range, or change the
//! file.

use std::cell::Cell;
use std::fs;

use fetch::{Client, Kind, Options};

use super::server::{Request, Server, response};
use super::{client, options};

const AUDIO: &[u8] = &[7; 300_000];

/// Returns the response of a server that supports ranges. The body is cut off after `whole` bytes.
fn range_response(request: &Request, tag: &str, body: &[u8], whole: usize) -> Vec<u8> {
    let wanted = request.header("range").and_then(|range| {
        let at: usize = range.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()?;
        (request.header("if-range") == Some(tag)).then_some(at)
    });
    let at = wanted.unwrap_or(0);
    let length = (body.len() - at).to_string();
    let range = format!("bytes {at}-{}/{}", body.len() - 1, body.len());
    let status = if wanted.is_some() { "206 Partial Content" } else { "200 OK" };
    let mut headers =
        vec![("etag", tag), ("content-length", &*length), ("content-type", "audio/mpeg")];
    if wanted.is_some() {
        headers.push(("content-range", &*range));
    }
    response(status, &headers, &body[at..body.len().min(at + whole)])
}

#[test]
fn an_interrupted_download_is_resumed() {
    let server = Server::start(|request, count| {
        if count > 0 {
            assert!(request.header("range").is_some(), "{}", request.text);
        }
        range_response(request, "\"v1\"", AUDIO, 120_000)
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.mp3");
    let seen = Cell::new(0);
    let done = client().download(&server.url("/a.mp3"), &file, &|now| seen.set(now)).unwrap();
    assert_eq!(fs::read(&file).unwrap(), AUDIO);
    assert_eq!((done.length, seen.get()), (300_000, 300_000));
    assert_eq!(done.media_type.as_deref(), Some("audio/mpeg"));
    assert_eq!(server.count(), 3);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn a_later_run_resumes_unless_the_file_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.mp3");
    let once = Client::new(Options { retries: 0, ..options() });
    let server = Server::start(|request, _| range_response(request, "\"v1\"", AUDIO, 50_000));
    let fault = once.download(&server.url("/"), &file, &|_| ()).unwrap_err();
    assert!(matches!(fault.kind, Kind::Stalled | Kind::Length), "{fault}");
    assert_eq!(fs::read(&file).unwrap().len(), 50_000);
    let server =
        Server::start(|request, _| range_response(request, "\"v2\"", &[9; 100_000], 1_000_000));
    once.download(&server.url("/"), &file, &|_| ()).unwrap();
    assert_eq!(fs::read(&file).unwrap(), [9; 100_000]);
}

#[test]
fn without_range_support_a_download_restarts() {
    let server = Server::start(|_, count| {
        let sent = if count == 0 { 1000 } else { AUDIO.len() };
        response("200 OK", &[("content-length", "300000")], &AUDIO[..sent])
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.mp3");
    client().download(&server.url("/"), &file, &|_| ()).unwrap();
    assert_eq!(fs::read(&file).unwrap(), AUDIO);
}

#[test]
fn a_wrong_content_range_is_rejected() {
    let server = Server::start(|request, count| match (count, request.header("range")) {
        (0, _) => range_response(request, "\"v1\"", AUDIO, 100),
        (_, Some(_)) => {
            response("206 Partial Content", &[("content-range", "bytes 0-9/300000")], &[1; 10])
        }
        (_, None) => range_response(request, "\"v1\"", AUDIO, 1_000_000),
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.mp3");
    client().download(&server.url("/"), &file, &|_| ()).unwrap();
    assert_eq!(fs::read(&file).unwrap(), AUDIO);
}

#[test]
fn a_missing_folder_causes_no_retry() {
    let server = Server::start(|request, _| range_response(request, "\"v1\"", AUDIO, 1_000_000));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("no/a.mp3");
    let fault = client().download(&server.url("/"), &file, &|_| ()).unwrap_err();
    assert_eq!(fault.kind, Kind::Disk, "{fault}");
    assert_eq!(server.count(), 1);
}
