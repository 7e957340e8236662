//! The editor of a network: lists, new files and previews of the chosen show.

use serde_json::{Value, json};

use crate::editor::documents::{Person, person};
use crate::support::served::{Served, serve};
use crate::support::small_site::site;

const SOUND: &[u8] = include_bytes!("../../crates/media-facts/tests/fixtures/cbr-bare.mp3");
const EVENT: &str = "+++\nid = \"hike\"\nsummary = \"Hike\"\nstart = 2026-10-08\n+++\n";

fn item(id: &str, more: &str) -> String {
    format!("+++\nid = \"{id}\"\nslug = \"{id}\"\ntitle = \"{id}\"\n{more}+++\nText.\n")
}

fn served() -> Served {
    let episode =
        "date_published = 2026-10-05\nattachment = \"talk.mp3\"\n[podcast]\nepisode = 7\n";
    serve(
        site()
            .with("content/items/news.md", item("news", "date_published = 2026-10-05\n"))
            .with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\nUs.\n")
            .with("shows/walks/channel.md", "+++\ntitle = \"Walks\"\n+++\nBy the sea.\n")
            .with("shows/walks/items/pier/index.md", item("pier", episode))
            .with("shows/walks/items/pier/talk.mp3", SOUND)
            .with("shows/walks/pages/hosts.md", "+++\ntitle = \"Hosts\"\n+++\nWe.\n")
            .with("shows/walks/calendars/tours/hike.md", EVENT)
            .with("shows/tides/channel.html", "+++\ntitle = \"Tides\"\n+++\n<p>Ebb.</p>\n")
            .with("shows/tides/show.toml", "path = \"/sea/\"\n")
            .with("shows/tides/items/ebb.md", item("ebb", "date_published = 2026-10-05\n")),
    )
}

/// Asks with a chosen content folder, or with none for all folders.
fn ask(ada: &Person<'_>, operation: &str, content: &str, mut body: Value) -> Value {
    if !content.is_empty() {
        body["content"] = json!(content);
    }
    ada.ask(operation, &body).ok()
}

/// Returns the paths and kinds of listed files with a source, in alphabetical order.
fn paths(files: &Value) -> Vec<&str> {
    let files = files.as_array().unwrap().iter().filter(|file| file["kind"] != "site-file");
    let mut paths: Vec<&str> = files.map(|file| file["path"].as_str().unwrap()).collect();
    paths.sort_unstable();
    paths
}

const OF_NETWORK: [&str; 2] = ["content/items/news.md", "content/pages/about.md"];
const OF_WALKS: [&str; 2] = ["shows/walks/items/pier/index.md", "shows/walks/pages/hosts.md"];

#[test]
fn lists_have_the_files_of_the_chosen_show() {
    let served = served();
    let ada = person(&served);
    let listed = |content| ask(&ada, "site", content, json!({}));
    let all = listed("");
    let everything = [&OF_NETWORK[..], &["shows/tides/items/ebb.md"], &OF_WALKS].concat();
    assert_eq!(paths(&all["files"]), everything);
    assert_eq!(
        all["shows"],
        json!([
            { "content": "content", "title": "A small site", "path": "/" },
            { "content": "shows/tides", "title": "Tides", "path": "/sea/" },
            { "content": "shows/walks", "title": "Walks", "path": "/walks/" },
        ])
    );
    assert_eq!(paths(&listed("content")["files"]), OF_NETWORK);
    let walks = listed("shows/walks");
    assert_eq!(paths(&walks["files"]), OF_WALKS);
    let file =
        |path: &str| walks["files"].as_array().unwrap().iter().find(|one| one["path"] == path);
    assert_eq!(file(OF_WALKS[0]).unwrap()["url"], "/walks/i/pier/");
    assert_eq!(file(OF_WALKS[1]).unwrap()["url"], "/walks/hosts/");
    let facts = |site: &Value| {
        ["title", "subject", "channel"].map(|key| site[key].as_str().unwrap().to_owned())
    };
    assert_eq!(facts(&walks), ["Walks", "episode", "shows/walks/channel.md"]);
    assert_eq!(facts(&listed("shows/tides")), ["Tides", "post", "shows/tides/channel.html"]);
    assert_eq!(facts(&all)[2], "content/channel.md");
    // Each show counts its own episodes.
    assert_eq!((&walks["next"]["episode"], &all["next"]), (&json!(8), &Value::Null));
    assert_eq!((&walks["has_calendar"], &all["has_calendar"]), (&json!(true), &json!(true)));
    assert_eq!(listed("shows/tides")["has_calendar"], false);
}

