//! Sites of services become sites here: by exports, and by stand-ins of their APIs.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::import::command::{files, notes, ok, run};
use crate::support::fixtures;
use crate::support::program::{self, CommandOutput};
use crate::support::served::{self, KEY};
use crate::support::small_site::{bare, copy};

/// Imports with a key, if there is one.
fn command(service: &str, source: &str, into: &Path, key: Option<&str>) -> CommandOutput {
    let mut command = program::command();
    let command = command.args(["import", service, source, "--json", "--site"]).arg(into);
    let command = command.env("SOURCE_DATE_EPOCH", "1775044800");
    let command = command.env_remove("FEEDWRIGHT_IMPORT_KEY");
    program::run(command.envs(key.map(|key| ("FEEDWRIGHT_IMPORT_KEY", key))))
}

fn import(service: &str, source: &str, into: &Path, key: Option<&str>) -> Value {
    let ran = command(service, source, into, key);
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err))
}

/// What a person is told when nothing can be imported; no key is ever among it.
fn import_error(service: &str, source: &str, key: Option<&str>) -> String {
    let folder = bare();
    let output = command(service, source, &folder.path("new"), key);
    let said = output.err;
    assert_eq!(output.code, Some(2), "{said}");
    assert!(!folder.exists("new"), "nothing is made");
    if let Some(key) = key {
        assert!(!said.contains(key), "{said}");
    }
    said
}

/// A site that was imported builds without an error, and again brings nothing and touches nothing.
fn assert_repeatable(service: &str, source: &str, site: &Path, key: Option<&str>) {
    let folder = site.to_str().unwrap();
    ok(&["check", "--site", folder]);
    ok(&["build", "--site", folder]);
    // An editor's work is theirs.
    let items = site.join("content/items");
    let first = files(&items).into_keys().find(|path| path.ends_with(".md"));
    let edited = items.join(first.unwrap());
    let text = std::fs::read_to_string(&edited).unwrap() + "\nMine.\n";
    std::fs::write(&edited, text).unwrap();
    let before = files(site);
    let report = import(service, source, site, key);
    assert_eq!((&report["items"], &report["pages"]), (&0.into(), &0.into()));
    assert_eq!(files(site), before);
}

fn imported_content(site: &Path, report: &Value) -> String {
    let texts = files(site).into_iter();
    let texts = texts.filter(|(path, _)| path.starts_with("content/") || path.starts_with("site"));
    let texts = texts.map(|(path, text)| format!("==> {path}\n{text}\n"));
    texts.collect::<String>() + "==> told\n" + &notes(report).join("\n") + "\n"
}

/// What a server was asked: the path, and what opens it.
type RecordedRequests = Arc<Mutex<Vec<(String, Option<String>)>>>;

/// A status, and a body of JSON or a place to go on at.
type Answer = (u16, String);

/// A stand-in for a service.
fn start_server(
    answer: impl Fn(&str, Option<&str>, &str) -> Answer + Send + Sync + 'static,
) -> (String, RecordedRequests) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
    let asked = RecordedRequests::default();
    let (noted, own, answer) = (Arc::clone(&asked), base.clone(), Arc::new(answer));
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (noted, own, answer) = (Arc::clone(&noted), own.clone(), Arc::clone(&answer));
            thread::spawn(move || {
                let (mut request, mut part) = (String::new(), [0; 4096]);
                while !request.contains("\r\n\r\n") {
                    let count = stream.read(&mut part).unwrap_or(0);
                    if count == 0 {
                        return;
                    }
                    request += &String::from_utf8_lossy(&part[..count]);
                }
                let path = request.split(' ').nth(1).unwrap().to_owned();
                let header = |line: &str| line.strip_prefix("authorization: ").map(str::to_owned);
                let opens = request.lines().find_map(header);
                noted.lock().unwrap().push((path.clone(), opens.clone()));
                let (status, body) = answer(&path, opens.as_deref(), &own);
                let (place, body) = match status {
                    301..=308 => (format!("location: {body}\r\n"), String::new()),
                    _ => (String::new(), body),
                };
                let head = format!(
                    "HTTP/1.1 {status} It\r\ncontent-type: application/json\r\n{place}content-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all((head + &body).as_bytes());
            });
        }
    });
    (base, asked)
}

fn found(value: Value) -> Answer {
    (200, value.to_string())
}

const MISSING: Answer = (404, String::new());

