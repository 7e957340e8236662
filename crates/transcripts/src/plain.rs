//! Plain text: paragraphs, or text in which each cue begins with a time.

mod stamp;

use std::borrow::Cow;

use crate::Cue;
use crate::fault::Faults;
use crate::lines::{Line, Lines, break_length, line_end};
use crate::text::{fold_whitespace, part, take_speaker, utf8};
use stamp::{Stamp, stamp};

/// Cues of this length in bytes are split, because some programs write an hour of text on one line.
/// Such a cue ends at the next line or sentence. From twice this length on, it can also end after a
/// word, and at four times this length, anywhere.
pub(crate) const MAX_CUE_BYTES: usize = 1000;

/// Number of bytes at the start of a file that are examined to decide whether the file has times.
const HEAD_BYTES: usize = 64 * 1024;

/// Reader for the cues of plain text. If the file has times throughout, a cue extends from one time
/// to the next. Otherwise, each paragraph is a cue.
pub(crate) struct Plain<'a> {
    bytes: &'a [u8],
    at: usize,
    is_timed: bool,
}

impl<'a> Plain<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, is_timed: is_timed(bytes, at) }
    }

    pub(crate) fn next(&mut self, faults: &mut Faults<'_>) -> Option<Cue<'a>> {
        loop {
            let from = self.at + blank_length(self.bytes.get(self.at..)?);
            if from == self.bytes.len() {
                return None;
            }
            let stamp = self.stamp(from);
            let body = from + stamp.as_ref().map_or(0, |stamp| stamp.length);
            self.at = self.end(from, body, stamp.is_some());
            if let Some(cue) = self.cue(from, body, stamp, faults) {
                return Some(cue);
            }
        }
    }

    /// Returns the time at this position, if the file has times.
    fn stamp(&self, at: usize) -> Option<Stamp> {
        self.is_timed
            .then(|| stamp(&self.bytes[at..self.bytes.len().min(at + MAX_CUE_BYTES)]))
            .flatten()
    }

    fn end(&self, from: usize, body: usize, is_stamped: bool) -> usize {
        let mut at = body;
        let mut end = body;
        loop {
            let (line_end, is_cut) = self.end_of_line(at, from);
            if !self.bytes[at..line_end].trim_ascii().is_empty() {
                end = line_end;
            } else if !is_stamped {
                return end;
            }
            if is_cut || line_end >= self.bytes.len() || line_end - from >= MAX_CUE_BYTES {
                // If the line is split, the next cue must begin at the same position.
                return if is_cut { line_end } else { end };
            }
            at = line_end + break_length(&self.bytes[line_end..]);
            if self.stamp(self.text_from(at)).is_some() {
                return end;
            }
        }
    }

    /// Returns the position after leading whitespace.
    fn text_from(&self, at: usize) -> usize {
        at + blank_length(&self.bytes[at..self.bytes.len().min(at + MAX_CUE_BYTES)])
    }

    /// Returns the end of a line, or the position where the line is split because the cue is too
    /// long. The flag is set if the line is split.
    fn end_of_line(&self, at: usize, from: usize) -> (usize, bool) {
        let most = from + 4 * MAX_CUE_BYTES;
        let window = &self.bytes[at..self.bytes.len().min(most.max(at))];
        let end = at + line_end(window).unwrap_or(window.len());
        let text = &self.bytes[from..end];
        let is_sentence_end = |index: &usize| match &text[..*index] {
            [.., b'.' | b'!' | b'?'] => text.get(*index).is_none_or(u8::is_ascii_whitespace),
            // The UTF-8 bytes of 。！？
            [.., 0xE3, 0x80, 0x82] | [.., 0xEF, 0xBC, 0x81 | 0x9F] => true,
            _ => false,
        };
        let is_word_end = |index: &usize| text[*index].is_ascii_whitespace();
        let first = |least: usize| least.max(at - from)..text.len();
        let cut = first(MAX_CUE_BYTES)
            .take_while(|index| *index < 2 * MAX_CUE_BYTES)
            .find(is_sentence_end)
            .or_else(|| {
                first(2 * MAX_CUE_BYTES).find(|index| is_sentence_end(index) || is_word_end(index))
            });
        match cut {
            Some(cut) => (from + cut, true),
            None if end == most && end < self.bytes.len() => (self.letter_before(end), true),
            None => (end, false),
        }
    }

    /// Returns the start of the character that contains the byte `at`.
    fn letter_before(&self, at: usize) -> usize {
        let is_inside = |at: usize| self.bytes[at] & 0xC0 == 0x80;
        (at - 3..=at).rev().find(|at| !is_inside(*at)).unwrap_or(at)
    }

    fn cue(
        &self,
        from: usize,
        body: usize,
        stamp: Option<Stamp>,
        faults: &mut Faults<'_>,
    ) -> Option<Cue<'a>> {
        let raw = &self.bytes[body..self.at];
        let mut text: Cow<'a, str> = fold_whitespace(utf8(raw, body, faults));
        let mut cue = Cue {
            start: None,
            end: None,
            speaker: None,
            text: Cow::Borrowed(""),
            bytes: from..body + raw.trim_ascii_end().len(),
        };
        if let Some(stamp) = stamp {
            cue.start = Some(stamp.start);
            cue.end = stamp.end;
            cue.speaker = match stamp.speaker {
                Some(range) => {
                    let range = from + range.start..from + range.end;
                    Some(fold_whitespace(utf8(&self.bytes[range.clone()], range.start, faults)))
                }
                None => take_speaker(&mut text),
            };
        }
        cue.text = part(&text, str::trim);
        (!cue.text.is_empty()).then_some(cue)
    }
}

/// Returns the length in bytes of the whitespace at the start of `text`. Byte order marks count as
/// whitespace, because concatenated files contain them.
fn blank_length(text: &[u8]) -> usize {
    let mut length = 0;
    loop {
        length += match &text[length..] {
            [byte, ..] if byte.is_ascii_whitespace() => 1,
            [0xEF, 0xBB, 0xBF, ..] => 3,
            _ => return length,
        };
    }
}

/// Returns whether a file has times throughout: on its first line, or at the start of at least half
/// of its lines or paragraphs.
fn is_timed(bytes: &[u8], at: usize) -> bool {
    let head = &bytes[..bytes.len().min(at + HEAD_BYTES)];
    let (mut lines, mut paragraphs, mut stamps, mut first_stamps) = (0, 0, 0, 0);
    let mut is_first_stamped = false;
    let mut is_after_blank = true;
    for line in (Lines { bytes: head, at }) {
        if line.is_blank() {
            is_after_blank = true;
            continue;
        }
        let is_stamped = usize::from(begins_with_stamp(bytes, line));
        is_first_stamped |= lines == 0 && is_stamped == 1;
        lines += 1;
        stamps += is_stamped;
        if std::mem::take(&mut is_after_blank) {
            paragraphs += 1;
            first_stamps += is_stamped;
        }
    }
    // A long text that only begins with a time is prose, not a transcript with times.
    let is_short = bytes.len() - at <= 8 * MAX_CUE_BYTES;
    (is_first_stamped && (stamps > 1 || is_short))
        || (stamps >= 3 && (stamps * 2 >= lines || first_stamps * 2 >= paragraphs))
}

fn begins_with_stamp(bytes: &[u8], line: Line<'_>) -> bool {
    let from = line.start + blank_length(line.text);
    stamp(&bytes[from..bytes.len().min(from + MAX_CUE_BYTES)]).is_some()
}
