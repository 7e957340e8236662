//! The episodes of a site and their files. They are read from the site whenever downloads are
//! counted.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use jiff::Timestamp;

use super::path::canonical;
use model::podcast::AlternateEnclosure;
use model::url::is_http;
use model::{self, Attachment, Category, ContentFolder, Item};
use render::PublishedRecordings;
use site::{ItemEntry, Snapshot};

/// The number of bytes in a minute of sound, if the size or duration of the file is unknown. It
/// corresponds to 64 kbit/s.
const DEFAULT_MINUTE_BYTES: u64 = 480_000;
/// Maximum length of a chain of redirects.
const MAX_REDIRECTS: usize = 8;

/// A file of an episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaFile {
    /// The path of requests for the file, in [`canonical`] form.
    pub path: String,
    /// The number of bytes in a minute of sound, including the ID3 tag, or the size of a shorter
    /// file.
    pub needed: u64,
}

/// An item with audio or video.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    pub item_id: String,
    /// The show that the item belongs to: the name of its folder in `shows/`.
    pub show: Option<String>,
    pub title: String,
    pub published: Option<Timestamp>,
    /// The files of the episode. A file is listed several times if it can be requested at several
    /// paths.
    pub files: Vec<MediaFile>,
}

/// The episodes of a site. If several items share a file, the path of the file belongs to the first
/// of these items in the feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Episodes {
    all: Vec<Episode>,
    paths: HashMap<String, usize>,
    base_path: String,
}

impl Episodes {
    /// Reads the episodes of the site at `root`. Drafts are included, because a withdrawn episode
    /// keeps its downloads.
    ///
    /// For media files in the site, the length of the ID3 tag is read from the file.
    pub fn of(snapshot: &Snapshot, root: &Path) -> Self {
        let base_path = snapshot.config.base_path();
        let mut episodes = Self { base_path: base_path.to_owned(), ..Self::default() };
        for entry in &snapshot.entries {
            let files = files(entry, snapshot, root);
            episodes.add(&entry.item, files);
        }
        episodes
    }

    fn add(&mut self, item: &Item, files: Vec<MediaFile>) {
        let mut own: Vec<MediaFile> = Vec::new();
        for file in files {
            if !self.paths.contains_key(&file.path) {
                self.paths.insert(file.path.clone(), self.all.len());
                own.push(file);
            }
        }
        if !own.is_empty() {
            self.all.push(Episode {
                item_id: item.id.to_string(),
                show: ContentFolder::of(item.source.as_str()).show().map(str::to_owned),
                title: item.title.clone(),
                published: item.date_published,
                files: own,
            });
        }
    }

    /// Returns all episodes, in the order of the feed.
    pub fn all(&self) -> &[Episode] {
        &self.all
    }

    /// Returns the episode with this id.
    pub fn find(&self, item_id: &str) -> Option<&Episode> {
        self.all.iter().find(|episode| episode.item_id == item_id)
    }

    /// Whether an episode has a file at this path.
    pub fn has(&self, path: &str) -> bool {
        self.paths.contains_key(path)
    }

    /// Returns the base path of the site's URL.
    pub fn base_path(&self) -> &str {
        &self.base_path
    }
}

/// Returns the files of an item. A file is returned once for each path at which it can be
/// requested.
fn files(entry: &ItemEntry, snapshot: &Snapshot, root: &Path) -> Vec<MediaFile> {
    let item = &entry.item;
    let mut files = Vec::new();
    let own = |url: &str| {
        let mut own = item.media.iter();
        own.find(|file| snapshot.config.media_url(&file.path) == url)
    };
    let tag = |url: &str| own(url).map_or(0, |file| id3_tag(&file.source.on_disk(root)));
    let mut add = |url: &str, needed: u64| {
        for path in paths(url, own(url), snapshot) {
            if !files.iter().any(|file: &MediaFile| file.path == path) {
                files.push(MediaFile { path, needed });
            }
        }
    };
    if let Some(attachment) = &item.attachment
        && matches!(attachment.category, Category::Audio | Category::Video)
    {
        let Attachment { url, size_in_bytes: own, duration_in_seconds, .. } = attachment;
        let published = PublishedRecordings::of(snapshot).size_in_bytes(entry);
        // New tags come before the sound, like the recording's own tags.
        let added = published.zip(*own).map_or(0, |(new, own)| new.saturating_sub(own));
        add(url, minute_bytes(published, *duration_in_seconds, tag(url) + added));
    }
    for alternate in &item.podcast.alternate_enclosures {
        for source in &alternate.sources {
            let needed = minute_of(alternate, item.attachment.as_ref(), tag(&source.uri));
            add(&source.uri, needed);
        }
    }
    files
}

