//! Every kind of document, as a small site that holds one of each makes it.
//!
//! A change of output is a change of a snapshot in `tests/snapshots`: it is to be read, then accepted.

use serde_json::Value;

use crate::support::small_site;
use crate::support::{Output, SMALL_SITE, Site};

fn snapshot(name: &str, output: &Output, path: &str) {
    insta::assert_snapshot!(name, output.stable(path));
}

fn snapshot_json(name: &str, output: &Output, path: &str) {
    let pretty = serde_json::to_string_pretty(&output.json(path)).unwrap();
    insta::assert_snapshot!(name, output.stabilize(&pretty));
}

/// The paths of a site's files, less the theme's own. The names of shards are hashes.
fn paths(output: &Output) -> String {
    let files: Vec<String> = output
        .files()
        .into_iter()
        .filter(|file| !file.starts_with("assets/") && !file.starts_with("search/index/shards/"))
        .collect();
    files.join("\n")
}

#[test]
fn the_output_contains_every_document_and_nothing_else() {
    insta::assert_snapshot!("paths", paths(&SMALL_SITE));
    let warnings: Vec<String> =
        SMALL_SITE.outcome.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.is_empty(), "{warnings:#?}");
}

#[test]
fn html() {
    for (name, path) in [
        ("home", "index.html"),
        ("home-2", "page/2/index.html"),
        ("home-3", "page/3/index.html"),
        ("item-text", "i/hello/index.html"),
        ("item-link", "i/a-link-link0000001/index.html"),
        ("item-photo", "i/a-photo-photo000001/index.html"),
        ("item-audio", "i/an-episode/index.html"),
        ("item-video", "i/a-film-film0000001/index.html"),
        ("item-document", "i/a-document-paper000001/index.html"),
        ("item-external", "i/a-pointer-pointer0001/index.html"),
        ("item-untitled", "i/note0000001/index.html"),
        ("item-hostile", "i/script-alert-1-script-title-title-hostile0001/index.html"),
        ("item-arabic", "i/مرحبا-بالعالم-arabic00001/index.html"),
        ("item-unlisted", "i/an-item-that-is-unlisted-unlisted01/index.html"),
        ("page", "about/index.html"),
        ("page-unlisted", "hidden/index.html"),
        ("not-found", "404.html"),
        ("tag", "tags/first-tag/index.html"),
        ("tag-2", "tags/first-tag/page/2/index.html"),
        ("search", "search/index.html"),
        ("redirect-alias", "i/old-hello/index.html"),
        ("redirect-former-path", "2020/01/hello/index.html"),
    ] {
        snapshot(name, &SMALL_SITE, path);
    }
    assert_eq!(SMALL_SITE.text("404.html"), SMALL_SITE.text("404/index.html"));
}

#[test]
fn json_feeds() {
    snapshot_json("json-feed", &SMALL_SITE, "feed.json");
    snapshot_json("json-feed-2", &SMALL_SITE, "feed/2.json");
    snapshot_json("item-json", &SMALL_SITE, "i/episode0001/item.json");
}

#[test]
fn chapters() {
    snapshot("chapters", &SMALL_SITE, "i/episode0001/chapters.json");
    for key in ["an-episode", "pilot"] {
        assert_eq!(
            SMALL_SITE.text(&format!("i/{key}/chapters.json")),
            SMALL_SITE.text("i/episode0001/chapters.json")
        );
    }
}

#[test]
fn rss() {
    for (name, path) in [
        ("rss", "rss.xml"),
        ("rss-2", "rss/2.xml"),
        ("item-rss", "i/episode0001/item.rss"),
        ("rss-styles", "rss.css"),
    ] {
        snapshot(name, &SMALL_SITE, path);
    }
}

#[test]
fn site_files() {
    for (name, path) in [
        ("sitemap", "sitemap.xml"),
        ("robots", "robots.txt"),
        ("llms", "llms.txt"),
        ("site-file", "index.txt"),
    ] {
        snapshot(name, &SMALL_SITE, path);
    }
    // `_site.json_feed` is the newest items as one document.
    let mirror = SMALL_SITE.json("mirror.json");
    assert_eq!(mirror["items"].as_array().unwrap().len(), 11);
    assert_eq!(mirror["feed_url"], "https://example.com/feed.json");
    assert_eq!(mirror["items"][0], SMALL_SITE.json("feed.json")["items"][0]);
}

