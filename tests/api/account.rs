//! The account API: a key is verified, a realtime webhook is looked up.

use feedwright::state::{Key, Scope, Window};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::support::served::{KEY, Reply, Served, serve, serve_with};
use crate::support::small_site::site;
use crate::support::wait;

const ACCOUNT: &str = "023e105f4ecef8ad9ca31a8372d0c353";
const VERIFY: &str = "/client/v4/accounts/023e105f4ecef8ad9ca31a8372d0c353/tokens/verify";
const MEETINGS: &str = "6c9f1a7e-3b52-4d0c-9a51-0f3c2b7d8e14";
const UNUSED_WEBHOOK: &str = "0192f0c1-7a3e-7bb2-8c55-51a2b3c4d5e6";

const SITE: &str = r#"base_url = "https://example.com"
timezone = "Europe/Berlin"

[[realtime]]
app_id = "live_show-1"
secret_env = "LIVE_SHOW_SECRET"

[[realtime.webhooks]]
id = "6C9F1A7E-3B52-4D0C-9A51-0F3C2B7D8E14"
name = "Meetings"
url = "https://example.com/hooks/meetings?a=b"
events = ["meeting.summary", "meeting.started"]
created_at = 2026-03-01T10:00:00Z
updated_at = "2026-07-02 12:30"

[[realtime.webhooks]]
id = "0192f0c1-7a3e-7bb2-8c55-51a2b3c4d5e6"
name = "Nothing for now"
url = "http://localhost:9000/"
enabled = false
events = []

[[realtime]]
app_id = "other"
"#;

fn served() -> Served {
    serve(site().with("site.toml", SITE))
}

/// Gets a path with this `Authorization`.
fn get(served: &Served, path: &str, authorization: &str) -> Reply {
    let headers: &[_] = match authorization {
        "" => &[],
        value => &[("authorization", value)],
    };
    served.send("GET", path, headers, b"")
}

fn bearer(secret: &str) -> String {
    format!("Bearer {secret}")
}

/// A key with one scope and this window, and its `Authorization`.
fn create_key_with_window(served: &Served, window: Window) -> (Key, String) {
    let now = Timestamp::now();
    let scopes = [Scope::CONTENT_READ, Scope::REALTIME];
    let made = served.state().create_key("test", &scopes, window, now);
    let (key, secret) = made.unwrap();
    (key, bearer(secret.expose()))
}

/// The one message object of an answer: of `errors` or of `messages`, with all that it has to carry.
fn note(served: &Served, reply: &Reply) -> (i64, String, String) {
    let json = reply.json();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["errors", "messages", "result", "success"]);
    let success = reply.status == 200;
    assert_eq!(json["success"], success);
    let (full, empty) = if success { ("messages", "errors") } else { ("errors", "messages") };
    assert_eq!(json[empty], json!([]));
    assert_eq!(json[full].as_array().unwrap().len(), 1);
    let note = &json[full][0];
    assert_eq!(note["documentation_url"], format!("{}/client/v4/", served.url));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(reply.header("cache-control"), Some("private, no-store"));
    let challenge = (reply.status == 401).then_some("Bearer realm=\"feedwright\"");
    assert_eq!(reply.header("www-authenticate"), challenge);
    let pointer = note["source"]["pointer"].as_str().unwrap();
    if pointer.starts_with("/result") {
        assert!(json.pointer(pointer).is_some(), "{json}");
    }
    (
        note["code"].as_i64().unwrap(),
        note["message"].as_str().unwrap().to_owned(),
        pointer.to_owned(),
    )
}

#[track_caller]
fn assert_message(found: (i64, String, String), code: i64, message: &str, pointer: &str) {
    assert_eq!(found, (code, message.to_owned(), pointer.to_owned()));
}

#[test]
fn a_valid_key_is_verified_with_its_window() {
    let served = served();
    let (start, end) = ("2026-01-01T00:00:00Z", "2999-12-31T23:59:59Z");
    for (not_before, expires) in
        [(None, None), (Some(start), None), (None, Some(end)), (Some(start), Some(end))]
    {
        let time = |text: Option<&str>| text.map(|text| text.parse().unwrap());
        let window = Window { not_before: time(not_before), expires: time(expires) };
        let (key, authorization) = create_key_with_window(&served, window);
        let reply = get(&served, VERIFY, &authorization);
        assert_eq!(reply.status, 200);
        assert_message(
            note(&served, &reply),
            10000,
            "This API Token is valid and active",
            "/result/status",
        );
        let mut result = json!({ "id": key.id, "status": "active" });
        if let Some(time) = expires {
            result["expires_on"] = json!(time);
        }
        if let Some(time) = not_before {
            result["not_before"] = json!(time);
        }
        assert_eq!(reply.json()["result"], result);
    }
}

