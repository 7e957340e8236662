//! Reads parts of a file into memory.

use std::io::{self, Read, Seek, SeekFrom};

use crate::refusal::{Refusal, Result};

/// Returns the size of the file.
pub(crate) fn size(source: &mut impl Seek) -> io::Result<u64> {
    source.seek(SeekFrom::End(0))
}

/// Reads up to `most` bytes from a position. Returns fewer bytes if the file ends.
pub(crate) fn read_at(
    source: &mut (impl Read + Seek),
    position: u64,
    most: u64,
) -> io::Result<Vec<u8>> {
    source.seek(SeekFrom::Start(position))?;
    let mut bytes = Vec::with_capacity(usize::try_from(most.min(64 << 10)).unwrap_or(0));
    source.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a part of the file that must fit in memory. `what` names the part in the error.
pub(crate) fn read_whole(
    source: &mut (impl Read + Seek),
    position: u64,
    length: u64,
    what: &'static str,
) -> Result<Vec<u8>> {
    if length > crate::MAX_BYTES {
        return Err(Refusal::TooLarge(what).at(position));
    }
    let bytes = read_at(source, position, length)?;
    if (bytes.len() as u64) < length { Err(Refusal::CutOff(what).at(position)) } else { Ok(bytes) }
}

pub(crate) fn be_u32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(crate) fn le_u32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(crate) fn be_u64(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_be_bytes(*bytes.get(at..)?.first_chunk()?))
}
