//! Readers that stop a parser before it reads a whole file, and small reads at a position.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// What one parser may read of one file, in bytes. Cover art and tags of tens of megabytes exist.
const BUDGET: u64 = 64 << 20;

/// The price of a call beside its bytes, so that a parser that seeks in circles stops too.
const CALL: u64 = 64;

/// A file from its start, buffered, of which no more than a budget can be read.
pub(super) fn reader(file: &File) -> io::Result<BufReader<Bounded<&File>>> {
    let mut file = file;
    file.rewind()?;
    Ok(BufReader::new(Bounded::new(file, BUDGET)))
}

/// A reader with a budget.
pub(super) struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R> Bounded<R> {
    /// A reader that returns at most `budget` bytes.
    pub(super) fn new(inner: R, budget: u64) -> Self {
        Self { inner, left: budget }
    }

    fn pay(&mut self, bytes: u64) -> io::Result<()> {
        self.left = self
            .left
            .checked_sub(bytes + CALL)
            .ok_or_else(|| io::Error::other("its headers are too large"))?;
        Ok(())
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.pay(0)?;
        let read = self.inner.read(buffer)?;
        self.pay(read as u64)?;
        Ok(read)
    }
}

impl<R: Seek> Seek for Bounded<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.pay(0)?;
        self.inner.seek(to)
    }
}

/// Up to `most` bytes from a position; fewer where the file ends.
pub(super) fn read_at(
    reader: &mut (impl Read + Seek),
    position: u64,
    most: u64,
) -> io::Result<Vec<u8>> {
    reader.seek(SeekFrom::Start(position))?;
    // So that one call reads all of a small part.
    let mut bytes = Vec::with_capacity(usize::try_from(most.min(64 << 10)).unwrap_or(0));
    reader.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The big-endian `u32` at an offset, where there is one.
pub(super) fn be_u32(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_be_bytes(*bytes))
}

/// The big-endian `u64` at an offset, where there is one.
pub(super) fn be_u64(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u64::from_be_bytes(*bytes))
}
