//! An order to write many documents in, so that each body is read once and then let go.

use super::public::Document;
use super::routes::Routes;
use crate::model::Status;
use crate::site::ItemEntry;

/// Documents that show the same items: those of one document of the feed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// For each item the indexes of its routes.
    pub items: Vec<Vec<usize>>,
    /// Routes to be written after them, which show the same items or none.
    pub then: Vec<usize>,
}

/// Puts every route into a batch, by its index: those of items with the document of the feed that shows them,
/// all that are left into the last. `limit` is how many items a document of the feed has, `per_page` how many
/// a page of the home page.
pub fn batches<'e>(
    routes: &Routes,
    entries: impl Iterator<Item = &'e ItemEntry>,
    limit: usize,
    per_page: usize,
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
    for (route, to) in routes.routes.iter().enumerate() {
        match to.document {
            Document::Item(at)
            | Document::Embed(at)
            | Document::OEmbed(at)
            | Document::ItemJson(at)
            | Document::ItemRss(at)
            | Document::Chapters(at) => of_items[at].push(route),
            Document::JsonFeed(n) | Document::Rss(n) => batches[n - 1].then.push(route),
            Document::Home(n) => batches[(n - 1) * per_page / limit].then.push(route),
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
