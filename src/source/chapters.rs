//! Chapter files: Podcasting 2.0 JSON chapters, and plain lines of times and titles.
//!
//! A chapter file lies beside an item. [`parse`] turns its text into [`Chapter`]s that can be
//! published as they are, or into an error that names the line and column of the value at fault.

mod json;
mod lines;

use std::fmt;

use crate::model::chapter::{Chapter, OrderError, OrderFault, check_order};
pub(crate) use lines::parse_time;

/// How a chapter file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// JSON when the first character that is not a space is `{` or `[`, else lines.
    #[default]
    Auto,
    /// JSON chapters 1.2.0: `{"version": "1.2.0", "chapters": […]}`, or the list alone.
    Json,
    /// One chapter a line: `12:30 Title`, `1:02:03.500 - Title <https://example.com/>`.
    Lines,
}

/// Why a chapter file cannot be used, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChapterError {
    /// The line at fault, from 1.
    pub line: usize,
    /// The column at fault in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead, when that can be told.
    pub help: Option<String>,
}

impl fmt::Display for ChapterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.message
        )?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ChapterError {}

/// Reads a chapter file.
///
/// A byte order mark and CRLF line ends are accepted. In JSON, keys that the specification does not
/// name are ignored and `null` counts as absent; in lines, blank ones and those that start with `#`
/// are skipped.
///
/// ```
/// use feedwright::source::chapters::{Format, parse};
///
/// let chapters = parse("00:00 Intro\n02:48 Hearing aids", Format::Auto)?;
/// assert_eq!(chapters[1].start_time, 168.0);
///
/// let error = parse("00:00 Intro\n02:68 Hearing aids", Format::Auto).unwrap_err();
/// assert_eq!((error.line, error.column), (2, 4));
/// # Ok::<(), feedwright::source::chapters::ChapterError>(())
/// ```
///
/// # Errors
///
/// The first value that is malformed, out of order, negative, or not finite.
pub fn parse(text: &str, format: Format) -> Result<Vec<Chapter>, ChapterError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (chapters, places): (Vec<_>, Vec<_>) = placed(text, format)?.into_iter().unzip();
    match check_order(&chapters) {
        Ok(()) => Ok(chapters),
        Err(error) => Err(out_of_order(text, &error, &places)),
    }
}

/// The byte offset at which the start of the `at`th chapter, from 0, stands in a file.
pub(crate) fn start_of(text: &str, at: usize) -> Option<usize> {
    let own = text.strip_prefix('\u{feff}').unwrap_or(text);
    let placed = placed(own, Format::Auto).ok()?;
    let (_, place) = placed.get(at)?;
    Some(text.len() - own.len() + place.start)
}

fn placed(text: &str, format: Format) -> Result<Vec<(Chapter, ChapterPlace)>, ChapterError> {
    let is_json = match format {
        Format::Json => true,
        Format::Lines => false,
        Format::Auto => text.trim_start().starts_with(['{', '[']),
    };
    if is_json {
        json::parse(text)
    } else {
        lines::parse(text)
    }
}

/// Where a chapter's times stand in the text, as byte offsets.
struct ChapterPlace {
    start: usize,
    end: usize,
}

fn out_of_order(text: &str, error: &OrderError, places: &[ChapterPlace]) -> ChapterError {
    let offset = places.get(error.index).map_or(0, |place| {
        if error.field == "endTime" {
            place.end
        } else {
            place.start
        }
    });
    let help = match error.fault {
        OrderFault::BeforePrevious { .. } => Some("list chapters in the order they play"),
        OrderFault::EndBeforeStart { .. } => {
            Some("leave endTime out unless there is a gap before the next chapter")
        }
        OrderFault::NotFinite | OrderFault::Negative => None,
    };
    fault(
        text,
        offset,
        format!("chapter {} {error}", error.index + 1),
        help,
    )
}

/// An error at a byte offset of the text.
fn fault(
    text: &str,
    offset: usize,
    message: impl Into<String>,
    help: Option<&str>,
) -> ChapterError {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    ChapterError {
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        message: message.into(),
        help: help.map(str::to_owned),
    }
}
