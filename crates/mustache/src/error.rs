//! Errors in templates, and their positions.

use std::error::Error;
use std::fmt;

/// A position in a template. Lines and columns are counted from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub line: usize,
    pub column: usize,
}

impl Position {
    /// Finds the line and column of a byte offset. This scans the source, so it is only called for
    /// errors and checks.
    pub fn of(source: &str, offset: usize) -> Self {
        let before = &source[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

/// A converter from byte offsets to lines and columns, in one pass over the source. The offsets
/// must be in ascending order.
pub(super) struct Positions<'s> {
    source: &'s str,
    offset: usize,
    place: Position,
}

impl<'s> Positions<'s> {
    pub fn of(source: &'s str) -> Self {
        let place = Position { line: 1, column: 1 };
        Self { source, offset: 0, place }
    }

    pub fn at(&mut self, offset: usize) -> Position {
        let between = &self.source[self.offset..offset];
        let lines = between.bytes().filter(|&byte| byte == b'\n').count();
        let column = match between.rfind('\n') {
            Some(newline) => between[newline + 1..].chars().count() + 1,
            None => self.place.column + between.chars().count(),
        };
        self.offset = offset;
        self.place = Position { line: self.place.line + lines, column };
        self.place
    }
}

/// Returns the line of `source` that contains `offset`, without its line ending.
fn line_at(source: &str, offset: usize) -> &str {
    let start = source[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    source[start..].lines().next().unwrap_or("")
}

/// An error in the syntax of a template.
///
/// `{}` prints `line 3, column 5: message`. `{:#}` also prints the line, with a caret under the
/// column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    position: Position,
    source_line: String,
    message: String,
}

impl ParseError {
    pub(super) fn at(source: &str, offset: usize, message: String) -> Self {
        ParseError {
            position: Position::of(source, offset),
            source_line: line_at(source, offset).to_owned(),
            message,
        }
    }

    /// Returns the line, counted from 1.
    pub fn line(&self) -> usize {
        self.position.line
    }

    /// Returns the column in characters, counted from 1.
    pub fn column(&self) -> usize {
        self.position.column
    }

    /// Returns the line of the template that contains the error, without its line ending.
    pub fn source_line(&self) -> &str {
        &self.source_line
    }

    /// Returns the problem and its solution, without the position.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.position;
        write!(f, "line {line}, column {column}: {}", self.message)?;
        if f.alternate() {
            // Tabs are kept, so the caret is under the right column at any tab width.
            let margin: String = self
                .source_line
                .chars()
                .take(column - 1)
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            write!(f, "\n  {}\n  {margin}^", self.source_line)?;
        }
        Ok(())
    }
}

impl Error for ParseError {}

/// An error that stopped a rendering. The output buffer contains the output up to the error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderError {
    position: Position,
    template: Option<String>,
    partial: Option<String>,
    message: String,
}

impl RenderError {
    pub(super) fn at(position: Position, template: Option<&str>, message: String) -> Self {
        RenderError { position, template: template.map(str::to_owned), partial: None, message }
    }

    pub(super) fn with_partial(mut self, name: &str) -> Self {
        self.partial = Some(name.to_owned());
        self
    }

    /// Returns the line of the tag that was being rendered, counted from 1.
    pub fn line(&self) -> usize {
        self.position.line
    }

    /// Returns the column in characters of the tag that was being rendered, counted from 1.
    pub fn column(&self) -> usize {
        self.position.column
    }

    /// Returns the name of the partial that contains the tag, or `None` if the rendered template
    /// itself contains it.
    pub fn template(&self) -> Option<&str> {
        self.template.as_deref()
    }

    /// Returns the name of the partial that is nested too deeply, or `None` for any other error.
    pub fn partial(&self) -> Option<&str> {
        self.partial.as_deref()
    }

    /// Returns the problem and its solution, without the position.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(template) = &self.template {
            write!(f, "partial `{template}`, ")?;
        }
        let Position { line, column } = self.position;
        write!(f, "line {line}, column {column}: {}", self.message)
    }
}

impl Error for RenderError {}
