//! Problems in transcripts.

use std::fmt;

use crate::lines::count_breaks;

/// Maximum number of faults to keep. If the whole file is wrong, a longer list would not help.
const MAX_FAULTS: usize = 100;

/// A problem in a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line number, counted from 1.
    pub line: usize,
    /// Byte offset in the file.
    pub at: usize,
    /// Description of the problem, without a full stop: `the start time "0:99" is invalid`.
    pub problem: String,
    /// How to fix the problem, as a sentence.
    pub remedy: &'static str,
    /// Whether text in the file could not be read. If false, the text was read, but other programs
    /// might be unable to read it.
    pub is_lost: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}. {}", self.line, self.problem, self.remedy)
    }
}

/// Collects faults, and determines the line number of each fault.
pub(crate) struct Faults<'a> {
    bytes: &'a [u8],
    counted: usize,
    line: usize,
    pub list: Vec<Fault>,
    pub left_out: usize,
    is_encoding_reported: bool,
}

impl<'a> Faults<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            counted: 0,
            line: 1,
            list: Vec::new(),
            left_out: 0,
            is_encoding_reported: false,
        }
    }

    /// Returns whether the file is blank, except for a byte order mark.
    pub(crate) fn is_empty_file(&self) -> bool {
        let text = self.bytes.strip_prefix(b"\xEF\xBB\xBF");
        text.unwrap_or(self.bytes).trim_ascii().is_empty()
    }

    /// Reports that the text at this byte was not read.
    pub(crate) fn report_lost(
        &mut self,
        at: usize,
        problem: impl Into<String>,
        remedy: &'static str,
    ) {
        self.push(at, problem.into(), remedy, true);
    }

    /// Reports a problem at this byte that did not prevent the text from being read.
    pub(crate) fn report_kept(
        &mut self,
        at: usize,
        problem: impl Into<String>,
        remedy: &'static str,
    ) {
        self.push(at, problem.into(), remedy, false);
    }

    /// Reports that nothing could be read from the file. This fault is first in the list.
    pub(crate) fn report_nothing_read(&mut self, problem: &str, remedy: &'static str) {
        if self.list.len() == MAX_FAULTS {
            self.list.pop();
            self.left_out += 1;
        }
        let fault = Fault { line: 1, at: 0, problem: problem.to_owned(), remedy, is_lost: true };
        self.list.insert(0, fault);
    }

    /// Reports that the text at this byte is not UTF-8. Reported once per file.
    pub(crate) fn report_encoding(&mut self, at: usize) {
        if !std::mem::replace(&mut self.is_encoding_reported, true) {
            self.report_kept(
                at,
                "the file is not UTF-8, so some characters cannot be read",
                "Save the file as UTF-8.",
            );
        }
    }

    fn push(&mut self, at: usize, problem: String, remedy: &'static str, is_lost: bool) {
        if self.list.len() == MAX_FAULTS {
            self.left_out += 1;
            return;
        }
        let at = at.min(self.bytes.len());
        let line = self.line(at);
        // A fault that concerns a whole cue is found after the faults in the cue's text, but
        // belongs before them.
        let index = self.list.partition_point(|fault| fault.at <= at);
        let fault = Fault { line, at, problem, remedy, is_lost };
        self.list.insert(index, fault);
    }

    /// Returns the line number of a byte. Counts line breaks only from the position of the previous
    /// call.
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

/// Returns the beginning of `text`, shortened for a message.
pub(crate) fn excerpt(text: &[u8]) -> String {
    let head = String::from_utf8_lossy(&text[..text.len().min(160)]);
    let mut short: String =
        head.chars().map(|c| if c.is_control() { ' ' } else { c }).take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