fn ghost_fixture() -> String {
    let file = fixtures().join("import/ghost.json");
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_ghost_export_is_imported_completely() {
    let (folder, source) = (bare(), ghost_fixture());
    let site = folder.path("new");
    let output = run(&[
        "import",
        "ghost",
        &source,
        "--json",
        "--base-url",
        "https://tides.example",
        "--site",
        site.to_str().unwrap(),
    ]);
    let report: Value = serde_json::from_str(&output.out).unwrap();
    insta::assert_snapshot!("an_export_of_ghost", imported_content(&site, &report));
    assert_repeatable("ghost", &source, &site, None);
    // What was not for everybody is not published.
    let public: String = files(&site.join("public")).into_values().collect();
    for words in ["Secret part", "Only by mail", "first nail", "ann@secret.example"] {
        assert!(!public.contains(words), "{words}");
    }
    // Texts lead to one another, in Markdown and where they stay HTML.
    for (from, to) in [("harbour-walk", "cranes"), ("cranes", "harbour-walk")] {
        let page =
            std::fs::read_to_string(site.join(format!("public/i/{from}/index.html"))).unwrap();
        assert!(page.contains(&format!("/i/{to}/\">")), "{from} leads to {to}");
    }
    // Old addresses lead on.
    for path in ["public/harbour-walk/index.html", "public/tag/walks/index.html"] {
        assert!(site.join(path).is_file(), "{path}");
    }
}

const GHOST_KEY: &str = "64b0000000000000000000aa:00112233445566778899aabbccddeeff";

/// Whether a token is what Ghost takes.
fn is_signed(authorization: &str) -> bool {
    let token = authorization.strip_prefix("Ghost ").unwrap();
    let parts: Vec<&str> = token.split('.').collect();
    let part = |at: usize| -> Value {
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(parts[at]).unwrap()).unwrap()
    };
    let secret: Vec<u8> = (0..16).map(|n| n * 0x11).collect();
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
    mac.update(format!("{}.{}", parts[0], parts[1]).as_bytes());
    let lifetime = part(1)["exp"].as_i64().unwrap() - part(1)["iat"].as_i64().unwrap();
    part(0) == json!({ "alg": "HS256", "typ": "JWT", "kid": "64b0000000000000000000aa" })
        && part(1)["aud"] == "/admin/"
        && lifetime <= 300
        && mac.verify_slice(&URL_SAFE_NO_PAD.decode(parts[2]).unwrap()).is_ok()
}

fn ghost_post(number: usize, base: &str) -> Value {
    json!({ "id": format!("64c0000000000000000000{number:02}"), "title": format!("Post {number}"), "slug": format!("post-{number}"),
        "status": if number == 3 { "draft" } else { "published" }, "visibility": "public", "url": format!("{base}/walks/post-{number}/"),
        "html": format!("<p>Text of {number}, <a href=\"{base}/walks/post-1/\">and the first</a></p>"), "published_at": "2024-01-05T08:00:00.000+00:00",
        "tags": [{ "name": "Walks", "slug": "walks", "visibility": "public" }], "authors": [{ "name": "Ann", "website": null }] })
}

/// A site of Ghost with three posts on two pages, asked by an integration.
fn answer_as_ghost(path: &str, authorization: Option<&str>, base: &str) -> Answer {
    if path == "/" {
        return (200, "<html></html>".to_owned());
    }
    if path.starts_with("/ghost/api/admin") && !authorization.is_some_and(is_signed) {
        return (401, json!({ "errors": [{ "message": "Unknown Admin API Key" }] }).to_string());
    }
    if path.starts_with("/ghost/api/content") && !path.contains("key=0123456789abcdef0123456789") {
        return (403, String::new());
    }
    let page = |next: Value| json!({ "pagination": { "page": 1, "next": next } });
    let path = path.replace("/ghost/api/admin", "").replace("/ghost/api/content", "");
    match path.split('?').next().unwrap() {
        "/posts/" if path.contains("page=1") => found(
            json!({ "posts": [ghost_post(1, base), ghost_post(2, base)], "meta": page(2.into()) }),
        ),
        "/posts/" => found(
            json!({ "posts": [ghost_post(2, base), ghost_post(3, base)], "meta": page(3.into()) }),
        ),
        "/pages/" => found(
            json!({ "pages": [{ "id": "64c0000000000000000000aa", "title": "About", "slug": "about",
            "status": "published", "html": "<p>About it</p>", "url": format!("{base}/about/") }], "meta": page(Value::Null) }),
        ),
        "/site/" => found(
            json!({ "site": { "title": "Tides", "description": "By the water", "url": format!("{base}/") } }),
        ),
        "/settings/" => (403, String::new()),
        _ => MISSING,
    }
}

#[test]
fn a_ghost_site_is_requested_with_a_signed_token() {
    let (base, asked) = start_server(answer_as_ghost);
    let folder = bare();
    let site = folder.path("new");
    let report = import("ghost", &format!("{base}/ghost/"), &site, Some(GHOST_KEY));
    assert_eq!((&report["items"], &report["pages"]), (&3.into(), &1.into()), "{report:#}");
    let texts = files(&site);
    assert!(texts["content/items/post-3.md"].contains("status = \"unpublished\""));
    let first = &texts["content/items/post-1.md"];
    assert!(first.contains("Text of 1") && !first.contains("aliases"), "{first}");
    assert!(texts["site.toml"].contains("items = \"/walks/{slug}/\""), "{texts:?}");
    assert!(texts["content/channel.md"].contains("title = \"Tides\""));
    assert_repeatable("ghost", &base, &site, Some(GHOST_KEY));
    // The first request looks whether the site is there itself, and shows no key.
    assert_eq!(asked.lock().unwrap()[0].1, None);
    // A key of the Content API sees what everybody sees.
    let report = import("ghost", &base, &folder.path("public"), Some("0123456789abcdef0123456789"));
    assert_eq!(report["items"], 3, "{report:#}");
}

