//! Conversion of a Markdown body's events to HTML and plain text. Some events are changed where
//! feedwright's output differs from CommonMark's plain HTML.

use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Tag, TagEnd, html as markdown_html,
};

use super::absolute_markdown::{ShownLink, SourceEdits};
use super::columns::Columns;
use super::events::each_event;
use super::footnotes::Footnotes;
use super::galleries::{Paragraph, title_attribute};
use super::lead::Lead;
use super::line_marks::LineMarks;
use super::math::math;
use super::players::{Kind, Medium, end_of_player};
use super::substitutions::Parsed;
use super::syntax::options;
use super::{beginning, drop_control_characters, template_tags};
use crate::html::{self, Role};
use crate::linker::Linker;
use model::{Body, Content, Slug, push_attribute};

/// The part of a body to read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ReadExtent {
    Body,
    /// The body's links, and either its whole text or a [sufficient
    /// start](Content::is_sufficient_start) of the text.
    Beginning,
}

/// Reads the body of a Markdown file, which starts at byte `start`. `read_extent` selects the part
/// to read.
pub fn markdown(
    linker: &Linker<'_, '_>,
    start: usize,
    scope: &str,
    read_extent: ReadExtent,
) -> Body {
    let body = &linker.reader.source.text[start..];
    let config = &linker.reader.config.markdown;
    let Parsed { text, signs } = Parsed::of(body, config);
    let end = match read_extent {
        ReadExtent::Beginning if !beginning::needs_full_read(body) => beginning::end(body),
        _ => None,
    };
    if let Some(end) = end {
        // The line after `end` is parsed too, because it ends the preceding block.
        let line = body[end..].find('\n').unwrap_or(body.len() - end);
        let mut reading = Markdown::new(linker, start, scope, read_extent);
        let parsed = (&text[..end + line], &signs);
        each_event(linker, start, parsed, end, |event, range| reading.event(event, range));
        let has_lead = reading.lead.is_complete();
        let read = reading.finish();
        if has_lead && Content::is_sufficient_start(&read.text) {
            return read;
        }
    }
    let mut reading = Markdown::new(linker, start, scope, read_extent);
    let parsed = (&*text, &signs);
    each_event(linker, start, parsed, usize::MAX, |event, range| reading.event(event, range));
    reading.finish()
}

/// A picture whose alternative text is being read.
struct Image<'e> {
    range: Range<usize>,
    link_type: LinkType,
    destination: CowStr<'e>,
    title: CowStr<'e>,
    alt: String,
    /// Number of pictures in the alternative text that have not ended yet.
    inner: usize,
}

/// The state of the conversion: the events to write as HTML, and the plain text. Events are changed
/// where the output differs from CommonMark's plain HTML.
struct Markdown<'l, 'r, 'a, 'e> {
    linker: &'l Linker<'r, 'a>,
    start: usize,
    scope: &'l str,
    read_extent: ReadExtent,
    events: Vec<Event<'e>>,
    text: String,
    lead: Lead,
    heading: Option<(usize, String)>,
    heading_ids: HashMap<String, usize>,
    image: Option<Image<'e>>,
    paragraph: Option<Paragraph<'e>>,
    html_block: Option<(Range<usize>, String)>,
    code_block: Option<(CowStr<'e>, String)>,
    footnotes: Footnotes<'e>,
    columns: Columns,
    line_marks: Option<LineMarks<'l>>,
    /// The changes that make the body's Markdown version, if the site publishes one.
    edits: Option<SourceEdits>,
    /// Whether the body may contain template tags of other generators.
    template_tags: bool,
}

impl<'l, 'r, 'a, 'e> Markdown<'l, 'r, 'a, 'e> {
    fn new(
        linker: &'l Linker<'r, 'a>,
        start: usize,
        scope: &'l str,
        read_extent: ReadExtent,
    ) -> Self {
        let length = linker.reader.source.text.len() - start;
        let events = match read_extent {
            ReadExtent::Body => Vec::with_capacity(length / 16),
            ReadExtent::Beginning => Vec::new(),
        };
        Self {
            linker,
            start,
            scope,
            read_extent,
            events,
            text: String::with_capacity(length),
            lead: Lead::default(),
            heading: None,
            heading_ids: HashMap::new(),
            image: None,
            paragraph: None,
            html_block: None,
            code_block: None,
            footnotes: Footnotes::default(),
            columns: Columns::default(),
            line_marks: linker.reader.has_line_marks.then(|| LineMarks::new(linker, start)),
            edits: (linker.reader.config.output.markdown && read_extent == ReadExtent::Body)
                .then(SourceEdits::default),
            template_tags: template_tags::has_tags(&linker.reader.source.text[start..]),
        }
    }

