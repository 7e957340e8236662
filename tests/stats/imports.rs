//! Logs that are imported again, that grew, that are packed, and that are not finished.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use feedwright::stats::{Imported, import};
use feedwright::tables::open_warehouse;
use flate2::Compression;
use flate2::write::GzEncoder;
use warehouse::{Control, Reason, Stop};

use super::{Audience, TestRequest, ask, audience, log};
use crate::support::small_site::tree;

const ONE: &str = "/media/one.mp3";

fn asks(count: i64) -> Vec<TestRequest> {
    (0..count).map(|at| ask(at, ONE).from(&format!("192.0.2.{at}"))).collect()
}

fn compress(text: &str) -> Vec<u8> {
    let mut gz = GzEncoder::new(Vec::new(), Compression::default());
    gz.write_all(text.as_bytes()).unwrap();
    gz.finish().unwrap()
}

fn count_new_and_duplicates(done: &Imported) -> (u64, u64) {
    (done.lines, done.known)
}

#[test]
fn a_renamed_or_grown_log_is_imported_once() {
    let audience = audience();
    let first = log(&asks(20));
    let grown = log(&asks(30));
    let import =
        |name: &str, bytes: &[u8]| count_new_and_duplicates(&audience.import(name, bytes).unwrap());
    assert_eq!(import("access.log", first.as_bytes()), (20, 0));
    assert_eq!(import("access.log", first.as_bytes()), (0, 20));
    assert_eq!(import("access.log.1", first.as_bytes()), (0, 20));
    assert_eq!(import("access.log.2.gz", &compress(&first)), (0, 20));
    assert_eq!(import("access.log", grown.as_bytes()), (10, 20));
    assert_eq!(import("access.log.1.gz", &compress(&grown)), (0, 30));
    assert_eq!(audience.downloads().len(), 30);
    // An older copy begins as no known log does, but for the one that it is.
    assert_eq!(import("other.log", log(&asks(30)[5..]).as_bytes()), (25, 0));
    assert_eq!(audience.downloads().len(), 30, "one listener, one day");
    assert_eq!(audience.requests().len(), 55);
    let grown: Vec<_> = audience.requests().into_iter().filter(|r| r.log == "access.log").collect();
    let mut lines: Vec<i64> = grown.iter().map(|request| request.line).collect();
    lines.sort_unstable();
    assert_eq!(lines, (1..=30).collect::<Vec<_>>());
}

#[test]
fn requests_in_the_same_second_are_all_counted() {
    let audience = audience();
    let same = [ask(0, ONE), ask(0, ONE), ask(0, ONE)];
    audience.import("a.log", log(&same)).unwrap();
    audience.import("b.log", log(&same[1..])).unwrap();
    assert_eq!(audience.requests().len(), 5);
    assert_eq!(audience.downloads().len(), 1);
}

#[test]
fn an_incomplete_last_line_is_imported_later() {
    let audience = audience();
    let whole = log(&asks(3));
    for cut in [whole.len() - 1, whole.len() - 30, whole.len() - 60] {
        let audience = super::audience();
        let done = audience.import("access.log", &whole[..cut]).unwrap();
        assert_eq!((done.lines, done.is_unfinished), (2, true), "{cut}");
        let done = audience.import("access.log", &whole).unwrap();
        assert_eq!((done.lines, done.known, done.is_unfinished), (1, 2, false));
        assert_eq!(audience.requests().len(), 3);
    }
    // A packed log is written no more, and standard input has an end.
    let done = audience.import("access.log.gz", compress(whole.trim_end())).unwrap();
    assert_eq!((done.lines, done.is_unfinished), (3, false));
    let done = super::audience().import("-", whole.trim_end()).unwrap();
    assert_eq!((done.lines, done.is_unfinished), (3, false));
}

#[test]
fn a_damaged_or_unknown_compression_imports_nothing() {
    let audience = audience();
    let mut gz = compress(&log(&asks(100)));
    gz.truncate(gz.len() / 2);
    let error = audience.import("half.gz", &gz).unwrap_err();
    assert_eq!(error.reason, Reason::Invalid);
    let error = audience.import("x.zst", b"\x28\xb5\x2f\xfd....").unwrap_err();
    assert!(error.message.contains("zstd"), "{error}");
    assert_eq!(audience.requests(), []);
    assert_eq!(
        count_new_and_duplicates(&audience.import("all.log", log(&asks(100))).unwrap()),
        (100, 0)
    );
}

