//! Turns addresses of the site itself into paths in template contexts, so that pages work at any address: on
//! a local server, or in a host's preview of a branch.

use serde_json::Value;

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

/// Writes the site's own addresses in a value as paths.
pub fn localize(config: &Config, value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|one| localize(config, one)),
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(text) => {
                        if let Some(new) = local(config, key, text) {
                            *text = new;
                        }
                    }
                    value => localize(config, value),
                }
            }
        }
        _ => {}
    }
}

fn local(config: &Config, key: &str, text: &str) -> Option<String> {
    if HTML.contains(&key) {
        return text.contains(&config.base_url).then(|| {
            html::rewrite_addresses(text, &config.base_url, |address| {
                config.own_path(address).map(|path| path.into_owned())
            })
        });
    }
    let path = config.own_path(text)?;
    let is_address = ADDRESSES.contains(&key) || key.ends_with("_url");
    (is_address && !ABSOLUTE.contains(&key)).then(|| path.into_owned())
}
