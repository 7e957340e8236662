//! Adds a key at the start of front matter.

use super::{toml, yaml};
use crate::value::Value;
use crate::{Format, FrontMatter};

/// Returns the document with an additional key at the start of its front matter. The key gets a
/// separate line if the front matter has several lines. `front` must be the result of
/// [`parse`](crate::parse) for `text`, and must not contain the key.
///
/// ```
/// let text = "---\ntitle: x\n---\n";
/// let front = front_matter::parse(text).unwrap();
/// let edited = front_matter::insert_first_key(text, &front, "id", "abc");
/// assert_eq!(edited, "---\nid: \"abc\"\ntitle: x\n---\n");
/// ```
pub fn insert_first_key(text: &str, front: &FrontMatter, key: &str, value: &str) -> String {
    let first_line = text.lines().next();
    let windows = first_line.is_some_and(|line| text[line.len()..].starts_with("\r\n"));
    let end = if windows { "\r\n" } else { "\n" };
    let below_fence = text.find('\n').map_or(text.len(), |at| at + 1);
    let toml = || {
        let value = toml::inline(&Value::String(value.to_owned()));
        format!("{} = {value}{end}", toml::key(key))
    };
    let (at, line) = match front.format {
        Some(Format::Toml) => (below_fence, toml()),
        Some(Format::Yaml) => {
            let line = format!("{}: {}{end}", yaml::key(key), yaml::double_quoted(value));
            (below_fence, line)
        }
        Some(Format::Json) => {
            let open = text.find('{').map_or(0, |at| at + 1);
            (open, json_entry(&text[open..], key, value))
        }
        None => (front.body, format!("+++{end}{}+++{end}", toml())),
    };
    format!("{}{line}{}", &text[..at], &text[at..])
}

/// Returns a new first entry for a JSON object. `rest` is the text after the opening bracket.
fn json_entry(rest: &str, key: &str, value: &str) -> String {
    let (key, value) = (serde_json::Value::from(key), serde_json::Value::from(value));
    if rest.trim_start().starts_with('}') {
        return format!("{key}: {value}");
    }
    // Repeats the whitespace before the first key.
    let space = &rest[..rest.len() - rest.trim_start().len()];
    format!("{space}{key}: {value},")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_adds_one_line_in_every_format() {
        for (before, after) in [
            (
                "+++\n# note\ntitle = 'x' # y\n+++\nbody",
                "+++\nid = \"abc\"\n# note\ntitle = 'x' # y\n+++\nbody",
            ),
            ("---\r\ntitle: x\r\n---\r\nbody", "---\r\nid: \"abc\"\r\ntitle: x\r\n---\r\nbody"),
            (
                "{\n  \"title\": \"x\"\n}\nbody",
                "{\n  \"id\": \"abc\",\n  \"title\": \"x\"\n}\nbody",
            ),
            ("{\"title\":\"x\"}\nbody", "{\"id\": \"abc\",\"title\":\"x\"}\nbody"),
            ("{ }\nbody", "{\"id\": \"abc\" }\nbody"),
            ("body", "+++\nid = \"abc\"\n+++\nbody"),
        ] {
            let front = crate::parse(before).unwrap();
            let edited = insert_first_key(before, &front, "id", "abc");
            assert_eq!(edited, after);
            let front = crate::parse(&edited).unwrap();
            assert!(front.table.get("id").is_some(), "{edited}");
            assert_eq!(&edited[front.body..], "body");
        }
    }
}
