//! Chapter files: Podcasting 2.0 JSON chapters, and plain lines of times and titles.
//!
//! Chapter files, which are next to an item. [`parse`] turns the text into valid [`Chapter`]s. Each invalid value is
//! reported with its line and column; it or its chapter is left out.

mod json;
mod lines;

pub use lines::parse_seconds;
use model::chapter::{Chapter, OrderError, OrderFault};
use model::{Diagnostic, Rule, Severity, SitePath};

/// How a chapter file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// JSON when the first character that is not a space is `{` or `[`, unless a time follows; else lines.
    #[default]
    Auto,
    /// JSON chapters 1.2.0: `{"version": "1.2.0", "chapters": […]}`, or the list alone.
    Json,
    /// One chapter a line: `12:30 Title`, `1:02:03.500 - Title <https://example.com/>`.
    Lines,
}

/// The chapters of a file, and the parts that were left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// In the order they play.
    pub chapters: Vec<Chapter>,
    /// In the order of the file.
    pub faults: Vec<ChapterError>,
}

/// Why a chapter, a part of one or a whole file is left out, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}{}", in_brackets(.help.as_deref()))]
pub struct ChapterError {
    /// The line at fault, from 1.
    pub line: usize,
    /// The column at fault in characters, from 1.
    pub column: usize,
    pub message: String,
    /// What to write instead, when that can be told.
    pub help: Option<String>,
}

fn in_brackets(help: Option<&str>) -> String {
    help.map_or_else(String::new, |help| format!(" ({help})"))
}

impl ChapterError {
    /// A report about the chapter file with this text: an error for a whole file, a warning for a part of it.
    pub fn report(self, severity: Severity, path: &SitePath, text: &str) -> Diagnostic {
        let line = text.lines().nth(self.line - 1).unwrap_or_default();
        let report = match severity {
            Severity::Error => Diagnostic::error(self.message),
            Severity::Warning => Diagnostic::warning(Rule::ChapterTime, self.message),
        };
        let mut report = report.file(path.as_str()).position(self.line, self.column, line);
        report.help = self.help;
        report
    }
}

/// Reads a chapter file.
///
/// A byte order mark and CRLF line ends are accepted. In JSON, keys that the specification does not name are ignored
/// and `null` counts as absent; in lines, blank ones and those that start with `#` are skipped. A chapter is left out
/// if its start cannot be read or is earlier than the previous start. Other invalid values are left out alone.
///
/// ```
/// use source::chapters::{Format, parse};
///
/// let parsed = parse("00:00 Intro\n02:68 Hearing aids\n04:10 Outro", Format::Auto)?;
/// assert_eq!(parsed.chapters[1].start_time, 250.0);
/// assert_eq!((parsed.faults[0].line, parsed.faults[0].column), (2, 4));
/// # Ok::<(), source::chapters::ChapterError>(())
/// ```
///
/// # Errors
///
/// When the file is not JSON, or has no list of chapters.
pub fn parse(text: &str, format: Format) -> Result<Parsed, ChapterError> {
    let text = without_mark(text);
    let (placed, faults) = published(text, format).map_err(|fault| fault.placed(text))?;
    let faults = faults.into_iter().take(MAX_FAULTS);
    Ok(Parsed {
        chapters: placed.into_iter().map(|(chapter, _)| chapter).collect(),
        faults: faults.map(|fault| fault.placed(text)).collect(),
    })
}

/// The byte offset at which the start of the `at`th chapter, from 0, stands in a file.
pub fn start_of(text: &str, at: usize) -> Option<usize> {
    let own = without_mark(text);
    let (placed, _) = published(own, Format::Auto).ok()?;
    let (_, place) = placed.get(at)?;
    Some(text.len() - own.len() + place.start)
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Maximum number of faults of one file to report.
const MAX_FAULTS: usize = 100;

/// Chapters with their places, and the faults among them.
type Placed = (Vec<(Chapter, ChapterPlace)>, Vec<Fault>);

/// A fault at a byte offset of the text.
struct Fault {
    at: usize,
    message: String,
    help: Option<String>,
}

impl Fault {
    fn new(at: usize, message: impl Into<String>, help: Option<&str>) -> Self {
        Self { at, message: message.into(), help: help.map(str::to_owned) }
    }

    /// The fault with its line and column.
    fn placed(self, text: &str) -> ChapterError {
        let before = text.get(..self.at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        ChapterError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: self.message,
            help: self.help,
        }
    }
}

/// The chapters of a text that can be published.
fn published(text: &str, format: Format) -> Result<Placed, Fault> {
    let (placed, mut faults) = placed(text, format)?;
    let InOrder { kept, faults: wrong } = in_order(placed, |place| place.index);
    faults.extend(wrong.iter().map(|(error, place)| out_of_order(error, place)));
    faults.sort_by_key(|fault| fault.at);
    Ok((kept, faults))
}

/// Chapters that can be published, and what is wrong with the times of others, each with its place.
pub struct InOrder<P> {
    pub kept: Vec<(Chapter, P)>,
    pub faults: Vec<(OrderError, P)>,
}

/// Leaves out chapters that start before the one above them, or at no time, and ends before the start. `index` returns the
/// number of a chapter among all that were written, from 0.
pub fn in_order<P: Clone>(placed: Vec<(Chapter, P)>, index: impl Fn(&P) -> usize) -> InOrder<P> {
    let mut kept: Vec<(Chapter, P)> = Vec::with_capacity(placed.len());
    let mut faults = Vec::new();
    for (mut chapter, place) in placed {
        let previous = kept.last().map(|(previous, _)| previous.start_time);
        if let Err((field, fault)) = chapter.check(previous.unwrap_or(0.0)) {
            let error = OrderError { index: index(&place), field, fault };
            faults.push((error, place.clone()));
            if field == "startTime" {
                continue;
            }
            chapter.end_time = None;
        }
        kept.push((chapter, place));
    }
    InOrder { kept, faults }
}

fn placed(text: &str, format: Format) -> Result<Placed, Fault> {
    let is_json = match format {
        Format::Json => true,
        Format::Lines => false,
        Format::Auto => is_json(text),
    };
    if is_json { json::parse(text) } else { Ok(lines::parse(text)) }
}

/// Whether a text starts as JSON does. `[1:30]` is a time in brackets.
fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    let is_time =
        |inner: &str| inner.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(':');
    text.starts_with('{') || text.strip_prefix('[').is_some_and(|inner| !is_time(inner))
}

/// Where a chapter's times stand in the text, as byte offsets.
#[derive(Clone)]
struct ChapterPlace {
    /// Its number in the file, from 0.
    index: usize,
    start: usize,
    end: usize,
}

fn out_of_order(error: &OrderError, place: &ChapterPlace) -> Fault {
    let at = if error.field == "endTime" { place.end } else { place.start };
    let message = format!("chapter {} {error}", error.index + 1);
    Fault::new(at, message, out_of_order_help(error.fault))
}

/// What to do about a chapter's time.
pub fn out_of_order_help(fault: OrderFault) -> Option<&'static str> {
    match fault {
        OrderFault::BeforePrevious { .. } => Some("list chapters in the order they play"),
        OrderFault::EndBeforeStart { .. } => {
            Some("leave endTime out unless there is a gap before the next chapter")
        }
        OrderFault::NotFinite | OrderFault::Negative => None,
    }
}
