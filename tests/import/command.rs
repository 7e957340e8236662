//! Feeds from elsewhere become a site, as the command line brings them here.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::fixtures;
use crate::support::program::{self, CommandOutput};
use crate::support::small_site::{SmallSite, bare, copy, tree};
use crate::support::xml_tree::{Element, parse};

pub fn run(arguments: &[&str]) -> CommandOutput {
    program::run(program::command().args(arguments).env("SOURCE_DATE_EPOCH", "1775044800"))
}

pub fn ok(arguments: &[&str]) -> String {
    let ran = run(arguments).ok();
    ran.err + &ran.out
}

/// Imports a feed, and says what came of it.
pub fn import(source: &str, into: &Path, more: &[&str]) -> Value {
    let mut arguments = vec!["import", "rss", source, "--json", "--site", into.to_str().unwrap()];
    arguments.extend(more);
    let ran = run(&arguments);
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err))
}

pub fn notes(report: &Value) -> Vec<&str> {
    let notes = report["notes"].as_array().unwrap();
    notes.iter().map(|note| note["message"].as_str().unwrap()).collect()
}

/// The files of a site, without state.
pub fn files(root: &Path) -> BTreeMap<String, String> {
    let files = tree(root).into_iter();
    let files =
        files.filter(|(path, _)| !path.starts_with(".feedwright") && !path.starts_with("public"));
    files.map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned())).collect()
}

/// A folder with a feed, and the folder that it is imported into.
fn with_feed(feed: &str) -> SmallSite {
    let made = bare();
    made.write("feed.xml", feed);
    made
}

pub fn rss(channel: &str, items: &str) -> String {
    format!(
        "<rss version='2.0' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' xmlns:content='http://purl.org/rss/1.0/modules/content/' \
         xmlns:podcast='https://podcastindex.org/namespace/1.0'><channel><title>Tides</title><link>https://tides.example/</link>{channel}{items}</channel></rss>"
    )
}

/// What a feed says, a line each, whatever the order of its tags; without what a build adds by itself.
fn feed_lines(element: &Element, path: &str, lines: &mut Vec<String>) {
    if ["lastBuildDate", "image", "atom:link"].contains(&element.name.as_str()) {
        return;
    }
    let mut children = element.children.clone();
    children.sort_by_cached_key(|child| format!("{child:?}"));
    let text = if children.is_empty() { element.text.as_str() } else { "" };
    lines.push(format!("{path} {:?} {text:?}", element.attributes));
    for (at, child) in children.iter().enumerate() {
        let place = if child.name == "item" { format!("#{at}") } else { String::new() };
        feed_lines(child, &format!("{path}/{}{place}", child.name), lines);
    }
}

#[test]
fn a_feedwright_feed_round_trips_tag_by_tag() {
    for fixture in ["every-podcast-tag", "namespace-example", "small-site"] {
        let (site, folder) = (bare(), bare());
        copy(&fixtures().join(fixture), site.root());
        if !site.exists("site.toml") {
            site.write("site.toml", "base_url = \"https://example.com\"\n");
        }
        // All of it on one page, and pictures at home.
        let no_pictures = "\n[images]\nenabled = false\n[social]\ncards = false\n";
        let config = site.read("site.toml") + no_pictures;
        site.write("site.toml", config.replace("limit = ", "limit = 9"));
        ok(&["build", "--future", "--site", site.root().to_str().unwrap()]);
        let before = site.read("public/rss.xml");
        let source = site.path("public/rss.xml");
        let report = import(source.to_str().unwrap(), &folder.path("new"), &[]);
        let config = folder.read("new/site.toml") + no_pictures;
        folder.write("new/site.toml", config);
        ok(&["build", "--future", "--site", folder.path("new").to_str().unwrap()]);
        let after = folder.read("new/public/rss.xml");
        let lines = |text: &str| {
            let mut lines = Vec::new();
            feed_lines(&parse(text), "", &mut lines);
            lines
        };
        let (before, after) = (lines(&before), lines(&after));
        let only = |one: &[String], other: &[String]| -> Vec<String> {
            one.iter().filter(|line| !other.contains(line)).cloned().collect()
        };
        let lost = (only(&before, &after), only(&after, &before));
        assert!(
            lost.0.is_empty() && lost.1.is_empty(),
            "{fixture}: {lost:#?}\n{:#}",
            report["notes"]
        );
        assert_eq!(before.len(), after.len(), "{fixture}");
    }
}

