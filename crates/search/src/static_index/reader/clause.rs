//! Finds the matches of a query's clause.

use std::collections::BTreeSet;

use super::lookup::{Extent, Lists};
use super::{Matches, Published, Reader};
use crate::pairs::push_pairs;
use crate::query::{Clause, Field};
use crate::static_index::Damaged;
use crate::static_index::beginnings::DOCUMENTS_ALONE_MAX;
use crate::static_index::list::Weight;
use crate::static_index::words::{BEGINNING, SPELLED_OTHERWISE, SPELLING, cut, is_marked};
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
                        each.push(self.beginning_with(run)?);
                    }
                }
                Ok(self.together(each))
            }
        }
    }

    /// Returns the matches of several words that must occur together: in one document, or in one
    /// passage and the next.
    fn together(&self, mut each: Vec<Matches>) -> Matches {
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
            all.spelled_otherwise.extend(one.spelled_otherwise);
        }
        all
    }

    /// Returns the matches of a word and, if `prefix` is set, of the words that begin with it.
    fn word(&self, word: &str, spelling: Option<&str>, prefix: bool) -> Result<Matches, Damaged> {
        let mut word = word.to_owned();
        cut(&mut word);
        let extent = if prefix { Extent::Beginning } else { Extent::Word };
        let mut records = self.records(&word, extent)?;
        if word.chars().count() <= DOCUMENTS_ALONE_MAX {
            let longer =
                records.iter_mut().filter(|(token, _)| *token != word && !is_marked(token));
            longer.for_each(|(_, lists)| lists.passages.clear());
        }
        let beginning = format!("{word}{BEGINNING}");
        let is_wanted = |token: &str| !is_marked(token) || token == beginning;
        let lists = records.iter().filter(|(token, _)| is_wanted(token));
        let mut matches = self.scored(lists.map(|(token, lists)| (lists, *token == word)));
        let documents_of = |is_wanted: &dyn Fn(&str) -> bool| -> BTreeSet<u32> {
            let wanted = records.iter().filter(|(token, _)| is_wanted(token));
            wanted.flat_map(|(_, lists)| self.documents_of(lists)).collect()
        };
        matches.spelled_otherwise = match spelling {
            Some(typed) => {
                let mut whole = format!("{word}{SPELLING}{typed}");
                cut(&mut whole);
                // If the longer words were not fetched, their spellings do not count.
                let is_whole = !prefix
                    || typed.chars().count() <= DOCUMENTS_ALONE_MAX
                    || records.iter().any(|(token, _)| *token == beginning);
                let is_typed = |token: &str| match token.split_once(SPELLING) {
                    Some(_) if is_whole => token == whole,
                    Some((_, spelling)) => spelling.starts_with(typed),
                    None => false,
                };
                self.without(&matches, &documents_of(&is_typed))
            }
            None => {
                let otherwise = format!("{word}{SPELLED_OTHERWISE}");
                let own = records.iter().filter(|(token, _)| *token == otherwise);
                let other = own.flat_map(|(_, lists)| &lists.documents);
                let other: BTreeSet<u32> = other.map(|posting| posting.number()).collect();
                if prefix && !other.is_empty() {
                    let whole = documents_of(&|token| token == word);
                    self.without(&matches, &(&whole - &other))
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
        let said = passages.map(|passage| self.document_of(*passage));
        own.chain(said).collect()
    }

    fn without(&self, matches: &Matches, exact: &BTreeSet<u32>) -> BTreeSet<u32> {
        let all = self.by_document(matches).into_keys();
        all.filter(|document| !exact.contains(document)).collect()
    }

    fn exactly(&self, token: &str) -> Result<Matches, Damaged> {
        let lists = self.lists(token)?;
        Ok(self.scored([(&lists, true)].into_iter()))
    }

    /// Returns the matches of the dense pairs that begin with a character.
    fn beginning_with(&self, character: &str) -> Result<Matches, Damaged> {
        let records = self.records(character, Extent::All)?;
        Ok(self.scored(records.iter().map(|(_, lists)| (lists, true))))
    }

    /// Scores lists. The flag of each list shows whether it belongs to the whole word.
    fn scored<'l>(&self, lists: impl Iterator<Item = (&'l Lists, bool)> + Clone) -> Matches {
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

/// Returns the significance of a word: 16 times the binary logarithm of its rarity, at least 1.
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
