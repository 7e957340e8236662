//! Renders and writes the changed documents of a build, batch by batch.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Counts, OutputWriter, Publishing, RouteState};
use crate::manifest::FileRecord;
use crate::output_folder::OutputFolder;
use model::{Body, Content, Diagnostic};
use project::pictures::remove_metadata;
use render::{Batch, Body as Rendered, Document, ItemParts, Renderer};

/// One run over the routes of a build.
pub struct WriteRun<'a> {
    pub writer: &'a OutputWriter,
    pub target: &'a OutputFolder,
    pub publishing: &'a Publishing<'a>,
    pub states: &'a [RouteState],
    pub counts: Counts,
}

/// A route's index, and the record of the file that was written for it.
pub type Put = (usize, Result<FileRecord, Diagnostic>);

/// The written routes of one item, and the item's body. The body is held until all documents that
/// show the item are written.
#[derive(Default)]
struct Item<'a> {
    done: Vec<Put>,
    body: Option<(&'a Content, Arc<Body>)>,
}

impl WriteRun<'_> {
    /// Renders and writes all routes without a record.
    pub fn all(&self) -> Vec<Put> {
        let batches = self.publishing.renderer.batches(self.publishing.routes);
        // Larger tasks, here and for the parts of a batch, would leave threads idle at the end.
        let done = batches.par_iter().with_max_len(1).flat_map_iter(|batch| self.batch(batch));
        done.collect()
    }

    /// Writes the documents of one batch, so that each body that the documents show is read only
    /// once.
    fn batch(&self, batch: &Batch) -> Vec<Put> {
        let parts = ItemParts::default();
        let renderer = self.publishing.renderer.with_item_parts(&parts);
        let of_items = batch.items.par_iter().with_max_len(1);
        let items: Vec<Item<'_>> = of_items.map(|routes| self.item(routes, &renderer)).collect();
        let bodies = self.bodies_of_feeds(batch);
        let then: Vec<&[usize]> = self.by_document(&batch.then).collect();
        let then = then.into_par_iter().with_max_len(1);
        let then: Vec<Put> =
            then.flat_map_iter(|routes| self.document(routes, &renderer)).collect();
        drop(bodies);
        let facets = batch.facets.par_iter().with_max_len(1);
        let facets = facets.flat_map_iter(|routes| self.facet(routes, &renderer));
        let mut done = then;
        done.extend(facets.collect::<Vec<Put>>());
        for item in items {
            done.extend(item.done);
            if let Some((content, body)) = item.body {
                drop(body);
                content.release_body();
            }
        }
        done
    }

    /// Reads the bodies of items that feed documents show and whose own documents are up to date.
    /// The bodies are read in parallel, and once for all feed documents of the batch.
    fn bodies_of_feeds(&self, batch: &Batch) -> Vec<Arc<Body>> {
        let is_feed = |at: &usize| {
            let document = &self.publishing.routes.routes[*at].document;
            let is_feed = matches!(document.inner(), Document::JsonFeed(_) | Document::Rss(_));
            is_feed && self.states[*at].record.is_none()
        };
        if !batch.then.iter().any(is_feed) {
            return Vec::new();
        }
        let items = batch.items.par_iter();
        let others = items.filter(|routes| self.is_done(routes));
        others.filter_map(|routes| Some(self.content(routes)?.body())).collect()
    }

    /// Writes the feeds of a facet. The bodies that the feeds show are read once for all feeds.
    fn facet(&self, routes: &[usize], renderer: &Renderer<'_>) -> Vec<Put> {
        let contents = match routes.first() {
            Some(at) if !self.is_done(routes) => {
                renderer.contents_of_facet(&self.publishing.routes.routes[*at].document)
            }
            _ => Vec::new(),
        };
        let bodies: Vec<Arc<Body>> = contents.iter().map(|content| content.body()).collect();
        let documents = self.by_document(routes);
        let done = documents.flat_map(|routes| self.document(routes, renderer));
        let done = done.collect();
        drop(bodies);
        contents.iter().for_each(|content| content.release_body());
        done
    }

    fn is_done(&self, routes: &[usize]) -> bool {
        routes.iter().all(|at| self.states[*at].record.is_some())
    }

    fn content(&self, routes: &[usize]) -> Option<&Content> {
        let document = &self.publishing.routes.routes[*routes.first()?].document;
        self.publishing.renderer.content(document)
    }

    fn item(&self, routes: &[usize], renderer: &Renderer<'_>) -> Item<'_> {
        if self.is_done(routes) {
            routes.iter().for_each(|_| self.publishing.progress.tick());
            return Item::default();
        }
        let body = self.content(routes).map(|content| (content, content.body()));
        let document = &self.publishing.routes.routes[routes[0]].document;
        if let Some((_, body)) = &body {
            self.publishing.search.iter().for_each(|index| index.add(document, body));
        }
        let documents = self.by_document(routes);
        let done = documents.flat_map(|routes| self.document(routes, renderer));
        Item { done: done.collect(), body }
    }

    /// Groups adjacent routes that have the same document.
    fn by_document<'r>(&self, routes: &'r [usize]) -> impl Iterator<Item = &'r [usize]> {
        let document = |at: usize| &self.publishing.routes.routes[at].document;
        routes.chunk_by(move |one, other| document(*one) == document(*other))
    }

    /// Renders a document once, and writes it to each of its routes whose file differs.
    fn document(&self, routes: &[usize], renderer: &Renderer<'_>) -> Vec<Put> {
        let mut put = Vec::new();
        let mut rendered = None;
        for at in routes {
            let (route, state) = (&self.publishing.routes.routes[*at], &self.states[*at]);
            // The search index is written last.
            if state.record.is_none() && *route.document.inner() != Document::SearchIndex {
                let rendered = rendered.get_or_insert_with(|| {
                    if route.document.is_made_of_inputs() {
                        let (body, fingerprint) = renderer.render_inputs(&route.document)?;
                        return Ok((body, Some(fingerprint)));
                    }
                    let renderings = self.publishing.renderings;
                    let body = renderings.publish(renderer, &route.document)?;
                    Ok((remove_metadata(&self.writer.root, body), None))
                });
                put.push((*at, self.put(*at, rendered)));
            }
            self.publishing.progress.tick();
        }
        put
    }

    fn put(
        &self,
        at: usize,
        rendered: &Result<(Rendered, Option<u64>), Diagnostic>,
    ) -> Result<FileRecord, Diagnostic> {
        let (body, fingerprint) = rendered.as_ref().map_err(Diagnostic::clone)?;
        if let Some(outdated) = (self.publishing.outdated)() {
            return Err(outdated);
        }
        let (route, state) = (&self.publishing.routes.routes[at], &self.states[at]);
        let state = RouteState { fingerprint: state.fingerprint.or(*fingerprint), ..*state };
        let writer = self.writer;
        writer.put(self.target, &route.file, &state, body, &self.counts)
    }
}
