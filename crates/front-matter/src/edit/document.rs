//! The front matter of a document, and the splices for the steps of an edit.

use std::ops::Range;

use super::difference::{Opaque, Step, Syntax, steps};
use super::json::Json;
use super::splice::{Splice, line_start};
use super::toml::Toml;
use super::yaml::Yaml;
use crate::read::parse_unmerged;
use crate::{Fault, Format, Table, Value, parse_toml};

pub(super) struct Document {
    table: Table,
    format: Format,
    pub fields: Range<usize>,
    pub body: usize,
}

impl Document {
    /// Parses the front matter at the start of a document.
    pub fn parse_front_matter(text: &str) -> Result<Self, Vec<Fault>> {
        let front = parse_unmerged(text)?;
        let head = &text[..front.body];
        let start = if head.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let format = front.format.unwrap_or(Format::Toml);
        let fields = match format {
            Format::Json => start..head.trim_end().len(),
            _ => {
                let first = head.find('\n').map_or(head.len(), |end| end + 1);
                let last = line_start(head, head.strip_suffix('\n').unwrap_or(head).len());
                first..last.max(first)
            }
        };
        Ok(Self { table: front.table, format, fields, body: front.body })
    }

    /// Parses a file that contains only TOML, without a body.
    pub fn parse_toml_only(text: &str) -> Result<Self, Vec<Fault>> {
        Ok(Self {
            table: parse_toml(text)?,
            format: Format::Toml,
            fields: 0..text.len(),
            body: text.len(),
        })
    }

    pub fn steps<'a>(&'a self, text: &'a str, wanted: &'a Table) -> Vec<Step<'a>> {
        let opaque: Opaque = match self.format {
            Format::Toml => Toml::is_opaque,
            Format::Yaml => Yaml::is_opaque,
            Format::Json => |_, _, _| false,
        };
        steps(text, &self.table, wanted, opaque)
    }

    /// Returns the splices of all steps that do not conflict with earlier steps. Adds the new
    /// values that these steps write to `written`.
    pub fn splices(
        &self,
        text: &str,
        steps: &[Step<'_>],
        written: &mut Vec<*const Value>,
    ) -> Vec<Splice> {
        let syntax = self.syntax(text);
        let mut taken: Vec<Splice> = Vec::new();
        for step in steps {
            let Some(splices) = syntax.splices(step) else {
                continue;
            };
            let apart = |new: &Splice| !taken.iter().any(|old| old.conflicts_with(new));
            if splices.iter().all(apart) {
                taken.extend(splices);
                written.extend(step.replacement());
            }
        }
        taken
    }

    fn syntax<'a>(&'a self, text: &'a str) -> Box<dyn Syntax + 'a> {
        let (fields, root) = (self.fields.clone(), &self.table);
        match self.format {
            Format::Toml => Box::new(Toml { text, fields, root }),
            Format::Yaml => Box::new(Yaml::new(text, fields, root)),
            Format::Json => Box::new(Json { text, fields, root }),
        }
    }
}
