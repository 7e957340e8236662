//! Two that want the same: a URL, a file, a moment.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::served::{Served, serve};
use crate::support::small_site::{SmallSite, site};
use crate::support::wait;

const ITEM: &str = "+++\n# kept\nid = \"walk\"\ntitle = \"Walk\"\ndate_published = 2026-05-01T09:00:00Z\n+++\n\nText\n";

fn serve_two_items() -> Served {
    serve(site().with("content/items/walk.md", ITEM).with(
        "content/items/run.md",
        "+++\nid = \"run\"\ntitle = \"Run\"\nslug = \"running\"\naliases = [\"jogging\"]\n+++\n",
    ))
}

#[test]
fn current_and_former_urls_of_other_items_are_conflicts() {
    let served = serve_two_items();
    let before = served.files();
    for taken in ["running", "jogging", "run"] {
        let body = json!({ "title": "Walk", "_service": { "slug": taken } });
        for answer in [served.put("/items/walk/", &body), served.post("/items/", &body)] {
            let error = answer.error(409);
            assert!(error.starts_with("_service.slug:"), "{error}");
        }
    }
    // A URL is also what the title makes it.
    let error = served.post("/items/", &json!({ "title": "Walk", "id": "walk" })).error(409);
    assert!(error.starts_with("id:"), "{error}");
    assert_eq!(served.files(), before);
    served.put("/items/run/", &json!({ "_service": { "slug": "walk-on" } })).ok();
    let error = served.post("/items/", &json!({ "title": "Walk", "id": "on" })).error(409);
    assert!(error.starts_with("title:"), "{error}");
    served.post("/items/", &json!({ "title": "Other", "id": "on" })).ok();
    let error = served.put("/items/on/", &json!({ "title": "Walk" })).error(409);
    assert!(error.starts_with("title:"), "{error}");
    // One's own former URLs are free.
    served.put("/items/run/", &json!({ "_service": { "slug": "jogging" } })).ok();
    served.put("/items/run/", &json!({ "_service": { "slug": "run" } })).ok();
}

#[test]
fn concurrent_updates_of_different_fields_are_all_kept() {
    let served = serve_two_items();
    const ROUNDS: usize = 15;
    let fields = ["title", "guid", "language", "itunes", "seo"];
    let body = |field: &str, round: usize| match field {
        "language" => json!({ "language": format!("en-x-{round}") }),
        "itunes" => json!({ "_service": { "itunes:episode": round + 1 } }),
        "seo" => json!({ "_service": { "seo": { "title": format!("S{round}") } } }),
        field => json!({ field: format!("{field} {round}") }),
    };
    thread::scope(|scope| {
        for field in fields {
            let served = &served;
            scope.spawn(move || {
                for round in 0..ROUNDS {
                    served.put("/items/walk/", &body(field, round)).ok();
                }
            });
        }
    });
    let item = &served.read("/items/walk/").ok()["items"][0];
    let last = ROUNDS - 1;
    assert_eq!(item["title"], format!("title {last}"));
    assert_eq!(item["language"], format!("en-x-{last}"));
    let own = &item["_service"];
    assert_eq!(own["guid"], format!("guid {last}"));
    assert_eq!(own["itunes:episode"], ROUNDS);
    assert_eq!(own["seo"]["title"], format!("S{last}"));
    assert!(served.site.read("content/items/walk.md").starts_with("+++\n# kept\nid = \"walk\"\n"));
    assert_eq!(served.journal().len(), ROUNDS * fields.len());
}

/// Ends the other threads, also when its own fails.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// A save that was written into a file that was just replaced is put back later than this only if it is lost: on a
/// machine with much else to do, watching takes its time.
const RESTORE_TIMEOUT: Duration = Duration::from_secs(10);

/// How an editor saves.
#[derive(Clone, Copy, PartialEq)]
enum Save {
    Rename,
    InPlace,
}

fn save(path: &Path, text: &str, how: Save) {
    match how {
        Save::InPlace => fs::write(path, text).unwrap(),
        Save::Rename => {
            let beside = path.with_extension("md~");
            fs::write(&beside, text).unwrap();
            fs::rename(beside, path).unwrap();
        }
    }
}

