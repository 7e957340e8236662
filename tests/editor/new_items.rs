//! What the editor's server does for new items. `tests/browser/new_item.cjs` begins them in the page.

use std::fs;

use pictures::{Format, Picture};
use serde_json::{Value, json};

use crate::editor::documents::{Person, person};
use crate::support::served::serve;
use crate::support::small_site::{SmallSite, site};

const SOUND: &[u8] = include_bytes!("../../crates/media-facts/tests/fixtures/cbr-bare.mp3");
const PNG: &[u8] = include_bytes!("../fixtures/small-site/content/items/episode/cover.png");

const PIER: &str = "content/items/pier/index.md";

/// Returns a frame of an ID3v2.3 tag.
fn frame(id: &str, body: &[&[u8]]) -> Vec<u8> {
    let body = body.concat();
    let size = u32::try_from(body.len()).unwrap().to_be_bytes();
    [id.as_bytes(), &size, &[0, 0], &body].concat()
}

/// Returns a recording with a title, a number, a cover and a chapter.
fn recording() -> Vec<u8> {
    let title = frame("TIT2", &[b"\0Home"]);
    let times = [0_u32, 500].map(u32::to_be_bytes).concat();
    let frames = [
        frame("TIT2", &[b"\0Storm at the pier"]),
        frame("TRCK", &[b"\x0041/50"]),
        frame("APIC", &[b"\0image/png\0\x03front\0", PNG]),
        frame("CHAP", &[b"a\0", &times, &[255; 8], &title]),
    ]
    .concat();
    let size = frames.len();
    let digits = [21, 14, 7, 0].map(|shift| u8::try_from(size >> shift & 0x7f).unwrap());
    [b"ID3\x03\0\0", &digits[..], &frames, SOUND].concat()
}

fn draft(more: &str) -> SmallSite {
    let text = format!(
        "+++\nid = \"pier\"\nslug = \"pier\"\ntitle = \"The pier\"\nstatus = \"unpublished\"\n{more}+++\nWaves.\n"
    );
    site().with(PIER, &text)
}

fn said(ada: &Person<'_>, cover: bool) -> Value {
    let request = json!({ "path": PIER, "reference": "talk.mp3", "cover": cover });
    ada.ask("tags", &request).ok()
}

#[test]
fn a_recording_supplies_title_chapters_and_cover() {
    let theirs = b"another picture".as_slice();
    let served = serve(
        draft("attachment = \"talk.mp3\"\n")
            .with("content/items/pier/talk.mp3", recording())
            .with("content/items/pier/cover.png", theirs),
    );
    let ada = person(&served);
    let told = said(&ada, true);
    assert_eq!(told["title"], "Storm at the pier");
    assert_eq!(told["chapters"], json!([{ "startTime": 0, "endTime": 0.5, "title": "Home" }]));
    assert_eq!(told["problem"], Value::Null);
    // A file of the author's is never overwritten, and the same cover is not saved twice.
    let folder = served.site.root().join("content/items/pier");
    assert_eq!(told["image"], "cover-2.png");
    assert_eq!(fs::read(folder.join("cover.png")).unwrap(), theirs);
    assert_eq!(fs::read(folder.join("cover-2.png")).unwrap(), PNG);
    fs::write(folder.join("cover.png"), PNG).unwrap();
    assert_eq!(said(&ada, true)["image"], "cover.png");
    assert_eq!(said(&ada, false)["image"], Value::Null);
    // The first episode has no numbers that continue.
    assert_eq!((&told["season"], &told["episode"]), (&Value::Null, &json!(41)));
    let journal = served.journal();
    assert!(journal.iter().any(|entry| entry.operation == "uploadMedia"));
    for path in ["../walk.md", "/media/../site.toml", "none.mp3"] {
        ada.ask("tags", &json!({ "path": PIER, "reference": path })).error(404);
    }
}

#[test]
fn numbers_continue_whatever_a_recording_says() {
    let other = "+++\nid = \"o\"\ntitle = \"O\"\ndate_published = 2026-01-01\nattachment = \"talk.mp3\"\n[podcast]\nepisode = 3\n+++\nText.\n";
    let served = serve(
        draft("")
            .with("content/items/pier/talk.mp3", recording())
            .with("content/items/other/talk.mp3", SOUND)
            .with("content/items/other/index.md", other),
    );
    assert_eq!(said(&person(&served), false)["episode"], Value::Null);
}

#[test]
fn a_file_that_is_no_recording_is_reported() {
    let served = serve(draft("").with("content/items/pier/talk.mp3", "A text. ".repeat(100)));
    assert_eq!(said(&person(&served), true)["problem"], "damaged or not a recording");
}

