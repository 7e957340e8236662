//! The inputs of each document.
//!
//! A document depends on two values: [`Shared`], which all documents of a site may read, and
//! [`Inputs`], which contains all other data that the document may read. Functions that write a
//! document cannot access the snapshot (the architecture test checks this). The
//! [`fingerprint`](Provider::fingerprint) is the hash of these two values, so it covers everything
//! that a document reads.
//!
//! Some values are read only if a template uses them. If no template does, such a value is None. A
//! wrong condition is then visible at once in the rendered document, instead of leaving a page out
//! of date.

mod albums;
mod archive;
mod breadcrumbs;
mod clips;
mod feeds;
mod item_links;
mod languages;
mod lists;
mod network;
mod page_tree;
mod pages;
mod planet;
mod recordings;
mod root_files;
mod sections;
mod series;
mod shared;
mod shown_item;
mod site_files;
mod transcript;
mod translations;
mod upcoming;

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use xxhash_rust::xxh3::Xxh3Default;

pub use albums::{AlbumIndexPage, ListedAlbum};
pub use archive::{ArchivePage, ArchiveYear, ListedTag, TagIndexPage};
pub use breadcrumbs::Crumb;
pub use clips::{ClipLink, ClipPage, Said, ShownClip};
pub use feeds::{JsonFeedPage, RssPage};
pub use item_links::LinkedItem;
pub use languages::{SiteLanguage, SwitchLanguage};
pub use lists::{FacetFeed, List, ListPage, ListedSeason, ShownFacet, page_position};
pub use network::{NetworkHome, NetworkShow};
pub use page_tree::{ShownBranch, ShownTree};
pub use pages::{FrameInputs, ItemPage, PageInputs};
pub use planet::{PlanetFeed, PlanetPage, ShownPlanetItem};
pub use recordings::PublishedRecordings;
pub use root_files::{
    HostingInputs, IcsInputs, InLanguages, LlmsInputs, Location, SitemapInputs, attached, images,
};
pub use series::SeriesPlace;
pub use shared::{NavigationPage, Shared, Viewer};
pub use shown_item::ShownItem;
pub use site_files::{Reads, SiteFileContext, SiteFileInputs};
pub use transcript::{ShownTranscript, are_in};
pub use translations::{Translation, in_each_language, list_in_each_language};
pub use upcoming::{Upcoming, UpcomingEvent};

use self::breadcrumbs::PagePlaces;
use self::item_links::RelatedItems;
use self::page_tree::PageTree;
use self::pages::SlotReads;
use self::shared::SiteFacts;
use self::translations::Translations;
use super::addresses::public::{CardOf, Document, Public};
use super::addresses::routes::{self, Routes};
use model::{
    Channel, GeneratedKind, List as SharedList, MediaFile, PlanetSource, RecordingTags, Report,
    Size, SocialCard,
};
use site::{Facet, FacetKind, ItemEntry, PageEntry, Snapshot, Year, paths};
use theme::services::Logo;
use theme::{Slot, Theme};
use words::WordBook;

