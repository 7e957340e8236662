//! What is wrong with a request is said with the status of the interface and the field as the API names
//! it, nothing is written, and the server goes on.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::served::{Served, serve};
use crate::support::small_site::site;

const ITEM: &str = "+++\nid = \"walk\"\ntitle = \"Walk\"\ndate_published = 2026-05-01T09:00:00Z\nattachment = \"https://cdn.example/a.mp3\"\n+++\nText\n";

fn served() -> Served {
    serve(site().with("content/items/walk.md", ITEM))
}

/// Runs requests that have to fail, and checks that they wrote nothing.
fn assert_nothing_written(served: &Served, requests: impl FnOnce(&Served)) {
    let files = |served: &Served| -> BTreeMap<String, Vec<u8>> { served.files() };
    let (before, journal) = (files(served), served.journal());
    requests(served);
    let changed: Vec<String> = files(served)
        .into_iter()
        .filter(|(path, bytes)| before.get(path) != Some(bytes))
        .map(|(path, bytes)| format!("{path}: {}", String::from_utf8_lossy(&bytes)))
        .collect();
    assert_eq!(changed, [""; 0]);
    assert_eq!(files(served).len(), before.len());
    assert_eq!(served.journal(), journal);
    assert_eq!(served.read("/items/walk/").status, 200);
}

