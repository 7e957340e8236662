//! Writes tags into published recordings. The facts about each published recording are stored in
//! `.feedwright/recordings/`, under the hash of the recording and its tags, so that a feed does not
//! read the recordings again. The published recordings themselves are stored nowhere: their audio
//! is read from the author's files.

use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::Hash;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use recording_tags::{Picture, Refusal, Tagged, Tags, tagged};
use transcripts::Format;
use xxhash_rust::xxh3::Xxh3Default;

use super::Site;
use super::old_files::remove_unused;
use super::pictures::PictureFolder;
use local::store::Cache;
use model::{
    Diagnostic, Pictures, PublishedRecording, RecordingFacts, RecordingTags, Recordings, Rule,
    SitePath, TagPicture, program,
};
use render::{PublishedRecordings, ShownTranscript};
use source::place::place_of;
use source::stamp::{FileFacts, Stamp};

const CACHE: Cache = Cache::new("recordings", 1, 1 << 16);

/// Maximum size in bytes of a picture in a tag. A larger picture is left out.
const MAX_PICTURE: usize = 1 << 20;

/// Maximum size in bytes of all chapter pictures of a recording. Later pictures are left out.
const MAX_CHAPTER_PICTURES: usize = 2 << 20;

/// A site's recordings, and the facts that are already known about them.
#[derive(Debug)]
pub struct RecordingFolder {
    root: PathBuf,
    /// The source of covers. `None` if only refusals matter; nothing is stored then.
    pictures: Option<PictureFolder>,
    known: Mutex<HashMap<u64, RecordingFacts>>,
    /// The version of each recording when its facts were first needed.
    versions: Mutex<HashMap<SitePath, u64>>,
    changed: Mutex<Option<SitePath>>,
}

/// Returns the recordings of the site at `root`.
pub(super) fn recordings(root: &Path) -> Arc<dyn Recordings> {
    Arc::new(RecordingFolder::new(root, Some(PictureFolder::of(root))))
}

impl Site {
    /// Enables the site to publish its recordings with tags.
    pub fn make_recordings(&mut self) {
        self.snapshot.recordings = Some(recordings(&self.snapshot.root));
    }

    /// Removes stored facts about recordings that the site no longer has.
    pub fn remove_old_recordings(&self) {
        let recordings = PublishedRecordings::of(&self.snapshot);
        let facts = |entry| recordings.facts(&recordings.tags(entry)?)?.fingerprint;
        remove_unused(&CACHE.path(&self.snapshot.root), || {
            let entries = self.snapshot.entries.iter();
            entries.filter_map(|entry| facts(entry)).map(name).collect()
        });
    }
}

/// Warns about recordings that cannot get tags. The readers of content already warn about a file
/// whose duration cannot be read.
pub(super) fn tag_faults(root: &Path, site: &Site) -> Vec<Diagnostic> {
    let recordings = PublishedRecordings::of(&site.snapshot);
    let folder = RecordingFolder::new(root, None);
    let writer: &dyn Recordings = match &site.snapshot.recordings {
        Some(writer) => writer.as_ref(),
        None => &folder,
    };
    let entries = site.snapshot.entries.par_iter();
    let faults = entries.filter_map(|entry| {
        let tags = recordings.tags(entry)?;
        entry.item.attachment.as_ref()?.duration_in_seconds?;
        let reason = writer.facts(&tags)?.refusal?;
        let message = format!("{} is published without tags: {reason}", tags.file);
        let help = "export it again as MP3 or M4A, or write `audio_tags = false`";
        let warning = Diagnostic::warning(Rule::Media, message).help(help);
        Some(place_of(root, &entry.item.source, "attachment", "", warning))
    });
    faults.collect()
}

