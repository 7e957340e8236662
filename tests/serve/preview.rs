//! What `serve` answers at public paths.

use std::fs::File;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;

use feedwright::model::PublishedRecording;
use feedwright::model::url::encode_path;
use feedwright::project::{self, Options};
use feedwright::render::{Body, Document, media_type};

use crate::support::preview_server::{serve, serve_with};
use crate::support::served::Listening;
use crate::support::small_site::{SmallSite, bare, site};
use crate::support::{Site, media_fixture};

const HTML: &str = "text/html; charset=utf-8";

/// A site with one of each kind of document.
fn serve_full_site() -> (Site, Listening) {
    let site = Site::fixture("small-site");
    let served = serve(site.root());
    (site, served)
}

fn wav_file() -> Vec<u8> {
    std::fs::read(media_fixture("cbr-info.mp3")).unwrap()
}

fn site_with_audio() -> SmallSite {
    site()
        .item("+++\ntitle = \"A\"\nid = \"aaa\"\nslug = \"first\"\naliases = [\"older\"]\nattachment = \"s.mp3\"\naudio_tags = false\n[[podcast.chapters]]\nstartTime = 0\ntitle = \"Start\"\n+++\nText.\n")
        .with("content/items/s.mp3", wav_file())
}

/// The bytes of a recording with tags.
fn bytes_of(root: &Path, recording: PublishedRecording) -> Vec<u8> {
    let mut source = File::open(root.join(&recording.file)).unwrap();
    let mut bytes = Vec::new();
    recording.tagged.copy(&mut source, &mut bytes).unwrap();
    bytes
}

/// What the preview shows is what the build writes with the same address: each path, each byte,
/// but for the script on pages.
fn assert_same_as_build(site: &Site) {
    let served = serve(site.root());
    let mut options = Options::new(site.root());
    options.base_url = Some(served.url.clone());
    options.is_preview = true;
    options.visibility.now = jiff::Timestamp::now();
    let (read, _) = project::read(&options, &|| ());
    let read = read.unwrap();
    let mut pages = 0;
    for route in &read.routes().routes {
        let path = encode_path(&route.path);
        // Redirect pages stand in for redirects where a host has none; serve redirects.
        if matches!(route.document, Document::RedirectPage(_)) {
            assert!(served.get(&path).status < 400, "{path}");
            continue;
        }
        let answer = served.get(&path);
        assert_eq!(answer.status, 200, "{path}");
        let expected = match read.renderer().render(&route.document).unwrap() {
            Body::Bytes(bytes) => bytes,
            Body::File(file) => std::fs::read(site.root().join(file)).unwrap(),
            Body::Recording(recording) => bytes_of(site.root(), recording),
            Body::SearchFile(_) => continue,
        };
        let media_type = media_type(&route.document, &route.path, &read.snapshot);
        assert_eq!(answer.field("content-type"), media_type, "{path}");
        let is_page = media_type == HTML && !matches!(route.document, Document::Media(_));
        let shown = if is_page { answer.page().into_bytes() } else { answer.body.clone() };
        assert_eq!(answer.data("state").is_some(), is_page, "{path}");
        assert!(shown == expected, "{path}");
        pages += usize::from(is_page);
    }
    assert!(pages > 3);
    for redirect in &read.routes().redirects {
        let path = encode_path(&redirect.from);
        let answer = served.get(&path);
        let to = encode_path(&redirect.to);
        match answer.status {
            200 => assert_eq!(answer.body, served.get(&to).body, "{path}"),
            status => {
                assert_eq!((status, answer.field("location")), (301, to.as_str()));
            }
        }
    }
}

#[test]
fn every_path_of_the_fixture_equals_the_build() {
    assert_same_as_build(&Site::fixture("small-site"));
}

#[test]
fn every_path_of_this_repository_equals_the_build() {
    assert_same_as_build(&Site::repository());
}

#[test]
fn every_path_of_the_example_show_equals_the_build() {
    assert_same_as_build(&Site::example("show"));
}

