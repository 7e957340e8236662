//! The rules that every host needs in addition to serving files: media types that a host cannot
//! guess, and alternative paths of feeds.

use std::borrow::Cow;

use model::pictures::SIZES;
use model::{Access, AddressPattern, Config, Redirect};
use site::paths;

pub const JSON_FEED: &str = "application/feed+json; charset=utf-8";
/// The media type of Markdown (RFC 7763).
pub const MARKDOWN: &str = "text/markdown; charset=utf-8";
pub const CALENDAR: &str = "text/calendar; charset=utf-8";

/// The media type of RSS. With `application/rss+xml`, browsers show the source or save the file,
/// and apply no stylesheet.
pub const RSS: &str = "application/xml; charset=utf-8";

/// Returns the folders whose files may be cached forever: their addresses change with their contents.
pub fn immutable_folders(config: &Config) -> Vec<String> {
    let mut folders = ["/assets/", paths::SEARCH_SHARDS, SIZES].map(str::to_owned).to_vec();
    let mounts = config.mounts();
    folders.extend(mounts.map(|mount| [&*mount, paths::SEARCH_SHARDS].concat()));
    folders
}

/// The `Cache-Control` value for files in [`immutable_folders`].
pub const IMMUTABLE: &str = "public, max-age=31536000, immutable";

/// The `Cache-Control` value for other files below `/media/`. A recording gets new tags at the same
/// address, and players request parts of it. A cache must therefore ask soon whether it changed, as
/// for feeds, which state its size. `no-cache` would make CDNs such as Cloudflare fetch the whole
/// file for each listener. Netlify, Cloudflare Pages and Vercel revalidate all files by default.
pub const MEDIA_CACHE: &str = "public, max-age=300, must-revalidate";

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
#[derive(Clone)]
pub struct MediaTypeRule {
    /// The path of the files. `*` matches one path segment.
    pub path: Cow<'static, str>,
    /// The alternative path of the same document, if it has one.
    pub alternative_path: Option<Cow<'static, str>>,
    /// The media type, with its charset.
    pub media_type: &'static str,
}

/// An alternative path of a feed. Hosts that support rewrites serve the feed itself at this path.
pub struct Rewrite {
    /// The alternative path. `*` matches one path segment.
    pub from: String,
    pub to: String,
}

const TAG_JSON: &str = "/tags/*/feed.json";
const TAG_RSS: &str = "/tags/*/rss.xml";

const ITEM_MARKDOWN: &str = "/i/*/index.md";

/// Markdown versions of pages and items in one to [`AddressPattern::MAX_PARTS`] folders.
const MARKDOWN_IN_FOLDERS: [&str; AddressPattern::MAX_PARTS] = [
    "/*/index.md", "/*/*/index.md", "/*/*/*/index.md", "/*/*/*/*/index.md", "/*/*/*/*/*/index.md",
    "/*/*/*/*/*/*/index.md",
];

/// Feeds of sections in one to [`AddressPattern::MAX_PARTS`] folders.
const FEEDS_IN_FOLDERS: [[&str; 2]; AddressPattern::MAX_PARTS] = [
    ["/*/feed.json", "/*/rss.xml"],
    ["/*/*/feed.json", "/*/*/rss.xml"],
    ["/*/*/*/feed.json", "/*/*/*/rss.xml"],
    ["/*/*/*/*/feed.json", "/*/*/*/*/rss.xml"],
    ["/*/*/*/*/*/feed.json", "/*/*/*/*/*/rss.xml"],
    ["/*/*/*/*/*/*/feed.json", "/*/*/*/*/*/*/rss.xml"],
];

const CLIP_MP3: &str = "/i/*/clips/*/clip.mp3";
const CLIP_M4A: &str = "/i/*/clips/*/clip.m4a";

const ALL: [MediaTypeRule; 18] = [
    media_type_rule("/feed.json", Some("/json/"), JSON_FEED),
    media_type_rule("/feed/*", None, JSON_FEED),
    media_type_rule("/i/*/item.json", Some("/i/*/json/"), JSON_FEED),
    media_type_rule(TAG_JSON, None, JSON_FEED),
    media_type_rule(TAG_RSS, None, RSS),
    media_type_rule(paths::PLANET_JSON, None, JSON_FEED),
    media_type_rule(paths::PLANET_RSS, None, RSS),
    media_type_rule("/rss.xml", Some("/rss/"), RSS),
    media_type_rule("/rss/*", None, RSS),
    media_type_rule("/i/*/item.rss", Some("/i/*/rss/"), RSS),
    media_type_rule(paths::CALENDARS, None, CALENDAR),
    media_type_rule("/calendars/*", None, CALENDAR),
    media_type_rule("/rss.xsl", None, "text/xsl; charset=utf-8"),
    media_type_rule("/i/*/chapters.json", None, "application/json+chapters; charset=utf-8"),
    media_type_rule(ITEM_MARKDOWN, None, MARKDOWN),
    media_type_rule(SPECULATION_RULES, None, "application/speculationrules+json"),
    media_type_rule(CLIP_MP3, None, "audio/mpeg"),
    media_type_rule(CLIP_M4A, None, "audio/x-m4a"),
];

