//! The words of documents, gathered by several threads at once.

use std::sync::{Mutex, MutexGuard, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use super::entry::Moments;
use super::ids::Ids;
use super::list::Weight;
use super::varint;
use crate::query::Field;
use crate::scripts::is_dense;
use crate::text::{Run, composed, fold_word, is_word, runs, spelling};
use crate::tokens::push_pairs;

/// The mark of a token that is the beginning of words.
pub(super) const BEGINNING: char = '\u{81}';

/// The mark of a word's exact spelling, where that is not its folded form.
pub(super) const SPELLING: char = '\u{82}';

/// The mark of a folded word that a document has only in other spellings.
pub(super) const SPELLED_OTHERWISE: char = '\u{83}';

/// The most letters of a token. What is longer is cut.
pub(super) const LETTERS_MAX: usize = 64;

/// The most letters of a beginning that is a token of its own. Words with longer ones are neighbours in the
/// sorted list.
pub(super) const BEGINNING_MAX: usize = 2;

/// What a document is found by.
#[derive(Debug, Clone, Default)]
pub struct Searchable<'a> {
    /// As plain text.
    pub title: &'a str,
    /// Its text, and what else counts as content: tags, authors.
    pub content: Vec<&'a str>,
    /// What was said: for each transcript its passages, in order.
    pub transcripts: Vec<Vec<Passage<'a>>>,
}

/// A passage of a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage<'a> {
    /// What was said in it.
    pub text: &'a str,
    /// When it begins, in whole seconds; None where times are not known.
    pub seconds: Option<u32>,
    /// The byte of the transcript's file where it begins.
    pub start: usize,
}

/// The words of one document.
#[derive(Debug)]
pub struct Gathered {
    pub(super) worker: usize,
    /// Its own words.
    document: Box<[u8]>,
    passages: Vec<Box<[u8]>>,
    pub(super) transcripts: Vec<Moments>,
}

impl Gathered {
    pub(super) fn passages(&self) -> usize {
        self.passages.len()
    }

    /// Calls `each` with every token of its own, as its worker numbers them, and its weight.
    pub(super) fn each_word(&self, each: impl FnMut(u32, Weight)) {
        each_of(&self.document, each);
    }

    /// The same for one of its passages.
    pub(super) fn each_word_of(&self, passage: usize, each: impl FnMut(u32, Weight)) {
        each_of(&self.passages[passage], each);
    }
}

fn each_of(mut words: &[u8], mut each: impl FnMut(u32, Weight)) {
    const WEIGHTS: [Weight; 4] = [Weight::Once, Weight::Several, Weight::Often, Weight::Title];
    while let Ok((word, rest)) = varint::read(words) {
        words = rest;
        each((word >> 2) as u32, WEIGHTS[(word & 3) as usize]);
    }
}

/// A token as one worker knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub worker: usize,
    pub id: u32,
}

/// A token, and where it was found.
pub(super) struct GatheredToken<'g> {
    pub token: Token,
    pub text: &'g str,
    /// In how many documents.
    pub documents: u32,
    /// In how many passages.
    pub passages: u32,
}

/// Gathers words. Each thread of the pool that gathers has a list of its own.
#[derive(Debug)]
pub struct Gathering {
    workers: Vec<Mutex<Worker>>,
}

impl Default for Gathering {
    fn default() -> Self {
        let workers = 0..=rayon::current_num_threads();
        Self {
            workers: workers.map(|_| Mutex::default()).collect(),
        }
    }
}

impl Gathering {
    /// Gathers the words of a document.
    pub fn gather(&self, document: &Searchable<'_>) -> Gathered {
        let worker = rayon::current_thread_index().map_or(0, |thread| thread + 1);
        let worker = worker.min(self.workers.len() - 1);
        let mut words = held(&self.workers[worker]);
        words.add(document.title, true);
        for text in &document.content {
            words.add(text, false);
        }
        let own = words.finish(true);
        let transcripts = document.transcripts.iter();
        let passages = transcripts.clone().flatten().map(|passage| {
            words.add(passage.text, false);
            words.finish(false)
        });
        Gathered {
            worker,
            document: own,
            passages: passages.collect(),
            transcripts: transcripts.map(|passages| Moments::of(passages)).collect(),
        }
    }

