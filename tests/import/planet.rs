//! Feeds from elsewhere for the planet: `fetch`.

use std::collections::HashMap;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};

use feedwright::model::PlanetFile;
use feedwright::source::load::load_config;
use feedwright::source::planet::fetched;
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::mock_server::{MockRequest, mock_server};
use crate::support::program;
use crate::support::small_site::{SmallSite, feedwright, site, tree};

const NOW: &str = "2026-06-01T12:00:00Z";

/// What a server answers, by path.
type Answers = Arc<Mutex<HashMap<&'static str, (&'static str, String)>>>;

struct Elsewhere {
    url: String,
    answers: Answers,
    asked: Receiver<MockRequest>,
}

impl Elsewhere {
    fn start() -> Self {
        let answers = Answers::default();
        let known = Arc::clone(&answers);
        let (url, asked) = mock_server(move |request| {
            let path = request.line.split(' ').nth(1).unwrap();
            let known = known.lock().unwrap();
            let (status, body) =
                known.get(path).cloned().unwrap_or(("404 Not Found", String::new()));
            match status.split_once("etag: ") {
                Some((_, etag)) if request.header("if-none-match") == etag => {
                    ("304 Not Modified", String::new())
                }
                _ => (status, body),
            }
        });
        Self { url, answers, asked }
    }

    fn set(&self, path: &'static str, status: &'static str, body: impl Into<String>) {
        self.answers.lock().unwrap().insert(path, (status, body.into()));
    }

    /// A site that lists these paths as feeds.
    fn site(&self, paths: &[&str]) -> SmallSite {
        let feeds =
            paths.iter().map(|path| format!("[[aggregate]]\nfeed = \"{}{path}\"\n", self.url));
        let feeds: String = feeds.collect();
        site().with("site.toml", format!("base_url = \"https://example.org\"\n\n{feeds}"))
    }
}

/// The file of the first feed, as feedwright reads it.
fn file(site: &SmallSite) -> PlanetFile {
    let (config, _) = load_config(site.root());
    fetched(site.root(), &config.aggregate[0], &config).unwrap()
}

/// What `fetch --json` says of each feed.
fn load(site: &SmallSite) -> Vec<Value> {
    let now: Timestamp = NOW.parse().unwrap();
    let mut command = program::command();
    command.current_dir(site.root()).args(["fetch", "--json", "--timeout", "5"]);
    command.env("SOURCE_DATE_EPOCH", now.as_second().to_string());
    let ran = program::run(&mut command);
    let mut out: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(out["ok"], ran.code == Some(0), "{}", ran.err);
    serde_json::from_value(out["feeds"].take()).unwrap()
}

/// The files of `content/planet/`, with `<elsewhere>` for the server.
fn files(site: &SmallSite, elsewhere: &Elsewhere) -> String {
    let files = tree(&site.path("content/planet")).into_values();
    let files: Vec<String> = files.map(|bytes| String::from_utf8(bytes).unwrap()).collect();
    files.join("\n---\n").replace(&elsewhere.url, "<elsewhere>")
}

fn rss(items: &str) -> String {
    format!(
        "<rss version=\"2.0\"><channel><title>A &amp;amp; B</title><link>https://a.example/blog/</link>{items}</channel></rss>"
    )
}

fn rss_item(number: usize) -> String {
    format!(
        "<item><guid>https://a.example/{number}</guid><title>Number {number}</title><pubDate>Wed, {number:02} Apr 2026 10:00:00 GMT</pubDate></item>"
    )
}

#[test]
fn feeds_of_every_format_become_files() {
    let elsewhere = Elsewhere::start();
    elsewhere.set("/rss.xml", "200 OK", rss(
        "<item><title>The &lt;b&gt;late&lt;/b&gt; ferry</title><link>late?a=1</link><guid isPermaLink=\"false\">1</guid>\
         <pubDate>Tue, 10 Mar 2026 09:00:00 +0100</pubDate><author>ann@a.example (Ann)</author>\
         <description>&lt;p&gt;It left.&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;&lt;p&gt;It came back.&lt;/p&gt;</description></item>\
         <item><title>Without a date</title><link>https://a.example/2</link></item>"));
    elsewhere.set("/atom.xml", "200 OK",
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:base=\"https://b.example/x/\"><title>B</title>\
         <entry><id>tag:b</id><title type=\"html\">&lt;i&gt;Tide&lt;/i&gt;</title><link href=\"tide\"/>\
         <updated>2026-02-01T00:00:00.5Z</updated><summary>High.</summary></entry></feed>");
    elsewhere.set("/feed.json", "200 OK", json!({
        "version": "https://jsonfeed.org/version/1.1", "title": "C", "home_page_url": "https://c.example",
        "items": [{ "id": "c", "url": "https://c.example/1", "content_text": "Plain <b>.",
                    "date_published": "2026-01-01T00:00:00Z", "authors": [{ "name": "Cy" }, { "name": "Di" }] }],
    }).to_string());
    elsewhere.set("/rdf", "200 OK",
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\">\
         <channel><title>D</title></channel><item rdf:about=\"https://d.example/1\"><title>Old</title>\
         <link>https://d.example/1</link></item></rdf:RDF>");
    let site = elsewhere.site(&["/rss.xml", "/atom.xml", "/feed.json", "/rdf"]);
    let result = load(&site);
    assert!(result.iter().all(|one| one["written"] == true), "{result:?}");
    let port = elsewhere.url.rsplit(':').next().unwrap();
    insta::assert_snapshot!(files(&site, &elsewhere).replace(port, "<port>"));
    assert_eq!(site.built().warnings.len(), 0);
    let page = site.read("public/planet/index.html");
    assert!(page.contains("The late ferry") && !page.contains("x()"), "{page}");
    // An item without a date keeps the date of its first fetch.
    assert!(load(&site).iter().all(|one| one["written"] == false));
}

