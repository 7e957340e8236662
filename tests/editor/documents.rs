//! The editor's server side: who may, what is written and what is refused. `tests/browser/edit.cjs` works in the page.

use std::fs;
use std::time::Duration;

use feedwright::model::Rule;
use feedwright::state::State;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::content::errors::site_with_theme;
use crate::lint::rules::broken;
use crate::support::served::{Reply, Served, diff, serve};
use crate::support::small_site::{SmallSite, feedwright, site};
use crate::support::wait;

const WALK: &str = "content/items/walk.md";

const TEXT: &str = "+++\nid = \"walk\"\nslug = \"walk\"\ntitle = \"A walk\" # by the sea\ndate_published = 2026-01-05T09:00:00Z\n+++\nThe ferry was **late**.\n";

const PICTURE: &[u8] = include_bytes!("../fixtures/small-site/content/items/episode/cover.png");

fn sample_site() -> SmallSite {
    site().with(WALK, TEXT)
}

/// Someone who has signed in.
pub struct Person<'a> {
    pub served: &'a Served,
    pub cookie: String,
    pub token: String,
}

fn code(served: &Served, now: Timestamp) -> String {
    served.state().invite(now).unwrap().expose().to_owned()
}

fn sign_in(served: &Served, code: &str) -> Reply {
    let body = json!({ "code": code }).to_string();
    served.send("POST", "/_edit/api/sign-in", &[], body.as_bytes())
}

pub fn person(served: &Served) -> Person<'_> {
    let reply = sign_in(served, &code(served, Timestamp::now()));
    let cookie = reply.header("set-cookie").unwrap();
    for rule in ["HttpOnly", "SameSite=Strict", "Path=/_edit/", "Max-Age=2592000"] {
        assert!(cookie.contains(rule), "{cookie}");
    }
    Person {
        served,
        cookie: cookie.split(';').next().unwrap().to_owned(),
        token: reply.ok()["token"].as_str().unwrap().to_owned(),
    }
}

impl Person<'_> {
    pub fn ask(&self, operation: &str, body: &Value) -> Reply {
        self.ask_with(
            operation,
            &[("cookie", &self.cookie), ("feedwright-token", &self.token)],
            body,
        )
    }

    pub fn ask_with(&self, operation: &str, headers: &[(&str, &str)], body: &Value) -> Reply {
        let path = format!("/_edit/api/{operation}");
        self.served.send("POST", &path, headers, body.to_string().as_bytes())
    }

    pub fn open(&self, path: &str) -> Value {
        self.ask("open", &json!({ "path": path })).ok()
    }

    pub fn save(&self, path: &str, text: &str, version: &Value) -> Reply {
        self.ask("save", &json!({ "path": path, "text": text, "version": version }))
    }
}

