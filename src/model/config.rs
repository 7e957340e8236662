//! The validated `site.toml`: a [`Config`] needs no further checks.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use jiff::tz::{Offset, TimeZone};
use percent_encoding::percent_decode_str;
use xxhash_rust::xxh3::Xxh3Default;

use super::check_config::{CHECK, CheckConfig};
use super::declare::keys;
use super::defaults::Defaults;
use super::languages::mount_of;
use super::output_config::{Access, FeedConfig, HostingTarget, OutputConfig};
use super::{
    ADDRESSES, AGGREGATE, AI, ALBUM, Addresses, Aggregate, AiPreferences, Album, AudioConfig,
    ContentFolder, CustomWords, DEPLOY, DeployConfig, Endpoint, GeneratedKind, ImageConfig, Item,
    LANGUAGES, Languages, MarkdownConfig, MediaFile, Placeholder, REALTIME, RealtimeApp, Section,
    SiteFile, SiteFileConfig, SocialConfig, Upstream, WEBHOOKS, is_in_language,
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
        /// addresses of items and pages
        Optional "addresses", Own("table", &[Keys(ADDRESSES)]);
        /// languages of the site
        Optional "languages", Own("table", &[Keys(LANGUAGES)]);
        /// [defaults](sections.md#defaults) of front matter by folder
        Optional "defaults", Own("table", &[Each(&[Anything])]), example("{ notes = {} }");
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
        /// feeds whose items the [planet](planet.md) shows
        Optional "aggregate", Own("list of tables", &[Keys(AGGREGATE)]), listed;
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
    /// Folder of the texts: `content`, or the folder of a show.
    pub content: ContentFolder,
    /// Path below which the documents of an edition are published, such as `/de`. Empty for the site
    /// itself. For a show that another site publishes, its [address](Self::own_url), percent-decoded.
    pub mount: String,
    /// Public address of a show that is published as a separate site: `base_url` of `show.toml`.
    pub own_url: Option<String>,
    /// Paths of the shows of a network, such as `/walks`. Empty for a show.
    pub shows: Vec<String>,
    /// Languages of the site: `[languages]`. Empty for an edition in one language.
    pub languages: Languages,
    /// Language tag of an edition in another language than the site's default language.
    pub other_language: Option<String>,
    /// Patterns of the addresses of items and pages: `[addresses]`.
    pub addresses: Addresses,
    /// Defaults of front matter: `[defaults]`.
    pub defaults: Defaults,
    pub markdown: MarkdownConfig,
    pub images: ImageConfig,
    pub audio: AudioConfig,
    /// Entries of `[[albums]]`, with unique slugs.
    pub albums: Vec<Album>,
    /// Entries of `[[aggregate]]`, with unique feeds and files.
    pub aggregate: Vec<Aggregate>,
    pub social: SocialConfig,
    /// Address that media are served from, without a trailing slash. None means the site itself.
    pub media_base_url: Option<String>,
    /// Hosts to write redirects and headers for: `[hosting] targets`.
    pub hosting: Vec<HostingTarget>,
    /// Public address of the published site, even if a preview uses another address.
    pub published_url: String,
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
            content,
            mount,
            own_url,
            shows,
            languages,
            other_language,
            addresses,
            markdown,
            images,
            audio,
            albums,
            aggregate,
            social,
            media_base_url,
            hosting,
            published_url,
            host,
            ai,
            site_files,
            realtime,
            upstream,
            words,
            hubs,
            // Items and pages contain the defaults.
            defaults: _,
            // No document depends on these settings.
            deploy: _,
            webhooks: _,
            check: _,
        } = self;
        hash_zone(timezone, state);
        (base_url, content, mount, shows, theme, namespace, access, feed, output, languages)
            .hash(state);
        (addresses, markdown, images, audio, albums, aggregate, social, media_base_url, hosting)
            .hash(state);
        (published_url, own_url, host, ai, site_files, realtime, upstream, words, hubs).hash(state);
        other_language.hash(state);
    }
}

impl Config {
    /// Returns the paths of the editions below the root: of languages and shows.
    pub fn mounts(&self) -> impl Iterator<Item = String> {
        self.languages.mounts().chain(self.shows.iter().cloned())
    }

    /// Returns the path of the edition that a path of the site belongs to. Empty for the default
    /// language, and for the pages of a network itself.
    pub fn mount_of(&self, path: &str) -> String {
        mount_of(self.mounts(), path)
    }

    /// Returns a hash of the settings that change how content files are read.
    pub fn reading_hash(&self) -> u64 {
        let mut way = Xxh3Default::new();
        (&self.base_url, &self.media_base_url, self.markdown, &self.images.show).hash(&mut way);
        (self.output.markdown, self.audio.waveform, self.audio.clips).hash(&mut way);
        (self.addresses.nested_pages, &self.languages, &self.content).hash(&mut way);
        self.own_url.as_ref().map(|own| (own, &self.mount)).hash(&mut way);
        hash_zone(&self.timezone, &mut way);
        self.defaults.hash(&mut way);
        way.digest()
    }
}

