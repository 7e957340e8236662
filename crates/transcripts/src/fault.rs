//! What is wrong in a transcript.

use std::fmt;

use crate::lines::count_breaks;

/// As many are kept. A file that is wrong throughout is not worth more.
const MOST: usize = 100;

/// Something wrong in a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line it is in, from 1.
    pub line: usize,
    /// The byte of the file that it is at.
    pub at: usize,
    /// What is wrong, without a full stop: `the start "0:99" is no time`.
    pub problem: String,
    /// What to do, as a sentence.
    pub remedy: &'static str,
    /// Whether text of the file could not be read. Else it was read all the same, and only others may stumble.
    pub is_lost: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}. {}", self.line, self.problem, self.remedy)
    }
}

/// Gathers what is wrong, and counts the lines up to it.
pub(crate) struct Faults<'a> {
    bytes: &'a [u8],
    counted: usize,
    line: usize,
    pub list: Vec<Fault>,
    pub left_out: usize,
    is_encoding_told: bool,
}

impl<'a> Faults<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, counted: 0, line: 1, list: Vec::new(), left_out: 0, is_encoding_told: false }
    }

    /// Whether the file is blank, but for a byte order mark.
    pub(crate) fn is_empty_file(&self) -> bool {
        let text = self.bytes.strip_prefix(b"\xEF\xBB\xBF");
        text.unwrap_or(self.bytes).trim_ascii().is_empty()
    }

    /// Text at this byte was not read.
    pub(crate) fn lost(&mut self, at: usize, problem: impl Into<String>, remedy: &'static str) {
        self.push(at, problem.into(), remedy, true);
    }

    /// What is at this byte was read, but is wrong.
    pub(crate) fn kept(&mut self, at: usize, problem: impl Into<String>, remedy: &'static str) {
        self.push(at, problem.into(), remedy, false);
    }

    /// Nothing of the file was read. Said before all else.
    pub(crate) fn nothing_read(&mut self, problem: &str, remedy: &'static str) {
        if self.list.len() == MOST {
            self.list.pop();
            self.left_out += 1;
        }
        let fault = Fault { line: 1, at: 0, problem: problem.to_owned(), remedy, is_lost: true };
        self.list.insert(0, fault);
    }

    /// The text at this byte is not UTF-8. Said once a file.
    pub(crate) fn encoding(&mut self, at: usize) {
        if !std::mem::replace(&mut self.is_encoding_told, true) {
            self.kept(
                at,
                "the text is not UTF-8, so some of its letters cannot be read",
                "Save the file as UTF-8.",
            );
        }
    }

    fn push(&mut self, at: usize, problem: String, remedy: &'static str, is_lost: bool) {
        if self.list.len() == MOST {
            self.left_out += 1;
            return;
        }
        let at = at.min(self.bytes.len());
        let line = self.line(at);
        // What is wrong with the whole of a cue is found after what is wrong in its text.
        let index = self.list.partition_point(|fault| fault.at <= at);
        let fault = Fault { line, at, problem, remedy, is_lost };
        self.list.insert(index, fault);
    }

    /// The line of a byte. Lines are counted from the fault before.
    fn line(&mut self, at: usize) -> usize {
        let breaks = |from: usize, to: usize| {
            let part = self.bytes.get(from..to).unwrap_or_default();
            count_breaks(part, self.bytes.get(to).copied())
        };
        self.line = match at < self.counted {
            true => self.line - breaks(at, self.counted),
            false => self.line + breaks(self.counted, at),
        };
        self.counted = at;
        self.line
    }
}

/// The beginning of a text, for a message.
pub(crate) fn excerpt(text: &[u8]) -> String {
    let head = String::from_utf8_lossy(&text[..text.len().min(160)]);
    let mut short: String =
        head.chars().map(|c| if c.is_control() { ' ' } else { c }).take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
