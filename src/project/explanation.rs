//! Explains where the values of a content file come from.

use front_matter::{Node, Table, Value};
use serde_json::json;

use super::Options;
use super::read::read_snapshot;
use model::defaults::DEFAULT;
use model::{Author, Config, ContentFolder, SitePath, Source};
use site::{ItemEntry, PageEntry, Snapshot};
use source::defaults;
use source::show_folders::settings_file;
use source::text::read_text;

/// A value of a content file, and its origin.
#[derive(Debug)]
pub struct ExplainedValue {
    /// The key, such as `itunes.season`.
    pub key: String,
    pub value: serde_json::Value,
    pub origin: Origin,
}

/// The origin of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A line of the content file.
    File(usize),
    /// A line of `[defaults]` in `site.toml`.
    Default(usize),
    /// The name or folder of the file.
    Name,
    /// Other values of the file.
    Derived,
    Channel,
    /// This key of `[addresses]` in `site.toml`.
    Pattern(String),
    BuiltIn,
}

impl Origin {
    /// Returns a word for the origin, and the line in the file or in `site.toml`.
    pub fn word(&self) -> (&'static str, Option<usize>) {
        match self {
            Self::File(line) => ("file", Some(*line)),
            Self::Default(line) => ("default", Some(*line)),
            Self::Name => ("name", None),
            Self::Derived => ("derived", None),
            Self::Channel => ("channel", None),
            Self::Pattern(_) => ("pattern", None),
            Self::BuiltIn => ("built_in", None),
        }
    }

    /// Describes the origin of a value of `file`.
    pub fn describe(&self, file: &SitePath) -> String {
        let folder = ContentFolder::of(file.as_str());
        let settings = settings_file(&folder).map(|path| path.to_string()).unwrap_or_default();
        match self {
            Self::File(line) => format!("{file}:{line}"),
            Self::Default(line) => format!("[defaults] in {settings}:{line}"),
            Self::Name => "path of the file".into(),
            Self::Derived => "other values of the file".into(),
            Self::Channel => folder.join("channel.md"),
            Self::Pattern(key) if key.ends_with('/') => {
                format!("[addresses] folder {key} in {settings}")
            }
            Self::Pattern(key) => format!("[addresses] {key} in {settings}"),
            Self::BuiltIn => "built-in default".into(),
        }
    }
}

/// Returns the values of an item or page with their origins. An error is a message.
pub fn explain_file(options: &Options, file: &SitePath) -> Result<Vec<ExplainedValue>, String> {
    let network = read_snapshot(options);
    let snapshot = network.of_folder(&ContentFolder::of(file.as_str()));
    let mut values = written_values(options, &snapshot.config, file)?;
    let item = snapshot.entries.iter().find(|entry| entry.item.source == *file);
    let page = snapshot.pages.iter().find(|entry| entry.page.source.as_ref() == Some(file));
    match (item, page) {
        (Some(entry), _) => add_to_item(&mut values, snapshot, entry),
        (None, Some(entry)) => add_to_page(&mut values, snapshot, entry),
        (None, None) => {
            return Err(format!("{file} is not a valid item or page; run `feedwright check`"));
        }
    }
    Ok(values)
}

/// Returns the values in the front matter of a file, and the defaults that apply to it.
fn written_values(
    options: &Options,
    config: &Config,
    file: &SitePath,
) -> Result<Vec<ExplainedValue>, String> {
    let read = |path: &SitePath| read_text(&options.root, path).map_err(|error| error.message);
    let text = read(file)?;
    let source = Source { path: file, text: &text };
    let front = source.front_matter();
    let mut table = front.map(|front| front.table).unwrap_or_default();
    if let Some(own) = config.defaults.of_file(&config.languages, file) {
        defaults::apply(own, &mut table);
    }
    let site = settings_file(&config.content).ok_or("invalid path of the settings")?;
    let site_text = read(&site).unwrap_or_default();
    let site = Source { path: &site, text: &site_text };
    let mut values = Vec::new();
    each_value(&table, &mut Vec::new(), &mut |keys, node| {
        let default = || Some(config.defaults.value(&config.languages, file, keys)?.span.start);
        let origin = match node.span == DEFAULT {
            true => Origin::Default(site.locate(default().unwrap_or(0)).0),
            false => Origin::File(source.locate(node.span.start).0),
        };
        values.push(ExplainedValue { key: keys.join("."), value: to_json(&node.value), origin });
    });
    Ok(values)
}

