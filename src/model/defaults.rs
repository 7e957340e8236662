//! Defaults of front matter by folder: `[defaults]` in `site.toml`.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use front_matter::{Node, Table, Value};

use super::{Languages, SitePath};

/// The position of a default in front matter. Reports at this position are dropped, because the
/// value was validated in `site.toml`.
pub const DEFAULT: Range<usize> = usize::MAX..usize::MAX;

/// Defaults of front matter by folder. Inner folders come first, and include the defaults of the
/// folders that contain them.
#[derive(Debug, Clone, Default, Hash)]
pub struct Defaults(pub Vec<FolderDefaults>);

/// The defaults of the items or pages in a folder.
#[derive(Debug, Clone)]
pub struct FolderDefaults {
    /// The folder, with a `/` at its end.
    pub folder: String,
    /// The values, with their positions in `site.toml`.
    pub table: Table,
}

impl Defaults {
    /// Returns the defaults of a content file. A section is a page among items, so it has none. The
    /// folder of a language may be left out.
    pub fn of_file(&self, languages: &Languages, file: &SitePath) -> Option<&FolderDefaults> {
        if self.0.is_empty() || file.section_folder().is_some() {
            return None;
        }
        let text = languages.of_file(file).map(|(_, path)| path);
        let is_below = |defaults: &&FolderDefaults| {
            let folder = &*defaults.folder;
            file.as_str().starts_with(folder)
                || text.as_ref().is_some_and(|path| path.starts_with(folder))
        };
        self.0.iter().find(is_below)
    }

    /// Returns the default of a content file at a path of keys.
    pub fn value(&self, languages: &Languages, file: &SitePath, keys: &[&str]) -> Option<&Node> {
        let (last, tables) = keys.split_last()?;
        let mut table = &self.of_file(languages, file)?.table;
        for key in tables {
            let Value::Table(inner) = &table.get(key)?.value else { return None };
            table = inner;
        }
        table.get(last)
    }
}

/// Hashes the values without their positions.
impl Hash for FolderDefaults {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { folder, table } = self;
        folder.hash(state);
        hash_table(table, state);
    }
}

fn hash_table<H: Hasher>(table: &Table, state: &mut H) {
    table.entries.len().hash(state);
    for entry in &table.entries {
        entry.key.hash(state);
        hash_value(&entry.node.value, state);
    }
}

fn hash_value<H: Hasher>(value: &Value, state: &mut H) {
    std::mem::discriminant(value).hash(state);
    match value {
        Value::Null => {}
        Value::Bool(flag) => flag.hash(state),
        Value::Integer(number) => number.hash(state),
        Value::Float(number) => number.to_bits().hash(state),
        Value::String(text) | Value::Plain(_, text) => text.hash(state),
        Value::List(list) => {
            list.len().hash(state);
            list.iter().for_each(|node| hash_value(&node.value, state));
        }
        Value::Table(table) => hash_table(table, state),
    }
}
