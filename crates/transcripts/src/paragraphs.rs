//! Groups cues into paragraphs for readers.

use crate::passages::{is_dense, words};
use crate::{Cue, Transcript};

/// Consecutive text by one speaker, of a length that is comfortable to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// Name of the speaker, if it differs from the speaker of the previous paragraph.
    pub speaker: Option<String>,
    /// Lines of the paragraph. There is at least one line.
    pub lines: Vec<Line>,
}

/// A part of a paragraph that has its own time: a cue, or several cues that start within a second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Start in milliseconds, if the file specifies it.
    pub start: Option<u64>,
    /// Text of the line. It ends with a space if another line follows and the script uses spaces.
    pub text: String,
}

/// The paragraphs of a transcript, see [`Transcript::paragraphs`].
pub struct Paragraphs<'t, 'a> {
    transcript: &'t mut Transcript<'a>,
    words: usize,
    speaker: Option<String>,
    /// The first cue of the next paragraph.
    first: Option<Cue<'a>>,
}

/// Cues that start within this number of milliseconds form one line. Some files have a cue for each
/// word.
const MAX_LINE_GAP: u64 = 1000;

impl<'t, 'a> Paragraphs<'t, 'a> {
    pub(crate) fn new(transcript: &'t mut Transcript<'a>, words: usize) -> Self {
        Self { transcript, words, speaker: None, first: None }
    }

    /// Returns whether a cue has a different speaker than the previous cue.
    fn is_other_speaker(&self, cue: &Cue<'_>) -> bool {
        cue.speaker.is_some() && cue.speaker.as_deref() != self.speaker.as_deref()
    }
}

impl Iterator for Paragraphs<'_, '_> {
    type Item = Paragraph;

    fn next(&mut self) -> Option<Paragraph> {
        let first = self.first.take().or_else(|| self.transcript.next())?;
        let mut speaker = None;
        if self.is_other_speaker(&first) {
            self.speaker = first.speaker.as_deref().map(str::to_owned);
            speaker.clone_from(&self.speaker);
        }
        let is_timed = first.start.is_some();
        let mut count = words(&first.text);
        let mut lines = Vec::new();
        add(&mut lines, &first);
        // Without times, the file already has one cue for each paragraph.
        while is_timed && !self.is_complete(count, &lines) {
            let Some(cue) = self.transcript.next() else {
                break;
            };
            if self.is_other_speaker(&cue) || cue.start.is_none() {
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
    /// Returns whether the paragraph is complete. It ends at the first end of a sentence after
    /// `words` words, or after twice that many words.
    fn is_complete(&self, count: usize, lines: &[Line]) -> bool {
        let ends = || lines.last().is_some_and(|line| ends_sentence(&line.text));
        count >= self.words && (count >= self.words.saturating_mul(2) || ends())
    }
}

/// Adds a cue to the last line, or adds a new line.
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
        (Some(start), Some(next)) if next.saturating_sub(start) < MAX_LINE_GAP => {
            last.text.push_str(&cue.text);
        }
        _ => lines.push(line(cue)),
    }
}

fn line(cue: &Cue<'_>) -> Line {
    Line { start: cue.start, text: cue.text.as_ref().to_owned() }
}

/// Returns whether a character is a letter or punctuation of a script without spaces.
fn is_dense_or_sign(c: char) -> bool {
    is_dense(c) || matches!(c, '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FFEF}')
}

/// Returns whether the text ends with a complete sentence. Ignores closing quotes and brackets.
fn ends_sentence(text: &str) -> bool {
    let closing = ['"', '\'', '”', '’', '»', '«', ')', ']', '」', '』', '）'];
    text.trim_end()
        .trim_end_matches(closing)
        .ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '۔', '।', '།', '။', '።'])
}
