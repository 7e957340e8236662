//! Tests of requests to servers that redirect, refuse, stall or send too much data.

#![allow(clippy::unwrap_used)]

mod certificates;
mod downloads;
mod server;

use std::time::{Duration, Instant};

use fetch::{Bounds, Client, Kind, Options, Reach, Request};
use server::{Server, response};

fn options() -> Options {
    Options {
        reach: Reach::Everywhere,
        timeout: Duration::from_millis(400),
        retry_delay: Duration::from_millis(10),
        ..Options::default()
    }
}

fn client() -> Client {
    Client::new(options())
}

#[test]
fn redirects_are_followed_and_permanent_ones_reported() {
    let server = Server::start(|request, _| match request.path() {
        "/old" => response("301 Moved Permanently", &[("location", "/new")], b""),
        "/new" => response("302 Found", &[("location", "now?x=1#y")], b""),
        "/now?x=1" => {
            response("200 OK", &[("content-type", "Text/HTML; charset=\"UTF-8\"")], b"here")
        }
        other => panic!("{other}"),
    });
    let got = client().get(&server.url("/old")).unwrap();
    assert_eq!(got.moved.as_ref().unwrap().path(), "/new");
    let hops: Vec<_> = got.hops.iter().map(|hop| (hop.status, hop.from.path())).collect();
    assert_eq!(hops, [(301, "/old"), (302, "/new")]);
    assert_eq!(got.url.path(), "/now");
    assert_eq!(got.media_type().unwrap(), "text/html");
    assert_eq!(got.charset().unwrap(), "UTF-8");
    assert_eq!(got.bytes(10).unwrap(), b"here");
}

#[test]
fn a_redirect_loop_is_an_error() {
    let server = Server::start(|request, _| {
        let to = if request.path() == "/a" { "/b" } else { "/a" };
        response("302 Found", &[("location", to)], b"")
    });
    let fault = client().get(&server.url("/a")).unwrap_err();
    assert_eq!(fault.kind, Kind::Circle, "{fault}");
    let server =
        Server::start(|_, count| response("302 Found", &[("location", &format!("/{count}"))], b""));
    assert_eq!(client().get(&server.url("/")).unwrap_err().kind, Kind::Circle);
    assert!(server.count() < 30);
}

#[test]
fn local_network_addresses_are_blocked() {
    let server = Server::start(|_, _| response("200 OK", &[], b""));
    let guarded = Client::new(Options { reach: Reach::Internet, ..options() });
    let port = server.port();
    for host in [
        "127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0",
        "a.localhost",
    ] {
        let fault = guarded.get(&format!("http://{host}:{port}/")).unwrap_err();
        assert_eq!(fault.kind, Kind::Local, "{host}: {fault}");
    }
    // The hostname of this machine is recognized as local only when the client connects.
    let name = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    if !name.trim().is_empty() {
        let lookups = guarded.get(&format!("http://{}:{port}/", name.trim()));
        assert!(lookups.is_err());
    }
    assert_eq!(server.count(), 0);
}

#[test]
fn an_invalid_url_is_an_error() {
    for url in ["ftp://a.example/", "file:///etc/passwd", "x", "", "http://", "javascript:1"] {
        let fault = client().get(url).unwrap_err();
        assert_eq!(fault.kind, Kind::Address, "{url}: {fault}");
    }
}

#[test]
fn server_errors_are_retried_and_client_errors_are_not() {
    let server = Server::start(|_, count| match count {
        0 => response("503 Service Unavailable", &[("retry-after", "0")], b""),
        1 => response("500 Internal Server Error", &[], b""),
        _ => response("200 OK", &[], b"at last"),
    });
    assert_eq!(client().get(&server.url("/")).unwrap().bytes(100).unwrap(), b"at last");
    for (status, kind) in [("401 Unauthorized", 401), ("404 Not Found", 404)] {
        let server = Server::start(move |_, _| response(status, &[], b""));
        assert_eq!(client().get(&server.url("/")).unwrap_err().kind, Kind::Status(kind));
        assert_eq!(server.count(), 1);
    }
}

