//! Renders and writes the documents of a build that changed, batch by batch.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use rayon::prelude::*;

use super::{OutputWriter, RouteState};
use crate::build::manifest::FileRecord;
use crate::build::output_folder::OutputFolder;
use crate::build::progress::Progress;
use crate::model::{Body, Content, Diagnostic};
use crate::project::Renderings;
use crate::render::{Batch, Document, ItemParts, Renderer, Routes};

/// One run over the routes of a build.
pub struct WriteRun<'a> {
    pub writer: &'a OutputWriter,
    pub target: &'a OutputFolder,
    pub routes: &'a Routes,
    pub states: &'a [RouteState],
    pub renderer: &'a Renderer<'a>,
    pub renderings: &'a Renderings,
    pub outdated: &'a (dyn Fn() -> Option<Diagnostic> + Sync),
    pub progress: &'a dyn Progress,
    pub written: AtomicUsize,
}

/// A route's index, and the record of the file that was written for it.
pub type Put = (usize, Result<FileRecord, Diagnostic>);

/// The routes of one item that were written, and its body, which is held until the documents are written that
/// show the item too.
#[derive(Default)]
struct Item<'a> {
    done: Vec<Put>,
    body: Option<(&'a Content, Arc<Body>)>,
}

impl WriteRun<'_> {
    /// Renders and writes all routes that have no record yet.
    pub fn all(&self) -> Vec<Put> {
        let batches = self.renderer.batches(self.routes);
        let done = batches.par_iter().flat_map_iter(|batch| self.batch(batch));
        done.collect()
    }

    /// The documents of one batch, so that the bodies they show are read once.
    fn batch(&self, batch: &Batch) -> Vec<Put> {
        let parts = ItemParts::default();
        let renderer = self.renderer.within(&parts);
        let of_items = batch.items.par_iter();
        let items: Vec<Item<'_>> = of_items
            .map(|routes| self.item(routes, &renderer))
            .collect();
        let bodies = self.bodies_of_feeds(batch);
        let then = batch.then.par_iter();
        let then: Vec<Put> = then.filter_map(|at| self.route(*at, &renderer)).collect();
        drop(bodies);
        let mut done = then;
        for item in items {
            done.extend(item.done);
            if let Some((content, body)) = item.body {
                drop(body);
                content.let_go();
            }
        }
        done
    }

    /// The bodies of the items that documents of the feed show and that were not written by themselves: read side by
    /// side, and once for all those documents.
    fn bodies_of_feeds(&self, batch: &Batch) -> Vec<Arc<Body>> {
        let is_feed = |at: &usize| {
            let document = &self.routes.routes[*at].document;
            let is_feed = matches!(document, Document::JsonFeed(_) | Document::Rss(_));
            is_feed && self.states[*at].record.is_none()
        };
        if !batch.then.iter().any(is_feed) {
            return Vec::new();
        }
        let items = batch.items.par_iter();
        let others = items.filter(|routes| self.is_done(routes));
        others
            .filter_map(|routes| Some(self.content(routes)?.body()))
            .collect()
    }

    fn is_done(&self, routes: &[usize]) -> bool {
        routes.iter().all(|at| self.states[*at].record.is_some())
    }

    fn content(&self, routes: &[usize]) -> Option<&Content> {
        let document = &self.routes.routes[*routes.first()?].document;
        self.renderer.content(document)
    }

    fn item(&self, routes: &[usize], renderer: &Renderer<'_>) -> Item<'_> {
        if self.is_done(routes) {
            routes.iter().for_each(|_| self.progress.tick());
            return Item::default();
        }
        let body = self
            .content(routes)
            .map(|content| (content, content.body()));
        let done = routes.iter();
        Item {
            done: done.filter_map(|at| self.route(*at, renderer)).collect(),
            body,
        }
    }

    /// Renders and writes one route. None if its file is what it is to be.
    fn route(&self, at: usize, renderer: &Renderer<'_>) -> Option<Put> {
        let (route, state) = (&self.routes.routes[at], &self.states[at]);
        if state.record.is_some() {
            self.progress.tick();
            return None;
        }
        let put = || {
            let body = self.renderings.publish(renderer, &route.document)?;
            if let Some(outdated) = (self.outdated)() {
                return Err(outdated);
            }
            let writer = self.writer;
            writer.put(self.target, route, state, body, &self.written)
        };
        let record = put();
        self.progress.tick();
        Some((at, record))
    }
}
