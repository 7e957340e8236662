//! Tags in the format of iTunes: the boxes in `moov/udta/meta/ilst`.

use std::fs::File;
use std::io;

use super::Reader;
use super::boxes::Span;
use crate::bounded::reader;
use crate::tag_values::{Cover, MAX_COVER_BYTES, Tags};

/// Maximum number of bytes to read from a text or number.
const MAX_TEXT_BYTES: u64 = 64 << 10;

/// Reads the tags of a file with this number of bytes.
pub(crate) fn tags(file: &File, bytes: u64) -> io::Result<Tags> {
    let mut reader = Reader(reader(file)?);
    let mut tags = Tags::default();
    let mut descriptions = [None, None, None];
    let Some(list) = list(&mut reader, Span::whole(bytes))? else {
        return Ok(tags);
    };
    for tag in reader.children(list)? {
        let Some(data) = reader.child(tag, b"data")? else {
            continue;
        };
        // The content follows the type and the locale.
        let data = data.without(8);
        let mut short = || reader.bytes(data, MAX_TEXT_BYTES);
        match &tag.kind {
            b"\xa9nam" => tags.title = Some(text(short()?)),
            b"\xa9day" => tags.date = Some(text(short()?)),
            b"ldes" => descriptions[0] = Some(text(short()?)),
            b"desc" => descriptions[1] = Some(text(short()?)),
            b"\xa9cmt" => descriptions[2] = Some(text(short()?)),
            b"tvsn" => tags.season = number(&short()?),
            b"tves" => tags.episode = number(&short()?),
            b"trkn" => tags.episode = tags.episode.or(short()?.get(..4).and_then(number)),
            b"disk" => tags.season = tags.season.or(short()?.get(..4).and_then(number)),
            b"covr" => tags.cover = Cover::of(reader.bytes(data, MAX_COVER_BYTES)?),
            _ => {}
        }
    }
    tags.description = descriptions.into_iter().flatten().next();
    Ok(tags)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

fn list(reader: &mut Reader, file: Span) -> io::Result<Option<Span>> {
    let mut inner = file;
    for kind in [b"moov", b"udta", b"meta"] {
        match reader.child(inner, kind)? {
            Some(found) => inner = found,
            None => return Ok(None),
        }
    }
    // In MP4, a `meta` box starts with a version of four bytes; in QuickTime, with a child.
    let list = reader.child(inner.without(4), b"ilst")?;
    if list.is_some() { Ok(list) } else { reader.child(inner, b"ilst") }
}

/// Returns a big-endian number of any size that is greater than 0.
fn number(bytes: &[u8]) -> Option<u32> {
    let number = bytes
        .iter()
        .try_fold(0_u32, |all, byte| all.checked_mul(256).map(|all| all + u32::from(*byte)));
    number.filter(|number| *number > 0)
}
