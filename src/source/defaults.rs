//! Merging of the defaults in `site.toml` into front matter.

use front_matter::{Change, Entry, Node, Table, Value};
use serde_json::json;

use model::content_folder::PAGES;
use model::defaults::{DEFAULT, FolderDefaults};
use model::shape::Shape;
use model::{Config, ContentFolder, ITEM, PAGE, SitePath};

/// Keys whose values are combined. A file that has one of them ignores the defaults of all.
const TOGETHER: [&[&str]; 2] =
    [&["tags", "categories", "category"], &["status", "draft", "published"]];

/// Adds defaults to the front matter of a file in their folder.
pub fn apply(defaults: &FolderDefaults, table: &mut Table) {
    merge(table, &placed(&defaults.table), Some(shape_of(&defaults.folder)));
}

/// Returns the declaration of the front matter of the files in a folder.
pub fn shape_of(folder: &str) -> &'static Shape {
    if ContentFolder::inner(PAGES, folder).is_some() { PAGE } else { ITEM }
}

/// Returns a table whose positions are all [`DEFAULT`].
pub fn placed(table: &Table) -> Table {
    let entry = |entry: &Entry| Entry {
        key: entry.key.clone(),
        key_span: DEFAULT,
        node: placed_node(&entry.node),
    };
    Table { entries: table.entries.iter().map(entry).collect() }
}

fn placed_node(node: &Node) -> Node {
    let value = match &node.value {
        Value::Table(table) => Value::Table(placed(table)),
        Value::List(list) => Value::List(list.iter().map(placed_node).collect()),
        value => value.clone(),
    };
    Node { value, span: DEFAULT }
}

/// Adds the entries of `defaults` that `own` does not have in any spelling. Tables are merged. An
/// empty value in `own` means that the key has no value.
pub fn merge(own: &mut Table, defaults: &Table, shape: Option<&'static Shape>) {
    for default in &defaults.entries {
        let field = shape.and_then(|shape| shape.field(&default.key));
        let mut keys: Vec<&str> = field.into_iter().flat_map(|field| field.keys()).collect();
        keys.push(&default.key);
        let together = TOGETHER.iter().filter(|keys| keys.contains(&&*default.key));
        keys.extend(together.flat_map(|keys| keys.iter()));
        let is_same = |entry: &Entry| keys.contains(&&*entry.key);
        match own.entries.iter().position(is_same) {
            None => own.entries.push(default.clone()),
            Some(at) if is_empty(&own.entries[at].node.value) => {
                own.entries.retain(|entry| !is_same(entry));
            }
            Some(at) => {
                let value = &mut own.entries[at].node.value;
                if let (Value::Table(own), Value::Table(defaults)) = (value, &default.node.value) {
                    merge(own, defaults, field.and_then(|field| field.table()));
                }
            }
        }
    }
}

fn is_empty(value: &Value) -> bool {
    match value.bare() {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::List(list) => list.is_empty(),
        _ => false,
    }
}

/// Returns the change that removes the value at a path of keys from a file. If the value has a
/// default that an empty value can replace, the change writes the empty value.
pub fn removal(config: &Config, file: &SitePath, keys: &[&str]) -> Change {
    match config.defaults.value(&config.languages, file, keys).map(|node| &node.value) {
        Some(Value::String(_) | Value::Table(_)) => Change::set(keys, ""),
        Some(Value::List(_)) => Change::set(keys, json!([])),
        _ => Change::remove(keys),
    }
}
