//! Front matter in TOML, YAML or JSON: parsed with the position of each value, and edited without
//! changing any other byte.
//!
//! ```
//! use front_matter::{Change, Value};
//!
//! let text = "+++\ntitle = 'Bread' # of Friday\n+++\n\nFlour and water.\n";
//! let front = front_matter::parse(text).unwrap();
//! let title = front.table.get("title").unwrap();
//! assert_eq!(title.value, Value::String("Bread".into()));
//! assert_eq!(&text[title.span.clone()], "'Bread'");
//! assert_eq!(&text[front.body..], "\nFlour and water.\n");
//!
//! let edited = front_matter::edit(text, &[Change::set(&["title"], "Butter")]).unwrap();
//! assert_eq!(edited, text.replace("Bread", "Butter"));
//! ```
//!
//! # Reading
//!
//! [`parse`] finds the front matter at the start of a text, and returns a [`Table`] for any of the
//! three formats. Each key and each value has its byte range, so that an error can be shown at its
//! position. Front matter that cannot be read is reported as a list of [`Fault`]s.
//!
//! # Editing
//!
//! [`edit()`] takes [`Change`]s. It parses the text, and finds the steps from the existing table to
//! the wanted one. The format determines the bytes that each step changes. The text is then parsed
//! again, until nothing differs. An edit that would also change something else is refused.
//!
//! # Invariants
//!
//! - The crate knows nothing of sites or files: it takes and returns texts.
//! - Every byte that no change concerns stays the same: comments, blank lines, order, quotes, line
//!   ends, a byte order mark, the body.
//! - The result of an edit reads back with the wanted values. The same edit of the result changes
//!   nothing.
//! - No text causes a panic, overflows the stack or fills the memory: front matter has at most 4
//!   MiB.
//!
//! # Why TOML is not edited with `toml_edit`
//!
//! `toml_edit` 0.25 was tried on texts of this crate's tests. Texts that were read and printed
//! unchanged lost their `\r\n`, the byte order mark and the spaces of `a . 'c'`, and gained a line
//! end after the last line. A value that was set through its `IndexMut` lost its comment and its
//! quotes (`title = 'x' # n` became `title = "y"`). An item that was removed from or inserted into
//! a multi-line list left its comment or its comma on another item's line. The tests use
//! `toml_edit` to check the edits of this crate.

mod edit;
mod fault;
mod read;
mod value;

pub use edit::{Change, compose, edit, edit_toml, insert_first_key, with_body};
pub use fault::Fault;
pub use read::{Format, FrontMatter, parse, parse_json_file, parse_toml};
pub use value::{Entry, Node, Table, Value};
