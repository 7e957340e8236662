//! Site Files through the API: every row and rule of the interface, and what they do to the files.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::api::pages::{assert_refused, trash};
use crate::support::served::{Served, serve};
use crate::support::small_site::site;

const HUMANS: &str = "/* TEAM */\n{{#items}}{{title}}{{^_loop.last}}, {{/_loop.last}}{{/items}}\n";

fn serve_humans_txt() -> Served {
    serve(
        site()
            .with("content/items/a.md", "+++\nid = \"a\"\ntitle = \"One\"\n+++\n")
            .with("site-files/humans.txt", HUMANS),
    )
}

/// The id of the Site File of a name.
fn id(served: &Served, name: &str) -> String {
    find(served, name)["id"].as_str().unwrap().to_owned()
}

fn find(served: &Served, name: &str) -> Value {
    let list = served.read("/site-files/").ok();
    let items = list["items"].as_array().unwrap().iter();
    let mut found = items.filter(|file| file["filename"] == name);
    found.next().unwrap_or_else(|| panic!("no {name}")).clone()
}

#[test]
fn generated_and_custom_site_files_are_listed_by_name() {
    let served = serve_humans_txt();
    let list = served.read("/site-files/").ok();
    let items = list["items"].as_array().unwrap();
    let shown: Vec<(&str, &str, bool, &str)> = items
        .iter()
        .map(|file| {
            let text = |key: &str| file[key].as_str().unwrap();
            (text("filename"), text("mode"), file["system"] == true, text("content_type"))
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("humans.txt", "override", false, "text/plain"),
            ("llms.txt", "generated", true, "text/plain"),
            ("robots.txt", "generated", true, "text/plain"),
            ("sitemap.xml", "generated", true, "application/xml"),
        ]
    );
    let own = &items[0];
    assert_eq!(own["draft_content"], HUMANS);
    assert_eq!(own["published_content"], HUMANS);
    assert_eq!(own["url"], format!("{}/humans.txt", served.url));
    assert_eq!(own.get("generator"), None);
    assert!(own["date_published"].is_string());
    let robots = served.read("/site-files/system-robots/").ok();
    assert_eq!(robots, items[2]);
    assert_eq!(robots["generator"], "robots");
    assert_eq!(robots["draft_content"], "");
    assert_eq!(robots.get("published_content"), None);
    assert_eq!(robots.get("date_published"), None);
}

#[test]
fn a_new_site_file_is_a_draft_until_it_is_published() {
    let served = serve_humans_txt();
    let body = json!({ "filename": "feeds.json", "draft_content": "{\"n\": {{items.length}}}\n" });
    let reply = served.post("/site-files/", &body);
    assert_eq!(reply.status, 201);
    let id = reply.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(served.site.read("site-files/feeds.json.draft"), "{\"n\": {{items.length}}}\n");
    assert_eq!(served.site.read("site.toml"), "base_url = \"https://example.com\"\n");
    let file = served.read(&format!("/site-files/{id}/")).ok();
    assert_eq!(file["content_type"], "application/json");
    assert_eq!(file.get("published_content"), None);
    assert_eq!(served.get("/feeds.json").status, 404);
    served.site.built();
    assert!(!served.site.exists("public/feeds.json"));
    assert!(!served.site.exists("public/feeds.json.draft"));
    let file = served.post(&format!("/site-files/{id}/publish/"), &json!({})).ok();
    assert_eq!(file["published_content"], "{\"n\": {{items.length}}}\n");
    assert_eq!(served.site.read("site-files/feeds.json"), "{\"n\": {{items.length}}}\n");
    assert!(!served.site.exists("site-files/feeds.json.draft"));
    assert_eq!(served.get("/feeds.json").text(), "{\"n\": 1}\n");
}

