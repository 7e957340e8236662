//! Beginnings that many words have: each is a token of its own, so that nobody has to read the lists of all of them.
//!
//! What has the token follows from the words alone: an index of the same documents has the same tokens.

use std::collections::HashMap;

use rayon::prelude::*;

use super::Damaged;
use super::list::{self, Posting, Weight};
use super::shard::{self, Record};
use super::words::{BEGINNING, is_marked};
use crate::scripts::is_dense;
use crate::text::is_word;

/// Of beginnings with so many letters or fewer, documents alone are searched: in what was said, nearly every passage
/// has a word that begins so.
pub(super) const DOCUMENTS_ALONE_MAX: usize = 2;

/// Whether the token of a beginning has passages.
pub(super) fn has_passages(beginning: &str) -> bool {
    beginning.chars().nth(DOCUMENTS_ALONE_MAX).is_some()
}

/// How many whole shards of longer words a reader fetches for a beginning at most. The more documents, the more:
/// what tokens save is then less, and each is longer.
pub(super) fn shards_without_token(documents: usize) -> usize {
    documents.div_ceil(32_768)
}

/// How many bytes the longer words of a beginning take from which on it has a token.
pub(super) fn bound(documents: usize) -> usize {
    shard::MIN * shards_without_token(documents)
}

/// Adds, to records in order, the token of every beginning whose longer words take `bound` bytes or more. What is
/// in dense scripts has none. `known` are tokens that need not be made.
pub(super) fn add<'s>(
    records: Vec<Record<'s>>,
    known: Vec<Record<'s>>,
    bound: usize,
    documents: usize,
    passages: usize,
) -> Result<Vec<Record<'s>>, Damaged> {
    let known = known.into_iter();
    let unions = Unions {
        known: known.map(|token| (token.word.clone(), token)).collect(),
        bound,
        documents,
        passages,
    };
    let (_, beginnings) = unions.parts(&records, 0, "");
    let is_plain =
        |one: &Beginning<'_, '_>| one.text.starts_with(|first| is_word(first) && !is_dense(first));
    let tokens: Result<Vec<Vec<Token<'s>>>, Damaged> = beginnings
        .into_par_iter()
        .filter(is_plain)
        .map(|beginning| unions.tokens(&beginning))
        .collect();
    let mut tokens = tokens?.into_iter().flatten().peekable();
    let mut all = Vec::with_capacity(records.len() + 64);
    for (at, record) in records.into_iter().enumerate() {
        while let Some(token) = tokens.next_if(|token| token.at == at) {
            all.push(token.record);
        }
        all.push(record);
    }
    Ok(all)
}

/// A beginning that has a token.
struct Beginning<'r, 's> {
    text: &'r str,
    /// The longer words, with the tokens of their spellings.
    longer: &'r [Record<'s>],
    /// The index of the first of them.
    at: usize,
}

/// The token of a beginning, and the index of the record that it stands before.
struct Token<'s> {
    at: usize,
    record: Record<'s>,
}

/// What the longer words of a beginning have together.
struct Union {
    /// For each document the greatest weight and 1, or 0.
    documents: Vec<u8>,
    /// Whether each passage has one of them. Empty for beginnings that are searched in documents alone.
    passages: Vec<bool>,
}

struct Unions<'s> {
    known: HashMap<String, Record<'s>>,
    bound: usize,
    documents: usize,
    passages: usize,
}

