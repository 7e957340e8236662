//! The inputs of item lists: the home page, and the pages and feeds of facets.

use super::breadcrumbs::above_facet;
use super::pages::FrameInputs;
use super::shown_item::ShownItem;
use super::{Crumb, ListedAlbum, Provider, Translation, Upcoming, page_of, pages_of};
use crate::addresses::public::Document;
use model::podcast::Person;
use model::{Author, Content, Item, Slug, SortOrder};
use site::{Facet, FacetKind, ItemEntry, PageEntry, paths};
use theme::Slot;
use words::Words;

/// Maximum number of items in a facet's feed. When one item changes, this many items are written
/// again for each of its tags.
const FEED_ITEMS: usize = 10;

/// The template key of the list of seasons.
const SEASONS: &str = "seasons";

/// A page of a list of items.
#[derive(Debug, Hash)]
pub struct ListPage<'a> {
    pub of: List<'a>,
    /// The breadcrumbs above the page, starting with the home page.
    pub above: Vec<Crumb<'a>>,
    pub items: Vec<ShownItem<'a>>,
    /// The page's number, starting at 1.
    pub number: usize,
    /// Number of pages in the list.
    pub count: usize,
    /// The events that the first page of the home list includes in its structured data.
    pub events: Option<&'a Upcoming>,
    /// The index of the highlighted item, on the first page of the home list.
    pub lead: Option<usize>,
    /// All seasons, if there is more than one. Set on the first page of the home list and on the
    /// pages of seasons.
    pub seasons: Vec<ListedSeason<'a>>,
    /// The translations of a section's page. Empty on further pages and on other lists.
    pub translations: Vec<&'a Translation>,
    pub frame: FrameInputs<'a>,
}

impl<'a> ListPage<'a> {
    /// Returns the page of the section whose items the page lists.
    pub fn section(&self) -> Option<&'a PageEntry> {
        match self.of {
            List::Facet(facet) => facet.section,
            List::Home => None,
        }
    }

    /// Returns the page's position in the list, such as `Page 2 of 5`.
    pub fn text(&self, words: &Words) -> String {
        page_position(words, self.number, self.count)
    }
}

/// Returns the position of a page in a list, such as `Page 2 of 5`.
pub fn page_position(words: &Words, number: usize, count: usize) -> String {
    let [number, count] = [number, count].map(|n| words.number(n as u64));
    words.fill_placeholders("page_of", &[("page", &number), ("pages", &count)])
}

#[derive(Debug, Clone, Copy, Hash)]
pub enum List<'a> {
    Home,
    Facet(ShownFacet<'a>),
}

/// The data about a facet that its pages and feeds show.
#[derive(Debug, Clone, Copy, Hash)]
pub struct ShownFacet<'a> {
    pub kind: FacetKind,
    pub name: &'a str,
    pub slug: &'a str,
    pub has_feeds: bool,
    /// Details of an author. None for other facets.
    pub author: Option<AuthorFacet<'a>>,
    /// Details of an album. None for other facets.
    pub album: Option<ListedAlbum<'a>>,
    /// The page of a section. None for other facets.
    pub section: Option<&'a PageEntry>,
}

/// Details of an author in addition to the name.
#[derive(Debug, Clone, Copy, Hash)]
pub struct AuthorFacet<'a> {
    pub url: Option<&'a str>,
    /// The URL of the author's picture.
    pub picture: Option<&'a str>,
}

/// A season in a list of seasons.
#[derive(Debug, Hash)]
pub struct ListedSeason<'a> {
    pub name: &'a str,
    pub slug: &'a str,
    /// Number of published items in the season.
    pub count: usize,
    /// Whether the current page is the page of this season.
    pub is_current: bool,
}

/// The feed of a facet.
#[derive(Debug, Hash)]
pub struct FacetFeed<'a> {
    pub of: ShownFacet<'a>,
    /// The newest items, in feed order.
    pub entries: Vec<&'a ItemEntry>,
}

