//! A receiver of webhooks, which checks every signature by itself.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;

use crate::support::served::HOOK_SECRET;
use crate::support::wait;

/// A message that came.
#[derive(Debug, Clone)]
pub struct ReceivedMessage {
    /// The path it was posted to.
    pub path: String,
    pub id: String,
    pub json: Value,
    pub headers: Vec<(String, String)>,
}

impl ReceivedMessage {
    pub fn kind(&self) -> &str {
        self.json["type"].as_str().unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// `item.updated a body`: the type, the id, and what changed.
    pub fn short(&self) -> String {
        let data = &self.json["data"];
        let words = |value: &Value| match value {
            Value::Array(list) => {
                list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("+")
            }
            value => value.as_str().unwrap_or_default().to_owned(),
        };
        let line = format!("{} {} {}", self.kind(), words(&data["id"]), words(&data["changed"]));
        line.trim().to_owned()
    }
}

type Answer = dyn Fn(&ReceivedMessage, usize) -> String + Send + Sync;

/// A receiver, which ends with it.
pub struct Receiver {
    pub url: String,
    got: Arc<Mutex<Vec<ReceivedMessage>>>,
    address: SocketAddr,
    has_ended: Arc<AtomicBool>,
}

/// One that takes everything.
pub fn receiver() -> Receiver {
    answering(|_, _| "204 No Content".to_owned())
}

/// One that answers each message with a status and perhaps headers; it is told how often that id came before.
pub fn answering(
    answer: impl Fn(&ReceivedMessage, usize) -> String + Send + Sync + 'static,
) -> Receiver {
    Receiver::at("127.0.0.1:0".parse().unwrap(), Arc::default(), Arc::new(answer))
}

impl Receiver {
    fn at(address: SocketAddr, got: Arc<Mutex<Vec<ReceivedMessage>>>, answer: Arc<Answer>) -> Self {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let has_ended = Arc::new(AtomicBool::new(false));
        let (all, end) = (Arc::clone(&got), Arc::clone(&has_ended));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if end.load(Ordering::SeqCst) {
                    break;
                }
                let (Ok(stream), all, answer) = (stream, Arc::clone(&all), Arc::clone(&answer))
                else {
                    continue;
                };
                thread::spawn(move || take(stream, &all, &*answer));
            }
        });
        Self { url: format!("http://{address}"), got, address, has_ended }
    }

    /// What came, in the order in which it came.
    pub fn got(&self) -> Vec<ReceivedMessage> {
        self.got.lock().unwrap().clone()
    }

    /// What came, each id once, in short.
    pub fn notified(&self) -> Vec<String> {
        let mut ids = Vec::new();
        let mut told = Vec::new();
        for got in self.got() {
            if !ids.contains(&got.id) {
                told.push(got.short());
                ids.push(got.id);
            }
        }
        told
    }

    /// Waits until what came, each id once, is this in any order of resources.
    #[track_caller]
    pub fn wait_for(&self, expected: &[&str]) {
        wait::within(wait::MAX_WAIT, || self.notified().len() >= expected.len());
        let (mut told, mut expected) = (self.notified(), expected.to_vec());
        told.sort();
        expected.sort_unstable();
        assert_eq!(told, expected);
    }

    /// Forgets what came.
    pub fn forget(&self) {
        self.got.lock().unwrap().clear();
    }

    /// Ends, and is gone.
    pub fn end(&self) {
        self.has_ended.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }

    /// The same receiver again, at the same address.
    pub fn again(&self) -> Self {
        wait::until(|| TcpListener::bind(self.address).is_ok());
        let takes_all = Arc::new(|_: &ReceivedMessage, _| "204 No Content".to_owned());
        Self::at(self.address, Arc::clone(&self.got), takes_all)
    }

    /// A webhook of it, for `site.toml`.
    pub fn webhook(&self, more: &str) -> String {
        format!(
            "\n[[webhooks]]\nurl = \"{}/hook\"\nsecret_env = \"{}\"\nlocal = true\n{more}\n",
            self.url, HOOK_SECRET.0
        )
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.end();
    }
}

fn take(stream: TcpStream, all: &Mutex<Vec<ReceivedMessage>>, answer: &Answer) {
    let mut reader = BufReader::new(stream);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        match reader.read_line(&mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.trim().is_empty() => break,
            Ok(_) => lines.push(line.trim().to_owned()),
        }
    }
    let headers: Vec<(String, String)> = lines[1..]
        .iter()
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let header = |name: &str| {
        let found = headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let mut body = vec![0; header("content-length").parse().unwrap()];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let (id, time) = (header("webhook-id"), header("webhook-timestamp"));
    let key = STANDARD.decode(&HOOK_SECRET.1["whsec_".len()..]).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{id}.{time}.").as_bytes());
    mac.update(&body);
    let signed = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    let signatures = header("webhook-signature");
    assert!(signatures.split(' ').any(|one| one == signed));
    let got = ReceivedMessage {
        path: lines[0].split(' ').nth(1).unwrap().to_owned(),
        id,
        json: serde_json::from_slice(&body).unwrap(),
        headers,
    };
    assert_eq!(got.json["id"], got.id.as_str());
    let before = {
        let mut all = all.lock().unwrap();
        all.push(got.clone());
        all.iter().filter(|one| one.id == got.id).count() - 1
    };
    let status = answer(&got, before);
    let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    let _ = reader.get_mut().write_all(answer.as_bytes());
}
