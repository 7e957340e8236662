//! The search index of a site: its documents and their words.
//!
//! [`SearchPlan`] lists the documents without reading their bodies. Code that reads the body of an
//! item for another purpose passes it to [`SearchPlan::add_item`]. [`SearchPlan::make`] reads the
//! remaining bodies, unless an older index contains their words.

use std::fs;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::sync::OnceLock;

use rayon::prelude::*;
use search::static_index::{
    BuiltIndex, CollectedDocument, Damaged, Listing, Passage, PlannedDocument, PreviousIndex,
    WordCollector, make,
};
use transcripts::Format;
use xxhash_rust::xxh3::Xxh3Default;

use super::Site;
use model::{Body, Content, Item, Page, SitePath, Status};
use render::Shared;
use render::search::listings;
use site::{ItemEntry, PageEntry};
use source::stamp::Stamp;

/// Maximum number of words in a passage of a transcript. A search result is one passage.
const PASSAGE_WORDS: usize = 200;

/// The documents of a search index, and the words of the documents that were read.
pub struct SearchPlan<'s> {
    root: &'s Path,
    documents: Vec<DocumentPlan<'s>>,
    /// The document of each item of the snapshot, as an index into `documents`.
    of_item: Vec<Option<usize>>,
    word_collector: WordCollector,
}

struct DocumentPlan<'s> {
    origin: DocumentSource<'s>,
    fingerprint: u64,
    listing: Listing,
    transcripts: Vec<TranscriptFile<'s>>,
    /// Whether an older index contains the words of the document.
    is_known: bool,
    words: OnceLock<CollectedDocument>,
}

#[derive(Clone, Copy)]
enum DocumentSource<'s> {
    Item(&'s Item),
    Page(&'s Page),
}

impl<'s> SearchPlan<'s> {
    /// Lists the published documents of a site, or of one of its editions. `older` is the existing
    /// index, if any.
    pub fn of(
        root: &'s Path,
        site: &'s Site,
        edition: Option<usize>,
        older: Option<&PreviousIndex<'_>>,
    ) -> Self {
        let (renderer, snapshot) = match edition {
            Some(at) => (site.renderer().edition(at), &site.snapshot.editions[at].snapshot),
            None => (site.renderer(), &site.snapshot),
        };
        let shared = renderer.shared();
        let pages = snapshot.pages.iter();
        let mut pages: Vec<&PageEntry> =
            pages.filter(|entry| entry.status == Status::Published).collect();
        pages.sort_by(|one, other| one.page.id.cmp(&other.page.id));
        let mut items: Vec<(usize, &ItemEntry)> = snapshot
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.status == Status::Published)
            .map(|(at, entry)| (at, entry.as_ref()))
            .collect();
        let date = |entry: &ItemEntry| (entry.item.date_published, entry.item.id.clone());
        items.sort_by_cached_key(|(_, entry)| date(entry));
        let mut of_item = vec![None; snapshot.entries.len()];
        for (number, (at, _)) in items.iter().enumerate() {
            of_item[*at] = Some(pages.len() + number);
        }
        let mut documents: Vec<DocumentPlan<'s>> =
            pages.into_iter().map(|entry| DocumentPlan::from_page(&shared, entry)).collect();
        let of_items = items.par_iter();
        documents
            .par_extend(of_items.map(|(_, entry)| DocumentPlan::of_item(root, &shared, entry)));
        let known = older.map(PreviousIndex::numbers).unwrap_or_default();
        for document in &mut documents {
            document.is_known = known.contains_key(&document.fingerprint);
        }
        Self { root, documents, of_item, word_collector: WordCollector::default() }
    }

    /// Returns a hash of all inputs of the index.
    pub fn fingerprint(&self) -> u64 {
        let mut made_of = Xxh3Default::new();
        for document in &self.documents {
            (document.fingerprint, &document.listing).hash(&mut made_of);
        }
        made_of.digest()
    }

    /// Adds the words of an item whose body is in memory, unless an older index contains them.
    pub fn add_item(&self, at: usize, body: &Body) {
        let number = self.of_item[at].filter(|number| !self.documents[*number].is_known);
        if let Some(number) = number {
            self.gather(number, body);
        }
    }

    fn gather(&self, number: usize, body: &Body) {
        let document = &self.documents[number];
        document.words.get_or_init(|| {
            let mut words = self.word_collector.document(number);
            let (title, additional_texts) = document.origin.words();
            words.add_title(title);
            words.add_content(&body.text);
            for text in additional_texts {
                words.add_content(text);
            }
            let mut words = words.transcripts();
            for transcript in &document.transcripts {
                words.begin();
                transcript.for_each_passage(self.root, |passage| words.add(&passage));
            }
            words.finish()
        });
    }

    /// Makes the index. Reads the bodies whose words are still needed. `exists` returns whether a
    /// shard with a given name exists already; such a shard is not made again.
    pub fn make(
        &self,
        older: Option<&PreviousIndex<'_>>,
        exists: &(dyn Fn(&str) -> bool + Sync),
    ) -> BuiltIndex {
        self.read_texts(|document| !document.is_known);
        let made = make(&self.planned(), &self.word_collector, older, exists);
        made.unwrap_or_else(|Damaged| {
            // The older index is damaged, so the words of all documents are needed.
            self.read_texts(|_| true);
            make(&self.planned(), &self.word_collector, None, exists).unwrap_or_default()
        })
    }

    fn planned(&self) -> Vec<PlannedDocument<'_>> {
        let documents = self.documents.iter();
        documents
            .map(|document| PlannedDocument {
                fingerprint: document.fingerprint,
                listing: &document.listing,
                words: document.words.get(),
            })
            .collect()
    }

    fn read_texts(&self, is_needed: impl Fn(&DocumentPlan<'s>) -> bool + Sync) {
        let left = self.documents.par_iter().enumerate();
        let left =
            left.filter(|(_, document)| document.words.get().is_none() && is_needed(document));
        left.for_each(|(number, document)| {
            let content = document.origin.content();
            self.gather(number, &content.body());
            content.release_reread_body();
        });
    }
}