#[test]
fn a_refused_key_is_an_error_with_help() {
    let (base, _) = start_server(answer_as_ghost);
    let wrong = "64b0000000000000000000aa:ff112233445566778899aabbccddeeff";
    let said = import_error("ghost", &base, Some(wrong));
    assert!(said.contains("status 401") && said.contains("Add custom integration"), "{said}");
    let said = import_error("ghost", &base, Some("ffffffffffffffffffffffffff"));
    assert!(said.contains("status 403"), "{said}");
    assert!(import_error("ghost", &base, None).contains("FEEDWRIGHT_IMPORT_KEY"));
    assert!(import_error("ghost", &base, Some("no key at all")).contains("not a valid Ghost key"));
    for (service, words) in [
        ("microfeed", "API Authentication"),
        ("podlove", "Application Passwords"),
        ("castopod", "restapi.basicAuthUsername"),
    ] {
        let (base, _) =
            start_server(|path, _, _| (if path == "/" { 200 } else { 401 }, String::new()));
        let said = import_error(service, &base, Some("user:wrong"));
        assert!(said.contains(words) && said.contains("status 401"), "{said}");
    }
}

#[test]
fn a_key_is_sent_only_to_the_given_site() {
    let (elsewhere, heard) =
        start_server(|_, _, _| found(json!({ "items": [], "posts": [], "pages": [] })));
    let elsewhere = elsewhere.replace("127.0.0.1", "localhost");
    let place = elsewhere.clone();
    // The whole site is elsewhere.
    let (base, _) = start_server(move |path, _, _| (302, format!("{place}{path}")));
    let said = import_error("microfeed", &base, Some("secret-key"));
    assert!(said.contains("the key was not sent there"), "{said}");
    // Only its API is.
    let place = elsewhere.clone();
    let (base, _) = start_server(move |path, _, _| match path {
        "/" => (200, String::new()),
        path => (307, format!("{place}{path}")),
    });
    for (service, key) in [
        ("microfeed", "secret-key"),
        ("ghost", GHOST_KEY),
        ("podlove", "ann:secret"),
        ("castopod", "ann:secret"),
    ] {
        let said = import_error(service, &base, Some(key));
        assert!(said.contains("another site"), "{service}: {said}");
    }
    for (path, opens) in heard.lock().unwrap().iter() {
        assert!(opens.is_none() && !path.contains("secret"), "{path} {opens:?}");
    }
}

#[test]
fn a_key_comes_from_a_variable_or_a_file() {
    let (base, _) = start_server(answer_as_ghost);
    let folder = bare();
    folder.write("key.txt", format!("{GHOST_KEY}\n"));
    let key = folder.path("key.txt");
    let site = folder.path("new");
    let output = run(&[
        "import",
        "ghost",
        &base,
        "--key-file",
        key.to_str().unwrap(),
        "--site",
        site.to_str().unwrap(),
    ]);
    output.ok();
    for (option, value, words) in [
        ("--key-env", "NO_SUCH_VARIABLE", "NO_SUCH_VARIABLE is not set"),
        ("--key-file", "/nowhere/key", "cannot be read"),
    ] {
        let output = run(&[
            "import",
            "ghost",
            &base,
            option,
            value,
            "--site",
            folder.path("b").to_str().unwrap(),
        ]);
        let said = output.err;
        assert!(output.code == Some(2) && said.contains(words), "{said}");
    }
}

#[test]
fn an_unexpected_service_is_an_error() {
    for service in ["ghost", "microfeed", "podlove", "castopod"] {
        let key = if service == "ghost" { GHOST_KEY } else { "ann:secret" };
        let (base, _) = start_server(|_, _, _| (200, "<html>Sign in</html>".to_owned()));
        let said = import_error(service, &base, Some(key));
        assert!(said.contains("did not return valid JSON"), "{service}: {said}");
        let (base, _) = start_server(|_, _, _| MISSING);
        assert!(import_error(service, &base, Some(key)).contains("error"), "{service}");
        let (base, _) = start_server(|_, _, _| found(json!([[], 1, null, { "id": {} }])));
        assert!(import_error(service, &base, Some(key)).contains("error"), "{service}");
    }
    let folder = bare();
    folder.write("a.json", "{\"db\": [{}]}");
    let source = folder.path("a.json");
    assert!(import_error("ghost", source.to_str().unwrap(), None).contains("not a Ghost export"));
}

