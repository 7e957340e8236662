//! Logs of many servers, each as it writes them, and lines that are no log.

use feedwright::stats::log::{Format, Line, Lines, Method, Parser};

use super::{Audience, START, ask, audience, log};

const AGENT: &str = "AppleCoreMedia/1.0.0.21F90 (iPhone; U; CPU OS 17_5_1 like Mac OS X; en_us)";

/// What every line of [`every_format_gives_the_same_request`] says.
const LINES: &[&str] = &[
    // Apache and nginx, combined.
    r#"192.0.2.1 - - [21/Nov/2026:07:10:00 +0000] "GET /media/one.mp3 HTTP/1.1" 206 65536 "https://example.com/" "AGENT""#,
    r#"192.0.2.1 - ada [21/Nov/2026:08:10:00 +0100] "GET /media/one.mp3 HTTP/2.0" 206 65536 "-" "AGENT" "-" rt=0.003 "203.0.113.9""#,
    r#"example.com:443 192.0.2.1 - - [21/Nov/2026:07:10:00 +0000] "GET /media/one.mp3 HTTP/1.1" 206 65536 "-" "AGENT""#,
    r#"192.0.2.1 - "[x]" [21/Nov/2026:07:10:00 +0000] "GET /media/one.mp3 HTTP/1.1" 206 65536 "a \"b\" \x22" "AGENT""#,
    // nginx with its usual names in JSON.
    r#"{"time_iso8601":"2026-11-21T07:10:00+00:00","remote_addr":"192.0.2.1","request_method":"GET","request_uri":"/media/one.mp3","status":"206","body_bytes_sent":"65536","http_referer":"","http_user_agent":"AGENT"}"#,
    r#"{"msec":"1795245000.000","remote_addr":"192.0.2.1","request":"GET /media/one.mp3 HTTP/1.1","status":206,"bytes_sent":66001,"body_bytes_sent":65536,"http_user_agent":"AGENT"}"#,
    // Caddy.
    r#"{"level":"info","ts":1795245000.0,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"10.0.0.1","client_ip":"192.0.2.1","proto":"HTTP/2.0","method":"GET","host":"example.com","uri":"/media/one.mp3","headers":{"User-Agent":["AGENT"],"Range":["bytes=0-65535"]}},"bytes_read":0,"duration":0.0042,"size":65536,"status":206}"#,
    // A CDN's log push, its time in each of its notations.
    r#"{"ClientIP":"192.0.2.1","ClientRequestHost":"example.com","ClientRequestMethod":"GET","ClientRequestURI":"/media/one.mp3","EdgeResponseBytes":65536,"EdgeResponseStatus":206,"EdgeStartTimestamp":"2026-11-21T07:10:00Z","ClientRequestUserAgent":"AGENT","RayID":"x"}"#,
    r#"{"ClientIP":"192.0.2.1","ClientRequestMethod":"GET","ClientRequestURI":"/media/one.mp3","EdgeResponseBytes":65536,"EdgeResponseStatus":206,"EdgeStartTimestamp":1795245000000000000,"ClientRequestUserAgent":"AGENT"}"#,
    // Another's, as its manual suggests it.
    r#"{"timestamp":"2026-11-21T07:10:00+0000","client_ip":"192.0.2.1","request_method":"GET","url":"/media/one.mp3","response_status":206,"response_body_size":65536,"request_user_agent":"AGENT"}"#,
    // A load balancer's.
    r#"{"httpRequest":{"requestMethod":"GET","requestUrl":"https://example.com/media/one.mp3","status":206,"responseSize":"65536","userAgent":"AGENT","remoteIp":"192.0.2.1"},"timestamp":"2026-11-21T07:10:00.000000Z","receiveTimestamp":"2026-11-21T07:10:03Z"}"#,
    // Traefik.
    r#"{"ClientAddr":"192.0.2.1:5555","ClientHost":"192.0.2.1","DownstreamContentSize":65536,"DownstreamStatus":206,"RequestMethod":"GET","RequestPath":"/media/one.mp3","StartUTC":"2026-11-21T07:10:00Z","request_User-Agent":"AGENT","time":"2026-11-21T07:10:01Z"}"#,
];

