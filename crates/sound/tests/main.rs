//! Decodes recordings that the tests make, those of `media-facts`, and damaged ones.

#![allow(clippy::unwrap_used)]

use std::io::Cursor;
use std::path::Path;

use proptest::prelude::*;
use sound::{DecodeError, Measurement, Peaks, decode};

/// Samples per second of the recordings that the tests make.
const RATE: u32 = 8000;

/// Returns a WAV file with these samples on the first channel, and half of them on the second.
fn wav(samples: impl Iterator<Item = f64>) -> Vec<u8> {
    wav_of(RATE, 2, samples.flat_map(|sample| [sample, sample / 2.0]))
}

/// Returns a WAV file with these interleaved samples.
fn wav_of(rate: u32, channels: u16, samples: impl Iterator<Item = f64>) -> Vec<u8> {
    let samples = samples.map(|sample| (sample.clamp(-1.0, 1.0) * f64::from(i16::MAX)) as i16);
    let data: Vec<u8> = samples.flat_map(i16::to_le_bytes).collect();
    let mut file = b"RIFF".to_vec();
    file.extend((36 + data.len() as u32).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0");
    file.extend(channels.to_le_bytes());
    file.extend(rate.to_le_bytes());
    file.extend((2 * u32::from(channels) * rate).to_le_bytes());
    file.extend((2 * channels).to_le_bytes());
    file.extend(b"\x10\0data");
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    file
}

/// Returns the same sample for each channel.
fn on_all(channels: usize, samples: impl Iterator<Item = f64>) -> impl Iterator<Item = f64> {
    samples.flat_map(move |sample| std::iter::repeat_n(sample, channels))
}

/// Returns a sine wave of 1 kHz at 48 kHz, with this level in dBFS.
fn tone(level: f64, seconds: u32) -> impl Iterator<Item = f64> {
    let factor = 10_f64.powf(level / 20.0);
    let wave = |at: u32| (f64::from(at) * 1000.0 * std::f64::consts::TAU / 48_000.0).sin();
    (0..seconds * 48_000).map(move |at| factor * wave(at))
}

fn analyse(channels: u16, samples: impl Iterator<Item = f64>) -> Measurement {
    let file = wav_of(48_000, channels, samples);
    sound::measure(Cursor::new(file), "wav", 100).unwrap()
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
    let extension = name.rsplit('.').next().unwrap();
    sound::measure(Cursor::new(bytes), extension, count).map(|found| found.peaks)
}

fn waveform(bytes: &[u8], name: &str, duration: f64) -> Option<String> {
    let extension = name.rsplit('.').next().unwrap();
    sound::waveform(Cursor::new(bytes), extension, duration, 32).unwrap()
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
    for name in names.into_iter().chain(["tone.aac", "tone.flac", "chapters.ogg", "tone.opus"]) {
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

/// Returns the checksum of an Ogg page whose checksum is zero (RFC 3533, section 6).
fn ogg_checksum(page: &[u8]) -> u32 {
    page.iter().fold(0, |sum, byte| {
        let start = sum ^ (u32::from(*byte) << 24);
        (0..8).fold(start, |sum, _| (sum << 1) ^ if sum >> 31 == 1 { 0x04c1_1db7 } else { 0 })
    })
}

/// Returns the start, the start of the body, and the end of each page of an Ogg file.
fn ogg_pages(file: &[u8]) -> Vec<(usize, usize, usize)> {
    let mut pages = Vec::new();
    let mut start = 0;
    while let Some(count) = file.get(start + 26).map(|count| usize::from(*count)) {
        let body = start + 27 + count;
        let lengths = file[start + 27..body].iter().map(|length| usize::from(*length));
        let end = body + lengths.sum::<usize>();
        pages.push((start, body, end));
        start = end;
    }
    pages
}

/// Corrects the checksums of all pages of an Ogg file.
fn correct_checksums(file: &mut [u8]) {
    for (start, _, end) in ogg_pages(file) {
        file[start + 22..start + 26].fill(0);
        let checksum = ogg_checksum(&file[start..end]);
        file[start + 22..start + 26].copy_from_slice(&checksum.to_le_bytes());
    }
}

/// The gain in the header of an Opus file is part of its loudness (RFC 7845, section 5.1).
#[test]
fn the_gain_of_opus_is_applied() {
    let mut file = fixture("tone.opus");
    let loudness =
        |file: &[u8]| sound::measure(Cursor::new(file), "opus", 9).unwrap().loudness.unwrap();
    let before = loudness(&file);
    // The header follows 28 bytes of the first page, and has 19 bytes.
    file[28 + 16..28 + 18].copy_from_slice(&(-6_i16 * 256).to_le_bytes());
    correct_checksums(&mut file);
    assert!((before - 6.0 - loudness(&file)).abs() < 0.01, "{before}, {}", loudness(&file));
}

#[test]
fn webm_is_not_supported() {
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
    let count = &mut |samples: sound::Samples<'_>| {
        frames += samples.interleaved.len() / samples.channels;
        largest = largest.max(samples.interleaved.len());
    };
    decode(Cursor::new(&file), "wav", count).unwrap();
    assert_eq!(frames, 600 * RATE as usize);
    assert!(largest < 100_000, "{largest}");
}

/// The cases 1 to 3 of EBU Tech 3341, which allows 0.1 LU.
#[test]
fn loudness_is_that_of_the_reference_signals() {
    let quiet = || on_all(2, tone(-36.0, 10));
    for (expected, found) in [
        (-23.0, analyse(2, on_all(2, tone(-23.0, 20)))),
        (-33.0, analyse(2, on_all(2, tone(-33.0, 20)))),
        (-23.0, analyse(2, quiet().chain(on_all(2, tone(-23.0, 60))).chain(quiet()))),
        // A channel alone has half the energy of two.
        (-26.0, analyse(1, tone(-23.0, 20))),
    ] {
        let loudness = found.loudness.unwrap();
        assert!((loudness - expected).abs() <= 0.1, "{loudness}, not {expected}");
    }
    assert_eq!(analyse(2, on_all(2, tone(-300.0, 5))).loudness, None);
}

/// Case 15 of EBU Tech 3341: the samples of the wave miss its tops by 3 dB.
#[test]
fn a_true_peak_between_samples_is_found_with_its_time() {
    let wave = |at: u32| {
        let level = if at < 48_000 { 0.1 } else { 0.5 };
        level * (f64::from(at) * std::f64::consts::FRAC_PI_2 + std::f64::consts::FRAC_PI_4).sin()
    };
    let (peak, at) = analyse(1, (0..96_000).map(wave)).true_peak.unwrap();
    assert!((-6.4..=-5.8).contains(&peak), "{peak}");
    assert!((0.9..=1.1).contains(&at), "{at}");
}

#[test]
fn clipping_has_times() {
    let clipped = || tone(6.0, 1).map(|sample| sample.clamp(-1.0, 1.0));
    let found = analyse(1, tone(-6.0, 2).chain(clipped()).chain(tone(-6.0, 4)).chain(clipped()));
    let starts: Vec<f64> = found.clipped.first.iter().map(|(start, _)| start.floor()).collect();
    assert_eq!((found.clipped.count, starts), (2, vec![2.0, 7.0]));
    assert_eq!(analyse(1, tone(0.0, 3)).clipped.count, 0, "a loud wave is not clipped");
}

#[test]
fn silences_have_times_and_lengths() {
    let noise = |seconds| tone(-70.0, seconds);
    let found = analyse(
        1,
        noise(4).chain(tone(-20.0, 2)).chain(noise(2)).chain(tone(-20.0, 1)).chain(noise(3)),
    );
    let rounded = |(start, length): &(f64, f64)| (start.round(), length.round());
    let places: Vec<(f64, f64)> = found.silences.first.iter().map(rounded).collect();
    assert_eq!((found.silences.count, places), (2, vec![(0.0, 4.0), (9.0, 3.0)]));
    let many = (0..8).flat_map(|_| tone(-20.0, 1).chain(noise(4)));
    let found = analyse(1, many).silences;
    assert_eq!((found.count, found.first.len()), (8, 5));
}

#[test]
fn channels_are_compared() {
    let dead = analyse(2, tone(-20.0, 2).flat_map(|sample| [0.0, sample]));
    assert_eq!((dead.dead_channels, dead.is_dual_mono), (vec![0], false));
    let dual = analyse(2, on_all(2, tone(-20.0, 2)));
    assert_eq!((dual.dead_channels, dual.is_dual_mono), (vec![], true));
    let stereo = analyse(2, tone(-20.0, 2).flat_map(|sample| [sample, sample * 0.9]));
    assert_eq!((stereo.dead_channels, stereo.is_dual_mono), (vec![], false));
    let silent = analyse(2, on_all(2, tone(-300.0, 4)));
    assert_eq!((silent.dead_channels, silent.is_dual_mono), (vec![], false));
    assert_eq!(silent.silences.count, 1);
}

#[test]
fn rates_are_those_of_the_sound_without_tags() {
    let found = analyse(1, tone(-20.0, 2));
    assert_eq!((found.rate, found.channels, found.bit_rate.round()), (48_000, 1, 768_000.0));
}

#[test]
fn a_waveform_has_a_digit_for_each_part() {
    let file = wav_of(RATE, 1, sine(0.5, 20).chain(sine(0.25, 20)).chain(sine(0.0, 40)));
    let found = waveform(&file, "talk.wav", 80.0).unwrap();
    assert_eq!(found, "zzzzzzzzhhhhhhhh0000000000000000");
    assert_eq!(waveform(&file, "talk.wav", 70.0), None, "the header contradicts the length");
    assert_eq!(waveform(&wav(sine(0.0, 9)), "talk.wav", 9.0), None, "silence");
}

fn passage(bytes: &[u8], name: &str, passage: (f64, f64)) -> Option<String> {
    let extension = name.rsplit('.').next().unwrap();
    sound::passage_waveform(Cursor::new(bytes), extension, passage, 16).unwrap()
}

#[test]
fn the_waveform_of_a_passage_has_only_its_sound() {
    let file = wav_of(RATE, 1, sine(0.5, 20).chain(sine(0.25, 20)).chain(sine(0.0, 40)));
    assert_eq!(passage(&file, "talk.wav", (16.01, 24.01)).unwrap(), "zzzzzzzzhhhhhhhh");
    assert_eq!(passage(&file, "talk.wav", (25.0, 33.0)).unwrap(), "zzzzzzzzzzzzzzzz");
    assert_eq!(passage(&file, "talk.wav", (78.0, 99.0)), None, "silence, and the end");
    for outside in [(99.0, 120.0), (-1.0, 1.0), (5.0, 5.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        let _ = sound::passage_waveform(Cursor::new(&file), "wav", outside, 16);
    }
    for name in ["tone.wav", "cbr-info.mp3", "vbr-xing.mp3", "tone.m4a", "tone.flac"] {
        let found = passage(&fixture(name), name, (0.2, 0.5)).expect(name);
        assert!(found.len() == 16 && found.contains('z'), "{name}: {found}");
    }
}

#[test]
fn common_formats_have_a_waveform() {
    for name in [
        "tone.wav", "cbr-info.mp3", "vbr-xing.mp3", "tone.m4a", "tone.flac", "chapters.ogg",
        "tone.opus",
    ] {
        let duration = measure(&fixture(name), name, 1).unwrap().duration;
        let found = waveform(&fixture(name), name, duration).expect(name);
        assert!(found.len() == 32 && found.contains('z'), "{name}: {found}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..4000), name in "(mp3|wav|ogg|opus|flac|m4a|aac)") {
        let _ = measure(&bytes, &name, 100);
        let _ = sound::waveform(Cursor::new(&bytes), &name, 1.0, 32);
    }

    /// A wrong checksum would hide the packets from the decoder. The first two pages are headers.
    #[test]
    fn damaged_packets_of_opus_never_panic(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        cut: prop::sample::Index,
    ) {
        let mut bytes = fixture("tone.opus");
        let bodies = ogg_pages(&bytes).into_iter().skip(2).flat_map(|(_, body, end)| body..end);
        let bodies: Vec<usize> = bodies.collect();
        for (at, byte) in damage {
            bytes[*at.get(&bodies)] = byte;
        }
        correct_checksums(&mut bytes);
        let found = measure(&bytes, "tone.opus", 100);
        prop_assert!(found.is_ok_and(|found| found.duration > 1.0));
        let _ = measure(&bytes[..cut.index(bytes.len())], "tone.opus", 100);
    }

    #[test]
    fn damaged_files_never_panic(
        name in prop::sample::select(vec!["tone.wav", "cbr-info.mp3", "tone.m4a", "tone.aac", "tone.flac", "chapters.ogg", "tone.opus", "fragmented.mp4"]),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        at_start: bool,
    ) {
        let mut bytes = fixture(name);
        let end = if at_start { bytes.len().min(200) } else { bytes.len() };
        for (at, byte) in damage {
            bytes[at.index(end)] = byte;
        }
        let _ = measure(&bytes, name, 100);
        let extension = name.rsplit('.').next().unwrap();
        let _ = sound::waveform(Cursor::new(&bytes), extension, 1.0, 32);
        let _ = sound::passage_waveform(Cursor::new(&bytes), extension, (0.1, 0.9), 32);
    }
}
