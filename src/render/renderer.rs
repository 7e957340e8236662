//! Renders the document behind a route.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::addresses::public::{CardOf, Document};
use super::addresses::routes::Routes;
use super::batches::{Batch, batches};
use super::document_cache::DocumentCache;
use super::feeds::chapters::ChaptersDocument;
use super::feeds::item_parts::ItemParts;
use super::feeds::{json_feed, site_rss};
use super::inputs::{Inputs, Provider, Shared};
use super::pages::{embed, html, markdown, site_file, sitemap};
use super::trace::{Trace, TracedPiece};
use super::{calendar, hosting, search};
use model::{Content, Diagnostic, PublishedRecording, Report, SiteFile, SocialCard};
use site::{ItemEntry, Snapshot};
use theme::Theme;

/// The content of a document: its bytes, or a file of the site.
#[derive(Debug)]
pub enum Body {
    Bytes(Vec<u8>),
    /// A media file, as a path relative to the site's root.
    File(PathBuf),
    /// A recording with tags.
    Recording(PublishedRecording),
    /// The entry file of the search index, or the shard with this name. The caller builds the
    /// index, since all its files are built at once.
    SearchFile(Option<String>),
}

/// A renderer for the documents of one snapshot with one theme. The same document always has the
/// same bytes.
#[derive(Clone, Copy)]
pub struct Renderer<'a> {
    provider: Provider<'a>,
    rendered: &'a AtomicUsize,
    parts: Option<&'a ItemParts>,
}

impl<'a> Renderer<'a> {
    /// Returns a renderer. Data that documents share is computed when first needed and kept in
    /// `cache`, which must belong to this snapshot and theme.
    pub fn new(snapshot: &'a Snapshot, theme: &'a Theme, cache: &'a DocumentCache) -> Self {
        Self {
            provider: Provider::new(snapshot, theme, &cache.inputs),
            rendered: &cache.rendered,
            parts: None,
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
        let (feed, entries) = self.provider.feed();
        let pages = (feed.limit, feed.items_per_page);
        batches(routes, entries, pages, |document| self.provider.oldest_of_facet(document))
    }

    /// Returns the bodies that a facet's feed shows. Returns an empty list for other documents.
    pub fn contents_of_facet(&self, document: &Document) -> Vec<&'a Content> {
        self.provider.contents_of_facet(document)
    }

    /// Returns the body of the item that the document belongs to. Returns None if the document
    /// shows no body or does not belong to an item.
    pub fn content(&self, document: &Document) -> Option<&'a Content> {
        self.provider.content(document)
    }

    /// Returns the route table, and the errors found while building it.
    pub fn table(&self) -> &'a (Routes, Report) {
        self.provider.table()
    }

    /// Returns the data that every document may read.
    pub fn shared(&self) -> Shared<'a> {
        self.provider.shared()
    }

    /// Returns how many documents of this snapshot all renderers have rendered.
    pub fn rendered(&self) -> usize {
        self.rendered.load(Ordering::Relaxed)
    }

    /// Returns a hash of all data that a document depends on. A document changes only if its hash
    /// changes. Returns None for the search index, and for a media file that is published
    /// unchanged.
    pub fn fingerprint(&self, document: &Document) -> Option<u64> {
        self.provider.fingerprint(document)
    }

    /// Returns the social cards of the route table, each with its document.
    pub fn cards(&self) -> impl Iterator<Item = (CardOf, SocialCard<'a>)> {
        let routes = self.table().0.routes.iter();
        routes.filter_map(|route| match route.document {
            Document::Card(of) => Some((of, self.provider.card(of)?)),
            _ => None,
        })
    }

    pub fn render(&self, document: &Document) -> Result<Body, Diagnostic> {
        if !matches!(document, Document::Media(_)) {
            self.rendered.fetch_add(1, Ordering::Relaxed);
        }
        let shared = self.provider.shared();
        self.write(&shared, &self.provider.inputs(document))
    }

    /// Renders a document. Also returns the document's pieces in order, each with the template
    /// position that wrote it.
    pub fn render_traced(
        &self,
        document: &Document,
    ) -> Result<(Body, Vec<TracedPiece>), Diagnostic> {
        let trace = Trace::default();
        let shared = self.provider.shared().traced(&trace);
        let body = self.write(&shared, &self.provider.inputs(document))?;
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
            Inputs::ItemMarkdown(entry, transcript) => {
                markdown::item(shared, entry, transcript.as_ref()).into_bytes()
            }
            Inputs::PageMarkdown(entry) => markdown::page(shared, entry).into_bytes(),
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
            Inputs::Ics(calendars) => calendar::document(shared, calendars),
            Inputs::SearchScript => search::SCRIPT.clone().into_bytes(),
            Inputs::SearchOpener => search::OPENER.clone().into_bytes(),
            Inputs::SearchStyle => search::STYLE.clone().into_bytes(),
            Inputs::SiteFile(file) => site_file::render(shared, file)?.into_bytes(),
            Inputs::Robots => site_file::robots(shared).into_bytes(),
            Inputs::Llms(listed) => site_file::llms(shared, listed).into_bytes(),
            Inputs::Sitemap(sitemap) => sitemap::document(shared, sitemap),
            Inputs::Hosting(file) => {
                let has_calendars = shared.has_calendars;
                hosting::file(file.name, shared.config, has_calendars, file.redirects).into_bytes()
            }
            Inputs::RedirectPage(to) => hosting::redirect_page(shared.config, to).into_bytes(),
            Inputs::Logo(logo) => logo.svg().into_bytes(),
            Inputs::Asset(at) => shared.theme.assets[*at].bytes.clone(),
            Inputs::SearchFile(name) => return Ok(Body::SearchFile(name.map(str::to_owned))),
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
            Inputs::Card(card) => match (card, shared.pictures) {
                (Some(card), Some(pictures)) => pictures.card(card),
                _ => Vec::new(),
            },
            Inputs::PictureSize(file, size) => match shared.pictures {
                Some(pictures) => pictures.size(file, *size)?,
                None => Vec::new(),
            },
        }))
    }
}

fn chapters(shared: &Shared<'_>, entry: &ItemEntry) -> Vec<u8> {
    let mut out = Vec::new();
    if let Some(document) = ChaptersDocument::of(shared.channel, &entry.item) {
        document.write(true, &mut out);
    }
    out
}
