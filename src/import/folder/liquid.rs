//! Tags that both Liquid and Nunjucks have.

use super::source::{Engine, TagContext};
use super::tags::{Replacement, Tag, common};

/// The template engine Liquid. Its `conditions` are tags that show the text up to their end tag
/// under a condition, repeatedly, or in another place.
pub const LIQUID: Engine = Engine {
    forms: &[("{{", "}}"), ("{%", "%}")],
    conditions: &["if", "unless", "case", "ifchanged", "for", "tablerow", "capture"],
};

/// Translates tags that both Liquid and Nunjucks have: blocks without output, code, raw text,
/// videos.
pub fn simple(tag: &Tag<'_>, asked: &TagContext<'_>) -> Replacement {
    if asked.source.silent.iter().any(|silent| silent == tag.name) {
        return tag.without_text(&format!("end{}", tag.name));
    }
    // LiquidJS has comments on a single line.
    if tag.inner.starts_with('#') {
        return tag.replacement("");
    }
    match tag.name {
        "raw" | "verbatim" => {
            let (inner, end) = tag.until(&format!("end{}", tag.name))?;
            Some((inner.to_owned(), end))
        }
        "comment" => tag.without_text("endcomment"),
        "highlight" => {
            let language = tag.argument(&[], 0).unwrap_or_default();
            let lines = if tag.inner.contains("linenos") { " linenos" } else { "" };
            tag.code_replacement(&format!("{language}{lines}"), "endhighlight")
        }
        // Many themes embed videos with `include` tags of these names. A link to the video replaces
        // the tag.
        "include" => match tag.arguments.plain.first()?.rsplit('/').next()?.split('.').next()? {
            name @ ("youtube" | "vimeo") => {
                common(tag, name).filter(|_| tag.arguments.get("id").is_some())
            }
            _ => None,
        },
        name => common(tag, name),
    }
}

/// Evaluates an output tag such as `{{ "/a.png" | relative_url }}`: a literal or a variable, with
/// supported filters.
pub fn expression(inner: &str, value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut parts = inner.split('|').map(str::trim);
    let mut text = operand(parts.next()?, value)?;
    for filter in parts {
        let (name, argument) = filter.split_once(':').unwrap_or((filter, ""));
        let argument = argument.trim();
        match name.trim() {
            // These filters are ignored, because references are resolved later.
            "relative_url" | "absolute_url" | "url" | "strip" | "uri_escape" | "safe" => {}
            "prepend" => text = format!("{}{text}", operand(argument, value)?),
            "append" => text += &operand(argument, value)?,
            "downcase" | "lower" => text = text.to_lowercase(),
            "upcase" | "upper" => text = text.to_uppercase(),
            "slugify" | "slug" => text = super::slug::plain(&text),
            _ => return None,
        }
    }
    Some(text)
}

fn operand(text: &str, value: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let text = text.trim();
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) => text.strip_prefix(quote)?.strip_suffix(quote).map(str::to_owned),
        None => value(text),
    }
}
