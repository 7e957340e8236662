//! Makes an index of documents, and reuses an older index where possible.
//!
//! An index of the same documents always has the same bytes, with or without an older index. If the
//! older index contains a document, its words are copied from there, so the text of the document
//! need not be read again.

use std::collections::HashSet;
use std::ops::Range;

use rayon::prelude::*;
use serde_json::Value;

use super::Damaged;
use super::entry::{DOCUMENTS_PER_LISTING, Entry, Listing, PassageStarts, VERSION};
use super::files::{deflate, deflate_lists, name};
use super::list::{self, Posting, Weight};
use super::new_words::NewWords;
use super::prefixes;
use super::previous::PreviousIndex;
use super::shard::{self, Record, order};
use super::titles;
use super::word_collector::{CollectedDocument, WordCollector};
use super::words::PREFIX_MARK;

/// Approximate size, in bytes, of the new lists that one thread writes.
const BYTES_PER_THREAD: usize = 256 << 10;

/// A document to include in the new index.
#[derive(Debug)]
pub struct PlannedDocument<'d> {
    /// Hash of all content that searches can find.
    pub fingerprint: u64,
    /// The data about the document that search results show.
    pub listing: &'d Listing,
    /// The document's words. `None` if the older index contains them.
    pub words: Option<&'d CollectedDocument>,
}

/// The files of an index.
#[derive(Debug, Default)]
pub struct BuiltIndex {
    /// Content of `entry.bin`.
    pub entry: Vec<u8>,
    /// All other files, without duplicates.
    pub shards: Vec<Shard>,
    /// The state that is needed to make the next index, see [`PreviousIndex`].
    pub kept: Vec<u8>,
}

/// A file in the folder `shards/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shard {
    /// Name of the file, without the extension `.bin`.
    pub name: String,
    /// Content of the file. None if the file exists already.
    pub bytes: Option<Vec<u8>>,
}

