//! The box `moov`: tracks with their tables of positions, and user data with tags.

use std::io::{Read, Seek};
use std::ops::Range;

use super::boxes::{Span, children, descend, small, wrap};
use super::chapters::{ChapterTrack, Duration};
use super::items;
use crate::bytes::{be_u32, be_u64, read_at};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;
use crate::tags::Tags;

/// Maximum number of tracks.
const MAX_TRACKS: usize = 64;

/// The parts of `moov`.
pub(super) struct Movie {
    children: Vec<Span>,
    tracks: Vec<Track>,
    header: Vec<u8>,
    /// Index of the audio track.
    audio: usize,
}

/// A track in the file.
struct Track {
    span: Span,
    id: u32,
    handler: [u8; 4],
    /// The tracks that contain this track's chapters.
    chapter_tracks: Vec<u32>,
}

/// New positions of the boxes that contain media.
#[derive(Default)]
pub(super) struct Moves(pub(super) Vec<(Range<u64>, u64)>);

impl Moves {
    /// Returns the new position of a byte. Without any moves, all bytes stay.
    fn apply(&self, position: u64) -> Result<u64> {
        if self.0.is_empty() {
            return Ok(position);
        }
        let found = self.0.iter().find(|(range, _)| range.contains(&position));
        let (range, start) = found.ok_or(Refusal::Damaged("its tables of positions are wrong"))?;
        Ok(position - range.start + start)
    }
}

impl Movie {
    pub(super) fn read(source: &mut (impl Read + Seek), moov: &Span) -> Result<Self> {
        let own = children(source, moov.content.clone())?;
        if own.iter().any(|child| &child.kind == b"mvex") {
            return Err(Refusal::Unsupported("it is fragmented"));
        }
        if own.iter().any(|child| &child.kind == b"cmov") {
            return Err(Refusal::Unsupported("its tables are compressed"));
        }
        let header = own.iter().find(|child| &child.kind == b"mvhd");
        let header = header.ok_or(Refusal::Damaged("the header of its movie is missing"))?;
        let header = header.bytes(source)?;
        let mut tracks = Vec::new();
        for child in own.iter().filter(|child| &child.kind == b"trak") {
            tracks.push(Track::read(source, child).map_err(|reason| reason.at(child.range.start))?);
        }
        if tracks.len() > MAX_TRACKS {
            return Err(Refusal::Unsupported("it has too many tracks"));
        }
        let audio = tracks.iter().position(|track| &track.handler == b"soun");
        let audio = audio.ok_or(Refusal::NoAudio)?;
        Ok(Self { children: own, tracks, header, audio })
    }

    /// Returns the audio track.
    pub(super) fn audio(&self) -> &Span {
        &self.tracks[self.audio].span
    }

    pub(super) fn duration(&self) -> Result<Duration> {
        let is_long = self.header.first() == Some(&1);
        let scale = be_u32(&self.header, if is_long { 20 } else { 12 });
        let units = match is_long {
            true => be_u64(&self.header, 24),
            false => be_u32(&self.header, 16).map(u64::from),
        };
        let found = scale.zip(units).map(|(scale, units)| Duration { units, scale });
        found.ok_or(Refusal::Damaged("the header of its movie is invalid"))
    }

