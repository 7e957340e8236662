//! Tests of durations that are missing in the header of a file, or at an unusual position.

use std::fs;

use media_facts::{MediaFacts, read};

use super::fixture;

/// Returns the facts about a file with this content.
pub(crate) fn facts_of(name: &str, bytes: &[u8]) -> MediaFacts {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    read(&path).unwrap()
}

fn assert_duration(name: &str, bytes: &[u8], seconds: f64) {
    let facts = facts_of(name, bytes);
    let duration = facts.duration.unwrap_or(f64::NAN);
    assert!((duration - seconds).abs() < 0.0005, "{name}: {facts:?}");
    assert!(facts.problems.is_empty() && facts.damage.is_none(), "{facts:?}");
}

/// Returns a WAV file with one second of audio and the given sizes in its headers. The audio is
/// 8-bit mono at 8 kHz.
fn wav_file(riff: &[u8; 4], outer: u32, data: u32) -> Vec<u8> {
    let mut file = [&riff[..], &outer.to_le_bytes(), b"WAVE"].concat();
    if riff != b"RIFF" {
        file.extend(b"ds64\x1c\0\0\0");
        for size in [8080_u64, 8000, 8000] {
            file.extend(size.to_le_bytes());
        }
        file.extend([0; 4]);
    }
    file.extend(b"fmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0");
    file.extend(b"data");
    file.extend(data.to_le_bytes());
    file.extend([128; 8000]);
    file
}

#[test]
fn a_piped_wav_file_lasts_to_its_end() {
    const MAX: u32 = u32::MAX;
    // A WAV file without audio has 44 bytes, so the size in its header is 36.
    for (outer, data) in
        [(0, 0), (MAX, 0), (36, 0), (MAX, MAX), (0, MAX), (8036, 8000), (0x7fff_f024, 0x7fff_f000)]
    {
        assert_duration("pipe.wav", &wav_file(b"RIFF", outer, data), 1.0);
    }
    for riff in [b"RF64", b"BW64"] {
        assert_duration("long.wav", &wav_file(riff, MAX, MAX), 1.0);
    }
    // A chunk follows the audio, and must not be counted as audio.
    let mut tagged = wav_file(b"RF64", MAX, MAX);
    tagged.extend(b"LIST\x04\0\0\0INFO");
    assert_duration("tagged.wav", &tagged, 1.0);
    let silent = &wav_file(b"RIFF", 8036, 0)[..44];
    assert_eq!(facts_of("silent.wav", silent).duration, None);
}

/// The duration of compressed audio can only be computed from the number of samples.
#[test]
fn a_compressed_wav_file_needs_its_sample_count() {
    let mut file = wav_file(b"RIFF", 8036, 8000);
    file[20] = 0x11;
    assert_eq!(facts_of("adpcm.wav", &file).duration, None);
    let fact = b"fact\x04\0\0\0\x80\x3e\0\0";
    assert_duration("adpcm.wav", &[&file[..36], fact, &file[36..]].concat(), 2.0);
}

#[test]
fn aiff_and_caf_are_measured() {
    let rate = [0x40, 0x0b, 0xfa, 0, 0, 0, 0, 0, 0, 0];
    let aiff = |kind: &[u8], frames: u32, compression: &[u8]| {
        let common = [&[0, 1], &frames.to_be_bytes()[..], &[0, 16], &rate, compression].concat();
        let mut file =
            [b"FORM\0\0\0\0", kind, b"COMM", &(common.len() as u32).to_be_bytes(), &common]
                .concat();
        file.extend(b"SSND\0\0\x3e\x88\0\0\0\0\0\0\0\0");
        file.extend([0; 16_000]);
        file
    };
    assert_duration("a.aiff", &aiff(b"AIFF", 8000, b""), 1.0);
    assert_duration("unknown.aiff", &aiff(b"AIFF", 0, b""), 1.0);
    assert_duration("a.aifc", &aiff(b"AIFC", 8000, b"sowt\0\0"), 1.0);
    assert_duration("law.aifc", &aiff(b"AIFC", 16_000, b"ulaw\0\0"), 2.0);
    assert_eq!(facts_of("packed.aifc", &aiff(b"AIFC", 250, b"ima4\0\0")).duration, None);

    let caf = |size: i64| {
        let description = [
            &8000_f64.to_be_bytes()[..],
            b"lpcm",
            &[0; 4],
            &[0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 16],
        ];
        let head = [
            b"caff\0\x01\0\0desc",
            &32_u64.to_be_bytes()[..],
            &description.concat(),
            b"data",
            &size.to_be_bytes(),
            &[0; 4],
        ];
        [&head.concat()[..], &[0; 16_000]].concat()
    };
    assert_duration("a.caf", &caf(16_004), 1.0);
    assert_duration("pipe.caf", &caf(-1), 1.0);
}

/// The duration and the chapters are read although one picture is invalid.
#[test]
fn a_flac_file_with_a_bad_picture_has_a_duration() {
    let file = fs::read(fixture("chapters.flac")).unwrap();
    let (head, rest) = file.split_at(4 + 4 + 34);
    let picture = [
        &b"\0\0\0\x03\0\0\0\x09image/png\0\0\0\0"[..],
        &[0; 16],
        &300_u32.to_be_bytes(),
        &[7; 300],
    ]
    .concat();
    let block = |length: usize, picture: &[u8]| {
        let length = (length as u32).to_be_bytes();
        let block = [&[6], &length[1..], picture].concat();
        [head, &block, rest].concat()
    };
    for (name, file) in [
        ("whole.flac", block(picture.len(), &picture)),
        ("torn.flac", block(60, &picture[..60])),
        ("too-short.flac", block(60, &picture)),
        ("nothing.flac", block(0, b"")),
    ] {
        assert_duration(name, &file, 2.0);
        assert_eq!(facts_of(name, &file).chapters.len(), 3, "{name}");
    }
}

#[test]
fn a_piped_flac_file_is_measured_by_its_last_frame() {
    let mut file = fs::read(fixture("tone.flac")).unwrap();
    file[21] &= 0xf0;
    file[22..26].fill(0);
    assert_duration("pipe.flac", &file, 2.0);
    assert_duration(
        "tagged.flac",
        &[&b"ID3\x03\0\0\0\0\0\x02\0\0"[..], &file, b"TAG", &[0; 125]].concat(),
        2.0,
    );
    assert_eq!(facts_of("cut.flac", &file[..file.len() - 1]).duration, None);
}

/// Like players, the crate determines the format by the content of a file, not by its name.
#[test]
fn the_file_extension_does_not_affect_the_duration() {
    for (name, seconds) in
        [("tone.m4a", 2.0), ("tone.flac", 2.0), ("tone.aac", 2.176), ("chapters.ogg", 2.0)]
    {
        for other in ["a.mp3", "a.aac", "a.ogg", "a.wav"] {
            assert_duration(other, &fs::read(fixture(name)).unwrap(), seconds);
        }
    }
}

/// Joined recordings are played one after the other.
#[test]
fn durations_of_joined_ogg_files_are_added() {
    for (name, seconds) in
        [("tone.oga", 2.0), ("chapters.ogg", 2.0), ("tone.spx", 1.995), ("chapters.opus", 2.0)]
    {
        let one = fs::read(fixture(name)).unwrap();
        assert_duration(name, &[&one[..], &one].concat(), 2.0 * seconds);
    }
}
