//! The calendar API's incremental sync.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use feedwright::state::{EventChange, EventChangeKind, Scope};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::calendar_api::served::{CalendarServer, calendars, event, fault, ids, shows, statuses};
use crate::support::served::KEY;
use crate::support::small_site::SmallSite;

const ONE: &str = "id = \"one\"\nsummary = \"One\"\nstart = \"2026-11-20T20:00\"";
const TWO: &str = "id = \"two\"\nsummary = \"Two\"\nstart = \"2026-11-21T20:00\"";
const WEEKLY: &str = "id = \"w\"\nsummary = \"Weekly\"\nstart = \"2026-11-20T20:00\"\nrecurrence = [\"RRULE:FREQ=WEEKLY;COUNT=3\"]";
const CANCELLED: &str =
    "recurringEventId = \"w\"\noriginalStartTime = \"2026-11-27T20:00\"\nstatus = \"cancelled\"";

fn site() -> SmallSite {
    let file = |name: &str| format!("content/calendars/shows/{name}.md");
    shows()
        .with(&file("one"), event(ONE))
        .with(&file("two"), event(TWO))
        .with(&file("w"), event(WEEKLY))
}

fn token(served: &CalendarServer, query: &str) -> String {
    served.all(query).1
}

/// What changed since a token, and the next one.
fn changes(served: &CalendarServer, token: &str) -> (Vec<Value>, String) {
    served.all(&format!("syncToken={token}"))
}

#[test]
fn each_change_is_returned_once() {
    let served = calendars(site());
    let first = token(&served, "");
    let (none, second) = changes(&served, &first);
    assert_eq!(none, Vec::<Value>::new());
    served.save("one.md", &event(&ONE.replace("One", "Other")));
    served.save("three.md", &event(&ONE.replace("one", "three")));
    served.remove("two.md");
    let (found, third) = changes(&served, &second);
    assert_eq!(
        found.iter().map(|one| one["id"].as_str().unwrap()).collect::<Vec<_>>(),
        ["one", "three", "two"]
    );
    assert_eq!(found[0]["summary"], "Other");
    let mut gone = found[2].as_object().unwrap().clone();
    gone.remove("etag");
    assert_eq!(
        Value::Object(gone),
        json!({ "kind": "calendar#event", "id": "two", "status": "cancelled" })
    );
    // The first token tells the same, a later one nothing.
    assert_eq!(changes(&served, &first).0, found);
    assert_eq!(changes(&served, &third).0, Vec::<Value>::new());
    // One that comes back is there again; with a comment more, nothing is.
    served.save("two.md", &event(TWO));
    served.save("one.md", &event(&format!("# kept\n{}", ONE.replace("One", "Other"))));
    let (back, _) = changes(&served, &third);
    assert_eq!(statuses(&back), [("two".to_owned(), "confirmed".to_owned())].into());
    // That it was away is a change of its own: who asks by time has to be told that it is back.
    let one = served.get("/calendars/shows/events/one").ok();
    assert!(back[0]["updated"].as_str() > one["updated"].as_str());
}

#[test]
fn changes_while_the_server_is_stopped_are_returned() {
    let served = calendars(site());
    let before = token(&served, "");
    let served = served.restarted(|site| {
        site.remove("content/calendars/shows/one.md");
        site.write("content/calendars/shows/two.md", event(&TWO.replace("Two", "2")));
        site.write("content/calendars/shows/new.md", event("id = \"new\"\nstart = \"2026-12-01\""));
    });
    let (found, _) = changes(&served, &before);
    assert_eq!(
        statuses(&found),
        [("new", "confirmed"), ("one", "cancelled"), ("two", "confirmed")]
            .map(|(id, status)| (id.to_owned(), status.to_owned()))
            .into()
    );
    // A file that cannot be read is no deletion.
    let before = token(&served, "");
    let served =
        served.restarted(|site| site.write("content/calendars/shows/two.md", "+++\nid = \n+++\n"));
    assert_eq!(changes(&served, &before).0, Vec::<Value>::new());
    assert!(served.ids("").contains(&"two".to_owned()));
}

