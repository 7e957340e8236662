//! `check --against`, `--links` and `--fix`, and the reports that other programs read.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use feedwright::builder::{self, ExtraChecks, Silent};
use serde_json::Value;

use crate::support::git::git_at;
use crate::support::small_site::{self, SmallSite, bare};
use crate::support::{media_fixture, program};

const SITE: &str = "base_url = \"https://show.org\"\n";

fn episode(id: &str, slug: &str, size: u32) -> String {
    format!(
        "+++\nid = \"{id}\"\nslug = \"{slug}\"\ntitle = \"Walk {id}\"\ndate_published = 2026-01-01T10:00:00Z\n[attachment]\nurl = \"https://cdn.example.net/{id}.mp3\"\nmime_type = \"audio/mpeg\"\nsize_in_bytes = {size}\nduration_in_seconds = 60\n+++\nText.\n"
    )
}

fn show() -> SmallSite {
    bare()
        .with("site.toml", SITE)
        .with(
            "content/channel.md",
            "+++\ntitle = \"Tides\"\nlanguage = \"en\"\nauthors = [\"Ana\"]\nicon = \"https://cdn.show.org/c.png\"\ncategories = [\"Science > Nature\"]\n[itunes]\nexplicit = false\nemail = \"a@show.org\"\n+++\nAbout it.\n",
        )
        .with("content/items/one.md", episode("one", "first", 100))
        .with("content/items/two.md", episode("two", "second", 200))
        .with("content/items/three.md", episode("three", "third", 300))
        .with("content/pages/about.md", "+++\nid = \"about\"\ntitle = \"About\"\n+++\nText.\n")
}

/// The site after a night of unlucky edits.
fn apply_careless_edits(site: &SmallSite) {
    site.write("content/items/one.md", episode("one", "premier", 100));
    site.write("content/items/two.md", episode("two", "second", 222));
    let three = episode("drei", "third", 300)
        .replace("Walk drei", "Walk three")
        .replace("drei.mp3", "three.mp3");
    site.write("content/items/three.md", three);
    site.remove("content/pages/about.md");
}

fn against(site: &SmallSite, what: &str) -> Vec<String> {
    let elsewhere = ExtraChecks { against: Some(what.to_owned()), ..ExtraChecks::default() };
    let found = builder::check_with(&site.options(), &elsewhere, &Silent).report.sorted();
    let line = |one: &feedwright::model::Diagnostic| {
        format!(
            "{} {}: {}",
            one.rule.map_or("error", |rule| rule.name()),
            one.file.as_deref().unwrap_or_default(),
            one.message
        )
    };
    found.iter().map(line).collect()
}

const CHANGES: [&str; 4] = [
    "vanished : /about/ was published, but the site no longer has a page there",
    "moved-address content/items/one.md: the published address /i/first/ no longer works: this item is now at /i/premier/",
    "changed-id content/items/three.md: the published guid \"three\" of this item has changed: every app will show it as a new item",
    "changed-enclosure content/items/two.md: the file of this item was published with 200 bytes, but now has 222",
];

#[test]
fn a_site_is_compared_with_a_revision() {
    let site = show();
    git_at(site.root(), "", &["init", "-q"]);
    git_at(site.root(), "", &["add", "."]);
    git_at(site.root(), "", &["commit", "-qm", "Show"]);
    assert_eq!(against(&site, "HEAD"), [""; 0]);
    apply_careless_edits(&site);
    assert_eq!(against(&site, "HEAD"), CHANGES);
    site.write("content/pages/us.md", "+++\nid = \"about\"\ntitle = \"About\"\n+++\nText.\n");
    let moved = "moved-address content/pages/us.md: the published address /about/ no longer works: this page is now at /us/";
    assert!(against(&site, "HEAD").contains(&moved.to_owned()));
    let unknown = against(&site, "nope");
    assert_eq!(unknown, ["error : \"nope\" is not an address, file, folder or git revision"]);
}