#[test]
fn pages_have_content_type_and_etag_and_answer_head() {
    let (_site, served) = serve_full_site();
    for path in ["/", "/feed.json", "/rss.xml", "/robots.txt", "/sitemap.xml"] {
        let whole = served.get(path);
        assert_eq!(whole.status, 200, "{path}");
        assert_eq!(whole.field("cache-control"), "no-cache");
        let length = whole.body.len().to_string();
        assert_eq!(whole.field("content-length"), length);

        let head = served.ask("HEAD", path, &[]);
        assert_eq!(head.body, b"");
        for name in ["content-type", "content-length", "etag", "accept-ranges"] {
            assert!(!head.field(name).is_empty(), "{path} {name}");
            assert_eq!(head.field(name), whole.field(name), "{path} {name}");
        }

        let known = [("if-none-match", whole.field("etag"))];
        let same = served.ask("GET", path, &known);
        assert_eq!((same.status, same.body.len()), (304, 0), "{path}");
        assert_eq!(same.field("etag"), whole.field("etag"));

        let part = served.ask("GET", path, &[("range", "bytes=5-9")]);
        assert_eq!(part.status, 206);
        assert_eq!(part.body, &whole.body[5..10]);
        assert_eq!(part.field("content-range"), format!("bytes 5-9/{length}"));
        assert_eq!(part.field("content-type"), whole.field("content-type"));
    }
    let other = served.ask("POST", "/", &[("content-length", "0")]);
    assert_eq!((other.status, other.field("allow")), (405, "GET, HEAD"));
}

#[test]
fn media_support_range_requests() {
    let site = site_with_audio();
    let served = serve(site.root());
    let path = "/media/items/s.mp3";
    let whole = served.get(path);
    assert_eq!(whole.body, wav_file());
    assert_eq!(whole.field("content-type"), "audio/mpeg");
    assert_eq!(whole.field("accept-ranges"), "bytes");
    assert!(!whole.field("last-modified").is_empty());
    let length = whole.body.len();

    let end = served.ask("GET", path, &[("range", "bytes=-100")]);
    assert_eq!(end.status, 206);
    assert_eq!(end.body, &wav_file()[length - 100..]);
    let held = [("range", "bytes=100-"), ("if-range", whole.field("etag"))];
    let rest = served.ask("GET", path, &held);
    assert_eq!((rest.status, rest.body.len()), (206, length - 100));
    let other = [("range", "bytes=100-"), ("if-range", "\"other\"")];
    assert_eq!(served.ask("GET", path, &other).status, 200);
    let beyond = served.ask("GET", path, &[("range", "bytes=99999999-")]);
    assert_eq!(beyond.status, 416);
    assert_eq!(beyond.field("content-range"), format!("bytes */{length}"));
    let head = served.ask("HEAD", path, &[("range", "bytes=0-1")]);
    assert_eq!(head.status, 200);
    assert_eq!(head.field("content-length"), length.to_string());
    let since = [("if-modified-since", whole.field("last-modified"))];
    assert_eq!(served.ask("GET", path, &since).status, 304);
}

#[test]
fn a_recording_with_tags_supports_range_requests() {
    let site = site_with_audio();
    let item = site.read("content/items/a.md").replace("audio_tags = false\n", "");
    site.write("content/items/a.md", &item);
    let served = serve(site.root());
    let path = "/media/items/s.mp3";
    let whole = served.get(path);
    let length = whole.body.len();
    assert!(length > wav_file().len() && whole.body.starts_with(b"ID3"));
    assert!(served.text("/rss.xml").contains(&format!("length=\"{length}\"")));
    // Ranges in the tag, in the audio, and across both.
    for (first, last) in [(0, 9), (3, length - 1), (length - 50, length - 1), (100, length - 100)] {
        let part = served.ask("GET", path, &[("range", &format!("bytes={first}-{last}"))]);
        assert_eq!(part.status, 206);
        assert_eq!(part.body, &whole.body[first..=last]);
        assert_eq!(part.field("content-range"), format!("bytes {first}-{last}/{length}"));
    }
    let head = served.ask("HEAD", path, &[]);
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.field("content-length"), length.to_string());
    assert_eq!(head.field("content-type"), "audio/mpeg");
    let known = [("if-none-match", whole.field("etag"))];
    assert_eq!(served.ask("GET", path, &known).status, 304);
    assert!(!site.exists("public"), "nothing is written");

    site.write("content/items/a.md", item.replace("title = \"A\"", "title = \"Another title\""));
    let next = served.wait(path, "the new title", |reply| reply.body != whole.body);
    assert_ne!(next.field("etag"), whole.field("etag"));
    assert_eq!(served.ask("GET", path, &known).status, 200);
}

