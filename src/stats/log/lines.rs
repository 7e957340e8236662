//! The lines of a log of any size, plain or gzip.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use xxhash_rust::xxh3::Xxh3;

/// Longest line in bytes: no server writes longer ones, and one may be a file of another kind.
const LONGEST: usize = 64 * 1024;
const BUFFER: usize = 256 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub enum Line<'l> {
    /// Its bytes, without what ends it.
    Whole(&'l [u8]),
    /// It was longer than a line of a log can be.
    TooLong,
    /// The input ends in the middle of this one.
    Unfinished(&'l [u8]),
}

/// Reads lines, and keeps a fingerprint of all that it has read.
pub struct Lines<R> {
    input: R,
    line: Vec<u8>,
    offset: u64,
    number: u64,
    content: Xxh3,
}

/// Opens a log, and unpacks it where its first bytes say that it is gzip (RFC 1952). Err where they say that it
/// is packed otherwise. Answers, too, whether it was packed: such a log is not written any more.
pub fn input<'r>(raw: impl Read + Send + 'r) -> io::Result<(Box<dyn BufRead + Send + 'r>, bool)> {
    let mut raw = BufReader::with_capacity(BUFFER, raw);
    let packed = match raw.fill_buf()? {
        [0x1f, 0x8b, ..] => {
            let unpacked = Unpacked::new(raw);
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
            "it is packed with {packed}: unpack it, and give it on standard input to `feedwright stats import -`"
        ),
    ))
}

/// The content of a gzip file. Returns an error if it unpacks to more than any log would.
struct Unpacked<R> {
    decoder: MultiGzDecoder<BufReader<Counted<R>>>,
    packed: Arc<AtomicU64>,
    unpacked: u64,
}

/// Counts the bytes that are read.
struct Counted<R> {
    input: R,
    count: Arc<AtomicU64>,
}

/// Access logs shrink to a tenth or a thirtieth; gzip can shrink the same byte a thousand times over.
const MOST_UNPACKED: u64 = 300;
/// Number of bytes up to which the ratio is not checked.
const SMALL: u64 = 64 * 1024 * 1024;

impl<R: Read> Unpacked<R> {
    fn new(input: R) -> Self {
        let packed = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&packed);
        let input = BufReader::with_capacity(BUFFER, Counted { input, count });
        Self { decoder: MultiGzDecoder::new(input), packed, unpacked: 0 }
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(into)?;
        self.unpacked += count as u64;
        let packed = self.packed.load(Ordering::Relaxed);
        if self.unpacked > SMALL && self.unpacked / MOST_UNPACKED > packed {
            let message = "it unpacks to more than 300 times its size, which no log does";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(count)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(into)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl<R: BufRead> Lines<R> {
    /// Reads the lines of this.
    pub fn new(input: R) -> Self {
        Self { input, line: Vec::with_capacity(1024), offset: 0, number: 0, content: Xxh3::new() }
    }

    /// The beginning of the input, which stays unread: some of it, or all where it is short.
    pub fn peek(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    /// The next line. None at the end.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        self.read_up_to(LONGEST + 2)?;
        let Some(last) = self.line.last() else {
            return Ok(None);
        };
        if *last == b'\n' {
            self.settle();
            return Ok(Some(Line::Whole(trimmed(&self.line))));
        }
        if self.line.len() < LONGEST + 2 {
            return Ok(Some(Line::Unfinished(trimmed(&self.line))));
        }
        while self.line.last().is_some_and(|last| *last != b'\n') {
            self.skip_part();
            self.read_up_to(BUFFER)?;
        }
        self.settle();
        Ok(Some(Line::TooLong))
    }

    /// Takes an unfinished line for a whole one.
    pub fn accept_unfinished(&mut self) -> &[u8] {
        self.settle();
        trimmed(&self.line)
    }

    /// The number of the line that was read last, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Bytes of all lines that were read, without one that is unfinished.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// A fingerprint of these bytes (XXH3, 128 bits).
    pub fn fingerprint(&self) -> u128 {
        self.content.digest128()
    }

    fn read_up_to(&mut self, most: usize) -> io::Result<()> {
        let mut part = (&mut self.input).take(most as u64);
        part.read_until(b'\n', &mut self.line).map(drop)
    }

    fn settle(&mut self) {
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
    fn a_log_that_unpacks_without_an_end_is_left() {
        let bomb = GzEncoder::new(io::repeat(b'a'), Compression::best());
        let (mut input, is_packed) = input(bomb).unwrap();
        assert!(is_packed);
        let error = io::copy(&mut input, &mut io::sink()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
    }
}
