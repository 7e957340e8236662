//! Decodes recordings, and measures their peaks, from which a player draws the waveform.
//!
//! ```
//! use std::io::Cursor;
//!
//! // A second of silence at 8,000 samples per second.
//! let mut wav = b"RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0data\x40\x1f\0\0".to_vec();
//! wav.resize(wav.len() + 8000, 128);
//! let peaks = waveform::peaks(Cursor::new(wav), "wav", 100)?;
//! assert_eq!(peaks.values, [0; 100]);
//! assert_eq!(peaks.duration, 1.0);
//! # Ok::<(), waveform::DecodeError>(())
//! ```
//!
//! 1. [`decode`] decodes a recording, and passes each block of [`Samples`] to a function.
//! 2. [`peaks`] decodes a recording, and returns the loudest sample of each part of it.
//!
//! # Supported formats
//!
//! MP3, AAC (in MP4 and ADTS), FLAC, Vorbis and FLAC in Ogg, and WAV. Opus and WebM are not
//! supported.
//!
//! # Invariants
//!
//! - The crate does not depend on sites: bytes in, samples out.
//! - The memory does not depend on the length of a recording. The running time is proportional to
//!   its length.
//! - A damaged part of a recording is skipped. A recording without any sample is an error.
//! - The library may panic on a broken file. Such a panic is an error, if panics unwind.

mod decode;
mod peaks;

use std::io::{Read, Seek};

pub use decode::{DecodeError, Samples, decode};
pub use peaks::Peaks;

/// Decodes a recording, and returns the loudest sample of each of `count` equal parts. A recording
/// with fewer samples has fewer parts. The extension of the file's name is a hint for its format.
///
/// # Errors
///
/// Fails if the format is not supported, or if no sample can be decoded.
pub fn peaks(
    source: impl Read + Seek + Send + Sync,
    extension: &str,
    count: usize,
) -> Result<Peaks, DecodeError> {
    let mut meter = peaks::Meter::new(count);
    decode(source, extension, &mut |samples| meter.add(samples))?;
    Ok(meter.finish())
}
