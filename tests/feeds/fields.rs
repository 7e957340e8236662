//! The names, types and formats of what feeds hold (`Item output` and `Feed` of the interface), and
//! who is in them.

use feedwright::project::read;
use feedwright::render::addresses::routes;
use feedwright::render::{Body, Document, DocumentCache, Renderer};
use serde_json::{Value, json};

use crate::support::{Output, SMALL_SITE, Site, options};

/// A site whose channel and one item have every field.
fn full_site() -> Output {
    Site::empty()
        .write(
            "content/channel.md",
            r#"+++
title = "Title"
language = "en"
homepage_url = "https://home.example/"
icon = "https://cdn.example/icon.png"
favicon = "https://cdn.example/favicon.ico"
authors = [{ name = "Ada", url = "https://ada.example/" }]
publisher = { name = "Guild", type = "Organization", url = "https://guild.example/" }
copyright = "© {{current_year}} Ada"
expired = true
categories = ["Arts > Books", "Comedy"]
subscribe_methods = [
  { id = "one", name = "App", type = "app", url = "https://app.example/", image = "https://cdn.example/app.png" },
  { name = "Off", url = "https://off.example/", enabled = false },
]
seo = { title = "T", description = "D", social_image = { url = "https://cdn.example/s.png", width = 1200, height = 630, alt = "A" } }
[itunes]
title = "Apps"
type = "serial"
explicit = true
block = true
complete = true
email = "ada@example.com"
new-feed-url = "https://new.example/rss"
+++
About **it**.
"#,
        )
        .write(
            "content/items/full.md",
            r#"+++
id = "full"
guid = "urn:full"
title = "Full"
slug = "full-item"
status = "published"
date_published = "2026-01-02T03:04:05.678+01:00"
date_modified = "2026-01-03"
date_created = "2026-01-01"
image = { url = "https://cdn.example/cover.jpg", alt = "Cover" }
banner_image = "https://cdn.example/banner.jpg"
url = "https://elsewhere.example/"
language = "de"
summary = "Summary"
tags = ["a", "b"]
authors = [{ name = "Bo", type = "Organization", url = "https://bo.example/" }, "Cy"]
attachment = { url = "https://cdn.example/a.mp3", category = "audio", mime_type = "audio/mpeg", size_in_bytes = 1234, duration_in_seconds = 3723.5 }
seo = { title = "T", description = "D", social_image = { url = "https://cdn.example/s.jpg", width = 1200, height = 630, mime_type = "image/jpeg", alt = "A" } }
[podcast]
transcripts = [{ url = "https://cdn.example/t.vtt", type = "text/vtt", language = "de", rel = "captions" }]
chapters = [{ startTime = 0, title = "C", img = "https://cdn.example/c.png", url = "https://c.example/", toc = true, endTime = 9.5, location = { name = "Rome", geo = "geo:41.9,12.5", osm = "R41485" } }]
people = [{ name = "Bo", role = "guest", group = "cast", img = "https://cdn.example/bo.png", href = "https://bo.example/" }]
license = { identifier = "mine", url = "https://license.example/" }
[itunes]
title = "For apps"
block = true
explicit = false
season = 1
episode = 2
episodeType = "bonus"
+++
Text **here**.
"#,
        )
        .build()
}

