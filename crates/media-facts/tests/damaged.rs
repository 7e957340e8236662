//! Tests of incomplete files. If a duration is found, it is the duration of the remaining audio or
//! video, and a problem is reported.

use std::fs;

use super::durations::facts_of;
use super::fixture;

/// Returns the position of each page in an Ogg file, and the end of the file.
fn pages(file: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    while let Some(head) = starts.last().and_then(|start| file.get(*start..)?.get(..27)) {
        let start = starts.last().unwrap();
        let durations = &file[start + 27..start + 27 + usize::from(head[26])];
        let content: usize = durations.iter().map(|length| usize::from(*length)).sum();
        starts.push(start + 27 + durations.len() + content);
    }
    starts
}

#[test]
fn a_partial_ogg_file_has_a_warning_for_its_length() {
    for name in ["tone.oga", "chapters.ogg", "chapters.opus", "tone.spx"] {
        let file = fs::read(fixture(name)).unwrap();
        let starts = pages(&file);
        let page = |at: usize| &file[starts[at]..starts[at + 1]];
        let last = starts.len() - 2;
        let mut parts = vec![
            page(last).to_vec(),
            [page(0), page(last)].concat(),
            [page(0), page(1), page(last)].concat(),
        ];
        parts.extend((0..=last).map(|at| [&file[..starts[at]], &file[starts[at + 1]..]].concat()));
        for (at, part) in parts.into_iter().enumerate() {
            let facts = facts_of(name, &part);
            let is_told = !facts.problems.is_empty() || facts.damage.is_some();
            assert!(
                is_told && facts.duration.is_none_or(|seconds| seconds < 2.1),
                "{name} {at}: {facts:?}"
            );
            // A duration is only allowed if just the last page is missing.
            assert!(facts.duration.is_none() || at == 3 + last, "{name} {at}: {facts:?}");
        }
    }
}

#[test]
fn a_truncated_recording_is_reported() {
    for name in [
        "cbr-info.mp3", "vbr-xing.mp3", "tone.m4a", "chapters.mp4", "fragmented.mp4", "edited.mp4",
        "chapters.ogg", "chapters.opus", "tone.oga", "tone.spx", "tone.flac", "chapters.flac",
        "tone.wav", "silent.webm",
    ] {
        let whole = fs::read(fixture(name)).unwrap();
        let full = facts_of(name, &whole).duration.unwrap();
        for tenth in 1..10 {
            let facts = facts_of(name, &whole[..whole.len() * tenth / 10]);
            let is_told = !facts.problems.is_empty() || facts.damage.is_some();
            assert!(is_told, "{name} {tenth}: {facts:?}");
            assert!(
                facts.duration.is_none_or(|seconds| seconds < full),
                "{name} {tenth}: {facts:?}"
            );
        }
    }
}

/// Simulates an interrupted upload: the header is complete, but some pixels are missing.
#[test]
fn a_truncated_image_is_damaged() {
    for name in
        ["picture.jpg", "rotated.jpg", "picture.png", "picture.gif", "picture.webp", "picture.avif"]
    {
        let whole = fs::read(fixture(name)).unwrap();
        assert_eq!(facts_of(name, &whole).damage, None, "{name}");
        for tenth in 1..10 {
            let facts = facts_of(name, &whole[..whole.len() * tenth / 10]);
            assert!(facts.damage.is_some(), "{name} {tenth}: {facts:?}");
            assert_eq!(facts.picture, None, "{name} {tenth}");
        }
        // Data that cameras and programs append to a picture is ignored.
        let longer = [&whole[..], b"\0\0and more"].concat();
        assert_eq!(facts_of(name, &longer).damage, None, "{name}");
    }
}

/// Simulates a disk error: the checksum of a PNG chunk detects a flipped bit.
#[test]
fn a_png_image_with_a_flipped_bit_is_damaged() {
    let mut file = fs::read(fixture("picture.png")).unwrap();
    let middle = file.len() / 2;
    file[middle] ^= 1;
    assert!(facts_of("a.png", &file).damage.is_some());
}

/// Raw AAC and MP3 files without a header do not contain the number of frames, so the duration is
/// the duration of the existing frames.
#[test]
fn frames_without_a_header_are_counted() {
    for name in ["tone.aac", "cbr-bare.mp3", "vbr-bare.mp3"] {
        let whole = fs::read(fixture(name)).unwrap();
        let full = facts_of(name, &whole).duration.unwrap();
        let half = facts_of(name, &whole[..whole.len() / 2]).duration.unwrap();
        assert!(half > full / 4.0 && half < full * 0.75, "{name}: {half} of {full}");
        let twice = facts_of(name, &[&whole[..], &whole].concat()).duration.unwrap();
        assert!((twice - 2.0 * full).abs() < 0.01, "{name}: {twice} of {full}");
    }
}
