//! The data that every document may read.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{NetworkHome, NetworkShow, Provider, PublishedRecordings, SiteLanguage, hash_of};
use crate::social_cards::SiteCards;
use crate::trace::Trace;
use crate::view;
use model::podcast::LiveItem;
use model::{Channel, Config, Pictures, Status, Untranslated, program};
use site::{ItemEntry, PageEntry, Snapshot};
use theme::{Slot, Theme};
use words::{WordBook, Words};

/// The data that every document of a site may read.
#[derive(Debug, Clone, Copy)]
pub struct Shared<'a> {
    pub config: &'a Config,
    pub channel: &'a Channel,
    /// The channel as its author wrote it, without the publisher and the other shows of a network.
    own_channel: &'a Channel,
    pub theme: &'a Theme,
    /// The pages in the navigation, in order.
    pub navigation: &'a [NavigationPage],
    /// The year for copyright notices, in UTC.
    pub year: i16,
    /// Whether some published item is an episode and the site has RSS.
    pub is_podcast: bool,
    /// Whether any calendar is published.
    pub has_calendars: bool,
    /// Whether any body contains a formula.
    pub has_formulas: bool,
    /// Whether the site has a search page.
    pub has_search: bool,
    /// The translated words of the document's language, with its formats for dates and numbers.
    pub words: &'a Words,
    book: &'a WordBook,
    /// Whether the site has a generated archive.
    pub has_archive: bool,
    /// Whether the site has an index of tags.
    pub has_tag_index: bool,
    /// Whether the site has an index of albums.
    pub has_album_index: bool,
    /// Whether the site has pages of items from elsewhere.
    pub has_planet: bool,
    /// Whether the site has a subscribe page: the generated page, or the author's page.
    pub has_subscribe_link: bool,
    /// The languages of the site. Empty for a site with one language.
    pub languages: &'a [SiteLanguage],
    /// The shows of the network. Empty if the site is not a network.
    pub shows: &'a [NetworkShow],
    /// The network, on pages of its shows.
    pub network: Option<&'a NetworkHome>,
    /// The data for social cards, if the site has cards. It is not hashed, because the
    /// configuration, channel and theme determine it.
    pub cards: Option<SiteCards<'a>>,
    /// The data for the social cards of untranslated texts, whose cards are in the default language.
    pub original_cards: Option<SiteCards<'a>>,
    /// The source of resized pictures. It is not hashed, because the other inputs determine the
    /// bytes of each picture.
    pub pictures: Option<&'a dyn Pictures>,
    /// The recordings in the form in which they are published. They are not hashed either.
    pub recordings: PublishedRecordings<'a>,
    /// The record of which template wrote which part of the document, if tracing is on.
    pub trace: Option<&'a Trace>,
    fingerprint: u64,
}

/// Hashes only the fingerprint, which covers all data and is computed only once.
impl Hash for Shared<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fingerprint.hash(state);
    }
}

impl<'a> Shared<'a> {
    /// Returns the channel's title, or the host if it has no title.
    pub fn title(&self) -> &'a str {
        view::title(self.config, self.channel)
    }

    /// Returns the same data with other translated words.
    pub fn with_words(&self, words: &'a Words) -> Self {
        Self { words, ..*self }
    }

    /// Returns the same data with tracing on.
    pub fn traced(&self, trace: &'a Trace) -> Self {
        Self { trace: Some(trace), ..*self }
    }

    /// Returns whether the item has a page for embedding in other sites.
    pub fn has_embed(&self, entry: &ItemEntry) -> bool {
        let is_drawn = self.theme.slots.contains_key(&Slot::WebEmbed);
        is_drawn && self.config.output.embeds.has(&entry.item)
    }

    /// Returns the same data with the channel as its author wrote it. The feed of an item does not
    /// repeat the lists of other shows.
    pub fn with_own_channel(&self) -> Self {
        self.with_channel(self.own_channel)
    }

    /// Returns the same data with another channel.
    pub fn with_channel(&self, channel: &'a Channel) -> Self {
        Self { channel, ..*self }
    }

    /// Returns the show of an item that a list of the network has.
    pub fn show_of(&self, entry: &ItemEntry) -> Option<&'a NetworkShow> {
        entry.channel.as_ref()?;
        self.shows.iter().find(|show| show.mount == entry.mount)
    }

    /// Returns the same data with the channel and the cards of a show.
    pub fn of_show(&self, show: &'a NetworkShow) -> Self {
        let cards = SiteCards::of(self.config, &show.channel, self.theme);
        Self { channel: &show.channel, cards, ..*self }
    }

    /// Returns whether the page shows a text in another language than the page's, because the text
    /// is not translated.
    pub fn is_untranslated(&self, language: Option<&str>) -> bool {
        self.config.is_untranslated(language)
    }

    /// Returns the language of the page that shows a text in this language. `None` means the site's
    /// language.
    pub fn page_language<'l>(&self, language: Option<&'l str>) -> Option<&'l str> {
        language.filter(|_| !self.is_untranslated(language))
    }

    /// Returns the site's language.
    pub fn language(&self) -> &'a str {
        &self.book.site.language
    }

    /// Returns the translated words for a document in this language.
    pub fn words_in(&self, language: Option<&str>) -> Arc<Words> {
        self.book.words(self.page_language(language))
    }
}

