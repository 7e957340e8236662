//! HTML, written as Markdown where that loses nothing.
//!
//! [`write`] takes a body apart into its blocks, writes each as Markdown, renders that with the renderer that will show it,
//! and compares: a block that would not come back as it was stays HTML. What a page has of its former site's looks (classes,
//! empty wrappers, sizes of pictures) is no content, unless [`Looks::Kept`] says so; programs are left out.
//!
//! HTML from elsewhere ([`Source::is_foreign`]) is untrusted and is [sanitized](sanitize) with an allow-list;
//! [`Written::removed`] counts what was removed.
//!
//! A list of footnotes whose entries link back to the text becomes Markdown footnotes.
//!
//! - It knows no sites and no files: a text in, a text out.
//! - What comes out renders to what went in, element by element; the tests hold that for any HTML.
//! - No HTML makes it panic or overflow the stack.

mod addresses;
mod blocks;
mod clean;
mod footnotes;
mod frames;
mod links;
mod marks;
mod pictures;
mod same;
mod sanitize;
mod shapes;
mod tokens;
mod write;

pub use write::{Looks, Source, Written, write};
