//! The spelling of public paths. Every path starts with `/` and is not percent-encoded.

use super::facets::FacetKind;
use super::item_entry::ItemEntry;
use model::{Config, Item, Page};

/// Returns the path of an item's page below the path of its language.
pub fn item(config: &Config, item: &Item) -> String {
    match config.path_of(item) {
        Some(Ok(path)) => path,
        _ => item_key(&item.segment()),
    }
}

/// Returns the path of an item's page, with the path of its language.
pub fn item_in_site(config: &Config, item: &Item) -> String {
    in_language(config, item.language.as_deref(), self::item(config, item))
}

/// Returns the path of a page, with the path of its language.
pub fn page_in_site(config: &Config, page: &Page) -> String {
    in_language(config, page.language.as_deref(), self::page(page.slug.as_str()))
}

/// Adds the path of a language to a path. A pattern of addresses may already contain it.
fn in_language(config: &Config, language: Option<&str>, path: String) -> String {
    let mount = config.languages.mount(config.languages.index(language));
    if path.strip_prefix(&*mount).is_some_and(|rest| rest.starts_with('/')) {
        return path;
    }
    [mount, path].concat()
}

/// Returns the path at which the mirrored service has an item. `key` is the item's id, its segment
/// or an alias. If the item's page has another path, this path redirects to it.
pub fn item_key(key: &str) -> String {
    ["/i/", key, "/"].concat()
}

/// Returns the [path](item_key) of an item, with the path of its edition.
pub fn key_of(entry: &ItemEntry, key: &str) -> String {
    below(entry, key, "")
}

/// Returns the path of a file below one of the paths of an item.
fn below(entry: &ItemEntry, key: &str, file: &str) -> String {
    [&*entry.mount, "/i/", key, "/", file].concat()
}

/// Returns the path of the Markdown version of the page at this path.
pub fn markdown_of(page: &str) -> String {
    [page, "index.md"].concat()
}

/// Returns the path of the JSON Feed that contains only this item.
pub fn item_json(entry: &ItemEntry) -> String {
    below(entry, entry.item.id.as_str(), "item.json")
}

/// Returns the path of the RSS feed that contains only this item.
pub fn item_rss(entry: &ItemEntry) -> String {
    below(entry, entry.item.id.as_str(), "item.rss")
}

/// Returns the path of an item's chapters. `key` is the item's id, its segment or an alias.
pub fn chapters(entry: &ItemEntry, key: &str) -> String {
    below(entry, key, "chapters.json")
}

/// Returns the path of the home page's social card.
pub fn card(extension: &str) -> String {
    ["/card.", extension].concat()
}

/// Returns the path of an item's social card.
pub fn item_card(entry: &ItemEntry, extension: &str) -> String {
    below(entry, entry.item.id.as_str(), &["card.", extension].concat())
}

/// Returns the path of a page's social card.
pub fn page_card(slug: &str, extension: &str) -> String {
    ["/", slug, "/card.", extension].concat()
}

pub fn page(slug: &str) -> String {
    ["/", slug, "/"].concat()
}

/// Returns the path of the `n`th page of the home page, starting at 1.
pub fn home(n: usize) -> String {
    if n == 1 { "/".into() } else { format!("/page/{n}/") }
}

/// Returns the path of the JSON Feed's `n`th document, starting at 1.
pub fn json_feed(n: usize) -> String {
    if n == 1 { "/feed.json".into() } else { format!("/feed/{n}.json") }
}

/// Returns the path of the RSS feed's `n`th document, starting at 1.
pub fn rss(n: usize) -> String {
    if n == 1 { "/rss.xml".into() } else { format!("/rss/{n}.xml") }
}

/// Returns the path of the `n`th page of a facet's items, starting at 1.
pub fn facet(kind: FacetKind, slug: &str, n: usize) -> String {
    let first = [folder(kind), slug, "/"].concat();
    if n == 1 { first } else { format!("{first}page/{n}/") }
}

/// Returns the path of the JSON Feed with a facet's newest items.
pub fn facet_json(kind: FacetKind, slug: &str) -> String {
    [folder(kind), slug, "/feed.json"].concat()
}

/// Returns the path of the RSS feed with a facet's newest items.
pub fn facet_rss(kind: FacetKind, slug: &str) -> String {
    [folder(kind), slug, "/rss.xml"].concat()
}

fn folder(kind: FacetKind) -> &'static str {
    match kind {
        FacetKind::Tag => "/tags/",
        FacetKind::Season => "/season/",
        FacetKind::Author => "/author/",
        FacetKind::Album => "/albums/",
        FacetKind::Series => "/series/",
        FacetKind::Section => "/",
    }
}

