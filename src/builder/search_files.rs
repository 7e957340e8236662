//! The search index in an output folder: its entry file, and its shards, which the route table does
//! not list.

use std::fs;
use std::path::{Path, PathBuf};

use search::static_index::{BuiltIndex, PreviousIndex, STATE_VERSION};

use super::manifest::state;
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
    plan: SearchPlan<'s>,
    older: Option<PreviousIndex<'static>>,
    /// Path of the cache that keeps the index's state.
    cache_path: PathBuf,
}

impl<'s> SearchFiles<'s> {
    /// Prepares the search index of a site, and loads the existing index from the output folder.
    /// Returns None if the site has no search index.
    pub fn of(root: &'s Path, out: &Path, site: &'s Site) -> Option<Self> {
        let mut routes = site.routes().routes.iter();
        let route = routes.position(|route| route.document == Document::SearchIndex)?;
        let cache_path = state(root, out, CACHE.name);
        let older = || {
            let file = |path: &str| out.join(paths::file_of(path));
            let entry = fs::read(file(paths::SEARCH_INDEX)).ok()?;
            let out = out.to_path_buf();
            let read = move |name: &str| {
                fs::read(out.join(paths::file_of(&paths::search_shard(name)))).ok()
            };
            PreviousIndex::open(&CACHE.load(&cache_path, 0)?, &entry, Box::new(read))
        };
        let older = older();
        Some(Self { route, plan: SearchPlan::of(root, site, older.as_ref()), older, cache_path })
    }

    /// Returns a hash of all data from which the index is built.
    pub fn fingerprint(&self) -> u64 {
        self.plan.fingerprint()
    }

    /// Adds the words of an item while its text is in memory.
    pub fn add(&self, document: &Document, body: &Body) {
        if let Document::Item(at) | Document::ItemJson(at) | Document::ItemRss(at) = document {
            self.plan.add_item(*at, body);
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