#[test]
fn a_file_with_any_modification_time_is_served() {
    let site = site_with_audio();
    let file = site.root().join("content/items/s.mp3");
    let served = serve(site.root());
    let path = "/media/items/s.mp3";
    let seconds = std::time::Duration::from_secs;
    for time in
        [std::time::UNIX_EPOCH - seconds(1), std::time::UNIX_EPOCH + seconds(253_402_300_800)]
    {
        let opened = std::fs::File::options().write(true).open(&file).unwrap();
        opened.set_modified(time).unwrap();
        let answer = served.get(path);
        assert_eq!(answer.status, 200);
        assert_ne!(answer.field("etag"), "");
    }
}

#[test]
fn both_paths_of_a_feed_are_served() {
    let site = site_with_audio();
    let served = serve(site.root());
    for (spelling, file) in [
        ("/json/", "/feed.json"),
        ("/rss/", "/rss.xml"),
        ("/i/aaa/json/", "/i/aaa/item.json"),
        ("/i/aaa/rss/", "/i/aaa/item.rss"),
    ] {
        let (spelled, known) = (served.get(spelling), served.get(file));
        assert_eq!(spelled.status, 200, "{spelling}");
        assert_eq!(spelled.body, known.body);
        assert_eq!(spelled.field("content-type"), known.field("content-type"));
        let short = served.get(spelling.trim_end_matches('/'));
        assert_eq!((short.status, short.field("location")), (301, spelling));
    }
}

#[test]
fn chapters_are_served_at_every_path() {
    let site = site_with_audio();
    let served = serve(site.root());
    for key in ["aaa", "first", "older"] {
        let chapters = served.get(&format!("/i/{key}/chapters.json"));
        assert_eq!(chapters.status, 200);
        let media_type = "application/json+chapters; charset=utf-8";
        assert_eq!(chapters.field("content-type"), media_type);
    }
}

#[test]
fn moved_paths_redirect_to_their_target() {
    let site =
        site_with_audio().with("content/pages/about.md", "+++\ntitle = \"About\"\n+++\nText.\n");
    let served = serve(site.root());
    for (from, to) in [
        ("/i/aaa/", "/i/first/"),
        ("/i/older/", "/i/first/"),
        ("/i/older/?q=1", "/i/first/?q=1"),
        ("/i/first", "/i/first/"),
        ("/about", "/about/"),
    ] {
        let answer = served.get(from);
        assert_eq!((answer.status, answer.field("location")), (301, to));
        // Browsers keep a 301 for good, and this site is still being written.
        assert_eq!(answer.field("cache-control"), "no-store");
    }
}

#[test]
fn missing_paths_show_the_404_page() {
    let (_site, served) = serve_full_site();
    let answer = served.get("/no/such/page/");
    assert_eq!(answer.status, 404);
    assert_eq!(answer.field("content-type"), HTML);
    assert_eq!(answer.page(), served.get("/404.html").page());
    assert_eq!(served.get("/404.html").status, 200);
    let known = served.get("/404/").field("etag").to_owned();
    let asked = [("if-none-match", known.as_str()), ("range", "bytes=0-1")];
    assert_eq!(served.ask("GET", "/nothing/", &asked).status, 404);
}

