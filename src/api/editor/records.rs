//! Records of the whole site: the journal, webhook messages, API keys and download statistics.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, EDITOR};
use api_shared::ApiError;
use model::{Endpoint, shown};
use server::App;
use state::{
    JournalEntry, JournalQuery, Key, KeyStatus, Message, MessageState, Scope, StateError, Window,
};

/// Maximum number of entries and messages to show.
const MAX_ENTRIES: u32 = 300;

/// Adds an action of the editor or of an agent to the journal.
pub fn note(app: &App, by: &str, operation: String, subject: String) -> Result<(), StateError> {
    app.state.append(&JournalEntry {
        time: Timestamp::now(),
        operation,
        subject,
        path: None,
        key_id: by.to_owned(),
        causation: None,
        correlation: None,
    })
}

/// A search of the journal. An empty search text matches every entry.
#[derive(Debug, Deserialize)]
pub struct Search {
    #[serde(default)]
    text: String,
}

/// Returns the journal, newest entry first.
pub fn journal(app: &App, request: &Search) -> Answer {
    let keys = app.state.keys()?;
    let name = |id: &str| keys.iter().find(|key| key.id == id).map(|key| key.name.as_str());
    let query = JournalQuery {
        limit: Some(MAX_ENTRIES),
        text: Some(request.text.trim()).filter(|text| !text.is_empty()),
        ..JournalQuery::default()
    };
    let entries = app.state.journal(query)?;
    let entries = entries.iter().rev().map(|entry| {
        json!({
            "time": entry.time,
            "operation": entry.operation,
            "subject": entry.subject,
            "path": entry.path,
            "by": name(&entry.key_id).unwrap_or(&entry.key_id),
            "causation": entry.causation,
        })
    });
    Ok(json!({ "entries": entries.collect::<Vec<Value>>(), "most": MAX_ENTRIES }))
}

/// Returns the configured webhooks, and their sent and waiting messages, newest first.
pub fn deliveries(app: &App) -> Answer {
    let moment = app.live.newest();
    let config = &moment.site.snapshot.config;
    let gone = app.state.removed_endpoints()?;
    let endpoint = |own: &Endpoint| {
        let is_gone = gone.iter().any(|(name, url)| *name == own.name && *url == own.url);
        json!({
            "name": shown(&own.name),
            "url": own.shown_url(),
            "events": own.events,
            "secret_env": own.secret_env,
            "has_secret": app.environment.get(&own.secret_env).is_some_and(|value| is_signing_secret(&value)),
            "is_gone": is_gone,
        })
    };
    let message = |message: &Message| {
        json!({
            "id": message.id,
            "webhook": shown(&message.endpoint),
            "type": message.kind,
            "about": message.resource,
            "time": message.time,
            "status": message.state.as_str(),
            "attempts": message.attempts,
            "answer": message.answer,
            "next": (message.state == MessageState::Waiting).then_some(message.next),
        })
    };
    let messages = app.state.messages(MAX_ENTRIES)?;
    Ok(json!({
        "webhooks": config.webhooks.iter().map(endpoint).collect::<Vec<_>>(),
        "messages": messages.iter().map(message).collect::<Vec<_>>(),
        "most": MAX_ENTRIES,
    }))
}

/// Returns whether a secret is valid for signing messages.
fn is_signing_secret(secret: &str) -> bool {
    fetch::is_secret(secret)
}

/// The message to send again. None means all waiting and failed messages.
#[derive(Debug, Deserialize)]
pub struct RetryRequest {
    id: Option<String>,
}

/// Schedules messages for another attempt. The server checks for such messages every second.
pub fn retry(app: &App, request: &RetryRequest) -> Answer {
    let count = app.state.retry_messages(request.id.as_deref(), Timestamp::now())?;
    if count == 0 {
        return Err(ApiError::conflict("no waiting or failed message was found"));
    }
    let subject = request.id.clone().unwrap_or_else(|| "all".to_owned());
    note(app, EDITOR, "retryWebhooks".to_owned(), subject)?;
    Ok(json!({ "count": count }))
}

