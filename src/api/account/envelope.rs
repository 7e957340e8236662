//! The envelope around the answers of token verification.

use serde_json::{Value, json};
use warp::http::StatusCode;
use warp::http::header::WWW_AUTHENTICATE;

use super::DOCUMENTATION;
use server::App;
use server::access::CHALLENGE;
use server::http::{Response, private_json, set};

/// A message of an envelope, without its link to the documentation.
pub struct EnvelopeMessage {
    pub code: u32,
    pub message: String,
    /// A JSON Pointer (RFC 6901) to the value that the message is about, in the answer or in the
    /// request. The request is treated as an object with the members `method`, `path` and
    /// `headers`. The members of `path` are the path parameters.
    pub pointer: &'static str,
}

impl EnvelopeMessage {
    /// Creates a message whose code is 10,000 plus the HTTP status.
    pub fn from_status(status: StatusCode, message: &str) -> Self {
        Self {
            code: 10_000 + u32::from(status.as_u16()),
            message: message.to_owned(),
            pointer: match status {
                StatusCode::NOT_FOUND => "/path",
                StatusCode::METHOD_NOT_ALLOWED => "/method",
                // An empty pointer refers to the whole request.
                _ => "",
            },
        }
    }
}

/// Returns the envelope response. The message is in `messages` for a success status, otherwise in
/// `errors`.
pub fn envelope(app: &App, status: StatusCode, note: &EnvelopeMessage, result: &Value) -> Response {
    let moment = app.live.now();
    let notes = json!([{
        "code": note.code,
        "message": note.message,
        "documentation_url": moment.site.snapshot.config.url(DOCUMENTATION),
        "source": { "pointer": note.pointer },
    }]);
    let (errors, messages) =
        if status.is_success() { (json!([]), notes) } else { (notes, json!([])) };
    let body = json!({
        "success": status.is_success(),
        "errors": errors,
        "messages": messages,
        "result": result,
    });
    let mut response = private_json(status, &body);
    if status == StatusCode::UNAUTHORIZED {
        set(&mut response, WWW_AUTHENTICATE, CHALLENGE);
    }
    response
}
