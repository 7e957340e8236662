//! The editor's views of the site as a whole: journal, deliveries, keys, downloads. `tests/browser/publish.cjs` uses them.

use serde_json::{Value, json};

use crate::editor::documents::person;
use crate::support::served::serve;
use crate::support::small_site::site;

#[test]
fn a_key_is_shown_once_and_revoked_permanently() {
    let served = serve(site());
    let ada = person(&served);
    let asked = json!({ "name": " Phone ", "scopes": ["content:read"], "expires": null });
    let made = ada.ask("make-key", &asked).ok();
    let secret = made["secret"].as_str().unwrap();
    let listed = ada.ask("keys", &json!({}));
    assert!(!listed.text().contains(secret));
    let listed = listed.ok();
    assert_eq!(listed["keys"][0]["name"], "Phone");
    assert_eq!(listed["keys"][0]["status"], "active");
    let bearer = format!("Bearer {secret}");
    let read = || served.send("GET", "/api/v1/feed/", &[("authorization", &bearer)], b"");
    assert_eq!(read().status, 200);
    // It may do what was chosen, and nothing else.
    let wrote = served.send("POST", "/api/v1/items/", &[("authorization", &bearer)], b"{}");
    assert_eq!(wrote.status, 403);
    let ended = ada.ask("revoke-key", &json!({ "id": made["key"]["id"] })).ok();
    assert_eq!((&ended["status"], &ended["can_end"]), (&json!("revoked"), &json!(false)));
    assert_eq!(read().status, 401);
    let past = "2020-01-01T00:00:00Z";
    for (name, scopes, expires, word) in [
        ("", json!(["content:read"]), Value::Null, "name"),
        ("a\nb", json!(["content:read"]), Value::Null, "name"),
        ("x", json!([]), Value::Null, "scope"),
        ("x", json!(["content:raed"]), Value::Null, "content:read"),
        ("x", json!(["content:read"]), json!(past), "expiry"),
    ] {
        let asked = json!({ "name": name, "scopes": scopes, "expires": expires });
        let refused = ada.ask("make-key", &asked).error(400);
        assert!(refused.contains(word), "{refused}");
    }
    ada.ask("revoke-key", &json!({ "id": "nobody" })).error(400);
    assert_eq!(ada.ask("keys", &json!({})).ok()["keys"].as_array().unwrap().len(), 1);
    // No secret is in the journal, and what it says is found by any of its words.
    let found = |text: &str| ada.ask("journal", &json!({ "text": text })).ok()["entries"].clone();
    let all = found("");
    assert!(!all.to_string().contains(secret));
    assert_eq!((&all[0]["operation"], &all[0]["by"]), (&json!("revokeKey"), &json!("editor")));
    assert_eq!(found("REVOKE").as_array().unwrap().len(), 1);
    assert_eq!(found("phone").as_array().unwrap().len(), 2);
    for text in ["%", "' OR 1=1 --", "nothing"] {
        assert_eq!(found(text), json!([]), "{text}");
    }
}

#[test]
fn journal_entries_are_found_by_key_name() {
    let served = serve(site());
    let ada = person(&served);
    let asked =
        json!({ "name": "Robot", "scopes": ["content:write", "content:read"], "expires": null });
    let made = ada.ask("make-key", &asked).ok();
    let bearer = format!("Bearer {}", made["secret"].as_str().unwrap());
    let item = json!({ "title": "Low tide", "content_text": "Mud." }).to_string();
    let headers = [("authorization", bearer.as_str()), ("content-type", "application/json")];
    let wrote = served.send("POST", "/api/v1/items/", &headers, item.as_bytes());
    assert!(wrote.status < 300, "{}", wrote.text());
    let entries = ada.ask("journal", &json!({ "text": "robot" })).ok()["entries"].clone();
    assert!(entries.as_array().unwrap().iter().any(|entry| entry["by"] == "Robot"), "{entries}");
}

#[test]
fn records_are_empty_without_webhooks_and_logs() {
    let served = serve(site());
    let ada = person(&served);
    let told = ada.ask("deliveries", &json!({})).ok();
    assert_eq!((&told["webhooks"], &told["messages"]), (&json!([]), &json!([])));
    let refused = ada.ask("retry", &json!({ "id": null })).error(409);
    assert!(refused.contains("no waiting or failed message"), "{refused}");
    ada.ask("retry", &json!({ "id": "x" })).error(409);
    assert_eq!(ada.ask("downloads", &json!({})).ok()["downloads"], 0);
    for operation in
        ["journal", "deliveries", "retry", "keys", "make-key", "revoke-key", "downloads"]
    {
        let headers = [("cookie", ada.cookie.as_str())];
        ada.ask_with(operation, &headers, &json!({})).error(401);
    }
    assert_eq!(served.state().keys().unwrap(), []);
}
