//! Paragraphs that consist only of pictures. Several pictures become a gallery, and each picture's
//! title becomes its caption.

use model::push_attribute;
use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use model::pictures::{half_ratio_sum, rounded_ratio};

/// A paragraph, and the pictures found in it so far, in order.
pub struct Paragraph<'e> {
    /// The index of the event that starts the paragraph.
    start: usize,
    pictures: Vec<Picture<'e>>,
}

struct Picture<'e> {
    /// The index of the picture's event.
    at: usize,
    title: CowStr<'e>,
    dimensions: Option<(u32, u32)>,
}

impl<'e> Paragraph<'e> {
    /// Creates a paragraph that starts at the event with index `start`.
    pub fn starting(start: usize) -> Self {
        Self { start, pictures: Vec::new() }
    }

    /// Adds the picture at the event with index `at`.
    pub fn add(&mut self, at: usize, title: CowStr<'e>, dimensions: Option<(u32, u32)>) {
        self.pictures.push(Picture { at, title, dimensions });
    }

    /// Replaces the paragraph at the end of `events` with figures. Several pictures become a
    /// gallery. One picture with a title becomes a figure with a caption. Returns whether the
    /// paragraph was replaced.
    pub fn replace_by_figures(self, events: &mut Vec<Event<'e>>) -> bool {
        let is_gallery = self.pictures.len() > 1;
        let is_captioned = self.pictures.iter().any(|one| !one.title.is_empty());
        if !(is_gallery || is_captioned) || !self.has_only_pictures(events) {
            return false;
        }
        let (start, mut pictures) = (self.start, self.pictures.into_iter());
        let inside = events.split_off(start);
        if is_gallery {
            // A theme uses half the sum of the pictures' ratios to choose between one row and
            // several rows.
            let half = half_ratio_sum(pictures.as_slice().iter().map(Picture::ratio));
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

    /// Returns whether the paragraph contains only pictures and linked pictures.
    fn has_only_pictures(&self, events: &[Event<'e>]) -> bool {
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
    /// Returns the attributes that a theme uses to lay out rows: the picture's ratio, and whether
    /// more pictures follow. A theme can finish the layout after the last picture.
    fn place_in_gallery(&self, has_more: bool) -> String {
        let ratio = self
            .dimensions
            .map(|(width, height)| format!(" data-ratio=\"{}\"", rounded_ratio(width, height)));
        let more = if has_more { " data-more" } else { "" };
        ratio.unwrap_or_default() + more
    }

    /// Returns the ratio of width to height. A picture with unknown dimensions counts as square.
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
        // The caption shows the title, so the `title` attribute is not needed.
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

/// Returns the `title` attribute for a title, or an empty string if the title is empty.
pub fn title_attribute(title: &str) -> String {
    if title.is_empty() {
        return String::new();
    }
    let mut attribute = String::from(" title=\"");
    push_attribute(&mut attribute, title);
    attribute.push('"');
    attribute
}
