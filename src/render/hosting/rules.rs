//! The rules that every host needs in addition to serving files: media types that a host cannot
//! guess, and alternative paths of feeds.

use model::pictures::SIZES;
use model::{Access, Config, Redirect};
use site::paths;

pub const JSON_FEED: &str = "application/feed+json; charset=utf-8";
/// The media type of Markdown (RFC 7763).
pub const MARKDOWN: &str = "text/markdown; charset=utf-8";
pub const CALENDAR: &str = "text/calendar; charset=utf-8";

/// The media type of RSS. With `application/rss+xml`, browsers show the source or save the file,
/// and apply no stylesheet.
pub const RSS: &str = "application/xml; charset=utf-8";

/// Folders whose files may be cached forever: their addresses change with their contents.
pub const IMMUTABLE_FOLDERS: [&str; 3] = ["/assets/", paths::SEARCH_SHARDS, SIZES];

/// The `Cache-Control` value for files in [`IMMUTABLE_FOLDERS`].
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// Media types of files below `/media/` whose extensions many servers do not recognize.
pub const MEDIA: [(&str, &str); 8] = [
    ("avif", "image/avif"),
    ("flac", "audio/flac"),
    // Some hosts send playlists as audio/mpegurl, and video segments (`.ts`) as Qt translations.
    ("m3u8", "application/vnd.apple.mpegurl"),
    ("m4b", "audio/mp4"),
    ("opus", "audio/ogg"),
    ("srt", "application/x-subrip"),
    ("ts", "video/mp2t"),
    ("vtt", "text/vtt"),
];

/// The content security policy of media files that a browser could execute. Such a file may only be
/// displayed. The sandbox gives it no origin, so a script in an uploaded file cannot access the
/// site. Inline styles and `data:` URLs are allowed, because SVG pictures use them.
pub const POLICY: &str = "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; font-src data:";

/// Returns whether a browser may execute content of this media type: HTML, scripts, and XML of any
/// kind, which can contain scripts (such as SVG).
pub fn is_active(media_type: &str) -> bool {
    let media_type = media_type.to_ascii_lowercase();
    ["html", "xml", "mathml", "xsl", "script"].iter().any(|part| media_type.contains(part))
}

/// Extensions of files below `/media/` that no browser executes, regardless of the host. All other
/// files get the [`POLICY`] if the host can distinguish them. PDF is in this list because PDF
/// viewers do not work with the policy.
pub const INERT_EXTENSIONS: [&str; 33] = [
    "aac", "aif", "aiff", "avif", "epub", "flac", "gif", "ico", "jpeg", "jpg", "json", "m4a",
    "m4b", "m4v", "mka", "mkv", "mov", "mp3", "mp4", "oga", "ogg", "ogv", "opus", "pdf", "png",
    "srt", "txt", "vtt", "wav", "weba", "webm", "webp", "zip",
];

/// The policy of media files on hosts whose rules cannot exclude extensions. It forbids only
/// scripts, forms and `<base>`, so that browsers can still show recordings and PDF files.
pub const NO_SCRIPTS: &str = "script-src 'none'; form-action 'none'; base-uri 'none'";

/// A rule for files whose media type hosts cannot derive from the extension. Other sites may read
/// these files (CORS).
pub struct MediaTypeRule {
    /// The path of the files. `*` matches one path segment.
    pub path: &'static str,
    /// The alternative path of the same document, if it has one.
    pub alternative_path: Option<&'static str>,
    /// The media type, with its charset.
    pub media_type: &'static str,
}

/// An alternative path of a feed. Hosts that support rewrites serve the feed itself at this path.
#[derive(Clone, Copy)]
pub struct Rewrite {
    /// The alternative path. `*` matches one path segment.
    pub from: &'static str,
    pub to: &'static str,
}

const TAG_JSON: &str = "/tags/*/feed.json";
const TAG_RSS: &str = "/tags/*/rss.xml";

const ITEM_MARKDOWN: &str = "/i/*/index.md";
const PAGE_MARKDOWN: &str = "/*/index.md";

const ALL: [MediaTypeRule; 15] = [
    media_type_rule("/feed.json", Some("/json/"), JSON_FEED),
    media_type_rule("/feed/*", None, JSON_FEED),
    media_type_rule("/i/*/item.json", Some("/i/*/json/"), JSON_FEED),
    media_type_rule(TAG_JSON, None, JSON_FEED),
    media_type_rule(TAG_RSS, None, RSS),
    media_type_rule("/rss.xml", Some("/rss/"), RSS),
    media_type_rule("/rss/*", None, RSS),
    media_type_rule("/i/*/item.rss", Some("/i/*/rss/"), RSS),
    media_type_rule(paths::CALENDARS, None, CALENDAR),
    media_type_rule("/calendars/*", None, CALENDAR),
    media_type_rule("/rss.xsl", None, "text/xsl; charset=utf-8"),
    media_type_rule("/i/*/chapters.json", None, "application/json+chapters; charset=utf-8"),
    media_type_rule(ITEM_MARKDOWN, None, MARKDOWN),
    media_type_rule(PAGE_MARKDOWN, None, MARKDOWN),
    media_type_rule("/speculation-rules.json", None, "application/speculationrules+json"),
];

const fn media_type_rule(
    path: &'static str,
    alternative_path: Option<&'static str>,
    media_type: &'static str,
) -> MediaTypeRule {
    MediaTypeRule { path, alternative_path, media_type }
}

/// Returns the media types of a site's documents.
pub fn types(config: &Config, has_calendars: bool) -> Vec<MediaTypeRule> {
    let has_tag_feeds = config.output.tags && config.output.tag_feeds;
    ALL.into_iter()
        .filter(|media_type_rule| match media_type_rule.path {
            TAG_JSON => has_tag_feeds,
            TAG_RSS => has_tag_feeds && config.feed.rss,
            ITEM_MARKDOWN | PAGE_MARKDOWN => config.output.markdown,
            "/i/*/item.json" => config.output.item_json,
            "/i/*/item.rss" => config.output.item_rss && config.feed.rss,
            "/rss.xml" | "/rss/*" | "/rss.xsl" | "/i/*/chapters.json" => config.feed.rss,
            paths::CALENDARS | "/calendars/*" => has_calendars,
            "/speculation-rules.json" => config.access == Access::Public,
            _ => true,
        })
        .collect()
}

/// Returns the alternative paths of a site's feeds.
pub fn rewrites(config: &Config, has_calendars: bool) -> Vec<Rewrite> {
    types(config, has_calendars)
        .iter()
        .filter_map(|media_type_rule| {
            Some(Rewrite { from: media_type_rule.alternative_path?, to: media_type_rule.path })
        })
        .collect()
}

/// Returns whether a redirect of the route table is one of the [`rewrites`].
pub fn is_rewrite(redirect: &Redirect) -> bool {
    matches!(redirect.from.as_str(), "/json/" | "/rss/")
        && (redirect.to == paths::json_feed(1) || redirect.to == paths::rss(1))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn media_type_of(ending: &str) -> String {
        media_facts::media_type(Path::new(&format!("x.{ending}")))
    }

    #[test]
    fn inert_extensions_have_inactive_media_types() {
        for ending in INERT_EXTENSIONS {
            assert!(!is_active(&media_type_of(ending)), "{ending}");
        }
    }
}
