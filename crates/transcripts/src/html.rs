//! HTML: the elements `cite`, `time` and `p` of Podcasting 2.0, and the text of any other HTML.

use std::borrow::Cow;

use html5gum::emitters::default::DefaultEmitter;
use html5gum::{Readable, Token, Tokenizer};

use crate::Cue;
use crate::clock;
use crate::fault::Faults;
use crate::plain::MAX_CUE_BYTES;
use crate::text::{fold_whitespace, is_space, utf8};

type Tokens<'a> = Tokenizer<<&'a [u8] as Readable<'a>>::Reader, DefaultEmitter<usize>>;

/// Reader for the cues in HTML. `<cite>Name:</cite>` or `<time>0:12</time>` at the start of a block
/// begins a cue, which extends to the next such element. In a file without such elements, each
/// block is a cue.
pub(crate) struct Html<'a> {
    tokens: Tokens<'a>,
    /// Offset of the HTML in the file.
    offset: usize,
    /// Number of open elements whose content is skipped.
    hidden: usize,
    open: OpenCue,
    /// Offset of the current block, or `None` after a cue in the block has used it.
    block: Option<usize>,
    is_block_begun: bool,
    open_element: Option<ElementText>,
    /// A `cite` element. It is a speaker's name if no other text follows it in its block.
    name: Option<ElementText>,
}

/// The current cue, to which text is added.
#[derive(Default)]
struct OpenCue {
    from: usize,
    to: usize,
    start: Option<u64>,
    speaker: Option<String>,
    is_marked: bool,
    text: String,
}

/// A `cite` or `time` element and its text.
struct ElementText {
    is_time: bool,
    from: usize,
    to: usize,
    text: String,
}

impl<'a> Html<'a> {
    pub(crate) fn new(bytes: &'a [u8], at: usize) -> Self {
        let mut emitter = DefaultEmitter::new_with_span();
        emitter.naively_switch_states(true);
        Self {
            tokens: Tokenizer::new_with_emitter(&bytes[at..], emitter),
            offset: at,
            hidden: 0,
            open: OpenCue::default(),
            block: None,
            is_block_begun: true,
            open_element: None,
            name: None,
        }
    }

    pub(crate) fn next(&mut self, faults: &mut Faults<'_>) -> Option<Cue<'a>> {
        while let Some(Ok(token)) = self.tokens.next() {
            if let Some(cue) = self.token(token, faults) {
                return Some(cue);
            }
        }
        self.unclosed_element_is_text();
        self.flush_name_as_text();
        self.close()
    }

    fn token(&mut self, token: Token<usize>, faults: &mut Faults<'_>) -> Option<Cue<'a>> {
        match token {
            Token::StartTag(tag) if is_hidden(&tag.name) => {
                self.hidden += 1;
                self.block = None;
            }
            Token::EndTag(tag) if is_hidden(&tag.name) => {
                self.hidden = self.hidden.saturating_sub(1);
            }
            _ if self.hidden > 0 => {}
            Token::StartTag(tag) => return self.start_tag(&tag.name, tag.span.start, tag.span.end),
            Token::EndTag(tag) => return self.end_tag(&tag.name, tag.span.start, tag.span.end),
            Token::String(text) => {
                let (from, to) = (text.span.start, text.span.end);
                self.text(&utf8(&text.value, self.offset + from, faults), from, to);
            }
            _ => {}
        }
        None
    }

    fn start_tag(&mut self, name: &[u8], from: usize, to: usize) -> Option<Cue<'a>> {
        let is_time = name == b"time";
        if (is_time || name == b"cite") && self.is_block_begun {
            self.unclosed_element_is_text();
            let cue = if is_time { self.flush_name_as_speaker() } else { None };
            self.flush_name_as_text();
            self.open_element = Some(ElementText { is_time, from, to, text: String::new() });
            return cue;
        }
        if name == b"br" {
            return self.boundary(None);
        }
        is_block(name).then(|| self.boundary(Some(from))).flatten()
    }

    fn end_tag(&mut self, name: &[u8], from: usize, to: usize) -> Option<Cue<'a>> {
        let is_time = name == b"time";
        if is_time || name == b"cite" {
            let open_element =
                self.open_element.take_if(|open_element| open_element.is_time == is_time)?;
            return self.mark(ElementText { to, ..open_element });
        }
        if !is_block(name) {
            return None;
        }
        if self.open.to == from && !self.open.text.is_empty() && self.name.is_none() {
            self.open.to = to;
        }
        let cue = self.boundary(None);
        self.block = None;
        cue
    }

