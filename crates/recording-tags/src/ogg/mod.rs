//! Ogg files (RFC 3533) with Vorbis or Opus: the comments are the second packet of a stream.
//!
//! If the new headers need more or fewer pages, the pages after them get new numbers and checksums.
//! A new checksum follows from the old one and the change, so the pages are not read completely.

mod page;

use std::io::{Read, Seek};

use crate::bytes::{read_whole, size};
use crate::refusal::{Refusal, Result};
use crate::tagged::{Patch, Tagged};
use crate::tags::Tags;
use crate::vorbis_comments;
use page::Page;

/// Maximum number of pages to renumber. Each takes 16 bytes of memory.
const MAX_PAGES: usize = 1 << 20;

/// Returns the published form of an Ogg file.
pub(crate) fn tagged(source: &mut (impl Read + Seek), tags: &Tags) -> Result<Tagged> {
    let end = size(source)?;
    let first = Page::at(source, 0, end)?.ok_or_else(|| Refusal::format(b"OggS").at(0))?;
    let codec = Codec::of(&first.content(source)?).map_err(|reason| reason.at(0))?;
    let (packets, audio, old_pages) = headers(source, &first, codec, end)?;
    let mut new_packets = vec![codec.comments(packets.first().map(Vec::as_slice), tags)?];
    new_packets.extend(packets.into_iter().skip(1));
    let (pages, page_count) = page::paginate(&new_packets, first.serial, first.sequence + 1);
    let mut tagged = Tagged::default();
    tagged.push_source(0..first.end());
    tagged.push_bytes(&pages);
    let shift = page_count.wrapping_sub(old_pages);
    if shift == 0 {
        tagged.push_source(audio..end);
    } else {
        tagged.push_patched(audio..end, patches(source, audio, end, first.serial, shift)?);
    }
    Ok(tagged)
}

/// Returns the header packets after the first, the position after their pages, and the number of
/// these pages.
fn headers(
    source: &mut (impl Read + Seek),
    first: &Page,
    codec: Codec,
    end: u64,
) -> Result<(Vec<Vec<u8>>, u64, u32)> {
    let mut packets = Vec::new();
    let mut packet = Vec::new();
    let (mut position, mut count) = (first.end(), 0);
    while packets.len() < codec.header_packets() {
        let page = Page::at(source, position, end)?.ok_or_else(|| Refusal::NoAudio.at(position))?;
        if page.serial != first.serial {
            return Err(Refusal::Unsupported("it contains several streams").at(position));
        }
        let content = page.content(source)?;
        let mut rest = &content[..];
        for length in &page.segments {
            let (segment, after) = rest.split_at(usize::from(*length));
            packet.extend_from_slice(segment);
            rest = after;
            if *length < 255 {
                packets.push(std::mem::take(&mut packet));
            }
        }
        if packet.len() as u64 > crate::MAX_BYTES {
            return Err(Refusal::TooLarge("its old tags").at(position));
        }
        position = page.end();
        count += 1;
    }
    if packets.len() > codec.header_packets() || !packet.is_empty() {
        return Err(Refusal::Damaged("its audio does not start on a new page").at(position));
    }
    Ok((packets, position, count))
}

/// Returns the new numbers and checksums of a stream's pages.
fn patches(
    source: &mut (impl Read + Seek),
    start: u64,
    end: u64,
    serial: u32,
    shift: u32,
) -> Result<Vec<Patch>> {
    let mut patches = Vec::new();
    let mut position = start;
    while position < end {
        let Some(page) = Page::at(source, position, end)? else {
            // Some programs append other tags.
            let trailer = read_whole(source, position, (end - position).min(8), "its last page")?;
            if [&b"TAG"[..], b"APETAGEX", b"ID3"].iter().any(|tag| trailer.starts_with(tag)) {
                break;
            }
            return Err(Refusal::Damaged("one of its pages is damaged").at(position));
        };
        if page.serial == serial {
            if patches.len() == MAX_PAGES {
                return Err(Refusal::Unsupported("it has too many pages"));
            }
            patches.push(page.renumbered(shift));
        }
        position = page.end();
    }
    Ok(patches)
}

#[derive(Clone, Copy)]
enum Codec {
    Vorbis,
    Opus,
}

impl Codec {
    /// Returns the codec that the first packet of a stream describes.
    fn of(packet: &[u8]) -> Result<Self> {
        match packet {
            [1, b'v', b'o', b'r', b'b', b'i', b's', ..] => Ok(Self::Vorbis),
            _ if packet.starts_with(b"OpusHead") => Ok(Self::Opus),
            _ => Err(Refusal::Unsupported("it is not Vorbis or Opus")),
        }
    }

    /// Returns the number of header packets after the first.
    fn header_packets(self) -> usize {
        match self {
            Self::Vorbis => 2,
            Self::Opus => 1,
        }
    }

    /// Returns the packet with new comments.
    fn comments(self, existing: Option<&[u8]>, tags: &Tags) -> Result<Vec<u8>> {
        let (magic, end): (&[u8], &[u8]) = match self {
            Self::Vorbis => (b"\x03vorbis", &[1]),
            Self::Opus => (b"OpusTags", &[]),
        };
        let existing = existing.and_then(|packet| packet.strip_prefix(magic));
        let existing = existing.ok_or(Refusal::Damaged("its comments are missing"))?;
        Ok([magic, &vorbis_comments::block(Some(existing), tags, tags.cover.as_ref())?, end]
            .concat())
    }
}
