//! Changes to files of the site. An edit touches the bytes it means and no other, and a write is a
//! temporary file in the same folder, flushed, then put in the old one's place: a crash leaves the old
//! file or the new.
//!
//! What a program has to do before it can say that a write will succeed is in [`Prepared`]; [`replace_if`] takes nothing
//! from who writes a file at the same time.
//!
//! [`apply`] reads a text with [`front_matter`], finds the steps from the table it has to the one it is to
//! mean, asks its format which bytes each step takes, and reads again until nothing differs.

mod apply;
mod body;
mod bracketed;
mod change;
mod compose;
mod difference;
mod displaced;
mod incoming;
mod json;
mod name;
mod open_files;
mod prepared;
mod replace;
mod splice;
mod sweep;
mod toml;
mod toml_shape;
mod toml_value;
mod trash;
mod write;
mod yaml;
mod yaml_shape;
mod yaml_value;

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use jiff::Timestamp;

pub use apply::{apply, apply_toml};
pub use change::Change;
pub use compose::compose;
pub use displaced::most_held;
pub use incoming::Incoming;
pub use name::free_name;
pub use open_files::limit as most_open;
pub use prepared::Prepared;
pub use replace::{Replaced, is_being_written, replace_if};
pub use sweep::sweep;
pub use trash::{Whole, remove_to_trash};
pub(crate) use write::{TEMPORARY, keep};
pub use write::{create, replace};

use crate::model::{Diagnostic, ItemId, SitePath, Source};
use crate::source::front_matter::{self, Format};
use crate::source::text::read_text;

/// An id nobody has: the standard library's hasher is seeded by the system's randomness.
pub fn new_id() -> ItemId {
    ItemId::from_number(RandomState::new().hash_one(Timestamp::now().as_nanosecond()))
}

/// Writes an id into a content file that has none: one line more.
pub fn insert_id(root: &Path, path: &SitePath, id: &ItemId) -> Result<(), Diagnostic> {
    let text = read_text(root, path)?;
    let source = Source { path, text: &text };
    let front = front_matter::parse(source).map_err(|errors| {
        errors.into_iter().next().unwrap_or_else(|| {
            Diagnostic::error("this front matter cannot be read").file(path.as_str())
        })
    })?;
    if front.table.get("id").is_some() {
        return Ok(());
    }
    let edited = with_id(&text, front.format, front.body, id);
    match replace_if(&path.on_disk(root), text.as_bytes(), edited.as_bytes()) {
        Ok(Replaced::Done) => Ok(()),
        Ok(Replaced::Changed | Replaced::Open) => {
            Err(Diagnostic::error("this file was changed meanwhile")
                .file(path.as_str())
                .help("try again"))
        }
        Err(error) => Err(
            Diagnostic::error(format!("this file cannot be written: {error}"))
                .file(path.as_str())
                .help("check its permissions"),
        ),
    }
}

fn with_id(text: &str, format: Option<Format>, body: usize, id: &ItemId) -> String {
    let end = if text
        .lines()
        .next()
        .is_some_and(|line| text[line.len()..].starts_with("\r\n"))
    {
        "\r\n"
    } else {
        "\n"
    };
    let (at, line) = match format {
        Some(Format::Toml) => (first_line(text), format!("id = \"{id}\"{end}")),
        Some(Format::Yaml) => (first_line(text), format!("id: \"{id}\"{end}")),
        Some(Format::Json) => {
            let open = text.find('{').map_or(0, |at| at + 1);
            let rest = &text[open..];
            let empty = rest.trim_start().starts_with('}');
            // The white space before the first key is what stands before the new one too.
            let space = &rest[..rest.len() - rest.trim_start().len()];
            let space = if empty { "" } else { space };
            (
                open,
                format!("{space}\"id\": \"{id}\"{}", if empty { "" } else { "," }),
            )
        }
        None => (body, format!("+++{end}id = \"{id}\"{end}+++{end}")),
    };
    format!("{}{line}{}", &text[..at], &text[at..])
}

fn first_line(text: &str) -> usize {
    text.find('\n').map_or(text.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_line_more_in_every_format() {
        let id = ItemId::parse("abc").unwrap();
        for (before, after) in [
            (
                "+++\n# note\ntitle = 'x' # y\n+++\nbody",
                "+++\nid = \"abc\"\n# note\ntitle = 'x' # y\n+++\nbody",
            ),
            (
                "---\r\ntitle: x\r\n---\r\nbody",
                "---\r\nid: \"abc\"\r\ntitle: x\r\n---\r\nbody",
            ),
            (
                "{\n  \"title\": \"x\"\n}\nbody",
                "{\n  \"id\": \"abc\",\n  \"title\": \"x\"\n}\nbody",
            ),
            (
                "{\"title\":\"x\"}\nbody",
                "{\"id\": \"abc\",\"title\":\"x\"}\nbody",
            ),
            ("{ }\nbody", "{\"id\": \"abc\" }\nbody"),
            ("body", "+++\nid = \"abc\"\n+++\nbody"),
        ] {
            let path = SitePath::parse("a.md").unwrap();
            let front = front_matter::parse(Source {
                path: &path,
                text: before,
            })
            .unwrap();
            let edited = with_id(before, front.format, front.body, &id);
            assert_eq!(edited, after);
            let front = front_matter::parse(Source {
                path: &path,
                text: &edited,
            })
            .unwrap();
            assert!(front.table.get("id").is_some(), "{edited}");
            assert_eq!(&edited[front.body..], "body");
        }
    }
}
