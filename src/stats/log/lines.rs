//! Reads the lines of a log of any size, plain or gzip.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use xxhash_rust::xxh3::Xxh3;

/// Maximum length of a line in bytes. No server writes longer lines, so a longer line probably does
/// not come from a log.
const MAX_LINE_LENGTH: usize = 64 * 1024;
const BUFFER: usize = 256 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub enum Line<'l> {
    /// A complete line, without its line ending.
    Whole(&'l [u8]),
    /// The line exceeds the maximum length.
    TooLong,
    /// The input ends in the middle of this line.
    Unfinished(&'l [u8]),
}

/// Reads lines, and computes a fingerprint of all lines read so far.
pub struct Lines<R> {
    input: R,
    line: Vec<u8>,
    offset: u64,
    number: u64,
    content: Xxh3,
}

/// Opens a log, and decompresses it if its first bytes identify gzip (RFC 1952). Other compression
/// formats are errors. Also returns whether the log was compressed, because a compressed log no
/// longer grows.
pub fn input<'r>(raw: impl Read + Send + 'r) -> io::Result<(Box<dyn BufRead + Send + 'r>, bool)> {
    let mut raw = BufReader::with_capacity(BUFFER, raw);
    let packed = match raw.fill_buf()? {
        [0x1f, 0x8b, ..] => {
            let unpacked = Decompressed::new(raw);
            return Ok((Box::new(BufReader::with_capacity(BUFFER, unpacked)), true));
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "zstd",
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => "bzip2",
        [0xfd, b'7', b'z', b'X', b'Z', ..] => "xz",
        [b'P', b'K', 3, 4, ..] => "zip",
        _ => return Ok((Box::new(raw), false)),
    };
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        format!(
            "the log is compressed with {packed}: unpack it, and pipe it to `feedwright stats import -`"
        ),
    ))
}

/// Decompresses a gzip file. Returns an error if the decompressed size is implausible for a log.
struct Decompressed<R> {
    decoder: MultiGzDecoder<BufReader<CountingReader<R>>>,
    packed: Arc<AtomicU64>,
    unpacked: u64,
}

/// Counts the bytes that are read from an input.
struct CountingReader<R> {
    input: R,
    count: Arc<AtomicU64>,
}

/// Maximum ratio of decompressed to compressed size. Gzip compresses a log by a factor of 10 to 30,
/// and a hostile file of one repeated byte by a factor of 1,000.
const MAX_COMPRESSION_RATIO: u64 = 300;
/// Decompressed size in bytes up to which the ratio is not checked.
const UNCHECKED_SIZE: u64 = 64 * 1024 * 1024;

impl<R: Read> Decompressed<R> {
    fn new(input: R) -> Self {
        let packed = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&packed);
        let input = BufReader::with_capacity(BUFFER, CountingReader { input, count });
        Self { decoder: MultiGzDecoder::new(input), packed, unpacked: 0 }
    }
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(into)?;
        self.unpacked += count as u64;
        let packed = self.packed.load(Ordering::Relaxed);
        if self.unpacked > UNCHECKED_SIZE && self.unpacked / MAX_COMPRESSION_RATIO > packed {
            let message =
                "the file unpacks to more than 300 times its size, so it is not an access log";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(count)
    }
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl<R: BufRead> Lines<R> {
    /// Creates a reader for the lines of an input.
    pub fn new(input: R) -> Self {
        Self { input, line: Vec::with_capacity(1024), offset: 0, number: 0, content: Xxh3::new() }
    }

    /// Returns the beginning of the input without consuming it. A short input is returned
    /// completely.
    pub fn peek(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    /// Reads the next line. Returns `None` at the end of the input.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        self.read_up_to(MAX_LINE_LENGTH + 2)?;
        let Some(last) = self.line.last() else {
            return Ok(None);
        };
        if *last == b'\n' {
            self.finish_line();
            return Ok(Some(Line::Whole(trimmed(&self.line))));
        }
        if self.line.len() < MAX_LINE_LENGTH + 2 {
            return Ok(Some(Line::Unfinished(trimmed(&self.line))));
        }
        while self.line.last().is_some_and(|last| *last != b'\n') {
            self.skip_part();
            self.read_up_to(BUFFER)?;
        }
        self.finish_line();
        Ok(Some(Line::TooLong))
    }

    /// Treats the incomplete last line as complete.
    pub fn accept_unfinished(&mut self) -> &[u8] {
        self.finish_line();
        trimmed(&self.line)
    }

    /// Returns the number of the last line read, starting at 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of bytes in all lines read so far, except an incomplete last line.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns a fingerprint of these bytes (XXH3 with 128 bits).
    pub fn fingerprint(&self) -> u128 {
        self.content.digest128()
    }

    fn read_up_to(&mut self, max: usize) -> io::Result<()> {
        let mut part = (&mut self.input).take(max as u64);
        part.read_until(b'\n', &mut self.line).map(drop)
    }

    fn finish_line(&mut self) {
        self.number += 1;
        self.content.update(&self.line);
        self.offset += self.line.len() as u64;
    }

    fn skip_part(&mut self) {
        self.content.update(&self.line);
        self.offset += self.line.len() as u64;
        self.line.clear();
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::read::GzEncoder;

    use super::*;

    #[test]
    fn a_decompression_bomb_is_rejected() {
        let bomb = GzEncoder::new(io::repeat(b'a'), Compression::best());
        let (mut input, is_packed) = input(bomb).unwrap();
        assert!(is_packed);
        let error = io::copy(&mut input, &mut io::sink()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
    }
}
