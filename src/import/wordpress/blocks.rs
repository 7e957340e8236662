//! Converts posts of the block editor: HTML with a comment at the start and the end of each block.
//! Posts from the classic editor have no blocks, or have text outside of their blocks.

use feeds::WordPress;
use serde_json::Value;

use super::autop::paragraphs;
use super::library::{Library, attribute, meta};
use super::parts::{Part, parts};
use super::restricted::{has_condition, public_parts, restricts_block};
use super::shortcodes;

/// Maximum nesting depth of reusable blocks.
const MAX_DEPTH: usize = 8;

/// Maximum size in bytes of converted HTML. Above this size, no more reusable blocks are added.
const MAX_SIZE: usize = 16 * 1024 * 1024;

/// Blocks without content of their own, which are omitted.
const EMPTY: [&str; 4] = ["spacer", "separator", "more", "nextpage"];

const HIDDEN_PART: &str = "a part visible only to some visitors, such as subscribers, was left out";

/// A converted post, and messages about its unsupported parts.
#[derive(Debug, Default)]
pub struct Read {
    pub html: String,
    pub notes: Vec<String>,
}

/// Converts the body of an entry.
pub fn read(text: &str, entry: &WordPress, library: &Library) -> Read {
    let mut reader = Reader {
        entry,
        library,
        read: Read::default(),
        has_footnotes: false,
        overrides: Value::Null,
        replacement: None,
    };
    reader.text(text, 0);
    reader.footnotes();
    reader.read
}

struct Reader<'r> {
    entry: &'r WordPress,
    library: &'r Library,
    read: Read,
    has_footnotes: bool,
    /// Values of the entry that override values in a reusable block, by the names of inner blocks.
    overrides: Value,
    /// HTML that replaces the contents of the next block.
    replacement: Option<String>,
}

