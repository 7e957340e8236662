//! Finds addresses in a site file, which may be text, CSS, JSON or XML.

use model::Config;
use source::css::css_addresses;
use source::html::{Address, page_addresses};

/// Returns the addresses in a site file of this media type that may belong to the site.
pub fn file_addresses(config: &Config, content_type: &str, text: &str) -> Vec<Address> {
    let mut found = match content_type {
        "text/css" => to_addresses(css_addresses(text)),
        "text/markdown" => to_addresses(markdown_links(text)),
        kind if kind.ends_with("json") => json_addresses(text, kind.contains("manifest")),
        kind if kind.ends_with("xml") => page_addresses(text).addresses,
        _ => Vec::new(),
    };
    // An address with placeholders is a pattern, which cannot be checked.
    found.retain(|address| !address.text.contains(['{', '}']));
    for (at, address) in site_addresses(config, text) {
        let is_known = |known: &Address| at >= known.at && at < known.at + known.text.len();
        if !found.iter().any(is_known) {
            let text = address.to_owned();
            found.push(Address { at, text });
        }
    }
    found
}

fn to_addresses(found: Vec<(usize, &str)>) -> Vec<Address> {
    let address = |(at, text): (usize, &str)| Address { at, text: text.to_owned() };
    found.into_iter().map(address).collect()
}

/// Returns absolute addresses of the site anywhere in a site file.
fn site_addresses<'t>(config: &Config, text: &'t str) -> Vec<(usize, &'t str)> {
    let is_end = |c: char| c.is_whitespace() || "\"'`<>()[]|\\^,".contains(c);
    let theme_location = text.match_indices(&*config.base_url);
    let addresses = theme_location.filter_map(|(at, _)| {
        let rest = &text[at..];
        let address = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        let address = address.trim_end_matches(['.', ';', ':', '!', '?', '*', '_', '&']);
        let is_pattern = address.contains(['{', '}', '*', '$']);
        let is_inside = address.get(config.base_url.len()..)?.starts_with('/');
        (is_inside && !is_pattern).then_some((at, address))
    });
    addresses.collect()
}

/// Returns the targets of Markdown links that start at the site root: `[text](/path)`.
fn markdown_links(text: &str) -> Vec<(usize, &str)> {
    let theme_location = text.match_indices("](/");
    let links = theme_location.filter_map(|(at, _)| {
        let start = at + 2;
        let rest = &text[start..];
        let end = rest.find(|c: char| c.is_whitespace() || c == ')')?;
        Some((start, &rest[..end]))
    });
    links.collect()
}

/// Returns the addresses in JSON: the values of keys that contain addresses. In a web app manifest,
/// addresses may be relative.
fn json_addresses(text: &str, is_manifest: bool) -> Vec<Address> {
    let mut found = Vec::new();
    let (mut key, mut at) = ("", 0);
    while let Some(start) = text[at..].find('"').map(|start| at + start + 1) {
        let Some(end) = end_of_string(&text[start..]).map(|end| start + end) else {
            break;
        };
        let value = &text[start..end];
        at = end + 1;
        if text[at..].trim_start().starts_with(':') {
            key = value;
            continue;
        }
        let text = value.replace("\\/", "/");
        if is_address_key(key, is_manifest) && (is_manifest || text.starts_with('/')) {
            found.push(Address { at: start, text });
        }
    }
    found
}

fn is_address_key(key: &str, is_manifest: bool) -> bool {
    let lower = key.to_ascii_lowercase();
    match is_manifest {
        true => matches!(&*lower, "src" | "start_url" | "url" | "action"),
        false => {
            ["url", "href", "src", "uri", "link", "path"].iter().any(|end| lower.ends_with(end))
        }
    }
}

fn end_of_string(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_each_kind_of_file_are_found() {
        let config = Config { base_url: "https://a.example".into(), ..Config::default() };
        for (kind, text, expected) in [
            (
                "text/plain",
                "Sitemap: https://a.example/sitemap.xml\nSee <https://a.example/b/>, https://a.example/c.\nDisallow: /d/\nhttps://a.example.com/e https://a.example",
                "https://a.example/sitemap.xml https://a.example/b/ https://a.example/c",
            ),
            (
                "text/css",
                "a{b:url(/x.png)} /* https://a.example/y */",
                "/x.png https://a.example/y",
            ),
            (
                "text/markdown",
                "[a](/b/ \"t\") [c](https://a.example/d) [e](f.md)",
                "/b/ https://a.example/d",
            ),
            (
                "application/json",
                r#"{"url":"\/a","name":"/b","list":["https://a.example/c"],"icon_url":"d"}"#,
                "/a https://a.example/c",
            ),
            (
                "application/manifest+json",
                r#"{"start_url":".","icons":[{"src":"i.png","sizes":"1x1"}],"scope":"/x"}"#,
                ". i.png",
            ),
            (
                "application/xml",
                "<a><link href=\"/b\"/><loc>https://a.example/c</loc><Url template=\"https://a.example/s?q={q}\"/></a>",
                "/b https://a.example/c",
            ),
        ] {
            let found = file_addresses(&config, kind, text);
            let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
            assert_eq!(texts.join(" "), expected, "{kind}");
        }
    }
}