#[test]
fn any_key_verifies_itself_with_any_account_id() {
    let served = served();
    for scope in Scope::ALL {
        let key = bearer(&served.key(&[scope], Window::default()));
        assert_eq!(get(&served, VERIFY, &key).status, 200, "{scope}");
    }
    let longest = "%C3%BC".repeat(32);
    for account in ["a", "some-account", ACCOUNT, &longest] {
        let path = format!("/client/v4/accounts/{account}/tokens/verify");
        let reply = get(&served, &path, &bearer(KEY));
        assert_eq!(reply.json()["result"]["id"], "environment", "{account}");
    }
}

#[test]
fn an_account_id_has_at_most_32_characters() {
    let served = served();
    for account in ["x".repeat(33), "%C3%BC".repeat(33), "x".repeat(5000)] {
        let path = format!("/client/v4/accounts/{account}/tokens/verify");
        let reply = get(&served, &path, &bearer(KEY));
        assert_eq!(reply.status, 400);
        assert_eq!(reply.json()["result"], Value::Null);
        let (code, message, pointer) = note(&served, &reply);
        assert_eq!((code, pointer.as_str()), (7003, "/path/account_id"));
        assert!(message.ends_with("the maximum is 32"), "{message}");
        // Who is not let in learns no more.
        assert_eq!(get(&served, &path, "Bearer wrong").status, 401);
        let path =
            format!("/client/v4/accounts/{account}/realtime/kit/other/webhooks/{UNUSED_WEBHOOK}");
        let reply = get(&served, &path, &bearer(KEY));
        assert_eq!((reply.status, reply.json()), (400, json!({ "message": message })));
    }
}

#[test]
fn an_unknown_key_is_rejected() {
    let served = served();
    for (authorization, code) in [
        (String::new(), 1000),
        ("Bearer wrong".into(), 1000),
        (format!("Bearer {KEY}x"), 1000),
        (format!("Bearer {KEY} {KEY}"), 1000),
        ("Bearer".into(), 6003),
        ("Bearer ".into(), 6003),
        (KEY.into(), 6003),
        (format!("Basic {KEY}"), 6003),
        (format!("Token {KEY}"), 6003),
    ] {
        let reply = get(&served, VERIFY, &authorization);
        assert_eq!(reply.status, 401, "{authorization:?}");
        assert_eq!(reply.json()["result"], Value::Null);
        let (found, message, pointer) = note(&served, &reply);
        assert_eq!((found, pointer.as_str()), (code, "/headers/authorization"));
        assert_eq!(message == "Invalid API Token", code == 1000, "{message}");
    }
}

/// What is refused everywhere, with what verification says of it.
fn assert_rejected(served: &Served, authorization: &str) -> (Value, (i64, String, String)) {
    assert_eq!(get(served, "/api/v1/feed/", authorization).status, 401);
    let webhook = get(served, &webhook("live_show-1", MEETINGS), authorization);
    assert_eq!((webhook.status, webhook.json()), (401, json!({ "message": "Unauthorized" })));
    let reply = get(served, VERIFY, authorization);
    assert_eq!(reply.status, 401);
    (reply.json()["result"].clone(), note(served, &reply))
}

fn assert_accepted(served: &Served, authorization: &str) {
    for path in ["/api/v1/feed/", &webhook("live_show-1", MEETINGS), VERIFY] {
        assert_eq!(get(served, path, authorization).status, 200, "{path}");
    }
}

#[test]
fn an_expired_key_fails_and_verification_reports_its_expiry() {
    let served = served();
    let end = Timestamp::now() + SignedDuration::from_millis(1500);
    let end = Timestamp::from_millisecond(end.as_millisecond()).unwrap();
    let window = Window { not_before: None, expires: Some(end) };
    let (key, authorization) = create_key_with_window(&served, window);
    assert_accepted(&served, &authorization);
    wait::until(|| Timestamp::now() > end);
    let (result, found) = assert_rejected(&served, &authorization);
    let known = json!({ "id": key.id, "status": "expired", "expires_on": end });
    assert_eq!(result, known);
    let message = format!("Invalid API Token: it expired at {end}");
    assert_message(found, 1000, &message, "/result/expires_on");
}

