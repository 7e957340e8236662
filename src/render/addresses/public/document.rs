//! The documents of a site.

use super::CardOf;
use model::{GeneratedKind, Size};
use site::{FacetKind, ItemEntry, PageEntry, Snapshot};
use theme::services::Logo;

/// The document at a public path. A number is an index into one of the snapshot's lists, or a page
/// number starting at 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Document {
    /// A page of the list of all items. Page 1 is the home page.
    Home(usize),
    Item(usize),
    /// An item's page for embedding in other sites.
    Embed(usize),
    /// The page of a clip: the indices of the item and of its soundbite.
    Clip(usize, usize),
    /// The oEmbed response for an item's embed page.
    OEmbed(usize),
    /// An item's Markdown version.
    ItemMarkdown(usize),
    /// An item's JSON Feed.
    ItemJson(usize),
    ItemRss(usize),
    Chapters(usize),
    Captions(usize),
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
    /// A page of items of feeds from elsewhere.
    Planet(usize),
    PlanetJson,
    PlanetRss,
    /// The list of these feeds.
    PlanetOpml,
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
    /// The recording of a clip: the indices of the item and of its soundbite.
    ClipRecording(usize, usize),
    /// A resized version of a picture among the media files.
    PictureSize(usize, Size),
    /// A social card.
    Card(CardOf),
    /// A file for a static host: one of [`hosting::files`].
    Hosting(&'static str),
    /// The feed of the publisher of several shows.
    Publisher,
    /// The list of the feeds of all shows, in OPML.
    Opml,
    /// A document of an edition, by the edition's index.
    In(usize, Box<Self>),
}

impl Document {
    /// Returns the snapshot that the document belongs to, and the document in that snapshot.
    pub fn in_snapshot<'s>(&self, snapshot: &'s Snapshot) -> (&'s Snapshot, &Self) {
        match self {
            Self::In(at, inner) => inner.in_snapshot(&snapshot.editions[*at].snapshot),
            own => (snapshot, own),
        }
    }

    /// Returns the item whose page this is.
    pub fn item<'s>(&self, snapshot: &'s Snapshot) -> Option<&'s ItemEntry> {
        match self.in_snapshot(snapshot) {
            (snapshot, Self::Item(at)) => snapshot.entries.get(*at).map(AsRef::as_ref),
            _ => None,
        }
    }

    /// Returns the index of the item that the document belongs to.
    pub(super) fn item_index(&self) -> Option<usize> {
        match self {
            Self::Item(at)
            | Self::Embed(at)
            | Self::Clip(at, _)
            | Self::OEmbed(at)
            | Self::ItemMarkdown(at)
            | Self::ItemJson(at)
            | Self::ItemRss(at)
            | Self::Chapters(at)
            | Self::Captions(at)
            | Self::ClipRecording(at, _)
            | Self::Card(CardOf::Item(at) | CardOf::Clip(at, _)) => Some(*at),
            _ => None,
        }
    }

    /// Returns the author's page that this is.
    pub fn page<'s>(&self, snapshot: &'s Snapshot) -> Option<&'s PageEntry> {
        match self.in_snapshot(snapshot) {
            (snapshot, Self::Page(at)) => snapshot.pages.get(*at),
            _ => None,
        }
    }

    /// Returns this document of an edition, or of a site without editions.
    #[must_use]
    pub fn of_edition(self, edition: Option<usize>) -> Self {
        match edition {
            Some(at) => Self::In(at, Box::new(self)),
            None => self,
        }
    }

    /// Returns this document of the site, or of the edition at the site's root.
    #[must_use]
    pub fn at_root(self, snapshot: &Snapshot) -> Self {
        match snapshot.has_editions() && !self.is_shared() {
            true => Self::In(0, Box::new(self)),
            false => self,
        }
    }

    /// Returns the document in the snapshot that it belongs to.
    pub fn inner(&self) -> &Self {
        match self {
            Self::In(_, inner) => inner.inner(),
            own => own,
        }
    }

    /// Returns whether the document and its fingerprint are computed from its inputs alone. Pictures,
    /// recordings and search files are made from files, and a site file can keep an older output.
    pub fn is_made_of_inputs(&self) -> bool {
        !matches!(
            self.inner(),
            Self::SearchIndex
                | Self::SearchShard(_)
                | Self::Media(_)
                | Self::ClipRecording(..)
                | Self::PictureSize(..)
                | Self::Card(_)
                | Self::SiteFile(_)
        )
    }

    /// Returns whether all editions of a site share the document.
    pub(super) fn is_shared(&self) -> bool {
        matches!(
            self,
            Self::Asset(_)
                | Self::Logo(_)
                | Self::Media(_)
                | Self::PictureSize(..)
                | Self::Generated(GeneratedKind::Robots)
                | Self::Hosting(_)
                | Self::RedirectPage(_)
        )
    }
}
