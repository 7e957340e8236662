//! Reads HTML that authors write: the references in it, and its text.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Spanned, StartTag, Token, Tokenizer};

/// Attributes that hold a reference, by element.
const REFERENCES: [(&str, &str); 14] = [
    ("a", "href"),
    ("area", "href"),
    ("audio", "src"),
    ("embed", "src"),
    ("iframe", "src"),
    ("img", "src"),
    ("img", "srcset"),
    ("input", "src"),
    ("object", "data"),
    ("source", "src"),
    ("source", "srcset"),
    ("track", "src"),
    ("video", "src"),
    ("video", "poster"),
];

/// What a reference in HTML is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Link,
    /// A medium that is shown or played in place.
    Embed,
}

/// Attributes of any element that hold an address.
const ADDRESSES: [&str; 11] = [
    "action",
    "background",
    "cite",
    "data",
    "formaction",
    "href",
    "imagesrcset",
    "poster",
    "src",
    "srcset",
    "xlink:href",
];

/// Replaces the references in HTML. `resolve` gets each one with its role and its byte offset, and
/// answers what to write instead, or none to leave it. No other byte changes.
pub(crate) fn rewrite(
    html: &str,
    mut resolve: impl FnMut(Role, &str, usize) -> Option<String>,
) -> String {
    let mut out = String::with_capacity(html.len() + 64);
    let mut copied = 0;
    for tag in start_tags(html) {
        let mut found: Vec<(usize, usize, String)> = Vec::new();
        for (element, attribute) in REFERENCES {
            if *tag.name == *element.as_bytes()
                && let Some(value) = tag.attributes.get(attribute.as_bytes())
                && let Ok(text) = std::str::from_utf8(&value.value)
                && let Some((start, end)) = value_range(html, value)
            {
                let role = if attribute == "href" {
                    Role::Link
                } else {
                    Role::Embed
                };
                let new = if attribute == "srcset" {
                    rewrite_srcset(text, |reference| resolve(role, reference, start))
                } else {
                    resolve(role, text.trim(), start)
                };
                found.extend(new.map(|new| (start, end, new)));
            }
        }
        copied = replace(&mut out, html, copied, found);
    }
    out.push_str(&html[copied..]);
    out
}

/// Replaces the addresses in HTML, of whatever element: `resolve` answers what to write instead of
/// one, or none to leave it. Only values that hold `needle` are read: this is done each time a page is
/// rendered. No other byte changes.
pub fn rewrite_addresses(
    html: &str,
    needle: &str,
    mut resolve: impl FnMut(&str) -> Option<String>,
) -> String {
    let mut out = String::with_capacity(html.len());
    let (mut copied, mut at) = (0, 0);
    let mut next = html.find(needle);
    while let Some(held) = next
        && let Some(tag) = next_tag(html, at)
    {
        at = tag.end;
        let text = &html[tag.clone()];
        if held < tag.end {
            if text.contains(needle) {
                out.push_str(&html[copied..tag.start]);
                rewrite_tag(text, needle, &mut resolve, &mut out);
                copied = tag.end;
            }
            next = html[at..].find(needle).map(|found| at + found);
        }
        at += raw_text(text, &html[at..]);
    }
    out.push_str(&html[copied..]);
    out
}

fn rewrite_tag(
    tag: &str,
    needle: &str,
    resolve: &mut impl FnMut(&str) -> Option<String>,
    out: &mut String,
) {
    let mut found = Vec::new();
    let mut at = 1;
    while let Some((name, value)) = next_value(tag, at) {
        at = value.end;
        let written = &tag[value.clone()];
        let is_own = |own: &&&str| own.eq_ignore_ascii_case(name);
        if !written.contains(needle) {
            continue;
        }
        let Some(attribute) = ADDRESSES.iter().find(is_own) else {
            continue;
        };
        let text = value_of(written);
        let new = match *attribute {
            "srcset" | "imagesrcset" => rewrite_srcset(&text, &mut *resolve),
            _ => resolve(text.trim()),
        };
        found.extend(new.map(|new| (value.start, value.end, new)));
    }
    let copied = replace(out, tag, 0, found);
    out.push_str(&tag[copied..]);
}

