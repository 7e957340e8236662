//! MP4 and M4A files (ISO/IEC 14496-12): the box `moov` gets new tags and chapters, and moves before
//! the media, so that players start before they have the whole file. A clip gets a new `moov`.

mod audio;
mod boxes;
mod chapters;
mod clip;
mod items;
mod movie;
mod quick_time;
mod samples;

use std::io::{Read, Seek};
use std::ops::Range;

use crate::bytes::{read_at, size};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;
use crate::tags::Tags;
use boxes::{Span, small};
use chapters::ChapterTrack;
use movie::{Moves, Movie};

/// Returns the published form of an MP4 file.
pub(crate) fn tagged(source: &mut (impl Read + Seek), tags: &Tags) -> Result<Tagged> {
    let end = end_of_boxes(source)?;
    let boxes = boxes::top(source, end)?;
    if let Some(items) = boxes.iter().find(|one| &one.kind == b"meta") {
        return Err(Refusal::Unsupported("it has items outside of its movie").at(items.range.start));
    }
    let (moov, movie) = movie(source, &boxes, end)?;
    let chapters = ChapterTrack::of(tags, movie.duration().map_err(|why| why.at(moov))?);
    let mut others = Vec::new();
    // The type of the file comes first, wherever the author's program put it.
    let head = boxes.iter().find(|one| &one.kind == b"ftyp");
    let head = head.map_or_else(Tagged::default, Span::kept);
    for one in boxes.iter().filter(|one| !matches!(&one.kind, b"ftyp" | b"moov")) {
        if chapters.is_none() || !movie.is_chapter_media(source, one)? {
            others.push(one);
        }
    }
    let media = chapters.as_ref().filter(|own| !own.is_empty());
    let media = media.map_or_else(Vec::new, |own| small(b"mdat", &[&own.content]));
    // The new positions depend on the size of the tables, which does not depend on the positions.
    let chapters = chapters.as_ref();
    let mut rebuilt = |chapters_at, moves: &Moves| {
        movie.rebuilt(source, tags, chapters, chapters_at, moves).map_err(|why| why.at(moov))
    };
    let size = rebuilt(0, &Moves::default())?.len();
    let tables_end = head.len() + size;
    let moves = moves(&others, tables_end + media.len() as u64);
    let mut tagged = head;
    tagged.append(rebuilt(tables_end + 8, &moves)?);
    tagged.push_bytes(&media);
    others.iter().for_each(|one| tagged.append(one.kept()));
    Ok(tagged)
}

/// The boxes that can start an MP4 file. Some programs write the type of the file later or never.
const FIRST: [&[u8; 4]; 7] = [b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot"];

/// Returns whether a file with these first bytes is an MP4 file.
pub(crate) fn is_mp4(head: &[u8]) -> bool {
    head.get(4..8).is_some_and(|kind| FIRST.iter().any(|first| *first == kind))
}

/// Returns the position after the last box. No player reads an ID3v1 tag after it.
fn end_of_boxes(source: &mut (impl Read + Seek)) -> Result<u64> {
    const ID3V1_BYTES: u64 = 128;
    let end = size(source)?;
    let last = end.saturating_sub(ID3V1_BYTES);
    Ok(if read_at(source, last, 3)? == b"TAG" { last } else { end })
}

/// Returns a part of an MP4 file, with new tags only.
pub(crate) fn cut(
    source: &mut (impl Read + Seek),
    span: &Range<u64>,
    tags: &Tags,
) -> Result<Tagged> {
    let end = end_of_boxes(source)?;
    let boxes = boxes::top(source, end)?;
    let (_, movie) = movie(source, &boxes, end)?;
    clip::clip(source, &movie, span, tags)
}

/// Returns the position of the box `moov`, and its content.
fn movie(source: &mut (impl Read + Seek), boxes: &[Span], end: u64) -> Result<(u64, Movie)> {
    let find = |kind: &[u8; 4]| boxes.iter().find(|one| &one.kind == kind);
    if let Some(fragment) = find(b"moof") {
        return Err(Refusal::Unsupported("it is fragmented").at(fragment.range.start));
    }
    let moov = find(b"moov").ok_or_else(|| Refusal::CutOff("its box `moov` is missing").at(end))?;
    let at = moov.range.start;
    Ok((at, Movie::read(source, moov).map_err(|why| why.at(at))?))
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
