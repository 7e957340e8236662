//! The lines of a file. LF, CRLF and CR end a line, as WebVTT section 4.1 has it.

use memchr::{memchr_iter, memchr2};

/// What is left of a file, line by line. A copy is a look ahead.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'a> {
    pub bytes: &'a [u8],
    /// Where the next line starts.
    pub at: usize,
}

/// A line without its end.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    pub text: &'a [u8],
    /// Where it starts in the file.
    pub start: usize,
}

impl Line<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }

    /// Where the first `-->` stands in it.
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

/// Where the first line of a text ends.
pub(crate) fn line_end(text: &[u8]) -> Option<usize> {
    memchr2(b'\n', b'\r', text)
}

/// The bytes of the line break that a text begins with.
pub(crate) fn break_length(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// How many lines end in a part of a file that another byte may follow.
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