#[test]
fn a_key_is_invalid_before_its_start() {
    let served = served();
    let start = Timestamp::now() + SignedDuration::from_millis(1500);
    let start = Timestamp::from_millisecond(start.as_millisecond()).unwrap();
    let window = Window { not_before: Some(start), expires: None };
    let (key, authorization) = create_key_with_window(&served, window);
    let (result, found) = assert_rejected(&served, &authorization);
    let known = json!({ "id": key.id, "status": "disabled", "not_before": start });
    assert_eq!(result, known);
    let message = format!("Invalid API Token: it is not valid before {start}");
    assert_message(found, 1000, &message, "/result/not_before");
    wait::until(|| Timestamp::now() >= start);
    assert_accepted(&served, &authorization);
}

#[test]
fn a_revoked_key_fails_everywhere_at_once() {
    let served = served();
    let (key, authorization) = create_key_with_window(&served, Window::default());
    assert_accepted(&served, &authorization);
    let revoked = served.state().revoke_key(&key.id, Timestamp::now());
    let when = revoked.unwrap().revoked.unwrap();
    let (result, found) = assert_rejected(&served, &authorization);
    assert_eq!(result, json!({ "id": key.id, "status": "disabled" }));
    let message = format!("Invalid API Token: it was revoked at {when}");
    assert_message(found, 1000, &message, "/result/status");
}

#[test]
fn a_rotated_key_is_valid_only_with_its_new_secret() {
    let served = served();
    let (key, old) = create_key_with_window(&served, Window::default());
    let rotated = served.state().rotate_key(&key.id, Timestamp::now());
    let new = bearer(rotated.unwrap().1.expose());
    let (result, found) = assert_rejected(&served, &old);
    assert_eq!(result, Value::Null);
    assert_message(found, 1000, "Invalid API Token", "/headers/authorization");
    assert_accepted(&served, &new);
    assert_eq!(get(&served, VERIFY, &new).json()["result"]["id"], key.id);
}

fn webhook(app: &str, id: &str) -> String {
    format!("/client/v4/accounts/{ACCOUNT}/realtime/kit/{app}/webhooks/{id}")
}

#[test]
fn a_webhook_is_returned_as_configured() {
    let served = served();
    let meetings = json!({
        "success": true,
        "data": {
            "id": MEETINGS,
            "created_at": "2026-03-01T10:00:00Z",
            "updated_at": "2026-07-02T10:30:00Z",
            "enabled": true,
            "events": ["meeting.summary", "meeting.started"],
            "name": "Meetings",
            "url": "https://example.com/hooks/meetings?a=b",
        },
    });
    let upper = MEETINGS.to_uppercase();
    for path in [
        webhook("live_show-1", MEETINGS),
        webhook("live_show-1", &upper),
        webhook("live%5Fshow-1", MEETINGS),
        format!("{}?page=1", webhook("live_show-1", MEETINGS)),
    ] {
        let reply = get(&served, &path, &bearer(KEY));
        assert_eq!((reply.status, reply.json()), (200, meetings.clone()));
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert_eq!(reply.header("cache-control"), Some("private, no-store"));
    }
    let reply = get(&served, &webhook("live_show-1", UNUSED_WEBHOOK), &bearer(KEY));
    let quiet = json!({
        "id": UNUSED_WEBHOOK,
        "created_at": "1970-01-01T00:00:00Z",
        "updated_at": "1970-01-01T00:00:00Z",
        "enabled": false,
        "events": [],
        "name": "Nothing for now",
        "url": "http://localhost:9000/",
    });
    assert_eq!(reply.ok()["data"], quiet);
}

#[test]
fn a_webhook_needs_a_realtime_scope() {
    let served = served();
    let path = webhook("live_show-1", MEETINGS);
    let unknown = webhook("nobody", "no-uuid");
    for scope in Scope::ALL {
        let key = bearer(&served.key(&[scope], Window::default()));
        let may = [Scope::REALTIME, Scope::REALTIME_ADMIN].contains(&scope);
        let status = if may { 200 } else { 401 };
        assert_eq!(get(&served, &path, &key).status, status, "{scope}");
    }
    let other = bearer(&served.key(&[Scope::CONTENT_READ], Window::default()));
    for path in [path, unknown] {
        for authorization in ["", "Bearer wrong", "Bearer", &format!("Basic {KEY}"), &other] {
            let reply = get(&served, &path, authorization);
            assert_eq!(reply.status, 401, "{authorization:?}");
            assert_eq!(reply.json(), json!({ "message": "Unauthorized" }));
            assert_eq!(reply.header("www-authenticate"), Some("Bearer realm=\"feedwright\""));
        }
    }
}

