//! Paragraphs that consist of a single link. A link to audio, video or a picture becomes a player
//! or a figure. A link to a video on a known host becomes a card, which requests nothing from the
//! host until a visitor starts the video.

use std::ops::Range;
use std::vec::IntoIter;

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::players::{Kind, Medium, end_of_player};
use super::syntax::Spanned;
use super::video_hosts::{Video, video};
use crate::linker::Linker;
use model::{push_attribute, url};

/// Returns whether a body may contain a paragraph that is a single link: some line begins like a
/// link. Before the link, the line may have markers of quotations (`>`), lists (`*`, `1.`, `2)`)
/// and definitions (`:`), and whitespace, including non-ASCII whitespace.
pub fn may_contain(body: &str) -> bool {
    let bytes = body.as_bytes();
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).map(|end| end + 1);
    let lines = std::iter::once(0).chain(ends);
    lines.map(|line| &bytes[line..]).any(|line| {
        let is_sign = |byte: &u8| b" \t\x0b\x0c>*+-.):".contains(byte) || byte.is_ascii_digit();
        let text = line.iter().position(|byte| !is_sign(byte)).map(|at| &line[at..]);
        text.is_some_and(|text| match text[0] {
            b'[' | b'!' | b'<' => true,
            b'h' | b'H' => text.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"http")),
            byte => !byte.is_ascii(),
        })
    })
}

/// Returns whether a paragraph begins like a single link.
fn begins_as_link(paragraph: &str) -> bool {
    let text = paragraph.trim_start();
    text.starts_with(['[', '!', '<'])
        || text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http"))
}

/// Pass that replaces paragraphs consisting of a single link.
pub struct SingleLinks<'l, 'r, 'a, 'e> {
    linker: &'l Linker<'r, 'a>,
    /// The body, which starts at byte `start` of its file.
    body: &'e str,
    start: usize,
    out: Vec<Spanned<'e>>,
}

/// A link that makes up a whole paragraph.
struct SingleLink<'e> {
    destination: CowStr<'e>,
    title: CowStr<'e>,
    range: Range<usize>,
    /// The link's text, unless the text is the address itself.
    text: Option<Vec<Spanned<'e>>>,
    is_image: bool,
}

impl<'l, 'r, 'a, 'e> SingleLinks<'l, 'r, 'a, 'e> {
    pub fn new(linker: &'l Linker<'r, 'a>, body: &'e str, start: usize) -> Self {
        Self { linker, body, start, out: Vec::new() }
    }

