//! Readings of earlier runs, in local state: `.feedwright/readings-…`. There is one file for each
//! configuration that affects reading.
//!
//! A file consists of frames, and each frame of records, one for each content file or media file. A
//! later record replaces an earlier record of the same file. New readings are appended as new
//! frames. The readings file is rewritten when most of its records are outdated. If a record cannot
//! be used, its file is read again.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use borsh::{BorshDeserialize, BorshSerialize};
use media_facts::MediaFacts;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::cached_reading::CachedReading;
use crate::body_reader::BodyReader;
use crate::listing::in_walk_order;
use crate::media_cache::CachedMedia;
use crate::stamp::Stamp;
use local::store::{Cache, Frame, frame_head, frames};
use model::{Bodies, Config, Item, Page, SitePath, program};

const CACHE: Cache = Cache::new("readings", 4, 4 << 30);

/// Maximum number of records in a frame. Frames are decoded in parallel.
const RECORDS_PER_FRAME: usize = 256;

/// Maximum number of readings files to keep for other configurations.
const MAX_OTHER_FILES: usize = 3;

/// The readings of an earlier run.
#[derive(Default)]
pub(super) struct Readings {
    /// Items in walk order.
    pub items: Vec<(SitePath, CachedReading<Item>)>,
    pub pages: Vec<(SitePath, CachedReading<Page>)>,
    /// Number of records in the file, including outdated records. `None` if the file must be
    /// rewritten.
    pub in_file: Option<usize>,
}

/// The path of the readings file, and the hash for which the file is valid. The hash covers the
/// program and the settings that affect reading.
#[derive(Debug, Clone)]
pub(super) struct ReadingsFile {
    path: PathBuf,
    made_of: u64,
}

/// Encoded records, grouped into the contents of frames.
#[derive(Debug, Default)]
pub(super) struct Records {
    contents: Vec<Vec<u8>>,
    /// Number of records in all frames.
    count: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordSelection {
    /// All records. The file is rewritten.
    All,
    /// Records that are not in the file yet.
    Unsaved,
}

/// Records to write to the file.
#[derive(Debug)]
pub struct UnsavedReadings {
    file: ReadingsFile,
    records: Records,
    selection: RecordSelection,
}

impl ReadingsFile {
    pub fn of(root: &Path, config: &Config) -> Self {
        let reader_hash = config.reading_hash();
        let folder = config.content.show().map(|show| format!("-{show}")).unwrap_or_default();
        let name = format!("{}{folder}-{reader_hash:016x}", CACHE.name);
        Self {
            path: CACHE.path(root).with_file_name(name),
            made_of: xxh3_64_with_seed(&reader_hash.to_le_bytes(), program()),
        }
    }

    /// Returns the readings in the file. Returns no readings if the file is missing, damaged or
    /// from another version of the program. `bodies` rereads the bodies later, and receives the
    /// facts about media.
    pub fn load(&self, bodies: &Arc<BodyReader>) -> Readings {
        let Some((_, bytes)) =
            CACHE.read(&self.path).filter(|(made_of, _)| *made_of == self.made_of)
        else {
            return Readings::default();
        };
        let (frames, is_whole) = frames(&bytes);
        let read: Vec<Option<Readings>> =
            frames.into_par_iter().map(|frame| decode(frame, bodies)).collect();
        let mut all = Readings::default();
        let mut count = 0;
        let mut is_good = is_whole;
        for frame in read {
            let Some(frame) = frame else {
                is_good = false;
                break;
            };
            count += frame.in_file.unwrap_or_default();
            all.items.extend(frame.items);
            all.pages.extend(frame.pages);
        }
        all.items = in_order(all.items);
        all.pages = in_order(all.pages);
        all.in_file = is_good.then_some(count);
        all
    }

    pub fn unsaved(self, records: Records, selection: RecordSelection) -> UnsavedReadings {
        UnsavedReadings { file: self, records, selection }
    }

    /// Removes the oldest readings files of the same content folder for other configurations. A
    /// preview, for example, leaves one file per base URL.
    fn remove_old(&self) {
        let entries = self.path.parent().map(fs::read_dir);
        let entries = entries.into_iter().flatten().flatten().flatten();
        let folder = |path: &Path| {
            let name = path.file_name()?.to_str()?;
            Some(name.rsplit_once('-')?.0.to_owned())
        };
        let others = entries.filter(|entry| {
            entry.path() != self.path && folder(&entry.path()) == folder(&self.path)
        });
        let mut others: Vec<_> = others
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        others.sort();
        for (_, path) in others.iter().rev().skip(MAX_OTHER_FILES) {
            let _ = fs::remove_file(path);
        }
    }
}

impl UnsavedReadings {
    /// Writes the records to the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written. Later runs then read the files again.
    pub fn save(&self) -> io::Result<()> {
        let path = &self.file.path;
        let contents = &self.records.contents;
        let heads: Vec<_> =
            contents.iter().map(|content| frame_head(content)).collect::<io::Result<_>>()?;
        let frames = heads.iter().zip(contents);
        let frames: Vec<&[u8]> =
            frames.flat_map(|(head, content)| [head.as_slice(), content]).collect();
        if self.selection == RecordSelection::Unsaved {
            let mut file = File::options().append(true).open(path)?;
            return file.write_all(&frames.concat());
        }
        let written = CACHE.save_frames(path, self.file.made_of, &frames);
        self.file.remove_old();
        written
    }
}

/// The kinds of records.
const ITEM: u8 = 1;
const PAGE: u8 = 2;
const MEDIUM: u8 = 3;

impl Records {
    /// Adds the items that `selection` selects.
    pub fn items(&mut self, files: &[(SitePath, CachedReading<Item>)], selection: RecordSelection) {
        self.add(ITEM, files, selection);
    }