/// Makes the index of `documents`, in this order. `shard_exists` returns whether a shard already
/// exists and need not be written.
///
/// # Errors
///
/// Fails when the older index is damaged, or lacks a document whose `words` are `None`. In that
/// case, the words of all documents must be collected.
pub fn make(
    documents: &[PlannedDocument<'_>],
    word_collector: &WordCollector,
    previous: Option<&PreviousIndex<'_>>,
    shard_exists: &(dyn Fn(&str) -> bool + Sync),
) -> Result<BuiltIndex, Damaged> {
    make_with_prefix_bound(
        prefixes::min_bytes(documents.len()),
        documents,
        word_collector,
        previous,
        shard_exists,
    )
}

/// Makes an index like [`make`]. A prefix gets a token if the longer words that begin with it take
/// at least `min_bytes` bytes.
pub(super) fn make_with_prefix_bound(
    min_bytes: usize,
    documents: &[PlannedDocument<'_>],
    word_collector: &WordCollector,
    previous: Option<&PreviousIndex<'_>>,
    shard_exists: &(dyn Fn(&str) -> bool + Sync),
) -> Result<BuiltIndex, Damaged> {
    let numbers = Numbers::of(documents, previous)?;
    let workers = word_collector.workers();
    let (older_shards, new) = rayon::join(
        || previous.map_or_else(|| Ok(Vec::new()), PreviousIndex::word_shards),
        || NewWords::of(workers.iter().map(|worker| &**worker), &numbers.first_passage),
    );
    let older_shards = older_shards?;
    let parts = parts(&older_shards, &new)?.into_par_iter();
    let parts = parts.map(|part| records(part, &new, &numbers));
    let parts: Vec<(Vec<Record<'_>>, Vec<Record<'_>>)> = parts.collect::<Result<_, _>>()?;
    let (words, known): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let words = words.into_iter().flatten().collect();
    let known = known.into_iter().flatten().collect();
    let passages = numbers.passages.iter().sum();
    let records = prefixes::add(words, known, min_bytes, documents.len(), passages)?;
    let publish = |content: &[u8], deflate: fn(&[u8]) -> Vec<u8>| {
        let name = name(content);
        Shard { bytes: (!shard_exists(&name)).then(|| deflate(content)), name }
    };
    let cuts = shard::cut(&records);
    let words = cuts.par_iter().map(|cut| publish(&shard::write(cut), deflate_lists));
    let words: Vec<Shard> = words.collect();
    let listings = documents.par_chunks(DOCUMENTS_PER_LISTING);
    let listings: Vec<Shard> = listings
        .zip(numbers.passage_starts.par_chunks(DOCUMENTS_PER_LISTING))
        .map(|(documents, passage_starts)| {
            let all = documents.iter().zip(passage_starts);
            let all =
                all.map(|(document, passage_starts)| document.listing.to_json(passage_starts));
            publish(Value::from_iter(all).to_string().as_bytes(), deflate)
        })
        .collect();
    let titles = titles::by_length(records.iter().filter(|record| record.in_title));
    let titles: Vec<(u32, Shard)> = titles
        .into_iter()
        .map(|(length, words)| (length, publish(words.as_bytes(), deflate)))
        .collect();
    let joined = |shards: &[Shard]| shards.iter().map(|shard| shard.name.as_str()).collect();
    let entry = Entry {
        version: VERSION,
        documents: documents.len() as u32,
        per_listing: DOCUMENTS_PER_LISTING,
        listings: joined(&listings),
        words: cuts.iter().map(|cut| cut[0].word.clone()).collect(),
        word_shards: joined(&words),
        titles: titles.iter().map(|(length, shard)| (*length, shard.name.clone())).collect(),
        passages: Entry::passages_of(numbers.passages.iter().copied()),
    };
    let entry = deflate(serde_json::to_string(&entry).unwrap_or_default().as_bytes());
    let fingerprints = documents.iter().map(|document| document.fingerprint);
    let kept = PreviousIndex::keep(&entry, fingerprints.zip(numbers.passage_starts));
    let mut shards = words;
    shards.extend(listings);
    shards.extend(titles.into_iter().map(|(_, shard)| shard));
    let mut names = HashSet::new();
    shards.retain(|shard| names.insert(shard.name.clone()));
    Ok(BuiltIndex { entry, shards, kept })
}

/// The numbers of documents and passages in the new index, and a mapping from the numbers in the
/// older index.
struct Numbers<'n> {
    /// For each document, the passage starts of its transcripts.
    passage_starts: Vec<&'n [PassageStarts]>,
    /// For each document, its number of passages.
    passages: Vec<usize>,
    /// For each document, the number of its first passage.
    first_passage: Vec<u32>,
    /// For each document of the older index, its number in the new index.
    document: Vec<Option<u32>>,
    /// For each passage of the older index, its number in the new index.
    passage: Vec<Option<u32>>,
    /// Whether the older index has the same passages, with the same numbers.
    has_same_passages: bool,
}

impl<'n> Numbers<'n> {
    fn of(
        documents: &'n [PlannedDocument<'n>],
        previous: Option<&'n PreviousIndex<'_>>,
    ) -> Result<Self, Damaged> {
        let known = previous.map(PreviousIndex::numbers).unwrap_or_default();
        let older_first = previous.map(PreviousIndex::first_passages).unwrap_or_default();
        let older_passages =
            |number: usize| older_first[number] as usize..older_first[number + 1] as usize;
        let mut numbers = Self {
            passage_starts: Vec::with_capacity(documents.len()),
            passages: Vec::with_capacity(documents.len()),
            first_passage: Vec::with_capacity(documents.len()),
            document: vec![None; known.len()],
            passage: vec![None; older_first.last().map_or(0, |all| *all as usize)],
            has_same_passages: false,
        };
        let mut first = 0;
        for (number, document) in documents.iter().enumerate() {
            let count = match document.words {
                Some(words) => {
                    numbers.passage_starts.push(&words.transcripts);
                    words.passages()
                }
                None => {
                    let previous = previous.ok_or(Damaged)?;
                    let before = *known.get(&document.fingerprint).ok_or(Damaged)?;
                    numbers.passage_starts.push(previous.passage_starts(before));
                    numbers.document[before] = Some(number as u32);
                    let passages = older_passages(before);
                    let count = passages.len();
                    for (passage, now) in passages.zip(first..) {
                        numbers.passage[passage] = Some(now as u32);
                    }
                    count
                }
            };
            numbers.passages.push(count);
            numbers.first_passage.push(first as u32);
            first += count;
        }
        let mut same = (0u32..).map(Some).zip(&numbers.passage);
        numbers.has_same_passages =
            numbers.passage.len() == first && same.all(|(same, now)| same == *now);
        Ok(numbers)
    }
}

/// A range of consecutive words: the words of some older shards, and the new words that sort among
/// them.
struct Part<'o> {
    previous: &'o [Vec<u8>],
    new: Range<usize>,
}

