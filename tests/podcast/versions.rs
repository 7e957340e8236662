//! Files that are named after a recording: `podcast:alternateEnclosure` of its item.

use std::fs;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha384};

use crate::support::media_fixture;
use crate::support::served::serve;
use crate::support::small_site::{SmallSite, feedwright, site};

const WALK: &str = "content/items/walk/index.md";

fn text(more: &str) -> String {
    format!(
        "+++\nid = \"walk\"\nslug = \"walk\"\ntitle = \"The walk\"\ndate_published = 2026-01-01T10:00:00Z\nattachment = \"walk.mp3\"\n{more}+++\nText.\n"
    )
}

fn file(name: &str) -> Vec<u8> {
    fs::read(media_fixture(name)).unwrap()
}

/// An episode in a folder, with these files next to its recording.
fn walk(files: &[(&str, &str)]) -> SmallSite {
    let site =
        site().with(WALK, text("")).with("content/items/walk/walk.mp3", file("cbr-info.mp3"));
    files.iter().fold(site, |site, (name, fixture)| {
        site.with(&format!("content/items/walk/{name}"), file(fixture))
    })
}

/// The versions of the newest item in the JSON Feed.
fn versions(site: &SmallSite) -> Vec<Value> {
    let feed: Value = serde_json::from_str(&site.read("public/feed.json")).unwrap();
    let found = &feed["items"][0]["_service"]["podcast"]["alternateEnclosures"];
    found.as_array().cloned().unwrap_or_default()
}

