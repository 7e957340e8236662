//! Tests of the static index: the results are correct, and the bytes do not depend on how the index
//! was made.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use proptest::prelude::*;
use search::static_index::{
    BuiltIndex, CollectedDocument, Found, Listing, Passage, PlannedDocument, PreviousIndex,
    Published, Reader, TranscriptFormat, TranscriptListing, WordCollector, make,
};

/// A test document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Text {
    id: u64,
    title: String,
    text: String,
    /// The lines of the transcript. Each line is a passage.
    spoken_text: Vec<String>,
}

fn text(id: u64, title: &str, text: &str) -> Text {
    Text { id, title: title.into(), text: text.into(), spoken_text: Vec::new() }
}

impl Text {
    fn fingerprint(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut state = DefaultHasher::new();
        (self.id, &self.title, &self.text, &self.spoken_text).hash(&mut state);
        state.finish()
    }

    fn listing(&self) -> Listing {
        let transcript =
            TranscriptListing { address: self.id.to_string(), format: TranscriptFormat::Text };
        Listing {
            title: self.title.clone(),
            path: format!("i/{}/", self.id),
            transcripts: if self.spoken_text.is_empty() { Vec::new() } else { vec![transcript] },
            ..Listing::default()
        }
    }

    fn gather(&self, number: usize, word_collector: &WordCollector) -> CollectedDocument {
        let mut words = word_collector.document(number);
        words.add_title(&self.title);
        words.add_content(&self.text);
        let mut words = words.transcripts();
        if !self.spoken_text.is_empty() {
            words.begin();
        }
        let mut start = 0;
        for (line, seconds) in self.spoken_text.iter().zip((0..).step_by(30)) {
            words.add(&Passage { text: line, seconds: Some(seconds), start });
            start += line.len() + 1;
        }
        words.finish()
    }
}

/// A published index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Site {
    texts: Vec<Text>,
    files: BTreeMap<String, Vec<u8>>,
    kept: Vec<u8>,
}

impl Site {
    fn of(texts: &[Text], before: &Site) -> Self {
        let entry = before.files.get("entry.bin").cloned().unwrap_or_default();
        let read = |name: &str| before.files.get(&format!("shards/{name}.bin")).cloned();
        let older = PreviousIndex::open(&before.kept, &entry, Box::new(read));
        let known = older.as_ref().map(PreviousIndex::numbers).unwrap_or_default();
        let word_collector = WordCollector::default();
        let parts: Vec<(u64, Listing, Option<CollectedDocument>)> = texts
            .iter()
            .enumerate()
            .map(|(number, text)| {
                let fingerprint = text.fingerprint();
                let is_known = known.contains_key(&fingerprint);
                let words = (!is_known).then(|| text.gather(number, &word_collector));
                (fingerprint, text.listing(), words)
            })
            .collect();
        let planned: Vec<PlannedDocument<'_>> = parts
            .iter()
            .map(|(fingerprint, listing, words)| PlannedDocument {
                fingerprint: *fingerprint,
                listing,
                words: words.as_ref(),
            })
            .collect();
        let is_there = |name: &str| before.files.contains_key(&format!("shards/{name}.bin"));
        let made = make(&planned, &word_collector, older.as_ref(), &is_there).unwrap();
        let BuiltIndex { entry, shards, kept } = made;
        let mut files = BTreeMap::from([("entry.bin".to_owned(), entry)]);
        for shard in shards {
            let file = format!("shards/{}.bin", shard.name);
            let bytes = shard.bytes.unwrap_or_else(|| before.files[&file].clone());
            files.insert(file, bytes);
        }
        Self { texts: texts.to_vec(), files, kept }
    }

    fn new(texts: &[Text]) -> Self {
        Self::of(texts, &Self::default())
    }

    fn find(&self, query: &str) -> Vec<Found> {
        Reader::open(self).unwrap().search(query, 10).unwrap()
    }

    fn ids(&self, query: &str) -> Vec<u64> {
        let id = |found: Found| found.listing.path[2..].trim_end_matches('/').parse().unwrap();
        self.find(query).into_iter().map(id).collect()
    }

    fn text(&self, id: &str) -> Option<&Text> {
        self.texts.iter().find(|text| text.id.to_string() == id)
    }
}

impl Published for &Site {
    fn index_file(&self, name: &str) -> Option<Vec<u8>> {
        self.files.get(name).cloned()
    }

    fn text(&self, listing: &Listing) -> Option<String> {
        Some(Site::text(self, listing.path[2..].trim_end_matches('/'))?.text.clone())
    }

    fn spoken_text(&self, transcript: &TranscriptListing, bytes: Range<usize>) -> Option<String> {
        let spoken_text = Site::text(self, &transcript.address)?.spoken_text.join("\n");
        Some(spoken_text[bytes.start..bytes.end.min(spoken_text.len())].to_owned())
    }
}