#[test]
fn people_of_the_last_episode_are_suggested_without_guests() {
    let episode = |id: &str, date: &str, people: &str| {
        format!(
            "+++\nid = \"{id}\"\ntitle = \"{id}\"\ndate_published = {date}\nattachment = \"talk.mp3\"\n[podcast]\npeople = [{people}]\n+++\nText.\n"
        )
    };
    let last = r#"{ name = "Ana", img = "ana.png" }, { name = "Ben", role = "Host" }, { name = "Jun", role = "guest" }"#;
    let served = serve(
        draft("")
            .with("content/items/new/ana.png", PNG)
            .with("content/items/new/talk.mp3", SOUND)
            .with("content/items/new/index.md", episode("new", "2026-02-01", last))
            .with("content/items/old/talk.mp3", SOUND)
            .with("content/items/old/index.md", episode("old", "2026-01-01", "\"Eve\", \"Ana\"")),
    );
    let known = person(&served).ask("choices", &json!({ "path": PIER })).ok();
    assert_eq!(known["last_people"], json!(["Ana", "Ben"]));
    let names = known["people"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Ana", "Ben", "Jun", "Eve"]);
    // The address is valid in every folder.
    assert_eq!(known["people"][0]["img"], "/media/items/new/ana.png");
}

#[test]
fn a_draft_named_by_a_file_gets_its_slug_when_it_is_published() {
    let taken = "+++\nid = \"s\"\nslug = \"storm\"\ntitle = \"Storm\"\ndate_published = 2026-01-01\n+++\nText.\n";
    let served = serve(site().with("content/items/storm.md", taken));
    let ada = person(&served);
    let wanted =
        json!({ "kind": "item", "title": "final mix 3", "folder": true, "provisional": true });
    let path = ada.ask("create", &wanted).ok()["path"].as_str().unwrap().to_owned();
    assert_eq!(path, "content/items/final-mix-3/index.md");
    let there = ada.open(&path);
    let text = format!("{}{}", there["head"].as_str().unwrap(), there["body"].as_str().unwrap());
    assert!(text.contains("id = ") && !text.contains("slug"), "{text}");
    let edit = |text: &str, keys: Value, value: Value| {
        let changes = json!([{ "keys": keys, "value": value }]);
        let edited = ada.ask("edit", &json!({ "path": path, "text": text, "changes": changes }));
        edited.ok()["head"].as_str().unwrap().to_owned()
    };
    let titled = edit(&text, json!(["title"]), json!("Storm"));
    assert!(!titled.contains("slug"), "{titled}");
    let published = edit(&titled, json!(["status"]), Value::Null);
    assert!(published.contains("\nslug = \"storm-2\"\n"), "{published}");
    assert!(published.contains("\ndate_published = "), "{published}");
}

#[test]
fn lists_load_the_smallest_size_of_a_picture() {
    let large = Picture::from_pixels(1000, 500, vec![90; 1000 * 500 * 3]).unwrap();
    let large = large.encode(Format::Jpeg { quality: 90 }).unwrap();
    let served = serve(
        draft("image = \"pier.jpg\"\n")
            .with("content/items/pier/pier.jpg", &large)
            .with("content/items/pier/tiny.png", PNG),
    );
    let ada = person(&served);
    let get = |query: &str| {
        let address = format!("/_edit/media/{PIER}?of={query}");
        served.send("GET", &address, &[("cookie", &*ada.cookie)], b"")
    };
    assert_eq!(get("pier.jpg").body, large);
    let small = get("/media/items/pier/pier.jpg&small");
    assert_eq!(small.header("content-type"), Some("image/webp"));
    assert_eq!(pictures::dimensions(&small.body), Some((240, 120)));
    assert!(small.header("etag").is_some());
    // A picture without sizes is small already.
    assert_eq!(get("tiny.png&small").body, PNG);
    let address = format!("/_edit/media/{PIER}?of=pier.jpg&small");
    assert_eq!(served.send("GET", &address, &[], b"").status, 401);
}

#[test]
fn a_picture_that_cannot_be_resized_says_so_after_the_upload() {
    let served = serve(draft(""));
    let ada = person(&served);
    let mut huge = PNG.to_vec();
    huge[16..20].copy_from_slice(&12_000_u32.to_be_bytes());
    huge[20..24].copy_from_slice(&9_000_u32.to_be_bytes());
    let mut sum = flate2::Crc::new();
    sum.update(&huge[12..29]);
    huge[29..33].copy_from_slice(&sum.sum().to_be_bytes());
    let problem = |name: &str, bytes: &[u8]| {
        ada.upload_file(PIER, name, bytes, usize::MAX)["problem"].clone()
    };
    let told = problem("huge.png", &huge);
    assert_eq!(told, "decoding its 12000 × 9000 pixels would need more than 256 MiB of memory");
    assert_eq!(problem("broken.jpg", b"no picture"), "it is damaged or not an image");
    assert_eq!(problem("fine.png", PNG), Value::Null);
    assert_eq!(problem("notes.pdf", b"%PDF-1.4"), Value::Null);
}

#[test]
fn a_draft_named_by_its_recording_gets_a_slug_when_it_is_scheduled() {
    let served = serve(site());
    let ada = person(&served);
    let request = json!({ "kind": "item", "title": "New 01", "folder": true, "provisional": true });
    let made = ada.ask("create", &request).ok();
    let path = made["path"].as_str().unwrap();
    let there = ada.ask("open", &json!({ "path": path })).ok();
    let whole = |answer: &Value| {
        format!("{}{}", answer["head"].as_str().unwrap(), answer["body"].as_str().unwrap())
    };
    let before = whole(&there);
    assert!(!before.contains("slug"), "{before}");
    let changes = json!([
        { "keys": ["title"], "value": "Storm at the pier" },
        { "keys": ["date_published"], "value": "2031-11-20T09:00:00Z" },
        { "keys": ["status"], "value": null },
    ]);
    let edited = ada.ask("edit", &json!({ "path": path, "text": before, "changes": changes })).ok();
    let save = json!({ "path": path, "text": whole(&edited), "version": there["version"] });
    ada.ask("save", &save).ok();
    let saved = whole(&ada.ask("open", &json!({ "path": path })).ok());
    assert!(saved.contains("slug = \"storm-at-the-pier\""), "{saved}");
    assert!(saved.contains("2031-11-20"), "{saved}");
}
