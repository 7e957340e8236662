//! What is read and sent back whole changes nothing, whatever a file holds and however it spells it. Only
//! an item's derived slug is frozen when it is sent.

use serde_json::{Value, json};

use crate::support::served::{Served, serve};
use crate::support::small_site::{SmallSite, bare, copy, site};
use crate::support::{fixtures, media_fixture};

/// Sends all that a site shows back as it was read, and checks that no byte of a file changes.
fn assert_round_trip(site: SmallSite, name: &str) -> (usize, usize) {
    let served = serve(site);
    let before = served.files();
    let unchanged = |what: &str| {
        let now = served.files();
        for (path, bytes) in &before {
            let new = now.get(path).map(|bytes| String::from_utf8_lossy(bytes));
            let old = String::from_utf8_lossy(bytes);
            assert_eq!(new.as_deref(), Some(&*old), "{name}: {what} changed {path}");
        }
        assert_eq!(now.len(), before.len(), "{name}: {what}");
    };
    let feed = served.read("/feed/?limit=300").ok();
    let items = feed["items"].as_array().unwrap();
    for item in items {
        let id = item["id"].as_str().unwrap();
        let own = served.read(&format!("/items/{id}/")).ok()["items"][0].clone();
        assert_eq!(own, *item);
        let mut sent = own.clone();
        sent["_service"].as_object_mut().unwrap().remove("slug");
        let answer = served.put(&format!("/items/{id}/"), &sent).ok();
        unchanged(&format!("item {id}"));
        assert_eq!(answer, own);
    }
    let pages = served.read("/pages/?limit=100").ok();
    let pages = pages["items"].as_array().unwrap();
    for page in pages {
        let path = format!("/pages/{}/", page["id"].as_str().unwrap());
        let own = served.read(&path).ok();
        assert_eq!(served.put(&path, &own).ok(), own);
        unchanged(&path);
    }
    served.put("/channels/primary/", &feed).ok();
    unchanged("the channel");
    let files = served.read("/site-files/").ok();
    for file in files["items"].as_array().unwrap() {
        let path = format!("/site-files/{}/", file["id"].as_str().unwrap());
        served.put(&path, &served.read(&path).ok()).ok();
        unchanged(&path);
    }
    (items.len(), pages.len())
}

/// A site of these folders of the fixtures, each at a path of it.
fn site_of_fixtures(folders: &[(&str, &str)]) -> SmallSite {
    let made = bare().with("site.toml", "base_url = \"https://example.com\"\n");
    for (fixture, to) in folders {
        copy(&fixtures().join(fixture), &made.path(to));
    }
    made
}

#[test]
fn every_fixture_round_trips_unchanged() {
    let small = bare();
    copy(&fixtures().join("small-site"), small.root());
    assert_eq!(assert_round_trip(small, "small-site"), (14, 5));
    let counts = [
        assert_round_trip(site_of_fixtures(&[("every-podcast-tag", "")]), "every-podcast-tag"),
        assert_round_trip(site_of_fixtures(&[("namespace-example", "")]), "namespace-example"),
        assert_round_trip(
            site_of_fixtures(&[
                ("hugo-content", "content/items"),
                ("jekyll-posts", "content/items/jekyll"),
                ("obsidian-notes", "content/items/notes"),
            ]),
            "other generators",
        ),
    ];
    assert!(counts.iter().all(|(items, _)| *items > 1), "{counts:?}");
}

#[test]
fn this_repository_s_site_round_trips_unchanged() {
    let own = bare();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["content", "site-files", "themes"] {
        copy(&root.join(folder), &own.path(folder));
    }
    own.write("site.toml", std::fs::read(root.join("site.toml")).unwrap());
    let (items, pages) = assert_round_trip(own, "this repository");
    assert!(items > 20 && pages > 10, "{items} {pages}");
}

fn serve_item(front: &str) -> Served {
    let text = format!("+++\nid = \"walk_1\"\n{front}+++\nText\n");
    serve(site().with("content/items/walk.md", text))
}

