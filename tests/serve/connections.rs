//! What a connection may be used for, and for how long: slow, stuck, odd and many clients.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use feedwright::server::Limits;
use serde_json::json;

use crate::support::program::{Program, agent, send};
use crate::support::served::{KEY, Served, serve, serve_within};
use crate::support::small_site::{SmallSite, site};
use crate::support::wait;

/// Limits that a test can wait for.
fn short() -> Limits {
    Limits {
        connections: 64,
        head: Duration::from_millis(300),
        body: Duration::from_millis(300),
        idle: Duration::from_millis(600),
        unread_timeout: Duration::from_secs(2),
        room: Duration::from_millis(500),
        refusal_delay: Duration::ZERO,
        ..Limits::default()
    }
}

fn address(served: &Served) -> &str {
    served.url.strip_prefix("http://").unwrap()
}

fn connect(address: &str) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
}

/// What comes until the server ends the connection, and how long that took.
fn read_until_close(mut stream: TcpStream) -> (String, Duration) {
    let start = Instant::now();
    let mut answer = Vec::new();
    match stream.read_to_end(&mut answer) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("it is not ended"),
        // What was sent after the end is answered with a reset.
        _ => (String::from_utf8_lossy(&answer).into_owned(), start.elapsed()),
    }
}

fn status(answer: &str) -> u16 {
    let status = answer.split(' ').nth(1).unwrap_or_default();
    status.parse().unwrap_or_else(|_| panic!("{answer:?}"))
}