#[test]
fn an_item_has_every_documented_field() {
    let feed = full_site().json("feed.json");
    assert_eq!(
        feed["items"],
        json!([{
            "id": "full",
            "title": "Full",
            "url": "https://elsewhere.example/",
            "external_url": "https://elsewhere.example/",
            "content_html": "<p>Text <strong>here</strong>.</p>",
            "content_text": "Text here.",
            "summary": "Summary",
            "image": "https://cdn.example/cover.jpg",
            "banner_image": "https://cdn.example/banner.jpg",
            "date_published": "2026-01-02T02:04:05.678Z",
            "date_modified": "2026-01-03T00:00:00.000Z",
            "authors": [{ "name": "Bo", "url": "https://bo.example/" }, { "name": "Cy" }],
            "tags": ["a", "b"],
            "language": "de",
            "attachments": [{
                "url": "https://cdn.example/a.mp3",
                "mime_type": "audio/mpeg",
                "size_in_bytes": 1234,
                "duration_in_seconds": 3723.5,
            }],
            "_service": {
                "web_url": "https://example.com/i/full-item/",
                "json_url": "https://example.com/i/full/item.json",
                "rss_url": "https://example.com/i/full/item.rss",
                "chapters_url": "https://example.com/i/full/chapters.json",
                "guid": "urn:full",
                "slug": "full-item",
                "status": "published",
                "is_audio": true,
                "is_video": false,
                "is_image": false,
                "is_document": false,
                "is_external_url": false,
                "duration_hhmmss": "01:02:03",
                "date_published_ms": 1_767_319_445_678_u64,
                "date_published_short": "Fri Jan 02 2026",
                "authors": [
                    { "name": "Bo", "type": "Organization", "url": "https://bo.example/" },
                    { "name": "Cy", "type": "Person" },
                ],
                "seo": {
                    "title": "T",
                    "description": "D",
                    "social_image": {
                        "url": "https://cdn.example/s.jpg",
                        "width": 1200,
                        "height": 630,
                        "mime_type": "image/jpeg",
                        "alt": "A",
                    },
                },
                "podcast": {
                    "transcripts": [{ "url": "https://cdn.example/t.vtt", "type": "text/vtt", "language": "de", "rel": "captions" }],
                    "chapters": [{
                        "startTime": 0,
                        "title": "C",
                        "img": "https://cdn.example/c.png",
                        "url": "https://c.example/",
                        "toc": true,
                        "endTime": 9.5,
                        "location": { "name": "Rome", "geo": "geo:41.9,12.5", "osm": "R41485" },
                    }],
                    "people": [{ "name": "Bo", "role": "guest", "group": "cast", "img": "https://cdn.example/bo.png", "href": "https://bo.example/" }],
                    "license": { "identifier": "mine", "url": "https://license.example/" },
                },
                "itunes:title": "For apps",
                "itunes:block": true,
                "itunes:explicit": false,
                "itunes:season": 1,
                "itunes:episode": 2,
                "itunes:episodeType": "bonus",
            },
        }])
    );
}

#[test]
fn a_feed_has_every_documented_field() {
    let mut feed = full_site().json("feed.json");
    feed.as_object_mut().unwrap().remove("items");
    assert_eq!(
        feed,
        json!({
            "version": "https://jsonfeed.org/version/1.1",
            "title": "Title",
            "home_page_url": "https://home.example/",
            "feed_url": "https://example.com/feed.json",
            "description": "<p>About <strong>it</strong>.</p>",
            "icon": "https://cdn.example/icon.png",
            "favicon": "https://cdn.example/favicon.ico",
            "authors": [{ "name": "Ada", "url": "https://ada.example/" }],
            "language": "en",
            "expired": true,
            "_service": {
                "service_version": env!("CARGO_PKG_VERSION"),
                "base_url": "https://example.com",
                "description_text": "About it.",
                "categories": [{ "name": "Arts", "categories": [{ "name": "Books" }] }, { "name": "Comedy" }],
                "subscribe_methods": [{
                    "id": "one",
                    "name": "App",
                    "type": "app",
                    "url": "https://app.example/",
                    "image": "https://cdn.example/app.png",
                    "enabled": true,
                    "editable": true,
                }],
                "copyright": "© 2026 Ada",
                "publisher": { "name": "Guild", "type": "Organization", "url": "https://guild.example/" },
                "seo": {
                    "title": "T",
                    "description": "D",
                    "social_image": { "url": "https://cdn.example/s.png", "width": 1200, "height": 630, "mime_type": "image/png", "alt": "A" },
                },
                "items_sort": "published_at",
                "items_order": "desc",
                "itunes:title": "Apps",
                "itunes:type": "serial",
                "itunes:explicit": true,
                "itunes:block": true,
                "itunes:complete": true,
                "itunes:email": "ada@example.com",
                "itunes:new-feed-url": "https://new.example/rss",
            },
        })
    );
}

#[test]
fn missing_fields_are_omitted() {
    let output =
        Site::empty().write("content/items/least.md", "+++\nid = \"least\"\n+++\n").build();
    assert_eq!(
        output.json("feed.json")["items"],
        json!([{
            "id": "least",
            "title": "",
            "url": "https://example.com/i/least/",
            "content_html": "",
            "content_text": "",
            "_service": {
                "web_url": "https://example.com/i/least/",
                "json_url": "https://example.com/i/least/item.json",
                "rss_url": "https://example.com/i/least/item.rss",
                "guid": "least",
                "slug": "least",
                "status": "published",
                "is_audio": false,
                "is_video": false,
                "is_image": false,
                "is_document": false,
                "is_external_url": false,
            },
        }])
    );
}

