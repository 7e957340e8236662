//! The duration of audio files that consist of chunks: WAV (RIFF; RF64 and BW64 of EBU Tech 3306
//! and ITU-R BS.2088), AIFF with AIFF-C, and CAF.
//!
//! A program that writes to a pipe cannot go back to fill in the sizes. The placeholders that such
//! programs write mean "up to the end of the file".

use std::fs::File;
use std::io;

use super::bounded::{be_u32, be_u64, read_at, reader};
use super::length::Length;

/// Maximum number of chunks to read from a file.
const MAX_CHUNKS: usize = 4096;

/// Minimum size that is treated as unknown if it exceeds the size of the file. Programs that write
/// to a pipe use such sizes as placeholders.
const MIN_PLACEHOLDER_SIZE: u64 = 0x7fff_0000;

/// The format of the chunk headers in a file format.
#[derive(Clone, Copy, PartialEq)]
enum HeadFormat {
    /// A little-endian size of 32 bits. Chunks start at even positions.
    Riff,
    /// A big-endian size of 32 bits. Chunks start at even positions.
    Iff,
    /// A big-endian size of 64 bits.
    Caf,
}

struct Chunk {
    kind: [u8; 4],
    start: u64,
    size: u64,
}

struct Chunks<R> {
    reader: R,
    head_format: HeadFormat,
    /// Position of the next chunk.
    position: u64,
    end: u64,
    chunks_left: usize,
}

impl<R: io::Read + io::Seek> Chunks<R> {
    /// Reads the chunks of a file of `end` bytes. The chunks follow the first `head` bytes, which
    /// identify the file format.
    fn new(reader: R, head_format: HeadFormat, head: u64, end: u64) -> Self {
        Self { reader, head_format, position: head, end, chunks_left: MAX_CHUNKS }
    }

    fn next(&mut self) -> io::Result<Option<Chunk>> {
        if self.position >= self.end || self.chunks_left == 0 {
            return Ok(None);
        }
        self.chunks_left -= 1;
        let size_length = if self.head_format == HeadFormat::Caf { 8 } else { 4 };
        let head = read_at(&mut self.reader, self.position, 4 + size_length)?;
        let size = match self.head_format {
            HeadFormat::Riff => le_u32(&head, 4).map(u64::from),
            HeadFormat::Iff => be_u32(&head, 4).map(u64::from),
            HeadFormat::Caf => be_u64(&head, 4),
        };
        let Some((size, kind)) = size.zip(head.first_chunk().copied()) else {
            return Ok(None);
        };
        let start = self.position + 4 + size_length;
        let padding = if self.head_format == HeadFormat::Caf { 0 } else { size & 1 };
        self.position = start.saturating_add(size).saturating_add(padding);
        Ok(Some(Chunk { kind, start, size }))
    }

    /// Reads up to `most` bytes of a chunk.
    fn bytes(&mut self, chunk: &Chunk, most: u64) -> io::Result<Vec<u8>> {
        read_at(&mut self.reader, chunk.start, chunk.size.min(most))
    }
}

/// The chunk that contains the audio, limited to the bytes that the file contains.
struct AudioChunk {
    bytes: u64,
    /// Whether the chunk's size is known, and the file ends before the chunk does.
    is_cut_off: bool,
}

impl AudioChunk {
    /// Describes the audio that starts at a position in a file of `end` bytes. `size` is the size
    /// in the chunk header. `is_unknown` is set if this size has no meaning.
    fn new(start: u64, size: u64, end: u64, is_unknown: bool) -> Self {
        let available = end.saturating_sub(start);
        let is_unknown = is_unknown || (size >= MIN_PLACEHOLDER_SIZE && size > available);
        Self {
            bytes: if is_unknown { available } else { size.min(available) },
            is_cut_off: !is_unknown && size > available,
        }
    }

    /// Returns the duration of uncompressed audio. `frame` is the size of a frame (one sample of
    /// each channel) in bytes.
    fn length(&self, frame: u64, rate: f64) -> Option<Length> {
        let frames = self.bytes.checked_div(frame)?;
        Some(Length::from_samples(frames, rate)?.cut_off_if(self.is_cut_off))
    }
}

