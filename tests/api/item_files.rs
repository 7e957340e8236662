//! What each change of an item does to its file: in every format of front matter and body, and in the
//! files of other generators. The snapshots hold the lines that differ, and no other line may.

use serde_json::{Value, json};

use crate::support::served::{diff, serve};
use crate::support::small_site::{SmallSite, site};

const TOML: &str = r#"+++
# A walk by the sea.
id = "ID"
title = "Harbour walk"   # said aloud
date_published = 2026-05-01T09:00:00Z
tags = ["sea", 'walks']
image = "https://cdn.example/cover.png"
url = "https://elsewhere.example/walk"
language = 'en'
allow = ["alt-text"]  # not in the API
guid = "tag:walk"
authors = ["Ada", { name = "Ben", url = "https://ben.example" }]
attachment = "https://cdn.example/walk.mp3"

[seo]
title = "Walk"  # short
description = "By the sea"

[podcast]
people = [
  "Ada",  # host
  { name = "Ben", role = "guest" },
]
license = "cc-by-4.0"
transcripts = [{ url = "https://cdn.example/a.vtt", type = "text/vtt" }]
locations = ["Lisbon"]  # not in the API

[[podcast.chapters]]
startTime = 0
title = "Start"

[[podcast.chapters]]
startTime = 60.5
title = "The ferry"

[itunes]
episode = 3
explicit = false
+++

The ferry was **late**.
"#;

const YAML: &str = "---
# A walk by the sea.
id: ID
title: 'Harbour walk'   # said aloud
date_published: 2026-05-01T09:00:00Z
tags:
- sea
- walks  # on foot
image: https://cdn.example/cover.png
url: https://elsewhere.example/walk
language: en
guid: tag:walk
authors:
  - Ada
  - name: Ben
    url: https://ben.example
attachment: https://cdn.example/walk.mp3
seo:
  title: Walk  # short
  description: >-
    By the
    sea