/// A published page in the navigation.
#[derive(Debug, Hash)]
pub struct NavigationPage {
    pub id: String,
    pub slug: String,
    pub title: String,
    /// The navigation label, if it differs from the title.
    pub label: Option<String>,
    pub order: Option<i64>,
}

impl NavigationPage {
    fn of(entry: &PageEntry) -> Self {
        let page = &entry.page;
        Self {
            id: page.id.to_string(),
            slug: page.slug.to_string(),
            title: page.title.clone(),
            label: page.navigation_label.clone(),
            order: page.navigation_order,
        }
    }
}

/// The part of [`Shared`] that is computed only once.
#[derive(Debug)]
pub(super) struct SiteFacts {
    navigation: Vec<NavigationPage>,
    year: i16,
    is_podcast: bool,
    has_calendars: bool,
    has_formulas: bool,
    has_search: bool,
    has_archive: bool,
    has_tag_index: bool,
    has_album_index: bool,
    has_planet: bool,
    has_subscribe_link: bool,
    languages: Vec<SiteLanguage>,
    shows: Vec<NetworkShow>,
    network: Option<NetworkHome>,
    fingerprint: u64,
}

impl SiteFacts {
    fn of(provider: &Provider<'_>) -> Self {
        let (snapshot, theme) = (provider.snapshot, provider.theme);
        let in_navigation =
            |entry: &&PageEntry| entry.status == Status::Published && entry.page.show_in_navigation;
        let pages = snapshot.pages.iter().filter(in_navigation);
        let mut facts = Self {
            navigation: pages.map(NavigationPage::of).collect(),
            year: snapshot.year(),
            is_podcast: provider.public().is_podcast(),
            has_calendars: snapshot.calendars.published().next().is_some(),
            has_formulas: snapshot.has_formulas(),
            has_search: provider.public().has_search(),
            has_archive: provider.public().has_archive(),
            has_tag_index: provider.public().has_tag_index(),
            has_album_index: provider.public().has_album_index(),
            has_planet: provider.public().has_planet(),
            has_subscribe_link: provider.public().has_subscribe_link(),
            languages: provider.site_languages(),
            shows: provider.network_shows(),
            network: provider.network(),
            fingerprint: 0,
        };
        let Self {
            navigation,
            year,
            is_podcast,
            has_calendars,
            has_formulas,
            has_search,
            has_archive,
            has_tag_index,
            has_album_index,
            has_planet,
            has_subscribe_link,
            languages,
            shows,
            network,
            fingerprint: _,
        } = &facts;
        let files = (&snapshot.config, &snapshot.channel, &theme.hash);
        let found = (navigation, year, is_podcast, has_calendars, has_formulas);
        let lists = (has_archive, has_tag_index, has_album_index, has_planet);
        let pages = (has_search, lists, has_subscribe_link);
        let shared = snapshot.tagged_recordings().shared();
        let original = provider.original().map(|original| &original.channel);
        let parts = (languages, shows, network, original);
        facts.fingerprint = hash_of(&(program(), files, found, pages, shared, parts));
        facts
    }
}

/// A view of the calendars' live shows, with a precomputed hash.
#[derive(Debug, Clone, Copy)]
pub struct Viewer<'a> {
    pub items: &'a [LiveItem],
    fingerprint: u64,
}

impl Hash for Viewer<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fingerprint.hash(state);
    }
}

impl<'a> Provider<'a> {
    pub fn shared(&self) -> Shared<'a> {
        let facts = self.cache.facts.get_or_init(|| SiteFacts::of(self));
        let config = &self.snapshot.config;
        let channel = self.cache.channel.get_or_init(|| self.show_channel()).as_ref();
        let channel = channel.unwrap_or(&self.snapshot.channel);
        let book = || WordBook::new(channel.language.as_deref(), &self.theme.words, &config.words);
        let book = self.cache.words.get_or_init(book);
        Shared {
            config,
            channel,
            own_channel: &self.snapshot.channel,
            theme: self.theme,
            navigation: &facts.navigation,
            year: facts.year,
            is_podcast: facts.is_podcast,
            has_calendars: facts.has_calendars,
            has_formulas: facts.has_formulas,
            has_search: facts.has_search,
            words: &book.site,
            book,
            has_archive: facts.has_archive,
            has_tag_index: facts.has_tag_index,
            has_album_index: facts.has_album_index,
            has_planet: facts.has_planet,
            has_subscribe_link: facts.has_subscribe_link,
            languages: &facts.languages,
            shows: &facts.shows,
            network: facts.network.as_ref(),
            cards: SiteCards::of(&self.snapshot.config, &self.snapshot.channel, self.theme),
            original_cards: self.original().and_then(|original| {
                SiteCards::of(&original.config, &original.channel, self.theme)
            }),
            pictures: self.snapshot.pictures.as_deref(),
            recordings: self.recordings(),
            trace: None,
            fingerprint: facts.fingerprint,
        }
    }

    /// Returns the whole site if an edition shows texts that are not translated.
    fn original(&self) -> Option<&'a Snapshot> {
        let whole = self.whole.map(|whole| whole.snapshot);
        whole.filter(|whole| whole.config.languages.untranslated == Untranslated::Show)
    }

    pub fn recordings(&self) -> PublishedRecordings<'a> {
        PublishedRecordings::of(self.snapshot)
    }

    pub(super) fn shows(&self) -> Viewer<'a> {
        let items = &self.snapshot.shows;
        Viewer { items, fingerprint: *self.cache.shows.get_or_init(|| hash_of(items)) }
    }
}
