//! Decides which documents a site has, and at which public paths. No other module decides this.
//!
//! [`Public::candidates`] and [`Public::has`] list the documents for the route table.
//! [`Public::find`] returns the document of a single path without building the table. It finds only
//! documents that the other two functions list.

mod cards;
mod rules;

use crate::hosting;
use model::artwork::sizes;
use model::pictures::path_of;
use model::{Access, GeneratedKind, MediaFile, Size, Status};
use site::{FacetKind, ItemEntry, Snapshot, paths, pictures};
use theme::services::{FOLDER, Logo};
use theme::{Slot, Theme};

pub use cards::CardOf;

/// The document at a public path. A number is an index into one of the snapshot's lists, or a page
/// number starting at 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Document {
    /// A page of the list of all items. Page 1 is the home page.
    Home(usize),
    Item(usize),
    /// An item's page for embedding in other sites.
    Embed(usize),
    /// The oEmbed response for an item's embed page.
    OEmbed(usize),
    /// An item's Markdown version.
    ItemMarkdown(usize),
    /// An item's JSON Feed.
    ItemJson(usize),
    ItemRss(usize),
    Chapters(usize),
    Page(usize),
    /// A page's Markdown version.
    PageMarkdown(usize),
    /// The 404 page.
    NotFound,
    /// A document of the site's JSON Feed, which can be split into several documents.
    JsonFeed(usize),
    /// A document of the site's RSS feed, which can be split into several documents.
    Rss(usize),
    /// The theme's XSL stylesheet for the RSS feeds.
    RssStylesheet,
    /// The theme's CSS for the RSS feeds.
    RssStyles,
    /// The iCalendar file of all public calendars.
    Calendars,
    Calendar(usize),
    /// A page that lists a facet's items: the facet's kind and index, and the page number.
    Facet(FacetKind, usize, usize),
    /// The JSON Feed of a facet.
    FacetJson(FacetKind, usize),
    /// The RSS feed of a facet.
    FacetRss(FacetKind, usize),
    Tags,
    /// The index of albums.
    Albums,
    /// The archive page, or the archive page of one year.
    Archive(Option<i16>),
    /// The subscribe page, which explains how to follow the site.
    Subscribe,
    Search,
    SearchScript,
    /// The small script that loads the search script.
    SearchOpener,
    /// The style sheet for search.
    SearchStyle,
    /// The entry file of the search index.
    SearchIndex,
    /// A shard of the search index, by its name. The route table lists no shards, since their names
    /// are known only after the index is made.
    SearchShard(String),
    SiteFile(usize),
    Generated(GeneratedKind),
    /// A part of a split sitemap.
    SitemapPart(usize),
    /// An HTML page that redirects, for hosts without redirects.
    RedirectPage(String),
    /// An asset of the theme.
    Asset(usize),
    /// The tile of a service in links to profiles or on the subscribe page.
    Logo(Logo),
    /// A media file.
    Media(usize),
    /// A resized version of a picture among the media files.
    PictureSize(usize, Size),
    /// A social card.
    Card(CardOf),
    /// A file for a static host: one of [`hosting::files`].
    Hosting(&'static str),
}

/// Maximum number of URLs in one sitemap, according to the protocol (sitemaps.org 0.9).
pub const MAX_SITEMAP_URLS: usize = 50_000;

/// Maximum number of items in an archive that has only one page. A larger archive has a page for
/// each year.
pub const MAX_ARCHIVE_ITEMS: usize = 1000;

/// The template key of the season whose items a page lists.
pub const SEASON_PAGE: &str = "season_page";

/// The template key of the author whose items a page lists.
pub const AUTHOR_PAGE: &str = "author_page";

/// The template key of the album whose items a page lists.
pub const ALBUM_PAGE: &str = "album_page";

/// The template key of the series whose items a page lists.
pub const SERIES_PAGE: &str = "series_page";

/// The documents that a site publishes.
#[derive(Debug, Clone, Copy)]
pub struct Public<'a> {
    pub snapshot: &'a Snapshot,
    pub theme: &'a Theme,
}

