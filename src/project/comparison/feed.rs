//! Reads feeds and sitemaps, by address or from files.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::{Published, PublishedItem};

/// Maximum number of documents to read, including all parts of a feed or a sitemap.
const MAX_DOCUMENTS: usize = 500;

/// The bytes of a document, and the character set that the server declares.
type Document = (Vec<u8>, Option<String>);

/// Reads the feed or sitemap at an address, with all its parts. If the address is a web page, reads
/// the feed that the page links to.
#[cfg(feature = "network")]
pub(super) fn at(url: &str) -> Result<Published, String> {
    use super::super::network::{Reach, client};
    const MAX_DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;
    // The author specified the host, so it may have a local address.
    let client = client(Reach::named(url));
    let get = |url: &str| {
        let answer = client.get(url).map_err(|fault| fault.message)?;
        let charset = answer.charset();
        let bytes = answer.bytes(MAX_DOCUMENT_BYTES).map_err(|fault| fault.message)?;
        Ok((bytes, charset))
    };
    let mut published = Published::default();
    read_all(url, &get, &mut published)?;
    published.base = published.base.or_else(|| origin(url));
    Ok(published)
}

#[cfg(not(feature = "network"))]
pub(super) fn at(url: &str) -> Result<Published, String> {
    Err(format!(
        "{url} cannot be downloaded: this feedwright was built without network support; download it yourself, and pass the file"
    ))
}

/// Reads a feed or a sitemap from a file. Does not read the other files of a feed or sitemap in several parts.
pub(super) fn read_file(path: &Path) -> Result<Published, String> {
    let bytes =
        fs::read(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
    let mut published = Published::default();
    add(&path.display().to_string(), &(bytes, None), &mut published)?;
    Ok(published)
}

/// Reads a document with `get`, and all further documents that it refers to.
pub(super) fn read_all(
    first: &str,
    get: &dyn Fn(&str) -> Result<Document, String>,
    published: &mut Published,
) -> Result<(), String> {
    let mut waiting = vec![first.to_owned()];
    let mut seen: HashSet<String> = HashSet::new();
    while let Some(url) = waiting.pop() {
        if seen.len() == MAX_DOCUMENTS || !seen.insert(url.clone()) {
            continue;
        }
        waiting.extend(add(&url, &get(&url)?, published)?);
    }
    Ok(())
}

/// Adds the content of a document to `published`. Returns the addresses of further documents.
fn add(
    name: &str,
    (bytes, charset): &Document,
    published: &mut Published,
) -> Result<Vec<String>, String> {
    if let Some((is_index, addresses)) = sitemap(bytes) {
        if is_index {
            return Ok(addresses);
        }
        published.addresses.extend(addresses);
        return Ok(Vec::new());
    }
    match feeds::read(bytes, charset.as_deref()) {
        Ok(feed) => {
            published.base = published.base.take().or(feed.channel.link);
            published.items.extend(feed.items.into_iter().filter_map(item));
            Ok(feed.channel.next_url.into_iter().collect())
        }
        Err(feeds::NotAFeed { feed_url: Some(url), .. }) => Ok(vec![resolve_url(name, &url)]),
        Err(fault) => Err(format!("{name} is neither a feed nor a sitemap: {fault}")),
    }
}

fn item(item: feeds::Item) -> Option<PublishedItem> {
    let enclosure = item.enclosures.into_iter().next();
    Some(PublishedItem {
        guid: item.guid?,
        address: item.link,
        title: item.title.map(feeds::Text::into_plain).unwrap_or_default().trim().to_owned(),
        enclosure: enclosure.map(|file| (file.url, file.length)),
        tags: None,
    })
}

/// Parses a sitemap (sitemaps.org). Returns whether the document is a sitemap index, and the
/// addresses in it: sitemaps in an index, otherwise pages.
fn sitemap(bytes: &[u8]) -> Option<(bool, Vec<String>)> {
    let text = std::str::from_utf8(bytes).ok()?;
    let head = &text[..text.floor_char_boundary(2000)];
    let is_index = head.contains("<sitemapindex");
    if !is_index && !head.contains("<urlset") {
        return None;
    }
    let starts = text.split("<loc>").skip(1);
    let addresses = starts.filter_map(|rest| rest.split_once("</loc>"));
    let addresses = addresses.map(|(address, _)| address.trim().replace("&amp;", "&"));
    Some((is_index, addresses.collect()))
}

/// Resolves an address in a page against the address of the page.
fn resolve_url(page: &str, address: &str) -> String {
    match address.strip_prefix('/') {
        Some(path) if !path.starts_with('/') => match origin(page) {
            Some(origin) => format!("{origin}/{path}"),
            None => address.to_owned(),
        },
        _ => address.to_owned(),
    }
}

/// Returns the scheme and host of an address.
fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next()?;
    Some(format!("{scheme}://{host}"))
}
