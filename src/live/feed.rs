//! The published feeds, compared with the feeds of the site.

use std::collections::HashMap;

use render::{Body, Document};
use site::paths;

use super::Place;
use super::documents::{self, GZIP, ORIGIN};
use super::finding::{Finding, Need};
use super::prober::Prober;
use project::Site;

/// Maximum size in bytes of a feed that is read.
const MAX_FEED: u64 = 64 * 1024 * 1024;

/// Size in bytes from which a feed is too large. Apple and Spotify publish no limit (as of November
/// 2026), but apps download the whole feed up to every hour.
const LARGE_FEED: usize = 5_000_000;

/// Maximum time to cache a feed, in seconds: apps check feeds about every hour.
pub const MAX_FEED_CACHE: u64 = 60 * 60;

/// Maximum number of further documents of a feed.
const MAX_DOCUMENTS: usize = 500;

/// A published feed.
pub type PublishedFeed = feeds::Feed;

/// A format of the site's feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Rss,
    Json,
}

impl Format {
    /// Returns the public path of the first document.
    pub fn path(self) -> String {
        match self {
            Self::Rss => paths::rss(1),
            Self::Json => paths::json_feed(1),
        }
    }

    /// Returns the media types of the feed, the preferred one first.
    fn media_types(self) -> &'static [&'static str] {
        match self {
            Self::Rss => &["application/xml", "application/rss+xml", "text/xml"],
            Self::Json => &["application/feed+json", "application/json"],
        }
    }
}

/// A feed of the site: its format, and the index of its edition, if the site has editions.
#[derive(Debug, Clone, Copy)]
pub struct SiteFeed {
    format: Format,
    edition: Option<usize>,
}

/// Returns the feeds of the site or of each language, by edition. Podcast apps read the first feed of
/// an edition.
pub fn feeds_of(site: &Site) -> Vec<Vec<SiteFeed>> {
    let formats: &[Format] = match site.snapshot.config.feed.rss {
        true => &[Format::Rss, Format::Json],
        false => &[Format::Json],
    };
    let editions = site.snapshot.parts();
    let feeds =
        |edition| formats.iter().map(|format| SiteFeed { format: *format, edition }).collect();
    editions.into_iter().map(feeds).collect()
}

impl SiteFeed {
    /// Returns the public path of the first document.
    pub fn path(self, site: &Site) -> String {
        let mount = self.edition.map(|at| &*site.snapshot.editions[at].snapshot.config.mount);
        [mount.unwrap_or_default(), &*self.format.path()].concat()
    }
}

/// Checks a feed, and returns it if it can be read.
pub fn check(
    prober: &Prober,
    site: &Site,
    place: &Place,
    feed: SiteFeed,
) -> (Vec<Finding>, Option<PublishedFeed>) {
    let url = place.at(&feed.path(site));
    match check_at(prober, site, &url, feed) {
        Ok((found, feed)) => (found, feed),
        Err(failed) => (failed, None),
    }
}

fn check_at(
    prober: &Prober,
    site: &Site,
    url: &str,
    own: SiteFeed,
) -> Result<(Vec<Finding>, Option<PublishedFeed>), Vec<Finding>> {
    let (reply, mut found) = prober.get(url, &[GZIP, ORIGIN], MAX_FEED)?;
    found.extend(documents::media_type(&reply, own.format.media_types()));
    found.extend(documents::cors(&reply));
    let cache = reply.field("cache-control").unwrap_or_default();
    if cache.contains("no-store") {
        let problem = "has `Cache-Control: no-store`, so apps download it again and again";
        found.push(reply.finding(Need::Caching, problem));
    } else if let Some(seconds) = documents::max_age(&reply).filter(|age| *age > MAX_FEED_CACHE) {
        let problem = format!("is cached for {seconds} s: apps show new items too late");
        found.push(reply.finding(Need::Caching, problem));
    }
    let text = match reply.text() {
        Ok(text) => text,
        Err(failed) => {
            found.extend(failed);
            return Ok((found, None));
        }
    };
    found.extend(documents::text(prober, url, &reply, text.len()));
    if text.len() > LARGE_FEED {
        let megabytes = text.len() / 1_000_000;
        let problem = format!("has {megabytes} MB: apps download all of it again and again");
        found.push(reply.finding(Need::Size, problem));
    }
    let feed = match feeds::read(&text, Some("utf-8")) {
        Ok(feed) => feed,
        Err(error) => {
            found.push(reply.finding(Need::Feed, format!("is not a feed: {error}")));
            return Ok((found, None));
        }
    };
    if let Some(problem) = built_as(site, own).and_then(|built| difference(&feed, &built)) {
        found.push(reply.finding(Need::Feed, problem));
    }
    Ok((found, Some(feed)))
}

