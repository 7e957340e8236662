//! Vorbis comments in FLAC and Ogg files, and pictures in the format of FLAC.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::bytes::le_u32;
use crate::refusal::{Refusal, Result};
use crate::tags::{Chapter, Picture, Tags};

/// Maximum number of existing comments.
const MAX_COMMENTS: u32 = 100_000;

/// Name of the encoder in a block that had none.
const VENDOR: &[u8] = b"recording-tags";

/// Returns a block of comments: new values, then the existing comments that they do not replace.
/// `cover` is set if the file has no other place for a picture.
pub(crate) fn block(
    existing: Option<&[u8]>,
    tags: &Tags,
    cover: Option<&Picture>,
) -> Result<Vec<u8>> {
    const INVALID: Refusal = Refusal::Damaged("its comments are invalid");
    let mut rest = existing.unwrap_or_default();
    let vendor = match existing {
        Some(_) => take(&mut rest).ok_or(INVALID)?,
        None => VENDOR,
    };
    let count = take_number(&mut rest).unwrap_or(0);
    if count > MAX_COMMENTS {
        return Err(INVALID);
    }
    let mut comments = new_comments(tags);
    comments.extend(cover.map(picture_comment));
    for _ in 0..count {
        let comment = take(&mut rest).ok_or(INVALID)?;
        let end = comment.iter().position(|byte| *byte == b'=').unwrap_or(comment.len());
        if !std::str::from_utf8(&comment[..end]).is_ok_and(|key| tags.replaces(key)) {
            comments.push(comment.to_owned());
        }
    }
    let mut block = Vec::new();
    push(&mut block, vendor);
    block.extend_from_slice(&(comments.len() as u32).to_le_bytes());
    comments.iter().for_each(|comment| push(&mut block, comment));
    Ok(block)
}

fn picture_comment(picture: &Picture) -> Vec<u8> {
    format!("METADATA_BLOCK_PICTURE={}", STANDARD.encode(picture_block(picture))).into_bytes()
}

/// Returns a front cover in the format of FLAC (RFC 9639, section 8.8).
pub(crate) fn picture_block(Picture { bytes, media_type }: &Picture) -> Vec<u8> {
    const FRONT_COVER: u32 = 3;
    let size = |bytes: &[u8]| (bytes.len() as u32).to_be_bytes();
    let kind = FRONT_COVER.to_be_bytes();
    // An empty description, then width, height, bits per pixel and number of colours, which may be
    // unknown.
    let unknown = [0; 20];
    let parts: [&[u8]; 6] =
        [&kind, &size(media_type.as_bytes()), media_type.as_bytes(), &unknown, &size(bytes), bytes];
    parts.concat()
}

fn new_comments(tags: &Tags) -> Vec<Vec<u8>> {
    let digits = |number: Option<u32>| number.map(|number| number.to_string());
    let single = [
        ("TITLE", tags.title.clone()),
        ("ALBUM", tags.show.clone()),
        ("TRACKNUMBER", digits(tags.number)),
        ("DISCNUMBER", digits(tags.season)),
        ("DATE", tags.date.clone()),
        ("DESCRIPTION", tags.description.clone()),
        ("URL", tags.address.clone()),
        ("LANGUAGE", tags.language.clone()),
        ("ORGANIZATION", tags.publisher.clone()),
        ("COPYRIGHT", tags.copyright.clone()),
        ("GENRE", tags.genre.clone()),
        ("LYRICS", tags.lyrics.clone()),
    ];
    let single = single.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?)));
    let artists = tags.people.iter().map(|person| format!("ARTIST={}", person.name));
    let roles = tags.people.iter().filter_map(|person| {
        Some(format!("PERFORMER={} ({})", person.name, person.role.as_deref()?))
    });
    let listed = tags.chapters.iter().filter(|chapter| !chapter.is_hidden);
    let chapters =
        (1..).zip(listed).flat_map(|(number, chapter)| chapter_comments(number, chapter));
    single.chain(artists).chain(roles).chain(chapters).map(String::into_bytes).collect()
}

/// Returns the comments of a chapter (Xiph wiki, "Chapter Extension").
fn chapter_comments(number: u32, chapter: &Chapter) -> impl Iterator<Item = String> {
    let milliseconds = chapter.start_ms;
    let [hours, minutes, seconds] =
        [milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60];
    let start = format!("{hours:02}:{minutes:02}:{seconds:02}.{:03}", milliseconds % 1000);
    let url = chapter.url.as_ref().map(|url| format!("CHAPTER{number:03}URL={url}"));
    let time = format!("CHAPTER{number:03}={start}");
    let name = format!("CHAPTER{number:03}NAME={}", chapter.title);
    [Some(time), Some(name), url].into_iter().flatten()
}

fn push(block: &mut Vec<u8>, text: &[u8]) {
    block.extend_from_slice(&(text.len() as u32).to_le_bytes());
    block.extend_from_slice(text);
}

fn take<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let length = take_number(rest)? as usize;
    let (text, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(text)
}

fn take_number(rest: &mut &[u8]) -> Option<u32> {
    let number = le_u32(rest, 0)?;
    *rest = &rest[4..];
    Some(number)
}
