//! Refusals whose body is `{"error": "<message>"}`.

use serde_json::json;
use warp::http::StatusCode;
use warp::http::header::ALLOW;

use crate::server::http::{Response, private_json, set};

/// The body of an error: `{"error": "<message>"}`.
pub fn refusal(status: StatusCode, message: &str) -> Response {
    private_json(status, &json!({ "error": message }))
}

/// Returns the value of `Allow` for a path with these methods. Where a path takes GET, it takes HEAD.
pub fn allowed<'m>(methods: impl Iterator<Item = &'m str>) -> String {
    let mut all = Vec::new();
    for method in methods {
        all.push(method);
        if method == "GET" {
            all.push("HEAD");
        }
    }
    all.join(", ")
}

/// The answer to a method that a path does not take.
pub fn other_method(allow: &str) -> Response {
    let message = format!("this path takes {allow}");
    let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, &message);
    set(&mut response, ALLOW, allow);
    response
}
