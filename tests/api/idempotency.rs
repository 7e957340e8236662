//! Creations that are asked for again.

use std::fs;
use std::path::Path;
use std::thread;

use feedwright::model::ItemId;
use feedwright::state::{RETRY_WINDOW, Reservation, State};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::support::served::{Reply, Served, serve};
use crate::support::small_site::site;

const REPLAYED_HEADER: &str = "idempotency-replayed";

fn create(served: &Served, key: &str, body: &Value) -> Reply {
    let headers = [("Idempotency-Key", key)];
    served.call_with("POST", "/items/", &headers, body.to_string().as_bytes())
}

fn items(served: &Served) -> usize {
    let files = served.files();
    files.keys().filter(|path| path.starts_with("content/items/")).count()
}

#[test]
fn a_retry_returns_the_first_response() {
    let served = serve(site());
    let first = create(&served, "a key", &json!({ "title": "One" }));
    assert_eq!((first.status, first.header(REPLAYED_HEADER)), (201, None));
    for _ in 0..3 {
        let again = create(&served, "a key", &json!({ "title": "One" }));
        assert_eq!((again.status, again.header(REPLAYED_HEADER)), (201, Some("true")));
        assert_eq!(again.body, first.body);
    }
    assert_eq!(items(&served), 1);
    assert_eq!(served.journal().len(), 1);
    let other = create(&served, "another key", &json!({ "title": "One" }));
    assert_eq!((other.status, other.header(REPLAYED_HEADER)), (201, None));
    assert_eq!(items(&served), 2);
}

#[test]
fn equivalent_bodies_are_the_same_payload() {
    let served = serve(site());
    let spellings = [
        r#"{"title": "One", "status": "unlisted", "attachment": {"url": "https://a.example/b.mp3", "size_in_bytes": 5}}"#,
        r#"{"attachment": {"size_in_byte": 5, "url": "https://a.example/b.mp3"}, "unknown": 1, "status": 4, "title": "\u004fne"}"#,
    ];
    for (at, body) in spellings.into_iter().enumerate() {
        let answer =
            served.call_with("POST", "/items/", &[("Idempotency-Key", "k")], body.as_bytes());
        answer.ok();
        assert_eq!(answer.header(REPLAYED_HEADER).is_some(), at > 0);
    }
    assert_eq!(items(&served), 1);
}

#[test]
fn another_payload_is_a_conflict() {
    let served = serve(site());
    create(&served, "k", &json!({ "title": "One" })).ok();
    let before = served.files();
    for body in [json!({ "title": "Two" }), json!({}), json!({ "title": "One", "status": 2 })] {
        let error = create(&served, "k", &body).error(409);
        assert!(error.starts_with("Idempotency-Key:"), "{error}");
    }
    assert_eq!(served.files(), before);
    create(&served, "k", &json!({ "title": "One" })).ok();
}

#[test]
fn a_rejected_request_releases_its_key() {
    let served = serve(site());
    for wrong in [
        json!({ "title": 1 }),
        json!({ "language": "???" }),
        json!({ "date_published": "x" }),
        json!({ "_service": { "podcast": { "chapters": [{ "startTime": -1 }] } } }),
    ] {
        create(&served, "k", &wrong).error(400);
    }
    let answer = create(&served, "k", &json!({ "title": "One" }));
    answer.ok();
    assert_eq!(answer.header(REPLAYED_HEADER), None);
    // Also a conflict.
    let taken = json!({ "id": answer.json()["id"] });
    create(&served, "l", &taken).error(409);
    create(&served, "l", &json!({ "title": "Two" })).ok();
}

#[test]
fn concurrent_retries_create_one_item() {
    let served = serve(site());
    let answers: Vec<Reply> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| create(&served, "k", &json!({ "title": "One" }))))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(answers.iter().all(|answer| answer.body == answers[0].body && answer.status == 201));
    let first = answers.iter().filter(|answer| answer.header(REPLAYED_HEADER).is_none()).count();
    assert_eq!((first, items(&served)), (1, 1));
}

