//! Where a text matches a query, shown as segments: the whole of a title, excerpts of a content.

use std::borrow::Cow;
use std::ops::Range;
use std::slice;

use super::query::Clause;
use super::text::{Mapped, Run, fold_word, joined, literal, runs, starts_cluster};

/// About how many characters an excerpt has.
const EXCERPT: usize = 160;
/// How many of them stand before the first match.
const BEFORE: usize = 40;
/// The most excerpts of one text.
const EXCERPTS_MAX: usize = 3;
/// How far an excerpt's end moves to fall between words, in bytes.
const SPACE_WITHIN: usize = 24;

/// A stretch of plain text: nothing in it is HTML, and nothing is escaped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The text as its author wrote it.
    pub text: String,
    /// Whether it is what the query asked for.
    pub matched: bool,
}

/// A matching stretch of a text, in bytes, and the clauses that it matches, a bit for each.
struct Mark {
    range: Range<usize>,
    clauses: u128,
}

/// Finds what a query's clauses match in a text.
pub(super) struct Marker<'a> {
    phrases: Vec<Phrase<'a>>,
    literals: Vec<(u128, &'a str)>,
}

struct Phrase<'a> {
    clause: u128,
    words: Vec<&'a str>,
    prefix: bool,
}

impl<'a> Marker<'a> {
    /// A marker of the clauses, and of the words that each may be a misspelling of.
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

    /// The whole text, cut where it matches.
    pub fn whole(&self, text: &str) -> Vec<Segment> {
        let mut segments = Segments::default();
        segments.stretch(text, 0..text.len(), &self.marks(text));
        segments.0
    }

    /// Excerpts of the text round its matches, or its beginning when nothing matches.
    pub fn excerpts(&self, text: &str) -> Vec<Segment> {
        let marks = self.marks(text);
        let mut segments = Segments::default();
        let mut shown = 0;
        for Excerpt { range, .. } in chosen(excerpts(text, &marks)) {
            if range.start > shown {
                segments.push(if shown == 0 { "…" } else { " … " }, false);
            }
            shown = range.end;
            segments.stretch(text, range, &marks);
        }
        if !text[shown..].trim().is_empty() {
            segments.push("…", false);
        }
        segments.0
    }

    /// A bit for each clause that matches in a text.
    pub fn clauses(&self, text: &str) -> u128 {
        let mut marks = Vec::new();
        if !self.phrases.is_empty() {
            self.mark_words(text, &mut marks);
        }
        let mut found = marks.iter().fold(0, |all, mark| all | mark.clauses);
        if !self.literals.is_empty() {
            let text = literal(text);
            let literals = self.literals.iter();
            let held = literals.filter(|(_, literal)| text.contains(literal));
            found = held.fold(found, |all, (clause, _)| all | clause);
        }
        found
    }

    /// A bit for each clause.
    pub fn all_clauses(&self) -> u128 {
        let words = self.phrases.iter().map(|phrase| phrase.clause);
        let literals = self.literals.iter().map(|&(clause, _)| clause);
        words.chain(literals).fold(0, |all, clause| all | clause)
    }

    /// All matches in order, without overlaps.
    fn marks(&self, text: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        if !self.phrases.is_empty() {
            self.mark_words(text, &mut marks);
        }
        if !self.literals.is_empty() {
            let mapped = Mapped::new(text);
            for &(clauses, literal) in &self.literals {
                marks.extend(mapped.find(literal).map(|range| Mark { range, clauses }));
            }
        }
        marks.sort_by_key(|mark| (mark.range.start, mark.range.end));
        marks.dedup_by(|mark, last| {
            let overlaps = mark.range.start < last.range.end;
            if overlaps {
                last.range.end = last.range.end.max(mark.range.end);
                last.clauses |= mark.clauses;
            }
            overlaps
        });
        marks
    }

    fn mark_words(&self, text: &str, marks: &mut Vec<Mark>) {
        let mut words: Vec<Word> = Vec::with_capacity(text.len() / 5);
        words.extend(runs(text).filter_map(|(at, run)| Word::new(at, run)));
        let single = |phrase: &&Phrase<'_>| phrase.words.len() == 1;
        if self.phrases.iter().any(|phrase| single(&phrase)) {
            for range in joined(text) {
                let Some(word) = Word::new(range.start, Run::Word(&text[range.clone()])) else {
                    continue;
                };
                let phrases = self.phrases.iter().filter(single);
                let found =
                    phrases.filter(|phrase| phrase.begins(slice::from_ref(&word)).is_some());
                marks.extend(
                    found.map(|phrase| Mark { range: range.clone(), clauses: phrase.clause }),
                );
            }
        }
        for (number, first) in words.iter().enumerate() {
            for phrase in &self.phrases {
                if let Some(length) = phrase.begins(&words[number..]) {
                    let last = &words[number + length - 1];
                    marks.push(Mark {
                        range: first.at..last.at + last.length,
                        clauses: phrase.clause,
                    });
                }
            }
        }
    }
}

/// A word of a text, or a dense run, which stands between the words of a phrase.
struct Word<'t> {
    at: usize,
    length: usize,
    /// As the author wrote it: few words are worth folding. It is empty for a dense run.
    written: &'t str,
}

impl<'t> Word<'t> {
    /// None for a word of which nothing is left when it is folded.
    fn new(at: usize, run: Run<'t>) -> Option<Self> {
        let (length, written) = match run {
            Run::Dense(run) => (run.len(), ""),
            Run::Word(word) => (word.len(), word),
        };
        let word = Self { at, length, written };
        (!written.starts_with(may_fold_away) || !word.folded().is_empty()).then_some(word)
    }

