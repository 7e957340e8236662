//! The data that every document may read.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{Provider, PublishedRecordings, hash_of};
use crate::social_cards::SiteCards;
use crate::trace::Trace;
use crate::view;
use model::podcast::LiveItem;
use model::{Channel, Config, Pictures, Status, program};
use site::{ItemEntry, PageEntry};
use theme::{Slot, Theme};
use words::{WordBook, Words};

/// The data that every document of a site may read.
#[derive(Debug, Clone, Copy)]
pub struct Shared<'a> {
    pub config: &'a Config,
    pub channel: &'a Channel,
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
    /// Whether the site has a subscribe page: the generated page, or the author's page.
    pub has_subscribe_link: bool,
    /// The data for social cards, if the site has cards. It is not hashed, because the
    /// configuration, channel and theme determine it.
    pub cards: Option<SiteCards<'a>>,
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

    /// Returns the same data with another channel.
    pub fn with_channel(&self, channel: &'a Channel) -> Self {
        Self { channel, ..*self }
    }

    /// Returns the site's language.
    pub fn language(&self) -> &'a str {
        &self.book.site.language
    }

    /// Returns the translated words for a document in this language.
    pub fn words_in(&self, language: Option<&str>) -> Arc<Words> {
        self.book.words(language)
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
    has_subscribe_link: bool,
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
            has_subscribe_link: provider.public().has_subscribe_link(),
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
            has_subscribe_link,
            fingerprint: _,
        } = &facts;
        let files = (&snapshot.config, &snapshot.channel, &theme.hash);
        let found = (navigation, year, is_podcast, has_calendars, has_formulas);
        let pages = (has_search, has_archive, has_tag_index, has_album_index, has_subscribe_link);
        let shared = snapshot.tagged_recordings().shared();
        facts.fingerprint = hash_of(&(program(), files, found, pages, shared));
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
        let (channel, config) = (&self.snapshot.channel, &self.snapshot.config);
        let book = || WordBook::new(channel.language.as_deref(), &self.theme.words, &config.words);
        let book = self.cache.words.get_or_init(book);
        Shared {
            config,
            channel,
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
            has_subscribe_link: facts.has_subscribe_link,
            cards: SiteCards::of(&self.snapshot.config, &self.snapshot.channel, self.theme),
            pictures: self.snapshot.pictures.as_deref(),
            recordings: self.recordings(),
            trace: None,
            fingerprint: facts.fingerprint,
        }
    }

    pub fn recordings(&self) -> PublishedRecordings<'a> {
        PublishedRecordings::of(self.snapshot)
    }

    pub(super) fn shows(&self) -> Viewer<'a> {
        let items = &self.snapshot.shows;
        Viewer { items, fingerprint: *self.cache.shows.get_or_init(|| hash_of(items)) }
    }
}