#[test]
fn generated_social_cards_are_not_imported() {
    let (site, folder) = (bare(), bare());
    copy(&fixtures().join("small-site"), site.root());
    ok(&["build", "--future", "--site", site.root().to_str().unwrap()]);
    let feed = site.read("public/rss.xml");
    let own = "<podcast:image href=\"https://example.com/card.png\" purpose=\"social\"/>";
    assert!(feed.contains("/card."), "{feed}");
    folder.write("feed.xml", feed.replacen("<item>", &format!("<item>{own}"), 1));
    import_feed(&folder);
    let files = files(&folder.path("new")).into_iter();
    let text: String = files.map(|(_, file)| file).collect();
    assert!(!text.contains("/card.jpg?") && !text.contains("/card.png?"), "{text}");
    assert!(text.contains("https://example.com/card.png"), "other pictures are kept");
}

/// Imports `feed.xml` into the folder `new`.
fn import_feed(folder: &SmallSite) -> Value {
    let feed = folder.path("feed.xml");
    import(feed.to_str().unwrap(), &folder.path("new"), &[])
}

/// The imported content, and the notes of the report.
fn imported_text(folder: &SmallSite, report: &Value) -> String {
    let files = files(&folder.path("new")).into_iter();
    let content = files.filter(|(path, _)| path.starts_with("content/"));
    let text: String = content.map(|(path, file)| format!("==> {path}\n{file}\n")).collect();
    let told = notes(report).join("\n");
    let told = told.replace(folder.root().to_str().unwrap(), "");
    format!("{text}==> told\n{told}\n")
}

#[test]
fn a_show_is_imported_completely() {
    let folder = with_feed(include_str!("../fixtures/import/show.xml"));
    let report = import_feed(&folder);
    insta::assert_snapshot!("a_show_is_imported_completely", imported_text(&folder, &report));
    ok(&["build", "--site", folder.path("new").to_str().unwrap()]);
    // Old addresses lead to the new ones, and no episode is new to anyone.
    let feed = parse(&folder.read("new/public/rss.xml"));
    let guids: Vec<String> =
        feed.child("channel").all("item").map(|item| item.child("guid").text.clone()).collect();
    assert_eq!(guids, ["https://tides.example/?p=12", "tides-0001"]);
    assert!(folder.read("new/public/2019/05/harbour.html").contains("/i/harbour/"));
}

#[test]
fn a_wordpress_export_is_imported_completely() {
    let folder = with_feed(include_str!("../fixtures/import/wordpress.xml"));
    let report = import_feed(&folder);
    insta::assert_snapshot!("an_export_of_wordpress", imported_text(&folder, &report));
    ok(&["build", "--site", folder.path("new").to_str().unwrap()]);
    assert_eq!(import_feed(&folder)["items"], 0);
}

#[test]
fn a_repeated_import_adds_only_new_items() {
    let item = |n: usize| {
        format!(
            "<item><title>Number {n}</title><guid>g{n}</guid><description>Text {n}</description></item>"
        )
    };
    let folder = with_feed(&rss("", &(item(1) + &item(2))));
    let (feed, new) = (folder.path("feed.xml"), folder.path("new"));
    let feed = feed.to_str().unwrap();
    assert_eq!(import(feed, &new, &[])["items"], 2);
    // One is edited, one moved and renamed, the channel too.
    folder.write(
        "new/content/items/number-1.md",
        folder.read("new/content/items/number-1.md").replace("Text 1", "Mine"),
    );
    fs::create_dir_all(new.join("content/items/moved")).unwrap();
    fs::rename(new.join("content/items/number-2.md"), new.join("content/items/moved/two.md"))
        .unwrap();
    folder.write("new/content/channel.md", "+++\ntitle = \"Mine\"\n+++\n");
    let before = files(&new);
    folder.write("feed.xml", rss("", &(item(3) + &item(1) + &item(2))));
    let report = import(feed, &new, &[]);
    assert_eq!((&report["items"], &report["known"]), (&1.into(), &2.into()));
    let mut after = files(&new);
    assert!(after.remove("content/items/number-3.md").unwrap().contains("Text 3"));
    assert_eq!(after, before);
    assert_eq!(import(feed, &new, &[])["items"], 0);
}