#[test]
fn hosting() {
    for file in [
        "_redirects", "_headers", "vercel.json", "feedwright.nginx.conf", "feedwright.caddy",
        ".htaccess", "speculation-rules.json",
    ] {
        snapshot(&format!("hosting-{}", file.trim_matches(['_', '.'])), &SMALL_SITE, file);
    }
    assert_eq!(SMALL_SITE.text(".nojekyll"), "");
}

#[test]
fn a_headless_site_has_feeds_chapters_and_media_but_no_html() {
    let output = Site::fixture("small-site").config("access = \"headless\"").build();
    insta::assert_snapshot!("headless-paths", paths(&output));
    snapshot("headless-llms", &output, "llms.txt");
    snapshot("headless-robots", &output, "robots.txt");
    assert!(output.files().iter().all(|file| !file.ends_with(".html")));
}

#[test]
fn an_offline_site_has_only_a_robots_txt() {
    let output = Site::fixture("small-site").config("access = \"offline\"").build();
    assert_eq!(output.files(), ["robots.txt"]);
    assert_eq!(output.text("robots.txt"), "User-agent: *\nDisallow: /\n");
}

#[test]
fn without_an_archive_a_feed_is_one_document_of_the_newest_items() {
    let mut site = small_site::site();
    for day in 1..=5 {
        let text = format!("+++\ndate_published = \"2026-01-0{day}\"\nid = \"d{day}\"\n+++\n");
        site = site.with(&format!("content/items/{day}.md"), text);
    }
    let build = |order: &str, archive: bool| {
        let feed = format!("[feed]\nlimit = 2\norder = \"{order}\"\narchive = {archive}\n");
        let toml = format!("base_url = \"https://example.com\"\n{feed}");
        site.write("site.toml", toml);
        site.built();
        let json: Value = serde_json::from_str(&site.read("public/feed.json")).unwrap();
        (json, site.read("public/rss.xml"))
    };
    let (json, rss) = build("desc", true);
    assert_eq!(json["next_url"], "https://example.com/feed/2.json");
    assert!(rss.contains("rel=\"next\""), "{rss}");
    assert!(site.exists("public/feed/3.json") && site.exists("public/rss/3.xml"));
    for (order, newest) in [("desc", ["d5", "d4"]), ("asc", ["d4", "d5"])] {
        let (json, rss) = build(order, false);
        let ids: Vec<&Value> =
            json["items"].as_array().unwrap().iter().map(|item| &item["id"]).collect();
        assert_eq!(ids, newest);
        assert_eq!(json.get("next_url"), None);
        assert_eq!(json["_service"].get("next_url"), None);
        assert_eq!(rss.matches("<item>").count(), 2);
        assert_eq!(rss.matches("<atom:link").count(), 1, "only self: {rss}");
        for older in ["feed/2.json", "feed/3.json", "rss/2.xml", "rss/3.xml"] {
            assert!(!site.exists(&format!("public/{older}")), "{older}");
        }
        for day in 1..=5 {
            assert!(site.exists(&format!("public/i/d{day}/index.html")), "{day}");
        }
    }
}

#[test]
fn each_output_can_be_disabled() {
    let output = Site::fixture("small-site")
        .replace("site.toml", "limit = 6", "limit = 6\nrss = false\n[output]\nitem_json = false\nitem_rss = false\ntags = false\nsearch = false")
        .build();
    insta::assert_snapshot!("least-paths", paths(&output));
    snapshot("least-item", &output, "i/an-episode/index.html");
    let item = &output.json("feed.json")["items"][3];
    assert_eq!(item["id"], "episode0001");
    for key in ["json_url", "rss_url", "chapters_url"] {
        assert_eq!(item["_service"].get(key), None, "{key}");
    }
}

