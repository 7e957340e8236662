//! The local state: the journal, creations that are asked for again, prepared uploads, and what
//! several threads and processes do to it at once.

use std::process::Stdio;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use feedwright::model::{Category, ItemId, SitePath};
use feedwright::state::{
    Answer, DELIVERY_MEMORY, Delivery, JournalEntry, JournalQuery, RETRY_WINDOW, Reservation,
    Scope, ShowUpdate, State, Ticket, Upload, Window,
};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use serde_json::Value;

use crate::state::keys::now;
use crate::support::program;
use crate::support::small_site::site;
use crate::support::wait;

fn entry(operation: &str, subject: &str, time: Timestamp) -> JournalEntry {
    JournalEntry {
        time,
        operation: operation.into(),
        subject: subject.into(),
        path: Some(format!("content/items/{subject}.md")),
        key_id: "0123".into(),
        causation: None,
        correlation: Some("flow 1".into()),
    }
}

fn created_answer() -> Answer {
    Answer { status: 201, body: "{\"id\":\"abc\"}".into() }
}

fn id(text: &str) -> ItemId {
    ItemId::parse(text).unwrap()
}

#[track_caller]
fn reserve(state: &State, payload: &str, item: &str, at: Timestamp) -> Reservation {
    state.reserve("retry-1", payload.as_bytes(), &id(item), at).unwrap()
}

