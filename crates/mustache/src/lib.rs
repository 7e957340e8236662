//! A Mustache template engine. Its error messages give the position of the problem and a solution.
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
//! [`Template::parse`] turns a template into a flat list of steps. The step of a section contains
//! the index of the step after the section. The renderer executes the steps in order, with a stack
//! of contexts.
//!
//! # Invariants
//!
//! - The engine is independent of sites, themes and files: templates are strings, and data is
//!   [`serde_json::Value`] or views of a program's own types ([`Data`], [`Object`]).
//! - Data is borrowed and never changed. A view computes only the values that a template uses.
//!   Output is written directly to the caller's buffer.
//! - No template or data, however deeply nested, makes the engine panic or overflow the stack.
//!   Rendering stops with a [`RenderError`] if a template exceeds the limits on work or output.
//! - Text outside tags is output unchanged, except for the whitespace and line break around a
//!   standalone tag, and the indentation of partials.
//!
//! # Semantics of templates
//!
//! The engine implements the required modules of the [Mustache
//! specification](https://github.com/mustache/spec): interpolation, sections, inverted sections,
//! comments, partials and delimiters. It extends the specification, or decides what the
//! specification leaves open, as follows:
//!
//! - **Lists** have the keys `0`, `1`, … and `length`: `{{items.0.title}}`, `{{items.length}}`. An
//!   object has only its own keys.
//! - **False values** are `false`, `null`, `0`, `""`, `[]` and missing values. The section of any
//!   other value, except a list, is rendered once, with the value as its context.
//! - **Escaping**: `{{name}}` escapes ``& < > " ' / ` =``, so that a value is safe even in an
//!   attribute without quotes. `{{{name}}}` and `{{& name}}` print the value unescaped.
//! - **Numbers** print in decimal without an exponent. A whole number has no fraction: `60.0`
//!   prints as `60`.
//! - **Lists and objects** print as compact JSON. On pages that people read, an object prints its
//!   `name`, and a list prints nothing.
//! - **Indentation** of a partial's tag is written before each line of the partial, except empty
//!   lines.
//! - **Names** contain no spaces or braces. So `{{#each items}}` or `{{title} by {{author}}` is an
//!   error. Otherwise such a tag would silently print nothing.

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

/// Maximum number of nested open sections in a template.
pub const MAX_SECTION_DEPTH: usize = 256;

/// Maximum depth of nested partials in a rendering.
pub const MAX_PARTIAL_DEPTH: usize = 64;

/// Maximum number of times that a rendering can enter sections and partials. Nested lists multiply
/// the work, so without this limit a short template could run practically forever.
pub const MAX_STEPS: usize = 10_000_000;

/// Maximum size in bytes of a rendering's output. The size is checked at sections, partials and
/// values.
pub const MAX_OUTPUT: usize = 256 * 1024 * 1024;