/// Reads the further documents of a feed, with its older items.
pub fn further(prober: &Prober, place: &Place, first: &PublishedFeed) -> Vec<feeds::Item> {
    let mut items = Vec::new();
    let mut next = first.channel.next_url.clone();
    for _ in 0..MAX_DOCUMENTS {
        let Some(url) = next.take() else { break };
        let sent = prober.get(&place.published(&url), &[GZIP], MAX_FEED);
        let text = sent.and_then(|(reply, _)| reply.text()).unwrap_or_default();
        let Ok(feed) = feeds::read(&text, Some("utf-8")) else { break };
        next = feed.channel.next_url;
        items.extend(feed.items);
    }
    items
}

/// Returns whether the server sends the current feed of the site.
pub fn is_current(prober: &Prober, site: &Site, place: &Place) -> bool {
    feeds_of(site).into_iter().all(|feeds| is_feed_current(prober, site, place, feeds[0]))
}

fn is_feed_current(prober: &Prober, site: &Site, place: &Place, own: SiteFeed) -> bool {
    let sent = prober.get(&place.at(&own.path(site)), &[GZIP], MAX_FEED);
    let text = sent.and_then(|(reply, _)| reply.text()).unwrap_or_default();
    let feed = feeds::read(&text, Some("utf-8")).ok();
    let built = built_as(site, own);
    feed.zip(built).is_some_and(|(feed, built)| difference(&feed, &built).is_none())
}

/// Returns the feed of the site, in place of a published feed that cannot be read.
pub fn built(site: &Site, own: SiteFeed) -> PublishedFeed {
    built_as(site, own).unwrap_or_default()
}

fn built_as(site: &Site, own: SiteFeed) -> Option<PublishedFeed> {
    let document = match own.format {
        Format::Rss => Document::Rss(1),
        Format::Json => Document::JsonFeed(1),
    };
    let document = match own.edition {
        Some(at) => Document::In(at, Box::new(document)),
        None => document,
    };
    let Ok(Body::Bytes(text)) = site.renderer().render(&document) else {
        return None;
    };
    feeds::read(&text, Some("utf-8")).ok()
}

/// Returns the difference between the published feed and the site's feed.
fn difference(published: &PublishedFeed, built: &PublishedFeed) -> Option<String> {
    let known: HashMap<_, _> = published.items.iter().map(|item| (&item.guid, item)).collect();
    let name = |item: &feeds::Item| {
        item.title.clone().map(feeds::Text::into_plain).or(item.guid.clone()).unwrap_or_default()
    };
    let missing: Vec<_> =
        built.items.iter().filter(|item| !known.contains_key(&item.guid)).collect();
    if let Some(newest) = missing.first() {
        let count = missing.len();
        return Some(format!("is outdated: it lacks {count} items, such as {:?}", name(newest)));
    }
    let changed = built.items.iter().find(|item| {
        let other = known[&item.guid];
        let address = |item: &feeds::Item| item.enclosures.first().map(|file| file.url.clone());
        name(item) != name(other) || address(item) != address(other)
    });
    if let Some(changed) = changed {
        return Some(format!("is outdated: {:?} is different there", name(changed)));
    }
    let extra = published.items.len().saturating_sub(built.items.len());
    (extra > 0).then(|| format!("is outdated: it has {extra} items that the site lacks"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(items: &[(&str, &str)]) -> PublishedFeed {
        let items = items
            .iter()
            .map(|(guid, title)| format!("<item><guid>{guid}</guid><title>{title}</title></item>"));
        let text = format!("<rss><channel>{}</channel></rss>", items.collect::<String>());
        feeds::read(text.as_bytes(), None).unwrap()
    }

    #[test]
    fn missing_changed_and_removed_items_are_differences() {
        let built = feed(&[("2", "Pier"), ("1", "Dunes")]);
        let of = |items: &[(&str, &str)]| difference(&feed(items), &built);
        assert_eq!(of(&[("2", "Pier"), ("1", "Dunes")]), None);
        assert!(of(&[("1", "Dunes")]).unwrap().contains("lacks 1 items, such as \"Pier\""));
        assert!(of(&[("2", "Pier"), ("1", "Dune")]).unwrap().contains("\"Dunes\" is different"));
        let extra = of(&[("3", "Fog"), ("2", "Pier"), ("1", "Dunes")]).unwrap();
        assert!(extra.contains("has 1 items that"), "{extra}");
    }
}
