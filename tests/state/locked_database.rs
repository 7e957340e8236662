//! Another program keeps the local state locked: what cannot be noted is not written, who asks is told soon,
//! and nobody who only reads waits.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::support::served::{KEY, Reply, Served, serve};
use crate::support::small_site::{SmallSite, site};
use crate::support::wait;

const ITEM: &str = "+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\nText\n";

fn filled_site() -> SmallSite {
    site()
        .with("content/items/walk.md", ITEM)
        .with("content/items/run.md", "+++\nid = \"run\"\ntitle = \"Run\"\n+++\n")
        .with("content/pages/about.md", "+++\nid = \"about\"\ntitle = \"About\"\n+++\nUs\n")
        .with("site-files/a.txt", "A\n")
        .with("content/calendars/shows/calendar.toml", "summary = \"Shows\"\n")
        .with(
            "content/calendars/shows/one.md",
            "+++\nid = \"one\"\nsummary = \"One\"\nstart = \"2026-11-20T20:00\"\n+++\n",
        )
}

/// Another program in the middle of a write.
struct DatabaseLock(Connection);

impl DatabaseLock {
    fn acquire(served: &Served) -> Self {
        let file = served.site.path(".feedwright/state.sqlite");
        let connection = Connection::open(file).unwrap();
        connection.busy_timeout(Duration::from_secs(10)).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        Self(connection)
    }

    fn end(self) {
        self.0.execute_batch("ROLLBACK").unwrap();
    }
}

fn site_file(served: &Served) -> String {
    let files = served.read("/site-files/").ok();
    let files = files["items"].as_array().unwrap();
    let file = files.iter().find(|file| file["filename"] == "a.txt");
    file.unwrap()["id"].as_str().unwrap().to_owned()
}

/// A call of the API.
struct Write {
    method: &'static str,
    path: String,
    headers: &'static [(&'static str, &'static str)],
    body: Value,
}

impl Write {
    fn send(&self, served: &Served) -> Reply {
        let body = match &self.body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        served.call_with(self.method, &self.path, self.headers, body.as_bytes())
    }
}

/// One write of each kind.
fn all_writes(served: &Served) -> Vec<Write> {
    let file = site_file(served);
    let write = |method, path: &str, body: Value| Write {
        method,
        path: path.to_owned(),
        headers: &[],
        body,
    };
    let mut all = vec![
        write("PUT", "/items/walk/", json!({ "guid": "g" })),
        write("PUT", "/items/walk/", json!({ "content_html": "<p>H</p>" })),
        write("POST", "/items/", json!({ "title": "New" })),
        write("DELETE", "/items/run/", Value::Null),
        write("POST", "/pages/", json!({ "title": "P", "slug": "p", "content_html": "<p>P</p>" })),
        write("PUT", "/pages/about/", json!({ "title": "About us" })),
        write("DELETE", "/pages/about/", Value::Null),
        write("PUT", "/channels/primary/", json!({ "title": "Channel" })),
        write(
            "PUT",
            &format!("/site-files/{file}/"),
            json!({ "draft_content": "B\n", "enabled": false }),
        ),
        write("POST", &format!("/site-files/{file}/publish/"), Value::Null),
        write("DELETE", &format!("/site-files/{file}/"), Value::Null),
        write(
            "POST",
            "/media_files/presigned_urls/",
            json!({ "category": "image", "full_local_file_path": "a.jpg" }),
        ),
    ];
    all.push(Write {
        headers: &[("Idempotency-Key", "k")],
        ..write("POST", "/items/", json!({ "title": "Once" }))
    });
    all
}

fn measure<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed())
}

