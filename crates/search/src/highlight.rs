//! Finds the clauses of a query that match a document's text, and the positions of the matches.

use std::borrow::Cow;
use std::ops::Range;
use std::slice;

use super::query::Clause;
use super::text::{Run, fold_word, joined, literal, runs, starts_cluster};

/// Matches a query's clauses against text, and marks the positions of the matches.
pub(super) struct Marker<'a> {
    pub(super) phrases: Vec<Phrase<'a>>,
    pub(super) literals: Vec<(u128, &'a str)>,
}

pub(super) struct Phrase<'a> {
    clause: u128,
    words: Vec<&'a str>,
    prefix: bool,
}

impl<'a> Marker<'a> {
    /// Creates a marker for the clauses. `alternatives` holds similar words for each clause, which
    /// match too.
    pub fn new(clauses: &'a [Clause], alternatives: &[Vec<&'a str>]) -> Self {
        let mut marker = Self { phrases: Vec::new(), literals: Vec::new() };
        for (number, clause) in clauses.iter().enumerate() {
            let bit = 1 << (number % 128);
            match clause {
                Clause::Literal(text) => marker.literals.push((bit, text)),
                Clause::Words { words, prefix, .. } => marker.phrases.push(Phrase {
                    clause: bit,
                    words: words.iter().map(String::as_str).collect(),
                    prefix: *prefix,
                }),
            }
            for alternative in alternatives.get(number).into_iter().flatten() {
                marker.phrases.push(Phrase {
                    clause: bit,
                    words: vec![alternative],
                    prefix: false,
                });
            }
        }
        marker
    }

    /// Returns a bitmask of the clauses that match `text`.
    pub fn clauses(&self, text: &str) -> u128 {
        let mut found = 0;
        if !self.phrases.is_empty() {
            self.mark_words(text, |_, clause| found |= clause);
        }
        if !self.literals.is_empty() {
            let text = literal(text);
            let literals = self.literals.iter();
            let held = literals.filter(|(_, literal)| text.contains(literal));
            found = held.fold(found, |all, (clause, _)| all | clause);
        }
        found
    }

    /// Returns a bitmask of all clauses.
    pub fn all_clauses(&self) -> u128 {
        let words = self.phrases.iter().map(|phrase| phrase.clause);
        let literals = self.literals.iter().map(|&(clause, _)| clause);
        words.chain(literals).fold(0, |all, clause| all | clause)
    }

    /// Calls `found` with the range of each matching phrase, and the bit of its clause.
    pub(super) fn mark_words(&self, text: &str, mut found: impl FnMut(Range<usize>, u128)) {
        let mut words: Vec<Word> = Vec::with_capacity(text.len() / 5);
        words.extend(runs(text).filter_map(|(at, run)| Word::new(at, run)));
        let single = |phrase: &&Phrase<'_>| phrase.words.len() == 1;
        if self.phrases.iter().any(|phrase| single(&phrase)) {
            for range in joined(text) {
                let Some(word) = Word::new(range.start, Run::Word(&text[range.clone()])) else {
                    continue;
                };
                let phrases = self.phrases.iter().filter(single);
                for phrase in phrases {
                    if phrase.match_start(slice::from_ref(&word)).is_some() {
                        found(range.clone(), phrase.clause);
                    }
                }
            }
        }
        for (number, first) in words.iter().enumerate() {
            for phrase in &self.phrases {
                if let Some(length) = phrase.match_start(&words[number..]) {
                    let last = &words[number + length - 1];
                    found(first.at..last.at + last.length, phrase.clause);
                }
            }
        }
    }
}

/// A word, or a run of dense-script characters. Such a run between two words separates them, so no
/// phrase matches across the run.
struct Word<'t> {
    at: usize,
    length: usize,
    /// The word as its author wrote it. It is folded only when it is compared, because folding
    /// every word would be slow. Empty for a run of dense-script characters.
    written: &'t str,
}

impl<'t> Word<'t> {
    /// Returns None for a word that is empty when folded.
    fn new(at: usize, run: Run<'t>) -> Option<Self> {
        let (length, written) = match run {
            Run::Dense(run) => (run.len(), ""),
            Run::Word(word) => (word.len(), word),
        };
        let word = Self { at, length, written };
        (!written.starts_with(may_fold_to_nothing) || !word.folded().is_empty()).then_some(word)
    }

    /// Returns the folded word. A word of ASCII letters and digits keeps its case.
    fn folded(&self) -> Cow<'t, str> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric();
        if self.written.bytes().all(is_plain) {
            return Cow::Borrowed(self.written);
        }
        let mut folded = String::new();
        fold_word(self.written, &mut folded);
        Cow::Owned(folded)
    }

    /// Returns whether the first letter alone rules out that the folded word begins with `wanted`.
    fn differs_in_first_letter(&self, wanted: &str) -> bool {
        let (Some(first), Some(wanted)) = (self.written.chars().next(), wanted.chars().next())
        else {
            return false;
        };
        if first.is_ascii() {
            return first.to_ascii_lowercase() != wanted;
        }
        if !starts_cluster(first) {
            return false;
        }
        let mut folded = String::new();
        fold_word(first.encode_utf8(&mut [0; 4]), &mut folded);
        folded.chars().next().is_some_and(|first| first != wanted)
    }
}

/// Returns whether a word with this first character may be empty when folded. Latin, Greek and
/// Cyrillic words never are.
fn may_fold_to_nothing(first: char) -> bool {
    !matches!(first, '\0'..='\u{24F}' | '\u{386}'..='\u{481}')
}

impl Phrase<'_> {
    /// Returns the number of words in this phrase if `text` begins with the phrase.
    fn match_start(&self, text: &[Word<'_>]) -> Option<usize> {
        let text = text.get(..self.words.len())?;
        if text[0].differs_in_first_letter(self.words[0]) {
            return None;
        }
        let last = self.words.len() - 1;
        let matches = text.iter().zip(&self.words).enumerate().all(|(number, (word, wanted))| {
            let word = word.folded();
            let word = word.as_bytes();
            let match_start = word
                .get(..wanted.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(wanted.as_bytes()));
            match_start && (word.len() == wanted.len() || (self.prefix && number == last))
        });
        matches.then_some(self.words.len())
    }
}
