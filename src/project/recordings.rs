//! Writes tags into published recordings. The facts about each published recording are stored in
//! `.feedwright/recordings/`, under the hash of the recording and its tags, so that a feed does not
//! read the recordings again. The published recordings themselves are stored nowhere: their audio
//! is read from the author's files.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::{self, File};
use std::hash::Hash;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use recording_tags::{Refusal, Tagged, cut, tagged};
use sound::passage_waveform;
use xxhash_rust::xxh3::Xxh3Default;

use super::old_files::remove_unused;
use super::pictures::PictureFolder;
use super::{Site, tag_values};
use local::store::Cache;
use model::{
    Omitted, PublishedRecording, RecordingFacts, RecordingTags, Recordings, SitePath, Unchanged,
    program,
};
use render::PublishedRecordings;
use source::disk::WAVEFORM_PARTS;
use source::stamp::{FileFacts, Stamp};

const CACHE: Cache = Cache::new("recordings", 2, 1 << 16);

/// The stored facts: the length, the reason for no tags, and values that are left out.
type Stored = (u64, Option<Unchanged>, Vec<Omitted>);

/// The waveforms of passages.
const WAVEFORMS: Cache = Cache::new("waveforms", 1, 1 << 10);

/// Maximum number of published forms to keep in memory. A player requests many ranges of the same
/// recording, and the form of an Ogg file takes long to make.
const MAX_KEPT: usize = 4;

/// A site's recordings, and the facts that are already known about them.
#[derive(Debug)]
pub struct RecordingFolder {
    root: PathBuf,
    pictures: PictureFolder,
    known: Mutex<HashMap<u64, RecordingFacts>>,
    /// The version of each recording when its facts were first needed.
    versions: Mutex<HashMap<SitePath, u64>>,
    changed: Mutex<Option<SitePath>>,
    /// The last published forms, newest last.
    kept: Mutex<VecDeque<PublishedRecording>>,
}

/// Returns the recordings of the site at `root`.
pub(super) fn recordings(root: &Path) -> Arc<dyn Recordings> {
    Arc::new(RecordingFolder::new(root))
}

impl Site {
    /// Enables the site to publish its recordings with tags.
    pub fn make_recordings(&mut self) {
        let recordings = recordings(&self.snapshot.root);
        self.snapshot.for_each_edition(&mut |own| own.recordings = Some(Arc::clone(&recordings)));
    }

    /// Removes stored facts about recordings that the site no longer has.
    pub fn remove_old_recordings(&self) {
        let recordings = PublishedRecordings::of(&self.snapshot);
        let entries = &self.snapshot.entries;
        remove_unused(&CACHE.path(&self.snapshot.root), || {
            let whole = entries.iter().filter_map(|entry| recordings.tags(entry));
            let clips = self.snapshot.soundbites();
            let clips = clips.filter_map(|(at, n)| recordings.clip_at(&entries[at], n));
            let facts = whole.chain(clips).filter_map(|tags| recordings.facts(&tags));
            facts.filter_map(|facts| facts.fingerprint).map(name).collect()
        });
        // Waveforms that are still used are measured again.
        remove_unused(&WAVEFORMS.path(&self.snapshot.root), HashSet::new);
    }
}

impl RecordingFolder {
    fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            pictures: PictureFolder::of(root),
            known: Mutex::default(),
            versions: Mutex::default(),
            changed: Mutex::default(),
            kept: Mutex::default(),
        }
    }

    /// Returns the version of a file, and records a change since the first call.
    fn version(&self, file: &SitePath) -> Option<u64> {
        let version = version_of(&self.root, file)?;
        let first = *lock(&self.versions).entry(file.clone()).or_insert(version);
        if first != version {
            *lock(&self.changed) = Some(file.clone());
        }
        Some(version)
    }

    /// Returns a hash of the recording's version and its tags.
    fn fingerprint(&self, wanted: &RecordingTags<'_>, version: u64) -> u64 {
        let lyrics = wanted.lyrics.map(|(file, _)| version_of(&self.root, file));
        let mut made_of = Xxh3Default::new();
        (program(), wanted, version, lyrics).hash(&mut made_of);
        made_of.digest()
    }

    /// Returns the published form, or the reason why there is none, and the values that are left
    /// out.
    fn tagged(&self, wanted: &RecordingTags<'_>) -> (Result<Tagged, Refusal>, Vec<Omitted>) {
        let (tags, omitted) = tag_values::complete(&self.root, &self.pictures, wanted);
        let file = File::open(wanted.file.on_disk(&self.root)).map_err(Refusal::from);
        let extension = wanted.file.extension();
        let made = file.and_then(|mut file| match &wanted.clip {
            Some(part) => cut(&mut file, &extension, part.clone(), &tags),
            None => tagged(&mut file, &extension, &tags),
        });
        (made, omitted)
    }
}