#[test]
fn a_feedwright_site_is_imported_completely() {
    let site = bare();
    copy(&fixtures().join("small-site"), site.root());
    site.write(
        "site.toml",
        "base_url = \"https://example.com\"\nnamespace = \"microfeed\"\n[feed]\nlimit = 3\n",
    );
    site.write("site-files/humans.txt", "People of {{title}} {{_microfeed.base_url}}\n");
    site.write("site-files/humans.txt.draft", "More people\n");
    let served = served::serve(site);
    let folder = bare();
    let new = folder.path("new");
    let report = import("microfeed", &served.url, &new, Some(KEY));
    let texts = files(&new);
    let own = files(served.site.root());
    // Every item that the site has is there, under its id, seen as it was.
    let listed =
        own.keys().filter(|path| path.starts_with("content/items/") && path.ends_with(".md"));
    assert_eq!(report["items"], listed.count(), "{report:#}");
    let of = |words: &str| {
        let found =
            texts.iter().find(|(path, text)| path.starts_with("content/") && text.contains(words));
        found.unwrap_or_else(|| panic!("{words}: {:#?}", texts.keys())).1
    };
    assert!(of("id = \"unlisted01\"").contains("status = \"unlisted\""));
    let link = of("id = \"link0000001\"");
    assert!(link.contains("url = \"https://elsewhere.example/article?x=1&y=2\""), "{link}");
    assert!(of("id = \"draft000001\"").contains("status = \"unpublished\""));
    let unpublished = texts.iter().filter(|(path, text)| {
        path.starts_with("content/items/") && text.contains("status = \"unpublished\"")
    });
    assert_eq!(unpublished.count(), 1);
    // There is one page for what is not there.
    assert!(texts.contains_key("content/pages/404.md"));
    assert_eq!(texts["site-files/humans.txt"], own["site-files/humans.txt"]);
    assert_eq!(texts["site-files/humans.txt.draft"], "More people\n");
    assert!(
        notes(&report).iter().any(|note| note.contains("namespace = \"microfeed\"")),
        "{report:#}"
    );
    assert!(!texts.contains_key("site-files/robots.txt"), "what is generated is generated here");
    assert_repeatable("microfeed", &served.url, &new, Some(KEY));
    // Without a key there is what everybody sees.
    let report = import("microfeed", &served.url, &folder.path("public"), None);
    assert!(notes(&report).iter().any(|note| note.contains("require a key")), "{report:#}");
    let public: String = files(&folder.path("public")).into_values().collect();
    assert!(!public.contains("unlisted01") && public.contains("link0000001"));
}

fn feed(link: &str, items: &str) -> String {
    format!(
        "<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' xmlns:podcast='https://podcastindex.org/namespace/1.0' \
         xmlns:psc='http://podlove.org/simple-chapters' xmlns:content='http://purl.org/rss/1.0/modules/content/'>\
         <channel><title>Tides</title><link>{link}</link><language>en</language><description>By the water</description>{items}</channel></rss>"
    )
}

const PASSWORD: &str = "ann:abcd efgh";

fn is_authorized(authorization: Option<&str>) -> bool {
    authorization == Some(&format!("Basic {}", STANDARD.encode(PASSWORD)))
}

