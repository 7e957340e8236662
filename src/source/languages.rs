//! Reader of `[languages]` in `site.toml`.

use front_matter::{Node, Value};

use super::fields::Fields;
use super::shared_fields::language_tag;
use model::{Languages, Untranslated, is_reserved};

/// Maximum number of languages of a site.
const MAX_LANGUAGES: usize = 50;

pub fn read(fields: &Fields<'_, '_>) -> Languages {
    let default = fields.node("default").and_then(|node| tag(fields, "default", node));
    let mut others: Vec<String> = Vec::new();
    for node in fields.list("others") {
        let Some(tag) = tag(fields, "others", node) else { continue };
        let is_same = |other: &String| other.eq_ignore_ascii_case(&tag);
        let refused = if default.iter().chain(&others).any(is_same) {
            Some((format!("the site already has the language {tag:?}"), "remove it from `others`"))
        } else if is_reserved(&tag.to_lowercase()) {
            Some((format!("the path /{tag}/ is reserved"), "use a longer tag, such as api-Latn"))
        } else if others.len() + 1 == MAX_LANGUAGES {
            Some((format!("a site can have at most {MAX_LANGUAGES} languages"), "remove the rest"))
        } else {
            None
        };
        match refused {
            Some((message, help)) => fields.reader.error(&node.span, message, help),
            None => others.push(tag),
        }
    }
    if default.is_none() {
        if let (None, Some(node)) = (fields.node("default"), fields.node("others")) {
            let message = "`languages.default` is missing";
            let help = "add the language of the pages at the root: default = \"en\"";
            fields.reader.error(&node.span, message, help);
        }
        others.clear();
    }
    let untranslated = fields.choice("untranslated", Untranslated::NAMES, Untranslated::parse);
    Languages { default, others, untranslated: untranslated.unwrap_or_default() }
}

/// Reads a language tag, which cannot be blank.
fn tag(fields: &Fields<'_, '_>, key: &str, node: &Node) -> Option<String> {
    if matches!(&node.value, Value::String(text) if text.trim().is_empty()) {
        let message = format!("`{}` has an empty language tag", fields.name(key));
        let help = "write a language tag, such as en, pt-BR or zh-Hans";
        fields.reader.error(&node.span, message, help);
        return None;
    }
    language_tag(fields, key, node)
}
