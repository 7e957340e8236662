//! Searches an index as the browser's script does, by the same rules and in the same order.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::Damaged;
use super::entry::{Entry, Kind, Listing, Moments, TranscriptFormat, TranscriptListing, VERSION};
use super::files::{inflate, names};
use super::list::{Posting, Weight};
use super::shard::{self, Record, order};
use super::titles;
use super::words::{BEGINNING, BEGINNING_MAX, SPELLED_OTHERWISE, SPELLING, cut};
use crate::highlight::Marker;
use crate::query::{Clause, Field, clauses};
use crate::scripts::is_dense;
use crate::text::{Run, runs};
use crate::tokens::push_pairs;

/// The most words that a misspelled one may have meant.
const ALTERNATIVES_MAX: usize = 32;

/// What an index is read from, and the documents that it leads to.
pub trait Published {
    /// A file of the index: `entry.bin` or `shards/<name>.bin`.
    fn index_file(&self, name: &str) -> Option<Vec<u8>>;

    /// The text of a document, and what else counts as its content.
    fn text(&self, listing: &Listing) -> Option<String>;

    /// What is said in a part of a transcript.
    fn said(&self, transcript: &TranscriptListing, bytes: Range<usize>) -> Option<String>;
}

/// An index that can be searched.
pub struct Reader<P> {
    published: P,
    entry: Entry,
    first_passages: Vec<u32>,
    shards: Mutex<HashMap<String, Arc<Vec<u8>>>>,
}

/// A document that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// What results show of it.
    pub listing: Listing,
    /// Its passages that match, best first, at most three: when each begins, in seconds, where times are known.
    pub passages: Vec<Option<u32>>,
}

/// How good a match is. The greater, the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// 3 for the exact spelling, 2 for other accents, 1 for one typo, 0 for two.
    tier: u8,
    score: u32,
    document: u32,
}

/// What one clause matches.
#[derive(Debug, Default, Clone)]
struct Matches {
    /// Documents by themselves, each with its score.
    documents: BTreeMap<u32, u32>,
    /// Passages, with theirs.
    passages: BTreeMap<u32, u32>,
    /// The documents whose own spelling of a word is another.
    spelled_otherwise: BTreeSet<u32>,
}

/// The documents and passages that have a token.
#[derive(Debug, Default)]
struct Lists {
    documents: Vec<Posting>,
    passages: Vec<u32>,
}

impl<P: Published> Reader<P> {
    /// Opens an index.
    ///
    /// # Errors
    ///
    /// When its entry is missing, damaged or of another version.
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

