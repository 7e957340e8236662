//! A server that stands in for one of others, and what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

pub struct MockRequest {
    /// Such as `GET /path HTTP/1.1`.
    pub line: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl MockRequest {
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

/// Starts a server that answers each request with a status line and a body.
pub fn mock_server(
    mut answer: impl FnMut(&MockRequest) -> (&'static str, String) + Send + 'static,
) -> (String, Receiver<MockRequest>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (send, asked) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.unwrap());
            let mut lines = Vec::new();
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).unwrap() == 0 || line.trim().is_empty() {
                    break;
                }
                lines.push(line.trim().to_owned());
            }
            if lines.is_empty() {
                continue;
            }
            let headers: Vec<(String, String)> = lines[1..]
                .iter()
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
                .collect();
            let mut asked = MockRequest { line: lines[0].clone(), headers, body: String::new() };
            let length: u64 = asked.header("content-length").parse().unwrap_or(0);
            let mut body = Vec::new();
            reader.by_ref().take(length).read_to_end(&mut body).unwrap();
            asked.body = String::from_utf8_lossy(&body).into_owned();
            let (status, body) = answer(&asked);
            let answer = format!(
                "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            reader.get_mut().write_all(answer.as_bytes()).unwrap();
            let _ = send.send(asked);
        }
    });
    (url, asked)
}