impl<'s> DocumentPlan<'s> {
    fn from_page(shared: &Shared<'_>, entry: &'s PageEntry) -> Self {
        Self::new(DocumentSource::Page(&entry.page), listings::page(shared, entry), Vec::new(), 0)
    }

    fn of_item(root: &Path, shared: &Shared<'_>, entry: &'s ItemEntry) -> Self {
        let own = listings::searchable_transcripts(shared, entry);
        let mut stamps = Xxh3Default::new();
        let transcripts: Vec<TranscriptFile<'s>> = own
            .into_iter()
            .map(|own| TranscriptFile { file: own.file, format: own.format })
            .collect();
        for transcript in &transcripts {
            transcript.hash_state(root, &mut stamps);
        }
        let listing = listings::item(shared, entry);
        Self::new(DocumentSource::Item(&entry.item), listing, transcripts, stamps.digest())
    }

    fn new(
        origin: DocumentSource<'s>,
        listing: Listing,
        transcripts: Vec<TranscriptFile<'s>>,
        stamps: u64,
    ) -> Self {
        let mut made_of = Xxh3Default::new();
        origin.hash(&mut made_of);
        stamps.hash(&mut made_of);
        Self {
            origin,
            fingerprint: made_of.digest(),
            listing,
            transcripts,
            is_known: false,
            words: OnceLock::new(),
        }
    }
}

impl<'s> DocumentSource<'s> {
    fn content(self) -> &'s Content {
        match self {
            Self::Item(item) => &item.content,
            Self::Page(page) => &page.content,
        }
    }

    /// Returns the title, and searchable strings outside the body.
    fn words(self) -> (&'s str, Vec<&'s str>) {
        match self {
            Self::Item(item) => (&item.title, listings::additional_texts(item)),
            Self::Page(page) => (&page.title, Vec::new()),
        }
    }
}

/// Hashes all searchable data of a document except its transcripts.
impl Hash for DocumentSource<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let id = match self {
            Self::Item(item) => &item.id,
            Self::Page(page) => &page.id,
        };
        let is_page = matches!(self, Self::Page(_));
        (id, is_page, self.words(), self.content().fingerprint).hash(state);
    }
}

/// A transcript that is a file of the site.
struct TranscriptFile<'s> {
    file: &'s SitePath,
    format: Format,
}

impl TranscriptFile<'_> {
    /// Hashes the state of the file, to detect changes.
    fn hash_state(&self, root: &Path, state: &mut impl Hasher) {
        let path = self.file.on_disk(root);
        (self.file, self.format as u8).hash(state);
        match Stamp::of(&path) {
            Stamp::Young => fs::read(&path).unwrap_or_default().hash(state),
            stamp => stamp.hash(state),
        }
    }

    /// Returns the bytes, or no bytes if the file cannot be read. The build reports the error when
    /// it copies the file.
    fn read(&self, root: &Path) -> Vec<u8> {
        fs::read(self.file.on_disk(root)).unwrap_or_default()
    }

    /// Calls `each` for each passage of the transcript.
    fn for_each_passage(&self, root: &Path, mut each: impl FnMut(Passage<'_>)) {
        let file = self.read(root);
        let mut transcript = transcripts::read(&file, self.format);
        for passage in transcript.passages(PASSAGE_WORDS) {
            let seconds = passage.start.map(|start| start / 1000);
            each(Passage {
                text: &passage.text,
                seconds: seconds.map(|seconds| u32::try_from(seconds).unwrap_or(u32::MAX)),
                start: passage.bytes.start,
            });
        }
    }
}