const fn media_type_rule(
    path: &'static str,
    alternative_path: Option<&'static str>,
    media_type: &'static str,
) -> MediaTypeRule {
    let alternative_path = match alternative_path {
        Some(path) => Some(Cow::Borrowed(path)),
        None => None,
    };
    MediaTypeRule { path: Cow::Borrowed(path), alternative_path, media_type }
}

const SPECULATION_RULES: &str = "/speculation-rules.json";

impl MediaTypeRule {
    /// Returns the rule for the documents of a language.
    fn below(&self, mount: &str) -> Self {
        let path = |path: &Cow<'_, str>| Cow::Owned([mount, &**path].concat());
        let alternative_path = self.alternative_path.as_ref().map(path);
        Self { path: path(&self.path), alternative_path, media_type: self.media_type }
    }

    /// Returns the path and the alternative path.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        [Some(&self.path), self.alternative_path.as_ref()].into_iter().flatten().map(|path| &**path)
    }
}

/// Kinds of documents that only some sites have.
#[derive(Clone, Copy)]
pub struct Has {
    pub calendars: bool,
    /// Recordings of clips.
    pub clips: bool,
}

/// Returns the media types of a site's documents, in each of its languages and shows.
pub fn types(config: &Config, has: Has) -> Vec<MediaTypeRule> {
    let own = own_types(config, has);
    let of_editions = config.mounts().flat_map(|mount| {
        let is_in_all = |rule: &&MediaTypeRule| rule.path != SPECULATION_RULES;
        let below = |rule: &MediaTypeRule| rule.below(&mount);
        own.iter().filter(is_in_all).map(below).collect::<Vec<_>>()
    });
    let of_editions: Vec<MediaTypeRule> = of_editions.collect();
    own.into_iter().chain(of_editions).collect()
}

fn own_types(config: &Config, has: Has) -> Vec<MediaTypeRule> {
    let sections = config.addresses.sections.max_parts().min(AddressPattern::MAX_PARTS);
    // Hosts join the values of two rules for one path. The rules of sections cover tags too.
    let has_tag_feeds = config.output.tags && config.output.tag_feeds && sections < 2;
    let has_planet = !config.aggregate.is_empty() && sections == 0;
    let in_folders = &MARKDOWN_IN_FOLDERS[..config.addresses.max_parts()];
    let in_folders = in_folders.iter().map(|path| media_type_rule(path, None, MARKDOWN));
    let in_folders = in_folders.filter(|_| config.output.markdown);
    let of_sections = FEEDS_IN_FOLDERS[..sections].iter().flat_map(|[json, rss]| {
        let rss = config.feed.rss.then(|| media_type_rule(rss, None, RSS));
        [media_type_rule(json, None, JSON_FEED)].into_iter().chain(rss)
    });
    let in_folders = in_folders.chain(of_sections);
    ALL.into_iter()
        .filter(|media_type_rule| match &*media_type_rule.path {
            TAG_JSON => has_tag_feeds,
            TAG_RSS => has_tag_feeds && config.feed.rss,
            paths::PLANET_JSON => has_planet,
            paths::PLANET_RSS => has_planet && config.feed.rss,
            ITEM_MARKDOWN => config.output.markdown,
            "/i/*/item.json" => config.output.item_json,
            "/i/*/item.rss" => config.output.item_rss && config.feed.rss,
            "/rss.xml" | "/rss/*" | "/rss.xsl" | "/i/*/chapters.json" => config.feed.rss,
            paths::CALENDARS | "/calendars/*" => has.calendars,
            CLIP_MP3 | CLIP_M4A => has.clips,
            SPECULATION_RULES => config.access == Access::Public,
            _ => true,
        })
        .chain(in_folders)
        .collect()
}

/// Returns the alternative paths of a site's feeds.
pub fn rewrites(config: &Config, has: Has) -> Vec<Rewrite> {
    types(config, has)
        .into_iter()
        .filter_map(|MediaTypeRule { path, alternative_path, .. }| {
            Some(Rewrite { from: alternative_path?.into(), to: path.into() })
        })
        .collect()
}

/// Returns whether a redirect of the route table is one of the [`rewrites`].
pub fn is_rewrite(config: &Config, Redirect { from, to }: &Redirect) -> bool {
    let is_below = |mount: &str| {
        let parts = from.strip_prefix(mount).zip(to.strip_prefix(mount));
        parts.is_some_and(|(from, to)| {
            matches!(from, "/json/" | "/rss/") && (to == paths::json_feed(1) || to == paths::rss(1))
        })
    };
    is_below("") || config.mounts().any(|mount| is_below(&mount))
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