impl<'s> Unions<'s> {
    /// Cuts the longer words of a beginning, the first of which has the index `at`, into the beginnings with a letter more
    /// that have a token, and the words that are in none of them.
    fn parts<'r>(
        &self,
        longer: &'r [Record<'s>],
        mut at: usize,
        beginning: &str,
    ) -> (Vec<&'r [Record<'s>]>, Vec<Beginning<'r, 's>>) {
        let mut parts = (Vec::new(), Vec::new());
        let letter = |record: &Record<'s>| record.word[beginning.len()..].chars().next();
        for group in longer.chunk_by(|one, other| letter(one) == letter(other)) {
            let end = beginning.len() + letter(&group[0]).map_or(0, char::len_utf8);
            let is_longer = |record: &Record<'s>| {
                let next = record.word.as_bytes().get(end);
                next.is_some_and(|next| u32::from(*next) > u32::from(BEGINNING))
            };
            let (own, longer) = group.split_at(group.partition_point(|one| !is_longer(one)));
            let size: usize = longer.iter().map(Record::size).sum();
            if longer.is_empty() || size < self.bound {
                parts.0.push(group);
            } else {
                parts.0.push(own);
                parts.1.push(Beginning {
                    text: &longer[0].word[..end],
                    longer,
                    at: at + own.len(),
                });
            }
            at += group.len();
        }
        parts
    }

    /// The token of a beginning, and those of all beginnings among its longer words, in order.
    fn tokens(&self, beginning: &Beginning<'_, 's>) -> Result<Vec<Token<'s>>, Damaged> {
        let (words, beginnings) = self.parts(beginning.longer, beginning.at, beginning.text);
        let inner = beginnings.par_iter().map(|inner| self.tokens(inner));
        let inner: Vec<Vec<Token<'s>>> = inner.collect::<Result<_, _>>()?;
        let name = format!("{}{BEGINNING}", beginning.text);
        let record = match self.known.get(&name) {
            Some(known) => known.clone(),
            None => {
                let words = words.into_iter().flatten();
                let words = words.filter(|record| !is_marked(&record.word));
                let inner = inner.iter().flat_map(|tokens| tokens.first());
                let both = words.chain(inner.map(|token| &token.record));
                self.union(beginning.text, both)?.record(name)
            }
        };
        let at = beginning.at;
        let inner = inner.into_iter().flatten();
        Ok(std::iter::once(Token { at, record }).chain(inner).collect())
    }

    /// What these records have together.
    fn union<'r>(
        &self,
        beginning: &str,
        records: impl Iterator<Item = &'r Record<'s>>,
    ) -> Result<Union, Damaged>
    where
        's: 'r,
    {
        let has_passages = has_passages(beginning);
        let mut union = Union {
            documents: vec![0; self.documents],
            passages: vec![false; if has_passages { self.passages } else { 0 }],
        };
        for record in records {
            union.read(record)?;
        }
        Ok(union)
    }
}

impl Union {
    fn read(&mut self, record: &Record<'_>) -> Result<(), Damaged> {
        let mut is_known = true;
        let rest = record.read_documents(|posting| {
            match self.documents.get_mut(posting.number() as usize) {
                Some(weight) => *weight = (*weight).max(posting.weight() as u8 + 1),
                None => is_known = false,
            }
        })?;
        if !self.passages.is_empty() {
            list::read(rest, record.passages, false, |posting| {
                match self.passages.get_mut(posting.number() as usize) {
                    Some(has) => *has = true,
                    None => is_known = false,
                }
            })?;
        }
        is_known.then_some(()).ok_or(Damaged)
    }

    fn record(&self, token: String) -> Record<'static> {
        let documents = (0..).zip(&self.documents);
        let documents = documents.filter(|(_, weight)| **weight > 0);
        let documents: Vec<Posting> = documents
            .map(|(number, weight)| Posting::new(number, Weight::from_bits(u32::from(weight - 1))))
            .collect();
        let passages = (0..).zip(&self.passages).filter(|(_, has)| **has);
        let passages: Vec<Posting> =
            passages.map(|(number, _)| Posting::new(number, Weight::Once)).collect();
        Record::new(token, &documents, &passages)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::ops::Range;

    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    use super::super::make::with_beginnings_from;
    use super::super::shard::MIN;
    use super::super::{
        Gathered, Gathering, Listing, Older, Passage, Planned, Published, Reader, TranscriptFormat,
        TranscriptListing,
    };
    use super::*;

    #[derive(PartialEq)]
    struct Files(BTreeMap<String, Vec<u8>>);

    impl Published for &Files {
        fn index_file(&self, name: &str) -> Option<Vec<u8>> {
            self.0.get(name).cloned()
        }

        fn text(&self, _: &Listing) -> Option<String> {
            None
        }

