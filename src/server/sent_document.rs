//! A document ready to send: a status, a media type and bytes.

use warp::http::StatusCode;

/// A document, or a notice that replaces it, ready to send.
#[derive(Debug)]
pub struct SentDocument {
    pub status: StatusCode,
    pub media_type: String,
    pub bytes: Vec<u8>,
}

impl SentDocument {
    /// Whether the document is an HTML page.
    pub fn is_html(&self) -> bool {
        self.media_type.starts_with("text/html")
    }
}
