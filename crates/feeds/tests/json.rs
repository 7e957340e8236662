//! Tests of JSON Feed.

use serde_json::json;

use crate::{html, plain, read, skipped};

#[test]
fn every_field_of_a_json_feed_is_read() {
    let feed = read(
        &json!({
            "version": "https://jsonfeed.org/version/1.1", "title": "A", "home_page_url": "https://a.example/",
            "feed_url": "https://a.example/feed.json", "next_url": "https://a.example/2.json", "icon": "https://a.example/i.png",
            "authors": [{ "name": "Ada", "url": "https://ada.example" }], "language": "de", "expired": true, "_own": { "x": 1 },
            "items": [{
                "id": 7, "url": "https://a.example/7", "external_url": "https://b.example/", "title": "One",
                "content_html": "<p>x</p>", "summary": "s", "date_published": "2026-01-02T03:04:05+01:00", "tags": ["sea", "sea"],
                "attachments": [{ "url": "https://a.example/a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 5, "duration_in_seconds": 60 }],
                "_service": { "podcast": { "season": { "number": 2 } } },
            }, "nothing"],
        })
        .to_string(),
    );
    assert_eq!(feed.format, "JSON Feed 1.1");
    assert_eq!(skipped(&feed), [("feed/_own", 1)]);
    assert_eq!(feed.faults[0].message, "item 2 is not an object; it was skipped");
    assert!(feed.channel.expired);
    let [item] = &feed.items[..] else { panic!() };
    assert_eq!(item.guid.as_deref(), Some("7"));
    assert_eq!((item.content.clone(), item.summary.clone()), (html("<p>x</p>"), plain("s")));
    assert_eq!(item.published.unwrap().to_string(), "2026-01-02T02:04:05Z");
    assert_eq!(item.tags, ["sea"]);
    assert_eq!((item.enclosures[0].length, item.enclosures[0].duration), (Some(5), Some(60.0)));
    assert_eq!(json!(item.podcast), json!({ "season": { "number": 2 } }));
}

#[test]
fn other_json_is_rejected() {
    for text in ["{}", "{\"a\": 1}", "{\"version\""] {
        let error = feeds::read(text.as_bytes(), None).unwrap_err();
        assert!(error.message.starts_with("this "), "{error}");
    }
}