#[test]
fn a_site_without_shows_offers_none() {
    let served = serve(site().with("content/items/news.md", item("news", "")));
    let listed = person(&served).ask("site", &json!({})).ok();
    assert_eq!(listed.get("shows"), None);
    assert_eq!(paths(&listed["files"]), ["content/items/news.md"]);
}

#[test]
fn new_files_are_in_the_chosen_show() {
    let served = served();
    let ada = person(&served);
    let create = |content: &str, kind: &str, folder: bool| {
        let wanted =
            json!({ "kind": kind, "title": "Low tide", "folder": folder, "numbered": folder });
        ask(&ada, "create", content, wanted)["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(create("", "item", false), "content/items/low-tide.md");
    assert_eq!(create("content", "page", false), "content/pages/low-tide.md");
    assert_eq!(create("shows/tides", "item", false), "shows/tides/items/low-tide.md");
    assert_eq!(create("shows/tides", "page", false), "shows/tides/pages/low-tide.md");
    let episode = create("shows/walks", "item", true);
    assert_eq!(episode, "shows/walks/items/low-tide/index.md");
    assert!(served.site.read(&episode).contains("episode = 8\n"));
    let upload = |path: &str| ada.upload_file(path, "a.png", b"picture", 100);
    let shared = upload("shows/tides/items/low-tide.md");
    assert_eq!(shared["path"], "shows/tides/media/a.png");
    assert_eq!(upload(&episode)["path"], "shows/walks/items/low-tide/a.png");
    let gone = json!({ "kind": "item", "title": "x", "content": "shows/none" });
    ada.ask("create", &gone).error(404);
    ada.ask("create", &json!({ "kind": "item", "title": "x", "content": "shows/.." })).error(404);
}

#[test]
fn calendars_belong_to_a_show() {
    let served = served();
    let ada = person(&served);
    let days = json!({ "from": "2026-10-01", "until": "2026-11-01" });
    let shown = |content| ask(&ada, "calendar", content, days.clone());
    let hike = "shows/walks/calendars/tours/hike.md";
    let walks = shown("shows/walks");
    assert_eq!(paths(&walks["entries"]), [hike, OF_WALKS[0]]);
    assert_eq!(paths(&walks["calendars"]), ["shows/walks/calendars/tours/calendar.toml"]);
    assert_eq!(paths(&shown("content")["entries"]), ["content/items/news.md"]);
    assert_eq!(paths(&shown("")["entries"]).len(), 4);
    let event =
        json!({ "calendar": "tours", "event": { "summary": "Swim", "start": "2026-10-09" } });
    let made = ask(&ada, "create-event", "shows/tides", event);
    let path = made["path"].as_str().unwrap();
    assert!(path.starts_with("shows/tides/calendars/tours/"), "{path}");
    assert!(served.site.path("shows/tides/calendars/tours/calendar.toml").exists());
    let tides = shown("shows/tides");
    assert_eq!(paths(&tides["entries"]), [path, "shows/tides/items/ebb.md"]);
}

#[test]
fn a_preview_is_a_page_of_the_show() {
    let served = served();
    let ada = person(&served);
    let preview = |path: &str, text: &str| {
        let made = ada.ask("preview", &json!({ "path": path, "text": text })).ok();
        let address = format!("/_edit/{}", made["address"].as_str().unwrap());
        (
            served.send("GET", &address, &[], b"").text().replace("&#x2F;", "/"),
            made["times"].clone(),
        )
    };
    let (page, _) =
        preview("shows/tides/items/ebb.md", &item("ebb", "").replace("Text", "Spring tide"));
    assert!(page.contains("Spring tide") && page.contains("Tides"), "{page}");
    assert!(page.contains("href=\"/sea/"), "{page}");
    let channel = "+++\ntitle = \"Long walks\"\n+++\nBy the river.\n";
    let (home, _) = preview("shows/walks/channel.md", channel);
    assert!(home.contains("/walks/i/pier/") && !home.contains("/sea/i/ebb/"), "{home}");
    let hike = "shows/walks/calendars/tours/hike.md";
    let (_, times) = preview(hike, &EVENT.replace("2026-10-08", "2026-10-11"));
    assert_eq!(times["times"][0]["first"], "2026-10-11");
}
