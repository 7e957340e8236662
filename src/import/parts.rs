//! Reads a feed with all its parts (paged and archived feeds, RFC 5005), from a file or an address.

use std::collections::HashSet;

use fetch::Client;
use xxhash_rust::xxh3::xxh3_64;

use super::address::open;
use super::feed;
use super::found::Found;

/// Maximum number of parts of a feed.
pub const MAX_PARTS: usize = 1000;

/// Reads a feed with all its parts.
pub fn read(source: &str, client: &Client) -> Result<Found, String> {
    let origin = open(source, client)?;
    let (mut found, mut next) = feed::read(&origin)?;
    let mut seen = vec![source.to_owned()];
    let mut contents = HashSet::from([xxh3_64(&origin.bytes)]);
    while let Some(url) = next.take() {
        let Some(url) = origin.url.as_ref().and_then(|base| base.join(&url).ok()) else {
            found.note(
                format!(
                    "the feed continues at {url}, which was not read: import the feed from its address instead of a file"
                ),
                "",
            );
            break;
        };
        if seen.contains(&url.to_string()) || seen.len() > MAX_PARTS {
            break;
        }
        seen.push(url.to_string());
        let opened = open(url.as_str(), client)?;
        // A server that ignores paging returns the same part for every page.
        if !contents.insert(xxh3_64(&opened.bytes)) {
            break;
        }
        let (part, after) = feed::read(&opened)?;
        found.append(part);
        next = after;
    }
    Ok(found)
}
