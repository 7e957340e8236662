//! Options that a theme declares: `options` of its manifest.

use std::collections::BTreeMap;

use front_matter::{Node, Value};
use serde_json::Value as Json;

use super::chosen::OptionReader;
use super::kind::{Backgrounds, Kind};
use super::values::value;
use crate::colour::Colour;
use source::fields::Fields;

/// The options of a theme, by name.
pub type Declarations = BTreeMap<String, Declaration>;

/// An option of a theme.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    pub kind: Kind,
    /// Purpose of the option, for site authors.
    pub description: String,
    /// Value that templates read if a site does not set the option; null if the manifest has no
    /// default.
    pub default: Json,
}

impl Kind {
    /// Names of the kinds in manifests.
    pub const NAMES: [&str; 14] = [
        "text", "boolean", "number", "choice", "colour", "font", "picture", "file", "html",
        "styles", "scripts", "links", "menu", "profiles",
    ];

    /// Returns the names that a choice allows.
    pub fn choices(&self) -> impl Iterator<Item = &str> {
        let names: &[String] = match self {
            Self::Choice(names) => names,
            _ => &[],
        };
        names.iter().map(String::as_str)
    }

    /// Parses the kind with this name and its further settings in the manifest.
    fn of(name: &str, fields: &Fields<'_, '_>) -> Option<Self> {
        Some(match name {
            "text" => Self::Text,
            "boolean" => Self::Boolean,
            "number" => Self::Number,
            "choice" => Self::Choice(choices(fields)),
            "colour" => Self::Colour(papers(fields)),
            "font" => Self::Font,
            "picture" => Self::Picture,
            "file" => Self::File,
            "html" => Self::Html,
            "styles" => Self::Styles,
            "scripts" => Self::Scripts,
            "links" => Self::Links,
            "menu" => Self::Menu,
            "profiles" => Self::Profiles,
            _ => return None,
        })
    }
}

/// Reads `options` of a manifest.
pub fn read(manifest: &Fields<'_, '_>) -> Declarations {
    const KEY: &str = "options";
    let mut found = Declarations::new();
    let Some(node) = manifest.node(KEY) else {
        return found;
    };
    let Value::Table(table) = &node.value else {
        manifest.report_wrong_type::<()>(KEY, node, "a table", &node.value);
        return found;
    };
    for entry in &table.entries {
        let name = &entry.key;
        if !is_name(name) {
            let help = "use only a–z, 0–9 and _, starting with a letter";
            let message = format!("`{KEY}.{name}` is not a valid option name");
            manifest.reader.error(&entry.key_span, message, help);
            continue;
        }
        let prefix = format!("{KEY}.{name}");
        match &entry.node.value {
            Value::Table(table) => {
                let read = |fields: &Fields<'_, '_>| declaration(fields, &entry.node);
                let declaration = manifest.read_table(&prefix, table, read);
                found.extend(declaration.map(|declaration| (name.clone(), declaration)));
            }
            other => {
                manifest.report_wrong_type::<()>(&prefix, &entry.node, "a table", other);
            }
        }
    }
    found
}

fn is_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

fn declaration(fields: &Fields<'_, '_>, node: &Node) -> Option<Declaration> {
    let description = fields.required_text_up_to("description", 500, &node.span);
    if fields.node("type").is_none() {
        let help = format!("add \"type\": one of {}", Kind::NAMES.join(", "));
        let message = format!("`{}` is missing", fields.name("type"));
        fields.reader.error(&node.span, message, help);
    }
    let kind = fields.choice("type", &Kind::NAMES, |name| Kind::of(name, fields))?;
    let default = match fields.node("default") {
        Some(node) => {
            let mut chooser = OptionReader::for_defaults(fields.reader.config);
            value(&mut chooser, fields, ("default", node), &kind)?
        }
        None => Json::Null,
    };
    Some(Declaration { kind, description: description?, default })
}

fn choices(fields: &Fields<'_, '_>) -> Vec<String> {
    let choices = fields.strings("choices");
    if let Some(node) = fields.node("choices") {
        if choices.iter().any(|choice| !is_name(choice)) {
            let help = "use only a–z, 0–9 and _ in each word, starting with a letter";
            let message = format!("`{}` must be a list of words", fields.name("choices"));
            fields.reader.error(&node.span, message, help);
        }
    } else {
        let message = format!("`{}` is missing", fields.name("choices"));
        let place = fields.node("type").map_or(0..0, |node| node.span.clone());
        fields.reader.error(&place, message, "list the choices: [\"list\", \"cards\"]");
    }
    choices
}

fn papers(fields: &Fields<'_, '_>) -> Backgrounds {
    let read = |fields: &Fields<'_, '_>| Backgrounds {
        light: colours(fields, "light"),
        dark: colours(fields, "dark"),
        min_contrast: fields.number("least").unwrap_or(4.5),
    };
    fields.table("contrast", read).unwrap_or_default()
}

fn colours(fields: &Fields<'_, '_>, key: &'static str) -> Vec<Colour> {
    let nodes = fields.list(key).iter();
    nodes.filter_map(|node| super::colours::colour(fields, key, node)).collect()
}
