//! A server that is killed in the middle of writes: what it acknowledged is there, and every file is whole.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::support::program::{Program, agent, send};
use crate::support::small_site::{SmallSite, site, tree};
use crate::support::wait;

/// How many items are written again and again.
const ITEMS: usize = 8;
const WRITES: usize = 500;
const CLIENTS: usize = 4;

/// A body that shows by itself whether it is whole.
fn checksummed_body(name: &str) -> String {
    format!("begin {name} {} end {name}", "word ".repeat(400))
}

fn is_complete(text: &str) -> bool {
    let Some((_, text)) = text.split_once("\n+++\n") else {
        return false;
    };
    let text = text.trim();
    let name = text.split(' ').nth(1).unwrap_or_default();
    text == checksummed_body(name) || text == "First"
}

/// What clients were told is done.
#[derive(Default)]
struct Acknowledged {
    /// The newest round of each item, and the newest that was sent.
    updated: BTreeMap<usize, (usize, usize)>,
    /// The ids of new items by their idempotency keys.
    created: BTreeMap<String, String>,
    /// Creations whose answer never came.
    unknown: BTreeSet<String>,
}

fn with_items() -> SmallSite {
    (0..ITEMS).fold(site(), |site, at| {
        let text = format!("+++\n# kept\nid = \"item{at}\"\ntitle = \"Item\"\n+++\n\nFirst\n");
        site.with(&format!("content/items/item{at}.md"), text)
    })
}

fn write_until_killed(url: &str, client: usize, next: &AtomicUsize, done: &Mutex<Acknowledged>) {
    let agent = agent();
    loop {
        let round = next.fetch_add(1, Ordering::Relaxed);
        if round >= WRITES {
            return;
        }
        let name = format!("r{round}");
        // Each client has items of its own, so that the last write of one is known.
        let item = client + CLIENTS * (round % (ITEMS / CLIENTS));
        if round.is_multiple_of(3) {
            let sent = json!({ "title": name, "content_markdown": checksummed_body(&name) });
            done.lock().unwrap().unknown.insert(name.clone());
            let Some((status, answer)) =
                send(&agent, "POST", &format!("{url}/api/v1/items/"), Some(&name), &sent)
            else {
                return;
            };
            assert_eq!(status, 201, "{answer}");
            let mut done = done.lock().unwrap();
            done.unknown.remove(&name);
            done.created.insert(name, answer["id"].as_str().unwrap().to_owned());
        } else {
            let sent = json!({ "guid": name, "content_markdown": checksummed_body(&name) });
            done.lock().unwrap().updated.entry(item).or_default().1 = round;
            let Some((status, answer)) =
                send(&agent, "PUT", &format!("{url}/api/v1/items/item{item}/"), None, &sent)
            else {
                return;
            };
            assert_eq!(status, 200, "{answer}");
            done.lock().unwrap().updated.entry(item).or_default().0 = round;
        }
    }
}

/// Every content file is whole.
fn assert_files_complete(site: &SmallSite) {
    for (path, bytes) in tree(&site.path("content/items")) {
        // What a write began beside the file is seen by nobody, and swept up later.
        if path.starts_with('.') {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap();
        assert!(is_complete(&text), "{path}: {text}");
    }
}

fn temporary_files(site: &SmallSite) -> Vec<String> {
    tree(&site.path("content"))
        .into_keys()
        .filter(|path| path.contains("/."))
        .map(|path| format!("content/{path}"))
        .collect()
}

fn check_acknowledged(site: &SmallSite, done: &Acknowledged) {
    assert_files_complete(site);
    let left = temporary_files(site);
    let long_ago = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    for path in &left {
        let file = File::options().write(true).open(site.path(path)).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    let program = Program::start(site.root());
    let agent = agent();
    let api = format!("{}/api/v1", program.url);
    for (item, (acknowledged, sent)) in &done.updated {
        let (_, feed) =
            send(&agent, "GET", &format!("{api}/items/item{item}/"), None, &Value::Null).unwrap();
        let guid = feed["items"][0]["_service"]["guid"].as_str().unwrap();
        let (last, maybe) = (format!("r{acknowledged}"), format!("r{sent}"));
        let never = *acknowledged == 0 && guid == format!("item{item}");
        assert!(
            guid == last || guid == maybe || never,
            "item{item} is {guid}, {last} was acknowledged"
        );
    }
    for (key, id) in &done.created {
        let (_, feed) =
            send(&agent, "GET", &format!("{api}/items/{id}/"), None, &Value::Null).unwrap();
        assert_eq!(feed["items"][0]["title"], key.as_str());
        let sent = json!({ "title": key, "content_markdown": checksummed_body(key) });
        let again = send(&agent, "POST", &format!("{api}/items/"), Some(key), &sent).unwrap();
        assert_eq!(again, (201, json!({ "id": id })), "{key}");
    }
    // What broke off is done once, when it is asked for again.
    for key in &done.unknown {
        let sent = json!({ "title": key, "content_markdown": checksummed_body(key) });
        let (status, answer) =
            send(&agent, "POST", &format!("{api}/items/"), Some(key), &sent).unwrap();
        assert_eq!(status, 201, "{answer}");
    }
    assert_files_complete(site);
    let titles: Vec<String> = tree(&site.path("content/items"))
        .into_values()
        .filter_map(|bytes| {
            let text = String::from_utf8(bytes).unwrap();
            let title = text.lines().find_map(|line| line.strip_prefix("title = "))?.to_owned();
            title.starts_with("\"r").then_some(title)
        })
        .collect();
    let distinct: BTreeSet<&String> = titles.iter().collect();
    assert_eq!(titles.len(), distinct.len(), "an item is there twice");
    assert_eq!(titles.len(), done.created.len() + done.unknown.len());
    wait::until(|| temporary_files(site).is_empty());
    program.kill();
}

#[test]
fn acknowledged_writes_survive_and_every_file_is_complete() {
    for moment in [15, 60, 150, 400] {
        let site = with_items();
        let program = Program::start(site.root());
        let done = Arc::new(Mutex::new(Acknowledged::default()));
        let next = Arc::new(AtomicUsize::new(1));
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (url, next, done) = (program.url.clone(), Arc::clone(&next), Arc::clone(&done));
                thread::spawn(move || write_until_killed(&url, client, &next, &done))
            })
            .collect();
        // In the middle of a write, whichever it is: after so many have begun.
        while next.load(Ordering::Relaxed) < moment {
            thread::yield_now();
        }
        program.kill();
        for client in clients {
            client.join().unwrap();
        }
        check_acknowledged(&site, &done.lock().unwrap());
    }
}
