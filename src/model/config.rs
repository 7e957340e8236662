//! `site.toml`, checked: a [`Config`] needs no checks later.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use jiff::tz::{Offset, TimeZone};
use percent_encoding::percent_decode_str;
use xxhash_rust::xxh3::Xxh3Default;

use super::declare::{keys, settings};
use super::named::words;
use super::{
    Category, DEPLOY, DeployConfig, Endpoint, GeneratedKind, ImageConfig, Item, MarkdownConfig,
    MediaFile, OwnWords, REALTIME, RULES, RealtimeApp, Rule, SiteFile, SiteFileConfig, SitePath,
    SortKey, SortOrder, Upstream, WEBHOOKS,
};

keys! {
    /// `site.toml`.
    SITE {
        /// where the site will live; every absolute address, in feeds and for search engines, begins with it; pages
        /// refer to their own site by path. It starts with `https://` or `http://` and may have a path:
        /// `https://example.com/blog`, but no `?` or `#`. A host with other than ASCII letters is written in its
        /// `xn--` form. Left at `example.com`, it is a warning of `build` and `check`
        Required "base_url", Own("address", &[Plain]);
        /// a folder of `themes/`, or a [built-in theme](themes.md): `default`, `podcast`, `photos` or `notes`
        Optional "theme", Text(100) => "default";
        /// the word in the JSON Feed's own key `_service`; not `site`, `theme` or `loop`
        Optional "namespace", Own("`a–z 0–9`, from a letter on, up to 32 characters", &[Plain]) => "service";
        /// see [below](#access)
        Optional "access", Word(Access::NAMES) => "public";
        /// for dates written without an offset
        Optional "timezone", Own("IANA time zone", &[Plain]) => "UTC";
        /// the feeds, and the pages that list items
        Optional "feed", Own("table", &[Keys(FeedConfig::SHAPE)]);
        /// which kinds of document are written
        Optional "output", Own("table", &[Keys(OutputConfig::SHAPE)]);
        /// options of the theme
        Optional "theme_options", Own("table", &[Anything]);
        /// what of Markdown is read
        Optional "markdown", Own("table", &[Keys(MarkdownConfig::SHAPE)]);
        /// the sizes that pictures are made in
        Optional "images", Own("table", &[Keys(ImageConfig::SHAPE)]);
        /// where media are served from
        Optional "media", Own("table", &[Keys(MEDIA)]);
        /// what to write for the host
        Optional "hosting", Own("table", &[Keys(HOSTING)]);
        /// where the site is published
        Optional "deploy", Own("table", &[Keys(DEPLOY)]);
        /// Site Files by their names
        Optional "site_files", Own("table", &[Each(&[Keys(SITE_FILE)])]);
        /// where warehouse jobs are sent on to
        Optional "warehouse", Own("table", &[Keys(WAREHOUSE)]);
        /// which warnings are silenced or errors
        Optional "check", Own("table", &[Keys(CHECK)]);
        /// what pages say in other words
        Optional "words", Own("table", &[Each(&[Anything])]);
        /// realtime applications
        Optional "realtime", Own("list of tables", &[Keys(REALTIME)]), listed;
        /// who is told when the site changes
        Optional "webhooks", Own("list of tables", &[Keys(WEBHOOKS)]), listed;
        /// what the command `serve` reads
        Optional "server", Own("table", &[Anything]);
    }

    /// `[media]` of `site.toml`.
    MEDIA {
        /// where media are served from when it is not the site itself; it stands in place of `/media`
        Optional "base_url", Url;
    }

    /// `[hosting]` of `site.toml`.
    HOSTING {
        /// what to write for the host: see [Hosting](hosting.md)
        Optional "targets", Own("list of `netlify`, `cloudflare-pages`, `github-pages`, `vercel`, `nginx`, `caddy`, `apache`", &[Written::Word(HostingTarget::NAMES)]), listed => Vec::<String>::new();
    }

    /// A table of `[site_files]` in `site.toml`.
    SITE_FILE {
        /// what it is sent as
        Optional "content_type", Own("a media type that [Site Files](site-files.md#names-and-types) can have", &[Written::Word(&SiteFile::CONTENT_TYPES)]), left_out("by its ending");
        /// false leaves it out
        Optional "enabled", Flag => true;
    }

    /// `[warehouse]` of `site.toml`.
    WAREHOUSE {
        /// the service that [warehouse jobs](warehouse.md#a-real-warehouse) are sent on to when they come with a
        /// token of its own. It starts with `https://`; `http://` is for this machine alone. Without a path it is
        /// `/bigquery/v2` of that host, where published clients look for it
        Optional "upstream", Own("address", &[Plain]);
    }

    /// `[check]` of `site.toml`.
    CHECK {
        /// which warnings are silenced for this site
        Optional "allow", RULES, listed;
        /// which warnings are errors: they stop a build that sees them, and `check` ends with 1
        Optional "deny", RULES, listed;
        /// files and folders, relative to the site folder, each with the rules to silence for it
        Optional "paths", Own("table", &[Each(&[OneOf(Rule::names), List(&[OneOf(Rule::names)])])]);
    }
}

