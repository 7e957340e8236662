//! Front matter in TOML, YAML or JSON: read with the place of each value, and edited without a change to any
//! other byte.
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
//! [`parse`] finds the front matter at the start of a text and makes one [`Table`] of all three formats.
//! Each key and each value knows its bytes, so that what is wrong with a value can be shown where it stands.
//! What cannot be read is a list of [`Fault`]s.
//!
//! # Editing
//!
//! [`edit()`] takes [`Change`]s. It reads the text, finds the steps from the table that is there to the one
//! that is wanted, asks the format which bytes each step takes, and reads again until nothing differs. An edit
//! that cannot be made without changing something else is refused.
//!
//! # What holds here
//!
//! - It knows nothing of sites or files: it takes texts and gives texts.
//! - Every byte that no change is about stays: comments, blank lines, order, quotes, line ends, a byte order
//!   mark, the body.
//! - What an edit returns reads back as what was wanted, and the same edit of it changes nothing.
//! - No text makes it panic, overflow the stack or fill the memory: front matter has at most 4 MiB.
//!
//! # Why TOML is not edited by `toml_edit`
//!
//! `toml_edit` 0.25 was tried on texts of our tests. Read and printed without a change, they lost their `\r\n`, the
//! byte order mark, the spaces of `a . 'c'`, and gained an end of the last line; a value set through its `IndexMut`
//! lost its comment and its quotes (`title = 'x' # n` became `title = "y"`), and an item taken from or put
//! into a list of lines left its comment or its comma on a line of another. It judges our edits in the tests.

mod edit;
mod fault;
mod read;
mod value;

pub use edit::{Change, compose, edit, edit_toml, with_body, with_first_key};
pub use fault::Fault;
pub use read::{Format, FrontMatter, parse, parse_json_file, parse_toml};
pub use value::{Entry, Node, Table, Value};