#[test]
fn all_files_of_a_site_below_a_path_are_below_it() {
    let output = Site::fixture("small-site")
        .replace("site.toml", "https://example.com", "https://example.com/blog")
        .build();
    for file in output.files() {
        let is_text = [".html", ".json", ".xml", ".rss", ".xsl", ".txt"]
            .iter()
            .any(|ending| file.ends_with(ending));
        if !is_text {
            continue;
        }
        let text = output.text(&file);
        for (at, _) in text.match_indices("https://example.com") {
            let rest = &text[at + "https://example.com".len()..];
            // An origin has no path.
            let is_origin = file == "index.txt" && rest.starts_with(' ');
            assert!(
                rest.starts_with("/blog") || is_origin,
                "{file}: {}",
                &text[at..(at + 60).min(text.len())]
            );
        }
    }
    assert!(output.text("_redirects").starts_with("/blog/"));
}

#[test]
fn media_can_be_served_from_another_host() {
    let output = Site::fixture("small-site")
        .replace(
            "site.toml",
            "[hosting]",
            "[media]\nbase_url = \"https://cdn.example/m/\"\n[hosting]",
        )
        .build();
    let feed = output.json("feed.json");
    assert_eq!(feed["icon"], "https://cdn.example/m/cover.png");
    let episode = &feed["items"][3];
    assert_eq!(episode["attachments"][0]["url"], "https://cdn.example/m/items/episode/talk.m4a");
    for file in ["feed.json", "rss.xml", "index.html", "about/index.html"] {
        assert!(!output.text(file).contains("https://example.com/media/"), "{file}");
    }
    // The files are there to be uploaded.
    assert!(output.has("media/items/episode/talk.m4a"));
}

#[test]
fn every_extension_is_in_the_namespace_document() {
    let output = Site::fixture("small-site")
        .config("namespace = \"microfeed\"")
        .theme("renamed")
        .write(
            "site-files/index.txt",
            "{{_microfeed.base_url}} {{#items.0}}{{_microfeed.slug}}{{/items.0}}",
        )
        .build();
    let feed = output.json("feed.json");
    assert_eq!(feed["_microfeed"]["microfeed_version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(feed["items"][0]["_microfeed"]["slug"], "hello");
    assert!(!output.text("feed.json").contains("_service"));
    assert_eq!(output.text("index.txt"), "https:&#x2F;&#x2F;example.com hello");
    let home = output.html("index.html");
    let version = home.attribute("meta[name=by]", "content");
    assert_eq!(version.as_deref(), Some(env!("CARGO_PKG_VERSION")));
    assert_eq!(home.texts("li.item")[0], "hello Mon Mar 09 2026");
    assert_eq!(home.all("a.next", "href"), ["/page/2/"]);
    snapshot("renamed-item", &output, "i/an-episode/index.html");
}

#[test]
fn a_theme_of_format_1_has_no_pages_and_no_search() {
    let site = Site::fixture("small-site").theme("first");
    let errors = site.errors();
    assert!(errors.contains("which does not support pages"), "{errors}");
    let output = site
        .remove("content/pages/about.md")
        .remove("content/pages/contact.md")
        .remove("content/pages/hidden.md")
        .replace("content/channel.md", "[about it](pages/about.md)", "about it")
        .replace("content/items/hello.md", "[about](../pages/about.md)", "about")
        .build();
    assert!(!output.has("search/index.html"));
    assert!(!output.has("draft/index.html"));
    snapshot("first-home", &output, "index.html");
    snapshot("first-not-found", &output, "404.html");
    assert!(!output.text("llms.txt").contains("## Pages"));
}

/// A file of the author's own: pages that a headless site does not have are not listed either.
#[test]
fn a_headless_site_has_no_custom_sitemap() {
    let site = Site::empty().write("site-files/sitemap.xml", "<urlset/>");
    assert_eq!(site.build().text("sitemap.xml"), "<urlset/>");
    let output = site.config("access = \"headless\"").build();
    assert!(!paths(&output).contains("sitemap"));
}

#[test]
fn an_item_without_text_is_listed_by_id_in_llms_txt() {
    let output = Site::empty().write("content/items/a.md", "+++\nid = \"wordless\"\n+++\n").build();
    let link = "- [wordless](https://example.com/i/wordless/)";
    assert!(output.text("llms.txt").contains(link));
}