/// How a site is built.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where the site will be, without a slash at its end: `https://example.com` or `https://example.com/blog`.
    pub base_url: String,
    /// The theme: a folder of `themes/`, or `default`.
    pub theme: String,
    /// The word in `_service` and `Service-…`.
    pub namespace: String,
    /// Which kinds of document are public.
    pub access: Access,
    /// The zone of dates that are written without an offset.
    pub timezone: TimeZone,
    /// `[feed]`.
    pub feed: FeedConfig,
    /// `[output]`.
    pub output: OutputConfig,
    /// `[markdown]`.
    pub markdown: MarkdownConfig,
    /// `[images]`.
    pub images: ImageConfig,
    /// Where media are served from, without a slash at its end; the site itself where none.
    pub media_base_url: Option<String>,
    /// `[hosting] targets`.
    pub hosting: Vec<HostingTarget>,
    /// The host of `base_url` in `site.toml`, even if a preview gives the site another address. It is part
    /// of names that must never change, such as the UIDs of events.
    pub host: String,
    /// `[site_files]`, by name.
    pub site_files: BTreeMap<String, SiteFileConfig>,
    /// `[[realtime]]`: ids differ, of apps and of all their webhooks.
    pub realtime: Vec<RealtimeApp>,
    /// `[warehouse] upstream`: the service that jobs are forwarded to. Jobs of the site's own keys stay here.
    pub upstream: Option<Upstream>,
    /// `[words]`.
    pub words: OwnWords,
    /// The WebSub hubs that feeds name: `[deploy.notify] websub`.
    pub hubs: Vec<String>,
    /// `[deploy]`.
    pub deploy: DeployConfig,
    /// `[[webhooks]]`: names and addresses differ. They change no document.
    pub webhooks: Vec<Endpoint>,
    /// `[check]`. It changes no document.
    pub check: CheckConfig,
}

/// The name of a trace header: `Service-Causation-Id`, with the site's own word for the service.
pub fn trace_header(namespace: &str, name: &str) -> String {
    let mut letters = namespace.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let word: String = first.into_iter().chain(letters).collect();
    format!("{word}-{name}-Id")
}

/// `[check]`: which warnings an author is not told, and which are errors.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckConfig {
    /// What is not told.
    pub allow: Vec<Rule>,
    /// What is an error.
    pub deny: Vec<Rule>,
    /// Files and folders from the site's root, each with what is not told of it and of what lies below.
    pub paths: Vec<(SitePath, Vec<Rule>)>,
}

/// A zone of the database is named; another has an offset.
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
            media_base_url,
            hosting,
            host,
            site_files,
            realtime,
            upstream,
            words,
            hubs,
            // No document shows it.
            deploy: _,
            webhooks: _,
            check: _,
        } = self;
        hash_zone(timezone, state);
        (base_url, theme, namespace, access, feed, output).hash(state);
        (markdown, images, media_base_url, hosting).hash(state);
        (host, site_files, realtime, upstream, words, hubs).hash(state);
    }
}

