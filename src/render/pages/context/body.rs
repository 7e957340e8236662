//! Bodies in template contexts.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::sync::Arc;

use mustache::{Data, object};

use crate::inputs::Shared;
use crate::pictures::shown::{Viewer, body_with_sizes, with_sizes};
use crate::text;
use model::{Body, Content, MediaFile};
use source::html::{Headed, headed};

/// Minimum number of headings in a body for a table of contents.
const MIN_HEADINGS: usize = 3;
/// Minimum size of a body's HTML for a table of contents, in bytes. A body that fits on one or two
/// screens does not need one.
const MIN_LENGTH: usize = 3000;

/// A body that is read when a template first uses it, and then cached.
pub struct LazyBody<'a> {
    shared: &'a Shared<'a>,
    content: &'a Content,
    /// The media files of the content file that contains the body.
    media: &'a [MediaFile],
    read: OnceCell<Arc<Body>>,
    sized: OnceCell<Arc<Body>>,
    headed: OnceCell<Arc<Headed>>,
}

impl<'a> LazyBody<'a> {
    pub fn of(shared: &'a Shared<'a>, content: &'a Content, media: &'a [MediaFile]) -> Self {
        Self {
            shared,
            content,
            media,
            read: OnceCell::new(),
            sized: OnceCell::new(),
            headed: OnceCell::new(),
        }
    }

    /// Returns the reading time in minutes, rounded to the nearest minute.
    pub fn reading_minutes(&self) -> u64 {
        text::reading_minutes(&self.body().text)
    }

    fn body(&self) -> Arc<Body> {
        Arc::clone(self.read.get_or_init(|| self.content.body()))
    }

    pub fn html(&self) -> Data<'a> {
        let make = || body_with_sizes(self.shared, self.media, self.body());
        Data::shared(BodyHtml(Arc::clone(self.sized.get_or_init(make))))
    }

    pub fn text(&self) -> Data<'a> {
        Data::shared(BodyText(self.body()))
    }

    fn headed(&self) -> &Arc<Headed> {
        self.headed.get_or_init(|| {
            let body = self.body();
            let html = with_sizes(self.shared, self.media, &body.html, Viewer::OverlayTheme);
            let mut headed = headed(&html);
            if let Cow::Owned(html) = html {
                headed.html.get_or_insert(html);
            }
            Arc::new(headed)
        })
    }

    /// Returns the body's HTML with an id and a link at each heading.
    pub fn article(&self) -> Data<'a> {
        let headed = self.headed();
        match headed.html {
            Some(_) => Data::shared(ArticleHtml(Arc::clone(headed))),
            None => self.html(),
        }
    }

    /// Returns the headings of the second and third level, if the body is long and has enough of
    /// them for a table of contents.
    pub fn contents(&self) -> Data<'a> {
        if self.body().html.len() < MIN_LENGTH {
            return [].into_iter().collect();
        }
        let headed = self.headed();
        let listed = headed.headings.iter().zip(0..);
        let listed = listed.filter(|(heading, _)| matches!(heading.level, 2 | 3));
        let listed: Vec<usize> = listed.map(|(_, at)| at).collect();
        if listed.len() < MIN_HEADINGS {
            return [].into_iter().collect();
        }
        let entry = |at| {
            let headed = Arc::clone(headed);
            Data::object(ContentsEntry { headed, at })
        };
        listed.into_iter().map(entry).collect()
    }

    /// Returns the body's HTML, unless it is empty.
    pub fn html_if_any(&self) -> Option<Data<'a>> {
        (!self.body().html.is_empty()).then(|| self.html())
    }

    /// Returns the body's text, unless it is empty.
    pub fn text_if_any(&self) -> Option<Data<'a>> {
        (!self.body().text.is_empty()).then(|| self.text())
    }
}

struct BodyHtml(Arc<Body>);

impl AsRef<str> for BodyHtml {
    fn as_ref(&self) -> &str {
        &self.0.html
    }
}

struct ArticleHtml(Arc<Headed>);

impl AsRef<str> for ArticleHtml {
    fn as_ref(&self) -> &str {
        self.0.html.as_deref().unwrap_or_default()
    }
}

/// A heading in a table of contents.
struct ContentsEntry {
    headed: Arc<Headed>,
    at: usize,
}

object!(impl ContentsEntry, |this| {
    "id" => this.headed.headings[this.at].id.clone(),
    "title" => this.headed.headings[this.at].title.clone(),
    "level" => usize::from(this.headed.headings[this.at].level),
    "is_part" => this.headed.headings[this.at].level == 3,
});

struct BodyText(Arc<Body>);

impl AsRef<str> for BodyText {
    fn as_ref(&self) -> &str {
        &self.0.text
    }
}