impl<'a> Provider<'a> {
    pub(super) fn home(&self, n: usize) -> ListPage<'a> {
        let per_page = self.snapshot.config.feed.items_per_page;
        let entries = &self.snapshot.published;
        let items = page_of(entries, n, per_page);
        ListPage {
            of: List::Home,
            above: Vec::new(),
            lead: match n {
                1 => self.lead(&items),
                _ => None,
            },
            items: self.shown_items(items),
            number: n,
            count: self.public().home_pages(),
            events: (n == 1).then(|| self.upcoming()),
            seasons: match n {
                1 => self.seasons(None),
                _ => Vec::new(),
            },
            translations: Vec::new(),
            frame: self.frame_of_list(&paths::home(1), n),
        }
    }

    /// Returns the index of the item that the first page highlights. This is the newest item, or
    /// the newest episode or photo if most items are episodes or photos. Returns None if the item
    /// has no title, or if the feed starts with the oldest item.
    fn lead(&self, items: &[&ItemEntry]) -> Option<usize> {
        if self.snapshot.config.feed.order == SortOrder::Asc {
            return None;
        }
        let kinds: [fn(&Item) -> bool; 2] = [Item::is_episode, Item::is_photo];
        let is_most = |is_kind: &fn(&Item) -> bool| {
            2 * items.iter().filter(|entry| is_kind(&entry.item)).count() > items.len()
        };
        let at = match kinds.into_iter().find(is_most) {
            Some(is_kind) => items.iter().position(|entry| is_kind(&entry.item))?,
            None => 0,
        };
        (!items.get(at)?.item.title.is_empty()).then_some(at)
    }

    pub(super) fn facet(&self, kind: FacetKind, facet: &'a Facet, n: usize) -> ListPage<'a> {
        let per_page = self.snapshot.config.feed.items_per_page;
        let count = pages_of(facet.entries.len(), per_page);
        let items = if kind == FacetKind::Series {
            let parts = self.parts_of_series(facet).iter();
            parts.skip((n - 1) * per_page).take(per_page).map(AsRef::as_ref).collect()
        } else if self.is_reversed(kind, facet) {
            let end = facet.entries.len() - (n - 1) * per_page;
            let part = facet.entries.part(end.saturating_sub(per_page)..end);
            let mut entries: Vec<&ItemEntry> = part.map(AsRef::as_ref).collect();
            entries.reverse();
            entries
        } else {
            page_of(&facet.entries, n, per_page)
        };
        let of = self.shown_facet(kind, facet, &items);
        ListPage {
            of: List::Facet(of),
            above: match of.section {
                Some(entry) => self.above_page(entry),
                None => above_facet(kind, &self.shared()),
            },
            items: self.shown_items(items),
            number: n,
            count,
            events: None,
            lead: None,
            seasons: match kind {
                FacetKind::Season => self.seasons(Some(&facet.slug)),
                _ => Vec::new(),
            },
            translations: match of.section.filter(|_| n == 1) {
                Some(entry) => self.translations_of_page(entry),
                None => Vec::new(),
            },
            frame: match of.section {
                Some(entry) => self.section_frame(entry, n),
                None => self.frame_of_list(&paths::facet(kind, &facet.slug, 1), n),
            },
        }
    }

    /// Returns whether a list reverses the feed's order. A season starts with its first episode, and
    /// an album can have its own order.
    fn is_reversed(&self, kind: FacetKind, facet: &Facet) -> bool {
        let order = match kind {
            FacetKind::Season => Some(SortOrder::Asc),
            FacetKind::Album => self.album(&facet.slug).and_then(|album| album.order),
            FacetKind::Tag | FacetKind::Author | FacetKind::Series | FacetKind::Section => None,
        };
        order.is_some_and(|order| order != self.snapshot.config.feed.order)
    }

    /// Returns the data about a facet for a page or a feed. `items` are the items on the page.
    fn shown_facet(
        &self,
        kind: FacetKind,
        facet: &'a Facet,
        items: &[&'a ItemEntry],
    ) -> ShownFacet<'a> {
        ShownFacet {
            kind,
            name: &facet.name,
            slug: &facet.slug,
            has_feeds: self.public().has_facet_feeds(kind),
            author: match kind {
                FacetKind::Author => Some(self.author(&facet.slug, items)),
                _ => None,
            },
            album: match kind {
                FacetKind::Album => self.album(&facet.slug).map(|album| self.listed(album, facet)),
                _ => None,
            },
            section: match kind {
                FacetKind::Section => self.page_of_section(facet),
                _ => None,
            },
        }
    }

    fn author(&self, slug: &str, items: &[&'a ItemEntry]) -> AuthorFacet<'a> {
        let channel = &self.snapshot.channel;
        let is_it = |name: &str| Slug::from_title(name).is_some_and(|own| own.as_str() == slug);
        let own = items.iter().flat_map(|entry| {
            let authors = entry.item.authors.iter().zip(&entry.authors);
            authors.filter(|(_, own)| own.as_ref().is_some_and(|own| own.as_str() == slug))
        });
        let shows = items.iter().filter_map(|entry| entry.channel.as_deref());
        let of_channel = [&**channel].into_iter().chain(shows).flat_map(|one| &one.authors);
        let of_channel = of_channel.filter(|author| is_it(&author.name));
        let mut authors = own.map(|(author, _)| author).chain(of_channel);
        let people = |all: &'a [Person]| all.iter().filter(|person| is_it(&person.name));
        let of_items = items.iter();
        let of_items = of_items.flat_map(|entry| people(&entry.item.podcast.shared.people));
        let mut known = people(&channel.podcast.shared.people).chain(of_items);
        AuthorFacet {
            url: authors.find_map(|author: &'a Author| author.url.as_deref()),
            picture: known.find_map(|person| person.img.as_deref()),
        }
    }

    /// Returns the first page of the home list and of each facet's list.
    pub fn first_pages(&self) -> Vec<ListPage<'a>> {
        let facets = FacetKind::ALL.into_iter().flat_map(|kind| {
            let all = self.snapshot.facets.all(kind).iter();
            all.map(move |facet| self.facet(kind, facet, 1))
        });
        [self.home(1)].into_iter().chain(facets).collect()
    }

    /// Returns all seasons, ordered by number, if seasons have pages and a template uses the list.
    /// Returns an empty list if there is only one season.
    pub(super) fn seasons(&self, current: Option<&str>) -> Vec<ListedSeason<'a>> {
        let all = self.snapshot.facets.all(FacetKind::Season);
        let is_shown = || {
            self.public().has_facets(FacetKind::Season) && self.theme.reads(Slot::WebFeed, SEASONS)
        };
        if all.len() < 2 || !is_shown() {
            return Vec::new();
        }
        let seasons = all.iter().map(|season| ListedSeason {
            name: &season.name,
            slug: &season.slug,
            count: season.entries.len(),
            is_current: current == Some(season.slug.as_str()),
        });
        let mut seasons: Vec<ListedSeason<'_>> = seasons.collect();
        seasons.sort_by_key(|season| season.slug.parse::<i64>().unwrap_or(i64::MAX));
        seasons
    }

    pub(super) fn facet_feed(&self, kind: FacetKind, facet: &'a Facet) -> FacetFeed<'a> {
        let entries = self.newest_entries(facet);
        FacetFeed { of: self.shown_facet(kind, facet, &[]), entries }
    }

    /// Returns the items in a facet's feed, in feed order.
    fn newest_entries(&self, facet: &'a Facet) -> Vec<&'a ItemEntry> {
        let feed = &self.snapshot.config.feed;
        let (all, count) = (facet.entries.len(), FEED_ITEMS.min(feed.limit));
        let newest = match feed.order {
            SortOrder::Desc => 0..count,
            SortOrder::Asc => all.saturating_sub(count)..all,
        };
        facet.entries.part(newest).map(AsRef::as_ref).collect()
    }

    /// Returns the bodies that a facet's feed shows. Returns an empty list for other documents.
    pub fn contents_of_facet(&self, document: &Document) -> Vec<&'a Content> {
        let entries = self.entries_of_facet(document).into_iter();
        entries.map(|entry| &entry.item.content).collect()
    }

    /// Returns the index of the last item that a facet's feed shows.
    pub fn oldest_of_facet(&self, document: &Document) -> Option<usize> {
        let entries = self.entries_of_facet(document);
        self.snapshot.position(entries.last()?.item.id.as_str())
    }

    fn entries_of_facet(&self, document: &Document) -> Vec<&'a ItemEntry> {
        match document {
            Document::FacetJson(kind, at) | Document::FacetRss(kind, at) => {
                self.newest_entries(&self.snapshot.facets.all(*kind)[*at])
            }
            _ => Vec::new(),
        }
    }
}
