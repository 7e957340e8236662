//! The validated `site.toml`: a [`Config`] needs no further checks.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use jiff::tz::{Offset, TimeZone};
use percent_encoding::percent_decode_str;
use xxhash_rust::xxh3::Xxh3Default;

use super::declare::{keys, settings};
use super::named::words;
use super::{
    AI, ALBUM, AiPreferences, Album, AudioConfig, Category, Channel, CustomWords, DEPLOY,
    DeployConfig, Endpoint, GeneratedKind, ImageConfig, Item, MarkdownConfig, MediaFile, REALTIME,
    RULES, RealtimeApp, Rule, SiteFile, SiteFileConfig, SitePath, SocialConfig, SortKey, SortOrder,
    Upstream, WEBHOOKS,
};

keys! {
    /// Keys of `site.toml`.
    SITE {
        /// public address of the site, which starts with `https://` or `http://`. It can have a
        /// path, such as `https://example.com/blog`, but no `?` or `#`. Write a host with non-ASCII
        /// letters in its `xn--` form
        Required "base_url", Own("address", &[Plain]);
        /// folder in `themes/`, or a [built-in theme](themes.md): `default`, `podcast`, `photos` or
        /// `notes`
        Optional "theme", Text(100) => "default";
        /// word that replaces `service` in the JSON Feed key `_service`; not `site`, `theme` or
        /// `loop`
        Optional "namespace", Own("`a–z 0–9`, starting with a letter, up to 32 characters", &[Plain]) => "service";
        /// which documents are [public](#access)
        Optional "access", Word(Access::NAMES) => "public";
        /// time zone of dates written without an offset
        Optional "timezone", Own("IANA time zone", &[Plain]) => "UTC";
        /// feeds, and pages that list items
        Optional "feed", Own("table", &[Keys(FeedConfig::SHAPE)]);
        /// kinds of document to write
        Optional "output", Own("table", &[Keys(OutputConfig::SHAPE)]);
        /// options of the theme
        Optional "theme_options", Own("table", &[Anything]);
        /// Markdown extensions, and how code is shown
        Optional "markdown", Own("table", &[Keys(MarkdownConfig::SHAPE)]);
        /// sizes in which pictures are published
        Optional "images", Own("table", &[Keys(ImageConfig::SHAPE)]);
        /// recordings
        Optional "audio", Own("table", &[Keys(AudioConfig::SHAPE)]);
        /// albums of photos
        Optional "albums", Own("list of tables", &[Keys(ALBUM)]), listed;
        /// pages on social networks
        Optional "social", Own("table", &[Keys(SocialConfig::SHAPE)]);
        /// address that media are served from
        Optional "media", Own("table", &[Keys(MEDIA)]);
        /// hosts to write redirects and headers for
        Optional "hosting", Own("table", &[Keys(HOSTING)]);
        /// destination of the site
        Optional "deploy", Own("table", &[Keys(DEPLOY)]);
        /// what AI systems [may do](site-files.md#machine-readers) with the site
        Optional "ai", Own("table", &[Keys(AI)]);
        /// site files by name
        Optional "site_files", Own("table", &[Each(&[Keys(SITE_FILE)])]);
        /// service that warehouse jobs are forwarded to
        Optional "warehouse", Own("table", &[Keys(WAREHOUSE)]);
        /// warnings to silence, or to treat as errors
        Optional "check", Own("table", &[Keys(CHECK)]);
        /// custom words of the site's interface
        Optional "words", Own("table", &[Each(&[Anything])]);
        /// realtime applications and their webhooks
        Optional "realtime", Own("list of tables", &[Keys(REALTIME)]), listed;
        /// programs to notify when the site changes
        Optional "webhooks", Own("list of tables", &[Keys(WEBHOOKS)]), listed;
        /// settings of the command `serve`
        Optional "server", Own("table", &[Anything]);
    }

    /// Keys of `[media]` in `site.toml`.
    MEDIA {
        /// address to serve media from, in place of `/media`
        Optional "base_url", Url;
    }

    /// Keys of `[hosting]` in `site.toml`.
    HOSTING {
        /// [hosts](hosting.md) to write redirects and headers for
        Optional "targets", Own("list of `netlify`, `cloudflare-pages`, `github-pages`, `vercel`, `nginx`, `caddy`, `apache`", &[Written::Word(HostingTarget::NAMES)]), listed => Vec::<String>::new();
    }

    /// Keys of a table of `[site_files]` in `site.toml`.
    SITE_FILE {
        /// media type of the file
        Optional "content_type", Own("a media type that [Site Files](site-files.md#names-and-types) can have", &[Written::Word(&SiteFile::CONTENT_TYPES)]), left_out("derived from the file extension");
        /// false omits the file
        Optional "enabled", Flag => true;
    }

    /// Keys of `[warehouse]` in `site.toml`.
    WAREHOUSE {
        /// service that receives [warehouse jobs](warehouse.md#a-real-warehouse) sent with its
        /// token: `https://`, or `http://` on this machine. The default path is `/bigquery/v2`
        Optional "upstream", Own("address", &[Plain]);
    }

    /// Keys of `[check]` in `site.toml`.
    CHECK {
        /// warnings to silence for this site
        Optional "allow", RULES, listed;
        /// warnings to treat as errors, which stop a build and make `check` exit with 1
        Optional "deny", RULES, listed;
        /// rules to silence for a file or folder, by its path in the site folder
        Optional "paths", Own("table", &[Each(&[OneOf(Rule::names), List(&[OneOf(Rule::names)])])]);
    }
}