#[test]
fn concurrent_conflicting_payloads_create_one_item() {
    let served = serve(site());
    let statuses: Vec<u16> = thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|at| {
                let served = &served;
                scope.spawn(move || {
                    create(served, "k", &json!({ "title": format!("T{at}") })).status
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 409).count(), 5, "{statuses:?}");
    assert_eq!(items(&served), 1);
}

#[test]
fn a_key_survives_a_restart() {
    let served = serve(site());
    let first = create(&served, "k", &json!({ "title": "One" })).ok();
    let served = served.restarted();
    let again = create(&served, "k", &json!({ "title": "One" }));
    assert_eq!((again.ok(), again.header(REPLAYED_HEADER)), (first, Some("true")));
    create(&served, "k", &json!({ "title": "Two" })).error(409);
    assert_eq!(items(&served), 1);
}

#[test]
fn a_key_expires_after_24_hours() {
    let served = serve(site());
    let id = ItemId::parse("x").unwrap();
    let reserved = |key: &str, ago: jiff::SignedDuration| {
        let ticket = served.state().reserve(key, b"other payload", &id, Timestamp::now() - ago);
        assert!(matches!(ticket.unwrap(), Reservation::New(_)));
    };
    let minute = jiff::SignedDuration::from_mins(1);
    reserved("young", RETRY_WINDOW - minute);
    reserved("old", RETRY_WINDOW + minute);
    create(&served, "young", &json!({ "title": "One" })).error(409);
    let answer = create(&served, "old", &json!({ "title": "One" }));
    answer.ok();
    assert_eq!(answer.header(REPLAYED_HEADER), None);
}

#[test]
fn the_key_is_1_to_128_printable_characters() {
    let served = serve(site());
    let long = "k".repeat(128);
    for key in ["k", "a b  c", "~!@#$%^&*()", &long] {
        create(&served, key, &json!({ "title": "A" })).ok();
    }
    let before = served.files();
    for key in ["", "é", "tab\there", &"k".repeat(129)] {
        let error = create(&served, key, &json!({})).error(400);
        assert!(error.starts_with("Idempotency-Key:"), "{key:?}: {error}");
    }
    let twice = [("Idempotency-Key", "a"), ("Idempotency-Key", "b")];
    let error = served.call_with("POST", "/items/", &twice, b"{}").error(400);
    assert!(error.starts_with("Idempotency-Key:"), "{error}");
    assert_eq!(served.files(), before);
}

/// Puts the reservations of a state into one of version 5.
fn downgrade_to_version_5(database: &Path) {
    let former = database.with_extension("former");
    let state = rusqlite::Connection::open(&former).unwrap();
    for step in [
        include_str!("../../src/state/schema-1.sql"),
        include_str!("../../src/state/schema-2.sql"),
        include_str!("../../src/state/schema-3.sql"),
        include_str!("../../src/state/schema-4.sql"),
        include_str!("../../src/state/schema-5.sql"),
    ] {
        state.execute_batch(step).unwrap();
    }
    state.pragma_update(None, "user_version", 5).unwrap();
    state.execute("ATTACH ?1 AS later", [database.to_str().unwrap()]).unwrap();
    state.execute("INSERT INTO reservations SELECT * FROM later.reservations", ()).unwrap();
    state.execute("DETACH later", ()).unwrap();
    drop(state);
    fs::rename(former, database).unwrap();
}

#[test]
fn a_reservation_of_an_earlier_version_is_no_conflict() {
    let root = tempfile::tempdir().unwrap();
    let id = ItemId::parse("x").unwrap();
    let reserve = |payload: &[u8]| {
        let state = State::open(root.path()).unwrap();
        state.reserve("k", payload, &id, Timestamp::now()).unwrap()
    };
    assert!(matches!(reserve(b"payload"), Reservation::New(_)));
    assert!(matches!(reserve(b"another"), Reservation::Conflict));
    let database = root.path().join(".feedwright/state.sqlite");
    downgrade_to_version_5(&database);
    assert!(matches!(reserve(b"another"), Reservation::Resumed(_)));
}