    /// Returns whether a box contains only the samples of a chapter track.
    pub(super) fn is_chapter_media(
        &self,
        source: &mut (impl Read + Seek),
        media: &Span,
    ) -> Result<bool> {
        for track in self.tracks.iter().filter(|track| self.is_chapter_track(track)) {
            if track.fills(source, media)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_chapter_track(&self, track: &Track) -> bool {
        self.tracks.iter().any(|other| other.chapter_tracks.contains(&track.id))
    }

    /// Returns the new box. `chapters_at` is the position of the new chapter track's samples.
    pub(super) fn rebuilt(
        &self,
        source: &mut (impl Read + Seek),
        tags: &Tags,
        chapters: Option<&ChapterTrack>,
        chapters_at: u64,
        moves: &Moves,
    ) -> Result<Tagged> {
        let is_kept = |track: &&Track| chapters.is_none() || !self.is_chapter_track(track);
        let tracks: Vec<_> = self.tracks.iter().filter(is_kept).collect();
        let new_id = tracks.iter().map(|track| track.id).max().unwrap_or(0).checked_add(1);
        let new_id = new_id.ok_or(Refusal::Damaged("the numbers of its tracks are invalid"))?;
        let mut movie = Tagged::default();
        let mut data = None;
        for child in &self.children {
            match &child.kind {
                b"mvhd" if chapters.is_some() => movie.push_bytes(&self.header_with(new_id)),
                b"trak" => {
                    let track = tracks.iter().find(|track| track.span.range == child.range);
                    let Some(track) = track else { continue };
                    let is_audio = track.span.range == self.tracks[self.audio].span.range;
                    let chapters = match chapters {
                        None => Chapters::Kept,
                        Some(own) if is_audio && !own.is_empty() => Chapters::Track(new_id),
                        Some(_) => Chapters::Removed,
                    };
                    let track = track_box(source, child, chapters, moves);
                    movie.append(track.map_err(|reason| reason.at(child.range.start))?);
                }
                b"udta" if data.is_none() => data = Some(child),
                _ => movie.append(child.kept()),
            }
        }
        if let Some(own) = chapters.filter(|own| !own.is_empty()) {
            movie.push_bytes(&own.track(new_id, chapters_at));
        }
        movie.append(user_data(source, data, tags, chapters)?);
        wrap(b"moov", movie)
    }

    /// Returns `mvhd` with a number for the next track that is higher than this number.
    fn header_with(&self, id: u32) -> Vec<u8> {
        let mut header = self.header.clone();
        if let Some((_, next)) = header.split_last_chunk_mut::<4>() {
            *next = u32::from_be_bytes(*next).max(id.saturating_add(1)).to_be_bytes();
        }
        small(b"mvhd", &[&header])
    }
}

impl Track {
    fn read(source: &mut (impl Read + Seek), span: &Span) -> Result<Self> {
        const MISSING: Refusal = Refusal::Damaged("the header of a track is missing");
        let header = descend(source, span, &[b"tkhd"])?.ok_or(MISSING)?;
        let header = read_at(source, header.content.start, header.length().min(24))?;
        let id_at = if header.first() == Some(&1) { 20 } else { 12 };
        let handler = descend(source, span, &[b"mdia", b"hdlr"])?.ok_or(MISSING)?;
        let handler = read_at(source, handler.content.start, handler.length().min(12))?;
        let chapters = descend(source, span, &[b"tref", b"chap"])?;
        let ids = chapters.map_or(Ok(Vec::new()), |chapters| chapters.bytes(source))?;
        let ids = ids.as_chunks().0.iter().map(|id| u32::from_be_bytes(*id));
        Ok(Self {
            span: span.clone(),
            id: be_u32(&header, id_at).ok_or(MISSING)?,
            handler: handler.get(8..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default(),
            chapter_tracks: ids.collect(),
        })
    }

    /// Returns whether this track's samples fill a box of media, in one chunk.
    fn fills(&self, source: &mut (impl Read + Seek), media: &Span) -> Result<bool> {
        let mut table =
            |kind| match descend(source, &self.span, &[b"mdia", b"minf", b"stbl", kind])? {
                Some(found) => found.bytes(source).map(Some),
                None => Ok(None),
            };
        let (Some(positions), Some(sizes)) = (table(b"co64")?, table(b"stsz")?) else {
            return Ok(false);
        };
        let is_single = be_u32(&positions, 4) == Some(1) && be_u32(&sizes, 4) == Some(0);
        let sizes = sizes.get(12..).unwrap_or_default().as_chunks().0.iter();
        let size: u64 = sizes.map(|size| u64::from(u32::from_be_bytes(*size))).sum();
        let is_at_start = be_u64(&positions, 8) == Some(media.content.start);
        Ok(is_single && is_at_start && size == media.length())
    }
}

/// The reference of a track to the track with its chapters.
#[derive(Clone, Copy)]
enum Chapters {
    /// The reference remains.
    Kept,
    Removed,
    Track(u32),
}

/// Returns a track with new positions.
fn track_box(
    source: &mut (impl Read + Seek),
    track: &Span,
    chapters: Chapters,
    moves: &Moves,
) -> Result<Tagged> {
    let mut content = Tagged::default();
    let mut references = Vec::new();
    for child in children(source, track.content.clone())? {
        match (&child.kind, chapters) {
            (b"tref", Chapters::Removed | Chapters::Track(_)) => {
                for reference in children(source, child.content)? {
                    if &reference.kind != b"chap" {
                        references.extend(small(&reference.kind, &[&reference.bytes(source)?]));
                    }
                }
            }
            (b"mdia", _) => {
                if let Chapters::Track(id) = chapters {
                    references.extend(small(b"chap", &[&id.to_be_bytes()]));
                }
                if !references.is_empty() {
                    content.push_bytes(&small(b"tref", &[&references]));
                }
                content.append(moved(source, &child, moves)?);
            }
            _ => content.append(child.kept()),
        }
    }
    wrap(b"trak", content)
}

/// Returns a box with new positions in its tables.
fn moved(source: &mut (impl Read + Seek), span: &Span, moves: &Moves) -> Result<Tagged> {
    let mut content = Tagged::default();
    for child in children(source, span.content.clone())? {
        match &child.kind {
            b"minf" | b"stbl" => content.append(moved(source, &child, moves)?),
            b"stco" => content.push_bytes(&moved_table::<4>(source, &child, moves)?),
            b"co64" => content.push_bytes(&moved_table::<8>(source, &child, moves)?),
            b"saio" => return Err(Refusal::Unsupported("it is encrypted").at(child.range.start)),
            _ => content.append(child.kept()),
        }
    }
    wrap(&span.kind, content)
}

/// Returns a table of positions with `N` bytes each.
fn moved_table<const N: usize>(
    source: &mut (impl Read + Seek),
    span: &Span,
    moves: &Moves,
) -> Result<Vec<u8>> {
    let mut table = span.bytes(source)?;
    let count = be_u32(&table, 4).unwrap_or(0) as usize;
    let positions = table.get_mut(8..).unwrap_or_default().as_chunks_mut::<N>().0;
    let positions = positions.get_mut(..count);
    for position in positions.ok_or(Refusal::Damaged("its tables of positions are too short"))? {
        let old = position.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let new = moves.apply(old)?;
        if N < 8 && new > u64::from(u32::MAX) {
            return Err(Refusal::Unsupported("it is larger than 4 GiB"));
        }
        position.copy_from_slice(&new.to_be_bytes()[8 - N..]);
    }
    Ok(small(&span.kind, &[&table]))
}

/// Returns the box `udta` with tags.
pub(super) fn user_data(
    source: &mut (impl Read + Seek),
    existing: Option<&Span>,
    tags: &Tags,
    chapters: Option<&ChapterTrack>,
) -> Result<Tagged> {
    let mut content = Tagged::default();
    let own = existing.map_or(Ok(Vec::new()), |own| children(source, own.content.clone()))?;
    for child in &own {
        match &child.kind {
            b"meta" => {}
            b"chpl" if chapters.is_some() => {}
            _ => content.append(child.kept()),
        }
    }
    if let Some(chapters) = chapters.filter(|own| !own.is_empty()) {
        content.push_bytes(&small(b"chpl", &[&chapters.list]));
    }
    let meta = own.iter().find(|child| &child.kind == b"meta");
    content.append(items::meta(source, meta, tags)?);
    wrap(b"udta", content)
}