#[track_caller]
fn new(reservation: Reservation) -> Ticket {
    match reservation {
        Reservation::New(ticket) => ticket,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn expect_resumed(reservation: Reservation) -> Ticket {
    match reservation {
        Reservation::Resumed(ticket) => ticket,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn expect_replayed(reservation: Reservation) -> Answer {
    match reservation {
        Reservation::Replay(answer) => answer,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_journal_keeps_entries_in_order() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let at = |second| now() + SignedDuration::from_secs(second);
    let entries = [
        entry("items.create", "a", at(0)),
        entry("items.update", "a", at(10)),
        entry("pages.create", "b", at(20)),
        // A clock that was set back does not change the order.
        entry("items.delete", "a", at(5)),
    ];
    for entry in &entries {
        state.append(entry).unwrap();
    }
    let state = State::open(site.root()).unwrap();
    let read = |query| state.journal(query).unwrap();
    let all = JournalQuery::default();
    assert_eq!(read(all), entries);
    assert_eq!(read(JournalQuery { limit: Some(2), ..all }), entries[2..]);
    assert_eq!(read(JournalQuery { since: Some(at(10)), ..all }), entries[1..3]);
    for subject in ["b", "content/items/b.md"] {
        assert_eq!(read(JournalQuery { subject: Some(subject), ..all }), entries[2..3]);
    }
    assert!(read(JournalQuery { subject: Some("c"), ..all }).is_empty());
}

#[test]
fn log_prints_the_journal() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let (key, _) = state.create_key("my key", &Scope::ALL, Window::default(), now()).unwrap();
    let mut first = entry("items.create", "a", now());
    first.key_id = key.id.clone();
    first.causation = Some("event\u{1b}[2J".into());
    state.append(&first).unwrap();
    state.append(&entry("site_files.publish", "b", Timestamp::now())).unwrap();
    let log = |arguments: &[&str]| {
        let mut command = program::command();
        let command = command.arg("log").args(arguments).current_dir(site.root());
        program::run(command.env("TZ", "Europe/Berlin")).ok().out
    };
    let text = log(&[]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[0],
        "2026-04-01T14:00:00.000+02:00  items.create        a  content/items/a.md  my key  event\u{fffd}[2J  flow 1"
    );
    assert!(
        lines[1]
            .ends_with("  site_files.publish  b  content/items/b.md  0123    -          flow 1"),
        "{text}"
    );
    assert_eq!(lines.len(), 2);
    assert_eq!(log(&["--since", "1h"]), log(&["--limit", "1"]));
    let json: Vec<Value> =
        log(&["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json[0]["time"], "2026-04-01T12:00:00.000Z");
    assert_eq!(json[0]["time_ms"], now().as_millisecond());
    assert_eq!(json[0]["key_name"], "my key");
    assert_eq!(json[1]["key_name"], Value::Null);
    assert_eq!(json[1]["causation"], Value::Null);
    assert_eq!(log(&["--json", "--subject", "b"]).lines().count(), 1);
}

#[test]
fn a_repeated_creation_is_replayed_for_a_day() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let ticket = new(reserve(&state, "one", "abc", now()));
    assert_eq!(ticket.item_id(), &id("abc"));
    ticket.complete(&created_answer(), &entry("items.create", "abc", now())).unwrap();
    assert_eq!(expect_replayed(reserve(&state, "one", "other", now())), created_answer());

    let state = State::open(site.root()).unwrap();
    let last = now() + RETRY_WINDOW - SignedDuration::from_millis(1);
    assert_eq!(expect_replayed(reserve(&state, "one", "other", last)), created_answer());
    assert!(matches!(reserve(&state, "two", "other", last), Reservation::Conflict));
    assert_eq!(state.journal(JournalQuery::default()).unwrap().len(), 1);
    new(reserve(&state, "two", "other", now() + RETRY_WINDOW));
}

#[test]
fn an_interrupted_creation_is_resumed_with_its_first_id() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    drop(new(reserve(&state, "one", "abc", now())));
    drop(state);
    let state = State::open(site.root()).unwrap();
    assert!(matches!(reserve(&state, "two", "other", now()), Reservation::Conflict));
    let ticket = expect_resumed(reserve(&state, "one", "other", now()));
    assert_eq!(ticket.item_id(), &id("abc"));
    ticket.complete(&created_answer(), &entry("items.create", "abc", now())).unwrap();
    assert_eq!(expect_replayed(reserve(&state, "one", "other", now())), created_answer());
}

#[test]
fn a_released_key_can_be_reused() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    new(reserve(&state, "one", "abc", now())).release().unwrap();
    assert_eq!(new(reserve(&state, "two", "def", now())).item_id(), &id("def"));
}

#[test]
fn only_one_of_simultaneous_requests_creates() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let (creations, replays) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let asking = AtomicUsize::new(0);
    let start = Barrier::new(8);
    thread::scope(|scope| {
        for number in 0..8 {
            let (state, start, creations, replays) = (&state, &start, &creations, &replays);
            let asking = &asking;
            scope.spawn(move || {
                start.wait();
                asking.fetch_add(1, Ordering::Relaxed);
                match reserve(state, "one", &format!("item{number}"), now()) {
                    Reservation::New(ticket) => {
                        creations.fetch_add(1, Ordering::Relaxed);
                        wait::until(|| asking.load(Ordering::Relaxed) == 8);
                        ticket
                            .complete(&created_answer(), &entry("items.create", "a", now()))
                            .unwrap();
                    }
                    Reservation::Replay(answer) => {
                        assert_eq!(answer, created_answer());
                        replays.fetch_add(1, Ordering::Relaxed);
                    }
                    other => panic!("{other:?}"),
                }
            });
        }
    });
    assert_eq!((creations.into_inner(), replays.into_inner()), (1, 7));
}

#[test]
fn a_waiting_request_continues_after_the_first_fails() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    for release in [false, true] {
        let first = new(reserve(&state, "one", "first", now()));
        thread::scope(|scope| {
            let second = scope.spawn(|| reserve(&state, "one", "second", now()));
            // Another key does not wait.
            let other = state.reserve("retry-2", b"x", &id("x"), now()).unwrap();
            new(other).release().unwrap();
            assert!(!second.is_finished());
            if release {
                first.release().unwrap()
            } else {
                drop(first)
            }
            let ticket = match second.join().unwrap() {
                Reservation::New(ticket) if release => ticket,
                Reservation::Resumed(ticket) if !release => ticket,
                other => panic!("{other:?}"),
            };
            assert_eq!(ticket.item_id(), &id(if release { "second" } else { "first" }));
            ticket.release().unwrap();
        });
    }
}

fn upload() -> Upload {
    Upload {
        path: SitePath::parse("content/media/ton spür.mp3").unwrap(),
        category: Category::Audio,
        item_id: Some(id("abc")),
        size: Some(u64::from(u32::MAX) * 3),
        media_type: Some("audio/mpeg".into()),
        expires: now() + SignedDuration::from_mins(15),
    }
}

#[test]
fn an_upload_is_accepted_once() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let token = state.prepare_upload(&upload(), now()).unwrap();
    let bare = Upload {
        category: Category::Image,
        item_id: None,
        size: None,
        media_type: None,
        ..upload()
    };
    let other = state.prepare_upload(&bare, now()).unwrap();
    drop(state);

    let state = State::open(site.root()).unwrap();
    let take = |token: &str, at| state.take_upload(token, at).unwrap();
    assert!(take("", now()).is_none() && take("x", now()).is_none());
    assert!(take(token.expose(), upload().expires).is_none(), "expired");
    let transfer = take(token.expose(), now()).unwrap();
    assert_eq!(transfer.upload(), &upload());
    assert!(take(token.expose(), now()).is_none(), "under way");
    drop(transfer);
    let transfer = take(token.expose(), now()).expect("a failed upload may be tried again");
    transfer.complete().unwrap();
    assert!(take(token.expose(), now()).is_none(), "done");
    assert_eq!(take(other.expose(), now()).unwrap().upload(), &bare);
}