/// A WordPress with Podlove Publisher: an episode in the feed, a draft and an older one beside it, a post and two pages.
fn answer_as_podlove(path: &str, authorization: Option<&str>, base: &str) -> Answer {
    let (route, query) = path.split_once('?').unwrap_or((path, ""));
    let ann = is_authorized(authorization);
    if (query.contains("context=edit") || query.contains("status=all")) && !ann {
        return (401, String::new());
    }
    let entry = |id: u32, kind: &str, status: &str, slug: &str, text: &str| {
        json!({ "id": id, "type": kind, "status": status, "slug": slug, "link": format!("{base}/2024/{slug}/"), "date_gmt": "2024-01-05T08:00:00",
            "modified_gmt": "2024-01-06T08:00:00", "guid": { "rendered": format!("https://tides.example/?p={id}") }, "title": { "raw": format!("The {slug}"), "rendered": format!("The {slug}") },
            "content": { "raw": text, "rendered": format!("<p>{text}</p>") }, "excerpt": { "raw": "" }, "menu_order": 0, "parent": 0, "password": "",
            "_embedded": { "author": [{ "name": "Ann" }], "wp:term": [[{ "taxonomy": "post_tag", "name": "Sea &amp; sand", "slug": "sea" }]] } })
    };
    let api = route.strip_prefix("/wp-json/podlove/v2").unwrap_or_default();
    match (route, api) {
        ("/", _) => (200, "<html></html>".to_owned()),
        ("/feed/mp3/", _) => (
            200,
            feed(
                base,
                &format!(
                    "<item><title>In the feed</title><guid>podlove-1</guid><link>{base}/2024/in-the-feed/</link><pubDate>Fri, 05 Jan 2024 08:00:00 +0000</pubDate>\
             <enclosure url='{base}/1.mp3' length='5' type='audio/mpeg'/><content:encoded>&lt;p&gt;Said in the feed&lt;/p&gt;</content:encoded>\
             <psc:chapters version='1.2'><psc:chapter start='00:00:00' title='Start'/><psc:chapter start='00:01:00' title='Boats'/></psc:chapters></item>"
                ),
            ),
        ),
        (_, "/podcast") => found(
            json!({ "title": "Tides", "feeds": [{ "opus": format!("{base}/feed/opus/") }, { "mp3": format!("{base}/feed/mp3/") }] }),
        ),
        (_, "/episodes") if ann => {
            found(json!({ "results": [{ "id": 1 }, { "id": 2 }, { "id": "3" }] }))
        }
        (_, "/episodes") => found(json!({ "results": [{ "id": 1 }, { "id": "3" }] })),
        (_, "/contributors") => found(
            json!({ "contributors": [{ "id": "7", "publicname": "Ida", "avatar_url": "https://ida.example/a.png" }] }),
        ),
        (_, "/contributors/roles") => {
            found(json!({ "roles": [{ "id": "4", "title": "Guest", "slug": "guest" }] }))
        }
        (_, "/episodes/1") => found(
            json!({ "id": "1", "post_id": "11", "guid": "podlove-1", "title": "In the feed" }),
        ),
        (_, "/episodes/2") if ann => found(
            json!({ "id": "2", "post_id": 12, "guid": "podlove-2", "title_clean": "A draft", "number": 2, "season_id": 1, "summary": "In short",
            "duration": "00:10:00.500", "type": "bonus", "explicit": true, "soundbite_start": "00:00:00", "soundbite_duration": "00:00:30", "soundbite_title": "Best" }),
        ),
        (_, "/episodes/3") => found(
            json!({ "id": "3", "post_id": "13", "guid": "podlove-3", "title_clean": "An older one", "number": "1" }),
        ),
        (_, "/episodes/2/media" | "/episodes/3/media") => found(
            json!({ "results": [{ "asset": "Cover", "url": format!("{base}/2.jpg"), "size": 5, "enable": true },
            { "asset": "Opus", "url": format!("{base}/2.opus"), "size": 6, "enable": true }, { "asset": "MP3", "url": format!("{base}/2.mp3"), "size": 7, "enable": true },
            { "asset": "FLAC", "enable": false }] }),
        ),
        (_, "/chapters/2") => found(
            json!({ "chapters": [{ "start": "00:00:00.000", "title": "Begin" }, { "start": "00:02:30.500", "title": "Crabs", "href": "https://crabs.example/" }] }),
        ),
        (_, "/episodes/2/contributions") => {
            found(json!({ "contribution": { "1": { "contributor_id": "7", "role_id": "4" } } }))
        }
        (_, "/transcripts/2") => found(
            json!({ "transcript": [{ "start": "00:00:00.000", "end": "00:00:02.000", "voice": "Ida", "text": "Mind the crabs." }] }),
        ),
        ("/wp-json/wp/v2/episodes", _) => {
            let mut list = vec![
                entry(11, "podcast", "publish", "in-the-feed", "Said"),
                entry(13, "podcast", "publish", "older", "Said long ago"),
            ];
            list.extend(
                ann.then(|| entry(12, "podcast", "draft", "drafted", "<p>Said in a draft</p>")),
            );
            found(list.into())
        }
        ("/wp-json/wp/v2/posts", _) => {
            found(json!([entry(20, "post", "publish", "news", "News of the [tide when=\"now\"]")]))
        }
        ("/wp-json/wp/v2/pages", _) => found(json!([
            entry(21, "page", "publish", "about", "Us"),
            entry(22, "page", "draft", "plans", "Later")
        ])),
        _ => MISSING,
    }
}

#[test]
fn a_podlove_show_is_imported_with_data_missing_from_its_feed() {
    let (base, asked) = start_server(answer_as_podlove);
    let folder = bare();
    let site = folder.path("new");
    let report = import("podlove", &base, &site, Some(PASSWORD));
    assert_eq!((&report["items"], &report["pages"]), (&4.into(), &2.into()), "{report:#}");
    insta::assert_snapshot!(
        "a_show_of_podlove",
        imported_content(&site, &report).replace(&base, "https://tides.example")
    );
    assert_repeatable("podlove", &base, &site, Some(PASSWORD));
    // Feeds are public.
    let is_feed = |path: &str| path.starts_with("/feed/");
    let opens = asked.lock().unwrap().clone();
    assert!(opens.iter().all(|(path, opens)| !is_feed(path) || opens.is_none()));
    let report = import("podlove", &base, &folder.path("public"), None);
    assert_eq!(report["items"], 3, "{report:#}");
    let public: String = files(&folder.path("public")).into_values().collect();
    assert!(public.contains("Said long ago") && !public.contains("Said in a draft"));
}

