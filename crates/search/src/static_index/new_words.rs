//! The collected words in order, and the documents and passages that have each word.

use std::ops::Range;

use rayon::prelude::*;

use super::list::{Posting, Weight};
use super::prefixes::has_passages;
use super::shard::order;
use super::words::is_marked;
use super::worker::Worker;

/// The collected words in order. A word's rank is its index in this order.
pub struct NewWords<'g> {
    workers: Vec<NumberedWorker<'g>>,
    /// The tokens of all workers, in the order of their text.
    tokens: Vec<Token<'g>>,
    /// For each word, the index of its first token in `tokens`. The last element is the number of
    /// tokens.
    starts: Vec<usize>,
}

/// A worker, and the number in the new index of each passage that the worker read.
struct NumberedWorker<'g> {
    worker: &'g Worker,
    passages: Vec<u32>,
}

/// A token that one worker has collected.
struct Token<'g> {
    text: &'g str,
    worker: usize,
    id: u32,
}

impl<'g> NewWords<'g> {
    /// Collects the words of the workers. `first_passage` holds the number of each document's first
    /// passage.
    pub fn of(workers: impl Iterator<Item = &'g Worker>, first_passage: &[u32]) -> Self {
        let workers: Vec<NumberedWorker<'g>> =
            workers.map(|worker| NumberedWorker::of(worker, first_passage)).collect();
        let all = workers.iter().enumerate();
        let mut tokens: Vec<Token<'g>> = all
            .flat_map(|(number, numbered)| {
                let worker = numbered.worker;
                (0..worker.tokens()).map(move |id| Token {
                    text: worker.token(id),
                    worker: number,
                    id,
                })
            })
            .collect();
        tokens.par_sort_unstable_by(|one, other| order(one.text, other.text));
        let mut starts = vec![0];
        for same in tokens.chunk_by(|one, other| one.text == other.text) {
            starts.extend(starts.last().map(|start| start + same.len()));
        }
        Self { workers, tokens, starts }
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn word(&self, rank: usize) -> &'g str {
        self.tokens[self.starts[rank]].text
    }

    /// Returns the rank of the first word that is equal to `word` or sorts after it.
    pub fn rank_of(&self, word: &str) -> usize {
        let ranks = &self.starts[..self.len()];
        ranks.partition_point(|start| order(self.tokens[*start].text, word).is_lt())
    }

    /// Splits the words into consecutive ranges. The lists of each range take about `bytes` bytes.
    pub fn parts(&self, bytes: usize) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let (mut start, mut size) = (0, 0);
        for rank in 0..self.len() {
            let tokens = self.tokens_of(rank).iter();
            let sizes =
                tokens.map(|token| self.workers[token.worker].worker.list(token.id).bytes());
            size += sizes.sum::<usize>();
            if size >= bytes || rank + 1 == self.len() {
                parts.push(start..rank + 1);
                (start, size) = (rank + 1, 0);
            }
        }
        parts
    }

    fn tokens_of(&self, rank: usize) -> &[Token<'g>] {
        &self.tokens[self.starts[rank]..self.starts[rank + 1]]
    }

    /// Adds the documents and the passages that have a word, in order.
    pub fn read(&self, rank: usize, documents: &mut Vec<Posting>, passages: &mut Vec<Posting>) {
        self.add_unsorted(rank, documents, passages);
        // The lists come from several workers, and each list is nearly in order.
        documents.sort();
        passages.sort();
    }

    fn add_unsorted(&self, rank: usize, documents: &mut Vec<Posting>, passages: &mut Vec<Posting>) {
        for token in self.tokens_of(rank) {
            let NumberedWorker { worker, passages: numbers } = &self.workers[token.worker];
            worker.list(token.id).read_both(
                |posting| documents.push(posting),
                |passage| {
                    passages.push(Posting::new(numbers[passage as usize], Weight::Once));
                },
            );
        }
    }

    /// Adds, in order, the documents and passages that have a longer word with this prefix. If a
    /// document has several such words, only the greatest weight is kept.
    pub fn read_longer(
        &self,
        prefix_text: &str,
        documents: &mut Vec<Posting>,
        passages: &mut Vec<Posting>,
    ) {
        for rank in self.rank_of(prefix_text)..self.len() {
            let word = self.word(rank);
            if !word.starts_with(prefix_text) {
                break;
            }
            if word != prefix_text && !is_marked(word) {
                self.add_unsorted(rank, documents, passages);
            }
        }
        documents.sort_unstable();
        documents.dedup_by(|next, kept| {
            let is_same = next.number() == kept.number();
            if is_same {
                *kept = *next;
            }
            is_same
        });
        passages.sort_unstable();
        passages.dedup();
        if !has_passages(prefix_text) {
            passages.clear();
        }
    }
}

impl<'g> NumberedWorker<'g> {
    fn of(worker: &'g Worker, first_passage: &[u32]) -> Self {
        let mut number = 0;
        let mut of_last = None;
        let numbers = worker.passages().iter().map(|document| {
            if of_last.replace(document) == Some(document) {
                number += 1;
            } else {
                number = first_passage.get(*document as usize).copied().unwrap_or(0);
            }
            number
        });
        Self { passages: numbers.collect(), worker }
    }
}
