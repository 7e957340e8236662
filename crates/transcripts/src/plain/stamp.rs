//! Times at the start of lines, as written by transcription programs.

use std::ops::Range;

use crate::clock::{self, Clock};
use crate::lines::line_end;
use crate::text::{after_colon, is_name};

/// Number of bytes at the start of a line in which to look for a time and a name before it.
const MAX_STAMP_DISTANCE: usize = 200;

/// The time at the start of a line.
pub(super) struct Stamp {
    /// Start in milliseconds.
    pub start: u64,
    pub end: Option<u64>,
    /// Byte range of the speaker's name, if the name comes before the time.
    pub speaker: Option<Range<usize>>,
    /// Number of bytes before the text of the line. A name after the time is part of the text.
    pub length: usize,
}

/// Parses the time of a line such as `00:01:02 Name: text`, `[00:01:02] text`,
/// `[00:01.000 --> 00:04.000] text` or `Name (0:12): text`. A line can also consist of only `0:12`
/// or `Name 0:12`. The line must not start with whitespace.
pub(super) fn stamp(text: &[u8]) -> Option<Stamp> {
    let line = &text[..line_end(text).unwrap_or(text.len())];
    let reach = &line[..line.len().min(MAX_STAMP_DISTANCE)];
    let reach = match std::str::from_utf8(reach) {
        Ok(reach) => reach,
        Err(error) => std::str::from_utf8(&reach[..error.valid_up_to()]).unwrap_or_default(),
    };
    parse_time_first(reach).or_else(|| parse_name_first(reach, line.len()))
}

fn parse_time_first(line: &str) -> Option<Stamp> {
    let (time, inner) = match line.strip_prefix(['[', '(']) {
        Some(inner) => (parse_bracketed(inner)?, 1),
        None => (times(line)?, 0),
    };
    let (start, end, length) = time;
    let length = length + inner;
    let rest = &line[length..];
    let is_apart = inner == 1
        || rest.is_empty()
        || rest.starts_with(|c: char| c.is_whitespace() || "-–—:".contains(c));
    let text = rest.trim_start().trim_start_matches(['-', '–', '—', ':']);
    is_apart.then(|| Stamp {
        start: start.at,
        end: end.map(|end| end.at),
        speaker: None,
        length: line.len() - text.trim_start().len(),
    })
}

fn parse_name_first(line: &str, length: usize) -> Option<Stamp> {
    let is_time = |(at, c): &(usize, char)| {
        let before = line[..*at].chars().next_back();
        c.is_ascii_digit() && before.is_some_and(|before| " \t[(".contains(before))
    };
    let of = |(at, _)| clock::parse_leading(&line.as_bytes()[at..]).map(|clock| (at, clock));
    let (at, clock) = line.char_indices().filter(is_time).find_map(of)?;
    let before = &line[..at];
    let (name, text_from) = match before.strip_suffix(['[', '(']) {
        Some(name) => {
            let (_, _, length) = parse_bracketed(&line[at..])?;
            (name, line.len() - after_colon(&line[at + length..]).len())
        }
        // Without brackets, no text can follow the time.
        None if line[at + clock.length..].trim().is_empty() && line.len() == length => {
            (before, line.len())
        }
        None => return None,
    };
    let name = name.trim_end().trim_end_matches([':', '-', '–', '—', '|', '·', ',']);
    let name = name.trim_end();
    is_name(name).then_some(Stamp {
        start: clock.at,
        end: None,
        speaker: Some(0..name.len()),
        length: text_from,
    })
}

/// Parses the times before a closing bracket. Also returns the length of the text up to and
/// including the bracket.
fn parse_bracketed(text: &str) -> Option<(Clock, Option<Clock>, usize)> {
    let (start, end, length) = times(text)?;
    let rest = &text[length..];
    let inner = rest.trim_start();
    inner.starts_with([']', ')']).then(|| (start, end, length + (rest.len() - inner.len()) + 1))
}

/// Parses a time, and an optional second time after an arrow or dash. Also returns their length.
fn times(text: &str) -> Option<(Clock, Option<Clock>, usize)> {
    let start = clock::parse_leading(text.as_bytes())?;
    let rest = &text[start.length..];
    let behind = rest.trim_start();
    let signs = ["-->", "->", "-", "–"];
    let second = signs.iter().find_map(|sign| behind.strip_prefix(*sign));
    let second = second.map(str::trim_start);
    match second.and_then(|text| clock::parse_leading(text.as_bytes()).map(|end| (end, text))) {
        Some((end, at)) => Some((start, Some(end), text.len() - at.len() + end.length)),
        None => Some((start, None, start.length)),
    }
}
