//! Where the beginning of a Markdown text ends that can be read for itself.

use model::special::first_special;

/// Most beginnings of texts that are looked for end before this byte.
const USUAL: usize = 1536;

/// The byte from which on a body need not be read to know its links and the beginning of its text: a paragraph of its
/// own starts there, and nowhere in the body is anything that leads into the site or changes what stands before it.
pub fn end(body: &str) -> Option<usize> {
    let bytes = body.as_bytes();
    let later = bytes.get(USUAL..)?;
    // A letter below an empty line ends every list and quotation.
    let is_paragraph = |at: &[u8; 3]| at[..2] == *b"\n\n" && at[2].is_ascii_alphabetic();
    let at = later.array_windows().position(is_paragraph)?;
    (!may_refer(body)).then_some(USUAL + at + 2)
}

/// Whether a body may hold HTML, definitions of links or footnotes, or references to anything but whole addresses, such
/// as links by name.
fn may_refer(body: &str) -> bool {
    let mut rest = body;
    while let Some(at) = first_special(rest.as_bytes(), |byte| (byte == b'<') | (byte == b']')) {
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
