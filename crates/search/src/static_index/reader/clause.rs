//! Finds the matches of a clause.

use std::collections::BTreeSet;

use super::lookup::{Extent, Lists};
use super::{Matches, Published, Reader};
use crate::pairs::push_pairs;
use crate::query::{Clause, Field};
use crate::static_index::Damaged;
use crate::static_index::list::Weight;
use crate::static_index::prefixes::MAX_DOCUMENT_ONLY_LETTERS;
use crate::static_index::words::{
    OTHER_SPELLING_MARK, PREFIX_MARK, SPELLING_MARK, is_marked, truncate_token,
};
use crate::text::{Run, runs};

impl<P: Published> Reader<P> {
    pub(super) fn clause(&self, clause: &Clause) -> Result<Matches, Damaged> {
        match clause {
            Clause::Words { words, spellings, prefix, .. } => {
                let mut each = Vec::new();
                let last = words.len() - 1;
                for (number, (word, spelling)) in words.iter().zip(spellings).enumerate() {
                    each.push(self.word(word, spelling.as_deref(), *prefix && number == last)?);
                }
                Ok(self.intersect(each))
            }
            Clause::Literal(text) => {
                let mut each = Vec::new();
                for (at, run) in runs(text) {
                    let Run::Dense(run) = run else { continue };
                    let mut pairs = String::new();
                    push_pairs(text, at, run, Field::Content, &mut pairs);
                    for pair in pairs.split_ascii_whitespace() {
                        each.push(self.exact_matches(pair)?);
                    }
                    if pairs.is_empty() {
                        each.push(self.pairs_starting_with(run)?);
                    }
                }
                Ok(self.intersect(each))
            }
        }
    }

    /// Returns the matches of several words that must occur together: in one document, or in a
    /// passage and the one after it.
    fn intersect(&self, mut each: Vec<Matches>) -> Matches {
        if each.len() == 1 {
            return each.remove(0);
        }
        let mut all = Matches::default();
        let Some((first, others)) = each.split_first() else {
            return all;
        };
        for (document, score) in &first.documents {
            let others: Option<Vec<u32>> =
                others.iter().map(|other| other.documents.get(document).copied()).collect();
            if let Some(others) = others {
                all.documents.insert(*document, score + others.iter().sum::<u32>());
            }
        }
        for passage in first.passages.keys().flat_map(|at| [at.saturating_sub(1), *at]) {
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
            all.other_spelling.extend(one.other_spelling);
        }
        all
    }

    /// Returns the matches of a word and, if `prefix` is set, of the words that begin with it.
    fn word(&self, word: &str, spelling: Option<&str>, prefix: bool) -> Result<Matches, Damaged> {
        let mut word = word.to_owned();
        truncate_token(&mut word);
        let extent = if prefix { Extent::Prefix } else { Extent::Word };
        let mut records = self.records(&word, extent)?;
        if word.chars().count() <= MAX_DOCUMENT_ONLY_LETTERS {
            let longer =
                records.iter_mut().filter(|(token, _)| *token != word && !is_marked(token));
            longer.for_each(|(_, lists)| lists.passages.clear());
        }
        let prefix_text = format!("{word}{PREFIX_MARK}");
        let is_wanted = |token: &str| !is_marked(token) || token == prefix_text;
        let lists = records.iter().filter(|(token, _)| is_wanted(token));
        let mut matches = self.score_lists(lists.map(|(token, lists)| (lists, *token == word)));
        let documents_of = |is_wanted: &dyn Fn(&str) -> bool| -> BTreeSet<u32> {
            let wanted = records.iter().filter(|(token, _)| is_wanted(token));
            wanted.flat_map(|(_, lists)| self.documents_of(lists)).collect()
        };
        matches.other_spelling = match spelling {
            Some(typed) => {
                let mut whole = format!("{word}{SPELLING_MARK}{typed}");
                truncate_token(&mut whole);
                // If the longer words were not fetched, their spellings are unknown and do not
                // count.
                let is_whole = !prefix
                    || typed.chars().count() <= MAX_DOCUMENT_ONLY_LETTERS
                    || records.iter().any(|(token, _)| *token == prefix_text);
                let is_typed = |token: &str| match token.split_once(SPELLING_MARK) {
                    Some(_) if is_whole => token == whole,
                    Some((_, spelling)) => spelling.starts_with(typed),
                    None => false,
                };
                self.inexact_documents(&matches, &documents_of(&is_typed))
            }
            None => {
                let otherwise = format!("{word}{OTHER_SPELLING_MARK}");
                let own = records.iter().filter(|(token, _)| *token == otherwise);
                let other = own.flat_map(|(_, lists)| &lists.documents);
                let other: BTreeSet<u32> = other.map(|posting| posting.number()).collect();
                if prefix && !other.is_empty() {
                    let whole = documents_of(&|token| token == word);
                    self.inexact_documents(&matches, &(&whole - &other))
                } else {
                    other
                }
            }
        };
        Ok(matches)
    }

    fn documents_of(&self, lists: &Lists) -> BTreeSet<u32> {
        let own = lists.documents.iter().map(|posting| posting.number());
        let passages = lists.passages.iter();
        let spoken_text = passages.map(|passage| self.document_of(*passage));
        own.chain(spoken_text).collect()
    }

    fn inexact_documents(&self, matches: &Matches, exact: &BTreeSet<u32>) -> BTreeSet<u32> {
        let all = self.by_document(matches).into_keys();
        all.filter(|document| !exact.contains(document)).collect()
    }

    fn exact_matches(&self, token: &str) -> Result<Matches, Damaged> {
        let lists = self.lists(token)?;
        Ok(self.score_lists([(&lists, true)].into_iter()))
    }

    /// Returns the matches of all pairs of dense-script characters that begin with `character`.
    fn pairs_starting_with(&self, character: &str) -> Result<Matches, Damaged> {
        let records = self.records(character, Extent::All)?;
        Ok(self.score_lists(records.iter().map(|(_, lists)| (lists, true))))
    }

    /// Scores the documents and passages in `lists`. The flag of each list shows whether it belongs
    /// to the whole word or to a longer word.
    fn score_lists<'l>(&self, lists: impl Iterator<Item = (&'l Lists, bool)> + Clone) -> Matches {
        let frequency: usize = lists.clone().map(|(lists, _)| lists.documents.len()).sum();
        let frequency = frequency.min(self.entry.documents as usize);
        let idf = idf(self.entry.documents, frequency);
        let mut matches = Matches::default();
        for (lists, is_whole) in lists {
            for posting in &lists.documents {
                let score = idf * weight(posting.weight(), is_whole);
                let best = matches.documents.entry(posting.number()).or_default();
                *best = (*best).max(score);
            }
            for passage in &lists.passages {
                matches.passages.insert(*passage, idf);
            }
        }
        matches
    }
}

/// Returns the significance of a word: 16 times the binary logarithm of its rarity, and at least 1.
pub(super) fn idf(documents: u32, frequency: usize) -> u32 {
    let rarity = f64::from(documents + 1) / (frequency as f64 + 0.5);
    ((16.0 * rarity.log2()).round() as i64).max(1) as u32
}

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
