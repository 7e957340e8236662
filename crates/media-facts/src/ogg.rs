//! Ogg files with Vorbis, Opus, FLAC or Speex (RFC 3533, RFC 7845, RFC 9639): their duration and
//! chapters.
//!
//! The parser reads all page headers, but not the audio. Only in this way is the duration exact:
//! the durations of joined recordings are added, and missing pages are detected. The time in the
//! last page alone would include the missing pages.

use std::fs::File;
use std::io;

use super::MediaFacts;
use super::bounded::{BudgetReader, read_at};
use super::flac::{self, StreamInfo};
use super::length::Length;
use super::vorbis_comments;

/// Maximum size of a page in bytes: a header of 27 bytes, 255 segment lengths, and 255 segments of
/// 255 bytes.
const MAX_PAGE_BYTES: u64 = 27 + 255 + 255 * 255;

/// Maximum size of a page header, in bytes.
const MAX_HEAD_BYTES: u64 = 27 + 255;

/// Maximum number of pages to read. This is enough for a gigabyte of the smallest common pages.
const MAX_PAGES: u64 = 250_000;

/// Maximum size of a comment packet, in bytes.
const MAX_COMMENT_BYTES: usize = 16 << 20;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let mut walk = Walk::default();
    let length = walk.read_pages(reader(file), facts.bytes);
    let absent = match walk.is_damaged {
        true => "parts of the file are missing or damaged",
        false => "the file does not state its length; it may be cut off",
    };
    facts.record_length(length, absent);
    facts.chapters = vorbis_comments::chapters(comment_block(&walk.comments));
}

/// Returns the comments of a file with this number of bytes.
pub(super) fn comments(file: &File, bytes: u64) -> io::Result<Vec<u8>> {
    let mut walk = Walk::default();
    walk.read_pages(reader(file), bytes)?;
    Ok(comment_block(&walk.comments).to_owned())
}

fn reader(file: &File) -> BudgetReader<&File> {
    BudgetReader::new(file, MAX_PAGES * MAX_HEAD_BYTES + 4 * MAX_COMMENT_BYTES as u64)
}

/// Returns the comments in a packet, without the header before them.
fn comment_block(packet: &[u8]) -> &[u8] {
    let marked = [&b"OpusTags"[..], b"\x03vorbis"];
    let marked = marked.iter().find_map(|mark| packet.strip_prefix(*mark));
    // A FLAC metadata block has a header of four bytes. Speex comments have no header.
    let is_flac =
        || packet.first().is_some_and(|kind| kind & 0x7f == 4) && packet.get(4..8) != Some(&[0; 4]);
    match marked {
        Some(block) => block,
        None if is_flac() => packet.get(4..).unwrap_or_default(),
        None => packet,
    }
}

/// The state of the parser while it reads the pages.
#[derive(Default)]
struct Walk {
    /// Total duration of the recordings before the current recording, in seconds.
    seconds: f64,
    stream: Option<Stream>,
    /// Comment packet of the first recording.
    comments: Vec<u8>,
    /// Whether a page of audio has followed the last page that began a stream.
    has_sound: bool,
    /// Whether the current recording continues after the last page read.
    is_open: bool,
    is_damaged: bool,
}

impl Walk {
    fn read_pages(
        &mut self,
        mut reader: BudgetReader<&File>,
        bytes: u64,
    ) -> io::Result<Option<Length>> {
        let (mut position, mut is_cut_off) = (0, false);
        while position < bytes {
            let head = read_at(&mut reader, position, MAX_HEAD_BYTES)?;
            let Some(page) = Page::at(&head) else {
                // The file ends inside a page header, or other data follows the recording.
                is_cut_off = bytes - position < 27 && head.starts_with(b"OggS");
                self.is_damaged |= !is_cut_off && !is_trailer(&head);
                break;
            };
            if position + page.length > bytes {
                is_cut_off = true;
                break;
            }
            let is_current = self.stream.as_ref().is_some_and(|own| own.serial == page.serial);
            if page.is_first {
                self.begin(
                    &page,
                    &read_at(&mut reader, position, page.length.min(MAX_PAGE_BYTES))?,
                );
            } else if is_current {
                self.has_sound = true;
                let has_begun = self.stream.as_ref().is_some_and(|own| own.has_begun);
                let whole = match has_begun {
                    true => Vec::new(),
                    false => read_at(&mut reader, position, page.length)?,
                };
                self.page(&page, &whole);
            }
            position += page.length;
        }
        self.end();
        let length = (!self.is_damaged).then_some(self.seconds).filter(|seconds| *seconds > 0.0);
        let is_cut_off = is_cut_off || self.is_open;
        Ok(length.map(|seconds| Length { seconds, is_cut_off }))
    }

