//! Chapter files next to an item: Podcasting 2.0 JSON chapters, or plain lines of times and titles.
//!
//! [`parse`] returns the valid [`Chapter`]s of a file. Each invalid value is reported with its line
//! and column. The invalid value, or the whole chapter, is left out.

mod json;
mod lines;

pub use lines::parse_seconds;
use model::chapter::{Chapter, OrderError, OrderFault};
use model::{Diagnostic, Rule, Severity, SitePath};

/// The format of a chapter file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// JSON if the first character after whitespace is `{`, or is `[` without a time after it.
    /// Lines otherwise.
    #[default]
    Auto,
    /// JSON chapters 1.2.0: `{"version": "1.2.0", "chapters": […]}`, or only the list.
    Json,
    /// One chapter per line: `12:30 Title`, `1:02:03.500 - Title <https://example.com/>`.
    Lines,
}

/// The chapters of a file, and the errors in the parts that were left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// Chapters in playing order.
    pub chapters: Vec<Chapter>,
    /// The errors, in the order in which they occur in the file.
    pub faults: Vec<ChapterError>,
}

/// An error that causes a value, a chapter or the whole file to be left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}{}", in_brackets(.help.as_deref()))]
pub struct ChapterError {
    /// The line of the error, counted from 1.
    pub line: usize,
    /// The column of the error in characters, counted from 1.
    pub column: usize,
    pub message: String,
    /// A suggestion for fixing the error, if known.
    pub help: Option<String>,
}

fn in_brackets(help: Option<&str>) -> String {
    help.map_or_else(String::new, |help| format!(" ({help})"))
}

impl ChapterError {
    /// Converts the error to a diagnostic. `text` is the content of the chapter file at `path`.
    /// Callers pass the severity `Error` if the whole file is left out, and `Warning` otherwise.
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

/// Parses a chapter file.
///
/// A byte order mark and CRLF line ends are accepted. In JSON, keys that the specification does not
/// define are ignored, and `null` counts as absent. In lines, blank lines and lines that start with
/// `#` are skipped. A chapter is left out if its start is invalid. Chapters that are out of order are
/// sorted. If any other value of a chapter is invalid, only that value is left out.
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
/// Returns an error if the file is not JSON or has no list of chapters.
pub fn parse(text: &str, format: Format) -> Result<Parsed, ChapterError> {
    let text = strip_byte_order_mark(text);
    let (placed, faults) = published(text, format).map_err(|fault| fault.placed(text))?;
    let faults = faults.into_iter().take(MAX_FAULTS);
    Ok(Parsed {
        chapters: placed.into_iter().map(|(chapter, _)| chapter).collect(),
        faults: faults.map(|fault| fault.placed(text)).collect(),
    })
}

/// Returns a chapter that is embedded in a recording.
pub fn embedded(chapter: &media_facts::Chapter) -> Chapter {
    Chapter {
        start_time: chapter.start,
        end_time: chapter.end,
        title: chapter.title.clone(),
        url: chapter.url.clone(),
        toc: chapter.is_hidden.then_some(false),
        ..Chapter::default()
    }
}

/// Returns the byte offset in a file at which chapter number `at` starts, counted from 0.
pub fn start_of(text: &str, at: usize) -> Option<usize> {
    let own = strip_byte_order_mark(text);
    let (placed, _) = published(own, Format::Auto).ok()?;
    let (_, place) = placed.get(at)?;
    Some(text.len() - own.len() + place.start)
}

fn strip_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Maximum number of faults to report for one file.
const MAX_FAULTS: usize = 100;

/// Chapters with the positions of their times, and the faults found.
type Placed = (Vec<(Chapter, ChapterPlace)>, Vec<Fault>);

/// A fault, and its byte offset in the file's text.
struct Fault {
    at: usize,
    message: String,
    help: Option<String>,
}

impl Fault {
    fn new(at: usize, message: impl Into<String>, help: Option<&str>) -> Self {
        Self { at, message: message.into(), help: help.map(str::to_owned) }
    }

    /// Converts the fault's offset to a line and column.
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

/// Returns the chapters of a chapter file that can be published.
fn published(text: &str, format: Format) -> Result<Placed, Fault> {
    let (placed, mut faults) = placed(text, format)?;
    let OrderedChapters { ordered, faults: report_wrong_type } =
        ordered_chapters(placed, |place| place.index);
    faults.extend(report_wrong_type.iter().map(|(error, place)| out_of_order(error, place)));
    faults.sort_by_key(|fault| fault.at);
    Ok((ordered, faults))
}

/// Chapters that can be published, and the errors in chapter times. Each chapter and each error has
/// its position.
pub struct OrderedChapters<P> {
    pub ordered: Vec<(Chapter, P)>,
    pub faults: Vec<(OrderError, P)>,
}

/// Removes chapters that start at an invalid time, removes end times that are before the chapter's
/// start, and sorts the chapters. `index` returns the chapter's number in the source, counted from 0.
pub fn ordered_chapters<P: Clone>(
    placed: Vec<(Chapter, P)>,
    index: impl Fn(&P) -> usize,
) -> OrderedChapters<P> {
    let mut ordered: Vec<(Chapter, P)> = Vec::with_capacity(placed.len());
    let mut faults = Vec::new();
    for (mut chapter, place) in placed {
        let previous = ordered.last().map(|(previous, _)| previous.start_time);
        let mut report = |field, fault| {
            faults.push((OrderError { index: index(&place), field, fault }, place.clone()));
        };
        let mut checked = chapter.check(previous.unwrap_or(0.0));
        if let Err((field, fault @ OrderFault::BeforePrevious { .. })) = checked {
            report(field, fault);
            checked = chapter.check(0.0);
        }
        if let Err((field, fault)) = checked {
            report(field, fault);
            if field == "startTime" {
                continue;
            }
            chapter.end_time = None;
        }
        ordered.push((chapter, place));
    }
    ordered.sort_by(|(a, _), (b, _)| a.start_time.total_cmp(&b.start_time));
    OrderedChapters { ordered, faults }
}

fn placed(text: &str, format: Format) -> Result<Placed, Fault> {
    let is_json = match format {
        Format::Json => true,
        Format::Lines => false,
        Format::Auto => is_json(text),
    };
    if is_json { json::parse(text) } else { Ok(lines::parse(text)) }
}

/// Returns whether a chapter file starts like JSON. A time in brackets, such as `[1:30]`, is not
/// JSON.
fn is_json(text: &str) -> bool {
    let text = text.trim_start();
    let is_time =
        |inner: &str| inner.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(':');
    text.starts_with('{') || text.strip_prefix('[').is_some_and(|inner| !is_time(inner))
}

/// The byte offsets of a chapter's times in the text.
#[derive(Clone)]
struct ChapterPlace {
    /// The chapter's number in the file, counted from 0.
    index: usize,
    start: usize,
    end: usize,
}

fn out_of_order(error: &OrderError, place: &ChapterPlace) -> Fault {
    let at = if error.field == "endTime" { place.end } else { place.start };
    let message = format!("chapter {} {error}", error.index + 1);
    Fault::new(at, message, out_of_order_help(error.fault))
}

/// Returns the help for an error in a chapter's time.
pub fn out_of_order_help(fault: OrderFault) -> Option<&'static str> {
    match fault {
        OrderFault::BeforePrevious { .. } => Some("list the chapters in the order they play"),
        OrderFault::EndBeforeStart { .. } => {
            Some("remove endTime unless there is a gap before the next chapter")
        }
        OrderFault::NotFinite | OrderFault::Negative => None,
    }
}
