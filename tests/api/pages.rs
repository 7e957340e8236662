//! Pages through the API: every row and rule of the interface, and what they do to the files.

use serde_json::{Value, json};

use crate::support::served::{KEY, Served, serve};
use crate::support::small_site::{SmallSite, site};

const ABOUT: &str = r#"+++
# Who we are.
id = "about1"
title = "About us"   # as on the door
status = "published"
date_created = 2026-01-02T03:04:05Z
date_modified = 2026-02-03T04:05:06Z

+++

We make **sounds**.
"#;

fn serve_about_page() -> Served {
    serve(site().with("content/pages/about.md", ABOUT))
}

/// Every file of the site but the server's own state, with its text.
fn files(site: &SmallSite) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = walkdir::WalkDir::new(site.root())
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let path = entry.path().strip_prefix(site.root()).unwrap();
            (path.to_str().unwrap().to_owned(), entry.into_path())
        })
        .filter(|(path, _)| !path.starts_with(".feedwright/"))
        .map(|(name, path)| {
            let bytes = std::fs::read(path).unwrap();
            (name, String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect();
    files.sort();
    files
}

pub fn trash(site: &SmallSite) -> Vec<String> {
    let root = site.path(".feedwright/trash");
    let mut files: Vec<String> = walkdir::WalkDir::new(&root)
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| {
            let path = entry.path().strip_prefix(&root).unwrap();
            let path = path.to_str().unwrap();
            path.split_once('/').unwrap().1.to_owned()
        })
        .collect();
    files.sort();
    files
}

/// Refuses a request with this status, names this field, and writes nothing.
pub fn assert_refused(
    served: &Served,
    method: &str,
    path: &str,
    body: &Value,
    status: u16,
    field: &str,
) {
    let before = files(&served.site);
    let reply = served.call(method, path, body.to_string().as_bytes());
    let message = reply.error(status);
    assert!(message.contains(field), "{message} names no {field}");
    assert_eq!(files(&served.site), before, "{body} wrote something");
}

#[test]
fn a_page_is_created_with_minimal_front_matter() {
    let served = serve(site());
    let body =
        json!({ "title": "Imprint", "slug": "imprint", "content_markdown": "Write to *us*." });
    let reply = served.post("/pages/", &body);
    assert_eq!(reply.status, 201);
    let created = reply.json();
    let id = created["id"].as_str().unwrap();
    assert_eq!(created, json!({ "id": id }));
    let text = served.site.read("content/pages/imprint.md");
    let date = text.split("date_created = \"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(
        text,
        format!(
            "+++\nid = \"{id}\"\ntitle = \"Imprint\"\ndate_published = \"{date}\"\ndate_created = \"{date}\"\n+++\n\nWrite to *us*.\n"
        )
    );
    let page = served.read(&format!("/pages/{id}/")).ok();
    assert_eq!(page["content_html"], "<p>Write to <em>us</em>.</p>");
    assert_eq!(page["content_text"], "Write to us.");
    assert_eq!(page["url"], format!("{}/imprint/", served.url));
    assert_eq!(page["is_not_found_page"], false);
    assert!(served.get("/imprint/").text().contains("Write to"));
}

#[test]
fn a_page_is_created_with_every_field() {
    let served =
        serve(site().with("content/pages/team.html", "+++\ntitle = \"T\"\nslug = \"we\"\n+++\n"));
    let body = json!({
        "title": "Team", "slug": "team", "content_html": format!("<p>We <a href=\"{}/we/\">we</a></p>", served.url),
        "status": "published", "show_in_navigation": true, "navigation_label": "Us",
        "meta_description": "Who", "unknown": [1],
    });
    let id = served.post("/pages/", &body).ok()["id"].as_str().unwrap().to_owned();
    // The name is another Page's file's already.
    let text = served.site.read("content/pages/team-2.html");
    assert!(text.contains("slug = \"team\"\nshow_in_navigation = true\nnavigation_label = \"Us\"\nmeta_description = \"Who\"\n"), "{text}");
    assert!(text.ends_with("+++\n\n<p>We <a href=\"/we/\">we</a></p>\n"), "{text}");
    let page = served.read(&format!("/pages/{id}/")).ok();
    for (key, value) in [
        ("title", "Team"),
        ("slug", "team"),
        ("status", "published"),
        ("navigation_label", "Us"),
        ("meta_description", "Who"),
    ] {
        assert_eq!(page[key], value);
    }
    assert_eq!(page["show_in_navigation"], true);
    assert!(served.get("/").text().contains(">Us<"));
}

#[test]
fn an_invalid_page_is_rejected_and_nothing_is_written() {
    let served = serve_about_page();
    let long = "x".repeat(201);
    for (body, field) in [
        (json!({ "slug": "a" }), "title"),
        (json!({ "title": "A" }), "slug"),
        (json!({ "title": null, "slug": "a" }), "title"),
        (json!({ "title": "", "slug": "a" }), "title"),
        (json!({ "title": "  ", "slug": "a" }), "title"),
        (json!({ "title": long, "slug": "a" }), "title"),
        (json!({ "title": 1, "slug": "a" }), "title"),
        (json!({ "title": "A", "slug": "" }), "slug"),
        (json!({ "title": "A", "slug": "A" }), "slug"),
        (json!({ "title": "A", "slug": "a--b" }), "slug"),
        (json!({ "title": "A", "slug": "../a" }), "slug"),
        (json!({ "title": "A", "slug": "a".repeat(101) }), "slug"),
        (json!({ "title": "A", "slug": "a", "status": "deleted" }), "status"),
        (json!({ "title": "A", "slug": "a", "status": 3 }), "status"),
        (json!({ "title": "A", "slug": "a", "status": null }), "status"),
        (json!({ "title": "A", "slug": "a", "show_in_navigation": "yes" }), "show_in_navigation"),
        (json!({ "title": "A", "slug": "a", "show_in_navigation": true }), "navigation_label"),
        (
            json!({ "title": "A", "slug": "a", "show_in_navigation": true, "navigation_label": " " }),
            "navigation_label",
        ),
        (
            json!({ "title": "A", "slug": "a", "navigation_label": "x".repeat(101) }),
            "navigation_label",
        ),
        (
            json!({ "title": "A", "slug": "a", "meta_description": "x".repeat(156) }),
            "meta_description",
        ),
        (
            json!({ "title": "A", "slug": "a", "content_html": "a", "content_markdown": "b" }),
            "content_markdown",
        ),
        (
            json!({ "title": "A", "slug": "a", "content_markdown": "![](missing.png)" }),
            "missing.png",
        ),
        (json!([]), "body"),
    ] {
        assert_refused(&served, "POST", "/pages/", &body, 400, field);
        assert_refused(&served, "POST", "/pages/validate/", &body, 400, field);
    }
    served.call("POST", "/pages/", b"{").error(400);
}

#[test]
fn validation_matches_creation_and_writes_nothing() {
    let served = serve_about_page();
    let before = files(&served.site);
    let body = json!({ "title": "A", "slug": "about", "content_html": "<p>a</p>" });
    assert_eq!(served.post("/pages/validate/", &body).ok(), json!({ "valid": true }));
    assert_eq!(files(&served.site), before);
}

#[test]
fn a_path_in_use_is_a_conflict() {
    let served = serve(
        site()
            .with("content/pages/about.md", ABOUT.replace("# Who we are.", "aliases = [\"us\"]"))
            .with("content/pages/draft.md", "+++\ntitle = \"D\"\nstatus = \"unpublished\"\n+++\n")
            .with("content/items/a.md", "+++\ntitle = \"A\"\naliases = [\"/old-item/\"]\n+++\n")
            .with("content/redirects.toml", "\"/listed\" = \"/about/\"\n"),
    );
    let reserved = "404 api assets calendars i json media media-upload page rss search tags .well-known \
        robots.txt llms.txt sitemap.xml about us draft old-item listed";
    for slug in reserved.split_whitespace() {
        assert_refused(
            &served,
            "POST",
            "/pages/",
            &json!({ "title": "A", "slug": slug }),
            409,
            slug,
        );
    }
    for slug in ["rss", "draft", "old-item", "listed"] {
        assert_refused(&served, "PUT", "/pages/about1/", &json!({ "slug": slug }), 409, slug);
    }
}

#[test]
fn each_sent_field_changes_one_line() {
    let served = serve_about_page();
    let page = served.put("/pages/about1/", &json!({ "meta_description": "Sounds" })).ok();
    assert_eq!(page["meta_description"], "Sounds");
    let with = ABOUT.replace("05:06Z\n", "05:06Z\nmeta_description = \"Sounds\"\n");
    assert_eq!(served.site.read("content/pages/about.md"), with);
    served.put("/pages/about1/", &json!({ "title": "Us" })).ok();
    let with = with.replace("\"About us\"", "\"Us\"");
    assert_eq!(served.site.read("content/pages/about.md"), with);
    let page = served.put("/pages/about1/", &json!({ "meta_description": null })).ok();
    assert_eq!(page["meta_description"], Value::Null);
    served.put("/pages/about1/", &json!({ "content_markdown": "We make *noise*." })).ok();
    assert_eq!(
        served.site.read("content/pages/about.md"),
        ABOUT.replace("\"About us\"", "\"Us\"").replace("We make **sounds**.", "We make *noise*.")
    );
    let page = served.put("/pages/about1/", &json!({ "content_html": null })).ok();
    assert_eq!(page["content_text"], "");
    assert!(served.site.exists("content/pages/about.md"));
}

#[test]
fn sending_back_a_page_changes_nothing() {
    let served = serve(
        site()
            .with("content/pages/about.md", ABOUT)
            .with(
                "content/pages/shy.md",
                "+++\nid = \"shy\"\ntitle = \"Shy\"\nstatus = \"unlisted\"\nshow_in_navigation = true\n+++\n",
            )
            .with("content/pages/bare.md", "+++\nid = \"bare\"\ntitle = \"B\"\nshow_in_navigation = true\n+++\n"),
    );
    let before = files(&served.site);
    for id in ["about1", "shy", "bare", "system-404"] {
        let page = served.read(&format!("/pages/{id}/")).ok();
        assert_eq!(served.put(&format!("/pages/{id}/"), &page).ok(), page);
    }
    assert_eq!(files(&served.site), before);
}

#[test]
fn an_html_body_converts_a_markdown_page() {
    let served = serve_about_page();
    let page = served.put("/pages/about1/", &json!({ "content_html": "<p>New</p>" })).ok();
    assert_eq!(page["content_html"].as_str().unwrap().trim(), "<p>New</p>");
    assert_eq!(page["slug"], "about");
    assert!(!served.site.exists("content/pages/about.md"));
    let text = served.site.read("content/pages/about.html");
    assert_eq!(text, ABOUT.replace("We make **sounds**.", "<p>New</p>"));
    assert_eq!(trash(&served.site), ["content/pages/about.md"]);
}

#[test]
fn a_former_page_path_redirects_and_stays_reserved() {
    let served = serve_about_page();
    let page = served.put("/pages/about1/", &json!({ "slug": "who-we-are" })).ok();
    assert_eq!(page["slug"], "who-we-are");
    let text = served.site.read("content/pages/about.md");
    let with = "05:06Z\nslug = \"who-we-are\"\naliases = [\"about\"]\n";
    assert_eq!(text, ABOUT.replace("05:06Z\n", with));
    assert_eq!(served.get("/who-we-are/").status, 200);
    let moved = served.get("/about/");
    assert_eq!((moved.status, moved.header("location")), (301, Some("/who-we-are/")));
    assert_refused(
        &served,
        "POST",
        "/pages/",
        &json!({ "title": "A", "slug": "about" }),
        409,
        "about",
    );
    // It can take its own path back.
    served.put("/pages/about1/", &json!({ "slug": "about" })).ok();
    let text = served.site.read("content/pages/about.md");
    let with = "05:06Z\nslug = \"about\"\naliases = [\"who-we-are\"]\n";
    assert_eq!(text, ABOUT.replace("05:06Z\n", with));
    assert_eq!(served.get("/about/").status, 200);
    assert_eq!(served.get("/who-we-are/").status, 301);
    assert_refused(&served, "PUT", "/pages/about1/", &json!({ "slug": null }), 400, "slug");
}

#[test]
fn deleting_a_page_keeps_its_paths_reserved() {
    let served = serve(
        site()
            .with("content/pages/about.md", ABOUT.replace("# Who we are.", "aliases = [\"us\"]"))
            .with(
                "site.toml",
                "base_url = \"https://example.com\"\n[hosting]\ntargets = [\"netlify\"]\n",
            ),
    );
    assert_eq!(served.delete("/pages/about1/").ok(), json!({}));
    assert_eq!(
        served.site.read("content/redirects.toml"),
        "# Redirects from former paths.\n\"/about/\" = \"/\"\n\"/us/\" = \"/\"\n"
    );
    assert_eq!(trash(&served.site), ["content/pages/about.md"]);
    served.read("/pages/about1/").error(404);
    served.delete("/pages/about1/").error(404);
    for path in ["/about/", "/us/", "/about"] {
        let moved = served.get(path);
        assert_eq!((moved.status, moved.header("location")), (301, Some("/")), "{path}");
    }
    assert_refused(&served, "POST", "/pages/", &json!({ "title": "A", "slug": "us" }), 409, "us");
    // Also in what is built from the files, and after a restart.
    let Served { site, .. } = &served;
    site.built();
    let rules = site.read("public/_redirects");
    assert!(rules.contains("/about/ / 301\n") || rules.contains("/about/  /  301"), "{rules}");
    let copy = crate::support::small_site::bare();
    for (path, text) in files(site) {
        copy.write(&path, text);
    }
    let again = serve(copy);
    assert_eq!(again.get("/us/").status, 301);
    assert_refused(
        &again,
        "POST",
        "/pages/",
        &json!({ "title": "A", "slug": "about" }),
        409,
        "about",
    );
}

#[test]
fn author_redirects_are_kept_byte_for_byte() {
    let own = "# Ours.\r\n\"/old.html\" = \"/about/\" # since 2020\r\n";
    let served =
        serve(site().with("content/pages/about.md", ABOUT).with("content/redirects.toml", own));
    assert_eq!(served.get("/old.html").header("location"), Some("/about/"));
    served.delete("/pages/about1/").ok();
    assert_eq!(served.site.read("content/redirects.toml"), format!("{own}\"/about/\" = \"/\"\r\n"));
}

#[test]
fn navigation_needs_a_label_and_hides_unlisted_pages() {
    let served = serve_about_page();
    let path = "/pages/about1/";
    assert_refused(
        &served,
        "PUT",
        path,
        &json!({ "show_in_navigation": true }),
        400,
        "navigation_label",
    );
    let page =
        served.put(path, &json!({ "show_in_navigation": true, "navigation_label": "About" })).ok();
    assert_eq!(page["show_in_navigation"], true);
    assert!(served.get("/").text().contains(">About<"));
    assert_refused(
        &served,
        "PUT",
        path,
        &json!({ "navigation_label": null }),
        400,
        "navigation_label",
    );
    let page = served.put(path, &json!({ "status": "unlisted" })).ok();
    assert_eq!(page["show_in_navigation"], false);
    assert!(!served.get("/").text().contains(">About<"));
    assert_eq!(served.get("/about/").status, 200);
    let page = served.put(path, &json!({ "status": "unlisted", "show_in_navigation": true })).ok();
    assert_eq!(page["show_in_navigation"], false);
    let page = served.put(path, &json!({ "status": "published" })).ok();
    assert_eq!(page["show_in_navigation"], true);
    let page =
        served.put(path, &json!({ "show_in_navigation": null, "navigation_label": null })).ok();
    assert_eq!(
        (&page["show_in_navigation"], &page["navigation_label"]),
        (&json!(false), &json!(""))
    );
    assert_eq!(served.site.read("content/pages/about.md"), ABOUT);
    assert_eq!(served.put(path, &json!({ "status": "unpublished" })).ok()["status"], "unpublished");
    assert_eq!(served.get("/about/").status, 404);
}

#[test]
fn the_404_page_can_only_be_edited() {
    let served = serve(site());
    let path = "/pages/system-404/";
    let page = served.read(path).ok();
    assert_eq!((&page["slug"], &page["is_not_found_page"]), (&json!("404"), &json!(true)));
    for (body, field) in [
        (json!({ "slug": "lost" }), "slug"),
        (json!({ "slug": null }), "slug"),
        (json!({ "status": "unlisted" }), "status"),
        (json!({ "status": null }), "status"),
        (json!({ "show_in_navigation": true }), "show_in_navigation"),
        (json!({ "navigation_label": "Lost" }), "navigation_label"),
        (json!({ "title": "" }), "title"),
        (json!({ "title": null }), "title"),
    ] {
        assert_refused(&served, "PUT", path, &body, 400, field);
    }
    assert_refused(&served, "DELETE", path, &json!({}), 400, "404");
    let page = served.put(path, &json!({ "title": "Lost", "slug": "404" })).ok();
    assert_eq!(page["title"], "Lost");
    assert_eq!(
        served.site.read("content/pages/404.md"),
        "+++\ntitle = \"Lost\"\n+++\n\nThere is nothing at this address.\n"
    );
    served.put(path, &json!({ "content_markdown": "Go *home*." })).ok();
    assert_eq!(
        served.site.read("content/pages/404.md"),
        "+++\ntitle = \"Lost\"\n+++\n\nGo *home*.\n"
    );
    let lost = served.get("/nowhere/");
    assert_eq!(lost.status, 404);
    assert!(lost.text().contains("Go <em>home</em>."));
    assert_refused(&served, "PUT", path, &json!({ "status": "unpublished" }), 400, "status");
    assert_refused(&served, "DELETE", path, &json!({}), 400, "404");
}

#[test]
fn pages_are_listed_newest_first_with_pagination() {
    let mut own = site();
    for n in 1..=7 {
        let status = ["published", "unlisted", "unpublished"][n % 3];
        own = own.with(
            &format!("content/pages/p{n}.md"),
            format!("+++\nid = \"p{n}\"\ntitle = \"P{n}\"\nstatus = \"{status}\"\ndate_modified = 2026-01-0{}T00:00:00Z\n+++\n", n.div_ceil(2)),
        );
    }
    let own = own.with(
        "content/pages/404.md",
        "+++\ntitle = \"No\"\ndate_modified = 2025-01-01T00:00:00Z\n+++\n",
    );
    let served = serve(own.with_old_dates());
    let ids = |list: &Value| -> Vec<String> {
        let items = list["items"].as_array().unwrap().iter();
        items.map(|page| page["id"].as_str().unwrap().to_owned()).collect()
    };
    let all = served.read("/pages/").ok();
    assert_eq!(ids(&all), ["p7", "p5", "p6", "p3", "p4", "p1", "p2", "system-404"]);
    assert_eq!(all.get("next_cursor"), None);
    let mut seen = Vec::new();
    let mut query = "/pages/?limit=3".to_owned();
    loop {
        let list = served.read(&query).ok();
        seen.extend(ids(&list));
        let Some(cursor) = list.get("next_cursor") else {
            break;
        };
        query = format!("/pages/?limit=3&next_cursor={}", cursor.as_str().unwrap());
    }
    assert_eq!(seen, ids(&all));
    assert_eq!(ids(&served.read("/pages/?status=unlisted").ok()), ["p7", "p4", "p1"]);
    assert_eq!(
        ids(&served.read("/pages/?status=unpublished,unlisted").ok()),
        ["p7", "p5", "p4", "p1", "p2"]
    );
    let cursor = served.read("/pages/?limit=1").ok()["next_cursor"].as_str().unwrap().to_owned();
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=x", "limit"),
        ("limit=1&limit=2", "limit"),
        ("status=", "status"),
        ("status=deleted", "status"),
        ("status=published,published", "status"),
        ("status=published,", "status"),
        ("next_cursor=abc", "next_cursor"),
        ("next_cursor=", "next_cursor"),
        (&format!("status=published&next_cursor={cursor}"), "next_cursor"),
    ] {
        let message = served.read(&format!("/pages/?{query}")).error(400);
        assert!(message.contains(field), "{query}: {message}");
    }
    // A Page that is gone since does not move the others.
    served.delete("/pages/p7/").ok();
    let rest = served.read(&format!("/pages/?next_cursor={cursor}")).ok();
    assert_eq!(ids(&rest)[0], "p5");
}

