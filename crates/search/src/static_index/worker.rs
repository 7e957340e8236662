//! The tokens that one worker has collected, and the documents and passages that have each token.

use std::ops::Range;

use super::collected_list::CollectedList;
use super::ids::{Ids, ascii_word, hash};
use super::list::Weight;
use super::words::{MAX_TOKEN_LENGTH, OTHER_SPELLING_MARK, SPELLING_MARK, truncate_token};
use crate::pairs::push_run;
use crate::query::Field;
use crate::text::{Run, compose, fold_word, joined, runs, spelling};

/// The tokens that one worker has collected, and the tokens of the text that it is reading.
#[derive(Debug, Default)]
pub struct Worker {
    /// The number of each token, by its hash.
    ids: Ids,
    /// The tokens, concatenated.
    text: String,
    /// The end of each token in `text`, in bytes.
    ends: Vec<usize>,
    occurrences: Vec<Occurrences>,
    /// For each token, the documents and passages that have it. Passages are numbered in the order
    /// in which this worker read them.
    lists: Vec<CollectedList>,
    /// For each passage, the number of its document.
    passages: Vec<u32>,
    /// Tokens of the document or passage that is being read.
    read: Vec<u32>,
    /// Number of the document or passage that is being read.
    unit: u32,
    buffer: String,
    /// Words that are not plain ASCII, as they are written. Folding a word is slow, so its tokens
    /// are cached.
    written: Vec<SpelledWord>,
    /// The index of each word in `written`, by its hash.
    written_ids: Ids,
    /// Words of the text that have yet to be looked up: their hashes and byte ranges.
    marked: Vec<(u64, Range<usize>)>,
    found: Vec<u32>,
}

/// The hash and the tokens of a word as it is written. A missing token is [`NO_TOKEN`].
#[derive(Debug, Clone, Copy)]
struct SpelledWord {
    hash: u64,
    id: u32,
    spelling: u32,
}

const NO_TOKEN: u32 = u32::MAX;

/// Counts the occurrences of a token in the document or passage that is being read. From the
/// highest bit: the number of the document or passage (32 bits), the occurrences in another
/// spelling (16), whether the token is in a title (1), and all occurrences (15).
#[derive(Debug, Clone, Copy, Default)]
struct Occurrences(u64);

impl Occurrences {
    const IN_TITLE: u64 = 1 << 15;
    const COUNT: u64 = Self::IN_TITLE - 1;

    fn is_in_unit(self, unit: u32) -> bool {
        (self.0 >> 32) as u32 == unit
    }

    /// Returns this value with one more occurrence, in the document or passage `unit`.
    fn with_occurrence(self, unit: u32, in_title: bool) -> Self {
        let before = match self.is_in_unit(unit) {
            true => self.0,
            false => u64::from(unit) << 32,
        };
        let more = u64::from(before & Self::COUNT != Self::COUNT);
        Self((before + more) | (u64::from(in_title) * Self::IN_TITLE))
    }

    /// Returns this value with the last occurrence counted as another spelling.
    fn with_other_spelling(self) -> Self {
        Self(self.0 + (u64::from(self.other_spellings() != u16::MAX) << 16))
    }

    fn other_spellings(self) -> u16 {
        (self.0 >> 16) as u16
    }

    fn in_title(self) -> bool {
        self.0 & Self::IN_TITLE != 0
    }

    fn count(self) -> u16 {
        (self.0 & Self::COUNT) as u16
    }

    fn weight(self) -> Weight {
        match self.count() {
            _ if self.in_title() => Weight::Title,
            0..=1 => Weight::Once,
            2..=3 => Weight::Several,
            _ => Weight::Often,
        }
    }
}

/// Number of words that are looked up in one batch.
const LOOKUP_BATCH: usize = 512;