impl Public<'_> {
    /// Iterates over every document that may exist, except the files of [`hosting`], in the order
    /// of the route table.
    pub fn candidates(&self) -> impl Iterator<Item = Document> {
        let snapshot = self.snapshot;
        let items = 0..snapshot.entries.len();
        let feeds = 1..=self.feed_documents();
        let facets = FacetKind::ALL.into_iter().flat_map(move |kind| {
            let all = 0..snapshot.facets.all(kind).len();
            all.flat_map(move |at| {
                (1..=self.facet_pages(kind, at)).map(move |n| Document::Facet(kind, at, n))
            })
        });
        let facet_feeds = FacetKind::ALL.into_iter().flat_map(move |kind| {
            let all = 0..snapshot.facets.all(kind).len();
            all.flat_map(move |at| [Document::FacetJson(kind, at), Document::FacetRss(kind, at)])
        });
        let item_feeds =
            |at| [Document::ItemJson(at), Document::ItemRss(at), Document::Chapters(at)];
        let embeds = |at| [Document::Embed(at), Document::OEmbed(at)];
        let markdown = items
            .clone()
            .map(Document::ItemMarkdown)
            .chain((0..snapshot.pages.len()).map(Document::PageMarkdown));
        let html = (1..=self.home_pages())
            .map(Document::Home)
            .chain(items.clone().map(Document::Item))
            .chain(items.clone().flat_map(embeds))
            .chain((0..snapshot.pages.len()).map(Document::Page))
            .chain([Document::NotFound])
            .chain(facets)
            .chain([Document::Tags, Document::Albums, Document::Archive(None)])
            .chain(self.archive_years().into_iter().map(Document::Archive))
            .chain([
                Document::Subscribe,
                Document::Search,
                Document::SearchScript,
                Document::SearchOpener,
                Document::SearchStyle,
                Document::SearchIndex,
            ])
            .chain((0..self.theme.assets.len()).map(Document::Asset))
            .chain(self.logos().into_iter().map(Document::Logo));
        let cards = [CardOf::Home].into_iter();
        let cards = cards.chain(items.clone().map(CardOf::Item));
        let cards = cards.chain((0..snapshot.pages.len()).map(CardOf::Page)).map(Document::Card);
        let feeds = feeds
            .clone()
            .map(Document::JsonFeed)
            .chain(feeds.map(Document::Rss))
            .chain([Document::RssStylesheet, Document::RssStyles])
            .chain(facet_feeds)
            .chain(items.flat_map(item_feeds))
            .chain([Document::Calendars])
            .chain((0..snapshot.calendars.all.len()).map(Document::Calendar));
        let files = (0..snapshot.site_files.len())
            .map(Document::SiteFile)
            .chain(GeneratedKind::ALL.map(Document::Generated))
            .chain((1..=self.sitemap_parts()).map(Document::SitemapPart))
            .chain((0..snapshot.media.len()).map(Document::Media))
            .chain(self.picture_sizes());
        html.chain(markdown).chain(cards).chain(feeds).chain(files)
    }

    /// Returns whether the site has this document.
    pub fn has(&self, document: &Document) -> bool {
        let (snapshot, config) = (self.snapshot, &self.snapshot.config);
        let html = config.access == Access::Public;
        let feeds = config.access != Access::Offline;
        let rss = feeds && config.feed.rss;
        let entry = |at: &usize| &snapshot.entries[*at];
        match document {
            Document::Home(n) => html && (1..=self.home_pages()).contains(n),
            Document::Item(at) => html && entry(at).is_public(),
            Document::Embed(at) | Document::OEmbed(at) => {
                let is_wanted = config.output.embeds.has(&entry(at).item);
                html && is_wanted && self.has_optional_slot(Slot::WebEmbed) && entry(at).is_public()
            }
            // Markdown cannot contain `noindex`, so unlisted content has no Markdown version.
            Document::ItemMarkdown(at) => {
                html && config.output.markdown && entry(at).is_published()
            }
            Document::PageMarkdown(at) => {
                let is_listed = snapshot.pages[*at].status == Status::Published;
                config.output.markdown && is_listed && self.has(&Document::Page(*at))
            }
            Document::ItemJson(at) => feeds && config.output.item_json && entry(at).is_public(),
            Document::ItemRss(at) => rss && config.output.item_rss && entry(at).is_public(),
            Document::Chapters(at) => rss && entry(at).has_chapters(),
            Document::Page(at) => {
                let is_public = snapshot.pages[*at].status != Status::Unpublished;
                html && self.theme.has_pages() && is_public
            }
            Document::NotFound => html,
            Document::Asset(at) => {
                let asset = &self.theme.assets[*at];
                html && (!asset.is_for_formulas || snapshot.has_formulas())
            }
            // There are candidates only for logos that pages show.
            Document::Logo(_) => html,
            Document::JsonFeed(n) => feeds && (1..=self.feed_documents()).contains(n),
            Document::Rss(n) => rss && (1..=self.feed_documents()).contains(n),
            Document::RssStylesheet => html && rss && self.has_optional_slot(Slot::RssStylesheet),
            Document::RssStyles => html && rss && self.has_optional_slot(Slot::RssStyles),
            Document::Calendars => feeds && snapshot.calendars.published().next().is_some(),
            Document::Calendar(at) => feeds && snapshot.calendars.all[*at].is_published(),
            Document::Facet(kind, at, n) => {
                self.has_facets(*kind) && (1..=self.facet_pages(*kind, *at)).contains(n)
            }
            Document::FacetJson(kind, _) => self.has_facet_feeds(*kind),
            Document::FacetRss(kind, _) => config.feed.rss && self.has_facet_feeds(*kind),
            Document::Tags => self.has_tag_index(),
            Document::Albums => self.has_album_index(),
            Document::Archive(None) => self.has_archive(),
            Document::Archive(Some(year)) => {
                self.has_archive() && self.archive_has_years() && snapshot.has_year(*year)
            }
            Document::Subscribe => self.has_subscribe(),
            Document::Search
            | Document::SearchScript
            | Document::SearchOpener
            | Document::SearchStyle
            | Document::SearchIndex
            | Document::SearchShard(_) => self.has_search(),
            // A headless site has no pages for a sitemap to list.
            Document::SiteFile(at) => {
                let filename = &snapshot.site_files[*at].filename;
                let is_sitemap = filename == GeneratedKind::Sitemap.filename();
                feeds && (html || !is_sitemap) && config.site_file(filename).enabled
            }
            Document::Generated(kind) => self.generates(*kind),
            Document::SitemapPart(n) => {
                self.generates(GeneratedKind::Sitemap) && (1..=self.sitemap_parts()).contains(n)
            }
            Document::Media(at) => feeds && snapshot.publishes(&snapshot.media[*at]),
            Document::PictureSize(at, size) => feeds && self.sizes_of(*at).contains(size),
            Document::Hosting(name) => feeds && hosting::files(config).contains(name),
            Document::Card(of) => {
                let has_page = match of {
                    CardOf::Home => true,
                    CardOf::Item(at) => self.has(&Document::Item(*at)),
                    CardOf::Page(at) => self.has(&Document::Page(*at)),
                };
                has_page && self.card(*of).is_some()
            }
            Document::RedirectPage(_) => false,
        }
    }

    /// Calls `add` with each public path of a document. The paths are not percent-encoded.
    pub fn for_each_path(&self, document: &Document, mut add: impl FnMut(String)) {
        let snapshot = self.snapshot;
        let id = |at: &usize| snapshot.entries[*at].item.id.as_str();
        let path = match document {
            Document::Home(n) => paths::home(*n),
            Document::Item(at) => paths::item(&snapshot.entries[*at].segment),
            Document::Embed(at) => paths::embed(&snapshot.entries[*at].segment),
            Document::OEmbed(at) => paths::oembed(&snapshot.entries[*at].segment),
            Document::ItemMarkdown(at) => paths::item_markdown(&snapshot.entries[*at].segment),
            Document::ItemJson(at) => paths::item_json(id(at)),
            Document::ItemRss(at) => paths::item_rss(id(at)),
            Document::Chapters(at) => {
                chapter_keys(&snapshot.entries[*at])
                    .into_iter()
                    .for_each(|key| add(paths::chapters(key)));
                return;
            }
            Document::Page(at) => paths::page(snapshot.pages[*at].page.slug.as_str()),
            Document::PageMarkdown(at) => {
                paths::page_markdown(snapshot.pages[*at].page.slug.as_str())
            }
            Document::NotFound => {
                add("/404.html".into());
                "/404/".into()
            }
            Document::JsonFeed(n) => paths::json_feed(*n),
            Document::Rss(n) => paths::rss(*n),
            Document::RssStylesheet => paths::RSS_STYLESHEET.into(),
            Document::RssStyles => paths::RSS_STYLES.into(),
            Document::Calendars => paths::CALENDARS.into(),
            Document::Calendar(at) => {
                paths::calendar(snapshot.calendars.all[*at].calendar.id.as_str())
            }
            Document::Facet(kind, at, n) => {
                paths::facet(*kind, &snapshot.facets.all(*kind)[*at].slug, *n)
            }
            Document::FacetJson(kind, at) => {
                paths::facet_json(*kind, &snapshot.facets.all(*kind)[*at].slug)
            }
            Document::FacetRss(kind, at) => {
                paths::facet_rss(*kind, &snapshot.facets.all(*kind)[*at].slug)
            }
            Document::Tags => paths::TAG_INDEX.into(),
            Document::Albums => paths::ALBUM_INDEX.into(),
            Document::Archive(year) => paths::archive(*year),
            Document::Subscribe => paths::SUBSCRIBE.into(),
            Document::Search => paths::SEARCH.into(),
            Document::SearchScript => paths::SEARCH_SCRIPT.into(),
            Document::SearchOpener => paths::SEARCH_OPENER.into(),
            Document::SearchStyle => paths::SEARCH_STYLE.into(),
            Document::SearchIndex => paths::SEARCH_INDEX.into(),
            Document::SearchShard(name) => paths::search_shard(name),
            Document::SiteFile(at) => format!("/{}", snapshot.site_files[*at].filename),
            Document::Generated(kind) => format!("/{}", kind.filename()),
            Document::SitemapPart(n) => paths::sitemap_part(*n),
            Document::Asset(at) => {
                let asset = &self.theme.assets[*at].address;
                format!("{}/{asset}", paths::assets(&self.theme.hash))
            }
            Document::Logo(logo) => logo.path(),
            Document::Media(at) => snapshot.media[*at].path.clone(),
            Document::PictureSize(at, size) => match &snapshot.media[*at] {
                file @ MediaFile { still: Some(still), .. } => path_of(file, still, *size),
                _ => return,
            },
            Document::Card(of) => match self.card_path(*of) {
                Some(path) => path,
                None => return,
            },
            Document::Hosting(name) => format!("/{name}"),
            Document::RedirectPage(_) => return,
        };
        add(path);
    }

    /// Returns the document at a public path. The path is not percent-encoded.
    pub fn find(&self, path: &str) -> Option<Document> {
        let document = self.candidate(path).filter(|document| self.has(document))?;
        let mut is_there = false;
        self.for_each_path(&document, |own| is_there |= own == path);
        is_there.then_some(document)
    }

    /// Returns the document that would be at a path, judged by the form of the path. The site does
    /// not necessarily have this document.
    fn candidate(&self, path: &str) -> Option<Document> {
        let snapshot = self.snapshot;
        let numbered = |name: &str, ending| name.strip_suffix(ending)?.parse().ok();
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        Some(match parts.as_slice() {
            [""] => Document::Home(1),
            ["page", n, ""] => Document::Home(n.parse().ok()?),
            ["i", key, ""] => Document::Item(snapshot.position(key)?),
            ["i", key, "embed", ""] => Document::Embed(snapshot.position(key)?),
            ["i", key, "embed", "oembed.json"] => Document::OEmbed(snapshot.position(key)?),
            ["i", key, "index.md"] => Document::ItemMarkdown(snapshot.position(key)?),
            ["i", key, "item.json"] => Document::ItemJson(snapshot.position(key)?),
            ["i", key, "item.rss"] => Document::ItemRss(snapshot.position(key)?),
            ["i", key, "chapters.json"] => Document::Chapters(snapshot.position(key)?),
            ["i", key, "card.jpg" | "card.png"] => {
                Document::Card(CardOf::Item(snapshot.position(key)?))
            }
            ["card.jpg" | "card.png"] if self.has(&Document::Card(CardOf::Home)) => {
                Document::Card(CardOf::Home)
            }
            [slug, "card.jpg" | "card.png"] => Document::Card(CardOf::Page(self.page_at(slug)?)),
            ["404.html"] | ["404", ""] => Document::NotFound,
            ["feed.json"] => Document::JsonFeed(1),
            ["feed", name] => Document::JsonFeed(numbered(name, ".json")?),
            ["rss.xml"] => Document::Rss(1),
            ["rss", name] => Document::Rss(numbered(name, ".xml")?),
            ["rss.xsl"] if self.has_optional_slot(Slot::RssStylesheet) => Document::RssStylesheet,
            ["rss.css"] if self.has_optional_slot(Slot::RssStyles) => Document::RssStyles,
            ["calendar.ics"] => Document::Calendars,
            ["calendars", name] => {
                let id = name.strip_suffix(".ics")?;
                let mut all = snapshot.calendars.all.iter();
                Document::Calendar(all.position(|entry| entry.calendar.id.as_str() == id)?)
            }
            ["tags", ""] => Document::Tags,
            ["albums", ""] if self.has_album_index() => Document::Albums,
            // If there is no generated archive, an author's page may have this path.
            ["archive", ""] if self.has_archive() => Document::Archive(None),
            ["subscribe", ""] if self.has_subscribe() => Document::Subscribe,
            ["archive", year, ""] => Document::Archive(Some(year.parse().ok()?)),
            [folder, slug, rest @ ..] if paths::facets_of_folder(folder).is_some() => {
                let kind = paths::facets_of_folder(folder)?;
                let at = snapshot.facets.position(kind, slug)?;
                match rest {
                    [""] => Document::Facet(kind, at, 1),
                    ["page", n, ""] => Document::Facet(kind, at, n.parse().ok()?),
                    ["feed.json"] => Document::FacetJson(kind, at),
                    ["rss.xml"] => Document::FacetRss(kind, at),
                    _ => return None,
                }
            }
            ["search", ""] => Document::Search,
            ["search", "search.js"] => Document::SearchScript,
            ["search", "open.js"] => Document::SearchOpener,
            ["search", "search.css"] => Document::SearchStyle,
            ["search", "index", "entry.bin"] => Document::SearchIndex,
            ["search", "index", "shards", name] => {
                Document::SearchShard(name.strip_suffix(".bin")?.to_owned())
            }
            ["assets", FOLDER, name] => {
                Document::Logo(Logo::at(name).filter(|logo| self.logos().contains(logo))?)
            }
            ["assets", _, inner @ ..] => {
                let inner = inner.join("/");
                let mut assets = self.theme.assets.iter();
                Document::Asset(assets.position(|asset| asset.address == inner)?)
            }
            ["media", ..] => {
                let media = &snapshot.media;
                let at = media.binary_search_by(|file| file.path.as_str().cmp(path));
                match at {
                    Ok(at) => Document::Media(at),
                    Err(_) => {
                        let (at, size) = pictures::picture_size_at(snapshot, path)?;
                        Document::PictureSize(at, size)
                    }
                }
            }
            [slug, ""] => Document::Page(self.page_at(slug)?),
            [slug, "index.md"] => Document::PageMarkdown(self.page_at(slug)?),
            [name] => self.root_file(name)?,
            _ => return None,
        })
    }

    /// Returns the index of the page with this slug.
    fn page_at(&self, slug: &str) -> Option<usize> {
        self.snapshot.pages.iter().position(|entry| entry.page.slug.as_str() == slug)
    }

    /// Returns the sizes in which a media file is published.
    fn sizes_of(&self, at: usize) -> Vec<Size> {
        sizes(&self.snapshot.media[at], &self.snapshot.config.images)
    }

    fn picture_sizes(&self) -> impl Iterator<Item = Document> {
        let all = 0..self.snapshot.media.len();
        all.flat_map(|at| {
            let sizes = self.sizes_of(at).into_iter();
            sizes.map(move |size| Document::PictureSize(at, size))
        })
    }

    fn root_file(&self, name: &str) -> Option<Document> {
        let snapshot = self.snapshot;
        let is_there = |document: &Document| self.has(document);
        let own = snapshot.site_files.iter().position(|file| file.filename == name);
        let own = own.map(Document::SiteFile).filter(is_there);
        own.or_else(|| {
            let kinds = GeneratedKind::ALL.into_iter();
            kinds.filter(|kind| kind.filename() == name).map(Document::Generated).next()
        })
        .or_else(|| {
            let number = name.strip_prefix("sitemap-")?.strip_suffix(".xml")?;
            number.parse().ok().map(Document::SitemapPart)
        })
        .or_else(|| {
            let mut files = hosting::files(&snapshot.config).into_iter();
            files.find(|file| *file == name).map(Document::Hosting)
        })
    }
}

/// Returns the names below `/i/` under which an item's chapters are published, without duplicates.
fn chapter_keys(entry: &ItemEntry) -> Vec<&str> {
    let mut keys = vec![entry.item.id.as_str(), entry.segment.as_str()];
    keys.extend(entry.item.aliases.iter().map(|alias| alias.as_str()));
    keys.sort_unstable();
    keys.dedup();
    keys
}
