//! Frames of ID3v2.3 for new values, including chapters (ID3v2 Chapter Frame Addendum 1.0).
//!
//! Podcast apps read version 2.3 best. ffmpeg, and players that use it, read the sizes of frames
//! inside chapters as in version 2.3, and lose chapters with images of version 2.4.

use super::id3_text;
use crate::tags::{Chapter, Person, Picture, Tags};

/// Maximum number of entries in a table of contents.
const MAX_ENTRIES: usize = 255;

/// Returns the frames for all values.
pub(super) fn encode(tags: &Tags) -> Vec<u8> {
    let mut frames = Vec::new();
    let mut text = |id: &[u8; 4], value: Option<&str>| {
        if let Some(value) = value {
            push(&mut frames, id, &[&id3_text::body(&[], &[value])]);
        }
    };
    let digits = |number: Option<u32>| number.map(|number| number.to_string());
    text(b"TIT2", tags.title.as_deref());
    text(b"TALB", tags.show.as_deref());
    text(b"TPE1", tags.artists().as_deref());
    text(b"TRCK", digits(tags.number).as_deref());
    text(b"TPOS", digits(tags.season).as_deref());
    text(b"TLAN", tags.language_code());
    text(b"TPUB", tags.publisher.as_deref());
    text(b"TCOP", tags.copyright.as_deref());
    text(b"TCON", tags.genre.as_deref());
    push_date(&mut frames, tags.date.as_deref());
    push_roles(&mut frames, &tags.people);
    let language = tags.language_code().unwrap_or("und").as_bytes();
    for (id, value) in [(b"COMM", &tags.description), (b"USLT", &tags.lyrics)] {
        if let Some(value) = value {
            push(&mut frames, id, &[&id3_text::body(language, &["", value])]);
        }
    }
    if let Some(address) = &tags.address {
        push(&mut frames, b"WOAF", &[address.as_bytes()]);
    }
    push_picture(&mut frames, tags.cover.as_ref());
    push_chapters(&mut frames, &tags.chapters);
    frames
}

/// Appends a date as year, day with month, and time. `TDRL`, the date of publication of version
/// 2.4, is also common in version 2.3.
fn push_date(frames: &mut Vec<u8>, date: Option<&str>) {
    let Some(date) = date else { return };
    // A time of ID3 is always in UTC, and has no letter for its time zone.
    let date = date.trim_end_matches('Z');
    let part = |range| date.get(range).unwrap_or_default();
    let day = format!("{}{}", part(8..10), part(5..7));
    let time = format!("{}{}", part(11..13), part(14..16));
    for (id, text) in [(b"TYER", part(0..4)), (b"TDAT", &day), (b"TIME", &time)] {
        if text.len() == 4 {
            push(frames, id, &[&id3_text::body(&[], &[text])]);
        }
    }
    push(frames, b"TDRL", &[&id3_text::body(&[], &[date])]);
}

/// Appends the list of people with roles: pairs of role and name.
fn push_roles(frames: &mut Vec<u8>, people: &[Person]) {
    let pairs: Vec<&str> = people
        .iter()
        .filter_map(|person| Some([person.role.as_deref()?, &*person.name]))
        .flatten()
        .collect();
    if !pairs.is_empty() {
        push(frames, b"IPLS", &[&id3_text::body(&[], &pairs)]);
    }
}

fn push_picture(frames: &mut Vec<u8>, picture: Option<&Picture>) {
    if let Some(Picture { bytes, media_type }) = picture {
        // After the media type: the kind "front cover", and an empty description.
        push(frames, b"APIC", &[b"\0", media_type.as_bytes(), b"\0\x03\0", bytes]);
    }
}

fn push_chapters(frames: &mut Vec<u8>, chapters: &[Chapter]) {
    if chapters.is_empty() {
        return;
    }
    let listed = chapters.iter().enumerate().filter(|(_, chapter)| !chapter.is_hidden);
    let entries: Vec<_> = listed.map(|(index, _)| format!("chp{index}\0")).collect();
    push_contents(frames, &entries);
    for (index, chapter) in chapters.iter().enumerate() {
        let mut inner = Vec::new();
        push(&mut inner, b"TIT2", &[&id3_text::body(&[], &[&chapter.title])]);
        if let Some(url) = &chapter.url {
            push(&mut inner, b"WXXX", &[b"\0\0", url.as_bytes()]);
        }
        push_picture(&mut inner, chapter.image.as_ref());
        let span = chapter.span();
        let [start, end] =
            [span.start, span.end].map(|time| u32::try_from(time).unwrap_or(u32::MAX - 1));
        let [start, end] = [start.to_be_bytes(), end.to_be_bytes()];
        let id = format!("chp{index}\0");
        push(frames, b"CHAP", &[id.as_bytes(), &start, &end, &[0xff; 8], &inner]);
    }
}

/// Appends the table of contents. If it has more entries than fit, it lists other tables.
fn push_contents(frames: &mut Vec<u8>, entries: &[String]) {
    const IS_TOP: u8 = 2;
    const IS_ORDERED: u8 = 1;
    let table = |id: &str, flags: u8, entries: &[String]| {
        let head = [flags | IS_ORDERED, entries.len() as u8];
        [id.as_bytes(), b"\0", &head, entries.concat().as_bytes()].concat()
    };
    if entries.len() <= MAX_ENTRIES {
        return push(frames, b"CTOC", &[&table("toc", IS_TOP, entries)]);
    }
    let parts: Vec<_> = entries.chunks(MAX_ENTRIES).take(MAX_ENTRIES).enumerate().collect();
    let ids: Vec<_> = parts.iter().map(|(index, _)| format!("toc{index}\0")).collect();
    push(frames, b"CTOC", &[&table("toc", IS_TOP, &ids)]);
    for (index, entries) in parts {
        push(frames, b"CTOC", &[&table(&format!("toc{index}"), 0, entries)]);
    }
}

/// Appends a frame.
fn push(frames: &mut Vec<u8>, id: &[u8; 4], body: &[&[u8]]) {
    // The limit on all values keeps the size far below 2^28.
    let size = body.iter().map(|part| part.len()).sum::<usize>() as u32;
    frames.extend_from_slice(&header(id, size, [0, 0]));
    body.iter().for_each(|part| frames.extend_from_slice(part));
}

/// Returns the header of a frame.
pub(super) fn header(id: &[u8; 4], size: u32, flags: [u8; 2]) -> [u8; 10] {
    let [a, b, c, d] = *id;
    let [e, f, g, h] = size.to_be_bytes();
    [a, b, c, d, e, f, g, h, flags[0], flags[1]]
}