#[test]
fn an_invalid_site_file_is_rejected_and_nothing_is_written() {
    let served = serve_humans_txt();
    let nested = "{{#a}}".repeat(10_000) + &"{{/a}}".repeat(10_000);
    let start = Instant::now();
    for (body, field) in [
        (json!({ "draft_content": "x" }), "filename"),
        (json!({ "filename": null }), "filename"),
        (json!({ "filename": "" }), "filename"),
        (json!({ "filename": "A.txt" }), "filename"),
        (json!({ "filename": "../a.txt" }), "filename"),
        (json!({ "filename": ".a.txt" }), "filename"),
        (json!({ "filename": "a.html" }), "filename"),
        (json!({ "filename": "favicon.ico" }), "filename"),
        (json!({ "filename": "openapi.json" }), "filename"),
        (json!({ "filename": format!("{}.txt", "a".repeat(125)) }), "filename"),
        (json!({ "filename": "a.txt", "content_type": "text/html" }), "content_type"),
        (json!({ "filename": "a.txt", "content_type": 1 }), "content_type"),
        (json!({ "filename": "a.txt", "enabled": "yes" }), "enabled"),
        (json!({ "filename": "a.txt", "draft_content": 1 }), "draft_content"),
        (json!({ "filename": "a.txt", "draft_content": "x".repeat(262_145) }), "draft_content"),
        (json!({ "filename": "a.txt", "draft_content": "a\n {{#b}}" }), "line 2, column 2"),
        (json!({ "filename": "a.txt", "draft_content": "{{> part}}" }), "line 1, column 1"),
        (json!({ "filename": "a.txt", "draft_content": nested }), "column 1537"),
    ] {
        assert_refused(&served, "POST", "/site-files/", &body, 400, field);
        assert_refused(&served, "POST", "/site-files/validate/", &body, 400, field);
    }
    assert!(start.elapsed() < Duration::from_secs(20));
    let valid = json!({ "filename": "a.txt", "draft_content": "x", "enabled": false, "content_type": "text/csv" });
    assert_eq!(served.post("/site-files/validate/", &valid).ok(), json!({ "valid": true }));
    assert!(!served.site.exists("site-files/a.txt.draft"));
}

#[test]
fn an_existing_name_is_a_conflict() {
    let served = serve_humans_txt();
    served.post("/site-files/", &json!({ "filename": "a.txt" })).ok();
    for name in
        ["humans.txt", "robots.txt", "llms.txt", "sitemap.xml", "rss.xml", "feed.json", "a.txt"]
    {
        assert_refused(&served, "POST", "/site-files/", &json!({ "filename": name }), 409, name);
    }
}

#[test]
fn a_draft_is_stored_next_to_the_published_file() {
    let served = serve_humans_txt();
    let path = format!("/site-files/{}/", id(&served, "humans.txt"));
    let file = served.put(&path, &json!({ "draft_content": "New {{title}}" })).ok();
    assert_eq!(file["draft_content"], "New {{title}}");
    assert_eq!(file["published_content"], HUMANS);
    assert_eq!(served.site.read("site-files/humans.txt"), HUMANS);
    assert_eq!(served.site.read("site-files/humans.txt.draft"), "New {{title}}");
    assert_eq!(served.get("/humans.txt").text(), "/* TEAM */\nOne\n");
    served.put(&path, &json!({ "draft_content": "Newer" })).ok();
    assert_eq!(served.site.read("site-files/humans.txt.draft"), "Newer");
    // What is published, or null, ends the draft.
    let file = served.put(&path, &json!({ "draft_content": null })).ok();
    assert_eq!(file["draft_content"], HUMANS);
    assert!(!served.site.exists("site-files/humans.txt.draft"));
    assert_eq!(trash(&served.site), ["site-files/humans.txt.draft"]);
    served.put(&path, &json!({ "draft_content": "Third" })).ok();
    let file = served.post(&format!("{path}publish/"), &json!({})).ok();
    assert_eq!(
        (&file["draft_content"], &file["published_content"]),
        (&json!("Third"), &json!("Third"))
    );
    assert_eq!(served.site.read("site-files/humans.txt"), "Third");
    assert_eq!(served.get("/humans.txt").text(), "Third");
    // To publish again changes nothing.
    assert_eq!(served.post(&format!("{path}publish/"), &json!({})).ok(), file);
    for (body, field) in [
        (json!({ "filename": "other.txt" }), "filename"),
        (json!({ "filename": null }), "filename"),
        (json!({ "draft_content": "{{" }), "line 1, column 1"),
        (json!({ "content_type": "image/png" }), "content_type"),
    ] {
        assert_refused(&served, "PUT", &path, &body, 400, field);
    }
    assert_eq!(served.put(&path, &file).ok(), file);
}

#[test]
fn invalid_output_is_not_published() {
    let served = serve_humans_txt();
    for (name, template, place) in [
        ("a.json", "{\"title\":\n {{title}} }", "line 2, column 2"),
        ("a.xml", "<a>\n<b></a>", "line 2"),
        ("a.webmanifest", "", "line 1"),
        ("big.txt", "{{#items}}{{#_site}}x{{/_site}}{{/items}}", ""),
    ] {
        let template = match name {
            "big.txt" => format!(
                "{{{{#items}}}}{}{{{{/items}}}}{}",
                "x".repeat(131_072),
                "y".repeat(131_040)
            ),
            _ => template.to_owned(),
        };
        let body = json!({ "filename": name, "draft_content": template });
        let id = served.post("/site-files/", &body).ok()["id"].as_str().unwrap().to_owned();
        let path = format!("/site-files/{id}/publish/");
        if name == "big.txt" {
            served.post("/items/", &json!({ "title": "Two" })).ok();
        }
        assert_refused(&served, "POST", &path, &json!({}), 400, place);
        assert!(!served.site.exists(&format!("site-files/{name}")));
        assert_refused(&served, "POST", "/site-files/preview/", &body, 400, place);
    }
}

