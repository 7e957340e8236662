//! Translates Hugo's built-in shortcodes.

use crate::folder::data;
use crate::folder::source::TagContext;
use crate::folder::tags::{Replacement, Tag, common};
use crate::folder::tree::{ending, joined, split};
use crate::found::to_text;

pub fn translate(tag: &Tag<'_>, asked: &TagContext<'_>) -> Replacement {
    // Hugo prints an escaped shortcode instead of rendering it.
    if let Some(inner) = tag.inner.strip_prefix("/*") {
        let inner = inner.trim_end_matches("*/");
        return tag.replacement(format!("{}{inner}{}", tag.form.0, tag.form.1));
    }
    match tag.name {
        "ref" | "relref" => {
            let wanted = tag.argument(&["path"], 0)?;
            let (path, part) = wanted.split_at(wanted.find('#').unwrap_or(wanted.len()));
            let target = if path.is_empty() {
                return tag.replacement(part);
            } else {
                referenced_text(path, asked)?
            };
            tag.replacement(format!("{}{part}", to_text(target)))
        }
        "highlight" => {
            let info = tag.argument(&["lang"], 0).unwrap_or_default();
            let options = options(tag.argument(&["options"], 1).unwrap_or_default());
            tag.code_replacement(&format!("{info}{options}"), "/highlight")
        }
        "param" => {
            let name = tag.argument(&["name"], 0)?;
            let value = data::text_at(&asked.text.fields, name)
                .or_else(|| data::text_at(&asked.source.values, name));
            tag.replacement(value?)
        }
        "comment" => tag.without_text("/comment"),
        name if asked.source.silent.iter().any(|silent| silent == name) => {
            tag.without_text(&format!("/{name}"))
        }
        name => common(tag, name),
    }
}

/// Returns the path of the content file that a reference points to. The reference is a path
/// relative to the current folder or to the content folder, or only a file name.
fn referenced_text<'s>(wanted: &str, asked: &TagContext<'s>) -> Option<&'s str> {
    let bare = |path: &str| {
        let path = ending(path);
        let stem = if matches!(path.1, "md" | "markdown" | "html") {
            path.0.to_owned()
        } else {
            format!("{}.{}", path.0, path.1)
        };
        let stem = stem.trim_end_matches('.').trim_matches('/').to_lowercase();
        let stem = stem.strip_suffix("/index").unwrap_or(&stem);
        stem.strip_suffix("/_index").unwrap_or(stem).to_owned()
    };
    let own = joined(split(&asked.text.path).0, wanted).unwrap_or_default();
    let named = bare(wanted);
    let places = [bare(&own), format!("content/{named}")];
    let texts = || asked.source.texts.iter();
    let exact = texts().find(|text| places.contains(&bare(&text.path)));
    let found =
        exact.or_else(|| texts().find(|text| bare(&text.path).ends_with(&format!("/{named}"))))?;
    Some(asked.source.in_language(found, &asked.text.language).path.as_str())
}

/// Converts options such as `linenos=table,hl_lines=2-3` to attributes of a fenced code block.
fn options(text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let parts = text.split(',').map(|part| match part.trim().split_once('=') {
        Some(("hl_lines", lines)) => {
            let lines: Vec<String> = lines
                .trim_matches(['"', '[', ']'])
                .split_whitespace()
                .map(|lines| format!("\"{lines}\""))
                .collect();
            format!("hl_lines=[{}]", lines.join(","))
        }
        _ => part.trim().to_owned(),
    });
    format!(" {{{}}}", parts.collect::<Vec<_>>().join(","))
}
