//! The frames of existing ID3v2 tags that remain, converted to version 2.3.
//!
//! Large frames are not read, so a cover of any size takes no memory.

use std::collections::HashSet;
use std::io::{Cursor, Read, Seek};
use std::ops::Range;

use media_facts::synchronise;

use super::id3_format::{Frame, Head, heads};
use super::id3_frames::header;
use super::layout::{Layout, parse_syncsafe};
use super::{id3_v24, id3v1};
use crate::bytes::{be_u32, read_at, read_whole};
use crate::refusal::Result;
use crate::tagged::Tagged;
use crate::tags::Tags;

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
            let frames = media_facts::id3_v22::frames(&bytes);
            return Ok(frames.iter().map(|(id, body)| Frame::of(*id, body)).collect());
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
        b"CHAP" | b"CTOC" => tags.replaces_chapters(),
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