podcast:
  people:
    - Ada  # host
    - {name: Ben, role: guest}
  license: cc-by-4.0
  transcripts: [{url: https://cdn.example/a.vtt, type: text/vtt}]
  locations: [Lisbon]  # not in the API
  chapters:
    - startTime: 0
      title: Start
    - startTime: 60.5
      title: The ferry
itunes:
  episode: 3
  explicit: false
---

The ferry was **late**.
";

const JSON: &str = r#"{
    "id": "ID",
    "title": "Harbour walk",
    "date_published": "2026-05-01T09:00:00Z",
    "tags": ["sea", "walks"],
    "image": "https://cdn.example/cover.png",
    "url": "https://elsewhere.example/walk",
    "language": "en",
    "guid": "tag:walk",
    "authors": ["Ada", {"name": "Ben", "url": "https://ben.example"}],
    "attachment": "https://cdn.example/walk.mp3",
    "seo": {"title": "Walk", "description": "By the sea"},
    "podcast": {
        "people": ["Ada", {"name": "Ben", "role": "guest"}],
        "license": "cc-by-4.0",
        "transcripts": [{"url": "https://cdn.example/a.vtt", "type": "text/vtt"}],
        "locations": ["Lisbon"],
        "chapters": [{"startTime": 0, "title": "Start"}, {"startTime": 60.5, "title": "The ferry"}]
    },
    "itunes": {"episode": 3, "explicit": false}
}

The ferry was **late**.
"#;

/// Every update rule of the interface: what is left out stays, null clears, a list replaces a list.
fn update_bodies() -> Vec<Value> {
    let service = |value: Value| json!({ "_service": value });
    let podcast = |value: Value| json!({ "_service": { "podcast": value } });
    vec![
        json!({}),
        json!({ "unknown": { "key": [1] }, "_service": { "unknown": true } }),
        json!({ "id": "ID" }),
        json!({ "title": "It's \"new\"" }),
        json!({ "title": null }),
        json!({ "content_markdown": "One.\n\nTwo." }),
        json!({ "content_markdown": null }),
        json!({ "status": "unlisted" }),
        json!({ "status": 2 }),
        json!({ "status": 1 }),
        json!({ "date_published": "2026-05-02T11:00:00+02:00" }),
        json!({ "date_published_ms": 1_777_626_000_000_i64 }),
        json!({ "date_published": null }),
        json!({ "image": "https://cdn.example/other.png" }),
        json!({ "image": null }),
        json!({ "url": "https://other.example/" }),
        json!({ "url": null }),
        json!({ "url": "" }),
        json!({ "language": "pt-BR" }),
        json!({ "language": null }),
        json!({ "guid": "other" }),
        json!({ "guid": null }),
        json!({ "tags": ["sea", "boats"] }),
        json!({ "tags": [] }),
        json!({ "tags": null }),
        json!({ "attachments": [{ "category": "audio", "url": "https://cdn.example/new.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 9, "duration_in_seconds": 1.5 }] }),
        json!({ "attachment": { "url": "https://cdn.example/walk.mp3", "size_in_byte": 10 } }),
        json!({ "attachments": [] }),
        json!({ "attachments": null }),
        json!({ "attachment": null }),
        service(json!(null)),
        service(json!({ "slug": "the-walk" })),
        service(json!({ "slug": "Пристань-2" })),
        service(json!({ "slug": null })),
        service(
            json!({ "authors": [{ "name": "Ada" }, { "name": "Club", "type": "Organization" }] }),
        ),
        service(json!({ "authors": null })),
        service(json!({ "authors": [] })),
        service(json!({ "seo": {} })),
        service(json!({ "seo": { "title": "Longer" } })),
        service(json!({ "seo": { "description": null } })),
        service(
            json!({ "seo": { "social_image": { "url": "https://cdn.example/s.png", "width": 1200, "height": 630, "mime_type": "image/png", "alt": "Sea" } } }),
        ),
        service(json!({ "seo": null })),
        service(json!({ "series": { "name": "Walks" } })),
        service(json!({ "series": { "name": "Walks", "part": 2 } })),
        service(json!({ "series": null })),
        podcast(json!({})),
        podcast(
            json!({ "transcripts": [{ "url": "https://cdn.example/b.srt", "type": "application/srt", "language": "en", "rel": "captions" }] }),
        ),
        podcast(json!({ "transcripts": null })),
        podcast(
            json!({ "chapters": [{ "startTime": 0, "title": "Start" }, { "startTime": 61, "title": "The ferry", "toc": false }] }),
        ),
        podcast(json!({ "chapters": [] })),
        podcast(json!({ "people": [{ "name": "Ada" }] })),
        podcast(json!({ "people": [] })),
        podcast(json!({ "people": null })),
        podcast(json!({ "license": { "identifier": "mine", "url": "https://example.com/mine" } })),
        podcast(json!({ "license": null })),
        service(json!({ "podcast": null })),
        service(json!({ "itunes:episode": 4, "itunes:season": 1 })),
        service(json!({ "itunes:episode": null, "itunes:explicit": null })),
        service(
            json!({ "itunes:title": "T", "itunes:block": true, "itunes:episodeType": "bonus" }),
        ),
    ]
}

/// Sends each change to an item of its own, and tells what it did to the file.
fn report(text: &str, folder: bool, extension: &str, changes: &[Value]) -> String {
    let path = |at: usize| {
        if folder {
            format!("content/items/of-{at}/index.{extension}")
        } else {
            format!("content/items/of-{at}.{extension}")
        }
    };
    let own = |at: usize| text.replace("ID", &format!("id{at}"));
    let add = |site: SmallSite, at| site.with(&path(at), own(at));
    let served = serve((0..changes.len()).fold(site(), add));
    let mut report = String::new();
    for (at, change) in changes.iter().enumerate() {
        let sent = change.to_string().replace("ID", &format!("id{at}"));
        let answer = served.call("PUT", &format!("/items/id{at}/"), sent.as_bytes());
        assert_eq!(answer.status, 200, "{change}: {}", answer.text());
        let after = served.site.read(&path(at));
        report.push_str(&format!("PUT {change}\n{}\n", diff(&own(at), &after)));
        let shown = served.read(&format!("/items/id{at}/")).ok();
        assert_eq!(shown["items"][0], answer.json(), "{change}");
    }
    report
}

#[test]
fn toml() {
    insta::assert_snapshot!(report(TOML, false, "md", &update_bodies()));
}

#[test]
fn yaml() {
    insta::assert_snapshot!(report(YAML, false, "md", &update_bodies()));
}

#[test]
fn json() {
    insta::assert_snapshot!(report(JSON, false, "md", &update_bodies()));
}

#[test]
fn folder_and_html_items_change_like_markdown_files() {
    let whole = |extension: &str| report(TOML, true, extension, &update_bodies()[..5]);
    assert_eq!(whole("md"), whole("html"));
    assert_eq!(whole("md"), report(TOML, false, "md", &update_bodies()[..5]));
}

#[test]
fn crlf_line_ends_are_preserved() {
    let update_bodies = update_bodies();
    for text in [TOML, YAML] {
        let text = text.replace('\n', "\r\n");
        let report = report(&text, false, "md", &update_bodies);
        let changed = report.split('\n').filter(|line| line.starts_with(['-', '+']));
        for line in changed {
            assert!(line.ends_with('\r'), "{line:?} in\n{report}");
        }
    }
}

#[test]
fn files_of_other_generators_keep_their_keys() {
    const HUGO: &str = "---\nid: ID\ntitle: \"Tides\"\ndate: 2026-05-01\ndraft: true\ncategories: [sea]\npermalink: /2026/tides/\nsummary: Short\n---\nText\n";
    let changes = [
        json!({ "status": "published" }),
        json!({ "status": "unlisted" }),
        json!({ "date_published": "2026-05-02T00:00:00Z" }),
        json!({ "date_published_ms": 1_777_593_600_000_i64 }),
        json!({ "tags": ["sea"] }),
        json!({ "tags": ["boats"] }),
        json!({ "tags": null }),
        json!({ "title": "Tide tables" }),
        json!({ "_service": { "slug": "tides" } }),
        json!({ "content_markdown": "Other" }),
    ];
    insta::assert_snapshot!(report(HUGO, false, "md", &changes));
}

#[test]
fn an_update_adds_missing_front_matter() {
    let served = serve(site().with("content/items/bare.md", "Only a *text*.\n"));
    let item = &served.read("/feed/").ok()["items"][0];
    let path = format!("/items/{}/", item["id"].as_str().unwrap());
    served.put(&path, &json!({ "title": "Named" })).ok();
    assert_eq!(
        served.site.read("content/items/bare.md"),
        "+++\ntitle = \"Named\"\n+++\nOnly a *text*.\n"
    );
}

#[test]
fn a_body_in_another_format_converts_the_item() {
    let served = serve(site().with("content/items/a.md", TOML.replace("ID", "a")));
    let item = served.put("/items/a/", &json!({ "content_html": "<p>Now &amp; here</p>" })).ok();
    assert_eq!(item["content_html"], "<p>Now &amp; here</p>");
    assert!(!served.site.exists("content/items/a.md"));
    let text = served.site.read("content/items/a.html");
    assert_eq!(
        diff(&TOML.replace("ID", "a"), &text),
        "-The ferry was **late**.\n+<p>Now &amp; here</p>\n"
    );
    served.put("/items/a/", &json!({ "content_markdown": "*Back*" })).ok();
    assert!(!served.site.exists("content/items/a.html"));
    assert!(served.site.read("content/items/a.md").ends_with("+++\n\n*Back*\n"));
    // What the file held is in the trash.
    let trash = crate::support::small_site::tree(&served.site.path(".feedwright/trash"));
    assert_eq!(trash.len(), 2, "{:?}", trash.keys());
}

#[test]
fn unchanged_html_is_ignored() {
    let text = TOML.replace("ID", "a");
    let served = serve(site().with("content/items/a.md", &text));
    let html = served.read("/items/a/").ok()["items"][0]["content_html"].clone();
    served.put("/items/a/", &json!({ "content_html": html })).ok();
    assert_eq!(served.site.read("content/items/a.md"), text);
    let both = json!({ "content_html": html, "content_markdown": "New" });
    served.put("/items/a/", &both).ok();
    assert_eq!(
        served.site.read("content/items/a.md"),
        text.replace("The ferry was **late**.", "New")
    );
    let both = json!({ "content_html": "<p>x</p>", "content_markdown": "y" });
    let error = served.put("/items/a/", &both).error(400);
    assert!(error.starts_with("content_markdown: "), "{error}");
}

#[test]
fn sending_back_an_item_changes_nothing_in_any_format() {
    for text in [TOML, YAML, JSON] {
        let text = text.replace("ID", "walk");
        let served = serve(site().with("content/items/a.md", &text));
        let mut item = served.read("/items/walk/").ok()["items"][0].clone();
        // The slug is frozen by sending it.
        item["_service"].as_object_mut().unwrap().remove("slug");
        served.put("/items/walk/", &item).ok();
        assert_eq!(served.site.read("content/items/a.md"), text);
    }
}