/// A log whose reading ends the work.
struct FailingLog<'t> {
    text: &'t [u8],
    end: Box<dyn FnMut() -> io::Result<usize> + Send + 't>,
}

impl Read for FailingLog<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.text.read(buffer)? {
            0 => (self.end)(),
            read => Ok(read),
        }
    }
}

#[test]
fn a_cancelled_import_leaves_nothing() {
    let audience = audience();
    let text = log(&asks(100));
    let control = Control::default();
    let stop = control.clone();
    let endings: [Box<dyn FnMut() -> io::Result<usize> + Send>; 2] = [
        Box::new(|| Err(io::Error::other("the disk is gone"))),
        Box::new(move || {
            stop.stop(Stop::Cancelled);
            Ok(0)
        }),
    ];
    for end in endings {
        let text = text.as_bytes();
        let log = FailingLog { text, end };
        let ended = import(&audience.store, "access.log", log, None, &audience.episodes, &control);
        assert!(ended.is_err());
        assert_eq!(audience.requests(), []);
    }
    assert_eq!(count_new_and_duplicates(&audience.import("access.log", &text).unwrap()), (100, 0));
}

#[test]
fn no_ip_address_is_stored() {
    let audience = audience();
    let asks = [ask(0, ONE).from("198.51.100.77"), ask(1, ONE).from("2001:db8::4d")];
    audience.import("access.log", log(&asks)).unwrap();
    assert_eq!(audience.requests().len(), 2);
    drop(audience.store);
    for (path, bytes) in tree(&audience.site.path(".feedwright/warehouse")) {
        for address in ["198.51.100.77", "2001:db8::4d"] {
            let holds = bytes.windows(address.len()).any(|part| part == address.as_bytes());
            assert!(!holds, "{path} holds {address}");
        }
        for octets in [&[198, 51, 100, 77][..], &[0x20, 0x01, 0x0d, 0xb8]] {
            let holds = bytes.windows(octets.len()).any(|part| part == octets);
            assert!(!holds, "{path} holds {octets:?}");
        }
    }
}

#[test]
fn concurrent_imports_lose_no_log() {
    let audience = audience();
    std::thread::scope(|threads| {
        for number in 0..4 {
            let audience = &audience;
            threads.spawn(move || {
                let asks: Vec<TestRequest> =
                    asks(50).into_iter().map(|ask| ask.agent(&format!("App{number}"))).collect();
                audience.import(&format!("{number}.log"), log(&asks)).unwrap();
            });
        }
    });
    assert_eq!(audience.requests().len(), 200);
    assert_eq!(audience.downloads().len(), 200);
}

/// What SQL of the warehouse reads is described as it is.
#[test]
fn stored_requests_have_the_values_of_the_log() {
    let audience = audience();
    let asks = [
        TestRequest { request: "HEAD /media/one.mp3 HTTP/1.1".into(), ..ask(0, ONE).bytes(0) },
        TestRequest { request: "OPTIONS /media/one.mp3 HTTP/1.1".into(), ..ask(1, ONE) },
        ask(2, "/unknown.m4a?x=1").status(404).agent("-"),
    ];
    audience.import("logs/access.log", log(&asks)).unwrap();
    let mut told = audience.requests();
    told.sort_by_key(|request| request.time);
    assert_eq!(told[0].method, Some("HEAD"));
    assert_eq!((told[1].method, told[1].bytes), (None, Some(6_000_000)));
    assert_eq!((told[2].path.as_str(), told[2].status), ("/unknown.m4a", 404));
    assert_eq!(told[2].agent.as_deref(), Some(""));
    assert_ne!(told[1].listener, told[2].listener);
}

#[test]
fn a_missing_folder_is_created() {
    let audience = audience();
    std::fs::remove_dir_all(audience.site.path(".feedwright")).unwrap();
    let Audience { site, .. } = audience;
    let audience = Audience { store: open_warehouse(site.root()).unwrap(), ..Audience::of(site) };
    let path = audience.site.path("access.log");
    std::fs::write(&path, log(&asks(2))).unwrap();
    let done = audience.import_as(None, "access.log", File::open(Path::new(&path)).unwrap());
    assert_eq!(done.unwrap().kept, 2);
}