/// The last part of each version's address.
fn names(versions: &[Value]) -> Vec<String> {
    let uri = |one: &Value| one["sources"][0]["uri"].as_str().unwrap().to_owned();
    versions.iter().map(|one| uri(one).rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn files_named_after_a_recording_are_its_versions() {
    let site = walk(&[
        ("walk.opus", "tone.opus"),
        ("walk.mp4", "chapters.mp4"),
        ("walk.de.mp3", "cbr-bare.mp3"),
        ("walk.pt-BR.64k.m4a", "tone.m4a"),
        ("walk.raw.mp3", "cbr-bare.mp3"),
        ("walk.wav", "tone.wav"),
        ("walk2.opus", "tone.opus"),
        ("walk-de.opus", "tone.opus"),
    ]);
    site.write("content/items/walk/walk.vtt", "WEBVTT\n");
    site.built();
    let found = versions(&site);
    assert_eq!(names(&found), ["walk.de.mp3", "walk.mp4", "walk.opus", "walk.pt-BR.64k.m4a"]);
    for version in &found {
        let uri = version["sources"][0]["uri"].as_str().unwrap();
        let path = uri.strip_prefix("https://example.com/").unwrap();
        let bytes = fs::read(site.path("public").join(path)).unwrap();
        assert_eq!(version["length"], bytes.len());
        let hash = format!("sha384-{}", STANDARD.encode(Sha384::digest(&bytes)));
        assert_eq!(version["integrity"], json!({ "type": "sri", "value": hash }));
        assert!(version.get("default").is_none() && version.get("title").is_none(), "{version}");
    }
    let key = |key: &str| found.iter().map(|one| one[key].clone()).collect::<Vec<_>>();
    assert_eq!(key("type"), ["audio/mpeg", "video/mp4", "audio/ogg", "audio/x-m4a"]);
    assert_eq!(key("lang"), [json!("de"), json!(null), json!(null), json!("pt-BR")]);
    assert_eq!(key("height"), [json!(null), json!(36), json!(null), json!(null)]);
    assert_eq!(key("codecs")[2], "opus");
    assert!(key("bitrate").iter().all(|rate| rate.as_f64().unwrap() > 1000.0));
    for other in ["walk.raw.mp3", "walk.wav", "walk2.opus", "walk-de.opus", "walk.vtt"] {
        assert!(!site.exists(&format!("public/media/items/walk/{other}")), "{other}");
    }
    // The recording itself has tags, and is in the enclosure only.
    let tagged = fs::read(site.path("public/media/items/walk/walk.mp3")).unwrap();
    assert_ne!(tagged, file("cbr-info.mp3"));
    assert_eq!(site.read("public/rss.xml").matches("walk/walk.mp3").count(), 1);
    let (_, _, told) = feedwright(&site, &["check"]);
    assert!(told.contains("no content refers to this file and 3 more"), "{told}");
    assert!(told.contains("walk-de.opus") && !told.contains("walk.de.mp3"), "{told}");
}

#[test]
fn shared_media_have_versions_too() {
    let site = site()
        .with("content/items/a.md", text("").replace("walk.mp3", "/media/2026/walk.v2.mp3"))
        .with("content/media/2026/walk.v2.mp3", file("cbr-info.mp3"))
        .with("content/media/2026/walk.v2.opus", file("tone.opus"))
        .with("content/media/2026/walk.opus", file("tone.opus"));
    site.built();
    assert_eq!(names(&versions(&site)), ["walk.v2.opus"]);
}

#[test]
fn front_matter_wins() {
    let site = walk(&[("walk.opus", "tone.opus"), ("walk.mp4", "chapters.mp4")]);
    for source in ["walk.opus", "https://example.com/media/items/walk/walk.opus"] {
        let more = format!(
            "[[podcast.alternateEnclosures]]\nsource = \"{source}\"\ntype = \"audio/ogg\"\ntitle = \"Small\"\n"
        );
        site.write(WALK, text(&more));
        site.built();
        let found = versions(&site);
        assert_eq!(names(&found), ["walk.opus", "walk.mp4"], "{source}");
        assert_eq!((&found[0]["title"], found[1].get("title")), (&json!("Small"), None));
    }
    site.write(WALK, text("podcast.alternateEnclosures = []\n"));
    site.built();
    assert_eq!(versions(&site), Vec::<Value>::new());
    assert!(!site.exists("public/media/items/walk/walk.opus"));
}

#[test]
fn a_file_belongs_to_one_item() {
    let site = walk(&[
        ("walk.de.mp3", "cbr-bare.mp3"),
        ("walk.de.opus", "tone.opus"),
        ("walk.opus", "tone.opus"),
    ]);
    let german = text("").replace("walk.mp3", "walk/walk.de.mp3").replace("\"walk\"", "\"gang\"");
    site.write("content/items/gang.md", german.replace("2026-01-01", "2025-01-01"));
    site.built();
    assert_eq!(names(&versions(&site)), ["walk.opus"]);
    let rss = site.read("public/rss.xml");
    assert_eq!(rss.matches("<podcast:alternateEnclosure ").count(), 2);
    assert_eq!(rss.matches("walk.de.mp3").count(), 1);
}

#[test]
fn a_changed_file_changes_the_feed() {
    let site = walk(&[("walk.opus", "tone.opus")]);
    site.built();
    assert_eq!(site.built().written, 0);
    let integrity = |site: &SmallSite| versions(site)[0]["integrity"]["value"].clone();
    let before = integrity(&site);
    site.write("content/items/walk/walk.opus", file("chapters.opus"));
    site.built();
    assert_ne!(integrity(&site), before);
    site.write("content/items/walk/walk.fr.mp3", file("cbr-bare.mp3"));
    site.remove("content/items/walk/walk.opus");
    site.built();
    assert_eq!(names(&versions(&site)), ["walk.fr.mp3"]);
    assert!(!site.exists("public/media/items/walk/walk.opus"));
}

#[test]
fn a_damaged_file_is_no_version() {
    let site =
        walk(&[]).with("content/items/walk/walk.opus", "").with("content/items/walk/walk.mp4", "x");
    site.built();
    assert_eq!(versions(&site), Vec::<Value>::new());
    let (_, _, told) = feedwright(&site, &["check"]);
    assert!(told.contains("this file is empty") && told.contains("walk/walk.opus"), "{told}");
}

/// The API shows versions, but an edit leaves them out of the author's file.
#[test]
fn an_edit_does_not_write_versions() {
    let served = serve(walk(&[("walk.opus", "tone.opus")]));
    let body =
        json!({ "title": "A walk", "_service": { "podcast": { "people": [{ "name": "Ana" }] } } });
    let shown = served.put("/items/walk/", &body).ok();
    let podcast = &shown["_service"]["podcast"];
    assert_eq!(podcast["alternateEnclosures"][0]["type"], "audio/ogg", "{shown}");
    let written = served.site.read(WALK);
    assert!(written.contains("Ana") && !written.contains("opus"), "{written}");
    served.site.write("content/items/walk/walk.de.mp3", file("cbr-bare.mp3"));
    served.wait("/feed.json", "the new version", |reply| reply.text().contains("walk.de.mp3"));
}

/// A playlist that no text names never stops a build.
#[test]
fn a_broken_playlist_is_no_version() {
    let site = walk(&[]).with(
        "content/items/walk/walk.m3u8",
        "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nseg0.ts\n",
    );
    let warnings = site.built().warnings;
    let said: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    let said = said.join("\n");
    assert!(said.contains("this playlist is not a version of a recording: "), "{said}");
    assert!(said.contains("walk.m3u8:4:1") && said.contains("or rename the playlist"), "{said}");
    assert!(versions(&site).is_empty());
    site.write(
        "content/items/walk/walk.m3u8",
        b"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n\xe4.ts\n",
    );
    site.built();
    assert!(versions(&site).is_empty());
}

#[test]
fn a_file_that_another_text_links_is_no_version() {
    let files = [("walk.de.mp3", "cbr-bare.mp3"), ("walk.fr.mp3", "cbr-bare.mp3")];
    let site = walk(&files).with(
        "content/items/other.md",
        "+++\ntitle = \"Other\"\n+++\n[German](walk/walk.de.mp3)\n",
    );
    site.built();
    assert_eq!(names(&versions(&site)), ["walk.fr.mp3"]);
}

#[test]
fn only_languages_and_qualities_name_versions() {
    let names = ["de_AT", "0p", "720p", "", "0k", "4294967295k", "raw", "64k", "pt-BR"];
    let names = names.map(|name| format!("walk.{name}.mp3"));
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "cbr-bare.mp3")).collect();
    let site = walk(&files);
    site.built();
    assert_eq!(self::names(&versions(&site)), ["walk.64k.mp3", "walk.pt-BR.mp3"]);
}
