//! The channel through the API.

use serde_json::{Value, json};

use crate::support::served::{Served, diff, serve};
use crate::support::small_site::{SmallSite, site};

const CHANNEL: &str = r#"+++
title = "A show"  # on air
home_page_url = "https://show.example"
language = "en"
authors = ["Ada"]
icon = "https://cdn.example/icon.png"
copyright = "© {{current_year}} Ada"
categories = ["Arts > Books", "Technology"]
publisher = "Club"

[seo]
description = "A show of shows"

[podcast]
funding = ["https://pay.example"]  # thanks
guid = "917393e3-1b1e-5cef-ace4-edaa54e1f810"

[itunes]
type = "serial"
explicit = false
email = "ada@show.example"
+++

About the **show**.
"#;

fn serve_channel(text: &str) -> Served {
    serve(SmallSite::with(site(), "content/channel.md", text))
}

fn channel(served: &Served) -> Value {
    let mut feed = served.read("/feed/?limit=1").ok();
    feed.as_object_mut().unwrap().remove("items");
    feed
}

fn update_bodies() -> Vec<Value> {
    let service = |value: Value| json!({ "_service": value });
    let podcast = |value: Value| json!({ "_service": { "podcast": value } });
    vec![
        json!({}),
        json!({ "unknown": 1, "_service": { "unknown": 1 } }),
        podcast(json!({ "unknown": "\u{19}", "\u{19}": ["\u{1}"] })),
        json!({ "title": "Another \"show\"" }),
        json!({ "description": "Words alone." }),
        json!({ "description": null }),
        json!({ "homepage_url": "https://new.example/" }),
        json!({ "home_page_url": "https://new.example/" }),
        json!({ "homepage_url": null }),
        json!({ "icon": "https://cdn.example/new.png" }),
        json!({ "icon": null }),
        json!({ "language": "de" }),
        json!({ "language": null }),
        json!({ "authors": [{ "name": "Ben", "url": "https://ben.example" }, { "name": "Club", "type": "Organization" }] }),
        json!({ "authors": [] }),
        json!({ "authors": null }),
        json!({ "expired": true }),
        json!({ "expired": null }),
        service(json!({ "copyright": "Mine" })),
        service(json!({ "copyright": null })),
        service(
            json!({ "categories": [{ "name": "Arts", "categories": [{ "name": "Books" }, { "name": "Design" }] }] }),
        ),
        service(json!({ "categories": [] })),
        service(json!({ "publisher": { "name": "House", "type": "Organization" } })),
        service(json!({ "publisher": null })),
        service(json!({ "seo": { "title": "T" } })),
        service(json!({ "seo": { "description": null } })),
        service(json!({ "seo": null })),
        podcast(
            json!({ "medium": "podcast", "locked": { "owner": "ada@show.example", "locked": true } }),
        ),
        podcast(json!({ "funding": [{ "url": "https://pay.example", "text": "Help" }] })),
        podcast(json!({ "guid": null })),
        service(json!({ "podcast": null })),
        service(
            json!({ "itunes:type": "episodic", "itunes:explicit": true, "itunes:block": true, "itunes:complete": true }),
        ),
        service(
            json!({ "itunes:email": null, "itunes:title": "A", "itunes:new-feed-url": "https://new.example/rss" }),
        ),
    ]
}

