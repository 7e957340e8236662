//! The files of a search index are untrusted bytes to its reader: whatever they inflate to, a search answers or says that the
//! index is damaged. An index of a few documents is made, and the inflated content of one file replaced in part.
#![no_main]

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::ops::Range;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use libfuzzer_sys::fuzz_target;
use search::static_index::{
    CollectedDocument, WordCollector, Listing, Passage, PlannedDocument, Published, Reader,
    TranscriptListing, make,
};

struct Files(BTreeMap<String, Vec<u8>>);

impl Published for &Files {
    fn index_file(&self, name: &str) -> Option<Vec<u8>> {
        self.0.get(name).cloned()
    }

    fn text(&self, listing: &Listing) -> Option<String> {
        Some(listing.title.clone())
    }

    fn spoken_text(&self, _: &TranscriptListing, _: Range<usize>) -> Option<String> {
        Some("one café".into())
    }
}

fn index() -> Files {
    let word_collector = WordCollector::default();
    let titles = ["One café", "Two 東京 words", "kubernetes"];
    let listing = |title: &&str| Listing {
        title: (*title).to_owned(),
        path: "i/a/".into(),
        transcripts: vec![TranscriptListing::default()],
        ..Listing::default()
    };
    let listings: Vec<Listing> = titles.iter().map(listing).collect();
    let spoken_text = Passage {
        text: "what was said",
        seconds: Some(3),
        start: 0,
    };
    let gather = |(number, title): (usize, &&str)| {
        let mut words = word_collector.document(number);
        words.add_title(title);
        words.add_content("a text of words, and of more words");
        let mut words = words.transcripts();
        words.begin();
        words.add(&spoken_text);
        words.add(&spoken_text);
        words.finish()
    };
    let words: Vec<CollectedDocument> = titles.iter().enumerate().map(gather).collect();
    let planned = words.iter().zip(&listings).zip(0..);
    let planned: Vec<PlannedDocument<'_>> = planned
        .map(|((words, listing), fingerprint)| PlannedDocument {
            fingerprint,
            listing,
            words: Some(words),
        })
        .collect();
    let made = make(&planned, &word_collector, None, &|_| false).unwrap();
    let shards = made.shards.into_iter();
    let mut files: BTreeMap<String, Vec<u8>> = shards
        .map(|shard| (format!("shards/{}.bin", shard.name), shard.bytes.unwrap()))
        .collect();
    files.insert("entry.bin".into(), made.entry);
    Files(files)
}

fuzz_target!(|input: (u8, u16, u8, &[u8])| {
    let (file, at, removed, new) = input;
    let mut files = index();
    let name = files.0.keys().nth(usize::from(file) % files.0.len()).unwrap().clone();
    let mut content = Vec::new();
    let published = &files.0[&name];
    DeflateDecoder::new(published.as_slice()).read_to_end(&mut content).unwrap();
    let start = usize::from(at) % (content.len() + 1);
    let end = content.len().min(start + usize::from(removed));
    content.splice(start..end, new.iter().copied());
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::fast());
    deflated.write_all(&content).unwrap();
    files.0.insert(name, deflated.finish().unwrap());
    let Ok(reader) = Reader::open(&files) else { return };
    for query in ["one", "wor", "w", "東", "東京", "\"of words\"", "kubernets", "café said"] {
        let _ = reader.search(query, 10);
    }
});