/// Measures the duration of a WAV file of `end` bytes.
pub(super) fn measure_wave(file: &File, end: u64) -> io::Result<Option<Length>> {
    let mut reader = reader(file)?;
    let head = read_at(&mut reader, 0, 12)?;
    let is_long = !head.starts_with(b"RIFF");
    let riff_size = le_u32(&head, 4).map_or(0, u64::from);
    let mut chunks = Chunks::new(reader, HeadFormat::Riff, 12, end);
    let (mut format, mut samples, mut long_size) = (None, None, None);
    while let Some(chunk) = chunks.next()? {
        match &chunk.kind {
            b"ds64" => long_size = le_u64(&chunks.bytes(&chunk, 28)?, 8),
            b"fmt " => format = WaveFormat::of(&chunks.bytes(&chunk, 40)?),
            b"fact" => samples = le_u32(&chunks.bytes(&chunk, 4)?, 0),
            b"data" => {
                let mut size = chunk.size;
                // The sizes of the chunk and of the file were not filled in. In a file that really
                // contains no audio, the size of the file is filled in.
                let mut is_unknown =
                    size == 0 && riff_size < chunk.start || size == u64::from(u32::MAX);
                if is_long
                    && size == u64::from(u32::MAX)
                    && let Some(long) = long_size
                {
                    (size, is_unknown) = (long, long == 0 || long == u64::MAX);
                }
                let is_unknown = is_unknown || size == 0 && riff_size == u64::from(u32::MAX);
                let sound = AudioChunk::new(chunk.start, size, end, is_unknown);
                return Ok(format.and_then(|format: WaveFormat| {
                    format.length(&sound, samples.filter(|_| !is_unknown))
                }));
            }
            _ => {}
        }
    }
    Ok(None)
}

/// The fields of a WAV file's `fmt ` chunk that are needed to compute the duration.
struct WaveFormat {
    tag: u16,
    rate: u32,
    /// Size of a frame, or of a block of compressed audio, in bytes.
    block: u64,
}

impl WaveFormat {
    fn of(fmt: &[u8]) -> Option<Self> {
        const EXTENSIBLE: u16 = 0xfffe;
        let short = |at: usize| Some(u16::from_le_bytes(*fmt.get(at..)?.first_chunk()?));
        let tag = match short(0)? {
            EXTENSIBLE => short(24)?,
            tag => tag,
        };
        Some(Self { tag, rate: le_u32(fmt, 4)?, block: short(12)?.into() })
    }

    /// Returns the duration of the audio. `samples` is the value of the `fact` chunk.
    fn length(&self, sound: &AudioChunk, samples: Option<u32>) -> Option<Length> {
        let rate = f64::from(self.rate);
        // PCM, floating point, A-law and μ-law. All other formats are compressed.
        if matches!(self.tag, 1 | 3 | 6 | 7) {
            return sound.length(self.block, rate);
        }
        let samples = samples.filter(|_| !sound.is_cut_off)?;
        Length::from_samples(samples.into(), rate)
    }
}

/// Measures the duration of an AIFF or AIFF-C file of `end` bytes.
pub(super) fn measure_aiff(file: &File, end: u64) -> io::Result<Option<Length>> {
    let mut reader = reader(file)?;
    let is_aiff_c = read_at(&mut reader, 8, 4)? == b"AIFC";
    let mut chunks = Chunks::new(reader, HeadFormat::Iff, 12, end);
    let (mut common, mut sound) = (None, None);
    while let Some(chunk) = chunks.next()? {
        match &chunk.kind {
            b"COMM" => common = AiffCommon::of(&chunks.bytes(&chunk, 22)?, is_aiff_c),
            b"SSND" => {
                let offset = be_u32(&chunks.bytes(&chunk, 8)?, 0).map_or(0, u64::from);
                let (start, size) =
                    (chunk.start + 8 + offset, chunk.size.saturating_sub(8 + offset));
                sound = Some(AudioChunk::new(start, size, end, chunk.size == 0));
            }
            _ => {}
        }
    }
    Ok(common
        .zip(sound)
        .and_then(|(common, sound): (AiffCommon, AudioChunk)| common.length(&sound)))
}