#[test]
fn a_theme_without_pages_rejects_pages() {
    let mut own =
        site().with("site.toml", "base_url = \"https://example.com\"\ntheme = \"first\"\n");
    let theme = crate::support::fixtures().join("themes/first");
    for entry in walkdir::WalkDir::new(&theme) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(&theme).unwrap();
            let path = format!("themes/first/{}", path.to_str().unwrap());
            own = own.with(&path, std::fs::read(entry.path()).unwrap());
        }
    }
    let draft = "+++\nid = \"d\"\ntitle = \"D\"\nstatus = \"unpublished\"\n+++\n";
    let served = serve(own.with("content/pages/d.md", draft));
    let body = json!({ "title": "A", "slug": "a" });
    assert_refused(&served, "POST", "/pages/", &body, 422, "theme");
    assert_refused(&served, "PUT", "/pages/d/", &json!({ "title": "E" }), 422, "theme");
    served.put("/pages/none/", &json!({ "title": "E" })).error(404);
    assert_eq!(served.post("/pages/validate/", &body).ok(), json!({ "valid": true }));
    served.read("/pages/d/").ok();
    served.delete("/pages/d/").ok();
}

#[test]
fn page_operations_need_a_key_and_an_existing_page() {
    let served = serve_about_page();
    for (method, path) in [
        ("GET", "/pages/"),
        ("POST", "/pages/"),
        ("POST", "/pages/validate/"),
        ("GET", "/pages/about1/"),
        ("PUT", "/pages/about1/"),
        ("DELETE", "/pages/about1/"),
    ] {
        served.send(method, &format!("/api/v1{path}"), &[], b"{}").error(401);
        let wrong = [("authorization", "Bearer not-the-key-of-it")];
        served.send(method, &format!("/api/v1{path}"), &wrong, b"{}").error(401);
    }
    for method in ["GET", "PUT", "DELETE"] {
        served.call(method, "/pages/none/", b"{}").error(404);
    }
    let long = "x".repeat(129);
    let bad = [("service-causation-id", long.as_str())];
    let message = served.call_with("PUT", "/pages/about1/", &bad, b"{}").error(400);
    assert!(message.starts_with("Service-Causation-Id:"), "{message}");
    assert_ne!(KEY, "");
}

