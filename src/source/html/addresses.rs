//! Rewriting of the addresses in any HTML element. HTML is not parsed if it does not contain the
//! addresses to replace.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2};

use super::{replace, rewrite_srcset, start_tags};

/// Attributes that contain an address, in any element.
pub(super) const ADDRESSES: [&str; 11] = [
    "action", "background", "cite", "data", "formaction", "href", "imagesrcset", "poster", "src",
    "srcset", "xlink:href",
];

/// Replaces the addresses in HTML, in any element. `resolve` returns the replacement for an
/// address, or `None` to keep the address. Only values that contain `needle` are read, because this
/// function runs each time a page is rendered. No other byte changes.
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

/// Returns the first attribute with a value at or after byte `at` of a tag: its name, and the byte
/// range of its value with the quotes (HTML Living Standard, sections 13.2.5.32 to 39).
pub(super) fn next_value(tag: &str, mut at: usize) -> Option<(&str, Range<usize>)> {
    let skip = |at: usize, is: fn(char) -> bool| tag[at..].find(|c| !is(c)).map(|n| at + n);
    loop {
        let start = skip(at, |c| c.is_ascii_whitespace() || c == '/')?;
        // A `=` at the start of a name is part of the name.
        let first = tag[start..].chars().next().filter(|c| *c != '>')?;
        let name = start + first.len_utf8();
        let end = skip(name, |c| !c.is_ascii_whitespace() && !matches!(c, '/' | '>' | '='))?;
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

/// Returns the text of an attribute's value, written with or without quotes.
pub(super) fn value_of(written: &str) -> Cow<'_, str> {
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

/// Returns the first start tag at or after byte `at`, outside comments.
pub(super) fn next_tag(html: &str, mut at: usize) -> Option<Range<usize>> {
    loop {
        let start = at + memchr(b'<', &html.as_bytes()[at..])?;
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

/// Returns the length of a tag. A quote counts only at the start of a value. A `>` within quotes
/// does not end the tag.
fn end_of_tag(tag: &str) -> usize {
    if let Some(end) = memchr(b'>', tag.as_bytes())
        && memchr2(b'"', b'\'', &tag.as_bytes()[..end]).is_none()
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

/// Returns the length of the text after a tag that is not parsed as HTML, such as the text of a
/// script or style.
pub(super) fn raw_text(tag: &str, after: &str) -> usize {
    // Fast path: the elements below start with `s` or `t`.
    if !tag[1..].starts_with(['s', 'S', 't', 'T']) {
        return 0;
    }
    let name = tag[1..].split(|c: char| !c.is_ascii_alphanumeric()).next();
    let is = |raw: &&str| name.is_some_and(|name| name.eq_ignore_ascii_case(raw));
    let Some(name) = ["script", "style", "textarea", "title"].iter().find(|raw| is(raw)) else {
        return 0;
    };
    let ends = after.match_indices("</").find(|(at, _)| {
        let name_there = after.get(at + 2..at + 2 + name.len());
        name_there.is_some_and(|there| there.eq_ignore_ascii_case(name))
    });
    ends.map_or(after.len(), |(at, _)| at)
}
