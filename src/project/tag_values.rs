//! The pictures and the lyrics of a recording's tags, in sizes that fit.

use std::fs;
use std::path::Path;

use recording_tags::{MAX_BYTES, Picture, Tags};
use transcripts::Format;

use super::pictures::PictureFolder;
use model::{Omitted, Pictures, RecordingTags, SitePath, Size, TagPicture};
use render::ShownTranscript;

/// Maximum size in bytes of a picture in a tag.
pub(super) const MAX_PICTURE: usize = 1 << 20;

/// Maximum size in bytes of all chapter pictures of a recording.
pub(super) const MAX_CHAPTER_PICTURES: usize = 2 << 20;

/// Divisors of a picture's width, to try until the picture fits.
const DIVISORS: [u32; 4] = [1, 2, 4, 8];

/// Returns a recording's tags with their pictures and lyrics, and the values that do not fit. Apps
/// show a cover more often than pictures of chapters, and these more often than lyrics.
pub(super) fn complete(
    root: &Path,
    pictures: &PictureFolder,
    wanted: &RecordingTags<'_>,
) -> (Tags, Vec<Omitted>) {
    let mut tags = wanted.tags.clone();
    let mut omitted = Vec::new();
    if let Some(cover) = &wanted.cover {
        let smaller = DIVISORS.iter().find_map(|divisor| picture(pictures, cover, *divisor));
        omitted.extend(smaller.is_none().then_some(Omitted::Cover));
        tags.cover = smaller;
    }
    omitted.extend(add_chapter_pictures(pictures, wanted, &mut tags));
    tags.lyrics = wanted.lyrics.and_then(|(file, media_type)| lyrics(root, file, media_type));
    if tags.size() > MAX_BYTES {
        tags.lyrics = None;
    }
    if wanted.lyrics.is_some() && tags.lyrics.is_none() {
        omitted.push(Omitted::Lyrics);
    }
    if tags.size() > MAX_BYTES {
        omitted.extend(remove_chapter_pictures(&mut tags));
    }
    if tags.size() > MAX_BYTES && tags.cover.take().is_some() {
        omitted.push(Omitted::Cover);
    }
    (tags, omitted)
}

/// Returns a picture whose width is divided, if the result is small enough for a tag.
fn picture(
    pictures: &PictureFolder,
    TagPicture { file, size }: &TagPicture<'_>,
    divisor: u32,
) -> Option<Picture> {
    let size = Size { width: (size.width / divisor).max(1), ..*size };
    let bytes = pictures.size(file, size).ok()?;
    // A picture that cannot be resized is returned unchanged, in any format.
    let media_type = match &bytes[..] {
        [0xff, 0xd8, ..] => "image/jpeg",
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        _ => return None,
    };
    (bytes.len() <= MAX_PICTURE).then(|| Picture { bytes, media_type: media_type.to_owned() })
}

/// Adds the pictures of the chapters, all with the same divisor of their widths. If even the
/// smallest do not fit, leaves out the last.
fn add_chapter_pictures(
    pictures: &PictureFolder,
    wanted: &RecordingTags<'_>,
    tags: &mut Tags,
) -> Option<Omitted> {
    let mut missing = Vec::new();
    for divisor in DIVISORS {
        let is_last = Some(&divisor) == DIVISORS.last();
        let mut room = MAX_CHAPTER_PICTURES;
        missing.clear();
        let chapters = tags.chapters.iter_mut().zip(&wanted.chapter_images).enumerate();
        for (index, (chapter, image)) in chapters {
            let Some(image) = image else { continue };
            let found = picture(pictures, image, divisor);
            chapter.image = found.filter(|picture| picture.bytes.len() <= room);
            match &chapter.image {
                Some(picture) => room -= picture.bytes.len(),
                None => missing.push(index),
            }
            if !missing.is_empty() && !is_last {
                break;
            }
        }
        if missing.is_empty() {
            return None;
        }
    }
    Some(Omitted::ChapterPictures { first: missing[0], count: missing.len() })
}

/// Removes the pictures of all chapters.
fn remove_chapter_pictures(tags: &mut Tags) -> Option<Omitted> {
    let taken = tags.chapters.iter_mut().enumerate();
    let taken = taken.filter_map(|(index, chapter)| chapter.image.take().map(|_| index));
    let taken: Vec<usize> = taken.collect();
    Some(Omitted::ChapterPictures { first: *taken.first()?, count: taken.len() })
}

/// Returns the words of a transcript. Returns None if it is empty or too long.
fn lyrics(root: &Path, file: &SitePath, media_type: &str) -> Option<String> {
    let path = file.on_disk(root);
    fs::metadata(&path).ok().filter(|facts| facts.len() <= ShownTranscript::LIMIT)?;
    let bytes = fs::read(path).ok()?;
    let mut read = transcripts::read(&bytes, Format::of(media_type, file.as_str(), b""));
    let paragraphs = read.paragraphs(ShownTranscript::PARAGRAPH_WORDS);
    let paragraphs = paragraphs.map(|paragraph| {
        let speaker = paragraph.speaker.map_or_else(String::new, |name| format!("{name}: "));
        let lines = paragraph.lines.into_iter().map(|line| line.text);
        speaker + &lines.collect::<String>()
    });
    let text = paragraphs.collect::<Vec<_>>().join("\n\n");
    Some(text).filter(|text| !text.is_empty())
}
