//! The lead of a body: its first paragraphs, which are used for [excerpts](model::excerpt).

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::html::{self, Block};
use model::Content;

/// Collector of a body's lead: the paragraphs before `<!--more-->`, or else the first paragraphs.
/// Headings, code, tables, captions and footnotes are left out. If a body has no paragraphs, the
/// list items are used instead.
#[derive(Default)]
pub struct Lead {
    paragraphs: LeadText,
    items: LeadText,
    /// The text of the open paragraph or list item.
    open: Option<String>,
    /// Number of open elements whose text is left out.
    left_out: usize,
    lists: usize,
    /// Whether the current event is inside a footnote reference.
    is_in_reference: bool,
    /// The name of the open inline element whose text is left out, such as a player.
    inline: Option<String>,
    /// The text of the open HTML block.
    html: Option<String>,
    is_over: bool,
}

/// Paragraphs separated by blank lines, and the number of characters in them.
#[derive(Default)]
struct LeadText {
    text: String,
    count: usize,
}

impl LeadText {
    fn add(&mut self, paragraph: &str) {
        if paragraph.is_empty() || self.is_full() {
            return;
        }
        if self.count > 0 {
            self.text.push_str("\n\n");
        }
        for c in paragraph.chars() {
            if self.is_full() {
                return;
            }
            self.text.push(c);
            self.count += 1;
        }
    }

    fn is_full(&self) -> bool {
        self.count > Content::MAX_LEAD
    }
}

impl Lead {
    /// Returns the lead of an HTML body.
    pub fn of_html(html: &str) -> String {
        let mut lead = Self::default();
        lead.read_html(html);
        lead.finish()
    }

    pub fn is_complete(&self) -> bool {
        self.is_over || self.paragraphs.is_full()
    }

    /// Processes the next event of a Markdown body.
    pub fn event(&mut self, event: &Event<'_>) {
        if self.is_complete() {
            return;
        }
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(*tag),
            Event::Html(text) | Event::Text(text) if self.html.is_some() => {
                if let Some(html) = &mut self.html {
                    html.push_str(text);
                }
            }
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) => self.text(text),
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            Event::InlineHtml(tag) | Event::Html(tag) => match tag.trim() {
                tag if is_more_tag(tag) => self.end_at_more(),
                tag if tag.starts_with("<br") => self.text(" "),
                // A footnote reference written as HTML.
                tag if tag.starts_with("<sup") && tag.contains("footnote") => {
                    self.left_out += usize::from(!self.is_in_reference);
                    self.is_in_reference = true;
                }
                "</sup>" if self.is_in_reference => {
                    self.left_out = self.left_out.saturating_sub(1);
                    self.is_in_reference = false;
                }
                tag => self.inline_tag(tag),
            },
            _ => {}
        }
    }

    fn inline_tag(&mut self, tag: &str) {
        let inner = tag.trim_start_matches(['<', '/']);
        let is_name_end = |c: char| !c.is_ascii_alphanumeric();
        let name = inner.split(is_name_end).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let is_end = tag.starts_with("</");
        match &self.inline {
            Some(open) if is_end && *open == name => self.inline = None,
            None if !is_end
                && !tag.ends_with("/>")
                && html::is_not_paragraph_text(name.as_bytes()) =>
            {
                self.inline = Some(name);
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::HtmlBlock => self.html = Some(String::new()),
            Tag::Heading { .. }
            | Tag::CodeBlock(_)
            | Tag::Table(_)
            | Tag::FootnoteDefinition(_)
            | Tag::Image { .. }
            | Tag::DefinitionListTitle => self.left_out += 1,
            Tag::List(_) | Tag::DefinitionList => {
                self.close();
                self.lists += 1;
            }
            Tag::Paragraph | Tag::Item | Tag::DefinitionListDefinition => {
                self.close();
                self.open = (self.left_out == 0).then(String::new);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::HtmlBlock => {
                if let Some(html) = self.html.take().filter(|_| self.left_out == 0) {
                    self.read_html(&html);
                }
            }
            TagEnd::Heading(_)
            | TagEnd::CodeBlock
            | TagEnd::Table
            | TagEnd::FootnoteDefinition
            | TagEnd::Image
            | TagEnd::DefinitionListTitle => self.left_out = self.left_out.saturating_sub(1),
            TagEnd::List(_) | TagEnd::DefinitionList => {
                self.close();
                self.lists = self.lists.saturating_sub(1);
            }
            TagEnd::Paragraph | TagEnd::Item | TagEnd::DefinitionListDefinition => self.close(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        // Maximum number of bytes to collect. An excerpt never needs more, even if the HTML
        // contains much whitespace.
        const MAX_HTML_BLOCK: usize = 16 * Content::MAX_LEAD;
        if self.left_out == 0
            && self.inline.is_none()
            && let Some(open) = &mut self.open
            && open.len() < MAX_HTML_BLOCK
        {
            open.push_str(text);
        }
    }

    fn read_html(&mut self, html: &str) {
        for block in html::blocks(html) {
            match block {
                Block::Paragraph(text) if self.lists == 0 => self.open = Some(text),
                Block::Paragraph(text) | Block::Item(text) => {
                    self.items.add(&one_line(&text));
                    continue;
                }
                Block::Comment(text) if is_more_text(&text) => self.end_at_more(),
                Block::Comment(_) => {}
            }
            self.close();
            if self.is_complete() {
                break;
            }
        }
    }

    fn close(&mut self) {
        // An unclosed element ends with its paragraph.
        self.inline = None;
        let Some(open) = self.open.take() else { return };
        let line = one_line(&open);
        let is_address = !line.contains(' ') && (line.contains("://") || line.starts_with("www."));
        if is_address {
            return;
        }
        match self.lists {
            0 => self.paragraphs.add(&line),
            _ => self.items.add(&line),
        }
    }

    /// Ends the lead at `<!--more-->`, unless the lead is empty.
    fn end_at_more(&mut self) {
        let continues = self.open.is_some();
        self.close();
        if continues {
            self.open = Some(String::new());
        }
        self.is_over = self.paragraphs.count > 0 || self.items.count > 0;
    }

    /// Returns the paragraphs, separated by blank lines. The result has slightly more than
    /// [`Content::MAX_LEAD`] characters, or contains all paragraphs.
    pub fn finish(mut self) -> String {
        if !self.is_complete() {
            self.close();
        }
        match self.paragraphs.count {
            0 => self.items.text,
            _ => self.paragraphs.text,
        }
    }
}

fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    super::drop_control_characters(&mut out);
    out
}

/// Returns whether a tag is a comment that ends the excerpt, as in WordPress, Hugo and Zola:
/// `<!--more-->`, `<!-- more -->`, `<!--more Read on-->`.
fn is_more_tag(tag: &str) -> bool {
    let comment = tag.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->"));
    comment.is_some_and(is_more_text)
}

fn is_more_text(comment: &str) -> bool {
    let word = comment.split_whitespace().next().unwrap_or_default();
    matches!(&*word.to_ascii_lowercase(), "more" | "excerpt" | "truncate" | "wp:more")
}