/// The same site with an episode whose post is in the trash, where WordPress does not list it.
fn answer_as_podlove_with_trash(path: &str, authorization: Option<&str>, base: &str) -> Answer {
    let route = path.split_once('?').map_or(path, |(route, _)| route);
    match route.strip_prefix("/wp-json/podlove/v2").unwrap_or_default() {
        "/episodes" => found(json!({ "results": [{ "id": 4 }] })),
        "/episodes/4" => found(
            json!({ "id": "4", "post_id": "14", "guid": "podlove-4", "title_clean": "Thrown away" }),
        ),
        _ => answer_as_podlove(path, authorization, base),
    }
}

#[test]
fn a_podlove_episode_without_a_post_is_not_published() {
    let (base, _) = start_server(answer_as_podlove_with_trash);
    let folder = bare();
    let site = folder.path("new");
    let report = import("podlove", &base, &site, Some(PASSWORD));
    let written = files(&site).into_values().find(|text| text.contains("Thrown away"));
    assert!(written.unwrap().contains("status = \"unpublished\""), "{report:#}");
    assert!(
        report["notes"].to_string().contains("“Thrown away” is not in WordPress's list"),
        "{report:#}"
    );
}

#[test]
fn missing_podlove_data_in_a_wordpress_export_is_reported() {
    let folder = bare();
    let items = "<item><title>One</title><guid>podlove-1</guid><link>https://tides.example/one/</link><content:encoded><![CDATA[Said]]></content:encoded>\
        <wp:post_id>1</wp:post_id><wp:post_type>podcast</wp:post_type><wp:status>publish</wp:status><wp:post_name>one</wp:post_name></item>";
    let export = feed("https://tides.example", items)
        .replace("xmlns:psc", "xmlns:wp='http://wordpress.org/export/1.2/' xmlns:psc");
    folder.write("export.xml", export);
    let source = folder.path("export.xml");
    let report = import("podlove", source.to_str().unwrap(), &folder.path("new"), None);
    assert_eq!(report["items"], 1);
    assert!(
        notes(&report).iter().any(|note| note.contains("items without a recording: 1")),
        "{report:#}"
    );
    assert_repeatable("podlove", source.to_str().unwrap(), &folder.path("new"), None);
}

/// What Podlove Publisher exports: tables in XML.
const PODLOVE_EXPORT: &str = r#"<?xml version="1.0"?>
<!--
	Export Date: Fri, 05 Jan 2024 08:00:00 +0000
	-->
<wpe:export xmlns:wpe="http://podlove.org/podlove-podcast-publisher/export" version="1.0" podlove-publisher-version="4.1">
  <wpe:episodes>
    <wpe:episode><wpe:id>7</wpe:id><wpe:post_id>1</wpe:post_id><wpe:title>One &amp; all</wpe:title><wpe:summary>In short</wpe:summary>
      <wpe:number>3</wpe:number><wpe:type>bonus</wpe:type><wpe:slug>w 001</wpe:slug><wpe:duration>00:10:01.500</wpe:duration><wpe:explicit>1</wpe:explicit>
      <wpe:cover_art>https://files.example/one.jpg</wpe:cover_art>
      <wpe:chapters>00:00:00.000 Hello&#xD;