/// The validated settings of a site.
#[derive(Debug, Clone)]
pub struct Config {
    /// Public address of the site, without a trailing slash: `https://example.com` or
    /// `https://example.com/blog`.
    pub base_url: String,
    /// Theme: a folder of `themes/`, or the name of a built-in theme.
    pub theme: String,
    /// Word that replaces `service` in the JSON Feed key `_service` and in trace headers.
    pub namespace: String,
    /// Kinds of document that are public.
    pub access: Access,
    /// Time zone of dates written without an offset.
    pub timezone: TimeZone,
    pub feed: FeedConfig,
    pub output: OutputConfig,
    pub markdown: MarkdownConfig,
    pub images: ImageConfig,
    pub audio: AudioConfig,
    /// Entries of `[[albums]]`, with unique slugs.
    pub albums: Vec<Album>,
    pub social: SocialConfig,
    /// Address that media are served from, without a trailing slash. None means the site itself.
    pub media_base_url: Option<String>,
    /// Hosts to write redirects and headers for: `[hosting] targets`.
    pub hosting: Vec<HostingTarget>,
    /// Host of `base_url` in `site.toml`, even if a preview uses another address. It is part of
    /// identifiers that must never change, such as the UIDs of events.
    pub host: String,
    /// Preferences about the use of the site by AI systems: `[ai]`.
    pub ai: AiPreferences,
    /// Settings in `[site_files]`, by file name.
    pub site_files: BTreeMap<String, SiteFileConfig>,
    /// Entries of `[[realtime]]`. App ids are unique, and webhook ids are unique across all apps.
    pub realtime: Vec<RealtimeApp>,
    /// `[warehouse] upstream`: the service to which jobs are forwarded. Jobs sent with the site's
    /// own keys are not forwarded.
    pub upstream: Option<Upstream>,
    /// Custom words of the site's interface: `[words]`.
    pub words: CustomWords,
    /// WebSub hubs that feeds link to: `[deploy.notify] websub`.
    pub hubs: Vec<String>,
    /// Settings of `[deploy]`, which do not affect any document.
    pub deploy: DeployConfig,
    /// Entries of `[[webhooks]]`, with unique names and addresses. They do not affect any document.
    pub webhooks: Vec<Endpoint>,
    /// Settings of `[check]`, which do not affect any document.
    pub check: CheckConfig,
}

/// Returns the name of a trace header, such as `Service-Causation-Id`. The site's `namespace`
/// replaces `Service`.
pub fn trace_header(namespace: &str, name: &str) -> String {
    let mut letters = namespace.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let word: String = first.into_iter().chain(letters).collect();
    format!("{word}-{name}-Id")
}

