//! The words of documents, gathered by several threads at once.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::entry::Moments;
use super::ids::{Ids, ascii_word, hash};
use super::list::Weight;
use crate::query::Field;
use crate::text::{Run, composed, fold_word, runs, spelling};
use crate::tokens::push_run;

/// Ends the token of a folded word that a document has only in other spellings. Marks sort before all letters, so that
/// the tokens with them follow their word, and stand in its shard.
pub(super) const SPELLED_OTHERWISE: char = '\u{1}';

/// Stands between a folded word and its exact spelling, where that is another.
pub(super) const SPELLING: char = '\u{2}';

/// Ends the token of the beginning of longer words, see [`beginnings`](super::beginnings).
pub(super) const BEGINNING: char = '\u{3}';

const MARKS: [char; 3] = [SPELLED_OTHERWISE, SPELLING, BEGINNING];

/// A token up to its mark.
pub(super) fn plain(token: &str) -> &str {
    let mut parts = token.split(MARKS);
    parts.next().unwrap_or_default()
}

/// Whether a token has a mark: then it is no word.
pub(super) fn is_marked(token: &str) -> bool {
    token.contains(MARKS)
}

/// The most letters of a token. What is longer is cut.
pub(super) const LETTERS_MAX: usize = 64;

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
    /// Its own tokens: the number of each in the worker's list, and two bits for the weight.
    document: Box<[u32]>,
    passages: Vec<Box<[u32]>>,
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

fn each_of(words: &[u32], mut each: impl FnMut(u32, Weight)) {
    for word in words {
        each(word >> 2, Weight::from_bits(*word));
    }
}

/// A token as one worker knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub worker: usize,
    pub id: u32,
}

