//! Maps errors in content files to the API's names for the affected fields.

use front_matter::{Node, Table, Value};

use model::{Diagnostic, Source};
use source::channel_file::is_channel;

/// Returns the message for a client whose fields caused an error in a file: the API's name for the
/// field, followed by the error.
pub fn message(found: &Diagnostic, source: Source<'_>, namespace: &str) -> String {
    let names =
        Names { extension: format!("_{namespace}"), is_channel: is_channel(source.path.as_str()) };
    let mut message = match &found.help {
        Some(help) => format!("{}; {help}", found.message),
        None => found.message.clone(),
    };
    for table in ["podcast", "seo", "series", "authors", "itunes"] {
        let own = names.of(&[table.to_owned()]);
        let separator = if table == "itunes" { ":" } else { "." };
        message = message.replace(&format!("`{table}."), &format!("`{own}{separator}"));
    }
    match field(found, source, &names) {
        Some(field) => format!("{field}: {message}"),
        None => message,
    }
}

/// Returns the field at the position of a diagnostic.
fn field(found: &Diagnostic, source: Source<'_>, names: &Names) -> Option<String> {
    let at = offset(source.text, found.line?, found.column?)?;
    let front = source.front_matter().ok()?;
    if at >= front.body {
        let body = match (names.is_channel, source.path.extension().as_str()) {
            (true, _) => "description",
            (false, "html") => "content_html",
            (false, _) => "content_markdown",
        };
        return Some(body.to_owned());
    }
    let keys = keys_at(&front.table, &|node| node.span.start == at)
        .or_else(|| keys_at(&front.table, &|node| node.span.contains(&at)))?;
    Some(names.of(&keys))
}

/// Returns the byte offset of a line and column. Both start at 1, and the column counts characters.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let (at, _) =
        text.get(start..)?.char_indices().chain([(text.len() - start, ' ')]).nth(column - 1)?;
    Some(start + at)
}

/// Returns the keys of the first value for which `is_match` is true. List indexes are in brackets.
fn keys_at(table: &Table, is_match: &dyn Fn(&Node) -> bool) -> Option<Vec<String>> {
    table.entries.iter().find_map(|entry| {
        let mut keys = vec![entry.key.clone()];
        keys.extend(nested_keys(&entry.node, is_match)?);
        Some(keys)
    })
}

/// Returns the keys of the innermost matching value. A YAML list starts at the same position as its
/// first element.
fn nested_keys(node: &Node, is_match: &dyn Fn(&Node) -> bool) -> Option<Vec<String>> {
    let inner = match &node.value {
        Value::Table(table) => keys_at(table, is_match),
        Value::List(list) => list.iter().enumerate().find_map(|(at, node)| {
            let mut keys = vec![format!("[{at}]")];
            keys.extend(nested_keys(node, is_match)?);
            Some(keys)
        }),
        _ => None,
    };
    inner.or_else(|| is_match(node).then(Vec::new))
}

struct Names {
    /// The extension object's name, such as `_service`.
    extension: String,
    is_channel: bool,
}

impl Names {
    /// Returns the API's name for a key of front matter.
    fn of(&self, keys: &[String]) -> String {
        let Some((first, rest)) = keys.split_first() else {
            return String::new();
        };
        let extension = &self.extension;
        let name = match (first.as_str(), self.is_channel) {
            ("authors" | "author", true) => "authors".to_owned(),
            ("authors" | "author", false) => format!("{extension}.authors"),
            ("categories" | "category", false) => "tags".to_owned(),
            (
                "slug" | "seo" | "series" | "podcast" | "copyright" | "categories" | "publisher",
                _,
            ) => {
                format!("{extension}.{first}")
            }
            ("itunes", _) => match rest {
                [] => format!("{extension}.itunes"),
                [key, ..] => return format!("{extension}.itunes:{key}"),
            },
            // An error about the whole table is reported for its `url` field.
            ("attachment" | "attachments", _) => {
                let key = rest.iter().find(|key| !key.starts_with('['));
                return format!("attachments[0].{}", key.map_or("url", String::as_str));
            }
            ("image" | "icon", true) => return "icon".to_owned(),
            ("image", false) => return "image".to_owned(),
            ("home_page_url", _) => "homepage_url".to_owned(),
            ("date", _) => "date_published".to_owned(),
            ("draft" | "published", _) => "status".to_owned(),
            (other, _) => other.to_owned(),
        };
        rest.iter().fold(name, |name, key| {
            if key.starts_with('[') { format!("{name}{key}") } else { format!("{name}.{key}") }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::SitePath;

    #[test]
    fn a_file_position_maps_to_its_api_field() {
        for (text, mark, name) in [
            ("+++\ntitle = 1\n+++\n", "1", "title"),
            ("+++\n[seo]\ntitle = 'x'\n+++\n", "'x'", "_service.seo.title"),
            ("---\nauthors:\n- name: a\n  url: b\n---\n", "b", "_service.authors[0].url"),
            ("---\npodcast:\n  people:\n  - role: a\n---\n", "role", "_service.podcast.people[0]"),
            ("{\"itunes\": {\"season\": 0}}", "0", "_service.itunes:season"),
            ("+++\nattachment = { url = 'é' }\n+++\n", "'é'", "attachments[0].url"),
            ("---\nattachments:\n- url: 1\n---\n", "1", "attachments[0].url"),
            ("---\ncategories: [a, ü, c]\n---\n", "c]", "tags[2]"),
            ("---\na: b\n---\nText <x>\n", "<x>", "content_markdown"),
        ] {
            let path = SitePath::parse("content/items/a.md").unwrap();
            let source = Source { path: &path, text };
            let found = Diagnostic::error("wrong").at(source, text.find(mark).unwrap());
            assert_eq!(message(&found, source, "service"), format!("{name}: wrong"));
        }
    }
}
