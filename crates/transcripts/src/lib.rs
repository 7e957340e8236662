//! Reads transcripts of audio and video, one cue at a time. A cue has text, times, a speaker and a
//! byte range in the file.
//!
//! ```
//! use transcripts::{Format, read};
//!
//! let file = b"WEBVTT\n\n00:01.000 --> 00:04.000\n<v Sarah>Welcome to\nQ&amp;A.\n";
//! let format = Format::of("text/vtt", "", file);
//! let mut transcript = read(file, format);
//! let cue = transcript.next().ok_or("no cue")?;
//! assert_eq!((cue.start, cue.end), (Some(1000), Some(4000)));
//! assert_eq!(cue.speaker.as_deref(), Some("Sarah"));
//! assert_eq!(cue.text, "Welcome to Q&A.");
//! assert!(file[cue.bytes].starts_with(b"00:01.000"));
//! # Ok::<(), &str>(())
//! ```
//!
//! 1. [`Format::of`] detects the format by media type, extension or content.
//! 2. [`read`] returns a [`Transcript`], an iterator of [`Cue`]s.
//! 3. [`Transcript::passages`] groups cues into passages of a given length, for a search index.
//! 4. [`Transcript::paragraphs`] groups cues into paragraphs, to display them.
//! 5. [`Transcript::faults`] returns the problems found so far.
//! 6. [`to_webvtt`] writes cues as WebVTT, and [`notes`] returns the comments above the first cue.
//!
//! # Supported formats
//!
//! - **WebVTT** (W3C, Candidate Recommendation of 2019): the header, NOTE, STYLE and REGION are
//!   skipped. `<v Name>` contains the speaker. Other tags are removed, and HTML's character
//!   references are decoded. If a cue repeats lines of the previous cue, as in automatic captions,
//!   they are read only once. The same applies to SRT.
//! - **SRT** has no specification: times with a comma or dot, cues with or without numbers, tags
//!   and `{\an8}` are accepted. The text can begin with the speaker's name and a colon (Podcasting
//!   2.0).
//! - **JSON** (Podcasting 2.0): `segments` with `startTime` and `endTime` in seconds, `speaker` and
//!   `body`.
//! - **HTML** (Podcasting 2.0): `<cite>Name:</cite><time>0:12</time><p>…`. In other HTML, the text
//!   of each block is a cue without a time. HTML is parsed as in browsers (HTML, section 13.2.5),
//!   but scripts, styles and invisible content are skipped.
//! - **Plain text**: each paragraph is a cue. If times occur throughout (`[00:01:02] text`,
//!   `00:01:02 Name: text`, `Name (0:12): text`), a cue extends from one time to the next.
//!
//! Files must be UTF-8, with or without a byte order mark. Invalid bytes become U+FFFD, and UTF-16
//! files are not read. Both problems are reported as faults.
//!
//! # Invariants
//!
//! - The crate does not depend on sites, files or HTTP: bytes in, cues out.
//! - No input causes a panic. A broken cue is skipped and reported, and the other cues are read.
//! - The running time is proportional to the size of the file, regardless of its content. Only one
//!   cue is kept in memory. A cue's text is borrowed from the file if it needs no change.
//! - Reading only a cue's [`bytes`](Cue::bytes) in the same format returns the same cue, with two
//!   exceptions. In plain text without times, a single paragraph may seem to start with a time. In
//!   roll-up captions, a single cue includes the lines that it repeats.
//! - A cue's range never overlaps the range of the previous cue.

mod captions;
mod clock;
mod fault;
mod format;
mod html;
mod json;
mod lines;
mod markup;
mod paragraphs;
mod passages;
mod plain;
mod roll_up;
mod text;
mod webvtt;

use std::borrow::Cow;
use std::ops::Range;

use captions::Captions;
pub use fault::Fault;
use fault::Faults;
pub use format::Format;
use html::Html;
use json::Json;
use markup::Tags;
pub use paragraphs::{Line, Paragraph, Paragraphs};
pub use passages::{Passage, Passages};
use plain::Plain;
pub use webvtt::{MACHINE_MADE, machine_made, notes, reviewed, to_webvtt};

/// A piece of spoken text, with its times and its speaker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cue<'a> {
    /// Start in milliseconds. Cues in HTML and plain text can lack times.
    pub start: Option<u64>,
    /// End in milliseconds, if the file specifies it.
    pub end: Option<u64>,
    /// Name of the speaker, if the cue specifies it. If there are several voices in the cue, the
    /// name of the first.
    pub speaker: Option<Cow<'a, str>>,
    /// The spoken text without tags and names. It is never empty, and its words are separated by
    /// single spaces.
    pub text: Cow<'a, str>,
    /// Byte range of the whole cue in the file, including its timing. These bytes can be read
    /// separately.
    pub bytes: Range<usize>,
}

