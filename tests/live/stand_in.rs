//! A web server that serves a built site correctly, except for one fault.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use feedwright::model::Config;
use feedwright::render::hosting::sent_as;
use flate2::Compression;
use flate2::write::GzEncoder;

/// A request.
pub struct Asked {
    pub method: String,
    pub path: String,
    /// Header names in lower case.
    fields: BTreeMap<String, String>,
    /// Number of earlier requests.
    pub count: usize,
}

impl Asked {
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }

    pub fn is_head(&self) -> bool {
        self.method == "HEAD"
    }
}

/// A response, which a fault can change.
pub struct Sent {
    pub status: u16,
    pub fields: BTreeMap<&'static str, String>,
    pub body: Vec<u8>,
    pub ending: Ending,
}

/// How a response ends.
#[derive(PartialEq, Eq)]
pub enum Ending {
    Whole,
    /// The server never answers.
    Hangs,
    /// The server closes the connection within the body.
    Cut,
    /// The body never ends.
    Endless,
}

impl Sent {
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.fields.insert(name, value.into());
    }

    pub fn remove(&mut self, name: &str) {
        self.fields.remove(name);
    }

    pub fn redirect(&mut self, to: &str) {
        self.status = 302;
        self.set("location", to);
        self.body.clear();
    }

    /// Changes the body of a response that is not compressed.
    pub fn replace(&mut self, body: impl Into<Vec<u8>>) {
        self.body = body.into();
        self.remove("content-encoding");
    }
}

/// Changes the response to a request.
pub type Fault = fn(&Asked, &mut Sent);

/// The files of a site, by path.
pub type Files = Arc<BTreeMap<String, Vec<u8>>>;

pub struct StandIn {
    pub address: String,
    listener: TcpListener,
}

impl StandIn {
    /// Reserves an address.
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        Self { address: format!("http://{}", listener.local_addr().unwrap()), listener }
    }

    /// Serves files by their path, until the tests end. Returns the number of requests.
    pub fn serve(self, config: Config, files: Files, fault: Fault) -> Arc<AtomicUsize> {
        let count = Arc::new(AtomicUsize::new(0));
        let site = Arc::new((config, files));
        let counted = Arc::clone(&count);
        thread::spawn(move || {
            for stream in self.listener.incoming().flatten() {
                let (site, count) = (Arc::clone(&site), Arc::clone(&counted));
                thread::spawn(move || {
                    let mut stream = stream;
                    let Some(mut asked) = read(&mut stream) else { return };
                    asked.count = count.fetch_add(1, Ordering::SeqCst);
                    let mut sent = answer(&asked, &site.0, &site.1);
                    fault(&asked, &mut sent);
                    write(&mut stream, &asked, sent);
                });
            }
        });
        count
    }
}

/// The first byte of a TLS connection.
const TLS_HANDSHAKE: u8 = 0x16;

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
        if head[0] == TLS_HANDSHAKE {
            let _ = stream.write_all(b"HTTP/1.1 400 X\r\n\r\n");
            return None;
        }
    }
    let head = String::from_utf8(head).ok()?;
    let mut lines = head.lines();
    let mut words = lines.next()?.split(' ');
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let fields = lines.filter_map(|line| line.split_once(": "));
    let fields = fields.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
    Some(Asked { method, path, fields: fields.collect(), count: 0 })
}

/// Answers a request as a well configured server would.
fn answer(asked: &Asked, config: &Config, files: &BTreeMap<String, Vec<u8>>) -> Sent {
    let path = asked.path.trim_start_matches('/');
    let path = path.split('?').next().unwrap();
    let file = if path.is_empty() || path.ends_with('/') {
        format!("{path}index.html")
    } else {
        path.into()
    };
    let (status, file) = match files.get(&file) {
        Some(_) => (200, file),
        None if asked.path == "/hub" && asked.method == "POST" => (202, "404.html".into()),
        None if asked.path == "/hub" => (400, "404.html".into()),
        None => (404, "404.html".into()),
    };
    let bytes = &files[&file];
    let as_sent = sent_as(config, &file, &bytes[..bytes.len().min(512)]);
    let mut sent =
        Sent { status, fields: BTreeMap::new(), body: bytes.clone(), ending: Ending::Whole };
    sent.set("content-type", as_sent.media_type);
    sent.set("cache-control", as_sent.cache_control);
    sent.set("access-control-allow-origin", "*");
    sent.set("last-modified", "Thu, 01 Jan 2026 10:00:00 GMT");
    let etag = format!("\"{}\"", bytes.len());
    sent.set("etag", etag.clone());
    let is_text = [".html", ".xml", ".json", ".css"].iter().any(|end| file.ends_with(end));
    if is_text && asked.field("accept-encoding").is_some_and(|all| all.contains("gzip")) {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(bytes).unwrap();
        sent.body = gzip.finish().unwrap();
        sent.set("content-encoding", "gzip");
    }
    let is_known = match (asked.field("if-none-match"), asked.field("if-modified-since")) {
        (Some(known), _) => known == etag,
        (None, since) => since == sent.fields.get("last-modified").map(String::as_str),
    };
    if is_known && status == 200 {
        sent.status = 304;
        sent.body.clear();
    }
    let range = asked.field("range").and_then(|range| range.strip_prefix("bytes="));
    let continues = asked.field("if-range").is_none_or(|version| version == etag);
    if let Some((from, to)) = range.filter(|_| continues).and_then(|range| range.split_once('-')) {
        let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
        sent.status = 206;
        sent.set("content-range", format!("bytes {from}-{to}/{}", bytes.len()));
        sent.body = bytes[from..=to].to_vec();
    }
    sent
}

fn write(stream: &mut TcpStream, asked: &Asked, sent: Sent) {
    if sent.ending == Ending::Hangs {
        // The client closes the connection.
        let _ = stream.read(&mut [0]);
        return;
    }
    let mut head = format!("HTTP/1.1 {} X\r\nconnection: close\r\n", sent.status);
    for (name, value) in &sent.fields {
        head += &format!("{name}: {value}\r\n");
    }
    if sent.ending != Ending::Endless && !sent.fields.contains_key("content-length") {
        head += &format!("content-length: {}\r\n", sent.body.len());
    }
    let _ = write!(stream, "{head}\r\n");
    if asked.is_head() {
        return;
    }
    let body = match sent.ending {
        Ending::Cut => &sent.body[..sent.body.len() / 2],
        _ => &sent.body,
    };
    let mut written = stream.write_all(body);
    while sent.ending == Ending::Endless && written.is_ok() {
        written = stream.write_all(&[b'x'; 64 * 1024]);
    }
}