fn parts<'o>(previous: &'o [Vec<u8>], new: &NewWords<'_>) -> Result<Vec<Part<'o>>, Damaged> {
    let mut parts = Vec::new();
    let mut start = 0;
    let together = previous.len().div_ceil(4 * rayon::current_num_threads()).max(1);
    let mut groups = previous.chunks(together).peekable();
    while let Some(group) = groups.next() {
        let end = match groups.peek() {
            Some(next) => {
                let first = shard::first_word(&next[0])?;
                new.rank_of(first).max(start)
            }
            None => new.len(),
        };
        parts.push(Part { previous: group, new: start..end });
        start = end;
    }
    if previous.is_empty() {
        let ranges = new.parts(BYTES_PER_THREAD).into_iter();
        parts.extend(ranges.map(|new| Part { previous: &[], new }));
    }
    Ok(parts)
}

/// Documents and passages to add to a word. The buffers are reused.
#[derive(Default)]
struct Added {
    documents: Vec<Posting>,
    passages: Vec<Posting>,
}

/// Returns the records of `part`, with older and new words merged, and separately the tokens of
/// prefixes.
fn records<'o>(
    part: Part<'o>,
    new: &NewWords<'_>,
    numbers: &Numbers<'_>,
) -> Result<(Vec<Record<'o>>, Vec<Record<'o>>), Damaged> {
    let mut ranks = part.new.peekable();
    let mut records = Vec::new();
    let mut prefixes = Vec::new();
    let mut added = Added::default();
    let add_new = |rank: usize, added: &mut Added, records: &mut Vec<Record<'o>>| {
        let Added { documents, passages } = added;
        new.read(rank, documents, passages);
        records.push(Record::new(new.word(rank).to_owned(), documents, passages));
        documents.clear();
        passages.clear();
    };
    for shard in part.previous {
        for record in shard::read(shard)? {
            if let Some(prefix_text) = record.word.strip_suffix(PREFIX_MARK) {
                new.read_longer(prefix_text, &mut added.documents, &mut added.passages);
                prefixes.extend(renumber(record, &mut added, numbers)?);
                continue;
            }
            let is_before = |rank: &usize| order(new.word(*rank), &record.word).is_lt();
            while let Some(rank) = ranks.next_if(is_before) {
                add_new(rank, &mut added, &mut records);
            }
            if let Some(same) = ranks.next_if(|rank| new.word(*rank) == record.word) {
                new.read(same, &mut added.documents, &mut added.passages);
            }
            records.extend(renumber(record, &mut added, numbers)?);
        }
    }
    for rank in ranks {
        add_new(rank, &mut added, &mut records);
    }
    Ok((records, prefixes))
}

/// Updates a record of the older index: maps its numbers to the new ones, and moves the postings
/// from `added` into it. Returns `None` if no document or passage is left.
fn renumber<'o>(
    record: Record<'o>,
    added: &mut Added,
    numbers: &Numbers<'_>,
) -> Result<Option<Record<'o>>, Damaged> {
    let Added { documents, passages } = added;
    let has_same_passages = passages.is_empty() && numbers.has_same_passages;
    let mut is_same = documents.is_empty() && passages.is_empty();
    let mut in_title = false;
    let mut is_known = true;
    let mut take = |posting: Posting, numbers: &[Option<u32>], into: &mut Vec<Posting>| {
        let Some(now) = numbers.get(posting.number() as usize) else {
            is_known = false;
            return;
        };
        is_same &= *now == Some(posting.number());
        into.extend(now.map(|now| Posting::new(now, posting.weight())));
    };
    let of_passages = record.read_documents(|posting| {
        in_title |= posting.weight() == Weight::Title;
        take(posting, &numbers.document, documents);
    })?;
    if !has_same_passages {
        let take = |posting| take(posting, &numbers.passage, passages);
        list::read(of_passages, record.passages, false, take)?;
    }
    if !is_known {
        return Err(Damaged);
    }
    // The added postings come first, then the older ones. Each group is in order.
    documents.sort();
    passages.sort();
    let record = if is_same {
        Some(Record { in_title, ..record })
    } else if has_same_passages {
        let is_left = !documents.is_empty() || record.passages > 0;
        is_left.then(|| {
            let word = record.word.clone();
            Record::with_passages(word, documents, record.passages, of_passages)
        })
    } else {
        let is_left = !documents.is_empty() || !passages.is_empty();
        is_left.then(|| Record::new(record.word, documents, passages))
    };
    documents.clear();
    passages.clear();
    Ok(record)
}

#[cfg(test)]
mod tests;
