//! URLs as feedwright writes them.
//!
//! This module does not use the crate `url`, because that crate normalizes URLs, for example
//! non-ASCII hosts, and cannot parse a relative reference without a base.

use std::net::IpAddr;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// Characters that a path cannot contain unencoded (RFC 3986, section 3.3), including `%`.
const PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Percent-encodes a plain-text path, except for its slashes.
pub fn encode_path(path: &str) -> String {
    utf8_percent_encode(path, PATH).collect()
}

/// Appends a plain-text path to `base`. Percent-encodes the path, except for its slashes. An absolute
/// address replaces `base`.
pub fn join_path(base: &str, path: &str) -> String {
    join_paths(base, "", path)
}

/// Appends two plain-text paths to `base`, like [`join_path`].
pub fn join_paths(base: &str, mount: &str, path: &str) -> String {
    // A show that is published as a separate site has an absolute address as its mount.
    let (base, mount, path) = match (split_origin(path), split_origin(mount)) {
        (Some((origin, path)), _) => (origin, "", path),
        (None, Some((origin, mount))) => (origin, mount, path),
        (None, None) => (base, mount, path),
    };
    let mut url = String::with_capacity(base.len() + mount.len() + path.len());
    url.push_str(base);
    for part in [mount, path] {
        // Nearly all paths have only these characters, and checking is faster than encoding.
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'.' | b'_');
        match part.bytes().all(is_plain) {
            true => url.push_str(part),
            false => url.extend(utf8_percent_encode(part, PATH)),
        }
    }
    url
}

/// Splits an absolute web address into scheme with host, and path. Returns `None` for a path.
pub fn split_origin(address: &str) -> Option<(&str, &str)> {
    if address.starts_with('/') || !is_http(address) {
        return None;
    }
    let host = address.find("://")? + 3;
    Some(address.split_at(address[host..].find('/').map_or(address.len(), |end| host + end)))
}

/// Returns whether a reference has a scheme or a host. Other references stay within the site.
pub fn is_absolute(reference: &str) -> bool {
    reference.starts_with("//") || scheme(reference).is_some()
}

/// Returns the scheme of a URL (RFC 3986, section 3.1), if it has one.
pub fn scheme(reference: &str) -> Option<&str> {
    let (scheme, _) = reference.split_once(':')?;
    let mut bytes = scheme.bytes();
    let valid = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    valid.then_some(scheme)
}

/// URL schemes that links cannot use. A browser runs such an address as a program, shows a document
/// contained in the address itself, or opens a file on the reader's own machine.
pub const REFUSED_SCHEMES: [&str; 9] = [
    "javascript", "vbscript", "livescript", "data", "blob", "file", "filesystem", "about",
    "view-source",
];

/// Returns the refused scheme that a browser or another program could find in an address. This
/// includes schemes hidden by whitespace and control characters, which browsers ignore (WHATWG URL,
/// section 4.4), or by percent-encoding and character references.
pub fn refused_scheme(text: &str) -> Option<&'static str> {
    // Most addresses begin with `http:` or `https:`, and need no decoding before the colon.
    if is_http(text) || !text.contains([':', '%', '&']) {
        return None;
    }
    let mut text = text.to_owned();
    for _ in 0..MAX_DECODINGS {
        let plain = normalized(&text);
        let found = plain
            .split_once(':')
            .and_then(|(scheme, _)| REFUSED_SCHEMES.iter().find(|refused| **refused == scheme));
        if let Some(found) = found {
            return Some(found);
        }
        let decoded = percent_decode_str(&text).decode_utf8_lossy();
        let decoded = decode_references(&decoded);
        if decoded == text {
            return None;
        }
        text = decoded;
    }
    None
}

/// Maximum number of times an address is decoded. Some programs decode an address several times.
const MAX_DECODINGS: usize = 4;

