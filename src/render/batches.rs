//! Groups documents into batches for writing, so that each body is read once and then released.

use std::sync::Arc;

use super::addresses::public::Document;
use super::addresses::routes::Routes;
use model::{List as SharedList, Status};
use site::ItemEntry;

/// Routes to write together: their documents show the same items as one document of the site's
/// feed. Routes with the same document are adjacent.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// For each item, the indices of its routes.
    pub items: Vec<Vec<usize>>,
    /// Indices of the routes to write after the item routes. Their documents show only items of
    /// this batch, or no items.
    pub then: Vec<usize>,
    /// The feed routes of each facet whose oldest shown item belongs to this batch.
    pub facets: Vec<Vec<usize>>,
}

/// The feed of a snapshot, which determines the batches of its items.
pub struct BatchedFeed<'e> {
    /// Number of items per feed document.
    pub limit: usize,
    /// Number of items per page of the home list.
    pub per_page: usize,
    /// All items, in feed order.
    pub entries: &'e SharedList<Arc<ItemEntry>>,
}

/// The batches of one feed, as indices of a list of all batches.
struct FeedBatches {
    /// Index of the first batch.
    first: usize,
    /// Index of the batch of the routes that fit no other batch.
    last: usize,
    /// The batch of each item.
    of_items: Vec<usize>,
    /// The routes of each item.
    routes: Vec<Vec<usize>>,
}

impl FeedBatches {
    fn of(feed: &BatchedFeed<'_>, first: usize) -> Self {
        let mut published = 0;
        let of_items: Vec<usize> = feed
            .entries
            .iter()
            .map(|entry| {
                let page = published / feed.limit;
                published += usize::from(entry.status == Status::Published);
                first + page
            })
            .collect();
        let last = first + published.div_ceil(feed.limit).max(1);
        Self { first, last, routes: vec![Vec::new(); of_items.len()], of_items }
    }
}

/// Assigns every route to a batch, by index. An item's routes join the batch of the feed document
/// that shows the item. Routes that fit no other batch join the last batch of their feed. `feeds` has
/// the feed of the site, followed by the feeds of its editions. `oldest_of_facet` returns the index
/// of the last item that a facet's feed shows.
pub fn batches(
    routes: &Routes,
    feeds: &[BatchedFeed<'_>],
    oldest_of_facet: impl Fn(&Document) -> Option<usize>,
) -> Vec<Batch> {
    let mut all: Vec<FeedBatches> = Vec::with_capacity(feeds.len());
    for feed in feeds {
        let first = all.last().map_or(0, |before| before.last + 1);
        all.push(FeedBatches::of(feed, first));
    }
    let count = all.last().map_or(0, |last| last.last + 1);
    let mut batches: Vec<Batch> = (0..count).map(|_| Batch::default()).collect();
    let mut facet = None;
    let insert = |list: &mut Vec<usize>, route: usize| {
        let document = |at: usize| &routes.routes[at].document;
        let same = list.iter().rposition(|at| document(*at) == document(route));
        list.insert(same.map_or(list.len(), |at| at + 1), route);
    };
    for (route, to) in routes.routes.iter().enumerate() {
        let (edition, document) = match &to.document {
            Document::In(at, inner) => (at + 1, inner.inner()),
            own => (0, own),
        };
        let (feed, own) = (&feeds[edition], &mut all[edition]);
        match *document {
            Document::Item(at)
            | Document::ItemMarkdown(at)
            | Document::Embed(at)
            | Document::OEmbed(at)
            | Document::Captions(at)
            | Document::ItemJson(at)
            | Document::ItemRss(at)
            | Document::Chapters(at) => insert(&mut own.routes[at], route),
            Document::JsonFeed(n) | Document::Rss(n) => {
                insert(&mut batches[own.first + n - 1].then, route);
            }
            Document::Home(n) => {
                batches[own.first + (n - 1) * feed.per_page / feed.limit].then.push(route);
            }
            // Routes of the same facet are adjacent.
            Document::FacetJson(kind, at) | Document::FacetRss(kind, at) => {
                let oldest = oldest_of_facet(&to.document);
                let page = oldest.map_or(own.last, |at| own.of_items[at]);
                let facets = &mut batches[page].facets;
                match facets.last_mut().filter(|_| facet == Some((edition, kind, at))) {
                    Some(routes) => routes.push(route),
                    None => facets.push(vec![route]),
                }
                facet = Some((edition, kind, at));
            }
            _ => batches[own.last].then.push(route),
        }
    }
    for own in all {
        for (routes, page) in own.routes.into_iter().zip(own.of_items) {
            if !routes.is_empty() {
                batches[page].items.push(routes);
            }
        }
    }
    batches
}
