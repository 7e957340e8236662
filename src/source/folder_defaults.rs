//! Reader of `[defaults]` in `site.toml`.

use std::cmp::Reverse;

use front_matter::{Entry, FrontMatter, Node, Table, Value};

use super::defaults::{merge, shape_of};
use super::fields::{Fields, Reader};
use super::{item, page};
use model::content_folder::{ITEMS, PAGES};
use model::defaults::{Defaults, FolderDefaults};
use model::{Config, ITEM, Rule, Severity, SitePath};

const KEY: &str = "defaults";

/// Keys that cannot have defaults: each file needs its own value, or `site.toml` has another key.
const OWN: [&str; 11] = [
    "id", "slug", "guid", "url", "aliases", "redirect_from", "permalink", "translations",
    "attachment", "attachments", "allow",
];

/// Reads `[defaults]`. The defaults of a folder with an error are left out, so that each error is
/// reported once.
pub fn read(fields: &Fields<'_, '_>, config: &Config) -> Defaults {
    let Some(node) = fields.node(KEY) else {
        return Defaults::default();
    };
    let Value::Table(table) = &node.value else {
        fields.report_wrong_type::<()>(KEY, node, "a table", &node.value);
        return Defaults::default();
    };
    let folders = table.entries.iter().filter_map(|entry| of_folder(fields, entry, config));
    let mut folders: Vec<FolderDefaults> = folders.collect();
    folders.sort_by_key(|own| own.folder.len());
    for at in 0..folders.len() {
        let (outer, inner) = folders.split_at_mut(at);
        let own = &mut inner[0];
        // The nearest folder already has the defaults of the folders that contain it.
        let above = outer.iter().rev().find(|above| own.folder.starts_with(&above.folder));
        if let Some(above) = above {
            merge(&mut own.table, &above.table, Some(shape_of(&own.folder)));
        }
    }
    folders.sort_by_key(|own| Reverse(own.folder.len()));
    Defaults(folders)
}

fn of_folder(fields: &Fields<'_, '_>, entry: &Entry, config: &Config) -> Option<FolderDefaults> {
    let reader = fields.reader;
    let name = format!("{KEY}.{:?}", entry.key);
    let path = entry.key.trim_matches('/');
    let content = &config.content;
    let path = match path.strip_prefix(content.as_str()) {
        Some(_) => path.to_owned(),
        None => format!("{}/{path}", content.join(ITEMS)),
    };
    let folder = format!("{path}/");
    let is_content = [ITEMS, PAGES].iter().any(|top| content.below(top, &folder).is_some());
    let Some(place) = SitePath::parse(&path).filter(|_| is_content) else {
        let message = format!("`{name}` is not a folder of items or pages");
        let help = "write a path below content/items, such as \"notes\", or \"content/pages\"";
        reader.error(&entry.key_span, message, help);
        return None;
    };
    let Value::Table(table) = &entry.node.value else {
        return fields.report_wrong_type(&name, &entry.node, "a table", &entry.node.value);
    };
    if reader.entries(&place).is_empty() {
        let message = format!("`{name}` has no effect: {path} has no files");
        reader.warning(
            Rule::UnknownKey,
            &entry.key_span,
            message,
            "correct the path, or remove it",
        );
    }
    validate(fields, table, &folder, config)
        .then(|| FolderDefaults { folder, table: table.clone() })
}

/// Reports the errors and warnings of a folder's defaults. Returns whether the defaults are valid.
fn validate(fields: &Fields<'_, '_>, table: &Table, folder: &str, config: &Config) -> bool {
    let site = fields.reader;
    let reader = Reader::new(site.source, config, site.root()).without_relative_paths();
    for entry in table.entries.iter().filter(|entry| OWN.contains(&&*entry.key)) {
        let message = format!("`{}` cannot have a default", entry.key);
        let help = match &*entry.key {
            "allow" => "silence the warnings of a folder in `[check.paths]`",
            _ => "write the key into each file",
        };
        reader.error(&entry.key_span, message, help);
    }
    let mut front =
        FrontMatter { table: table.clone(), format: None, body: site.source.text.len() };
    if shape_of(folder).name == ITEM.name {
        drop(item::read_front(&reader, &front));
    } else {
        let title = Node { value: Value::String("Title".to_owned()), span: 0..0 };
        let title = Entry { key: "title".to_owned(), key_span: 0..0, node: title };
        front.table.entries.push(title);
        drop(page::read_front(&reader, &front));
    }
    let (found, _) = reader.finish();
    let is_valid = found.iter().all(|one| one.severity != Severity::Error);
    found.into_iter().for_each(|one| site.report(one));
    is_valid
}