/// Reads a transcript lazily: each call of `next` reads one cue.
#[must_use]
pub fn read(bytes: &[u8], format: Format) -> Transcript<'_> {
    let mut faults = Faults::new(bytes);
    let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let reader = if is_utf_16(bytes) {
        faults.report_lost(0, "the file is UTF-16", "Save the file as UTF-8.");
        Reader::Nothing
    } else {
        match format {
            Format::Vtt => Reader::Captions(Captions::new(bytes, at, Tags::Vtt)),
            Format::Srt => Reader::Captions(Captions::new(bytes, at, Tags::Srt)),
            Format::Json => Reader::Json(Json::new(bytes, at)),
            Format::Html => Reader::Html(Box::new(Html::new(bytes, at))),
            Format::Plain => Reader::Plain(Plain::new(bytes, at)),
        }
    };
    Transcript { reader, faults, last: None, has_cues: false }
}

/// Returns whether a file is UTF-16: it starts with a byte order mark, or every other byte at its
/// start is zero.
fn is_utf_16(bytes: &[u8]) -> bool {
    let is_marked = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    let Some(head) = bytes.first_chunk::<8>() else {
        return is_marked;
    };
    let zeros = |first: usize| {
        let of = |(index, byte): (usize, &u8)| (index % 2 == first) == (*byte == 0);
        head.iter().enumerate().all(of)
    };
    is_marked || zeros(0) || zeros(1)
}

/// The cues of a transcript, in the order of the file.
pub struct Transcript<'a> {
    reader: Reader<'a>,
    faults: Faults<'a>,
    /// Start of the last cue that has a start.
    last: Option<u64>,
    has_cues: bool,
}

enum Reader<'a> {
    Captions(Captions<'a>),
    Json(Json<'a>),
    Html(Box<Html<'a>>),
    Plain(Plain<'a>),
    /// There are no more cues: the file has ended or cannot be read.
    Nothing,
}

impl<'a> Transcript<'a> {
    /// Groups the remaining cues into passages. A passage ends when it has at least this number of
    /// words. In scripts without spaces, two letters count as a word.
    pub fn passages(&mut self, words: usize) -> Passages<'_, 'a> {
        Passages::new(self, words)
    }

    /// Groups the remaining cues into paragraphs. A paragraph ends at the first end of a sentence
    /// after this number of words, or when the speaker changes. A cue without a time is a separate
    /// paragraph.
    ///
    /// ```
    /// use transcripts::{Format, read};
    ///
    /// let file = b"WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ana>Is it\n\n00:03.000 --> 00:04.000\nlate?\n\n00:04.000 --> 00:05.000\n<v Bo>It is.\n";
    /// let paragraphs: Vec<_> = read(file, Format::Vtt).paragraphs(60).collect();
    /// assert_eq!(paragraphs.len(), 2);
    /// assert_eq!(paragraphs[0].speaker.as_deref(), Some("Ana"));
    /// assert_eq!(paragraphs[0].lines[0].text, "Is it ");
    /// assert_eq!(paragraphs[0].lines[1].start, Some(3000));
    /// ```
    pub fn paragraphs(&mut self, words: usize) -> Paragraphs<'_, 'a> {
        Paragraphs::new(self, words)
    }

    /// Returns the faults found so far, in the order of the file. There are at most a hundred.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults.list
    }

    /// Returns the number of faults that [`faults`](Self::faults) omits.
    #[must_use]
    pub fn faults_left_out(&self) -> usize {
        self.faults.left_out
    }

    /// Reports implausible times.
    fn check_times(&mut self, cue: &Cue<'_>) {
        const HUNDRED_HOURS: u64 = 100 * 3_600_000;
        let Some(start) = cue.start else { return };
        let at = cue.bytes.start;
        let end = cue.end.unwrap_or(start);
        if start.max(end) >= HUNDRED_HOURS {
            self.faults.report_kept(
                at,
                "the cue is at 100 hours or later",
                "Check whether hours, minutes and seconds are mixed up.",
            );
        }
        if end < start {
            self.faults
                .report_kept(at, "the cue ends before it starts", "Correct one of its times.");
        }
        // Several cues can start at the same time, because people can speak simultaneously.
        if self.last.is_some_and(|last| start < last) {
            self.faults.report_kept(
                at, "the cue starts before the one above it", "Sort the cues by their start times.",
            );
        }
        self.last = Some(start);
    }

    fn finish(&mut self) {
        if matches!(self.reader, Reader::Nothing) {
            return;
        }
        self.reader = Reader::Nothing;
        if !self.has_cues {
            let problem = match self.faults.is_empty_file() {
                true => "the file is empty",
                false => "the file contains no spoken text",
            };
            self.faults.report_nothing_read(
                problem,
                "Check whether it is the right file, and whether its format matches its name and media type.",
            );
        }
    }
}

impl<'a> Iterator for Transcript<'a> {
    type Item = Cue<'a>;

    fn next(&mut self) -> Option<Cue<'a>> {
        let cue = match &mut self.reader {
            Reader::Captions(captions) => captions.next(&mut self.faults),
            Reader::Json(json) => json.next(&mut self.faults),
            Reader::Html(html) => html.next(&mut self.faults),
            Reader::Plain(plain) => plain.next(&mut self.faults),
            Reader::Nothing => None,
        };
        match &cue {
            Some(cue) => {
                self.has_cues = true;
                self.check_times(cue);
            }
            None => self.finish(),
        }
        cue
    }
}

impl std::iter::FusedIterator for Transcript<'_> {}
