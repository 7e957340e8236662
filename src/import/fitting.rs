//! Removes values that feedwright would reject when it reads a content file, and reports the
//! removed values.

use std::path::Path;

use front_matter::{Table, Value as Written};
use serde_json::{Map, Value};

use super::found::{Note, note};
use model::{Channel, Config, Diagnostic, Item, Page, Severity, SitePath, Source};
use source::fields::Reader;
use source::{channel, item, page};

/// Kind of a content file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Channel,
    Item,
    Page,
}

/// A content file to write. Values that feedwright would reject when it reads the file are removed.
pub struct Fitting<'a> {
    pub kind: Kind,
    pub path: &'a SitePath,
    pub root: &'a Path,
    pub config: &'a Config,
    /// Location of the entry in the source.
    pub place: &'a str,
}

/// Maximum number of removed values. If more values are invalid, whole top-level keys are removed.
const MAX_SINGLE_REMOVALS: usize = 60;

impl Fitting<'_> {
    /// Returns the contents of the file without rejected values.
    pub fn text(
        &self,
        mut fields: Map<String, Value>,
        body: &str,
        notes: &mut Vec<Note>,
    ) -> String {
        let mut removed: Vec<(Vec<Step>, String)> = Vec::new();
        let mut text = file_text(&fields, body);
        for round in 0..MAX_SINGLE_REMOVALS + fields.len() {
            let Some(first_problem) = self.first_problem(&text) else {
                break;
            };
            let mut path = place_of(&text, &first_problem);
            path.truncate(if round < MAX_SINGLE_REMOVALS { usize::MAX } else { 1 });
            if !remove_from_map(&mut fields, &path) {
                break;
            }
            // If removing an element makes the surrounding value invalid, that value is removed
            // too. Only one message is reported, with the reason for removing the element.
            let part = removed.iter().position(|(part, _)| part.starts_with(&path));
            let why = part.map(|at| removed.remove(at).1);
            removed.push((path, why.unwrap_or(first_problem.message)));
            text = file_text(&fields, body);
        }
        for (path, why) in removed {
            let message = format!("`{}` was left out: {why}", name_of(&path));
            note(notes, message, self.place);
        }
        text
    }

    /// Returns the first error, or the first warning about an unknown key.
    fn first_problem(&self, text: &str) -> Option<Diagnostic> {
        let source = Source { path: self.path, text };
        let reader = Reader::new(source, self.config, self.root).strict();
        match self.kind {
            Kind::Channel => drop::<Option<Channel>>(channel::read(&reader)),
            Kind::Item => drop::<Option<Item>>(item::read(&reader)),
            Kind::Page => drop::<Option<Page>>(page::read(&reader)),
        }
        let (found, _) = reader.finish();
        found.into_iter().find(|one| {
            let is_refused =
                one.severity == Severity::Error || one.message.starts_with("unknown key");
            is_refused && one.line.is_some()
        })
    }
}

/// Keys that are written first, because they matter most to people.
const FIRST_KEYS: [&str; 8] =
    ["id", "slug", "title", "status", "date_published", "date_modified", "guid", "aliases"];

/// Returns the contents of a file with these front matter fields and this body.
pub fn file_text(fields: &Map<String, Value>, body: &str) -> String {
    let rank =
        |key: &str| FIRST_KEYS.iter().position(|first| *first == key).unwrap_or(FIRST_KEYS.len());
    let mut ordered: Vec<(&str, Value)> =
        fields.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
    ordered.sort_by_key(|(key, _)| rank(key));
    front_matter::compose(&ordered, body)
}

/// A step in the path to a nested value.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// Returns the path of the value that a diagnostic refers to.
fn place_of(text: &str, diagnostic: &Diagnostic) -> Vec<Step> {
    let line = diagnostic.line.unwrap_or(1);
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let characters = text[start..].chars().take(diagnostic.column.unwrap_or(1) - 1);
    let offset = start + characters.map(char::len_utf8).sum::<usize>();
    let mut path = Vec::new();
    if let Ok(front) = front_matter::parse(text) {
        find_in_table(&front.table, offset, &mut path);
    }
    path
}

fn find_in_table(table: &Table, offset: usize, path: &mut Vec<Step>) {
    let held = table.entries.iter().find(|entry| {
        entry.key_span.contains(&offset)
            || entry.node.span.contains(&offset)
            || holds(&entry.node.value, offset)
    });
    if let Some(entry) = held {
        path.push(Step::Key(entry.key.clone()));
        if !entry.key_span.contains(&offset) {
            find_in_value(&entry.node.value, offset, path);
        }
    }
}

fn find_in_value(value: &Written, offset: usize, path: &mut Vec<Step>) {
    match value {
        Written::Table(table) => find_in_table(table, offset, path),
        Written::List(list) => {
            let at = list
                .iter()
                .position(|node| node.span.contains(&offset) || holds(&node.value, offset));
            if let Some(at) = at {
                path.push(Step::Index(at));
                find_in_value(&list[at].value, offset, path);
            }
        }
        _ => {}
    }
}

/// Returns whether an offset is inside a value. The parts of a value may be scattered in the file,
/// so each part is checked.
fn holds(value: &Written, offset: usize) -> bool {
    match value {
        Written::Table(table) => table.entries.iter().any(|entry| {
            entry.key_span.contains(&offset)
                || entry.node.span.contains(&offset)
                || holds(&entry.node.value, offset)
        }),
        Written::List(list) => {
            list.iter().any(|node| node.span.contains(&offset) || holds(&node.value, offset))
        }
        _ => false,
    }
}

/// Removes a value. Returns whether the value existed.
fn remove_from_map(map: &mut Map<String, Value>, path: &[Step]) -> bool {
    let Some((Step::Key(key), rest)) = path.split_first() else {
        return false;
    };
    let removed = match map.get_mut(key) {
        Some(value) if !rest.is_empty() => remove_from(value, rest),
        _ => return map.remove(key).is_some(),
    };
    // A table or list that becomes empty is removed too.
    if map.get(key).is_some_and(is_empty) {
        map.remove(key);
    }
    removed
}

fn remove_from(value: &mut Value, path: &[Step]) -> bool {
    match (value, path) {
        (Value::Object(map), _) => remove_from_map(map, path),
        (Value::Array(list), [Step::Index(at), rest @ ..]) if *at < list.len() => {
            if rest.is_empty() {
                list.remove(*at);
                return true;
            }
            let removed = remove_from(&mut list[*at], rest);
            if is_empty(&list[*at]) {
                list.remove(*at);
            }
            removed
        }
        _ => false,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.is_empty(),
        Value::Array(list) => list.is_empty(),
        _ => false,
    }
}

fn name_of(path: &[Step]) -> String {
    let keys = path.iter().filter_map(|step| match step {
        Step::Key(key) => Some(key.as_str()),
        Step::Index(_) => None,
    });
    keys.collect::<Vec<_>>().join(".")
}
