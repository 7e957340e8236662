//! Resolves an address in a document to a path of the site.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use model::{Config, ContentLink, url};

/// A path on the site and an optional fragment, from an address in a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// A public path, percent-decoded.
    pub path: String,
    /// The id of an element in the document at `path`.
    pub anchor: Option<String>,
}

impl Target {
    /// Resolves an address in the document at the public path `document`. `base` is the document's
    /// `<base>`. Returns `None` for an address outside the site.
    pub fn of(config: &Config, document: &str, base: Option<&str>, address: &str) -> Option<Self> {
        let address = address.replace(['\t', '\n', '\r'], "");
        let from_path = config.path(document);
        let from_path = match base.filter(|_| !address.starts_with('#')) {
            Some(base) => resolve(config, &from_path, base)?,
            None => from_path.into(),
        };
        let whole = resolve(config, &from_path, address.trim())?;
        let (path, suffix) = url::split_suffix(&whole);
        let below = path.strip_prefix(config.base_path())?;
        let path = match below {
            "" => "/".into(),
            below if below.starts_with('/') => percent_decode_str(below).decode_utf8_lossy(),
            _ => return None,
        };
        let is_media = path.starts_with("/media/");
        // Hosts also serve the index file of a folder under its file name.
        let path = match path.strip_suffix("index.html") {
            Some(folder) if folder.ends_with('/') && !is_media => folder.to_owned(),
            _ => path.into_owned(),
        };
        (!is_media || config.media_base_url.is_none())
            .then(|| Self { path, anchor: ContentLink::anchor(suffix) })
    }
}

/// Resolves an address to a path on the site's host, with its query and fragment (RFC 3986, section
/// 5.2).
fn resolve<'t>(config: &Config, from_path: &str, address: &'t str) -> Option<Cow<'t, str>> {
    if address.starts_with("//") {
        let scheme = config.origin().split_once("//")?.0;
        return site_path(config, &format!("{scheme}{address}")).map(Cow::Owned);
    }
    if let Some(scheme) = url::scheme(address) {
        let is_http = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
        return site_path(config, address).filter(|_| is_http).map(Cow::Owned);
    }
    let path = url::split_suffix(from_path).0;
    let (inner, suffix) = url::split_suffix(address);
    if inner.is_empty() {
        return Some(format!("{path}{suffix}").into());
    }
    if inner.starts_with('/') && !inner.contains("/.") {
        return Some(address.into());
    }
    let folder = match inner.starts_with('/') {
        true => "",
        false => path.rsplit_once('/').map_or("", |(folder, _)| folder),
    };
    let mut parts: Vec<&str> = folder.split('/').collect();
    let last = inner.rsplit('/').next().unwrap_or_default();
    for part in inner.trim_start_matches('/').split('/') {
        match part {
            "." => {}
            ".." => {
                parts.truncate(parts.len().saturating_sub(1).max(1));
            }
            part => parts.push(part),
        }
    }
    if matches!(last, "." | "..") {
        parts.push("");
    }
    Some(format!("{}{suffix}", parts.join("/")).into())
}

/// Returns the path of an address if its host is the site's host, whatever its scheme.
fn site_path(config: &Config, address: &str) -> Option<String> {
    let (_, host) = config.origin().split_once("://")?;
    let (_, rest) = address.split_once("://")?;
    let start = rest.get(..host.len())?;
    let path = &rest[host.len()..];
    let default_port = match config.origin().starts_with("https:") {
        true => ":443",
        false => ":80",
    };
    let path = path.strip_prefix(default_port).unwrap_or(path);
    let is_own =
        start.eq_ignore_ascii_case(host) && (path.is_empty() || path.starts_with(['/', '?', '#']));
    is_own.then(|| match path.starts_with('/') {
        true => path.to_owned(),
        false => format!("/{path}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_resolved_as_browsers_do() {
        let config = Config { base_url: "https://a.example/blog".into(), ..Config::default() };
        let to = |base, address| {
            let target = Target::of(&config, "/i/walk/", base, address)?;
            let anchor = target.anchor.map_or_else(String::new, |anchor| format!("#{anchor}"));
            Some(format!("{}{anchor}", target.path))
        };
        for (address, expected) in [
            ("/blog/about/?a#b", Some("/about/#b")),
            ("/blog", Some("/")),
            ("/about/", None),
            ("/blogs/", None),
            ("https://a.example/blog/x%20y", Some("/x y")),
            ("http://A.example/blog/x", Some("/x")),
            ("https://a.example", None),
            ("https://a.example.com/blog/", None),
            ("//a.example/blog/z", Some("/z")),
            ("https://a.example:443/blog/x", Some("/x")),
            ("https://a.example:8443/blog/x", None),
            ("/blog/i/walk/index.html#b", Some("/i/walk/#b")),
            ("/blog/media/a/index.html", Some("/media/a/index.html")),
            ("//b.example/blog/z", None),
            ("mailto:a@b.example", None),
            ("data:text/css,a", None),
            ("#tides", Some("/i/walk/#tides")),
            ("#t=83", Some("/i/walk/")),
            ("?page=2", Some("/i/walk/")),
            ("photo.jpg", Some("/i/walk/photo.jpg")),
            ("../other/", Some("/i/other/")),
            ("../../..", Some("/i/walk/../../..")),
            ("./", Some("/i/walk/")),
            ("..", Some("/i/")),
            ("/blog/i/../about/", Some("/about/")),
        ] {
            let expected = match address {
                // This path is outside the base path of the site.
                "../../.." => None,
                _ => expected,
            };
            assert_eq!(to(None, address).as_deref(), expected, "{address}");
        }
        assert_eq!(to(Some("/blog/x/"), "y").as_deref(), Some("/x/y"));
        assert_eq!(to(Some("/blog/x/"), "#y").as_deref(), Some("/i/walk/#y"));
        assert_eq!(to(Some("https://b.example/"), "y"), None);
    }
}
