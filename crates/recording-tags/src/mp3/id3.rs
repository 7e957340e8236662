//! The frames of existing ID3v2 tags that remain, converted to version 2.3.
//!
//! Large frames are not read, so a cover of any size takes no memory.

use std::collections::HashSet;
use std::io::{Cursor, Read, Seek};
use std::ops::Range;

use super::id3_frames::header;
use super::layout::{Layout, parse_syncsafe};
use super::{id3_v22, id3_v24, id3v1};
use crate::bytes::{be_u32, read_at, read_whole};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;
use crate::tags::Tags;

/// Maximum number of frames in a tag.
const MAX_FRAMES: usize = 20_000;

/// Returns the frames to keep. If several tags contain a frame, the first tag's frame remains.
pub(super) fn kept_frames(
    source: &mut (impl Read + Seek),
    layout: &Layout,
    tags: &Tags,
) -> Result<Tagged> {
    let mut kept = Tagged::default();
    let mut known_ids: HashSet<[u8; 4]> = HashSet::new();
    let mut found = Vec::new();
    for span in &layout.id3 {
        found.push(frames(source, span.clone(), tags)?);
    }
    if let Some(start) = layout.id3v1.filter(|_| found.is_empty()) {
        found.push(id3v1::frames(source, start)?);
    }
    for mut frames in found {
        frames.retain(|frame| !known_ids.contains(&frame.id));
        known_ids.extend(frames.iter().map(|frame| frame.id));
        for frame in frames {
            if !is_replaced(&frame.id, tags) && !is_replaced_comment(source, &frame, tags)? {
                let size = u32::try_from(frame.body.len()).unwrap_or(u32::MAX);
                kept.push_bytes(&header(&frame.id, size, frame.flags));
                kept.append(frame.body);
            }
        }
    }
    Ok(kept)
}

/// A frame of version 2.3.
pub(super) struct Frame {
    pub(super) id: [u8; 4],
    pub(super) flags: [u8; 2],
    pub(super) body: Tagged,
}

impl Frame {
    pub(super) fn of(id: [u8; 4], bytes: &[u8]) -> Self {
        let mut body = Tagged::default();
        body.push_bytes(bytes);
        Self { id, flags: [0, 0], body }
    }
}

/// Returns the frames of a tag, at least those that are not replaced.
fn frames(source: &mut (impl Read + Seek), span: Range<u64>, tags: &Tags) -> Result<Vec<Frame>> {
    let head = read_at(source, span.start, 14)?;
    let [b'I', b'D', b'3', version, _, flags, ..] = head[..] else {
        return Ok(Vec::new());
    };
    let is_unsynchronised = flags & 0x80 != 0;
    let extension = match (version, head.get(10..14)) {
        _ if flags & 0x40 == 0 => 0,
        (3, Some(_)) => 4 + u64::from(be_u32(&head, 10).unwrap_or(0)),
        (4, Some(size)) => u64::from(parse_syncsafe(size)),
        _ => 0,
    };
    let body = span.start + 10..span.end;
    if version == 2 || version == 3 && is_unsynchronised {
        let bytes = read_whole(source, body.start, body.end - body.start, "its old tags")?;
        let bytes = if is_unsynchronised { synchronise(&bytes) } else { bytes };
        if version == 2 {
            return Ok(id3_v22::frames(&bytes));
        }
        let heads = heads(&mut Cursor::new(&bytes), extension..bytes.len() as u64, 3)?;
        let content = |head: &Head| &bytes[head.body.start as usize..head.body.end as usize];
        let frame = |head: Head| Frame { flags: head.flags, ..Frame::of(head.id, content(&head)) };
        return Ok(heads.into_iter().map(frame).collect());
    }
    let mut frames = Vec::new();
    for head in heads(source, body.start + extension..body.end, version)? {
        if is_replaced(&head.id, tags) {
            continue;
        }
        if version == 4 {
            frames.extend(id3_v24::convert(source, head, is_unsynchronised)?);
        } else {
            let mut body = Tagged::default();
            body.push_source(head.body);
            frames.push(Frame { id: head.id, flags: head.flags, body });
        }
    }
    Ok(frames)
}

/// The header of a frame in the file, and the range of its body.
pub(super) struct Head {
    pub(super) id: [u8; 4],
    pub(super) flags: [u8; 2],
    pub(super) body: Range<u64>,
}

