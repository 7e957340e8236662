//! Cache of the facts about media files. Each file is read once, until it changes. The list in
//! `content/media.json` is cached in the same way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use media_facts::MediaFacts;

use super::stamp::Stamp;
use super::stored_media::StoredMedia;
use model::{Config, SitePath};

/// The facts about one media file, and its stamp when they were read.
#[derive(Debug, Clone)]
pub struct CachedMedia {
    pub stamp: Stamp,
    pub facts: Arc<MediaFacts>,
    /// Whether the facts are saved in local state.
    pub is_saved: bool,
}

impl CachedMedia {
    /// Creates facts that were loaded from local state.
    pub fn of(stamp: Stamp, facts: MediaFacts) -> Self {
        Self { stamp, facts: Arc::new(facts), is_saved: true }
    }
}

/// The facts about a site's media files.
#[derive(Debug, Default)]
pub struct MediaCache {
    /// Whether the camera settings of photos are read.
    pub reads_shots: bool,
    /// Whether the waveforms of recordings are measured.
    pub reads_waveforms: bool,
    known: Mutex<HashMap<SitePath, CachedMedia>>,
    stored: Mutex<Option<(Stamp, Arc<StoredMedia>)>>,
}

impl MediaCache {
    pub fn of(config: &Config) -> Self {
        Self {
            reads_shots: !config.images.show.is_empty(),
            reads_waveforms: config.audio.waveform,
            ..Self::default()
        }
    }

    /// Returns the facts about a file whose current stamp is `stamp`.
    pub fn get(&self, path: &SitePath, stamp: Stamp) -> Option<Arc<MediaFacts>> {
        let known = self.known();
        let known = known.get(path).filter(|known| known.stamp == stamp)?;
        Some(Arc::clone(&known.facts))
    }

    pub fn put(&self, path: &SitePath, stamp: Stamp, facts: Arc<MediaFacts>) {
        if stamp != Stamp::Young {
            let known = CachedMedia { stamp, facts, is_saved: false };
            self.known().insert(path.clone(), known);
        }
    }

    pub fn known(&self) -> MutexGuard<'_, HashMap<SitePath, CachedMedia>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the list of media in `content/media.json`. `stamp` is the current stamp of the
    /// list's file, and `read` reads the file.
    pub fn stored(&self, stamp: Stamp, read: impl FnOnce() -> StoredMedia) -> Arc<StoredMedia> {
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        match &*stored {
            Some((known, list)) if *known == stamp && stamp != Stamp::Young => Arc::clone(list),
            _ => {
                let list = Arc::new(read());
                *stored = Some((stamp, Arc::clone(&list)));
                list
            }
        }
    }
}
