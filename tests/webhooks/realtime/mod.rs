//! Hooks of realtime applications: who may send them, which show they are about, and what they do to the
//! files of events and to the draft that a show leaves.

mod drafts;
mod killed_server;
mod refusals;
mod shows;
mod status;

use std::sync::atomic::{AtomicU32, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::served::{HOOK_SECRET, Reply, Served, serve};
use crate::support::small_site::{SmallSite, site};

const PATH: &str = "/hooks/realtime/studio";

/// A site with an app that has a secret, and others that have none or a broken one.
fn studio() -> SmallSite {
    let apps = format!(
        "base_url = \"https://example.com\"\n\
         [[realtime]]\napp_id = \"studio\"\nsecret_env = \"{}\"\n\
         [[realtime]]\napp_id = \"unset\"\nsecret_env = \"NO_SUCH_SECRET\"\n\
         [[realtime]]\napp_id = \"broken\"\nsecret_env = \"BROKEN_SECRET\"\n\
         [[realtime]]\napp_id = \"silent\"\n",
        HOOK_SECRET.0
    );
    site().with("site.toml", apps)
}

const TALK: &str = "content/calendars/shows/talk.md";

/// A single event whose show is that of the app.
const SINGLE: &str = r#"+++
# The one of November.
id = "talk"
summary = "Harbour talk"
start = { dateTime = "2025-11-20T20:00", timeZone = "Europe/Berlin" }
end = { dateTime = "2025-11-20T21:00", timeZone = "Europe/Berlin" }

[live]
app = "studio"   # ours
+++

With guests.
"#;

/// A series of which each is a show.
const SERIES: &str = r#"+++
id = "weekly"
summary = "Weekly"
start = { dateTime = "2025-11-06T20:00", timeZone = "Europe/Berlin" }
recurrence = ["RRULE:FREQ=WEEKLY"]
live = { app = "studio", meeting = "room" }
+++
"#;

const WEEKLY: &str = "content/calendars/shows/weekly.md";
/// The file of the one of 20 November.
const THIRD: &str = "content/calendars/shows/weekly-20251120T190000Z.md";

fn talk() -> Served {
    serve(studio().with(TALK, SINGLE))
}

fn weekly() -> Served {
    serve(studio().with(WEEKLY, SERIES))
}

/// The meeting of a session that was when both shows are.
fn meeting(session: &str) -> Value {
    json!({
        "id": "room",
        "sessionId": session,
        "title": "Some meeting",
        "status": "LIVE",
        "createdAt": "2025-11-20T18:00:00.000Z",
        "startedAt": "2025-11-20T18:58:00.000Z",
        "organizedBy": { "id": "o", "name": "Club" },
    })
}

fn started(session: &str) -> Value {
    json!({ "event": "meeting.started", "meeting": meeting(session) })
}

fn ended(session: &str) -> Value {
    let mut body = json!({ "event": "meeting.ended", "meeting": meeting(session) });
    body["meeting"]["endedAt"] = "2025-11-20T20:05:00.000Z".into();
    body["reason"] = "HOST_ENDED_MEETING".into();
    body
}

fn stream(id: &str, status: &str) -> Value {
    let mut meeting = meeting("");
    meeting.as_object_mut().unwrap().remove("sessionId");
    json!({
        "event": "livestreaming.statusUpdate", "streamId": id, "status": status,
        "manualIngest": false, "playbackUrl": "https://live.example/1.m3u8", "meeting": meeting,
    })
}

fn recording(session: &str, id: &str, stopped: &str) -> Value {
    json!({
        "event": "recording.statusUpdate",
        "recording": {
            "id": id, "recordingId": id, "status": "UPLOADED",
            "downloadUrl": format!("https://files.example/{id}.mp4?sig=a%20b"),
            "audioDownloadUrl": format!("https://files.example/{id}.mp3?sig=1"),
            "downloadUrlExpiry": "2025-11-27T20:30:00.000Z",
            "startedTime": "2025-11-20T19:00:00.000Z", "stoppedTime": stopped,
            "fileSize": "2044680", "outputFileName": "talk.mp4", "meetingId": "another",
            "recordingDuration": 3600, "roomUUID": session,
        },
        "meeting": meeting(session),
    })
}

fn transcript(session: &str) -> Value {
    json!({
        "event": "meeting.transcript", "meeting": meeting(session),
        "transcriptDownloadUrl": format!("https://files.example/{session}.csv?sig=1"),
        "transcriptDownloadUrlExpiry": "2025-11-27T20:30:00.000Z",
    })
}

/// It says neither when the meeting was nor what it is called.
fn summary(session: &str) -> Value {
    json!({
        "event": "meeting.summary",
        "meeting": { "id": "room", "sessionId": session, "organizedBy": { "id": "o" } },
        "summaryDownloadUrl": format!("https://files.example/{session}.txt"),
        "summaryDownloadUrlExpiry": "2025-11-27T20:30:00.000Z",
    })
}

/// Signs as the specification says, with what an independent library does in
/// tests/independent/realtime_hooks.py.
fn signature(secret: &str, id: &str, at: i64, body: &[u8]) -> String {
    let key = STANDARD.decode(&secret["whsec_".len()..]).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{id}.{at}.").as_bytes());
    mac.update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

fn now() -> i64 {
    Timestamp::now().as_second()
}

/// A delivery that no other has the id of.
fn new_delivery() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("msg_{}", COUNT.fetch_add(1, Ordering::Relaxed))
}

/// One attempt to deliver a hook.
fn attempt(served: &Served, id: &str, at: i64, body: &Value) -> Reply {
    let body = body.to_string();
    let signature = signature(HOOK_SECRET.1, id, at, body.as_bytes());
    let at = at.to_string();
    let headers = [
        ("webhook-id", id),
        ("webhook-timestamp", &at),
        ("webhook-signature", &signature),
        ("content-type", "application/json"),
    ];
    served.send("POST", PATH, &headers, body.as_bytes())
}

/// Delivers a hook, which has to be taken, and answers what it did.
fn send(served: &Served, body: &Value) -> Value {
    let answer = attempt(served, &new_delivery(), now(), body).ok();
    assert_eq!(answer["success"], true, "{answer}");
    answer["data"].clone()
}

/// What a refused hook says.
fn refusal(reply: &Reply, status: u16) -> String {
    assert_eq!(reply.status, status, "{}", reply.text());
    let json = reply.json();
    assert_eq!(json.as_object().unwrap().len(), 1, "{json}");
    json["message"].as_str().unwrap().to_owned()
}