    fn push(&mut self, event: Event<'e>) {
        if self.read_extent == ReadExtent::Body {
            self.events.push(event);
        }
    }

    fn event(&mut self, event: Event<'e>, range: Range<usize>) {
        self.lead.event(&event);
        if let Some((_, chunk)) = &mut self.html_block
            && let Event::Html(html) | Event::Text(html) = &event
        {
            chunk.push_str(html);
            return;
        }
        if self.image.is_some() {
            self.alternative_text(event, &range);
            return;
        }
        if let Some((_, code)) = &mut self.code_block
            && let Event::Text(text) = &event
        {
            code.push_str(text);
            return;
        }
        if let Some(mark) = self.line_marks.as_mut().and_then(|marks| marks.mark(&event, &range)) {
            self.push(Event::Html(mark.into()));
        }
        match event {
            Event::Text(ref text) | Event::Code(ref text) => {
                if self.template_tags && matches!(event, Event::Text(_)) {
                    template_tags::warn(
                        self.linker,
                        self.start + range.start..self.start + range.end,
                    );
                }
                self.text.push_str(text);
                if let Some((_, heading)) = &mut self.heading {
                    heading.push_str(text);
                }
                self.push(event);
            }
            Event::InlineMath(ref tex) | Event::DisplayMath(ref tex) => {
                self.text.push_str(tex.trim());
                if let Some((_, heading)) = &mut self.heading {
                    heading.push_str(tex);
                }
                let is_display = matches!(event, Event::DisplayMath(_));
                let range = self.start + range.start..self.start + range.end;
                let html = math(self.linker, tex, is_display, range);
                self.push(Event::InlineHtml(html.into()));
            }
            Event::SoftBreak => {
                self.text.push(' ');
                self.push(event);
            }
            Event::HardBreak => {
                html::new_line(&mut self.text);
                self.push(event);
            }
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Html(_) => {
                html::new_line(&mut self.text);
                self.push(event);
            }
            Event::InlineHtml(chunk) => {
                let rewritten = self.rewrite(&chunk, &range);
                self.push(Event::InlineHtml(rewritten.into()));
            }
            Event::FootnoteReference(name) => {
                let html = self.footnotes.reference(&name, self.scope);
                self.push(Event::InlineHtml(html.into()));
            }
            Event::TaskListMarker(done) => {
                let state =
                    if done { "checked aria-label=\"done\"" } else { "aria-label=\"to do\"" };
                self.push(Event::InlineHtml(
                    format!("<input type=\"checkbox\" disabled {state}> ").into(),
                ));
            }
            other => self.push(other),
        }
    }