#[test]
fn feed_pages_link_to_adjacent_pages() {
    let (first, second) = (SMALL_SITE.json("feed.json"), SMALL_SITE.json("feed/2.json"));
    assert_eq!(first["next_url"], "https://example.com/feed/2.json");
    assert_eq!(first["_service"]["next_url"], first["next_url"]);
    assert_eq!(first["_service"].get("prev_url"), None);
    assert_eq!(second["feed_url"], "https://example.com/feed/2.json");
    assert_eq!(second["_service"]["prev_url"], "https://example.com/feed.json");
    assert_eq!(second.get("next_url"), None);
    assert_eq!(ids(&first).len() + ids(&second).len(), 11);
}

#[test]
fn an_item_document_equals_its_feed_entry() {
    for key in ["hello000001", "episode0001", "pointer0001"] {
        let own = SMALL_SITE.json(&format!("i/{key}/item.json"));
        assert_eq!(ids(&own), [key]);
        assert_eq!(own["feed_url"], format!("https://example.com/i/{key}/item.json"));
        let feeds = [SMALL_SITE.json("feed.json"), SMALL_SITE.json("feed/2.json")];
        let listed = feeds
            .iter()
            .flat_map(|feed| feed["items"].as_array().unwrap())
            .find(|item| item["id"] == key);
        assert_eq!(Some(&own["items"][0]), listed);
    }
}

fn ids(feed: &Value) -> Vec<&str> {
    let items = feed["items"].as_array().unwrap();
    items.iter().map(|item| item["id"].as_str().unwrap()).collect()
}

/// Documents that list what is public.
const PUBLIC_LISTS: [&str; 7] = [
    "feed.json", "rss.xml", "index.html", "sitemap.xml", "llms.txt", "index.txt",
    "tags/t/index.html",
];

/// A site with an item and a Page of each status, and one of each that waits.
fn site_with_all_statuses() -> Site {
    let mut site = Site::empty().config("output.search = false").write(
        "site-files/index.txt",
        "{{#items}}{{{title}}} {{/items}}{{#pages}}{{{title}}} {{/pages}}",
    );
    for (name, fields) in [
        ("published", ""),
        ("unlisted", "status = \"unlisted\""),
        ("unpublished", "status = \"unpublished\""),
        ("future", "date_published = \"2026-04-01T12:00:01Z\""),
        ("now", "date_published = \"2026-04-01T12:00:00Z\""),
    ] {
        let item = format!(
            "+++\nid = \"{name}\"\nslug = \"{name}\"\ntitle = \"item-{name}\"\ntags = [\"t\"]\n{fields}\n+++\nText.\n"
        );
        let page = format!(
            "+++\nslug = \"{name}-page\"\ntitle = \"page-{name}\"\nshow_in_navigation = true\n{fields}\n+++\nText.\n"
        );
        site = site
            .write(&format!("content/items/{name}.md"), &item)
            .write(&format!("content/pages/{name}-page.md"), &page);
    }
    site
}

fn check_visible(output: &Output, listed: &[&str], with_page: &[&str]) {
    for name in ["published", "unlisted", "unpublished", "future", "now"] {
        for list in PUBLIC_LISTS {
            let text = output.text(list);
            let (item, page) = (format!("item-{name}"), format!("page-{name}"));
            let by_path = list == "sitemap.xml";
            let shows_item =
                if by_path { text.contains(&format!("/i/{name}/")) } else { text.contains(&item) };
            let shows_page = if by_path {
                text.contains(&format!("/{name}-page/"))
            } else {
                text.contains(&page)
            };
            assert_eq!(shows_item, listed.contains(&name), "{name} in {list}");
            // Navigation shows Pages, feeds hold items alone.
            if !matches!(list, "feed.json" | "rss.xml") {
                assert_eq!(shows_page, listed.contains(&name), "Page {name} in {list}");
            }
        }
        for file in [
            format!("i/{name}/index.html"),
            format!("i/{name}/item.json"),
            format!("i/{name}/item.rss"),
            format!("{name}-page/index.html"),
        ] {
            assert_eq!(output.has(&file), with_page.contains(&name), "{file}");
        }
    }
}

