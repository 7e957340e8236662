//! Tables of the `site.toml` of a new site.

use front_matter::compose;

use super::found::Found;
use super::patterns::{self, SourcePatterns};
use super::translations;

/// Returns the tables for the content of a source: `[addresses]`, `[languages]` and `[defaults]`.
pub fn tables(found: &Found, base_url: &str) -> Vec<String> {
    let addresses = addresses(&patterns::source_patterns(found, base_url));
    let languages = found.languages.as_ref().map(|own| translations::table(&own.languages));
    let defaults = found.defaults.iter().map(|(folder, fields)| {
        let fields: Vec<_> =
            fields.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let lines = compose(&fields, "");
        let lines = lines.trim().trim_matches('+').trim();
        format!("[defaults.{}]\n{lines}\n", key(folder))
    });
    addresses.into_iter().chain(languages).chain(defaults).collect()
}

/// Returns the table `[addresses]`, or `None` if the source has no pattern.
fn addresses(patterns: &SourcePatterns) -> Option<String> {
    let quoted = |pattern: &String| edit::quoted(pattern);
    let items = patterns.items.as_ref().map(|items| format!("items = {}\n", quoted(items)));
    let folders = patterns.folders.iter();
    let folders: Vec<String> = folders
        .map(|(folder, pattern)| format!("{} = {}\n", key(folder), quoted(pattern)))
        .collect();
    let folders =
        (!folders.is_empty()).then(|| format!("[addresses.folders]\n{}", folders.concat()));
    let items = items.map(|items| format!("[addresses]\n{items}"));
    let tables: Vec<String> = items.into_iter().chain(folders).collect();
    (!tables.is_empty()).then(|| tables.join("\n"))
}

/// Returns a folder as a key of TOML.
fn key(folder: &str) -> String {
    let is_bare = folder.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    if is_bare { folder.to_owned() } else { edit::quoted(folder) }
}