fn parse_lines(
    format: Format,
    line: &str,
) -> (String, i64, Method, String, u16, Option<u64>, Option<String>) {
    let line = line.replace("AGENT", AGENT);
    let mut parser = Parser::new(format);
    let request = parser.parse(&line).unwrap_or_else(|reason| panic!("{reason}: {line}")).unwrap();
    (
        request.address.into_owned(),
        request.time,
        request.method,
        request.target.into_owned(),
        request.status,
        request.bytes,
        request.agent.map(|agent| agent.into_owned()),
    )
}

#[test]
fn every_format_gives_the_same_request() {
    for line in LINES {
        let format = Format::detect(line.as_bytes());
        let expected = if line.starts_with('{') { Format::Json } else { Format::Combined };
        assert_eq!(format, expected, "{line}");
        let (address, time, method, target, status, bytes, agent) = parse_lines(format, line);
        assert_eq!(address, "192.0.2.1", "{line}");
        assert_eq!(time, 1_795_245_000_000_000, "{line}");
        assert_eq!(method, Method::Get, "{line}");
        assert_eq!(target.trim_start_matches("https://example.com"), "/media/one.mp3", "{line}");
        assert_eq!((status, bytes), (206, Some(65536)), "{line}");
        assert_eq!(agent.as_deref(), Some(AGENT), "{line}");
    }
}

#[test]
fn common_format_lacks_user_agent_and_json_may_lack_bytes() {
    let common =
        r#"2001:db8::1 - - [21/Nov/2026:07:10:00 +0000] "GET /a%20b.mp3?x HTTP/1.0" 200 -"#;
    let (address, _, _, target, _, bytes, agent) = parse_lines(Format::Combined, common);
    assert_eq!((address.as_str(), target.as_str()), ("2001:db8::1", "/a%20b.mp3?x"));
    assert_eq!((bytes, agent), (Some(0), None));
    let json = r#"{"time":"21/Nov/2026:07:10:00 +0000","ip":"192.0.2.1","method":"HEAD","path":"/x","status":200}"#;
    let (_, time, method, _, _, bytes, agent) = parse_lines(Format::Json, json);
    assert_eq!((time, method), (1_795_245_000_000_000, Method::Head));
    assert_eq!((bytes, agent), (None, None));
}

#[test]
fn json_distinguishes_a_missing_user_agent() {
    let caddy = |headers: &str| {
        format!(
            r#"{{"ts":1795245000.5,"request":{{"remote_ip":"192.0.2.1","method":"GET","uri":"/media/one.mp3"{headers}}},"size":9,"status":200}}"#
        )
    };
    let agent = |line: &str| parse_lines(Format::Json, line).6;
    let with = r#","headers":{"Range":["bytes=0-"],"User-Agent":["AGENT"]}"#;
    assert_eq!(agent(&caddy(with)).as_deref(), Some(AGENT));
    let without = r#","headers":{"Range":["bytes=0-"]}"#;
    assert_eq!(agent(&caddy(without)).as_deref(), Some(""));
    assert_eq!(agent(&caddy("")), None, "the log does not tell");
    let pushed = r#"{"EdgeStartTimestamp":"2026-11-21T07:10:00Z","ClientIP":"192.0.2.1","ClientRequestMethod":"GET","ClientRequestURI":"/","EdgeResponseStatus":200,"ClientRequestUserAgent":null}"#;
    assert_eq!(agent(pushed).as_deref(), Some(""));
}