#[test]
fn recorded_creation_and_update_times_are_stable() {
    let served = calendars(site());
    let times = |id: &str| {
        let found = served.get(&format!("/calendars/shows/events/{id}")).ok();
        ["created", "updated"]
            .map(|name| found[name].as_str().unwrap().parse::<jiff::Timestamp>().unwrap())
    };
    let before = times("one");
    let changed =
        jiff::Timestamp::from_millisecond(jiff::Timestamp::now().as_millisecond()).unwrap();
    served.save("one.md", &event(&ONE.replace("One", "Other")));
    let after = times("one");
    assert_eq!(after[0], before[0]);
    assert!(after[1] >= changed && before[1] < changed);
    let two = times("two");
    let served = served.restarted(|site| {
        site.write("content/calendars/shows/two.md", event(&format!("# x\n{TWO}")))
    });
    let found = served.get("/calendars/shows/events/one").ok();
    assert_eq!(found["updated"], format!("{:.3}", after[1]));
    let found = served.get("/calendars/shows/events/two").ok();
    assert_eq!(found["updated"], format!("{:.3}", two[1]));
}

#[test]
fn a_changed_instance_is_returned_alone() {
    let served = calendars(site());
    let (series, instances) = (token(&served, ""), token(&served, "singleEvents=true"));
    served.save("off.md", &event(CANCELLED));
    let (found, series) = changes(&served, &series);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (&found[0]["id"], &found[0]["status"], &found[0]["recurringEventId"]),
        (&json!("w_20261127T190000Z"), &json!("cancelled"), &json!("w"))
    );
    assert_eq!(found[0]["originalStartTime"]["dateTime"], "2026-11-27T20:00:00+01:00");
    let (found, instances) = changes(&served, &instances);
    assert_eq!(statuses(&found), [("w_20261127T190000Z".into(), "cancelled".into())].into());
    assert_eq!(found[0]["originalStartTime"]["dateTime"], "2026-11-27T20:00:00+01:00");
    // The instance is on again: to both, though it is no exception any more.
    served.remove("off.md");
    let (found, series) = changes(&served, &series);
    assert_eq!(statuses(&found), [("w_20261127T190000Z".into(), "confirmed".into())].into());
    assert_eq!(statuses(&changes(&served, &instances).0), statuses(&found));
    // The series changes, and with it the instance that its client holds.
    served.save("w.md", &event(&WEEKLY.replace("Weekly", "Each week")));
    let (found, series) = changes(&served, &series);
    assert!(found.iter().all(|one| one["summary"] == "Each week"));
    assert_eq!(statuses(&found).into_keys().collect::<Vec<_>>(), ["w", "w_20261127T190000Z"]);
    // A rule that has it no longer calls it off; the series without any takes all with it.
    served.save("w.md", &event(&WEEKLY.replace("COUNT=3", "COUNT=1")));
    let (found, series) = changes(&served, &series);
    assert_eq!(statuses(&found)["w_20261127T190000Z"], "cancelled");
    served.remove("w.md");
    let (found, _) = changes(&served, &series);
    assert_eq!(statuses(&found)["w"], "cancelled");
}

#[test]
fn a_sync_keeps_the_filters_of_the_first_list() {
    let served = calendars(site());
    let filtered = token(&served, "q=one");
    let bounded = token(
        &served,
        "singleEvents=true&timeMin=2026-11-25T00:00:00Z&timeMax=2026-12-01T00:00:00Z",
    );
    served.save("two.md", &event(&TWO.replace("Two", "Also one")));
    served.save("one.md", &event(&ONE.replace("One", "Other")));
    let (found, _) = changes(&served, &filtered);
    assert_eq!(
        statuses(&found),
        [("one".into(), "cancelled".into()), ("two".into(), "confirmed".into())].into()
    );
    assert_eq!(changes(&served, &bounded).0, Vec::<Value>::new());
    served.save("two.md", &event(&TWO.replace("11-21", "11-26")));
    served.save("w.md", &event(&WEEKLY.replace("COUNT=3", "COUNT=1")));
    let (found, _) = changes(&served, &bounded);
    assert_eq!(
        statuses(&found),
        [("two".into(), "confirmed".into()), ("w_20261127T190000Z".into(), "cancelled".into())]
            .into()
    );
}

#[test]
fn parameters_fixed_by_a_sync_token_are_rejected() {
    let served = calendars(site());
    let sync = token(&served, "singleEvents=true");
    for (query, parameter) in [
        ("iCalUID=x", "iCalUID"),
        ("orderBy=updated", "orderBy"),
        ("privateExtendedProperty=a=b", "privateExtendedProperty"),
        ("sharedExtendedProperty=a=b", "sharedExtendedProperty"),
        ("q=x", "q"),
        ("timeMin=2026-01-01T00:00:00Z", "timeMin"),
        ("timeMax=2026-01-01T00:00:00Z", "timeMax"),
        ("updatedMin=2026-01-01T00:00:00Z", "updatedMin"),
        ("showDeleted=false", "showDeleted"),
        ("singleEvents=false", "singleEvents"),
        ("eventTypes=default", "eventTypes"),
    ] {
        let (reason, message) = served.fault(&format!("syncToken={sync}&{query}"), 400);
        assert!(reason == "invalid" && message.starts_with(&format!("{parameter}: ")), "{message}");
    }
    let same = "singleEvents=true&showDeleted=true&maxResults=1&timeZone=UTC&maxAttendees=1&showHiddenInvitations=true";
    served.events(&format!("syncToken={sync}&{same}")).ok();
}

