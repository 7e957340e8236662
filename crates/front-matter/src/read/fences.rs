//! Finds front matter between two fence lines, such as `+++`.

use std::ops::Range;

use crate::Fault;

/// Returns the byte range between two fence lines, and the position after the second. `name` is the
/// name of the format for the error message.
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
