//! Readers that stop a parser before it reads a whole file, and small reads at a position.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

/// Maximum number of bytes that one parser may read of one file. Cover art and tags of tens of
/// megabytes exist.
const BUDGET: u64 = 64 << 20;

/// Cost of a call in addition to its bytes, so that a parser that seeks in circles stops too.
const CALL_COST: u64 = 64;

/// Returns a buffered reader of a file from its start, which reads no more than a budget.
pub(super) fn reader(file: &File) -> io::Result<BufReader<BudgetReader<&File>>> {
    let mut file = file;
    file.rewind()?;
    Ok(BufReader::new(BudgetReader::new(file, BUDGET)))
}

/// A reader with a budget.
pub(super) struct BudgetReader<R> {
    inner: R,
    budget_left: u64,
}

impl<R> BudgetReader<R> {
    /// Creates a reader that returns at most `budget` bytes.
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

/// Reads up to `most` bytes from a position, or fewer if the file ends.
pub(super) fn read_at(
    reader: &mut (impl Read + Seek),
    position: u64,
    most: u64,
) -> io::Result<Vec<u8>> {
    reader.seek(SeekFrom::Start(position))?;
    // With this capacity, one call reads all of a small part.
    let mut bytes = Vec::with_capacity(usize::try_from(most.min(64 << 10)).unwrap_or(0));
    reader.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the big-endian `u32` at an offset, or None if the bytes end before that.
pub(super) fn be_u32(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_be_bytes(*bytes))
}

/// Returns the big-endian `u64` at an offset, or None if the bytes end before that.
pub(super) fn be_u64(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u64::from_be_bytes(*bytes))
}