00:01:02.500 Quay &lt;https://quay.example/&gt;</wpe:chapters></wpe:episode>
    <wpe:episode><wpe:id>8</wpe:id><wpe:post_id>2</wpe:post_id><wpe:slug>w002</wpe:slug>
      <wpe:chapters>[{"start":"00:00:05.000","title":"Five","href":"","image":""}]</wpe:chapters></wpe:episode>
  </wpe:episodes>
  <wpe:assets>
    <wpe:asset><wpe:id>1</wpe:id><wpe:title>Opus</wpe:title><wpe:file_type_id>20</wpe:file_type_id></wpe:asset>
    <wpe:asset><wpe:id>2</wpe:id><wpe:title>MP3</wpe:title><wpe:file_type_id>10</wpe:file_type_id><wpe:suffix>-lq</wpe:suffix></wpe:asset>
  </wpe:assets>
  <wpe:filetypes>
    <wpe:filetype><wpe:id>10</wpe:id><wpe:extension>mp3</wpe:extension></wpe:filetype>
    <wpe:filetype><wpe:id>20</wpe:id><wpe:extension>opus</wpe:extension></wpe:filetype>
  </wpe:filetypes>
  <wpe:mediafiles>
    <wpe:mediafile><wpe:id>1</wpe:id><wpe:episode_id>7</wpe:episode_id><wpe:episode_asset_id>1</wpe:episode_asset_id><wpe:size>900</wpe:size><wpe:active>1</wpe:active></wpe:mediafile>
    <wpe:mediafile><wpe:id>2</wpe:id><wpe:episode_id>7</wpe:episode_id><wpe:episode_asset_id>2</wpe:episode_asset_id><wpe:size>1200</wpe:size><wpe:active>1</wpe:active></wpe:mediafile>
    <wpe:mediafile><wpe:id>3</wpe:id><wpe:episode_id>8</wpe:episode_id><wpe:episode_asset_id>2</wpe:episode_asset_id><wpe:size>0</wpe:size><wpe:active>0</wpe:active></wpe:mediafile>
  </wpe:mediafiles>
  <wpe:contributors>
    <wpe:contributor><wpe:id>4</wpe:id><wpe:realname>Ida Lund</wpe:realname><wpe:publicname>Ida</wpe:publicname><wpe:avatar>https://files.example/ida.png</wpe:avatar><wpe:visibility>1</wpe:visibility></wpe:contributor>
    <wpe:contributor><wpe:id>5</wpe:id><wpe:publicname>Unnamed</wpe:publicname><wpe:visibility>0</wpe:visibility></wpe:contributor>
  </wpe:contributors>
  <wpe:contributor-roles><wpe:contributor-role><wpe:id>1</wpe:id><wpe:title>Host</wpe:title></wpe:contributor-role></wpe:contributor-roles>
  <wpe:contributor-episode-contributions>
    <wpe:contributor-episode-contribution><wpe:id>1</wpe:id><wpe:contributor_id>4</wpe:contributor_id><wpe:episode_id>7</wpe:episode_id><wpe:role_id>1</wpe:role_id><wpe:position>0</wpe:position></wpe:contributor-episode-contribution>
    <wpe:contributor-episode-contribution><wpe:id>2</wpe:id><wpe:contributor_id>5</wpe:contributor_id><wpe:episode_id>7</wpe:episode_id></wpe:contributor-episode-contribution>
  </wpe:contributor-episode-contributions>
  <wpe:seasons>
    <wpe:season><wpe:id>1</wpe:id></wpe:season>
    <wpe:season><wpe:id>2</wpe:id><wpe:start_date>2024-01-01</wpe:start_date></wpe:season>
  </wpe:seasons>
  <wpe:transcripts>
    <wpe:transcript><wpe:episode_id>7</wpe:episode_id><wpe:start>1500</wpe:start><wpe:end>3661001</wpe:end><wpe:voice>a</wpe:voice><wpe:content>Hello.</wpe:content></wpe:transcript>
  </wpe:transcripts>
  <wpe:voice_assignments><wpe:voice_assignment><wpe:episode_id>7</wpe:episode_id><wpe:voice>a</wpe:voice><wpe:contributor_id>4</wpe:contributor_id></wpe:voice_assignment></wpe:voice_assignments>
  <wpe:options>
    <wpe:podlove_podcast>a:4:{s:5:"title";s:17:"Tides &amp; Quays";s:7:"summary";s:24:"She said &quot;x&quot;;.";s:11:"cover_image";s:29:"https://files.example/all.jpg";s:19:"media_file_base_uri";s:21:"https://files.example";}</wpe:podlove_podcast>
    <wpe:podlove_website>a:1:{s:12:"url_template";s:67:"%media_file_base_url%%episode_slug%%suffix%.%format_extension%";}</wpe:podlove_website>
  </wpe:options>
</wpe:export>
"#;

#[test]
fn a_podlove_export_completes_the_wordpress_export() {
    let folder = bare();
    let item = |id: u32, name: &str, status: &str| {
        format!(
            "<item><title>{name}</title><guid>https://tides.example/?p={id}</guid><link>https://tides.example/{name}/</link>\
             <content:encoded><![CDATA[Said of {name}]]></content:encoded><wp:post_id>{id}</wp:post_id><wp:post_type>podcast</wp:post_type>\
             <wp:post_date_gmt>2024-01-05 08:00:00</wp:post_date_gmt><wp:status>{status}</wp:status><wp:post_name>{name}</wp:post_name>\
             <wp:postmeta><wp:meta_key>_podlove_guid</wp:meta_key><wp:meta_value>podlove-{id}</wp:meta_value></wp:postmeta></item>"
        )
    };
    let items = item(1, "one", "publish") + &item(2, "two", "draft") + &item(3, "three", "publish");
    let texts = feed("https://tides.example", &items)
        .replace("xmlns:psc", "xmlns:wp='http://wordpress.org/export/1.2/' xmlns:psc");
    folder.write("texts.xml", texts);
    folder.write("podlove.xml", PODLOVE_EXPORT);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(PODLOVE_EXPORT.as_bytes()).unwrap();
    std::fs::write(folder.path("podlove.xml.gz"), packed.finish().unwrap()).unwrap();
    let path = |name: &str| folder.path(name).to_str().unwrap().to_owned();
    let (texts, site) = (path("texts.xml"), folder.path("new"));
    let said = ok(&[
        "import",
        "podlove",
        &texts,
        &path("podlove.xml.gz"),
        "--json",
        "--site",
        site.to_str().unwrap(),
    ]);
    let report: Value = serde_json::from_str(&said).unwrap();
    insta::assert_snapshot!(
        "an_export_of_podlove",
        imported_content(&site, &report).replace(folder.root().to_str().unwrap(), "")
    );
    ok(&["build", "--site", site.to_str().unwrap()]);
    // It is not packed everywhere.
    let plain = folder.path("plain");
    ok(&["import", "podlove", &texts, &path("podlove.xml"), "--site", plain.to_str().unwrap()]);
    assert_eq!(files(&plain), files(&site));
    // Alone it has neither texts nor dates, and another file is none.
    let said = import_error("podlove", &path("podlove.xml.gz"), None);
    assert!(said.contains("Export, All content"), "{said}");
    let output = run(&["import", "podlove", &texts, &texts, "--site", &path("none")]);
    let said = output.err;
    assert_eq!(output.code, Some(2), "{said}");
    assert!(said.contains("is not a Podlove Publisher export"), "{said}");
}

