//! What is an episode, and which files it has: the site's say, at the time of asking.

use std::collections::HashMap;

use jiff::Timestamp;

use super::path::canonical;
use crate::model::podcast::AlternateEnclosure;
use crate::model::{Attachment, Category, Item};
use crate::site::Snapshot;

/// Bytes of a minute where size or duration of a file are unknown: one at 64 kbit/s.
const MINUTE: u64 = 480_000;
/// Most redirects that follow each other.
const HOPS: usize = 8;

/// A file of an episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaFile {
    /// The path it is asked for by, as [`canonical`] has it.
    pub path: String,
    /// How many bytes are enough for a minute of it; all of them where it is shorter.
    pub needed: u64,
}

/// An item with sound or pictures that move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Episode {
    /// The item's id.
    pub item_id: String,
    /// Its title.
    pub title: String,
    /// When it was published.
    pub published: Option<Timestamp>,
    /// Its files, under every path they can be asked for by.
    pub files: Vec<MediaFile>,
}

/// The episodes of a site. A path is that of one episode; where two items have one file, it is that of the
/// first in the feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Episodes {
    all: Vec<Episode>,
    paths: HashMap<String, usize>,
    base_path: String,
}

impl Episodes {
    /// The episodes of a site, drafts among them: an episode that was taken back keeps its downloads.
    pub fn of(snapshot: &Snapshot) -> Self {
        let base_path = snapshot.config.base_path();
        let mut episodes = Self {
            base_path: base_path.to_owned(),
            ..Self::default()
        };
        for entry in &snapshot.entries {
            let files = files(&entry.item, snapshot);
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
                title: item.title.clone(),
                published: item.date_published,
                files: own,
            });
        }
    }

    /// All of them, in the order of the feed.
    pub fn all(&self) -> &[Episode] {
        &self.all
    }

    /// The episode with this id.
    pub fn find(&self, item_id: &str) -> Option<&Episode> {
        self.all.iter().find(|episode| episode.item_id == item_id)
    }

    /// Whether a path is that of an episode's file.
    pub fn has(&self, path: &str) -> bool {
        self.paths.contains_key(path)
    }

    /// The path that the site lies under.
    pub fn base_path(&self) -> &str {
        &self.base_path
    }
}

/// The files of an item, under every path they can be asked for by.
fn files(item: &Item, snapshot: &Snapshot) -> Vec<MediaFile> {
    let mut files = Vec::new();
    if let Some(attachment) = &item.attachment
        && matches!(attachment.category, Category::Audio | Category::Video)
    {
        let needed = minute(attachment.size_in_bytes, attachment.duration_in_seconds);
        add(&mut files, &attachment.url, needed, item, snapshot);
    }
    for alternate in &item.podcast.alternate_enclosures {
        let needed = minute_of(alternate, item.attachment.as_ref());
        for source in &alternate.sources {
            add(&mut files, &source.uri, needed, item, snapshot);
        }
    }
    files
}

fn add(files: &mut Vec<MediaFile>, url: &str, needed: u64, item: &Item, snapshot: &Snapshot) {
    let config = &snapshot.config;
    if !url.starts_with("http") {
        return;
    }
    // The server of the site may write the path with what it lies under or without; that of the media
    // another one.
    let mut paths: Vec<String> = ["", config.base_path()]
        .iter()
        .filter_map(|base| Some(canonical(url, base)?.into_owned()))
        .collect();
    let own = item
        .media
        .iter()
        .filter(|file| config.media_url(&file.path) == url);
    paths.extend(own.map(|file| file.path.clone()));
    for _ in 0..HOPS {
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
    for path in paths {
        if !files.iter().any(|file| file.path == path) {
            files.push(MediaFile { path, needed });
        }
    }
}

/// Bytes of a minute of a file with this size in bytes and duration in seconds.
fn minute(size: Option<u64>, duration: Option<f64>) -> u64 {
    let needed = match (size.filter(|size| *size > 0), duration) {
        (Some(size), Some(duration)) if duration > 60.0 => {
            (size as f64 / duration * 60.0).ceil() as u64
        }
        (Some(size), Some(duration)) if duration > 0.0 => size,
        (Some(size), _) => size.min(MINUTE),
        (None, _) => MINUTE,
    };
    needed.max(1)
}

/// Bytes of a minute of another version of the enclosure, which plays as long.
fn minute_of(alternate: &AlternateEnclosure, main: Option<&Attachment>) -> u64 {
    let duration = main.and_then(|main| main.duration_in_seconds);
    match (alternate.length, duration, alternate.bitrate) {
        (None, _, Some(bits)) | (_, None, Some(bits)) if bits > 0.0 => {
            let needed = (bits / 8.0 * 60.0).ceil() as u64;
            alternate.length.unwrap_or(u64::MAX).min(needed).max(1)
        }
        (length, duration, _) => minute(length, duration),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minute_is_a_share_of_the_file() {
        for (size, duration, needed) in [
            (Some(6_000_000), Some(600.0), 600_000),
            (Some(6_000_001), Some(600.0), 600_001),
            (Some(400_000), Some(30.0), 400_000),
            (Some(400_000), None, 400_000),
            (Some(9_000_000), None, MINUTE),
            (Some(9_000_000), Some(f64::NAN), MINUTE),
            (Some(0), Some(600.0), MINUTE),
            (None, Some(600.0), MINUTE),
        ] {
            assert_eq!(minute(size, duration), needed, "{size:?} {duration:?}");
        }
    }
}
