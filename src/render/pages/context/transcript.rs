//! Transcripts in template contexts.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use mustache::{Data, object};
use transcripts::{Line, Paragraph};

use super::item_facts::ItemFacts;
use crate::inputs::{ShownTranscript, are_in};
use site::ItemEntry;

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
    facts: ItemFacts<'a>,
    read: OnceCell<Option<Rc<TranscriptText>>>,
}

struct TranscriptText {
    /// Paragraphs, each with its link target: the second in which the paragraph starts. Only the
    /// first paragraph of a second has a target.
    paragraphs: Vec<(Paragraph, Option<u64>)>,
    /// Length of the text in bytes.
    length: usize,
    is_machine_made: bool,
    /// Lines of clips, by the indices of paragraph and line. The value is the index of the
    /// soundbite on the first line of a clip.
    clips: HashMap<(usize, usize), Option<usize>>,
}

impl TranscriptText {
    fn mark_clips(&mut self, entry: &ItemEntry) {
        for (soundbite, clip) in entry.clips() {
            let mut soundbite = Some(soundbite);
            for (at, (paragraph, _)) in self.paragraphs.iter().enumerate() {
                let next = self.paragraphs.get(at + 1);
                let next = next.and_then(|(next, _)| next.lines.first()?.start);
                let are_in = are_in(&paragraph.lines, next, &clip).into_iter().enumerate();
                for (line, _) in are_in.filter(|(_, is_in)| *is_in) {
                    let mark = self.clips.entry((at, line)).or_default();
                    *mark = mark.or(soundbite.take());
                }
            }
        }
    }
}

impl<'a> TranscriptPage<'a> {
    pub fn of(shown: &'a ShownTranscript<'a>, facts: ItemFacts<'a>) -> Self {
        Self { shown, facts, read: OnceCell::new() }
    }

    /// Returns the transcript. Returns None if it is empty or too long for a page.
    pub fn data(&self) -> Option<Data<'a>> {
        let said = self.read.get_or_init(|| {
            let mut said = read(self.shown)?;
            if self.facts.shared.config.audio.clips {
                said.mark_clips(self.facts.shown.entry);
            }
            Some(Rc::new(said))
        });
        said.as_ref().map(|said| {
            let (shown, facts, said) = (self.shown, self.facts, Rc::clone(said));
            Data::object(TranscriptData { shown, facts, said })
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
    let is_machine_made = shown.is_machine_made(&file);
    let clips = HashMap::new();
    let text = TranscriptText { paragraphs, length, is_machine_made, clips };
    (!text.paragraphs.is_empty()).then_some(text)
}

struct TranscriptData<'a> {
    shown: &'a ShownTranscript<'a>,
    facts: ItemFacts<'a>,
    said: Rc<TranscriptText>,
}

object!(impl TranscriptData<'a>, |this| {
    "url" => this.shown.url,
    "language" => this.shown.language,
    "is_long" => this.said.length > MAX_UNFOLDED,
    "is_machine_made" => this.said.is_machine_made,
    "paragraphs" => {
        let (facts, said) = (this.facts, Rc::clone(&this.said));
        Data::list(said.paragraphs.len(), move |at| {
            Data::object(ParagraphData { facts, said: Rc::clone(&said), at })
        })
    },
});

struct ParagraphData<'a> {
    facts: ItemFacts<'a>,
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
    "start_text" => this.start().map(|start| this.facts.clock(start)),
    "lines" => {
        let (facts, said, paragraph) = (this.facts, Rc::clone(&this.said), this.at);
        Data::list(this.paragraph().lines.len(), move |at| {
            let line = &said.paragraphs[paragraph].0.lines[at];
            let shared = LineText { said: Rc::clone(&said), paragraph, at };
            let mark = said.clips.get(&(paragraph, at));
            let clip = mark.and_then(|soundbite| clip_link(facts, (*soundbite)?));
            Data::from([
                ("start", seconds(line).into()),
                ("text", Data::shared(shared)),
                ("is_in_clip", mark.is_some().into()),
                ("clip", clip.unwrap_or_default()),
            ])
        })
    },
});

/// Returns a link to the clip of a soundbite.
fn clip_link(facts: ItemFacts<'_>, soundbite: usize) -> Option<Data<'_>> {
    let entry = facts.shown.entry;
    let clip = entry.clip(entry.item.podcast.soundbites.get(soundbite)?)?;
    let language = entry.item.language.as_deref();
    let url = facts.shared.config.original_url(language, &clip.path(entry));
    Some(Data::from([("url", url.into()), ("title", clip.title.into())]))
}

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
