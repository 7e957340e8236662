//! The words that were gathered, in order, and where each is.

use std::ops::Range;

use rayon::prelude::*;

use super::list::{Posting, Weight};
use super::make::Planned;
use super::shard::order;
use super::words::{Gathered, GatheredToken, Gathering, Token, WorkerTokens};

/// The words that were gathered, in order. The index of one is its rank.
pub(super) struct NewWords {
    pub words: Vec<NewWord>,
    /// The tokens of each worker.
    workers: Vec<Vec<Ranked>>,
    /// For each word the number of postings of all before it, and at the end that of all.
    sums: Vec<usize>,
}

/// A token of one worker.
#[derive(Clone, Copy, Default)]
struct Ranked {
    rank: u32,
    documents: u32,
    passages: u32,
}

pub(super) struct NewWord {
    pub text: String,
    /// For each worker that knows it, its token there.
    tokens: Vec<Token>,
}

impl NewWords {
    pub fn of(gathering: &Gathering, documents: &[Planned<'_>]) -> Self {
        let workers = gathering.workers();
        let mut tokens: Vec<GatheredToken<'_>> =
            workers.iter().flat_map(WorkerTokens::all).collect();
        tokens.par_sort_unstable_by(|one, other| order(one.text, other.text));
        let counted = (0..workers.len()).into_par_iter();
        let mut new = Self {
            words: Vec::new(),
            workers: counted.map(|worker| counted_of(worker, &workers[worker], documents)).collect(),
            sums: vec![0],
        };
        for gathered in tokens {
            new.add(&gathered);
        }
        new
    }

    fn add(&mut self, gathered: &GatheredToken<'_>) {
        let token = gathered.token;
        match self.words.last_mut() {
            Some(last) if last.text == gathered.text => last.tokens.push(token),
            _ => {
                self.words.push(NewWord {
                    text: gathered.text.to_owned(),
                    tokens: vec![token],
                });
                self.sums.extend(self.sums.last().copied());
            }
        }
        let rank = self.words.len() - 1;
        let ranked = &mut self.workers[token.worker][token.id as usize];
        ranked.rank = rank as u32;
        self.sums[rank + 1] += (ranked.documents + ranked.passages) as usize;
    }

    /// How many postings these words have.
    pub fn postings(&self, ranks: &Range<usize>) -> usize {
        self.sums[ranks.end] - self.sums[ranks.start]
    }
}

/// The tokens of a worker, each with how many documents and passages have it.
fn counted_of(
    worker: usize,
    tokens: &WorkerTokens<'_>,
    documents: &[Planned<'_>],
) -> Vec<Ranked> {
    let mut counted = vec![Ranked::default(); tokens.len()];
    for words in of_worker(worker, documents).map(|(_, words)| words) {
        words.each_word(|token, _| counted[token as usize].documents += 1);
        for passage in 0..words.passages() {
            words.each_word_of(passage, |token, _| counted[token as usize].passages += 1);
        }
    }
    counted
}

/// The documents whose words this worker gathered, each with its number.
fn of_worker<'d>(
    worker: usize,
    documents: &'d [Planned<'d>],
) -> impl Iterator<Item = (usize, &'d Gathered)> {
    let numbered = documents.iter().enumerate();
    numbered.filter_map(move |(number, document)| {
        let words = document.words.filter(|words| words.worker == worker)?;
        Some((number, words))
    })
}

/// The documents and passages that have the words of some ranks.
pub(super) struct NewPostings<'n> {
    new: &'n NewWords,
    /// Of each worker.
    workers: Vec<WorkerPostings>,
}

/// The postings of one worker's documents, by token.
struct WorkerPostings {
    documents: Lists,
    passages: Lists,
}

/// Lists, one after the other.
struct Lists {
    postings: Vec<Posting>,
    /// For each token where its list ends.
    ends: Vec<u32>,
}

impl Lists {
    fn with_lengths(lengths: impl Iterator<Item = u32>) -> Self {
        let mut start = 0;
        let starts = lengths.map(|length| {
            start += length;
            start - length
        });
        // Where a list is to be filled; once it is full, where it ends.
        let ends = starts.collect();
        Self {
            postings: vec![Posting::new(0, Weight::Once); start as usize],
            ends,
        }
    }

    fn push(&mut self, token: u32, posting: Posting) {
        let end = &mut self.ends[token as usize];
        self.postings[*end as usize] = posting;
        *end += 1;
    }

    fn get(&self, token: u32) -> &[Posting] {
        let token = token as usize;
        let start = match token {
            0 => 0,
            _ => self.ends[token - 1],
        };
        &self.postings[start as usize..self.ends[token] as usize]
    }
}

impl<'n> NewPostings<'n> {
    pub fn of(
        ranks: Range<usize>,
        new: &'n NewWords,
        documents: &[Planned<'_>],
        first_passage: &[u32],
    ) -> Self {
        let workers = new.workers.par_iter().enumerate();
        let workers = workers.map(|(worker, tokens)| {
            let is_wanted = |token: &Ranked| ranks.contains(&(token.rank as usize));
            let has = |token: u32| is_wanted(&tokens[token as usize]);
            let lists = |count: fn(&Ranked) -> u32| {
                let counts = tokens.iter();
                Lists::with_lengths(counts.map(|token| match is_wanted(token) {
                    true => count(token),
                    false => 0,
                }))
            };
            let mut own = WorkerPostings {
                documents: lists(|token| token.documents),
                passages: lists(|token| token.passages),
            };
            for (number, words) in of_worker(worker, documents) {
                words.each_word(|token, weight| {
                    if has(token) {
                        own.documents
                            .push(token, Posting::new(number as u32, weight));
                    }
                });
                for passage in 0..words.passages() {
                    let number = first_passage[number] + passage as u32;
                    words.each_word_of(passage, |token, weight| {
                        if has(token) {
                            own.passages.push(token, Posting::new(number, weight));
                        }
                    });
                }
            }
            own
        });
        Self {
            new,
            workers: workers.collect(),
        }
    }

    /// The documents and the passages that have a word, in order.
    pub fn of_word(&self, rank: usize) -> (Vec<Posting>, Vec<Posting>) {
        let mut both = (Vec::new(), Vec::new());
        for token in &self.new.words[rank].tokens {
            let postings = &self.workers[token.worker];
            both.0.extend_from_slice(postings.documents.get(token.id));
            both.1.extend_from_slice(postings.passages.get(token.id));
        }
        // Two workers' lists, each in order.
        both.0.sort();
        both.1.sort();
        both
    }
}
