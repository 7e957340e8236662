//! Webhooks that go out while a site is served: what each change tells, whichever way it was made, and what is done when
//! a receiver does not take it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::receiver::{Receiver, answering, receiver};
use crate::support::served::{Served, serve};
use crate::support::small_site::{SmallSite, site};
use crate::support::wait;

pub const TOML: &str = "base_url = \"https://walks.example\"\n";
const ACCEPTED: &str = "204 No Content";
const BROKEN: &str = "500 Internal Server Error";

pub fn item(id: &str, more: &str, body: &str) -> String {
    format!("+++\nid = \"{id}\"\ntitle = \"Walk {id}\"\n{more}+++\n{body}\n")
}

/// A site with an item, and a webhook of the receiver.
pub fn notified(receiver: &Receiver, more: &str) -> SmallSite {
    site()
        .with("site.toml", format!("{TOML}{}", receiver.webhook(more)))
        .with("content/items/a.md", item("a", "", "Text."))
}

/// Serves a site, when what was there before has been noted.
pub fn serve_recorded(site: SmallSite) -> Served {
    let served = serve(site);
    wait::until(|| count(&served.site, "SELECT count(*) FROM ledger_of_resources") == 1);
    served
}

/// A number from the state.
pub fn count(site: &SmallSite, sql: &str) -> i64 {
    let state = rusqlite::Connection::open(site.path(".feedwright/state.sqlite")).unwrap();
    state.busy_timeout(Duration::from_secs(5)).unwrap();
    state.query_row(sql, (), |row| row.get(0)).unwrap()
}

/// Waits until so many messages have a status.
#[track_caller]
pub fn wait_for_messages(site: &SmallSite, status: &str, number: i64) {
    let sql = format!("SELECT count(*) FROM messages WHERE state = '{status}'");
    wait::until(|| count(site, &sql) >= number);
}

#[test]
fn only_later_file_changes_are_sent() {
    let receiver = receiver();
    let served = serve_recorded(notified(&receiver, ""));
    // Other quotes are no change.
    let text = item("a", "", "More text.").replace('"', "'");
    served.site.write("content/items/a.md", text);
    receiver.wait_for(&["item.updated a body"]);
    let got = &receiver.got()[0];
    assert_eq!(got.path, "/hook");
    let mut data = got.json["data"].clone();
    let object = data.as_object_mut().unwrap().remove("object").unwrap();
    assert_eq!(
        data,
        json!({
            "id": "a", "title": "Walk a", "url": "https://walks.example/i/walk-a-a/", "status": "published",
            "public": true, "file": "content/items/a.md", "changed": ["body"],
            "changed_fields": ["content_html", "content_text"], "previous_status": "published", "truncated_fields": [],
        })
    );
    assert_eq!(
        object,
        json!({
            "id": "a", "title": "Walk a", "url": "https://walks.example/i/walk-a-a/", "status": "published",
            "content_html": "<p>More text.</p>", "content_text": "More text.",
        })
    );
    assert_eq!(got.json["api_version"], "1");
    assert_eq!(
        got.json["subject"],
        json!({ "type": "item", "id": "a", "api_path": "/api/v1/items/a/" })
    );
    assert_eq!(got.json["site"], json!({ "id": "walks.example", "url": "https://walks.example" }));
    assert_eq!(got.json["context"]["correlation_id"], got.json["id"]);
    assert_eq!(got.header("x-service-event"), Some("item.updated"));
    assert_eq!(got.header("x-service-attempt"), Some("1"));
    assert_eq!(got.header("x-service-test"), Some("false"));
    assert_eq!(got.header("content-type"), Some("application/json"));
    assert_eq!(got.json.get("causation"), None);
}

