//! Reads CSV (RFC 4180) as rows of cells, and records whether each cell was quoted.
//!
//! The crate `csv` is unsuitable, because it does not distinguish `""` from an empty cell, and it
//! accepts misplaced quotes.

use std::ops::Range;

use super::lines::{Lines, Next};
use crate::error::Fault;

/// Maximum number of cells in a row, more than a table can have columns.
const MAX_CELLS: usize = 10_000;

/// The CSV dialect of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    pub delimiter: u8,
    /// The quote character, which is doubled inside a quoted cell. `None` if cells are never
    /// quoted.
    pub quote: Option<u8>,
    /// Whether a quoted cell can contain line breaks.
    pub newlines: bool,
    pub encoding: Encoding,
    /// Whether NUL characters are allowed.
    pub controls: bool,
}

/// The character encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// ISO-8859-1: each byte is one character.
    Latin1,
}

/// A row of cells.
#[derive(Debug, Default)]
pub(super) struct Record {
    text: Vec<u8>,
    cells: Vec<(Range<usize>, bool)>,
}

/// A cell of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell<'a> {
    pub text: &'a str,
    /// Whether the cell was quoted.
    pub is_quoted: bool,
}

/// The reason why a row cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BadRecord {
    /// The index of the bad cell, counted from 0.
    pub cell: Option<usize>,
    /// The problem and how to fix it.
    pub message: String,
}

impl BadRecord {
    /// Creates an error that concerns the whole row.
    pub(super) fn row(message: impl Into<String>) -> Self {
        Self { cell: None, message: message.into() }
    }

    pub(super) fn cell(cell: usize, message: impl Into<String>) -> Self {
        Self { cell: Some(cell), message: message.into() }
    }
}

#[derive(Debug)]
pub(super) struct Records {
    dialect: Dialect,
    raw: Vec<u8>,
    decoded: Vec<u8>,
    record: Record,
}

impl Records {
    /// Creates a reader of rows in this dialect.
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect, raw: Vec::new(), decoded: Vec::new(), record: Record::default() }
    }

    /// Returns the next row or the reason why it is bad, or `None` at the end of the file. After a
    /// [`Fault`], the rest of the file cannot be read.
    pub(super) fn next(
        &mut self,
        lines: &mut Lines<'_>,
    ) -> Result<Option<Result<&Record, BadRecord>>, Fault> {
        self.raw.clear();
        self.record.text.clear();
        self.record.cells.clear();
        let mut is_open = false;
        loop {
            let start = self.raw.len();
            match lines.next(&mut self.raw)? {
                Next::End if start == 0 => return Ok(None),
                Next::End => return Ok(Some(Err(self.unclosed_quote()))),
                Next::TooLong => {
                    return Ok(Some(Err(BadRecord::row(
                        "the row is longer than 16 MiB; a closing quote may be missing",
                    ))));
                }
                Next::Line => {}
            }
            is_open = match self.line(start, is_open) {
                Err(bad) => return Ok(Some(Err(bad))),
                Ok(false) => break,
                Ok(true) if !self.dialect.newlines => return Ok(Some(Err(self.unclosed_quote()))),
                Ok(true) => true,
            };
        }
        Ok(Some(self.check_encoding()))
    }

    fn unclosed_quote(&self) -> BadRecord {
        let remedy = if self.dialect.newlines {
            ""
        } else {
            "; set allowQuotedNewlines if cells can contain line breaks"
        };
        BadRecord::cell(
            self.record.cells.len().saturating_sub(1),
            format!("a closing quote is missing{remedy}"),
        )
    }

    /// Splits a line into cells. `is_open` is true if the line starts inside a quoted cell. Returns
    /// whether the line ends inside a quoted cell.
    fn line(&mut self, start: usize, is_open: bool) -> Result<bool, BadRecord> {
        let raw = &self.raw[start..];
        let line = match self.dialect.encoding {
            Encoding::Utf8 => raw,
            Encoding::Latin1 => {
                self.decoded.clear();
                let mut utf8 = [0; 4];
                for &byte in raw {
                    let character = char::from(byte).encode_utf8(&mut utf8);
                    self.decoded.extend_from_slice(character.as_bytes());
                }
                &self.decoded
            }
        };
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        let is_open = self.record.split(content, self.dialect, is_open)?;
        if is_open {
            self.record.text.extend_from_slice(&line[content.len()..]);
        }
        Ok(is_open)
    }

    fn check_encoding(&self) -> Result<&Record, BadRecord> {
        let record = &self.record;
        let cell = |at: usize| record.cells.iter().position(|(range, _)| range.end > at);
        if let Err(error) = std::str::from_utf8(&record.text) {
            return Err(BadRecord {
                cell: cell(error.valid_up_to()),
                message:
                    "the text is not valid UTF-8; set encoding to ISO-8859-1 if the file uses it"
                        .into(),
            });
        }
        if self.dialect.controls {
            return Ok(record);
        }
        match record.text.iter().position(|&byte| byte == 0) {
            Some(at) => Err(BadRecord {
                cell: cell(at),
                message: "the text contains a NUL character; set preserveAsciiControlCharacters to keep it"
                    .into(),
            }),
            None => Ok(record),
        }
    }
}

