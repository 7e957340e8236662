//! The search index in an output folder: its entry file, and its shards, which the route table does
//! not list.

use std::fs;
use std::path::{Path, PathBuf};

use search::static_index::{BuiltIndex, PreviousIndex, STATE_VERSION};

use super::manifest::state;
use super::scope::Scope;
use local::store::Cache;
use model::Body;
use project::{SearchPlan, Site};
use render::Document;
use site::paths;

const CACHE: Cache = Cache::new("search", STATE_VERSION, 4 << 30);

/// The search index of a build, while it is being made.
pub struct SearchFiles<'s> {
    /// Index of the route of the entry file.
    pub route: usize,
    site: &'s Site,
    /// Index of the edition. `None` means the site.
    edition: Option<usize>,
    /// Path below which the files of the index are.
    mount: &'s str,
    plan: SearchPlan<'s>,
    older: Option<PreviousIndex<'static>>,
    /// Path of the cache that keeps the index's state.
    cache_path: PathBuf,
}

impl<'s> SearchFiles<'s> {
    /// Prepares the search indexes of the scope of a build, and loads the existing indexes from the
    /// output folder.
    pub fn all(root: &'s Path, out: &Path, site: &'s Site, scope: &Scope<'_>) -> Vec<Self> {
        let indexes = site.renderer().search_indexes().into_iter();
        indexes.filter_map(|index| Self::of(root, out, site, scope, index)).collect()
    }

    /// Returns None if the edition has no search index, or is outside the scope.
    fn of(
        root: &'s Path,
        out: &Path,
        site: &'s Site,
        scope: &Scope<'_>,
        (edition, mount): (Option<usize>, &'s str),
    ) -> Option<Self> {
        let mut routes = scope.routes.routes.iter();
        let entry = Document::SearchIndex.of_edition(edition);
        let route = routes.position(|route| route.document == entry)?;
        let name = [CACHE.name, &mount.replace('/', "-")].concat();
        let cache_path = state(root, out, &name);
        let older = || {
            let out = out.join(mount.trim_start_matches('/'));
            let file = |path: &str| out.join(paths::file_of(path));
            let entry = fs::read(file(paths::SEARCH_INDEX)).ok()?;
            let out = out.clone();
            let read = move |name: &str| {
                fs::read(out.join(paths::file_of(&paths::search_shard(name)))).ok()
            };
            PreviousIndex::open(&CACHE.load(&cache_path, 0)?, &entry, Box::new(read))
        };
        let older = older();
        let plan = SearchPlan::of(root, site, edition, older.as_ref());
        Some(Self { route, site, edition, mount, plan, older, cache_path })
    }

    /// Returns the file of a shard.
    pub fn shard(&self, name: &str) -> String {
        paths::file_of(&[self.mount, &*paths::search_shard(name)].concat())
    }

    /// Returns the folder of the shards.
    pub fn shards(&self) -> String {
        paths::file_of(&[self.mount, paths::SEARCH_SHARDS.trim_end_matches('/')].concat())
    }

    /// Returns whether a document is the entry file of the index.
    pub fn is_entry(&self, document: &Document) -> bool {
        *document == Document::SearchIndex.of_edition(self.edition)
    }

    /// Returns a hash of all data from which the index is built.
    pub fn fingerprint(&self) -> u64 {
        self.plan.fingerprint()
    }

    /// Adds the words of an item while its text is in memory.
    pub fn add(&self, document: &Document, body: &Body) {
        let (edition, document) = match document {
            Document::In(at, inner) => (Some(*at), &**inner),
            own => (None, own),
        };
        let (Document::Item(at) | Document::ItemJson(at) | Document::ItemRss(at)) = document else {
            return;
        };
        if edition == self.edition {
            self.plan.add_item(*at, body);
        } else if let (None, Some(show)) = (self.edition, edition) {
            // The index of a network has the items of its shows.
            let whole = &self.site.snapshot;
            let id = &whole.editions[show].snapshot.entries[*at].item.id;
            if let Some(at) = whole.position(id.as_str()) {
                self.plan.add_item(at, body);
            }
        }
    }

    /// Builds the index. `is_there` returns whether the file of the shard with the given name
    /// exists.
    pub fn make(&self, is_there: &(dyn Fn(&str) -> bool + Sync)) -> BuiltIndex {
        self.plan.make(self.older.as_ref(), is_there)
    }

    /// Saves the state of the written index. Without this state, the next build reads the text of
    /// all documents.
    pub fn save_state(&self, made: &BuiltIndex) {
        let _ = CACHE.save(&self.cache_path, 0, &made.kept);
    }
}