#[test]
fn a_sent_slug_is_frozen_even_if_it_equals_the_derived_one() {
    const FILE: &str = "content/items/walk.md";
    let item = |title: &str, rest: &str| {
        format!(
            "+++\nid = \"walk\"\ntitle = \"{title}\"\ndate_published = 2026-01-01T00:00:00Z\n{rest}+++\nText\n"
        )
    };
    let slug = "slug = \"harbour-walk-walk\"\n";
    let sent = json!({ "_service": { "slug": "harbour-walk-walk" } });
    // With and without another title, and in the whole item as it was read.
    let served = serve(site().with(FILE, item("Harbour walk", "")));
    served.put("/items/walk/", &sent).ok();
    assert_eq!(served.site.read(FILE), item("Harbour walk", slug));
    served.put("/items/walk/", &json!({ "title": "Sea walk" })).ok();
    assert_eq!(served.site.read(FILE), item("Sea walk", slug));
    assert_eq!(served.get("/i/harbour-walk-walk/").status, 200);

    let served = serve(site().with(FILE, item("Harbour walk", "")));
    let mut body = sent.clone();
    body["title"] = "Sea walk".into();
    let changed = served.put("/items/walk/", &body).ok();
    assert_eq!(changed["_service"]["slug"], "harbour-walk-walk");
    assert_eq!(served.site.read(FILE), item("Sea walk", slug));

    let served = serve(site().with(FILE, item("Harbour walk", "language = \"en\" # mine\n")));
    let read = served.read("/items/walk/").ok()["items"][0].clone();
    assert_eq!(served.put("/items/walk/", &read).ok(), read);
    let frozen = item("Harbour walk", &format!("language = \"en\" # mine\n{slug}"));
    assert_eq!(served.site.read(FILE), frozen, "nothing but the slug");
    served.put("/items/walk/", &read).ok();
    assert_eq!(served.site.read(FILE), frozen);

    // A new item that names the slug keeps it too.
    let new = json!({ "id": "sea", "title": "Sea", "_service": { "slug": "sea-sea" } });
    served.post("/items/", &new).ok();
    assert!(served.site.read("content/items/sea.md").contains("slug = \"sea-sea\"\n"));
}

#[test]
fn an_unfreezable_or_existing_slug_changes_nothing() {
    for (title, slug) in [
        ("title = \"Harbour walk\"\n", "harbour-walk-walk_1"),
        ("title = \"A\"\nslug = \"a\"\n", "a"),
    ] {
        let served = serve_item(title);
        let before = served.site.read("content/items/walk.md");
        let body = json!({ "_service": { "slug": slug } });
        served.put("/items/walk_1/", &body).ok();
        assert_eq!(served.site.read("content/items/walk.md"), before);
    }
}

#[test]
fn a_title_change_redirects_the_old_url() {
    let served = serve_item("title = \"Harbour walk\"\n");
    served.put("/items/walk_1/", &json!({ "title": "Sea walk" })).ok();
    let moved = served.get("/i/harbour-walk-walk_1/");
    assert_eq!(moved.status, 301);
    assert_eq!(moved.header("location"), Some("/i/sea-walk-walk_1/"));
}

/// A picture of 32 × 24 pixels, which no network shows as it is.
fn serve_item_with_image() -> Served {
    let picture = std::fs::read(media_fixture("picture.png")).unwrap();
    serve(
        site()
            .with(
                "content/items/walk/index.md",
                "+++\nid = \"walk\"\ntitle = \"Walk\"\nseo = { social_image = \"a b.png\" }\n+++\nText\n",
            )
            .with("content/items/walk/a b.png", picture),
    )
}

#[test]
fn a_returned_social_image_is_accepted_at_any_size() {
    let served = serve_item_with_image();
    let before = served.site.read("content/items/walk/index.md");
    let read = || served.read("/items/walk/").ok()["items"][0]["_service"]["seo"].clone();
    let seo = read();
    let mut image = seo["social_image"].clone();
    assert_ne!(image["width"], 1200);
    served.put("/items/walk/", &json!({ "_service": { "seo": seo } })).ok();
    assert_eq!(served.site.read("content/items/walk/index.md"), before);
    // What the client adds is added to the picture that is there.
    image["alt"] = "A wren".into();
    let body = json!({ "_service": { "seo": { "social_image": image } } });
    served.put("/items/walk/", &body).ok();
    let expected = before.replace("\"a b.png\"", "{ alt = \"A wren\", url = \"a b.png\" }");
    assert_eq!(served.site.read("content/items/walk/index.md"), expected);
    assert_eq!(read()["social_image"], image);
    // Another size of it is a wish that cannot be.
    image["width"] = 1201.into();
    let body = json!({ "_service": { "seo": { "social_image": image } } });
    let message = served.put("/items/walk/", &body).error(400);
    assert!(message.starts_with("_service.seo.social_image.width: "), "{message}");
    // On another item it is the same picture by its path on the site.
    let item = json!({ "id": "sea", "title": "Sea", "_service": { "seo": {
        "social_image": { "url": image["url"] },
    } } });
    served.post("/items/", &item).ok();
    let text = served.site.read("content/items/sea.md");
    assert!(text.contains("/media/items/walk/a%20b.png"), "{text}");
}