/// A client sets `guid` while an editor that has the file open sets the body again and again. What the
/// editor saved last must be there in the end, and what the client set last, unless the editor saved
/// a text that it had read before.
fn race_client_and_editor(how: Save) {
    let served = serve(SmallSite::with(site(), "content/items/walk.md", ITEM));
    let path = served.site.path("content/items/walk.md");
    let done = AtomicBool::new(false);
    let answered = AtomicUsize::new(0);
    let acknowledged = thread::scope(|scope| {
        let client = scope.spawn(|| {
            let _done = StopOnDrop(&done);
            let mut acknowledged = 0;
            for round in 1..=60 {
                let answer = served.put("/items/walk/", &json!({ "guid": format!("g{round}") }));
                answered.fetch_add(1, Ordering::Release);
                match answer.status {
                    200 => acknowledged = round,
                    _ => drop(answer.error(409)),
                }
            }
            acknowledged
        });
        scope.spawn(|| {
            let mut round = 0;
            while !done.load(Ordering::Acquire) {
                round += 1;
                // It reads, and saves what it read with one word more.
                let text = fs::read_to_string(&path).unwrap();
                let Some((head, _)) = text.rsplit_once("\n\n") else {
                    // An editor that truncates in place shows its own half.
                    continue;
                };
                let saved = format!("{head}\n\nText {round}\n");
                save(&path, &saved, how);
                // Nothing but this editor changes the body. What a client undoes is there for a moment.
                let is_there = || {
                    let now = fs::read_to_string(&path).unwrap();
                    now.ends_with(&format!("\n\nText {round}\n"))
                };
                let is_kept = wait::within(RESTORE_TIMEOUT, is_there);
                assert!(is_kept, "the save of round {round} is lost");
                // The client has its turn.
                let before = answered.load(Ordering::Acquire);
                let is_next =
                    || done.load(Ordering::Acquire) || answered.load(Ordering::Acquire) > before;
                wait::until(is_next);
            }
        });
        scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                let feed = served.read("/feed/").ok();
                if let Some(item) = feed["items"].get(0) {
                    let html = item["content_html"].as_str().unwrap();
                    let is_whole = item["title"] == "Walk" && html.contains("Text");
                    assert!(is_whole || how == Save::InPlace, "{item}");
                }
            }
        });
        client.join().unwrap()
    });
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("+++\n# kept\nid = \"walk\"\n"), "{text}");
    assert!(acknowledged > 0 || how == Save::InPlace);
    // The last save may be told of a little later.
    let last = json!({ "guid": "last" });
    wait::until(|| served.put("/items/walk/", &last).status == 200);
    let item = &served.read("/items/walk/").ok()["items"][0];
    assert_eq!(item["_service"]["guid"], "last");
}

#[test]
fn an_editor_saving_by_rename_loses_no_changes() {
    race_client_and_editor(Save::Rename);
}

#[test]
fn an_editor_saving_in_place_loses_no_changes() {
    race_client_and_editor(Save::InPlace);
}

#[test]
fn readers_never_see_a_partial_write() {
    let served = serve_two_items();
    let long = |letter: char| letter.to_string().repeat(20_000);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Ordering::Acquire) {
                    let feed = served.read("/items/walk/").ok();
                    let item = &feed["items"][0];
                    let guid = item["_service"]["guid"].as_str().unwrap();
                    let text = item["content_text"].as_str().unwrap();
                    let letter = guid.chars().next().unwrap();
                    assert!(guid == "walk" || text.trim() == long(letter), "{guid}");
                }
            });
        }
        let _done = StopOnDrop(&done);
        for letter in "abcdefghijklmnopqrst".chars() {
            let body = json!({ "guid": letter.to_string(), "content_markdown": long(letter) });
            served.put("/items/walk/", &body).ok();
        }
    });
}

#[test]
fn the_next_write_edits_the_author_s_latest_save() {
    let served = serve_two_items();
    for round in 0..20 {
        let saved = ITEM
            .replace("title = \"Walk\"", &format!("title = \"Walk\"\nlanguage = \"en-x-{round}\""));
        let path = served.site.path("content/items/walk.md");
        save(&path, &saved, Save::Rename);
        let item = served.put("/items/walk/", &json!({ "guid": format!("g{round}") })).ok();
        assert_eq!(item["language"], format!("en-x-{round}"));
        let text = served.site.read("content/items/walk.md");
        let inserted = format!("guid = \"g{round}\"\n");
        assert_eq!(text.replace(&inserted, ""), saved);
    }
}

#[test]
fn concurrent_creates_and_deletes_are_consistent() {
    let served = serve(site());
    let ids: Vec<Value> = thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|client| {
                let served = &served;
                scope.spawn(move || {
                    let made: Vec<Value> = (0..8)
                        .map(|_| {
                            served.post("/items/", &json!({ "title": "Same title" })).ok()["id"]
                                .clone()
                        })
                        .collect();
                    for id in &made[..client] {
                        served.delete(&format!("/items/{}/", id.as_str().unwrap())).ok();
                    }
                    made[client..].to_vec()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let feed = served.read("/feed/?limit=300").ok();
    let mut listed: Vec<String> = feed["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["id"].as_str().unwrap().to_owned())
        .collect();
    let mut kept: Vec<String> = ids.iter().map(|id| id.as_str().unwrap().to_owned()).collect();
    listed.sort();
    kept.sort();
    assert_eq!(listed, kept);
    let served = served.restarted();
    assert_eq!(served.read("/feed/?limit=300").ok()["items"].as_array().unwrap().len(), kept.len());
}
