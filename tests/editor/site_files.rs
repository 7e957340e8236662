//! Site Files in the editor: a draft beside what is published, seen before it takes that place. `tests/browser/site_files.cjs` works in the page.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::api::pages::trash;
use crate::editor::documents::{Person, person};
use crate::support::served::{Served, serve};
use crate::support::small_site::site;

const HUMANS: &str = "{{#items}}{{{title}}}{{/items}}\n";
const PUBLISHED: &str = "site-files/humans.txt";
const DRAFT: &str = "site-files/humans.txt.draft";
const ROBOTS: &str = "site-files/robots.txt.draft";

fn serve_humans_txt() -> Served {
    let item = "+++\nid = \"a\"\ntitle = \"Low & tide\"\ndate_published = 2026-01-05\n+++\n";
    serve(site().with("content/items/a.md", item).with(PUBLISHED, HUMANS))
}

impl Person<'_> {
    fn preview(&self, path: &str, text: &str) -> Value {
        self.ask("look", &json!({ "path": path, "text": text })).ok()
    }

    fn open_and_save(&self, path: &str, text: &str) -> Value {
        let seen = self.open(path)["version"].clone();
        self.save(path, text, &seen).ok()
    }

    fn list_statuses(&self) -> Vec<(String, String)> {
        let all = self.ask("site", &json!({})).ok();
        let files = all["files"].as_array().unwrap().iter();
        let files = files.filter(|file| file["kind"] == "site-file");
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        files.map(|file| (text(&file["title"]), text(&file["status"]))).collect()
    }
}

fn statuses(of: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |text: &str| text.to_owned();
    of.iter().map(|(name, status)| (own(name), own(status))).collect()
}

#[test]
fn a_published_draft_replaces_the_public_file() {
    let served = serve_humans_txt();
    let ada = person(&served);
    let there = ada.open(DRAFT);
    assert_eq!((&there["body"], &there["rendered"]), (&json!(HUMANS), &json!("Low & tide\n")));
    let new = HUMANS.replace("{{{title}}}", "* {{{title}}}");
    let looked = ada.preview(DRAFT, &new);
    assert_eq!(looked["rendered"], "* Low & tide\n");
    assert!(!served.site.path(DRAFT).exists());
    let saved = ada.save(DRAFT, &new, &there["version"]).ok();
    assert_eq!(
        (served.site.read(DRAFT), served.site.read(PUBLISHED)),
        (new.clone(), HUMANS.to_owned())
    );
    assert_eq!(served.get("/humans.txt").text(), "Low & tide\n");
    assert_eq!(ada.list_statuses()[0], ("humans.txt".to_owned(), "changed".to_owned()));
    let published =
        ada.ask("site-file-publish", &json!({ "path": DRAFT, "version": saved["version"] })).ok();
    assert_eq!(served.site.read(PUBLISHED), new);
    assert!(!served.site.path(DRAFT).exists());
    assert_eq!(served.get("/humans.txt").text(), "* Low & tide\n");
    // What was published ends a draft.
    let again = ada.save(DRAFT, HUMANS, &published["version"]).ok();
    ada.save(DRAFT, &new, &again["version"]).ok();
    assert!(!served.site.path(DRAFT).exists());
    let by: Vec<String> = served
        .journal()
        .into_iter()
        .map(|entry| format!("{} {}", entry.operation, entry.path.unwrap()))
        .collect();
    assert_eq!(by[..2], [format!("saveFile {PUBLISHED}"), format!("publishSiteFile {PUBLISHED}")]);
}

#[test]
fn a_generated_file_can_be_viewed_overridden_and_restored() {
    let served = serve_humans_txt();
    let ada = person(&served);
    assert_eq!(
        ada.list_statuses(),
        statuses(&[
            ("humans.txt", "published"),
            ("llms.txt", "generated"),
            ("robots.txt", "generated"),
            ("sitemap.xml", "generated")
        ])
    );
    let there = ada.open(ROBOTS);
    assert_eq!(there["body"], "");
    assert!(there["rendered"].as_str().unwrap().contains("Sitemap:"), "{there}");
    let saved = ada.open_and_save(ROBOTS, "User-agent: *\nDisallow: /\n");
    ada.ask("site-file-publish", &json!({ "path": ROBOTS, "version": saved["version"] })).ok();
    assert_eq!(served.get("/robots.txt").text(), "User-agent: *\nDisallow: /\n");
    // An empty text would now be an empty file, and is shown as one.
    assert_eq!(ada.preview(ROBOTS, "")["rendered"], "");
    ada.ask("remove", &json!({ "path": ROBOTS })).ok();
    assert!(served.get("/robots.txt").text().contains("Sitemap:"));
    assert!(trash(&served.site).iter().any(|path| path.ends_with("robots.txt")));
    assert_eq!(ada.ask("remove", &json!({ "path": ROBOTS })).status, 404);
    ada.ask("remove", &json!({ "path": DRAFT })).ok();
    assert_eq!(ada.list_statuses().len(), 3);
}

