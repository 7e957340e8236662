//! Authors whose editors save slowly, and in place: they empty the file, and write it anew piece by piece.

use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use feedwright::source::disk::MAX_SAVE_DURATION;
use serde_json::json;

use crate::support::served::{Served, serve};
use crate::support::small_site::{site, tree};
use crate::support::wait;

const ITEM: &str = "+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\n\nText\n";

fn served() -> Served {
    serve(site().with("content/items/walk.md", ITEM))
}

fn round_text(round: usize) -> String {
    ITEM.replace("Text", &format!("Saved {round}"))
}

fn pause(milliseconds: u64) {
    wait::pause(Duration::from_millis(milliseconds));
}

/// Saves a text: empties the file, waits, writes so many bytes, waits, and writes the rest.
fn save_in_steps(path: &Path, text: &str, first: usize, milliseconds: u64) {
    let mut file = File::create(path).unwrap();
    pause(milliseconds);
    if first > 0 {
        file.write_all(&text.as_bytes()[..first]).unwrap();
        pause(milliseconds);
    }
    file.write_all(&text.as_bytes()[first..]).unwrap();
}

/// What is there once nobody writes any more.
fn wait_until_settled(served: &Served, has: impl Fn(&str) -> bool) -> String {
    let read = || served.site.read("content/items/walk.md");
    wait::within(wait::MAX_WAIT, || has(&read()));
    read()
}

#[test]
fn a_slow_save_is_not_lost_to_a_concurrent_write() {
    let served = served();
    let path = served.site.path("content/items/walk.md");
    let half = ITEM.find("Text").unwrap();
    let mut round = 0;
    // Nothing, a part of the front matter, and all but the text.
    let parts = [0, 6, 20, half, half + 2];
    for (milliseconds, parts) in
        [(1, &parts[..]), (10, &parts), (60, &parts[2..]), (400, &parts[..1])]
    {
        for first in parts.iter().copied() {
            round += 1;
            let text = round_text(round);
            let guid = format!("guid = \"g{round}\"");
            let answer = thread::scope(|scope| {
                let author = scope.spawn(|| save_in_steps(&path, &text, first, milliseconds));
                pause(milliseconds / 2);
                if first > 0 {
                    pause(milliseconds);
                }
                let body = json!({ "guid": format!("g{round}") });
                let answer = served.put("/items/walk/", &body);
                author.join().unwrap();
                answer
            });
            let body = format!("\n\nSaved {round}\n");
            let now = wait_until_settled(&served, |now| now.ends_with(&body));
            assert!(now.ends_with(&body), "{milliseconds} {first} {}: {now}", answer.status);
            match answer.status {
                200 => {}
                _ => {
                    let error = answer.error(409);
                    assert!(error.contains("is being saved"), "{error}");
                    assert!(!now.contains(&guid), "{now}");
                }
            }
        }
    }
}

#[test]
fn a_write_that_waited_for_a_save_edits_the_saved_text() {
    let served = served();
    let path = served.site.path("content/items/walk.md");
    for round in 0..5 {
        let text = round_text(round);
        thread::scope(|scope| {
            scope.spawn(|| save_in_steps(&path, &text, 0, 60));
            pause(20);
            let item = served.put("/items/walk/", &json!({ "guid": format!("g{round}") })).ok();
            assert_eq!(item["id"], "walk");
        });
        let now = served.site.read("content/items/walk.md");
        assert!(now.contains(&format!("guid = \"g{round}\"")), "{now}");
        assert!(now.ends_with(&format!("Saved {round}\n")), "{now}");
    }
}

/// An editor that has the file open all the time, and writes into it long after it was replaced.
#[test]
fn a_save_into_a_replaced_file_is_restored() {
    let served = served();
    let path = served.site.path("content/items/walk.md");
    // Long enough ago that nobody seems to be saving.
    let mut open = File::options().read(true).write(true).open(&path).unwrap();
    let old = std::time::SystemTime::now() - Duration::from_secs(60);
    open.set_modified(old).unwrap();
    served.put("/items/walk/", &json!({ "guid": "written" })).ok();
    pause(200);
    open.set_len(0).unwrap();
    open.rewind().unwrap();
    pause(30);
    open.write_all(round_text(1).as_bytes()).unwrap();
    drop(open);
    let now = wait_until_settled(&served, |now| now.contains("Saved 1"));
    assert_eq!(now, round_text(1));
    let trash = tree(&served.site.path(".feedwright/trash"));
    let kept = trash.values().map(|bytes| String::from_utf8_lossy(bytes));
    assert!(kept.into_iter().any(|text| text.contains("guid = \"written\"")));
    // The next write changes what was saved.
    served.put("/items/walk/", &json!({ "guid": "next" })).ok();
    let now = served.site.read("content/items/walk.md");
    assert!(now.contains("Saved 1") && now.contains("guid = \"next\""), "{now}");
}

/// The same with pauses in between, and another write meanwhile.
#[test]
fn a_long_save_into_a_replaced_file_is_restored_completely() {
    let served = served();
    let path = served.site.path("content/items/walk.md");
    let mut open = File::options().read(true).write(true).open(&path).unwrap();
    let old = std::time::SystemTime::now() - Duration::from_secs(60);
    open.set_modified(old).unwrap();
    for guid in ["first", "second"] {
        let body = json!({ "guid": guid });
        served.put("/items/walk/", &body).ok();
    }
    let text = round_text(1);
    let (head, body) = text.split_at(40);
    open.set_len(0).unwrap();
    open.write_all(head.as_bytes()).unwrap();
    pause(400);
    open.write_all(body.as_bytes()).unwrap();
    // It is there though the editor never closes the file.
    let now = wait_until_settled(&served, |now| now.contains("Saved 1"));
    assert_eq!(now, text);
    open.set_len(0).unwrap();
    open.rewind().unwrap();
    open.write_all(round_text(2).as_bytes()).unwrap();
    drop(open);
    let now = wait_until_settled(&served, |now| now.contains("Saved 2"));
    assert_eq!(now, round_text(2));
}

