//! Parts of recordings.

use std::io::Cursor;

use recording_tags::{Piece, Tags, cut};

use super::{all_tags, copied, fixture};

const MP3: [&str; 4] = ["cbr-bare.mp3", "cbr-info.mp3", "vbr-bare.mp3", "vbr-xing.mp3"];

#[test]
fn a_clip_has_frames_of_the_recording_and_the_right_duration() {
    for name in MP3 {
        let bytes = fixture(name);
        for (start, end) in [(0, 400), (333, 1000), (600, 1234)] {
            let mut source = Cursor::new(&bytes[..]);
            let clip = cut(&mut source, start..end, &all_tags()).unwrap();
            let frames = clip.pieces().last().unwrap();
            let Piece::Source(range) = frames else { panic!("the frames of {name} are new") };
            assert_eq!(bytes[range.start as usize], 0xff, "{name}");
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
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
    let clip = cut(&mut Cursor::new(&bytes), 500..u64::MAX, &Tags::default()).unwrap();
    let Some(Piece::Source(range)) = clip.pieces().last() else { panic!("no frames") };
    assert_eq!(range.end, bytes.len() as u64);
}

#[test]
fn a_clip_that_cannot_be_cut_has_a_reason() {
    let no_audio = "it contains no audio";
    let format = "only MP3 files can be cut";
    for (name, start, end, expected) in [
        ("cbr-bare.mp3", 60_000, 61_000, no_audio),
        ("cbr-bare.mp3", 500, 500, no_audio),
        ("picture.png", 0, 500, no_audio),
        ("tone.m4a", 0, 500, format),
        ("tone.flac", 0, 500, format),
        ("tone.wav", 0, 500, format),
    ] {
        let bytes = fixture(name);
        let error = cut(&mut Cursor::new(&bytes), start..end, &Tags::default()).err().unwrap();
        assert_eq!(error.to_string(), expected, "{name}");
    }
}