#[test]
fn a_locked_database_blocks_writes_but_not_reads() {
    let served = serve(filled_site());
    let writes = all_writes(&served);
    let bearer = format!("Bearer {KEY}");
    let before = served.files();
    let locked = DatabaseLock::acquire(&served);
    let sent = AtomicUsize::new(0);
    thread::scope(|scope| {
        let threads: Vec<_> = writes
            .iter()
            .map(|write| {
                scope.spawn(|| {
                    measure(|| {
                        sent.fetch_add(1, Ordering::Relaxed);
                        write.send(&served)
                    })
                })
            })
            .collect();
        // While they wait, an author saves and readers read.
        wait::until(|| sent.load(Ordering::Relaxed) == writes.len());
        for round in 0..10 {
            let text = ITEM.replace("Text", &format!("Round {round}"));
            served.site.write("content/items/walk.md", &text);
            let events = "/calendar/v3/calendars/shows/events";
            served.site.write(
                "content/calendars/shows/one.md",
                format!("+++\nid = \"one\"\nsummary = \"Round {round}\"\nstart = \"2026-11-20T20:00\"\n+++\n"),
            );
            for path in ["/", "/i/walk/", "/api/v1/feed/", "/api/v1/items/walk/", events] {
                let (answer, took) =
                    measure(|| served.send("GET", path, &[("authorization", &bearer)], b""));
                assert!(answer.status == 200 || answer.status == 301, "{path}: {}", answer.text());
                assert!(took < Duration::from_millis(900), "{path} took {took:?}");
            }
        }
        served.site.write("content/items/walk.md", ITEM);
        served
            .site
            .write("content/calendars/shows/one.md", &before["content/calendars/shows/one.md"]);
        for (thread, write) in threads.into_iter().zip(&writes) {
            let (answer, took) = thread.join().unwrap();
            let error = answer.error(503);
            assert!(error.contains("nothing was written"), "{error}");
            assert!(answer.header("retry-after").is_some(), "{}", write.path);
            // The first waits for two seconds, and those behind it not again as long.
            assert!(took < Duration::from_secs(6), "{} took {took:?}", write.path);
        }
    });
    assert_eq!(served.files(), before);
    locked.end();
    assert_eq!(served.journal(), []);
    // Each can be sent again, and is done once.
    for write in &writes[2..] {
        if !write.path.ends_with("/publish/") {
            write.send(&served).ok();
        }
    }
    let once = |title: &str| {
        let text = format!("title = \"{title}\"");
        let files = served.files().into_values();
        files.filter(|bytes| String::from_utf8_lossy(bytes).contains(&text)).count()
    };
    assert_eq!((once("New"), once("Once")), (1, 1));
}

#[test]
fn an_upload_during_a_lock_fails_and_can_be_repeated() {
    let served = serve(filled_site());
    let body = json!({ "category": "image", "full_local_file_path": "a.jpg" });
    let prepared = served.post("/media_files/presigned_urls/", &body).ok();
    let path = |field: &str| {
        let url = prepared[field].as_str().unwrap();
        url.strip_prefix(served.url.as_str()).unwrap().to_owned()
    };
    let (upload, media) = (path("presigned_url"), path("media_url"));
    let before = served.files();
    let locked = DatabaseLock::acquire(&served);
    served.send("PUT", &upload, &[], b"bytes").error(503);
    assert_eq!(served.files(), before);
    locked.end();
    assert_eq!(served.send("PUT", &upload, &[], b"bytes").status, 200);
    assert_eq!(served.get(&media).body, b"bytes");
    assert_eq!(served.journal().len(), 1);
}

#[test]
fn a_finished_write_is_answered_despite_a_lock() {
    let served = serve(filled_site());
    // The state is free when the write is noted, and locked whenever its end is.
    thread::scope(|scope| {
        let client = scope.spawn(|| {
            (0..40)
                .map(|round| {
                    let body = json!({ "guid": format!("g{round}") });
                    served.put("/items/walk/", &body).status
                })
                .collect::<Vec<u16>>()
        });
        while !client.is_finished() {
            let locked = DatabaseLock::acquire(&served);
            wait::pause(Duration::from_millis(3));
            locked.end();
            wait::pause(Duration::from_millis(3));
        }
        assert_eq!(client.join().unwrap(), [200; 40]);
    });
    assert_eq!(served.journal().len(), 40);
    served.put("/items/walk/", &json!({ "guid": "last" })).ok();
    assert_eq!(served.state().unfinished_writes().unwrap(), []);
    let served = served.restarted();
    assert_eq!(served.journal().len(), 41);
}