    /// The tokens of each worker.
    pub(super) fn workers(&self) -> Vec<WorkerTokens<'_>> {
        let workers = self.workers.iter().enumerate();
        workers
            .map(|(number, worker)| WorkerTokens {
                number,
                worker: held(worker),
            })
            .collect()
    }
}

/// The tokens of one worker.
pub(super) struct WorkerTokens<'g> {
    number: usize,
    worker: MutexGuard<'g, Worker>,
}

impl WorkerTokens<'_> {
    pub fn all(&self) -> impl Iterator<Item = GatheredToken<'_>> {
        let known = self.worker.known.iter().enumerate();
        known.map(|(id, known)| GatheredToken {
            token: Token {
                worker: self.number,
                id: id as u32,
            },
            text: self.worker.token(id),
            documents: known.documents,
            passages: known.passages,
        })
    }
}

fn held(worker: &Mutex<Worker>) -> MutexGuard<'_, Worker> {
    worker.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The tokens that one thread knows, and those of the text that it reads.
#[derive(Debug, Default)]
struct Worker {
    /// The number of a token by its hash.
    ids: Ids,
    /// The texts of all tokens, one after the other.
    text: String,
    /// Where the text of each token ends.
    ends: Vec<usize>,
    known: Vec<Known>,
    /// Of each token, where it was seen last.
    seen: Vec<Seen>,
    /// The tokens of the text that is being read.
    read: Vec<u32>,
    /// Tells this text from those that were read before.
    unit: u32,
    buffer: String,
}

/// What is known of a token.
#[derive(Debug)]
struct Known {
    /// In how many documents it is.
    documents: u32,
    /// In how many passages.
    passages: u32,
    /// The tokens of its beginnings: [`UNKNOWN`] until they are needed, [`NONE`] where it has none.
    beginnings: [u32; BEGINNING_MAX],
}

const NONE: u32 = u32::MAX;
const UNKNOWN: u32 = u32::MAX - 1;

/// Where a token was seen in the text that is being read.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    unit: u32,
    /// How often. [`IN_TITLE`] is set if it was in a title.
    count: u16,
    /// How many of all occurrences are spelled otherwise.
    otherwise: u16,
}

const IN_TITLE: u16 = 1 << 15;

impl Seen {
    fn in_title(self) -> bool {
        self.count & IN_TITLE != 0
    }

    fn count(self) -> u16 {
        self.count & !IN_TITLE
    }