#[test]
fn hostile_feeds_do_no_harm() {
    let elsewhere = Elsewhere::start();
    let long = "x".repeat(5000);
    elsewhere.set("/hostile", "200 OK", rss(&format!(
        "<item><title>Script</title><link>javascript:alert(1)</link><guid isPermaLink=\"false\">1</guid></item>\
         <item><title>Data</title><link>data:text/html,x</link></item><item><title>No link</title></item>\
         <item><title>Password</title><link>https://me:secret@a.example/</link></item>\
         <item><title>Long</title><link>https://a.example/{long}</link></item>\
         <item><title>Future</title><link>https://a.example/f</link><pubDate>Fri, 10 Mar 2126 09:00:00 GMT</pubDate></item>\
         <item><title>&#x202e;Turned&#x7;\u{85} {long}</title><link>https://a.example/1</link><guid isPermaLink=\"false\">g\n1</guid>\
         <pubDate>Mon, 01 Jan 0001 00:00:00 GMT</pubDate><description>&lt;img src=x onerror=alert(1)&gt;&lt;style&gt;*{{}}&lt;/style&gt;{long}</description></item>\
         <item><title>Twice</title><link>https://a.example/2</link><guid isPermaLink=\"false\">g 1</guid></item>"
    )));
    elsewhere.set("/loop", "302 Found\r\nlocation: /loop", "");
    elsewhere.set("/inward", "302 Found\r\nlocation: http://169.254.169.254/latest/", "");
    elsewhere.set("/page", "200 OK",
        "<!doctype html><html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"/rss.xml\"></head></html>");
    elsewhere.set("/noise", "200 OK", "\u{0}\u{1}");
    elsewhere.set("/bomb", "200 OK",
        "<!DOCTYPE rss [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;\">]><rss><channel><title>&c;</title></channel></rss>");
    let paths = ["/hostile", "/loop", "/inward", "/page", "/noise", "/bomb", "/gone"];
    let site = elsewhere.site(&paths);
    let result = load(&site);
    let told =
        result.iter().map(|one| format!("{} {} {}", one["error"], one["notes"], one["items"]));
    let told = told.collect::<Vec<_>>().join("\n").replace(&elsewhere.url, "<elsewhere>");
    insta::assert_snapshot!(told);
    let kept = file(&site);
    assert_eq!(kept.items.len(), 1);
    let item = &kept.items[0];
    assert!(item.title.starts_with("Turned ") && item.title.chars().count() <= 300, "{item:?}");
    assert_eq!((item.id.as_str(), item.date.to_string()), ("g 1", NOW.to_owned()));
    assert!(item.excerpt.starts_with("xxx") && item.excerpt.chars().count() <= 400, "{item:?}");
    site.built();
}

#[test]
fn a_huge_feed_is_not_read() {
    let elsewhere = Elsewhere::start();
    elsewhere.set("/huge", "200 OK", " ".repeat(9 * 1024 * 1024));
    let site = elsewhere.site(&["/huge"]);
    let error = load(&site)[0]["error"].to_string();
    assert!(error.contains("returned more than 8388608 bytes"), "{error}");
}