    fn start(&mut self, tag: Tag<'e>, range: Range<usize>) {
        match tag {
            Tag::Heading { ref id, ref attrs, ref classes, .. } => {
                if id.is_some() || !attrs.is_empty() || !classes.is_empty() {
                    self.edit(|edits, body| edits.heading(body, &range));
                }
                html::new_line(&mut self.text);
                self.heading = Some((self.events.len(), String::new()));
                self.push(Event::Start(tag));
            }
            Tag::Link { link_type, dest_url, title, id } => {
                let dest_url = self.resolve_link(link_type, dest_url, &title, &range);
                self.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
            }
            Tag::Image { link_type, dest_url: destination, title, .. } => {
                let alt = String::new();
                self.image = Some(Image { range, link_type, destination, title, alt, inner: 0 });
            }
            Tag::Paragraph => {
                let is_wanted = self.linker.reader.config.markdown.galleries;
                self.paragraph = is_wanted.then(|| Paragraph::starting(self.events.len()));
                self.push(Event::Start(tag));
            }
            Tag::HtmlBlock => self.html_block = Some((range, String::new())),
            Tag::CodeBlock(kind) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => info,
                    CodeBlockKind::Indented => CowStr::Borrowed(""),
                };
                self.code_block = Some((info, String::new()));
            }
            Tag::FootnoteDefinition(name) => {
                html::new_line(&mut self.text);
                let outer = std::mem::take(&mut self.events);
                self.footnotes.start(&name, outer);
            }
            Tag::Table(alignments) => {
                html::new_line(&mut self.text);
                self.columns = Columns::of(alignments);
                self.push(Event::Html("<div class=\"table\" tabindex=\"0\">".into()));
                self.push(Event::Start(Tag::Table(Vec::new())));
            }
            Tag::TableHead | Tag::TableRow => {
                self.columns.start_row(tag == Tag::TableHead);
                self.push(Event::Start(tag));
            }
            Tag::TableCell => {
                let cell = self.columns.cell();
                self.push(cell.map_or(Event::Start(tag), |html| Event::InlineHtml(html.into())));
            }
            tag => self.push(Event::Start(tag)),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => self.end_heading(level),
            TagEnd::Paragraph => {
                html::new_line(&mut self.text);
                let paragraph = self.paragraph.take();
                if !paragraph.is_some_and(|one| one.replace_by_figures(&mut self.events)) {
                    self.push(Event::End(tag));
                }
            }
            TagEnd::HtmlBlock => self.end_html_block(),
            TagEnd::CodeBlock => self.end_code_block(),
            TagEnd::FootnoteDefinition => {
                self.footnotes.end(&mut self.events);
            }
            TagEnd::Table => {
                self.push(Event::End(tag));
                self.push(Event::Html("</div>\n".into()));
            }
            TagEnd::TableCell => {
                self.text.push(' ');
                self.push(Event::End(tag));
            }
            tag => {
                let inline = matches!(
                    tag,
                    TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link
                );
                if !inline {
                    html::new_line(&mut self.text);
                }
                self.push(Event::End(tag));
            }
        }
    }

    /// Ends a heading. A heading without an id gets the slug of its text as its id. A number is
    /// appended to an id that the body already contains.
    fn end_heading(&mut self, level: HeadingLevel) {
        html::new_line(&mut self.text);
        if let Some((at, text)) = self.heading.take()
            && let Some(Event::Start(Tag::Heading { id, .. })) = self.events.get_mut(at)
        {
            let base = match id.as_deref() {
                Some(given) => given.to_owned(),
                None => Slug::truncated_title(&text)
                    .map_or_else(|| "section".to_owned(), |slug| slug.to_string()),
            };
            let seen =
                self.heading_ids.entry(base.clone()).and_modify(|count| *count += 1).or_insert(0);
            *id = Some(if *seen == 0 { base.into() } else { format!("{base}-{seen}").into() });
        }
        self.push(Event::End(TagEnd::Heading(level)));
    }

    fn end_html_block(&mut self) {
        if let Some((range, chunk)) = self.html_block.take() {
            let rewritten = self.rewrite(&chunk, &range);
            let text = html::text(&chunk);
            if !text.is_empty() {
                self.text.push_str(&text);
                html::new_line(&mut self.text);
            }
            self.push(Event::Html(rewritten.into()));
        }
    }

    fn end_code_block(&mut self) {
        if let Some((info, code)) = self.code_block.take() {
            let mut html = String::new();
            if self.read_extent == ReadExtent::Body {
                html.reserve(code.len() * 2 + 64);
                let config = &self.linker.reader.config.markdown;
                let look = highlight::Look {
                    highlight: config.highlight,
                    line_numbers: config.line_numbers,
                    known: self.linker.reader.code(),
                };
                highlight::push_code_block(&mut html, &info, &code, look);
            }
            html::new_line(&mut self.text);
            self.text.push_str(&code);
            html::new_line(&mut self.text);
            self.push(Event::Html(html.into()));
        }
    }

    /// Records a change of the body's Markdown version, if the site publishes one.
    fn edit(&mut self, change: impl FnOnce(&mut SourceEdits, &str)) {
        if let Some(edits) = &mut self.edits {
            change(edits, &self.linker.reader.source.text[self.start..]);
        }
    }

    /// Replaces the references in HTML that was read from `range` of the body.
    fn rewrite(&mut self, chunk: &str, range: &Range<usize>) -> String {
        let found = html::references(chunk, |role, reference, offset| {
            self.linker.resolve(role, reference, self.start + range.start + offset)
        });
        let rewritten = html::replaced(chunk, &found);
        self.edit(|edits, body| edits.html(body, range, chunk, found));
        rewritten
    }

    /// Resolves the address of a link.
    fn resolve_link(
        &mut self,
        link_type: LinkType,
        address: CowStr<'e>,
        title: &str,
        range: &Range<usize>,
    ) -> CowStr<'e> {
        // The destination of `<me@example.com>` is the bare address, without `mailto:`. This
        // address is not resolved.
        let is_resolved = link_type != LinkType::Email;
        let at = self.start + range.start;
        let resolved = is_resolved.then(|| self.linker.resolve(Role::Link, &address, at));
        let address = resolved.flatten().map_or(address, CowStr::from);
        let link = ShownLink { link_type, address: &address, title, is_picture: false };
        self.edit(|edits, body| edits.link(body, range, &link));
        address
    }

    /// Resolves the address of a picture, audio or video file.
    fn resolve_picture(
        &mut self,
        link_type: LinkType,
        address: &str,
        title: &str,
        range: &Range<usize>,
    ) -> Medium {
        let medium = Medium::of(self.linker, address, self.start + range.start);
        let is_picture = !matches!(Kind::of(address), Some(Kind::Sound | Kind::Video));
        let link = ShownLink { link_type, address: &medium.url, title, is_picture };
        self.edit(|edits, body| edits.link(body, range, &link));
        medium
    }

    /// Adds an event to the alternative text of a picture. Only the Markdown version has the links
    /// and pictures of this text.
    fn alternative_text(&mut self, event: Event<'e>, range: &Range<usize>) {
        let Some(image) = &mut self.image else { return };
        match event {
            Event::Text(text) | Event::Code(text) => image.alt.push_str(&text),
            Event::InlineMath(tex) | Event::DisplayMath(tex) => image.alt.push_str(&tex),
            Event::SoftBreak | Event::HardBreak => image.alt.push(' '),
            Event::Start(Tag::Image { link_type, dest_url, title, .. }) => {
                image.inner += 1;
                if self.edits.is_some() {
                    self.resolve_picture(link_type, &dest_url, &title, range);
                }
            }
            Event::End(TagEnd::Image) if image.inner > 0 => image.inner -= 1,
            Event::End(TagEnd::Image) => self.end_image(),
            Event::Start(Tag::Link { link_type, dest_url, title, .. }) if self.edits.is_some() => {
                self.resolve_link(link_type, dest_url, &title, range);
            }
            _ => {}
        }
    }

    /// Ends a picture. A local picture gets its dimensions, so that the page does not shift when
    /// the picture loads.
    fn end_image(&mut self) {
        let Some(Image { range, link_type, destination, title, alt, .. }) = self.image.take()
        else {
            return;
        };
        let medium = self.resolve_picture(link_type, &destination, &title, &range);
        let players = self.linker.reader.config.markdown.media_players;
        let mut tag;
        match Kind::of(&destination).filter(|_| players) {
            Some(kind @ (Kind::Sound | Kind::Video)) => {
                tag = medium.player(kind);
                push_attribute(&mut tag, &alt);
                tag.push_str(end_of_player(kind));
            }
            _ => {
                tag = String::from("<img src=\"");
                push_attribute(&mut tag, &medium.url);
                tag.push_str("\" alt=\"");
                push_attribute(&mut tag, &alt);
                tag.push('"');
                tag.push_str(&title_attribute(&title));
                medium.push_dimensions(&mut tag);
                tag.push_str(" loading=\"lazy\">");
                if let Some(paragraph) = &mut self.paragraph {
                    paragraph.add(self.events.len(), title, medium.dimensions);
                }
            }
        }
        self.text.push_str(&alt);
        self.push(Event::InlineHtml(tag.into()));
    }

    fn finish(mut self) -> Body {
        drop_control_characters(&mut self.text);
        self.text.truncate(self.text.trim_end().len());
        if self.read_extent == ReadExtent::Beginning {
            return Body { text: self.text, lead: self.lead.finish(), ..Body::default() };
        }
        self.footnotes.push_all(&mut self.events, self.scope);
        let mut html = String::with_capacity(self.text.len() + self.text.len() / 3);
        markdown_html::push_html(&mut html, self.events.into_iter());
        drop_control_characters(&mut html);
        html.truncate(html.trim_end().len());
        html.shrink_to_fit();
        self.text.shrink_to_fit();
        let body = &self.linker.reader.source.text[self.start..];
        let config = &self.linker.reader.config.markdown;
        let edits = self.edits;
        let changed = edits.map(|one| one.apply(body, &Parsed::of(body, config), options(config)));
        let mut markdown = changed.unwrap_or_default();
        drop_control_characters(&mut markdown);
        Body { html, text: self.text, markdown, lead: self.lead.finish() }
    }
}