#[test]
fn a_site_is_compared_with_the_last_build() {
    let site = show();
    site.built();
    let kept = tempfile::tempdir().unwrap();
    let out = kept.path().join("public");
    std::fs::rename(site.path("public"), &out).unwrap();
    site.remove(".feedwright");
    let what = out.to_str().unwrap();
    assert_eq!(against(&site, what), [""; 0]);
    apply_careless_edits(&site);
    let found = against(&site, what);
    for change in CHANGES {
        assert!(found.contains(&change.to_owned()), "{change}: {found:#?}");
    }
    assert_eq!(found.iter().filter(|line| line.contains("/i/first/")).count(), 1, "{found:#?}");
    let feed = out.join("rss.xml");
    let feed = against(&site, feed.to_str().unwrap());
    assert_eq!(feed, CHANGES[1..], "a feed has no Pages");
    let sitemap = against(&site, out.join("sitemap.xml").to_str().unwrap());
    assert!(sitemap.contains(&CHANGES[0].to_owned()), "{sitemap:#?}");
}

#[test]
fn a_site_is_compared_with_a_published_feed() {
    let site = show();
    site.built();
    let feed = String::from_utf8(site.output()["rss.xml"].clone()).unwrap();
    site.remove(".feedwright");
    site.remove("public");
    apply_careless_edits(&site);
    let server = serve(move |path| {
        match path {
        "/" => (200, "<html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"/rss/\"></head></html>".to_owned()),
        "/rss/" => (200, feed.clone()),
        _ => (404, String::new()),
    }
    });
    assert_eq!(against(&site, &format!("{}/", server.address)), CHANGES[1..]);
    let gone = against(&site, &format!("{}/nope", server.address));
    assert!(gone[0].starts_with("error : ") && gone[0].contains("404"), "{gone:?}");
}

fn run(site: &SmallSite, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = program::command();
    let command = command.arg("check").args(arguments).current_dir(site.root());
    let command = command.env("SOURCE_DATE_EPOCH", "1780315200").env_remove("GITHUB_ACTIONS");
    let ran = program::run(command);
    (ran.code, ran.out, ran.err)
}

