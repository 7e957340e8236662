//! Decodes recordings, and measures their loudness, their defects, and the peaks from which a player
//! draws the waveform.
//!
//! ```
//! use std::io::Cursor;
//!
//! // A second of silence at 8,000 samples per second.
//! let mut wav = b"RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x40\x1f\0\0".to_vec();
//! wav.resize(wav.len() + 8000, 128);
//! let found = sound::measure(Cursor::new(wav), "wav", 100)?;
//! assert_eq!(found.peaks.values, [0; 100]);
//! assert_eq!(found.peaks.duration, 1.0);
//! assert_eq!(found.loudness, None);
//! # Ok::<(), sound::DecodeError>(())
//! ```
//!
//! 1. [`decode`] decodes a recording, and passes each block of [`Samples`] to a function.
//! 2. [`measure`] decodes a recording, and returns its [`Measurement`].
//! 3. [`waveform`] decodes only some moments of a recording, and returns the peaks around them.
//!    [`passage_waveform`] returns the peaks of a passage.
//!
//! # Supported formats
//!
//! MP3, AAC (in MP4 and ADTS), FLAC, WAV, Vorbis and FLAC in Ogg, and Opus with up to two channels in
//! Ogg and MP4. WebM is not supported.
//!
//! # Invariants
//!
//! - The crate does not depend on sites: bytes in, samples out.
//! - The memory does not depend on the length of a recording. The running time is proportional to
//!   its length.
//! - A damaged part of a recording is skipped. A recording without any sample is an error.
//! - The library may panic on a broken file. Such a panic is an error, if panics unwind.

mod decode;
mod defects;
mod measure;
mod opus;
mod peaks;
mod waveform;

use std::io::{Read, Seek};

pub use decode::{DecodeError, Samples, decode};
pub use defects::Places;
pub use measure::Measurement;
pub use peaks::Peaks;

/// Decodes a recording, and measures it, with a peak for each of `count` equal parts. A recording
/// with fewer samples has fewer parts. The extension of the file's name is a hint for its format.
///
/// # Errors
///
/// Fails if the format is not supported, or if no sample can be decoded.
pub fn measure(
    source: impl Read + Seek + Send + Sync,
    extension: &str,
    count: usize,
) -> Result<Measurement, DecodeError> {
    let mut measuring = measure::Measuring::new(count);
    decode(source, extension, &mut |samples| measuring.add(samples))?;
    Ok(measuring.finish())
}

/// Returns a rough waveform: one digit of base 36 for each of `count` equal parts of a recording, from
/// `0` (silence) to `z` (the loudest part).
/// `duration` is the length of the recording in seconds. Returns None for silence, and for a file
/// whose headers contradict `duration`, because the positions would be wrong.
///
/// # Errors
///
/// Fails if the format is not supported, or the file is damaged.
pub fn waveform(
    source: impl Read + Seek + Send + Sync,
    extension: &str,
    duration: f64,
    count: u32,
) -> Result<Option<String>, DecodeError> {
    decode::with(source, extension, |mut opened| waveform::sample(&mut opened, duration, count))
}

/// Returns the waveform of a passage between two times in seconds, in the form of [`waveform`]. Every
/// sample of the passage is decoded. Returns None for silence, and if the recording ends before the
/// passage.
///
/// # Errors
///
/// Fails if the format is not supported, or the file is damaged.
pub fn passage_waveform(
    source: impl Read + Seek + Send + Sync,
    extension: &str,
    passage: (f64, f64),
    count: u32,
) -> Result<Option<String>, DecodeError> {
    decode::with(source, extension, |mut opened| waveform::passage(&mut opened, passage, count))
}