#[test]
fn a_file_that_is_not_a_feed_is_an_error() {
    let folder = bare();
    folder.write("page.html", "<!doctype html><html><head><link rel=alternate type='application/rss+xml' href='/feed.xml'></head></html>");
    folder.write("a.txt", "Hello");
    for (name, words) in [
        ("page.html", "import its feed instead: /feed.xml"),
        ("a.txt", "neither XML nor JSON"),
        ("none.xml", "cannot be read"),
    ] {
        let source = folder.path(name);
        let output = run(&[
            "import",
            "rss",
            source.to_str().unwrap(),
            "--site",
            folder.path("new").to_str().unwrap(),
        ]);
        let said = output.err;
        assert_eq!(output.code, Some(2));
        assert!(said.contains(words), "{said}");
        assert!(!folder.exists("new"), "nothing is made");
    }
}

#[test]
fn missing_and_duplicate_guids_are_reported() {
    let items = "<item><title>A</title><link>https://tides.example/a/</link></item>\
        <item><title>B</title><guid>x</guid><link>https://tides.example/b/</link></item>\
        <item><title>C</title><guid>x</guid><link>https://tides.example/c/</link></item>\
        <item><title>C</title><guid>x</guid><link>https://tides.example/c/</link></item>\
        <item><description>Nothing but this</description></item>";
    let folder = with_feed(&rss("", items));
    let report = import_feed(&folder);
    assert_eq!(report["items"], 4);
    let told = notes(&report).join("\n");
    assert!(
        told.contains("has no guid")
            && told.contains("its address as guid")
            && told.contains("duplicate item"),
        "{told}"
    );
    ok(&["build", "--site", folder.path("new").to_str().unwrap()]);
    let feed = folder.read("new/public/rss.xml");
    for guid in [">https://tides.example/a/<", ">x<", ">https://tides.example/c/<"] {
        assert!(feed.contains(guid), "{guid}");
    }
    assert_eq!(import_feed(&folder)["items"], 0);
}

#[test]
fn import_time_is_linear_in_the_feed_size() {
    let paragraph =
        "<p>A harbour, and <b>boats</b> &amp; more.</p>\n<ul><li>One</li><li>Two</li></ul>";
    let item = |n: usize| {
        format!(
            "<item><title>Number {n}</title><guid>g{n}</guid><content:encoded><![CDATA[{}]]></content:encoded></item>",
            paragraph.repeat(20)
        )
    };
    let items: String = (0..1500).map(item).collect();
    let folder = with_feed(&rss("", &items));
    let report = import_feed(&folder);
    assert_eq!((&report["items"], &report["with_html"]), (&1500.into(), &0.into()));
}

#[test]
fn inherited_channel_values_are_kept_on_imported_items() {
    let folder = bare();
    let channel = "<language>de</language><itunes:author>Ida</itunes:author>";
    let items = "<item><title>One</title><guid>a</guid><description>Text</description></item>\
        <item><title>Two</title><guid>b</guid><author>Jo</author><description>Text</description></item>";
    folder.write(
        "first.xml",
        rss(
            "<language>en</language><itunes:author>Ann</itunes:author>",
            "<item><title>Zero</title><guid>z</guid></item>",
        ),
    );
    folder.write("second.xml", rss(channel, items));
    let site = folder.path("new");
    for name in ["first.xml", "second.xml"] {
        import(folder.path(name).to_str().unwrap(), &site, &[]);
    }
    let read = |name: &str| folder.read(&format!("new/content/items/{name}.md"));
    assert!(
        read("one").contains("authors = [\"Ida\"]") && read("one").contains("language = \"de\""),
        "{}",
        read("one")
    );
    assert!(
        read("two").contains("authors = [\"Jo\"]") && read("two").contains("language = \"de\""),
        "{}",
        read("two")
    );
    assert!(
        !read("zero").contains("authors") && !read("zero").contains("language"),
        "{}",
        read("zero")
    );
}