#[test]
fn what_would_never_end_is_stopped() {
    let mut own = site();
    for n in 0..100 {
        own = own.with(
            &format!("content/items/{n}.md"),
            format!("+++\ntitle = \"{n}\"\n+++\n{}", "word ".repeat(200)),
        );
    }
    let served = serve(own);
    let deep = "{{#items}}".repeat(200) + &"{{/items}}".repeat(200);
    let wide = "{{_site.json_feed}}".repeat(10_000);
    for (template, why) in [(deep, "rendering stopped"), (wide, "renders to more than")] {
        let body = json!({ "filename": "a.txt", "draft_content": template });
        let start = Instant::now();
        let message = served.post("/site-files/preview/", &body).error(400);
        assert!(message.contains(why), "{message}");
        assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    }
}

#[test]
fn a_preview_renders_unsaved_content() {
    let served = serve_humans_txt();
    let ask = |body: Value| served.post("/site-files/preview/", &body);
    let reply = ask(
        json!({ "filename": "a.txt", "draft_content": "{{#items}}{{title}}{{/items}} {{_site.filename}}" }),
    );
    assert_eq!(
        reply.ok(),
        json!({ "content_type": "text/plain", "rendered_content": "One a.txt", "valid": true })
    );
    assert_eq!(reply.header("cache-control"), Some("private, no-store"));
    let id = id(&served, "humans.txt");
    let body = json!({ "site_file_id": id, "draft_content": "[{{items.length}}]", "content_type": "application/json" });
    let shown = ask(body).ok();
    assert_eq!(
        (&shown["content_type"], &shown["rendered_content"]),
        (&json!("application/json"), &json!("[1]"))
    );
    let robots = ask(json!({ "site_file_id": "system-robots", "draft_content": "" })).ok();
    assert_eq!(robots["rendered_content"], served.get("/robots.txt").text());
    ask(json!({ "site_file_id": "none", "draft_content": "" })).error(404);
    for (body, field) in [
        (json!({ "filename": "a.txt" }), "draft_content"),
        (json!({ "draft_content": "x" }), "filename"),
        (json!({ "filename": "A", "draft_content": "x" }), "filename"),
        (json!({ "filename": "b.txt", "site_file_id": id, "draft_content": "x" }), "filename"),
        (json!({ "filename": "a.txt", "draft_content": "{{/x}}" }), "line 1, column 1"),
        (
            json!({ "filename": "a.txt", "draft_content": "x", "content_type": "a/b" }),
            "content_type",
        ),
    ] {
        assert_refused(&served, "POST", "/site-files/preview/", &body, 400, field);
    }
}

#[test]
fn the_context_has_100_items_and_pages_without_the_404_page() {
    let mut own = site().with("content/pages/404.md", "+++\ntitle = \"Lost\"\n+++\n");
    for n in 0..105 {
        own = own
            .with(&format!("content/items/{n}.md"), format!("+++\ntitle = \"I{n}\"\n+++\n"))
            .with(&format!("content/pages/p{n}.md"), format!("+++\ntitle = \"P{n}\"\n+++\n"));
    }
    let served = serve(own);
    let template = "{{items.length}} {{pages.length}} {{#pages}}{{title}} {{/pages}}";
    let body = json!({ "filename": "a.txt", "draft_content": template });
    let shown = served.post("/site-files/preview/", &body).ok();
    let text = shown["rendered_content"].as_str().unwrap();
    assert!(text.starts_with("100 100 P"), "{text}");
    assert!(!text.contains("Lost"));
}

