//! Tags and character references in the text of captions.

use std::borrow::Cow;

use html5gum::{Token, Tokenizer};
use memchr::{memchr, memchr3, memrchr};

use crate::text::{fold_whitespace, push_folded, push_space};

/// Length of HTML's longest character reference, in bytes.
const MAX_REFERENCE_BYTES: usize = "&CounterClockwiseContourIntegral;".len();

/// The caption format, which determines the tags to remove.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tags {
    /// WebVTT: any tag (section 4.2.2).
    Vtt,
    /// SRT: common tags, and codes such as `{\an8}`. The format defines no tags, so `<laughs>` is
    /// text.
    Srt,
}

/// Tags that occur in SRT files.
const SRT_TAGS: [&str; 12] =
    ["b", "br", "c", "em", "font", "i", "rt", "ruby", "s", "strong", "u", "v"];

/// Returns the first voice (`<v Name>`) in a caption, and the caption's text without markup and
/// with normalized whitespace.
pub(crate) fn strip_markup<'a>(
    text: Cow<'a, str>,
    tags: Tags,
) -> (Option<Cow<'a, str>>, Cow<'a, str>) {
    if next_mark(&text).is_none() {
        return (None, fold_whitespace(text));
    }
    match text {
        Cow::Borrowed(text) => strip_tags(text, tags),
        Cow::Owned(text) => {
            let (voice, out) = strip_tags(&text, tags);
            (voice.map(|name| Cow::Owned(name.into_owned())), out)
        }
    }
}

/// Returns the next position where a tag, a character reference or a code can begin.
fn next_mark(text: &str) -> Option<usize> {
    memchr3(b'<', b'&', b'{', text.as_bytes())
}

fn strip_tags<'t, 'o>(text: &'t str, tags: Tags) -> (Option<Cow<'t, str>>, Cow<'o, str>) {
    // A `<` without a `>` is text. The last `>` is located only once, so that many unclosed tags
    // take no extra time.
    let last = |sign| memrchr(sign, text.as_bytes());
    let (last_tag, last_brace) = (last(b'>'), last(b'}'));
    let mut voice = None;
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = next_mark(rest) {
        let (before, from) = rest.split_at(next);
        push_folded(&mut out, before);
        let at = text.len() - from.len();
        let taken = match from.as_bytes()[0] {
            b'<' if last_tag.is_some_and(|last| last > at) => tag(from, tags, &mut out, &mut voice),
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
    push_folded(&mut out, rest);
    out.truncate(out.trim_end().len());
    (voice, Cow::Owned(out))
}

/// Handles the tag at the start of `text`, and returns its length. The caller must ensure that a
/// `>` follows.
fn tag<'t>(
    text: &'t str,
    tags: Tags,
    out: &mut String,
    voice: &mut Option<Cow<'t, str>>,
) -> Option<usize> {
    let inner = &text[1..];
    let starts_with_word =
        inner.starts_with(|c: char| c.is_ascii_alphanumeric() || "/.>".contains(c));
    let name = inner.strip_prefix('/').unwrap_or(inner);
    let name = &name[..name.bytes().take(8).take_while(u8::is_ascii_alphanumeric).count()];
    let is_known = || SRT_TAGS.iter().any(|known| known.eq_ignore_ascii_case(name));
    if !starts_with_word || (tags == Tags::Srt && !is_known()) {
        return None;
    }
    let inner = &inner[..memchr(b'>', inner.as_bytes())?];
    if name.eq_ignore_ascii_case("br") || (inner.starts_with('v') && name.len() == 1) {
        push_space(out);
    }
    if inner.starts_with('v') && name.len() == 1 && voice.is_none() {
        let named = inner.split_once(char::is_whitespace);
        let named = named.map(|(_, name)| decode(name));
        *voice = named.filter(|name| !name.is_empty());
    }
    Some(inner.len() + 2)
}

/// Returns the length of a code such as `{\an8}` at the start of `text`. The caller must ensure
/// that a `}` follows.
fn override_code(text: &str, tags: Tags) -> Option<usize> {
    let is_code = tags == Tags::Srt && text.starts_with("{\\");
    is_code.then(|| text.find('}').map(|end| end + 1)).flatten()
}

/// Decodes the name of a voice, which can contain character references.
fn decode(name: &str) -> Cow<'_, str> {
    if !name.contains('&') {
        return fold_whitespace(Cow::Borrowed(name));
    }
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(next) = memchr(b'&', rest.as_bytes()) {
        push_folded(&mut out, &rest[..next]);
        let from = &rest[next..];
        let length = reference(from, &mut out).unwrap_or_else(|| {
            out.push('&');
            1
        });
        rest = &from[length..];
    }
    push_folded(&mut out, rest);
    out.truncate(out.trim_end().len());
    Cow::Owned(out)
}

/// Appends the characters for the reference at the start of `text`, which is a number or an HTML
/// name (section 13.5). Returns the length of the reference.
fn reference(text: &str, out: &mut String) -> Option<usize> {
    let end = text.bytes().take(MAX_REFERENCE_BYTES).position(|byte| byte == b';')?;
    let name = &text[1..end];
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "nbsp" => ' ',
        _ => match name.strip_prefix('#') {
            Some(number) => numeric_reference(number)?,
            None => {
                push_folded(out, &named(&text[..=end])?);
                return Some(end + 1);
            }
        },
    };
    push_folded(out, c.encode_utf8(&mut [0; 4]));
    Some(end + 1)
}

fn numeric_reference(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?).filter(|c| *c != '\0')
}

/// Decodes a named character reference with HTML's complete table.
fn named(reference: &str) -> Option<String> {
    let name = &reference[1..reference.len() - 1];
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let token = is_name.then(|| Tokenizer::new(reference).next())??;
    match token {
        Ok(Token::String(text)) => String::from_utf8(text.value.0).ok(),
        _ => None,
    }
}
