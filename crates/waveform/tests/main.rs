//! Decodes recordings that the tests make, those of `media-facts`, and damaged ones.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::path::Path;

use proptest::prelude::*;
use waveform::{DecodeError, Peaks, decode, peaks};

/// Samples per second of the recordings that the tests make.
const RATE: u32 = 8000;

/// Returns a WAV file with these samples, on two channels.
fn wav(samples: impl Iterator<Item = f64>) -> Vec<u8> {
    let mut data = Vec::new();
    for sample in samples {
        let sample = (sample * f64::from(i16::MAX)) as i16;
        data.extend(sample.to_le_bytes());
        data.extend((sample / 2).to_le_bytes());
    }
    let mut file = b"RIFF".to_vec();
    file.extend((36 + data.len() as u32).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x02\0");
    file.extend(RATE.to_le_bytes());
    file.extend((4 * RATE).to_le_bytes());
    file.extend(b"\x04\0\x10\0data");
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    file
}

fn sine(loudness: f64, seconds: u32) -> impl Iterator<Item = f64> {
    let wave = |at: u32| (f64::from(at) * 440.0 * std::f64::consts::TAU / f64::from(RATE)).sin();
    (0..seconds * RATE).map(move |at| loudness * wave(at))
}

fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../media-facts/tests/fixtures");
    std::fs::read(folder.join(name)).unwrap()
}

fn measure(bytes: &[u8], name: &str, count: usize) -> Result<Peaks, DecodeError> {
    peaks(Cursor::new(bytes), name.rsplit('.').next().unwrap(), count)
}

#[test]
fn a_loud_half_and_a_silent_half_are_measured() {
    let file = wav(sine(0.5, 5).chain(sine(0.0, 5)));
    let found = measure(&file, "talk.wav", 1000).unwrap();
    assert_eq!(found.values.len(), 1000);
    assert_eq!(found.duration, 10.0);
    // Two channels: the louder one counts.
    assert!(found.values[..490].iter().all(|value| (126..=128).contains(value)), "{found:?}");
    assert!(found.values[510..].iter().all(|value| *value == 0), "{found:?}");
}

#[test]
fn a_click_in_a_long_recording_is_at_its_time() {
    let click = |at: u32| if at == 3000 * RATE { 1.0 } else { 0.0 };
    let file = wav((0..3600 * RATE).map(click));
    let found = measure(&file, "talk.wav", 1000).unwrap();
    let loud: Vec<usize> = (0..1000).filter(|at| found.values[*at] > 0).collect();
    assert_eq!((loud.len(), found.values[loud[0]]), (1, 255));
    assert!((3000.0 - loud[0] as f64 * 3.6).abs() < 7.2, "{loud:?}");
}

#[test]
fn a_short_recording_has_fewer_parts() {
    let found = measure(&wav([0.0, 1.0].into_iter()), "talk.wav", 1000).unwrap();
    assert_eq!(found.values, [0, 255]);
    assert_eq!(measure(&wav(sine(0.5, 1)), "talk.wav", 0).unwrap().values.len(), 1);
}

#[test]
fn common_formats_are_decoded() {
    let names =
        ["tone.wav", "cbr-info.mp3", "vbr-xing.mp3", "chapters.mp3", "tone.m4a", "chapters.mp4"];
    for name in names.into_iter().chain(["tone.aac", "tone.flac", "chapters.ogg"]) {
        let found = measure(&fixture(name), name, 100).unwrap();
        assert!((0.5..10.0).contains(&found.duration), "{name}: {}", found.duration);
        assert_eq!(found.values.len(), 100, "{name}");
        assert!(found.values.iter().any(|value| *value > 5), "{name}: {found:?}");
    }
}

#[test]
fn the_content_decides_about_the_format() {
    let found = measure(&fixture("tone.flac"), "tone.mp3", 100).unwrap();
    assert_eq!(found, measure(&fixture("tone.flac"), "tone.flac", 100).unwrap());
}

#[test]
fn opus_and_webm_are_not_supported() {
    let error = measure(&fixture("tone.opus"), "tone.opus", 100).unwrap_err();
    assert!(matches!(error, DecodeError::Unsupported), "{error}");
    let error = measure(&fixture("silent.webm"), "silent.webm", 100).unwrap_err();
    assert!(matches!(error, DecodeError::Unsupported), "{error}");
}

#[test]
fn files_without_sound_are_errors() {
    let text = "It is not a recording.\n".repeat(1000);
    for (bytes, name) in [
        (text.as_bytes(), "talk.mp3"),
        (b"", "talk.mp3"),
        (&wav(sine(0.0, 0)), "talk.wav"),
        (&fixture("picture.jpg"), "talk.mp3"),
    ] {
        let found = measure(bytes, name, 100);
        assert!(found.is_err(), "{name}: {found:?}");
    }
}

#[test]
fn a_recording_that_is_cut_off_is_decoded_to_its_end() {
    for name in ["cbr-info.mp3", "tone.wav", "tone.flac", "vbr-bare.mp3"] {
        let whole = fixture(name);
        let (part, all) =
            (measure(&whole[..whole.len() / 4 * 3], name, 100), measure(&whole, name, 100));
        let (part, all) = (part.expect(name).duration, all.expect(name).duration);
        assert!(part > 0.2 * all && part < 0.9 * all, "{name}: {part} of {all}");
    }
}

#[test]
fn a_recording_is_decoded_in_small_blocks() {
    let file = wav(sine(0.5, 600));
    let (mut frames, mut largest) = (0, 0);
    let count = &mut |samples: waveform::Samples<'_>| {
        frames += samples.interleaved.len() / samples.channels;
        largest = largest.max(samples.interleaved.len());
    };
    decode(Cursor::new(&file), "wav", count).unwrap();
    assert_eq!(frames, 600 * RATE as usize);
    assert!(largest < 100_000, "{largest}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..4000), name in "(mp3|wav|ogg|flac|m4a|aac)") {
        let _ = measure(&bytes, &name, 100);
    }

    #[test]
    fn damaged_files_never_panic(
        name in prop::sample::select(vec!["tone.wav", "cbr-info.mp3", "tone.m4a", "tone.aac", "tone.flac", "chapters.ogg", "fragmented.mp4"]),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        at_start: bool,
    ) {
        let mut bytes = fixture(name);
        let end = if at_start { bytes.len().min(200) } else { bytes.len() };
        for (at, byte) in damage {
            bytes[at.index(end)] = byte;
        }
        let _ = measure(&bytes, name, 100);
    }
}
