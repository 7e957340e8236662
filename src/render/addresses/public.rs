//! Decides which documents a site has, and at which public paths. No other module decides this.
//!
//! [`Public::candidates`] and [`Public::has`] list the documents for the route table.
//! [`Public::find`] returns the document of a single path without building the table. It finds only
//! documents that the other two functions list.

mod cards;
mod clips;
mod document;
mod find;
mod rules;

use crate::hosting;
use crate::transcript_files::caption_file;
use model::artwork::sizes;
use model::pictures::path_of;
use model::{Access, GeneratedKind, MediaFile, Size, Status};
use site::{FacetKind, ItemEntry, Snapshot, paths};
use theme::{Slot, Theme};

pub use cards::CardOf;
pub use document::Document;

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

/// The template key of the section whose items a page lists.
pub const SECTION_PAGE: &str = "section_page";

/// The documents that a site publishes.
#[derive(Debug, Clone, Copy)]
pub struct Public<'a> {
    pub snapshot: &'a Snapshot,
    pub theme: &'a Theme,
}

impl<'a> Public<'a> {
    /// Iterates over every document that may exist, except the files of [`hosting`], in the order
    /// of the route table.
    pub fn candidates(&self) -> impl Iterator<Item = Document> {
        let snapshot = self.snapshot;
        // Editions have the documents of items.
        let items = if snapshot.has_editions() { 0..0 } else { 0..snapshot.entries.len() };
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
        let embeds = |at| [Document::Embed(at), Document::OEmbed(at), Document::Captions(at)];
        let markdown = items
            .clone()
            .map(Document::ItemMarkdown)
            .chain((0..snapshot.pages.len()).map(Document::PageMarkdown));
        let html = (1..=self.home_pages())
            .map(Document::Home)
            .chain(items.clone().map(Document::Item))
            .chain(items.clone().flat_map(embeds))
            .chain(snapshot.soundbites().map(|(at, n)| Document::Clip(at, n)))
            .chain((0..snapshot.pages.len()).map(Document::Page))
            .chain([Document::NotFound])
            .chain(facets)
            .chain([Document::Tags, Document::Albums, Document::Archive(None)])
            .chain(self.archive_years().into_iter().map(Document::Archive))
            .chain((1..=self.planet_pages()).map(Document::Planet))
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
        let cards = cards.chain(snapshot.soundbites().map(|(at, n)| CardOf::Clip(at, n)));
        let cards = cards.chain((0..snapshot.pages.len()).map(CardOf::Page)).map(Document::Card);
        let feeds = feeds
            .clone()
            .map(Document::JsonFeed)
            .chain(feeds.map(Document::Rss))
            .chain([Document::RssStylesheet, Document::RssStyles])
            .chain(facet_feeds)
            .chain([Document::PlanetJson, Document::PlanetRss, Document::PlanetOpml])
            .chain(items.flat_map(item_feeds))
            .chain([Document::Calendars, Document::Publisher, Document::Opml])
            .chain((0..snapshot.calendars.all.len()).map(Document::Calendar));
        let files = (0..snapshot.site_files.len())
            .map(Document::SiteFile)
            .chain(GeneratedKind::ALL.map(Document::Generated))
            .chain((1..=self.sitemap_parts()).map(Document::SitemapPart))
            .chain((0..snapshot.media.len()).map(Document::Media))
            .chain(snapshot.soundbites().map(|(at, n)| Document::ClipRecording(at, n)))
            .chain(self.picture_sizes());
        let own = html.chain(markdown).chain(cards).chain(feeds).chain(files);
        let editions = snapshot.published_editions().flat_map(|at| {
            let all: Vec<Document> = self.edition(at).candidates().collect();
            all.into_iter().map(move |document| Document::In(at, Box::new(document)))
        });
        own.chain(editions)
    }