#[test]
fn each_update_changes_only_its_lines() {
    let mut report = String::new();
    for rule in update_bodies() {
        let served = serve_channel(CHANNEL);
        let answer = served.put("/channels/primary/", &rule);
        assert_eq!((answer.status, answer.text().as_str()), (200, "{}"), "{rule}");
        let lines = diff(CHANNEL, &served.site.read("content/channel.md"));
        report.push_str(&format!("PUT {rule}\n{lines}\n"));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn sending_back_a_channel_changes_nothing() {
    for text in [
        CHANNEL.to_owned(),
        CHANNEL.replace('\n', "\r\n"),
        "---\ntitle: A show # on air\nauthor: Ada\ncategories: [Arts]\nitunes: {explicit: no}\n---\nAbout.\n".to_owned(),
        "{\"title\": \"A show\", \"description\": \"About\", \"expired\": false}\n".to_owned(),
    ] {
        let served = serve_channel(&text);
        let shown = channel(&served);
        served.put("/channels/primary/", &shown).ok();
        assert_eq!(served.site.read("content/channel.md"), text);
    }
}

#[test]
fn sent_fields_are_returned() {
    let served = serve_channel(CHANNEL);
    let sent = json!({
        "title": "New",
        "description": "<p>About &amp; more</p>",
        "homepage_url": "https://new.example",
        "icon": "https://cdn.example/new.png",
        "language": "pt-BR",
        "authors": [{ "name": "Ben", "url": "https://ben.example" }],
        "expired": true,
        "_service": {
            "copyright": "{{current_year}} Ben",
            "categories": [{ "name": "Arts", "categories": [{ "name": "Books" }] }],
            "publisher": { "name": "House", "type": "Organization", "url": "https://house.example" },
            "seo": { "title": "T", "description": "D" },
            "itunes:title": "New!", "itunes:type": "episodic", "itunes:explicit": true, "itunes:block": true,
            "itunes:complete": true, "itunes:email": "ben@show.example", "itunes:new-feed-url": "https://new.example/rss",
        },
    });
    served.put("/channels/primary/", &sent).ok();
    let shown = channel(&served);
    for field in ["title", "icon", "language", "authors", "expired"] {
        assert_eq!(shown[field], sent[field], "{field}");
    }
    assert_eq!(shown["description"].as_str().unwrap().trim(), "<p>About &amp; more</p>");
    assert_eq!(shown["home_page_url"], "https://new.example");
    let year = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).year();
    assert_eq!(shown["_service"]["copyright"], format!("{year} Ben"));
    for (field, value) in sent["_service"].as_object().unwrap() {
        if field != "copyright" {
            assert_eq!(shown["_service"][field], *value, "{field}");
        }
    }
    assert!(
        served.site.read("content/channel.html").contains("copyright = \"{{current_year}} Ben\"")
    );
    assert!(!served.site.exists("content/channel.md"));
    let html = served.get("/").text();
    assert!(html.contains("About &amp; more"));
}

#[test]
fn an_update_creates_a_missing_channel() {
    let served = serve(site().without("content/channel.md"));
    served.put("/channels/primary/", &json!({ "title": "First", "description": "Words" })).ok();
    let text = served.site.read("content/channel.md");
    assert_eq!(text, "+++\ntitle = \"First\"\n+++\n\nWords\n");
    assert_eq!(channel(&served)["title"], "First");
}

#[test]
fn an_invalid_field_is_named_and_nothing_is_written() {
    let served = serve_channel(CHANNEL);
    let before = served.files();
    let service = |value: Value| json!({ "_service": value });
    let long = |length: usize| "x".repeat(length);
    let mut unnamed = String::new();
    for (body, field) in [
        (json!([]), "the body"),
        (json!({ "title": null }), "title"),
        (json!({ "title": "" }), "title"),
        (json!({ "title": " \t" }), "title"),
        (json!({ "title": 1 }), "title"),
        (json!({ "title": long(301) }), "title"),
        (json!({ "title": "a\u{0}" }), "title"),
        (json!({ "description": 1 }), "description"),
        (json!({ "homepage_url": "x" }), "homepage_url"),
        (json!({ "homepage_url": "javascript:1" }), "homepage_url"),
        (json!({ "icon": "missing.png" }), "icon"),
        (json!({ "icon": "../../secret.png" }), "icon"),
        (json!({ "language": "?" }), "language"),
        (json!({ "authors": ["Ada"] }), "authors[0]"),
        (json!({ "authors": [{ "name": "" }] }), "authors[0].name"),
        (json!({ "authors": [{ "name": "A", "url": "x" }] }), "authors[0].url"),
        (json!({ "expired": "no" }), "expired"),
        (service(json!([])), "_service"),
        (service(json!({ "copyright": 1 })), "_service.copyright"),
        (service(json!({ "copyright": long(2001) })), "_service.copyright"),
        (service(json!({ "categories": ["Arts"] })), "_service.categories[0]"),
        (service(json!({ "categories": [{ "name": "" }] })), "_service.categories[0].name"),
        (service(json!({ "publisher": "House" })), "_service.publisher"),
        (
            service(json!({ "publisher": { "name": "A", "type": "House" } })),
            "_service.publisher.type",
        ),
        (service(json!({ "seo": { "title": long(4097) } })), "_service.seo.title"),
        (service(json!({ "podcast": [] })), "_service.podcast"),
        (service(json!({ "podcast": { "medium": "nonsense" } })), "_service.podcast.medium"),
        (service(json!({ "podcast": { "locked": 5 } })), "_service.podcast.locked"),
        (service(json!({ "itunes:type": "other" })), "_service.itunes:type"),
        (service(json!({ "itunes:explicit": "yes" })), "_service.itunes:explicit"),
        (service(json!({ "itunes:email": long(321) })), "_service.itunes:email"),
        (service(json!({ "itunes:new-feed-url": "x" })), "_service.itunes:new-feed-url"),
    ] {
        let answer = served.put("/channels/primary/", &body);
        let is_named = answer.status == 400 && answer.error(400).starts_with(&format!("{field}:"));
        if !is_named {
            unnamed.push_str(&format!(
                "{field}: {body:.100} → {} {}\n",
                answer.status,
                answer.text()
            ));
        }
    }
    assert!(unnamed.is_empty(), "{unnamed}");
    for id in ["other", "Primary", "primary%20", "1"] {
        let error = served.put(&format!("/channels/{id}/"), &json!({ "title": "New" })).error(400);
        assert!(error.starts_with("channelId:"), "{error}");
    }
    assert_eq!(served.files(), before);
    assert_eq!(served.journal(), []);
}

#[test]
fn the_journal_records_channel_updates() {
    let served = serve_channel(CHANNEL);
    let headers = [("Service-Causation-Id", "c"), ("Service-Correlation-Id", "d")];
    served.call_with("PUT", "/channels/primary/", &headers, b"{\"title\": \"T\"}").ok();
    let entry = served.journal().pop().unwrap();
    assert_eq!((entry.operation.as_str(), entry.subject.as_str()), ("updateChannel", "primary"));
    assert_eq!(entry.path.as_deref(), Some("content/channel.md"));
    assert_eq!((entry.causation.as_deref(), entry.correlation.as_deref()), (Some("c"), Some("d")));
}

#[test]
fn a_site_with_one_language_has_one_channel() {
    let served = serve(
        site().with("content/channel.md", "+++\ntitle = \"Hafen\"\nlanguage = \"de\"\n+++\n"),
    );
    let title = json!({ "title": "Port" });
    let error = served.put("/channels/primary/?language=fr", &title).error(404);
    assert!(error.contains("language: the only language is de, not \"fr\""), "{error}");
    assert!(served.site.read("content/channel.md").contains("Hafen"));
    served.put("/channels/primary/?language=de", &title).ok();
    assert!(served.site.read("content/channel.md").contains("Port"));
}
