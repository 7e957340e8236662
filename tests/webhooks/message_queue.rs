//! Webhooks whose site.toml, clock, disk or secret is not as it was: nothing is lost, and nothing is told that should not be.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::editor::documents::person;
use crate::support::receiver::{answering, receiver};
use crate::support::served::Served;
use crate::support::small_site::SmallSite;
use crate::support::wait;
use crate::webhooks::deliveries::{TOML, count, item, notified, serve_recorded, wait_for_messages};

fn run_sql(site: &SmallSite, sql: &str) {
    let state = rusqlite::Connection::open(site.path(".feedwright/state.sqlite")).unwrap();
    state.busy_timeout(Duration::from_secs(5)).unwrap();
    state.execute_batch(sql).unwrap();
}

/// Waits until the server has read the site and found what is wrong with it.
fn wait_for_site_error(served: &Served) {
    let ada = person(served);
    wait::until(|| {
        let found = ada.ask("faults", &json!({})).ok();
        !found["faults"].as_array().unwrap().is_empty()
    });
}

#[test]
fn an_invalid_site_toml_at_the_start_loses_no_messages() {
    let receiver = receiver();
    let mut served = serve_recorded(notified(&receiver, ""));
    served.end();
    let whole = served.site.read("site.toml");
    served.site.write("content/items/a.md", item("a", "", "Otherwise."));
    served.site.write("site.toml", format!("{whole}\nnot toml ["));
    let served = served.restarted();
    wait_for_site_error(&served);
    assert!(receiver.got().is_empty());
    served.site.write("site.toml", whole);
    receiver.wait_for(&["item.updated a body"]);
}

#[test]
fn an_unreadable_webhook_misses_no_messages() {
    let (one, other) = (receiver(), receiver());
    let named = |name: &str| format!("name = \"{name}\"");
    let toml = |more: &str| {
        let (one, other) = (one.webhook(&named("one")), other.webhook(more));
        format!("{TOML}{one}{other}")
    };
    let mut served = serve_recorded(notified(&one, "").with("site.toml", toml(&named("other"))));
    served.end();
    served.site.write("content/items/a.md", item("a", "", "Otherwise."));
    served.site.write("site.toml", toml("name = \"o t h e r\""));
    let served = served.restarted();
    wait_for_site_error(&served);
    served.site.write("site.toml", toml(&named("other")));
    one.wait_for(&["item.updated a body"]);
    other.wait_for(&["item.updated a body"]);
}

#[test]
fn queued_messages_follow_a_changed_webhook() {
    let gone = answering(|_, _| "500 Internal Server Error".to_owned());
    let served = serve_recorded(notified(&gone, ""));
    let site = &served.site;
    site.write("content/items/a.md", item("a", "", "One."));
    wait::until(|| !gone.got().is_empty());
    site.write("content/items/a.md", item("a", "tags = [\"x\"]\n", "One."));
    wait::until(|| count(site, "SELECT count(*) FROM messages") == 2);
    // Its receiver moved, and then its author gives it a name.
    let moved = answering(|got, before| match (got.path.as_str(), before) {
        ("/moved", 0) => "503 Busy".to_owned(),
        _ => "204 No Content".to_owned(),
    });
    let webhook = moved.webhook("").replace("/hook", "/moved");
    site.write("site.toml", format!("{TOML}{webhook}"));
    wait::until(|| !moved.got().is_empty());
    site.write("site.toml", format!("{TOML}{webhook}name = \"own\"\n"));
    moved.wait_for(&["item.updated a body", "item.updated a tags"]);
    wait_for_messages(site, "delivered", 2);
    assert_eq!(moved.notified(), ["item.updated a body", "item.updated a tags"]);
    assert_eq!(gone.got()[0].id, moved.got()[0].id);
    assert_eq!(count(site, "SELECT count(*) FROM messages WHERE endpoint = 'own'"), 2);
}

#[test]
fn an_unrecorded_attempt_does_not_block_the_queue() {
    let receiver = receiver();
    let served = serve_recorded(notified(&receiver, ""));
    let site = &served.site;
    run_sql(
        site,
        "CREATE TRIGGER full BEFORE UPDATE ON messages WHEN NEW.state = 'delivered'
         BEGIN SELECT RAISE(ABORT, 'the disk is full'); END;",
    );
    site.write("content/items/a.md", item("a", "", "One."));
    receiver.wait_for(&["item.updated a body"]);
    site.write("content/items/a.md", item("a", "", "Two."));
    wait::until(|| count(site, "SELECT count(*) FROM messages") == 2);
    assert_eq!(receiver.notified().len(), 1, "the next one waits");
    run_sql(site, "DROP TRIGGER full");
    wait_for_messages(site, "delivered", 1);
    site.write("content/items/a.md", item("a", "", "Three."));
    wait::until(|| receiver.notified().len() >= 2);
    wait::until(|| {
        let open = "SELECT count(*) FROM messages WHERE state IN ('waiting', 'sending')";
        count(site, open) == 0
    });
}

