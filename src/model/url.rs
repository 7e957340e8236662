//! URLs as this program writes them.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// What cannot stand in a path as it is (RFC 3986 section 3.3), `%` included.
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

/// Percent-encodes a path of plain text, keeping its `/`.
pub fn encode_path(path: &str) -> String {
    utf8_percent_encode(path, PATH).to_string()
}

/// Whether a reference has a scheme or names a host: it does not lead into the site.
pub fn is_absolute(reference: &str) -> bool {
    reference.starts_with("//") || scheme(reference).is_some()
}

/// The scheme of a URL (RFC 3986 section 3.1), if it has one.
pub fn scheme(reference: &str) -> Option<&str> {
    let (scheme, _) = reference.split_once(':')?;
    let mut bytes = scheme.bytes();
    let valid = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    valid.then_some(scheme)
}

/// Whether a text is an `http:` or `https:` URL with a host.
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
    head.eq_ignore_ascii_case(prefix)
        .then(|| &text[prefix.len()..])
}

/// The host of an absolute URL, with its port where it names one.
pub fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or(rest)
}

/// Splits a reference into its path and what follows (`?query#fragment`).
pub fn split_suffix(reference: &str) -> (&str, &str) {
    let at = reference.find(['?', '#']).unwrap_or(reference.len());
    reference.split_at(at)
}

/// Percent-encodes what cannot stand in a reference, and leaves escapes, query and fragment alone.
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

/// Percent-encodes what cannot stand in an absolute URL, but for its host: a name beyond ASCII is
/// written another way, which is its author's to know.
pub fn encode_absolute(address: &str) -> String {
    let host = address.find("://").map_or(0, |at| at + 3);
    let end = address[host..]
        .find(['/', '?', '#'])
        .map_or(address.len(), |at| host + at);
    match host {
        0 => encode_reference(address),
        _ => format!("{}{}", &address[..end], encode_reference(&address[end..])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_url_is_encoded_once_and_keeps_its_host() {
        for (address, encoded) in [
            (
                "https://a.example/b c/ü.mp3?d=e f#g",
                "https://a.example/b%20c/%C3%BC.mp3?d=e%20f#g",
            ),
            ("https://a.example/b%20c", "https://a.example/b%20c"),
            ("https://ü.example", "https://ü.example"),
            ("mailto:a b@c", "mailto:a%20b@c"),
        ] {
            assert_eq!(encode_absolute(address), encoded);
        }
    }
}
