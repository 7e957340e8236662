//! Tags recordings, and reads them back with the crates of this workspace and with other libraries.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod clips;
mod damaged;
mod kept;
mod reader;
mod values;

use std::io::{Cursor, Read};
use std::path::Path;

use recording_tags::{Chapter, Person, Picture, Refusal, Tagged, Tags, tagged};

/// Recordings in all formats.
const RECORDINGS: [&str; 12] = [
    "cbr-bare.mp3", "cbr-info.mp3", "vbr-bare.mp3", "vbr-xing.mp3", "chapters.mp3",
    "chapters-v24.mp3", "chapters.m4a", "edited.mp4", "chapters.flac", "tone.flac", "chapters.ogg",
    "chapters.opus",
];

fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../media-facts/tests/fixtures");
    std::fs::read(folder.join(name)).unwrap()
}

fn extension(name: &str) -> &str {
    name.rsplit('.').next().unwrap()
}

/// Returns the published form of a recording in memory.
fn publish(source: &[u8], name: &str, tags: &Tags) -> Result<Vec<u8>, Refusal> {
    let mut source = Cursor::new(source);
    let published = tagged(&mut source, extension(name), tags)?;
    Ok(copied(&published, &mut source))
}

fn copied(published: &Tagged, source: &mut Cursor<&[u8]>) -> Vec<u8> {
    let mut copy = Vec::new();
    published.copy(source, &mut copy).unwrap();
    assert_eq!(copy.len() as u64, published.len());
    copy
}

fn read_all(mut reader: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).unwrap();
    bytes
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// The smallest PNG file, and bytes that could be of any size.
fn picture(size: usize) -> Picture {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.resize(size, 0xff);
    Picture { bytes, media_type: "image/png".to_owned() }
}

fn chapter(start_ms: u64, end_ms: u64, title: &str) -> Chapter {
    Chapter { start_ms, end_ms, title: title.to_owned(), ..Chapter::default() }
}

/// Returns a value for every field.
fn all_tags() -> Tags {
    let person = |name: &str, role: &str| Person { name: name.to_owned(), role: some(role) };
    Tags {
        title: some("Über die Brücke"),
        show: some("Walks"),
        people: vec![person("Ada Lovelace", "host"), person("李白", "guest")],
        number: Some(12),
        season: Some(3),
        date: some("2026-08-01T10:00:00Z"),
        description: some("A walk over the bridge.\nAnd back."),
        address: some("https://example.org/walk/"),
        language: some("de-AT"),
        publisher: some("Example Radio"),
        copyright: some("CC BY 4.0"),
        genre: some("Podcast"),
        lyrics: some("One, two.\nThree."),
        cover: Some(picture(70_000)),
        chapters: vec![
            chapter(0, 500, "Start"),
            Chapter {
                url: some("https://example.org/bridge?a=1&b=2"),
                image: Some(picture(1000)),
                ..chapter(500, 900, "Über die Brücke")
            },
            Chapter { is_hidden: true, ..chapter(900, 1000, "Pause") },
            chapter(1000, 1500, "終わり"),
        ],
        removes_chapters: false,
    }
}
