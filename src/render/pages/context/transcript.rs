//! What was said in an item, as its page shows it.

use std::cell::OnceCell;
use std::rc::Rc;

use mustache::{Data, object};
use transcripts::{Line, Paragraph};

use crate::inputs::ShownTranscript;
use crate::text;

/// How many words a paragraph has, about.
const PARAGRAPH: usize = 60;

/// A transcript of more words than a screen holds is folded.
const LONG: usize = 2000;

/// So many bytes of text and marks a page takes of what was said. Ten hours have half of it; what is longer is linked
/// only.
const MOST: usize = 2 << 20;

/// What the mark around a line weighs, in bytes.
const MARK: usize = 32;

/// A transcript that is read when a template asks for it, and then held.
pub struct TranscriptPage<'a> {
    shown: &'a ShownTranscript<'a>,
    read: OnceCell<Option<Rc<Said>>>,
}

struct Said {
    /// Each with the second that it is the first to start in, which links lead to.
    paragraphs: Vec<(Paragraph, Option<u64>)>,
    /// In bytes of text.
    length: usize,
}

impl<'a> TranscriptPage<'a> {
    pub fn of(shown: &'a ShownTranscript<'a>) -> Self {
        Self { shown, read: OnceCell::new() }
    }

    /// None where nothing was said, or too much for a page.
    pub fn data(&self) -> Option<Data<'a>> {
        let said = self.read.get_or_init(|| read(self.shown).map(Rc::new));
        said.as_ref()
            .map(|said| Data::object(TranscriptData { shown: self.shown, said: Rc::clone(said) }))
    }
}

fn read(shown: &ShownTranscript<'_>) -> Option<Said> {
    let file = shown.read();
    let (mut weight, mut length) = (0, 0);
    let mut latest = None;
    let mut paragraphs = Vec::new();
    for paragraph in transcripts::read(&file, shown.format).paragraphs(PARAGRAPH) {
        let own: usize = paragraph.lines.iter().map(|line| line.text.len()).sum();
        length += own;
        weight += own + MARK * (paragraph.lines.len() + 3);
        if weight > MOST {
            return None;
        }
        let second = paragraph.lines.first().and_then(|line| line.start);
        let second = second.map(|start| start / 1000);
        let first_in = second.filter(|_| second > latest);
        latest = latest.max(second);
        paragraphs.push((paragraph, first_in));
    }
    (!paragraphs.is_empty()).then_some(Said { paragraphs, length })
}

struct TranscriptData<'a> {
    shown: &'a ShownTranscript<'a>,
    said: Rc<Said>,
}

object!(impl TranscriptData<'a>, |this| {
    "url" => this.shown.url,
    "language" => this.shown.language,
    "is_long" => this.said.length > LONG,
    "paragraphs" => {
        let said = Rc::clone(&this.said);
        Data::list(said.paragraphs.len(), move |at| {
            Data::object(ParagraphData { said: Rc::clone(&said), at })
        })
    },
});

struct ParagraphData {
    said: Rc<Said>,
    at: usize,
}

impl ParagraphData {
    fn paragraph(&self) -> &Paragraph {
        &self.said.paragraphs[self.at].0
    }

    fn start(&self) -> Option<f64> {
        self.paragraph().lines.first().and_then(seconds)
    }
}

object!(impl ParagraphData, |this| {
    "anchor" => this.said.paragraphs[this.at].1.map(|second| format!("t={second}")),
    "speaker" => this.paragraph().speaker.clone(),
    "start" => this.start().map(f64::floor),
    "start_text" => this.start().map(text::clock),
    "lines" => {
        let (said, paragraph) = (Rc::clone(&this.said), this.at);
        Data::list(this.paragraph().lines.len(), move |at| {
            let line = &said.paragraphs[paragraph].0.lines[at];
            let shared = LineText { said: Rc::clone(&said), paragraph, at };
            Data::from([("start", seconds(line).into()), ("text", Data::shared(shared))])
        })
    },
});

/// A line's text, read where it is.
struct LineText {
    said: Rc<Said>,
    paragraph: usize,
    at: usize,
}

impl AsRef<str> for LineText {
    fn as_ref(&self) -> &str {
        &self.said.paragraphs[self.paragraph].0.lines[self.at].text
    }
}

/// When a line starts, in seconds. Times are far below the 2^53 that a number holds.
#[allow(clippy::cast_precision_loss)]
fn seconds(line: &Line) -> Option<f64> {
    line.start.map(|start| start as f64 / 1000.0)
}