#[test]
fn every_event_of_every_kind_is_sent() {
    let receiver = receiver();
    let served = serve_recorded(notified(&receiver, ""));
    let site = &served.site;
    let step = |expected: &[&str]| {
        receiver.wait_for(expected);
        receiver.forget();
    };
    site.write("content/items/b.md", item("b", "status = \"unpublished\"\n", "B."));
    step(&["item.created b"]);
    site.write("content/items/b.md", item("b", "", "B."));
    step(&["item.published b", "item.updated b status"]);
    site.write("content/items/b.md", item("b", "status = \"unlisted\"\n", "B."));
    step(&["item.unlisted b", "item.updated b status"]);
    site.write("content/items/b.md", item("b", "status = \"unpublished\"\n", "B."));
    step(&["item.unpublished b", "item.updated b status"]);
    site.remove("content/items/b.md");
    step(&["item.deleted b"]);

    site.write("content/pages/p.md", "+++\nid = \"p\"\ntitle = \"P\"\n+++\nP.\n");
    step(&["page.created p", "page.published p"]);
    site.write("content/pages/p.md", "+++\nid = \"p\"\ntitle = \"Q\"\n+++\nP.\n");
    step(&["page.updated p title"]);
    // A file that cannot be read is not gone.
    site.write("content/pages/p.md", "+++\nid = \n+++\nP.\n");
    site.write("content/pages/later.md", "+++\nid = \"later\"\ntitle = \"Later\"\n+++\nL.\n");
    step(&["page.created later", "page.published later"]);
    site.write("content/pages/p.md", "+++\nid = \"p\"\ntitle = \"Q\"\n+++\nP!\n");
    step(&["page.updated p body"]);
    let shown = "+++\nid = \"p\"\ntitle = \"Q\"\nshow_in_navigation = true\n+++\nP!\n";
    site.write("content/pages/p.md", shown);
    step(&["page.updated p show_in_navigation", "page.navigation_updated navigation page_ids"]);
    site.remove("content/pages/p.md");
    step(&["page.unpublished p", "page.deleted p", "page.navigation_updated navigation page_ids"]);

    // A generated Site File cannot be deleted: it gets its own text again.
    site.write("site-files/robots.txt", "User-agent: *\n");
    wait::until(|| receiver.notified().len() == 2);
    receiver.forget();
    site.remove("site-files/robots.txt");
    wait::until(|| receiver.notified().len() == 1);
    assert!(receiver.notified()[0].starts_with("site_file.reset"), "{:?}", receiver.notified());
    receiver.forget();

    let themed = site.read("site.toml");
    site.write("site.toml", format!("theme = \"photos\"\n{themed}"));
    step(&["theme.activated photos", "theme.deactivated default"]);
    site.write("site.toml", themed);
    step(&["theme.activated default", "theme.deactivated photos"]);

    site.write("site-files/humans.txt.draft", "A");
    wait::until(|| receiver.notified().len() == 1);
    let humans = receiver.got()[0].json["data"]["id"].clone();
    let of = |what: &str| format!("site_file.{what}").replace("ID", humans.as_str().unwrap());
    step(&[&of("created ID")]);
    site.write("site-files/humans.txt", "A");
    step(&[&of("updated ID template"), &of("published ID")]);
    site.remove("site-files/humans.txt.draft");
    step(&[&of("updated ID draft")]);
    let toml = site.read("site.toml");
    let of_file = |line: &str| format!("{toml}\n[site_files.\"humans.txt\"]\n{line}\n");
    site.write("site.toml", of_file("content_type = \"text/markdown\""));
    step(&[&of("updated ID content_type")]);
    site.write("site.toml", of_file("enabled = false"));
    step(&[&of("updated ID content_type"), &of("unpublished ID")]);
    site.write("site.toml", toml);
    step(&[&of("published ID")]);
    site.remove("site-files/humans.txt");
    step(&[&of("unpublished ID"), &of("deleted ID")]);

    site.write("content/calendars/shows/calendar.toml", "summary = \"Shows\"\n");
    step(&["calendar.created shows", "calendar.published shows"]);
    let event =
        |start: &str| format!("+++\nid = \"live\"\nsummary = \"Live\"\nstart = \"{start}\"\n+++\n");
    site.write("content/calendars/shows/live.md", event("2026-01-01"));
    step(&["event.created live", "event.published live"]);
    site.write("content/calendars/shows/live.md", event("2026-01-02"));
    step(&["event.updated live start"]);
    let private = event("2026-01-02").replace("start", "visibility = \"private\"\nstart");
    site.write("content/calendars/shows/live.md", private);
    step(&["event.unpublished live", "event.updated live visibility"]);
    site.write("content/calendars/shows/live.md", event("2026-01-02"));
    step(&["event.published live", "event.updated live visibility"]);
    site.write("content/calendars/shows/calendar.toml", "summary = \"Shows\"\npublic = false\n");
    step(&[
        "calendar.unpublished shows", "calendar.updated shows public", "event.unpublished live",
    ]);
    site.remove("content/calendars/shows/live.md");
    step(&["event.deleted live"]);
    site.remove("content/calendars/shows/calendar.toml");
    step(&["calendar.deleted shows"]);

    site.write("content/channel.md", "+++\ntitle = \"Another\"\n+++\nIts description.\n");
    step(&["channel.updated primary title"]);
    site.remove("content/channel.md");
    step(&["channel.unpublished primary", "channel.deleted primary"]);
    site.write("content/channel.md", "+++\ntitle = \"Again\"\n+++\n");
    step(&["channel.created primary", "channel.published primary"]);
}

