//! WebVTT and SRT: blocks of text, each after a timing line.

use std::ops::Range;

use memchr::memmem;

use crate::Cue;
use crate::clock::{self, Clock};
use crate::fault::{Faults, excerpt};
use crate::lines::{Line, Lines};
use crate::markup::{self, Tags};
use crate::roll_up::RollUpDetection;
use crate::text::{take_speaker, utf8};

/// Reader for the cues of a WebVTT (W3C, sections 4 and 6) or SRT file.
///
/// If a line above a timing contains only a number, the number belongs to the timing, even without
/// an empty line above it. The formats leave this case open.
pub(crate) struct Captions<'a> {
    lines: Lines<'a>,
    tags: Tags,
    is_at_start: bool,
    /// The header of the next cue, if it has already been read while searching for the end of the
    /// previous cue's text.
    next_cue_head: Option<Head<'a>>,
    /// The first line in the last cue's text that looks like a mistyped timing.
    mistyped_timing: Option<Line<'a>>,
    /// State of the detection of roll-up captions, in which cues repeat lines.
    roll_up: RollUpDetection,
}

/// The header of a cue: the timing, and the line above it with the cue's number or name, if there
/// is one.
#[derive(Clone, Copy)]
struct Head<'a> {
    /// Offset of the header in the file.
    start: usize,
    timing: Line<'a>,
    /// Position of the arrow in the timing line.
    arrow: usize,
}

