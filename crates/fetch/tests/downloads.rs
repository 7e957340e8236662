//! Downloads from servers that break off, send the wrong range, or change the file.

use std::cell::Cell;
use std::fs;

use fetch::{Client, Kind, Options};

use super::server::{Request, Server, response};
use super::{client, options};

const SOUND: &[u8] = &[7; 300_000];

/// Returns a response of a server that supports ranges. The body breaks off after `whole` bytes.
fn part(request: &Request, tag: &str, body: &[u8], whole: usize) -> Vec<u8> {
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
fn what_broke_off_goes_on_where_it_stopped() {
    let server = Server::start(|request, count| {
        if count > 0 {
            assert!(request.header("range").is_some(), "{}", request.text);
        }
        part(request, "\"v1\"", SOUND, 120_000)
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.mp3");
    let seen = Cell::new(0);
    let done = client().download(&server.url("/a.mp3"), &file, &|now| seen.set(now)).unwrap();
    assert_eq!(fs::read(&file).unwrap(), SOUND);
    assert_eq!((done.length, seen.get()), (300_000, 300_000));
    assert_eq!(done.media_type.as_deref(), Some("audio/mpeg"));
    assert_eq!(server.count(), 3);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn another_run_goes_on_and_a_file_that_changed_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.mp3");
    let once = Client::new(Options { retries: 0, ..options() });
    let server = Server::start(|request, _| part(request, "\"v1\"", SOUND, 50_000));
    let fault = once.download(&server.url("/"), &file, &|_| ()).unwrap_err();
    assert!(matches!(fault.kind, Kind::Stalled | Kind::Length), "{fault}");
    assert_eq!(fs::read(&file).unwrap().len(), 50_000);
    let server = Server::start(|request, _| part(request, "\"v2\"", &[9; 100_000], 1_000_000));
    once.download(&server.url("/"), &file, &|_| ()).unwrap();
    assert_eq!(fs::read(&file).unwrap(), [9; 100_000]);
}

#[test]
fn a_server_without_parts_sends_all_again() {
    let server = Server::start(|_, count| {
        let sent = if count == 0 { 1000 } else { SOUND.len() };
        response("200 OK", &[("content-length", "300000")], &SOUND[..sent])
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.mp3");
    client().download(&server.url("/"), &file, &|_| ()).unwrap();
    assert_eq!(fs::read(&file).unwrap(), SOUND);
}

#[test]
fn a_server_that_gives_another_part_is_not_believed() {
    let server = Server::start(|request, count| match (count, request.header("range")) {
        (0, _) => part(request, "\"v1\"", SOUND, 100),
        (_, Some(_)) => {
            response("206 Partial Content", &[("content-range", "bytes 0-9/300000")], &[1; 10])
        }
        (_, None) => part(request, "\"v1\"", SOUND, 1_000_000),
    });
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.mp3");
    client().download(&server.url("/"), &file, &|_| ()).unwrap();
    assert_eq!(fs::read(&file).unwrap(), SOUND);
}

#[test]
fn a_folder_that_is_not_there_is_no_reason_to_ask_again() {
    let server = Server::start(|request, _| part(request, "\"v1\"", SOUND, 1_000_000));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("no/a.mp3");
    let fault = client().download(&server.url("/"), &file, &|_| ()).unwrap_err();
    assert_eq!(fault.kind, Kind::Disk, "{fault}");
    assert_eq!(server.count(), 1);
}
