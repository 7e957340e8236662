//! A file's text: where a byte of it stands, and what its front matter says.

use front_matter::{Fault, FrontMatter, Table};

use super::{Diagnostic, SitePath};

/// A file's text together with its name, to turn byte offsets into lines and columns.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The file, from the site's root.
    pub path: &'a SitePath,
    pub text: &'a str,
}

impl<'a> Source<'a> {
    /// The line and column (from 1, columns in characters) of a byte offset, and the line itself.
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

    /// What its front matter says, and where its body starts.
    ///
    /// # Errors
    ///
    /// The front matter is malformed.
    pub fn front_matter(&self) -> Result<FrontMatter, Vec<Diagnostic>> {
        let front = match self.path.extension().as_str() {
            "json" => front_matter::parse_json_file(self.text),
            _ => front_matter::parse(self.text),
        };
        front.map_err(|faults| self.diagnostics(faults))
    }

    /// What a file that is all TOML says.
    ///
    /// # Errors
    ///
    /// The file is no TOML 1.0, or longer than 4 MiB.
    pub fn toml(&self) -> Result<Table, Vec<Diagnostic>> {
        front_matter::parse_toml(self.text).map_err(|faults| self.diagnostics(faults))
    }

    /// Turns faults of the crate [`front_matter`] into errors at their places.
    pub fn diagnostics(&self, faults: Vec<Fault>) -> Vec<Diagnostic> {
        let diagnostic =
            |fault: Fault| Diagnostic::error(fault.message).at(*self, fault.at).help(fault.help);
        faults.into_iter().map(diagnostic).collect()
    }
}
