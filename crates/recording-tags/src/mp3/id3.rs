//! The frames of existing ID3v2 tags that remain, converted to version 2.4.
//!
//! The bodies of frames are not read, so a cover of any size takes no memory.

use std::collections::HashSet;
use std::io::{Cursor, Read, Seek};
use std::ops::Range;

use super::id3_frames::header;
use super::id3_v22;
use super::layout::parse_syncsafe;
use crate::bytes::{be_u32, read_at, read_whole};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;
use crate::tags::Tags;

/// Maximum number of frames in all tags.
const MAX_FRAMES: usize = 20_000;

/// Number of bytes of a frame that decide whether it is replaced: encoding, language, description.
const PREFIX_BYTES: u64 = 64;

/// Flags of a frame, in the second byte.
const UNSYNCHRONISED: u8 = 0x02;

/// Returns the frames to keep. If several tags contain a frame, the first tag's frame remains.
pub(super) fn kept_frames(
    source: &mut (impl Read + Seek),
    tags_in_file: &[Range<u64>],
    tags: &Tags,
) -> Result<Tagged> {
    let mut kept = Tagged::default();
    let mut known_ids: HashSet<[u8; 4]> = HashSet::new();
    let mut frames_left = MAX_FRAMES;
    for span in tags_in_file {
        let mut ids = Vec::new();
        for frame in Tag::open(source, span.clone())?.frames(source, tags, &mut frames_left)? {
            if !known_ids.contains(&frame.id) {
                ids.push(frame.id);
                kept.append(frame.content);
            }
        }
        known_ids.extend(ids);
    }
    Ok(kept)
}

/// A frame of version 2.4, with its header.
pub(super) struct Frame {
    pub(super) id: [u8; 4],
    pub(super) content: Tagged,
}

/// A tag in the file.
struct Tag {
    version: u8,
    is_unsynchronised: bool,
    /// The range of the frames.
    frames: Range<u64>,
    /// The frames without unsynchronisation, or of version 2.2. Otherwise, they are in the file.
    memory: Option<Vec<u8>>,
}

impl Tag {
    fn open(source: &mut (impl Read + Seek), span: Range<u64>) -> Result<Self> {
        let head = read_at(source, span.start, 14)?;
        let (version, flags) = match head[..] {
            [b'I', b'D', b'3', version @ 2..=4, _, flags, ..] => (version, flags),
            // An appended tag ends with a footer, and usually starts with a header.
            _ => return Ok(Self::empty()),
        };
        let is_unsynchronised = flags & 0x80 != 0;
        let has_extension = version > 2 && flags & 0x40 != 0;
        let extension = match (version, head.get(10..14)) {
            (3, Some(_)) if has_extension => 4 + be_u32(&head, 10).unwrap_or(0),
            (4, Some(size)) if has_extension => parse_syncsafe(size),
            _ => 0,
        };
        let frames = span.start + 10..span.end;
        let mut tag = Self { version, is_unsynchronised, frames, memory: None };
        if version == 2 || version == 3 && is_unsynchronised {
            let length = tag.frames.end - tag.frames.start;
            let bytes = read_whole(source, tag.frames.start, length, "its old tags")?;
            let bytes = if is_unsynchronised { synchronise(&bytes) } else { bytes };
            tag.frames = 0..bytes.len() as u64;
            tag.memory = Some(bytes);
        }
        tag.frames.start += u64::from(extension);
        Ok(tag)
    }

    fn empty() -> Self {
        Self { version: 4, is_unsynchronised: false, frames: 0..0, memory: None }
    }

    fn frames(
        &self,
        source: &mut (impl Read + Seek),
        tags: &Tags,
        frames_left: &mut usize,
    ) -> Result<Vec<Frame>> {
        let walk = Walk { tag: self, tags: Some(tags) };
        match &self.memory {
            Some(bytes) if self.version == 2 => {
                Ok(id3_v22::frames(bytes, |id, body| is_replaced(id, body, tags)))
            }
            Some(bytes) => walk.frames(&mut Cursor::new(bytes), self.frames.clone(), frames_left),
            None => walk.frames(source, self.frames.clone(), frames_left),
        }
    }
}

/// A pass over the frames of a tag, or of a chapter.
struct Walk<'t> {
    tag: &'t Tag,
    /// The new values, which replace frames. None inside a chapter.
    tags: Option<&'t Tags>,
}

