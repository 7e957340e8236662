//! Where something is imported from: a file, or an address.

use std::fs::File;
use std::io::Read;
use std::net::ToSocketAddrs;
use std::time::Duration;

use fetch::{Client, Options, Reach, Url, is_public};

/// Most bytes of a feed or an export. Large shows have feeds of 50 MB.
pub const MOST: u64 = 512 * 1024 * 1024;

/// What was read, and where it came from.
#[derive(Debug, Clone)]
pub struct Origin {
    pub bytes: Vec<u8>,
    /// As the server's `Content-Type` says.
    pub charset: Option<String>,
    /// Its address, when all redirects were followed.
    pub url: Option<Url>,
    /// Its name in messages.
    pub name: String,
}

/// Reads a file, or what is at an address.
///
/// # Errors
///
/// In words for a person.
pub fn open(source: &str, client: &Client) -> Result<Origin, String> {
    if is_address(source) {
        let answer = client.get(source).map_err(|fault| fault.message)?;
        let (charset, url) = (answer.charset(), answer.url.clone());
        return Ok(Origin {
            bytes: answer.bytes(MOST).map_err(|fault| fault.message)?,
            charset,
            name: url.to_string(),
            url: Some(url),
        });
    }
    let failed = |error: std::io::Error| format!("{source} cannot be read: {error}");
    let file = File::open(source).map_err(failed)?;
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(format!("{source} is a folder: name the file in it"));
    }
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes).map_err(failed)?;
    Ok(Origin {
        bytes,
        charset: None,
        url: None,
        name: source.to_owned(),
    })
}

pub fn is_address(source: &str) -> bool {
    source.starts_with("http://") || source.starts_with("https://")
}

/// A client for what a person named. What it leads to may be of the local network only if that is. `patience` is how long a
/// server may say nothing.
pub fn client(source: &str, patience: Duration) -> Client {
    Client::new(Options {
        user_agent: concat!("feedwright/", env!("CARGO_PKG_VERSION")).to_owned(),
        reach: if is_local(source) {
            Reach::Everywhere
        } else {
            Reach::Internet
        },
        patience,
        // Who waits less for an answer waits less before the next question.
        pause: patience / 30,
        ..Options::default()
    })
}

fn is_local(source: &str) -> bool {
    let Ok(url) = Url::parse(source) else {
        return false;
    };
    let port = url.port_or_known_default().unwrap_or(80);
    let hosts = url
        .host_str()
        .map(|host| (host.trim_matches(['[', ']']), port).to_socket_addrs());
    let Some(Ok(mut addresses)) = hosts else {
        return false;
    };
    addresses.any(|address| !is_public(address.ip()))
}
