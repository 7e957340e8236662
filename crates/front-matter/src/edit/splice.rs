//! Replacements of bytes in a text, and where its lines start and end.

use std::ops::Range;

/// A range of a text and what replaces it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Splice {
    /// The bytes that are removed; empty for an insertion.
    pub at: Range<usize>,
    /// The text that replaces them; its lines end in `\n`, whatever the file's do.
    pub with: String,
}

impl Splice {
    pub fn new(at: Range<usize>, with: impl Into<String>) -> Self {
        let with = with.into();
        Self { at, with }
    }

    /// Removes bytes.
    pub fn cut(at: Range<usize>) -> Self {
        Self::new(at, "")
    }

    /// Inserts whole lines after the line that holds a byte.
    pub fn below(text: &str, at: usize, lines: &str) -> Self {
        let next = next_line(text, at);
        if text[..next].ends_with('\n') || next == 0 {
            return Self::new(next..next, lines);
        }
        Self::new(next..next, format!("\n{}", lines.trim_end_matches('\n')))
    }

    /// Whether the outcome would depend on which of the two comes first.
    pub fn meets(&self, other: &Self) -> bool {
        let (a, b) = (&self.at, &other.at);
        if a.is_empty() || b.is_empty() {
            a.start <= b.end && b.start <= a.end
        } else {
            a.start < b.end && b.start < a.end
        }
    }
}

/// Applies splices that do not meet to a text.
pub(super) fn spliced(text: &str, mut splices: Vec<Splice>, line_end: &str) -> String {
    splices.sort_by_key(|splice| splice.at.start);
    let mut new = String::with_capacity(text.len() + 64);
    let mut done = 0;
    for splice in splices {
        new.push_str(&text[done..splice.at.start]);
        new.push_str(&splice.with.replace('\n', line_end));
        done = splice.at.end;
    }
    new + &text[done..]
}

/// Cuts of ranges that may overlap.
pub(super) fn cuts(mut ranges: Vec<Range<usize>>) -> Vec<Splice> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged.into_iter().map(Splice::cut).collect()
}

/// How most lines of a text end.
pub(super) fn line_end(text: &str) -> &'static str {
    let all = text.bytes().filter(|byte| *byte == b'\n').count();
    let windows = text.matches("\r\n").count();
    if windows * 2 > all { "\r\n" } else { "\n" }
}

/// The first byte of the line that holds a byte.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// The first byte of the next line.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// The bytes from here to the end of the line, without the line's end.
pub(super) fn rest_of_line(text: &str, at: usize) -> Range<usize> {
    let end = next_line(text, at);
    let rest = text[at..end].trim_end_matches('\n');
    at..at + rest.trim_end_matches('\r').len()
}

/// The white space that a line starts with.
pub(super) fn indent(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Whether only white space stands before a byte on its line.
pub(super) fn starts_line(text: &str, at: usize) -> bool {
    text[line_start(text, at)..at].trim().is_empty()
}