    /// Reads the first page of a stream. Streams that begin together play at the same time, so only
    /// the first audio stream is measured.
    fn begin(&mut self, page: &Page, whole: &[u8]) {
        if std::mem::take(&mut self.has_sound) {
            self.end();
        }
        if self.stream.is_none() {
            self.stream = Stream::of(page, whole.get(page.head..).unwrap_or_default());
        }
    }

    /// Adds the duration of the current recording.
    fn end(&mut self) {
        if let Some(stream) = self.stream.take() {
            match stream.seconds() {
                Some(seconds) => self.seconds += seconds,
                None => self.is_damaged = true,
            }
        }
    }

    /// Reads a page of the current stream. `whole` contains the bytes of the page, but is empty
    /// after the first page of audio has been read.
    fn page(&mut self, page: &Page, whole: &[u8]) {
        let Some(stream) = &mut self.stream else {
            return;
        };
        self.is_damaged |= page.sequence != stream.sequence.wrapping_add(1);
        stream.sequence = page.sequence;
        self.is_open = !page.is_last;
        if stream.headers_left == 0 {
            if !std::mem::replace(&mut stream.has_begun, true) {
                match stream.codec.start(page, whole) {
                    Some(start) => stream.start = start,
                    None => self.is_damaged = true,
                }
            }
            stream.granule = page.granule.or(stream.granule);
            return;
        }
        for (packet, is_whole) in page.packets(whole) {
            if stream.is_at_comments
                && self.seconds == 0.0
                && self.comments.len() < MAX_COMMENT_BYTES
            {
                self.comments.extend_from_slice(packet);
            }
            if is_whole {
                stream.is_at_comments = false;
                stream.headers_left = stream.headers_left.saturating_sub(1);
            }
        }
    }
}

/// Returns whether the bytes after the last page are a tag. Some programs append tags.
fn is_trailer(bytes: &[u8]) -> bool {
    bytes.starts_with(b"TAG") || bytes.starts_with(b"APETAGEX") || bytes.starts_with(b"ID3")
}

/// An audio stream, which is one recording in the file.
struct Stream {
    serial: u32,
    codec: Codec,
    sequence: u32,
    /// Number of header packets that follow.
    headers_left: u32,
    is_at_comments: bool,
    /// Whether a page of audio has been read.
    has_begun: bool,
    /// Number of the recording's first sample. It is greater than 0 in a recording of a live
    /// stream.
    start: u64,
    /// Number of the sample at which the last page ends.
    granule: Option<u64>,
}

impl Stream {
    fn of(page: &Page, packet: &[u8]) -> Option<Self> {
        let (codec, headers_left) = Codec::of(packet)?;
        Some(Self {
            serial: page.serial,
            codec,
            sequence: page.sequence,
            headers_left,
            is_at_comments: true,
            has_begun: false,
            start: 0,
            granule: None,
        })
    }

    fn seconds(&self) -> Option<f64> {
        let rate = f64::from(self.codec.rate());
        let skipped = self.start + self.codec.pre_skip();
        let samples = self.granule?.checked_sub(skipped)?;
        (rate > 0.0).then(|| samples as f64 / rate)
    }
}

/// The codec of a stream. It determines how samples are counted.
enum Codec {
    /// The decoder drops the first `pre_skip` samples.
    Opus {
        pre_skip: u64,
    },
    /// A packet contains at most `longest` samples.
    Vorbis {
        rate: u32,
        longest: u64,
    },
    Flac(StreamInfo),
    Speex {
        rate: u32,
    },
}

impl Codec {
    /// Parses the packet that identifies the codec of a stream. Returns the codec and the number of
    /// header packets that follow.
    fn of(packet: &[u8]) -> Option<(Self, u32)> {
        let long = |at: usize| Some(u32::from_le_bytes(*packet.get(at..)?.first_chunk()?));
        if packet.starts_with(b"OpusHead") {
            let pre_skip = u16::from_le_bytes(*packet.get(10..)?.first_chunk()?).into();
            return Some((Self::Opus { pre_skip }, 1));
        }
        if packet.starts_with(b"\x01vorbis") {
            let longest = 1_u64 << (packet.get(28)? >> 4) >> 1;
            return Some((Self::Vorbis { rate: long(12)?, longest }, 2));
        }
        if packet.starts_with(b"\x7fFLAC") {
            let headers = u16::from_be_bytes(*packet.get(7..)?.first_chunk()?);
            let info = StreamInfo::of(packet.get(17..)?)?;
            return Some((Self::Flac(info), u32::from(headers).max(1)));
        }
        if packet.starts_with(b"Speex   ") {
            return Some((Self::Speex { rate: long(36)? }, 1 + long(68)?.min(64)));
        }
        None
    }

