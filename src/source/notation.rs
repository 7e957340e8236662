//! The notation in which help messages write keys and values: the notation of the file to fix.

use std::path::Path;

use front_matter::{Format, FrontMatter};
use serde_json::json;

use super::text::read_text;
use model::{SitePath, Source};

/// The notation of a file: TOML, YAML or JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notation(Format);

impl Notation {
    /// Returns the notation of a data file, or of the front matter of a content file. The notation
    /// of a content file without front matter is TOML.
    pub fn of(source: Source<'_>) -> Self {
        let start = source.text.trim_start_matches('\u{feff}');
        Self(match source.path.extension().as_str() {
            "toml" => Format::Toml,
            "yaml" | "yml" => Format::Yaml,
            "json" => Format::Json,
            _ if start.starts_with("---") => Format::Yaml,
            _ if start.starts_with('{') => Format::Json,
            _ => Format::Toml,
        })
    }

    /// Returns the notation of a file of the site at `root`.
    pub fn in_file(root: &Path, path: &SitePath) -> Self {
        let text = read_text(root, path).unwrap_or_default();
        Self::of(Source { path, text: &text })
    }

    /// Returns the notation of parsed front matter.
    pub fn of_front(front: Option<&FrontMatter>) -> Self {
        Self(front.and_then(|front| front.format).unwrap_or(Format::Toml))
    }

    /// Returns whether the notation is TOML, in which a table continues until the next header.
    pub fn is_toml(self) -> bool {
        self.0 == Format::Toml
    }

    /// Returns whether the notation is JSON, in which commas separate keys.
    pub fn is_json(self) -> bool {
        self.0 == Format::Json
    }

    /// Formats a key for a help message: `podcast.season` is `season` in the table `podcast`.
    pub fn key(self, path: &str) -> String {
        match (path.rsplit_once('.'), self.0) {
            (None, _) => format!("`{path}`"),
            (Some((table, key)), Format::Yaml) => in_table(self, &format!("{key}:"), table),
            (Some((table, key)), _) => in_table(self, key, table),
        }
    }

    /// Formats a line for a help message. `value` is a string in quotes, a number, `true` or
    /// `false`, or a list of these.
    pub fn line(self, path: &str, value: &str) -> String {
        let (table, key) = path.rsplit_once('.').unwrap_or(("", path));
        let line = self.pair(key, value);
        match table {
            "" => format!("`{line}`"),
            table => in_table(self, &line, table),
        }
    }

    /// Formats a key with its value, as in a table on one line.
    pub fn pair(self, key: &str, value: &str) -> String {
        match self.0 {
            Format::Toml => format!("{key} = {value}"),
            Format::Yaml => format!("{key}: {value}"),
            Format::Json => format!("{}: {value}", json!(key)),
        }
    }

    /// Formats a table on one line.
    pub fn table(self, pairs: &[(&str, &str)]) -> String {
        let pairs = pairs.iter().map(|(key, value)| self.pair(key, value));
        format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
    }
}

fn in_table(Notation(format): Notation, line: &str, table: &str) -> String {
    match format {
        Format::Toml => format!("`{line}` below [{table}]"),
        Format::Yaml => {
            let tables: Vec<String> = table.split('.').map(|table| format!("`{table}:`")).collect();
            format!("`{line}`, indented below {}", tables.join(" and "))
        }
        Format::Json => format!("`{line}` in the object `{table}`"),
    }
}
