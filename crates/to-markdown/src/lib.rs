//! Converts HTML to Markdown where Markdown can express the same content.
//!
//! [`write`] splits HTML into blocks and converts each block to Markdown. It then renders the
//! Markdown with the caller's renderer and compares the result with the block. A block that would
//! render differently stays HTML. Classes, wrappers, picture sizes and other parts of the former
//! site's design are removed, unless [`DesignParts::Kept`] is set. Scripts are always removed.
//!
//! Untrusted HTML ([`Source::is_foreign`]) is [sanitized](sanitize) with an allow-list.
//! [`Conversion::removed`] counts the removals.
//!
//! A list of footnotes whose entries link back to the text becomes Markdown footnotes.
//!
//! - The crate is independent of sites and files: its input and output are strings.
//! - Rendering the output produces the cleaned input, element by element. Tests verify this for
//!   random HTML.
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