impl Config {
    /// A hash of the settings that change how content files are read.
    pub fn way_of_reading(&self) -> u64 {
        let mut way = Xxh3Default::new();
        (&self.base_url, &self.media_base_url, self.markdown).hash(&mut way);
        hash_zone(&self.timezone, &mut way);
        way.digest()
    }
}

impl Config {
    /// The settings of a Site File.
    pub fn site_file(&self, filename: &str) -> SiteFileConfig {
        self.site_files.get(filename).copied().unwrap_or_default()
    }

    /// Whether there is a sitemap.
    pub fn has_sitemap(&self) -> bool {
        let filename = GeneratedKind::Sitemap.filename();
        self.access == Access::Public && self.site_file(filename).enabled
    }

    /// The base URL's scheme and host: `https://example.com`.
    pub fn origin(&self) -> &str {
        // The first slash after those of `://`.
        let bytes = self.base_url.bytes().enumerate();
        let mut slashes = bytes.filter(|(_, byte)| *byte == b'/');
        slashes.nth(2).map_or(&self.base_url, |(at, _)| &self.base_url[..at])
    }

    /// The path the site lies under: empty, or `/blog`.
    pub fn base_path(&self) -> &str {
        &self.base_url[self.origin().len()..]
    }

    /// The absolute URL of a public path (which starts with `/` and is percent-encoded here).
    pub fn url(&self, path: &str) -> String {
        super::url::join_path(&self.base_url, path)
    }

    /// A public path as browsers request it, with the base path and without a host (percent-encoded here).
    pub fn path(&self, path: &str) -> String {
        super::url::join_path(self.base_path(), path)
    }

