//! Redirects for former paths of lists and feeds, which belong to no entry.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use super::found::{Found, Note};
use super::naming::below;
use site::paths;

/// Paths of the feeds that every WordPress site has.
const WORDPRESS: [&str; 4] = ["/feed/", "/feed/rss2/", "/feed/atom/", "/feed/podcast/"];

/// Adds a redirect for each feed of the source, unless the importer has already added one.
pub fn add_feeds(found: &mut Found, base_url: &str) {
    let mut feeds = Vec::new();
    for url in std::mem::take(&mut found.feeds) {
        let Some(path) = below(&url, base_url).filter(|path| path != "/") else {
            continue;
        };
        if url.query().is_some() {
            let message = format!(
                "the feed's address {url} has a query string: static hosts cannot redirect it"
            );
            found.note(message, "");
            continue;
        }
        let to = match path.ends_with(".json") || path.ends_with("/json/") {
            true => paths::json_feed(1),
            false => paths::rss(1),
        };
        feeds.push((path, to));
    }
    let is_from = |name: &str| found.kind.contains(name);
    let (of_site, of_tag): (&[&str], &str) = if is_from("WordPress") {
        (&WORDPRESS, "feed/")
    } else if is_from("Ghost") {
        (&["/rss/"], "rss/")
    } else {
        (&[], "")
    };
    let languages = found.languages.iter().flat_map(|own| &own.others).map(|own| &*own.path);
    let starts: Vec<&str> = languages.filter(|path| !path.is_empty()).chain([""]).collect();
    feeds.extend(of_site.iter().flat_map(|path| {
        starts.iter().map(move |start| (format!("{start}{path}"), paths::rss(1)))
    }));
    let pages = found.redirects.iter().filter(|(from, to)| {
        !of_tag.is_empty() && from.ends_with('/') && to.starts_with(paths::TAG_INDEX)
    });
    feeds.extend(pages.map(|(from, to)| (format!("{from}{of_tag}"), format!("{to}rss.xml"))));
    // Paths that exist on every feedwright site need no redirect.
    let is_own = |from: &str| {
        let bare = from.trim_end_matches('/');
        [&*paths::rss(1), &*paths::json_feed(1), "/rss", "/json"].contains(&bare)
    };
    feeds.retain(|(from, to)| from != to && !is_own(from));
    found.redirects.append(&mut feeds);
}

/// Writes `content/redirects.toml`. If the file exists already, reports the lines that the author
/// should add.
pub fn write(redirects: &[(String, String)], root: &Path, notes: &mut Vec<Note>) {
    if redirects.is_empty() {
        return;
    }
    let quoted = |text: &str| Value::from(text).to_string();
    let file = root.join("content/redirects.toml");
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    let mut known = HashSet::new();
    let lines = redirects
        .iter()
        .filter(|(from, _)| known.insert(from.trim_end_matches('/')))
        .map(|(from, to)| format!("{} = {}\n", quoted(from), quoted(to)));
    let lines: String = lines.filter(|line| !there.contains(line)).collect();
    if lines.is_empty() {
        return;
    }
    let result = edit::create(&file, lines.as_bytes());
    if let Err(error) = result {
        let message = format!(
            "content/redirects.toml was not written ({error}); add these lines to it:\n{lines}"
        );
        notes.push(Note::new(message, String::new()));
    }
}
