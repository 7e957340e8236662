//! Groups documents into batches for writing, so that each body is read once and then released.

use super::addresses::public::Document;
use super::addresses::routes::Routes;
use model::Status;
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

/// Assigns every route to a batch, by index. An item's routes join the batch of the feed document
/// that shows the item. Routes that fit no other batch join the last batch. `limit` is the number
/// of items per feed document, `per_page` the number of items per page of the home list.
/// `oldest_of_facet` returns the index of the last item that a facet's feed shows.
pub fn batches<'e>(
    routes: &Routes,
    entries: impl Iterator<Item = &'e ItemEntry>,
    (limit, per_page): (usize, usize),
    oldest_of_facet: impl Fn(&Document) -> Option<usize>,
) -> Vec<Batch> {
    let mut published = 0;
    let pages: Vec<usize> = entries
        .map(|entry| {
            let page = published / limit;
            published += usize::from(entry.status == Status::Published);
            page
        })
        .collect();
    let last = published.div_ceil(limit).max(1);
    let mut batches: Vec<Batch> = (0..=last).map(|_| Batch::default()).collect();
    let mut of_items: Vec<Vec<usize>> = vec![Vec::new(); pages.len()];
    let mut facet = None;
    let insert = |list: &mut Vec<usize>, route: usize| {
        let document = |at: usize| &routes.routes[at].document;
        let same = list.iter().rposition(|at| document(*at) == document(route));
        list.insert(same.map_or(list.len(), |at| at + 1), route);
    };
    for (route, to) in routes.routes.iter().enumerate() {
        match to.document {
            Document::Item(at)
            | Document::ItemMarkdown(at)
            | Document::Embed(at)
            | Document::OEmbed(at)
            | Document::ItemJson(at)
            | Document::ItemRss(at)
            | Document::Chapters(at) => insert(&mut of_items[at], route),
            Document::JsonFeed(n) | Document::Rss(n) => insert(&mut batches[n - 1].then, route),
            Document::Home(n) => batches[(n - 1) * per_page / limit].then.push(route),
            // Routes of the same facet are adjacent.
            Document::FacetJson(kind, at) | Document::FacetRss(kind, at) => {
                let oldest = oldest_of_facet(&to.document);
                let page = oldest.map_or(last, |at| pages[at]);
                let facets = &mut batches[page].facets;
                match facets.last_mut().filter(|_| facet == Some((kind, at))) {
                    Some(routes) => routes.push(route),
                    None => facets.push(vec![route]),
                }
                facet = Some((kind, at));
            }
            _ => batches[last].then.push(route),
        }
    }
    for (routes, page) in of_items.into_iter().zip(pages) {
        if !routes.is_empty() {
            batches[page].items.push(routes);
        }
    }
    batches
}
