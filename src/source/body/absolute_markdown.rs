//! The Markdown version of a body: the author's text, with absolute addresses, and with syntax that
//! only feedwright reads replaced by CommonMark.

use std::ops::Range;

use pulldown_cmark::{LinkType, Options, Parser};

use super::players::Kind;
use model::{push_link_end, url};

/// The changes to a Markdown body.
#[derive(Debug, Default)]
pub struct SourceEdits {
    /// Byte ranges and their new text.
    edits: Vec<(Range<usize>, String)>,
    /// Whether a link to a definition became an inline link.
    has_inlined: bool,
}

/// A link or picture that the body shows.
pub struct ShownLink<'e> {
    pub link_type: LinkType,
    /// The address, which may differ from the written address.
    pub address: &'e str,
    pub title: &'e str,
    pub is_picture: bool,
    /// Whether the written address is relative.
    pub is_relative: bool,
}

impl SourceEdits {
    /// Replaces the address of the link or picture at this range of the body.
    pub fn link(&mut self, body: &str, range: &Range<usize>, link: &ShownLink<'_>) {
        let mut range = range.clone();
        // The parser's range of `[name][]` can end before the empty brackets.
        if link.link_type == LinkType::Collapsed && body[range.end..].starts_with("[]") {
            range.end += 2;
        }
        let Some(written) = body.get(range.clone()) else { return };
        let bare = written.strip_prefix('!').unwrap_or(written);
        // Bare addresses and `<https://…>` are absolute.
        if !bare.starts_with('[') {
            return;
        }
        let mut push = |at: usize, new: String| self.edits.push((range.start + at..range.end, new));
        let end = |start: &str| {
            let mut end = start.to_owned();
            push_link_end(&mut end, link.address, link.title);
            end
        };
        let is_by_name = link.link_type == LinkType::Inline;
        if let Some(name) = bare.strip_prefix("[[").and_then(|inner| inner.strip_suffix("]]")) {
            if is_by_name {
                let sign = if link.is_picture { "!" } else { "" };
                push(0, end(&format!("{sign}[{}]", label(name))));
            }
            return;
        }
        if bare.ends_with(')') {
            let Some(at) = written.rfind("](") else { return };
            let address = written[at + 2..].trim_start().trim_start_matches('<');
            if !address.starts_with(link.address) {
                push(at, end("]"));
            }
        } else if link.is_relative && bare.ends_with(']') {
            // A link to a definition: `[text][name]`, `[name][]` or `[name]`.
            push(written.rfind("][").unwrap_or(written.len() - 1), end("]"));
            self.has_inlined = true;
        }
        let start = range.start..range.start + written.len() - bare.len();
        match (link.is_picture, start.is_empty()) {
            (true, true) => self.edits.push((start, "!".to_owned())),
            (false, false) => self.edits.push((start, String::new())),
            _ => {}
        }
    }

    /// Replaces HTML in the body, which starts at byte `at`.
    pub fn html(&mut self, body: &str, at: usize, (written, new): (&str, &str)) {
        if written != new && body[at..].starts_with(written) {
            self.edits.push((at..at + written.len(), new.to_owned()));
        }
    }

    /// Removes the attributes at the end of a heading: `# Part {#id}`.
    pub fn heading(&mut self, body: &str, range: &Range<usize>) {
        let Some(written) = body.get(range.clone()) else { return };
        let line = written.trim_start().lines().next().unwrap_or_default();
        let line_end = range.start + written.len() - written.trim_start().len() + line.len();
        let attributes = line.trim_end().strip_suffix('}').and_then(|line| line.rfind('{'));
        if let Some(at) = attributes {
            let before = line[..at].trim_end().len();
            self.edits.push((line_end - line.len() + before..line_end, String::new()));
        }
    }

    /// Returns the changed body.
    pub fn apply(mut self, body: &str, options: Options) -> String {
        if self.has_inlined {
            self.remove_relative_definitions(body, options);
        }
        self.edits.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = String::with_capacity(body.len() + 64 * self.edits.len());
        let mut copied = 0;
        for (range, new) in self.edits {
            if range.start < copied {
                continue;
            }
            out.push_str(&body[copied..range.start]);
            out.push_str(&new);
            copied = range.end;
        }
        out.push_str(&body[copied..]);
        // Spaces at the start can belong to a code block.
        out.trim_end().trim_start_matches(['\n', '\r']).to_owned()
    }

    /// Removes link definitions with relative addresses, which no link uses any more.
    fn remove_relative_definitions(&mut self, body: &str, options: Options) {
        let parser = Parser::new_ext(body, options);
        let definitions = parser.reference_definitions().iter().map(|(_, definition)| definition);
        let relative = definitions.filter(|one| !url::is_absolute(&one.dest));
        self.edits.extend(relative.map(|one| (one.span.clone(), String::new())));
    }
}

/// Returns the text of a link by name: `text` of `name|text`, or the name. The text of a picture may
/// be its size.
fn label(inner: &str) -> String {
    let (name, label) = inner.split_once('|').unwrap_or((inner, ""));
    let name = name.trim_end_matches('\\').trim();
    let is_size = |label: &str| label.chars().all(|c| c.is_ascii_digit() || c == 'x');
    let is_text = !is_size(label) || Kind::of(name).is_none();
    if !label.is_empty() && is_text {
        return label.to_owned();
    }
    let name = name.trim_start_matches('#').replacen(".md", "", 1);
    name.replace('#', " › ").replace('[', "\\[").replace(']', "\\]")
}
