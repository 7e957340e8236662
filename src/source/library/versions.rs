//! Versions of recordings: files that are named after the recording of an item, such as `walk.opus`
//! and `walk.de.mp3` next to `walk.mp3`. They become `podcast:alternateEnclosure` tags of the item.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use rayon::prelude::*;
use words::native_name;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::Library;
use super::cached_reading::ChangeCheck;
use crate::calendar::CalendarFile;
use crate::disk::Disk;
use crate::listing::InWalkOrder;
use crate::playlists::{self, PlaylistFiles};
use crate::podcast::media::version_of;
use crate::reference;
use crate::sources::FromFile;
use crate::stamp::Stamp;
use media_facts::playlist::is_hls;
use model::podcast::AlternateEnclosure;
use model::{Diagnostic, Item, List, MediaFile, Rule, Severity, SitePath};

/// Extensions of files that listeners can play. Other recordings next to a text, such as WAV and
/// FLAC, are the author's working files.
const EXTENSIONS: [&str; 10] =
    ["aac", "m3u8", "m4a", "m4v", "mp3", "mp4", "oga", "ogg", "opus", "webm"];

/// Extensions of [`EXTENSIONS`] that films can have.
const VIDEO: [&str; 5] = ["m3u8", "m4v", "mp4", "ogg", "webm"];

/// The versions of all recordings.
#[derive(Debug, Default)]
pub(super) struct Versions {
    /// Whether files were added or removed since `candidates` were chosen.
    pub is_outdated: bool,
    candidates: Candidates,
    items: BTreeMap<SitePath, WithVersions>,
    /// All items, with their versions. `None` if no item has versions.
    all: Option<List<(Arc<Item>, u64)>>,
}

/// Files that could be versions, by their public paths below `/media/`. A file without a path in
/// the site is listed in `content/media.json` only.
type Candidates = BTreeMap<String, Option<SitePath>>;

/// An item with the versions of its recording.
#[derive(Debug)]
struct WithVersions {
    /// The item as it was read.
    read: Arc<Item>,
    fingerprint: u64,
    found: Found,
    item: Arc<Item>,
}

/// The versions of one recording.
#[derive(Debug, Default, PartialEq)]
struct Found {
    versions: Vec<AlternateEnclosure>,
    files: Vec<MediaFile>,
    problems: Vec<Diagnostic>,
    /// The hash of the text of playlists.
    texts: u64,
}

impl Versions {
    /// Returns the files of the site that are versions or belong to a playlist.
    pub(super) fn files(&self) -> impl Iterator<Item = &SitePath> {
        let files = self.items.values().flat_map(|item| &item.found.files);
        files.map(|file| &file.source)
    }

    /// Returns whether a file that is or could be a version may have changed.
    fn are_touched(&self, suspect: ChangeCheck<'_>) -> bool {
        let mut files = self.candidates.values().flatten().chain(self.files());
        files.any(|file| suspect(file, Stamp::Young))
    }
}

impl Library {
    /// Returns the items with the versions of their recordings.
    pub(super) fn items_with_versions(&self) -> List<(Arc<Item>, u64)> {
        self.versions.all.as_ref().unwrap_or_else(|| self.items.last_valid()).clone()
    }

    /// Returns the warnings and errors about versions. If the text of an item has errors, its last
    /// valid version is used, and the problems of its versions wait.
    pub(super) fn problems_of_versions(&self) -> Vec<&Diagnostic> {
        let mut items = self.versions.items.iter().peekable();
        if items.peek().is_none() {
            return Vec::new();
        }
        let errors = self.items.found().filter(|one| one.severity == Severity::Error);
        let broken: HashSet<&str> = errors.filter_map(|one| one.file.as_deref()).collect();
        let sound = items.filter(|(path, _)| !broken.contains(path.as_str()));
        sound.flat_map(|(_, item)| &item.found.problems).collect()
    }