/// A body that is wrong in one field, and the field's name.
fn wrong_fields() -> Vec<(Value, &'static str)> {
    let long = |length: usize| "x".repeat(length);
    let service = |value: Value| json!({ "_service": value });
    let seo = |value: Value| json!({ "_service": { "seo": value } });
    let podcast = |value: Value| json!({ "_service": { "podcast": value } });
    let chapters = |value: Value| json!({ "_service": { "podcast": { "chapters": value } } });
    let attachment = |value: Value| json!({ "attachments": [value] });
    let social = |more: Value| {
        let mut image = json!({ "url": "https://cdn.example/s.png", "width": 1200, "height": 630, "mime_type": "image/png" });
        image.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "_service": { "seo": { "social_image": image } } })
    };
    vec![
        (json!([]), "the body"),
        (json!("text"), "the body"),
        (json!(null), "the body"),
        (json!({ "id": 1 }), "id"),
        (json!({ "guid": [] }), "guid"),
        (json!({ "guid": long(2049) }), "guid"),
        (json!({ "title": 5 }), "title"),
        (json!({ "title": ["a"] }), "title"),
        (json!({ "title": "a\u{0}b" }), "title"),
        (json!({ "title": "a\u{7}b" }), "title"),
        (json!({ "content_html": false }), "content_html"),
        (json!({ "content_html": "\u{b}" }), "content_html"),
        (json!({ "content_markdown": {} }), "content_markdown"),
        (json!({ "content_html": "a", "content_markdown": "b" }), "content_markdown"),
        (json!({ "status": 3 }), "status"),
        (json!({ "status": 0 }), "status"),
        (json!({ "status": "deleted" }), "status"),
        (json!({ "status": "Published" }), "status"),
        (json!({ "status": true }), "status"),
        (json!({ "status": null }), "status"),
        (json!({ "date_published": "yesterday" }), "date_published"),
        (json!({ "date_published": "2026-02-30T00:00:00Z" }), "date_published"),
        (json!({ "date_published": "2026-02-20T00:00:00+24:00" }), "date_published"),
        (json!({ "date_published": "2026-02-20T00:00:00-25:59" }), "date_published"),
        (json!({ "date_published": 5 }), "date_published"),
        (json!({ "date_published_ms": "5" }), "date_published_ms"),
        (json!({ "date_published_ms": 0.5 }), "date_published_ms"),
        (json!({ "date_published_ms": i64::MAX }), "date_published_ms"),
        (json!({ "date_published_ms": i64::MIN }), "date_published_ms"),
        (
            json!({ "date_published": "2026-05-01T09:00:00Z", "date_published_ms": 5 }),
            "date_published_ms",
        ),
        (json!({ "image": 1 }), "image"),
        (json!({ "image": "../../../etc/passwd" }), "image"),
        (json!({ "image": "/media/../../site.toml" }), "image"),
        (json!({ "image": "/media/%2e%2e/%2e%2e/site.toml" }), "image"),
        (json!({ "image": "missing.png" }), "image"),
        (json!({ "url": 1 }), "url"),
        (json!({ "url": "javascript:alert(1)" }), "url"),
        (json!({ "url": "/a/path" }), "url"),
        (json!({ "url": "not a url" }), "url"),
        (json!({ "language": "english language" }), "language"),
        (json!({ "language": long(65) }), "language"),
        (json!({ "language": 1 }), "language"),
        (json!({ "tags": "sea" }), "tags"),
        (json!({ "tags": [1] }), "tags[0]"),
        (json!({ "tags": ["a", null] }), "tags[1]"),
        (json!({ "attachments": {} }), "attachments"),
        (
            json!({ "attachments": [{ "url": "https://a.example/1.mp3" }, { "url": "https://a.example/2.mp3" }] }),
            "attachments",
        ),
        (json!({ "attachments": ["https://a.example/1.mp3"] }), "attachments[0]"),
        (json!({ "attachments": [["audio", "https://a.example/1.mp3"]] }), "attachments[0]"),
        (json!({ "attachment": [] }), "attachment"),
        (
            json!({ "attachments": [{ "url": "https://a.example/1.mp3" }], "attachment": { "url": "https://a.example/2.mp3" } }),
            "attachment",
        ),
        (attachment(json!({})), "attachments[0]"),
        (attachment(json!({ "url": "" })), "attachments[0].url"),
        (attachment(json!({ "url": "missing.mp3" })), "attachments[0].url"),
        (
            attachment(json!({ "url": "https://a.example/1.mp3", "category": "music" })),
            "attachments[0].category",
        ),
        (
            attachment(json!({ "url": "mailto:a@b.example", "category": "external_url" })),
            "attachments[0].url",
        ),
        (
            attachment(json!({ "url": "https://a.example/1.mp3", "mime_type": 1 })),
            "attachments[0].mime_type",
        ),
        (
            attachment(json!({ "url": "https://a.example/1.mp3", "mime_type": long(256) })),
            "attachments[0].mime_type",
        ),
        (
            attachment(json!({ "url": "https://a.example/1.mp3", "size_in_bytes": -1 })),
            "attachments[0].size_in_bytes",
        ),
        (
            attachment(
                json!({ "url": "https://a.example/1.mp3", "size_in_bytes": 9_007_199_254_740_992_u64 }),
            ),
            "attachments[0].size_in_bytes",
        ),
        (
            attachment(json!({ "url": "https://a.example/1.mp3", "size_in_bytes": u64::MAX })),
            "attachments[0].size_in_bytes",
        ),
        (
            attachment(json!({ "url": "https://a.example/1.mp3", "size_in_bytes": "1" })),
            "attachments[0].size_in_bytes",
        ),
        (
            attachment(json!({ "url": "https://a.example/1.mp3", "duration_in_seconds": -0.5 })),
            "attachments[0].duration_in_seconds",
        ),
        (
            attachment(json!({ "url": "https://a.example/1.mp3", "duration_in_seconds": "1" })),
            "attachments[0].duration_in_seconds",
        ),
        (service(json!([])), "_service"),
        (service(json!("x")), "_service"),
        (service(json!({ "slug": "a b" })), "_service.slug"),
        (service(json!({ "slug": "a/b" })), "_service.slug"),
        (service(json!({ "slug": ".." })), "_service.slug"),
        (service(json!({ "slug": "x".repeat(201) })), "_service.slug"),
        (service(json!({ "slug": 5 })), "_service.slug"),
        (service(json!({ "authors": {} })), "_service.authors"),
        (service(json!({ "authors": ["Ada"] })), "_service.authors[0]"),
        (service(json!({ "authors": [{}] })), "_service.authors[0]"),
        (service(json!({ "authors": [{ "name": "" }] })), "_service.authors[0].name"),
        (service(json!({ "authors": [{ "name": long(301) }] })), "_service.authors[0].name"),
        (
            service(json!({ "authors": [{ "name": "A", "type": "person" }] })),
            "_service.authors[0].type",
        ),
        (
            service(json!({ "authors": [{ "name": "A", "type": { "Person": null } }] })),
            "_service.authors[0].type",
        ),
        (
            service(json!({ "authors": [{ "name": "A", "url": "ftp://x" }] })),
            "_service.authors[0].url",
        ),
        (service(json!({ "authors": vec![json!({ "name": "A" }); 51] })), "_service.authors"),
        (seo(json!([])), "_service.seo"),
        (seo(json!({ "title": 1 })), "_service.seo.title"),
        (seo(json!({ "title": long(4097) })), "_service.seo.title"),
        (seo(json!({ "description": long(10_001) })), "_service.seo.description"),
        (seo(json!({ "social_image": "x" })), "_service.seo.social_image"),
        (seo(json!({ "social_image": {} })), "_service.seo.social_image"),
        (social(json!({ "width": 1201 })), "_service.seo.social_image.width"),
        (social(json!({ "height": 629 })), "_service.seo.social_image.height"),
        (social(json!({ "mime_type": "image/gif" })), "_service.seo.social_image.mime_type"),
        (social(json!({ "alt": long(2001) })), "_service.seo.social_image.alt"),
        (social(json!({ "url": "" })), "_service.seo.social_image.url"),
        (service(json!({ "series": "Walks" })), "_service.series"),
        (service(json!({ "series": { "part": 1 } })), "_service.series"),
        (service(json!({ "series": { "name": "…" } })), "_service.series"),
        (service(json!({ "series": { "name": "A", "part": 0 } })), "_service.series.part"),
        (service(json!({ "series": { "name": long(201) } })), "_service.series.name"),
        (podcast(json!([])), "_service.podcast"),
        (podcast(json!({ "transcripts": {} })), "_service.podcast.transcripts"),
        (
            podcast(json!({ "transcripts": [{ "url": "https://a.example/a.vtt" }] })),
            "_service.podcast.transcripts[0]",
        ),
        (
            podcast(json!({ "transcripts": [{ "url": "../../x", "type": "text/vtt" }] })),
            "_service.podcast.transcripts[0].url",
        ),
        (podcast(json!({ "people": ["Ada"] })), "_service.podcast.people[0]"),
        (podcast(json!({ "people": [{ "name": long(129) }] })), "_service.podcast.people[0].name"),
        (
            podcast(json!({ "people": [{ "name": "A", "href": "x" }] })),
            "_service.podcast.people[0].href",
        ),
        (podcast(json!({ "license": "cc0" })), "_service.podcast.license"),
        (podcast(json!({ "license": { "identifier": "my own" } })), "_service.podcast.license"),
        (
            podcast(json!({ "license": { "identifier": long(129), "url": "https://a.example" } })),
            "_service.podcast.license.identifier",
        ),
        (chapters(json!({})), "_service.podcast.chapters"),
        (chapters(json!([{}])), "_service.podcast.chapters[0]"),
        (chapters(json!([{ "startTime": -1 }])), "_service.podcast.chapters[0].startTime"),
        (chapters(json!([{ "startTime": "1" }])), "_service.podcast.chapters[0].startTime"),
        (
            chapters(json!([{ "startTime": 5 }, { "startTime": 4 }])),
            "_service.podcast.chapters[1].startTime",
        ),
        (
            chapters(json!([{ "startTime": 5, "endTime": 4 }])),
            "_service.podcast.chapters[0].endTime",
        ),
        (chapters(json!([{ "startTime": 5, "toc": "no" }])), "_service.podcast.chapters[0].toc"),
        (chapters(json!([{ "startTime": 5, "url": "x" }])), "_service.podcast.chapters[0].url"),
        (
            chapters(json!([{ "startTime": 5, "location": { "name": "A" } }])),
            "_service.podcast.chapters[0].location",
        ),
        (
            chapters(json!([{ "startTime": 5, "location": { "name": "A", "geo": "1,2" } }])),
            "_service.podcast.chapters[0].location.geo",
        ),
        (service(json!({ "itunes:title": 1 })), "_service.itunes:title"),
        (service(json!({ "itunes:title": long(4097) })), "_service.itunes:title"),
        (service(json!({ "itunes:block": "yes" })), "_service.itunes:block"),
        (service(json!({ "itunes:explicit": 1 })), "_service.itunes:explicit"),
        (service(json!({ "itunes:season": 0 })), "_service.itunes:season"),
        (service(json!({ "itunes:season": 1.5 })), "_service.itunes:season"),
        (service(json!({ "itunes:episode": 0 })), "_service.itunes:episode"),
        (service(json!({ "itunes:episode": 4_294_967_296_u64 })), "_service.itunes:episode"),
        (service(json!({ "itunes:episodeType": "Full" })), "_service.itunes:episodeType"),
    ]
}

