//! Decides which kinds of documents a site has, and how many of each, based on the configuration,
//! the theme and the content.

use std::collections::{BTreeSet, HashSet};

use super::{
    ALBUM_PAGE, AUTHOR_PAGE, MAX_ARCHIVE_ITEMS, MAX_SITEMAP_URLS, Public, SEASON_PAGE, SERIES_PAGE,
};
use crate::subscribe_apps::Ways;
use model::{Access, Attachment, Category, GeneratedKind, Status};
use site::{FacetKind, PageEntry, Translatable, translation_groups};
use theme::Slot;
use theme::services::Logo;

/// Returns the number of pages for a list of `items` items.
fn pages_of(items: usize, per_page: usize) -> usize {
    items.div_ceil(per_page).max(1)
}

impl Public<'_> {
    pub(super) fn generates(&self, kind: GeneratedKind) -> bool {
        let mut files = self.snapshot.site_files.iter();
        match self.snapshot.config.access {
            Access::Offline => kind == GeneratedKind::Robots,
            Access::Headless if kind == GeneratedKind::Sitemap => false,
            _ => {
                let is_enabled = self.snapshot.config.site_file(kind.filename()).enabled;
                is_enabled && !files.any(|file| file.filename == kind.filename())
            }
        }
    }

    /// Returns whether the site is a network of shows.
    pub fn has_shows(&self) -> bool {
        self.snapshot.editions.iter().any(|edition| edition.show().is_some())
    }

    /// Returns whether the site has a search page.
    pub fn has_search(&self) -> bool {
        let config = &self.snapshot.config;
        config.access == Access::Public && config.output.search && self.theme.has_pages()
    }

    /// Returns whether the facets of this kind have pages. The pages of seasons, authors, albums and
    /// series need a theme that renders them, and author pages also need more than one author.
    pub fn has_facets(&self, kind: FacetKind) -> bool {
        let output = &self.snapshot.config.output;
        let has_optional_slot = |key| self.theme.reads(Slot::WebFeed, key);
        let all = self.snapshot.facets.all(kind);
        self.snapshot.config.access == Access::Public
            && match kind {
                FacetKind::Tag => output.tags,
                FacetKind::Season => {
                    output.seasons && !all.is_empty() && has_optional_slot(SEASON_PAGE)
                }
                FacetKind::Author => {
                    output.authors && all.len() > 1 && has_optional_slot(AUTHOR_PAGE)
                }
                FacetKind::Album => {
                    output.albums && !all.is_empty() && has_optional_slot(ALBUM_PAGE)
                }
                FacetKind::Series => {
                    output.series && !all.is_empty() && has_optional_slot(SERIES_PAGE)
                }
                FacetKind::Section => self.theme.has_pages() && !all.is_empty(),
            }
    }

    /// Returns whether the facets of this kind have feeds.
    pub fn has_facet_feeds(&self, kind: FacetKind) -> bool {
        let has_feeds = match kind {
            FacetKind::Tag => self.snapshot.config.output.tag_feeds,
            FacetKind::Section => true,
            FacetKind::Season | FacetKind::Author | FacetKind::Album | FacetKind::Series => false,
        };
        has_feeds && self.has_facets(kind)
    }

    /// Returns whether the site has an index of tags.
    pub fn has_tag_index(&self) -> bool {
        let config = &self.snapshot.config;
        let is_wanted = config.access == Access::Public && config.output.tags;
        is_wanted
            && self.has_optional_slot(Slot::WebTags)
            && !self.snapshot.facets.all(FacetKind::Tag).is_empty()
    }

    /// Returns whether the site has an index of albums. An author's page at the same path replaces
    /// it.
    pub fn has_album_index(&self) -> bool {
        self.has_facets(FacetKind::Album)
            && self.has_optional_slot(Slot::WebAlbums)
            && self.custom_page("albums").is_none()
    }

    /// Returns whether feedwright generates an archive. An author's page at the same path replaces
    /// it.
    pub fn has_archive(&self) -> bool {
        let config = &self.snapshot.config;
        let is_wanted = config.access == Access::Public && config.output.archive;
        let is_possible = is_wanted && self.has_optional_slot(Slot::WebArchive);
        is_possible && !self.snapshot.published.is_empty() && self.custom_page("archive").is_none()
    }

    /// Returns whether the site has feeds of items from elsewhere. An author's page at the same
    /// path replaces the planet and its feeds.
    pub fn has_planet_feeds(&self) -> bool {
        let config = &self.snapshot.config;
        let has_feeds = config.access != Access::Offline && !config.aggregate.is_empty();
        has_feeds && self.custom_page("planet").is_none()
    }

    /// Returns whether the site has pages of items from elsewhere.
    pub fn has_planet(&self) -> bool {
        self.snapshot.config.access == Access::Public
            && self.has_planet_feeds()
            && self.has_optional_slot(Slot::WebPlanet)
    }

    /// Returns the number of pages of the planet, if `site.toml` lists feeds from elsewhere.
    pub(super) fn planet_pages(&self) -> usize {
        match self.snapshot.config.aggregate.is_empty() {
            true => 0,
            false => {
                let per_page = self.snapshot.config.feed.items_per_page;
                pages_of(self.snapshot.planet.items.len(), per_page)
            }
        }
    }

    /// Returns whether feedwright generates the subscribe page. An author's page at the same path
    /// replaces it.
    pub fn has_subscribe(&self) -> bool {
        let config = &self.snapshot.config;
        let is_wanted = config.access == Access::Public && config.output.subscribe;
        is_wanted
            && self.has_optional_slot(Slot::WebSubscribe)
            && self.custom_page("subscribe").is_none()
    }

    /// Returns whether the site has a subscribe page that navigation can link to: the generated
    /// page, or the author's published page.
    pub fn has_subscribe_link(&self) -> bool {
        let own = self.custom_page("subscribe");
        let is_public = self.snapshot.config.access == Access::Public && self.theme.has_pages();
        let is_led_to = own.is_some_and(|own| is_public && own.status == Status::Published);
        is_led_to || self.has_subscribe()
    }

    /// Returns whether the feed has recordings, which podcast apps play.
    pub fn is_podcast(&self) -> bool {
        let is_episode = |attachment: &Attachment| attachment.category == Category::Audio;
        let mut items = self.snapshot.published.iter().map(|entry| &entry.item);
        self.snapshot.config.feed.rss
            && self.snapshot.has_audio()
            && items.any(|item| item.attachment.as_ref().is_some_and(is_episode))
    }

    /// Returns the logos that pages show, without duplicates.
    pub(super) fn logos(&self) -> BTreeSet<Logo> {
        let editions = self.snapshot.published_editions();
        let mut logos: BTreeSet<Logo> = editions.flat_map(|at| self.edition(at).logos()).collect();
        let (config, channel) = (&self.snapshot.config, &self.snapshot.channel);
        let is_podcast = self.is_podcast();
        let ways = self.has_subscribe().then_some(Ways { config, channel, is_podcast });
        let profiles = self.theme.options_of(&config.content).logos.iter().copied();
        logos.extend(profiles.chain(ways.into_iter().flat_map(Ways::logos)));
        logos
    }

    /// Returns the author's page at a path that feedwright would otherwise use.
    fn custom_page(&self, slug: &str) -> Option<&PageEntry> {
        let mut pages = self.snapshot.pages.iter();
        pages.find(|entry| entry.status != Status::Unpublished && entry.page.slug.as_str() == slug)
    }

    /// Returns whether the theme has this optional slot.
    pub(super) fn has_optional_slot(&self, slot: Slot) -> bool {
        self.theme.slots.contains_key(&slot)
    }

    /// Returns whether each year of the archive has a separate page.
    pub fn archive_has_years(&self) -> bool {
        self.snapshot.published.len() > MAX_ARCHIVE_ITEMS
    }

    /// Returns the years of the archive that have pages.
    pub(super) fn archive_years(&self) -> Vec<Option<i16>> {
        if !self.has_archive() || !self.archive_has_years() {
            return Vec::new();
        }
        let years = self.snapshot.years().into_iter();
        years.map(|year| year.year).filter(Option::is_some).collect()
    }

    /// Returns the number of sitemap parts below a sitemap index; 0 if a single sitemap holds
    /// everything.
    pub fn sitemap_parts(&self) -> usize {
        let pages = self.snapshot.pages.iter();
        let pages = pages.filter(|entry| entry.status == Status::Published);
        let own = 1 + usize::from(self.has_subscribe()) + usize::from(self.has_planet());
        let items = self.snapshot.published.iter();
        let clips: usize = match self.snapshot.config.audio.clips {
            true => items.map(|entry| entry.clips().count()).sum(),
            false => 0,
        };
        let urls = own + pages.count() + self.snapshot.published.len() + clips;
        match urls.div_ceil(self.urls_of_sitemap_part()) {
            1 => 0,
            parts => parts,
        }
    }

    /// Returns the maximum number of URLs in one part of the sitemap. If the URLs list their
    /// translations, the maximum is lower, because a part may be at most 50 MB.
    pub fn urls_of_sitemap_part(&self) -> usize {
        let items = self.snapshot.item_translation_groups();
        let pages = translation_groups(self.snapshot.pages.iter().map(Translatable::from));
        let languages = items.iter().chain(&pages).map(|group| {
            let languages = group.iter().map(|one| one.language);
            languages.collect::<HashSet<_>>().len()
        });
        let most = MAX_SITEMAP_URLS / languages.max().unwrap_or(1);
        most.max(1)
    }

    pub fn home_pages(&self) -> usize {
        if self.snapshot.has_only_shows() {
            return 1;
        }
        let per_page = self.snapshot.config.feed.items_per_page;
        pages_of(self.snapshot.published.len(), per_page)
    }

    pub(super) fn feed_documents(&self) -> usize {
        let limit = self.snapshot.config.feed.limit;
        pages_of(self.snapshot.in_feed().len(), limit)
    }

    pub(super) fn facet_pages(&self, kind: FacetKind, at: usize) -> usize {
        let per_page = self.snapshot.config.feed.items_per_page;
        pages_of(self.snapshot.facets.all(kind)[at].entries.len(), per_page)
    }
}