#[test]
fn the_editor_reports_the_same_diagnostics_as_check() {
    let mut wrong = Vec::new();
    // A link that a template wrote is found by rendering all pages.
    let linked =
        site_with_theme().with("themes/mine/start.html", "<a href=\"/nowhere/\">Nowhere</a>");
    // Only `check` decodes recordings.
    let of_check = [Rule::Loudness, Rule::RecordingDefect, Rule::RecordingFormat];
    let sites = broken().filter(|(rule, _)| !of_check.contains(rule));
    for (rule, site) in sites.chain([(Rule::DeadLink, linked)]) {
        let (_, said, fault) = feedwright(&site, &["check", "--json"]);
        let said: Value = serde_json::from_str(&said).expect(&fault);
        let served = serve(site);
        let person = person(&served);
        let mut told = Value::Null;
        // It is found a little later than the site is there.
        wait::within(Duration::from_secs(10), || {
            told = person.ask("faults", &json!({})).ok();
            told["faults"] == said["diagnostics"]
        });
        // What leads to a file opens it.
        for fault in told["faults"].as_array().unwrap() {
            let file = &fault["file"];
            if told["elsewhere"].as_array().unwrap().contains(file) {
                person.ask("open", &json!({ "path": file })).error(400);
            } else if let Some(path) = file.as_str() {
                person.open(path);
            }
        }
        let told = told["faults"].take();
        if told != said["diagnostics"] {
            wrong.push(format!("{rule:?}: {told:#} is not {:#}", said["diagnostics"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_sign_in_code_works_once_within_fifteen_minutes() {
    let served = serve(sample_site());
    let used = code(&served, Timestamp::now());
    sign_in(&served, &used).ok();
    let old = code(&served, Timestamp::now() - SignedDuration::from_mins(16));
    for code in [&used, &old, "", "x"] {
        assert!(sign_in(&served, code).error(401).contains("already used"), "{code}");
    }
    assert_eq!(sign_in(&served, &"x".repeat(2000)).status, 413);
    // Who has signed out is out, and no one else.
    let (ada, bob) = (person(&served), person(&served));
    ada.ask("sign-out", &json!({})).ok();
    ada.ask("site", &json!({})).error(401);
    bob.ask("site", &json!({})).ok();
}

#[test]
fn a_session_survives_restarts_and_expires_after_thirty_days() {
    let served = serve(sample_site());
    let now = Timestamp::now();
    let state = State::open(served.site.root()).unwrap();
    let session = state.sign_in(state.invite(now).unwrap().expose(), now).unwrap().unwrap();
    let (cookie, token) = (session.cookie.expose(), session.token.expose());
    let days = |days: i64| now + SignedDuration::from_hours(24 * days);
    assert!(state.is_signed_in(cookie, token, days(29)).unwrap());
    assert!(!state.is_signed_in(cookie, token, days(31)).unwrap());
    // Nothing in the state lets anyone in.
    let held = fs::read(served.site.path(".feedwright/state.sqlite")).unwrap();
    for secret in [cookie, token] {
        assert!(!held.windows(secret.len()).any(|bytes| bytes == secret.as_bytes()));
    }
}

#[test]
fn other_sites_cannot_call_or_frame_the_editor() {
    let served = serve(sample_site());
    let ada = person(&served);
    for origin in ["https://evil.example", "null", "http://127.0.0.1:1"] {
        let headers =
            [("cookie", ada.cookie.as_str()), ("feedwright-token", &ada.token), ("origin", origin)];
        assert_eq!(ada.ask_with("site", &headers, &json!({})).status, 403, "{origin}");
    }
    let page = served.send("GET", "/_edit/", &[("host", &sign_in_host(&served))], b"");
    assert_eq!(page.header("x-frame-options"), Some("DENY"));
    assert_eq!(page.header("cross-origin-opener-policy"), Some("same-origin"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
    let slash = served.send("GET", "/_edit", &[("host", &sign_in_host(&served))], b"");
    assert_eq!(slash.header("location"), Some("/_edit/"));
    assert_eq!(served.get("/_edit/api/site").status, 405);
    assert_eq!(served.get("/_edit/../site.toml").status, 404);
    let put = served.send("PUT", "/_edit/", &[("host", &sign_in_host(&served))], b"");
    assert_eq!(put.status, 405);
}

/// The host at which people sign in.
fn sign_in_host(served: &Served) -> String {
    served.url.replace("http://127.0.0.1", "localhost")
}

#[test]
fn site_scripts_do_not_run_on_the_editor_host() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>";
    let served = serve(sample_site().with("content/media/x.svg", svg).with(
        "content/items/see.md",
        TEXT.replace("walk", "see").replace("**late**", "![](/media/x.svg)"),
    ));
    let (site, people) = (served.url.replace("http://", ""), sign_in_host(&served));
    let get = |host: &str, path: &str, purpose: &str| {
        served.send("GET", path, &[("host", host), ("sec-fetch-dest", purpose)], b"")
    };
    // Opened at the name of the site, the editor is at the other one, and the other way round.
    for path in ["/_edit/", "/_edit"] {
        let away = get(&site, path, "document");
        assert_eq!(away.status, 302);
        assert_eq!(away.header("location"), Some(&*format!("http://{people}/_edit/")));
    }
    let away = get(&people, "/i/walk/?a=b", "document");
    assert_eq!(away.header("location"), Some(&*format!("http://{site}/i/walk/?a=b")));
    assert_eq!(away.header("cache-control"), Some("no-store"));
    // However else it is opened there, by a browser that does not say for what, too.
    for purpose in ["iframe", "object", "embed", "", "empty"] {
        for path in ["/i/walk/", "/rss/", "/none/"] {
            let page = get(&people, path, purpose);
            let policy = page.header("content-security-policy").unwrap();
            assert!(
                policy.starts_with("sandbox ") && !policy.contains("allow-scripts"),
                "{path}: {policy}"
            );
        }
    }
    assert!(
        get(&people, "/media/x.svg", "image")
            .header("content-security-policy")
            .unwrap()
            .contains("default-src 'none'")
    );
    for path in ["/i/walk/", "/rss/"] {
        let page = get(&site, path, "document");
        assert_eq!((page.status, page.header("content-security-policy")), (200, None));
    }
    // It answers wherever `localhost` leads to.
    let port = site.rsplit(':').next().unwrap();
    assert!(std::net::TcpStream::connect(format!("[::1]:{port}")).is_ok());
}

#[test]
fn a_delete_requires_the_version_that_was_shown() {
    let served = serve(sample_site());
    let ada = person(&served);
    let seen = ada.open(WALK)["version"].clone();
    served.site.write(WALK, TEXT.replace("late", "early"));
    let asked = json!({ "path": WALK, "version": seen });
    let conflict = ada.ask("remove", &asked);
    assert_eq!(conflict.status, 409);
    assert!(conflict.json()["body"].as_str().unwrap().contains("early"));
    assert!(served.site.path(WALK).exists());
    let asked = json!({ "path": WALK, "version": conflict.json()["version"] });
    ada.ask("remove", &asked).ok();
    assert!(!served.site.path(WALK).exists());
}

#[test]
fn a_preview_runs_no_script_and_writes_no_file() {
    let served = serve(sample_site());
    let ada = person(&served);
    let before = served.files();
    let text = TEXT.replace("late", "early").replace("title", "status = \"unpublished\"\ntitle");
    let made = ada.ask("preview", &json!({ "path": WALK, "text": text })).ok();
    let page = served.get(&format!("/_edit/{}", made["address"].as_str().unwrap()));
    assert!(page.text().contains("The ferry was <strong>early</strong>."));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("sandbox ") && !policy.contains("allow-scripts"), "{policy}");
    assert_eq!(served.files(), before);
    // Of a file that is not there yet, and of a Page.
    let new = "+++\nid = \"new\"\ntitle = \"New\"\n+++\nFresh.\n";
    for path in ["content/items/new.md", "content/pages/new.md"] {
        let made = ada.ask("preview", &json!({ "path": path, "text": new })).ok();
        let page = served.get(&format!("/_edit/{}", made["address"].as_str().unwrap()));
        assert!(page.text().contains("Fresh."), "{path}: {}", page.text());
    }
    assert_eq!(served.get("/_edit/preview/0123").status, 404);
    // The preview names the line of each block, and published pages do not.
    let text =
        "+++\nid = \"new\"\ntitle = \"New\"\n+++\n# A\n\nB\n\n- C\n  - D\n\n> E\n\n```\nF\n```\n";
    let made = ada.ask("preview", &json!({ "path": "content/items/new.md", "text": text })).ok();
    let page = served.get(&format!("/_edit/{}", made["address"].as_str().unwrap())).text();
    for (line, block) in
        [(1, "<h"), (3, "<p>B"), (5, "<li>C"), (6, "<li>D"), (8, "<p>E"), (10, "<")]
    {
        let mark = format!("<!--line {line}-->");
        let after = page.split_once(&mark).map(|(_, after)| after.trim_start());
        assert!(after.is_some_and(|after| after.starts_with(block)), "{mark} in {page}");
    }
    assert!(!served.get("/i/walk/").text().contains("<!--line"));
    // What is published is as it was.
    assert!(served.get("/i/walk/").text().contains("<strong>late</strong>"));
}

#[test]
fn a_save_requires_the_version_that_was_opened() {
    let served = serve(sample_site());
    let ada = person(&served);
    let seen = ada.open(WALK)["version"].clone();
    let saved = ada.save(WALK, &TEXT.replace("late", "early"), &seen).ok();
    assert_eq!(
        diff(TEXT, &served.site.read(WALK)),
        "-The ferry was **late**.\n+The ferry was **early**.\n"
    );
    let conflict = ada.save(WALK, TEXT, &seen);
    assert_eq!(conflict.status, 409);
    let there = conflict.json();
    assert_eq!(there["version"], saved["version"]);
    assert_eq!(there["body"], "The ferry was **early**.\n");
    // One that is there is no new one.
    assert_eq!(ada.save(WALK, TEXT, &Value::Null).status, 409);
    fs::remove_file(served.site.path(WALK)).unwrap();
    let gone = ada.save(WALK, TEXT, &saved["version"]);
    assert_eq!((gone.status, gone.json()["version"].clone()), (409, Value::Null));
    ada.save(WALK, TEXT, &Value::Null).ok();
    assert_eq!(served.site.read(WALK), TEXT);
    let by: Vec<String> = served
        .journal()
        .into_iter()
        .map(|entry| format!("{} {}", entry.key_id, entry.operation))
        .collect();
    assert_eq!(by, ["editor saveFile", "editor createFile"]);
}

#[test]
fn a_text_that_would_break_the_build_is_not_saved() {
    let served = serve(sample_site());
    let ada = person(&served);
    let seen = ada.open(WALK)["version"].clone();
    for (text, word) in [
        (TEXT.replace("2026-01-05T09:00:00Z", "\"soon\""), "date"),
        (TEXT.replace("+++\nThe", "The"), "+++"),
        (TEXT.replace("title", "attachment = \"no.mp3\"\ntitle"), "no.mp3"),
    ] {
        let told = ada.ask("look", &json!({ "path": WALK, "text": text })).ok();
        let problem = &told["problems"][0];
        assert_eq!(problem["severity"], "error", "{told}");
        assert!(problem["line"].is_number() && problem.to_string().contains(word), "{problem}");
        let refused = ada.save(WALK, &text, &seen).error(400);
        assert!(refused.contains(word), "{refused}");
    }
    assert_eq!(served.site.read(WALK), TEXT);
}

#[test]
fn only_content_files_can_be_opened_and_written() {
    let served = serve(sample_site());
    let ada = person(&served);
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x.md"), "secret").unwrap();
    std::os::unix::fs::symlink(outside.path(), served.site.path("content/items/out")).unwrap();
    let before = served.files();
    for path in [
        "site.toml", "../x.md", "content/items/../../site.toml", "/etc/passwd",
        "content/items/.x.md", "content/media/x.md", ".feedwright/state.sqlite",
        "content/items/x.txt", "content/items/out/x.md", "content/redirects.toml", "",
        "content/items/x\u{0}.md",
    ] {
        for operation in ["open", "look", "edit", "preview", "save", "remove"] {
            let body = json!({ "path": path, "text": "Text.\n", "version": null, "changes": [] });
            let reply = ada.ask(operation, &body);
            let of_link =
                path.contains("/out/") && ["look", "edit", "preview"].contains(&operation);
            assert!(
                of_link || (400..500).contains(&reply.status),
                "{operation} {path}: {} {}",
                reply.status,
                reply.text()
            );
            assert!(!reply.text().contains("secret"), "{operation} {path}");
        }
    }
    assert_eq!(served.files(), before);
    assert_eq!(fs::read_to_string(outside.path().join("x.md")).unwrap(), "secret");
}

#[test]
fn a_new_draft_has_an_id_and_is_deleted_to_the_trash() {
    let served = serve(sample_site());
    let ada = person(&served);
    let make =
        |kind: &str, title: &str| ada.ask("create", &json!({ "kind": kind, "title": title }));
    let path = make("item", "Low \"tide\"").ok()["path"].as_str().unwrap().to_owned();
    let text = served.site.read(&path);
    assert!(
        text.contains("slug = \"low-tide\"") && text.contains("status = \"unpublished\""),
        "{text}"
    );
    // The next one of the same title has another name.
    assert_ne!(make("item", "Low tide").ok()["path"], path);
    assert_eq!(make("page", "About us").ok()["path"], "content/pages/about-us.md");
    for (kind, title) in [("item", "  "), ("item", "…"), ("channel", "x")] {
        make(kind, title).error(400);
    }
    ada.ask("remove", &json!({ "path": path })).ok();
    assert!(!served.site.path(&path).exists());
    ada.ask("remove", &json!({ "path": "content/channel.md" })).error(400);
    let listed = ada.ask("site", &json!({})).ok();
    let drafts =
        listed["files"].as_array().unwrap().iter().filter(|file| file["status"] == "draft");
    assert_eq!(drafts.count(), 2, "{listed}");
}

/// An episode with a recording.
fn episode(id: &str, day: u8, more: &str) -> String {
    format!(
        "+++\nid = \"{id}\"\nslug = \"{id}\"\ntitle = \"{id}\"\ndate_published = 2026-01-{day:02}\nattachment = \"talk.mp3\"\nimage = \"cover.png\"\n{more}+++\nWaves.\n"
    )
}

#[test]
fn the_list_says_what_each_item_is() {
    let site = sample_site()
        .with("content/items/pier/talk.mp3", b"sound")
        .with("content/items/pier/cover.png", PICTURE)
        .with(
            "content/items/pier/index.md",
            episode("pier", 7, "[podcast]\nseason = 2\nepisode = 7\n"),
        )
        .with(
            "content/items/fog/index.md",
            "+++\nid = \"fog\"\ntitle = \"Fog\"\nstatus = \"unpublished\"\n+++\n",
        )
        .with(
            "content/items/far.md",
            TEXT.replace("walk", "far")
                .replace("title", "image = \"https://a.example/b.png\"\ntitle"),
        );
    let served = serve(site);
    let ada = person(&served);
    let listed = ada.ask("site", &json!({})).ok();
    let item = |id: &str| {
        let files = listed["files"].as_array().unwrap().iter();
        files.clone().find(|file| file["id"] == id).unwrap().clone()
    };
    // One episode and two posts. A draft that has a folder, for its media, is what most items are.
    assert_eq!(listed["subject"], "post");
    assert_eq!((&item("walk")["form"], &item("fog")["form"]), (&json!("post"), &json!("post")));
    let pier = item("pier");
    assert_eq!(
        (&pier["form"], &pier["season"], &pier["episode"]),
        (&json!("episode"), &json!(2), &json!(7.0))
    );
    // Its picture is one that the page can show. What is elsewhere is not asked for.
    let path =
        format!("/_edit/media/content/items/pier/index.md?of={}", pier["image"].as_str().unwrap());
    let shown = served.send("GET", &path, &[("cookie", &ada.cookie)], b"");
    assert_eq!((shown.status, shown.header("content-type")), (200, Some("image/png")));
    assert_eq!(item("far")["image"], Value::Null);
}

#[test]
fn a_site_without_items_is_about_what_its_theme_is_for() {
    for (theme, subject) in [("default", "post"), ("podcast", "episode"), ("photos", "photo")] {
        let config = format!("base_url = \"https://example.com\"\ntheme = \"{theme}\"\n");
        let served = serve(site().with("site.toml", config));
        let listed = person(&served).ask("site", &json!({})).ok();
        assert_eq!(
            (&listed["subject"], &listed["next"]),
            (&json!(subject), &Value::Null),
            "{theme}"
        );
    }
}

#[test]
fn a_new_episode_has_a_folder_and_continues_the_numbers() {
    let talk = |site: SmallSite, id: &str, day: u8, more: &str| {
        site.with(&format!("content/items/{id}/talk.mp3"), b"sound")
            .with(&format!("content/items/{id}/cover.png"), PICTURE)
            .with(&format!("content/items/{id}/index.md"), episode(id, day, more))
    };
    let site = talk(sample_site(), "one", 1, "[podcast]\nseason = 2\nepisode = 7\n");
    // A bonus episode has no number, and is not the last one.
    let site = talk(site, "bonus", 3, "[itunes]\nepisodeType = \"bonus\"\n");
    let served = serve(site);
    let ada = person(&served);
    let make = |title: &str, numbered: bool| {
        let asked = json!({ "kind": "item", "title": title, "folder": true, "numbered": numbered });
        ada.ask("create", &asked).ok()["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(ada.ask("site", &json!({})).ok()["next"], json!({ "season": 2, "episode": 8 }));
    let path = make("Low tide", true);
    assert_eq!(path, "content/items/low-tide/index.md");
    let text = served.site.read(&path);
    assert!(
        text.ends_with("status = \"unpublished\"\n\n[podcast]\nseason = 2\nepisode = 8\n+++\n\n"),
        "{text}"
    );
    // The draft is counted, and no name is taken twice: neither a folder's nor a file's.
    let next = served.site.read(&make("Low tide", true));
    assert!(next.contains("slug = \"low-tide-2\"") && next.contains("episode = 9\n"), "{next}");
    assert_eq!(make("Walk", false), "content/items/walk-2/index.md");
    assert!(!served.site.read("content/items/walk-2/index.md").contains("[podcast]"));
    // Where the last episode has no number, the next has none.
    let served = serve(talk(sample_site(), "one", 1, ""));
    let asked = json!({ "kind": "item", "title": "Two", "folder": true, "numbered": true });
    person(&served).ask("create", &asked).ok();
    assert!(!served.site.read("content/items/two/index.md").contains("[podcast]"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever is written into a field: the rest of the file is byte for byte what it was.
    #[test]
    fn editing_a_field_changes_one_line(title in "\\PC{1,40}", format in 0usize..2) {
        thread_local! {
            static SERVED: Served = serve(sample_site());
        }
        let text = match format {
            0 => TEXT.to_owned(),
            _ => "---\nid: walk\ntitle: A walk # by the sea\n# kept\ntags: [a,  b]\n---\nText.\n".to_owned(),
        };
        SERVED.with(|served| {
            let ada = person(served);
            let asked = json!({ "path": WALK, "text": text, "changes": [{ "keys": ["title"], "value": title }] });
            let edited = ada.ask("edit", &asked).ok();
            let new = format!("{}{}", edited["head"].as_str().unwrap(), edited["body"].as_str().unwrap());
            prop_assert_eq!(&edited["values"]["title"], &json!(title));
            let without = |text: &str| -> Vec<String> {
                text.lines().filter(|line| !line.starts_with("title")).map(str::to_owned).collect()
            };
            prop_assert_eq!(without(&new), without(&text));
            Ok(())
        })?;
    }
}
