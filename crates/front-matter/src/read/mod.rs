//! Finds front matter at the start of a document, checks its size, and parses it.

mod fences;
mod json;
mod marks;
mod toml;
mod unclosed;
mod yaml;

use std::ops::Range;

use self::fences::read_fenced;
use crate::{Fault, Table};

/// Maximum size, in bytes, of front matter or of a file that contains only TOML.
const MAX_FIELDS: usize = 4 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// TOML 1.0 between `+++` lines.
    Toml,
    /// YAML 1.2 between `---` lines.
    Yaml,
    /// A JSON object.
    Json,
}

/// The front matter of a document, and the start of its body.
#[derive(Debug, Clone, PartialEq)]
pub struct FrontMatter {
    /// Fields of the front matter. Empty if the document has no front matter.
    pub table: Table,
    /// Format of the front matter. `None` if the document has no front matter.
    pub format: Option<Format>,
    /// Byte at which the body starts.
    pub body: usize,
}

/// Splits a document into front matter and body, and parses the front matter.
///
/// # Errors
///
/// Returns up to three faults, in the order of the document, if something looks like front matter
/// but is invalid. Front matter below blank lines is also a fault, because it would be published as
/// part of the body.
pub fn parse(text: &str) -> Result<FrontMatter, Vec<Fault>> {
    split(text, json::FRONT_MATTER_HELP, Merges::Applied)
}

/// Like [`parse`], but does not resolve YAML's merge keys (`<<`), because an edit changes the
/// document as it is written.
pub(crate) fn parse_unmerged(text: &str) -> Result<FrontMatter, Vec<Fault>> {
    split(text, json::FRONT_MATTER_HELP, Merges::AsWritten)
}

/// Whether to replace YAML's merge keys (`<<`) with the keys of the mappings to which they refer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Merges {
    Applied,
    AsWritten,
}

/// Parses a file that should contain only JSON. Works like [`parse`], but error messages about the
/// JSON refer to the file instead of to front matter.
///
/// # Errors
///
/// Fails in the same cases as [`parse`].
pub fn parse_json_file(text: &str) -> Result<FrontMatter, Vec<Fault>> {
    split(text, json::JSON_FILE_HELP, Merges::Applied)
}

/// Parses a file that contains only TOML, without fences.
///
/// # Errors
///
/// Fails if the file is not valid TOML 1.0, or is larger than 4 MiB.
pub fn parse_toml(text: &str) -> Result<Table, Vec<Fault>> {
    if text.len() > MAX_FIELDS {
        let fault = Fault::new(0, "this file is larger than 4 MiB", "shorten it");
        return Err(vec![fault]);
    }
    toml::read(text, 0..text.len())
}

/// Splits a document, and parses its front matter. `object` is the start of the help text for
/// errors in JSON.
fn split(text: &str, object: &str, merges: Merges) -> Result<FrontMatter, Vec<Fault>> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let first = text[start..].lines().next().unwrap_or_default().trim_end();
    let (format, fields, body) = match first {
        "+++" => {
            let (fields, body) = read_fenced(text, start, "+++", "TOML")?;
            (Format::Toml, fields, body)
        }
        "---" => {
            let (fields, body) = read_fenced(text, start, "---", "YAML")?;
            (Format::Yaml, fields, body)
        }
        _ if first.starts_with('{') && !first.starts_with("{{") && !first.starts_with("{%") => {
            let (fields, body) = json::bounds(text, start, object)?;
            (Format::Json, fields, body)
        }
        _ => {
            return match misplaced_front_matter(text, start) {
                Some(fault) => Err(vec![fault]),
                None => Ok(FrontMatter { table: Table::default(), format: None, body: start }),
            };
        }
    };
    Ok(FrontMatter {
        table: read(text, format, fields, (object, merges))?,
        format: Some(format),
        body,
    })
}

fn read(
    text: &str,
    format: Format,
    fields: Range<usize>,
    (object, merges): (&str, Merges),
) -> Result<Table, Vec<Fault>> {
    match format {
        Format::Toml => {
            within_bounds(&fields)?;
            toml::read(text, fields)
        }
        Format::Yaml => yaml::read(text, fields, merges),
        Format::Json => {
            within_bounds(&fields)?;
            json::read(text, fields, object)
        }
    }
}

/// Returns an error for front matter below blank lines, which would be published as part of the
/// body. Lines between two rules are not front matter if they contain no field.
fn misplaced_front_matter(text: &str, start: usize) -> Option<Fault> {
    let rest = text[start..].trim_start();
    let at = text.len() - rest.len();
    // Lines that are indented by at least four columns are code blocks.
    let indent = text[start..at].rsplit('\n').next().unwrap_or_default();
    if indent.len() > 3 || indent.contains('\t') {
        return None;
    }
    let (format, bounds) = match rest.lines().next().unwrap_or_default().trim_end() {
        "+++" => (Format::Toml, read_fenced(text, at, "+++", "TOML")),
        "---" => (Format::Yaml, read_fenced(text, at, "---", "YAML")),
        first if first.starts_with("{\"") || first == "{" => {
            (Format::Json, json::bounds(text, at, json::FRONT_MATTER_HELP))
        }
        _ => return None,
    };
    let (fields, _) = bounds.ok()?;
    let as_read = (json::FRONT_MATTER_HELP, Merges::Applied);
    let table = read(text, format, fields, as_read).ok()?;
    (at > start && !table.entries.is_empty()).then(|| {
        Fault::new(
            at,
            "this front matter does not start on the first line, and would be published as text",
            "remove the blank lines and spaces before it",
        )
    })
}

/// Returns an error if front matter is too large. Front matter is not a data store, and a parser
/// can need a hundred times its size in memory.
fn within_bounds(fields: &Range<usize>) -> Result<(), Vec<Fault>> {
    if fields.len() <= MAX_FIELDS {
        return Ok(());
    }
    Err(vec![Fault::new(
        fields.start,
        "this front matter is larger than 4 MiB",
        "shorten it: write the text below it, and chapters and transcripts in separate files",
    )])
}

fn shift(span: Range<usize>, base: usize) -> Range<usize> {
    span.start + base..span.end + base
}