#[test]
fn a_generated_site_file_can_be_overridden_and_reset() {
    let served = serve_humans_txt();
    let path = "/site-files/system-robots/";
    let generated = served.get("/robots.txt").text();
    let before = served.read(path).ok();
    served
        .put(path, &json!({ "draft_content": "User-agent: *\n", "content_type": "text/markdown" }))
        .ok();
    assert_eq!(served.get("/robots.txt").text(), generated);
    let file = served.post(&format!("{path}publish/"), &json!({})).ok();
    assert_eq!((&file["mode"], &file["system"]), (&json!("override"), &json!(true)));
    assert_eq!(served.get("/robots.txt").text(), "User-agent: *\n");
    assert_eq!(
        served.get("/robots.txt").header("content-type"),
        Some("text/markdown; charset=utf-8")
    );
    served.put(path, &json!({ "draft_content": "Next" })).ok();
    assert_refused(&served, "DELETE", path, &json!({}), 400, "robots.txt");
    let file = served.post(&format!("{path}reset/"), &json!({})).ok();
    assert_eq!((&file["mode"], &file["draft_content"]), (&json!("generated"), &json!("")));
    assert_eq!(file["content_type"], before["content_type"]);
    assert_eq!(served.get("/robots.txt").text(), generated);
    assert_eq!(
        trash(&served.site),
        ["site-files/robots.txt", "site-files/robots.txt.draft", "site-files/robots.txt.draft"]
    );
    assert_eq!(served.site.read("site.toml"), "base_url = \"https://example.com\"\n");
    let own = format!("/site-files/{}/reset/", id(&served, "humans.txt"));
    assert_refused(&served, "POST", &own, &json!({}), 400, "humans.txt");
    // Nothing to publish, nothing to reset.
    served.post(&format!("{path}publish/"), &json!({})).ok();
    assert_eq!(served.get("/robots.txt").text(), generated);
    served.post(&format!("{path}reset/"), &json!({})).ok();
}

#[test]
fn disabled_site_files_are_not_published() {
    let served = serve_humans_txt();
    let path = format!("/site-files/{}/", id(&served, "humans.txt"));
    let file = served.put(&path, &json!({ "enabled": false })).ok();
    assert_eq!(file["enabled"], false);
    let config = "base_url = \"https://example.com\"\n";
    let off = format!("{config}\n[site_files.\"humans.txt\"]\nenabled = false\n");
    assert_eq!(served.site.read("site.toml"), off);
    assert_eq!(served.get("/humans.txt").status, 404);
    served.put("/site-files/system-sitemap/", &json!({ "enabled": false })).ok();
    assert_eq!(served.get("/sitemap.xml").status, 404);
    assert!(!served.get("/robots.txt").text().contains("Sitemap"));
    served.site.built();
    assert!(!served.site.exists("public/humans.txt"));
    assert!(!served.site.exists("public/sitemap.xml"));
    served.put("/site-files/system-sitemap/", &json!({ "enabled": true })).ok();
    assert_eq!(served.site.read("site.toml"), off);
    served.put(&path, &json!({ "enabled": null, "content_type": "text/markdown" })).ok();
    let typed =
        format!("{config}\n[site_files.\"humans.txt\"]\ncontent_type = \"text/markdown\"\n");
    assert_eq!(served.site.read("site.toml"), typed);
    assert_eq!(
        served.get("/humans.txt").header("content-type"),
        Some("text/markdown; charset=utf-8")
    );
    assert_eq!(served.delete(&path).ok(), json!({}));
    assert_eq!(served.site.read("site.toml"), config);
    assert_eq!(trash(&served.site), ["site-files/humans.txt"]);
    served.read(&path).error(404);
    assert_eq!(served.get("/humans.txt").status, 404);
    // Its name is free again.
    served.post("/site-files/", &json!({ "filename": "humans.txt", "draft_content": "x" })).ok();
}

#[test]
fn site_file_operations_need_a_key_and_an_existing_file() {
    let served = serve_humans_txt();
    for (method, path) in [
        ("GET", "/site-files/"),
        ("POST", "/site-files/"),
        ("POST", "/site-files/validate/"),
        ("POST", "/site-files/preview/"),
        ("GET", "/site-files/system-llms/"),
        ("PUT", "/site-files/system-llms/"),
        ("DELETE", "/site-files/system-llms/"),
        ("POST", "/site-files/system-llms/publish/"),
        ("POST", "/site-files/system-llms/reset/"),
    ] {
        served.send(method, &format!("/api/v1{path}"), &[], b"{}").error(401);
    }
    for (method, path) in [
        ("GET", "/site-files/none/"),
        ("PUT", "/site-files/none/"),
        ("DELETE", "/site-files/none/"),
        ("POST", "/site-files/none/publish/"),
        ("POST", "/site-files/none/reset/"),
    ] {
        served.call(method, path, b"{}").error(404);
    }
    let bad = [("service-correlation-id", "")];
    served.call_with("POST", "/site-files/system-llms/publish/", &bad, b"").error(400);
}

#[test]
fn an_empty_draft_is_not_the_generated_file() {
    let served = serve_humans_txt();
    let sitemap = "/site-files/system-sitemap/";
    served.put(sitemap, &json!({ "draft_content": "<urlset/>" })).ok();
    let publish = format!("{sitemap}publish/");
    served.post(&publish, &json!({})).ok();
    served.put(sitemap, &json!({ "draft_content": "" })).ok();
    let refused = served.post(&publish, &json!({})).error(400);
    assert!(refused.contains("XML"), "{refused}");
    assert_eq!(served.get("/sitemap.xml").text(), "<urlset/>");
}
