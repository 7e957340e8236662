//! Which kinds of documents a site has, and how many of each: what the configuration, the theme and the content say.

use std::collections::HashSet;

use super::{AUTHOR_PAGE, MAX_ARCHIVE_ITEMS, MAX_SITEMAP_URLS, Public, SEASON_PAGE};
use model::{Access, GeneratedKind, Status};
use site::{FacetKind, PageEntry, Translatable, translation_groups};
use theme::Slot;

/// How many documents a list of `items` needs.
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

    /// Whether there is a search page.
    pub fn has_search(&self) -> bool {
        let config = &self.snapshot.config;
        config.access == Access::Public && config.output.search && self.theme.has_pages()
    }

    /// Whether the facets of this kind have pages. Seasons and authors have some where a theme draws them, and
    /// authors where there is more than one.
    pub fn has_facets(&self, kind: FacetKind) -> bool {
        let output = &self.snapshot.config.output;
        let draws = |key| self.theme.reads(Slot::WebFeed, key);
        let all = self.snapshot.facets.all(kind);
        self.snapshot.config.access == Access::Public
            && match kind {
                FacetKind::Tag => output.tags,
                FacetKind::Season => output.seasons && !all.is_empty() && draws(SEASON_PAGE),
                FacetKind::Author => output.authors && all.len() > 1 && draws(AUTHOR_PAGE),
            }
    }

    /// Whether they have feeds.
    pub fn has_facet_feeds(&self, kind: FacetKind) -> bool {
        kind == FacetKind::Tag && self.snapshot.config.output.tag_feeds && self.has_facets(kind)
    }

    /// Whether there is an index of tags.
    pub fn has_tag_index(&self) -> bool {
        let config = &self.snapshot.config;
        let is_wanted = config.access == Access::Public && config.output.tags;
        is_wanted
            && self.draws(Slot::WebTags)
            && !self.snapshot.facets.all(FacetKind::Tag).is_empty()
    }

    /// Whether there is an archive. A Page at its path takes its place.
    pub fn has_archive(&self) -> bool {
        let config = &self.snapshot.config;
        let is_wanted = config.access == Access::Public && config.output.archive;
        let is_possible = is_wanted && self.draws(Slot::WebArchive);
        is_possible && !self.snapshot.published.is_empty() && self.own_page("archive").is_none()
    }

    /// Whether the program makes the page on how to follow the site. A Page at its path takes its place.
    pub fn has_subscribe(&self) -> bool {
        let config = &self.snapshot.config;
        let is_wanted = config.access == Access::Public && config.output.subscribe;
        is_wanted && self.draws(Slot::WebSubscribe) && self.own_page("subscribe").is_none()
    }

    /// Whether readers can be led to a page on how to follow the site: the program's, or a Page.
    pub fn leads_to_subscribe(&self) -> bool {
        let own = self.own_page("subscribe");
        let is_public = self.snapshot.config.access == Access::Public && self.theme.has_pages();
        let is_led_to = own.is_some_and(|own| is_public && own.status == Status::Published);
        is_led_to || self.has_subscribe()
    }

    /// The Page at a path that the program would have used.
    fn own_page(&self, slug: &str) -> Option<&PageEntry> {
        let mut pages = self.snapshot.pages.iter();
        pages.find(|entry| entry.status != Status::Unpublished && entry.page.slug.as_str() == slug)
    }

    /// Whether the theme has a slot that may be left out.
    pub(super) fn draws(&self, slot: Slot) -> bool {
        self.theme.slots.contains_key(&slot)
    }

    /// Whether each year of the archive has a page of its own.
    pub fn archive_has_years(&self) -> bool {
        self.snapshot.published.len() > MAX_ARCHIVE_ITEMS
    }

    /// The years of the archive that have pages.
    pub(super) fn archive_years(&self) -> Vec<Option<i16>> {
        if !self.has_archive() || !self.archive_has_years() {
            return Vec::new();
        }
        let years = self.snapshot.years().into_iter();
        years.map(|year| year.year).filter(Option::is_some).collect()
    }

    /// How many parts there are below the sitemap's index; 0 if one sitemap holds everything.
    pub fn sitemap_parts(&self) -> usize {
        let pages = self.snapshot.pages.iter();
        let pages = pages.filter(|entry| entry.status == Status::Published);
        let own = 1 + usize::from(self.has_subscribe());
        let urls = own + pages.count() + self.snapshot.published.len();
        match urls.div_ceil(self.urls_of_sitemap_part()) {
            1 => 0,
            parts => parts,
        }
    }

    /// Most URLs of one part of the sitemap. Where each names its translations they are fewer, as a part may have
    /// 50 MB.
    pub fn urls_of_sitemap_part(&self) -> usize {
        let items = self.snapshot.entries.iter();
        let items = translation_groups(items.map(|entry| (&**entry).into()));
        let pages = translation_groups(self.snapshot.pages.iter().map(Translatable::from));
        let languages = items.iter().chain(&pages).map(|group| {
            let languages = group.iter().map(|one| one.language);
            languages.collect::<HashSet<_>>().len()
        });
        let most = MAX_SITEMAP_URLS / languages.max().unwrap_or(1);
        most.max(1)
    }

    pub(super) fn home_pages(&self) -> usize {
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
