//! The preview's search index. The index is built when a browser requests it, and reuses the
//! previous index.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use search::static_index::PreviousIndex;

use super::moment::Moment;
use project::SearchPlan;
use render::SearchFile;

/// The files of the last index that was built for a browser.
#[derive(Default)]
pub struct SearchFiles {
    /// The newest index of each edition.
    newest: Mutex<HashMap<Option<usize>, Index>>,
}

/// The complete index of one [`Moment`].
struct Index {
    serial: u64,
    entry: Arc<[u8]>,
    shards: HashMap<String, Arc<[u8]>>,
    kept: Vec<u8>,
}

impl SearchFiles {
    /// Returns a file of a moment's index. A browser may still request shards of an earlier index. If such a request fails, the
    /// browser requests the entry file again.
    pub fn get(&self, root: &Path, moment: &Moment, file: &SearchFile) -> Option<Arc<[u8]>> {
        let mut newest = self.newest.lock().unwrap_or_else(PoisonError::into_inner);
        let edition = file.edition;
        let is_current = newest.get(&edition).is_some_and(|index| index.serial >= moment.serial);
        if !is_current {
            let index = Index::of(root, moment, edition, newest.remove(&edition));
            newest.insert(edition, index);
        }
        let index = newest.get(&edition)?;
        match &file.shard {
            None => Some(Arc::clone(&index.entry)),
            Some(name) => index.shards.get(name).cloned(),
        }
    }
}

impl Index {
    fn of(root: &Path, moment: &Moment, edition: Option<usize>, before: Option<Self>) -> Self {
        let (entry, kept, mut there) = match before {
            Some(before) => (before.entry, before.kept, before.shards),
            None => (Arc::default(), Vec::new(), HashMap::new()),
        };
        let read = |name: &str| there.get(name).map(|bytes| bytes.to_vec());
        let older = PreviousIndex::open(&kept, &entry, Box::new(read));
        let plan = SearchPlan::of(root, &moment.site, edition, older.as_ref());
        let made = plan.make(older.as_ref(), &|name| there.contains_key(name));
        drop(older);
        let shards = made.shards.into_iter().filter_map(|shard| {
            let bytes = match shard.bytes {
                Some(bytes) => bytes.into(),
                None => there.remove(&shard.name)?,
            };
            Some((shard.name, bytes))
        });
        Self {
            serial: moment.serial,
            shards: shards.collect(),
            entry: made.entry.into(),
            kept: made.kept,
        }
    }
}