    fn add(&mut self, count: u16, in_title: bool) {
        let sum = (self.count() + count).min(IN_TITLE / 2);
        self.count = sum | self.count & IN_TITLE | if in_title { IN_TITLE } else { 0 };
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

impl Worker {
    /// Adds the tokens of a text.
    fn add(&mut self, text: &str, in_title: bool) {
        if self.unit == 0 {
            self.unit = 1;
        }
        let text = composed(text);
        let bytes = text.as_bytes();
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii() && !byte.is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let rest = &bytes[at..];
            let length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric());
            let length = length.unwrap_or(rest.len());
            if length > 0 && rest.get(length).is_none_or(u8::is_ascii) {
                self.ascii_word(&text[at..at + length], in_title, &mut buffer);
                at += length;
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
        self.buffer = buffer;
    }

    fn ascii_word(&mut self, word: &str, in_title: bool, folded: &mut String) {
        let word = &word[..word.len().min(LETTERS_MAX)];
        let id = if word.bytes().any(|byte| byte.is_ascii_uppercase()) {
            folded.clear();
            folded.push_str(word);
            folded.make_ascii_lowercase();
            self.id(folded)
        } else {
            self.id(word)
        };
        self.saw(id, 1, in_title);
    }

    fn word(&mut self, word: &str, in_title: bool, folded: &mut String) {
        folded.clear();
        fold_word(word, folded);
        if folded.is_empty() {
            return;
        }
        let otherwise = if word.is_ascii() {
            None
        } else {
            spelling(word, folded)
        };
        cut(folded);
        let id = self.id(folded);
        self.saw(id, 1, in_title);
        if let Some(spelling) = otherwise {
            let seen = &mut self.seen[id as usize];
            seen.otherwise = seen.otherwise.saturating_add(1);
            folded.clear();
            folded.push(SPELLING);
            folded.push_str(&spelling);
            cut(folded);
            let id = self.id(folded);
            self.saw(id, 1, in_title);
        }
    }

    /// The pairs of a dense run, and its last character alone where no word follows.
    fn pairs(&mut self, text: &str, at: usize, run: &str, in_title: bool, pairs: &mut String) {
        pairs.clear();
        push_pairs(text, at, run, Field::Content, pairs);
        if !text[at + run.len()..].starts_with(is_word) {
            pairs.extend(run.chars().next_back());
        }
        for pair in pairs.split(' ').filter(|pair| !pair.is_empty()) {
            let id = self.id(pair);
            self.saw(id, 1, in_title);
        }
    }

    fn id(&mut self, token: &str) -> u32 {
        let next = self.known.len() as u32;
        let id = self.ids.get_or_insert(xxh3_64(token.as_bytes()), next);
        if id == next {
            self.text.push_str(token);
            self.ends.push(self.text.len());
            self.seen.push(Seen::default());
            self.known.push(Known {
                documents: 0,
                passages: 0,
                beginnings: [UNKNOWN; BEGINNING_MAX],
            });
        }
        id
    }

    fn token(&self, id: usize) -> &str {
        let start = id.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[id]]
    }

    fn saw(&mut self, id: u32, count: u16, in_title: bool) {
        let seen = &mut self.seen[id as usize];
        if seen.unit != self.unit {
            *seen = Seen {
                unit: self.unit,
                ..Seen::default()
            };
            self.read.push(id);
        }
        seen.add(count, in_title);
    }

    /// Ends a text: its tokens, each with its weight.
    fn finish(&mut self, is_document: bool) -> Box<[u8]> {
        for at in 0..self.read.len() {
            let id = self.read[at];
            let seen = self.seen[id as usize];
            if seen.otherwise == seen.count() {
                let token = format!("{SPELLED_OTHERWISE}{}", self.token(id as usize));
                let id = self.id(&token);
                self.saw(id, 1, seen.in_title());
            }
            if is_document {
                for beginning in self.beginnings(id) {
                    if beginning != NONE {
                        self.saw(beginning, seen.count(), seen.in_title());
                    }
                }
            }
        }
        let mut out = Vec::with_capacity(self.read.len() * 2);
        for id in self.read.drain(..) {
            let known = &mut self.known[id as usize];
            if is_document {
                known.documents += 1;
            } else {
                known.passages += 1;
            }
            let weight = self.seen[id as usize].weight();
            varint::write(u64::from(id) << 2 | weight as u64, &mut out);
        }
        self.unit += 1;
        out.into_boxed_slice()
    }

    fn beginnings(&mut self, id: u32) -> [u32; BEGINNING_MAX] {
        let known = self.known[id as usize].beginnings;
        if known[0] != UNKNOWN {
            return known;
        }
        let token = self.token(id as usize).to_owned();
        let mut beginnings = [NONE; BEGINNING_MAX];
        if token.starts_with(|first| is_word(first) && !is_dense(first)) {
            for (beginning, (end, _)) in beginnings.iter_mut().zip(token.char_indices().skip(1)) {
                *beginning = self.id(&format!("{BEGINNING}{}", &token[..end]));
            }
        }
        self.known[id as usize].beginnings = beginnings;
        beginnings
    }
}

/// Cuts a token that is too long.
pub(super) fn cut(token: &mut String) {
    if token.len() > LETTERS_MAX
        && let Some((end, _)) = token.char_indices().nth(LETTERS_MAX)
    {
        token.truncate(end);
    }
}
