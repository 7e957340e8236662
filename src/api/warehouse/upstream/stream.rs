//! Streams bodies in chunks, so that large bodies use little memory.

use std::io::{self, Read};

use bytes::{Buf, Bytes};
use futures_util::StreamExt;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;
use ureq::Body;
use warp::reply::Reply;

use server::http::{BodyStream, Response};

/// Size of a chunk of an answer, in bytes.
const CHUNK: usize = 64 * 1024;

/// The body of a request as a blocking reader.
pub struct OutgoingBody {
    body: BodyStream,
    runtime: Handle,
    chunk: Bytes,
}

impl OutgoingBody {
    /// Creates a reader for a body that arrives on this runtime.
    pub fn new(body: BodyStream, runtime: Handle) -> Self {
        Self { body, runtime, chunk: Bytes::new() }
    }
}

impl Read for OutgoingBody {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            match self.runtime.block_on(self.body.next()) {
                Some(Ok(chunk)) => self.chunk = chunk,
                // Returns an error for an incomplete body. Otherwise, the service would accept it
                // as the whole body.
                Some(Err(error)) => return Err(io::Error::other(error)),
                None => return Ok(0),
            }
        }
        let count = into.len().min(self.chunk.len());
        self.chunk.copy_to_slice(&mut into[..count]);
        Ok(count)
    }
}

/// Creates a response with this body. Each chunk is read after the client has received the previous
/// chunk.
pub fn response(body: Body) -> Response {
    let chunks = futures_util::stream::unfold(Some(body.into_reader()), |reader| async move {
        let mut reader = reader?;
        let read = spawn_blocking(move || {
            let mut chunk = vec![0; CHUNK];
            let count = reader.read(&mut chunk)?;
            chunk.truncate(count);
            Ok((Bytes::from(chunk), reader))
        });
        match read.await.unwrap_or_else(|error| Err(io::Error::other(error))) {
            Ok((chunk, _)) if chunk.is_empty() => None,
            Ok((chunk, reader)) => Some((Ok(chunk), Some(reader))),
            // Aborts the response, so that the client can detect the missing bytes.
            Err(error) => Some((Err(error), None)),
        }
    });
    warp::reply::stream(chunks).into_response()
}
