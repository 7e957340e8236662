//! The body of an item or a page, as sent by a client.

use serde_json::{Value, json};

use super::input::Patch;
use api_shared::{ApiError, SiteUrls};
use model::SitePath;

/// A body, and the file extension of its format.
pub struct Body {
    pub text: String,
    /// The extension: `html` or `md`.
    pub extension: &'static str,
}

/// The two request fields for a body.
#[derive(Clone, Copy)]
pub struct SentBody<'a> {
    /// The field `content_html`.
    pub html: &'a Patch<String>,
    /// The field `content_markdown`.
    pub markdown: &'a Patch<String>,
}

impl SentBody<'_> {
    /// Returns the sent body, or None if neither field has a value.
    pub fn body(&self, own: &SiteUrls<'_>) -> Result<Option<Body>, ApiError> {
        let body = |text: &str, extension| Ok(Some(Body { text: own.body(text), extension }));
        match (self.html.value(), self.markdown.value()) {
            (Some(_), Some(_)) => Err(ApiError::bad(
                "content_markdown: send either content_markdown or content_html, not both",
            )),
            (Some(html), None) => body(html, "html"),
            (None, Some(markdown)) => body(markdown, "md"),
            (None, None) => Ok(None),
        }
    }

    /// Returns the body to write to the file. Returns None if the client sent no body, or sent the
    /// current HTML body unchanged.
    pub fn new_body(
        &self,
        own: &SiteUrls<'_>,
        shown: impl FnOnce() -> Value,
        path: &SitePath,
    ) -> Result<Option<Body>, ApiError> {
        let is_shown = self.html.value().is_some_and(|html| shown()["content_html"] == json!(html));
        let sent = Self { html: if is_shown { &Patch::Omitted } else { self.html }, ..*self };
        match sent.body(own)? {
            Some(body) => Ok(Some(body)),
            // Null clears the body and keeps the file's format.
            None if sent.html.is_sent() || sent.markdown.is_sent() => Ok(Some(Body {
                text: String::new(),
                extension: if path.extension() == "html" { "html" } else { "md" },
            })),
            None => Ok(None),
        }
    }
}