#[test]
fn a_missing_webhook_is_404_and_an_invalid_id_400() {
    let served = served();
    for (path, status) in [
        (webhook("nobody", MEETINGS), 404),
        (webhook("Live_show-1", MEETINGS), 404),
        (webhook("other", MEETINGS), 404),
        (webhook("live_show-1", "00000000-0000-0000-0000-000000000000"), 404),
        (webhook("live_show-1", "meetings"), 400),
        (webhook("live_show-1", &MEETINGS.replace('-', "")), 400),
        (webhook("live_show-1", &format!("{MEETINGS}0")), 400),
        (webhook("live_show-1", "%F0%9F%8E%99"), 400),
    ] {
        let reply = get(&served, &path, &bearer(KEY));
        assert_eq!(reply.status, status, "{path}: {}", reply.text());
        let json = reply.json();
        assert_eq!(json.as_object().unwrap().len(), 1, "{json}");
        let field = if path.contains("live_show-1") || path.contains("other") {
            "webhook_id: "
        } else {
            "app_id: "
        };
        assert!(json["message"].as_str().unwrap().starts_with(field), "{json}");
    }
}

#[test]
fn all_nine_event_types_are_accepted() {
    let kinds = [
        "meeting.started", "meeting.ended", "meeting.participantJoined", "meeting.participantLeft",
        "meeting.chatSynced", "recording.statusUpdate", "livestreaming.statusUpdate",
        "meeting.transcript", "meeting.summary",
    ];
    let toml = format!(
        "base_url = \"https://example.com\"\n[[realtime]]\napp_id = \"a\"\n[[realtime.webhooks]]\n\
         id = \"{UNUSED_WEBHOOK}\"\nname = \"All\"\nurl = \"https://a.example/\"\nevents = {}\n\
         updated_at = 2026-02-03\n",
        json!(kinds)
    );
    let served = serve(site().with("site.toml", toml));
    let found = get(&served, &webhook("a", UNUSED_WEBHOOK), &bearer(KEY)).ok();
    assert_eq!(found["data"]["events"], json!(kinds));
    assert_eq!(found["data"]["created_at"], "2026-02-03T00:00:00Z");
    assert_eq!(found["data"]["updated_at"], "2026-02-03T00:00:00Z");
}

#[test]
fn saved_configuration_is_in_the_next_response() {
    let served = served();
    let path = webhook("live_show-1", MEETINGS);
    let name = || {
        let reply = get(&served, &path, &bearer(KEY));
        reply.json()["data"]["name"].as_str().map(str::to_owned)
    };
    let until = |wanted: Option<&str>| wait::until(|| name().as_deref() == wanted);
    until(Some("Meetings"));
    let renamed = SITE.replace("\"Meetings\"", "\"Renamed\"");
    served.site.write("site.toml", &renamed);
    until(Some("Renamed"));
    // One with a mistake changes nothing.
    served.site.write("site.toml", renamed.replace("Renamed", "Broken") + "\n[[realtime]]\n");
    let later = "+++\nslug = \"later\"\n+++\nSaved later.\n";
    served.site.write("content/items/later.md", later);
    wait::until(|| served.get("/i/later/").status == 200);
    assert_eq!(name().as_deref(), Some("Renamed"));
    served.site.write("site.toml", "base_url = \"https://example.com\"\n");
    until(None);
}

#[test]
fn paths_answer_get_and_head() {
    let served = served();
    for path in [VERIFY, &webhook("live_show-1", MEETINGS), "/client/v4/"] {
        let got = get(&served, path, &bearer(KEY));
        let head = served.send("HEAD", path, &[("authorization", &bearer(KEY))], b"");
        assert_eq!((head.status, head.body.len()), (200, 0), "{path}");
        for name in ["content-type", "content-length", "cache-control"] {
            assert_eq!(head.header(name), got.header(name), "{path} {name}");
        }
        for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "FOO"] {
            let reply = served.send(method, path, &[("authorization", &bearer(KEY))], b"{}");
            assert_eq!(reply.status, 405, "{method} {path}");
            assert_eq!(reply.header("allow"), Some("GET, HEAD"));
            if path.contains("realtime") {
                assert!(reply.json()["message"].is_string())
            } else {
                assert_message(
                    note(&served, &reply),
                    10405,
                    "this path supports only GET",
                    "/method",
                )
            }
        }
    }
}

