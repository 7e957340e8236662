//! The length of Ogg Vorbis and Opus files (RFC 3533, RFC 7845).
//!
//! The last page tells how many samples the stream has. It is looked for in the last pages only;
//! a tag library searches backwards until it finds one, through gigabytes of a damaged file.

use std::fs::File;
use std::io::{self, Read, Seek};

use super::bounded::{read_at, reader};

/// The longest page: a head of 27 bytes, 255 lengths, 255 times 255 bytes.
const PAGE: u64 = 27 + 255 + 255 * 255;

/// How a stream counts its samples.
struct Clock {
    samples_per_second: u32,
    /// Samples at the start that are decoded and not played.
    pre_skip: u64,
}

/// The length in seconds; none when no page of the stream ends the file.
pub(super) fn duration(file: &File, bytes: u64) -> io::Result<Option<f64>> {
    let mut reader = reader(file)?;
    let head = read_at(&mut reader, 0, PAGE)?;
    let Some((page, clock)) = Page::at(&head).and_then(|page| Some((page, Clock::of(&head)?)))
    else {
        return Ok(None);
    };
    let samples = last_granule(&mut reader, bytes, page.serial)?
        .and_then(|granule| granule.checked_sub(clock.pre_skip));
    Ok(samples
        .filter(|samples| *samples > 0 && clock.samples_per_second > 0)
        .map(|samples| samples as f64 / f64::from(clock.samples_per_second)))
}

/// The position in samples that the stream's last page ends at.
fn last_granule(
    reader: &mut (impl Read + Seek),
    bytes: u64,
    serial: u32,
) -> io::Result<Option<u64>> {
    // Two pages, so that a last one which is cut off leaves the one before it.
    let tail = read_at(reader, bytes.saturating_sub(2 * PAGE), 2 * PAGE)?;
    Ok((0..tail.len()).rev().find_map(|at| {
        let page = Page::at(tail.get(at..)?)?;
        // All bits set: no packet ends on this page.
        (page.serial == serial && page.granule != u64::MAX).then_some(page.granule)
    }))
}

struct Page {
    granule: u64,
    serial: u32,
}

impl Page {
    fn at(bytes: &[u8]) -> Option<Self> {
        if !bytes.starts_with(b"OggS\0") {
            return None;
        }
        Some(Self {
            granule: u64::from_le_bytes(*bytes.get(6..)?.first_chunk()?),
            serial: u32::from_le_bytes(*bytes.get(14..)?.first_chunk()?),
        })
    }
}

impl Clock {
    /// Reads the identification header, which is alone on the first page.
    fn of(head: &[u8]) -> Option<Self> {
        let packet = head.get(27 + usize::from(*head.get(26)?)..)?;
        if packet.starts_with(b"OpusHead") {
            return Some(Self {
                samples_per_second: 48_000,
                pre_skip: u64::from(u16::from_le_bytes(*packet.get(10..)?.first_chunk()?)),
            });
        }
        if packet.starts_with(b"\x01vorbis") {
            return Some(Self {
                samples_per_second: u32::from_le_bytes(*packet.get(12..)?.first_chunk()?),
                pre_skip: 0,
            });
        }
        None
    }
}