/// Asks with bytes that no client library would send.
fn send_raw(served: &Listening, request: &str) -> String {
    let address = served.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!("{request}\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A server that refuses may close before all is read.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn no_path_escapes_the_site() {
    let site = site_with_audio()
        .with("content/items/secret.txt", "SECRET")
        .with(".feedwright/keys", "SECRET")
        .with("site-files/notes.txt", "open");
    let served = serve(site.root());
    let long = format!("/{}", "a".repeat(7000));
    let deep = "/a".repeat(3000);
    for path in [
        "/../site.toml",
        "/media/../../site.toml",
        "/media/items/../../../site.toml",
        "/%2e%2e/site.toml",
        "/media/%2e%2e/%2e%2e/site.toml",
        "/media/..%2f..%2fsite.toml",
        "/media/..%5c..%5csite.toml",
        "/media\\..\\site.toml",
        "/media/items/s.mp3%00.txt",
        "/media/items/secret.txt",
        "/site.toml",
        "/content/channel.md",
        "/.feedwright/keys",
        "/.feedwright/../site.toml",
        "//etc/passwd",
        "/media//items//s.mp3",
        "/%ff%fe/",
        "/%",
        "/%zz/",
        "/i//",
        "/i/../",
        "/.git/config",
        long.as_str(),
        deep.as_str(),
    ] {
        let answer = send_raw(&served, &format!("GET {path} HTTP/1.1"));
        let status = answer.split(' ').nth(1).unwrap_or_default().to_owned();
        assert!(["400", "404", "414"].contains(&status.as_str()), "{path}: {answer}");
        assert!(!answer.contains("SECRET") && !answer.contains("base_url ="));
    }
    assert_eq!(served.get("/notes.txt").status, 200);
}

#[cfg(unix)]
#[test]
fn a_medium_replaced_by_an_outside_link_is_not_served() {
    let outside = bare().with("secret.mp3", "SECRET");
    let site = site_with_audio();
    let served = serve(site.root());
    assert_eq!(served.get("/media/items/s.mp3").status, 200);
    site.remove("content/items/s.mp3");
    std::os::unix::fs::symlink(outside.path("secret.mp3"), site.path("content/items/s.mp3"))
        .unwrap();
    let answer = served.get("/media/items/s.mp3");
    assert_eq!(answer.status, 404);
    assert!(!answer.text().contains("SECRET"));
}

#[test]
fn a_site_without_a_title_is_an_error_with_help() {
    let site = bare();
    site.write("site.toml", "");
    let served = serve(site.root());
    for path in ["/", "/i/anything/chapters.json"] {
        let answer = served.get(path);
        assert_eq!(answer.status, 302, "{path}");
        assert_eq!(answer.field("location"), "/.feedwright/setup");
        assert_eq!(served.ask("HEAD", path, &[]).status, 302);
    }
    let setup = served.get("/.feedwright/setup");
    assert_eq!((setup.status, setup.field("content-type")), (200, HTML));
    for words in ["content/channel.md", "title = ", "site.toml", "base_url"] {
        assert!(setup.text().contains(words), "{words}");
    }
    assert_eq!(served.get("/feed.json").status, 200);

    let page = served.open("/.feedwright/setup");
    site.write("site.toml", "base_url = \"https://example.com\"\n");
    page.wait_for_reload();
    assert!(!served.text("/.feedwright/setup").contains("base_url"));
    site.write("content/channel.md", "+++\ntitle = \"A title\"\n+++\n");
    page.wait_for_reload();
    let setup = served.get("/.feedwright/setup");
    assert_eq!((setup.status, setup.field("location")), (302, "/"));
    assert_eq!(served.get("/").status, 200);
    assert_eq!(served.get("/i/anything/chapters.json").status, 404);
}

#[test]
fn a_restricted_site_equals_the_build() {
    for (access, feed) in [("headless", 200), ("offline", 404)] {
        let site = site_with_audio();
        let config = format!("base_url = \"https://example.com\"\naccess = \"{access}\"\n");
        site.write("site.toml", config);
        let served = serve(site.root());
        let home = served.get("/");
        assert_eq!(home.status, 404);
        let why = format!("site.toml has access = \"{access}\"");
        assert!(home.text().contains(&why), "{}", home.text());
        assert_eq!(served.get("/i/first/").status, 404);
        assert_eq!(served.get("/sitemap.xml").status, 404);
        assert_eq!(served.get("/robots.txt").status, 200);
        for path in ["/json/", "/rss.xml", "/i/aaa/chapters.json", "/media/items/s.mp3"] {
            assert_eq!(served.get(path).status, feed, "{access} {path}");
        }
    }
}

#[test]
fn drafts_and_scheduled_items_are_shown_and_marked_on_request() {
    let site = site()
        .with(
            "content/items/draft.md",
            "+++\ntitle = \"Not yet\"\nid = \"d\"\nslug = \"draft\"\nstatus = \"unpublished\"\n+++\n",
        )
        .with(
            "content/items/later.md",
            "+++\ntitle = \"Later\"\nid = \"l\"\nslug = \"later\"\ndate_published = 2999-01-02T03:04:05Z\n+++\n",
        )
        .with(
            "content/items/out.md",
            "+++\ntitle = \"Out\"\nid = \"o\"\nslug = \"out\"\n+++\n",
        );
    let served = serve(site.root());
    assert_eq!(served.get("/i/draft/").status, 404);
    assert_eq!(served.get("/i/later/").status, 404);
    assert_eq!(served.get("/").data("marks"), None);

    drop(served);
    let served = serve_with(site.root(), |options| {
        options.site.visibility.drafts = true;
        options.site.visibility.future = true;
    });
    let marks = |path: &str| -> serde_json::Value {
        let marks = served.get(path).data("marks");
        serde_json::from_str(&marks.unwrap_or("null".into())).unwrap()
    };
    let later = "Scheduled for 2 January 2999, 03:04 UTC";
    assert_eq!(
        marks("/i/draft/"),
        serde_json::json!([["/i/later/", later], ["/i/draft/", "Draft"]])
    );
    assert_eq!(marks("/i/later/")[0][1], later);
    assert_eq!(marks("/").as_array().unwrap().len(), 2);
    // A page's neighbours are marked, not the published item itself.
    assert_eq!(marks("/i/out/"), serde_json::json!([["/i/draft/", "Draft"]]));
    assert!(!served.get("/i/draft/").page().contains("Draft"));
}

#[test]
fn a_page_with_a_render_error_shows_the_error() {
    let site = site()
        .item("+++\ntitle = \"A\"\nslug = \"a\"\n+++\n")
        .with("site-files/bad.txt", "{{#open}}");
    let served = serve(site.root());
    let answer = served.get("/bad.txt");
    assert_eq!(answer.status, 500);
    assert!(answer.text().contains("site-files/bad.txt"));
    assert_eq!(served.get("/").status, 200);
    // What it was when it last could be rendered is better than nothing.
    let page = served.open("/");
    site.write("site-files/bad.txt", "good");
    served.wait_for("/bad.txt", "good");
    page.faults(<[String]>::is_empty);
    site.write("site-files/bad.txt", "{{#open}}");
    page.faults(|faults| faults.len() == 1 && faults[0].contains("site-files/bad.txt"));
    assert_eq!(served.text("/bad.txt"), "good");
}

#[test]
fn a_site_below_a_path_is_served_below_it() {
    let site = site_with_audio();
    let served = serve_with(site.root(), |options| {
        options.site.base_url = Some("http://localhost/blog".into());
    });
    for base in ["/blog", ""] {
        let home = served.get(&format!("{base}/"));
        assert_eq!(home.status, 200);
        let script = "<script src=\"/blog/.feedwright/live.js\"";
        assert!(home.text().contains(script));
        let moved = served.get(&format!("{base}/i/older/"));
        assert_eq!(moved.field("location"), "/blog/i/first/");
        assert_eq!(served.get(&format!("{base}/.feedwright/live.js")).status, 200);
    }
    assert_eq!(served.get("/blogs/").status, 404);
}

#[test]
fn a_client_that_stops_reading_does_not_block_others() {
    let site = site_with_audio();
    let large = site.path("content/media/large.bin");
    std::fs::create_dir_all(large.parent().unwrap()).unwrap();
    let file = std::fs::File::create(&large).unwrap();
    file.set_len(3 << 30).unwrap();
    let served = serve(site.root());
    let address = served.url.trim_start_matches("http://").to_owned();
    let stalled: Vec<TcpStream> = (0..40)
        .map(|_| {
            let mut stream = TcpStream::connect(&address).unwrap();
            let head = format!("GET /media/large.bin HTTP/1.1\r\nHost: {address}\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            let mut first = [0; 12];
            stream.read_exact(&mut first).unwrap();
            assert_eq!(&first, b"HTTP/1.1 200");
            stream
        })
        .collect();
    assert_eq!(served.get("/").status, 200);
    let part = served.ask("GET", "/media/large.bin", &[("range", "bytes=3221225470-")]);
    assert_eq!((part.status, part.body.len()), (206, 2));
    drop(stalled);
}