impl Walk<'_> {
    fn frames(
        &self,
        source: &mut (impl Read + Seek),
        span: Range<u64>,
        frames_left: &mut usize,
    ) -> Result<Vec<Frame>> {
        let mut frames = Vec::new();
        let mut position = span.start;
        while position + 10 <= span.end {
            let head = read_at(source, position, 10)?;
            let Some(id) = head.first_chunk::<4>().filter(|id| is_id(*id)).copied() else {
                break;
            };
            let body = position + 10;
            let body = body..body + self.size(source, &head, body..span.end)?;
            if body.end > span.end {
                break;
            }
            position = body.end;
            *frames_left =
                frames_left.checked_sub(1).ok_or(Refusal::Damaged("it has too many tags"))?;
            let prefix = read_at(source, body.start, PREFIX_BYTES.min(body.end - body.start))?;
            if self.tags.is_some_and(|tags| is_replaced(&id, &prefix, tags)) {
                continue;
            }
            if let Some(flags) = self.flags([head[8], head[9]])
                && let Some(content) = self.content(source, &id, body, frames_left)?
            {
                let size = u32::try_from(content.len()).unwrap_or(u32::MAX);
                let mut whole = Tagged::default();
                whole.push_bytes(&header(&id, size, flags));
                whole.append(content);
                frames.push(Frame { id, content: whole });
            }
        }
        Ok(frames)
    }

    /// Returns the size of a frame. Some programs wrote sizes of version 2.4 as in version 2.3.
    fn size(&self, source: &mut (impl Read + Seek), head: &[u8], rest: Range<u64>) -> Result<u64> {
        let plain = u64::from(be_u32(head, 4).unwrap_or(0));
        let syncsafe = u64::from(parse_syncsafe(&head[4..8]));
        if self.tag.version == 3 || plain == syncsafe {
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

    /// Returns the flags of version 2.4. Returns None if the frame is compressed, encrypted or
    /// grouped in the format of version 2.3, which no common program writes.
    fn flags(&self, [status, format]: [u8; 2]) -> Option<[u8; 2]> {
        match self.tag.version {
            3 => (format & 0xe0 == 0).then_some([status >> 1 & 0x70, 0]),
            _ if self.tag.is_unsynchronised => Some([status, format | UNSYNCHRONISED]),
            _ => Some([status, format]),
        }
    }

    /// Returns the body of a frame. The frames inside a chapter of version 2.3 are converted.
    fn content(
        &self,
        source: &mut (impl Read + Seek),
        id: &[u8; 4],
        body: Range<u64>,
        frames_left: &mut usize,
    ) -> Result<Option<Tagged>> {
        let mut content = Tagged::default();
        let inner = match id {
            b"CHAP" | b"CTOC" if self.tag.version == 3 && self.tags.is_some() => {
                inner_start(source, id, body.clone())?
            }
            // A chapter cannot contain chapters.
            b"CHAP" | b"CTOC" if self.tag.version == 3 => return Ok(None),
            _ => body.end,
        };
        self.push(&mut content, body.start..inner);
        let walk = Walk { tag: self.tag, tags: None };
        for frame in walk.frames(source, inner..body.end, frames_left)? {
            content.append(frame.content);
        }
        Ok(Some(content))
    }

    fn push(&self, content: &mut Tagged, range: Range<u64>) {
        match &self.tag.memory {
            Some(bytes) => content.push_bytes(&bytes[range.start as usize..range.end as usize]),
            None => content.push_source(range),
        }
    }
}

/// Returns the position of the frames inside a chapter or a table of contents.
fn inner_start(source: &mut (impl Read + Seek), id: &[u8; 4], body: Range<u64>) -> Result<u64> {
    /// Maximum size of the part before the frames: ids of 255 chapters.
    const MAX_HEAD_BYTES: u64 = 64 << 10;
    let head = read_at(source, body.start, MAX_HEAD_BYTES.min(body.end - body.start))?;
    let after_zero = |at: usize| {
        let zero = head.get(at..)?.iter().position(|byte| *byte == 0)?;
        Some(at + zero + 1)
    };
    let start = after_zero(0).and_then(|at| match id {
        b"CHAP" => Some(at + 16),
        _ => (0..*head.get(at + 1)?).try_fold(at + 2, |at, _| after_zero(at)),
    });
    Ok(start.map_or(body.end, |start| (body.start + start as u64).min(body.end)))
}

fn is_id(id: &[u8; 4]) -> bool {
    id.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Returns whether a new value replaces a frame. `prefix` contains the start of its body.
pub(super) fn is_replaced(id: &[u8; 4], prefix: &[u8], tags: &Tags) -> bool {
    match id {
        b"TIT2" => tags.title.is_some(),
        b"TALB" => tags.show.is_some(),
        b"TPE1" | b"TIPL" | b"IPLS" => !tags.people.is_empty(),
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
        // Comments with a description belong to programs, such as the gapless data of iTunes.
        b"COMM" => tags.description.is_some() && has_no_description(prefix),
        _ => false,
    }
}

/// Returns whether a comment has an empty description. An encoding byte and a language precede it.
fn has_no_description(comment: &[u8]) -> bool {
    let rest = comment.get(4..).unwrap_or_default();
    match comment.first() {
        Some(1) => matches!(rest, [0xff, 0xfe, 0, 0, ..] | [0xfe, 0xff, 0, 0, ..] | [0, 0, ..]),
        Some(2) => rest.starts_with(&[0, 0]),
        _ => matches!(rest, [] | [0, ..]),
    }
}

/// Reverses unsynchronisation, which adds a zero byte after 0xff.
fn synchronise(bytes: &[u8]) -> Vec<u8> {
    let mut previous = 0;
    let is_original = |byte: &u8| {
        let is_added = *byte == 0 && previous == 0xff;
        previous = *byte;
        !is_added
    };
    bytes.iter().copied().filter(is_original).collect()
}