    /// Returns whether the site has this document.
    pub fn has(&self, document: &Document) -> bool {
        let (snapshot, config) = (self.snapshot, &self.snapshot.config);
        if (snapshot.is_edition && document.is_shared())
            || (snapshot.has_editions() && !document.is_shared())
        {
            return matches!(document, Document::In(at, inner) if self.edition(*at).has(inner));
        }
        // The edition of a show has the documents of the show's items.
        if document.item_index().is_some_and(|at| !snapshot.entries[at].mount.is_empty()) {
            return false;
        }
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
            Document::Clip(at, n) => self.clip(*at, *n).is_some(),
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
            Document::Captions(at) => {
                html && entry(at).is_public() && caption_file(config, &entry(at).item).is_some()
            }
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
                // A section's first page is its page.
                let first = if *kind == FacetKind::Section { 2 } else { 1 };
                self.has_facets(*kind) && (first..=self.facet_pages(*kind, *at)).contains(n)
            }
            Document::FacetJson(kind, _) => self.has_facet_feeds(*kind),
            Document::FacetRss(kind, _) => config.feed.rss && self.has_facet_feeds(*kind),
            Document::Tags => self.has_tag_index(),
            Document::Albums => self.has_album_index(),
            Document::Archive(None) => self.has_archive(),
            Document::Archive(Some(year)) => {
                self.has_archive() && self.archive_has_years() && snapshot.has_year(*year)
            }
            Document::Planet(n) => self.has_planet() && (1..=self.planet_pages()).contains(n),
            Document::PlanetJson | Document::PlanetOpml => self.has_planet_feeds(),
            Document::PlanetRss => config.feed.rss && self.has_planet_feeds(),
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
            Document::ClipRecording(at, n) => html && self.clip_recording(*at, *n).is_some(),
            Document::PictureSize(at, size) => feeds && self.sizes_of(*at).contains(size),
            Document::Hosting(name) => feeds && hosting::files(config).contains(name),
            Document::Card(of) => {
                let has_page = match of {
                    CardOf::Home => true,
                    CardOf::Item(at) => self.has(&Document::Item(*at)),
                    CardOf::Clip(at, n) => self.has(&Document::Clip(*at, *n)),
                    CardOf::Page(at) => self.has(&Document::Page(*at)),
                };
                has_page && self.card(*of).is_some()
            }
            Document::Publisher => rss && self.has_shows(),
            Document::Opml => feeds && self.has_shows(),
            Document::RedirectPage(_) => false,
            Document::In(at, inner) => self.edition(*at).has(inner),
        }
    }

    /// Returns the documents of an edition.
    pub fn edition(&self, at: usize) -> Self {
        Self { snapshot: &self.snapshot.editions[at].snapshot, theme: self.theme }
    }

    /// Calls `add` with each public path of a document. The paths are not percent-encoded.
    pub fn for_each_path(&self, document: &Document, mut add: impl FnMut(String)) {
        let snapshot = self.snapshot;
        let path = match document {
            Document::Home(n) => paths::home(*n),
            Document::Item(at) => snapshot.entries[*at].path.clone(),
            Document::Embed(at) => paths::embed(&snapshot.entries[*at]),
            Document::OEmbed(at) => paths::oembed(&snapshot.entries[*at]),
            Document::Captions(at) => paths::captions(&snapshot.entries[*at]),
            Document::Clip(at, n) => match self.clip(*at, *n) {
                Some(clip) => clip.path(&snapshot.entries[*at]),
                None => return,
            },
            Document::ItemMarkdown(at) => paths::markdown_of(&snapshot.entries[*at].path),
            Document::ItemJson(at) => paths::item_json(&snapshot.entries[*at]),
            Document::ItemRss(at) => paths::item_rss(&snapshot.entries[*at]),
            Document::Chapters(at) => {
                chapter_keys(&snapshot.entries[*at])
                    .into_iter()
                    .for_each(|key| add(paths::chapters(&snapshot.entries[*at], key)));
                return;
            }
            Document::Page(at) => paths::page(snapshot.pages[*at].page.slug.as_str()),
            Document::PageMarkdown(at) => {
                paths::markdown_of(&paths::page(snapshot.pages[*at].page.slug.as_str()))
            }
            Document::NotFound => {
                add("/404.html".into());
                "/404/".into()
            }
            Document::JsonFeed(n) => paths::json_feed(*n),
            Document::Rss(n) => paths::rss(*n),
            Document::RssStylesheet => paths::RSS_STYLESHEET.into(),
            Document::RssStyles => paths::RSS_STYLES.into(),
            Document::Publisher => paths::PUBLISHER.into(),
            Document::Opml => paths::SHOWS_OPML.into(),
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
            Document::Planet(n) => paths::planet(*n),
            Document::PlanetJson => paths::PLANET_JSON.into(),
            Document::PlanetRss => paths::PLANET_RSS.into(),
            Document::PlanetOpml => paths::PLANET_OPML.into(),
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
            Document::ClipRecording(at, n) => match self.clip_recording(*at, *n) {
                Some(clip) => clip.path,
                None => return,
            },
            Document::PictureSize(at, size) => match &snapshot.media[*at] {
                file @ MediaFile { still: Some(still), .. } => path_of(file, still, *size),
                _ => return,
            },
            Document::Card(of) => match self.card_path(*of) {
                Some(path) => path,
                None => return,
            },
            Document::Hosting(name) => format!("/{name}"),
            Document::In(at, inner) => {
                let edition = self.edition(*at);
                let mount = &edition.snapshot.config.mount;
                let below: &mut dyn FnMut(String) = &mut |path| add([mount, &*path].concat());
                return edition.for_each_path(inner, below);
            }
            Document::RedirectPage(_) => return,
        };
        add(path);
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
}

/// Returns the names below `/i/` under which an item's chapters are published, without duplicates.
fn chapter_keys(entry: &ItemEntry) -> Vec<&str> {
    let mut keys = vec![entry.item.id.as_str(), entry.segment.as_str()];
    keys.extend(entry.item.aliases.iter().map(|alias| alias.as_str()));
    keys.sort_unstable();
    keys.dedup();
    keys
}
