//! Items through the API: every row of the interface, and what it does to the files.

use serde_json::{Value, json};

use crate::support::served::{Served, diff, serve};
use crate::support::small_site::{site, tree};

const EPISODE: &str = r#"+++
# A walk by the sea.
id = "walk"
title = "Harbour walk"   # said aloud
date_published = 2026-05-01T09:00:00Z
tags = ["sea", 'walks']

[podcast]
people = [
  "Ada",  # host
]
+++

The ferry was **late**.
"#;

fn serve_episode() -> Served {
    serve(site().with("content/items/walk.md", EPISODE))
}

#[test]
fn each_sent_field_changes_one_line() {
    let served = serve_episode();
    let item = served.put("/items/walk/", &json!({ "language": "en" })).ok();
    assert_eq!(item["language"], "en");
    let text = served.site.read("content/items/walk.md");
    assert_eq!(text, EPISODE.replace("'walks']\n", "'walks']\nlanguage = \"en\"\n"));
    served.put("/items/walk/", &json!({ "date_published": "2026-05-02T09:00:00.000Z" })).ok();
    let expected = text.replace("2026-05-01T09:00:00Z", "2026-05-02T09:00:00Z");
    assert_eq!(served.site.read("content/items/walk.md"), expected);
}

#[test]
fn sending_back_an_item_only_freezes_its_slug() {
    let served = serve_episode();
    let feed = served.read("/items/walk/").ok();
    served.put("/items/walk/", &feed["items"][0]).ok();
    assert_eq!(
        diff(EPISODE, &served.site.read("content/items/walk.md")),
        "+slug = \"harbour-walk-walk\"\n"
    );
}

/// The one item of the answer of a read.
fn item(served: &Served, key: &str) -> Value {
    let feed = served.read(&format!("/items/{key}/")).ok();
    assert_eq!(feed["items"].as_array().unwrap().len(), 1);
    feed["items"][0].clone()
}

/// A file's text with what depends on the clock and on chance replaced.
fn normalize_text(text: &str, id: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once(" = ") {
        Some((key @ ("date_published" | "date_created"), _)) => format!("{key} = NOW\n"),
        _ => format!("{}\n", line.replace(id, "ID")),
    });
    lines.collect()
}

fn created(body: &Value) -> (Served, String, String) {
    let served = serve(site());
    let answer = served.post("/items/", body);
    assert_eq!(answer.status, 201);
    let json = answer.json();
    assert_eq!(json.as_object().unwrap().len(), 1);
    let id = json["id"].as_str().unwrap().to_owned();
    let files = served.files();
    let mut new = files.keys().filter(|path| path.starts_with("content/items/"));
    let path = new.next().unwrap().clone();
    assert_eq!(new.next(), None);
    (served, path, id)
}

