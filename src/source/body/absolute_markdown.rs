//! The Markdown version of a body: the author's text, with absolute addresses, and with syntax that
//! only feedwright reads replaced by CommonMark.

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{LinkType, Options};

use super::link_tails::{LinkTail, LinkTails};
use super::players::Kind;
use super::substitutions::Parsed;
use model::push_link_end;

/// The changes to a Markdown body.
#[derive(Debug, Default)]
pub struct SourceEdits {
    /// Byte ranges and their new text.
    edits: Vec<(Range<usize>, String)>,
    /// The shown links and pictures in brackets, by the byte where they start.
    links: HashMap<usize, Shown>,
}

/// A link or picture that the body shows.
pub struct ShownLink<'e> {
    pub link_type: LinkType,
    /// The address, which may differ from the written address.
    pub address: &'e str,
    pub title: &'e str,
    pub is_picture: bool,
}

#[derive(Debug)]
struct Shown {
    end: usize,
    link_type: LinkType,
    address: String,
    title: String,
    is_picture: bool,
}

impl SourceEdits {
    /// Replaces the address of the link or picture at this range of the body.
    pub fn link(&mut self, body: &str, range: &Range<usize>, link: &ShownLink<'_>) {
        let Some(written) = body.get(range.clone()) else { return };
        // Bare addresses and `<https://…>` are absolute.
        if !written.strip_prefix('!').unwrap_or(written).starts_with('[') {
            return;
        }
        self.links.entry(range.start).or_insert_with(|| Shown {
            end: range.end,
            link_type: link.link_type,
            address: link.address.to_owned(),
            title: link.title.to_owned(),
            is_picture: link.is_picture,
        });
    }

    /// Replaces references in HTML that was read from `range` of the body. `found` lists byte ranges
    /// of the HTML and their new text. The body can have signs of quotes and lists before each line.
    pub fn html(
        &mut self,
        body: &str,
        range: &Range<usize>,
        html: &str,
        found: Vec<(usize, usize, String)>,
    ) {
        if found.is_empty() {
            return;
        }
        let Some(written) = body.get(range.clone()) else { return };
        // The offset of each line in the HTML and in the body.
        let (mut lines, mut at, mut from) = (Vec::new(), 0, 0);
        for line in html.split_inclusive('\n') {
            let Some(found) = written[from..].find(line.trim_end()) else { return };
            lines.push((at, range.start + from + found));
            at += line.len();
            from += found + line.trim_end().len();
        }
        let in_body = |offset: usize| {
            let line = lines.partition_point(|(start, _)| *start <= offset).checked_sub(1)?;
            Some(lines[line].1 + offset - lines[line].0)
        };
        for (start, end, new) in found {
            if let (Some(start), Some(last)) = (in_body(start), in_body(end - 1)) {
                self.edits.push((start..last + 1, new.replace(['\r', '\n'], " ")));
            }
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

    /// Returns the changed body. Links to definitions become inline links, and the definitions are
    /// removed.
    pub fn apply(mut self, body: &str, parsed: &Parsed<'_>, options: Options) -> String {
        if !self.links.is_empty() || body.contains("]:") {
            let LinkTails { tails, definitions } = LinkTails::of(body, parsed, options);
            for tail in tails {
                self.replace_tail(body, tail);
            }
            self.replace_names(body);
            self.edits.extend(definitions);
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

    /// Replaces the end of a link or picture, from the bracket after its text.
    fn replace_tail(&mut self, body: &str, tail: LinkTail) {
        let LinkTail { start, range, is_reference, is_in_table, address, title } = tail;
        let shown = self.links.remove(&start).or_else(|| {
            // The range of `[[1]]`, where `[1]` is defined, has the outer brackets.
            let outer = start.checked_sub(1).filter(|_| is_reference)?;
            let is_outer = self.links.get(&outer)?.link_type == LinkType::Shortcut;
            if is_outer { self.links.remove(&outer) } else { None }
        });
        let was_picture = body[start..].starts_with('!');
        let (address, title, is_picture) = match shown {
            Some(shown) => (shown.address, shown.title, shown.is_picture),
            // The body does not show links in the alternative text of a picture.
            None if is_reference => (address, title, was_picture),
            None => return,
        };
        let written = body[range.clone()].strip_prefix("](").map(str::trim_start);
        let is_same =
            written.is_some_and(|written| written.trim_start_matches('<').starts_with(&address));
        if is_reference || !is_same {
            let mut end = "]".to_owned();
            push_link_end(&mut end, &address, &title.replace(['\r', '\n'], " "));
            if is_in_table {
                end = end.replace('|', "\\|");
            }
            self.edits.push((range, end));
        }
        match (is_picture, was_picture) {
            (true, false) => self.edits.push((start..start, "!".to_owned())),
            (false, true) => self.edits.push((start..start + 1, String::new())),
            _ => {}
        }
    }

    /// Replaces links by name, which CommonMark does not have.
    fn replace_names(&mut self, body: &str) {
        for (start, shown) in std::mem::take(&mut self.links) {
            let written = &body[start..shown.end];
            let bare = written.strip_prefix('!').unwrap_or(written);
            let name = bare.strip_prefix("[[").and_then(|inner| inner.strip_suffix("]]"));
            if let Some(name) = name.filter(|_| shown.link_type == LinkType::Inline) {
                let sign = if shown.is_picture { "!" } else { "" };
                let mut new = format!("{sign}[{}]", label(name));
                push_link_end(&mut new, &shown.address, &shown.title);
                self.edits.push((start..shown.end, new));
            }
        }
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