/// Whether a new client is answered.
fn accepts_requests(address: &str) -> bool {
    let mut stream = connect(address);
    let request =
        format!("GET /feed.json HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    read_until_close(stream).0.starts_with("HTTP/1.1 200")
}

#[test]
fn an_invalid_request_gets_an_error_message() {
    let served = serve(site());
    for target in ["x:80", "127.0.0.1:80", "[::1]:443"] {
        let answer = served.raw(
            format!("CONNECT {target} HTTP/1.1\r\nHost: {target}\r\nConnection: close\r\n\r\n")
                .as_bytes(),
        );
        assert_eq!(status(&answer), 501, "{answer}");
        assert!(answer.contains("not a proxy"), "{answer}");
    }
    let own = address(&served);
    for (request, expected) in [
        (format!("OPTIONS * HTTP/1.1\r\nHost: {own}\r\n"), 400),
        (format!("OPTIONS / HTTP/1.1\r\nHost: {own}\r\n"), 405),
        (format!("OPTIONS http://{own} HTTP/1.1\r\nHost: {own}\r\n"), 405),
        ("BREW / HTTP/1.1\r\nHost: localhost\r\n".into(), 405),
        ("GET / HTTP/1.1\r\n".into(), 400),
        ("GET /\r\n".into(), 400),
        ("GET nonsense HTTP/1.1\r\nHost: localhost\r\n".into(), 400),
    ] {
        let answer = served.raw(format!("{request}Connection: close\r\n\r\n").as_bytes());
        assert_eq!(status(&answer), expected, "{request}{answer}");
    }
    assert_eq!(served.get("/feed.json").status, 200);
}

#[test]
fn the_host_of_an_absolute_request_target_takes_precedence() {
    let served = serve(site());
    let own = address(&served);
    for (request, expected) in [
        (format!("GET http://{own}/feed.json HTTP/1.1\r\nHost: {own}\r\n"), 200),
        (format!("GET http://{own}/feed.json HTTP/1.1\r\nHost: evil.example\r\n"), 200),
        (format!("GET http://{own} HTTP/1.1\r\nHost: {own}\r\n"), 200),
        (format!("GET http://{own}/feed.json HTTP/1.0\r\n"), 200),
        (format!("GET http://evil.example/feed.json HTTP/1.1\r\nHost: {own}\r\n"), 403),
        (format!("GET http://{own}@evil.example/ HTTP/1.1\r\nHost: {own}\r\n"), 403),
        (format!("GET http://evil.example/api/v1/feed/ HTTP/1.1\r\nHost: {own}\r\n"), 403),
        (format!("GET http://{own}/feed.json HTTP/1.1\r\n"), 400),
        (format!("GET http://{own}/feed.json HTTP/1.1\r\nHost: {own}\r\nHost: {own}\r\n"), 400),
    ] {
        let answer = served.raw(format!("{request}Connection: close\r\n\r\n").as_bytes());
        assert_eq!(status(&answer), expected, "{request}{answer}");
    }
}

/// A request of HTTP/2 as clients send it who know that the server speaks it: the preface, settings, then
/// HEADERS of a GET on this stream.
fn http2_request(stream: u8) -> Vec<u8> {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend(b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64");
    // GET, http, / and :authority localhost (RFC 7541, appendix A).
    let fields = b"\x82\x86\x84\x41\x09localhost";
    bytes.extend([0, 0, u8::try_from(fields.len()).unwrap(), 1, 5, 0, 0, 0, stream]);
    bytes.extend(fields);
    bytes
}

#[test]
fn http_2_is_refused_with_an_http_2_error() {
    let served = serve(site());
    for (stream, pause) in [(1, 0), (13, 0), (1, 50)] {
        let mut connection = connect(address(&served));
        let request = http2_request(stream);
        // It may come in pieces.
        let (first, second) = request.split_at(if pause == 0 { request.len() } else { 30 });
        connection.write_all(first).unwrap();
        wait::pause(Duration::from_millis(pause));
        connection.write_all(second).unwrap();
        connection.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        connection.read_to_end(&mut answer).unwrap();
        let has = |bytes: &[u8]| answer.windows(bytes.len()).any(|part| part == bytes);
        assert!(has(&[1, 4, 0, 0, 0, stream]), "no HEADERS: {answer:?}");
        assert!(has(b"\x08\x03505"), "no status: {answer:?}");
        assert!(has(b"this server speaks HTTP/1.1"), "{answer:?}");
        assert!(has(&[0, 0, 0, 0xd]), "no HTTP_1_1_REQUIRED: {answer:?}");
    }
    assert!(accepts_requests(address(&served)));
}

#[test]
fn an_unfinished_request_times_out() {
    let served = serve_within(site(), short());
    for opening in ["G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nX: "] {
        let mut stream = connect(address(&served));
        stream.write_all(opening.as_bytes()).unwrap();
        let (answer, took) = read_until_close(stream);
        assert_eq!(status(&answer), 408, "{opening:?}");
        assert!(took >= Duration::from_millis(250), "{took:?}");
    }
    // A byte now and then is no progress.
    let mut stream = connect(address(&served));
    assert!(wait::within(Duration::from_secs(5), || stream.write_all(b"G").is_err()));
}

/// Answers that came before the body, which never comes: each has its last words, and all at once.
#[test]
fn abandoned_bodies_are_freed_at_once() {
    let limits = Limits { connections: 8, refusal_delay: Duration::ZERO, ..Limits::default() };
    let served = serve_within(site(), limits);
    let request =
        "PUT /api/v1/items/a/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\nab";
    let held: Vec<TcpStream> = (0..32)
        .map(|_| {
            let mut stream = connect(address(&served));
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    let start = Instant::now();
    assert!(accepts_requests(address(&served)));
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
    drop(held);
}

#[test]
fn an_idle_connection_is_closed() {
    let served = serve_within(site(), short());
    let (answer, took) = read_until_close(connect(address(&served)));
    assert_eq!(answer, "");
    assert!(took >= Duration::from_millis(500), "{took:?}");
    let mut stream = connect(address(&served));
    let mut text = String::new();
    let start = Instant::now();
    for _ in 0..4 {
        let request = b"GET /robots.txt HTTP/1.1\r\nHost: localhost\r\n\r\n";
        stream.write_all(request).unwrap();
        wait::pause(Duration::from_millis(400));
    }
    // Each request made it live on.
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches("HTTP/1.1 200").count(), 4, "{text}");
    assert!(start.elapsed() >= Duration::from_millis(1800));
}

/// A request with a body of this many bytes, none of which is sent.
fn post(path: &str, length: usize) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {KEY}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )
}

#[test]
fn a_stalled_body_times_out_and_a_slow_one_does_not() {
    let served = serve_within(site(), short());
    for path in [
        "/api/v1/items/",
        "/warehouse/v2/projects/site/queries",
        "/upload/warehouse/v2/projects/site/jobs?uploadType=resumable",
    ] {
        let mut stream = connect(address(&served));
        stream.write_all(post(path, 1000).as_bytes()).unwrap();
        stream.write_all(b"{").unwrap();
        let (answer, took) = read_until_close(stream);
        assert_eq!(status(&answer), 408, "{path}: {answer}");
        assert!(answer.contains("stopped arriving"), "{path}: {answer}");
        assert!(took < Duration::from_secs(5), "{path}: {took:?}");
    }
    let body = json!({ "title": "Slow" }).to_string();
    let mut stream = connect(address(&served));
    stream.write_all(post("/api/v1/items/", body.len()).as_bytes()).unwrap();
    for byte in body.bytes() {
        stream.write_all(&[byte]).unwrap();
        wait::pause(Duration::from_millis(60));
    }
    assert_eq!(status(&read_until_close(stream).0), 201);
}

#[test]
fn event_streams_do_not_time_out() {
    let served = serve_within(site(), short());
    let mut stream = connect(address(&served));
    let request = b"GET /.feedwright/events?path=/ HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(request).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(1500))).unwrap();
    let mut answer = Vec::new();
    let ended = stream.read_to_end(&mut answer);
    assert!(ended.is_err(), "{}", String::from_utf8_lossy(&answer));
    assert!(answer.starts_with(b"HTTP/1.1 200"));
}

#[test]
fn a_client_that_reads_nothing_is_disconnected() {
    let limits = Limits { unread_timeout: Duration::from_millis(300), ..short() };
    let large = vec![b'x'; 32 * 1024 * 1024];
    let served = serve_within(site().with("content/media/large.bin", large), limits);
    let mut stream = connect(address(&served));
    let request = b"GET /media/large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(request).unwrap();
    // What is sent to a connection that has ended fails.
    wait::until(|| stream.write_all(b"G").is_err());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(answer.len() < 32 * 1024 * 1024, "{}", answer.len());
    // Who reads slowly gets all of it.
    let mut stream = connect(address(&served));
    stream
        .write_all(b"GET /media/large.bin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .unwrap();
    let (mut chunk, mut all, mut turns) = (vec![0; 4 * 1024 * 1024], 0, 0);
    loop {
        match stream.read(&mut chunk).unwrap() {
            0 => break,
            count => all += count,
        }
        turns += 1;
        if turns < 12 {
            wait::pause(Duration::from_millis(50));
        }
    }
    assert!(all > 32 * 1024 * 1024, "{all}");
}

#[test]
fn idle_connections_are_closed_for_new_clients() {
    let limits = Limits { connections: 8, ..Limits::default() };
    let served = serve_within(site(), limits);
    let events = "GET /.feedwright/events?path=/ HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for opening in ["", "GET / HT", events] {
        let held: Vec<TcpStream> = (0..20)
            .map(|_| {
                let mut stream = connect(address(&served));
                stream.write_all(opening.as_bytes()).unwrap();
                stream
            })
            .collect();
        let start = Instant::now();
        assert!(accepts_requests(address(&served)), "{opening:?}");
        assert!(start.elapsed() < Duration::from_secs(5), "{opening:?}");
        drop(held);
    }
}

#[test]
fn the_total_size_of_bodies_is_limited() {
    let limits = Limits { bodies: 1024 * 1024, room: Duration::from_secs(20), ..Limits::default() };
    let served = serve_within(site(), limits);
    let text = "x".repeat(700 * 1024);
    let body =
        json!({ "title": "Large", "status": "unpublished", "content_html": text }).to_string();
    let one = || served.call("POST", "/items/validate/", body.as_bytes()).status;
    // One after the other, and all of them.
    let answers: Vec<u16> = thread::scope(|scope| {
        let all: Vec<_> = (0..6).map(|_| scope.spawn(one)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(answers, [200; 6]);
}

#[test]
fn a_body_beyond_the_total_limit_is_refused() {
    let limits =
        Limits { bodies: 1024 * 1024, room: Duration::from_millis(300), ..Limits::default() };
    let served = serve_within(site(), limits);
    let mut slow = connect(address(&served));
    slow.write_all(post("/api/v1/items/", 1000 * 1024).as_bytes()).unwrap();
    slow.write_all(b"{").unwrap();
    let large = json!({ "title": "x".repeat(300 * 1024) }).to_string();
    let validate = || served.call("POST", "/items/validate/", large.as_bytes());
    // The body before it may not have arrived yet.
    let refused = wait::some(|| Some(validate()).filter(|reply| reply.status != 200));
    assert!(refused.error(503).contains("try again later"));
    let small = served.post("/items/validate/", &json!({ "title": "Small" }));
    assert_eq!(small.status, 200, "{}", small.text());
    drop(slow);
    wait::until(|| validate().status == 200);
}

/// `serve` as a process that may have few files open.
fn serve_with_file_limit(site: &SmallSite, limit: u32) -> (std::process::Child, String) {
    let command = format!(
        "ulimit -n {limit}; exec {} serve --addr 127.0.0.1:0 --site {}",
        env!("CARGO_BIN_EXE_feedwright"),
        site.root().display()
    );
    let mut child =
        Command::new("sh").args(["-c", &command]).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let line = said.find_map(|line| Some(line.unwrap().split_once("http://")?.1.to_owned()));
    let address = line.unwrap().split('/').next().unwrap().to_owned();
    thread::spawn(move || said.for_each(drop));
    (child, address)
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_with_few_file_handles_accepts_many_writes() {
    const ITEMS: usize = 60;
    let site = (0..ITEMS).fold(site(), |site, item| {
        let text = format!("+++\nid = \"walk{item}\"\ntitle = \"Walk\"\n+++\n");
        site.with(&format!("content/items/walk{item}.md"), text)
    });
    let mut few = Command::new("sh");
    few.args(["-c", "ulimit -n 64; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_feedwright")]);
    let program = Program::of(few, site.root());
    let held: Vec<TcpStream> =
        (0..12).map(|_| connect(program.url.strip_prefix("http://").unwrap())).collect();
    let agent = agent();
    for item in 0..ITEMS {
        let url = format!("{}/api/v1/items/walk{item}/", program.url);
        let answer = send(&agent, "PUT", &url, None, &json!({ "title": "Written" }));
        let (status, body) = answer.unwrap();
        assert_eq!(status, 200, "{item}: {body}");
    }
    program.kill();
    drop(held);
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_with_few_file_handles_answers_despite_open_connections() {
    let site = site();
    let (mut child, address) = serve_with_file_limit(&site, 64);
    let idle: Vec<TcpStream> = (0..150).map(|_| connect(&address)).collect();
    let unfinished: Vec<TcpStream> = (0..150)
        .map(|_| {
            let mut stream = connect(&address);
            let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
            stream
        })
        .collect();
    for _ in 0..5 {
        assert!(accepts_requests(&address));
    }
    drop((idle, unfinished));
    assert!(accepts_requests(&address));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Connects many clients that ask for a large answer again and again and read nothing.
fn connect_idle_readers(address: &str, path: &str, clients: usize) -> Vec<TcpStream> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n").repeat(200);
    let connect = |_| {
        let mut stream = connect(address);
        stream.set_nonblocking(true).unwrap();
        // The server takes as much as it has room for.
        let _ = stream.write(request.as_bytes());
        stream
    };
    (0..clients).map(connect).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn the_total_size_of_unread_responses_is_limited() {
    let site = site()
        .with("site-files/large.txt", "word ".repeat(50_000))
        .with("content/media/small.bin", [7; 60_000])
        .with("content/items/a.md", "+++\nid = \"a\"\nslug = \"moved\"\n+++\n");
    let program = Program::start(site.root());
    let address = program.url.strip_prefix("http://").unwrap().to_owned();
    assert!(accepts_requests(&address));
    let before = program.peak_memory();
    for (path, expected) in [("/large.txt", 200), ("/media/small.bin", 200), ("/i/a/", 301)] {
        let clients = connect_idle_readers(&address, path, 300);
        // Turns come in order, so all of them had theirs when these are answered.
        for _ in 0..3 {
            let mut stream = connect(&address);
            let patience = Some(Duration::from_secs(60));
            stream.set_read_timeout(patience).unwrap();
            let asked =
                format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
            stream.write_all(asked.as_bytes()).unwrap();
            let (answer, _) = read_until_close(stream);
            assert_eq!(status(&answer), expected, "{path}");
        }
        drop(clients);
    }
    let peak = program.peak_memory();
    println!("memory: {before} MiB before, {peak} MiB at most");
    assert!(peak < 256, "{peak} MiB, {before} MiB before");
    program.kill();
}
