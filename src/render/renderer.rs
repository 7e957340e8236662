//! Renders the document behind a route.

use std::path::PathBuf;
use std::sync::atomic::Ordering;

use super::addresses::public::{CardOf, Document};
use super::addresses::routes::Routes;
use super::batches::{Batch, BatchedFeed, batches};
use super::document_cache::DocumentCache;
use super::feeds::chapters::ChaptersDocument;
use super::feeds::item_parts::ItemParts;
use super::feeds::{json_feed, opml, planet, site_rss};
use super::inputs::{Inputs, Provider, Shared, ShownTranscript, Translation};
use super::pages::{embed, html, markdown, site_file, sitemap};
use super::trace::{Trace, TracedPiece};
use super::{calendar, hosting, search};
use model::{Content, Diagnostic, PublishedRecording, Report, SiteFile, SitePath, SocialCard};
use site::{ItemEntry, PageEntry, Snapshot};
use theme::Theme;

/// The content of a document: its bytes, or a file of the site.
#[derive(Debug)]
pub enum Body {
    Bytes(Vec<u8>),
    /// A media file, as a path relative to the site's root.
    File(PathBuf),
    /// A recording with tags.
    Recording(PublishedRecording),
    /// A file of a search index. The caller builds the index, since all its files are built at once.
    SearchFile(SearchFile),
}

/// A file of the search index of a site or of one of its editions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchFile {
    /// Index of the edition. `None` means the site.
    pub edition: Option<usize>,
    /// Name of the shard. `None` means the entry file.
    pub shard: Option<String>,
}

/// A renderer for the documents of one snapshot with one theme. The same document always has the
/// same bytes.
#[derive(Clone, Copy)]
pub struct Renderer<'a> {
    provider: Provider<'a>,
    snapshot: &'a Snapshot,
    theme: &'a Theme,
    cache: &'a DocumentCache,
    parts: Option<&'a ItemParts>,
}

impl<'a> Renderer<'a> {
    /// Returns a renderer. Data that documents share is computed when first needed and kept in
    /// `cache`, which must belong to this snapshot and theme.
    pub fn new(snapshot: &'a Snapshot, theme: &'a Theme, cache: &'a DocumentCache) -> Self {
        let provider = Provider::new(snapshot, theme, &cache.inputs);
        Self { provider, snapshot, theme, cache, parts: None }
    }

    /// Returns the renderer of an edition.
    pub fn edition(&self, at: usize) -> Self {
        let editions = || self.snapshot.editions.iter().map(|_| DocumentCache::default()).collect();
        let cache = &self.cache.editions.get_or_init(editions)[at];
        let snapshot = &self.snapshot.editions[at].snapshot;
        let provider =
            Provider::new(snapshot, self.theme, &cache.inputs).within(&self.provider, at);
        Self { provider, snapshot, theme: self.theme, cache, parts: self.parts }
    }

    /// Returns the search indexes: for each, the index of its edition, or `None` for the site, and
    /// the path below which its files are.
    pub fn search_indexes(&self) -> Vec<(Option<usize>, &'a str)> {
        let mount = |at: usize| &*self.snapshot.editions[at].snapshot.config.mount;
        let parts = self.snapshot.parts().into_iter();
        parts.map(|part| (part, part.map_or("", mount))).collect()
    }

