//! Converts the path of a request to the form in which the site writes paths.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Returns the public path in a request's target: without scheme, host, query and base path,
/// percent-decoded, and with resolved dot segments (RFC 3986, sections 2.1 and 5.2.4). Returns
/// `None` if the target contains no path that a site can have.
pub(super) fn canonical<'t>(target: &'t str, base_path: &str) -> Option<Cow<'t, str>> {
    let target = if target.starts_with('/') {
        target
    } else {
        let (_, rest) = target.split_once("://")?;
        &rest[rest.find('/')?..]
    };
    let end = target.find(['?', '#']).unwrap_or(target.len());
    let path = percent_decode_str(&target[..end]).decode_utf8().ok()?;
    if path.chars().any(char::is_control) {
        return None;
    }
    let path =
        if path.contains("//") || path.contains("/.") { Cow::Owned(resolve(&path)) } else { path };
    let is_below = path.strip_prefix(base_path).is_some_and(|rest| rest.starts_with('/'));
    Some(match (is_below && !base_path.is_empty(), path) {
        (false, path) => path,
        (true, Cow::Borrowed(path)) => Cow::Borrowed(&path[base_path.len()..]),
        (true, Cow::Owned(path)) => Cow::Owned(path[base_path.len()..].to_owned()),
    })
}

fn resolve(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    let end = if path.ends_with('/') { "/" } else { "" };
    if parts.is_empty() { "/".to_owned() } else { format!("/{}{end}", parts.join("/")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_targets_map_to_public_paths() {
        for (target, path) in [
            ("/media/a.mp3", Some("/media/a.mp3")),
            ("/media/a%20b.mp3?x=1&y#z", Some("/media/a b.mp3")),
            ("https://example.com/media/%C3%BC.mp3", Some("/media/ü.mp3")),
            ("/blog/media/a.mp3", Some("/media/a.mp3")),
            ("/blogs/media/a.mp3", Some("/blogs/media/a.mp3")),
            ("//media/./x/../a.mp3", Some("/media/a.mp3")),
            ("/../../a.mp3", Some("/a.mp3")),
            ("/media/", Some("/media/")),
            ("/a%00b.mp3", None),
            ("/a%FF.mp3", None),
            ("*", None),
            ("example.com:443", None),
            ("", None),
        ] {
            assert_eq!(canonical(target, "/blog").as_deref(), path, "{target}");
        }
    }
}
