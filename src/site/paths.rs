//! The spelling of public paths. Every path starts with `/` and is not percent-encoded.

use super::facets::FacetKind;

pub fn item(segment: &str) -> String {
    ["/i/", segment, "/"].concat()
}

/// Returns the path of an item's Markdown version.
pub fn item_markdown(segment: &str) -> String {
    ["/i/", segment, "/index.md"].concat()
}

/// Returns the path of the JSON Feed that contains only this item.
pub fn item_json(id: &str) -> String {
    ["/i/", id, "/item.json"].concat()
}

/// Returns the path of the RSS feed that contains only this item.
pub fn item_rss(id: &str) -> String {
    ["/i/", id, "/item.rss"].concat()
}

/// Returns the path of an item's chapters. `key` is the item's id, its segment or an alias.
pub fn chapters(key: &str) -> String {
    ["/i/", key, "/chapters.json"].concat()
}

/// Returns the path of the home page's social card.
pub fn card(extension: &str) -> String {
    ["/card.", extension].concat()
}

/// Returns the path of an item's social card.
pub fn item_card(id: &str, extension: &str) -> String {
    ["/i/", id, "/card.", extension].concat()
}

/// Returns the path of a page's social card.
pub fn page_card(slug: &str, extension: &str) -> String {
    ["/", slug, "/card.", extension].concat()
}

pub fn page(slug: &str) -> String {
    ["/", slug, "/"].concat()
}

/// Returns the path of a page's Markdown version.
pub fn page_markdown(slug: &str) -> String {
    ["/", slug, "/index.md"].concat()
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
    let folder = folder(kind);
    if n == 1 {
        ["/", folder, "/", slug, "/"].concat()
    } else {
        format!("/{folder}/{slug}/page/{n}/")
    }
}

/// Returns the path of the JSON Feed with a facet's newest items.
pub fn facet_json(kind: FacetKind, slug: &str) -> String {
    ["/", folder(kind), "/", slug, "/feed.json"].concat()
}

/// Returns the path of the RSS feed with a facet's newest items.
pub fn facet_rss(kind: FacetKind, slug: &str) -> String {
    ["/", folder(kind), "/", slug, "/rss.xml"].concat()
}

fn folder(kind: FacetKind) -> &'static str {
    match kind {
        FacetKind::Tag => "tags",
        FacetKind::Season => "season",
        FacetKind::Author => "author",
        FacetKind::Album => "albums",
        FacetKind::Series => "series",
    }
}

/// Returns the kind of facets whose paths start with this folder.
pub fn facets_of_folder(name: &str) -> Option<FacetKind> {
    let mut kinds = FacetKind::ALL.into_iter();
    kinds.find(|kind| folder(*kind) == name)
}

pub const TAG_INDEX: &str = "/tags/";

pub const ALBUM_INDEX: &str = "/albums/";

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
pub fn embed(segment: &str) -> String {
    ["/i/", segment, "/embed/"].concat()
}

/// Returns the path of the oEmbed 1.0 response for an item's embed page.
pub fn oembed(segment: &str) -> String {
    ["/i/", segment, "/embed/oembed.json"].concat()
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