#[test]
fn invalid_or_expired_sync_tokens_require_a_full_sync() {
    let served = calendars(site());
    let sync = token(&served, "");
    let gone = |query: &str| {
        let (reason, _) = served.fault(query, 410);
        assert_eq!(reason, "fullSyncRequired", "{query}");
    };
    gone("syncToken=x");
    gone(&format!("syncToken={}", &sync[1..]));
    gone(&format!("syncToken={sync}A"));
    let mut changed = sync.clone().into_bytes();
    let last = changed.len() - 3;
    changed[last] = if changed[last] == b'A' { b'B' } else { b'A' };
    gone(&format!("syncToken={}", String::from_utf8(changed).unwrap()));
    // A page token is no sync token.
    let page = served.events("maxResults=1").ok()["nextPageToken"].as_str().unwrap().to_owned();
    gone(&format!("syncToken={page}"));
    // Another calendar, another site, a key that sees other events.
    let other = served.get(&format!("/calendars/mark/events?syncToken={sync}"));
    assert_eq!(fault(&other, 410).0, "fullSyncRequired");
    let elsewhere = calendars(site());
    assert_eq!(elsewhere.fault(&format!("syncToken={sync}"), 410).0, "fullSyncRequired");
    let times = served.key(&[Scope::CALENDAR_EVENTS_FREEBUSY]);
    let path = format!("/calendars/shows/events?syncToken={sync}");
    assert_eq!(fault(&served.get_as(&times, &path, &[]), 410).0, "fullSyncRequired");
}

#[test]
fn the_etag_changes_when_the_sync_token_expires() {
    let served = calendars(site());
    let old = token(&served, "");
    let path = "/calendars/shows/events";
    let tag = served.get(path).ok()["etag"].as_str().unwrap().to_owned();
    let again = || served.get_as(KEY, path, &[("if-none-match", &tag)]).status;
    // What changes in another calendar changes nothing of the list.
    served.wait_until_served();
    assert_eq!(again(), 304);
    let database = served.served.site.path(".feedwright/state.sqlite");
    let state = rusqlite::Connection::open(database).unwrap();
    let month = 30_i64 * 24 * 3600 * 1000 + 1000;
    let sql = "UPDATE event_versions SET ended = ended - ?1";
    state.execute(sql, [month]).unwrap();
    drop(state);
    served.wait_until_served();
    served.fault(&format!("syncToken={old}"), 410);
    // Told that nothing has changed, a client would go on with that token for ever.
    assert_eq!(again(), 200);
}

#[test]
fn replaced_versions_are_deleted_after_30_days() {
    let served = calendars(site());
    let old = token(&served, "");
    served.save("one.md", &event(&ONE.replace("One", "Other")));
    served.remove("two.md");
    let newer = changes(&served, &old).1;
    let page = served.events("maxResults=1").ok()["nextPageToken"].as_str().unwrap().to_owned();
    let database = served.served.site.path(".feedwright/state.sqlite");
    let state = rusqlite::Connection::open(database).unwrap();
    let month = 30_i64 * 24 * 3600 * 1000 + 1000;
    state
        .execute("UPDATE event_versions SET ended = ended - ?1, noticed = noticed - ?1", [month])
        .unwrap();
    drop(state);
    // It is forgotten with the next change, and no sooner.
    changes(&served, &old);
    let served = served.restarted(|site| {
        site.write("content/calendars/shows/w.md", event(&WEEKLY.replace("Weekly", "W")))
    });
    assert_eq!(served.fault(&format!("syncToken={old}"), 410).0, "fullSyncRequired");
    assert_eq!(statuses(&changes(&served, &newer).0), [("w".into(), "confirmed".into())].into());
    assert_eq!(served.ids("showDeleted=true"), ["one", "w"]);
    served.events(&format!("maxResults=1&pageToken={page}")).ok();
}

