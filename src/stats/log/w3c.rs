//! The W3C extended log file format, which CDNs and IIS use. A `#Fields:` line contains the names
//! of the columns.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::fields::{FieldMeaning, RequestFields, field_meanings};
use super::{Reason, Request};

/// The meanings of each column in the following lines.
#[derive(Debug, Default)]
pub(super) struct Columns(Vec<Vec<(FieldMeaning, usize)>>);

impl Columns {
    /// Reads a line that begins with `#`.
    pub(super) fn directive(&mut self, line: &str) {
        if let Some(names) = line.strip_prefix("#Fields:") {
            self.0 =
                names.split_ascii_whitespace().map(|name| field_meanings(name).collect()).collect();
        }
    }

    pub(super) fn parse<'l>(&self, line: &'l str) -> Result<Request<'l>, Reason> {
        if self.0.is_empty() {
            return Err("the #Fields: line with the column names is missing");
        }
        let has_tabs = line.contains('\t');
        let mut values = line.split(if has_tabs { '\t' } else { ' ' });
        let mut fields = RequestFields::default();
        for column in &self.0 {
            let value = values.next().ok_or("the line has too few columns")?;
            for field_meanings in column {
                let value = match field_meanings.0 {
                    FieldMeaning::Agent => agent(value, has_tabs),
                    _ => Cow::Borrowed(value),
                };
                // `-` means that the column is empty.
                if value != "-" || field_meanings.0 == FieldMeaning::Agent {
                    fields.set(*field_meanings, value);
                }
            }
        }
        fields.request()
    }
}

/// Decodes the spaces in a user agent. They are written as `%20`, by some CDNs as `%2520`, and as
/// `+` in logs whose columns are separated by spaces.
fn agent(value: &str, has_tabs: bool) -> Cow<'_, str> {
    if !has_tabs && value.contains('+') && !value.contains('%') {
        return Cow::Owned(value.replace('+', " "));
    }
    let once = percent_decode_str(value).decode_utf8_lossy();
    if once.contains("%20") {
        Cow::Owned(percent_decode_str(&once).decode_utf8_lossy().into_owned())
    } else {
        once
    }
}
