//! A test server that gets its responses from a function, with one request per connection.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

pub struct Request {
    pub text: String,
}

impl Request {
    pub fn path(&self) -> &str {
        self.text.split(' ').nth(1).unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.text.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

#[derive(Default)]
struct Counts {
    all: AtomicUsize,
    now: AtomicUsize,
    max: AtomicUsize,
}

pub struct Server {
    port: u16,
    counts: Arc<Counts>,
}

/// Returns the bytes of a response.
pub fn response(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status}\r\nconnection: close\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    if !headers.iter().any(|(name, _)| *name == "content-length") {
        text += &format!("content-length: {}\r\n", body.len());
    }
    [text.as_bytes(), b"\r\n", body].concat()
}

impl Server {
    /// Starts a server that answers each request with the result of `response`. The arguments are
    /// the request and the number of earlier requests.
    pub fn start(response: impl Fn(&Request, usize) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let counts = Arc::new(Counts::default());
        let (response, shared) = (Arc::new(response), Arc::clone(&counts));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (response, counts) = (Arc::clone(&response), Arc::clone(&shared));
                thread::spawn(move || {
                    let count = counts.all.fetch_add(1, SeqCst);
                    let now = counts.now.fetch_add(1, SeqCst) + 1;
                    counts.max.fetch_max(now, SeqCst);
                    let mut stream = stream;
                    let bytes = response(&read(&mut stream), count);
                    counts.now.fetch_sub(1, SeqCst);
                    let _ = stream.write_all(&bytes);
                });
            }
        });
        Self { port, counts }
    }

    /// Starts a server that accepts requests and never answers. Returns its URL.
    pub fn start_silent() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || listener.incoming().collect::<Vec<_>>());
        format!("http://127.0.0.1:{port}/")
    }

    /// Starts a server that sends an endless body, `bytes` bytes at a time with pauses of
    /// `retry_delay`. Returns its URL.
    pub fn start_slow(bytes: usize, retry_delay: Duration) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                thread::spawn(move || {
                    read(&mut stream);
                    let head = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
                    let part = vec![b'x'; bytes];
                    let mut sent = stream.write_all(head);
                    while sent.is_ok() {
                        thread::sleep(retry_delay);
                        sent = stream.write_all(&part);
                    }
                });
            }
        });
        format!("http://127.0.0.1:{port}/")
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn count(&self) -> usize {
        self.counts.all.load(SeqCst)
    }

    pub fn max_concurrent(&self) -> usize {
        self.counts.max.load(SeqCst)
    }
}

fn read(stream: &mut TcpStream) -> Request {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(count) => bytes.extend_from_slice(&part[..count]),
        }
    }
    Request { text: String::from_utf8_lossy(&bytes).into_owned() }
}
