//! Chapters in an ID3v2 tag: `CHAP` and `CTOC` frames (ID3v2 Chapter Frame Addendum 1.0).

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek};

use id3::Tag;
use id3::frame::{self, Content};

use super::bounded::{be_u32, read_at, reader};
use super::mpeg_audio::syncsafe;
use super::{MediaFacts, contained};
use crate::model::chapter::Chapter;

/// A time that is not given.
const UNSET: u32 = u32::MAX;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let tag = contained(|| {
        let mut reader = reader(file).map_err(|error| error.to_string())?;
        match may_have_chapters(&mut reader) {
            Ok(false) => Ok(None),
            Ok(true) => {
                let mut reader = reader.into_inner();
                reader.rewind().map_err(|error| error.to_string())?;
                match Tag::read_from2(reader) {
                    Ok(tag) => Ok(Some((tag, None))),
                    // What came before the damage is still good.
                    Err(error) => match error.partial_tag {
                        Some(tag) => Ok(Some((tag, Some(error.description)))),
                        None => Err(error.description),
                    },
                }
            }
            Err(error) => Err(error.to_string()),
        }
    });
    if let Some(Some((tag, damage))) = facts.take("chapters", tag) {
        facts.chapters = chapters(&tag);
        if let Some(damage) = damage {
            facts.problem("chapters", damage);
        }
    }
}

/// Whether there is a `CHAP` frame. Most tags have none and a large cover, which is skipped here
/// and would be read into memory by a full parse.
fn may_have_chapters(reader: &mut (impl Read + Seek)) -> io::Result<bool> {
    let header = read_at(reader, 0, 10)?;
    let [b'I', b'D', b'3', version, _, flags, size @ ..] = &header[..] else {
        return Ok(false);
    };
    if *version < 3 {
        return Ok(false);
    }
    // With an extended header, or unsynchronised in version 3, frames do not lie where sizes say.
    if flags & 0x40 != 0 || (*version == 3 && flags & 0x80 != 0) {
        return Ok(true);
    }
    let end = 10 + u64::from(syncsafe(size));
    let mut position = 10;
    while position < end {
        let frame = read_at(reader, position, 10)?;
        let (Some(id), Some(plain)) = (frame.get(..4), be_u32(&frame, 4)) else {
            break;
        };
        match id {
            b"CHAP" => return Ok(true),
            [0, ..] => break,
            _ => {}
        }
        let size = match *version {
            3 => plain,
            _ => syncsafe(&frame[4..8]),
        };
        position += 10 + u64::from(size);
    }
    Ok(false)
}

fn chapters(tag: &Tag) -> Vec<Chapter> {
    let listed: HashSet<&str> = tag
        .tables_of_contents()
        .flat_map(|table| table.elements.iter().map(String::as_str))
        .collect();
    tag.chapters()
        .filter(|chapter| chapter.start_time != UNSET)
        .map(|chapter| {
            let is_hidden = !listed.is_empty() && !listed.contains(chapter.element_id.as_str());
            Chapter {
                start_time: f64::from(chapter.start_time) / 1000.0,
                end_time: (chapter.end_time != UNSET).then(|| f64::from(chapter.end_time) / 1000.0),
                title: title(chapter),
                url: url(chapter),
                toc: is_hidden.then_some(false),
                ..Chapter::default()
            }
        })
        .collect()
}

fn title(chapter: &frame::Chapter) -> Option<String> {
    let frame = chapter.frames.iter().find(|frame| frame.id() == "TIT2")?;
    let title = frame.content().text()?.trim_matches(['\0', ' ']);
    (!title.is_empty()).then(|| title.to_owned())
}

/// The first link to the web, in a `WXXX` or another link frame.
fn url(chapter: &frame::Chapter) -> Option<String> {
    chapter.frames.iter().find_map(|frame| {
        let link = match frame.content() {
            Content::ExtendedLink(link) => &link.link,
            Content::Link(link) => link,
            _ => return None,
        };
        let link = link.trim_matches(['\0', ' ']);
        let is_web = link.starts_with("https://") || link.starts_with("http://");
        is_web.then(|| link.to_owned())
    })
}
