//! MP3 files (ISO/IEC 11172-3 and 13818-3) with ID3v2 tags at the start and other tags at the end.

mod ape;
mod cut;
mod id3;
mod id3_format;
mod id3_frames;
mod id3_text;
mod id3_v24;
mod id3v1;
mod layout;

use std::io::{Read, Seek};
use std::ops::Range;

use media_facts::mpeg_audio;

use crate::bytes::read_at;
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;
use crate::tags::Tags;
use layout::Layout;

/// Number of bytes after the tags in which to search for the first frame.
const MAX_SEARCH_BYTES: u64 = 64 << 10;

/// Returns the published form of an MP3 file.
pub(crate) fn tagged(
    source: &mut (impl Read + Seek),
    extension: &str,
    tags: &Tags,
) -> Result<Tagged> {
    let layout = Layout::of(source)?;
    let (start, end) = (layout.audio.start, layout.audio.end);
    let window = read_at(source, start, MAX_SEARCH_BYTES.min(end - start))?;
    match mpeg_audio::first_frame(&window) {
        Some(0) => {}
        _ if window.starts_with(b"RIFF") => return Err(Refusal::Riff.at(start)),
        Some(_) if extension.eq_ignore_ascii_case("mp3") => {}
        None if extension.eq_ignore_ascii_case("mp3") => return Err(Refusal::NoAudio.at(start)),
        _ => return Err(Refusal::format(&window).at(start)),
    }
    let mut frames = Tagged::default();
    frames.push_bytes(&id3_frames::encode(tags));
    frames.append(id3::kept_frames(source, &layout, tags)?);
    let mut tagged = with_header(frames)?;
    tagged.push_source(layout.audio);
    if let Some(ape) = layout.ape {
        tagged.append(ape::kept_items(source, ape, tags)?);
    }
    Ok(tagged)
}

/// Returns a part of an MP3 file, with new tags only.
pub(crate) fn cut(
    source: &mut (impl Read + Seek),
    span: &Range<u64>,
    tags: &Tags,
) -> Result<Tagged> {
    let mut frames = Tagged::default();
    frames.push_bytes(&id3_frames::encode(tags));
    let mut clip = with_header(frames)?;
    clip.append(cut::frames(source, span)?);
    Ok(clip)
}

/// Returns a tag with these frames.
fn with_header(frames: Tagged) -> Result<Tagged> {
    let mut tag = Tagged::default();
    if !frames.is_empty() {
        let size = u32::try_from(frames.len()).ok().filter(|size| *size < 1 << 28);
        tag.push_bytes(b"ID3\x03\0\0");
        tag.push_bytes(&layout::syncsafe(size.ok_or(Refusal::TooLarge("its tags"))?));
    }
    tag.append(frames);
    Ok(tag)
}