/// The fields of an AIFF file's `COMM` chunk that are needed to compute the duration.
struct AiffCommon {
    frames: u32,
    rate: f64,
    /// Size of a frame in bytes. None if the audio is compressed.
    frame: Option<u64>,
}

impl AiffCommon {
    fn of(comm: &[u8], is_aiff_c: bool) -> Option<Self> {
        let short = |at: usize| Some(u16::from_be_bytes(*comm.get(at..)?.first_chunk()?));
        let channels = u64::from(short(0)?);
        let bytes = u64::from(short(6)?).div_ceil(8);
        let sample = match comm.get(18..22).filter(|_| is_aiff_c) {
            None | Some(b"NONE" | b"twos" | b"sowt" | b"raw " | b"in24" | b"in32") => Some(bytes),
            Some(b"fl32" | b"FL32") => Some(4),
            Some(b"fl64" | b"FL64") => Some(8),
            Some(b"alaw" | b"ALAW" | b"ulaw" | b"ULAW") => Some(1),
            Some(_) => None,
        };
        Some(Self {
            frames: be_u32(comm, 2)?,
            rate: parse_f80(comm.get(8..18)?)?,
            frame: sample.map(|sample| sample * channels),
        })
    }

    fn length(&self, sound: &AudioChunk) -> Option<Length> {
        let there = sound.bytes.checked_div(self.frame?)?;
        let frames = match u64::from(self.frames) {
            0 => there,
            frames => frames.min(there),
        };
        let is_cut_off =
            sound.is_cut_off || there < u64::from(self.frames) && self.frames != u32::MAX;
        Some(Length::from_samples(frames, self.rate)?.cut_off_if(is_cut_off))
    }
}

/// Parses an 80-bit number (IEEE 754, extended precision), the format of sample rates in AIFF.
fn parse_f80(bytes: &[u8]) -> Option<f64> {
    let exponent = i32::from(u16::from_be_bytes(*bytes.first_chunk()?) & 0x7fff);
    let mantissa = be_u64(bytes, 2)?;
    Some(mantissa as f64 * 2_f64.powi(exponent - 16_383 - 63))
}

/// Measures the duration of a CAF file of `end` bytes (Apple, Core Audio Format Specification 1.0).
pub(super) fn measure_caf(file: &File, end: u64) -> io::Result<Option<Length>> {
    let mut chunks = Chunks::new(reader(file)?, HeadFormat::Caf, 8, end);
    let (mut description, mut frames, mut sound) = (Vec::new(), None, None);
    while let Some(chunk) = chunks.next()? {
        match &chunk.kind {
            b"desc" => description = chunks.bytes(&chunk, 32)?,
            b"pakt" => frames = be_u64(&chunks.bytes(&chunk, 16)?, 8),
            b"data" => {
                // The first four bytes are an edit count. A size of -1 means that the size is
                // unknown.
                let (start, size) = (chunk.start + 4, chunk.size.saturating_sub(4));
                sound = Some(AudioChunk::new(start, size, end, chunk.size == u64::MAX));
            }
            _ => {}
        }
    }
    let Some((rate, sound)) = be_u64(&description, 0).map(f64::from_bits).zip(sound) else {
        return Ok(None);
    };
    if let Some(frames) = frames {
        return Ok(Length::from_samples(frames, rate).filter(|_| !sound.is_cut_off));
    }
    let number = |at| be_u32(&description, at).map_or(0, u64::from);
    let (packet, in_packet) = (number(16), number(20));
    let packets = sound.bytes.checked_div(packet).unwrap_or(0);
    let length = Length::from_samples(packets.saturating_mul(in_packet), rate);
    Ok(length.map(|length| length.cut_off_if(sound.is_cut_off)))
}

fn le_u32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn le_u64(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