impl Worker {
    /// Adds the tokens of `text`. Most words are ASCII: they are collected first and then looked up
    /// in batches, so that the processor performs several look-ups at a time.
    pub fn add(&mut self, text: &str, in_title: bool) {
        if self.unit == 0 {
            self.unit = 1;
        }
        let text = compose(text);
        let bytes = text.as_bytes();
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut marked = std::mem::take(&mut self.marked);
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii() && !byte.is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let (length, hash) = ascii_word(&bytes[at..], MAX_TOKEN_LENGTH);
            if length > 0 && bytes.get(at + length).is_none_or(u8::is_ascii) {
                if marked.len() == LOOKUP_BATCH {
                    self.look_up(&text, in_title, &mut marked);
                }
                marked.push((hash, at..at + length));
                at += length;
                if length == MAX_TOKEN_LENGTH {
                    let rest = bytes[at..].iter();
                    at += rest.take_while(|byte| byte.is_ascii_alphanumeric()).count();
                }
                continue;
            }
            let Some((from, run)) = runs(&text[at..]).next() else {
                break;
            };
            match run {
                Run::Word(word) => {
                    self.word(word, in_title, &mut buffer);
                    at += from + word.len();
                }
                Run::Dense(run) => {
                    self.pairs(&text, at + from, run, in_title, &mut buffer);
                    at += from + run.len();
                }
            }
        }
        self.look_up(&text, in_title, &mut marked);
        for range in joined(&text) {
            self.word(&text[range], in_title, &mut buffer);
        }
        (self.buffer, self.marked) = (buffer, marked);
    }

    fn look_up(&mut self, text: &str, in_title: bool, marked: &mut Vec<(u64, Range<usize>)>) {
        let mut ids = std::mem::take(&mut self.found);
        for (hash, word) in marked.drain(..) {
            let next = self.occurrences.len() as u32;
            let id = self.id_of(hash);
            if id == next {
                self.add_token(&text[word].to_ascii_lowercase());
            }
            ids.push(id);
        }
        self.record_occurrences(&ids, in_title);
        ids.clear();
        self.found = ids;
    }

    fn word(&mut self, word: &str, in_title: bool, buffer: &mut String) {
        let hash = hash(word);
        let known = &self.written;
        let next = known.len() as u32;
        let at = self.written_ids.get_or_insert(hash, next, |at| known[at as usize].hash);
        if at == next {
            let written = self.read_word(word, hash, buffer);
            self.written.push(written);
        }
        let SpelledWord { id, spelling, .. } = self.written[at as usize];
        if id == NO_TOKEN {
            return;
        }
        self.record_occurrences(&[id], in_title);
        if spelling != NO_TOKEN {
            let occurrences = &mut self.occurrences[id as usize];
            *occurrences = occurrences.with_other_spelling();
            self.record_occurrences(&[spelling], in_title);
        }
    }

    /// Folds a word, and returns its tokens.
    fn read_word(&mut self, word: &str, hash: u64, folded: &mut String) -> SpelledWord {
        let mut written = SpelledWord { hash, id: NO_TOKEN, spelling: NO_TOKEN };
        folded.clear();
        fold_word(word, folded);
        if folded.is_empty() {
            return written;
        }
        let other_spellings = if word.is_ascii() { None } else { spelling(word, folded) };
        truncate_token(folded);
        written.id = self.id(folded);
        if let Some(spelling) = other_spellings {
            folded.push(SPELLING_MARK);
            folded.push_str(&spelling);
            truncate_token(folded);
            written.spelling = self.id(folded);
        }
        written
    }

    /// Adds the tokens of `run`: pairs of neighbouring characters in a script without spaces.
    fn pairs(&mut self, text: &str, at: usize, run: &str, in_title: bool, pairs: &mut String) {
        pairs.clear();
        push_run(text, at, run, Field::Content, pairs);
        for pair in pairs.split_ascii_whitespace() {
            let id = self.id(pair);
            self.record_occurrences(&[id], in_title);
        }
    }

    fn id(&mut self, token: &str) -> u32 {
        let next = self.occurrences.len() as u32;
        let id = self.id_of(hash(token));
        if id == next {
            self.add_token(token);
        }
        id
    }

    /// Returns the number of the token with this hash. If there is no such token, returns the next
    /// free number.
    fn id_of(&mut self, of: u64) -> u32 {
        let (text, ends) = (&self.text, &self.ends);
        let hash_of = |id: u32| hash(token(text, ends, id as usize));
        let next = self.occurrences.len() as u32;
        self.ids.get_or_insert(of, next, hash_of)
    }

    fn add_token(&mut self, token: &str) {
        self.text.push_str(token);
        self.ends.push(self.text.len());
        self.occurrences.push(Occurrences::default());
        self.lists.push(CollectedList::default());
    }

    /// Returns the number of tokens that the worker has collected.
    pub fn tokens(&self) -> u32 {
        self.occurrences.len() as u32
    }

    pub fn list(&self, id: u32) -> &CollectedList {
        &self.lists[id as usize]
    }

    /// Returns, for each passage of the worker, the number of its document.
    pub fn passages(&self) -> &[u32] {
        &self.passages
    }

    pub fn token(&self, id: u32) -> &str {
        token(&self.text, &self.ends, id as usize)
    }

    /// Records occurrences of tokens. It is unpredictable which of the tokens are new to the
    /// document or passage, so the code does not branch on it.
    fn record_occurrences(&mut self, ids: &[u32], in_title: bool) {
        let mut read = self.read.len();
        self.read.resize(read + ids.len(), 0);
        for id in ids {
            let occurrences = &mut self.occurrences[*id as usize];
            self.read[read] = *id;
            read += usize::from(!occurrences.is_in_unit(self.unit));
            *occurrences = occurrences.with_occurrence(self.unit, in_title);
        }
        self.read.truncate(read);
    }

    /// Finishes the title and content of a document: adds the document to the list of each token.
    pub fn finish_document(&mut self, number: u32) {
        for at in 0..self.read.len() {
            self.add_spelling_token(self.read[at]);
        }
        for id in self.read.drain(..) {
            let weight = self.occurrences[id as usize].weight();
            self.lists[id as usize].add_document(number, weight);
        }
        self.unit += 1;
    }

    /// Finishes a passage of a document: adds the passage to the list of each token.
    pub fn finish_passage(&mut self, document: u32) {
        for at in 0..self.read.len() {
            self.add_spelling_token(self.read[at]);
        }
        let number = self.passages.len() as u32;
        self.passages.push(document);
        for id in self.read.drain(..) {
            self.lists[id as usize].add_passage(number);
        }
        self.unit += 1;
    }

    /// If a word was seen only in other spellings, adds the token that marks it as such.
    fn add_spelling_token(&mut self, id: u32) {
        let occurrences = self.occurrences[id as usize];
        if occurrences.other_spellings() == occurrences.count() {
            let token = format!("{}{OTHER_SPELLING_MARK}", self.token(id));
            let id = self.id(&token);
            self.record_occurrences(&[id], occurrences.in_title());
        }
    }
}

/// Returns the token `id` from `text`, the concatenated tokens. `ends` holds the end of each token.
fn token<'t>(text: &'t str, ends: &[usize], id: usize) -> &'t str {
    let start = id.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[id]]
}