/// `[check]`: warnings to silence, and warnings to treat as errors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckConfig {
    /// Rules whose warnings are silenced.
    pub allow: Vec<Rule>,
    /// Rules whose warnings are errors.
    pub deny: Vec<Rule>,
    /// Paths of files and folders, relative to the site's root. Each path has the rules that are
    /// silenced for it and everything below it.
    pub paths: Vec<(SitePath, Vec<Rule>)>,
}

/// Hashes a time zone: by name if it is in the IANA database, otherwise by offset.
fn hash_zone<H: Hasher>(zone: &TimeZone, state: &mut H) {
    let offset = zone.to_fixed_offset().ok().map(Offset::seconds);
    (zone.iana_name(), offset).hash(state);
}

impl Hash for Config {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            base_url,
            theme,
            namespace,
            access,
            timezone,
            feed,
            output,
            markdown,
            images,
            audio,
            albums,
            social,
            media_base_url,
            hosting,
            host,
            ai,
            site_files,
            realtime,
            upstream,
            words,
            hubs,
            // No document depends on these settings.
            deploy: _,
            webhooks: _,
            check: _,
        } = self;
        hash_zone(timezone, state);
        (base_url, theme, namespace, access, feed, output).hash(state);
        (markdown, images, audio, albums, social, media_base_url, hosting).hash(state);
        (host, ai, site_files, realtime, upstream, words, hubs).hash(state);
    }
}

impl Config {
    /// Returns a hash of the settings that change how content files are read.
    pub fn reading_hash(&self) -> u64 {
        let mut way = Xxh3Default::new();
        (&self.base_url, &self.media_base_url, self.markdown, &self.images.show).hash(&mut way);
        (self.output.markdown, self.audio.waveform).hash(&mut way);
        hash_zone(&self.timezone, &mut way);
        way.digest()
    }
}

impl Config {
    /// Returns the settings of a site file, or the defaults.
    pub fn site_file(&self, filename: &str) -> SiteFileConfig {
        self.site_files.get(filename).copied().unwrap_or_default()
    }

    /// Returns whether the site has a sitemap.
    pub fn has_sitemap(&self) -> bool {
        let filename = GeneratedKind::Sitemap.filename();
        self.access == Access::Public && self.site_file(filename).enabled
    }

    /// Returns the scheme and host of the base URL: `https://example.com`.
    pub fn origin(&self) -> &str {
        // The first two slashes of the URL belong to `://`.
        let bytes = self.base_url.bytes().enumerate();
        let mut slashes = bytes.filter(|(_, byte)| *byte == b'/');
        slashes.nth(2).map_or(&self.base_url, |(at, _)| &self.base_url[..at])
    }

    /// Returns the path of the base URL, such as `/blog`. The path can be empty.
    pub fn base_path(&self) -> &str {
        &self.base_url[self.origin().len()..]
    }

    /// Returns the absolute URL of a public path. `path` starts with `/` and is not percent-encoded
    /// yet.
    pub fn url(&self, path: &str) -> String {
        super::url::join_path(&self.base_url, path)
    }

    /// Returns the path that browsers request for a public path: with the base path and without a
    /// host. `path` is not percent-encoded yet.
    pub fn path(&self, path: &str) -> String {
        super::url::join_path(self.base_path(), path)
    }