#[test]
fn a_save_requires_the_version_that_was_opened() {
    let served = serve_humans_txt();
    let ada = person(&served);
    let seen = ada.open(DRAFT)["version"].clone();
    // What is published was changed on the disk; there is no draft before and after.
    served.site.write(PUBLISHED, "Theirs.\n");
    let refused = ada.save(DRAFT, "Mine.\n", &seen);
    assert_eq!((refused.status, &refused.json()["body"]), (409, &json!("Theirs.\n")));
    assert!(!served.site.path(DRAFT).exists());
    let saved = ada.save(DRAFT, "Mine.\n", &refused.json()["version"]).ok();
    served.site.write(PUBLISHED, "Theirs, again.\n");
    let publish = |version: &Value| {
        ada.ask("site-file-publish", &json!({ "path": DRAFT, "version": version }))
    };
    let refused = publish(&saved["version"]);
    assert_eq!(
        (refused.status, &refused.json()["site_file"]["published"]),
        (409, &json!("Theirs, again.\n"))
    );
    assert_eq!(served.site.read(DRAFT), "Mine.\n");
    fs::remove_file(served.site.path(DRAFT)).unwrap();
    assert_eq!(publish(&refused.json()["version"]).status, 409);
    assert_eq!(served.site.read(PUBLISHED), "Theirs, again.\n");
}

#[test]
fn an_invalid_file_is_kept_as_a_draft() {
    let served = serve_humans_txt();
    let ada = person(&served);
    let made = ada.ask("create", &json!({ "kind": "site-file", "title": "feeds.json" })).ok();
    let path = made["path"].as_str().unwrap();
    assert_eq!(path, "site-files/feeds.json.draft");
    for (text, word) in [
        ("{\"n\": {{items.length}}", "JSON"),
        ("{\"n\": {{#items}} }", "items"),
        ("{{> other}}", "partial"),
    ] {
        let looked = ada.preview(path, text);
        let problem = &looked["problems"][0];
        assert!(problem["line"].is_number() && problem.to_string().contains(word), "{looked}");
        assert_eq!(looked["rendered"], Value::Null);
        let saved = ada.open_and_save(path, text);
        assert_eq!(served.site.read(path), text);
        let refused =
            ada.ask("site-file-publish", &json!({ "path": path, "version": saved["version"] }));
        assert!(refused.error(400).contains(word));
    }
    assert!(!served.site.path("site-files/feeds.json").exists());
    let seen = ada.open(path)["version"].clone();
    assert!(ada.save(path, &"x".repeat(300_000), &seen).error(400).contains("262144"));
    for name in [
        "../x.txt", "X.txt", "x.html", "favicon.ico", "openapi.json", ".x.txt", "", "humans.txt",
        "robots.txt", "feeds.json", "feed.json",
    ] {
        let refused = ada.ask("create", &json!({ "kind": "site-file", "title": name }));
        assert!([400, 409].contains(&refused.status), "{name}: {}", refused.text());
    }
    // A Site File takes no media and has no front matter.
    ada.ask("upload", &json!({ "path": path, "name": "a.mp3", "size": 1 })).error(400);
    ada.ask(
        "edit",
        &json!({ "path": path, "text": "x", "changes": [{ "keys": ["title"], "value": "x" }] }),
    )
    .error(400);
}

#[test]
fn type_and_existence_are_shown_before_writing() {
    let served = serve_humans_txt();
    let ada = person(&served);
    let before = served.site.read("site.toml");
    let wanted = json!({ "path": DRAFT, "content_type": "text/markdown", "enabled": false });
    let plan = ada.ask("site-file-settings", &wanted).ok();
    assert_eq!(
        (plan["before"].as_str().unwrap(), served.site.read("site.toml")),
        (before.as_str(), before.clone())
    );
    let with = |version: &Value| {
        let mut wanted = wanted.clone();
        wanted["version"] = version.clone();
        ada.ask("site-file-settings", &wanted)
    };
    assert_eq!(with(&json!("0")).status, 409);
    with(&plan["version"]).ok();
    assert_eq!(served.site.read("site.toml"), plan["after"].as_str().unwrap());
    assert_eq!(served.get("/humans.txt").status, 404);
    assert_eq!(ada.list_statuses()[0].1, "off");
    ada.ask("site-file-settings", &json!({ "path": DRAFT, "content_type": "text/html" }))
        .error(400);
    let undone = json!({ "path": DRAFT, "content_type": "text/plain", "enabled": true });
    assert!(
        !ada.ask("site-file-settings", &undone).ok()["after"].as_str().unwrap().contains("enabled")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever a template holds, it comes back byte for byte, and what is published stays until it is told otherwise.
    #[test]
    fn any_template_is_saved(text in "x[\\PC\n\r{}#/]{0,60}") {
        thread_local! {
            static SERVED: Served = serve_humans_txt();
        }
        SERVED.with(|served| {
            let ada = person(served);
            let saved = ada.open_and_save(DRAFT, &text);
            prop_assert_eq!(&saved["body"], &json!(text));
            prop_assert_eq!(served.site.read(PUBLISHED), HUMANS);
            prop_assert_eq!(&ada.open(DRAFT)["body"], &json!(text));
            Ok(())
        })?;
    }
}
