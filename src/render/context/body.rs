//! A body as templates read it.

use std::cell::OnceCell;
use std::sync::Arc;

use mustache::Data;

use crate::model::{Body, Content};

/// A body that is read when a template asks for it, and then held.
pub struct LazyBody<'a> {
    content: &'a Content,
    read: OnceCell<Arc<Body>>,
}

impl<'a> LazyBody<'a> {
    pub fn of(content: &'a Content) -> Self {
        Self {
            content,
            read: OnceCell::new(),
        }
    }

    fn body(&self) -> Arc<Body> {
        Arc::clone(self.read.get_or_init(|| self.content.body()))
    }

    pub fn html(&self) -> Data<'a> {
        Data::shared(BodyHtml(self.body()))
    }

    pub fn text(&self) -> Data<'a> {
        Data::shared(BodyText(self.body()))
    }

    /// Its HTML, unless that is empty.
    pub fn html_if_any(&self) -> Option<Data<'a>> {
        (!self.body().html.is_empty()).then(|| self.html())
    }

    /// Its text, unless that is empty.
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

struct BodyText(Arc<Body>);

impl AsRef<str> for BodyText {
    fn as_ref(&self) -> &str {
        &self.0.text
    }
}
