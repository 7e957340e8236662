//! Resolves links between entries of a feed or a service by the former addresses of the entries.

use std::collections::HashMap;

use fetch::Url;

use super::found::{Body, Entry, Found, to_text};
use super::naming::key;
use source::html::{self, Role};

/// Replaces links to other entries with placeholders. A link to an address that several entries
/// share stays unchanged.
pub fn mark(found: &mut Found, base_url: &str) {
    let Ok(base) = Url::parse(&format!("{}/", base_url.trim_end_matches('/'))) else {
        return;
    };
    let mut by_address: HashMap<String, Option<String>> = HashMap::new();
    for entry in found.items.iter().chain(&found.pages) {
        for url in addresses(entry, &base) {
            let is_home = url.path() == base.path() && url.query().is_none();
            let known = (!is_home).then(|| entry.identity.clone());
            by_address
                .entry(comparable_url(&url))
                .and_modify(|held| *held = held.take().filter(|held| *held == entry.identity))
                .or_insert(known);
        }
    }
    for entry in found.items.iter_mut().chain(&mut found.pages) {
        let Body::Html(text) = &entry.body else {
            continue;
        };
        let linked = html::rewrite(text, |role, reference, _| {
            let is_link = role == Role::Link && !reference.starts_with('#');
            let url = is_link.then(|| base.join(reference).ok()).flatten()?;
            let identity = by_address.get(&comparable_url(&url))?.as_ref()?;
            let fragment = url.fragment().map(|part| format!("#{part}"));
            Some(to_text(identity) + &fragment.unwrap_or_default())
        });
        entry.body = Body::Html(linked);
    }
}

fn addresses(entry: &Entry, base: &Url) -> Vec<Url> {
    // Former paths are relative to the base address, which may itself contain a path.
    let former = entry.aliases().filter_map(|path| base.join(path.strip_prefix('/')?).ok());
    entry.address.clone().into_iter().chain(former).collect()
}

/// Normalizes an address for comparisons: without scheme and leading `www.`.
fn comparable_url(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default().trim_start_matches("www.");
    format!("{host}/{}?{}", key(url.path()), url.query().unwrap_or_default())
}
