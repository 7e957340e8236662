//! Rejects HTTP/2 connections with the response that this server supports only HTTP/1.1.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The HTTP/2 connection preface (RFC 9113, section 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const MESSAGE: &[u8] = b"this server speaks HTTP/1.1, not HTTP/2\n";

/// Maximum number of bytes to read from the client.
const MAX_READ: usize = 64 * 1024;

/// Maximum time for a client to send its request and read the response.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Whether the first bytes of a connection are HTTP/2. HTTP/1.1 has no method named `PRI`.
pub fn is_http2(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PRI ")
}

/// Responds to the first request over HTTP/2 with status 505 and the error code
/// [`HTTP_1_1_REQUIRED`]. `read` contains the bytes already read from the connection.
pub async fn refuse(stream: &mut TcpStream, read: &[u8]) {
    // If the client disconnects or is too slow, it gets no response.
    let _ = tokio::time::timeout(TIMEOUT, answer(stream, read.to_vec())).await;
}

async fn answer(stream: &mut TcpStream, mut read: Vec<u8>) -> io::Result<()> {
    let id = loop {
        match first_request(&read) {
            Some(id) => break id,
            None if read.len() < MAX_READ && stream.read_buf(&mut read).await? > 0 => {}
            None => return Ok(()),
        }
    };
    stream.write_all(&refusal(id)).await?;
    stream.shutdown().await?;
    // Closing a connection with unread bytes would discard the response.
    let mut rest = [0; 4096];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

/// Returns the stream id of the first HEADERS frame, once it has arrived (RFC 9113, section 4.1).
fn first_request(read: &[u8]) -> Option<u32> {
    let mut frames = read.strip_prefix(PREFACE)?;
    loop {
        let (head, rest) = frames.split_first_chunk::<9>()?;
        let [l1, l2, l3, kind, _, i1, i2, i3, i4] = *head;
        if kind == HEADERS {
            return Some(u32::from_be_bytes([i1, i2, i3, i4]) & 0x7fff_ffff);
        }
        let length = u32::from_be_bytes([0, l1, l2, l3]);
        frames = rest.get(usize::try_from(length).ok()?..)?;
    }
}

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;

/// The flag `END_STREAM` of HEADERS and DATA frames. The flag `ACK` of SETTINGS frames has the same
/// value.
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// The error code `HTTP_1_1_REQUIRED` (RFC 9113, section 7).
const HTTP_1_1_REQUIRED: [u8; 4] = [0, 0, 0, 0xd];

fn refusal(id: u32) -> Vec<u8> {
    // Literal header fields whose names are entries of the static table (RFC 7541, appendix A):
    // entry 8 is `:status`, and entry 31 is `content-type`.
    let fields = b"\x08\x03505\x0f\x10\x0atext/plain";
    let mut goaway = id.to_be_bytes().to_vec();
    goaway.extend(HTTP_1_1_REQUIRED);
    let mut bytes = Vec::new();
    for (kind, flags, id, payload) in [
        (SETTINGS, 0, 0, &[][..]),
        (SETTINGS, END_STREAM, 0, &[]),
        (HEADERS, END_HEADERS, id, fields),
        (DATA, END_STREAM, id, MESSAGE),
        (GOAWAY, 0, 0, &goaway),
    ] {
        let length = u32::try_from(payload.len()).unwrap_or_default();
        bytes.extend(&length.to_be_bytes()[1..]);
        bytes.extend([kind, flags]);
        bytes.extend(id.to_be_bytes());
        bytes.extend(payload);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_request_is_found_after_other_frames() {
        let settings = b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64";
        let headers = b"\0\0\x01\x01\x05\0\0\0\x0d\x82";
        let whole = [PREFACE, settings, headers].concat();
        assert_eq!(first_request(&whole), Some(13));
        for end in 0..whole.len() - 1 {
            assert_eq!(first_request(&whole[..end]), None, "{end}");
        }
    }
}
