//! Writes of several steps that are cut off by a kill: what was begun is finished when the site is next
//! served, and what was not begun never was.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime};

use feedwright::edit;
use feedwright::model::{Category, ItemId, SitePath};
use feedwright::state::{
    Answer, FileStep, JournalEntry, JournalQuery, RecordedWrite, Reservation, State, Upload,
};
use jiff::{SignedDuration, Timestamp};
use notify::{RecursiveMode, Watcher};
use serde_json::{Value, json};

use crate::support::program::{Program, agent, send};
use crate::support::served::serve;
use crate::support::small_site::{SmallSite, site, tree};
use crate::support::wait;

const MARKDOWN: &str = "+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\n\nOld text\n";
const HTML: &str = "+++\nid = \"walk\"\ntitle = \"Walk\"\n+++\n\n<p>New text</p>\n";

fn entry(operation: &str) -> JournalEntry {
    JournalEntry {
        time: Timestamp::now(),
        operation: operation.into(),
        subject: "walk".into(),
        path: None,
        key_id: "0123".into(),
        causation: None,
        correlation: None,
    }
}

/// Replaces, writes or, without a text, removes a file that holds this.
fn step(path: &str, before: Option<&str>, text: Option<&str>) -> FileStep {
    FileStep {
        path: path.into(),
        before: before.map(|before| FileStep::hash(before.as_bytes())),
        text: text.map(str::to_owned),
    }
}

/// Notes a write as a server does that is killed then.
fn record_write(site: &SmallSite, steps: &[FileStep]) {
    let state = State::open(site.root()).unwrap();
    drop::<RecordedWrite>(state.record_write(&entry("cutOff"), steps, None).unwrap());
}

fn content_files(site: &SmallSite) -> BTreeMap<String, String> {
    let files = tree(site.root()).into_iter();
    files
        .filter(|(path, _)| path.starts_with("content/items/") || path.starts_with("site"))
        .map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()))
        .collect()
}

fn journal(site: &SmallSite) -> usize {
    let state = State::open(site.root()).unwrap();
    assert_eq!(state.unfinished_writes().unwrap(), []);
    state.journal(JournalQuery::default()).unwrap().len()
}

fn trash_files(site: &SmallSite) -> Vec<String> {
    let files = tree(&site.path(".feedwright/trash")).into_keys();
    files.filter_map(|path| Some(path.split_once('/')?.1.to_owned())).collect()
}

/// A site as a kill left it, served and ended again.
fn serve_and_stop(site: SmallSite) -> SmallSite {
    let served = serve(site);
    served.get("/");
    served.ended()
}

#[test]
fn an_interrupted_conversion_is_finished_or_undone() {
    let (old, new) = ("content/items/walk.md", "content/items/walk.html");
    let steps = [step(new, None, None), step(old, Some(MARKDOWN), None)];
    let site_with = |files: &[(&str, &str)]| {
        let site = site();
        files.iter().for_each(|(path, text)| site.write(path, text));
        record_write(&site, &steps);
        site
    };
    // Noted, and nothing more.
    let site = serve_and_stop(site_with(&[(old, MARKDOWN)]));
    assert_eq!(content_files(&site).get(old).unwrap(), MARKDOWN);
    assert_eq!((content_files(&site).contains_key(new), journal(&site)), (false, 0));
    // The new one is there too.
    let site = serve_and_stop(site_with(&[(old, MARKDOWN), (new, HTML)]));
    assert_eq!(content_files(&site).get(new).unwrap(), HTML);
    assert_eq!((content_files(&site).contains_key(old), journal(&site)), (false, 1));
    assert_eq!(trash_files(&site), [old]);
    // It was done, and its end not noted.
    let site = serve_and_stop(site_with(&[(new, HTML)]));
    assert_eq!((content_files(&site).get(new).unwrap().as_str(), journal(&site)), (HTML, 1));
    // Its author has changed the old one since: nothing is taken.
    let other = MARKDOWN.replace("Old", "Another");
    let site = serve_and_stop(site_with(&[(old, &other), (new, HTML)]));
    assert_eq!(content_files(&site).get(old).unwrap(), &other);
    assert_eq!(journal(&site), 1);
}

#[test]
fn an_interrupted_deletion_of_a_site_file_is_finished() {
    let (published, draft) = ("site-files/a.txt", "site-files/a.txt.draft");
    let before = "base_url = \"https://example.com\"\n";
    let own = format!("{before}[site_files.\"a.txt\"]\nenabled = false\n");
    let steps = [
        step(published, Some("A"), None),
        step(draft, Some("B"), None),
        step("site.toml", Some(&own), Some(before)),
    ];
    for done in 0..=3 {
        let site = site().with("site.toml", &own).with(published, "A").with(draft, "B");
        record_write(&site, &steps);
        for path in [published, draft].into_iter().take(done) {
            let path = SitePath::parse(path).unwrap();
            edit::remove_to_trash(site.root(), &path, Timestamp::now()).unwrap();
        }
        if done == 3 {
            site.write("site.toml", before);
        }
        let site = serve_and_stop(site);
        let mut files: Vec<String> = content_files(&site).into_keys().collect();
        files.retain(|path| !path.ends_with('/'));
        match done {
            0 => assert_eq!(files, [published, draft, "site.toml"]),
            _ => assert_eq!(files, ["site.toml"], "{done}"),
        }
        let expected = if done == 0 { &own } else { before };
        assert_eq!(
            (site.read("site.toml").as_str(), journal(&site)),
            (expected, usize::from(done > 0))
        );
    }
}

