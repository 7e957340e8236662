//! The complete feed.

use super::operation::{Operation, schema};
use super::{Answer, ApiError, Call};

/// The operations of the feed.
pub const OPERATIONS: &[Operation] = &[Operation {
    id: "getFeed",
    method: "GET",
    path: "/feed/",
    tag: "Feed",
    summary: "Read the complete feed",
    description: "Published, unlisted and unpublished items.",
    scope: "content:read",
    traced: false,
    idempotent: false,
    query: None,
    body: None,
    status: 200,
    output: schema::<serde_json::Value>,
    errors: &[400],
    run: read,
}];

fn read(call: &Call<'_>) -> Result<Answer, ApiError> {
    let moment = call.app.live.now();
    Answer::ok(&moment.serial)
}