    /// Finds the versions of recordings again if content, the listings or a version changed.
    /// Returns whether the result changed.
    pub(super) fn find_versions(&mut self, is_read: bool, suspect: ChangeCheck<'_>) -> bool {
        let is_outdated = std::mem::take(&mut self.versions.is_outdated);
        if is_outdated {
            self.versions.candidates = self.candidates();
        }
        if self.versions.candidates.is_empty() {
            self.versions.all = None;
            return !std::mem::take(&mut self.versions.items).is_empty();
        }
        if !is_read && !is_outdated && !self.versions.are_touched(suspect) {
            return false;
        }
        let claims = self.claims();
        let items = self.items.last_valid().par_iter();
        let found: Vec<(Arc<Item>, u64, Found)> = items
            .filter_map(|(item, fingerprint)| {
                Some((Arc::clone(item), *fingerprint, self.versions_of(item, &claims)?))
            })
            .collect();
        let mut before = std::mem::take(&mut self.versions.items);
        let mut changed = false;
        for (read, fingerprint, found) in found {
            let same = before.remove(&read.source).filter(|before| {
                Arc::ptr_eq(&before.read, &read)
                    && before.fingerprint == fingerprint
                    && before.found == found
            });
            changed |= same.is_none();
            let item = same.unwrap_or_else(|| WithVersions::of(read, fingerprint, found));
            self.versions.items.insert(item.read.source.clone(), item);
        }
        let mut all = self.items.last_valid().clone();
        for (path, item) in &self.versions.items {
            let own = InWalkOrder(path.as_str());
            let at = all.partition_point(|(one, _)| one.walk_order_key() < own);
            all.replace(at, item.shared());
        }
        self.versions.all = Some(all);
        changed || !before.is_empty()
    }

    /// Returns the files with names that several recordings share up to the first dot.
    fn candidates(&self) -> Candidates {
        let listed = self.items.listing.files.iter().chain(&self.media.files);
        let is_candidate = |path: &&SitePath| {
            let (_, extension) = path.as_str().rsplit_once('.').unwrap_or_default();
            EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
        };
        let mut all: Candidates = Candidates::new();
        if self.config.media_base_url.is_some() {
            let stored = self.disk().stored_media();
            let files = stored.iter().flat_map(|list| &list.files);
            let own = files.filter(|(_, file)| !file.is_of_playlist);
            let paths = own.filter_map(|(path, _)| SitePath::parse(path.strip_prefix("/media/")?));
            let paths = paths.filter(|path| is_candidate(&path));
            all.extend(paths.map(|path| (path.as_str().to_owned(), None)));
        }
        let listed = listed.filter(is_candidate);
        all.extend(listed.map(|path| (below_media(path), Some(path.clone()))));
        let all: Vec<(String, Option<SitePath>)> = all.into_iter().collect();
        let groups = all.chunk_by(|(a, _), (b, _)| first_part(a) == first_part(b));
        groups.filter(|group| group.len() > 1).flatten().cloned().collect()
    }

