//! MP4 and M4A files (ISO/IEC 14496-12): the box `moov` gets new tags and chapters, and moves before
//! the media, so that players start before they have the whole file.

mod boxes;
mod chapters;
mod items;
mod movie;

use std::io::{Read, Seek};

use crate::bytes::size;
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;
use crate::tags::Tags;
use boxes::{Span, small};
use chapters::ChapterTrack;
use movie::{Moves, Movie};

/// Returns the published form of an MP4 file.
pub(crate) fn tagged(source: &mut (impl Read + Seek), tags: &Tags) -> Result<Tagged> {
    let end = size(source)?;
    let boxes = boxes::top(source, end)?;
    if boxes.iter().any(|one| &one.kind == b"moof") {
        return Err(Refusal::Unsupported("it is fragmented"));
    }
    if boxes.iter().any(|one| &one.kind == b"meta") {
        return Err(Refusal::Unsupported("it has items outside of its movie"));
    }
    let moov = boxes.iter().find(|one| &one.kind == b"moov");
    let moov = moov.ok_or(Refusal::CutOff("its tables are missing"))?;
    let movie = Movie::read(source, moov)?;
    let chapters = ChapterTrack::of(tags, movie.duration()?);
    let mut others = Vec::new();
    for one in boxes.iter().skip(1).filter(|one| &one.kind != b"moov") {
        if chapters.is_none() || !movie.is_chapter_media(source, one)? {
            others.push(one);
        }
    }
    let head = boxes[0].kept();
    let media = chapters.as_ref().map_or_else(Vec::new, |own| small(b"mdat", &[&own.content]));
    // The new positions depend on the size of the tables, which does not depend on the positions.
    let chapters = chapters.as_ref();
    let size = movie.rebuilt(source, tags, chapters, 0, &Moves::default())?.len();
    let tables_end = head.len() + size;
    let moves = moves(&others, tables_end + media.len() as u64);
    let mut tagged = head;
    tagged.append(movie.rebuilt(source, tags, chapters, tables_end + 8, &moves)?);
    tagged.push_bytes(&media);
    others.iter().for_each(|one| tagged.append(one.kept()));
    Ok(tagged)
}

/// Returns the new positions of boxes that follow each other from a position.
fn moves(boxes: &[&Span], mut position: u64) -> Moves {
    let mut moves = Vec::new();
    for one in boxes {
        moves.push((one.range.clone(), position));
        position += one.range.end - one.range.start;
    }
    Moves(moves)
}