#[test]
fn api_changes_are_sent_with_their_cause_and_loops_stop() {
    let receiver = receiver();
    let served =
        serve_recorded(notified(&receiver, "events = [\"item.updated\", \"item.deleted\"]"));
    let put = |text: &str, headers: &[(&str, &str)]| {
        let body = json!({ "content_markdown": text }).to_string();
        served.call_with("PUT", "/items/a/", headers, body.as_bytes()).ok();
    };
    put("One.", &[("Service-Correlation-Id", "flow")]);
    receiver.wait_for(&["item.updated a body"]);
    assert_eq!(receiver.got()[0].json["correlation"], "flow");
    // Whoever is told writes, and says why.
    for round in 1..=10 {
        let all = receiver.got();
        let cause = all.last().unwrap().id.clone();
        put(&format!("Round {round}."), &[("Service-Causation-Id", &cause)]);
        if round > 8 {
            wait_for_messages(&served.site, "cut", 1);
            break;
        }
        wait::until(|| receiver.got().len() > all.len());
        let last = receiver.got().pop().unwrap();
        assert_eq!(last.json["causation"], cause.as_str());
        assert_eq!(last.header("service-causation-id"), Some(&*cause));
        assert_eq!(last.json["correlation"], "flow");
    }
    assert_eq!(receiver.got().len(), 9);
    // What is no part of the loop is told.
    served.delete("/items/a/").ok();
    wait::until(|| receiver.got().len() > 9);
    assert_eq!(receiver.got().pop().unwrap().short(), "item.deleted a");
}

#[test]
fn changes_made_while_stopped_are_sent_once() {
    let (all, items) = (receiver(), receiver());
    let of_items = items.webhook("name = \"items\"\nevents = [\"item.*\"]");
    let toml = format!("{TOML}{}{of_items}", all.webhook("name = \"all\""));
    let mut served = serve_recorded(notified(&all, "").with("site.toml", toml));
    served.end();
    served.site.write("content/items/a.md", item("a", "", "Otherwise."));
    served.site.write("content/pages/p.md", "+++\nid = \"p\"\ntitle = \"P\"\n+++\nP.\n");
    let served = served.restarted();
    all.wait_for(&["item.updated a body", "page.created p", "page.published p"]);
    items.wait_for(&["item.updated a body"]);
    wait_for_messages(&served.site, "delivered", 4);
    let served = served.restarted();
    served.site.write("content/items/a.md", item("a", "", "Last."));
    let last = "item.updated a body";
    all.wait_for(&[last, last, "page.created p", "page.published p"]);
    assert_eq!(all.got().len(), 4);
}

