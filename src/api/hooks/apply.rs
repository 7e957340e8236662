//! What a hook does.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, json};

use super::draft;
use super::event_file;
use super::payload::{Fact, Hook};
use super::show::Show;
use super::show_history::{Known, Leaving};
use crate::api::shared::{ApiError, Writer, Writing};
use crate::model::{AppId, SitePath};
use crate::server::App;
use crate::state::{Receipt, ShowUpdate};

/// What a hook did, for who sent it.
#[derive(Debug, Serialize)]
pub struct Done {
    /// The kind of event.
    event: &'static str,
    /// The show it was about, if any.
    matched: Option<Matched>,
}

#[derive(Debug, Serialize)]
struct Matched {
    calendar: String,
    /// The event's id; in a series with the time at which it would have started.
    event: String,
    /// Where the show stands by all that was told; null where nothing of it was.
    status: Option<&'static str>,
    /// The draft that was left for the author.
    item: Option<String>,
    /// The files that are others now.
    written: Vec<String>,
}

/// Does what a hook asks for, and keeps its receipt. `delivery` is its id. An error leaves everything to
/// the next attempt: what was written before it is found to be there then.
pub fn take(
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
    // What its author saved a moment ago decides too, be it that the watch has not told of it yet.
    app.live.touch_everything();
    // The pen is held until what was told is kept, so that each hook knows all that came before it.
    let writing = Writing::begin(app, writer);
    let Some(show) = find(&writing, id, hook, session.as_deref())? else {
        let answer = answer(hook, None)?;
        receipt.complete(&answer, None, now)?;
        return Ok(answer);
    };
    let before = known(app, id, &show)?;
    let after = before.with(hook);
    let matched = tell(&writing, id, &show, &before, &after)?;
    let answer = answer(hook, Some(matched))?;
    let told = ShowUpdate {
        app: id.as_str(),
        show: &show.key(),
        session: session.as_deref(),
        known: &serde_json::to_string(&after).map_err(ApiError::failed)?,
    };
    receipt.complete(&answer, Some(&told), now)?;
    Ok(answer)
}

/// The show that a hook is about; none where it tells nothing that matters to one.
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
    let at = meeting
        .started
        .or(meeting.ended)
        .unwrap_or_else(Timestamp::now);
    let calendars = &writing.before.site.snapshot.calendars;
    let found = Show::find(calendars, app, meeting, at, remembered.as_deref());
    Ok(found)
}

fn known(app: &App, id: &AppId, show: &Show<'_>) -> Result<Known, ApiError> {
    let kept = app.state.known_of_show(id.as_str(), &show.key())?;
    match kept {
        Some(kept) => serde_json::from_str(&kept).map_err(ApiError::failed),
        None => Ok(Known::default()),
    }
}

/// Brings what is known now, and was not before, into the files.
fn tell(
    writing: &Writing<'_>,
    app: &AppId,
    show: &Show<'_>,
    before: &Known,
    after: &Known,
) -> Result<Matched, ApiError> {
    let mut live = Map::new();
    let mut written = Vec::new();
    let status = after.status();
    // One who sets it by hand meanwhile has the last word until something new is told.
    if let Some(status) = status.filter(|_| status != before.status()) {
        live.insert("status".into(), status.as_str().into());
    }
    let sound = show.is_sound();
    let (left, leaving) = (before.leaving(sound), after.leaving(sound));
    let draft = if leaving == Leaving::nothing() {
        None
    } else {
        draft::leave(writing, app, show, &left, &leaving)?
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
        && let Some(path) = event_file::tell(writing, show, live)?
    {
        written.push(path);
    }
    Ok(Matched {
        calendar: show.calendar.calendar.id.to_string(),
        event: id,
        status: status.map(|status| status.as_str()),
        item: draft.map(|draft| draft.id.to_string()),
        written: written.iter().map(SitePath::to_string).collect(),
    })
}

/// The body of the answer: what is answered again to who did not hear it.
fn answer(hook: &Hook, matched: Option<Matched>) -> Result<String, ApiError> {
    let done = Done {
        event: hook.event.as_str(),
        matched,
    };
    let data = serde_json::to_value(done).map_err(ApiError::failed)?;
    Ok(json!({ "success": true, "data": data }).to_string())
}