    /// Returns the path that browsers request for a URL of this site. Returns None for other URLs,
    /// and for the URLs of media that are served from another address.
    pub fn local_path<'t>(&self, address: &'t str) -> Option<Cow<'t, str>> {
        let below = |base: &str| {
            let rest = address.strip_prefix(base)?;
            (rest.is_empty() || rest.starts_with(['/', '?', '#'])).then_some(rest)
        };
        let rest = below(&self.base_url)?;
        if self.media_base_url.as_deref().and_then(below).is_some() {
            return None;
        }
        let path = &address[self.origin().len()..];
        // Browsers interpret a path that begins with `//` as a host.
        if path.starts_with("//") || path.starts_with("/\\") {
            return None;
        }
        let is_path = rest.starts_with('/') || (rest.is_empty() && !path.is_empty());
        Some(if is_path { path.into() } else { format!("{}/{rest}", self.base_path()).into() })
    }

    /// Returns the absolute URL of a media file. `path` is the file's public path (`/media/…`), and
    /// is not percent-encoded yet.
    pub fn media_url(&self, path: &str) -> String {
        match &self.media_base_url {
            Some(base) => super::url::join_path(base, path.strip_prefix("/media").unwrap_or(path)),
            None => self.url(path),
        }
    }

    /// Finds the media file with this absolute URL. `media` must be sorted by source path.
    pub fn medium<'m>(&self, media: &'m [MediaFile], address: &str) -> Option<&'m MediaFile> {
        let below = address.strip_prefix(&self.media_url("/media/"))?;
        let below = percent_decode_str(below).decode_utf8().ok()?;
        let is_it = |file: &&MediaFile| file.path.strip_prefix("/media/") == Some(&*below);
        ["content/media/", "content/"].into_iter().find_map(|folder| {
            let source = format!("{folder}{below}");
            let first = media.partition_point(|file| file.source.as_str() < source.as_str());
            media.get(first).filter(is_it)
        })
    }
}

settings! {
    /// `[feed]`: feeds, and pages that list items.
    #[derive(Copy)]
    FeedConfig {
        /// number of items per page, on the home page and pages of tags, seasons, authors and series
        items_per_page: usize = "items_per_page", Between(1, 300) => 20;
        /// date to sort items by; items without this date are sorted by `date_published`
        sort: SortKey = "sort", Word(SortKey::NAMES) => SortKey::Published;
        /// order of items: newest first (`desc`) or oldest first (`asc`)
        order: SortOrder = "order", Word(SortOrder::NAMES) => SortOrder::Desc;
        /// maximum number of items in a feed document; older items follow in `/feed/2.json` and
        /// `/rss/2.xml`
        limit: usize = "limit", Between(1, 10_000) => 300;
        /// false limits feeds to the newest `limit` items
        archive: bool = "archive", Flag => true;
        /// false omits RSS and the chapter files
        rss: bool = "rss", Flag => true;
        /// items with [chapter times](podcasting.md#chapters) in the text of RSS; `shows` means the
        /// items of a channel with `[itunes]` or `podcast.medium`
        chapter_times: ChapterTimes = "chapter_times", Word(ChapterTimes::NAMES) => ChapterTimes::Shows;
    }

    /// `[output]`: kinds of document to write.
    OutputConfig {
        /// output folder; not in `content`, `site-files`, `themes`, `.feedwright` or `.git`
        dir: String = "dir", Own("folder", &[Plain]) => "public".to_owned();
        /// each item as JSON Feed, `/i/<id>/json/`
        item_json: bool = "item_json", Flag => true;
        /// each item as RSS, `/i/<id>/rss/`; requires `[feed] rss`
        item_rss: bool = "item_rss", Flag => true;
        /// each item and page as Markdown for [machine readers](site-files.md#machine-readers),
        /// `/i/<segment>/index.md` and `/<slug>/index.md`
        markdown: bool = "markdown", Flag => false;
        /// a page for each tag, `/tags/<tag>/`, and an index of all tags, `/tags/`
        tags: bool = "tags", Flag => true;
        /// feeds of each tag's newest 10 items, `/tags/<tag>/rss.xml` and `/tags/<tag>/feed.json`;
        /// requires `tags`
        tag_feeds: bool = "tag_feeds", Flag => true;
        /// a page for each season, `/season/<number>/`, with the first episode on top, if the theme
        /// supports season pages
        seasons: bool = "seasons", Flag => true;
        /// a page for each author, `/author/<name>/`, if the site has several authors and the theme
        /// supports author pages. Names that differ only in case or punctuation count as one author
        authors: bool = "authors", Flag => true;
        /// a page for each album, `/albums/<slug>/`, and an index of all albums, `/albums/`, if the
        /// theme supports album pages
        albums: bool = "albums", Flag => true;
        /// a page for each series, `/series/<name>/`, if the theme supports series pages
        series: bool = "series", Flag => true;
        /// archive by year, `/archive/`; with more than 1,000 items, each year has a separate page.
        /// A page with the slug `archive` replaces the archive
        archive: bool = "archive", Flag => true;
        /// page with ways to follow the site, `/subscribe/`. A page with the slug `subscribe`
        /// replaces this page
        subscribe: bool = "subscribe", Flag => true;
        /// items that other sites can embed in a frame, `/i/<segment>/embed/`, or through oEmbed;
        /// `media` means items with audio or video
        embeds: Embeds = "embeds", Word(Embeds::NAMES) => Embeds::Media;
        /// [search](site-search.md) in the browser: index, page `/search/` and dialog
        search: bool = "search", Flag => true;
        /// gzip copies of text files, for [your own server](hosting.md#compressed-copies)
        precompress: bool = "precompress", Flag => false;
    }
}

