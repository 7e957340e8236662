//! Tables of the `site.toml` of a new site.

use front_matter::compose;

use super::found::Found;
use super::{patterns, translations};

/// Returns the tables for the content of a source: `[addresses]`, `[languages]` and `[defaults]`.
pub fn tables(found: &Found, base_url: &str) -> Vec<String> {
    let addresses = patterns::pattern(found, base_url)
        .map(|pattern| format!("[addresses]\nitems = {}\n", edit::quoted(&pattern)));
    let languages = found.languages.as_ref().map(|own| translations::table(&own.languages));
    let defaults = found.defaults.iter().map(|(folder, fields)| {
        let fields: Vec<_> =
            fields.iter().map(|(key, value)| (key.as_str(), value.clone())).collect();
        let lines = compose(&fields, "");
        let lines = lines.trim().trim_matches('+').trim();
        let is_bare = folder.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
        let folder = if is_bare { folder.clone() } else { edit::quoted(folder) };
        format!("[defaults.{folder}]\n{lines}\n")
    });
    addresses.into_iter().chain(languages).chain(defaults).collect()
}
