//! Whether a file is online, and when it will be.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

use super::deploy::options_of;
use super::route::Route;
use super::sequence::{Current, Opened};
use crate::Answer;
use model::ContentFolder;
use server::App;

/// A file, and the moment from which it may be online.
#[derive(Debug, Deserialize)]
pub struct OnlineRequest {
    path: String,
    after: Option<Timestamp>,
}

/// Returns whether readers have the saved version of a file, as far as this machine knows it, and
/// when a workflow publishes the site next.
pub fn online(app: &App, request: &OnlineRequest) -> Answer {
    let options = options_of(app.live.root(), Some(ContentFolder::of(&request.path)));
    let Ok(current) = Current::of(app, Opened::of(app), options) else {
        return Ok(json!({ "state": "unknown" }));
    };
    let is_saved_later = || {
        let saved =
            app.live.root().join(&request.path).metadata().and_then(|facts| facts.modified());
        let saved = saved.ok().and_then(|time| Timestamp::try_from(time).ok());
        saved.zip(current.last.time).is_none_or(|(saved, last)| saved > last)
    };
    let is_pending = current.last.is_first
        || current.summary.contains(&request.path)
        || current.git.is_none() && is_saved_later();
    let state = match &current.route {
        Route::None => "unknown",
        _ if is_pending => "pending",
        Route::Push(_) => "sent",
        Route::Deploy(_) => "online",
    };
    let schedule = current.route.schedule(request.after);
    Ok(json!({ "state": state, "schedule": schedule, "last": current.last.time }))
}
