//! FLAC files (RFC 9639): metadata blocks, then frames.
//!
//! The positions in a seek table count from the first frame, so they remain valid.

use std::io::{Read, Seek};
use std::ops::Range;

use crate::bytes::{read_at, read_whole, size};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;
use crate::tags::Tags;
use crate::vorbis_comments;

/// Maximum number of metadata blocks.
const MAX_BLOCKS: usize = 1000;

/// Maximum size of a block. Its header has three bytes for it.
const MAX_BLOCK_BYTES: u64 = (1 << 24) - 1;

mod kind {
    pub(super) const STREAM_INFO: u8 = 0;
    pub(super) const PADDING: u8 = 1;
    pub(super) const COMMENTS: u8 = 4;
    pub(super) const PICTURE: u8 = 6;
}

/// Returns the published form of a FLAC file that starts at a position, after other tags.
pub(crate) fn tagged(source: &mut (impl Read + Seek), start: u64, tags: &Tags) -> Result<Tagged> {
    let end = size(source)?;
    let (existing, audio) = blocks(source, start + 4, end)?;
    let Some((info, others)) =
        existing.split_first().filter(|(first, _)| first.0 == kind::STREAM_INFO)
    else {
        return Err(Refusal::Damaged("its first block does not describe the stream").at(start + 4));
    };
    let comments = match others.iter().find(|(kind, _)| *kind == kind::COMMENTS) {
        Some((_, range)) => {
            Some(read_whole(source, range.start, range.end - range.start, "its old tags")?)
        }
        None => None,
    };
    let mut blocks = vec![kept(info)];
    blocks.push(new(kind::COMMENTS, &vorbis_comments::block(comments.as_deref(), tags, None)?));
    if let Some(cover) = &tags.cover {
        blocks.push(new(kind::PICTURE, &vorbis_comments::picture_block(cover)));
    }
    let is_kept = |kind: u8| match kind {
        kind::PADDING | kind::COMMENTS => false,
        kind::PICTURE => tags.cover.is_none(),
        _ => true,
    };
    blocks.extend(others.iter().filter(|(kind, _)| is_kept(*kind)).map(kept));
    let mut tagged = Tagged::default();
    tagged.push_bytes(b"fLaC");
    let last = blocks.len() - 1;
    for (index, (kind, content)) in blocks.into_iter().enumerate() {
        if content.len() > MAX_BLOCK_BYTES {
            return Err(Refusal::TooLarge("its tags"));
        }
        let is_last = if index == last { 0x80 } else { 0 };
        let [_, size @ ..] = (content.len() as u32).to_be_bytes();
        tagged.push_bytes(&[kind | is_last]);
        tagged.push_bytes(&size);
        tagged.append(content);
    }
    tagged.push_source(audio..end);
    Ok(tagged)
}

/// The kind and the content of a block in the file.
type Block = (u8, Range<u64>);

/// Returns the blocks, and the position of the first frame.
fn blocks(source: &mut (impl Read + Seek), start: u64, end: u64) -> Result<(Vec<Block>, u64)> {
    let mut blocks = Vec::new();
    let mut position = start;
    let mut is_last = false;
    while !is_last {
        let head = read_at(source, position, 4)?;
        let [flags, size @ ..] = &head[..] else {
            return Err(Refusal::CutOff("its headers").at(position));
        };
        let size = size.iter().fold(0, |size, byte| size << 8 | u64::from(*byte));
        let content = position + 4..position + 4 + size;
        if content.end > end || blocks.len() == MAX_BLOCKS {
            return Err(Refusal::Damaged("its headers are invalid").at(position));
        }
        is_last = flags & 0x80 != 0;
        position = content.end;
        blocks.push((flags & 0x7f, content));
    }
    match read_at(source, position, 2)?[..] {
        [0xff, second] if second & 0xfe == 0xf8 => Ok((blocks, position)),
        _ => Err(Refusal::NoAudio.at(position)),
    }
}

fn kept((kind, range): &Block) -> (u8, Tagged) {
    let mut content = Tagged::default();
    content.push_source(range.clone());
    (*kind, content)
}

fn new(kind: u8, bytes: &[u8]) -> (u8, Tagged) {
    let mut content = Tagged::default();
    content.push_bytes(bytes);
    (kind, content)
}
