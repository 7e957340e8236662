//! Paragraphs of pictures alone: several are a gallery, and the title of each is its caption.

use model::push_attribute;
use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use model::pictures::{half_sum, rounded_ratio};

/// A paragraph, and its pictures so far, in order.
pub struct Paragraph<'e> {
    /// Where it starts among the events.
    start: usize,
    pictures: Vec<Picture<'e>>,
}

struct Picture<'e> {
    /// Where it stands among the events.
    at: usize,
    title: CowStr<'e>,
    dimensions: Option<(u32, u32)>,
}

impl<'e> Paragraph<'e> {
    /// One that starts with the event of this number.
    pub fn starting(start: usize) -> Self {
        Self { start, pictures: Vec::new() }
    }

    /// The event of this number is a picture.
    pub fn add(&mut self, at: usize, title: CowStr<'e>, dimensions: Option<(u32, u32)>) {
        self.pictures.push(Picture { at, title, dimensions });
    }

    /// Puts figures in the place of the paragraph, which ends with these events: of several pictures a gallery, of one
    /// a figure with its caption. Answers whether it has.
    pub fn become_figures(self, events: &mut Vec<Event<'e>>) -> bool {
        let is_gallery = self.pictures.len() > 1;
        let is_captioned = self.pictures.iter().any(|one| !one.title.is_empty());
        if !(is_gallery || is_captioned) || !self.has_pictures_alone(events) {
            return false;
        }
        let (start, mut pictures) = (self.start, self.pictures.into_iter());
        let inside = events.split_off(start);
        if is_gallery {
            // The width of all pictures side by side, so that a theme can distinguish one row from several.
            let half = half_sum(pictures.as_slice().iter().map(Picture::ratio));
            let start = format!("<div class=\"gallery\" data-ratio=\"{half}\">\n");
            events.push(Event::Html(start.into()));
        }
        let mut link = None;
        for event in inside.into_iter().skip(1) {
            match event {
                Event::Start(_) => link = Some(event),
                Event::InlineHtml(tag) => {
                    if let Some(picture) = pictures.next() {
                        let has_more = pictures.len() > 0;
                        let attributes = match is_gallery {
                            true => picture.place_in_gallery(has_more),
                            false => String::new(),
                        };
                        picture.push_figure(&tag, link.take(), &attributes, events);
                    }
                }
                _ => {}
            }
        }
        if is_gallery {
            events.push(Event::Html("</div>\n".into()));
        }
        true
    }

    /// Whether nothing but pictures, and links of one picture each, stands between the events from the start.
    fn has_pictures_alone(&self, events: &[Event<'e>]) -> bool {
        let is_picture = |at: usize| self.pictures.binary_search_by_key(&at, |one| one.at).is_ok();
        let mut inside = events.iter().enumerate().skip(self.start + 1);
        inside.all(|(at, event)| match event {
            Event::Text(text) => text.trim().is_empty(),
            Event::SoftBreak | Event::HardBreak | Event::End(TagEnd::Link) => true,
            Event::Start(Tag::Link { .. }) => {
                is_picture(at + 1) && matches!(events.get(at + 2), Some(Event::End(TagEnd::Link)))
            }
            _ => is_picture(at),
        })
    }
}

impl<'e> Picture<'e> {
    /// What a theme lays out rows by: how wide the picture is, and whether more come after it. Until all are there, the
    /// rows are not final.
    fn place_in_gallery(&self, has_more: bool) -> String {
        let ratio = self
            .dimensions
            .map(|(width, height)| format!(" data-ratio=\"{}\"", rounded_ratio(width, height)));
        let more = if has_more { " data-more" } else { "" };
        ratio.unwrap_or_default() + more
    }

    /// Its ratio in the rows of a gallery. A picture of unknown dimensions counts as square.
    fn ratio(&self) -> f64 {
        self.dimensions.map_or(1.0, |(width, height)| rounded_ratio(width, height))
    }

    fn push_figure(
        self,
        tag: &str,
        link: Option<Event<'e>>,
        attributes: &str,
        events: &mut Vec<Event<'e>>,
    ) {
        events.push(Event::Html(format!("<figure{attributes}>").into()));
        let end = link.is_some().then_some(Event::End(TagEnd::Link));
        events.extend(link);
        // What the caption says need not be said again.
        events.push(Event::InlineHtml(tag.replacen(&title_attribute(&self.title), "", 1).into()));
        events.extend(end);
        if !self.title.is_empty() {
            events.push(Event::Html("<figcaption>".into()));
            events.push(Event::Text(self.title));
            events.push(Event::Html("</figcaption>".into()));
        }
        events.push(Event::Html("</figure>\n".into()));
    }
}

/// A title as an attribute, or nothing where there is none.
pub fn title_attribute(title: &str) -> String {
    if title.is_empty() {
        return String::new();
    }
    let mut attribute = String::from(" title=\"");
    push_attribute(&mut attribute, title);
    attribute.push('"');
    attribute
}
