//! The files of an index: their names and their compression.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use xxhash_rust::xxh3::xxh3_64;

use super::Damaged;
use super::entry::Entry;

/// Length of a shard's name, in bytes.
pub const NAME: usize = 8;

/// Maximum size of a decompressed file, in bytes.
const MAX_INFLATED_BYTES: u64 = 256 << 20;

/// Returns the name of a shard, a hash of its content.
pub fn name(content: &[u8]) -> String {
    const DIGITS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let hash = xxh3_64(content);
    let digit = |at: usize| char::from(DIGITS[(hash >> (5 * at)) as usize & 31]);
    (0..NAME).map(digit).collect()
}

/// Returns whether `text` has the form of a shard's name.
pub fn is_name(text: &str) -> bool {
    text.len() == NAME && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'2'..=b'7'))
}

/// Returns whether the bytes are the published entry of an index.
pub fn is_entry(published: &[u8]) -> bool {
    let entry = inflate(published).ok();
    entry.is_some_and(|entry| serde_json::from_slice::<Entry>(&entry).is_ok())
}

/// Compresses `content` for publication, as "deflate-raw" (RFC 1951).
pub fn deflate(content: &[u8]) -> Vec<u8> {
    deflate_as(content, Compression::best())
}

/// Compresses the content of a word shard with a fast setting, because its lists hardly compress
/// further.
pub fn deflate_lists(content: &[u8]) -> Vec<u8> {
    deflate_as(content, Compression::fast())
}

fn deflate_as(content: &[u8], compression: Compression) -> Vec<u8> {
    let mut out = DeflateEncoder::new(Vec::new(), compression);
    // Writing to memory never fails.
    let _ = out.write_all(content);
    out.finish().unwrap_or_default()
}

/// Decompresses a published file.
pub fn inflate(published: &[u8]) -> Result<Vec<u8>, Damaged> {
    let mut content = Vec::with_capacity(published.len() * 2);
    let mut decoder = DeflateDecoder::new(published).take(MAX_INFLATED_BYTES);
    decoder.read_to_end(&mut content).map_err(|_| Damaged)?;
    Ok(content)
}

/// Splits concatenated names of shards.
pub fn names(joined: &str) -> impl Iterator<Item = &str> {
    let ends = (0..joined.len() / NAME).map(|at| at * NAME);
    ends.filter_map(|start| joined.get(start..start + NAME))
}
