//! Cues gathered to paragraphs, for people to read.

use crate::passages::{is_dense, words};
use crate::{Cue, Transcript};

/// What one speaker said, as long as one reads at a stretch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// Who speaks, where that is not the speaker of the paragraph before.
    pub speaker: Option<String>,
    /// Its lines, at least one.
    pub lines: Vec<Line>,
}

/// A stretch of a paragraph that is said at one time: a cue, or several that start within a second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When it starts, in milliseconds, if the file says so.
    pub start: Option<u64>,
    /// Its words. A space ends it where another line follows and its script has spaces.
    pub text: String,
}

/// The paragraphs of a transcript; see [`Transcript::paragraphs`].
pub struct Paragraphs<'t, 'a> {
    transcript: &'t mut Transcript<'a>,
    words: usize,
    speaker: Option<String>,
    /// The first cue of the next paragraph.
    first: Option<Cue<'a>>,
}

/// Cues that start so soon after one another are one line, in milliseconds: some files have one for each word.
const SOON: u64 = 1000;

impl<'t, 'a> Paragraphs<'t, 'a> {
    pub(crate) fn new(transcript: &'t mut Transcript<'a>, words: usize) -> Self {
        Self { transcript, words, speaker: None, first: None }
    }

    /// Whether a cue names another speaker than the last one.
    fn turns(&self, cue: &Cue<'_>) -> bool {
        cue.speaker.is_some() && cue.speaker.as_deref() != self.speaker.as_deref()
    }
}

impl Iterator for Paragraphs<'_, '_> {
    type Item = Paragraph;

    fn next(&mut self) -> Option<Paragraph> {
        let first = self.first.take().or_else(|| self.transcript.next())?;
        let mut speaker = None;
        if self.turns(&first) {
            self.speaker = first.speaker.as_deref().map(str::to_owned);
            speaker.clone_from(&self.speaker);
        }
        let is_timed = first.start.is_some();
        let mut count = words(&first.text);
        let mut lines = Vec::new();
        add(&mut lines, &first);
        // Without times a cue is a paragraph of its file already.
        while is_timed && !self.is_enough(count, &lines) {
            let Some(cue) = self.transcript.next() else {
                break;
            };
            if self.turns(&cue) || cue.start.is_none() {
                self.first = Some(cue);
                break;
            }
            count += words(&cue.text);
            add(&mut lines, &cue);
        }
        Some(Paragraph { speaker, lines })
    }
}

impl Paragraphs<'_, '_> {
    /// Whether a paragraph ends here: with a sentence, or where there are none, at twice its length.
    fn is_enough(&self, count: usize, lines: &[Line]) -> bool {
        let ends = || lines.last().is_some_and(|line| ends_sentence(&line.text));
        count >= self.words && (count >= self.words.saturating_mul(2) || ends())
    }
}

/// Adds a cue to the last line, or as a line of its own.
fn add(lines: &mut Vec<Line>, cue: &Cue<'_>) {
    let Some(last) = lines.last_mut() else {
        lines.push(line(cue));
        return;
    };
    let is_dense_between = last.text.chars().next_back().is_some_and(is_dense_or_sign)
        && cue.text.chars().next().is_some_and(is_dense_or_sign);
    if !is_dense_between {
        last.text.push(' ');
    }
    match (last.start, cue.start) {
        (Some(start), Some(next)) if next.saturating_sub(start) < SOON => {
            last.text.push_str(&cue.text);
        }
        _ => lines.push(line(cue)),
    }
}

fn line(cue: &Cue<'_>) -> Line {
    Line { start: cue.start, text: cue.text.as_ref().to_owned() }
}

/// Letters of scripts without spaces, and the signs between them.
fn is_dense_or_sign(c: char) -> bool {
    is_dense(c) || matches!(c, '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}')
}

/// Whether a text ends where a sentence does, whatever quotes and brackets close it.
fn ends_sentence(text: &str) -> bool {
    let closing = ['"', '\'', '”', '’', '»', '«', ')', ']', '」', '』', '）'];
    text.trim_end()
        .trim_end_matches(closing)
        .ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '۔', '।', '།', '။', '።'])
}
