//! The recordings of a snapshot, by the items that they belong to.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::{ItemEntry, Snapshot};
use model::{Category, Config, Item, MediaFile};
use recording_tags::EXTENSIONS;

/// The recordings that get tags, by public path.
#[derive(Debug, Clone, Default)]
pub struct TaggedRecordings {
    owners: HashMap<String, Arc<ItemEntry>>,
    /// Recordings that are published unchanged, because several items name them, or because another
    /// tag of the feed states their size or hash.
    shared: BTreeSet<String>,
}

impl TaggedRecordings {
    fn of(snapshot: &Snapshot) -> Self {
        let mut found = Self::default();
        let public = || snapshot.entries.iter().filter(|entry| entry.is_public());
        for entry in public() {
            if let Some(file) = recording(&snapshot.config, &entry.item) {
                let other = found.owners.insert(file.path.clone(), Arc::clone(entry));
                found.shared.extend(other.map(|_| file.path.clone()));
            }
        }
        if found.owners.is_empty() {
            return found;
        }
        let alternates = public().flat_map(|entry| &entry.item.podcast.alternate_enclosures);
        let sources = alternates.flat_map(|one| &one.sources).map(|source| &source.uri);
        let own = &snapshot.channel.podcast;
        let trailers = own.trailers.iter().map(|trailer| &trailer.url);
        let live = own.live_items.iter().chain(&snapshot.shows);
        let live = live.filter_map(|live| live.enclosure.as_ref()).map(|file| &file.url);
        // The ends of addresses, because download counters prefix an address with theirs.
        let ends: HashSet<&str> =
            sources.chain(trailers).chain(live).flat_map(|url| ends(url)).collect();
        let config = &snapshot.config;
        let named = found.owners.keys().filter(|path| {
            let url = config.media_url(path);
            ends.contains(url.split_once("://").map_or(&*url, |(_, end)| end))
        });
        found.shared.extend(named.cloned().collect::<Vec<_>>());
        found.owners.retain(|path, entry| {
            let is_wanted = entry.item.audio_tags.unwrap_or(config.audio.tags);
            is_wanted && !found.shared.contains(path)
        });
        found
    }

    /// Returns the item whose tags the recording at a public path gets.
    pub fn owner(&self, path: &str) -> Option<&ItemEntry> {
        self.owners.get(path).map(AsRef::as_ref)
    }

    /// Returns the recordings that are published unchanged, because the feed names them several
    /// times.
    pub fn shared(&self) -> &BTreeSet<String> {
        &self.shared
    }
}

/// Returns the file of an item's recording, if its format has tags.
pub fn recording<'e>(config: &Config, item: &'e Item) -> Option<&'e MediaFile> {
    let attachment = item.attachment.as_ref();
    let attachment = attachment.filter(|file| file.category == Category::Audio)?;
    let file = config.medium(&item.media, &attachment.url)?;
    EXTENSIONS.contains(&file.source.extension().as_str()).then_some(file)
}

impl Snapshot {
    /// Returns the recordings that get tags.
    pub fn tagged_recordings(&self) -> &TaggedRecordings {
        self.tagged.get_or_init(|| TaggedRecordings::of(self))
    }
}

/// Returns what follows each slash of a URL, up to its query or fragment.
fn ends(url: &str) -> impl Iterator<Item = &str> {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    url.match_indices('/').map(move |(at, _)| &url[at + 1..])
}