#[test]
fn escapes_are_decoded() {
    let line = r#"192.0.2.1 - - [21/Nov/2026:07:10:00 +0000] "GET /a\"b\x5c\xc3\xbc.mp3 HTTP/1.1" 200 5 "-" "An \x22app\x22 \\ \"x\" \xzz""#;
    let (.., target, _, _, agent) = parse_lines(Format::Combined, line);
    assert_eq!(target, "/a\"b\\ü.mp3");
    assert_eq!(agent.as_deref(), Some(r#"An "app" \ "x" \xzz"#));
    // What a port scanner sends is a line of the log all the same.
    for request in [r"\x16\x03\x01\x00", "-", "", "GET", "\\n"] {
        let line =
            format!(r#"192.0.2.1 - - [21/Nov/2026:07:10:00 +0000] "{request}" 400 150 "-" "-""#);
        let (_, _, method, target, status, _, agent) = parse_lines(Format::Combined, &line);
        assert_eq!((method, target.as_str(), status), (Method::Other, "", 400), "{line}");
        assert_eq!(agent.as_deref(), Some(""));
    }
}

#[test]
fn extended_logs_define_their_columns() {
    let cdn = "#Version: 1.0\n\
        #Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query\n\
        2026-11-01\t00:00:07\tFRA2\t6000400\t192.0.2.1\tGET\td1.example.net\t/media/one.mp3\t200\t-\tOvercast/3.0%20(+http://overcast.fm/;%20iOS%20podcast%20app)\t-\n\
        2026-11-01\t00:00:08\tFRA2\t6000400\t192.0.2.2\tGET\td1.example.net\t/media/one.mp3\t200\t-\tPocket%2520Casts\t-\n\
        2026-11-01\t00:00:09\tFRA2\t400\t192.0.2.3\tGET\td1.example.net\t/two%20b.mp3\t206\t-\t-\t-\n";
    let own = "#Software: Microsoft Internet Information Services 10.0\n\
        #Fields: date time s-ip cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status sc-bytes time-taken\n\
        2026-11-01 00:00:10 10.0.0.1 GET /media/one.mp3 - 192.0.2.4 VLC/3.0.20+LibVLC/3.0.20 200 6000000 15\n";
    let audience = audience();
    let done = audience.import("cdn.log", cdn).unwrap();
    assert_eq!((done.lines, done.kept, done.bad), (5, 3, 0), "{done:?}");
    audience.import("own.log", own).unwrap();
    let apps: Vec<_> = audience.downloads().iter().map(|told| (told.at, told.app)).collect();
    assert_eq!(apps, [(7, "Overcast"), (8, "Pocket Casts"), (10, "VLC")]);
    let error = audience.import("headless.log", "2026-11-01\t00:00:07\tx\n").unwrap_err();
    assert!(error.message.contains("headless.log:1"), "{error}");
}

#[test]
fn unreadable_lines_are_counted_and_reported() {
    let good = ask(5, "/media/one.mp3").line();
    let hostile: &[&[u8]] = &[
        b"\x00\xff\xfe\x01 binary \x80\n",
        b"192.0.2.1 - - [21/Foo/2026:07:10:00 +0000] \"GET /media/one.mp3 HTTP/1.1\" 200 5 \"-\" \"x\"\n",
        b"192.0.2.1 - - [31/Feb/2026:07:10:00 +0000] \"GET /media/one.mp3 HTTP/1.1\" 200 5 \"-\" \"x\"\n",
        b"192.0.2.1 - - [21/Nov/2026:07:10:00 +0000] \"GET /media/one.mp3 HTTP/1.1\" 200 -5 \"-\" \"x\"\n",
        b"192.0.2.1 - - [21/Nov/2026:07:10:00 +0000] \"GET /media/one.mp3 HTTP/1.1\" abc 5 \"-\" \"x\"\n",
        b"192.0.2.1 - - [21/Nov/2026:07:10:00 +0000] \"GET /media/one.mp3\n",
        b"192.0.2.1 - - [21/Nov/2026:07:10:00 +0000] \"GET /media/one.mp3 HTTP/1.1\" 200 99999999999999999999 \"-\" \"x\"\n",
        b"\"\"\"\"\"[[[[[[[[[[[]\\\\\n",
    ];
    let mut text = Vec::new();
    for bad in hostile {
        text.extend_from_slice(bad);
        text.extend_from_slice(good.as_bytes());
    }
    // A line of a megabyte is one line that cannot be read.
    text.extend(std::iter::repeat_n(b'x', 1 << 20));
    text.push(b'\n');
    text.extend_from_slice(good.as_bytes());
    let audience = audience();
    let done = audience.import("access.log", &text).unwrap();
    assert_eq!((done.lines, done.bad, done.kept), (18, 9, 9));
    let told: Vec<_> =
        done.unreadable_lines.iter().map(|complaint| (complaint.line, complaint.reason)).collect();
    assert_eq!(told[..2], [(1, "the [time] is missing"), (3, "the [time] is missing")]);
    assert_eq!(told[3], (7, "the number of bytes is invalid"));
    assert_eq!(told.len(), 5);
    assert_eq!(audience.downloads().len(), 1);

    let mut worse = text.clone();
    worse.extend_from_slice(b"no log\n");
    let audience = Audience::of(audience.site);
    let error = audience.import("worse.log", &worse[good.len()..]).unwrap_err();
    assert!(error.message.contains("10 of 18 lines cannot be read"), "{error}");
    assert_eq!(audience.requests().len(), 9, "nothing of it is left");

    // Empty lines and directives tell nothing, so they do not outweigh what cannot be read.
    let settings = "# settings\n\n# of a site\n\nbase_url = \"https://example.com\"\n\n";
    let error = audience.import("site.toml", settings).unwrap_err();
    assert!(error.message.contains("1 of 1 lines cannot be read"), "{error}");
}

#[test]
fn invalid_or_deeply_nested_json_is_a_bad_line() {
    let deep = format!("{}{}", "{\"a\":".repeat(20_000), "}".repeat(20_000));
    for line in [
        "{",
        "[]",
        "{}",
        "null",
        deep.as_str(),
        r#"{"time":1e99,"ip":"a","method":"GET","path":"/","status":200}"#,
        r#"{"time":"2026-11-21T07:10:00Z","ip":"a","method":"GET","path":"/","status":200,"bytes":-1}"#,
        r#"{"time":"2026-11-21T07:10:00Z","ip":"a","method":"GET","path":"/","status":70000}"#,
        r#"{"time":"2026-11-21T07:10:00Z","ip":"a","method":"GET","status":200}"#,
    ] {
        assert!(Parser::new(Format::Json).parse(line).is_err(), "{line:.80}");
    }
}

#[test]
fn every_line_ending_is_accepted() {
    let text = format!("a\r\nb\n\n{}\nlast", "x".repeat(200_000));
    let mut lines = Lines::new(text.as_bytes());
    assert_eq!(lines.next_line().unwrap(), Some(Line::Whole(b"a")));
    assert_eq!(lines.next_line().unwrap(), Some(Line::Whole(b"b")));
    assert_eq!(lines.next_line().unwrap(), Some(Line::Whole(b"")));
    assert_eq!(lines.next_line().unwrap(), Some(Line::TooLong));
    assert_eq!((lines.number(), lines.offset()), (4, text.len() as u64 - 4));
    assert_eq!(lines.next_line().unwrap(), Some(Line::Unfinished(b"last")));
    assert_eq!(lines.number(), 4);
    assert_eq!(lines.accept_unfinished(), b"last");
    assert_eq!(lines.offset(), text.len() as u64);
}

#[test]
fn the_format_is_detected_from_the_first_lines() {
    let combined = log(&[ask(0, "/x")]);
    for (text, format) in [
        ("\u{feff}{\"a\":1}\n", Format::Json),
        ("\n\n#Version: 1.0\n", Format::Extended),
        (combined.as_str(), Format::Combined),
        (&format!("garbage\n{combined}{{}}\n"), Format::Combined),
        ("", Format::Combined),
    ] {
        assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
    }
    let audience = audience();
    let done =
        audience.import_as(Some(Format::Json), "access.log", combined.as_bytes()).unwrap_err();
    assert!(done.message.contains("--format"), "{done}");
    assert_eq!(START % 86_400, 0);
}
