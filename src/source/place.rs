//! Finds the position of a problem in a file, if the problem is detected after the file was read:
//! in the check of the whole site, or at run time.

use std::path::Path;

use super::chapters;
use super::text::read_text;
use front_matter::{Node, Table, Value};
use model::{Diagnostic, SitePath, Source};

/// Adds the position of a front matter key to a diagnostic. Reads the file again. If the value is a
/// list, the position is that of the element that equals `value`, or that contains `value` as a
/// category, as in `Arts > Books`.
pub fn place_of(
    root: &Path,
    path: &SitePath,
    key: &str,
    value: &str,
    diagnostic: Diagnostic,
) -> Diagnostic {
    let Ok(text) = read_text(root, path) else {
        return diagnostic.file(path.as_str());
    };
    let source = Source { path, text: &text };
    let table = if path.extension() == "toml" {
        source.toml().ok()
    } else {
        source.front_matter().ok().map(|front| front.table)
    };
    let at = table.and_then(|table| {
        let node = table.get(key)?;
        let element = match &node.value {
            Value::List(list) => list.iter().find(|node| match &node.value {
                Value::String(text) | Value::Plain(_, text) => {
                    text.trim_matches('/') == value
                        || text.split('>').any(|name| name.trim() == value && !value.is_empty())
                }
                _ => false,
            }),
            _ => None,
        };
        Some(element.unwrap_or(node).span.start)
    });
    diagnostic.at(source, at.unwrap_or(0))
}

/// Adds the position of a key in a table of a TOML file to a diagnostic.
pub fn place_in_table(
    root: &Path,
    path: &SitePath,
    [table, key]: [&str; 2],
    diagnostic: Diagnostic,
) -> Diagnostic {
    place_in_toml(root, path, diagnostic, |all| {
        let Value::Table(inner) = &all.get(table)?.value else {
            return None;
        };
        let entry = inner.entries.iter().find(|entry| entry.key == key)?;
        Some(entry.key_span.start)
    })
}

/// Adds the position of a key in a list of tables of a TOML file to a diagnostic. `at` is the number
/// of the table, counted from 0.
pub fn place_in_list(
    root: &Path,
    path: &SitePath,
    [list, key]: [&str; 2],
    at: usize,
    diagnostic: Diagnostic,
) -> Diagnostic {
    place_in_toml(root, path, diagnostic, |all| {
        let Value::List(tables) = &all.get(list)?.value else {
            return None;
        };
        let table = tables.get(at)?;
        match &table.value {
            Value::Table(table) => table.get(key).map(|node| node.span.start),
            _ => Some(table.span.start),
        }
    })
}

/// Adds the position that `find` returns for a TOML file to a diagnostic.
pub(super) fn place_in_toml(
    root: &Path,
    path: &SitePath,
    diagnostic: Diagnostic,
    find: impl Fn(&Table) -> Option<usize>,
) -> Diagnostic {
    let Ok(text) = read_text(root, path) else {
        return diagnostic.file(path.as_str());
    };
    let source = Source { path, text: &text };
    let at = source.toml().ok().and_then(|all| find(&all));
    diagnostic.at(source, at.unwrap_or(0))
}

/// Adds the position of an item's chapter to a diagnostic. `at` is the chapter's number, counted
/// from 0. The position is the chapter's `startTime` in front matter, or its line in a file next to
/// the item.
pub fn place_of_chapter(
    root: &Path,
    path: &SitePath,
    at: usize,
    diagnostic: Diagnostic,
) -> Diagnostic {
    let beside = |node: &Node| {
        let (Value::String(name) | Value::Plain(_, name)) = &node.value else {
            return None;
        };
        let file = path.resolve(name.trim())?;
        let text = read_text(root, &file).ok()?;
        let start = chapters::start_of(&text, at)?;
        let source = Source { path: &file, text: &text };
        Some(diagnostic.clone().at(source, start))
    };
    in_podcast(root, path, |podcast| podcast.get("chapters").and_then(beside))
        .flatten()
        .unwrap_or_else(|| place_of_tag(root, path, (&["chapters"], at), "startTime", diagnostic))
}

/// Adds the position of a tag's field to a diagnostic. The tag is in the item's `podcast` table,
/// under one of `keys`. `at` is the tag's number under all these keys, counted from 0.
pub fn place_of_tag(
    root: &Path,
    path: &SitePath,
    (keys, at): (&[&str], usize),
    field: &str,
    diagnostic: Diagnostic,
) -> Diagnostic {
    let find = |podcast: &Table| {
        let of_key = |node: &&Node| -> Vec<Node> {
            match &node.value {
                Value::List(list) => list.clone(),
                _ => vec![(*node).clone()],
            }
        };
        let nodes = keys.iter().filter_map(|key| podcast.get(key));
        let tags = nodes.flat_map(|node| of_key(&node));
        let tag = tags.filter(|tag| tag.value != Value::Null).nth(at)?;
        match &tag.value {
            Value::Table(table) => {
                Some(table.get(field).map_or(tag.span.start, |node| node.span.start))
            }
            _ => Some(tag.span.start),
        }
    };
    let Ok(text) = read_text(root, path) else {
        return diagnostic.file(path.as_str());
    };
    match in_podcast(root, path, find).flatten() {
        Some(start) => diagnostic.at(Source { path, text: &text }, start),
        None => place_of(root, path, "attachment", "", diagnostic),
    }
}

/// Returns the result of `find` for an item's `podcast` table.
fn in_podcast<T>(root: &Path, path: &SitePath, find: impl Fn(&Table) -> T) -> Option<T> {
    let text = read_text(root, path).ok()?;
    let front = Source { path, text: &text }.front_matter().ok()?;
    match &front.table.get("podcast")?.value {
        Value::Table(podcast) => Some(find(podcast)),
        _ => None,
    }
}