#[test]
fn processes_and_threads_write_concurrently() {
    const PROCESSES: usize = 6;
    const WRITES: usize = 25;
    let site = site();
    let children: Vec<_> = (0..PROCESSES)
        .map(|number| {
            program::command()
                .args(["keys", "create", "--scope", "content:read", "--name", &number.to_string()])
                .current_dir(site.root())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    thread::scope(|scope| {
        for thread in 0..3 {
            // Each a connection of its own, as another process has.
            let root = site.root();
            scope.spawn(move || {
                let state = State::open(root).unwrap();
                for number in 0..WRITES {
                    let subject = format!("{thread}-{number}");
                    state.append(&entry("items.update", &subject, now())).unwrap();
                    state.keys().unwrap();
                }
            });
        }
    });
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let state = State::open(site.root()).unwrap();
    assert_eq!(state.keys().unwrap().len(), PROCESSES);
    assert_eq!(state.journal(JournalQuery::default()).unwrap().len(), 3 * WRITES);
}

/// A lookup of a key must not wait for a commit's flush.
#[test]
fn one_state_serves_many_threads() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let (key, secret) = state.create_key("k", &Scope::ALL, Window::default(), now()).unwrap();
    thread::scope(|scope| {
        for thread in 0..4 {
            let (state, key, secret) = (&state, &key, &secret);
            scope.spawn(move || {
                for number in 0..10 {
                    state
                        .append(&entry("items.update", &format!("{thread}-{number}"), now()))
                        .unwrap();
                    assert_eq!(
                        state.authenticate(secret.expose(), now()).unwrap().as_ref(),
                        Some(key)
                    );
                }
            });
        }
    });
    assert_eq!(state.journal(JournalQuery::default()).unwrap().len(), 40);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn any_text_round_trips(texts in proptest::collection::vec(".*", 6), ms in 0i64..4_000_000_000_000) {
        let site = site();
        let state = State::open(site.root()).unwrap();
        let entry = JournalEntry {
            time: Timestamp::from_millisecond(ms).unwrap(),
            operation: texts[0].clone(),
            subject: texts[1].clone(),
            path: Some(texts[2].clone()),
            key_id: texts[3].clone(),
            causation: Some(texts[4].clone()),
            correlation: None,
        };
        let answer = Answer { status: 201, body: texts[5].clone() };
        let reserve = || state.reserve(&texts[4], texts[5].as_bytes(), &id("a"), entry.time).unwrap();
        new(reserve()).complete(&answer, &entry).unwrap();
        prop_assert_eq!(expect_replayed(reserve()), answer);
        let query = JournalQuery { subject: Some(&entry.subject), ..JournalQuery::default() };
        prop_assert_eq!(state.journal(query).unwrap(), [entry.clone()]);
    }
}

#[test]
fn a_delivery_is_accepted_once_within_a_week() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
    let take = |state: &State, app: &str, signed, now| match state.delivery(app, "m", signed, now) {
        Ok(Delivery::New(receipt)) => {
            receipt.complete("done", None, now).unwrap();
            "new"
        }
        Ok(Delivery::Again(answer)) => {
            assert_eq!(answer, "done");
            "again"
        }
        Ok(Delivery::Replayed) => "replayed",
        Err(error) => panic!("{error}"),
    };
    // One that is not completed was not taken.
    assert!(matches!(state.delivery("a", "m", 1, now), Ok(Delivery::New(_))));
    assert_eq!(take(&state, "a", 1, now), "new");
    assert_eq!(take(&state, "a", 1, now), "replayed");
    assert_eq!(take(&state, "a", 2, now), "again");
    assert_eq!(take(&state, "a", 2, now), "replayed");
    assert_eq!(take(&state, "b", 1, now), "new");
    let state = State::open(site.root()).unwrap();
    assert_eq!(take(&state, "a", 1, now), "replayed");
    let later = now + DELIVERY_MEMORY;
    assert_eq!(take(&state, "c", 1, later), "new");
    assert_eq!(take(&state, "a", 1, later), "new");
}

#[test]
fn the_status_of_a_show_is_stored_with_its_sessions() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let now = Timestamp::now();
    let tell = |id: &str, session, known| {
        let Ok(Delivery::New(receipt)) = state.delivery("a", id, 1, now) else {
            panic!("{id} is new");
        };
        let told = ShowUpdate { app: "a", show: "c/e", session, known };
        receipt.complete("done", Some(&told), now).unwrap();
    };
    tell("1", Some("s1"), "{}");
    tell("2", None, "{\"more\":1}");
    let state = State::open(site.root()).unwrap();
    assert_eq!(state.show_record("a", "c/e").unwrap().as_deref(), Some("{\"more\":1}"));
    assert_eq!(state.show_of_session("a", "s1").unwrap().as_deref(), Some("c/e"));
    assert_eq!(state.show_record("b", "c/e").unwrap(), None);
    assert_eq!(state.show_of_session("b", "s1").unwrap(), None);
}