/// Returns the headers of all frames in a range. Ends at padding, and at a damaged frame.
pub(super) fn heads(
    source: &mut (impl Read + Seek),
    span: Range<u64>,
    version: u8,
) -> Result<Vec<Head>> {
    let mut heads = Vec::new();
    let mut position = span.start;
    while position + 10 <= span.end && matches!(version, 3 | 4) {
        let head = read_at(source, position, 10)?;
        let Some(id) = head.first_chunk::<4>().filter(|id| is_id(id)).copied() else {
            break;
        };
        let start = position + 10;
        let end = start + size(source, &head, start..span.end, version)?;
        if end > span.end {
            break;
        }
        if heads.len() == MAX_FRAMES {
            return Err(Refusal::Damaged("it has too many tags"));
        }
        heads.push(Head { id, flags: [head[8], head[9]], body: start..end });
        position = end;
    }
    Ok(heads)
}

/// Returns the size of a frame. Some programs wrote sizes of version 2.4 as in version 2.3.
fn size(
    source: &mut (impl Read + Seek),
    head: &[u8],
    rest: Range<u64>,
    version: u8,
) -> Result<u64> {
    let plain = u64::from(be_u32(head, 4).unwrap_or(0));
    let syncsafe = u64::from(parse_syncsafe(&head[4..8]));
    if version == 3 || plain == syncsafe {
        return Ok(plain);
    }
    let mut fits = |size: u64| {
        let end = rest.start + size;
        if end >= rest.end {
            return Ok(end == rest.end);
        }
        let next = read_at(source, end, 4.min(rest.end - end))?;
        let is_padding = next.iter().all(|byte| *byte == 0);
        Ok::<_, Refusal>(is_padding || next.first_chunk().is_some_and(is_id))
    };
    Ok(if !fits(syncsafe)? && fits(plain)? { plain } else { syncsafe })
}

fn is_id(id: &[u8; 4]) -> bool {
    id.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Returns whether new values replace all frames with this id.
fn is_replaced(id: &[u8; 4], tags: &Tags) -> bool {
    match id {
        b"TIT2" => tags.title.is_some(),
        b"TALB" => tags.show.is_some(),
        b"TPE1" | b"TIPL" | b"TMCL" | b"IPLS" => !tags.people.is_empty(),
        b"TRCK" => tags.number.is_some(),
        b"TPOS" => tags.season.is_some(),
        b"TDRC" | b"TDRL" | b"TYER" | b"TDAT" | b"TIME" => tags.date.is_some(),
        b"TLAN" => tags.language_code().is_some(),
        b"TPUB" => tags.publisher.is_some(),
        b"TCOP" => tags.copyright.is_some(),
        b"TCON" => tags.genre.is_some(),
        b"WOAF" => tags.address.is_some(),
        b"APIC" => tags.cover.is_some(),
        b"CHAP" | b"CTOC" => !tags.chapters.is_empty(),
        b"USLT" => tags.lyrics.is_some(),
        _ => false,
    }
}

/// Returns whether the new description replaces a comment: its own description is empty. Other
/// comments belong to programs, such as the gapless data of iTunes.
fn is_replaced_comment(
    source: &mut (impl Read + Seek),
    frame: &Frame,
    tags: &Tags,
) -> Result<bool> {
    if &frame.id != b"COMM" || tags.description.is_none() {
        return Ok(false);
    }
    // The encoding and the language precede the description.
    let mut start = Vec::new();
    Tagged::reader(&frame.body, source).take(8).read_to_end(&mut start)?;
    let description = start.get(4..).unwrap_or_default();
    Ok(match start.first() {
        Some(1) => matches!(description, [0xff, 0xfe, 0, 0] | [0xfe, 0xff, 0, 0] | [0, 0, ..]),
        _ => matches!(description, [] | [0, ..]),
    })
}

/// Reverses unsynchronisation, which adds a zero byte after 0xff.
pub(super) fn synchronise(bytes: &[u8]) -> Vec<u8> {
    let mut previous = 0;
    let is_original = |byte: &u8| {
        let is_added = *byte == 0 && previous == 0xff;
        previous = *byte;
        !is_added
    };
    bytes.iter().copied().filter(is_original).collect()
}
