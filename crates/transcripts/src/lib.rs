//! Reads transcripts of audio and video, cue by cue: what was said, when, by whom, and where in the file it stands.
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
//! 1. [`Format::of`] knows the format by media type, ending or content.
//! 2. [`read`] gives a [`Transcript`], an iterator of [`Cue`]s.
//! 3. [`Transcript::passages`] gathers cues to passages of some length, for a search index.
//! 4. [`Transcript::paragraphs`] gathers them to paragraphs, for people.
//! 5. [`Transcript::faults`] tells what was wrong in what was read up to then.
//!
//! # What is read
//!
//! - **WebVTT** (W3C, Candidate Recommendation of 2019): header, NOTE, STYLE and REGION are passed over; `<v Name>`
//!   is the speaker; other tags go, HTML's character references are replaced. Lines that a cue repeats from the
//!   previous cue, as in automatic captions, are read once, in SRT too.
//! - **SRT** has no specification: comma or dot, with numbers or without, tags and `{\an8}`. The speaker is a name
//!   with a colon before the text (Podcasting 2.0).
//! - **JSON** (Podcasting 2.0): `segments` with `startTime` and `endTime` in seconds, `speaker`, `body`.
//! - **HTML** (Podcasting 2.0): `<cite>Name:</cite><time>0:12</time><p>…`; of other HTML each block's text, without
//!   times. It is read as browsers do (HTML, section 13.2.5), but for scripts, styles and what is not seen.
//! - **Plain text**: paragraphs; where times stand throughout (`[00:01:02] text`, `00:01:02 Name: text`, `Name (0:12): text`),
//!   from one to the next.
//!
//! Text is UTF-8, with a byte order mark or without. Bytes that are not become U+FFFD; UTF-16 is not read. Both are faults.
//!
//! # What holds here
//!
//! - It knows nothing of sites, files or HTTP: bytes in, cues out.
//! - No bytes make it panic. A broken cue costs that cue, and is told.
//! - It takes time in proportion to the file, whatever is in it. Beside one cue it holds nothing; texts are borrowed where they stand in the
//!   file as they are read.
//! - A cue's [`bytes`](Cue::bytes), fetched alone and read in the same format, are the same cue. Two exceptions: in plain
//!   text without times a paragraph is its own text, and alone may look as if it began with a time; and a cue that rolls
//!   up has, alone, the lines that it repeats.
//! - A range never overlaps the one before it.

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
mod rolling;
mod text;

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

/// What was said at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cue<'a> {
    /// When it starts, in milliseconds. HTML and plain text may not say.
    pub start: Option<u64>,
    /// When it ends, in milliseconds, if the file says so.
    pub end: Option<u64>,
    /// Who speaks, if it says so at this cue. Where several voices share one cue, the first.
    pub speaker: Option<Cow<'a, str>>,
    /// The words, never empty: one space between them, no tags, no name.
    pub text: Cow<'a, str>,
    /// Where it stands in the file: all of it, with its timing, so that these bytes can be read alone.
    pub bytes: Range<usize>,
}

/// Reads a transcript, as far as its iterator is asked.
#[must_use]
pub fn read(bytes: &[u8], format: Format) -> Transcript<'_> {
    let mut faults = Faults::new(bytes);
    let at = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let reader = if is_utf_16(bytes) {
        faults.lost(0, "the file is UTF-16", "Save the file as UTF-8.");
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

/// Whether a file begins with the byte order mark of UTF-16, or has a zero in every other of its first bytes.
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
    /// The start of the last cue that has one.
    last: Option<u64>,
    has_cues: bool,
}

enum Reader<'a> {
    Captions(Captions<'a>),
    Json(Json<'a>),
    Html(Box<Html<'a>>),
    Plain(Plain<'a>),
    /// After the end, or of a file that cannot be read.
    Nothing,
}

impl<'a> Transcript<'a> {
    /// Gathers what is left to passages of this many words or a little more: a passage ends with the cue that reaches
    /// them. Of scripts without spaces two letters count as a word.
    pub fn passages(&mut self, words: usize) -> Passages<'_, 'a> {
        Passages::new(self, words)
    }

    /// Gathers what is left to paragraphs of about so many words: one ends with the sentence that reaches them, and where
    /// the speaker changes. A cue without a time is a paragraph of its own.
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

    /// What is wrong in what was read up to now, in the order of the file: the first hundred.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults.list
    }

    /// How many more faults there were than [`faults`](Self::faults) has.
    #[must_use]
    pub fn faults_left_out(&self) -> usize {
        self.faults.left_out
    }

    /// Tells of times that cannot be.
    fn check_times(&mut self, cue: &Cue<'_>) {
        const HUNDRED_HOURS: u64 = 100 * 3_600_000;
        let Some(start) = cue.start else { return };
        let at = cue.bytes.start;
        let end = cue.end.unwrap_or(start);
        if start.max(end) >= HUNDRED_HOURS {
            self.faults.kept(
                at,
                "the cue is at 100 hours or later",
                "Look whether hours, minutes and seconds are mixed up.",
            );
        }
        if end < start {
            self.faults.kept(at, "the cue ends before it starts", "Correct one of its times.");
        }
        // Cues that go on at the same time are right: two people may speak at once.
        if self.last.is_some_and(|last| start < last) {
            self.faults.kept(
                at,
                "the cue starts before the one above it",
                "Put the cues in the order of their starts.",
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
                false => "the file has no text that is spoken",
            };
            self.faults.nothing_read(
                problem,
                "Look whether it is the right file, and in the format that its name and media type say.",
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
