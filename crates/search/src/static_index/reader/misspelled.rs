//! Finds documents with titles similar to a misspelled query.

use std::collections::{BTreeMap, BTreeSet};

use super::clause::idf;
use super::{Matches, Published, Rank, Reader};
use crate::query::Clause;
use crate::static_index::list::Weight;
use crate::static_index::{Damaged, titles};
use crate::typos::{MAX_ALTERNATIVES, tolerance};

/// Weight of a title word that differs from the query's word by typos.
const TYPO_WEIGHT: u32 = 5;

/// A title word that the reader may have meant: the number of typos, and the scores of the
/// documents with this word in their titles.
type Alternative = (usize, BTreeMap<u32, u32>);

impl<P: Published> Reader<P> {
    /// Returns the documents whose titles match with typos, best first.
    pub(super) fn misspelled(
        &self,
        clauses: &[Clause],
        exact: &[Matches],
        seen: &BTreeSet<u32>,
    ) -> Result<Vec<Rank>, Damaged> {
        let mut similar_words: Vec<Vec<Alternative>> = Vec::new();
        for clause in clauses {
            similar_words.push(match clause {
                Clause::Words { words, .. } if words.len() == 1 => self.similar_words(&words[0])?,
                _ => Vec::new(),
            });
        }
        let mut ranks = Vec::new();
        let mut seen = seen.clone();
        for typos in 1..=2 {
            let mut scores: Vec<BTreeMap<u32, u32>> = Vec::new();
            for (exact, similar_words) in exact.iter().zip(&similar_words) {
                let mut all = self.by_document(exact);
                for (_, titles) in similar_words.iter().filter(|(distance, _)| *distance <= typos) {
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
                let others: Option<u32> =
                    others.iter().map(|other| other.get(document).copied()).sum();
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

    /// Returns the title words that are similar to `word`, with their distances and documents.
    fn similar_words(&self, word: &str) -> Result<Vec<Alternative>, Damaged> {
        let length = word.chars().count();
        let tolerance = tolerance(word, length);
        if tolerance == 0 {
            return Ok(Vec::new());
        }
        let mut similar_words: Vec<(usize, String)> = Vec::new();
        let buckets: BTreeSet<u32> = (length - tolerance..=length + tolerance)
            .map(|length| (length as u32).min(titles::MAX_LENGTH))
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
                    similar_words.push((distance, known.to_owned()));
                }
            }
        }
        similar_words.sort();
        similar_words.truncate(MAX_ALTERNATIVES);
        let mut all = Vec::new();
        for (distance, word) in similar_words {
            let lists = self.lists(&word)?;
            let idf = idf(self.entry.documents, lists.documents.len());
            let in_title = lists.documents.iter().filter(|one| one.weight() == Weight::Title);
            let titles = in_title.map(|one| (one.number(), idf * TYPO_WEIGHT)).collect();
            all.push((distance, titles));
        }
        Ok(all)
    }
}
