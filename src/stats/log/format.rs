//! Log formats, and their detection.

use super::w3c::Columns;
use super::{Reason, Request, combined, json};

/// The format of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// The combined or common log format.
    Combined,
    /// One JSON object per line.
    Json,
    /// The W3C extended log file format.
    Extended,
}

impl Format {
    /// The names of log formats. Several names can refer to the same format.
    pub const NAMES: [(&str, Self); 5] = [
        ("combined", Self::Combined),
        ("common", Self::Combined),
        ("json", Self::Json),
        ("w3c", Self::Extended),
        ("cloudfront", Self::Extended),
    ];

    pub fn parse(name: &str) -> Option<Self> {
        let known = Self::NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, format)| *format)
    }

    /// Detects the format from the beginning of a log. The first line in a known format determines
    /// the result.
    pub fn detect(beginning: &[u8]) -> Self {
        let text = String::from_utf8_lossy(beginning);
        let mut lines = text.lines().map(|line| line.trim_start_matches('\u{feff}'));
        let found = lines.by_ref().take(20).find_map(|line| {
            match line.trim_start().as_bytes().first()? {
                b'{' => Some(Self::Json),
                b'#' => Some(Self::Extended),
                _ => combined::parse(line).ok().map(|_| Self::Combined),
            }
        });
        found.unwrap_or(Self::Combined)
    }
}

/// Parses the lines of one log.
#[derive(Debug)]
pub struct Parser {
    format: Format,
    columns: Columns,
}

impl Parser {
    /// Creates a parser for the lines of a log in this format.
    pub fn new(format: Format) -> Self {
        Self { format, columns: Columns::default() }
    }

    /// Parses the request in a line. Returns `None` if the line is empty or a directive.
    pub fn parse<'l>(&mut self, line: &'l str) -> Result<Option<Request<'l>>, Reason> {
        let line = line.trim_start_matches('\u{feff}').trim_end();
        if line.is_empty() {
            return Ok(None);
        }
        let request = match self.format {
            Format::Combined => combined::parse(line),
            Format::Json => json::parse(line),
            Format::Extended if line.starts_with('#') => {
                self.columns.directive(line);
                return Ok(None);
            }
            Format::Extended => self.columns.parse(line),
        };
        request.map(Some)
    }
}
