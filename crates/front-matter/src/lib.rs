//! Parses front matter in TOML, YAML or JSON with the position of each value, and edits it without
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
//! [`parse`] finds the front matter at the start of a document, and returns a [`Table`] for any of
//! the three formats. Each key and each value has a byte range, so that an error can be shown at
//! its position. Invalid front matter is reported as a list of [`Fault`]s.
//!
//! # Editing
//!
//! [`edit()`] applies [`Change`]s. It parses the document, and computes the steps from the existing
//! table to the wanted table. The format determines the bytes that each step changes. This is
//! repeated until the tables are equal. An edit that would also change other fields is refused.
//!
//! # Invariants
//!
//! - The crate does not depend on sites or files: it takes and returns strings.
//! - Every byte that is not affected by a change stays the same: comments, blank lines, order,
//!   quotes, line ends, a byte order mark, the body.
//! - The result of an edit has the wanted values when it is parsed. Repeating the edit changes
//!   nothing.
//! - No input causes a panic, overflows the stack or uses up the memory: front matter is limited to
//!   4 MiB.
//!
//! # Why TOML is not edited with `toml_edit`
//!
//! `toml_edit` 0.25 was tried with the documents in this crate's tests. Without any change,
//! documents lost their `\r\n`, their byte order mark and the spaces in `a . 'c'`, and gained a
//! line end after the last line. A value that was set through `IndexMut` lost its comment and its
//! style of quotes (`title = 'x' # n` became `title = "y"`). When an item was removed from or
//! inserted into a multi-line list, a comment or a comma ended up on another item's line. The tests
//! use `toml_edit` to check the edits of this crate.

mod edit;
mod fault;
mod read;
mod value;

pub use edit::{Change, compose, edit, edit_toml, insert_first_key, with_body};
pub use fault::Fault;
pub use read::{Format, FrontMatter, parse, parse_json_file, parse_toml};
pub use value::{Entry, Node, Table, Value};
