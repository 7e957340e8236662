//! How public paths are spelled. All start with `/` and are not percent-encoded.

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
    if n == 1 {
        "/".into()
    } else {
        format!("/page/{n}/")
    }
}

/// The JSON Feed's `n`th document, from 1.
pub fn json_feed(n: usize) -> String {
    if n == 1 {
        "/feed.json".into()
    } else {
        format!("/feed/{n}.json")
    }
}

/// The RSS feed's `n`th document, from 1.
pub fn rss(n: usize) -> String {
    if n == 1 {
        "/rss.xml".into()
    } else {
        format!("/rss/{n}.xml")
    }
}

/// The `n`th page of the items with a tag, from 1.
pub fn tag(slug: &str, n: usize) -> String {
    if n == 1 {
        ["/tags/", slug, "/"].concat()
    } else {
        format!("/tags/{slug}/page/{n}/")
    }
}

/// The index of tags.
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