/// Decodes the character references (HTML, section 13.2.5.72) that can hide a scheme.
fn decode_references(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        match reference(after) {
            Some((c, length)) => {
                out.push(c);
                rest = &after[length..];
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out + rest
}

/// Parses a character reference without its `&`. Returns the character, and the length of the
/// reference in bytes.
fn reference(text: &str) -> Option<(char, usize)> {
    for (name, c) in [("colon;", ':'), ("Tab;", '\t'), ("NewLine;", '\n')] {
        if text.starts_with(name) {
            return Some((c, name.len()));
        }
    }
    let number = text.strip_prefix('#')?;
    let (digits, radix) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    let count = digits.bytes().take_while(|b| char::from(*b).is_digit(radix)).count();
    let c = char::from_u32(u32::from_str_radix(&digits[..count], radix).ok()?)?;
    let end = text.len() - digits.len() + count;
    Some((c, end + usize::from(text[end..].starts_with(';'))))
}

/// Converts a string to lower case, and removes the characters that browsers ignore in a scheme:
/// whitespace, control characters and invisible characters.
fn normalized(text: &str) -> String {
    let is_seen = |c: &char| {
        !c.is_whitespace()
            && !c.is_control()
            && !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
    };
    text.chars().filter(is_seen).flat_map(char::to_lowercase).collect()
}

/// Returns whether a string is an `http:` or `https:` URL with a host.
pub fn is_http(text: &str) -> bool {
    let rest = strip_prefix_ignore_case(text, "https://")
        .or_else(|| strip_prefix_ignore_case(text, "http://"));
    rest.is_some_and(|rest| {
        !rest.is_empty()
            && !rest.starts_with(['/', '?', '#'])
            && !text.contains(char::is_whitespace)
    })
}

fn strip_prefix_ignore_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let head = text.get(..prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then(|| &text[prefix.len()..])
}

/// Returns the host of an absolute URL, with its port if the URL contains one.
pub fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

/// Returns whether a URL has the scheme `https`.
pub fn is_https(text: &str) -> bool {
    scheme(text).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"))
}

/// Returns whether secrets may be sent to an address: over HTTPS, or to this machine.
pub fn is_safe_for_secrets(address: &str) -> bool {
    let host = host(address);
    !host.contains('@') && (is_https(address) || is_loopback(host))
}

/// Returns whether a host, with or without a port, refers to this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(name, _)| name),
        None => host.split(':').next().unwrap_or(host),
    };
    let is_loopback_address = name.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    name.eq_ignore_ascii_case("localhost") || is_loopback_address
}

/// Splits a reference into its path and its suffix (`?query#fragment`).
pub fn split_suffix(reference: &str) -> (&str, &str) {
    let at = reference.find(['?', '#']).unwrap_or(reference.len());
    reference.split_at(at)
}

/// Percent-encodes characters that a reference cannot contain. Existing escapes, query and fragment
/// stay unchanged.
pub fn encode_reference(reference: &str) -> String {
    const REFERENCE: &AsciiSet = &CONTROLS
        .add(b' ')
        .add(b'"')
        .add(b'<')
        .add(b'>')
        .add(b'\\')
        .add(b'^')
        .add(b'`')
        .add(b'{')
        .add(b'|')
        .add(b'}');
    utf8_percent_encode(reference, REFERENCE).to_string()
}

/// Percent-encodes characters that an absolute URL cannot contain, except in its host. A non-ASCII
/// host needs a different encoding (`xn--`), which the author must write.
pub fn encode_absolute(address: &str) -> String {
    let host = address.find("://").map_or(0, |at| at + 3);
    let end = address[host..].find(['/', '?', '#']).map_or(address.len(), |at| host + at);
    match host {
        0 => encode_reference(address),
        _ => format!("{}{}", &address[..end], encode_reference(&address[end..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_that_browsers_would_run_are_refused() {
        for text in [
            "javascript:alert(1)", "JaVaScRiPt:alert(1)", " \t\u{1}javascript:alert(1)",
            "java\nscript\t:alert(1)", "java\u{ad}script:alert(1)", "javascript%3Aalert(1)",
            "%6Aavascript:alert(1)", "javascript%253Aalert(1)", "&#106;avascript:alert(1)",
            "&#x6A;avascript&colon;alert(1)", "java&Tab;script:alert(1)",
            "java&#10script:alert(1)", "javascript://example.com/%0aalert(1)",
        ] {
            assert_eq!(refused_scheme(text), Some("javascript"), "{text:?}");
        }
        for scheme in REFUSED_SCHEMES {
            assert_eq!(refused_scheme(&format!("{scheme}:x")), Some(scheme));
        }
        for text in [
            "",
            "https://example.com/?to=javascript:alert(1)",
            "mailto:data:x@example.com",
            "tel:+351",
            "//example.com/javascript:x",
            "media/javascript.mp3",
            "notes on data.pdf",
            "100% javascript",
            "a & b: data",
            "&#99999999999;",
            "&#xD800;&#;&",
        ] {
            assert_eq!(refused_scheme(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_absolute_url_is_encoded_once_and_keeps_its_host() {
        for (address, encoded) in [
            ("https://a.example/b c/ü.mp3?d=e f#g", "https://a.example/b%20c/%C3%BC.mp3?d=e%20f#g"),
            ("https://a.example/b%20c", "https://a.example/b%20c"),
            ("https://ü.example", "https://ü.example"),
            ("mailto:a b@c", "mailto:a%20b@c"),
        ] {
            assert_eq!(encode_absolute(address), encoded);
        }
    }
}