#[test]
fn null_for_a_missing_field_changes_nothing() {
    let served = serve_item("title = \"A\"\nlanguage = \"\" # to come\n");
    let before = served.site.read("content/items/walk.md");
    for body in [
        json!({ "language": null, "_service": { "itunes:title": null, "itunes:season": null } }),
        json!({ "language": "", "_service": { "seo": { "title": null } } }),
    ] {
        served.put("/items/walk_1/", &body).ok();
        assert_eq!(served.site.read("content/items/walk.md"), before, "{body}");
    }
}

#[test]
fn a_channel_icon_round_trips_under_its_alias() {
    let picture = std::fs::read(media_fixture("picture.png")).unwrap();
    let text = "+++\ntitle = \"A\"\nimage = \"media/a.png\"\nhome_page_url = \"https://a.example/\"\n+++\n";
    let served =
        serve(site().with("content/channel.md", text).with("content/media/a.png", picture));
    let feed: Value = served.read("/feed/").ok();
    served.put("/channels/primary/", &feed).ok();
    assert_eq!(served.site.read("content/channel.md"), text);
}

/// A link: an item with an address, which it shows as its attachment too.
fn serve_link_item() -> Served {
    let text = "+++\nid = \"walk\"\ntitle = \"A\"\nurl = \"https://a.example/x?a=b\"\n+++\n";
    serve(site().with("content/items/walk.md", text))
}

#[test]
fn changing_only_the_url_changes_a_link_item_s_target() {
    let served = serve_link_item();
    let before = served.site.read("content/items/walk.md");
    let mut item = served.read("/items/walk/").ok()["items"][0].clone();
    item["_service"].as_object_mut().unwrap().remove("slug");
    item["url"] = "https://b.example/".into();
    let now = served.put("/items/walk/", &item).ok();
    assert_eq!(now["attachments"], json!([{ "url": "https://b.example/" }]));
    assert_eq!(now["_service"]["is_external_url"], true);
    let expected = before.replace("https://a.example/x?a=b", "https://b.example/");
    assert_eq!(served.site.read("content/items/walk.md"), expected);
}

#[test]
fn clearing_the_url_removes_the_link_attachment() {
    for (key, cleared) in
        [("attachments", json!(null)), ("attachments", json!("")), ("attachment", json!(null))]
    {
        let served = serve_link_item();
        let mut item = served.read("/items/walk/").ok()["items"][0].clone();
        item["url"] = cleared.clone();
        item["_service"] = json!({});
        let shown = item["attachments"].take();
        item[key] = if key == "attachment" {
            item.as_object_mut().unwrap().remove("attachments");
            shown[0].clone()
        } else {
            shown
        };
        let now = served.put("/items/walk/", &item).ok();
        assert_eq!(now.get("attachments"), None, "{key} {cleared}");
        assert_eq!(
            served.site.read("content/items/walk.md"),
            "+++\nid = \"walk\"\ntitle = \"A\"\n+++\n"
        );
    }
}

#[test]
fn a_link_item_can_be_copied() {
    let served = serve_link_item();
    let mut item = served.read("/items/walk/").ok()["items"][0].clone();
    item["id"] = "copy".into();
    item["_service"] = json!({});
    served.post("/items/", &item).ok();
    let copy = served.read("/items/copy/").ok()["items"][0].clone();
    assert_eq!(copy["attachments"], item["attachments"]);
    assert_eq!(copy["_service"]["is_external_url"], true);
    // What its ending says to be a medium is one.
    let episode = json!({ "id": "ep", "title": "A", "url": "https://a.example/a.mp3",
        "attachments": [{ "url": "https://a.example/a.mp3" }] });
    served.post("/items/", &episode).ok();
    let episode = served.read("/items/ep/").ok()["items"][0].clone();
    assert_eq!(episode["_service"]["is_audio"], true);
}

#[test]
fn an_item_with_a_site_image_can_be_copied() {
    let served = serve_item_with_image();
    let mut item = served.read("/items/walk/").ok()["items"][0].clone();
    served.post("/items/validate/", &item).ok();
    item["id"] = "copy".into();
    item["_service"]["slug"] = "copy".into();
    item["_service"]["guid"] = "copy".into();
    served.post("/items/", &item).ok();
    let copy = served.read("/items/copy/").ok()["items"][0].clone();
    assert_eq!(copy["_service"]["seo"]["social_image"], item["_service"]["seo"]["social_image"]);
    item["_service"]["seo"]["social_image"]["width"] = 41.into();
    served.post("/items/validate/", &item).error(400);
}
