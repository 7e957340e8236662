//! Front matter between two lines that contain only a fence.

use std::ops::Range;

use crate::Fault;

/// Returns the bytes between two fence lines, and the byte after the second. `name` is the format's
/// name for the error.
pub(super) fn read_fenced(
    text: &str,
    start: usize,
    fence: &str,
    name: &str,
) -> Result<(Range<usize>, usize), Vec<Fault>> {
    let fields = text[start..].find('\n').map_or(text.len(), |at| start + at + 1);
    let mut at = fields;
    for line in text[fields..].split_inclusive('\n') {
        if line.trim_end() == fence {
            return Ok((fields..at, at + line.len()));
        }
        at += line.len();
    }
    Err(vec![Fault::new(
        start,
        format!("this {name} front matter has no end"),
        format!("close it with a line that contains only `{fence}`"),
    )])
}
