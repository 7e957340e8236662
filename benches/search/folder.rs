//! A built site read like a browser reads it, with a log of all fetches.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::{Read as _, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::GzEncoder;
use search::static_index::{Listing, Published, TranscriptListing};
use serde_json::Value;

/// Kinds of files that a search fetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Entry,
    Words,
    Listings,
    Titles,
    /// A document outside the index.
    Text,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Words => "words",
            Self::Listings => "listings",
            Self::Titles => "words of titles",
            Self::Text => "texts",
        }
    }
}

/// A fetch with its size in bytes as transferred, without HTTP headers.
#[derive(Debug, Clone, Copy)]
pub struct Fetch {
    pub kind: Kind,
    pub bytes: u64,
}

/// A published folder with the log of its fetches.
pub struct Folder {
    public: PathBuf,
    kinds: HashMap<String, Kind>,
    fetches: RefCell<Vec<Fetch>>,
}

impl Folder {
    pub fn new(public: &Path) -> Self {
        Self {
            public: public.to_path_buf(),
            kinds: kinds(&public.join("search/index")),
            fetches: RefCell::default(),
        }
    }

    /// Returns and clears the log of fetches, in order.
    pub fn take_fetches(&self) -> Vec<Fetch> {
        self.fetches.take()
    }

    fn log_fetch(&self, kind: Kind, bytes: u64) {
        self.fetches.borrow_mut().push(Fetch { kind, bytes });
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let path = percent_encoding::percent_decode_str(path).decode_utf8().ok()?;
        fs::read(self.public.join(path.trim_start_matches('/'))).ok()
    }

    /// Returns the transferred size of a document on hosts that compress responses.
    pub fn compressed_size(&self, path: &str) -> u64 {
        self.read(path).map_or(0, |content| gzip(&content))
    }

    /// Returns the size of a file in bytes.
    pub fn length(&self, path: &str) -> u64 {
        self.read(path).map_or(0, |content| content.len() as u64)
    }
}

impl Published for &Folder {
    fn index_file(&self, name: &str) -> Option<Vec<u8>> {
        let content = fs::read(self.public.join("search/index").join(name)).ok()?;
        self.log_fetch(self.kinds[name], content.len() as u64);
        Some(content)
    }

    fn text(&self, listing: &Listing) -> Option<String> {
        let content = self.read(listing.text.as_ref()?)?;
        self.log_fetch(Kind::Text, gzip(&content));
        let feed: Value = serde_json::from_slice(&content).ok()?;
        Some(feed["items"][0]["content_text"].as_str()?.to_owned())
    }

    fn spoken_text(&self, transcript: &TranscriptListing, bytes: Range<usize>) -> Option<String> {
        let content = self.read(&transcript.address)?;
        let part = content.get(bytes.start..bytes.end.min(content.len()))?;
        self.log_fetch(Kind::Text, part.len() as u64);
        Some(String::from_utf8_lossy(part).into_owned())
    }
}

/// Returns the compressed size of `content` at gzip level 6, the usual level of hosts.
fn gzip(content: &[u8]) -> u64 {
    let mut out = GzEncoder::new(Vec::new(), Compression::new(6));
    out.write_all(content).expect("memory can be written");
    out.finish().expect("memory can be written").len() as u64
}

/// Reads the index's entry and returns the kind of each index file.
fn kinds(index: &Path) -> HashMap<String, Kind> {
    let published = fs::read(index.join("entry.bin")).expect("the index is there");
    let mut text = String::new();
    let read = DeflateDecoder::new(published.as_slice()).read_to_string(&mut text);
    read.expect("the entry is deflated");
    let entry: Value = serde_json::from_str(&text).expect("the entry is JSON");
    let mut kinds = HashMap::from([("entry.bin".to_owned(), Kind::Entry)]);
    for (names, kind) in [("listings", Kind::Listings), ("wordShards", Kind::Words)] {
        let names = entry[names].as_str().expect("the entry names its shards");
        let names = names.as_bytes().chunks(8).map(String::from_utf8_lossy);
        kinds.extend(names.map(|name| (format!("shards/{name}.bin"), kind)));
    }
    let titles = entry["titles"].as_object().into_iter().flatten();
    let titles = titles.filter_map(|(_, name)| name.as_str());
    kinds.extend(titles.map(|name| (format!("shards/{name}.bin"), Kind::Titles)));
    kinds
}

/// Returns the number of files of each kind in an index, and their total size in bytes.
pub fn sizes(index: &Path) -> BTreeMap<Kind, (u64, u64)> {
    let mut sizes = BTreeMap::<Kind, (u64, u64)>::new();
    for (name, kind) in kinds(index) {
        let size = sizes.entry(kind).or_default();
        size.0 += 1;
        size.1 += fs::metadata(index.join(name)).map_or(0, |file| file.len());
    }
    sizes
}