#[test]
fn published_items_are_listed_and_unlisted_items_are_reachable() {
    check_visible(
        &site_with_all_statuses().build(),
        &["published", "now"],
        &["published", "now", "unlisted"],
    );
}

#[test]
fn drafts_and_scheduled_items_are_shown_on_request() {
    let site = site_with_all_statuses();
    let drafts = site.build_with(|options| options.visibility.drafts = true);
    check_visible(
        &drafts,
        &["published", "now", "unpublished"],
        &["published", "now", "unpublished", "unlisted"],
    );
    let future = site.build_with(|options| options.visibility.future = true);
    check_visible(
        &future,
        &["published", "now", "future"],
        &["published", "now", "future", "unlisted"],
    );
}

#[test]
fn chapters_are_served_for_unlisted_episodes_but_not_drafts() {
    let mut site = Site::empty();
    for status in ["unlisted", "unpublished"] {
        site = site.write(
            &format!("content/items/{status}.md"),
            &format!("+++\nid = \"{status}\"\nstatus = \"{status}\"\n[podcast]\nchapters = [{{ startTime = 0, title = \"A\" }}]\n+++\n"),
        );
    }
    let output = site.build();
    assert!(output.has("i/unlisted/chapters.json"));
    assert!(!output.has("i/unpublished/chapters.json"));
    assert!(!site.config("feed.rss = false").build().has("i/unlisted/chapters.json"));
}

#[test]
fn a_sitemap_over_fifty_thousand_urls_is_split() {
    let fixture = Site::fixture("small-site");
    let read_site = || read(&options(fixture.root(), fixture.root()), &|| ()).0.unwrap();
    let mut site = read_site();
    let pages = 2;
    let entry = site.snapshot.published[0].clone();
    let mut documents = |items: usize| {
        site.snapshot.published = vec![entry.clone(); items].into();
        let (table, _) = routes::routes(&site.snapshot, &site.theme);
        let paths: Vec<String> = table
            .routes
            .iter()
            .map(|route| route.path.clone())
            .filter(|path| path.starts_with("/sitemap"))
            .collect();
        let common = DocumentCache::default();
        let renderer = Renderer::new(&site.snapshot, &site.theme, &common);
        let texts: Vec<String> = table
            .routes
            .iter()
            .filter(|route| route.path.starts_with("/sitemap"))
            .map(|route| match renderer.render(&route.document).unwrap() {
                Body::Bytes(bytes) => String::from_utf8(bytes).unwrap(),
                Body::File(_) | Body::Recording(_) | Body::SearchFile(_) => unreachable!(),
            })
            .collect();
        assert!(table.routes.iter().any(|route| matches!(route.document, Document::Generated(_))));
        (paths, texts)
    };
    let count = |text: &str| text.matches("<url>").count();
    let (paths, texts) = documents(50_000 - 2 - pages);
    assert_eq!(paths, ["/sitemap.xml"]);
    assert_eq!(count(&texts[0]), 50_000);
    let (paths, texts) = documents(50_000 - 1 - pages);
    assert_eq!(paths, ["/sitemap.xml", "/sitemap-1.xml", "/sitemap-2.xml"]);
    assert!(texts[0].contains("<loc>https://example.com/sitemap-2.xml</loc>"));
    assert_eq!((count(&texts[1]), count(&texts[2])), (50_000, 1));
    // Each names two languages, so a part has half of them.
    let german =
        format!("+++\nlanguage = \"de\"\ntranslations = [\"{}\"]\n+++\nText.\n", entry.segment);
    std::fs::write(fixture.root().join("content/items/german.md"), german).unwrap();
    let mut site = read_site();
    site.snapshot.published = vec![entry; 25_000].into();
    let (table, _) = routes::routes(&site.snapshot, &site.theme);
    let paths = table.routes.iter().map(|route| route.path.as_str());
    let parts = paths.filter(|path| path.starts_with("/sitemap-"));
    assert_eq!(parts.collect::<Vec<_>>(), ["/sitemap-1.xml", "/sitemap-2.xml"]);
}
