//! The text of a file: conversion of byte offsets to positions, and the front matter.

use front_matter::{Fault, FrontMatter, Table};

use super::{Diagnostic, SitePath};

/// A file's text and path, used to convert byte offsets to lines and columns.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Path of the file from the site's root.
    pub path: &'a SitePath,
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// Returns the line and column of a byte offset, and the text of the line. Lines and columns
    /// count from 1, and columns count characters.
    pub fn locate(&self, offset: usize) -> (usize, usize, &'a str) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &self.text[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[offset..].find('\n').map_or(self.text.len(), |at| offset + at);
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let column = self.text[start..offset].chars().count() + 1;
        (line, column, self.text[start..end].trim_end_matches('\r'))
    }

    /// Parses the front matter, and finds where the body starts.
    ///
    /// # Errors
    ///
    /// Fails if the front matter is malformed.
    pub fn front_matter(&self) -> Result<FrontMatter, Vec<Diagnostic>> {
        let front = match self.path.extension().as_str() {
            "json" => front_matter::parse_json_file(self.text),
            _ => front_matter::parse(self.text),
        };
        front.map_err(|faults| self.diagnostics(faults))
    }

    /// Parses a file that is entirely TOML.
    ///
    /// # Errors
    ///
    /// Fails if the file is not valid TOML 1.0, or is longer than 4 MiB.
    pub fn toml(&self) -> Result<Table, Vec<Diagnostic>> {
        front_matter::parse_toml(self.text).map_err(|faults| self.diagnostics(faults))
    }

    /// Converts faults of the crate [`front_matter`] to diagnostics with positions.
    pub fn diagnostics(&self, faults: Vec<Fault>) -> Vec<Diagnostic> {
        let diagnostic =
            |fault: Fault| Diagnostic::error(fault.message).at(*self, fault.at).help(fault.help);
        faults.into_iter().map(diagnostic).collect()
    }
}
