//! Conversion of HTML to Markdown where that loses nothing.
//!
//! [`write`] splits a body into blocks and converts each block to Markdown. It then renders the
//! Markdown with the site's renderer and compares the result. A block that would render differently
//! stays HTML. Parts of the former site's design (classes, empty wrappers, sizes of pictures) are
//! removed, unless [`DesignParts::Kept`] is set. Scripts are always removed.
//!
//! HTML from elsewhere ([`Source::is_foreign`]) is untrusted and is [sanitized](sanitize) with an
//! allow-list. [`Conversion::removed`] counts the removed parts.
//!
//! A list of footnotes whose entries link back to the text becomes Markdown footnotes.
//!
//! - The crate knows nothing of sites or files: text in, text out.
//! - The output renders to the input, element by element. Tests verify this for any HTML.
//! - No HTML makes the crate panic or overflow the stack.

mod addresses;
mod blocks;
mod clean;
mod equivalence;
mod footnotes;
mod frames;
mod links;
mod marks;
mod pictures;
mod sanitize;
mod shapes;
mod tokens;
mod write;

pub use write::{Conversion, DesignParts, Source, write};
