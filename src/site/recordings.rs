//! The recordings of a snapshot, by the items that they belong to.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::{ItemEntry, Snapshot, paths};
use model::podcast::Soundbite;
use model::{Category, Config, Item, MediaFile, Status};
use recording_tags::{EXTENSIONS, clip_extension};

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
        if !snapshot.has_audio() {
            return found;
        }
        // Recordings do not change when a scheduled item becomes public.
        let is_used = |entry: &&Arc<ItemEntry>| entry.item.status != Status::Unpublished;
        let used = || snapshot.entries.iter().filter(|one| one.is_public() || is_used(one));
        for entry in used() {
            if let Some(file) = recording(&snapshot.config, &entry.item) {
                let other = found.owners.insert(file.path.clone(), Arc::clone(entry));
                found.shared.extend(other.map(|_| file.path.clone()));
            }
        }
        let shared = snapshot.shared_recordings.iter();
        found.shared.extend(shared.filter(|path| found.owners.contains_key(*path)).cloned());
        if found.owners.is_empty() {
            return found;
        }
        let alternates = used().flat_map(|entry| &entry.item.podcast.alternate_enclosures);
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
            is_wanted && entry.is_public() && !found.shared.contains(path)
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

/// A clip that is cut out of an item's recording.
#[derive(Debug, Clone)]
pub struct ClipRecording<'e> {
    /// Index of the first soundbite with this passage.
    pub index: usize,
    /// The item's recording.
    pub file: &'e MediaFile,
    /// The public path of the clip.
    pub path: String,
}

impl<'e> ClipRecording<'e> {
    /// Returns the clip of a soundbite. Returns `None` if it cannot be cut.
    pub fn of(config: &Config, entry: &'e ItemEntry, soundbite: &Soundbite) -> Option<Self> {
        // With `[media] base_url`, other machines may lack the recording, and would remove the clip.
        let is_published = entry.is_public() && config.media_base_url.is_none();
        let clip = entry.clip(soundbite).filter(|_| soundbite.is_cut && is_published)?;
        let file = recording(config, &entry.item)?;
        let extension = clip_extension(&file.source.extension())?;
        let path = paths::clip_recording(entry, clip.start, clip.end, extension);
        let is_same = |other| entry.clip(other).is_some_and(|other| other.has_same_address(&clip));
        let index = entry.item.podcast.soundbites.iter().position(is_same)?;
        Some(Self { index, file, path })
    }

    /// Returns the clip of the soundbite with this index. Returns `None` if an earlier soundbite is
    /// the same passage.
    pub fn at(config: &Config, entry: &'e ItemEntry, index: usize) -> Option<Self> {
        let clip = Self::of(config, entry, entry.item.podcast.soundbites.get(index)?)?;
        (clip.index == index).then_some(clip)
    }
}

impl Snapshot {
    /// Finds the recordings that several editions name. They get no tags.
    pub(super) fn share_recordings(&mut self) {
        if self.editions.is_empty() {
            return;
        }
        let mut owners: HashMap<String, &str> = HashMap::new();
        let mut shared = BTreeSet::new();
        for entry in &self.entries {
            if let Some(file) = recording(&self.config, &entry.item) {
                let other = owners.insert(file.path.clone(), &entry.mount);
                shared
                    .extend(other.filter(|other| *other != entry.mount).map(|_| file.path.clone()));
            }
        }
        let shared = Arc::new(shared);
        self.for_each_edition(&mut |own| own.shared_recordings = Arc::clone(&shared));
    }

    /// Returns the indices of the items and soundbites that can have clips.
    pub fn soundbites(&self) -> impl Iterator<Item = (usize, usize)> {
        let entries = self.entries.iter().enumerate();
        let count = |entry: &ItemEntry| entry.item.podcast.soundbites.len();
        entries.flat_map(move |(at, entry)| (0..count(entry)).map(move |n| (at, n)))
    }

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