    /// Handles the start of a block (with its offset), the end of a block, or a line break. Returns
    /// the cue that ends there.
    fn boundary(&mut self, block: Option<usize>) -> Option<Cue<'a>> {
        self.unclosed_element_is_text();
        let mut cue = self.flush_name_as_speaker();
        self.is_block_begun = true;
        self.block = block.or(self.block);
        if !self.open.is_marked || self.open.text.len() >= MAX_CUE_BYTES {
            // A speaker's name may already have ended a cue. That cue is returned first.
            cue = cue.or_else(|| self.close());
        } else if !self.open.text.is_empty() {
            self.open.text.push(' ');
        }
        cue
    }

    fn text(&mut self, text: &str, from: usize, to: usize) {
        if let Some(open_element) = &mut self.open_element {
            open_element.text.push_str(text);
            open_element.to = to;
            return;
        }
        if text.chars().all(is_space) {
            if !self.open.text.is_empty() {
                self.open.text.push(' ');
            }
            return;
        }
        self.flush_name_as_text();
        if self.open.text.is_empty() && !self.open.is_marked {
            self.open.from = self.block.unwrap_or(from);
        }
        self.block = None;
        self.open.text.push_str(text);
        self.open.to = to;
        self.is_block_begun = false;
    }

    /// Handles the end of a `cite` or `time` element. Returns the cue that ends before this
    /// element.
    fn mark(&mut self, element: ElementText) -> Option<Cue<'a>> {
        if element.text.chars().all(is_space) {
            return None;
        }
        if element.is_time {
            let Some(clock) = clock::whole(element.text.as_bytes()) else {
                self.text(&element.text, element.from, element.to);
                return None;
            };
            let cue = self.begin(element.from, |open| open.start.is_none());
            self.open.start = Some(clock.at);
            return cue;
        }
        let is_sure = element.text.trim_end().ends_with([':', '：']);
        self.name = Some(element);
        is_sure.then(|| self.flush_name_as_speaker()).flatten()
    }

    fn flush_name_as_speaker(&mut self) -> Option<Cue<'a>> {
        let name = self.name.take()?;
        let cue = self.begin(name.from, |open| open.speaker.is_none());
        let speaker = name.text.trim().trim_end_matches([':', '：']);
        self.open.speaker = Some(fold_whitespace(Cow::Borrowed(speaker)).into_owned());
        cue
    }

    fn flush_name_as_text(&mut self) {
        if let Some(name) = self.name.take() {
            self.text(&name.text, name.from, name.to);
        }
    }

    /// Treats a `cite` or `time` element without an end tag as text.
    fn unclosed_element_is_text(&mut self) {
        if let Some(open_element) = self.open_element.take() {
            self.text(&open_element.text, open_element.from, open_element.to);
        }
    }

    /// Begins a cue. If the current cue has no text yet and no value for this `cite` or `time`,
    /// continues that cue instead.
    fn begin(&mut self, from: usize, has_room: impl Fn(&OpenCue) -> bool) -> Option<Cue<'a>> {
        let is_same = self.open.is_marked && self.open.text.is_empty() && has_room(&self.open);
        if is_same {
            return None;
        }
        let cue = self.close();
        self.open.from = self.block.take().unwrap_or(from);
        self.open.is_marked = true;
        cue
    }

    fn close(&mut self) -> Option<Cue<'a>> {
        let open = std::mem::take(&mut self.open);
        let text = fold_whitespace(Cow::Owned(open.text));
        (!text.is_empty()).then(|| Cue {
            start: open.start,
            end: None,
            speaker: open.speaker.filter(|name| !name.is_empty()).map(Cow::Owned),
            text,
            bytes: self.offset + open.from..self.offset + open.to,
        })
    }
}

/// Returns whether the content of an element is not HTML or not visible.
fn is_hidden(name: &[u8]) -> bool {
    const HIDDEN: [&[u8]; 11] = [
        b"iframe", b"noembed", b"noframes", b"noscript", b"plaintext", b"script", b"style",
        b"template", b"textarea", b"title", b"xmp",
    ];
    HIDDEN.contains(&name)
}

/// Returns whether an element starts a new block.
fn is_block(name: &[u8]) -> bool {
    const BLOCKS: [&[u8]; 38] = [
        b"address", b"article", b"aside", b"blockquote", b"body", b"caption", b"center", b"dd",
        b"details", b"dialog", b"div", b"dl", b"dt", b"fieldset", b"figcaption", b"figure",
        b"footer", b"form", b"head", b"header", b"hr", b"html", b"legend", b"li", b"main", b"nav",
        b"ol", b"option", b"p", b"pre", b"section", b"summary", b"table", b"td", b"th", b"tr",
        b"ul", b"tbody",
    ];
    BLOCKS.contains(&name) || matches!(name, [b'h', b'1'..=b'6'])
}