#[test]
fn a_failing_receiver_is_retried_in_order_without_blocking_others() {
    let is_well = Arc::new(AtomicBool::new(false));
    let well = Arc::clone(&is_well);
    let receiver = answering(move |got, _| {
        let taken = well.load(Ordering::SeqCst) || got.json["data"]["id"] != "a";
        if taken { ACCEPTED } else { BROKEN }.to_owned()
    });
    let served = serve_recorded(notified(&receiver, ""));
    let site = &served.site;
    site.write("content/items/a.md", item("a", "", "One."));
    wait::until(|| receiver.got().len() > 1);
    // None of these was sent to anyone: they become one.
    site.write("content/items/a.md", item("a", "tags = [\"x\"]\n", "One."));
    wait::until(|| count(site, "SELECT count(*) FROM messages") == 2);
    let newest = count(site, "SELECT max(number) FROM messages");
    site.write("content/items/a.md", item("a", "tags = [\"x\"]\nsummary = \"S\"\n", "One."));
    wait::until(|| count(site, "SELECT max(number) FROM messages") > newest);
    site.write(
        "content/items/a.md",
        item("a", "tags = [\"x\"]\nsummary = \"S\"\nstatus = \"unpublished\"\n", "One."),
    );
    wait::until(|| count(site, "SELECT count(*) FROM messages") == 3);
    site.write("content/items/b.md", item("b", "", "B."));
    wait::until(|| receiver.notified().contains(&"item.published b".to_owned()));
    assert_eq!(receiver.notified(), ["item.updated a body", "item.created b", "item.published b"]);
    is_well.store(true, Ordering::SeqCst);
    receiver.wait_for(&[
        "item.created b", "item.published b", "item.unpublished a", "item.updated a body",
        "item.updated a status+summary+tags",
    ]);
    let of_a: Vec<String> =
        receiver.notified().into_iter().filter(|one| one.contains(" a")).collect();
    assert_eq!(
        of_a,
        ["item.updated a body", "item.updated a status+summary+tags", "item.unpublished a"]
    );
    // What came again was the same message.
    let again: Vec<Value> = receiver
        .got()
        .iter()
        .filter(|got| got.short() == of_a[0])
        .map(|got| got.json.clone())
        .collect();
    assert!(again.len() > 2 && again.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn stalls_redirects_and_retry_after_are_retried() {
    let elsewhere = receiver();
    let address = elsewhere.url.clone();
    let came_again = AtomicBool::new(false);
    let receiver = answering(move |got, before| match (got.json["data"]["id"].as_str(), before) {
        (Some("a"), 0) => {
            wait::within(wait::MAX_WAIT, || came_again.load(Ordering::SeqCst));
            ACCEPTED.to_owned()
        }
        (Some("a"), _) => {
            came_again.store(true, Ordering::SeqCst);
            ACCEPTED.to_owned()
        }
        (Some("b"), 0) => format!("307 Temporary Redirect\r\nlocation: {address}/hook"),
        (Some("c"), 0) => "503 Busy\r\nretry-after: 1".to_owned(),
        _ => ACCEPTED.to_owned(),
    });
    let served =
        serve_recorded(notified(&receiver, "events = [\"item.created\", \"item.updated\"]"));
    let site = &served.site;
    let start = Instant::now();
    site.write("content/items/a.md", item("a", "", "Otherwise."));
    site.write("content/items/b.md", item("b", "", "B."));
    site.write("content/items/c.md", item("c", "", "C."));
    wait_for_messages(site, "delivered", 3);
    assert!(start.elapsed() >= Duration::from_secs(1), "it had asked for a second");
    receiver.wait_for(&["item.created b", "item.created c", "item.updated a body"]);
    for id in ["a", "b", "c"] {
        let times = receiver.got().iter().filter(|got| got.json["data"]["id"] == id).count();
        assert!(times >= 2, "{id} came {times} times");
    }
    assert!(elsewhere.got().is_empty(), "redirects are not followed");
}

#[test]
fn a_gone_receiver_gets_no_more_messages() {
    let gone = answering(|_, _| "410 Gone".to_owned());
    let other = receiver();
    let more = format!("name = \"gone\"{}", other.webhook("name = \"other\""));
    let served = serve_recorded(notified(&gone, &more));
    served.site.write("content/items/a.md", item("a", "", "One."));
    wait_for_messages(&served.site, "failed", 1);
    served.site.write("content/items/a.md", item("a", "", "Two."));
    wait::until(|| count(&served.site, "SELECT count(*) FROM messages") == 4);
    // The message for the one that is there comes after the one for the one that is gone.
    other.wait_for(&["item.updated a body", "item.updated a body"]);
    assert_eq!(gone.got().len(), 1);
}

#[test]
fn scheduled_items_are_published_at_their_date() {
    let receiver = receiver();
    let served = serve_recorded(notified(&receiver, ""));
    let soon = jiff::Timestamp::now() + Duration::from_secs(2);
    let date = format!("date_published = {soon:.3}\n");
    served.site.write("content/items/b.md", item("b", &date, "B."));
    receiver.wait_for(&["item.created b"]);
    assert_eq!(receiver.got()[0].json["data"]["public"], false);
    receiver.wait_for(&["item.created b", "item.published b"]);
    assert!(jiff::Timestamp::now() >= soon);
    assert_eq!(receiver.got()[1].json["data"]["public"], true);
}

#[test]
fn local_network_addresses_need_permission_in_site_toml() {
    let receiver = receiver();
    let address = receiver.url.replace("http://127.0.0.1", "https://localhost");
    let own = receiver
        .webhook("name = \"own\"")
        .replace(&receiver.url, &address)
        .replace("local = true", "");
    let served = serve_recorded(notified(&receiver, "").with("site.toml", format!("{TOML}{own}")));
    served.site.write("content/items/a.md", item("a", "", "One."));
    let refused = "SELECT count(*) FROM messages WHERE attempts > 0 AND answer LIKE '%this machine or its network%'";
    wait::until(|| count(&served.site, refused) == 1);
    assert!(receiver.got().is_empty());
}

#[test]
fn a_webhook_without_a_secret_does_not_block_others() {
    let receiver = receiver();
    let unset = receiver.webhook("name = \"unset\"").replace("HOOK_SECRET", "NOBODY_SET_IT");
    let broken = receiver.webhook("name = \"broken\"").replace("HOOK_SECRET", "BROKEN_SECRET");
    let toml = format!("{TOML}{}{unset}{broken}", receiver.webhook(""));
    let served = serve_recorded(notified(&receiver, "").with("site.toml", toml));
    served.site.write("content/items/a.md", item("a", "", "One."));
    wait_for_messages(&served.site, "delivered", 1);
    assert_eq!(receiver.got().len(), 1);
    assert_eq!(
        count(
            &served.site,
            "SELECT count(*) FROM messages WHERE state = 'waiting' AND attempts = 0"
        ),
        2
    );
}

#[test]
fn invalid_webhooks_are_errors_with_help() {
    let good = "url = \"https://a.example/hook\"\nsecret_env = \"S\"";
    let reported: Vec<String> = [
        "secret_env = \"S\"",
        "url = \"https://a.example/hook\"",
        "url = \"http://a.example/hook\"\nsecret_env = \"S\"",
        "url = \"ftp://a.example/hook\"\nsecret_env = \"S\"",
        "url = \"https://ada:word@a.example/hook\"\nsecret_env = \"S\"",
        "url = \"https://a.example/hook\"\nsecret_env = \"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"",
        &format!("{good}\nsecret = \"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\""),
        &format!("{good}\nevents = [\"item.publish\"]"),
        &format!("{good}\nevents = [\"*\", \"items.*\", 3]"),
        &format!("{good}\nevents = []"),
        &format!("{good}\nname = \"a b\""),
        &format!("{good}\nlocal = \"yes\""),
        &format!("{good}\nname = \"one\"\n[[webhooks]]\n{good}\nname = \"one\""),
        &format!("{good}\nevent = [\"item.*\"]"),
    ]
    .iter()
    .map(|text| {
        let site = site().with("site.toml", format!("{TOML}[[webhooks]]\n{text}\n"));
        let report = site.report();
        assert!(!report.contains("MfKQ9r8GK") && !report.contains("ada:word"), "{report}");
        report
    })
    .collect();
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(reported.join("\n\n"));
    });
}