impl Reader<'_> {
    fn text(&mut self, text: &str, depth: usize) {
        let mut open: Vec<Handling> = Vec::new();
        let mut buffered = String::new();
        let (text, hidden) = public_parts(text);
        for name in hidden {
            self.note(&format!("a part that [{name}] shows only to some visitors was left out"));
        }
        for part in parts(&text) {
            let handling = open.last().copied().unwrap_or(Handling::Classic);
            match part {
                Part::Text(text) => match handling {
                    Handling::Classic => self.classic(text),
                    Handling::Whole => self.push_html(text),
                    Handling::Embed | Handling::Left => buffered.push_str(text),
                },
                // The rest of the post is for subscribers.
                Part::Start("jetpack/paywall", _) | Part::Alone("jetpack/paywall", _)
                    if handling != Handling::Left =>
                {
                    return self.note("the text behind the paywall was left out");
                }
                Part::Start(name, values) => {
                    let own = match (handling, name) {
                        (Handling::Left, _) => Handling::Left,
                        _ if restricts_block(name, &values) => Handling::Left,
                        (Handling::Embed, _) => Handling::Embed,
                        (_, "freeform" | "shortcode") => Handling::Classic,
                        (_, "embed") => Handling::Embed,
                        (_, name) if name.starts_with("core-embed/") => Handling::Embed,
                        _ => Handling::Whole,
                    };
                    if own == Handling::Embed && handling != Handling::Embed {
                        buffered.clear();
                        self.address(&values);
                    }
                    if own != Handling::Left {
                        self.bound_values(name, &values);
                    }
                    open.push(own);
                }
                Part::End => {
                    open.pop();
                    let outer = open.last().copied().unwrap_or(Handling::Classic);
                    if handling == Handling::Embed && outer != Handling::Embed {
                        self.caption(&std::mem::take(&mut buffered));
                    } else if handling == Handling::Left && outer != Handling::Left {
                        buffered.clear();
                        self.note(HIDDEN_PART);
                    }
                }
                Part::Alone(_, _) if handling == Handling::Left => {}
                Part::Alone(_, values) if has_condition(&values) => self.note(HIDDEN_PART),
                Part::Alone(name, values) => self.push_block(name, &values, depth),
            }
        }
    }

    fn note(&mut self, message: &str) {
        if !self.read.notes.iter().any(|known| known == message) {
            self.read.notes.push(message.to_owned());
        }
    }

    /// Writes text from the classic editor as paragraphs.
    fn classic(&mut self, text: &str) {
        if !text.trim().is_empty() {
            let html = self.codes(text);
            self.push(&paragraphs(&html));
        }
    }

    /// Writes HTML that already has paragraph elements.
    fn push_html(&mut self, text: &str) {
        let html = self.codes(text);
        let html = match self.replacement.take() {
            Some(own) => with_text(&html, &own).unwrap_or(html),
            None => html,
        };
        self.read.html.push_str(&html);
    }

    fn codes(&mut self, text: &str) -> String {
        let read = shortcodes::convert_shortcodes(text, &self.entry.id, self.library);
        for name in read.others {
            self.note(&format!("the shortcode [{name}] is not supported; it was kept in the text"));
        }
        read.html
    }

    fn push(&mut self, html: &str) {
        let out = &mut self.read.html;
        if !out.is_empty() && !out.ends_with('\n') {
            out.push('\n');
        }
        out.push_str(html);
        out.push('\n');
    }

    /// Writes the address of an embed block's target.
    fn address(&mut self, values: &Value) {
        if let Some(url) = values.get("url").and_then(Value::as_str) {
            self.push(&format!("<p>{}</p>", attribute(url)));
        }
    }

    /// Writes the caption of an embed block, which is below the embedded video.
    fn caption(&mut self, html: &str) {
        let caption = html.split_once("<figcaption").and_then(|(_, after)| {
            let (_, caption) = after.split_once('>')?;
            Some(caption.split_once("</figcaption").map_or(caption, |(caption, _)| caption))
        });
        if let Some(caption) = caption.filter(|caption| !caption.trim().is_empty()) {
            self.push(&format!("<p>{}</p>", caption.trim()));
        }
    }

    /// Reads values that override the stored values of a block. They come from a custom field, or
    /// from an entry that uses a reusable block.
    fn bound_values(&mut self, name: &str, values: &Value) {
        let bindings = values.pointer("/metadata/bindings").and_then(Value::as_object);
        for source in bindings.into_iter().flat_map(serde_json::Map::values) {
            match source.get("source").and_then(Value::as_str) {
                Some("core/pattern-overrides") | None => {}
                Some(source) => self
                    .note(&format!("a block uses text from `{source}`, which is not supported; its stored text was kept")),
            }
        }
        let own = values.pointer("/metadata/name").and_then(Value::as_str);
        let own = own.and_then(|own| self.overrides.get(own)?.as_object());
        for (key, value) in own.cloned().into_iter().flatten() {
            match (name, &*key, value.as_str()) {
                ("paragraph" | "heading", "content", Some(text)) => {
                    self.replacement = Some(text.to_owned());
                }
                _ => self.note(&format!(
                    "this entry overrides `{key}` of the block `{name}` in a reusable block; the value in the reusable block was kept"
                )),
            }
        }
    }

    fn push_block(&mut self, name: &str, values: &Value, depth: usize) {
        let library = self.library;
        match name {
            "block" => {
                let id = values.get("ref").map(|id| id.to_string().trim_matches('"').to_owned());
                let text = id.as_deref().and_then(|id| library.block(id));
                match text {
                    Some(text) if depth < MAX_DEPTH && self.read.html.len() < MAX_SIZE => {
                        let own = values.get("content").cloned().unwrap_or_default();
                        let outer = std::mem::replace(&mut self.overrides, own);
                        self.text(text, depth + 1);
                        self.overrides = outer;
                    }
                    _ => self.note("a reusable block is missing from the export; it was left out"),
                }
            }
            "footnotes" => self.footnotes(),
            "gallery" | "image" => {
                let ids = values.get("ids").and_then(Value::as_array).cloned();
                let ids = ids.unwrap_or_else(|| values.get("id").cloned().into_iter().collect());
                let files =
                    ids.iter().filter_map(|id| library.file(id.to_string().trim_matches('"')));
                let figures: String = files.map(super::library::File::figure).collect();
                self.push(&format!("<div class=\"gallery\">{figures}</div>"));
            }
            "embed" => self.address(values),
            name if name.starts_with("core-embed/") => self.address(values),
            name if EMPTY.contains(&name) => {}
            name => self.note(&format!("the block `{name}` requires WordPress; it was left out")),
        }
    }

    /// Writes the footnotes of an entry, which WordPress stores separately from the body.
    fn footnotes(&mut self) {
        let stored = meta(self.entry, "footnotes").filter(|_| !self.has_footnotes);
        let Some(stored) = stored else { return };
        self.has_footnotes = true;
        let Ok(Value::Array(notes)) = serde_json::from_str(stored) else {
            return self.note("its footnotes cannot be read; they were left out");
        };
        let mut html = String::from("<ol class=\"wp-block-footnotes\">");
        for note in &notes {
            let said = |key: &str| note.get(key).and_then(Value::as_str).unwrap_or_default();
            let (id, content) = (attribute(said("id")), said("content"));
            html += &format!("<li id=\"{id}\">{content} <a href=\"#{id}-link\">↩︎</a></li>");
        }
        self.push(&(html + "</ol>"));
    }
}

/// Replaces the contents of an element.
fn with_text(html: &str, text: &str) -> Option<String> {
    let start = html.find('>')? + 1;
    let end = html.rfind("</").filter(|end| *end >= start)?;
    Some(format!("{}{text}{}", &html[..start], &html[end..]))
}

/// The conversion of the text within a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Handling {
    /// Lines of text become paragraphs.
    Classic,
    /// The text is HTML that already has paragraph elements.
    Whole,
    /// The address of the embed block is already written, so only the caption is converted.
    Embed,
    /// The text is not public, so it is left out.
    Left,
}
