//! The title, the numbers, the date, the description and the cover in the tags of a recording.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use super::bounded::{be_u32, read_at, reader};
use super::tag_values::{Cover, MAX_COVER_BYTES, Tags};
use super::{MediaError, flac, id3, mp4, ogg, vorbis_comments};

/// Maximum number of bytes to read from a text frame of ID3.
const MAX_TEXT_BYTES: u64 = 64 << 10;

/// Reads the tags of a recording: ID3v2, MP4, and Vorbis comments in FLAC and Ogg. Tags
/// that cannot be read are omitted.
///
/// # Errors
///
/// Returns an error if the file cannot be opened.
pub fn tags(path: &Path) -> Result<Tags, MediaError> {
    let fail = |source| MediaError { path: path.to_owned(), source };
    let file = File::open(path).map_err(fail)?;
    let bytes = file.metadata().map_err(fail)?.len();
    let tags = read(&file, bytes).unwrap_or_default();
    let trimmed = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    Ok(Tags {
        title: tags.title.and_then(trimmed),
        date: tags.date.and_then(trimmed),
        description: tags.description.and_then(trimmed),
        ..tags
    })
}

fn read(file: &File, bytes: u64) -> io::Result<Tags> {
    let mut own = reader(file)?;
    let head = read_at(&mut own, 0, 12)?;
    match (head.get(..4), head.get(4..8)) {
        (Some([b'I', b'D', b'3', _]), _) => of_id3(&mut own),
        (Some(b"fLaC"), _) => of_flac(&mut own),
        (Some(b"OggS"), _) => Ok(of_comments(&ogg::comments(file, bytes)?)),
        (_, Some(b"ftyp" | b"moov" | b"mdat" | b"free" | b"skip" | b"wide")) => {
            mp4::tags(file, bytes)
        }
        _ => Ok(Tags::default()),
    }
}

fn of_id3(reader: &mut (impl Read + Seek)) -> io::Result<Tags> {
    let limit: id3::Limit = |id| match id {
        b"TIT2" | b"TRCK" | b"TPOS" | b"TDRL" | b"TDRC" | b"TYER" | b"TDAT" | b"TDES" | b"COMM" => {
            Some(MAX_TEXT_BYTES)
        }
        b"APIC" => Some(MAX_COVER_BYTES),
        _ => None,
    };
    let frames = id3::frames(reader, limit)?.map_or_else(Vec::new, |(_, frames)| frames);
    let text = |id: &[u8; 4]| id3::text(&frames.iter().find(|frame| &frame.id == id)?.body);
    let year = || {
        let year = text(b"TYER")?;
        // `TDAT` in version 3 has the day and the month without a separator.
        let day = text(b"TDAT").filter(|day| day.len() == 4 && day.is_ascii());
        Some(day.map_or(year.clone(), |day| format!("{year}-{}-{}", &day[2..], &day[..2])))
    };
    let mut comments = frames.iter().filter(|frame| &frame.id == b"COMM");
    // A front cover comes before other pictures.
    let pictures = || frames.iter().filter(|frame| &frame.id == b"APIC");
    let pictures = || pictures().filter_map(|frame| attached_picture(&frame.body));
    let front = pictures().find(|(kind, _)| *kind == FRONT_COVER).or_else(|| pictures().next());
    Ok(Tags {
        title: text(b"TIT2"),
        season: text(b"TPOS").and_then(|text| number(&text)),
        episode: text(b"TRCK").and_then(|text| number(&text)),
        date: text(b"TDRL").or_else(|| text(b"TDRC")).or_else(year),
        description: text(b"TDES").or_else(|| comments.find_map(|frame| comment(&frame.body))),
        cover: front.and_then(|(_, bytes)| Cover::of(bytes.to_owned())),
    })
}

/// The kind of a picture that is the front cover, in ID3 and FLAC.
const FRONT_COVER: u8 = 3;

/// Returns the kind and the bytes of the picture in an `APIC` frame: encoding, media type, kind,
/// description, bytes.
fn attached_picture(body: &[u8]) -> Option<(u8, &[u8])> {
    let (encoding, rest) = body.split_first()?;
    let (_, rest) = id3::split_at_zero(rest)?;
    let (kind, rest) = rest.split_first()?;
    Some((*kind, &rest[end_of_text(*encoding, rest)?..]))
}

/// Returns the text of a `COMM` frame: encoding, language, name, text. Returns None for a comment
/// with a name, in which programs store their own values.
fn comment(body: &[u8]) -> Option<String> {
    let (encoding, rest) = body.split_first()?;
    let rest = rest.get(3..)?;
    let (name, own) = rest.split_at(end_of_text(*encoding, rest)?);
    let is_unnamed = name.iter().all(|byte| matches!(byte, 0 | 0xfe | 0xff));
    let own = || id3::text(&[&[*encoding], own].concat());
    is_unnamed.then(own).flatten()
}

/// Returns the position after the zero that ends a text of ID3.
fn end_of_text(encoding: u8, bytes: &[u8]) -> Option<usize> {
    Some(match encoding {
        1 | 2 => bytes.as_chunks::<2>().0.iter().position(|unit| *unit == [0, 0])? * 2 + 2,
        _ => bytes.iter().position(|byte| *byte == 0)? + 1,
    })
}

fn of_flac(reader: &mut (impl Read + Seek)) -> io::Result<Tags> {
    let blocks = flac::metadata(reader)?;
    let mut tags = of_comments(&blocks.comments);
    if let Some((start, size)) = blocks.picture {
        let block = read_at(reader, start, size.min(MAX_COVER_BYTES))?;
        tags.cover = picture_block(&block).or(tags.cover);
    }
    Ok(tags)
}

fn of_comments(block: &[u8]) -> Tags {
    let value = |key| vorbis_comments::value(block, key);
    let picture = value("METADATA_BLOCK_PICTURE").and_then(base64);
    Tags {
        title: value("TITLE").map(str::to_owned),
        season: value("DISCNUMBER").and_then(number),
        episode: value("TRACKNUMBER").and_then(number),
        date: value("DATE").map(str::to_owned),
        description: value("DESCRIPTION").or_else(|| value("COMMENT")).map(str::to_owned),
        cover: picture.and_then(|block| picture_block(&block)),
    }
}

/// Returns the picture in a block of FLAC (RFC 9639, section 8.8): kind, media type, description,
/// four numbers, bytes.
fn picture_block(block: &[u8]) -> Option<Cover> {
    let after = |at: usize| Some(at + 4 + be_u32(block, at)? as usize);
    let at = after(after(4)?)? + 16;
    let bytes = block.get(at + 4..after(at)?)?;
    Cover::of(bytes.to_owned())
}

/// Returns the number at the start of a text such as `7/12`.
fn number(text: &str) -> Option<u32> {
    let digits = text.split('/').next()?.trim();
    digits.parse().ok().filter(|number| *number > 0)
}

/// Decodes base64 (RFC 4648, section 4).
fn base64(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits = text.trim_end_matches('=').bytes().map(digit).collect::<Option<Vec<u8>>>()?;
    let bytes = digits.chunks(4).flat_map(|four| {
        let bits = four.iter().fold(0_u32, |bits, digit| bits << 6 | u32::from(*digit));
        let bits = bits << (6 * (4 - four.len()));
        bits.to_be_bytes()[1..four.len()].to_vec()
    });
    Some(bytes.collect())
}
