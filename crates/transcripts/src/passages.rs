//! Groups cues into passages, the units of a search index.

use std::ops::Range;

use memchr::memchr_iter;

use crate::{Cue, Transcript};

/// Consecutive cues, with their text combined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Start in milliseconds: the start of the first cue or, if it has none, of the last earlier
    /// cue with a start. A passage whose first cue has no start ends before the next cue that has
    /// one.
    pub start: Option<u64>,
    /// Byte range in the file, from the first cue to the last cue.
    pub bytes: Range<usize>,
    /// Text of the cues, separated by spaces, without the names of speakers.
    pub text: String,
}

/// The passages of a transcript, see [`Transcript::passages`].
pub struct Passages<'t, 'a> {
    transcript: &'t mut Transcript<'a>,
    words: usize,
    /// Start of the last cue that has a start.
    start: Option<u64>,
    /// The first cue of the next passage, if it has already been read.
    first: Option<Cue<'a>>,
}

impl<'t, 'a> Passages<'t, 'a> {
    pub(crate) fn new(transcript: &'t mut Transcript<'a>, words: usize) -> Self {
        Self { transcript, words, start: None, first: None }
    }
}

impl Iterator for Passages<'_, '_> {
    type Item = Passage;

    fn next(&mut self) -> Option<Passage> {
        let first = self.first.take().or_else(|| self.transcript.next())?;
        let is_timed = first.start.is_some();
        self.start = first.start.or(self.start);
        let mut count = words(&first.text);
        let mut passage =
            Passage { start: self.start, bytes: first.bytes, text: first.text.into_owned() };
        while count < self.words
            && let Some(cue) = self.transcript.next()
        {
            if cue.start.is_some() && !is_timed {
                self.first = Some(cue);
                break;
            }
            self.start = cue.start.or(self.start);
            count += words(&cue.text);
            passage.bytes.end = cue.bytes.end;
            passage.text.push(' ');
            passage.text.push_str(&cue.text);
        }
        Some(passage)
    }
}

/// Returns the approximate number of words in text with normalized whitespace. In scripts without
/// spaces, two letters count as a word.
pub(crate) fn words(text: &str) -> usize {
    let in_one = |word: &str| {
        let dense = word.chars().filter(|c| is_dense(*c)).count();
        dense.div_ceil(2).max(1)
    };
    // Finds the first bytes of letters in such scripts. There are no branches, so that the compiler
    // can vectorize the loop.
    let may_be_dense = |any, byte: &u8| any | ((*byte >= 0xE0) & (*byte != 0xE2));
    if !text.as_bytes().iter().fold(false, may_be_dense) {
        return memchr_iter(b' ', text.as_bytes()).count() + 1;
    }
    text.split(' ').map(in_one).sum()
}

/// Returns whether a character belongs to Thai, Lao, Myanmar, Khmer, kana or Han.
pub(crate) fn is_dense(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}