impl Recordings for RecordingFolder {
    fn facts(&self, wanted: &RecordingTags<'_>) -> Option<RecordingFacts> {
        let version = self.version(wanted.file)?;
        let fingerprint = self.fingerprint(wanted, version);
        if let Some(known) = lock(&self.known).get(&fingerprint) {
            return Some(known.clone());
        }
        let path = wanted.file.on_disk(&self.root);
        let is_stored = Stamp::of(&path) != Stamp::Young;
        let stored = CACHE.path(&self.root).join(name(fingerprint));
        let read = || {
            let bytes = CACHE.load(&stored, fingerprint)?;
            serde_json::from_slice::<Stored>(&bytes).ok()
        };
        let (length, refusal, omitted) = match read().filter(|_| is_stored) {
            Some(known) => known,
            None => {
                let found = match self.tagged(wanted) {
                    (Ok(tagged), omitted) => (tagged.len(), None, omitted),
                    (Err(Refusal::Io(_)), _) => return None,
                    (Err(refusal), _) => {
                        let (reason, remedy) = (refusal.to_string(), refusal.remedy().to_owned());
                        let refusal = Some(Unchanged { reason, remedy });
                        (fs::metadata(&path).ok()?.len(), refusal, Vec::new())
                    }
                };
                if is_stored && self.version(wanted.file) == Some(version) {
                    // If the facts cannot be stored, the next run reads the recording again.
                    let bytes = serde_json::to_vec(&found).unwrap_or_default();
                    let _ = CACHE.save(&stored, fingerprint, &bytes);
                }
                found
            }
        };
        let reliable = is_stored.then_some(fingerprint);
        let facts = RecordingFacts { length, refusal, omitted, fingerprint: reliable };
        lock(&self.known).insert(fingerprint, facts.clone());
        Some(facts)
    }

    fn published(&self, wanted: &RecordingTags<'_>) -> Option<PublishedRecording> {
        let version = self.version(wanted.file)?;
        let fingerprint = self.fingerprint(wanted, version);
        let known = lock(&self.kept).iter().find(|one| one.fingerprint == fingerprint).cloned();
        known.or_else(|| {
            let tagged = Arc::new(self.tagged(wanted).0.ok()?);
            let file = wanted.file.as_str().into();
            let made = PublishedRecording { tagged, file, version, fingerprint };
            let mut kept = lock(&self.kept);
            kept.push_back(made.clone());
            if kept.len() > MAX_KEPT {
                kept.pop_front();
            }
            Some(made)
        })
    }

    fn waveform(&self, file: &SitePath, passage: (f64, f64)) -> Option<String> {
        let version = self.version(file)?;
        let mut made_of = Xxh3Default::new();
        (version, [passage.0, passage.1].map(f64::to_bits)).hash(&mut made_of);
        let key = made_of.digest();
        let path = file.on_disk(&self.root);
        let stored = WAVEFORMS.path(&self.root).join(name(key));
        let is_stored = Stamp::of(&path) != Stamp::Young;
        if let Some(bytes) = WAVEFORMS.load(&stored, key).filter(|_| is_stored) {
            return String::from_utf8(bytes).ok().filter(|waveform| !waveform.is_empty());
        }
        let source = BufReader::new(File::open(&path).ok()?);
        let found = passage_waveform(source, &file.extension(), passage, WAVEFORM_PARTS);
        let found = found.ok().flatten();
        if is_stored && self.version(file) == Some(version) {
            // If the waveform cannot be stored, the next run decodes the passage again.
            let _ = WAVEFORMS.save(&stored, key, found.as_deref().unwrap_or_default().as_bytes());
        }
        found
    }

    fn changed(&self) -> Option<SitePath> {
        lock(&self.changed).clone()
    }
}

fn version_of(root: &Path, file: &SitePath) -> Option<u64> {
    Some(FileFacts::of(&fs::metadata(file.on_disk(root)).ok()?).version())
}

fn name(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
