//! The planet: pages and feeds of items from elsewhere.

use feedwright::builder::{self, Silent};
use scraper::{Html, Selector};
use serde_json::Value;

use crate::content::errors::site_with_theme;
use crate::support::preview_server;
use crate::support::small_site::{SmallSite, site};
use crate::support::xml_tree;

const CONFIG: &str = "base_url = \"https://example.org\"\n\n[feed]\nitems_per_page = 2\n\n\
    [hosting]\ntargets = [\"netlify\"]\n\n\
    [[aggregate]]\nfeed = \"https://a.example/feed.xml\"\n\n\
    [[aggregate]]\nfeed = \"https://b.example/feed\"\ntitle = \"B & co\"\n\n\
    [[aggregate]]\nfeed = \"https://late.example/\"\n";
const A: &str = "content/planet/a-example-feed-xml.toml";
const B: &str = "content/planet/b-example-feed.toml";

fn item(id: &str, url: &str, day: u8, more: &str) -> String {
    format!(
        "\n[[items]]\ndate = 2026-03-{day:02}T10:00:00Z\nid = \"{id}\"\nurl = \"{url}\"\n{more}"
    )
}

fn file_of_a() -> String {
    let head = "feed = \"https://a.example/feed.xml\"\ntitle = \"A\"\nlink = \"https://a.example/\"\nlimit = 20\n";
    let first = item(
        "1",
        "https://a.example/1",
        3,
        "title = \"One <b> & two\"\nauthor = \"Ann\"\nexcerpt = \"A < B.\"\n",
    );
    format!("{head}{first}{}", item("2", "https://a.example/2", 1, "title = \"Old\"\n"))
}

fn file_of_b() -> String {
    let head = "feed = \"https://b.example/feed\"\ntitle = \"B\"\nlimit = 20\n";
    let untitled = item("1", "https://b.example/1", 2, "excerpt = \"No title.\"\n");
    // The same item as in the other feed.
    format!("{head}{untitled}{}", item("1", "https://a.example/1", 1, "title = \"Again\"\n"))
}

/// A site with two fetched feeds, and one feed that was not fetched yet.
fn planet() -> SmallSite {
    site().with("site.toml", CONFIG).with(A, file_of_a()).with(B, file_of_b())
}

/// The addresses of the links in a page that a selector finds.
fn links(page: &str, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    let page = Html::parse_document(page);
    page.select(&selector).map(|link| link.attr("href").unwrap().to_owned()).collect()
}

#[test]
fn pages_list_the_newest_items_with_their_sources() {
    let site = planet();
    site.built();
    let first = site.read("public/planet/index.html");
    let main = first.split("<main").nth(1).unwrap().split("</main>").next().unwrap();
    insta::assert_snapshot!(main);
    assert_eq!(links(&first, ".entry a.u-url"), ["https://a.example/1", "https://b.example/1"]);
    let second = site.read("public/planet/page/2/index.html");
    assert_eq!(links(&second, ".entry a.u-url"), ["https://a.example/2"]);
    assert!(!site.exists("public/planet/page/3/index.html"));
    assert!(second.contains("<title>Planet, Page 2 of 2 – A small site</title>"), "{second}");
    assert!(second.contains("rel=\"canonical\" href=\"https://example.org/planet/page/2/\""));
    let feeds = links(&first, "head link[rel=alternate][title*=Planet]");
    assert_eq!(
        feeds,
        ["https://example.org/planet/rss.xml", "https://example.org/planet/feed.json"]
    );
    let home = site.read("public/index.html");
    assert_eq!(links(&home, "footer a[href*=planet]"), ["/planet/"]);
    assert!(site.read("public/sitemap.xml").contains("<loc>https://example.org/planet/</loc>"));
    let headers = site.read("public/_headers");
    assert!(headers.contains("\n/planet/feed.json\n  Content-Type: application/feed+json"));
    assert!(headers.contains("\n/planet/rss.xml\n  Content-Type: application/xml"));
    let own = [site.read("public/feed.json"), site.read("public/rss.xml")].concat();
    assert!(!own.contains("a.example"), "items of the planet are in no other feed");
}

#[test]
fn feeds_link_to_the_original_items() {
    let site = planet();
    site.built();
    let rss = site.read("public/planet/rss.xml");
    let feed = feed_rs::parser::parse(rss.as_bytes()).unwrap();
    assert_eq!(feed.title.unwrap().content, "A small site – Planet");
    let found: Vec<(&str, &str)> =
        feed.entries.iter().map(|one| (one.id.as_str(), one.links[0].href.as_str())).collect();
    // Different items have different ids, even if their feeds use the same id.
    let expected = [
        ("1", "https://a.example/1"),
        ("https://b.example/1", "https://b.example/1"),
        ("2", "https://a.example/2"),
    ];
    assert_eq!(found, expected);
    let one = &feed.entries[0];
    assert_eq!(one.title.as_ref().unwrap().content, "One <b> & two");
    assert_eq!(one.summary.as_ref().unwrap().content, "A &lt; B.");
    assert_eq!(one.published.unwrap().to_rfc3339(), "2026-03-03T10:00:00+00:00");
    let tree = xml_tree::parse(&rss);
    let items: Vec<_> = tree.child("channel").all("item").collect();
    let source = items[1].child("source");
    assert_eq!(source.text, "B & co");
    assert_eq!(source.attribute("url"), Some("https://b.example/feed"));
    assert_eq!(items[0].child("guid").attribute("isPermaLink"), Some("false"));

    let json: Value = serde_json::from_str(&site.read("public/planet/feed.json")).unwrap();
    assert_eq!(json["home_page_url"], "https://example.org/planet/");
    assert_eq!(json["items"][0]["url"], "https://a.example/1");
    assert_eq!(json["items"][0]["authors"][0]["name"], "Ann");
    assert_eq!(json["items"][1]["authors"][0]["name"], "B & co");
    assert_eq!(json["items"][2]["content_text"], "Old");

    let opml = xml_tree::parse(&site.read("public/planet/opml.xml"));
    assert_eq!(opml.attribute("version"), Some("2.0"));
    let outlines = opml.child("body").all("outline").map(|one| {
        ["text", "xmlUrl", "htmlUrl"].map(|name| one.attribute(name).unwrap_or("-").to_owned())
    });
    let expected = [
        ["A", "https://a.example/feed.xml", "https://a.example/"],
        ["B & co", "https://b.example/feed", "-"],
        ["late.example", "https://late.example/", "-"],
    ];
    assert_eq!(outlines.collect::<Vec<_>>(), expected.map(|row| row.map(str::to_owned)));
}

