//! Tests that the tokens for prefixes of words do not change the results of a search.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proptest::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::super::prefixes::MAX_DOCUMENT_ONLY_LETTERS;
use super::super::shard::MIN_BYTES;
use super::super::{
    CollectedDocument, Listing, Passage, PlannedDocument, PreviousIndex, Published, Reader,
    TranscriptFormat, TranscriptListing, WordCollector,
};
use super::make_with_prefix_bound;

#[derive(PartialEq)]
struct Files(BTreeMap<String, Vec<u8>>);

impl Published for &Files {
    fn index_file(&self, name: &str) -> Option<Vec<u8>> {
        self.0.get(name).cloned()
    }

    fn text(&self, _: &Listing) -> Option<String> {
        None
    }

    fn spoken_text(&self, _: &TranscriptListing, _: Range<usize>) -> Option<String> {
        None
    }
}

/// Makes an index of documents, each with a title, a content and a transcript.
fn index(texts: &[[String; 3]], min_bytes: usize) -> Files {
    index_after(texts, min_bytes, &Files(BTreeMap::new()))
}

/// Makes an index of documents from an older index.
fn index_after(texts: &[[String; 3]], min_bytes: usize, before: &Files) -> Files {
    let file = |name: &str| before.0.get(name).cloned().unwrap_or_default();
    let read = |name: &str| before.0.get(&format!("shards/{name}.bin")).cloned();
    let previous = PreviousIndex::open(&file("kept"), &file("entry.bin"), Box::new(read));
    let known = previous.as_ref().map(PreviousIndex::numbers).unwrap_or_default();
    let fingerprint = |text: &[String; 3]| xxh3_64(text.join("\n").as_bytes());
    let word_collector = WordCollector::default();
    let collected = texts.iter().enumerate().map(|(number, text)| {
        if known.contains_key(&fingerprint(text)) {
            return None;
        }
        let [title, content, spoken_text] = text;
        let mut words = word_collector.document(number);
        words.add_title(title);
        words.add_content(content);
        let mut words = words.transcripts();
        words.begin();
        for text in [spoken_text, title] {
            words.add(&Passage { text, seconds: None, start: 0 });
        }
        Some(words.finish())
    });
    let collected: Vec<Option<CollectedDocument>> = collected.collect();
    let listings = (0..texts.len()).map(|number| Listing {
        path: number.to_string(),
        transcripts: vec![TranscriptListing {
            address: String::new(),
            format: TranscriptFormat::Text,
        }],
        ..Listing::default()
    });
    let listings: Vec<Listing> = listings.collect();
    let planned = texts.iter().zip(collected.iter().zip(&listings));
    let planned = planned.map(|(text, (words, listing))| PlannedDocument {
        fingerprint: fingerprint(text),
        listing,
        words: words.as_ref(),
    });
    let planned: Vec<PlannedDocument<'_>> = planned.collect();
    let made =
        make_with_prefix_bound(min_bytes, &planned, &word_collector, previous.as_ref(), &|_| false);
    let made = made.unwrap();
    let mut files =
        BTreeMap::from([("entry.bin".to_owned(), made.entry), ("kept".to_owned(), made.kept)]);
    for shard in made.shards {
        files.insert(format!("shards/{}.bin", shard.name), shard.bytes.unwrap());
    }
    Files(files)
}

fn found(reader: &Reader<&Files>, query: &str) -> BTreeSet<String> {
    let found = reader.search(query, 1_000).unwrap();
    found.into_iter().map(|found| found.listing.path).collect()
}

fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof!["[a-c]{1,5}", "[a-céä]{1,4}", "[abc東京]{1,4}", "[a-c]{62,66}"];
    proptest::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_prefix_finds_the_same_with_or_without_a_token(
        texts in proptest::collection::vec([words(), words(), words()], 1..8),
    ) {
        let all = [0, 40, MIN_BYTES, usize::MAX].map(|min_bytes| index(&texts, min_bytes));
        let readers: Vec<_> = all.iter().map(|files| Reader::open(files).unwrap()).collect();
        let is_tried = |letters: &usize| *letters <= 5 || *letters >= 62;
        let text = texts.concat().join(" ");
        let mut queries = BTreeSet::new();
        for word in text.split_whitespace() {
            let ends = word.char_indices().enumerate().skip(1);
            let ends = ends.filter(|(letters, _)| is_tried(letters));
            queries.extend(ends.map(|(_, (end, _))| &word[..end]));
        }
        for query in queries {
            let expected = found(&readers[3], query);
            prop_assert!(!expected.is_empty() || !query.is_ascii() || query.len() <= MAX_DOCUMENT_ONLY_LETTERS);
            for reader in &readers[..3] {
                prop_assert_eq!(found(reader, query), expected.clone(), "{}", query);
            }
        }
    }
}

proptest! {
    #[test]
    fn tokens_do_not_depend_on_the_build_history(
        texts in proptest::collection::btree_set([words(), words(), words()], 0..8),
        others in proptest::collection::btree_set([words(), words(), words()], 0..4),
        left in 0..8usize,
    ) {
        let before: Vec<[String; 3]> = texts.into_iter().collect();
        let stay = before.iter().skip(left).cloned();
        let after: Vec<[String; 3]> = stay.chain(others).collect::<BTreeSet<_>>().into_iter().collect();
        for min_bytes in [0, 40, 200] {
            let made = index_after(&after, min_bytes, &index(&before, min_bytes));
            prop_assert!(made == index(&after, min_bytes));
        }
    }
}

#[test]
fn tokens_are_in_the_shards_where_readers_look() {
    // These words fill many shards and share a prefix.
    let text = |number: usize| {
        let word = |at: usize| format!("con{:05}", (at * 7919 + number) % 40_000);
        let words: Vec<String> = (0..1_000).map(|at| word(at * 40)).collect();
        [String::new(), words.join(" "), format!("concord{number}")]
    };
    let texts: Vec<[String; 3]> = (0..40).map(text).collect();
    let files = index(&texts, MIN_BYTES);
    for query in ["c", "con", "con1", "con39", "con000", "conc"] {
        let reader = Reader::open(&files).unwrap();
        assert_eq!(reader.search(query, 100).unwrap().len(), 40, "{query}");
    }
}