/// A token and its text.
pub(super) struct GatheredToken<'g> {
    pub token: Token,
    pub text: &'g str,
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
        let own = words.finish();
        let transcripts = document.transcripts.iter();
        let passages = transcripts.clone().flatten().map(|passage| {
            words.add(passage.text, false);
            words.finish()
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
    pub fn len(&self) -> usize {
        self.worker.known.len()
    }

    pub fn all(&self) -> impl Iterator<Item = GatheredToken<'_>> {
        let all = 0..self.worker.known.len();
        all.map(|id| GatheredToken {
            token: Token {
                worker: self.number,
                id: id as u32,
            },
            text: self.worker.token(id),
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
    /// The tokens of the text that is being read.
    read: Vec<u32>,
    /// Tells this text from those that were read before.
    unit: u32,
    buffer: String,
    /// Words beyond ASCII as they are written: folding one takes long.
    written: Vec<Written>,
    /// The index of one by its hash.
    written_ids: Ids,
    /// The words of the text that are still to be looked up: their hashes and where they stand.
    marked: Vec<(u64, Range<usize>)>,
    /// Those that were found.
    found: Vec<u32>,
}

/// A word as it is written, and its tokens: [`NONE`] where it has none.
#[derive(Debug, Clone, Copy)]
struct Written {
    hash: u64,
    id: u32,
    spelling: u32,
}

/// What is known of a token.
#[derive(Debug, Clone, Copy)]
struct Known {
    seen: Seen,
}

const NONE: u32 = u32::MAX;

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
    /// Adds the tokens of a text. Words of ASCII, which most are, are only marked on the way and looked up
    /// together at the end: then the processor waits for several at a time.
    fn add(&mut self, text: &str, in_title: bool) {
        if self.unit == 0 {
            self.unit = 1;
        }
        let text = composed(text);
        let bytes = text.as_bytes();
        let mut buffer = std::mem::take(&mut self.buffer);
        let mut marked = std::mem::take(&mut self.marked);
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if byte.is_ascii() && !byte.is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let (length, hash) = ascii_word(&bytes[at..], LETTERS_MAX);
            if length > 0 && bytes.get(at + length).is_none_or(u8::is_ascii) {
                marked.push((hash, at..at + length));
                at += length;
                if length == LETTERS_MAX {
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
        self.look_up(&text, in_title, &marked);
        marked.clear();
        (self.buffer, self.marked) = (buffer, marked);
    }

    fn look_up(&mut self, text: &str, in_title: bool, marked: &[(u64, Range<usize>)]) {
        let mut ids = std::mem::take(&mut self.found);
        for (hash, word) in marked {
            let next = self.known.len() as u32;
            let id = self.id_of(*hash);
            if id == next {
                self.add_token(&text[word.clone()].to_ascii_lowercase());
            }
            ids.push(id);
        }
        for id in ids.drain(..) {
            self.saw(id, 1, in_title);
        }
        self.found = ids;
    }

    fn word(&mut self, word: &str, in_title: bool, buffer: &mut String) {
        let hash = hash(word);
        let known = &self.written;
        let next = known.len() as u32;
        let at = self
            .written_ids
            .get_or_insert(hash, next, |at| known[at as usize].hash);
        if at == next {
            let written = self.read_word(word, hash, buffer);
            self.written.push(written);
        }
        let Written { id, spelling, .. } = self.written[at as usize];
        if id == NONE {
            return;
        }
        self.saw(id, 1, in_title);
        if spelling != NONE {
            let seen = &mut self.known[id as usize].seen;
            seen.otherwise = seen.otherwise.saturating_add(1);
            self.saw(spelling, 1, in_title);
        }
    }

    /// Folds a word as it is written.
    fn read_word(&mut self, word: &str, hash: u64, folded: &mut String) -> Written {
        let mut written = Written {
            hash,
            id: NONE,
            spelling: NONE,
        };
        folded.clear();
        fold_word(word, folded);
        if folded.is_empty() {
            return written;
        }
        let otherwise = if word.is_ascii() {
            None
        } else {
            spelling(word, folded)
        };
        cut(folded);
        written.id = self.id(folded);
        if let Some(spelling) = otherwise {
            folded.push(SPELLING);
            folded.push_str(&spelling);
            cut(folded);
            written.spelling = self.id(folded);
        }
        written
    }

    /// The tokens of a dense run.
    fn pairs(&mut self, text: &str, at: usize, run: &str, in_title: bool, pairs: &mut String) {
        pairs.clear();
        push_run(text, at, run, Field::Content, pairs);
        for pair in pairs.split_ascii_whitespace() {
            let id = self.id(pair);
            self.saw(id, 1, in_title);
        }
    }

    fn id(&mut self, token: &str) -> u32 {
        let next = self.known.len() as u32;
        let id = self.id_of(hash(token));
        if id == next {
            self.add_token(token);
        }
        id
    }

    /// The number of a token by its hash; that of the next one, if there is none.
    fn id_of(&mut self, of: u64) -> u32 {
        let (text, ends) = (&self.text, &self.ends);
        let hash_of = |id: u32| hash(token(text, ends, id as usize));
        let next = self.known.len() as u32;
        self.ids.get_or_insert(of, next, hash_of)
    }

    fn add_token(&mut self, token: &str) {
        self.text.push_str(token);
        self.ends.push(self.text.len());
        self.known.push(Known {
            seen: Seen::default(),
        });
    }

    fn token(&self, id: usize) -> &str {
        token(&self.text, &self.ends, id)
    }

    fn saw(&mut self, id: u32, count: u16, in_title: bool) {
        let seen = &mut self.known[id as usize].seen;
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
    fn finish(&mut self) -> Box<[u32]> {
        for at in 0..self.read.len() {
            let id = self.read[at];
            let seen = self.known[id as usize].seen;
            if seen.otherwise == seen.count() {
                let token = format!("{}{SPELLED_OTHERWISE}", self.token(id as usize));
                let id = self.id(&token);
                self.saw(id, 1, seen.in_title());
            }
        }
        let known = &self.known;
        let words = self.read.drain(..).map(|id| {
            let weight = known[id as usize].seen.weight();
            id << 2 | weight as u32
        });
        let words = words.collect();
        self.unit += 1;
        words
    }
}

/// A token by its number: its text ends where `ends` says.
fn token<'t>(text: &'t str, ends: &[usize], id: usize) -> &'t str {
    let start = id.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[id]]
}

/// Cuts a token that is too long.
pub(super) fn cut(token: &mut String) {
    if token.len() > LETTERS_MAX
        && let Some((end, _)) = token.char_indices().nth(LETTERS_MAX)
    {
        token.truncate(end);
    }
}