#[test]
fn a_stalled_server_times_out() {
    let begun = Instant::now();
    let server = Server::start_silent();
    let fault = Client::new(Options { retries: 0, ..options() }).get(&server).unwrap_err();
    assert_eq!(fault.kind, Kind::Stalled, "{fault}");
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_body_over_the_size_limit_is_an_error() {
    let server = Server::start(|_, _| response("200 OK", &[], &[b'x'; 5000]));
    let fault = client().get(&server.url("/")).unwrap().bytes(100).unwrap_err();
    assert_eq!(fault.kind, Kind::Large, "{fault}");
}

#[test]
fn credentials_are_not_sent_to_another_host() {
    let other = Server::start(|request, _| {
        assert!(!request.text.to_lowercase().contains("authorization"), "{}", request.text);
        assert!(!request.text.contains("X-Api-Key"), "{}", request.text);
        response("200 OK", &[], b"")
    });
    let there = other.url("/");
    let server = Server::start(move |request, _| {
        assert!(request.text.contains("Basic YWRhOnNlY3JldA=="), "{}", request.text);
        assert!(!request.text.contains("ada:secret"), "{}", request.text);
        response("302 Found", &[("location", &there)], b"")
    });
    let url = server.url("/feed").replace("//", "//ada:secret@");
    let request = Request { headers: &[("x-api-key", "k")], ..Request::get(&url) };
    client().send_checked(&request).unwrap();
    assert_eq!((server.count(), other.count()), (1, 1));
}

#[test]
fn a_host_gets_at_most_two_concurrent_requests() {
    let server = Server::start(|_, _| {
        std::thread::sleep(Duration::from_millis(50));
        response("200 OK", &[], b"")
    });
    let client = client();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| client.get(&server.url("/")).unwrap());
        }
    });
    assert_eq!(server.count(), 8);
    assert!(server.max_concurrent() <= 2, "{}", server.max_concurrent());
}

#[test]
fn rate_limit_reset_delays_only_a_429_response() {
    let server = Server::start(|request, _| {
        let later = (jiff::Timestamp::now().as_second() + 3600).to_string();
        let status = match request.path() {
            "/busy" => "429 Too Many Requests",
            _ => "500 Internal Server Error",
        };
        response(status, &[("x-ratelimit-reset", &later)], b"")
    });
    let lookups = |path: &str| {
        let url = server.url(path);
        client().send(&Request::get(&url)).unwrap().retry_after()
    };
    assert!(lookups("/busy").unwrap() > Duration::from_secs(3000));
    assert_eq!(lookups("/broken"), None);
}

/// Returns strict limits. The speed is checked every 200 ms.
fn tight_bounds() -> Bounds {
    Bounds {
        min_speed: 100,
        window: Duration::from_millis(200),
        response: Duration::from_millis(900),
        ..Bounds::default()
    }
}

#[test]
fn a_body_below_the_minimum_speed_is_aborted() {
    let client = Client::new(Options { bounds: tight_bounds(), ..options() });
    // The first body is too slow. The second body is fast enough but endless.
    for (bytes, retry_delay) in [(1, 100), (10, 10)] {
        let begun = Instant::now();
        let url = Server::start_slow(bytes, Duration::from_millis(retry_delay));
        let fault = client.get(&url).unwrap().bytes(1 << 30).unwrap_err();
        assert_eq!(fault.kind, Kind::Stalled, "{fault}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{fault}");
    }
}

#[test]
fn an_endless_download_is_aborted() {
    let folder = tempfile::tempdir().unwrap();
    let client = Client::new(Options {
        bounds: Bounds { max_download_bytes: 1_000_000, ..tight_bounds() },
        retries: 0,
        ..options()
    });
    let url = Server::start_slow(100_000, Duration::from_millis(1));
    let file = folder.path().join("a.mp3");
    let fault = client.download(&url, &file, &|_| ()).unwrap_err();
    assert_eq!(fault.kind, Kind::Large, "{fault}");
    assert!(std::fs::metadata(&file).unwrap().len() < 2_000_000);
    let url = Server::start_slow(1, Duration::from_millis(100));
    let fault = client.download(&url, &file, &|_| ()).unwrap_err();
    assert_eq!(fault.kind, Kind::Stalled, "{fault}");
}

#[test]
fn all_responses_share_a_total_size_limit() {
    let server = Server::start(|_, _| response("200 OK", &[], &[b'x'; 4000]));
    let client = Client::new(Options {
        bounds: Bounds { all_bytes: 10_000, ..Bounds::default() },
        ..options()
    });
    let get = || client.get(&server.url("/")).and_then(|response| response.bytes(1 << 20));
    assert!(get().is_ok() && get().is_ok());
    assert_eq!(get().unwrap_err().kind, Kind::Large);
}
