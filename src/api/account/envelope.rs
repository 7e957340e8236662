//! The envelope that token verification answers in.

use serde_json::{Value, json};
use warp::http::StatusCode;

use super::{DOCUMENTATION, challenged};
use crate::server::App;
use crate::server::http::{Response, private_json};

/// A message object, but for where it is documented.
pub struct EnvelopeMessage {
    /// Its number.
    pub code: u32,
    /// What it says.
    pub message: String,
    /// What it is about: a JSON Pointer (RFC 6901) into the answer, or into the request as an object of
    /// `method`, `path` (with the path's parameters) and `headers`.
    pub pointer: &'static str,
}

impl EnvelopeMessage {
    /// A note on what has no number of its own: 10,000 and the status.
    pub fn of_status(status: StatusCode, message: &str) -> Self {
        Self {
            code: 10_000 + u32::from(status.as_u16()),
            message: message.to_owned(),
            pointer: match status {
                StatusCode::NOT_FOUND => "/path",
                StatusCode::METHOD_NOT_ALLOWED => "/method",
                // The whole of it.
                _ => "",
            },
        }
    }
}

/// The envelope: the note is the one among `messages` where the status is of success, else among
/// `errors`.
pub fn envelope(app: &App, status: StatusCode, note: &EnvelopeMessage, result: &Value) -> Response {
    let moment = app.live.now();
    let notes = json!([{
        "code": note.code,
        "message": note.message,
        "documentation_url": moment.site.snapshot.config.url(DOCUMENTATION),
        "source": { "pointer": note.pointer },
    }]);
    let (errors, messages) = if status.is_success() {
        (json!([]), notes)
    } else {
        (notes, json!([]))
    };
    challenged(private_json(
        status,
        &json!({
            "success": status.is_success(),
            "errors": errors,
            "messages": messages,
            "result": result,
        }),
    ))
}
