//! Reader of `[addresses]` in `site.toml`.

use std::cmp::Reverse;

use front_matter::{Node, Value};

use super::fields::Fields;
use model::content_folder::ITEMS;
use model::{AddressPattern, Addresses, Rule, Sections, SitePath, is_reserved};

pub fn read(fields: &Fields<'_, '_>) -> Addresses {
    let of_key = |key| pattern(fields, key, fields.node(key)?);
    Addresses {
        items: of_key("items"),
        episodes: of_key("episodes"),
        photos: of_key("photos"),
        links: of_key("links"),
        folders: folders(fields),
        nested_pages: fields.bool("nested_pages").unwrap_or(false),
        sections: Sections::default(),
    }
}

/// Reads a pattern. Addresses cannot be below a path that feedwright uses.
fn pattern(fields: &Fields<'_, '_>, key: &str, node: &Node) -> Option<AddressPattern> {
    let text = fields.as_string(key, node)?;
    let path = text.trim_start_matches('/').to_lowercase();
    let parsed = match path.split('/').next() {
        // Items have paths below `/i/` in addition.
        Some("i") => {
            Err("start with another word, or remove the key for addresses below /i/".to_owned())
        }
        Some(first) if is_reserved(first) => {
            Err(format!("start with another word: /{first}/ is reserved"))
        }
        _ => AddressPattern::parse(&text),
    };
    let refuse = |help| {
        let message = format!("`{}` cannot be {text:?}", fields.name(key));
        fields.reader.error(&node.span, message, help);
    };
    parsed.map_err(refuse).ok()
}

/// Reads the patterns by folder. Inner folders come first.
fn folders(fields: &Fields<'_, '_>) -> Vec<(String, AddressPattern)> {
    const KEY: &str = "folders";
    let Some(node) = fields.node(KEY) else {
        return Vec::new();
    };
    let Value::Table(table) = &node.value else {
        fields.report_wrong_type::<()>(KEY, node, "a table", &node.value);
        return Vec::new();
    };
    let mut folders = Vec::new();
    for entry in &table.entries {
        let path = entry.key.trim_matches('/');
        let items = fields.reader.config.content.join(ITEMS);
        let path = path.strip_prefix(&*items).map_or(path, |path| path.trim_start_matches('/'));
        let key = format!("{KEY}.{:?}", entry.key);
        let folder = SitePath::parse(&format!("{items}/{path}"));
        if folder.is_none_or(|folder| fields.reader.entries(&folder).is_empty()) {
            let message = format!("`{}` names a folder without files", fields.name(&key));
            let help = "write the path of a folder below content/items, or remove the line";
            fields.reader.warning(Rule::UnknownKey, &entry.key_span, message, help);
        }
        folders.extend(
            pattern(fields, &key, &entry.node).map(|own| (format!("{items}/{path}/"), own)),
        );
    }
    folders.sort_by_key(|(folder, _)| Reverse(folder.len()));
    folders
}
