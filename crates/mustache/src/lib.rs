//! The template engine: Mustache, with errors that say where and what to do.
//!
//! ```
//! use mustache::{Partials, Template};
//! use serde_json::json;
//!
//! let mut partials = Partials::new();
//! partials.insert("list/entry", Template::parse("<li>{{title}}</li>\n")?);
//! let page = Template::parse("<ul>\n{{#items}}\n  {{> list/entry}}\n{{/items}}\n</ul>\n")?;
//!
//! let site = json!({ "title": "Untitled" });
//! let feed = json!({ "items": [{ "title": "Bread & butter" }, {}] });
//! let mut out = String::new();
//! page.render(&[&site, &feed], &partials, &mut out)?;
//! assert_eq!(
//!     out,
//!     "<ul>\n  <li>Bread &amp; butter</li>\n  <li>Untitled</li>\n</ul>\n",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A template is read once ([`Template::parse`]) into a flat list of steps, in which a section knows the
//! step that follows it. Rendering walks the list with a stack of contexts.
//!
//! # What holds here
//!
//! - It knows nothing of sites, themes or files: templates are strings, data is [`serde_json::Value`] or views of
//!   a program's own types ([`Data`], [`Object`]).
//! - Data is borrowed, never changed, and of a view only what a template asks for is made. Output goes
//!   straight into the caller's buffer.
//! - No template, however deep, and no data make it panic or overflow the stack; a template that
//!   would not end is stopped ([`RenderError`]).
//! - A template that parses differs from its text in nothing but its tags and their standalone lines.
//!
//! # What a template means
//!
//! The required modules of the [Mustache specification](https://github.com/mustache/spec) decide:
//! interpolation, sections, inverted sections, comments, partials, delimiters. Beyond them, or where they
//! leave room:
//!
//! - **Lists** have the keys `0`, `1`, … and `length`: `{{items.0.title}}`, `{{items.length}}`. An object has
//!   only its own keys.
//! - **False** are `false`, `null`, `0`, `""`, `[]` and what is missing. Anything else that is no list
//!   renders a section once, with itself as the context.
//! - **Escaped** in `{{name}}` are `& < > " ' / ` =`, so that a value is safe in an attribute
//!   without quotes too. `{{{name}}}` and `{{& name}}` print the value as it is.
//! - **Numbers** print in decimal, without an exponent, and a whole number without a fraction: `60.0` is `60`.
//! - **Lists and objects** print as compact JSON; in pages, for readers, an object prints its `name` and a list nothing.
//! - **A partial's indentation** is put before each of its lines but the empty ones.
//! - **Names** hold no space and no brace, so that `{{#each items}}` or `{{title} by {{author}}` is an
//!   error rather than a gap in the page.

mod data;
mod error;
mod escape;
mod found;
mod object;
mod parse;
mod partials;
mod render;
mod steps;
mod template;

pub use data::Data;
pub use error::{ParseError, RenderError};
pub use escape::escape_into;
pub use object::Object;
pub use partials::Partials;
pub use render::{Piece, Rewrite};
pub use template::{NameTag, PartialTag, Template};

/// How many sections may be open at one place of a template.
pub const MAX_SECTION_DEPTH: usize = 256;

/// How many partials may be rendered inside one another.
pub const MAX_PARTIAL_DEPTH: usize = 64;

/// How many times sections and partials may be entered in one rendering. Lists nested in lists
/// multiply, so a short template can ask for more work than a machine will ever do.
pub const MAX_STEPS: usize = 10_000_000;

/// The bytes one rendering may write before it is stopped at the next section or partial.
pub const MAX_OUTPUT: usize = 256 * 1024 * 1024;