/// The next attribute of a tag from a byte on that has a value: its name, and the bytes of its value with
/// the quotes (the HTML Living Standard, sections 13.2.5.32 to 39).
fn next_value(tag: &str, mut at: usize) -> Option<(&str, Range<usize>)> {
    let skip = |at: usize, is: fn(char) -> bool| tag[at..].find(|c| !is(c)).map(|n| at + n);
    loop {
        let start = skip(at, |c| c.is_ascii_whitespace() || c == '/')?;
        // Where a name begins, a `=` is a part of it.
        let first = tag[start..].chars().next().filter(|c| *c != '>')?;
        let name = start + first.len_utf8();
        let end = skip(name, |c| {
            !c.is_ascii_whitespace() && !matches!(c, '/' | '>' | '=')
        })?;
        at = skip(end, |c| c.is_ascii_whitespace())?;
        let Some(after) = tag[at..].strip_prefix('=') else {
            continue;
        };
        let value = tag.len() - after.trim_ascii_start().len();
        let length = match tag[value..].chars().next()? {
            quote @ ('"' | '\'') => tag[value + 1..].find(quote)? + 2,
            _ => tag[value..].find(|c: char| c.is_ascii_whitespace() || c == '>')?,
        };
        return Some((&tag[start..end], value..value + length));
    }
}

/// The text of an attribute's value, which may be written with quotes or without.
fn value_of(written: &str) -> Cow<'_, str> {
    if written.contains('&') {
        let tag = start_tags(&format!("<a href={written}>")).next();
        let value = tag.and_then(|mut tag| tag.attributes.remove(b"href".as_slice()));
        let value = value.map(|value| String::from_utf8_lossy(&value.value).into_owned());
        return Cow::Owned(value.unwrap_or_default());
    }
    let quote = written.chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote.and_then(|quote| written.strip_prefix(quote)?.strip_suffix(quote)) {
        Some(value) => Cow::Borrowed(value),
        None => Cow::Borrowed(written),
    }
}

/// The first start tag from a byte on, outside comments.
fn next_tag(html: &str, mut at: usize) -> Option<Range<usize>> {
    loop {
        let start = at + html[at..].find('<')?;
        let rest = &html[start..];
        at = if let Some(comment) = rest.strip_prefix("<!--") {
            start + 4 + comment.find("-->")?
        } else if rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Some(start..start + end_of_tag(rest));
        } else {
            start + 1
        };
    }
}

/// The length of a tag. A quote counts where a value begins; a `>` within quotes does not.
fn end_of_tag(tag: &str) -> usize {
    if let Some(end) = tag.find('>')
        && !tag[..end].contains(['"', '\''])
    {
        return end + 1;
    }
    let mut quote = None;
    let mut before = 0;
    for (at, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'>') => return at + 1,
            (None, b'"' | b'\'') if before == b'=' => quote = Some(byte),
            (None, _) => {}
        }
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
    }
    tag.len()
}

/// How long the text after a tag is that is not parsed as HTML: that of a script or a style.
fn raw_text(tag: &str, after: &str) -> usize {
    // Nearly every tag is none of these.
    if !tag[1..].starts_with(['s', 'S', 't', 'T']) {
        return 0;
    }
    let name = tag[1..].split(|c: char| !c.is_ascii_alphanumeric()).next();
    let is = |raw: &&str| name.is_some_and(|name| name.eq_ignore_ascii_case(raw));
    let Some(name) = ["script", "style", "textarea", "title"]
        .iter()
        .find(|raw| is(raw))
    else {
        return 0;
    };
    let ends = after.match_indices("</").find(|(at, _)| {
        let name_there = after.get(at + 2..at + 2 + name.len());
        name_there.is_some_and(|there| there.eq_ignore_ascii_case(name))
    });
    ends.map_or(after.len(), |(at, _)| at)
}