#[test]
fn a_clock_set_back_does_not_block_the_queue() {
    let fails = Arc::new(AtomicBool::new(true));
    let failing = Arc::clone(&fails);
    let receiver = answering(move |_, _| match failing.load(Ordering::SeqCst) {
        true => "500 Internal Server Error\r\nretry-after: 7200".to_owned(),
        false => "204 No Content".to_owned(),
    });
    let served = serve_recorded(notified(&receiver, ""));
    let site = &served.site;
    site.write("content/items/a.md", item("a", "", "One."));
    wait::until(|| !receiver.got().is_empty());
    let in_an_hour = jiff::Timestamp::now().as_millisecond() + 3_600_000;
    let late =
        format!("SELECT count(*) FROM messages WHERE state = 'waiting' AND next > {in_an_hour}");
    wait::until(|| count(site, &late) == 1);
    fails.store(false, Ordering::SeqCst);
    assert_eq!(receiver.got().len(), 1, "it had asked for two hours");
    let year = 365 * 24 * 3_600_000_i64;
    run_sql(site, &format!("UPDATE messages SET next = next + {year}"));
    wait_for_messages(site, "delivered", 1);
}

#[test]
fn an_ineffective_write_is_not_the_cause_of_later_changes() {
    let receiver = receiver();
    let served = serve_recorded(notified(&receiver, ""));
    let body = json!({ "title": "Walk a" }).to_string();
    let cause = [("Service-Causation-Id", "msg_of_another_time")];
    served.call_with("PUT", "/items/a/", &cause, body.as_bytes()).ok();
    served.site.write("content/items/a.md", item("a", "", "By hand."));
    receiver.wait_for(&["item.updated a body"]);
    assert_eq!(receiver.got()[0].json.get("causation"), None);
}

#[test]
fn going_offline_unpublishes_everything() {
    let receiver = receiver();
    let served = serve_recorded(notified(&receiver, "").with("site-files/humans.txt", "A"));
    let site = &served.site;
    let whole = site.read("site.toml");
    site.write("site.toml", format!("access = \"offline\"\n{whole}"));
    wait::until(|| receiver.notified().len() == 3);
    let kinds = || {
        let mut kinds: Vec<String> = receiver
            .got()
            .iter()
            .map(|got| format!("{} {}", got.kind(), got.json["data"]["public"]))
            .collect();
        kinds.sort();
        kinds
    };
    assert_eq!(
        kinds(),
        ["channel.unpublished false", "item.unpublished false", "site_file.unpublished false"]
    );
    receiver.forget();
    site.write("content/items/b.md", item("b", "", "B."));
    receiver.wait_for(&["item.created b"]);
    receiver.forget();
    site.write("site.toml", whole);
    wait::until(|| receiver.notified().len() == 4);
    assert_eq!(
        kinds(),
        [
            "channel.published true", "item.published true", "item.published true",
            "site_file.published true"
        ]
    );
}

#[test]
fn the_size_of_a_message_is_limited() {
    let receiver = receiver();
    let served = serve_recorded(notified(&receiver, ""));
    let keys: String = (0..2000).map(|key| format!("_{key} = 1\n")).collect();
    let title = "W".repeat(3000);
    let text = format!("+++\nid = \"a\"\ntitle = \"{title}\"\n_x = {{}}\n{keys}+++\nText.\n");
    served.site.write("content/items/a.md", text);
    wait::until(|| !receiver.got().is_empty());
    let got = &receiver.got()[0];
    assert_eq!(got.json["data"]["changed"].as_array().unwrap().len(), 100);
    assert!(got.json["data"]["title"].as_str().unwrap().chars().count() <= 501);
}

#[test]
fn an_editor_change_is_sent_once_and_listed() {
    let receiver = receiver();
    let served = serve_recorded(notified(&receiver, ""));
    let ada = person(&served);
    let path = "content/items/a.md";
    let version = ada.open(path)["version"].clone();
    let hidden = item("a", "status = \"unpublished\"\n", "Text.");
    ada.save(path, &hidden, &version).ok();
    receiver.wait_for(&["item.unpublished a", "item.updated a status"]);
    ada.ask("remove", &json!({ "path": path })).ok();
    receiver.wait_for(&["item.deleted a", "item.unpublished a", "item.updated a status"]);
    wait_for_messages(&served.site, "delivered", 3);
    let seen = ada.ask("deliveries", &json!({})).ok();
    assert_eq!(seen["webhooks"][0]["has_secret"], true);
    assert_eq!(seen["messages"][0]["type"], "item.deleted");
    assert_eq!(seen["messages"][0]["status"], "delivered");
}
