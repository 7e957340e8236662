//! WebVTT and SRT: blocks with a timing line.

use std::ops::Range;

use crate::Cue;
use crate::clock::{self, Clock};
use crate::fault::{Faults, excerpt};
use crate::lines::{Line, Lines};
use crate::markup::{self, Tags};
use crate::text::{take_speaker, utf8};

/// The cues of a WebVTT (W3C, sections 4 and 6) or SRT file.
///
/// Where both leave room: a number alone on the line above a timing belongs to it, also without an empty line before.
pub(crate) struct Captions<'a> {
    lines: Lines<'a>,
    tags: Tags,
    is_at_start: bool,
}

impl<'a> Captions<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize, tags: Tags) -> Self {
        Self {
            lines: Lines { bytes, at },
            tags,
            is_at_start: true,
        }
    }

    pub(crate) fn next(&mut self, faults: &mut Faults<'_>) -> Option<Cue<'a>> {
        if std::mem::take(&mut self.is_at_start) && self.tags == Tags::Vtt {
            self.skip_header(faults);
        }
        loop {
            let first = self.lines.next()?;
            if first.is_blank() {
                continue;
            }
            let Some(timing) = self.timing_of_block(first) else {
                self.skip_block(first, faults);
                continue;
            };
            let text = self.text();
            if let Some(cue) = self.cue(first, timing, text, faults) {
                return Some(cue);
            }
        }
    }

    fn skip_header(&mut self, faults: &mut Faults<'_>) {
        let first = self.lines.peek().map_or(&[][..], |line| line.text);
        let is_signed = first
            .strip_prefix(b"WEBVTT")
            .is_some_and(|rest| matches!(rest, [] | [b' ' | b'\t', ..]));
        if is_signed {
            self.lines.next();
            self.text();
        } else {
            faults.kept(
                self.lines.at,
                "the file does not begin with WEBVTT, so browsers do not read it",
                "Write WEBVTT on the first line and leave the second one empty.",
            );
        }
    }

    /// The timing line of the block that begins with this line: itself, or the one after it.
    fn timing_of_block(&mut self, first: Line<'a>) -> Option<Line<'a>> {
        if has_arrow(first) {
            return Some(first);
        }
        let second = self.lines.peek().filter(|line| has_arrow(*line))?;
        self.lines.next();
        Some(second)
    }

    fn skip_block(&mut self, first: Line<'a>, faults: &mut Faults<'_>) {
        self.text();
        let is_named = |name: &&[u8]| {
            let rest = first.text.strip_prefix(*name);
            rest.is_some_and(|rest| matches!(rest, [] | [b' ' | b'\t', ..]))
        };
        let names: [&[u8]; 3] = [b"NOTE", b"STYLE", b"REGION"];
        if self.tags == Tags::Srt || !names.iter().any(is_named) {
            faults.lost(
                first.start,
                format!("\"{}\" belongs to no cue", excerpt(first.text)),
                "Write a line like 00:00:01.000 --> 00:00:04.000 before it.",
            );
        }
    }

    /// Passes over the lines of a text, and answers where they are. In WebVTT an empty line ends it; in SRT files empty
    /// lines stand within texts, too.
    fn text(&mut self) -> Range<usize> {
        let from = self.lines.at;
        let mut to = from;
        loop {
            let before = self.lines;
            let Some(line) = self.lines.next() else { break };
            if line.is_blank() {
                if self.tags == Tags::Vtt {
                    break;
                }
            } else if self.begins_cue(line) {
                self.lines = before;
                break;
            } else {
                to = line.end();
            }
        }
        from..to
    }

    /// Whether a line, which was just passed, is the first one of a cue.
    fn begins_cue(&self, line: Line<'a>) -> bool {
        let is_number = || line.text.trim_ascii().iter().all(u8::is_ascii_digit);
        has_arrow(line) || (is_number() && self.lines.peek().is_some_and(has_arrow))
    }

    fn cue(
        &self,
        first: Line<'a>,
        timing: Line<'a>,
        text: Range<usize>,
        faults: &mut Faults<'_>,
    ) -> Option<Cue<'a>> {
        let (start, end) = self.times(timing, faults)?;
        let bytes = first.start..text.end.max(timing.end());
        let raw = utf8(&self.lines.bytes[text.clone()], text.start, faults);
        let (mut speaker, mut text) = markup::plain(raw, self.tags);
        // Podcasting 2.0: in SRT the speaker's name stands before the text, with a colon.
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

    /// Start and end, in milliseconds.
    fn times(&self, line: Line<'a>, faults: &mut Faults<'_>) -> Option<(u64, u64)> {
        let arrow = arrow(line)?;
        let (start, end) = (&line.text[..arrow], &line.text[arrow + 3..]);
        let end = end.trim_ascii_start();
        let settings = end.iter().position(u8::is_ascii_whitespace);
        let end = &end[..settings.unwrap_or(end.len())];
        let mut read = |name: &str, text: &[u8]| -> Option<Clock> {
            let clock = clock::whole(text);
            if clock.is_none() {
                faults.lost(
                    line.start,
                    format!("the {name} \"{}\" is no time", excerpt(text.trim_ascii())),
                    "Write hours, minutes, seconds and milliseconds: 01:02:03.456.",
                );
            }
            clock
        };
        let (start, end) = (read("start", start)?, read("end", end)?);
        if self.tags == Tags::Vtt && !(start.is_strict && end.is_strict) {
            faults.kept(
                line.start,
                "the times are not written as WebVTT demands, so browsers skip the cue",
                "Write them as 01:02:03.456, with two digits each, a dot and three digits.",
            );
        }
        Some((start.at, end.at))
    }
}

fn arrow(line: Line<'_>) -> Option<usize> {
    // Most lines have no such byte, which is seen at once.
    let may_have = line.text.contains(&b'>');
    may_have.then(|| line.text.windows(3).position(|part| part == b"-->"))?
}

fn has_arrow(line: Line<'_>) -> bool {
    arrow(line).is_some()
}
