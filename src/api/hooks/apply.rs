//! Applies a hook: finds its show, and updates the files of the show.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, json};

use super::draft;
use super::event_file;
use super::payload::{Fact, Hook};
use super::show::Show;
use super::show_history::{DraftContent, ShowHistory};
use api_shared::{ApiError, Writer, Writing};
use model::{AppId, SitePath};
use server::App;
use state::{Receipt, ShowUpdate};

/// The result of a hook, returned to its sender.
#[derive(Debug, Serialize)]
pub struct HookAnswer {
    event: &'static str,
    /// The show that the hook is about, if any.
    matched: Option<MatchedShow>,
}

#[derive(Debug, Serialize)]
struct MatchedShow {
    calendar: String,
    /// The event's id. In a series, the id includes the planned start.
    event: String,
    /// The show's status according to all hooks so far. Null if no hook reported a status.
    status: Option<&'static str>,
    /// The id of the draft item, to show to the author.
    item: Option<String>,
    /// The paths of the changed files.
    written: Vec<String>,
}

/// Applies a hook and stores its receipt. `delivery` is the id of the delivery. After an error,
/// files that were already written are kept, and the sender retries.
pub fn apply(
    app: &App,
    id: &AppId,
    delivery: &str,
    hook: &Hook,
    receipt: Receipt,
) -> Result<String, ApiError> {
    let now = Timestamp::now();
    let writer = Writer {
        operation: format!("realtime {}", hook.event.as_str()),
        key_id: id.to_string(),
        causation: Some(delivery.to_owned()),
        correlation: hook.meeting.session.clone(),
    };
    let session = hook.session();
    // Also reads files that the author has just saved, even if the watcher has not reported them
    // yet.
    app.live.touch_all();
    // The write lock is held until the history is stored, so that each hook sees all earlier hooks.
    let writing = Writing::begin(app, writer);
    let Some(show) = find(&writing, id, hook, session.as_deref())? else {
        let answer = answer(hook, None)?;
        receipt.complete(&answer, None, now)?;
        return Ok(answer);
    };
    let before = history_of(app, id, &show)?;
    let after = before.with(hook);
    let matched = write_changes(&writing, id, &show, &before, &after)?;
    let answer = answer(hook, Some(matched))?;
    let update = ShowUpdate {
        app: id.as_str(),
        show: &show.key(),
        session: session.as_deref(),
        known: &serde_json::to_string(&after).map_err(ApiError::failed)?,
    };
    receipt.complete(&answer, Some(&update), now)?;
    Ok(answer)
}

/// Returns the show that a hook is about. Returns None if the hook reports nothing relevant to a
/// show, or if no show matches.
fn find<'w>(
    writing: &'w Writing<'_>,
    app: &AppId,
    hook: &Hook,
    session: Option<&str>,
) -> Result<Option<Show<'w>>, ApiError> {
    if hook.fact == Fact::Nothing {
        return Ok(None);
    }
    let state = &writing.app.state;
    let remembered = match session {
        Some(session) => state.show_of_session(app.as_str(), session),
        None => Ok(None),
    };
    let remembered = remembered?;
    let meeting = &hook.meeting;
    let at = meeting.started.or(meeting.ended).unwrap_or_else(Timestamp::now);
    let calendars = &writing.before.site.snapshot.calendars;
    let found = Show::find(calendars, app, meeting, at, remembered.as_deref());
    Ok(found)
}

fn history_of(app: &App, id: &AppId, show: &Show<'_>) -> Result<ShowHistory, ApiError> {
    let stored = app.state.show_record(id.as_str(), &show.key())?;
    match stored {
        Some(stored) => serde_json::from_str(&stored).map_err(ApiError::failed),
        None => Ok(ShowHistory::default()),
    }
}

/// Writes the differences between the histories `before` and `after` to the files.
fn write_changes(
    writing: &Writing<'_>,
    app: &AppId,
    show: &Show<'_>,
    before: &ShowHistory,
    after: &ShowHistory,
) -> Result<MatchedShow, ApiError> {
    let mut live = Map::new();
    let mut written = Vec::new();
    let status = after.status();
    // A status that the author sets by hand stays until a hook reports a different status.
    if let Some(status) = status.filter(|_| status != before.status()) {
        live.insert("status".into(), status.as_str().into());
    }
    let is_audio = show.is_audio_only();
    let (left, draft_content) = (before.draft_content(is_audio), after.draft_content(is_audio));
    let draft = if draft_content == DraftContent::empty() {
        None
    } else {
        draft::write(writing, app, show, &left, &draft_content)?
    };
    if let Some(draft) = &draft {
        if let Some(path) = &draft.written {
            written.push(path.clone());
        }
        if show.item() != Some(&draft.id) {
            live.insert("item".into(), draft.id.as_str().into());
        }
    }
    let id = show.occurrence.id();
    if !live.is_empty()
        && let Some(path) = event_file::set_live_fields(writing, show, live)?
    {
        written.push(path);
    }
    Ok(MatchedShow {
        calendar: show.calendar.calendar.id.to_string(),
        event: id,
        status: status.map(|status| status.as_str()),
        item: draft.map(|draft| draft.id.to_string()),
        written: written.iter().map(SitePath::to_string).collect(),
    })
}

/// Returns the body of the answer. A repeated delivery gets the same body again.
fn answer(hook: &Hook, matched: Option<MatchedShow>) -> Result<String, ApiError> {
    let done = HookAnswer { event: hook.event.as_str(), matched };
    let data = serde_json::to_value(done).map_err(ApiError::failed)?;
    Ok(json!({ "success": true, "data": data }).to_string())
}
