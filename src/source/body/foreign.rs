//! Template tags of other generators in a Markdown text.

use std::ops::Range;

use crate::source::linker::Linker;

/// How they start and end.
const FOREIGN: [(&str, &str); 3] = [("{{<", ">}}"), ("{{%", "%}}"), ("{%", "%}")];

/// Whether a body may hold some.
pub fn has_tags(body: &str) -> bool {
    let opens = |at: usize| FOREIGN.iter().any(|(open, _)| body[at..].starts_with(open));
    body.match_indices('{').any(|(at, _)| opens(at))
}

/// Warns of those in a range of the file: here readers see them as plain text.
pub fn warn(linker: &Linker<'_, '_>, range: Range<usize>) {
    const LONGEST: usize = 2000;
    let text = &linker.reader.source.text;
    let Range { start, end } = range;
    for (at, _) in text[start..end].match_indices('{') {
        let found = &text[start + at..];
        let found = &found[..found.floor_char_boundary(LONGEST)];
        let is_inner = at > 0 && text[..start + at].ends_with('{');
        let is_foreign = |(open, close): &(&str, &str)| {
            found
                .strip_prefix(open)
                .is_some_and(|rest| rest.contains(close))
        };
        if !is_inner && FOREIGN.iter().any(is_foreign) {
            linker.reader.warning(
                &(start + at..start + at),
                "this is a tag of another generator, and readers see it as it stands",
                "write what it stands for in Markdown or HTML, or put it between backticks",
            );
        }
    }
}