#[test]
fn the_key_of_a_failed_creation_can_be_reused() {
    let site = site();
    let state = State::open(site.root()).unwrap();
    let id = ItemId::parse("new").unwrap();
    let now = Timestamp::now();
    let Reservation::New(ticket) = state.reserve("k", b"payload", &id, now).unwrap() else {
        panic!("it is new");
    };
    let answer = Answer { status: 201, body: "{\"id\":\"new\"}".into() };
    let steps = [step("content/items/new.md", None, None)];
    drop(state.record_write(&entry("createItem"), &steps, Some((&ticket, &answer))).unwrap());
    drop(ticket);
    // Until it is looked at, it counts as done.
    let again = state.reserve("k", b"payload", &id, now).unwrap();
    assert!(matches!(again, Reservation::Replay(_)));
    drop(state);
    let site = serve_and_stop(site);
    let state = State::open(site.root()).unwrap();
    let other = state.reserve("k", b"another payload", &id, now).unwrap();
    assert!(matches!(other, Reservation::New(_)), "{other:?}");
    assert_eq!(journal(&site), 0);
}

#[test]
fn an_upload_repeated_after_a_crash_succeeds() {
    let served = serve(site());
    let upload = Upload {
        path: SitePath::parse("content/media/a-1.jpg").unwrap(),
        category: Category::Image,
        item_id: None,
        size: None,
        media_type: None,
        expires: Timestamp::now() + SignedDuration::from_mins(5),
    };
    let prepare = || served.state().prepare_upload(&upload, Timestamp::now()).unwrap();
    let send = |token: &str, bytes: &[u8]| {
        served.send("PUT", &format!("/media-upload/{token}"), &[], bytes)
    };
    let (first, second) = (prepare(), prepare());
    served.site.write("content/media/a-1.jpg", "bytes");
    let answer = send(first.expose(), b"bytes");
    assert_eq!((answer.status, answer.text().as_str()), (200, "{}"));
    send(first.expose(), b"bytes").error(400);
    for other in [&b"other"[..], b"byte", b"bytes and more"] {
        let error = send(second.expose(), other).error(409);
        assert!(error.contains("content/media/a-1.jpg"), "{error}");
    }
    assert_eq!(served.site.read("content/media/a-1.jpg"), "bytes");
    assert_eq!(tree(&served.site.path("content/media")).len(), 1);
}

/// How often the server is killed, where it is to be more often than a short test has time for.
const KILLS: &str = "FEEDWRIGHT_TEST_KILLS";

/// A server that converts items and deletes Site Files all the time, killed at any moment.
#[test]
fn a_kill_leaves_every_item_complete_under_one_name() {
    const ITEMS: usize = 6;
    let rounds = std::env::var(KILLS).map_or(6, |rounds| rounds.parse().unwrap());
    for round in 0..rounds {
        // At any moment of the first writes.
        let delay = round * 37 % 45;
        let site = (0..ITEMS).fold(site(), |site, item| {
            let text = MARKDOWN.replace("walk", &format!("walk{item}"));
            let site = site.with(&format!("content/items/walk{item}.md"), text);
            site.with(&format!("site-files/a{item}.txt"), "A")
                .with(&format!("site-files/a{item}.txt.draft"), "B")
        });
        let program = Program::start(site.root());
        let url = format!("{}/api/v1", program.url);
        let list =
            send(&agent(), "GET", &format!("{url}/site-files/"), None, &Value::Null).unwrap().1;
        let acknowledged = Arc::new(Mutex::new(Vec::new()));
        let client = thread::spawn({
            let acknowledged = Arc::clone(&acknowledged);
            move || {
                let agent = agent();
                let files = list["items"].as_array().unwrap().iter();
                let files =
                    files.filter(|file| file["filename"].as_str().unwrap().starts_with('a'));
                let files: Vec<&str> = files.map(|file| file["id"].as_str().unwrap()).collect();
                for (item, file) in files.iter().enumerate() {
                    let path = format!("{url}/items/walk{item}/");
                    let body = json!({ "content_html": "<p>New text</p>" });
                    let Some((200, _)) = send(&agent, "PUT", &path, None, &body) else {
                        return;
                    };
                    acknowledged.lock().unwrap().push(item);
                    let path = format!("{url}/site-files/{file}/");
                    let Some((200, _)) = send(&agent, "DELETE", &path, None, &Value::Null) else {
                        return;
                    };
                }
            }
        });
        wait::pause(Duration::from_millis(delay));
        program.kill();
        client.join().unwrap();
        let is_whole = |site: &SmallSite, item: usize| {
            let read = |extension: &str| {
                let path = site.path(&format!("content/items/walk{item}.{extension}"));
                fs::read_to_string(path).ok()
            };
            let (old, new) = (read("md"), read("html"));
            assert!(old.iter().all(|text| text.ends_with("\nOld text\n")), "{old:?}");
            assert!(new.iter().all(|text| text.ends_with("\n<p>New text</p>\n")), "{new:?}");
            assert!(old.is_some() || new.is_some());
            (old.is_some(), new.is_some())
        };
        (0..ITEMS).for_each(|item| {
            is_whole(&site, item);
        });
        let site = serve_and_stop(site);
        for item in 0..ITEMS {
            let (old, new) = is_whole(&site, item);
            assert!(old != new, "walk{item} is there twice");
            assert!(new || !acknowledged.lock().unwrap().contains(&item));
            let published = site.exists(&format!("site-files/a{item}.txt"));
            let draft = site.exists(&format!("site-files/a{item}.txt.draft"));
            assert_eq!(published, draft, "a{item}.txt is half deleted");
        }
        site.built();
    }
}

