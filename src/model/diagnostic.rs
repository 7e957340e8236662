//! Errors and warnings about a site, each with its position and a remedy.

use borsh::{BorshDeserialize, BorshSerialize};
use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::terminal::{escape_line, is_control};
use super::{Fix, Rule, Source};

/// Maximum length of a source line in a diagnostic, in characters. Longer lines are cut to this
/// length.
const MAX_EXCERPT: usize = 160;

/// Maximum number of characters before the column in a cut line.
const MAX_BEFORE_COLUMN: usize = 100;

/// Maximum length of a message, remedy or file name, in bytes. A message may quote content of any
/// length.
const MAX_TEXT: usize = 1000;

/// The severity of a [`Diagnostic`].
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The build stops. The output of an earlier build stays unchanged.
    Error,
    /// The build continues.
    Warning,
}

/// An error or warning, with its position and a remedy.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    pub severity: Severity,
    /// Rule that the warning belongs to. Errors are always reported and have no rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// Path of the file from the site's root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line number, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Text of the line, or the part around the column if the line has more than 160 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_line: Option<String>,
    /// Column at which `source_line` starts, if it does not contain the whole line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_start: Option<usize>,
    pub message: String,
    /// Remedy for the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Automatic fix, which needs no decision from the author.
    #[serde(skip)]
    pub fix: Option<Box<Fix>>,
}

impl Diagnostic {
    /// Creates an error without a position.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message.into())
    }

    /// Creates a warning without a position.
    pub fn warning(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule: Some(rule), ..Self::new(Severity::Warning, message.into()) }
    }

    fn new(severity: Severity, message: String) -> Self {
        Self {
            severity,
            rule: None,
            file: None,
            line: None,
            column: None,
            source_line: None,
            source_start: None,
            message: shortened(message),
            help: None,
            fix: None,
        }
    }

    /// Sets the path of the file, from the site's root.
    #[must_use]
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(shortened(file.into()));
        self
    }

    /// Sets the line and column, both from 1, and the text of the line.
    #[must_use]
    pub fn position(mut self, line: usize, column: usize, source_line: impl AsRef<str>) -> Self {
        let (start, part) = excerpt_around(source_line.as_ref(), column);
        self.line = Some(line);
        self.column = Some(column);
        self.source_line = Some(part.to_owned());
        self.source_start = (start > 1).then_some(start);
        self
    }

    /// Sets the position to a byte offset in the text of a file.
    #[must_use]
    pub fn at(self, source: Source<'_>, offset: usize) -> Self {
        let (line, column, text) = source.locate(offset);
        self.file(source.path.as_str()).position(line, column, text)
    }

    /// Sets an automatic fix, which needs no decision from the author.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(Box::new(fix));
        self
    }

    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(shortened(help.into()));
        self
    }
}

/// Returns the part of a line around a column, and the column at which the part starts.
fn excerpt_around(line: &str, column: usize) -> (usize, &str) {
    // A line has at most as many characters as bytes, so the characters of a short line need not be
    // counted.
    if line.len() <= MAX_EXCERPT {
        return (1, line);
    }
    let place = |characters: usize| {
        let mut places = line.char_indices().map(|(at, _)| at);
        places.nth(characters).unwrap_or(line.len())
    };
    if place(MAX_EXCERPT) == line.len() {
        return (1, line);
    }
    let skipped = column.saturating_sub(1 + MAX_BEFORE_COLUMN);
    let from = place(skipped);
    (skipped + 1, &line[from..place(skipped + MAX_EXCERPT)])
}

/// Shortens a string that is longer than [`MAX_TEXT`] bytes by leaving out its middle.
fn shortened(text: String) -> String {
    if text.len() <= MAX_TEXT {
        return text;
    }
    let head = text.floor_char_boundary(MAX_TEXT * 3 / 4);
    let tail = text.ceil_char_boundary(text.len() - MAX_TEXT / 4);
    format!("{} … {}", &text[..head], &text[tail..])
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        match self.rule {
            Some(rule) => write!(f, "{label}[{}]: ", rule.name())?,
            None => write!(f, "{label}: ")?,
        }
        write!(f, "{}", escape_line(&self.message))?;
        if let Some(file) = &self.file {
            write!(f, "\n  --> {}", escape_line(file))?;
            if let (Some(line), Some(column)) = (self.line, self.column) {
                write!(f, ":{line}:{column}")?;
            }
        }
        if let (Some(line), Some(column), Some(text)) = (self.line, self.column, &self.source_line)
        {
            let column = column + 1 - self.source_start.unwrap_or(1).min(column);
            let (shown, caret) = excerpt(text, column);
            let gutter = line.to_string();
            let blank = " ".repeat(gutter.len());
            write!(f, "\n{blank} |\n{gutter} | {shown}\n{blank} | {}^", " ".repeat(caret))?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n  help: {}", escape_line(help))?;
        }
        Ok(())
    }
}