/// Calls `add` with each value that is not a table, and its path of keys.
fn each_value<'t>(table: &'t Table, keys: &mut Vec<&'t str>, add: &mut dyn FnMut(&[&str], &Node)) {
    for entry in &table.entries {
        keys.push(&entry.key);
        match &entry.node.value {
            Value::Table(inner) => each_value(inner, keys, add),
            Value::Null => {}
            _ => add(keys, &entry.node),
        }
        keys.pop();
    }
}

fn to_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => json!(null),
        Value::Bool(flag) => json!(flag),
        Value::Integer(number) => json!(number),
        Value::Float(number) => json!(number),
        Value::String(text) | Value::Plain(_, text) => json!(text),
        Value::List(list) => list.iter().map(|node| to_json(&node.value)).collect(),
        Value::Table(table) => {
            let entries = table.entries.iter();
            entries.map(|entry| (entry.key.clone(), to_json(&entry.node.value))).collect()
        }
    }
}

/// Returns a path of a site or show as a path of the whole site.
fn in_site(snapshot: &Snapshot, path: &str) -> String {
    [&*snapshot.config.mount, path].concat()
}

/// Adds a value, unless the file or a default sets one of these keys.
fn add(
    values: &mut Vec<ExplainedValue>,
    keys: &[&str],
    value: impl Into<serde_json::Value>,
    origin: Origin,
) {
    let value = value.into();
    let is_set = |one: &ExplainedValue| {
        let first = one.key.split('.').next();
        keys.iter().any(|key| first == Some(*key))
    };
    if !value.is_null() && !values.iter().any(is_set) {
        values.push(ExplainedValue { key: keys[0].to_owned(), value, origin });
    }
}

fn add_to_item(values: &mut Vec<ExplainedValue>, snapshot: &Snapshot, entry: &ItemEntry) {
    let (item, channel) = (&entry.item, &snapshot.channel);
    let date = item.date_published.map(|date| date.to_string());
    add(values, &["date_published", "date"], date, Origin::Name);
    add(values, &["status", "draft", "published"], item.status.as_str(), Origin::BuiltIn);
    add_language(values, snapshot);
    let authors: Vec<&str> = channel.authors.iter().map(|author: &Author| &*author.name).collect();
    let authors = (!authors.is_empty()).then(|| json!(authors));
    add(values, &["authors", "author"], authors, Origin::Channel);
    let image = channel.icon.as_ref().map(|image| image.url.clone());
    add(values, &["image"], image, Origin::Channel);
    add(values, &["slug"], &*entry.segment, Origin::Derived);
    add(values, &["id"], item.id.as_str(), Origin::Name);
    let pattern = snapshot.config.addresses.pattern_of(item);
    let origin = pattern.map_or(Origin::BuiltIn, |(key, _)| Origin::Pattern(key.to_owned()));
    values.push(ExplainedValue {
        key: "address".into(),
        value: json!(in_site(snapshot, &entry.path)),
        origin,
    });
}

fn add_to_page(values: &mut Vec<ExplainedValue>, snapshot: &Snapshot, entry: &PageEntry) {
    let page = &entry.page;
    add(values, &["status", "draft", "published"], page.status.as_str(), Origin::BuiltIn);
    add(values, &["show_in_navigation"], page.show_in_navigation, Origin::BuiltIn);
    add_language(values, snapshot);
    add(values, &["slug"], page.slug.as_str(), Origin::Name);
    add(values, &["id"], page.id.as_str(), Origin::Name);
    let path = json!(in_site(snapshot, &entry.path()));
    values.push(ExplainedValue { key: "address".into(), value: path, origin: Origin::Derived });
}

fn add_language(values: &mut Vec<ExplainedValue>, snapshot: &Snapshot) {
    let origin = match snapshot.channel.language {
        Some(_) => Origin::Channel,
        None => Origin::BuiltIn,
    };
    add(values, &["language"], snapshot.language(), origin);
}