impl Config {
    /// Returns the path of an item's page below the path of its language, if a pattern applies to the
    /// item. An error is the placeholder for which the item has no value.
    pub fn path_of(&self, item: &Item) -> Option<Result<String, Placeholder>> {
        self.addresses.path_of(item, &self.languages, &self.timezone)
    }

    /// Returns the sections that contain an item, innermost first.
    pub fn sections_of(&self, item: &Item) -> impl Iterator<Item = &Section> {
        let language = self.languages.index(item.language.as_deref());
        self.addresses.sections.of_item(item, language)
    }

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
        super::url::join_paths(&self.base_url, &self.mount, path)
    }

    /// Returns whether this is an edition in another language that shows a text in the default
    /// language, because the text is not translated. `language` is the text's language.
    pub fn is_untranslated(&self, language: Option<&str>) -> bool {
        let own = self.other_language.as_deref();
        own.is_some_and(|own| !language.is_some_and(|tag| is_in_language(tag, own)))
    }

    /// Returns whether this is a show with its own address and its own destination.
    pub fn is_deployed_apart(&self) -> bool {
        self.own_url.is_some() && self.deploy.to.is_some()
    }

    /// Returns the absolute URL of a document of a text in this language. For an untranslated text,
    /// it is the document in the default language.
    pub fn original_url(&self, language: Option<&str>, path: &str) -> String {
        match self.is_untranslated(language) {
            true => self.root_url(path),
            false => self.url(path),
        }
    }

    /// Returns the absolute URL of a path that all editions share, such as the path of a media file.
    pub fn root_url(&self, path: &str) -> String {
        super::url::join_path(&self.base_url, path)
    }

    /// Returns the path that browsers request for a public path: with the base path and without a
    /// host. `path` is not percent-encoded yet.
    pub fn path(&self, path: &str) -> String {
        super::url::join_paths(self.base_path(), &self.mount, path)
    }

    /// Returns the path that browsers request for a path that all editions share.
    pub fn root_path(&self, path: &str) -> String {
        super::url::join_path(self.base_path(), path)
    }

    /// Returns whether the documents of this show are on a separate site.
    pub fn is_elsewhere(&self) -> bool {
        super::url::is_absolute(&self.mount)
    }

    /// Returns the [mount](Self::mount) that a show has in the snapshot of its network, also if the show
    /// is the site to build.
    pub fn mount_in_network(&self) -> Cow<'_, str> {
        match &self.own_url {
            Some(own_url) if self.mount.is_empty() => {
                percent_decode_str(own_url).decode_utf8_lossy()
            }
            _ => Cow::Borrowed(&self.mount),
        }
    }

    /// Returns a path of this snapshot as a path of the published site that has it.
    pub fn path_on_own_site(&self, path: &str) -> String {
        match &self.own_url {
            Some(_) => path.to_owned(),
            None => [&self.mount, path].concat(),
        }
    }

    /// Returns the path below which a preview of the whole network has the show.
    pub fn preview_mount(&self) -> String {
        match (&self.own_url, self.content.show()) {
            (Some(_), Some(name)) => format!("/{name}"),
            _ => self.mount.clone(),
        }
    }

    /// Returns the URL of a public path of the published site, even if a preview uses another address.
    pub fn published_url_of(&self, path: &str) -> String {
        if let Some(own_url) = &self.own_url {
            return super::url::join_path(own_url, path);
        }
        super::url::join_path(&self.published_url, &[&self.mount, path].concat())
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
            None => self.root_url(path),
        }
    }

    /// Finds the media file with this absolute URL. `media` must be sorted by source path.
    pub fn medium<'m>(&self, media: &'m [MediaFile], address: &str) -> Option<&'m MediaFile> {
        let below = address.strip_prefix(&self.media_url("/media/"))?;
        let below = percent_decode_str(below).decode_utf8().ok()?;
        let is_it = |file: &&MediaFile| file.path.strip_prefix("/media/") == Some(&*below);
        ["content/media/", "content/", "shows/"].into_iter().find_map(|folder| {
            let source = format!("{folder}{below}");
            let first = media.partition_point(|file| file.source.as_str() < source.as_str());
            media.get(first).filter(is_it)
        })
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
            content: ContentFolder::default(),
            mount: String::new(),
            own_url: None,
            shows: Vec::new(),
            languages: Languages::default(),
            other_language: None,
            addresses: Addresses::default(),
            defaults: Defaults::default(),
            markdown: MarkdownConfig::default(),
            images: ImageConfig::default(),
            audio: AudioConfig::default(),
            albums: Vec::new(),
            aggregate: Vec::new(),
            social: SocialConfig::default(),
            media_base_url: None,
            hosting: Vec::new(),
            published_url: "http://localhost".into(),
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