    /// Folded, but for the case of ASCII.
    fn folded(&self) -> Cow<'t, str> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric();
        if self.written.bytes().all(is_plain) {
            return Cow::Borrowed(self.written);
        }
        let mut folded = String::new();
        fold_word(self.written, &mut folded);
        Cow::Owned(folded)
    }

    /// Whether its first letter alone tells that, folded, it does not begin as a wanted word does.
    fn begins_otherwise(&self, wanted: &str) -> bool {
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

/// Whether a word that begins so may be empty when it is folded: Latin, Greek and Cyrillic ones never are.
fn may_fold_away(first: char) -> bool {
    !matches!(first, '\0'..='\u{24F}' | '\u{386}'..='\u{481}')
}

impl Phrase<'_> {
    /// The number of words of this phrase when a text begins with it.
    fn begins(&self, text: &[Word<'_>]) -> Option<usize> {
        let text = text.get(..self.words.len())?;
        if text[0].begins_otherwise(self.words[0]) {
            return None;
        }
        let last = self.words.len() - 1;
        let matches = text.iter().zip(&self.words).enumerate().all(|(number, (word, wanted))| {
            let word = word.folded();
            let word = word.as_bytes();
            let begins = word
                .get(..wanted.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(wanted.as_bytes()));
            begins && (word.len() == wanted.len() || (self.prefix && number == last))
        });
        matches.then_some(self.words.len())
    }
}

#[derive(Default)]
struct Segments(Vec<Segment>);

impl Segments {
    fn push(&mut self, text: &str, matched: bool) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.matched == matched => last.text.push_str(text),
            _ => self.0.push(Segment { text: text.to_owned(), matched }),
        }
    }

    /// Appends a range of a text as segments, cut at its marks.
    fn stretch(&mut self, text: &str, range: Range<usize>, marks: &[Mark]) {
        let mut at = range.start;
        for mark in marks {
            if mark.range.start >= at && mark.range.end <= range.end {
                self.push(&text[at..mark.range.start], false);
                self.push(&text[mark.range.clone()], true);
                at = mark.range.end;
            }
        }
        self.push(&text[at..range.end], false);
    }
}

/// A stretch of a text that holds matches.
struct Excerpt {
    range: Range<usize>,
    clauses: u128,
    marks: usize,
}

/// Every stretch that could be shown, without overlaps.
fn excerpts(text: &str, marks: &[Mark]) -> Vec<Excerpt> {
    let mut excerpts: Vec<Excerpt> = Vec::new();
    for mark in marks {
        let shown = match excerpts.last_mut() {
            Some(last) if mark.range.end <= last.range.end => {
                last.clauses |= mark.clauses;
                last.marks += 1;
                continue;
            }
            Some(last) => {
                // A mark that an excerpt's end would cut is left to the next one.
                last.range.end = last.range.end.min(mark.range.start);
                last.range.end
            }
            None => 0,
        };
        excerpts.push(Excerpt {
            range: around(text, shown, &mark.range),
            clauses: mark.clauses,
            marks: 1,
        });
    }
    if excerpts.is_empty() {
        excerpts.push(Excerpt { range: around(text, 0, &(0..0)), clauses: 0, marks: 0 });
    }
    excerpts
}

/// The excerpts that show the most clauses, then the most matches, in the order of the text.
fn chosen(mut excerpts: Vec<Excerpt>) -> Vec<Excerpt> {
    let mut chosen: Vec<Excerpt> = Vec::new();
    let mut shown = 0;
    while chosen.len() < EXCERPTS_MAX && !excerpts.is_empty() {
        let value = |e: &Excerpt| ((e.clauses & !shown).count_ones(), e.marks);
        let mut best = 0;
        for (number, excerpt) in excerpts.iter().enumerate() {
            if value(excerpt) > value(&excerpts[best]) {
                best = number;
            }
        }
        let excerpt = excerpts.remove(best);
        shown |= excerpt.clauses;
        chosen.push(excerpt);
    }
    chosen.sort_by_key(|excerpt| excerpt.range.start);
    chosen
}

/// A stretch that begins at `from` or later, holds a match, and is cut between words where it can be.
fn around(text: &str, from: usize, mark: &Range<usize>) -> Range<usize> {
    let before = &text[from..mark.start];
    let start = match before.char_indices().rev().nth(BEFORE) {
        Some((at, _)) => {
            let space = before[at..]
                .char_indices()
                .take_while(|&(offset, _)| offset <= SPACE_WITHIN)
                .find(|(_, c)| c.is_whitespace());
            let start = space.map_or(at, |(offset, c)| at + offset + c.len_utf8());
            from + before[start..]
                .find(starts_cluster)
                .map_or(before.len(), |offset| start + offset)
        }
        None => from,
    };
    let rest = &text[mark.end..];
    let length = EXCERPT.saturating_sub(text[start..mark.end].chars().count());
    let Some((at, first_left_out)) = rest.char_indices().nth(length) else {
        return start..text.len();
    };
    let space = rest[..at]
        .char_indices()
        .rev()
        .take_while(|&(offset, _)| at - offset <= SPACE_WITHIN)
        .find(|(_, c)| c.is_whitespace());
    let end = match space {
        Some((offset, _)) => offset,
        None => rest[..at + first_left_out.len_utf8()]
            .char_indices()
            .rev()
            .find(|&(_, c)| starts_cluster(c))
            .map_or(at, |(offset, _)| offset),
    };
    start..mark.end + end
}
