//! Tags and character references in the text of captions.

use std::borrow::Cow;

use crate::text::folded;

/// Whose tags a text has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tags {
    /// WebVTT section 4.2.2: any.
    Vtt,
    /// SRT has none by right. Those that files are full of, and `{\an8}`; `<laughs>` is text.
    Srt,
}

/// Tags that SRT files have.
const IN_SRT: [&str; 12] = [
    "b", "br", "c", "em", "font", "i", "rt", "ruby", "s", "strong", "u", "v",
];

/// The text of a caption, folded, and the first voice (`<v Name>`) that it names.
pub(crate) fn plain<'a>(text: Cow<'a, str>, tags: Tags) -> (Option<Cow<'a, str>>, Cow<'a, str>) {
    if !text.contains(['<', '&', '{']) {
        return (None, folded(text));
    }
    let mut voice = None;
    let out = without_tags(&text, tags, &mut voice);
    (voice.map(Cow::Owned), folded(Cow::Owned(out)))
}

fn without_tags(text: &str, tags: Tags, voice: &mut Option<String>) -> String {
    // A tag that nothing closes is text. Looked up once, so that many of them take no longer.
    let (last_tag, last_brace) = (text.rfind('>'), text.rfind('}'));
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.find(['<', '&', '{']) {
        let (before, from) = rest.split_at(next);
        out.push_str(before);
        let at = text.len() - from.len();
        let taken = match from.as_bytes()[0] {
            b'<' if last_tag.is_some_and(|last| last > at) => tag(from, tags, &mut out, voice),
            b'{' if last_brace.is_some_and(|last| last > at) => override_code(from, tags),
            b'&' => reference(from, &mut out),
            _ => None,
        };
        rest = match taken {
            Some(length) => &from[length..],
            None => {
                out.push_str(&from[..1]);
                &from[1..]
            }
        };
    }
    out.push_str(rest);
    out
}

/// The length of the tag that a text begins with. A `>` is known to follow.
fn tag(text: &str, tags: Tags, out: &mut String, voice: &mut Option<String>) -> Option<usize> {
    let inner = &text[1..];
    let is_begun = inner.starts_with(|c: char| c.is_ascii_alphanumeric() || "/.>".contains(c));
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let name = &name[..name
        .bytes()
        .take(8)
        .take_while(u8::is_ascii_alphanumeric)
        .count()];
    let is_known = || IN_SRT.iter().any(|known| known.eq_ignore_ascii_case(name));
    if !is_begun || (tags == Tags::Srt && !is_known()) {
        return None;
    }
    let inner = &inner[..inner.find('>')?];
    if name.eq_ignore_ascii_case("br") || (inner.starts_with('v') && name.len() == 1) {
        out.push(' ');
    }
    if inner.starts_with('v') && name.len() == 1 && voice.is_none() {
        let named = inner.split_once(char::is_whitespace);
        let named = named.map(|(_, name)| decoded(name));
        *voice = named.filter(|name| !name.is_empty());
    }
    Some(inner.len() + 2)
}

/// The length of `{\an8}` and the like. A `}` is known to follow.
fn override_code(text: &str, tags: Tags) -> Option<usize> {
    let is_code = tags == Tags::Srt && text.starts_with("{\\");
    is_code.then(|| text.find('}').map(|end| end + 1)).flatten()
}

/// The name of a voice, which may have references.
fn decoded(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(next) = rest.find('&') {
        out.push_str(&rest[..next]);
        let from = &rest[next..];
        let length = reference(from, &mut out).unwrap_or_else(|| {
            out.push('&');
            1
        });
        rest = &from[length..];
    }
    out.push_str(rest);
    folded(Cow::Owned(out)).into_owned()
}

/// Writes what a character reference stands for: those that WebVTT names, `&quot;`, `&apos;` and numbers.
fn reference(text: &str, out: &mut String) -> Option<usize> {
    let end = text.bytes().take(12).position(|byte| byte == b';')?;
    let name = &text[1..end];
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "nbsp" => '\u{A0}',
        "lrm" => '\u{200E}',
        "rlm" => '\u{200F}',
        "quot" => '"',
        "apos" => '\'',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(code.ok()?).filter(|c| *c != '\0')?
        }
    };
    out.push(c);
    Some(end + 1)
}
