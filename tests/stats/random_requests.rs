//! Whatever the requests, what is counted is what a slow and simple model of the rules counts.

use proptest::prelude::*;
use proptest::sample::select;

use super::{MINUTE, OVERCAST, TestRequest, ask, audience};
use feedwright::stats::log::{Format, Parser};

const DAY: i64 = 86_400;

#[derive(Debug, Clone)]
struct Request {
    listener: u8,
    file: usize,
    at: i64,
    bytes: u64,
    status: u16,
    is_bot: bool,
}

/// Path, item and bytes of a minute.
const FILES: [(&str, &str, u64); 4] = [
    ("/media/one.mp3", "one", MINUTE),
    ("/one.opus", "one", 300_000),
    ("/old/one.mp3", "one", MINUTE),
    ("/two%20b.mp3", "two", 480_000),
];

fn requests() -> impl Strategy<Value = Vec<Request>> {
    // Near the ends of windows, where it matters.
    let at = (0..12i64, -2..3i64).prop_map(|(quarter, near)| (quarter * DAY / 4 + near).max(0));
    let request = (
        0..2u8,
        0..FILES.len(),
        at,
        select(vec![0, 1, 2, 150_000, 200_000, 299_999, 300_000, MINUTE / 2, MINUTE, 6_000_000]),
        select(vec![200, 206, 206, 206, 304, 404]),
        prop::bool::weighted(0.1),
    );
    let request = request.prop_map(|(listener, file, at, bytes, status, is_bot)| Request {
        listener,
        file,
        at,
        bytes,
        status,
        is_bot,
    });
    prop::collection::vec(request, 0..40)
}

impl Request {
    fn ask(&self) -> TestRequest {
        ask(self.at, FILES[self.file].0)
            .from(&format!("192.0.2.{}", self.listener))
            .status(self.status)
            .bytes(self.bytes)
            .agent(if self.is_bot { "AnyBot/1.0" } else { OVERCAST })
    }

    fn item(&self) -> &'static str {
        FILES[self.file].1
    }
}

/// Each request is looked at with all before it.
fn expected_downloads(requests: &[Request]) -> Vec<(String, i64)> {
    let mut sorted: Vec<&Request> = requests
        .iter()
        .filter(|request| matches!(request.status, 200 | 206) && !request.is_bot)
        .collect();
    sorted.sort_by_key(|request| request.at);
    let mut counted: Vec<&Request> = Vec::new();
    for (place, request) in sorted.iter().enumerate() {
        let same = |other: &&&Request| {
            other.listener == request.listener && other.item() == request.item()
        };
        let last = counted.iter().rev().find(same).map(|last| last.at);
        let begins = last.map_or(i64::MIN, |last| last + DAY);
        if request.at < begins {
            continue;
        }
        let sum: u64 = sorted[..=place]
            .iter()
            .filter(same)
            .filter(|other| {
                other.file == request.file && other.at >= begins && other.at > request.at - DAY
            })
            .map(|other| other.bytes)
            .sum();
        if sum >= FILES[request.file].2 {
            counted.push(request);
        }
    }
    let told = counted.iter().map(|request| (request.item().to_owned(), request.at));
    let mut told: Vec<_> = told.collect();
    told.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
    told
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn counting_matches_the_model(requests in requests(), cut in 0..40usize) {
        let lines: Vec<String> = requests.iter().map(|request| request.ask().line()).collect();
        let audience = audience();
        let (first, second) = lines.split_at(cut.min(lines.len()));
        audience.import("first.log", first.concat()).unwrap();
        audience.import("second.log", second.concat()).unwrap();
        let told: Vec<_> = audience.downloads().into_iter().map(|told| (told.item, told.at)).collect();
        prop_assert_eq!(told, expected_downloads(&requests));
    }
}

proptest! {
    #[test]
    fn no_line_causes_a_panic(line in ".{0,200}", bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for text in [line.as_str(), &String::from_utf8_lossy(&bytes)] {
            for format in [Format::Combined, Format::Json, Format::Extended] {
                let mut parser = Parser::new(format);
                let _ = parser.parse("#Fields: time c-ip cs(User-Agent) cs-uri-stem");
                let _ = parser.parse(text);
            }
        }
    }

    #[test]
    fn no_partial_line_causes_a_panic(
        part in "[ -~]{0,40}",
        time in "[0-9A-Za-z/:+ -]{0,30}",
        request in "[ -~ü]{0,40}",
        agent in "[ -~ü\\\\\"]{0,40}",
    ) {
        let line = format!("{part} - - [{time}] \"{request}\" {part} {part} \"-\" \"{agent}\"");
        let _ = Parser::new(Format::Combined).parse(&line);
        let line = format!("192.0.2.1 - - [01/Nov/2026:00:00:00 +0000] \"GET /{request} HTTP/1.1\" 200 5 \"-\" \"{agent}\"");
        let _ = Parser::new(Format::Combined).parse(&line);
        let json = serde_json::json!({ "time": time, "ip": part, "request": request, "status": part, "bytes": time, "agent": agent });
        let _ = Parser::new(Format::Json).parse(&json.to_string());
    }
}