/// The same while a client writes all the time: what it wrote last gives way, not the author's save.
#[test]
fn a_save_into_a_replaced_file_is_restored_despite_writes() {
    let served = served();
    let path = served.site.path("content/items/walk.md");
    for round in 0..4 {
        let mut open = File::options().read(true).write(true).open(&path).unwrap();
        let old = std::time::SystemTime::now() - Duration::from_secs(60);
        open.set_modified(old).unwrap();
        let put = |number: usize| {
            let body = json!({ "guid": format!("g{round}-{number}") });
            served.put("/items/walk/", &body)
        };
        put(0).ok();
        open.set_len(0).unwrap();
        open.rewind().unwrap();
        open.write_all(round_text(round).as_bytes()).unwrap();
        drop(open);
        // Fewer writes than replaced files are watched at a time.
        for number in 1..50 {
            put(number);
            pause(6);
        }
        let body = format!("Saved {round}\n");
        let now = wait_until_settled(&served, |now| now.ends_with(&body));
        assert!(now.ends_with(&body), "{now}");
    }
}

/// An editor that gives the old file another name, and then writes the new one.
#[test]
fn an_item_whose_file_is_removed_before_saving_stays_available() {
    let served = served();
    let path = served.site.path("content/items/walk.md");
    let backup = served.site.path("content/items/walk.md~");
    for round in 0..8 {
        // What the last round touched is read by then.
        pause(150);
        let (away, answers) = thread::scope(|scope| {
            let author = scope.spawn(|| {
                let start = Instant::now();
                fs::rename(&path, &backup).unwrap();
                pause(round % 4 * 4);
                fs::write(&path, round_text(2)).unwrap();
                let away = start.elapsed();
                fs::remove_file(&backup).unwrap();
                away
            });
            pause(round % 3 * 2);
            let body = json!({ "guid": format!("g{round}") });
            let answers = [
                served.read("/items/walk/"),
                served.get("/i/walk/"),
                served.put("/items/walk/", &body),
            ];
            (author.join().unwrap(), answers)
        });
        // An author who was kept waiting by a busy machine may be too slow for who waits for the file.
        if away < Duration::from_millis(30) {
            for answer in answers {
                assert!(answer.status < 400, "{}", answer.text());
            }
        }
        let now = wait_until_settled(&served, |now| now.contains("Saved 2"));
        assert!(now.contains("Saved 2"), "{now}");
    }
}

#[test]
fn an_item_saved_in_place_stays_available() {
    const ROUNDS: usize = 150;
    let served = served();
    let path = served.site.path("content/items/walk.md");
    let is_over = AtomicBool::new(false);
    let missing = Mutex::new(Vec::new());
    let over = || is_over.load(Ordering::Acquire);
    thread::scope(|scope| {
        let author = scope.spawn(|| {
            let mut slowest = Duration::ZERO;
            for round in 0..ROUNDS {
                let text = fs::read_to_string(&path).unwrap();
                let head = text.rsplit_once("\n\n").map_or("", |(head, _)| head);
                let head = match head {
                    "" => ITEM.rsplit_once("\n\n").unwrap().0,
                    head => head,
                };
                let start = Instant::now();
                fs::write(&path, format!("{head}\n\nSaved {round}\n")).unwrap();
                slowest = slowest.max(start.elapsed());
                pause(4);
            }
            is_over.store(true, Ordering::Release);
            slowest
        });
        scope.spawn(|| {
            let mut round = 0;
            while !over() {
                round += 1;
                let answer = served.put("/items/walk/", &json!({ "guid": format!("g{round}") }));
                match answer.status {
                    200 => {}
                    404 => missing.lock().unwrap().push(answer.text()),
                    _ => {
                        let error = answer.error(409);
                        assert!(error.contains("being"), "{error}");
                    }
                }
            }
        });
        scope.spawn(|| {
            while !over() {
                let feed = served.read("/items/walk/");
                match feed.status {
                    404 => missing.lock().unwrap().push(feed.text()),
                    _ => assert_eq!(feed.ok()["items"][0]["id"], "walk"),
                }
            }
        });
        let slowest = author.join().unwrap();
        // A busy disk can hold up a write for longer than the server waits for an empty file.
        let missing = missing.lock().unwrap();
        assert!(
            missing.is_empty() || slowest > MAX_SAVE_DURATION,
            "slowest write: {slowest:?}, {missing:?}"
        );
    });
    let last = format!("Saved {}\n", ROUNDS - 1);
    let now = wait_until_settled(&served, |now| now.ends_with(&last));
    assert!(now.ends_with(&last), "{now}");
    // One that is being saved can be deleted or not, and is there until then.
    thread::scope(|scope| {
        scope.spawn(|| save_in_steps(&path, &round_text(1), 0, 100));
        pause(30);
        let answer = served.delete("/items/walk/");
        assert!(answer.status == 200 || answer.status == 409, "{}", answer.text());
    });
}
