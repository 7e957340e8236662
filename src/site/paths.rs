//! How public paths are spelled. All start with `/` and are not percent-encoded.

use super::facets::FacetKind;

pub fn item(segment: &str) -> String {
    ["/i/", segment, "/"].concat()
}

/// One item's JSON Feed, as a file.
pub fn item_json(id: &str) -> String {
    ["/i/", id, "/item.json"].concat()
}

/// One item's RSS, as a file.
pub fn item_rss(id: &str) -> String {
    ["/i/", id, "/item.rss"].concat()
}

/// An item's chapters, under its id, its segment or an alias.
pub fn chapters(key: &str) -> String {
    ["/i/", key, "/chapters.json"].concat()
}

pub fn page(slug: &str) -> String {
    ["/", slug, "/"].concat()
}

/// The home page's `n`th page, from 1.
pub fn home(n: usize) -> String {
    if n == 1 { "/".into() } else { format!("/page/{n}/") }
}

/// The JSON Feed's `n`th document, from 1.
pub fn json_feed(n: usize) -> String {
    if n == 1 { "/feed.json".into() } else { format!("/feed/{n}.json") }
}

/// The RSS feed's `n`th document, from 1.
pub fn rss(n: usize) -> String {
    if n == 1 { "/rss.xml".into() } else { format!("/rss/{n}.xml") }
}

/// The `n`th page of a facet's items, from 1.
pub fn facet(kind: FacetKind, slug: &str, n: usize) -> String {
    let folder = folder(kind);
    if n == 1 {
        ["/", folder, "/", slug, "/"].concat()
    } else {
        format!("/{folder}/{slug}/page/{n}/")
    }
}

/// The JSON Feed of a facet's newest items.
pub fn facet_json(kind: FacetKind, slug: &str) -> String {
    ["/", folder(kind), "/", slug, "/feed.json"].concat()
}

/// The RSS feed of a facet's newest items.
pub fn facet_rss(kind: FacetKind, slug: &str) -> String {
    ["/", folder(kind), "/", slug, "/rss.xml"].concat()
}

fn folder(kind: FacetKind) -> &'static str {
    match kind {
        FacetKind::Tag => "tags",
        FacetKind::Season => "season",
        FacetKind::Author => "author",
    }
}

/// The kind of the facets whose paths start with this folder.
pub fn facets_of_folder(name: &str) -> Option<FacetKind> {
    let mut kinds = FacetKind::ALL.into_iter();
    kinds.find(|kind| folder(*kind) == name)
}

pub const TAG_INDEX: &str = "/tags/";

/// The archive, or the page of one of its years.
pub fn archive(year: Option<i16>) -> String {
    match year {
        None => "/archive/".into(),
        Some(year) => format!("/archive/{year}/"),
    }
}

/// All public calendars.
pub const CALENDARS: &str = "/calendar.ics";

pub fn calendar(id: &str) -> String {
    format!("/calendars/{id}.ics")
}

/// How to follow the site.
pub const SUBSCRIBE: &str = "/subscribe/";

pub const SEARCH: &str = "/search/";

/// The script of the search dialog and page.
pub const SEARCH_SCRIPT: &str = "/search/search.js";

/// The script that opens the dialog, and loads that of search.
pub const SEARCH_OPENER: &str = "/search/open.js";

/// The style sheet of search.
pub const SEARCH_STYLE: &str = "/search/search.css";

/// The entry of the search index.
pub const SEARCH_INDEX: &str = "/search/index/entry.bin";

/// The folder of the other files of the search index. Their names are hashes.
pub const SEARCH_SHARDS: &str = "/search/index/shards/";

/// A shard of the search index.
pub fn search_shard(name: &str) -> String {
    [SEARCH_SHARDS, name, ".bin"].concat()
}

/// The page of an item that other sites show in a frame.
pub fn embed(segment: &str) -> String {
    ["/i/", segment, "/embed/"].concat()
}

/// What other sites may ask of that page (oEmbed 1.0).
pub fn oembed(segment: &str) -> String {
    ["/i/", segment, "/embed/oembed.json"].concat()
}

/// The CSS of the RSS feeds.
pub const RSS_STYLES: &str = "/rss.css";

pub const RSS_STYLESHEET: &str = "/rss.xsl";

/// The folder of a theme's assets; `hash` is the theme's.
pub fn assets(hash: &str) -> String {
    format!("/assets/{hash}")
}

/// The `n`th part of a split sitemap, from 1.
pub fn sitemap_part(n: usize) -> String {
    format!("/sitemap-{n}.xml")
}

/// The output file of a public path: a path that ends in `/` is a folder with an `index.html`.
pub fn file_of(path: &str) -> String {
    let relative = path.trim_start_matches('/');
    if relative.is_empty() || relative.ends_with('/') {
        [relative, "index.html"].concat()
    } else {
        relative.to_owned()
    }
}