/// Returns the part of a long line around a column, and the number of terminal cells before that
/// column.
fn excerpt(text: &str, column: usize) -> (String, usize) {
    const WIDTH: usize = 100;
    let skip = column.saturating_sub(1).saturating_sub(WIDTH - 20);
    let shown: String =
        text.chars().skip(skip).take(WIDTH).map(|c| if is_control(c) { ' ' } else { c }).collect();
    let before: String = shown.chars().take(column.saturating_sub(1) - skip).collect();
    (shown, before.chars().map(display_width).sum())
}

/// Returns the number of terminal cells of a character. Wide East Asian characters take two.
fn display_width(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36F => 0,
        0x1100..=0x115F
        | 0x2E80..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0x1F300..=0x1FAFF => 2,
        _ => 1,
    }
}

/// The first errors and warnings of one file, and the total number of each.
#[derive(Debug, Clone, Default)]
pub struct FileReport {
    kept: Vec<Diagnostic>,
    warnings: usize,
    errors: usize,
}

impl FileReport {
    /// Maximum number of errors, and maximum number of warnings, that are kept for one file.
    pub const MAX_PER_FILE: usize = 100;

    /// Keeps a diagnostic if there is room, and otherwise only counts it. `diagnostic` is called
    /// only if there is room, because locating a million faults would take too long.
    pub fn add(&mut self, severity: Severity, diagnostic: impl FnOnce() -> Diagnostic) {
        let count = match severity {
            Severity::Warning => &mut self.warnings,
            Severity::Error => &mut self.errors,
        };
        *count += 1;
        if *count <= Self::MAX_PER_FILE {
            self.kept.push(diagnostic());
        }
    }

    /// Returns the diagnostics that were kept. If further errors or warnings were only counted,
    /// adds a diagnostic about `file` with their number. `file` is relative to the site's root.
    pub fn finish(mut self, file: &str) -> Vec<Diagnostic> {
        let more = |count: usize| count.saturating_sub(Self::MAX_PER_FILE);
        let left_out = [
            (Severity::Error, more(self.errors), "error"),
            (Severity::Warning, more(self.warnings), "warning"),
        ];
        for (severity, more, what) in left_out.into_iter().filter(|(_, more, _)| *more > 0) {
            let several = if more == 1 { "" } else { "s" };
            let message = format!("this file has {more} more {what}{several}");
            let told = Diagnostic::new(severity, message).file(file);
            self.kept.push(told.help("fix the listed problems, then check again"));
        }
        self.kept
    }
}

/// All errors and warnings of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    diagnostics: Vec<Diagnostic>,
    /// Whether the errors occurred while the output was being written. The next build then
    /// completes the output.
    pub partly_written: bool,
}

impl Report {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Adds all diagnostics of another report.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// Iterates over the diagnostics in the order they were found.
    /// Removes the diagnostics for which `keep` returns false.
    pub fn retain(&mut self, keep: impl FnMut(&Diagnostic) -> bool) {
        self.diagnostics.retain(keep);
    }

    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter()
    }

    /// Returns whether the report contains an error, which stops a build.
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// Returns the number of errors.
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }

    /// Returns the files that have errors.
    pub fn faulty_files(&self) -> HashSet<&str> {
        let errors = self.diagnostics.iter();
        let errors = errors.filter(|d| d.severity == Severity::Error);
        errors.filter_map(|d| d.file.as_deref()).collect()
    }

    /// Returns the number of warnings.
    pub fn warnings(&self) -> usize {
        self.diagnostics.len() - self.errors()
    }

    /// Returns the number of errors and warnings.
    pub fn len(&self) -> usize {
        self.diagnostics.len()
    }

    pub fn is_empty(&self) -> bool {
        self.diagnostics.is_empty()
    }

    /// Returns the diagnostics sorted by file and line, without duplicates.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by(|a, b| {
            (&a.file, a.line, a.column, a.severity).cmp(&(&b.file, b.line, b.column, b.severity))
        });
        self.diagnostics.dedup();
        self.diagnostics
    }
}

impl IntoIterator for Report {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.diagnostics.into_iter()
    }
}

impl From<Vec<Diagnostic>> for Report {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self { diagnostics, partly_written: false }
    }
}

impl From<Diagnostic> for Report {
    fn from(diagnostic: Diagnostic) -> Self {
        vec![diagnostic].into()
    }
}
