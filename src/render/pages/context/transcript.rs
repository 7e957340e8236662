//! Transcripts in template contexts.

use std::cell::OnceCell;
use std::rc::Rc;

use mustache::{Data, object};
use transcripts::{Line, Paragraph};

use crate::inputs::ShownTranscript;
use crate::text;
use words::Words;

/// Maximum length in bytes of a transcript that a page shows without folding it.
const MAX_UNFOLDED: usize = 2000;

/// Maximum size in bytes of a transcript with its markup on a page. The transcript of a ten-hour
/// recording takes half of this size. A page only links to a longer transcript.
const MAX_SIZE: usize = 2 << 20;

/// Approximate size in bytes of the markup around a line.
const MARKUP_SIZE: usize = 32;

/// A transcript that is read when a template first uses it, and then cached.
pub struct TranscriptPage<'a> {
    shown: &'a ShownTranscript<'a>,
    words: &'a Words,
    read: OnceCell<Option<Rc<TranscriptText>>>,
}

struct TranscriptText {
    /// Paragraphs, each with its link target: the second in which the paragraph starts. Only the
    /// first paragraph of a second has a target.
    paragraphs: Vec<(Paragraph, Option<u64>)>,
    /// Length of the text in bytes.
    length: usize,
}

impl<'a> TranscriptPage<'a> {
    pub fn of(shown: &'a ShownTranscript<'a>, words: &'a Words) -> Self {
        Self { shown, words, read: OnceCell::new() }
    }

    /// Returns the transcript. Returns None if it is empty or too long for a page.
    pub fn data(&self) -> Option<Data<'a>> {
        let said = self.read.get_or_init(|| read(self.shown).map(Rc::new));
        said.as_ref().map(|said| {
            let (shown, words, said) = (self.shown, self.words, Rc::clone(said));
            Data::object(TranscriptData { shown, words, said })
        })
    }
}

fn read(shown: &ShownTranscript<'_>) -> Option<TranscriptText> {
    let file = shown.read();
    let (mut weight, mut length) = (0, 0);
    let mut latest = None;
    let mut paragraphs = Vec::new();
    for paragraph in
        transcripts::read(&file, shown.format).paragraphs(ShownTranscript::PARAGRAPH_WORDS)
    {
        let own: usize = paragraph.lines.iter().map(|line| line.text.len()).sum();
        length += own;
        weight += own + MARKUP_SIZE * (paragraph.lines.len() + 3);
        if weight > MAX_SIZE {
            return None;
        }
        let second = paragraph.lines.first().and_then(|line| line.start);
        let second = second.map(|start| start / 1000);
        let first_in = second.filter(|_| second > latest);
        latest = latest.max(second);
        paragraphs.push((paragraph, first_in));
    }
    (!paragraphs.is_empty()).then_some(TranscriptText { paragraphs, length })
}

struct TranscriptData<'a> {
    shown: &'a ShownTranscript<'a>,
    words: &'a Words,
    said: Rc<TranscriptText>,
}

object!(impl TranscriptData<'a>, |this| {
    "url" => this.shown.url,
    "language" => this.shown.language,
    "is_long" => this.said.length > MAX_UNFOLDED,
    "paragraphs" => {
        let (words, said) = (this.words, Rc::clone(&this.said));
        Data::list(said.paragraphs.len(), move |at| {
            Data::object(ParagraphData { words, said: Rc::clone(&said), at })
        })
    },
});

struct ParagraphData<'a> {
    words: &'a Words,
    said: Rc<TranscriptText>,
    at: usize,
}

impl ParagraphData<'_> {
    fn paragraph(&self) -> &Paragraph {
        &self.said.paragraphs[self.at].0
    }

    fn start(&self) -> Option<f64> {
        self.paragraph().lines.first().and_then(seconds)
    }
}

object!(impl ParagraphData<'a>, |this| {
    "anchor" => this.said.paragraphs[this.at].1.map(|second| format!("t={second}")),
    "speaker" => this.paragraph().speaker.clone(),
    "start" => this.start().map(f64::floor),
    "start_text" => this.start().map(|start| this.words.localize_digits(&text::clock(start))),
    "lines" => {
        let (said, paragraph) = (Rc::clone(&this.said), this.at);
        Data::list(this.paragraph().lines.len(), move |at| {
            let line = &said.paragraphs[paragraph].0.lines[at];
            let shared = LineText { said: Rc::clone(&said), paragraph, at };
            Data::from([("start", seconds(line).into()), ("text", Data::shared(shared))])
        })
    },
});

/// The text of a line, borrowed from the transcript.
struct LineText {
    said: Rc<TranscriptText>,
    paragraph: usize,
    at: usize,
}

impl AsRef<str> for LineText {
    fn as_ref(&self) -> &str {
        &self.said.paragraphs[self.paragraph].0.lines[self.at].text
    }
}

/// Returns the start of a line in seconds. Times are far below 2^53, up to which an
/// `f64` represents every whole number.
#[allow(clippy::cast_precision_loss)]
fn seconds(line: &Line) -> Option<f64> {
    line.start.map(|start| start as f64 / 1000.0)
}