#[test]
fn an_invalid_field_is_named_by_create_validate_and_update() {
    let served = served();
    let mut report = String::new();
    let mut unnamed = String::new();
    assert_nothing_written(&served, |served| {
        for (body, field) in wrong_fields() {
            let answers = [
                served.put("/items/walk/", &body),
                served.post("/items/", &body),
                served.post("/items/validate/", &body),
            ];
            for answer in &answers {
                let is_named =
                    answer.status == 400 && answer.error(400).starts_with(&format!("{field}:"));
                if !is_named {
                    let sent = shorten(&body.to_string());
                    unnamed.push_str(&format!(
                        "{field}: {sent} → {} {}\n",
                        answer.status,
                        shorten(&answer.text())
                    ));
                }
            }
            report.push_str(&format!(
                "{}\n",
                shorten(answers[0].json()["error"].as_str().unwrap_or_default())
            ));
        }
    });
    assert!(unnamed.is_empty(), "{unnamed}");
    insta::assert_snapshot!(report);
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(160) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[test]
fn the_field_name_uses_the_site_s_namespace() {
    let toml = "base_url = \"https://example.com\"\nnamespace = \"microfeed\"\n";
    let served = serve(site().with("site.toml", toml).with("content/items/walk.md", ITEM));
    assert_nothing_written(&served, |served| {
        for (body, field) in wrong_fields() {
            let text = body.to_string().replace("_service", "_microfeed");
            let message = served.call("PUT", "/items/walk/", text.as_bytes()).error(400);
            let field = field.replace("_service", "_microfeed");
            assert!(message.starts_with(&format!("{field}:")), "{field}: {message}");
            assert!(!message.contains("_service"), "{message}");
        }
        let taken = json!({ "title": "x", "_microfeed": { "slug": "walk" } });
        let translation = json!({ "title": "x", "_microfeed": { "translation_of": "nothing" } });
        for message in [
            served.post("/items/", &taken).error(409),
            served.post("/items/", &translation).error(404),
            served.put("/items/walk/", &translation).error(409),
        ] {
            assert!(message.starts_with("_microfeed."), "{message}");
        }
    });
}

#[test]
fn an_invalid_json_body_is_rejected() {
    let deep = format!("{{\"title\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_unknown = format!("{{\"x\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let served = served();
    assert_nothing_written(&served, |served| {
        for body in [
            b"".as_slice(),
            b"{",
            b"{\"title\": }",
            b"{\"title\": \"a\"} {}",
            b"{'title': 'a'}",
            b"{\"title\": \"\\ud800\"}",
            b"{\"title\": \"\xff\"}",
            b"{\"title\": \"a\nb\"}",
            b"\xef\xbb\xbf{}x",
            b"{\"date_published_ms\": 1e999}",
            b"title=a",
            deep.as_bytes(),
            deep_unknown.as_bytes(),
        ] {
            for (method, path) in [
                ("POST", "/items/"),
                ("POST", "/items/validate/"),
                ("PUT", "/items/walk/"),
                ("PUT", "/channels/primary/"),
                ("POST", "/media_files/presigned_urls/"),
            ] {
                let message = served.call(method, path, body).error(400);
                assert!(message.starts_with("the body"), "{message}");
            }
        }
    });
}

#[test]
fn a_body_may_have_at_most_10_mib() {
    let served = served();
    let body = |length: usize| {
        let frame = json!({ "content_markdown": "" }).to_string().len();
        json!({ "content_markdown": "x".repeat(length - frame) }).to_string()
    };
    let limit = 10 * 1024 * 1024;
    assert_nothing_written(&served, |served| {
        for length in [limit + 1, 11 * 1024 * 1024] {
            for (method, path) in
                [("POST", "/items/"), ("PUT", "/items/walk/"), ("PUT", "/channels/primary/")]
            {
                served.call(method, path, body(length).as_bytes()).error(413);
            }
        }
    });
    served.call("PUT", "/items/walk/", body(limit).as_bytes()).ok();
    assert!(served.site.read("content/items/walk.md").len() > limit - 100);
}

#[test]
fn an_invalid_id_is_400_for_writes_and_404_for_reads() {
    let served = served();
    assert_nothing_written(&served, |served| {
        for id in ["a%20b", "a.b", "%F0%9F%8E%89", &"x".repeat(300)] {
            served.read(&format!("/items/{id}/")).error(404);
            for method in ["PUT", "DELETE"] {
                let message = served.call(method, &format!("/items/{id}/"), b"{}").error(400);
                assert!(message.starts_with("itemId:"), "{message}");
            }
        }
        for id in ["none", "none-at-all", "validates"] {
            served.read(&format!("/items/{id}/")).error(404);
            served.call("PUT", &format!("/items/{id}/"), b"{}").error(404);
            served.delete(&format!("/items/{id}/")).error(404);
        }
    });
}

#[test]
fn path_traversal_is_rejected() {
    let served = served();
    let secret = format!("Authorization: Bearer {}", crate::support::served::KEY);
    assert_nothing_written(&served, |served| {
        for path in [
            "/api/v1/items/../items/walk/", "/api/v1/items/%2e%2e/items/walk/",
            "/api/v1/items/%2E/walk/", "/api/v1/items/..%2f..%2fsite.toml/",
            "/api/v1/items/..%5c..%5csite.toml/", "/api/v1/items/%00/", "/api/v1/items/%ff/",
            "/api/v1//items/walk/", "/api/v1/items//",
        ] {
            for method in ["GET", "PUT", "DELETE"] {
                let request = format!(
                    "{method} {path} HTTP/1.1\r\nHost: {}\r\n{secret}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}",
                    &served.url[7..]
                );
                let answer = served.raw(request.as_bytes());
                let status = &answer[9..12];
                assert!(["404", "400", "405"].contains(&status), "{method} {path}: {answer}");
                assert!(answer.contains("{\"error\":\""), "{answer}");
            }
        }
    });
}

#[test]
fn huge_bodies_are_handled_without_a_crash() {
    let served = served();
    let many: serde_json::Map<String, Value> =
        (0..50_000).map(|at| (format!("key{at}"), json!(at))).collect();
    served.put("/items/walk/", &Value::Object(many)).ok();
    assert_eq!(served.site.read("content/items/walk.md"), ITEM);
    let title = "long ".repeat(200_000);
    let item = served.put("/items/walk/", &json!({ "title": title })).ok();
    assert_eq!(item["title"], title.trim());
    let id = served.post("/items/", &json!({ "title": title })).ok()["id"].clone();
    let id = id.as_str().unwrap();
    assert_eq!(served.read(&format!("/items/{id}/")).status, 200);
    let people: Vec<Value> = (0..5_000).map(|at| json!({ "name": format!("P{at}") })).collect();
    let item = served
        .put("/items/walk/", &json!({ "_service": { "podcast": { "people": people } } }))
        .ok();
    assert_eq!(item["_service"]["podcast"]["people"].as_array().unwrap().len(), 5_000);
}

#[test]
fn any_text_is_returned_unchanged() {
    let served = served();
    for text in [
        "\"quotes\" 'and' `ticks`", "back\\slash \\n \\u0041", "tab\there", "two\nlines", "+++",
        "---", "# no comment", "{{mustache}}", "日本語 🎉 e\u{301}", "\u{85}\u{2028}\u{feff}x",
        "\u{7f}\u{80}\u{9f}", "true", "2026-01-01", "]]>", "<b>&amp;</b>",
    ] {
        let sent = json!({ "title": text, "tags": [text.replace(',', "")], "guid": text, "_service": { "seo": { "description": text }, "podcast": { "people": [{ "name": text }] } } });
        let item = served.put("/items/walk/", &sent).ok();
        assert_eq!(item["title"], text.trim(), "{text:?}");
        assert_eq!(item["_service"]["guid"], text, "{text:?}");
        assert_eq!(item["_service"]["seo"]["description"], text, "{text:?}");
        assert_eq!(item["_service"]["podcast"]["people"][0]["name"], text, "{text:?}");
        let read = served.read("/items/walk/").ok();
        assert_eq!(read["items"][0], item, "{text:?}");
    }
}