    /// The best documents that match a query, at most `limit`.
    ///
    /// # Errors
    ///
    /// When a shard is missing or damaged.
    pub fn search(&self, query: &str, limit: usize) -> Result<Vec<Found>, Damaged> {
        let clauses = clauses(query);
        if clauses.is_empty() {
            return Ok(Vec::new());
        }
        let matches: Vec<Matches> = clauses
            .iter()
            .map(|clause| self.clause(clause))
            .collect::<Result<_, _>>()?;
        let mut ranked = self.ranked(&matches, &clauses);
        ranked.sort_by(|one, other| other.cmp(one));
        let undecided: Vec<Clause> = clauses
            .iter()
            .filter(|clause| !is_decided(clause))
            .cloned()
            .collect();
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

    /// Every document that matches all clauses, in itself or in its passages.
    fn ranked(&self, matches: &[Matches], clauses: &[Clause]) -> Vec<Rank> {
        let scores: Vec<BTreeMap<u32, u32>> =
            matches.iter().map(|one| self.by_document(one)).collect();
        let Some((first, others)) = scores.split_first() else {
            return Vec::new();
        };
        let all = first.iter().filter_map(|(document, score)| {
            let others: Option<u32> = others
                .iter()
                .map(|other| other.get(document).copied())
                .sum();
            let mut pairs = matches.iter().zip(clauses);
            let is_exact = pairs.all(|(one, clause)| {
                matches!(clause, Clause::Literal(_)) || !one.spelled_otherwise.contains(document)
            });
            Some(Rank {
                tier: if is_exact { 3 } else { 2 },
                score: score + others?,
                document: *document,
            })
        });
        all.collect()
    }

    /// The best score of each document, in itself or in a passage.
    fn by_document(&self, matches: &Matches) -> BTreeMap<u32, u32> {
        let mut all = matches.documents.clone();
        for (passage, score) in &matches.passages {
            let best = all.entry(self.document_of(*passage)).or_default();
            *best = (*best).max(*score);
        }
        all
    }

    fn document_of(&self, passage: u32) -> u32 {
        (self
            .first_passages
            .partition_point(|first| *first <= passage) as u32)
            .saturating_sub(1)
    }

    fn clause(&self, clause: &Clause) -> Result<Matches, Damaged> {
        match clause {
            Clause::Words {
                words,
                spellings,
                prefix,
                ..
            } => {
                let mut each = Vec::new();
                let last = words.len() - 1;
                for (number, (word, spelling)) in words.iter().zip(spellings).enumerate() {
                    each.push(self.word(word, spelling.as_deref(), *prefix && number == last)?);
                }
                Ok(self.together(each))
            }
            Clause::Literal(text) => {
                let mut each = Vec::new();
                for (at, run) in runs(text) {
                    let Run::Dense(run) = run else { continue };
                    let mut pairs = String::new();
                    push_pairs(text, at, run, Field::Content, &mut pairs);
                    for pair in pairs.split_ascii_whitespace() {
                        each.push(self.exactly(pair)?);
                    }
                    if pairs.is_empty() {
                        each.push(self.beginning_with(run, false)?);
                    }
                }
                Ok(self.together(each))
            }
        }
    }

    /// What several words match that have to be near each other: in one document, or in one passage or the next.
    fn together(&self, mut each: Vec<Matches>) -> Matches {
        if each.len() == 1 {
            return each.remove(0);
        }
        let mut all = Matches::default();
        let Some((first, others)) = each.split_first() else {
            return all;
        };
        for (document, score) in &first.documents {
            let others: Option<Vec<u32>> = others
                .iter()
                .map(|other| other.documents.get(document).copied())
                .collect();
            if let Some(others) = others {
                all.documents
                    .insert(*document, score + others.iter().sum::<u32>());
            }
        }
        for passage in first
            .passages
            .keys()
            .flat_map(|at| [at.saturating_sub(1), *at])
        {
            let document = self.document_of(passage);
            let has = |one: &Matches, at: u32| one.passages.get(&at).copied();
            let next = passage + 1;
            let scores: Option<Vec<u32>> = each
                .iter()
                .map(|one| {
                    has(one, passage)
                        .or_else(|| has(one, next).filter(|_| self.document_of(next) == document))
                })
                .collect();
            if let Some(scores) = scores {
                all.passages.insert(passage, scores.iter().sum());
            }
        }
        for one in each {
            all.spelled_otherwise.extend(one.spelled_otherwise);
        }
        all
    }

    /// What a word matches, or the words that begin with it.
    fn word(&self, word: &str, spelling: Option<&str>, prefix: bool) -> Result<Matches, Damaged> {
        let mut word = word.to_owned();
        cut(&mut word);
        let mut matches = match prefix {
            true => self.beginning_with(&word, true)?,
            false => self.exactly(&word)?,
        };
        matches.spelled_otherwise = match spelling {
            Some(spelling) => {
                let spelled = self.lists(&format!("{SPELLING}{spelling}"))?;
                let own = spelled.documents.iter().map(|posting| posting.number());
                let said = spelled
                    .passages
                    .iter()
                    .map(|passage| self.document_of(*passage));
                let exact: BTreeSet<u32> = own.chain(said).collect();
                let all = self.by_document(&matches);
                all.into_keys()
                    .filter(|document| !exact.contains(document))
                    .collect()
            }
            None => {
                let other = self.lists(&format!("{SPELLED_OTHERWISE}{word}"))?;
                other
                    .documents
                    .iter()
                    .map(|posting| posting.number())
                    .collect()
            }
        };
        Ok(matches)
    }

    fn exactly(&self, token: &str) -> Result<Matches, Damaged> {
        let lists = self.lists(token)?;
        Ok(self.scored(&[(lists, true)]))
    }

    /// The words that begin with a text. Of one or two letters the documents alone.
    fn beginning_with(&self, beginning: &str, is_word: bool) -> Result<Matches, Damaged> {
        if is_word && beginning.chars().count() <= BEGINNING_MAX {
            let whole = self.lists(beginning)?;
            let longer = self.lists(&format!("{BEGINNING}{beginning}"))?;
            return Ok(self.scored(&[(whole, true), (longer, false)]));
        }
        let mut all = Vec::new();
        for record in self.records_from(beginning, |word| word.starts_with(beginning))? {
            all.push((record.1, record.0 == beginning || !is_word));
        }
        Ok(self.scored(&all))
    }

    /// The scores of lists, each with whether it is that of the whole word.
    fn scored(&self, lists: &[(Lists, bool)]) -> Matches {
        let frequency: usize = lists.iter().map(|(lists, _)| lists.documents.len()).sum();
        let frequency = frequency.min(self.entry.documents as usize);
        let idf = idf(self.entry.documents, frequency);
        let mut matches = Matches::default();
        for (lists, is_whole) in lists {
            for posting in &lists.documents {
                let score = idf * weight(posting.weight(), *is_whole);
                let best = matches.documents.entry(posting.number()).or_default();
                *best = (*best).max(score);
            }
            for passage in &lists.passages {
                matches.passages.insert(*passage, idf);
            }
        }
        matches
    }

    fn lists(&self, token: &str) -> Result<Lists, Damaged> {
        let found = self.records_from(token, |word| word == token)?;
        Ok(found
            .into_iter()
            .map(|(_, lists)| lists)
            .next()
            .unwrap_or_default())
    }

    /// The words from `start` on while they are wanted.
    fn records_from(
        &self,
        start: &str,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<(String, Lists)>, Damaged> {
        let first = self
            .entry
            .words
            .partition_point(|word| order(word, start).is_le());
        let mut found = Vec::new();
        for name in names(&self.entry.word_shards).skip(first.saturating_sub(1)) {
            let shard = self.shard(name)?;
            for record in shard::read(&shard)? {
                if order(&record.word, start).is_lt() {
                    continue;
                }
                if !is_wanted(&record.word) {
                    return Ok(found);
                }
                found.push((record.word.clone(), self.read(&record)?));
            }
        }
        Ok(found)
    }

    fn read(&self, record: &Record<'_>) -> Result<Lists, Damaged> {
        let mut lists = Lists::default();
        record.read_both(|posting, is_document| match is_document {
            true => lists.documents.push(posting),
            false => lists.passages.push(posting.number()),
        })?;
        let passages = self.first_passages.last().copied().unwrap_or(0);
        let is_known = lists
            .documents
            .iter()
            .all(|one| one.number() < self.entry.documents)
            && lists.passages.iter().all(|passage| *passage < passages);
        is_known.then_some(lists).ok_or(Damaged)
    }

    fn shard(&self, name: &str) -> Result<Arc<Vec<u8>>, Damaged> {
        let mut shards = self.shards.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = shards.get(name) {
            return Ok(Arc::clone(known));
        }
        let published = self.published.index_file(&format!("shards/{name}.bin"));
        let content = Arc::new(inflate(&published.ok_or(Damaged)?)?);
        shards.insert(name.to_owned(), Arc::clone(&content));
        Ok(content)
    }

    /// The documents that match with typos in titles, best first.
    fn misspelled(
        &self,
        clauses: &[Clause],
        exact: &[Matches],
        seen: &BTreeSet<u32>,
    ) -> Result<Vec<Rank>, Damaged> {
        let mut near: Vec<Vec<(usize, BTreeMap<u32, u32>)>> = Vec::new();
        for clause in clauses {
            near.push(match clause {
                Clause::Words { words, .. } if words.len() == 1 => self.near(&words[0])?,
                _ => Vec::new(),
            });
        }
        let mut ranks = Vec::new();
        let mut seen = seen.clone();
        for typos in 1..=2 {
            let mut scores: Vec<BTreeMap<u32, u32>> = Vec::new();
            for (exact, near) in exact.iter().zip(&near) {
                let mut all = self.by_document(exact);
                for (_, titles) in near.iter().filter(|(distance, _)| *distance <= typos) {
                    for (document, score) in titles {
                        let best = all.entry(*document).or_default();
                        *best = (*best).max(*score);
                    }
                }
                scores.push(all);
            }
            let Some((first, others)) = scores.split_first() else {
                break;
            };
            let mut tier = Vec::new();
            for (document, score) in first {
                let others: Option<u32> = others
                    .iter()
                    .map(|other| other.get(document).copied())
                    .sum();
                if let Some(others) = others.filter(|_| seen.insert(*document)) {
                    tier.push(Rank {
                        tier: 2 - typos as u8,
                        score: score + others,
                        document: *document,
                    });
                }
            }
            tier.sort_by(|one, other| other.cmp(one));
            ranks.extend(tier);
        }
        Ok(ranks)
    }

    /// The words of titles that a word may be a misspelling of: the distance of each, and its documents.
    fn near(&self, word: &str) -> Result<Vec<(usize, BTreeMap<u32, u32>)>, Damaged> {
        let length = word.chars().count();
        let tolerance = match length {
            ..4 => 0,
            4..8 => 1,
            _ => 2,
        };
        if tolerance == 0 || word.contains(char::is_numeric) {
            return Ok(Vec::new());
        }
        let mut near: Vec<(usize, String)> = Vec::new();
        let buckets: BTreeSet<u32> = (length - tolerance..=length + tolerance)
            .map(|length| (length as u32).min(titles::LENGTH_MAX))
            .collect();
        for bucket in buckets {
            let Some(name) = self.entry.titles.get(&bucket) else {
                continue;
            };
            let shard = self.shard(name)?;
            let words = std::str::from_utf8(&shard).map_err(|_| Damaged)?;
            for known in words.lines() {
                let distance = strsim::osa_distance(word, known);
                if (1..=tolerance).contains(&distance) {
                    near.push((distance, known.to_owned()));
                }
            }
        }
        near.sort();
        near.truncate(ALTERNATIVES_MAX);
        let mut all = Vec::new();
        for (distance, word) in near {
            let lists = self.lists(&word)?;
            let idf = idf(self.entry.documents, lists.documents.len());
            let in_title = lists
                .documents
                .iter()
                .filter(|one| one.weight() == Weight::Title);
            let titles = in_title
                .map(|one| (one.number(), idf * MISSPELLED))
                .collect();
            all.push((distance, titles));
        }
        Ok(all)
    }

    /// A document as results show it. None if its texts show that a clause does not match after all.
    fn hit(
        &self,
        document: u32,
        matches: &[Matches],
        undecided: &[Clause],
    ) -> Result<Option<Found>, Damaged> {
        let (listing, moments) = self.listing(document)?;
        let first = self.first_passages[document as usize];
        let of_document = first..self.first_passages[document as usize + 1];
        let mut passages: BTreeMap<u32, usize> = BTreeMap::new();
        for one in matches {
            for (passage, _) in one.passages.range(of_document.clone()) {
                *passages.entry(*passage).or_default() += 1;
            }
        }
        if !undecided.is_empty() {
            let marker = Marker::new(undecided, &[]);
            let mut shown = marker.clauses(&listing.title);
            let text = self.published.text(&listing).unwrap_or_default();
            shown |= marker.clauses(&text);
            for passage in passages.keys() {
                let said = self.said(&listing, &moments, (*passage - first) as usize);
                shown |= marker.clauses(&said);
            }
            if shown != marker.all_clauses() {
                return Ok(None);
            }
        }
        let mut best: Vec<(usize, u32)> = passages
            .into_iter()
            .map(|(passage, count)| (count, passage))
            .collect();
        best.sort_by_key(|(count, passage)| (std::cmp::Reverse(*count), *passage));
        best.truncate(3);
        let starts: Vec<Option<u32>> = moments
            .iter()
            .flat_map(starts)
            .map(|(second, _)| second)
            .collect();
        let passages = best
            .iter()
            .map(|(_, passage)| starts.get((passage - first) as usize).copied().flatten());
        Ok(Some(Found {
            passages: passages.collect(),
            listing,
        }))
    }

    /// What is said in a document's passage and the next.
    fn said(&self, listing: &Listing, moments: &[Moments], mut passage: usize) -> String {
        for (transcript, moments) in listing.transcripts.iter().zip(moments) {
            let bytes: Vec<usize> = starts(moments).map(|(_, byte)| byte).collect();
            if passage < bytes.len() {
                let end = bytes.get(passage + 2).copied().unwrap_or(usize::MAX);
                let said = self.published.said(transcript, bytes[passage]..end);
                return said.unwrap_or_default();
            }
            passage -= bytes.len();
        }
        String::new()
    }

    fn listing(&self, document: u32) -> Result<(Listing, Vec<Moments>), Damaged> {
        let per = self.entry.per_listing;
        let name = names(&self.entry.listings)
            .nth(document as usize / per)
            .ok_or(Damaged)?;
        let shard = self.shard(name)?;
        let all: Vec<Value> = serde_json::from_slice(&shard).map_err(|_| Damaged)?;
        let fields = all
            .get(document as usize % per)
            .and_then(Value::as_array)
            .ok_or(Damaged)?;
        let text = |at: usize| Some(fields.get(at)?.as_str()?.to_owned());
        let kinds = [
            Kind::Post,
            Kind::Page,
            Kind::Audio,
            Kind::Video,
            Kind::Picture,
            Kind::Document,
            Kind::Link,
        ];
        let kind = fields.get(2).and_then(Value::as_u64).ok_or(Damaged)?;
        let mut listing = Listing {
            title: text(0).ok_or(Damaged)?,
            path: text(1).ok_or(Damaged)?,
            kind: kinds.get(kind as usize).copied().ok_or(Damaged)?,
            date: text(3),
            text: text(4),
            to: text(5),
            transcripts: Vec::new(),
        };
        let mut moments = Vec::new();
        for transcript in fields
            .get(6)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            let (one, numbers) = transcript_of(transcript).ok_or(Damaged)?;
            listing.transcripts.push(one);
            moments.push(numbers);
        }
        Ok((listing, moments))
    }
}

fn transcript_of(fields: &Value) -> Option<(TranscriptListing, Moments)> {
    let formats = [
        TranscriptFormat::Vtt,
        TranscriptFormat::Srt,
        TranscriptFormat::Json,
        TranscriptFormat::Html,
        TranscriptFormat::Text,
    ];
    let numbers = fields.get(2)?.as_array()?.iter().map(Value::as_i64);
    let listing = TranscriptListing {
        address: fields.get(0)?.as_str()?.to_owned(),
        format: *formats.get(fields.get(1)?.as_u64()? as usize)?,
    };
    Some((listing, Moments(numbers.collect::<Option<_>>()?)))
}

/// When each passage begins, in seconds, where times are known, and at which byte.
fn starts(moments: &Moments) -> impl Iterator<Item = (Option<u32>, usize)> {
    let (mut second, mut byte) = (0i64, 0i64);
    moments.0.chunks_exact(2).map(move |pair| {
        second = second.saturating_add(pair[0].max(0));
        byte = byte.saturating_add(pair[1]);
        let known = (pair[0] >= 0).then(|| u32::try_from(second).unwrap_or(u32::MAX));
        (known, usize::try_from(byte).unwrap_or(0))
    })
}

/// How much a word tells: 16 times the binary logarithm of how rare it is, at least 1.
fn idf(documents: u32, frequency: usize) -> u32 {
    let rarity = f64::from(documents + 1) / (frequency as f64 + 0.5);
    ((16.0 * rarity.log2()).round() as i64).max(1) as u32
}

/// The weight of a word with typos in a title.
const MISSPELLED: u32 = 5;

fn weight(weight: Weight, is_whole: bool) -> u32 {
    match (weight, is_whole) {
        (Weight::Title, true) => 10,
        (Weight::Title, false) => 6,
        (Weight::Often, true) => 4,
        (Weight::Often, false) | (Weight::Several, true) => 3,
        (Weight::Several, false) | (Weight::Once, true) => 2,
        (Weight::Once, false) => 1,
    }
}

/// Whether the lists alone tell if a document matches a clause. Otherwise its texts are looked through.
fn is_decided(clause: &Clause) -> bool {
    match clause {
        Clause::Words { words, .. } => words.len() == 1,
        Clause::Literal(text) => text.chars().all(is_dense) && text.chars().nth(2).is_none(),
    }
}