#[test]
fn a_feed_that_fails_keeps_its_last_file() {
    let elsewhere = Elsewhere::start();
    elsewhere.set("/a", "200 OK", rss(&rss_item(1)));
    elsewhere.set("/b", "200 OK", rss(&rss_item(2)));
    let site = elsewhere.site(&["/a", "/b"]);
    let (code, _, told) = feedwright(&site, &["fetch"]);
    assert_eq!(code, 0, "{told}");
    assert!(told.contains(": 1 new item, 1 in content/planet/"), "{told}");
    let before = files(&site, &elsewhere);
    elsewhere.set("/a", "410 Gone", "");
    elsewhere.set("/b", "200 OK", rss(&[rss_item(2), rss_item(3)].concat()));
    let (code, out, _) = feedwright(&site, &["fetch", "--json"]);
    let out: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &out["ok"]), (1, &json!(false)));
    let [a, b] = [&out["feeds"][0], &out["feeds"][1]];
    assert_eq!((&a["written"], &a["items"]), (&json!(false), &json!(1)));
    assert!(a["error"].as_str().unwrap().contains("status 410"), "{a}");
    assert_eq!((&b["written"], &b["new"], &b["items"]), (&json!(true), &json!(1), &json!(2)));
    let after = files(&site, &elsewhere);
    assert_eq!(before.split("\n---\n").next(), after.split("\n---\n").next());
    // `build` never loads a feed.
    elsewhere.asked.try_iter().for_each(drop);
    site.built();
    assert_eq!(elsewhere.asked.try_iter().count(), 0);
}

#[test]
fn an_unchanged_feed_is_not_sent_again() {
    let elsewhere = Elsewhere::start();
    let five: String = (1..=5).map(rss_item).collect();
    elsewhere.set("/a", "200 OK\r\netag: \"one\"", rss(&five));
    let site = elsewhere.site(&["/a"]);
    load(&site);
    assert_eq!(elsewhere.asked.try_iter().last().unwrap().header("if-none-match"), "");
    let result = load(&site);
    assert_eq!((&result[0]["written"], &result[0]["items"]), (&json!(false), &json!(5)));
    assert_eq!(elsewhere.asked.try_iter().last().unwrap().header("if-none-match"), "\"one\"");
    // With another limit, the whole feed is needed.
    let text = site.read("site.toml");
    site.write("site.toml", format!("{text}limit = 2\n"));
    let result = load(&site);
    assert_eq!((&result[0]["items"], &result[0]["new"]), (&json!(2), &json!(0)));
    // A new feed at the same address replaces the file.
    elsewhere.set("/a", "200 OK\r\netag: \"two\"", rss(&rss_item(9)));
    assert_eq!(load(&site)[0]["new"], 1);
    site.write("site.toml", "base_url = \"https://example.org\"\n");
    let (code, _, told) = feedwright(&site, &["fetch"]);
    assert_eq!(code, 0);
    assert!(told.contains("Nothing to fetch") && told.contains("belongs to no feed"), "{told}");
}

fn random_items() -> impl Strategy<Value = Vec<Value>> {
    let text = || prop_oneof!["\\PC{0,40}", any::<String>(), Just("<b>x</b> &amp; y".to_owned())];
    let url = prop_oneof![
        "https://[a-z]{1,8}\\.example/[ -~]{0,20}",
        "[ -~]{0,20}",
        Just("javascript:x".to_owned())
    ];
    let date = prop_oneof![
        (0_i64..2_000_000_000).prop_map(|time| Timestamp::from_second(time).unwrap().to_string()),
        any::<String>(),
    ];
    let item = (text(), url, text(), text(), date).prop_map(|(id, url, title, html, date)| {
        json!({ "id": id, "url": url, "title": title, "content_html": html, "date_published": date,
                "authors": [{ "name": title }] })
    });
    proptest::collection::vec(item, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// What is written reads back as the same, so that a second run writes nothing.
    #[test]
    fn fetching_twice_writes_once(items in random_items(), title in any::<String>()) {
        let elsewhere = Elsewhere::start();
        let feed = json!({ "version": "https://jsonfeed.org/version/1", "title": title, "items": items });
        elsewhere.set("/feed", "200 OK", feed.to_string());
        let site = elsewhere.site(&["/feed"]);
        prop_assert_eq!(&load(&site)[0]["written"], true);
        let second = load(&site);
        prop_assert_eq!(&second[0]["error"], &Value::Null);
        prop_assert_eq!(&second[0]["written"], false, "{}", files(&site, &elsewhere));
        let file = file(&site);
        prop_assert_eq!(&second[0]["items"], file.items.len());
        let mut ids: Vec<&str> = file.items.iter().map(|item| item.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), file.items.len());
        for item in &file.items {
            prop_assert!(item.url.starts_with("http://") || item.url.starts_with("https://"));
            prop_assert!(item.date <= NOW.parse().unwrap());
            let texts = [&item.id, &item.title, &item.excerpt];
            prop_assert!(!texts.iter().any(|text| text.contains(char::is_control)));
        }
        prop_assert_eq!(site.built().warnings.len(), 0);
    }
}