#[test]
fn check_fix_restores_changed_ids_and_addresses() {
    let site = show();
    git_at(site.root(), "", &["init", "-q"]);
    git_at(site.root(), "", &["add", "."]);
    git_at(site.root(), "", &["commit", "-qm", "Show"]);
    apply_careless_edits(&site);
    let before = site.read("content/items/one.md");
    let (code, _, said) = run(&site, &["--against", "HEAD", "--fix"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("2 files were fixed\n0 errors and 2 warnings"), "{said}");
    let line = "aliases = [\"first\"]\n";
    let one = site.read("content/items/one.md");
    assert!(one.contains(line) && one.replace(line, "") == before, "{one}");
    assert!(site.read("content/items/three.md").contains("guid = \"three\"\n"));
}

/// Before ids are written down: the renamed file would keep the new one for good.
#[test]
fn check_fix_restores_id_and_address_of_a_renamed_file() {
    let item = "+++\ntitle = \"Four\"\ndate = 2026-02-01\n+++\nA text of its own.\n";
    let page = "---\ntitle: Team\naliases: [old]\n---\nWho we are.\n";
    let site = show().with("content/items/four.md", item).with("content/pages/team.md", page);
    git_at(site.root(), "", &["init", "-q"]);
    git_at(site.root(), "", &["add", "."]);
    git_at(site.root(), "", &["commit", "-qm", "Show"]);
    // Told once, whether by the revision, by the last build, or by both.
    site.built();
    let rename = |from: &str, to: &str| std::fs::rename(site.path(from), site.path(to)).unwrap();
    rename("content/items/four.md", "content/items/4.md");
    rename("content/pages/team.md", "content/pages/people.md");
    let said = against(&site, "HEAD");
    assert_eq!(said.len(), 2, "{said:#?}");
    let four = "changed-id content/items/4.md: this file was moved from content/items/four.md";
    assert!(said[0].starts_with(four), "{said:#?}");
    let team = "its old address /team/ no longer works";
    assert!(said[1].ends_with(team), "{said:#?}");
    let (code, _, said) = run(&site, &["--against", "HEAD", "--fix"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("0 errors and 0 warnings"), "{said}");
    let people = site.read("content/pages/people.md");
    assert!(people.contains("aliases: [old, team]\n"), "{people}");
    let four = site.read("content/items/4.md");
    assert!(four.contains("\nid = \""), "{four}");
    assert_eq!(against(&site, "HEAD"), [""; 0]);
}

/// The last commit knows what no build saw.
#[test]
fn check_fix_restores_a_file_renamed_since_the_last_commit() {
    let item = |title: &str, text: &str| format!("+++\ntitle = \"{title}\"\n+++\n{text}\n");
    let site = show()
        .with("content/items/four.md", item("Four", "A text of its own."))
        .with("content/items/gone.md", item("Gone", "Said twice."))
        .with("content/items/stays.md", item("Stays", "Said twice."))
        .with("content/pages/team.md", "---\ntitle: Team\n---\nWho we are.\n");
    git_at(site.root(), "", &["init", "-q"]);
    git_at(site.root(), "", &["add", "."]);
    git_at(site.root(), "", &["commit", "-qm", "Show"]);
    let id = |name: &str| {
        let name = feedwright::model::SitePath::parse(&format!("content/{name}")).unwrap();
        feedwright::model::ItemId::derive(name.as_str()).to_string()
    };
    // It has another title by now, and the Page another text.
    let site = site
        .without("content/items/four.md")
        .without("content/items/gone.md")
        .without("content/pages/team.md")
        .with("content/items/4.md", item("The fourth", "A text of its own."))
        .with("content/pages/people.md", "---\ntitle: Team\n---\nAll of us.\n");
    let (_, said, _) = run(&site, &["--json"]);
    assert!(said.contains("this file was moved from content/items/four.md, so its id"), "{said}");
    assert!(said.contains("this file was moved from content/pages/team.md, so its id"), "{said}");
    assert!(!said.contains("moved from content/items/gone.md"), "{said}");
    let (code, _, said) = run(&site, &["--fix"]);
    assert_eq!(code, Some(0), "{said}");
    let four = site.read("content/items/4.md");
    assert!(four.contains(&format!("id = {:?}\n", id("items/four"))), "{four}");
    let people = site.read("content/pages/people.md");
    let of_team = format!("id: {}\n", id("pages/team"));
    assert!(people.contains(&of_team), "{people}");
    assert!(people.contains("aliases:\n  - team\n"), "{people}");
    let stays = site.read("content/items/stays.md");
    assert!(stays.contains(&format!("id = {:?}\n", id("items/stays"))), "{stays}");
}

/// Of so many not all are told at once.
#[test]
fn check_fix_restores_ids_in_a_renamed_folder() {
    let text =
        |at: u32| format!("+++\ntitle = \"Walk {at}\"\ndate = 2026-01-01\n+++\nText {at}.\n");
    let site = (0..120)
        .fold(show(), |site, at| site.with(&format!("content/items/old/{at}.md"), text(at)));
    site.built();
    let [old, new] = ["old", "new"].map(|name| site.path(&format!("content/items/{name}")));
    std::fs::rename(old, new).unwrap();
    let (code, _, said) = run(&site, &["--fix"]);
    assert_eq!(code, Some(0), "{said}");
    let end = "120 files were fixed\n0 errors and 0 warnings";
    assert!(said.contains(end), "{said}");
}

#[test]
fn check_fix_corrects_foreign_keys_and_case() {
    let item = "---\nid: one # kept\nslug: one\ntitle: One\nseason: 2\nepisode: 'three'\ncover: Pier.png\nlang: en\ndate: 2026-01-01\n---\n![A pier](./pier.png)\n";
    let site =
        show().with("content/items/one/index.md", item).without("content/items/one.md").with(
            "content/items/one/Pier.png",
            include_bytes!("../../crates/media-facts/tests/fixtures/picture.png"),
        );
    let (_, _, said) = run(&site, &["--fix"]);
    let mended = site.read("content/items/one/index.md");
    assert!(mended.starts_with("---\nid: one # kept\nslug: one\ntitle: One\n"), "{mended}");
    assert!(mended.contains("image: Pier.png\n") && mended.contains("language: en\n"), "{mended}");
    assert!(mended.contains("podcast:\n  season: 2\n"), "{mended}");
    assert!(mended.contains("episode: 'three'\n"), "a text is no number, and stays: {mended}");
    assert!(mended.ends_with("![A pier](./Pier.png)\n"), "{mended}");
    assert!(said.contains("1 file was fixed\n0 errors and 2 warnings\n"), "{said}");
}

#[test]
fn a_rule_is_explained_and_similar_names_suggested() {
    let site = show();
    let (code, said, _) = run(&site, &["--explain", "alt-text"]);
    assert_eq!(code, Some(0));
    assert!(said.starts_with("alt-text: A picture has no alternative text"), "{said}");
    assert!(said.contains("WCAG 2.2") && !said.contains("+++"), "{said}");
    let (code, _, said) = run(&site, &["--explain", "alttext"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("did you mean alt-text?"), "{said}");
}

fn site_with_errors() -> SmallSite {
    show().with("content/pages/about.md", "+++\nid = \"about\"\ntitle = \"About\"\nlang = \"en\"\n+++\n[100%, a:b](/no,where/)\n[100%, a:b](/no,where/)\n")
}

#[test]
fn annotations_have_the_format_of_code_hosts() {
    let (code, said, _) = run(&site_with_errors(), &["--format", "github"]);
    assert_eq!(code, Some(0));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    assert_eq!(
        lines[0],
        "::warning file=content/pages/about.md,line=4,col=1,title=unknown-key::unknown key `lang`%0Awrite `language`"
    );
    let (_, said, _) = run(&site_with_errors(), &["--format", "gitlab"]);
    let issues: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(issues[0]["check_name"], "unknown-key");
    assert_eq!(issues[0]["location"]["path"], "content/pages/about.md");
    assert_eq!(issues[0]["location"]["lines"]["begin"], 4);
    let mut names: Vec<&str> =
        issues.as_array().unwrap().iter().map(|one| one["fingerprint"].as_str().unwrap()).collect();
    names.dedup();
    assert_eq!(names.len(), 3, "each has a fingerprint of its own");
}

#[test]
fn github_actions_get_annotations_and_text() {
    let site = site_with_errors();
    let mut command = program::command();
    let command = command.current_dir(site.root().parent().unwrap());
    let command = command.args(["check", "--site"]).arg(site.root());
    let done = program::run(command.env("GITHUB_ACTIONS", "true"));
    let folder = site.root().file_name().unwrap().to_str().unwrap();
    let place = format!("::warning file={folder}/content/pages/about.md,line=4,");
    let said = done.out;
    assert!(said.starts_with(&place), "paths start where the command runs: {said}");
    assert!(done.err.contains("0 errors and 3 warnings"));
}

#[test]
fn the_report_is_sarif() {
    let site = site_with_errors().with("content/items/b.md", "+++\nid = \"b\"\nsummary = 1\n+++\n");
    let (code, said, _) = run(&site, &["--format", "sarif"]);
    assert_eq!(code, Some(1));
    let log: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 4, "{said}");
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(!rule["shortDescription"]["text"].as_str().unwrap().is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["artifactLocation"]["uri"].as_str().unwrap().starts_with("content/"));
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
        assert!(["error", "warning"].contains(&result["level"].as_str().unwrap()));
    }
}

/// A server on this machine, for as long as the test runs.
pub struct Server {
    pub address: String,
    asked: Arc<AtomicUsize>,
}

pub fn serve(answer: impl Fn(&str) -> (u16, String) + Send + Sync + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, answer) = (stream.unwrap(), Arc::clone(&answer));
            count.fetch_add(1, Ordering::SeqCst);
            thread::spawn(move || {
                let mut head = Vec::new();
                let mut byte = [0];
                while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) > 0 {
                    head.push(byte[0]);
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                let path = head.split(' ').nth(1).unwrap_or("/");
                let (status, mut body) = match head.starts_with("HEAD") && path == "/no-head" {
                    true => (405, String::new()),
                    false => answer(path),
                };
                let length = body.len();
                if head.starts_with("HEAD") {
                    body.clear();
                }
                let _ = write!(
                    stream,
                    "HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
                );
            });
        }
    });
    Server { address, asked }
}

