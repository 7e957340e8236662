//! Creates new content files.

use serde_json::Value;

use super::body::trim_blank_lines;
use super::change::{entry, from_json};
use super::toml::lines;
use crate::value::Table;

/// Returns a new content file: TOML between `+++` lines, followed by the body.
///
/// Strings, numbers and lists come first, then tables with their headers, each in the given order.
/// Null values are omitted. If two fields have the same name, the later field is used.
///
/// ```
/// use front_matter::compose;
/// use serde_json::json;
///
/// let text = compose(
///     &[("seo", json!({ "title": "T" })), ("title", json!("Hello")), ("image", json!(null))],
///     "Text",
/// );
/// assert_eq!(text, "+++\ntitle = \"Hello\"\n\n[seo]\ntitle = \"T\"\n+++\n\nText\n");
/// ```
pub fn compose(fields: &[(&str, Value)], body: &str) -> String {
    let last =
        |index: usize, key: &str| !fields[index + 1..].iter().any(|(other, _)| *other == key);
    let entries = fields
        .iter()
        .enumerate()
        .filter(|(index, (key, _))| last(*index, key))
        .filter_map(|(_, (key, json))| Some(entry((*key).to_owned(), from_json(json)?)))
        .collect();
    let front = lines(&[], &Table { entries });
    let body = trim_blank_lines(body);
    if body.is_empty() {
        return format!("+++\n{front}+++\n");
    }
    format!("+++\n{front}+++\n\n{body}\n")
}
