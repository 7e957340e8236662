//! The feeds of a tag: RSS and JSON Feed of its newest items.

use feedwright::builder::{self, Silent};
use serde_json::Value;

use crate::content::errors::site_with_theme;
use crate::support::small_site::SmallSite;
use crate::support::xml_tree::parse;

fn item(site: SmallSite, n: usize, tags: &str) -> SmallSite {
    let (month, day) = (n / 28 + 1, n % 28 + 1);
    site.with(
        &format!("content/items/i{n}.md"),
        format!("+++\nid = \"i{n}\"\ntitle = \"I{n}\"\ndate = 2025-{month:02}-{day:02}\ntags = [{tags}]\n+++\nText {n}.\n"),
    )
}

fn titles(feed: &Value) -> Vec<&str> {
    let items = feed["items"].as_array().unwrap().iter();
    items.map(|item| item["title"].as_str().unwrap()).collect()
}

fn count_written_files(site: &SmallSite) -> usize {
    builder::run(&site.options(), &Silent).unwrap().written
}

fn read_tag_feed(site: &SmallSite, tag: &str) -> Value {
    serde_json::from_str(&site.read(&format!("public/tags/{tag}/feed.json"))).unwrap()
}

#[test]
fn a_tag_has_feeds_of_its_newest_items() {
    let mut site = site_with_theme();
    for n in 0..22 {
        site = item(site, n, "\"Sea\"");
    }
    site = item(site, 22, "\"hills\"");
    let site = site.with(
        "content/channel.md",
        "+++\ntitle = \"Walks\"\n[podcast]\nguid = \"9b024349-ccf0-5f69-a609-6b82873eab3c\"\n[itunes]\nnew_feed_url = \"https://example.org/moved.xml\"\n+++\n",
    );
    count_written_files(&site);
    let feed = read_tag_feed(&site, "sea");
    let newest: Vec<String> = (12..22).rev().map(|n| format!("I{n}")).collect();
    assert_eq!(titles(&feed), newest);
    assert_eq!(feed["title"], "Walks – Sea");
    assert_eq!(feed["feed_url"], "https://example.com/tags/sea/feed.json");
    assert_eq!(feed["home_page_url"], "https://example.com/tags/sea/");
    assert_eq!(feed.get("next_url"), None);
    let rss = site.read("public/tags/sea/rss.xml");
    parse(&rss);
    for part in [
        "<title>Walks – Sea</title>",
        "<link>https://example.com/tags/sea/</link>",
        "<atom:link href=\"https://example.com/tags/sea/rss.xml\" rel=\"self\" type=\"application/rss+xml\"/>",
        "<content:encoded>",
    ] {
        assert!(rss.contains(part), "{part} in {rss}");
    }
    assert!(!rss.contains("new-feed-url"), "{rss}");
    let guid = |rss: &str| rss.split("podcast:guid>").nth(1).map(str::to_owned);
    let all = [&rss, &site.read("public/rss.xml"), &site.read("public/tags/hills/rss.xml")];
    let guids: std::collections::BTreeSet<_> = all.iter().map(|rss| guid(rss)).collect();
    assert_eq!(guids.len(), 3, "each feed is a podcast of its own");
    let page = site.read("public/tags/sea/index.html");
    let link = "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"Walks – Sea (RSS)\" href=\"https://example.com/tags/sea/rss.xml\">";
    assert!(page.contains(link), "{page}");
}

#[test]
fn an_oldest_first_tag_feed_ends_with_the_newest_items() {
    let mut site = site_with_theme();
    for n in 0..22 {
        site = item(site, n, "\"Sea\"");
    }
    let config = site.read("site.toml");
    let site = site.with("site.toml", format!("{config}[feed]\norder = \"asc\"\n"));
    count_written_files(&site);
    let feed = read_tag_feed(&site, "sea");
    assert_eq!(titles(&feed)[0], "I12");
    assert_eq!(titles(&feed).len(), 10);
}

#[test]
fn only_feeds_with_changed_items_are_rewritten() {
    let site = item(item(site_with_theme(), 0, "\"Sea\""), 1, "\"hills\"");
    count_written_files(&site);
    let before = site.read("public/tags/hills/rss.xml");
    let text = site.read("content/items/i0.md");
    let site = site.with("content/items/i0.md", text.replace("Text 0", "Other"));
    count_written_files(&site);
    let feed = read_tag_feed(&site, "sea");
    assert_eq!(feed["items"][0]["content_text"], "Other.");
    assert_eq!(site.read("public/tags/hills/rss.xml"), before);
    let site = site.without("content/items/i0.md");
    count_written_files(&site);
    assert!(!site.path("public/tags/sea").exists());
}

#[test]
fn tag_feeds_can_be_disabled() {
    let site = item(site_with_theme(), 0, "\"Sea\"");
    let config = site.read("site.toml");
    let site = site.with("site.toml", format!("{config}[output]\ntag_feeds = false\n"));
    count_written_files(&site);
    assert!(site.path("public/tags/sea/index.html").exists());
    assert!(!site.path("public/tags/sea/feed.json").exists());
    let page = site.read("public/tags/sea/index.html");
    assert!(!page.contains("tags/sea/rss.xml"), "{page}");
    let site = site.with("site.toml", format!("{config}[feed]\nrss = false\n"));
    count_written_files(&site);
    assert!(site.path("public/tags/sea/feed.json").exists());
    assert!(!site.path("public/tags/sea/rss.xml").exists());
}
