//! MP3 files (ISO/IEC 11172-3 and 13818-3) with ID3v2 tags at the start and other tags at the end.

mod ape;
mod id3;
mod id3_frames;
mod id3_text;
mod id3_v22;
mod id3_v24;
mod id3v1;
mod layout;

use std::io::{Read, Seek};

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
        Some(_) if extension.eq_ignore_ascii_case("mp3") && !window.starts_with(b"RIFF") => {}
        _ if extension.eq_ignore_ascii_case("mp3") => return Err(Refusal::NoAudio),
        _ => return Err(Refusal::Format),
    }
    let mut frames = Tagged::default();
    frames.push_bytes(&id3_frames::encode(tags));
    frames.append(id3::kept_frames(source, &layout, tags)?);
    let mut tagged = Tagged::default();
    if !frames.is_empty() {
        let size = u32::try_from(frames.len()).ok().filter(|size| *size < 1 << 28);
        let size = size.ok_or(Refusal::TooLarge("its tags"))?;
        tagged.push_bytes(b"ID3\x03\0\0");
        tagged.push_bytes(&layout::syncsafe(size));
    }
    tagged.append(frames);
    tagged.push_source(layout.audio);
    if let Some(ape) = layout.ape {
        tagged.append(ape::kept_items(source, ape, tags)?);
    }
    Ok(tagged)
}
