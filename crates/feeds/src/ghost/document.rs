//! Converts documents of Ghost's editors to HTML: Lexical since 2023, Mobiledoc before that.

use serde_json::Value;

use super::cards::ConvertedText;
use crate::json_value::escape_html;

/// Maximum depth of nested elements.
const MAX_DEPTH: usize = 100;

/// Converts a Lexical document. Returns None if `text` is not such a document.
pub fn lexical(text: &str, is_public: bool) -> Option<ConvertedText> {
    let document: Value = serde_json::from_str(text).ok()?;
    let root = document.get("root")?;
    let mut out = ConvertedText::new(is_public);
    children(root, 0, &mut out);
    Some(out)
}

fn children(node: &Value, depth: usize, out: &mut ConvertedText) {
    for child in node.get("children").and_then(Value::as_array).into_iter().flatten() {
        convert_node(child, depth, out);
    }
}

fn convert_node(node: &Value, depth: usize, out: &mut ConvertedText) {
    let said = |key: &str| node.get(key).and_then(Value::as_str).unwrap_or_default();
    let kind = said("type");
    if depth > MAX_DEPTH {
        return out
            .report_skipped(format!("text nested in more than {MAX_DEPTH} elements was left out"));
    }
    let name = match kind.trim_start_matches("extended-") {
        "text" | "tk" => {
            return out
                .push(&format_text(said("text"), node.get("format").and_then(Value::as_u64)));
        }
        "linebreak" => return out.push("<br>"),
        "tab" => return out.push(" "),
        // Placeholders in the editor that Ghost does not render.
        "at-link" | "at-link-search" | "zwnj" => return,
        "link" | "autolink" => {
            out.push(&format!("<a href=\"{}\">", escape_html(said("url"))));
            children(node, depth + 1, out);
            return out.push("</a>");
        }
        "paragraph" => "p",
        "heading" => match said("tag") {
            tag @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6") => tag,
            _ => "h2",
        },
        "quote" | "aside" => "blockquote",
        "list" if said("listType") == "number" || said("tag") == "ol" => "ol",
        "list" => "ul",
        "listitem" => "li",
        _ if node.get("children").is_some() => return children(node, depth + 1, out),
        card => {
            let card_fields = node.as_object().cloned().unwrap_or_default();
            return out.card(card, card_fields);
        }
    };
    let start =
        node.get("start").and_then(Value::as_u64).filter(|start| name == "ol" && *start != 1);
    let start = start.map(|start| format!(" start=\"{start}\""));
    out.push(&format!("<{name}{}>", start.unwrap_or_default()));
    children(node, depth + 1, out);
    out.push(&format!("</{name}>"));
}

/// Formats text. Each bit of `format` represents a kind of markup.
fn format_text(text: &str, format: Option<u64>) -> String {
    const MARKS: [(u64, &str); 8] = [
        // As in Markdown, `em` goes outside `strong`.
        (2, "em"),
        (1, "strong"),
        (4, "s"),
        (8, "u"),
        (32, "sub"),
        (64, "sup"),
        (128, "mark"),
        (16, "code"),
    ];
    let format = format.unwrap_or_default();
    let marks = MARKS.iter().filter(|(bit, _)| format & bit != 0);
    marks.rev().fold(escape_html(text), |inner, (_, name)| format!("<{name}>{inner}</{name}>"))
}

/// Converts a Mobiledoc 0.3 document. Returns None if `text` is not such a document.
pub fn mobiledoc(text: &str, is_public: bool) -> Option<ConvertedText> {
    let document: Value = serde_json::from_str(text).ok()?;
    let list =
        |key: &str| document.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let lists = Lists { markups: list("markups"), atoms: list("atoms") };
    let cards = list("cards");
    let mut out = ConvertedText::new(is_public);
    for section in document.get("sections")?.as_array()? {
        let part = |at: usize| section.get(at).unwrap_or(&Value::Null);
        let name = tag(part(1).as_str().unwrap_or("p"));
        let mut html = String::new();
        match part(0).as_u64()? {
            1 => {
                html += &format!("<{name}>");
                lists.markers(part(2), &mut html);
                html += &format!("</{name}>");
            }
            2 => {
                html += &format!("<p><img src=\"{}\" alt=\"\"></p>", escape_html(part(1).as_str()?))
            }
            3 => {
                html += &format!("<{name}>");
                for item in part(2).as_array()? {
                    html += "<li>";
                    lists.markers(item, &mut html);
                    html += "</li>";
                }
                html += &format!("</{name}>");
            }
            _ => {
                let at = usize::try_from(part(1).as_u64()?).ok()?;
                let card = cards.get(at)?;
                let card_fields = card.get(1).and_then(Value::as_object);
                out.card(card.get(0)?.as_str()?, card_fields.cloned().unwrap_or_default());
            }
        }
        out.push(&html);
    }
    Some(out)
}

/// Converts a tag name in Mobiledoc to the HTML element. Other names become `span`.
fn tag(name: &str) -> &str {
    const TEXT_TAGS: [&str; 21] = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "a", "b", "strong", "i",
        "em", "code", "s", "u", "sub", "sup", "mark",
    ];
    match name {
        "aside" | "pull-quote" => "blockquote",
        name if TEXT_TAGS.contains(&name) => name,
        "del" | "strike" => "s",
        _ => "span",
    }
}

/// The lists of markups and atoms in a Mobiledoc document. Markers refer to list entries by index.
struct Lists<'v> {
    markups: &'v [Value],
    atoms: &'v [Value],
}

impl Lists<'_> {
    /// Converts markers. A marker consists of text, the markup that begins before the text, and the
    /// number of elements that end after it.
    fn markers(&self, markers: &Value, out: &mut String) {
        let mut open: Vec<&str> = Vec::new();
        for marker in markers.as_array().into_iter().flatten() {
            let number = |value: &Value| value.as_u64().and_then(|at| usize::try_from(at).ok());
            let part = |at: usize| marker.get(at).unwrap_or(&Value::Null);
            for markup in part(1).as_array().into_iter().flatten().filter_map(number) {
                let markup = self.markups.get(markup);
                let name = tag(markup.and_then(|markup| markup.get(0)?.as_str()).unwrap_or("span"));
                let values = markup.and_then(|markup| markup.get(1)?.as_array());
                let href = values.and_then(|values| {
                    let at = values.iter().position(|value| value == "href")?;
                    values.get(at + 1)?.as_str()
                });
                let href = href.map(|href| format!(" href=\"{}\"", escape_html(href)));
                *out += &format!("<{name}{}>", href.unwrap_or_default());
                open.push(name);
            }
            match (part(0).as_u64(), part(3)) {
                (Some(1), at) => {
                    let atom = number(at).and_then(|at| self.atoms.get(at));
                    let said = |at: usize| atom.and_then(|atom| atom.get(at)?.as_str());
                    match said(0) {
                        Some("soft-return") => *out += "<br>",
                        _ => *out += &escape_html(said(1).unwrap_or_default()),
                    }
                }
                (_, text) => *out += &escape_html(text.as_str().unwrap_or_default()),
            }
            for _ in 0..number(part(2)).unwrap_or_default().min(open.len()) {
                let name = open.pop().unwrap_or("span");
                *out += &format!("</{name}>");
            }
        }
        while let Some(name) = open.pop() {
            *out += &format!("</{name}>");
        }
    }
}