#[test]
fn an_unknown_path_is_404_in_the_api_s_format() {
    let served = served();
    for path in [
        "/client/v4/user/tokens/verify",
        "/client/v4/accounts",
        "/client/v4/accounts/a/tokens",
        "/client/v4/accounts//tokens/verify",
        "/client/v4/accounts/a/tokens/verify/",
        "/client/v4/accounts/a%2Fb/tokens/verify",
        "/client/v4/accounts/%FF/tokens/verify",
    ] {
        let reply = get(&served, path, &bearer(KEY));
        assert_eq!(reply.status, 404, "{path}");
        assert_eq!(note(&served, &reply).0, 10404, "{path}");
    }
    let slashed = format!("{}/", webhook("live_show-1", MEETINGS));
    for path in [
        slashed.as_str(),
        "/client/v4/accounts/a/realtime/kit/live_show-1/webhooks",
        "/client/v4/accounts/a/realtime/",
    ] {
        let reply = get(&served, path, &bearer(KEY));
        assert_eq!(reply.status, 404, "{path}");
        let words = "path not found in the account API";
        assert_eq!(reply.json(), json!({ "message": words }));
    }
    // These are not its own.
    for path in ["/client", "/client/", "/client/v40", "/client/v5/accounts"] {
        let reply = served.get(path);
        assert_eq!(reply.status, 404, "{path}");
        assert_ne!(reply.header("content-type"), Some("application/json"));
    }
}

#[test]
fn errors_link_to_the_documentation() {
    let served = served();
    let reply = get(&served, VERIFY, "Bearer wrong");
    let address = reply.json()["errors"][0]["documentation_url"].clone();
    let path = address.as_str().unwrap().strip_prefix(&served.url).unwrap();
    for path in [path, "/client/v4"] {
        let page = served.get(path);
        assert_eq!(page.status, 200);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
        for words in ["tokens/verify", "webhooks/{webhook_id}", "1000", "6003", "7003"] {
            assert!(page.text().contains(words), "{words}");
        }
    }
}

#[test]
fn foreign_hosts_and_origins_are_rejected_in_the_api_s_format() {
    let served = served();
    for (name, value) in
        [("host", "evil.example"), ("origin", "https://evil.example"), ("origin", "null")]
    {
        let headers = [("authorization", &*bearer(KEY)), (name, value)];
        let reply = served.send("GET", VERIFY, &headers, b"");
        assert_eq!(reply.status, 403, "{name}: {value}");
        assert_eq!(note(&served, &reply).0, 10403);
        assert_eq!(reply.header("access-control-allow-origin"), None);
        let reply = served.send("GET", &webhook("live_show-1", MEETINGS), &headers, b"");
        assert_eq!(reply.status, 403, "{name}: {value}");
        assert!(reply.json()["message"].is_string());
    }
}

#[test]
fn the_account_api_works_on_offline_sites_with_a_base_path() {
    let site = site().with("site.toml", format!("access = \"offline\"\n{SITE}"));
    let mut options = feedwright::project::Options::new(site.root());
    options.base_url = Some("https://example.com/below".to_owned());
    let served = serve_with(site, options);
    for path in [VERIFY.to_owned(), format!("/below{VERIFY}")] {
        let reply = get(&served, &path, &bearer(KEY)).ok();
        assert_eq!(
            reply["messages"][0]["documentation_url"],
            "https://example.com/below/client/v4/"
        );
    }
    let path = format!("/below{}", webhook("live_show-1", MEETINGS));
    get(&served, &path, &bearer(KEY)).ok();
}

#[test]
fn realtime_settings_are_not_published() {
    let site = site().with("site.toml", SITE);
    site.built();
    for (path, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes);
        for word in ["live_show-1", "LIVE_SHOW_SECRET", MEETINGS, "hooks/meetings"] {
            assert!(!text.contains(word), "{path}: {word}");
        }
    }
}
