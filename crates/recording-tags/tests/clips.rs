//! Parts of recordings.

use std::io::Cursor;
use std::ops::Range;

use recording_tags::{Piece, Tags, clip_extension, cut};

use super::values::samples;
use super::{all_tags, copied, extension, fixture};

const RECORDINGS: [&str; 7] = [
    "cbr-bare.mp3", "cbr-info.mp3", "vbr-bare.mp3", "vbr-xing.mp3", "tone.m4a", "chapters.m4a",
    "edited.mp4",
];

#[test]
fn a_clip_has_frames_of_the_recording_and_the_right_duration() {
    for name in RECORDINGS {
        let bytes = fixture(name);
        for (start, end) in [(0, 400), (333, 1000), (600, 1234)] {
            let mut source = Cursor::new(&bytes[..]);
            let clip = cut(&mut source, extension(name), start..end, &all_tags()).unwrap();
            let frames = clip.pieces().last().unwrap();
            assert!(matches!(frames, Piece::Source(_)), "the frames of {name} are new");
            let folder = tempfile::tempdir().unwrap();
            let path =
                folder.path().join("clip").with_extension(clip_extension(extension(name)).unwrap());
            std::fs::write(&path, copied(&clip, &mut source)).unwrap();
            let duration = media_facts::read(&path).unwrap().duration.unwrap();
            let expected = (end - start) as f64 / 1000.0;
            assert!((duration - expected).abs() <= 0.05, "{name}, {start}: {duration}");
            let tags = media_facts::tags(&path).unwrap();
            assert_eq!(tags.title.as_deref(), Some("Über die Brücke"), "{name}");
        }
    }
}

#[test]
fn a_clip_ends_with_the_recording() {
    let bytes = fixture("cbr-bare.mp3");
    let clip = cut(&mut Cursor::new(&bytes), "mp3", 500..u64::MAX, &Tags::default()).unwrap();
    let Some(Piece::Source(range)) = clip.pieces().last() else { panic!("no frames") };
    assert_eq!(range.end, bytes.len() as u64);
}

#[test]
fn a_clip_that_cannot_be_cut_has_a_reason() {
    let no_audio = "it contains no audio";
    let format = "it cannot be cut: it is not an MP3 or M4A file";
    let end = "it cannot be cut: it ends before the clip";
    let none = "it cannot be cut: the clip has no duration";
    for (name, extension, span, expected) in [
        ("cbr-bare.mp3", "mp3", 60_000..61_000, end),
        ("cbr-bare.mp3", "mp3", 500..500, none),
        ("picture.png", "mp3", 0..500, no_audio),
        ("picture.png", "m4a", 0..500, format),
        ("tone.m4a", "m4a", 60_000..61_000, end),
        ("tone.m4a", "m4a", 500..500, none),
        ("tone.m4a", "mp3", 0..500, format),
        ("cbr-bare.mp3", "m4a", 0..500, format),
        ("tone.flac", "flac", 0..500, format),
        ("tone.opus", "opus", 0..500, format),
        ("tone.wav", "mp3", 0..500, format),
        ("fragmented.mp4", "mp4", 0..500, "it cannot be cut: it is fragmented (at byte 807)"),
    ] {
        assert_eq!(reason(&fixture(name), extension, span), expected, "{name}");
    }
}

fn reason(bytes: &[u8], extension: &str, span: Range<u64>) -> String {
    let cut = cut(&mut Cursor::new(bytes), extension, span, &Tags::default());
    cut.err().unwrap().to_string()
}

/// Replaces the bytes after the first occurrence of a name.
fn changed(name: &[u8; 4], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = fixture("tone.m4a");
    let found = bytes.windows(4).position(|part| part == name).unwrap() + at;
    bytes[found..found + new.len()].copy_from_slice(new);
    bytes
}

#[test]
fn an_unusual_m4a_file_is_refused() {
    let cut = |reason: &str| format!("it cannot be cut: {reason}");
    let tables = "it is damaged: its tables of samples are invalid";
    for (bytes, expected) in [
        (changed(b"mp4a", 0, b"enca"), cut("it is encrypted")),
        (changed(b"mp4a", 0, b"Opus"), cut("its audio is neither AAC nor ALAC")),
        // MP3 in MP4, whose frames depend on earlier ones.
        (changed(b"esds", 21, &[0x6b]), cut("its audio is neither AAC nor ALAC")),
        (changed(b"elst", 20, &[0, 2]), cut("its edit list has several parts")),
        (changed(b"stco", 12, &[0xff]), "it is cut off: its media".to_owned()),
        (changed(b"stco", 8, &[0xff; 4]), tables.to_owned()),
        (changed(b"stsc", 8, &[0xff; 4]), tables.to_owned()),
        (changed(b"stsz", 12, &[0xff; 4]), tables.to_owned()),
        (changed(b"stsz", 0, b"stz2"), cut("its table of sizes is missing")),
    ] {
        assert_eq!(reason(&bytes, "m4a", 300..900), expected);
    }
}

#[test]
fn the_sound_of_an_m4a_clip_is_the_sound_of_the_recording() {
    for name in ["tone.m4a", "chapters.m4a", "edited.mp4"] {
        let bytes = fixture(name);
        let whole = samples(bytes.clone(), name);
        for (start, end) in [(0, 400), (333, 1000), (600, 1234)] {
            let mut source = Cursor::new(&bytes[..]);
            let clip = cut(&mut source, extension(name), start..end, &Tags::default()).unwrap();
            let clip = samples(copied(&clip, &mut source), "clip.m4a");
            // The decoder also returns the earlier sample, which lacks a part.
            let heard = &clip[1024.min(clip.len())..];
            let found = whole.windows(heard.len()).position(|part| part == heard);
            assert!(found.is_some(), "{name}, {start}");
        }
    }
}

#[test]
fn a_clip_of_a_clip_is_at_the_right_time() {
    let bytes = fixture("tone.m4a");
    let clip_of = |bytes: &[u8], span: Range<u64>| {
        let mut source = Cursor::new(bytes);
        let clip = cut(&mut source, "m4a", span, &Tags::default()).unwrap();
        copied(&clip, &mut source)
    };
    let once = clip_of(&bytes, 500..1100);
    let twice = clip_of(&clip_of(&bytes, 300..1500), 200..800);
    assert!(once == twice);
}