    /// Returns the renderer of the snapshot that a document belongs to, and the document in that
    /// snapshot.
    fn of<'d>(&self, document: &'d Document) -> (Self, &'d Document) {
        match document {
            Document::In(at, inner) => self.edition(*at).of(inner),
            own => (*self, own),
        }
    }

    /// Returns the same renderer for the documents of one [`Batch`]. An item that appears in its
    /// own feed and in the site's feed is then written only once.
    #[must_use]
    pub fn with_item_parts(self, parts: &'a ItemParts) -> Self {
        Self { parts: Some(parts), ..self }
    }

    /// Groups routes into batches, in the order in which to render them. A batch contains the
    /// indices of its routes, and every route is in exactly one batch. Within a batch, an item's
    /// body is needed only for the routes of that item, so it can be read once and then
    /// [released](Renderer::content).
    pub fn batches(&self, routes: &Routes) -> Vec<Batch> {
        let editions = 0..self.snapshot.editions.len();
        let all = [*self].into_iter().chain(editions.map(|at| self.edition(at)));
        let feeds: Vec<BatchedFeed<'_>> = all.map(|own| own.provider.batched_feed()).collect();
        batches(routes, &feeds, |document| {
            let (own, document) = self.of(document);
            own.provider.oldest_of_facet(document)
        })
    }

    /// Returns the bodies that a facet's feed shows. Returns an empty list for other documents.
    pub fn contents_of_facet(&self, document: &Document) -> Vec<&'a Content> {
        let (own, document) = self.of(document);
        own.provider.contents_of_facet(document)
    }

    /// Returns the body of the item that the document belongs to. Returns None if the document
    /// shows no body or does not belong to an item.
    pub fn content(&self, document: &Document) -> Option<&'a Content> {
        let (own, document) = self.of(document);
        own.provider.content(document)
    }

    /// Returns the route table, and the errors found while building it.
    pub fn table(&self) -> &'a (Routes, Report) {
        self.provider.table()
    }

    /// Returns the data that every document may read.
    pub fn shared(&self) -> Shared<'a> {
        self.provider.shared()
    }

    /// Returns the published translations of an item.
    pub fn translations_of_item(&self, entry: &ItemEntry) -> Vec<&'a Translation> {
        self.provider.translations_of_item(entry)
    }

    /// Returns the published translations of a page.
    pub fn translations_of_page(&self, entry: &PageEntry) -> Vec<&'a Translation> {
        self.provider.translations_of_page(entry)
    }

    /// Returns how many documents of this snapshot all renderers have rendered.
    pub fn rendered(&self) -> usize {
        self.cache.rendered.load(Ordering::Relaxed)
    }

    /// Returns a hash of all data that a document depends on. A document changes only if its hash
    /// changes. Returns None for the search index, and for a media file that is published
    /// unchanged.
    pub fn fingerprint(&self, document: &Document) -> Option<u64> {
        let (own, document) = self.of(document);
        own.provider.fingerprint(document)
    }

    /// Returns the social cards of the route table, each with the file of its item or page.
    pub fn cards(&self) -> impl Iterator<Item = (Option<&'a SitePath>, SocialCard<'a>)> {
        let routes = self.table().0.routes.iter();
        routes.filter_map(|route| match self.of(&route.document) {
            (own, Document::Card(of)) => {
                let snapshot = own.snapshot;
                let file = match *of {
                    CardOf::Home => None,
                    CardOf::Item(at) | CardOf::Clip(at, _) => {
                        Some(&snapshot.entries[at].item.source)
                    }
                    CardOf::Page(at) => snapshot.pages[at].page.source.as_ref(),
                };
                Some((file, own.provider.card(*of)?))
            }
            _ => None,
        })
    }

    pub fn render(&self, document: &Document) -> Result<Body, Diagnostic> {
        if !matches!(document, Document::Media(_)) {
            self.cache.rendered.fetch_add(1, Ordering::Relaxed);
        }
        let (own, document) = self.of(document);
        own.write(&own.provider.shared(), &own.provider.inputs(document))
    }

    /// Renders a document that is [made of its inputs](Document::is_made_of_inputs). Also returns its
    /// [fingerprint](Self::fingerprint).
    pub fn render_inputs(&self, document: &Document) -> Result<(Body, u64), Diagnostic> {
        self.cache.rendered.fetch_add(1, Ordering::Relaxed);
        let (own, document) = self.of(document);
        let (shared, inputs) = (own.provider.shared(), own.provider.inputs(document));
        Ok((own.write(&shared, &inputs)?, own.provider.hash_of_inputs(&inputs)))
    }

    /// Renders a document. Also returns the document's pieces in order, each with the template
    /// position that wrote it.
    pub fn render_traced(
        &self,
        document: &Document,
    ) -> Result<(Body, Vec<TracedPiece>), Diagnostic> {
        let trace = Trace::default();
        let (own, document) = self.of(document);
        let shared = own.provider.shared().traced(&trace);
        let body = own.write(&shared, &own.provider.inputs(document))?;
        Ok((body, trace.into_pieces()))
    }

    /// Renders a template as a site file.
    pub fn site_file(&self, file: &SiteFile) -> Result<String, Diagnostic> {
        let inputs = self.provider.site_file(file);
        site_file::render(&self.provider.shared(), &inputs)
    }

    fn write(&self, shared: &Shared<'_>, inputs: &Inputs<'_>) -> Result<Body, Diagnostic> {
        Ok(Body::Bytes(match inputs {
            Inputs::List(page) => html::list(shared, page)?.into_bytes(),
            Inputs::Archive(page) => html::archive(shared, page)?.into_bytes(),
            Inputs::TagIndex(page) => html::tag_index(shared, page)?.into_bytes(),
            Inputs::AlbumIndex(page) => html::album_index(shared, page)?.into_bytes(),
            Inputs::Item(page) => html::item(shared, page)?.into_bytes(),
            Inputs::Embed(page) => html::embed(shared, page)?.into_bytes(),
            Inputs::OEmbed(entry) => embed::oembed(shared, entry),
            Inputs::Captions(transcript) => {
                transcript.as_ref().map_or_else(Vec::new, ShownTranscript::to_webvtt)
            }
            Inputs::Clip(Some(page)) => html::clip(shared, page)?.into_bytes(),
            Inputs::ItemMarkdown(entry, transcript) => {
                markdown::item(shared, entry, transcript.as_ref()).into_bytes()
            }
            Inputs::PageMarkdown(entry) => markdown::page(shared, entry).into_bytes(),
            Inputs::Planet(page) => html::planet(shared, page)?.into_bytes(),
            Inputs::PlanetJson(feed) => planet::json(shared, feed),
            Inputs::PlanetRss(feed) => planet::rss(shared, feed),
            Inputs::PlanetOpml(sources) => planet::opml(shared, sources),
            Inputs::Subscribe(frame) => html::subscribe(shared, frame)?.into_bytes(),
            Inputs::Page(page) => html::page(shared, page)?.into_bytes(),
            Inputs::Search(frame) => html::search(shared, frame)?.into_bytes(),
            Inputs::RssStylesheet(frame) => html::rss_stylesheet(shared, frame)?.into_bytes(),
            Inputs::RssStyles(frame) => html::rss_styles(shared, frame)?.into_bytes(),
            Inputs::JsonFeed(page) => json_feed::page(shared, page, self.parts),
            Inputs::Rss(page) => site_rss::page(shared, page, self.parts),
            Inputs::FacetJson(feed) => json_feed::write_facet_feed(shared, feed),
            Inputs::FacetRss(feed) => site_rss::write_facet_feed(shared, feed),
            Inputs::ItemJson(entry) => json_feed::write_item_feed(shared, entry, self.parts),
            Inputs::ItemRss(entry) => site_rss::write_item_feed(shared, entry, self.parts),
            Inputs::Chapters(entry) => chapters(shared, entry),
            Inputs::Publisher(feed) => site_rss::write_publisher_feed(shared, &feed.0),
            Inputs::Opml => opml::shows(shared),
            Inputs::Ics(calendars) => calendar::document(shared, calendars),
            Inputs::SearchScript => search::SCRIPT.clone().into_bytes(),
            Inputs::SearchOpener => search::OPENER.clone().into_bytes(),
            Inputs::SearchStyle => search::STYLE.clone().into_bytes(),
            Inputs::SiteFile(file) => site_file::render(shared, file)?.into_bytes(),
            Inputs::Robots => site_file::robots(shared).into_bytes(),
            Inputs::Llms(listed) => site_file::llms(shared, listed).into_bytes(),
            Inputs::Sitemap(sitemap) => sitemap::document(shared, sitemap),
            Inputs::Hosting(file) => {
                let has = hosting::Has { calendars: file.has_calendars, clips: file.has_clips };
                hosting::file(file.name, shared.config, has, file.redirects).into_bytes()
            }
            Inputs::RedirectPage(to) => hosting::redirect_page(shared.config, to).into_bytes(),
            Inputs::Logo(logo) => logo.svg().into_bytes(),
            Inputs::Asset(at) => shared.theme.assets[*at].bytes.clone(),
            Inputs::SearchFile(shard) => {
                let (edition, shard) = (self.provider.edition(), shard.map(str::to_owned));
                return Ok(Body::SearchFile(SearchFile { edition, shard }));
            }
            Inputs::Media(file) => match shared.pictures {
                Some(pictures) if file.bare.is_some() => pictures.published(file)?,
                _ => return Ok(Body::File(PathBuf::from(file.source.as_str()))),
            },
            Inputs::Recording(tags) => {
                return Ok(match shared.recordings.published(tags) {
                    Some(recording) => Body::Recording(recording),
                    None => Body::File(PathBuf::from(tags.file.as_str())),
                });
            }
            Inputs::ClipRecording(tags) => {
                let clip = tags.as_ref().and_then(|tags| shared.recordings.published(tags));
                let changed = "a clip cannot be cut, because its recording changed meanwhile";
                let clip = clip.ok_or_else(|| Diagnostic::error(changed).help("build again"));
                return clip.map(Body::Recording);
            }
            Inputs::Card(card) => drawn(shared, card.as_ref()),
            Inputs::ClipCard(shown) => {
                let card =
                    shown.as_ref().map(|shown| shown.card(&shown.words(), shared.recordings));
                drawn(shared, card.flatten().as_ref())
            }
            Inputs::Clip(None) => Vec::new(),
            Inputs::PictureSize(file, size) => match shared.pictures {
                Some(pictures) => pictures.size(file, *size)?,
                None => Vec::new(),
            },
        }))
    }
}

/// Returns the file of a social card.
fn drawn(shared: &Shared<'_>, card: Option<&SocialCard<'_>>) -> Vec<u8> {
    let drawn = shared.pictures.zip(card).map(|(pictures, card)| pictures.card(card));
    drawn.unwrap_or_default()
}

fn chapters(shared: &Shared<'_>, entry: &ItemEntry) -> Vec<u8> {
    let mut out = Vec::new();
    if let Some(document) = ChaptersDocument::of(shared.channel, &entry.item) {
        document.write(true, &mut out);
    }
    out
}