impl<'a> Captions<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize, tags: Tags) -> Self {
        let mut captions = Self {
            lines: Lines { bytes, at },
            tags,
            is_at_start: true,
            next_cue_head: None,
            mistyped_timing: None,
            roll_up: RollUpDetection::Counting(Box::default()),
        };
        let mut faults = Faults::new(bytes);
        while captions.roll_up.is_undecided() && captions.next(&mut faults).is_some() {}
        Self {
            lines: Lines { bytes, at },
            is_at_start: true,
            next_cue_head: None,
            mistyped_timing: None,
            roll_up: captions.roll_up.decide(),
            ..captions
        }
    }

    pub(crate) fn next(&mut self, faults: &mut Faults<'_>) -> Option<Cue<'a>> {
        if std::mem::take(&mut self.is_at_start) && self.tags == Tags::Vtt {
            self.skip_header(faults);
        }
        loop {
            let head = self.next_head(faults)?;
            let text = self.text();
            let cue = self.cue(head, text, faults);
            if let Some(line) = self.mistyped_timing {
                self.report_mistyped(line, faults);
            }
            if cue.is_some() {
                return cue;
            }
        }
    }

    fn skip_header(&mut self, faults: &mut Faults<'_>) {
        let mut after = self.lines;
        if after.next().is_some_and(|line| starts_with_word(line, b"WEBVTT")) {
            self.lines = after;
            self.text();
        } else {
            faults.report_kept(
                self.lines.at,
                "the file does not begin with WEBVTT, so browsers do not read it",
                "Write WEBVTT on the first line and leave the second line empty.",
            );
        }
    }

    /// Returns the header of the next cue. Skips text that does not belong to a cue.
    fn next_head(&mut self, faults: &mut Faults<'_>) -> Option<Head<'a>> {
        loop {
            if let Some(head) = self.next_cue_head.take() {
                return Some(head);
            }
            let first = self.lines.next()?;
            if first.is_blank() {
                continue;
            }
            self.next_cue_head = self.head(first, true);
            if self.next_cue_head.is_none() {
                self.skip_block(first, faults);
            }
        }
    }

    /// Returns the header of a cue that begins with `first`, the last line read. `first` must be
    /// the timing, unless `is_name` is set: then it can also be the line above the timing.
    fn head(&mut self, first: Line<'a>, is_name: bool) -> Option<Head<'a>> {
        let mut timing = first;
        let mut after = self.lines;
        let mut arrow = first.arrow();
        if arrow.is_none() && is_name {
            timing = after.next()?;
            arrow = timing.arrow();
        }
        let head = Head { start: first.start, timing, arrow: arrow? };
        self.lines = after;
        Some(head)
    }

    fn skip_block(&mut self, first: Line<'a>, faults: &mut Faults<'_>) {
        self.text();
        let names: [&[u8]; 3] = [b"NOTE", b"STYLE", b"REGION"];
        if self.tags == Tags::Vtt && names.iter().any(|name| starts_with_word(first, name)) {
            return;
        }
        let mistyped_timing = is_mistyped_timing(first).then_some(first);
        if let Some(line) = mistyped_timing.or(self.mistyped_timing) {
            self.report_mistyped(line, faults);
        } else {
            faults.report_lost(
                first.start,
                format!("\"{}\" does not belong to a cue", excerpt(first.text)),
                "Write a line like 00:00:01.000 --> 00:00:04.000 before it.",
            );
        }
    }

    fn report_mistyped(&self, line: Line<'_>, faults: &mut Faults<'_>) {
        faults.report_lost(
            line.start,
            format!("\"{}\" looks like a cue timing, but is invalid", excerpt(line.text)),
            match self.tags {
                Tags::Vtt => "Write it like 00:00:01.000 --> 00:00:04.000: two hyphens in the arrow, dots in the times.",
                Tags::Srt => "Write it like 00:00:01,000 --> 00:00:04,000: two hyphens in the arrow.",
            },
        );
    }

    /// Skips the lines of a cue's text, and returns their range. In WebVTT, an empty line ends the
    /// text, but a line of spaces does not (section 6.1). In SRT files, even empty lines occur
    /// inside the text.
    fn text(&mut self) -> Range<usize> {
        let from = self.lines.at;
        let mut to = from;
        self.mistyped_timing = None;
        while let Some(line) = self.lines.next() {
            if line.text.is_empty() && self.tags == Tags::Vtt {
                break;
            }
            if line.is_blank() {
                continue;
            }
            let is_number = line.text.trim_ascii().iter().all(u8::is_ascii_digit);
            self.next_cue_head = self.head(line, is_number);
            if self.next_cue_head.is_some() {
                break;
            }
            if self.mistyped_timing.is_none() && is_mistyped_timing(line) {
                self.mistyped_timing = Some(line);
            }
            to = line.end();
        }
        from..to
    }

    fn cue(
        &mut self,
        head: Head<'a>,
        text: Range<usize>,
        faults: &mut Faults<'_>,
    ) -> Option<Cue<'a>> {
        let (start, end) = self.times(head, faults)?;
        let bytes = head.start..text.end.max(head.timing.end());
        let raw = utf8(&self.lines.bytes[text.clone()], text.start, faults);
        let own = self.roll_up.new_lines(&raw, start, end, self.tags);
        let (mut speaker, mut text) = markup::strip_markup(raw, self.tags);
        if let Some(own) = own {
            text = own.into();
        }
        // In SRT, the text begins with the speaker's name and a colon (Podcasting 2.0).
        if self.tags == Tags::Srt && speaker.is_none() {
            speaker = take_speaker(&mut text);
        }
        (!text.is_empty()).then_some(Cue {
            start: Some(start),
            end: Some(end),
            speaker,
            text,
            bytes,
        })
    }

    /// Returns the start and end of a cue in milliseconds.
    fn times(&self, head: Head<'a>, faults: &mut Faults<'_>) -> Option<(u64, u64)> {
        let Line { text, start: at } = head.timing;
        let (start, rest) = (&text[..head.arrow], &text[head.arrow + 3..]);
        let end = rest.trim_ascii_start();
        let end_at = text.len() - end.len();
        let settings = end.iter().position(u8::is_ascii_whitespace);
        let end = &end[..settings.unwrap_or(end.len())];
        let mut read = |name: &str, text: &[u8], from: usize| -> Option<Clock> {
            let clock = clock::whole(text);
            if clock.is_none() {
                faults.report_lost(
                    at + from,
                    format!("the {name} time \"{}\" is invalid", excerpt(text.trim_ascii())),
                    "Write hours, minutes, seconds and milliseconds: 01:02:03.456.",
                );
            }
            clock
        };
        let (start, end) = (read("start", start, 0)?, read("end", end, end_at)?);
        if self.tags == Tags::Vtt && !(start.is_strict && end.is_strict) {
            faults.report_kept(
                at,
                "the times are invalid in WebVTT, so browsers skip the cue",
                "Write them as 01:02:03.456, with two digits each, a dot and three digits.",
            );
        }
        Some((start.at, end.at))
    }
}

/// Returns whether a line without an arrow contains two times, separated by something that
/// resembles an arrow.
fn is_mistyped_timing(line: Line<'_>) -> bool {
    let text = line.text.trim_ascii();
    let after = |clock: Clock| &text[clock.length..];
    let Some(rest) = clock::parse_leading(text).map(after) else {
        return false;
    };
    let end = rest.iter().position(u8::is_ascii_alphanumeric);
    let (sign, end) = rest.split_at(end.unwrap_or(rest.len()));
    let is_like_arrow =
        ["--", ">", "→"].iter().any(|part| memmem::find(sign, part.as_bytes()).is_some());
    is_like_arrow && clock::parse_leading(end).is_some()
}

/// Returns whether a line starts with `word`, followed by whitespace or the end of the line.
fn starts_with_word(line: Line<'_>, word: &[u8]) -> bool {
    let rest = line.text.strip_prefix(word);
    rest.is_some_and(|rest| matches!(rest, [] | [b' ' | b'\t', ..]))
}