/// Returns the kind of facets whose paths start with this folder.
pub fn facets_of_folder(name: &str) -> Option<FacetKind> {
    let mut kinds = FacetKind::ALL.into_iter();
    kinds.find(|kind| *kind != FacetKind::Section && folder(*kind).trim_matches('/') == name)
}

/// The feed of the publisher of several shows.
pub const PUBLISHER: &str = "/publisher.xml";

/// The list of the feeds of all shows.
pub const SHOWS_OPML: &str = "/shows.opml";

pub const TAG_INDEX: &str = "/tags/";

pub const ALBUM_INDEX: &str = "/albums/";

/// Returns the path of the `n`th page of the planet, starting at 1.
pub fn planet(n: usize) -> String {
    if n == 1 { "/planet/".into() } else { format!("/planet/page/{n}/") }
}

pub const PLANET_JSON: &str = "/planet/feed.json";

pub const PLANET_RSS: &str = "/planet/rss.xml";

/// The list of the planet's feeds (OPML 2.0).
pub const PLANET_OPML: &str = "/planet/opml.xml";

/// Returns the path of the archive, or of the page of one of its years.
pub fn archive(year: Option<i16>) -> String {
    match year {
        None => "/archive/".into(),
        Some(year) => format!("/archive/{year}/"),
    }
}

/// The iCalendar file of all public calendars.
pub const CALENDARS: &str = "/calendar.ics";

pub fn calendar(id: &str) -> String {
    format!("/calendars/{id}.ics")
}

/// The page that explains how to follow the site.
pub const SUBSCRIBE: &str = "/subscribe/";

pub const SEARCH: &str = "/search/";

/// The script of the search dialog and the search page.
pub const SEARCH_SCRIPT: &str = "/search/search.js";

/// The script that opens the search dialog and loads [`SEARCH_SCRIPT`].
pub const SEARCH_OPENER: &str = "/search/open.js";

/// The style sheet for search.
pub const SEARCH_STYLE: &str = "/search/search.css";

/// The entry file of the search index.
pub const SEARCH_INDEX: &str = "/search/index/entry.bin";

/// The folder of the shards of the search index. Their names are hashes.
pub const SEARCH_SHARDS: &str = "/search/index/shards/";

/// Returns the path of a shard of the search index.
pub fn search_shard(name: &str) -> String {
    [SEARCH_SHARDS, name, ".bin"].concat()
}

/// Returns the path of an item's page for embedding in other sites.
pub fn embed(entry: &ItemEntry) -> String {
    below(entry, &entry.segment, "embed/")
}

/// Returns the path of the oEmbed 1.0 response for an item's embed page.
pub fn oembed(entry: &ItemEntry) -> String {
    below(entry, &entry.segment, "embed/oembed.json")
}

/// Returns the path of the captions that feedwright writes from an item's transcript.
pub fn captions(entry: &ItemEntry) -> String {
    below(entry, &entry.segment, "captions.vtt")
}

/// Returns the path of the page about a passage of an item's recording. Its name is the passage's
/// start and end in seconds: `/i/walk/clips/73-133.5/`.
pub fn clip(entry: &ItemEntry, start: f64, end: f64) -> String {
    clip_at(entry, &entry.segment, start, end)
}

/// Returns the path of a clip at a name of its item.
pub fn clip_at(entry: &ItemEntry, key: &str, start: f64, end: f64) -> String {
    below(entry, key, &format!("clips/{}-{}/", rounded(start), rounded(end)))
}

/// Rounds seconds to milliseconds.
pub(super) fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Returns the path of the recording of a passage.
pub fn clip_recording(entry: &ItemEntry, start: f64, end: f64, extension: &str) -> String {
    [&clip(entry, start, end), "clip.", extension].concat()
}

/// The style sheet for the RSS feeds.
pub const RSS_STYLES: &str = "/rss.css";

pub const RSS_STYLESHEET: &str = "/rss.xsl";

/// Returns the folder of a theme's assets. `hash` is the theme's hash.
pub fn assets(hash: &str) -> String {
    format!("/assets/{hash}")
}

/// Returns the path of the `n`th part of a split sitemap, starting at 1.
pub fn sitemap_part(n: usize) -> String {
    format!("/sitemap-{n}.xml")
}

/// Returns the output file of a public path. A path that ends in `/` is a folder with an
/// `index.html`.
pub fn file_of(path: &str) -> String {
    let relative = path.trim_start_matches('/');
    if relative.is_empty() || relative.ends_with('/') {
        [relative, "index.html"].concat()
    } else {
        relative.to_owned()
    }
}