    fn rate(&self) -> u32 {
        match self {
            Self::Opus { .. } => 48_000,
            Self::Vorbis { rate, .. } | Self::Speex { rate } => *rate,
            Self::Flac(info) => info.rate,
        }
    }

    fn pre_skip(&self) -> u64 {
        match self {
            Self::Opus { pre_skip } => *pre_skip,
            _ => 0,
        }
    }

    /// Returns the number of the first sample on the first page of audio. Returns None if the
    /// number is not 0 but cannot be determined.
    fn start(&self, page: &Page, whole: &[u8]) -> Option<u64> {
        let mut packets = page.packets(whole);
        if let Self::Flac(info) = self {
            let (first, _) = packets.next()?;
            return Some(flac::Frame::parse(first, info.block)?.first);
        }
        let Some(end) = page.granule else {
            return Some(0);
        };
        match self {
            Self::Opus { .. } => {
                let whole = packets.filter(|(_, is_whole)| *is_whole);
                let samples: u64 = whole.map(|(packet, _)| opus_samples(packet)).sum();
                // The last page of a stream can cut off the end of its packets, so the result could
                // be negative.
                Some(end.saturating_sub(samples))
            }
            Self::Vorbis { longest, .. } => {
                let most = longest * packets.count() as u64;
                (end <= most).then_some(0)
            }
            Self::Speex { .. } | Self::Flac(_) => Some(0),
        }
    }
}

/// Returns the number of samples in an Opus packet at 48 kHz (RFC 6716, section 3.1).
fn opus_samples(packet: &[u8]) -> u64 {
    let Some(head) = packet.first() else { return 0 };
    let frame = match head >> 3 {
        configuration @ 0..12 => [480, 960, 1920, 2880][usize::from(configuration & 3)],
        configuration @ 12..16 => [480, 960][usize::from(configuration & 1)],
        configuration => [120, 240, 480, 960][usize::from(configuration & 3)],
    };
    let frames = match head & 3 {
        0 => 1,
        1 | 2 => 2,
        _ => packet.get(1).map_or(0, |count| u64::from(count & 0x3f)),
    };
    frame * frames
}

/// The header of a page.
struct Page {
    /// Size of the header in bytes.
    head: usize,
    /// Size of the page in bytes, including its header.
    length: u64,
    /// Lengths of the page's segments.
    segments: Vec<u8>,
    /// Number of the sample at the end of the page. None if no packet ends on the page.
    granule: Option<u64>,
    serial: u32,
    sequence: u32,
    /// Whether this is the first page of a stream.
    is_first: bool,
    /// Whether this is the last page of a stream.
    is_last: bool,
}

impl Page {
    fn at(bytes: &[u8]) -> Option<Self> {
        if !bytes.starts_with(b"OggS\0") {
            return None;
        }
        let long = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let head = 27 + usize::from(*bytes.get(26)?);
        let segments = bytes.get(27..head)?.to_vec();
        let content: u64 = segments.iter().map(|length| u64::from(*length)).sum();
        let granule = u64::from_le_bytes(*bytes.get(6..)?.first_chunk()?);
        Some(Self {
            head,
            length: head as u64 + content,
            segments,
            granule: Some(granule).filter(|granule| *granule != u64::MAX),
            serial: long(14)?,
            sequence: long(18)?,
            is_first: bytes[5] & 2 != 0,
            is_last: bytes[5] & 4 != 0,
        })
    }

    /// Returns the packets on a page, each with a flag that tells whether the packet ends on this
    /// page. `whole` contains the bytes of the page.
    fn packets<'b>(&self, whole: &'b [u8]) -> impl Iterator<Item = (&'b [u8], bool)> {
        let mut at = self.head;
        let mut segments = self.segments.iter();
        std::iter::from_fn(move || {
            let start = at;
            let mut is_whole = false;
            for length in segments.by_ref() {
                at += usize::from(*length);
                if *length < 255 {
                    is_whole = true;
                    break;
                }
            }
            let packet = whole.get(start..at)?;
            (is_whole || !packet.is_empty()).then_some((packet, is_whole))
        })
    }
}
