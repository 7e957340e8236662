//! Readers that limit how much of a file a parser can read, and helpers that read a few bytes at a
//! position.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// Maximum number of bytes that one parser can read from one file. The limit allows for cover art
/// and tags of tens of megabytes.
const BUDGET: u64 = 64 << 20;

/// Each call counts as this many bytes, in addition to the bytes that it reads. This also stops a
/// parser that seeks in circles.
const CALL_COST: u64 = 64;

/// Returns a buffered reader that starts at the beginning of the file, and fails after [`BUDGET`]
/// bytes.
pub(super) fn reader(file: &File) -> io::Result<BufReader<BudgetReader<&File>>> {
    let mut file = file;
    file.rewind()?;
    Ok(BufReader::new(BudgetReader::new(file, BUDGET)))
}

/// A reader that fails when its budget is used up.
pub(super) struct BudgetReader<R> {
    inner: R,
    budget_left: u64,
}

impl<R> BudgetReader<R> {
    /// Creates a reader for at most `budget` bytes.
    pub(super) fn new(inner: R, budget: u64) -> Self {
        Self { inner, budget_left: budget }
    }

    fn spend(&mut self, bytes: u64) -> io::Result<()> {
        self.budget_left = self
            .budget_left
            .checked_sub(bytes + CALL_COST)
            .ok_or_else(|| io::Error::other("its headers are too large"))?;
        Ok(())
    }
}

impl<R: Read> Read for BudgetReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.spend(0)?;
        let read = self.inner.read(buffer)?;
        self.spend(read as u64)?;
        Ok(read)
    }
}

impl<R: Seek> Seek for BudgetReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.spend(0)?;
        self.inner.seek(to)
    }
}

/// Reads up to `most` bytes from a position. Returns fewer bytes if the file ends.
pub(super) fn read_at(
    reader: &mut (impl Read + Seek),
    position: u64,
    most: u64,
) -> io::Result<Vec<u8>> {
    reader.seek(SeekFrom::Start(position))?;
    // With this capacity, a single call reads a small range completely.
    let mut bytes = Vec::with_capacity(usize::try_from(most.min(64 << 10)).unwrap_or(0));
    reader.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the big-endian `u32` at an offset, or None if there are too few bytes.
pub(super) fn be_u32(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_be_bytes(*bytes))
}

/// Returns the big-endian `u64` at an offset, or None if there are too few bytes.
pub(super) fn be_u64(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u64::from_be_bytes(*bytes))
}