        fn said(&self, _: &TranscriptListing, _: Range<usize>) -> Option<String> {
            None
        }
    }

    /// An index of some texts: of each the title, the content and what is said.
    fn index(texts: &[[String; 3]], bound: usize) -> Files {
        index_after(texts, bound, &Files(BTreeMap::new()))
    }

    /// The same, made from an older one.
    fn index_after(texts: &[[String; 3]], bound: usize, before: &Files) -> Files {
        let file = |name: &str| before.0.get(name).cloned().unwrap_or_default();
        let read = |name: &str| before.0.get(&format!("shards/{name}.bin")).cloned();
        let older = Older::open(&file("kept"), &file("entry.bin"), Box::new(read));
        let known = older.as_ref().map(Older::numbers).unwrap_or_default();
        let fingerprint = |text: &[String; 3]| xxh3_64(text.join("\n").as_bytes());
        let gathering = Gathering::default();
        let gathered = texts.iter().enumerate().map(|(number, text)| {
            if known.contains_key(&fingerprint(text)) {
                return None;
            }
            let [title, content, said] = text;
            let mut words = gathering.document(number);
            words.add_title(title);
            words.add_content(content);
            let mut words = words.transcripts();
            words.begin();
            for text in [said, title] {
                words.add(&Passage { text, seconds: None, start: 0 });
            }
            Some(words.finish())
        });
        let gathered: Vec<Option<Gathered>> = gathered.collect();
        let listings = (0..texts.len()).map(|number| Listing {
            path: number.to_string(),
            transcripts: vec![TranscriptListing {
                address: String::new(),
                format: TranscriptFormat::Text,
            }],
            ..Listing::default()
        });
        let listings: Vec<Listing> = listings.collect();
        let planned = texts.iter().zip(gathered.iter().zip(&listings));
        let planned = planned.map(|(text, (words, listing))| Planned {
            fingerprint: fingerprint(text),
            listing,
            words: words.as_ref(),
        });
        let planned: Vec<Planned<'_>> = planned.collect();
        let made = with_beginnings_from(bound, &planned, &gathering, older.as_ref(), &|_| false);
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
        fn a_beginning_finds_the_same_with_a_token_and_without(
            texts in proptest::collection::vec([words(), words(), words()], 1..8),
        ) {
            let all = [0, 40, MIN, usize::MAX].map(|bound| index(&texts, bound));
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
                prop_assert!(!expected.is_empty() || !query.is_ascii() || query.len() <= DOCUMENTS_ALONE_MAX);
                for reader in &readers[..3] {
                    prop_assert_eq!(found(reader, query), expected.clone(), "{}", query);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn tokens_are_the_same_however_they_came_about(
            texts in proptest::collection::btree_set([words(), words(), words()], 0..8),
            others in proptest::collection::btree_set([words(), words(), words()], 0..4),
            left in 0..8usize,
        ) {
            let before: Vec<[String; 3]> = texts.into_iter().collect();
            let stay = before.iter().skip(left).cloned();
            let after: Vec<[String; 3]> = stay.chain(others).collect::<BTreeSet<_>>().into_iter().collect();
            for bound in [0, 40, 200] {
                let made = index_after(&after, bound, &index(&before, bound));
                prop_assert!(made == index(&after, bound));
            }
        }
    }

    #[test]
    fn tokens_stand_where_they_are_looked_for() {
        // Words that fill many shards, all of which begin alike.
        let text = |number: usize| {
            let word = |at: usize| format!("con{:05}", (at * 7919 + number) % 40_000);
            let words: Vec<String> = (0..1_000).map(|at| word(at * 40)).collect();
            [String::new(), words.join(" "), format!("concord{number}")]
        };
        let texts: Vec<[String; 3]> = (0..40).map(text).collect();
        let files = index(&texts, MIN);
        for query in ["c", "con", "con1", "con39", "con000", "conc"] {
            let reader = Reader::open(&files).unwrap();
            assert_eq!(reader.search(query, 100).unwrap().len(), 40, "{query}");
        }
    }
}
