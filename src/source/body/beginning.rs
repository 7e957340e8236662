//! Finds the offset at which a Markdown body can be cut so that its beginning can be parsed without
//! the rest.

use super::{math, notes, template_tags};
use model::special::first_special_byte;

/// Byte offset at which the search for the cut begins. For most bodies, this many bytes contain the
/// required beginning.
const MIN_SEARCH_OFFSET: usize = 1536;

/// Returns the offset up to which a body must be read to find the links and the beginning of the
/// text. A new paragraph starts at this offset. Returns `None` if there is no such paragraph, or if
/// the body may contain links into the site or definitions that change earlier text.
pub fn end(body: &str) -> Option<usize> {
    let bytes = body.as_bytes();
    let later = bytes.get(MIN_SEARCH_OFFSET..)?;
    // A letter after an empty line ends every list and quotation.
    let is_paragraph = |at: &[u8; 3]| at[..2] == *b"\n\n" && at[2].is_ascii_alphabetic();
    let at = later.array_windows().position(is_paragraph)?;
    (!may_refer(body)).then_some(MIN_SEARCH_OFFSET + at + 2)
}

/// Returns whether a body may contain HTML, definitions of links or footnotes, or references that
/// need the rest of the body or the site to be resolved. A link to a complete `http(s)` URL needs
/// neither.
fn may_refer(body: &str) -> bool {
    let mut rest = body;
    while let Some(at) = first_special_byte(rest.as_bytes(), |byte| (byte == b'<') | (byte == b']'))
    {
        if rest[at..].starts_with('<') {
            return true;
        }
        rest = &rest[at + 1..];
        let is_whole = |to: &str| to.starts_with("https://") || to.starts_with("http://");
        if rest.starts_with([':', ']']) || rest.strip_prefix('(').is_some_and(|to| !is_whole(to)) {
            return true;
        }
    }
    false
}

/// Returns whether a body must be read to its end, because it may contain a construct that needs a
/// warning, a translated word or additional fonts.
pub fn needs_full_read(body: &str) -> bool {
    template_tags::has_tags(body)
        || notes::may_contain(body)
        || math::may_contain(body)
        || underlined_attributes(body).is_some()
}

/// Returns the offset of a line end between closing braces and the line that underlines a heading.
/// In a quotation or list, heading attributes in such braces can make the parser fail
/// (pulldown-cmark 0.13.6).
pub fn underlined_attributes(body: &str) -> Option<usize> {
    let mut ends = memchr::memchr_iter(b'\n', body.as_bytes());
    ends.find(|end| {
        let is_container = |c: char| c.is_ascii_whitespace() || c == '>';
        body[..*end].trim_end().ends_with('}')
            && body[*end..].trim_start_matches(is_container).starts_with(['-', '='])
    })
}