#[test]
fn a_page_without_dates_uses_its_file_times() {
    let served = serve(site().with("content/pages/a.md", "+++\nid = \"a\"\ntitle = \"A\"\n+++\n"));
    let page = served.read("/pages/a/").ok();
    for key in ["date_created", "date_modified"] {
        let text = page[key].as_str().unwrap();
        assert_eq!(text.len(), "2026-01-01T00:00:00.000Z".len(), "{text}");
    }
    assert_eq!(page.get("date_published"), None);
}

#[test]
fn publishing_a_draft_sets_its_date() {
    for status in ["published", "unlisted"] {
        let served = serve(site().with(
            "content/pages/tides.md",
            "+++\nid = \"tides\"\ntitle = \"Tides\"\nstatus = \"unpublished\"\n+++\nText\n",
        ));
        let page = served.put("/pages/tides/", &json!({ "title": "T" })).ok();
        assert!(page.get("date_published").is_none());
        let page = served.put("/pages/tides/", &json!({ "status": status })).ok();
        let date = page["date_published"].as_str().unwrap().to_owned();
        let date: jiff::Timestamp = date.parse().unwrap();
        assert!(jiff::Timestamp::now().duration_since(date).as_secs() < 100);
        served.put("/pages/tides/", &json!({ "status": "unpublished" })).ok();
        let page = served.put("/pages/tides/", &json!({ "status": status })).ok();
        let again: jiff::Timestamp = page["date_published"].as_str().unwrap().parse().unwrap();
        assert_eq!(again, date);
    }
}
