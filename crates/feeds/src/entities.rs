//! Entities and character references of XML and HTML, and conversion of HTML to text.

use std::borrow::Cow;

/// Maximum number of entities that are read from a document type.
const MAX_ENTITIES: usize = 100;
/// Maximum size of an entity's replacement text, in bytes.
const MAX_ENTITY_BYTES: usize = 200;

/// Returns the entities in a document type declaration that have a short replacement text. Entities
/// that refer to other entities are ignored, so that expanding a reference adds at most
/// [`MAX_ENTITY_BYTES`] bytes.
pub fn declared(declarations: &str) -> Vec<(String, String)> {
    let found = declarations.split("<!ENTITY").skip(1).take(MAX_ENTITIES);
    let found = found.filter_map(|declaration| {
        let (name, value) = declaration.trim_start().split_once(char::is_whitespace)?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, _) = value[1..].split_once(quote)?;
        let is_plain = |reference: &str| {
            let name = reference.split(';').next().unwrap_or_default();
            name.starts_with('#') || matches!(name, "amp" | "lt" | "gt" | "quot" | "apos")
        };
        let is_short = value.len() <= MAX_ENTITY_BYTES && value.split('&').skip(1).all(is_plain);
        is_short.then(|| (name.to_owned(), unescape(value)))
    });
    found.collect()
}

/// Returns the replacement text of an entity or a character reference.
pub fn resolve_entity(name: &str) -> Option<Cow<'static, str>> {
    let Some(number) = name.strip_prefix('#') else {
        return match name {
            "amp" => Some("&".into()),
            "lt" => Some("<".into()),
            "gt" => Some(">".into()),
            "quot" => Some("\"".into()),
            "apos" => Some("'".into()),
            _ => html_entity(name).map(Cow::Owned),
        };
    };
    let number = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    // Like browsers, interprets the numbers of these control characters as Windows-1252.
    let number = number.ok()?;
    if let 0x80..=0x9f = number {
        let byte = [u8::try_from(number).ok()?];
        let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&byte);
        return Some(Cow::Owned(text.into_owned()));
    }
    char::from_u32(number).map(|c| Cow::Owned(c.to_string()))
}

/// Returns the replacement text of an HTML entity. Feeds use HTML's entities without declaring
/// them.
fn html_entity(name: &str) -> Option<String> {
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_name || name.len() > 40 {
        return None;
    }
    let written = format!("&{name};");
    Some(text_of_html(&written)).filter(|text| *text != written && !text.ends_with(';'))
}

/// Decodes the references in an attribute's value. Unknown references are kept unchanged.
pub fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(40).position(|byte| byte == b';');
        let found = end.and_then(|end| Some((end, resolve_entity(&rest[1..end])?)));
        match found {
            Some((end, found)) => {
                text.push_str(&found);
                rest = &rest[end + 1..];
            }
            None => {
                text.push('&');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    text
}

/// Returns the text content of HTML, without tags.
pub fn text_of_html(html: &str) -> String {
    let tokens = html5gum::Tokenizer::new(html).flatten();
    let text = tokens.filter_map(|token| match token {
        html5gum::Token::String(text) => Some(String::from_utf8_lossy(&text).into_owned()),
        _ => None,
    });
    text.collect()
}