#[test]
fn a_site_without_feeds_from_elsewhere_stays_the_same() {
    let config = CONFIG.split("[[aggregate]]").next().unwrap();
    let bare = site().with("site.toml", config);
    bare.built();
    let site = planet().with("site.toml", config);
    let warnings = site.built().warnings;
    let told: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert!(told.concat().contains("this folder is ignored, with 2 files"), "{told:?}");
    assert!(bare.output() == site.output());
    assert_eq!(planet().built().warnings.len(), 0);
}

#[test]
fn an_own_page_or_less_access_replaces_the_planet() {
    let site = planet().with("content/pages/planet.md", "+++\ntitle = \"Mine\"\n+++\nText.\n");
    site.built();
    assert!(site.read("public/planet/index.html").contains("<h1>Mine</h1>"));
    assert!(!site.exists("public/planet/rss.xml"));

    let site = planet().with("site.toml", format!("access = \"headless\"\n{CONFIG}"));
    site.built();
    assert!(!site.exists("public/planet/index.html") && site.exists("public/planet/opml.xml"));
    let json: Value = serde_json::from_str(&site.read("public/planet/feed.json")).unwrap();
    assert_eq!(json["home_page_url"], "https://example.org/");

    let theme = site_with_theme();
    let config = theme.read("site.toml");
    let site = theme
        .with("site.toml", format!("{config}[[aggregate]]\nfeed = \"https://b.example/feed\"\n"))
        .with(B, file_of_b());
    site.built();
    assert!(!site.exists("public/planet/index.html") && site.exists("public/planet/rss.xml"));
}

#[test]
fn invalid_feeds_and_files_are_reported() {
    let config = "base_url = \"https://example.org\"\n";
    let reports = [
        "[[aggregate]]\nfeed = \"https://a.example/feed.xml\"\n[[aggregate]]\nfeed = \"http://a.example/feed.xml\"\n",
        "[[aggregate]]\nfeed = \"a.example/feed.xml\"\nlimit = 101\n",
        "[[aggregate]]\nfeed = \"https://a.example/feed xml\"\nname = \"A\"\n",
        "[[aggregate]]\ntitle = \"A\"\nlimit = \"all\"\n",
        "[aggregate]\nfeeds = [\"https://a.example/feed.xml\"]\n",
    ];
    let reports = reports.map(|text| site().with("site.toml", format!("{config}{text}")).report());
    let files = [
        "feed = \"https://b.example/feed\"\n",
        "feed = \"https://a.example/feed.xml\"\n\n[[items]]\nid = \"1\"\nurl = \"javascript:alert(1)\"\ndate = \"soon\"\n",
        "feed = \"https://a.example/feed.xml\"\n\n[[items]]\ntitle = 3\n",
        "feed = \"https://a.example/feed.xml\n",
        "items = []\nextra = true\n",
    ];
    let files = files.map(|text| planet().with(A, text).report());
    insta::assert_snapshot!([&reports[..], &files[..]].concat().join("\n---\n"));
}

#[test]
fn builds_and_the_preview_follow_changed_files() {
    let site = planet();
    site.built();
    site.write(A, file_of_a().replace("One <b> & two", "Uno"));
    let outcome = builder::run(&site.options(), &Silent).unwrap();
    assert!(site.read("public/planet/index.html").contains("Uno"));
    assert!(site.read("public/planet/rss.xml").contains("<title>Uno</title>"));
    // The first page, two feeds, and no page of the site itself.
    assert_eq!(outcome.written, 3);
    assert_eq!(site.built().written, 0);

    let preview = preview_server::serve(site.root());
    assert!(preview.text("/planet/").contains("Uno"));
    assert!(preview.get("/planet/opml.xml").header("content-type").unwrap().contains("xml"));
    site.write(B, file_of_b().replace("No title.", "Ein Satz."));
    preview.wait("/planet/", "the new excerpt", |reply| reply.text().contains("Ein Satz."));
    // A broken file keeps its last version.
    site.write(A, "feed = 3\n");
    site.write(B, file_of_b().replace("No title.", "Zwei Sätze."));
    assert!(preview.text("/planet/").contains("Uno"));
    site.write(A, file_of_a());
    preview.wait("/planet/", "both files", |reply| {
        reply.text().contains("Zwei Sätze.") && !reply.text().contains("Uno")
    });
    let late = "content/planet/late-example.toml";
    let item = item("n", "https://late.example/n", 9, "title = \"News\"\n");
    site.write(late, format!("feed = \"https://late.example/\"\n{item}"));
    preview.wait("/planet/", "a new file", |reply| reply.text().contains("News"));
    site.write("site.toml", CONFIG.replace("B & co", "Bees"));
    preview.wait("/planet/opml.xml", "the new title", |reply| reply.text().contains("Bees"));
}