    fn disk(&self) -> Disk<'_> {
        Disk::new(&self.root).with_caches(self.bodies.media(), self.bodies.code())
    }

    /// Returns the files that belong to other content.
    fn claims(&self) -> Claims {
        let items = self.items.last_valid().iter();
        let pages = self.pages.last_valid().iter();
        let channel = self.channel.shared();
        let events = self.calendars.last_valid().iter().filter_map(|(file, _)| match &**file {
            CalendarFile::Event(event) => Some(&event.media),
            CalendarFile::Calendar(_) => None,
        });
        let media = items.clone().map(|(item, _)| &item.media);
        let media = media.chain(pages.map(|(page, _)| &page.media)).chain(events);
        let media = media.chain(channel.iter().map(|(channel, _)| &channel.media)).flatten();
        let named = media.filter(|file| file.is_value).map(|file| below_media(&file.source));
        let mut linked = HashMap::new();
        for (item, _) in items.clone() {
            for file in item.media.iter().filter(|file| !file.is_value) {
                let path = below_media(&file.source);
                if self.versions.candidates.contains_key(&path) {
                    linked.entry(path).or_insert_with(HashSet::new).insert(item.source.clone());
                }
            }
        }
        let address = self.config.media_url("/media/");
        // Recordings and versions that are stored elsewhere are known by their addresses only.
        let recordings = items.clone().filter_map(|(item, _)| recording(item, &address));
        let versions = items.clone().flat_map(|(item, _)| &item.podcast.alternate_enclosures);
        let sources = versions.flat_map(|version| &version.sources);
        let sources = sources.filter_map(|source| decoded(source.uri.strip_prefix(&address)?));
        let named = named.chain(recordings).chain(sources);
        Claims {
            named: named.filter(|path| self.versions.candidates.contains_key(path)).collect(),
            linked,
            stems: items.filter_map(|(item, _)| stem(item, &address)).collect(),
            address,
        }
    }

    /// Returns the versions of an item's recording. Returns `None` if there is none.
    fn versions_of(&self, item: &Item, claims: &Claims) -> Option<Found> {
        let prefix = stem(item, &claims.address).filter(|_| !item.podcast.without_versions)?;
        let candidates = self.versions.candidates.range(prefix.clone()..);
        let named = candidates.take_while(|(path, _)| path.starts_with(&prefix));
        let mut found = Found::default();
        let disk = self.disk();
        let named = named.filter(|(path, _)| claims.allow(path, &prefix, item)).filter_map(
            |(path, file)| {
                let name = VersionName::parse(&path[prefix.len()..])?;
                let url = self.config.media_url(&format!("/media/{path}"));
                let playlist = match file {
                    Some(file) if playlists::is_playlist(file) => Some(hls(&disk, file)?),
                    _ => None,
                };
                Some((path, file, name, url, playlist))
            },
        );
        let named: Vec<_> = named.collect();
        let playlists = named.iter().filter_map(|(.., playlist)| playlist.as_ref());
        let parts = playlists.flat_map(|playlist| &playlist.files);
        let parts: HashSet<String> = parts.map(|file| below_media(&file.source)).collect();
        for (path, file, name, url, playlist) in named {
            if parts.contains(path) {
                continue;
            }
            let facts = match file {
                Some(file) => disk.media_with_integrity(file).ok(),
                None => disk.stored(&format!("/media/{path}")),
            };
            let Some(mut facts) = facts else { continue };
            if let Some(damage) = &facts.damage {
                let message = format!("this file is {damage}, and is not a version of a recording");
                let warning = Diagnostic::warning(Rule::Media, message).help("replace the file");
                found.problems.extend(file.iter().map(|file| warning.clone().file(file.as_str())));
                continue;
            }
            if let Some(playlist) = playlist {
                if playlist.is_broken {
                    found.problems.extend(playlist.found.into_iter().map(left_out));
                    continue;
                }
                facts = Arc::new(playlist.facts(&facts));
                let PlaylistFiles { files, found: problems, texts, .. } = playlist;
                found.files.extend(files);
                found.problems.extend(problems);
                found.texts ^= texts;
            }
            found.files.extend(file.iter().map(|file| {
                let file = reference::publish(file.clone());
                MediaFile { is_value: true, ..file }
            }));
            let mut version = version_of(url, &facts);
            version.lang = name.lang;
            version.height = version.height.or(name.height);
            version.bitrate = version.bitrate.or(name.bitrate);
            found.versions.push(version);
        }
        (!found.versions.is_empty() || !found.problems.is_empty()).then_some(found)
    }
}

/// Turns the error of a playlist that no text names into a warning.
fn left_out(problem: Diagnostic) -> Diagnostic {
    let message = format!("this playlist is not a version of a recording: {}", problem.message);
    let help = problem.help.unwrap_or_default();
    Diagnostic {
        severity: Severity::Warning,
        rule: Some(Rule::Playlist),
        message,
        help: Some(format!("{help}, or rename the playlist")),
        ..problem
    }
}

/// Reads a playlist. Returns `None` if it is not an HLS playlist, but a list of songs.
fn hls(disk: &Disk<'_>, file: &SitePath) -> Option<PlaylistFiles> {
    let text = disk.read(file).ok()?;
    is_hls(&String::from_utf8_lossy(&text)).then(|| playlists::read(disk, file))
}