/// Returns the paths at which a media file can be requested. `own` is the site's own file at this
/// URL, if there is one.
fn paths(url: &str, own: Option<&model::MediaFile>, snapshot: &Snapshot) -> Vec<String> {
    if !is_http(url) {
        return Vec::new();
    }
    // The site's server may log paths with or without the base path. Media may be on another
    // server.
    let mut paths: Vec<String> = ["", snapshot.config.base_path()]
        .iter()
        .filter_map(|base| Some(canonical(url, base)?.into_owned()))
        .chain(own.map(|file| file.path.clone()))
        .collect();
    for _ in 0..MAX_REDIRECTS {
        let former = snapshot
            .redirects
            .iter()
            .filter(|redirect| paths.contains(&redirect.to) && !paths.contains(&redirect.from));
        let former: Vec<String> = former.map(|redirect| redirect.from.clone()).collect();
        if former.is_empty() {
            break;
        }
        paths.extend(former);
    }
    paths
}

/// Returns the number of bytes in the first minute of a file. `size` is in bytes, and `duration` in
/// seconds. `tag` is the length in bytes of the ID3 tag before the sound.
fn minute_bytes(size: Option<u64>, duration: Option<f64>, tag: u64) -> u64 {
    let needed = match (size.filter(|size| *size > 0), duration) {
        (Some(size), Some(duration)) if duration > 60.0 => {
            let sound = size.saturating_sub(tag) as f64;
            tag.saturating_add((sound / duration * 60.0).ceil() as u64).min(size)
        }
        (Some(size), Some(duration)) if duration > 0.0 => size,
        (Some(size), _) => size.min(tag.saturating_add(DEFAULT_MINUTE_BYTES)),
        (None, _) => tag.saturating_add(DEFAULT_MINUTE_BYTES),
    };
    needed.max(1)
}

/// Returns the number of bytes in the first minute of an alternate enclosure, which has the same
/// duration as the main enclosure.
fn minute_of(alternate: &AlternateEnclosure, main: Option<&Attachment>, tag: u64) -> u64 {
    let duration = main.and_then(|main| main.duration_in_seconds);
    match (alternate.length, duration, alternate.bitrate) {
        (None, _, Some(bits)) | (_, None, Some(bits)) if bits > 0.0 => {
            let needed = tag.saturating_add((bits / 8.0 * 60.0).ceil() as u64);
            alternate.length.unwrap_or(u64::MAX).min(needed).max(1)
        }
        (length, duration, _) => minute_bytes(length, duration, tag),
    }
}

/// Returns the length in bytes of the ID3 tag at the start of a file (ID3v2.4, section 3.1), or 0
/// if there is none. An ID3 tag can contain pictures, and is often larger than a minute of sound.
fn id3_tag(file: &Path) -> u64 {
    let mut header = [0; 10];
    let read = File::open(file).and_then(|mut file| file.read_exact(&mut header));
    match (read, header) {
        (Ok(()), [b'I', b'D', b'3', _, _, flags, size @ ..]) => {
            let size = size.iter().fold(0, |sum, byte| sum << 7 | u64::from(byte & 0x7f));
            let footer = if flags & 0x10 == 0 { 0 } else { 10 };
            size + 10 + footer
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_is_proportional_to_the_duration() {
        let tag = 100_000;
        assert_eq!(minute_bytes(Some(6_100_000), Some(600.0), tag), 700_000);
        assert_eq!(minute_bytes(Some(50_000), Some(600.0), tag), 50_000);
        for (size, duration, needed) in [
            (Some(6_000_000), Some(600.0), 600_000),
            (Some(6_000_001), Some(600.0), 600_001),
            (Some(400_000), Some(30.0), 400_000),
            (Some(400_000), None, 400_000),
            (Some(9_000_000), None, DEFAULT_MINUTE_BYTES),
            (Some(9_000_000), Some(f64::NAN), DEFAULT_MINUTE_BYTES),
            (Some(0), Some(600.0), DEFAULT_MINUTE_BYTES),
            (None, Some(600.0), DEFAULT_MINUTE_BYTES),
        ] {
            assert_eq!(minute_bytes(size, duration, 0), needed, "{size:?} {duration:?}");
        }
    }

    #[test]
    fn the_length_of_an_id3_tag_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mp3");
        for (bytes, length) in [
            (&b"ID3\x04\x00\x00\x00\x00\x02\x01rest"[..], 267),
            (b"ID3\x04\x00\x10\x00\x00\x02\x01rest", 277),
            (b"ID3\x04", 0),
            (b"\xff\xfb\x90\x00\x00\x00\x00\x00\x00\x00", 0),
        ] {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(id3_tag(&path), length);
        }
        assert_eq!(id3_tag(folder.path()), 0);
    }
}