#[test]
fn external_links_are_checked_once_a_day() {
    let server = serve(|path| match path {
        "/gone" => (404, String::new()),
        "/secret" => (403, String::new()),
        _ => (200, "Here.".to_owned()),
    });
    let at = &server.address;
    let text = format!(
        "+++\nid = \"about\"\ntitle = \"About\"\n+++\n[a]({at}/gone?a=1&b=2)\n[b]({at}/here#part), [c]({at}/secret), [d]({at}/no-head)\n[e](https://show.org/rss/)\n"
    );
    let text = text.replace("/gone?a=1&b=2", "/gone");
    let site = show().with("content/pages/about.md", text);
    let look = |local| {
        let elsewhere = ExtraChecks { links: true, local, ..ExtraChecks::default() };
        let found = builder::check_with(&site.options(), &elsewhere, &Silent).report.sorted();
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let found = look(true);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with(&format!("warning[external-link]: broken link to {at}/gone: the server responds with status 404\n  --> content/pages/about.md:5:5")), "{}", found[0]);
    let asked = server.asked.load(Ordering::SeqCst);
    assert_eq!(look(true), found);
    assert_eq!(server.asked.load(Ordering::SeqCst), asked, "the answers were kept");
    site.remove(".feedwright/links");
    let refused = look(false);
    assert_eq!(refused.len(), 4, "{refused:#?}");
    assert!(refused[0].contains("an address in your local network"), "{}", refused[0]);
    assert_eq!(server.asked.load(Ordering::SeqCst), asked, "nobody was asked");
}

#[test]
fn a_comparison_counts_the_recordings_that_get_new_tags() {
    let item = "+++\nid = \"a\"\ntitle = \"A\"\ndate = 2026-02-01\nattachment = \"a.mp3\"\n+++\n";
    let site = small_site::site()
        .with("content/items/a.md", item)
        .with("content/items/a.mp3", std::fs::read(media_fixture("chapters.mp3")).unwrap());
    site.built();
    std::fs::rename(site.path("public"), site.path("before")).unwrap();
    git_at(site.root(), "", &["init", "-q"]);
    git_at(site.root(), "", &["add", "content", "site.toml"]);
    git_at(site.root(), "", &["commit", "-qm", "Show"]);
    let before = site.path("before");
    let before = before.to_str().unwrap();
    let told =
        |what: &str| against(&site, what).into_iter().filter(|line| line.contains("new tags"));
    for what in [before, "HEAD"] {
        assert_eq!(told(what).count(), 0, "{what}");
    }
    site.write("content/channel.md", "+++\ntitle = \"A longer title\"\n+++\n");
    for what in [before, "HEAD"] {
        let told: Vec<String> = told(what).collect();
        assert_eq!(told, ["changed-enclosure : 1 recording (1 MB) gets new tags"], "{what}");
    }
}
