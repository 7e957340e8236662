//! Recognises namespaces, and returns their usual prefixes.
//!
//! Feeds declare namespaces with unusual prefixes, with variants of the same address, or not at
//! all.

/// Namespace addresses, in lower case and without the scheme or a trailing slash, with their usual
/// prefixes.
const NAMESPACE_PREFIXES: [(&str, &str); 39] = [
    ("purl.org/atom/app#", "app"),
    ("www.w3.org/2007/app", "app"),
    ("schemas.google.com/blogger/2018", "blogger"),
    ("www.itunes.com/dtds/podcast-1.0.dtd", "itunes"),
    ("podcastindex.org/namespace/1.0", "podcast"),
    ("github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md", "podcast"),
    ("purl.org/rss/1.0/modules/content", "content"),
    ("purl.org/dc/elements/1.0", "dc"),
    ("purl.org/dc/elements/1.1", "dc"),
    ("purl.org/dc/terms", "dcterms"),
    ("search.yahoo.com/mrss", "media"),
    ("video.search.yahoo.com/mrss", "media"),
    ("www.w3.org/2005/atom", "atom"),
    ("purl.org/atom/ns#", "atom"),
    ("purl.org/atom", "atom"),
    ("www.w3.org/1999/xhtml", "xhtml"),
    ("www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"),
    ("purl.org/rss/1.0", ""),
    ("my.netscape.com/rdf/simple/0.9", ""),
    ("channel.netscape.com/rdf/simple/0.9", ""),
    ("backend.userland.com/rss2", ""),
    ("blogs.law.harvard.edu/tech/rss", ""),
    ("wordpress.org/export/1.0", "wp"),
    ("wordpress.org/export/1.1", "wp"),
    ("wordpress.org/export/1.2", "wp"),
    ("wordpress.org/export/1.0/excerpt", "excerpt"),
    ("wordpress.org/export/1.1/excerpt", "excerpt"),
    ("wordpress.org/export/1.2/excerpt", "excerpt"),
    ("wellformedweb.org/commentapi", "wfw"),
    ("purl.org/rss/1.0/modules/syndication", "sy"),
    ("purl.org/rss/1.0/modules/slash", "slash"),
    ("purl.org/syndication/thread/1.0", "thr"),
    ("purl.org/syndication/history/1.0", "fh"),
    ("www.google.com/schemas/play-podcasts/1.0", "googleplay"),
    ("www.rawvoice.com/rawvoicerssmodule", "rawvoice"),
    ("podlove.org/simple-chapters", "psc"),
    ("www.spotify.com/ns/rss", "spotify"),
    ("www.georss.org/georss", "georss"),
    ("rssnamespace.org/feedburner/ext/1.0", "feedburner"),
];

/// Returns the usual prefix of a namespace, or None for an unknown namespace.
pub fn known(address: &str) -> Option<&'static str> {
    let address = address.trim().to_ascii_lowercase();
    let path = address.split_once("://").map_or(&*address, |(_, path)| path);
    let path = path.trim_end_matches('/');
    NAMESPACE_PREFIXES.iter().find(|(known, _)| *known == path).map(|(_, prefix)| *prefix)
}
