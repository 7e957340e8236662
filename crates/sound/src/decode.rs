//! Decodes recordings with symphonia.

use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use symphonia::core::codecs::audio::{AudioDecoder, AudioDecoderOptions};
use symphonia::core::codecs::registry::CodecRegistry;
use symphonia::core::common::Limit;
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::{MediaSource, MediaSourceStream};
use symphonia::core::meta::MetadataOptions;
use symphonia::core::packet::Packet;
use symphonia::core::units::Timestamp;
use symphonia::default::{get_probe, register_enabled_codecs};

use super::opus::Opus;

/// Maximum number of packets. MP3 has 40 packets per second, so that this is more than 100 hours.
const MAX_PACKETS: usize = 16_000_000;

/// Maximum size of a tag or picture in a file, in bytes. Larger ones are skipped.
const MAX_TAG: usize = 1024 * 1024;

/// Extensions of formats that can be decoded.
const KNOWN: [&str; 11] =
    ["aac", "flac", "m4a", "m4v", "mov", "mp3", "mp4", "oga", "ogg", "opus", "wav"];

/// The decoders.
static CODECS: LazyLock<CodecRegistry> = LazyLock::new(|| {
    let mut codecs = CodecRegistry::new();
    register_enabled_codecs(&mut codecs);
    codecs.register_audio_decoder::<Opus>();
    codecs
});

/// The reason why a recording cannot be decoded.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    #[error("recordings in this format cannot be decoded")]
    Unsupported,
    #[error("the file is damaged or not a recording")]
    Damaged,
    #[error("the file cannot be read: {0}")]
    Read(#[from] io::Error),
}

/// A block of decoded samples, between -1 and 1.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'s> {
    /// The samples of all channels at one time, followed by the samples at the next time.
    pub interleaved: &'s [f32],
    /// Number of channels, at least 1.
    pub channels: usize,
    /// Number of samples per second in each channel, at least 1.
    pub rate: u32,
    /// Size of the encoded block in the file, in bytes.
    pub encoded: usize,
}

/// A recording that is being decoded.
pub(super) struct Opened<'s> {
    pub format: Box<dyn FormatReader + 's>,
    pub decoder: Box<dyn AudioDecoder>,
    /// Number of the track that is decoded.
    pub track: u32,
    /// Length in seconds, as the file's headers say.
    pub duration: Option<f64>,
    /// Number of packets that may still be read.
    left: usize,
    /// The samples of the last packet.
    block: Vec<f32>,
}

/// Decodes a recording, and calls `take` with each block of samples. The extension of the file's
/// name is a hint for its format.
///
/// # Errors
///
/// Fails if the format is not supported, or if no sample can be decoded.
pub fn decode(
    source: impl Read + Seek + Send + Sync,
    extension: &str,
    take: &mut dyn FnMut(Samples<'_>),
) -> Result<(), DecodeError> {
    with(source, extension, |mut opened| {
        let mut has_samples = false;
        while let Some(packet) = opened.next_packet() {
            if let Some(samples) = opened.decode(&packet) {
                take(samples);
                has_samples = true;
            }
        }
        has_samples.then_some(()).ok_or(DecodeError::Damaged)
    })
}

/// Opens a recording, and calls `work` with it. A panic of the library is an error.
pub(super) fn with<T>(
    mut source: impl Read + Seek + Send + Sync,
    extension: &str,
    work: impl FnOnce(Opened<'_>) -> Result<T, DecodeError>,
) -> Result<T, DecodeError> {
    let length = source.seek(SeekFrom::End(0))?;
    source.rewind()?;
    let source = Source { inner: source, length };
    let done = catch_unwind(AssertUnwindSafe(|| work(open(Box::new(source), extension)?)));
    done.unwrap_or(Err(DecodeError::Damaged))
}

fn open<'s>(source: Box<dyn MediaSource + 's>, extension: &str) -> Result<Opened<'s>, DecodeError> {
    let stream = MediaSourceStream::new(source, Default::default());
    let mut hint = Hint::new();
    hint.with_extension(extension);
    let tags = MetadataOptions::default()
        .limit_tag_bytes(Limit::Maximum(MAX_TAG))
        .limit_visual_bytes(Limit::Maximum(MAX_TAG));
    let found = get_probe().probe(&hint, stream, FormatOptions::default(), tags);
    let format = found.map_err(|_| match KNOWN.contains(&&*extension.to_ascii_lowercase()) {
        true => DecodeError::Damaged,
        false => DecodeError::Unsupported,
    })?;
    let track = format.default_track(TrackType::Audio).ok_or(DecodeError::Damaged)?;
    let codec = track.codec_params.as_ref().and_then(|codec| codec.audio());
    let codec = codec.ok_or(DecodeError::Unsupported)?;
    // The header of a file that was joined from several counts only the samples of the first.
    let options = AudioDecoderOptions::default().gapless(false);
    let decoder = CODECS.make_audio_decoder(codec, &options).map_err(of)?;
    let time = track.time_base.zip(track.duration);
    let time =
        time.and_then(|(base, length)| base.calc_time(length.timestamp_from(Timestamp::ZERO)?));
    let (track, duration) = (track.id, time.map(|time| time.as_secs_f64()));
    Ok(Opened { format, decoder, track, duration, left: MAX_PACKETS, block: Vec::new() })
}

impl Opened<'_> {
    /// Returns the next packet of the recording, or `None` at its end. A file that is cut off ends
    /// with an error.
    pub fn next_packet(&mut self) -> Option<Packet> {
        loop {
            self.left = self.left.checked_sub(1)?;
            let packet = self.format.next_packet().ok()??;
            if packet.track_id == self.track {
                return Some(packet);
            }
        }
    }

    /// Decodes a packet. Returns `None` for a damaged packet.
    pub fn decode(&mut self, packet: &Packet) -> Option<Samples<'_>> {
        let audio = self.decoder.decode(packet).ok()?;
        let (channels, rate) = (audio.num_planes(), audio.spec().rate());
        if channels == 0 || rate == 0 || audio.frames() == 0 {
            return None;
        }
        self.block.resize(audio.samples_interleaved(), 0.0);
        audio.copy_to_slice_interleaved(&mut self.block);
        Some(Samples { interleaved: &self.block, channels, rate, encoded: packet.data.len() })
    }
}

fn of(error: Error) -> DecodeError {
    match error {
        Error::Unsupported(_) => DecodeError::Unsupported,
        _ => DecodeError::Damaged,
    }
}

/// A source of a known length.
struct Source<S> {
    inner: S,
    length: u64,
}

impl<S: Read> Read for Source<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer)
    }
}

impl<S: Seek> Seek for Source<S> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}

impl<S: Read + Seek + Send + Sync> MediaSource for Source<S> {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.length)
    }
}