impl WithVersions {
    fn of(read: Arc<Item>, fingerprint: u64, found: Found) -> Self {
        let mut item = (*read).clone();
        item.podcast.alternate_enclosures.extend(found.versions.iter().cloned());
        item.media.extend(found.files.iter().cloned());
        item.media.sort();
        item.media.dedup();
        Self { read, fingerprint, found, item: Arc::new(item) }
    }

    fn shared(&self) -> (Arc<Item>, u64) {
        // Versions consist of texts and finite numbers, which are always encoded.
        let made_of = borsh::to_vec(&(&self.found.versions, &self.found.files, &self.found.texts));
        let fingerprint = xxh3_64_with_seed(&made_of.unwrap_or_default(), self.fingerprint);
        (Arc::clone(&self.item), fingerprint)
    }
}

/// The files and names that belong to certain content.
struct Claims {
    /// Files that front matter names.
    named: HashSet<String>,
    /// The items whose texts name a file.
    linked: HashMap<String, HashSet<SitePath>>,
    /// The stems of all recordings.
    stems: HashSet<String>,
    /// The address of `/media/`.
    address: String,
}

impl Claims {
    /// Returns whether a file can be a version of the item's recording, whose stem is `prefix`. A
    /// file belongs to the recording with the longest stem.
    fn allow(&self, path: &str, prefix: &str, item: &Item) -> bool {
        let mut others = self.linked.get(path).into_iter().flatten();
        if others.any(|source| *source != item.source) {
            return false;
        }
        let rest = &path[prefix.len()..];
        let mut longer = rest.match_indices('.').map(|(at, _)| &path[..=prefix.len() + at]);
        !self.named.contains(path) && !longer.any(|stem| self.stems.contains(stem))
    }
}

/// The parts of a version's name after the name of the recording: `de`, `64k`, `720p`.
#[derive(Default)]
struct VersionName {
    lang: Option<String>,
    bitrate: Option<f64>,
    height: Option<u64>,
}

impl VersionName {
    /// Parses the part of a file name after the recording's name, such as `de.64k.mp3`. Returns
    /// `None` if a part is neither a language nor a quality.
    fn parse(text: &str) -> Option<Self> {
        let Some((parts, extension)) = text.rsplit_once('.') else {
            return Some(Self::default());
        };
        let is_film = VIDEO.iter().any(|known| known.eq_ignore_ascii_case(extension));
        let mut name = Self::default();
        for part in parts.split('.') {
            let number = |unit| {
                let number = part.strip_suffix(unit)?.parse::<u16>().ok();
                number.filter(|number| *number > 0)
            };
            if let Some(kilobits) = number('k') {
                name.bitrate = Some(f64::from(kilobits) * 1000.0);
            } else if let Some(height) = number('p').filter(|_| is_film) {
                name.height = Some(u64::from(height));
            } else if name.lang.is_none() && !part.contains('_') && native_name(part) != part {
                name.lang = Some(part.to_owned());
            } else {
                return None;
            }
        }
        Some(name)
    }
}

/// Returns the public path of an item's recording below `/media/`.
fn recording(item: &Item, address: &str) -> Option<String> {
    let attachment = item.attachment.as_ref().filter(|_| item.is_episode())?;
    decoded(attachment.url.strip_prefix(address)?)
}

fn decoded(path: &str) -> Option<String> {
    Some(percent_decode_str(path).decode_utf8().ok()?.into_owned())
}

/// Returns the public path of an item's recording below `/media/`, up to the dot before its
/// extension. `address` is the address of `/media/`.
fn stem(item: &Item, address: &str) -> Option<String> {
    let path = recording(item, address)?;
    let dot = path.rfind('.').filter(|dot| path.rfind('/').is_none_or(|slash| slash < *dot))?;
    Some(path[..=dot].to_owned())
}

/// Returns the public path of a file below `/media/`.
fn below_media(source: &SitePath) -> String {
    reference::publish(source.clone()).path.split_off("/media/".len())
}

/// Returns a path up to the first dot of the file name.
fn first_part(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    path[name..].find('.').map_or(path, |dot| &path[..name + dot])
}