/// What any writer makes beside a file lies where it is swept up.
#[test]
fn every_temporary_file_is_in_a_cleaned_folder() {
    let served = serve(
        site()
            .with("content/items/walk.md", MARKDOWN)
            .with("content/items/folder/index.md", MARKDOWN.replace("walk", "folder"))
            .with("content/pages/about.md", "+++\nid = \"about\"\ntitle = \"About\"\n+++\nUs\n")
            .with("content/media/b.jpg", "b")
            .with("site-files/a.txt", "{{title}}\n")
            .with("shows/tides/channel.md", "+++\ntitle = \"Tides\"\n+++\n")
            .with("shows/tides/items/ebb.md", MARKDOWN.replace("walk", "ebb")),
    );
    served.site.built();
    let root = served.site.root().canonicalize().unwrap();
    let made = Arc::new(Mutex::new(Vec::new()));
    let mut watcher = notify::recommended_watcher({
        let made = Arc::clone(&made);
        move |event: notify::Result<notify::Event>| {
            let paths = event.map(|event| event.paths).unwrap_or_default();
            let temporary = paths
                .into_iter()
                .filter(|path| path.to_string_lossy().ends_with(".feedwright-new"));
            made.lock().unwrap().extend(temporary);
        }
    })
    .unwrap();
    watcher.watch(&root, RecursiveMode::Recursive).unwrap();
    for (method, path, body) in [
        ("PUT", "/items/walk/", json!({ "guid": "g" })),
        ("PUT", "/items/folder/", json!({ "content_html": "<p>H</p>" })),
        ("PUT", "/items/ebb/", json!({ "guid": "e" })),
        ("POST", "/items/", json!({ "title": "New" })),
        ("POST", "/pages/", json!({ "title": "P", "slug": "p", "content_html": "<p>P</p>" })),
        ("DELETE", "/pages/about/", Value::Null),
        ("PUT", "/channels/primary/", json!({ "title": "Channel" })),
        (
            "POST",
            "/site-files/",
            json!({ "filename": "b.txt", "draft_content": "{{title}}", "enabled": false }),
        ),
    ] {
        served.call(method, path, body.to_string().as_bytes()).ok();
    }
    let body = json!({ "category": "image", "full_local_file_path": "a.jpg" });
    let prepared = served.post("/media_files/presigned_urls/", &body).ok();
    let upload = prepared["presigned_url"].as_str().unwrap();
    let upload = upload.strip_prefix(served.url.as_str()).unwrap();
    assert_eq!(served.send("PUT", upload, &[], b"bytes").status, 200);
    // The last good rendering of a Site File is kept, too.
    served.get("/a.txt").text();
    let site = &served.site;
    site.built();
    for path in ["site.toml", "content/items/walk.md"] {
        edit::replace(&site.path(path), site.read(path).as_bytes()).unwrap();
    }
    let folders = [
        "", "content", "content/items", "content/items/folder", "content/pages", "content/media",
        "shows/tides/items", "site-files", ".feedwright/site-files",
    ];
    let missing = |made: &[PathBuf]| {
        let is_in = |folder: &&str| {
            let folder: PathBuf = root.join(folder).components().collect();
            let is_deep = folder.ends_with(".feedwright/site-files");
            made.iter()
                .any(|path| path.parent() == Some(&folder) || is_deep && path.starts_with(&folder))
        };
        folders.iter().find(|folder| !is_in(folder)).copied()
    };
    let is_told = wait::within(wait::MAX_WAIT, || missing(&made.lock().unwrap()).is_none());
    assert!(is_told, "nothing in {:?}", missing(&made.lock().unwrap()));
    let mut made = made.lock().unwrap().clone();
    made.retain(|path| !path.starts_with(root.join("public")));
    made.sort();
    made.dedup();
    let long_ago = SystemTime::now() - Duration::from_secs(2 * 60 * 60);
    for path in &made {
        let file = File::create(path).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    assert_eq!(edit::sweep(&root), made.len());
    for path in &made {
        assert!(!path.exists(), "{} is never swept up", path.display());
    }
}