    /// Adds the pages that `selection` selects.
    pub fn pages(&mut self, files: &[(SitePath, CachedReading<Page>)], selection: RecordSelection) {
        self.add(PAGE, files, selection);
    }

    fn add<T>(
        &mut self,
        kind: u8,
        files: &[(SitePath, CachedReading<T>)],
        selection: RecordSelection,
    ) where
        T: BorshSerialize + PartialEq + Send + Sync,
    {
        let encode = |files: &[(SitePath, CachedReading<T>)]| {
            let (mut content, mut count) = (Vec::new(), 0);
            for (path, cached_reading) in files {
                let is_chosen = selection == RecordSelection::All || cached_reading.is_unsaved;
                if !is_chosen || cached_reading.previous_state().is_none() {
                    continue;
                }
                let end = content.len();
                match borsh::to_writer(&mut content, &(kind, path, cached_reading)) {
                    Ok(()) => count += 1,
                    // A reading that contains NaN cannot be encoded. The next run reads its file
                    // again.
                    Err(_) => content.truncate(end),
                }
            }
            (content, count)
        };
        let encoded: Vec<_> = files.par_chunks(RECORDS_PER_FRAME).map(encode).collect();
        encoded.into_iter().for_each(|(content, count)| self.add_frame(content, count));
    }

    /// Adds the facts about media that content still refers to and that `selection` selects. These
    /// facts then count as saved.
    pub fn media(
        &mut self,
        known: &mut HashMap<SitePath, CachedMedia>,
        named: &HashSet<&SitePath>,
        selection: RecordSelection,
    ) {
        let chosen = known.iter_mut().filter(|(path, known)| {
            let is_chosen = selection == RecordSelection::All || !known.is_saved;
            is_chosen && named.contains(path)
        });
        let mut chosen: Vec<(&SitePath, &mut CachedMedia)> = chosen.collect();
        for media in chosen.chunks_mut(RECORDS_PER_FRAME) {
            let (mut content, mut count) = (Vec::new(), 0);
            for (path, known) in media {
                if let Ok(facts) = serde_json::to_string(&*known.facts)
                    && let Ok(record) = borsh::to_vec(&(MEDIUM, &**path, known.stamp, facts))
                {
                    known.is_saved = true;
                    content.extend(record);
                    count += 1;
                }
            }
            self.add_frame(content, count);
        }
    }

    fn add_frame(&mut self, content: Vec<u8>, count: usize) {
        if count > 0 {
            self.contents.push(content);
            self.count += count;
        }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// Returns each file once, with its last record, in walk order.
fn in_order<T>(mut files: Vec<(SitePath, CachedReading<T>)>) -> Vec<(SitePath, CachedReading<T>)> {
    files.reverse();
    // The newest record of a file is now first, and a stable sort keeps it first.
    files.sort_by(|(a, _), (b, _)| in_walk_order(a, b));
    files.dedup_by(|(a, _), (b, _)| a == b);
    files
}

fn decode(frame: Frame<'_>, bodies: &Arc<BodyReader>) -> Option<Readings> {
    let mut bytes = frame.content()?;
    let mut readings = Readings::default();
    let reader = Arc::clone(bodies) as Arc<dyn Bodies>;
    let mut count = 0;
    let bytes = &mut bytes;
    while !bytes.is_empty() {
        count += 1;
        let (kind, path) = <(u8, SitePath)>::deserialize(bytes).ok()?;
        match kind {
            ITEM => {
                let mut cached_reading: CachedReading<Item> =
                    CachedReading::deserialize(bytes).ok()?;
                if let Some((item, hash)) = cached_reading.exclusive_value() {
                    let scope = item.id.to_string();
                    item.content.recall(&reader, &path, &scope, hash);
                }
                readings.items.push((path, cached_reading));
            }
            PAGE => {
                let mut cached_reading: CachedReading<Page> =
                    CachedReading::deserialize(bytes).ok()?;
                if let Some((page, hash)) = cached_reading.exclusive_value() {
                    let scope = page.id.to_string();
                    page.content.recall(&reader, &path, &scope, hash);
                }
                readings.pages.push((path, cached_reading));
            }
            MEDIUM => {
                let (stamp, facts) = <(Stamp, String)>::deserialize(bytes).ok()?;
                let facts: MediaFacts = serde_json::from_str(&facts).ok()?;
                bodies.media().known().insert(path, CachedMedia::of(stamp, facts));
            }
            _ => return None,
        }
    }
    readings.in_file = Some(count);
    Some(readings)
}