#[test]
fn sync_pages_show_one_state() {
    let served = calendars(site());
    let sync = token(&served, "singleEvents=true");
    served.save("w.md", &event(&WEEKLY.replace("Weekly", "W")));
    let query = format!("syncToken={sync}&maxResults=2");
    let first = served.events(&query).ok();
    assert_eq!(ids(&first), ["w_20261120T190000Z", "w_20261127T190000Z"]);
    assert!(first.get("nextSyncToken").is_none());
    served.save("w.md", &event(&WEEKLY.replace("Weekly", "Wk")));
    let page = first["nextPageToken"].as_str().unwrap();
    let last = served.events(&format!("{query}&pageToken={page}")).ok();
    assert_eq!(ids(&last), ["w_20261204T190000Z"]);
    assert_eq!(last["items"][0]["summary"], "W");
    let next = last["nextSyncToken"].as_str().unwrap();
    assert_eq!(changes(&served, next).0.len(), 3);
    // The page is of that sync alone.
    served.fault(&format!("singleEvents=true&pageToken={page}"), 400);
}

/// A token as a server would have given it that looked less far ahead.
fn token_with_horizon(served: &CalendarServer, token: &str, horizon: &str) -> String {
    let ledger = served.served.state().event_ledger().unwrap();
    let bytes = URL_SAFE_NO_PAD.decode(token).unwrap();
    let mut inside: Value = serde_json::from_slice(&bytes[16..]).unwrap();
    inside["horizon"] = horizon.into();
    let json = inside.to_string();
    let seal = Sha256::new()
        .chain_update(&ledger.secret)
        .chain_update(b"sync")
        .chain_update(&json)
        .finalize();
    let mut bytes = seal[..16].to_vec();
    bytes.extend_from_slice(json.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

#[test]
fn instances_entering_the_two_year_horizon_are_returned() {
    let endless = WEEKLY.replace(";COUNT=3", "");
    let daily = event("id = \"d\"\nstart = \"2026-11-20\"\nrecurrence = [\"RRULE:FREQ=MONTHLY\"]");
    let site = site()
        .with("content/calendars/shows/w.md", event(&endless))
        .with("content/calendars/shows/d.md", daily);
    let served = calendars(site);
    let (all, now) = served.all("singleEvents=true");
    let start = |item: &Value| {
        let start = &item["start"];
        let text = start["dateTime"].as_str().or(start["date"].as_str());
        text.unwrap().to_owned()
    };
    // A month of the list is not in the state that the token is of.
    let last = all.iter().map(start).max().unwrap();
    let horizon = format!("{}-01T00:00:00Z", &last[..7]);
    let token = token_with_horizon(&served, &now, &horizon);
    let (found, next) = changes(&served, &token);
    let expected: Vec<&Value> = all.iter().filter(|item| *start(item) >= last[..7]).collect();
    assert!(expected.len() > 3);
    assert_eq!(found.iter().collect::<Vec<_>>(), expected);
    assert_eq!(changes(&served, &next).0, Vec::<Value>::new());
    // With a change in the same sync, what is new and what is gone is told once.
    served.save("w.md", &event(&endless.replace("WEEKLY", "WEEKLY;INTERVAL=2")));
    let mut held = all.iter().map(|item| (item["id"].to_string(), item.clone()));
    let mut held: std::collections::BTreeMap<_, _> =
        held.by_ref().filter(|(_, item)| *start(item) < last[..7]).collect();
    for item in changes(&served, &token).0 {
        let id = item["id"].to_string();
        if item["status"] == "cancelled" {
            held.remove(&id)
        } else {
            held.insert(id, item)
        };
    }
    let (now, _) = served.all("singleEvents=true");
    assert_eq!(held.into_values().collect::<Vec<_>>().len(), now.len());
}

#[test]
fn two_servers_of_one_site_share_the_event_ledger() {
    let served = calendars(site());
    let first = token(&served, "");
    // Another process notices a change before this one does.
    let state = served.served.state();
    let ledger = state.event_ledger().unwrap();
    let known = state.newest_events().unwrap();
    let one = known.iter().find(|version| version.event == "one").unwrap();
    let change = EventChange {
        calendar: "shows".into(),
        event: "one".into(),
        fingerprint: 1,
        kind: EventChangeKind::Deleted(one.shape.clone()),
    };
    let now = jiff::Timestamp::now();
    let changes_now = std::slice::from_ref(&change);
    let noted = state.record_events(ledger.serial, changes_now, now).unwrap();
    assert_eq!(noted.map(|noted| noted.serial), Some(ledger.serial + 1));
    // What was decided of an older state is not noted.
    assert_eq!(state.record_events(ledger.serial, changes_now, now).unwrap(), None);
    // The file is there, so the event comes back, in a state of its own.
    let (found, _) = changes(&served, &first);
    assert_eq!(statuses(&found), [("one".into(), "confirmed".into())].into());
    assert!(state.event_ledger().unwrap().serial > ledger.serial + 1);
    assert!(served.ids("").contains(&"one".to_owned()));
}