#[test]
fn an_item_is_created_with_every_field() {
    let body = json!({
        "guid": "tag:one",
        "title": "Über *alles*: 100%",
        "content_markdown": "Some **text**.\n\n- a\n- b",
        "status": "unlisted",
        "date_published": "2026-05-01T09:00:00.250+02:00",
        "image": "https://cdn.example/cover.png",
        "url": "https://elsewhere.example/",
        "language": "de",
        "tags": ["sea", "C#"],
        "attachments": [{ "category": "audio", "url": "https://cdn.example/a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 1000, "duration_in_seconds": 61.5 }],
        "_service": {
            "slug": "über-alles",
            "authors": [{ "name": "Ada", "url": "https://ada.example" }, { "name": "Club", "type": "Organization" }],
            "seo": { "title": "T", "description": "D", "social_image": { "url": "https://cdn.example/s.png", "width": 1200, "height": 630, "mime_type": "image/png", "alt": "A" } },
            "podcast": {
                "transcripts": [{ "url": "https://cdn.example/a.vtt", "type": "text/vtt", "language": "de", "rel": "captions" }],
                "chapters": [{ "startTime": 0, "title": "Start", "img": "https://cdn.example/1.png", "url": "https://a.example/", "toc": true, "endTime": 30.5, "location": { "name": "Lisbon", "geo": "geo:38.7,-9.1", "osm": "R1" } }],
                "people": [{ "name": "Ada", "role": "host", "group": "cast", "img": "https://cdn.example/ada.png", "href": "https://ada.example/" }],
                "license": { "identifier": "cc-by-4.0" },
            },
            "itunes:title": "Alles", "itunes:block": true, "itunes:explicit": false, "itunes:season": 1, "itunes:episode": 2, "itunes:episodeType": "full",
        },
    });
    let (served, path, id) = created(&body);
    insta::assert_snapshot!("created", normalize_text(&served.site.read(&path), &id));
    assert_eq!(path, "content/items/über-alles-100.md");
    let shown = item(&served, &id);
    for field in ["title", "language", "tags", "image"] {
        assert_eq!(shown[field], body[field], "{field}");
    }
    assert_eq!(shown["date_published"], "2026-05-01T07:00:00.250Z");
    assert_eq!(shown["external_url"], "https://elsewhere.example/");
    let (own, sent) = (&shown["_service"], &body["_service"]);
    for field in [
        "slug", "seo", "itunes:title", "itunes:block", "itunes:explicit", "itunes:season",
        "itunes:episode", "itunes:episodeType",
    ] {
        assert_eq!(own[field], sent[field], "{field}");
    }
    for field in ["transcripts", "chapters", "people"] {
        assert_eq!(own["podcast"][field], sent["podcast"][field], "{field}");
    }
    assert_eq!(own["guid"], "tag:one");
    assert_eq!(own["status"], "unlisted");
    assert_eq!(own["date_published_ms"], 1_777_618_800_250_i64);
    assert_eq!(own["duration_hhmmss"], "00:01:01");
    assert_eq!(own["authors"][1], json!({ "name": "Club", "type": "Organization" }));
}

#[test]
fn an_item_with_only_a_title_is_published_now() {
    let (served, path, id) = created(&json!({ "title": "?" }));
    assert_eq!(path, format!("content/items/{id}.md"));
    assert_eq!(
        normalize_text(&served.site.read(&path), &id),
        "+++\nid = \"ID\"\ntitle = \"?\"\ndate_published = NOW\ndate_created = NOW\n+++\n"
    );
    let shown = item(&served, &id);
    assert_eq!(shown["_service"]["status"], "published");
    let date: jiff::Timestamp = shown["date_published"].as_str().unwrap().parse().unwrap();
    assert!(jiff::Timestamp::now().duration_since(date).as_secs() < 60);
}

#[test]
fn a_created_draft_has_no_publication_date() {
    let (served, path, id) =
        created(&json!({ "title": "Later", "status": 2, "content_html": "<p>Hm</p>" }));
    assert_eq!(path, "content/items/later.html");
    assert_eq!(
        normalize_text(&served.site.read(&path), &id),
        "+++\nid = \"ID\"\ntitle = \"Later\"\nstatus = \"unpublished\"\ndate_created = NOW\n+++\n\n<p>Hm</p>\n"
    );
    assert_eq!(item(&served, &id).get("date_published"), None);
    assert_eq!(served.get(&format!("/i/{id}/")).status, 404);
}

#[test]
fn numeric_statuses_and_field_aliases_are_accepted() {
    for (number, name) in [(1, "published"), (4, "unlisted"), (2, "unpublished")] {
        let (served, _, id) = created(&json!({ "title": "A", "status": number }));
        assert_eq!(item(&served, &id)["_service"]["status"], name);
    }
    let (served, _, id) = created(
        &json!({ "attachment": { "category": "video", "url": "https://a.example/b", "size_in_byte": 7 } }),
    );
    let shown = item(&served, &id);
    assert_eq!(shown["attachments"][0]["size_in_bytes"], 7);
    assert_eq!(shown["_service"]["is_video"], true);
}

#[test]
fn every_attachment_category_is_returned_as_sent() {
    for (category, flag) in [
        ("audio", "is_audio"),
        ("video", "is_video"),
        ("document", "is_document"),
        ("image", "is_image"),
        ("external_url", "is_external_url"),
    ] {
        let (served, _, id) = created(
            &json!({ "attachments": [{ "category": category, "url": "https://a.example/x" }] }),
        );
        let shown = item(&served, &id);
        for own in ["is_audio", "is_video", "is_document", "is_image", "is_external_url"] {
            assert_eq!(shown["_service"][own], own == flag, "{category} {own}");
        }
        assert_eq!(shown["attachments"].as_array().map_or(0, Vec::len), 1);
        let kind = shown["attachments"][0].get("mime_type");
        assert_eq!(kind.is_some(), category != "external_url");
    }
}

#[test]
fn a_custom_id_is_unique_and_immutable() {
    let served = serve(site());
    let body = json!({ "id": "Chosen_1", "title": "A" });
    assert_eq!(served.post("/items/", &body).ok(), json!({ "id": "Chosen_1" }));
    let error = served.post("/items/", &body).error(409);
    assert!(error.starts_with("id:"), "{error}");
    let error = served.put("/items/Chosen_1/", &json!({ "id": "other" })).error(400);
    assert!(error.starts_with("id:"), "{error}");
}

#[test]
fn an_item_is_found_by_id_slug_or_former_slug() {
    let served = serve_episode();
    served.put("/items/walk/", &json!({ "_service": { "slug": "by-the-sea" } })).ok();
    let all = ["walk", "by-the-sea", "harbour-walk-walk", "whatever-walk", "-walk"];
    for key in all {
        assert_eq!(item(&served, key)["id"], "walk", "{key}");
    }
    for (at, key) in all.into_iter().enumerate() {
        let sent = json!({ "guid": format!("g{at}") });
        let shown = served.put(&format!("/items/{key}/"), &sent).ok();
        assert_eq!(shown["_service"]["guid"], sent["guid"], "{key}");
    }
    for (from, to) in [("walk", 301), ("harbour-walk-walk", 301), ("by-the-sea", 200)] {
        assert_eq!(served.get(&format!("/i/{from}/")).status, to, "{from}");
    }
    assert_eq!(served.get("/i/walk/json/").status, 200);
    for key in ["wal", "xwalk", "walk-x"] {
        served.read(&format!("/items/{key}/")).error(404);
    }
    served.delete("/items/by-the-sea/").ok();
    served.read("/items/walk/").error(404);
}

#[test]
fn a_slug_is_frozen_and_former_slugs_redirect() {
    let served = serve_episode();
    let slug = |slug: &str| json!({ "_service": { "slug": slug } });
    served.put("/items/walk/", &slug("cafe\u{301}-走る")).ok();
    assert_eq!(item(&served, "walk")["_service"]["slug"], "café-走る");
    served.put("/items/walk/", &json!({ "title": "Another title" })).ok();
    assert_eq!(item(&served, "walk")["_service"]["slug"], "café-走る");
    served.put("/items/walk/", &slug("third")).ok();
    served.put("/items/walk/", &slug("café-走る")).ok();
    let text = served.site.read("content/items/walk.md");
    assert!(text.contains("aliases = [\"harbour-walk-walk\", \"third\"]\n"), "{text}");
    for from in ["harbour-walk-walk", "third", "walk"] {
        let answer = served.get(&format!("/i/{from}/"));
        assert_eq!(answer.status, 301);
        assert!(answer.header("location").unwrap().ends_with("/i/caf%C3%A9-%E8%B5%B0%E3%82%8B/"));
    }
}

#[test]
fn a_deleted_item_is_moved_to_the_trash() {
    let served = serve(
        site()
            .with("content/items/walk.md", EPISODE)
            .with("content/items/run/index.md", EPISODE.replace("\"walk\"", "\"run\""))
            .with("content/items/run/run.txt", "media"),
    );
    for id in ["walk", "run"] {
        let answer = served.delete(&format!("/items/{id}/"));
        assert_eq!((answer.status, answer.text().as_str()), (200, "{}"));
        served.read(&format!("/items/{id}/")).error(404);
        served.delete(&format!("/items/{id}/")).error(404);
        assert_eq!(served.get(&format!("/i/{id}/")).status, 404);
    }
    assert!(!served.site.exists("content/items/walk.md"));
    assert!(!served.site.exists("content/items/run"));
    let trash = tree(&served.site.path(".feedwright/trash"));
    assert!(trash.values().any(|text| text == EPISODE.as_bytes()));
    assert!(trash.values().any(|text| text == b"media"));
    assert_eq!(served.read("/feed/").ok()["items"], json!([]));
}

#[test]
fn validation_matches_creation_and_writes_nothing() {
    let served = serve_episode();
    let before = served.files();
    for body in [
        json!({ "status": "unpublished" }),
        json!({ "title": "A", "_service": { "slug": "harbour-walk-walk" } }),
        json!({ "id": "walk", "title": "A" }),
    ] {
        assert_eq!(served.post("/items/validate/", &body).ok(), json!({ "valid": true }));
    }
    let headers = [("service-causation-id", ""), ("idempotency-key", "x")];
    served.call_with("POST", "/items/validate/", &headers, b"{\"title\": \"A\"}").ok();
    assert_eq!(served.files(), before);
    assert_eq!(served.journal(), []);
    let headers = [("idempotency-key", "x")];
    served.call_with("POST", "/items/", &headers, b"{\"title\": \"A\"}").ok();
}

#[test]
fn media_next_to_an_item_are_described() {
    let mp3 = std::fs::read(crate::support::media_fixture("chapters.mp3")).unwrap();
    let text = "+++\nid = \"walk\"\ntitle = \"Walk\"\nattachment = \"walk.mp3\"\n+++\n";
    let served = serve(
        site()
            .with("content/items/walk/index.md", text)
            .with("content/items/walk/walk.mp3", &mp3)
            .with("content/items/walk/other.mp3", &mp3),
    );
    let shown = item(&served, "walk");
    let published = served.get("/media/items/walk/walk.mp3").body;
    assert!(published.len() > mp3.len(), "it has tags");
    assert_eq!(shown["attachments"][0]["size_in_bytes"], published.len());
    let embedded = shown["_service"]["podcast"]["chapters"].as_array().unwrap().len();
    assert!(embedded > 0);
    // What is shown is what is there.
    served.put("/items/walk/", &json!({ "attachments": shown["attachments"] })).ok();
    assert_eq!(served.site.read("content/items/walk/index.md"), text);
    // A path is one of the site, an address of the site becomes one.
    for url in ["other.mp3".to_owned(), format!("{}/media/items/walk/other.mp3", served.url)] {
        let sent = json!({ "attachments": [{ "category": "audio", "url": url, "mime_type": "audio/mpeg", "size_in_bytes": mp3.len() }] });
        let shown = served.put("/items/walk/", &sent).ok();
        assert_eq!(
            shown["attachments"][0]["url"],
            format!("{}/media/items/walk/other.mp3", served.url)
        );
    }
    let file = served.site.read("content/items/walk/index.md");
    assert!(
        file.contains("attachment = \"/media/items/walk/other.mp3\"\n")
            || file.contains("attachment = \"other.mp3\"\n"),
        "{file}"
    );
    // Cleared chapters stay so, though the file has some.
    for cleared in [json!({ "chapters": [] }), json!({ "chapters": null }), json!(null)] {
        let shown = served.put("/items/walk/", &json!({ "_service": { "podcast": cleared } })).ok();
        let left = shown["_service"].get("podcast").cloned();
        assert_eq!(left.unwrap_or(json!({})), json!({}), "{cleared}");
        let chapters = json!({ "_service": { "podcast": { "chapters": [{ "startTime": 1 }] } } });
        served.put("/items/walk/", &chapters).ok();
    }
}

#[test]
fn site_urls_are_written_as_paths() {
    let picture = std::fs::read(crate::support::media_fixture("picture.png")).unwrap();
    let served =
        serve(site().with("content/media/a.png", picture).with("content/items/walk.md", EPISODE));
    let own = |path: &str| format!("{}{path}", served.url);
    let body = json!({
        "image": own("/media/a.png"),
        "content_markdown": format!("![]({})\n\n[link]({})", own("/media/a.png"), own("/i/walk/")),
        "_service": { "podcast": { "people": [{ "name": "A", "img": own("/media/a.png") }] } },
    });
    let shown = served.put("/items/walk/", &body).ok();
    assert_eq!(shown["image"], own("/media/a.png"));
    assert_eq!(shown["_service"]["podcast"]["people"][0]["img"], own("/media/a.png"));
    let text = served.site.read("content/items/walk.md");
    assert!(!text.contains("127.0.0.1"), "{text}");
    assert!(text.contains("image = \"/media/a.png\""), "{text}");
}

#[test]
fn the_journal_records_every_write_with_its_headers() {
    let served = serve_episode();
    let headers = [("service-causation-id", "event 1!"), ("Service-Correlation-Id", "~workflow~")];
    let id =
        served.call_with("POST", "/items/", &headers, b"{\"title\": \"New\"}").ok()["id"].clone();
    let id = id.as_str().unwrap();
    served.call_with("PUT", "/items/walk/", &headers[..1], b"{\"guid\": \"g\"}").ok();
    served.call_with("DELETE", &format!("/items/{id}/"), &headers[1..], b"").ok();
    served.call_with("PUT", "/items/walk/", &[], b"{\"guid\": \"h\"}").ok();
    let rows: Vec<_> = served
        .journal()
        .into_iter()
        .map(|entry| {
            assert_eq!(entry.key_id, feedwright::state::ENVIRONMENT_KEY);
            assert!(jiff::Timestamp::now().duration_since(entry.time).as_secs() < 60);
            (entry.operation, entry.subject, entry.path, entry.causation, entry.correlation)
        })
        .collect();
    let row = |operation: &str, subject: &str, path: &str, causation: bool, correlation: bool| {
        (
            operation.to_owned(),
            subject.to_owned(),
            Some(format!("content/items/{path}.md")),
            causation.then(|| "event 1!".to_owned()),
            correlation.then(|| "~workflow~".to_owned()),
        )
    };
    assert_eq!(
        rows,
        [
            row("createItem", id, "new", true, true),
            row("updateItem", "walk", "walk", true, false),
            row("deleteItem", id, "new", false, true),
            row("updateItem", "walk", "walk", false, false),
        ]
    );
}

#[test]
fn errors_in_other_files_do_not_block_writes() {
    let served = serve(
        site()
            .with("content/items/walk.md", EPISODE)
            .with("content/items/broken.md", "+++\ntitle = \n+++\n")
            .with(
                "content/items/half.md",
                "+++\nid = \"half\"\ntitle = \"Half\"\nlanguage = 5\n+++\n",
            ),
    );
    served.put("/items/walk/", &json!({ "guid": "g" })).ok();
    served.post("/items/", &json!({ "title": "New" })).ok();
    // Its author's mistake is no reason to refuse another field.
    let answer = served.put("/items/half/", &json!({ "title": "Whole" }));
    if answer.status != 404 {
        answer.ok();
        assert!(
            served.site.read("content/items/half.md").contains("title = \"Whole\"\nlanguage = 5\n")
        );
    }
}

#[test]
fn deleting_a_folder_item_removes_the_whole_folder() {
    let item = |id: &str| format!("+++\nid = \"{id}\"\ntitle = \"{id}\"\n+++\nText\n");
    let served = serve(
        site()
            .with("content/items/trip/index.md", item("trip"))
            .with("content/items/trip/try.html", "<p>An interactive</p>")
            .with("content/items/trip/.hidden", "x")
            .with("content/items/trip/media/a.jpg", "a")
            .with("content/items/2026/other/index.html", item("other"))
            .with("content/items/2026/other/b.jpg", "b"),
    );
    served.delete("/items/trip/").ok();
    served.delete("/items/other/").ok();
    let feed = served.read("/feed/").ok();
    assert_eq!(feed["items"].as_array().unwrap().len(), 0, "{feed}");
    assert!(!served.site.exists("content/items/trip"));
    assert!(!served.site.exists("content/items/2026"));
    let trash: Vec<String> = tree(&served.site.path(".feedwright/trash"))
        .into_keys()
        .filter_map(|path| Some(path.split_once('/')?.1.to_owned()))
        .collect();
    assert_eq!(
        trash,
        [
            "content/items/trip/.hidden", "content/items/trip/index.md",
            "content/items/trip/media/a.jpg", "content/items/trip/try.html",
            "content/items/2026/other/b.jpg", "content/items/2026/other/index.html",
        ]
    );
    let paths: Vec<Option<String>> = served.journal().into_iter().map(|entry| entry.path).collect();
    assert_eq!(paths[0].as_deref(), Some("content/items/trip/index.md"));
}

#[test]
fn deleting_a_folder_item_keeps_nested_items_and_their_media() {
    let item = |id: &str| format!("+++\nid = \"{id}\"\ntitle = \"{id}\"\n+++\nText\n");
    let served = serve(
        site()
            .with("content/items/trip/index.md", item("trip"))
            .with("content/items/trip/try.html", "<p>An interactive</p>")
            .with("content/items/trip/a.jpg", "a")
            .with("content/items/trip/day/index.md", item("day"))
            .with("content/items/trip/day/map.html", "<p>A map</p>"),
    );
    served.delete("/items/trip/").ok();
    let feed = served.read("/feed/").ok();
    let ids: Vec<&Value> =
        feed["items"].as_array().unwrap().iter().map(|item| &item["id"]).collect();
    assert_eq!(ids, ["day"]);
    let left: Vec<String> = tree(&served.site.path("content/items")).into_keys().collect();
    assert_eq!(left, ["trip/a.jpg", "trip/day/index.md", "trip/day/map.html"]);
    served.read("/items/trip/").error(404);
}

/// A mistyped key once published an item with nothing in it.
#[test]
fn publishing_an_empty_item_is_rejected() {
    let served = serve_episode();
    let before = served.files();
    for (body, start) in [
        (json!({}), "title: "),
        (json!({ "titel": "x" }), "titel: unknown field; did you mean title? "),
        (json!({ "x": 1, "Title": "x" }), "Title: unknown field; did you mean title? "),
        (json!({ "zzz": "x" }), "zzz: unknown field; "),
        (json!({ "title": "  ", "content_html": "\n" }), "title: "),
        // What editors of clients send where nothing was written.
        (json!({ "content_html": "<p><br></p>" }), "title: "),
        (json!({ "content_html": "<div><p>&nbsp;</p><!-- x --></div>" }), "title: "),
        (json!({ "status": "unlisted", "tags": ["sea"], "attachments": [] }), "title: "),
        (json!({ "url": "", "image": "https://cdn.example/a.png" }), "title: "),
    ] {
        for path in ["/items/", "/items/validate/"] {
            let message = served.post(path, &body).error(400);
            assert!(message.starts_with(start), "{body}: {message}");
            assert!(message.contains("needs a title, a body, an attachment or a url"));
        }
    }
    let body = json!({ "title": "", "content_markdown": null });
    let message = served.put("/items/walk/", &body).error(400);
    assert!(message.starts_with("title: "), "{message}");
    assert_eq!(served.files(), before);
    // With an Idempotency-Key, too: the key is free again.
    let key = [("idempotency-key", "one")];
    served.call_with("POST", "/items/", &key, b"{}").error(400);
    served.call_with("POST", "/items/", &key, b"{\"title\": \"A\"}").ok();
    for body in [
        json!({ "status": "unpublished" }),
        json!({ "url": "https://elsewhere.example/" }),
        json!({ "content_html": "<img src=\"https://a.example/1.png\">" }),
        json!({ "attachments": [{ "url": "https://a.example/1.mp3" }] }),
        json!({ "title": "A", "titel": "x" }),
    ] {
        assert_eq!(served.post("/items/", &body).status, 201, "{body}");
    }
}

#[test]
fn an_existing_empty_item_can_be_changed() {
    let served = serve(site().with("content/items/a.md", "+++\nid = \"a\"\n+++\n"));
    served.put("/items/a/", &json!({ "tags": ["sea"] })).ok();
    let draft = serve(site().item("+++\nid = \"a\"\nstatus = \"unpublished\"\n+++\n"));
    let message = draft.put("/items/a/", &json!({ "status": "published" })).error(400);
    assert!(message.starts_with("title: "), "{message}");
}

#[test]
fn an_invalid_id_is_replaced() {
    let served = serve_episode();
    let long = "x".repeat(65);
    for id in ["", "a b", "../x", "https://other.example/?p=5", "tag:a.example,2026:1", &long] {
        let body = json!({ "id": id, "title": "A" });
        served.post("/items/validate/", &body).ok();
        let made = served.post("/items/", &body).ok()["id"].clone();
        assert_eq!(made.as_str().unwrap().len(), 11, "{id}");
    }
    assert_eq!(served.post("/items/", &json!({ "id": "own", "title": "A" })).ok()["id"], "own");
    served.put("/items/walk/", &json!({ "id": "", "language": "en" })).ok();
    served.put("/items/walk/", &json!({ "id": "other" })).error(400);
}

/// The date that a file has now, where the clock gave it.
fn is_dated_now(text: &str, key: &str) -> bool {
    let start = format!("{key} = ");
    let line = text.lines().find(|line| line.starts_with(&start));
    let date = line.and_then(|line| line[start.len()..].trim_matches(['"', '\'']).parse().ok());
    date.is_some_and(|date: jiff::Timestamp| {
        jiff::Timestamp::now().duration_since(date).as_secs() < 100
    })
}

#[test]
fn publishing_a_draft_sets_its_date() {
    let draft = |front: &str| {
        serve(site().with(
            "content/items/a.md",
            format!("+++\nid = \"a\"\ntitle = \"A\"\n{front}+++\nText\n"),
        ))
    };
    let file = |served: &Served| served.site.read("content/items/a.md");
    for (front, status) in [
        ("status = \"unpublished\"\n", "published"),
        ("status = \"unpublished\"\n", "unlisted"),
        ("draft = true\n", "published"),
    ] {
        let served = draft(front);
        served.put("/items/a/", &json!({ "title": "B" })).ok();
        assert!(!file(&served).contains("date_published"));
        let item = served.put("/items/a/", &json!({ "status": status })).ok();
        assert!(item["date_published"].is_string(), "{item}");
        assert!(is_dated_now(&file(&served), "date_published"), "{}", file(&served));
        // Published again, it keeps its date.
        let before = file(&served);
        served.put("/items/a/", &json!({ "status": "unpublished" })).ok();
        served.put("/items/a/", &json!({ "status": status })).ok();
        let date = |text: &str| {
            text.lines().find(|line| line.starts_with("date_published")).map(str::to_owned)
        };
        assert_eq!(date(&file(&served)), date(&before));
    }
    let kept = draft("status = \"unpublished\"\ndate = 2026-05-01T09:00:00Z\n");
    kept.put("/items/a/", &json!({ "status": "published" })).ok();
    assert!(file(&kept).contains("date = 2026-05-01T09:00:00Z\n"), "{}", file(&kept));
    assert!(!file(&kept).contains("date_published"));
    // A date that is cleared with it is none.
    let cleared = draft("status = \"unpublished\"\ndate = 2026-05-01T09:00:00Z\n");
    let body = json!({ "status": "published", "date_published": null });
    cleared.put("/items/a/", &body).ok();
    assert!(is_dated_now(&file(&cleared), "date"), "{}", file(&cleared));
    let given = draft("status = \"unpublished\"\n");
    let body = json!({ "status": "published", "date_published": "2026-05-02T09:00:00Z" });
    given.put("/items/a/", &body).ok();
    assert!(file(&given).contains("2026-05-02T09:00:00Z"));
}

#[test]
fn lookups_ignore_case_and_unicode_normalization() {
    let served = serve(site().with(
        "content/items/a.md",
        "+++\nid = \"Walk-1\"\nslug = \"Über-café\"\naliases = [\"Alt\"]\ntitle = \"A\"\n[podcast]\nchapters = [{ startTime = 0 }]\n+++\nText\n",
    ));
    let nfc = "/i/%C3%9Cber-caf%C3%A9/";
    assert_eq!(served.get(nfc).status, 200);
    for (path, to) in [
        ("/i/U%CC%88ber-cafe%CC%81/", nfc),
        ("/i/%C3%BCber-caf%C3%A9/", nfc),
        ("/i/%C3%9CBER-CAFE%CC%81", nfc),
        ("/i/walk-1/", nfc),
        ("/i/ALT/", nfc),
        ("/i/walk-1/item.json", "/i/Walk-1/item.json"),
        ("/i/walk-1/json/", "/i/Walk-1/json/"),
        ("/i/WALK-1/item.rss", "/i/Walk-1/item.rss"),
        ("/i/alt/chapters.json", "/i/Alt/chapters.json"),
        ("/i/u%CC%88ber-caf%C3%A9/chapters.json", "/i/%C3%9Cber-caf%C3%A9/chapters.json"),
    ] {
        let moved = served.get(path);
        assert_eq!((moved.status, moved.header("location")), (301, Some(to)), "{path}");
        assert_eq!(served.get(to).status, 200, "{to}");
    }
    for key in ["walk-1", "alt", "u%CC%88ber-cafe%CC%81", "%C3%9CBER-CAF%C3%89"] {
        assert_eq!(item(&served, key)["id"], "Walk-1", "{key}");
        served.put(&format!("/items/{key}/"), &json!({ "title": key })).ok();
    }
    for body in [
        json!({ "title": "B", "_service": { "slug": "über-CAFÉ" } }),
        json!({ "title": "B", "_service": { "slug": "u\u{308}ber-cafe\u{301}" } }),
        json!({ "title": "B", "_service": { "slug": "alt" } }),
        json!({ "title": "B", "id": "WALK-1" }),
    ] {
        served.post("/items/", &body).error(409);
    }
}
