//! Converts addresses of the site itself to paths when templates of pages read them. Pages then
//! work at any address: on a local server, or in a host's preview of a branch.

use std::borrow::Cow;

use crate::trace::is_html;
use model::Config;
use source::html;

/// Returns whether the value of a key is an address to convert to a path. Addresses for sharing
/// stay complete.
fn is_address_key(key: &str) -> bool {
    match key {
        "absolute_url" | "base_url" => false,
        "accountUrl" | "banner_image" | "favicon" | "feedUrl" | "href" | "icon" | "image"
        | "img" | "link" | "src" | "uri" | "url" => true,
        _ => key.ends_with("_url"),
    }
}

/// Returns a string in which the site's own addresses are paths. Returns None if nothing changes.
pub fn local_text<'t>(config: &Config, key: &str, text: &'t str) -> Option<Cow<'t, str>> {
    if is_html(key) {
        let rewritten = || {
            html::rewrite_addresses(text, &config.base_url, |address| {
                config.local_path(address).map(|path| path.into_owned())
            })
        };
        return text.contains(&config.base_url).then(|| rewritten().into());
    }
    if key.ends_with("srcset") {
        let path = |address: &str| config.local_path(address).map(Cow::into_owned);
        return html::rewrite_srcset(text, path).map(Cow::Owned);
    }
    is_address_key(key).then(|| config.local_path(text)).flatten()
}