impl Record {
    /// Returns the cells in order.
    pub(super) fn cells(&self) -> impl ExactSizeIterator<Item = Cell<'_>> {
        self.cells.iter().map(|(range, is_quoted)| Cell {
            // Cannot fail: the whole row is valid UTF-8, and cells are split at ASCII characters.
            text: std::str::from_utf8(&self.text[range.clone()]).unwrap_or_default(),
            is_quoted: *is_quoted,
        })
    }

    /// Returns the number of cells.
    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns whether the row is an empty line.
    pub(super) fn is_blank(&self) -> bool {
        matches!(self.cells.as_slice(), [(range, false)] if range.is_empty())
    }

    fn split(
        &mut self,
        mut rest: &[u8],
        dialect: Dialect,
        is_open: bool,
    ) -> Result<bool, BadRecord> {
        if is_open {
            if !self.continue_quoted(&mut rest, dialect)? {
                return Ok(true);
            }
            match rest.split_first() {
                None => return Ok(false),
                Some((_, after)) => rest = after,
            }
        }
        loop {
            if self.cells.len() == MAX_CELLS {
                return Err(BadRecord::row(format!("the row has more than {MAX_CELLS} columns")));
            }
            let start = self.text.len();
            if rest.first().is_some_and(|&byte| Some(byte) == dialect.quote) {
                rest = &rest[1..];
                self.cells.push((start..start, true));
                if !self.continue_quoted(&mut rest, dialect)? {
                    return Ok(true);
                }
            } else {
                let end =
                    rest.iter().position(|&byte| byte == dialect.delimiter).unwrap_or(rest.len());
                self.text.extend_from_slice(&rest[..end]);
                self.cells.push((start..start + end, false));
                rest = &rest[end..];
            }
            match rest.split_first() {
                None => return Ok(false),
                Some((_, after)) => rest = after,
            }
        }
    }

    /// Continues to read the last cell, which is quoted. Returns whether the closing quote was
    /// found. If so, `rest` is empty or starts with the delimiter.
    fn continue_quoted(&mut self, rest: &mut &[u8], dialect: Dialect) -> Result<bool, BadRecord> {
        loop {
            let end = rest.iter().position(|&byte| Some(byte) == dialect.quote);
            self.text.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            let Some(end) = end else {
                *rest = &[];
                return Ok(false);
            };
            *rest = &rest[end + 1..];
            match rest.first() {
                Some(&byte) if Some(byte) == dialect.quote => {
                    self.text.push(byte);
                    *rest = &rest[1..];
                }
                Some(&byte) if byte != dialect.delimiter => {
                    return Err(BadRecord::cell(
                        self.cells.len().saturating_sub(1),
                        "unexpected text between the closing quote and the delimiter; write a quote inside a quoted cell twice",
                    ));
                }
                _ => {
                    let length = self.text.len();
                    if let Some((range, _)) = self.cells.last_mut() {
                        range.end = length;
                    }
                    return Ok(true);
                }
            }
        }
    }
}