/// Copies HTML up to the end of the last of these attribute values, each replaced. Answers that end.
fn replace(
    out: &mut String,
    html: &str,
    mut copied: usize,
    mut found: Vec<(usize, usize, String)>,
) -> usize {
    found.sort();
    for (start, end, new) in found {
        out.push_str(&html[copied..start]);
        out.push('"');
        push_attribute(out, &new);
        out.push('"');
        copied = end;
    }
    copied
}

/// The text of HTML: what a reader sees, with a line for each block.
pub(crate) fn text(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut hidden = 0_usize;
    for token in tokens(html) {
        match token {
            Token::StartTag(tag) if is_hidden(&tag.name) => {
                hidden += usize::from(!tag.self_closing)
            }
            Token::EndTag(tag) if is_hidden(&tag.name) => hidden = hidden.saturating_sub(1),
            Token::StartTag(tag) if *tag.name == *b"br" || is_block(&tag.name) => {
                new_line(&mut out)
            }
            Token::EndTag(tag) if is_block(&tag.name) => new_line(&mut out),
            Token::String(text) if hidden == 0 => {
                push_collapsed(&mut out, &String::from_utf8_lossy(&text.value))
            }
            _ => {}
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// Elements that show nothing without a text: editors leave them for an empty paragraph.
const UNSEEN_ALONE: [&[u8]; 12] = [
    b"a", b"b", b"br", b"div", b"em", b"font", b"i", b"p", b"section", b"span", b"strong", b"u",
];

/// Whether there is anything to see in HTML: a text, or an element that shows something itself.
pub(crate) fn shows_something(html: &str) -> bool {
    !text(html).trim().is_empty()
        || start_tags(html).any(|tag| !UNSEEN_ALONE.contains(&tag.name.as_slice()))
}

/// The anchors in HTML: ids, and the names of older links.
pub(crate) fn anchors(html: &str) -> HashSet<String> {
    let mut anchors = HashSet::new();
    for tag in start_tags(html) {
        let is_link = *tag.name == *b"a";
        for (name, value) in &tag.attributes {
            if **name == *b"id" || (is_link && **name == *b"name") {
                anchors.insert(String::from_utf8_lossy(&value.value).into_owned());
            }
        }
    }
    anchors
}

/// Appends text with its white space folded.
pub(crate) fn push_collapsed(out: &mut String, text: &str) {
    for part in text.split_inclusive(|c: char| c.is_ascii_whitespace()) {
        let word = part.trim_end_matches(|c: char| c.is_ascii_whitespace());
        out.push_str(word);
        if word.len() < part.len() && !out.is_empty() && !out.ends_with([' ', '\n']) {
            out.push(' ');
        }
    }
}

/// Ends the line, unless it is empty.
pub(crate) fn new_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// Appends text as it stands in a double-quoted attribute.
pub(crate) fn push_attribute(out: &mut String, text: &str) {
    // Hardly any address has one of these.
    let is_escaped = |byte| matches!(byte, b'&' | b'"' | b'<' | b'>');
    if !text.bytes().any(is_escaped) {
        return out.push_str(text);
    }
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
}

fn tokens(html: &str) -> impl Iterator<Item = Token<usize>> {
    let mut emitter = DefaultEmitter::new_with_span();
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(html, emitter).map(|token| match token {
        Ok(token) => token,
        Err(never) => match never {},
    })
}

fn start_tags(html: &str) -> impl Iterator<Item = StartTag<usize>> {
    tokens(html).filter_map(|token| match token {
        Token::StartTag(tag) => Some(tag),
        _ => None,
    })
}

/// The bytes of an attribute's value with its quotes. The span starts at the attribute's name.
fn value_range<T>(html: &str, value: &Spanned<T, usize>) -> Option<(usize, usize)> {
    let rest = html.get(value.span.start..)?;
    let equals = rest.find('=')?;
    if rest[..equals].contains(['>', '"', '\'']) {
        return None;
    }
    let after = &rest[equals + 1..];
    let start = equals + 1 + (after.len() - after.trim_start().len());
    let quoted = &rest[start..];
    let length = match quoted.chars().next()? {
        quote @ ('"' | '\'') => quoted[1..].find(quote)? + 2,
        _ => quoted.find(|c: char| c.is_ascii_whitespace() || c == '>')?,
    };
    Some((value.span.start + start, value.span.start + start + length))
}

fn rewrite_srcset(text: &str, mut resolve: impl FnMut(&str) -> Option<String>) -> Option<String> {
    let mut changed = false;
    let candidates: Vec<String> = text
        .split(", ")
        .map(|candidate| {
            let candidate = candidate.trim();
            let (reference, rest) = candidate.split_at(
                candidate
                    .find(char::is_whitespace)
                    .unwrap_or(candidate.len()),
            );
            match resolve(reference) {
                Some(new) => {
                    changed = true;
                    format!("{new}{rest}")
                }
                None => candidate.to_owned(),
            }
        })
        .collect();
    changed.then(|| candidates.join(", "))
}

fn is_hidden(name: &[u8]) -> bool {
    matches!(
        name,
        b"script" | b"style" | b"template" | b"noscript" | b"svg" | b"iframe"
    )
}

fn is_block(name: &[u8]) -> bool {
    matches!(
        name,
        b"address"
            | b"article"
            | b"aside"
            | b"blockquote"
            | b"dd"
            | b"details"
            | b"div"
            | b"dl"
            | b"dt"
            | b"figcaption"
            | b"figure"
            | b"footer"
            | b"form"
            | b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"header"
            | b"hr"
            | b"li"
            | b"main"
            | b"nav"
            | b"ol"
            | b"p"
            | b"pre"
            | b"section"
            | b"summary"
            | b"table"
            | b"td"
            | b"th"
            | b"tr"
            | b"ul"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shout(html: &str) -> String {
        rewrite(html, |role, reference, _| {
            (!reference.starts_with("https:")).then(|| {
                format!(
                    "{}{}",
                    if role == Role::Link { "L:" } else { "E:" },
                    reference.to_uppercase()
                )
            })
        })
    }

    #[test]
    fn references_are_replaced_and_nothing_else() {
        for (html, expected) in [
            (
                r#"<p>a<img src="x.png" alt='q'> b</p>"#,
                r#"<p>a<img src="E:X.PNG" alt='q'> b</p>"#,
            ),
            (
                "<a class=x href = y.html>z</a>",
                r#"<a class=x href = "L:Y.HTML">z</a>"#,
            ),
            (
                r#"<a href="https://a/?b&amp;c">z</a>"#,
                r#"<a href="https://a/?b&amp;c">z</a>"#,
            ),
            (
                r#"<a href='a&amp;b"c'>z</a>"#,
                r#"<a href="L:A&amp;B&quot;C">z</a>"#,
            ),
            (
                r#"<img srcset="a.png 1x, b.png 2x" src=c.png>"#,
                r#"<img srcset="E:A.PNG 1x, E:B.PNG 2x" src="E:C.PNG">"#,
            ),
            (
                "<script>'<img src=\"x\">'</script>",
                "<script>'<img src=\"x\">'</script>",
            ),
            ("<!-- <img src=x> --> <b>", "<!-- <img src=x> --> <b>"),
            ("<img src", "<img src"),
            ("<img src>", "<img src>"),
        ] {
            assert_eq!(shout(html), expected, "{html}");
        }
    }

    #[test]
    fn text_is_what_a_reader_sees() {
        let html = "<h1>A &amp; B</h1><p>one\n two <b>three</b>.</p><script>x()</script><ul><li>x</li><li>y</li></ul>a<br>b";
        assert_eq!(text(html), "A & B\none two three.\nx\ny\na\nb");
    }
}