/// A Castopod with two shows: an episode in the feed, and a draft of each.
fn answer_as_castopod(path: &str, authorization: Option<&str>, base: &str) -> Answer {
    let (route, query) = path.split_once('?').unwrap_or((path, ""));
    if route.starts_with("/api") && !is_authorized(authorization) {
        return (401, String::new());
    }
    let draft = |id: u32, show: u32| {
        json!({ "id": id, "podcast_id": show, "guid": format!("cast-{id}"), "title": format!("Draft {id}"), "slug": format!("draft-{id}"), "published_at": null,
            "description_markdown": "Soon", "description_html": "<p>Soon <em>to be heard</em></p>", "number": 4, "season_number": 2, "type": "bonus", "parental_advisory": "clean",
            "location_name": "Pier", "location_geo": "geo:1.5,2.5", "cover_id": null, "cover_url": format!("{base}/show.jpg"), "is_blocked": false,
            "transcript_remote_url": "https://files.example/said.srt", "updated_at": { "date": "2024-01-06 08:00:00.000000", "timezone_type": 3, "timezone": "UTC" } })
    };
    match route {
        "/" | "/@walks" | "/@swims" => (200, "<html></html>".to_owned()),
        "/@walks/feed.xml" => (
            200,
            feed(
                &format!("{base}/@walks"),
                &format!(
                    "<item><title>Harbour</title><guid>cast-1</guid><link>{base}/@walks/episodes/harbour</link><pubDate>Fri, 05 Jan 2024 08:00:00 +0000</pubDate>\
             <description>&lt;p&gt;Along the quay&lt;/p&gt;</description><enclosure url='{base}/audio/harbour.mp3' length='5' type='audio/mpeg'/>\
             <podcast:person role='guest' img='https://ida.example/a.png'>Ida</podcast:person><podcast:location geo='geo:1,2'>Quay</podcast:location>\
             <podcast:transcript url='{base}/said.vtt' type='text/vtt'/><podcast:chapters url='{base}/c.json' type='application/json+chapters'/></item>"
                ),
            ),
        ),
        "/api/rest/v1/podcasts" => found(
            json!([{ "id": 1, "handle": "walks", "title": "Walks", "feed_url": format!("{base}/@walks/feed.xml") },
            { "id": 2, "handle": "swims", "title": "Swims", "feed_url": format!("{base}/@swims/feed.xml") }]),
        ),
        "/api/rest/v1/episodes" if query.contains("offset=0") => {
            let mut harbour = draft(1, 1);
            harbour["slug"] = "harbour".into();
            harbour["published_at"] = "2024-01-05T08:00:00Z".into();
            found(json!([harbour, draft(2, 1), draft(3, 2)]))
        }
        "/api/rest/v1/episodes" => found(json!([])),
        _ => MISSING,
    }
}

#[test]
fn a_castopod_show_is_imported_with_its_drafts() {
    let (base, _) = start_server(answer_as_castopod);
    let folder = bare();
    let site = folder.path("new");
    let show = format!("{base}/@walks");
    let report = import("castopod", &show, &site, Some(PASSWORD));
    assert_eq!(report["items"], 2, "{report:#}");
    insta::assert_snapshot!(
        "a_show_of_castopod",
        imported_content(&site, &report).replace(&base, "https://cast.example")
    );
    assert_repeatable("castopod", &show, &site, Some(PASSWORD));
    let said = import_error("castopod", &base, Some(PASSWORD));
    assert!(said.contains("import one of them") && said.contains("@swims (Swims)"), "{said}");
    // Without the API there is what everybody hears.
    let report = import("castopod", &show, &folder.path("public"), None);
    assert_eq!(report["items"], 1);
    assert!(notes(&report).iter().any(|note| note.contains("were not imported: the API")));
}
