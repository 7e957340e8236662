//! Replacements of byte ranges in text, and functions that find the start and end of lines.

use std::ops::Range;

/// A byte range, and the text that replaces it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Splice {
    /// The bytes to remove. Empty for an insertion.
    pub at: Range<usize>,
    /// The replacement. Its lines end with `\n`, regardless of the line ends of the file.
    pub with: String,
}

impl Splice {
    pub fn new(at: Range<usize>, with: impl Into<String>) -> Self {
        let with = with.into();
        Self { at, with }
    }

    /// Creates a splice that removes bytes.
    pub fn removal(at: Range<usize>) -> Self {
        Self::new(at, "")
    }

    /// Creates a splice that inserts whole lines below the line that contains byte `at`.
    pub fn lines_below(text: &str, at: usize, lines: &str) -> Self {
        let next = next_line(text, at);
        if text[..next].ends_with('\n') || next == 0 {
            return Self::new(next..next, lines);
        }
        Self::new(next..next, format!("\n{}", lines.trim_end_matches('\n')))
    }

    /// Returns whether the result would depend on the order of the two splices.
    pub fn conflicts_with(&self, other: &Self) -> bool {
        let (a, b) = (&self.at, &other.at);
        if a.is_empty() || b.is_empty() {
            a.start <= b.end && b.start <= a.end
        } else {
            a.start < b.end && b.start < a.end
        }
    }
}

/// Applies splices to `text`. The splices must not [conflict](Splice::conflicts_with) with each
/// other.
pub(super) fn apply_splices(text: &str, mut splices: Vec<Splice>, line_end: &str) -> String {
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

/// Returns splices that remove the ranges. The ranges can overlap.
pub(super) fn removal_splices(mut ranges: Vec<Range<usize>>) -> Vec<Splice> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged.into_iter().map(Splice::removal).collect()
}

/// Returns the most frequent line end in `text`.
pub(super) fn line_end(text: &str) -> &'static str {
    let all = text.bytes().filter(|byte| *byte == b'\n').count();
    let windows = text.matches("\r\n").count();
    if windows * 2 > all { "\r\n" } else { "\n" }
}

/// Returns the position of the first byte of the line that contains byte `at`.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// Returns the position of the first byte of the next line.
pub(super) fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end + 1)
}

/// Returns the byte range from `at` to the end of the line, without the line end.
pub(super) fn rest_of_line(text: &str, at: usize) -> Range<usize> {
    let end = next_line(text, at);
    let rest = text[at..end].trim_end_matches('\n');
    at..at + rest.trim_end_matches('\r').len()
}

/// Returns the leading whitespace of the line that contains byte `at`.
pub(super) fn indent(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns whether byte `at` is preceded only by whitespace on its line.
pub(super) fn starts_line(text: &str, at: usize) -> bool {
    text[line_start(text, at)..at].trim().is_empty()
}