#[test]
fn the_static_index_follows_the_api_rules() {
    let mut episode = text(6, "Episode", "About boats.");
    episode.spoken_text =
        vec!["We begin with solar".into(), "panels on a roof".into(), "and the cost of it".into()];
    let site = Site::new(&[
        text(1, "Café 東京", "Coffee in Tokyo, and where to drink it."),
        text(2, "Cafe", "A plain one. Don't ask."),
        text(3, "Kubernetes", "Rust言語を学ぶ tokyo drift"),
        text(4, "Other", "drink Tokyo in one go: kubernetes"),
        text(5, "ไทย", "ภาษาไทยสวย"),
        episode,
    ]);
    for (query, expected) in [
        // All words must match, and the last one may be a prefix.
        ("tokyo drin", &[4, 1][..]),
        ("tokyo coffee", &[1]),
        ("tok", &[4, 3, 1]),
        ("dr", &[4, 3, 1]),
        // Phrases in both kinds of quotes.
        ("\"in tokyo\"", &[1]),
        ("'tokyo in'", &[4]),
        ("don't", &[2]),
        // Words match with other accents, but the exact spelling comes first.
        ("cafe", &[2, 1]),
        ("café", &[1, 2]),
        // Exact matches come before typos in titles.
        ("kubernetes", &[3, 4]),
        ("kubernets", &[3]),
        ("tokio", &[]),
        // Dense scripts match literally.
        ("東", &[1]),
        ("言語を", &[3]),
        ("t言", &[3]),
        ("ไทยสวย", &[5]),
        ("語学", &[]),
        // Transcripts match, even across two passages.
        ("\"solar panels\"", &[6]),
        ("boats cost", &[6]),
        ("\"roof and\"", &[6]),
        ("\"solar cost\"", &[]),
        ("… !", &[]),
    ] {
        assert_eq!(site.ids(query), expected, "{query}");
    }
    assert_eq!(site.find("cost")[0].passages, [Some(60)]);
    assert_eq!(site.find("\"solar panels\"")[0].passages, [Some(0)]);
}

#[test]
fn a_damaged_index_never_panics() {
    let site = Site::new(&[text(1, "One two", "three four"), text(2, "Fünf", "六 seven")]);
    for (name, file) in &site.files {
        for at in 0..file.len() {
            let mut damaged = site.clone();
            damaged.files.get_mut(name).unwrap()[at] ^= 0x15;
            let Ok(reader) = Reader::open(&damaged) else {
                continue;
            };
            for query in ["one", "fünf", "六", "\"three four\"", "onr", "t"] {
                let _ = reader.search(query, 10);
            }
        }
        let mut missing = site.clone();
        missing.files.remove(name);
        if let Ok(reader) = Reader::open(&missing) {
            let _ = reader.search("one two", 10);
        }
    }
}

/// Generates words of several scripts, long and short.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]{1,4}",
        "[a-c]{8,12}",
        "[é東京ไทÅß한7]{1,4}",
        "[a-z]{60,70}",
        Just("don't".to_owned()),
        Just("café".to_owned()),
        Just("cafe".to_owned()),
        Just("𠮷野家".to_owned()),
        Just("ｱ".to_owned()),
    ]
}

fn words(max: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(word(), 0..max).prop_map(|words| words.join(" "))
}

fn texts() -> impl Strategy<Value = Vec<Text>> {
    let text = (0..40u64, words(4), words(30), proptest::collection::vec(words(8), 0..3));
    let text =
        text.prop_map(|(id, title, text, spoken_text)| Text { id, title, text, spoken_text });
    proptest::collection::vec(text, 0..20).prop_map(|texts| {
        let by_id: HashMap<u64, Text> = texts.into_iter().map(|text| (text.id, text)).collect();
        let mut texts: Vec<Text> = by_id.into_values().collect();
        // Like an order by date, this order differs from the order of ids.
        texts.sort_by_key(|text| (text.text.len() % 7, text.id));
        texts
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn incremental_and_clean_indexes_are_equal(steps in proptest::collection::vec(texts(), 1..5)) {
        let mut site = Site::default();
        for texts in steps {
            site = Site::of(&texts, &site);
            let clean = Site::new(&texts);
            prop_assert_eq!(&site.files, &clean.files);
            prop_assert_eq!(&site.kept, &clean.kept);
        }
    }

    #[test]
    fn every_word_finds_its_document(texts in texts()) {
        let site = Site::new(&texts);
        let reader = Reader::open(&site).unwrap();
        for text in &texts {
            let spoken_text = text.spoken_text.iter().map(String::as_str);
            for part in [text.title.as_str(), text.text.as_str()].into_iter().chain(spoken_text) {
                for word in part.split_whitespace() {
                    let found = reader.search(word, 100).unwrap();
                    let path = format!("i/{}/", text.id);
                    let is_found = found.iter().any(|found| found.listing.path == path);
                    prop_assert!(is_found, "{} does not find {:?}", word, text);
                }
            }
        }
    }
}