/// Returns all keys without their secrets, and the available scopes.
pub fn keys(app: &App) -> Answer {
    let keys = app.state.keys()?;
    let scopes = Scope::ALL.map(Scope::as_str);
    Ok(json!({ "keys": keys.iter().rev().map(key).collect::<Vec<_>>(), "scopes": scopes }))
}

fn key(key: &Key) -> Value {
    let status = key.status(Timestamp::now());
    json!({
        "id": key.id,
        "name": key.name,
        "scopes": key.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>(),
        "created": key.created,
        "expires": key.window.expires,
        "revoked": key.revoked,
        "status": status.as_str(),
        "can_end": status == KeyStatus::Active || status == KeyStatus::NotYetValid,
    })
}

/// A request for a new key.
#[derive(Debug, Deserialize)]
pub struct NewKey {
    name: String,
    scopes: Vec<String>,
    expires: Option<Timestamp>,
}

/// Creates a key. The key's secret is contained only in this answer.
pub fn make_key(app: &App, request: &NewKey) -> Answer {
    let scopes: Result<Vec<Scope>, _> = request.scopes.iter().map(|name| name.parse()).collect();
    let scopes =
        scopes.map_err(|unknown: state::UnknownScope| ApiError::bad(unknown.to_string()))?;
    let window = Window { not_before: None, expires: request.expires };
    let name = request.name.trim();
    let (made, secret) =
        app.state.create_key(name, &scopes, window, Timestamp::now()).map_err(key_error)?;
    note(app, EDITOR, "createKey".to_owned(), format!("{} {}", made.id, made.name))?;
    Ok(json!({ "key": key(&made), "secret": secret.expose() }))
}

#[derive(Debug, Deserialize)]
pub struct RevokeRequest {
    id: String,
}

/// Revokes a key permanently.
pub fn revoke_key(app: &App, request: &RevokeRequest) -> Answer {
    let ended = app.state.revoke_key(&request.id, Timestamp::now()).map_err(key_error)?;
    note(app, EDITOR, "revokeKey".to_owned(), format!("{} {}", ended.id, ended.name))?;
    Ok(key(&ended))
}

/// Converts an error about keys. An invalid request becomes a 400.
fn key_error(error: StateError) -> ApiError {
    match error {
        StateError::Key(error) => ApiError::bad(error.to_string()),
        other => other.into(),
    }
}

/// Returns the downloads by day and by episode, with the most downloaded episode first.
#[cfg(feature = "warehouse")]
pub fn downloads(app: &App) -> Answer {
    use stats::{self, Episodes, Figures, Span};
    use warehouse::{Control, DatasetId, Fault};

    let failed = |fault: Fault| ApiError::failed(fault.message);
    let moment = app.live.newest();
    let store = tables::open_warehouse(app.live.root()).map_err(failed)?;
    let episodes = Episodes::of(&moment.site.snapshot, app.live.root());
    let mut figures = Figures::of(Span::default());
    if let Some(file) = store.file(&DatasetId::site()) {
        let connection = stats::open(&file).map_err(failed)?;
        let add = |download: stats::Download<'_>| {
            figures.add(&download);
            Ok(())
        };
        stats::downloads(&connection, "main", episodes.all(), &Control::default(), add)
            .map_err(failed)?;
    }
    let days = figures.days.iter().map(|(day, count)| json!([day.to_string(), count]));
    let mut items: Vec<_> =
        figures.episodes.iter().filter(|(_, episode)| episode.downloads > 0).collect();
    items.sort_by_key(|(_, episode)| std::cmp::Reverse(episode.downloads));
    let items = items.into_iter().map(|(id, episode)| {
        let first = episode.published.map(|_| [episode.first_7_days, episode.first_30_days]);
        json!({ "id": id, "title": episode.title, "downloads": episode.downloads, "first": first })
    });
    Ok(json!({
        "downloads": figures.downloads,
        "days": days.collect::<Vec<Value>>(),
        "items": items.collect::<Vec<Value>>(),
    }))
}

/// Returns an error, because this program was built without the warehouse.
#[cfg(not(feature = "warehouse"))]
pub fn downloads(_app: &App) -> Answer {
    Err(ApiError::not_found(
        "downloads are not available: this feedwright was built without the `warehouse` feature",
    ))
}