    /// Returns the events with single-link paragraphs replaced.
    pub fn change(mut self, events: Vec<Spanned<'e>>) -> Vec<Spanned<'e>> {
        self.out.reserve(events.len());
        let mut events = events.into_iter();
        while let Some((event, range)) = events.next() {
            if event == Event::Start(Tag::Paragraph) && begins_as_link(&self.body[range.clone()]) {
                self.paragraph(&mut events, range);
            } else {
                self.out.push((event, range));
            }
        }
        self.out
    }

    /// Replaces the paragraph at this range if it is a single link, and copies it otherwise.
    fn paragraph(&mut self, events: &mut IntoIter<Spanned<'e>>, range: Range<usize>) {
        let is_end = |(event, _): &Spanned<'_>| *event == Event::End(TagEnd::Paragraph);
        let rest = events.as_slice();
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        let found = self
            .single_link(&rest[..end], &range)
            .and_then(|single_link| self.replacement(single_link));
        match found {
            Some(replacement) => {
                let _ = events.by_ref().take(end + 1).count();
                self.out.extend(replacement);
            }
            None => self.out.push((Event::Start(Tag::Paragraph), range)),
        }
    }

    fn single_link(
        &self,
        inner: &[Spanned<'e>],
        paragraph: &Range<usize>,
    ) -> Option<SingleLink<'e>> {
        let written = self.body[paragraph.clone()].trim();
        let is_text = |(event, _): &(Event<'_>, _)| matches!(event, Event::Text(_));
        if url::is_http(written) && inner.iter().all(is_text) {
            return Some(SingleLink {
                destination: written.into(),
                title: CowStr::Borrowed(""),
                range: paragraph.clone(),
                text: None,
                is_image: false,
            });
        }
        let ((first, range), text) = inner.split_first()?;
        let (last, text) = text.split_last()?;
        // The text of a link or picture must not contain another link, a picture, a footnote
        // reference or inline HTML.
        let leads = |(event, _): &(Event<'_>, _)| {
            let is_end = matches!(event, Event::End(TagEnd::Link | TagEnd::Image));
            is_end || matches!(event, Event::FootnoteReference(_) | Event::InlineHtml(_))
        };
        if text.iter().any(leads) {
            return None;
        }
        let (link_type, destination, title, is_image) = match (first, &last.0) {
            (
                Event::Start(Tag::Link { link_type, dest_url, title, .. }),
                Event::End(TagEnd::Link),
            ) => (link_type, dest_url, title, false),
            (
                Event::Start(Tag::Image { link_type, dest_url, title, .. }),
                Event::End(TagEnd::Image),
            ) => (link_type, dest_url, title, true),
            _ => return None,
        };
        let is_address =
            matches!(text, [(Event::Text(text), _)] if text == destination) || text.is_empty();
        (*link_type != LinkType::Email).then(|| SingleLink {
            destination: destination.clone(),
            title: title.clone(),
            range: range.clone(),
            text: (!is_address).then(|| text.to_vec()),
            is_image,
        })
    }

    /// Returns the events to show instead of the link, or `None` to keep the link.
    fn replacement(&self, single_link: SingleLink<'e>) -> Option<Vec<Spanned<'e>>> {
        let config = &self.linker.reader.config.markdown;
        let range = single_link.range.clone();
        let mut replacement = Replacement { events: Vec::new(), range };
        if config.video_cards
            && !single_link.is_image
            && let Some(video) = video(&single_link.destination)
        {
            let class = if video.is_tall { "video-card tall" } else { "video-card" };
            replacement.html(card(&video, class));
            replacement.link(single_link.destination.clone(), single_link);
            replacement.html("</p>\n".into());
            return Some(replacement.events);
        }
        let kind = Kind::of(&single_link.destination);
        if single_link.is_image && matches!(kind, None | Some(Kind::Picture)) {
            return None;
        }
        let kind = kind.filter(|_| config.media_players)?;
        match kind {
            Kind::Picture => replacement.picture(single_link),
            Kind::Sound | Kind::Video => {
                let at = self.start + single_link.range.start;
                let mut medium = Medium::of(self.linker, &single_link.destination, at);
                // Keeps the start time in the link's fragment.
                if let Some(at) = single_link.destination.find("#t=")
                    && !medium.url.contains('#')
                {
                    medium.url.push_str(&url::encode_reference(&single_link.destination[at..]));
                }
                replacement.player(kind, &medium, single_link);
            }
        }
        Some(replacement.events)
    }
}

/// Returns the start tag of a card, which contains the link to the video. Programs without support
/// for cards, such as feed readers, show the card as a paragraph with a link.
fn card(video: &Video<'_>, class: &str) -> String {
    let mut tag = format!("<p class=\"{class}\" data-host=\"");
    push_attribute(&mut tag, video.host);
    tag.push_str("\" data-frame=\"");
    push_attribute(&mut tag, &video.player);
    tag.push_str("\">");
    tag
}

/// The events to show instead of a link.
struct Replacement<'e> {
    events: Vec<Spanned<'e>>,
    range: Range<usize>,
}

impl<'e> Replacement<'e> {
    fn push(&mut self, event: Event<'e>) {
        self.events.push((event, self.range.clone()));
    }

    fn html(&mut self, html: String) {
        self.push(Event::Html(html.into()));
    }

    /// Adds the link with the absolute address `to`.
    fn link(&mut self, to: CowStr<'e>, single_link: SingleLink<'e>) {
        let name = single_link.destination;
        self.push(Event::Start(Tag::Link {
            link_type: LinkType::Inline,
            dest_url: to,
            title: if single_link.is_image { "".into() } else { single_link.title },
            id: "".into(),
        }));
        match single_link.text {
            Some(text) => self.events.extend(text),
            None => self.push(Event::Text(name)),
        }
        self.push(Event::End(TagEnd::Link));
    }

    /// Adds a player. If the link has its own text, the link becomes the player's caption.
    /// Otherwise, the link is inside the player, for readers that cannot play media.
    fn player(&mut self, kind: Kind, medium: &Medium, mut single_link: SingleLink<'e>) {
        let start = medium.player(kind);
        let end = end_of_player(kind);
        if single_link.is_image && !single_link.title.is_empty() {
            single_link.text =
                Some(vec![(Event::Text(single_link.title.clone()), self.range.clone())]);
        }
        // A broken link was already reported when the medium was resolved. Only its text is kept,
        // so that it is not reported twice.
        let to = url::is_absolute(&medium.url).then(|| CowStr::from(medium.url.clone()));
        let Some(to) = to else {
            self.push(Event::Start(Tag::Paragraph));
            self.events.extend(single_link.text.into_iter().flatten());
            return self.push(Event::End(TagEnd::Paragraph));
        };
        let has_caption = single_link.text.is_some();
        if has_caption {
            self.html(format!("<figure>{start}{end}<figcaption>"));
        } else {
            self.html(format!("<figure>{start}"));
        }
        self.link(to, single_link);
        self.html(if has_caption {
            "</figcaption></figure>\n".to_owned()
        } else {
            format!("{end}</figure>\n")
        });
    }

    /// Adds a picture. The link's text becomes the caption. If the link has no text, the file name
    /// becomes the alternative text.
    fn picture(&mut self, single_link: SingleLink<'e>) {
        self.html("<figure>".into());
        let name = url::split_suffix(&single_link.destination).0;
        let name = name.rsplit('/').next().unwrap_or(name);
        let name = percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned();
        self.push(Event::Start(Tag::Image {
            link_type: LinkType::Inline,
            dest_url: single_link.destination.clone(),
            title: single_link.title,
            id: "".into(),
        }));
        if single_link.text.is_none() {
            self.push(Event::Text(name.into()));
        }
        self.push(Event::End(TagEnd::Image));
        if let Some(text) = single_link.text {
            self.html("<figcaption>".into());
            self.events.extend(text);
            self.html("</figcaption>".into());
        }
        self.html("</figure>\n".into());
    }
}
