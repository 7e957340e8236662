//! The source of an import: a file or an address.

use std::io;
use std::path::Path;
use std::time::Duration;

use fetch::{Client, Options, Reach, Url};

use source::disk::read_within;

/// Maximum size of a response in bytes. The feeds of large shows reach 50 MB.
pub const MAX_ANSWER: u64 = 128 * 1024 * 1024;

/// Maximum size of a file in bytes. Exports of large blogs reach several hundred MB.
const MAX_FILE: u64 = 512 * 1024 * 1024;

/// The bytes of a source, and their origin.
#[derive(Debug, Clone)]
pub struct Origin {
    pub bytes: Vec<u8>,
    /// Character set in the server's `Content-Type`.
    pub charset: Option<String>,
    /// Address after all redirects.
    pub url: Option<Url>,
    /// Name of the source in messages.
    pub name: String,
}

/// Reads a file, or downloads from an address.
pub fn open(source: &str, client: &Client) -> Result<Origin, String> {
    if is_address(source) {
        let answer = client.get(source).map_err(|fault| fault.message)?;
        let (charset, url) = (answer.charset(), answer.url.clone());
        return Ok(Origin {
            bytes: answer.bytes(MAX_ANSWER).map_err(|fault| fault.message)?,
            charset,
            name: url.to_string(),
            url: Some(url),
        });
    }
    let path = Path::new(source);
    if path.is_dir() {
        return Err(format!("{source} is a folder: pass the path of a file in it"));
    }
    let bytes = read_within(path, MAX_FILE).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => format!("{source} is larger than 512 MiB"),
        _ => format!("{source} cannot be read: {error}"),
    })?;
    Ok(Origin { bytes, charset: None, url: None, name: source.to_owned() })
}

pub fn is_address(source: &str) -> bool {
    source.starts_with("http://") || source.starts_with("https://")
}

/// Returns a client for an address that the user entered. Only the host of that address may be
/// local: redirects and addresses in responses must be public. A request fails if the server sends
/// nothing for `timeout`.
pub fn client(source: &str, timeout: Duration) -> Client {
    Client::new(Options {
        user_agent: concat!("feedwright/", env!("CARGO_PKG_VERSION")).to_owned(),
        reach: Reach::named(source),
        timeout,
        // A shorter timeout also shortens the pause between retries.
        retry_delay: timeout / 30,
        ..Options::default()
    })
}