impl RecordingFolder {
    fn new(root: &Path, pictures: Option<PictureFolder>) -> Self {
        Self {
            root: root.to_owned(),
            pictures,
            known: Mutex::default(),
            versions: Mutex::default(),
            changed: Mutex::default(),
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

    fn tagged(&self, wanted: &RecordingTags<'_>) -> Result<Tagged, Refusal> {
        let mut file = File::open(wanted.file.on_disk(&self.root))?;
        tagged(&mut file, &wanted.file.extension(), &self.complete_tags(wanted))
    }

    /// Returns the tags with their pictures and lyrics.
    fn complete_tags(&self, wanted: &RecordingTags<'_>) -> Tags {
        let picture = |wanted: &Option<TagPicture<'_>>| {
            let TagPicture { file, size } = (*wanted)?;
            let bytes = self.pictures.as_ref()?.size(file, size).ok()?;
            // A picture that cannot be resized is returned unchanged, in any format.
            let is_fit = bytes.starts_with(b"\xFF\xD8") && bytes.len() <= MAX_PICTURE;
            is_fit.then(|| Picture { bytes, media_type: "image/jpeg".to_owned() })
        };
        let mut tags = wanted.tags.clone();
        tags.cover = picture(&wanted.cover);
        let mut room = MAX_CHAPTER_PICTURES;
        for (chapter, image) in tags.chapters.iter_mut().zip(&wanted.chapter_images) {
            chapter.image = picture(image).filter(|picture| picture.bytes.len() <= room);
            room -= chapter.image.as_ref().map_or(0, |picture| picture.bytes.len());
        }
        tags.lyrics = wanted.lyrics.and_then(|(file, kind)| self.lyrics(file, kind));
        tags
    }

    fn lyrics(&self, file: &SitePath, media_type: &str) -> Option<String> {
        let path = file.on_disk(&self.root);
        fs::metadata(&path).ok().filter(|facts| facts.len() <= ShownTranscript::LIMIT)?;
        let bytes = fs::read(path).ok()?;
        let mut read = transcripts::read(&bytes, Format::of(media_type, file.as_str(), b""));
        let paragraphs = read.paragraphs(ShownTranscript::PARAGRAPH_WORDS);
        let paragraphs = paragraphs.map(|paragraph| {
            let speaker = paragraph.speaker.map_or_else(String::new, |name| format!("{name}: "));
            let lines = paragraph.lines.into_iter().map(|line| line.text);
            speaker + &lines.collect::<String>()
        });
        let text = paragraphs.collect::<Vec<_>>().join("\n\n");
        Some(text).filter(|text| !text.is_empty())
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
        let is_stored = self.pictures.is_some() && Stamp::of(&path) != Stamp::Young;
        let stored = CACHE.path(&self.root).join(name(fingerprint));
        let read = || {
            let bytes = CACHE.load(&stored, fingerprint)?;
            serde_json::from_slice::<(u64, Option<String>)>(&bytes).ok()
        };
        let (length, refusal) = match read().filter(|_| is_stored) {
            Some(known) => known,
            None => {
                let found = match self.tagged(wanted) {
                    Ok(tagged) => (tagged.len(), None),
                    Err(Refusal::Io(_)) => return None,
                    Err(refusal) => (fs::metadata(&path).ok()?.len(), Some(refusal.to_string())),
                };
                if is_stored && self.version(wanted.file) == Some(version) {
                    // If the facts cannot be stored, the next run reads the recording again.
                    let bytes = serde_json::to_vec(&found).unwrap_or_default();
                    let _ = CACHE.save(&stored, fingerprint, &bytes);
                }
                found
            }
        };
        let facts =
            RecordingFacts { length, refusal, fingerprint: is_stored.then_some(fingerprint) };
        lock(&self.known).insert(fingerprint, facts.clone());
        Some(facts)
    }

    fn published(&self, wanted: &RecordingTags<'_>) -> Option<PublishedRecording> {
        let version = self.version(wanted.file)?;
        Some(PublishedRecording {
            tagged: self.tagged(wanted).ok()?,
            file: wanted.file.as_str().into(),
            version,
            fingerprint: self.fingerprint(wanted, version),
        })
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
