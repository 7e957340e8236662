//! Converts posts of the classic editor, which are HTML without paragraph elements: a blank line
//! ends a paragraph, and a single line end is a line break.

const BLOCKS: [&str; 38] = [
    "address", "article", "aside", "audio", "blockquote", "center", "dd", "details", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hr", "iframe", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table",
    "ul", "video", "script", "style",
];

/// Elements whose contents are split into paragraphs.
const CONTAINERS: [&str; 11] = [
    "article", "aside", "blockquote", "center", "details", "div", "footer", "header", "main",
    "nav", "section",
];

/// Elements whose contents stay unchanged. Inner elements of the same name count as nested.
const PRESERVED: [&str; 8] = ["pre", "script", "style", "table", "ul", "ol", "dl", "figure"];

/// Returns HTML with `<p>` elements around paragraphs.
pub fn paragraphs(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text.as_str();
    // Offset of the text after the last block.
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'<', &rest.as_bytes()[at..]) {
        let start = at + found;
        let Some(tag) = Tag::read(&rest[start..]) else {
            at = start + 1;
            continue;
        };
        if !BLOCKS.contains(&tag.name.as_str()) {
            at = start + tag.length;
            continue;
        }
        push_lines(&mut out, &rest[from..start]);
        let end = match tag.is_end || CONTAINERS.contains(&tag.name.as_str()) {
            true => start + tag.length,
            false => start + element_length(&rest[start..], &tag),
        };
        let block = &rest[start..end];
        out.push_str(&match tag.name.as_str() {
            "p" if !tag.is_end => block
                .replace("\n\n", "</p>\n<p>")
                .replace('\n', "<br>\n")
                .replace("</p><br>", "</p>"),
            _ => block.to_owned(),
        });
        out.push('\n');
        rest = &rest[end..];
        (from, at) = (0, 0);
    }
    push_lines(&mut out, &rest[from..]);
    out.truncate(out.trim_end().len());
    out
}

/// Writes text without block elements as paragraphs.
fn push_lines(out: &mut String, text: &str) {
    for part in text.split("\n\n").map(str::trim) {
        if part.is_empty() {
            continue;
        }
        // A comment alone does not make a paragraph.
        if part.starts_with("<!--") && part.ends_with("-->") && part.matches("<!--").count() == 1 {
            out.push_str(part);
            out.push('\n');
            continue;
        }
        out.push_str("<p>");
        out.push_str(
            &part
                .replace('\n', "<br>\n")
                .replace("<br><br>", "<br>")
                .replace("<br /><br>", "<br />"),
        );
        out.push_str("</p>\n");
    }
}

struct Tag {
    /// Element name in lower case.
    name: String,
    is_end: bool,
    /// Length of the tag in bytes, including its angle brackets.
    length: usize,
}

impl Tag {
    fn read(text: &str) -> Option<Self> {
        let inner = text.strip_prefix('<')?;
        let (is_end, inner) = inner.strip_prefix('/').map_or((false, inner), |rest| (true, rest));
        let end = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
        let name = inner[..end].to_ascii_lowercase();
        if name.is_empty() {
            return None;
        }
        let length = memchr::memchr(b'>', text.as_bytes())? + 1;
        Some(Self { name, is_end, length })
    }
}

/// Returns the length of an element in bytes, from its start tag to its end tag. Some elements can
/// contain elements of the same name. Without an end tag, returns the length of the start tag.
fn element_length(text: &str, tag: &Tag) -> usize {
    const VOID: [&str; 1] = ["hr"];
    if VOID.contains(&tag.name.as_str()) {
        return tag.length;
    }
    let mut depth = 1_usize;
    let mut at = tag.length;
    while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        let start = at + found;
        let Some(next) = Tag::read(&text[start..]) else {
            at = start + 1;
            continue;
        };
        at = start + next.length;
        if next.name != tag.name {
            continue;
        }
        let may_nest = PRESERVED.contains(&tag.name.as_str());
        match next.is_end {
            true => depth -= 1,
            false if may_nest => depth += 1,
            // An unclosed paragraph or heading ends where the next one starts.
            false => return start,
        }
        if depth == 0 {
            return at;
        }
    }
    tag.length
}