words! {
    /// Documents of a site that are public.
    #[derive(Default)]
    Access {
        /// Everything is public.
        #[default]
        Public = "public",
        /// No HTML and no sitemap; feeds, chapters and media remain public.
        Headless = "headless",
        /// Only a `robots.txt` that disallows everything.
        Offline = "offline",
    }

    /// Items with chapter times below their text in RSS.
    #[derive(Default)]
    ChapterTimes {
        /// Items of a show.
        #[default]
        Shows = "shows",
        /// All items.
        All = "all",
        /// No items.
        None = "none",
    }

    /// Items with a page that other sites can embed in a frame.
    #[derive(Default)]
    Embeds {
        /// All items.
        All = "all",
        /// Items with audio or video.
        #[default]
        Media = "media",
        /// No items.
        None = "none",
    }

    /// A static host for which the build writes redirects and headers.
    #[derive(PartialOrd, Ord)]
    HostingTarget {
        /// Writes `_redirects` and `_headers`.
        Netlify = "netlify",
        /// Writes `_redirects` and `_headers`, within the limits of Cloudflare Pages.
        CloudflarePages = "cloudflare-pages",
        /// Writes HTML redirect pages and `.nojekyll`.
        GithubPages = "github-pages",
        /// Writes `vercel.json`.
        Vercel = "vercel",
        /// Writes a file to include in a `server` block.
        Nginx = "nginx",
        /// Writes a snippet to import in the configuration of Caddy.
        Caddy = "caddy",
        /// Writes `.htaccess`.
        Apache = "apache",
    }
}

impl ChapterTimes {
    /// Returns whether items of the channel have chapter times in RSS.
    pub fn has(self, channel: &Channel) -> bool {
        match self {
            Self::Shows => channel.is_show(),
            Self::All => true,
            Self::None => false,
        }
    }
}

impl Embeds {
    /// Returns whether an item has a page that can be embedded.
    pub fn has(self, item: &Item) -> bool {
        let category = item.attachment.as_ref().map(|one| one.category);
        match self {
            Self::None => false,
            Self::Media => matches!(category, Some(Category::Audio | Category::Video)),
            Self::All => true,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            base_url: "http://localhost".into(),
            theme: "default".into(),
            namespace: "service".into(),
            access: Access::default(),
            timezone: TimeZone::UTC,
            feed: FeedConfig::default(),
            output: OutputConfig::default(),
            markdown: MarkdownConfig::default(),
            images: ImageConfig::default(),
            audio: AudioConfig::default(),
            albums: Vec::new(),
            social: SocialConfig::default(),
            media_base_url: None,
            hosting: Vec::new(),
            host: "localhost".into(),
            ai: AiPreferences::default(),
            site_files: BTreeMap::new(),
            realtime: Vec::new(),
            upstream: None,
            words: CustomWords::default(),
            hubs: Vec::new(),
            deploy: DeployConfig::default(),
            webhooks: Vec::new(),
            check: CheckConfig::default(),
        }
    }
}