/// The inputs of a document in addition to [`Shared`].
#[derive(Debug, Hash)]
pub enum Inputs<'a> {
    List(ListPage<'a>),
    Archive(ArchivePage<'a>),
    TagIndex(TagIndexPage<'a>),
    AlbumIndex(AlbumIndexPage<'a>),
    Item(ItemPage<'a>),
    /// An item's page for embedding in other sites.
    Embed(ItemPage<'a>),
    OEmbed(&'a ItemEntry),
    Captions(Option<ShownTranscript<'a>>),
    /// The page of a clip. `None` if the soundbite has no page.
    Clip(Option<Box<ClipPage<'a>>>),
    /// An item's Markdown version, with its transcript.
    ItemMarkdown(&'a ItemEntry, Option<ShownTranscript<'a>>),
    PageMarkdown(&'a PageEntry),
    Planet(PlanetPage<'a>),
    PlanetJson(PlanetFeed<'a>),
    PlanetRss(PlanetFeed<'a>),
    PlanetOpml(&'a [PlanetSource]),
    Subscribe(FrameInputs<'a>),
    /// A page or the 404 page.
    Page(PageInputs<'a>),
    Search(FrameInputs<'a>),
    RssStylesheet(FrameInputs<'a>),
    RssStyles(FrameInputs<'a>),
    JsonFeed(JsonFeedPage<'a>),
    Rss(RssPage<'a>),
    FacetJson(FacetFeed<'a>),
    FacetRss(FacetFeed<'a>),
    ItemJson(&'a ItemEntry),
    ItemRss(&'a ItemEntry),
    Chapters(&'a ItemEntry),
    /// The channel of the publisher's feed.
    Publisher(PublisherFeed),
    Opml,
    Ics(IcsInputs<'a>),
    SearchScript,
    SearchOpener,
    SearchStyle,
    /// The entry file of the search index, or the shard with this name.
    SearchFile(Option<&'a str>),
    SiteFile(SiteFileInputs<'a>),
    Robots,
    Llms(LlmsInputs<'a>),
    Sitemap(SitemapInputs<'a>),
    Hosting(HostingInputs<'a>),
    /// The public path of the redirect's target.
    RedirectPage(&'a str),
    /// The asset's index in the theme. The theme's hash covers its bytes.
    Asset(usize),
    Logo(Logo),
    /// A media file.
    Media(&'a MediaFile),
    /// A recording with tags.
    Recording(RecordingTags<'a>),
    /// The recording of a clip. `None` if it has no recording.
    ClipRecording(Option<RecordingTags<'a>>),
    /// A social card. `None` if the page has no card.
    Card(Option<SocialCard<'a>>),
    /// The social card of a clip.
    ClipCard(Option<Box<ShownClip<'a>>>),
    /// A resized version of a picture.
    PictureSize(&'a MediaFile, Size),
}

/// The channel of the publisher's feed. It is not hashed, because the site's channel and its shows,
/// which every document depends on, determine it.
#[derive(Debug)]
pub struct PublisherFeed(pub Box<Channel>);

impl Hash for PublisherFeed {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// The inputs of one snapshot and one theme that many documents share. The cache starts empty, and
/// each value is computed when first needed.
#[derive(Debug, Default)]
pub struct InputsCache {
    /// The route table, and the errors found while building it.
    table: OnceLock<(Routes, Report)>,
    facts: OnceLock<SiteFacts>,
    /// The channel of a show in its network.
    channel: OnceLock<Option<Channel>>,
    /// The translated words of the site's languages.
    words: OnceLock<WordBook>,
    upcoming: OnceLock<Upcoming>,
    /// The hash of the live shows.
    shows: OnceLock<u64>,
    /// The data that the templates of each slot read.
    slots: [OnceLock<SlotReads>; Slot::ALL.len()],
    related: OnceLock<RelatedItems>,
    /// The parts of each series, by the series' index in the snapshot.
    series: OnceLock<Vec<Vec<Arc<ItemEntry>>>>,
    item_translations: OnceLock<Translations>,
    page_translations: OnceLock<Translations>,
    page_places: OnceLock<PagePlaces>,
    /// The page tree for each language of readers.
    page_trees: OnceLock<BTreeMap<String, PageTree>>,
    years: OnceLock<Vec<Year>>,
    /// Whether the facets of each kind have pages.
    facets: [OnceLock<bool>; FacetKind::ALL.len()],
}

/// The source of the documents' inputs. No other type provides access to parts of a snapshot.
#[derive(Clone, Copy)]
pub struct Provider<'a> {
    snapshot: &'a Snapshot,
    theme: &'a Theme,
    cache: &'a InputsCache,
    /// The whole site, if the snapshot is one of its editions.
    whole: Option<Whole<'a>>,
}

/// A site with several languages, as seen from one of its editions.
#[derive(Clone, Copy)]
struct Whole<'a> {
    snapshot: &'a Snapshot,
    cache: &'a InputsCache,
    /// Index of the edition.
    language: usize,
}

impl<'a> Provider<'a> {
    /// Creates a provider. `cache` must belong to this snapshot and theme.
    pub fn new(snapshot: &'a Snapshot, theme: &'a Theme, cache: &'a InputsCache) -> Self {
        Self { snapshot, theme, cache, whole: None }
    }

    /// Returns the provider of an edition of a site.
    pub fn within(self, whole: &Self, language: usize) -> Self {
        let whole = Whole { snapshot: whole.snapshot, cache: whole.cache, language };
        Self { whole: Some(whole), ..self }
    }

    /// Returns the index of the edition, if the snapshot is an edition of a site.
    pub fn edition(&self) -> Option<usize> {
        self.whole.map(|whole| whole.language)
    }

    /// Returns the provider of the whole site.
    fn whole(&self) -> Self {
        let Some(Whole { snapshot, cache, .. }) = self.whole else { return *self };
        Self::new(snapshot, self.theme, cache)
    }

    /// Returns the route table, and the errors found while building it.
    pub fn table(&self) -> &'a (Routes, Report) {
        let make = || routes::routes(self.snapshot, self.theme);
        self.cache.table.get_or_init(make)
    }

    fn public(&self) -> Public<'a> {
        Public { snapshot: self.snapshot, theme: self.theme }
    }

    /// Returns a hash of all data that a document depends on. A document changes only if its hash
    /// changes. Returns None for the search index, and for a media file that is published
    /// unchanged.
    pub fn fingerprint(&self, document: &Document) -> Option<u64> {
        match document {
            Document::SearchIndex | Document::SearchShard(_) => None,
            // A copy without metadata depends only on the original picture, whose hash is known.
            Document::Media(at) => {
                let file = &self.snapshot.media[*at];
                if let Some(tags) = self.recordings().tags_at(&file.path) {
                    return self.recordings().facts(&tags)?.fingerprint;
                }
                file.bare.map(|hash| hash_of(&(hash, pictures::VERSION)))
            }
            Document::ClipRecording(at, n) => {
                let tags = self.recordings().clip_at(&self.snapshot.entries[*at], *n)?;
                self.recordings().facts(&tags)?.fingerprint
            }
            Document::PictureSize(at, size) => {
                let still = &self.snapshot.media[*at].still;
                Some(hash_of(&(still, size, pictures::VERSION)))
            }
            Document::Card(_) => Some(hash_of(&self.inputs(document))),
            _ => Some(self.hash_of_inputs(&self.inputs(document))),
        }
    }

    /// Returns the fingerprint of a document that has these inputs. Pictures, recordings and search
    /// files have other fingerprints.
    pub fn hash_of_inputs(&self, inputs: &Inputs<'_>) -> u64 {
        let mut made_of = Xxh3Default::new();
        self.shared().hash(&mut made_of);
        inputs.hash(&mut made_of);
        made_of.digest()
    }

    /// Returns the card of a page, if the page has one.
    pub fn card(&self, of: CardOf) -> Option<SocialCard<'a>> {
        match of {
            CardOf::Clip(at, n) => {
                let shown = self.shown_clip(at, n)?;
                shown.card(&shown.words(), self.recordings())
            }
            of => self.public().card(of),
        }
    }

    /// Returns the inputs of a document.
    pub fn inputs<'d>(&self, document: &'d Document) -> Inputs<'d>
    where
        'a: 'd,
    {
        let snapshot = self.snapshot;
        let entry = |at: usize| -> &'a ItemEntry { &snapshot.entries[at] };
        let facet = |kind, at: usize| -> &'a Facet { &snapshot.facets.all(kind)[at] };
        match document {
            Document::Home(n) => Inputs::List(self.home(*n)),
            Document::Facet(kind, at, n) => Inputs::List(self.facet(*kind, facet(*kind, *at), *n)),
            Document::FacetJson(kind, at) => {
                Inputs::FacetJson(self.facet_feed(*kind, facet(*kind, *at)))
            }
            Document::FacetRss(kind, at) => {
                Inputs::FacetRss(self.facet_feed(*kind, facet(*kind, *at)))
            }
            Document::Tags => Inputs::TagIndex(self.tag_index()),
            Document::Albums => Inputs::AlbumIndex(self.album_index()),
            Document::Archive(year) => Inputs::Archive(self.archive(*year)),
            Document::Item(at) => Inputs::Item(self.item(entry(*at))),
            Document::Embed(at) => Inputs::Embed(self.embed(entry(*at))),
            Document::OEmbed(at) => Inputs::OEmbed(entry(*at)),
            Document::Captions(at) => {
                Inputs::Captions(ShownTranscript::captions(snapshot, entry(*at)))
            }
            Document::Clip(at, n) => Inputs::Clip(self.clip_page(*at, *n).map(Box::new)),
            Document::ItemMarkdown(at) => {
                let entry = entry(*at);
                Inputs::ItemMarkdown(entry, ShownTranscript::of(snapshot, entry))
            }
            Document::PageMarkdown(at) => Inputs::PageMarkdown(&snapshot.pages[*at]),
            Document::Planet(n) => Inputs::Planet(self.planet(*n)),
            Document::PlanetJson => Inputs::PlanetJson(self.planet_feed()),
            Document::PlanetRss => Inputs::PlanetRss(self.planet_feed()),
            Document::PlanetOpml => Inputs::PlanetOpml(&snapshot.planet.sources),
            Document::Subscribe => {
                Inputs::Subscribe(self.frame_at(Slot::WebSubscribe, paths::SUBSCRIBE))
            }
            Document::Page(at) => match snapshot.pages[*at].page.is_section() {
                true => Inputs::List(self.section(&snapshot.pages[*at])),
                false => Inputs::Page(self.page(&snapshot.pages[*at])),
            },
            Document::NotFound => Inputs::Page(self.page(&snapshot.not_found)),
            Document::Search => Inputs::Search(self.frame_at(Slot::WebSearch, paths::SEARCH)),
            Document::RssStylesheet => Inputs::RssStylesheet(self.frame(Slot::RssStylesheet)),
            Document::RssStyles => Inputs::RssStyles(self.frame(Slot::RssStyles)),
            Document::JsonFeed(n) => Inputs::JsonFeed(self.json_feed(*n)),
            Document::Rss(n) => Inputs::Rss(self.rss(*n)),
            Document::ItemJson(at) => Inputs::ItemJson(entry(*at)),
            Document::ItemRss(at) => Inputs::ItemRss(entry(*at)),
            Document::Chapters(at) => Inputs::Chapters(entry(*at)),
            Document::Calendars => Inputs::Ics(self.all_calendars()),
            Document::Calendar(at) => Inputs::Ics(IcsInputs::One(&snapshot.calendars.all[*at])),
            Document::SearchScript => Inputs::SearchScript,
            Document::SearchOpener => Inputs::SearchOpener,
            Document::SearchStyle => Inputs::SearchStyle,
            Document::SearchIndex => Inputs::SearchFile(None),
            Document::SearchShard(name) => Inputs::SearchFile(Some(name)),
            Document::SiteFile(at) => Inputs::SiteFile(self.site_file(&snapshot.site_files[*at])),
            Document::Publisher => Inputs::Publisher(PublisherFeed(Box::new(self.publisher()))),
            Document::Opml => Inputs::Opml,
            Document::Generated(GeneratedKind::Robots) => Inputs::Robots,
            Document::Generated(GeneratedKind::Llms) => Inputs::Llms(self.llms()),
            Document::Generated(GeneratedKind::Sitemap) => Inputs::Sitemap(self.sitemap()),
            Document::SitemapPart(n) => Inputs::Sitemap(self.sitemap_part(*n)),
            Document::Hosting(name) => Inputs::Hosting(self.hosting(name)),
            Document::RedirectPage(to) => Inputs::RedirectPage(to),
            // The renderer takes the inputs of the edition's document.
            Document::In(..) => Inputs::Captions(None),
            Document::Asset(at) => Inputs::Asset(*at),
            Document::Logo(logo) => Inputs::Logo(*logo),
            Document::Card(CardOf::Clip(at, n)) => {
                Inputs::ClipCard(self.shown_clip(*at, *n).map(Box::new))
            }
            Document::Card(of) => Inputs::Card(self.card(*of)),
            Document::Media(at) => {
                let file = &snapshot.media[*at];
                let tags = self.recordings().tags_at(&file.path);
                tags.map_or(Inputs::Media(file), Inputs::Recording)
            }
            Document::ClipRecording(at, n) => {
                Inputs::ClipRecording(self.recordings().clip_at(entry(*at), *n))
            }
            Document::PictureSize(at, size) => Inputs::PictureSize(&snapshot.media[*at], *size),
        }
    }
}

/// Returns the items on the `n`th page of a list, starting at 1.
fn page_of(entries: &SharedList<Arc<ItemEntry>>, n: usize, per_page: usize) -> Vec<&ItemEntry> {
    let start = (n - 1) * per_page;
    let page = entries.part(start..start + per_page);
    page.map(AsRef::as_ref).collect()
}

/// Returns the number of pages for a list of `items` items. An empty list has one page.
fn pages_of(items: usize, per_page: usize) -> usize {
    items.div_ceil(per_page).max(1)
}

/// Hashes one value.
fn hash_of(value: &impl Hash) -> u64 {
    let mut state = Xxh3Default::new();
    value.hash(&mut state);
    state.digest()
}
