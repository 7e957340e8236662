//! Searches an index. Matching and order are the same as in the browser script.

mod clause;
mod hit;
mod lookup;
mod misspelled;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex};

use super::Damaged;
use super::entry::{Entry, Listing, TranscriptListing, VERSION};
use super::files::{inflate, names};
use crate::query::{Clause, clauses};
use crate::scripts::is_dense;

/// Access to the files of an index, and to the documents that the index lists.
pub trait Published {
    /// Returns the bytes of an index file: `entry.bin` or `shards/<name>.bin`.
    fn index_file(&self, name: &str) -> Option<Vec<u8>>;

    /// Returns the text of a document, with everything else that counts as its content.
    fn text(&self, listing: &Listing) -> Option<String>;

    /// Returns the text that was spoken in a byte range of a transcript.
    fn spoken_text(&self, transcript: &TranscriptListing, bytes: Range<usize>) -> Option<String>;
}

/// A reader that searches an index.
pub struct Reader<P> {
    published: P,
    entry: Entry,
    first_passages: Vec<u32>,
    shards: Mutex<HashMap<String, Arc<Vec<u8>>>>,
}

/// A document that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The data about the document that search results show.
    pub listing: Listing,
    /// Start of each matching passage in seconds, or `None` if times are unknown. Contains at most
    /// three passages, best first.
    pub passages: Vec<Option<u32>>,
}

/// The quality of a match. Greater is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// 3 for the exact spelling, 2 for other accents, 1 for one typo, 0 for two typos.
    tier: u8,
    score: u32,
    document: u32,
}

#[derive(Debug, Default, Clone)]
struct Matches {
    /// Score of each document, from its title and content only.
    documents: BTreeMap<u32, u32>,
    passages: BTreeMap<u32, u32>,
    /// Documents that have a word only in another spelling.
    other_spelling: BTreeSet<u32>,
}

impl<P: Published> Reader<P> {
    /// Opens an index.
    ///
    /// # Errors
    ///
    /// Fails when the entry is missing, damaged or of another version.
    pub fn open(published: P) -> Result<Self, Damaged> {
        let entry = published.index_file("entry.bin").ok_or(Damaged)?;
        let entry: Entry = serde_json::from_slice(&inflate(&entry)?).map_err(|_| Damaged)?;
        let listings = names(&entry.listings).count();
        if entry.version != VERSION
            || entry.per_listing == 0
            || listings != (entry.documents as usize).div_ceil(entry.per_listing)
            || names(&entry.word_shards).count() != entry.words.len()
        {
            return Err(Damaged);
        }
        Ok(Self {
            first_passages: entry.first_passages(),
            published,
            entry,
            shards: Mutex::default(),
        })
    }

    /// Returns the best documents that match a query, at most `limit`.
    ///
    /// # Errors
    ///
    /// Fails when a shard is missing or damaged.
    pub fn search(&self, query: &str, limit: usize) -> Result<Vec<Found>, Damaged> {
        let clauses = clauses(query);
        if clauses.is_empty() {
            return Ok(Vec::new());
        }
        let matches: Vec<Matches> =
            clauses.iter().map(|clause| self.clause(clause)).collect::<Result<_, _>>()?;
        let mut ranked = self.ranked(&matches, &clauses);
        ranked.sort_by(|one, other| other.cmp(one));
        let undecided: Vec<Clause> =
            clauses.iter().filter(|clause| !is_decided(clause)).cloned().collect();
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        for rank in ranked {
            seen.insert(rank.document);
            if found.len() < limit
                && let Some(hit) = self.hit(rank.document, &matches, &undecided)?
            {
                found.push(hit);
            }
        }
        if found.len() < limit && clauses.iter().all(Clause::tolerates_typos) {
            for rank in self.misspelled(&clauses, &matches, &seen)? {
                if found.len() < limit {
                    found.extend(self.hit(rank.document, &matches, &[])?);
                }
            }
        }
        Ok(found)
    }

    /// Returns every document that matches all clauses, in its title and content or in its
    /// passages.
    fn ranked(&self, matches: &[Matches], clauses: &[Clause]) -> Vec<Rank> {
        let scores: Vec<BTreeMap<u32, u32>> =
            matches.iter().map(|one| self.by_document(one)).collect();
        let Some((first, others)) = scores.split_first() else {
            return Vec::new();
        };
        let all = first.iter().filter_map(|(document, score)| {
            let others: Option<u32> = others.iter().map(|other| other.get(document).copied()).sum();
            let mut pairs = matches.iter().zip(clauses);
            let is_exact = pairs.all(|(one, clause)| {
                matches!(clause, Clause::Literal(_)) || !one.other_spelling.contains(document)
            });
            Some(Rank {
                tier: if is_exact { 3 } else { 2 },
                score: score + others?,
                document: *document,
            })
        });
        all.collect()
    }

    /// Returns the best score of each document, from its title and content or from a passage.
    fn by_document(&self, matches: &Matches) -> BTreeMap<u32, u32> {
        let mut all = matches.documents.clone();
        for (passage, score) in &matches.passages {
            let best = all.entry(self.document_of(*passage)).or_default();
            *best = (*best).max(*score);
        }
        all
    }

    fn document_of(&self, passage: u32) -> u32 {
        (self.first_passages.partition_point(|first| *first <= passage) as u32).saturating_sub(1)
    }
}

/// Returns whether the lists alone decide if a document matches a clause. If not, the reader also
/// checks the document's text.
fn is_decided(clause: &Clause) -> bool {
    match clause {
        Clause::Words { words, .. } => words.len() == 1,
        Clause::Literal(text) => text.chars().all(is_dense) && text.chars().nth(2).is_none(),
    }
}
