//! Turns addresses of the site itself into paths where templates of pages read them, so that pages work at any address: on
//! a local server, or in a host's preview of a branch.

use crate::model::Config;
use crate::source::html;

/// Keys whose text is HTML.
const HTML: [&str; 3] = ["content_html", "description", "description_html"];

/// Keys whose text is an address, beside those that end in `_url`.
const ADDRESSES: [&str; 11] = [
    "accountUrl",
    "banner_image",
    "favicon",
    "feedUrl",
    "href",
    "icon",
    "image",
    "img",
    "link",
    "uri",
    "url",
];

/// Keys of addresses that stay whole: for links to share and the like.
const ABSOLUTE: [&str; 2] = ["absolute_url", "base_url"];

/// A text under a key with the site's own addresses as paths; None if it stays as it is.
pub fn local(config: &Config, key: &str, text: &str) -> Option<String> {
    if HTML.contains(&key) {
        return text.contains(&config.base_url).then(|| {
            html::rewrite_addresses(text, &config.base_url, |address| {
                config.own_path(address).map(|path| path.into_owned())
            })
        });
    }
    let is_address = ADDRESSES.contains(&key) || key.ends_with("_url");
    if !is_address || ABSOLUTE.contains(&key) {
        return None;
    }
    config.own_path(text).map(|path| path.into_owned())
}
