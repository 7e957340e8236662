//! The lines of a file. A line ends with LF, CRLF or CR, as in WebVTT section 4.1.

use memchr::{memchr_iter, memchr2};

/// The remaining lines of a file. To look ahead, copy this value and read from the copy.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'a> {
    pub bytes: &'a [u8],
    /// Offset of the next line.
    pub at: usize,
}

/// A line without its line break.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub text: &'a [u8],
    /// Offset of the line in the file.
    pub start: usize,
}

impl Line<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }

    /// Returns the position of the first `-->` in the line.
    pub(crate) fn arrow(&self) -> Option<usize> {
        let mut ends = memchr_iter(b'>', self.text);
        ends.find_map(|end| self.text[..end].ends_with(b"--").then(|| end - 2))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = line_end(rest).unwrap_or(rest.len());
        let line = Line { text: &rest[..length], start: self.at };
        self.at += length + break_length(&rest[length..]);
        Some(line)
    }
}

/// Returns the offset of the first line break in `text`.
pub(crate) fn line_end(text: &[u8]) -> Option<usize> {
    memchr2(b'\n', b'\r', text)
}

/// Returns the length in bytes of the line break at the start of `text`.
pub(crate) fn break_length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Counts the line breaks in a part of a file. `next` is the byte after that part.
pub(crate) fn count_breaks(part: &[u8], next: Option<u8>) -> usize {
    let of = |wanted: u8| memchr_iter(wanted, part).count();
    let returns = of(b'\r');
    if returns == 0 {
        return of(b'\n');
    }
    let pairs = part.windows(2).filter(|pair| pair == b"\r\n").count();
    let is_cut = part.last() == Some(&b'\r') && next == Some(b'\n');
    of(b'\n') + returns - pairs - usize::from(is_cut)
}
