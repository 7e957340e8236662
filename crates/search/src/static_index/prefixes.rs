//! Tokens for prefixes that many words share. The token of a prefix has the merged lists of these
//! words, so that a search need not read the list of every word.
//!
//! Which prefixes have a token depends only on the words, so an index of the same documents always
//! has the same tokens.

use std::collections::HashMap;

use rayon::prelude::*;

use super::Damaged;
use super::list::{self, Posting, Weight};
use super::shard::{self, Record};
use super::words::{PREFIX_MARK, is_marked};
use crate::scripts::is_dense;
use crate::text::is_word;

/// For prefixes of at most this many letters, transcripts are not searched, because nearly every
/// passage of a transcript has a word with such a prefix.
pub(super) const MAX_DOCUMENT_ONLY_LETTERS: usize = 2;

/// Returns whether the token of a prefix lists passages.
pub(super) fn has_passages(prefix_text: &str) -> bool {
    prefix_text.chars().nth(MAX_DOCUMENT_ONLY_LETTERS).is_some()
}

/// Returns the maximum number of shards that a reader fetches to find the longer words with a
/// prefix. This number grows with the number of documents: tokens then save less and take more
/// space.
pub(super) fn shards_without_token(documents: usize) -> usize {
    documents.div_ceil(32_768)
}

/// Returns the minimum total size, in bytes, of the longer words with a prefix. Only prefixes that
/// reach this size get a token.
pub(super) fn min_bytes(documents: usize) -> usize {
    shard::MIN_BYTES * shards_without_token(documents)
}

/// Adds a token for each prefix whose longer words take at least `min_bytes` bytes, except in dense
/// scripts. `records` must be in order, and the result is in order too. `known` holds tokens that
/// are already complete.
pub(super) fn add<'s>(
    records: Vec<Record<'s>>,
    known: Vec<Record<'s>>,
    min_bytes: usize,
    documents: usize,
    passages: usize,
) -> Result<Vec<Record<'s>>, Damaged> {
    let known = known.into_iter();
    let unions = Unions {
        known: known.map(|token| (token.word.clone(), token)).collect(),
        min_bytes,
        documents,
        passages,
    };
    let (_, prefixes) = unions.parts(&records, 0, "");
    let is_plain = |one: &TokenPrefix<'_, '_>| {
        one.text.starts_with(|first| is_word(first) && !is_dense(first))
    };
    let tokens: Result<Vec<Vec<Token<'s>>>, Damaged> = prefixes
        .into_par_iter()
        .filter(is_plain)
        .map(|prefix_text| unions.tokens(&prefix_text))
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

/// A prefix that has its own token.
struct TokenPrefix<'r, 's> {
    text: &'r str,
    /// The words that are longer than the prefix, and the tokens of their spellings.
    longer: &'r [Record<'s>],
    /// Index of the first record of `longer` among all records.
    at: usize,
}

/// The token of a prefix, and the index of the record before which it is inserted.
struct Token<'s> {
    at: usize,
    record: Record<'s>,
}

/// The merged lists of all longer words with a prefix.
struct Union {
    /// For each document, the greatest weight of these words plus 1, or 0 if it has none of the
    /// words.
    documents: Vec<u8>,
    /// For each passage, whether it has one of the words. Empty for prefixes that are searched only
    /// in documents.
    passages: Vec<bool>,
}

struct Unions<'s> {
    known: HashMap<String, Record<'s>>,
    min_bytes: usize,
    documents: usize,
    passages: usize,
}

impl<'s> Unions<'s> {
    /// Groups `longer`, the words that begin with a prefix, by their next letter. Returns the
    /// longer prefixes that get a token, and the words that none of these prefixes covers. `at` is
    /// the index of the first word in `longer`.
    fn parts<'r>(
        &self,
        longer: &'r [Record<'s>],
        mut at: usize,
        prefix_text: &str,
    ) -> (Vec<&'r [Record<'s>]>, Vec<TokenPrefix<'r, 's>>) {
        let mut parts = (Vec::new(), Vec::new());
        let letter = |record: &Record<'s>| record.word[prefix_text.len()..].chars().next();
        for group in longer.chunk_by(|one, other| letter(one) == letter(other)) {
            let end = prefix_text.len() + letter(&group[0]).map_or(0, char::len_utf8);
            let is_longer = |record: &Record<'s>| {
                let next = record.word.as_bytes().get(end);
                next.is_some_and(|next| u32::from(*next) > u32::from(PREFIX_MARK))
            };
            let (own, longer) = group.split_at(group.partition_point(|one| !is_longer(one)));
            let size: usize = longer.iter().map(Record::size).sum();
            if longer.is_empty() || size < self.min_bytes {
                parts.0.push(group);
            } else {
                parts.0.push(own);
                parts.1.push(TokenPrefix {
                    text: &longer[0].word[..end],
                    longer,
                    at: at + own.len(),
                });
            }
            at += group.len();
        }
        parts
    }

    /// Returns the token of a prefix, and the tokens of all longer prefixes that begin with it, in
    /// order.
    fn tokens(&self, prefix_text: &TokenPrefix<'_, 's>) -> Result<Vec<Token<'s>>, Damaged> {
        let (words, prefixes) = self.parts(prefix_text.longer, prefix_text.at, prefix_text.text);
        let inner = prefixes.par_iter().map(|inner| self.tokens(inner));
        let inner: Vec<Vec<Token<'s>>> = inner.collect::<Result<_, _>>()?;
        let name = format!("{}{PREFIX_MARK}", prefix_text.text);
        let record = match self.known.get(&name) {
            Some(known) => known.clone(),
            None => {
                let words = words.into_iter().flatten();
                let words = words.filter(|record| !is_marked(&record.word));
                let inner = inner.iter().flat_map(|tokens| tokens.first());
                let both = words.chain(inner.map(|token| &token.record));
                self.union(prefix_text.text, both)?.record(name)
            }
        };
        let at = prefix_text.at;
        let inner = inner.into_iter().flatten();
        Ok(std::iter::once(Token { at, record }).chain(inner).collect())
    }

    /// Merges the lists of the records.
    fn union<'r>(
        &self,
        prefix_text: &str,
        records: impl Iterator<Item = &'r Record<'s>>,
    ) -> Result<Union, Damaged>
    where
        's: 'r,
    {
        let has_passages = has_passages(prefix_text);
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