    /// An address of the site itself as a path, as browsers request it. None for any other address, and for
    /// media that are served from elsewhere.
    pub fn own_path<'t>(&self, address: &'t str) -> Option<Cow<'t, str>> {
        let below = |base: &str| {
            let rest = address.strip_prefix(base)?;
            (rest.is_empty() || rest.starts_with(['/', '?', '#'])).then_some(rest)
        };
        let rest = below(&self.base_url)?;
        if self.media_base_url.as_deref().and_then(below).is_some() {
            return None;
        }
        let path = &address[self.origin().len()..];
        // `//` would begin with a host.
        if path.starts_with("//") || path.starts_with("/\\") {
            return None;
        }
        let is_path = rest.starts_with('/') || (rest.is_empty() && !path.is_empty());
        Some(if is_path { path.into() } else { format!("{}/{rest}", self.base_path()).into() })
    }

    /// The absolute URL of a medium's public path (`/media/…`, percent-encoded here).
    pub fn media_url(&self, path: &str) -> String {
        match &self.media_base_url {
            Some(base) => super::url::join_path(base, path.strip_prefix("/media").unwrap_or(path)),
            None => self.url(path),
        }
    }

    /// The medium with this absolute URL among those of a file, which are in the order of their sources.
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
    /// `[feed]`: the feeds, and the pages that list items.
    #[derive(Copy)]
    FeedConfig {
        /// items on the home page, on each further page, and on each page of a tag
        items_per_page: usize = "items_per_page", Between(1, 300) => 20;
        /// what items are sorted by; an item without that date counts by `date_published`
        sort: SortKey = "sort", Word(SortKey::NAMES) => SortKey::Published;
        /// oldest or newest first
        order: SortOrder = "order", Word(SortOrder::NAMES) => SortOrder::Desc;
        /// items in one feed document; older ones follow in `/feed/2.json` and `/rss/2.xml`
        limit: usize = "limit", Between(1, 10_000) => 300;
        /// false leaves those older documents out: `/feed.json` and `/rss.xml` hold the newest `limit` items and
        /// name no
        /// others
        archive: bool = "archive", Flag => true;
        /// false leaves out RSS and the chapter files
        rss: bool = "rss", Flag => true;
    }

    /// `[output]`: which kinds of document are written.
    OutputConfig {
        /// the output folder, relative to the site folder; not in `content`, `site-files`, `themes`, `.feedwright` or
        /// `.git`
        dir: String = "dir", Own("folder", &[Plain]) => "public".to_owned();
        /// one item as JSON Feed, `/i/<id>/json/`
        item_json: bool = "item_json", Flag => true;
        /// one item as RSS, `/i/<id>/rss/`; needs `[feed] rss`
        item_rss: bool = "item_rss", Flag => true;
        /// a page for each tag, `/tags/<tag>/`, and their index, `/tags/`
        tags: bool = "tags", Flag => true;
        /// feeds of each tag's newest 10 items, `/tags/<tag>/rss.xml` and `/tags/<tag>/feed.json`; needs `tags`
        tag_feeds: bool = "tag_feeds", Flag => true;
        /// a page for each season, `/season/<number>/`, the first episode first, where the theme draws it
        seasons: bool = "seasons", Flag => true;
        /// a page for each author, `/author/<name>/`, where there is more than one and the theme draws it. Names that
        /// differ in case or punctuation alone are one author; an item without authors is the channel's
        authors: bool = "authors", Flag => true;
        /// the archive, `/archive/`: all items by year, and with more than 1,000 items a page for each year,
        /// `/archive/2026/`. A Page of that slug takes its place
        archive: bool = "archive", Flag => true;
        /// how to follow the site, `/subscribe/`: apps by platform, the feed's address and its QR code. A Page of
        /// that
        /// slug takes its place
        subscribe: bool = "subscribe", Flag => true;
        /// the items that other sites can show in a frame, `/i/<segment>/embed/`, and find by oEmbed: those with
        /// audio
        /// or video, all, or none
        embeds: Embeds = "embeds", Word(Embeds::NAMES) => Embeds::Media;
        /// [search](site-search.md) in the browser: its index, the page `/search/` and the dialog on every page
        search: bool = "search", Flag => true;
        /// copies of texts compressed with gzip, beside them, for [your own server](hosting.md#compressed-copies)
        precompress: bool = "precompress", Flag => false;
    }
}

words! {
    /// Which documents of a site there are.
    #[derive(Default)]
    Access {
        /// Everything is public.
        #[default]
        Public = "public",
        /// No HTML and no sitemap; feeds, chapters and media stay.
        Headless = "headless",
        /// Nothing but a `robots.txt` that disallows everything.
        Offline = "offline",
    }

    /// Which items have a page that other sites show in a frame.
    #[derive(Default)]
    Embeds {
        /// All.
        All = "all",
        /// Those with audio or video.
        #[default]
        Media = "media",
        /// None.
        None = "none",
    }

    /// A static host whose redirects and headers the build writes.
    #[derive(PartialOrd, Ord)]
    HostingTarget {
        /// `_redirects` and `_headers`.
        Netlify = "netlify",
        /// `_redirects` and `_headers`, within that host's limits.
        CloudflarePages = "cloudflare-pages",
        /// HTML redirect pages and `.nojekyll`.
        GithubPages = "github-pages",
        /// `vercel.json`.
        Vercel = "vercel",
        /// An include for a `server` block.
        Nginx = "nginx",
        /// A snippet to import.
        Caddy = "caddy",
        /// `.htaccess`.
        Apache = "apache",
    }
}

impl Embeds {
    /// Whether this item has one.
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
            media_base_url: None,
            hosting: Vec::new(),
            host: "localhost".into(),
            site_files: BTreeMap::new(),
            realtime: Vec::new(),
            upstream: None,
            words: OwnWords::default(),
            hubs: Vec::new(),
            deploy: DeployConfig::default(),
            webhooks: Vec::new(),
            check: CheckConfig::default(),
        }
    }
}
