//! Cues gathered to passages, which a search index takes as one.

use std::ops::Range;

use memchr::memchr_iter;

use crate::{Cue, Transcript};

/// Cues that follow one another, taken as one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Where it starts, in milliseconds: the start of its first cue, or of the last one before that has one. A passage
    /// whose first cue has none ends before a cue that has one.
    pub start: Option<u64>,
    /// The bytes of the file that its cues stand in, and what stands between them.
    pub bytes: Range<usize>,
    /// The texts of the cues, with a space between them. Names of speakers are not in it.
    pub text: String,
}

/// The passages of a transcript; see [`Transcript::passages`].
pub struct Passages<'t, 'a> {
    transcript: &'t mut Transcript<'a>,
    words: usize,
    /// The start of the last cue that has one.
    start: Option<u64>,
    /// The first cue of the next passage, where the one before had to end.
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

/// How many words a folded text has, about. In scripts without spaces two letters count as one.
pub(crate) fn words(text: &str) -> usize {
    let in_one = |word: &str| {
        let dense = word.chars().filter(|c| is_dense(*c)).count();
        dense.div_ceil(2).max(1)
    };
    // Bytes that dense letters begin with. Without a branch for each byte, so that the processor takes many at once.
    let may_be_dense = |any, byte: &u8| any | ((*byte >= 0xE0) & (*byte != 0xE2));
    if !text.as_bytes().iter().fold(false, may_be_dense) {
        return memchr_iter(b' ', text.as_bytes()).count() + 1;
    }
    text.split(' ').map(in_one).sum()
}

/// Thai, Lao, Myanmar, Khmer, kana and Han.
pub(crate) fn is_dense(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}
