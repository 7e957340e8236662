//! The RSS document: readers accept it, and the same content gives the same bytes.
#![allow(clippy::unwrap_used)]

use feedwright::model::podcast::vocabulary::guid_of_feed;
use feedwright::render::feeds::rss::Paging;

use crate::podcast::site;
use crate::support::xml_tree;

fn every_tag() -> site::Site {
    let items = ["content/items/one/index.md", "content/items/plain.md"];
    site::read("every-podcast-tag", &items)
}

#[test]
fn a_feed_parser_reads_the_feed() {
    let rss = every_tag().rss();
    let feed = feed_rs::parser::parse(rss.as_bytes()).unwrap();
    assert_eq!(feed.feed_type, feed_rs::model::FeedType::RSS2);
    assert_eq!(feed.title.unwrap().content, "Every tag & more");
    assert_eq!(feed.language.as_deref(), Some("en-gb"));
    assert_eq!(feed.entries.len(), 2);

    let one = &feed.entries[0];
    assert_eq!(one.id, "one");
    assert_eq!(one.title.as_ref().unwrap().content, "One & only");
    assert_eq!(one.published.unwrap().to_rfc3339(), "2026-11-20T09:30:00+00:00");
    let body = one.content.as_ref().unwrap().body.as_ref().unwrap();
    assert!(body.contains("https://example.com/?a=1&amp;b=2"), "{body}");
    assert!(body.contains("]]&gt;"), "{body}");
    let media = &one.media[0].content[0];
    assert_eq!(
        media.url.as_ref().unwrap().as_str(),
        "https://example.org/media/items/one/episode.ogg"
    );
    assert_eq!(media.size, Some(5774));

    let plain = &feed.entries[1];
    assert!(plain.title.is_none());
    // A description is HTML: its markup is the text's, not the author's.
    assert_eq!(plain.summary.as_ref().unwrap().content, "A note, 5 &lt; 6 &amp; 7 &gt; 6.");
}

#[test]
fn guids_are_unique_and_permalinks_only_if_page_urls() {
    let mut site = every_tag();
    let segment = site.items[1].segment();
    site.items[1].guid = Some(format!("https://example.org/i/{segment}/"));
    let rss = xml_tree::parse(&site.rss());
    let guids: Vec<_> = rss
        .child("channel")
        .all("item")
        .map(|item| item.child("guid"))
        .map(|guid| (guid.text.clone(), guid.attribute("isPermaLink").unwrap().to_owned()))
        .collect();
    assert_eq!(
        guids,
        [
            ("one".to_owned(), "false".to_owned()),
            (format!("https://example.org/i/{segment}/"), "true".to_owned()),
        ]
    );
}

#[test]
fn feed_pages_link_to_each_other_and_share_the_guid() {
    let mut site = every_tag();
    site.channel.podcast.guid = None;
    let page = |n: u8| format!("https://example.org/rss/{n}.xml");
    let paging = Paging {
        self_url: Some(page(2)),
        first: Some("https://example.org/rss/".into()),
        last: Some(page(9)),
        prev: Some("https://example.org/rss/".into()),
        next: Some(page(3)),
    };
    let rss = site.rss_with(paging, Some("https://example.org/rss.xsl?v=1&w=2".into()));
    assert!(rss.contains(
        "<?xml-stylesheet href=\"https://example.org/rss.xsl?v=1&amp;w=2\" type=\"text/xsl\"?>"
    ));
    let rss = xml_tree::parse(&rss);
    let channel = rss.child("channel");
    let links: Vec<(&str, &str)> = channel
        .all("atom:link")
        .map(|link| (link.attribute("rel").unwrap(), link.attribute("href").unwrap()))
        .collect();
    assert_eq!(
        links,
        [
            ("self", "https://example.org/rss/2.xml"),
            ("first", "https://example.org/rss/"),
            ("previous", "https://example.org/rss/"),
            ("next", "https://example.org/rss/3.xml"),
            ("last", "https://example.org/rss/9.xml"),
        ]
    );
    assert_eq!(channel.child("podcast:guid").text, guid_of_feed("https://example.org/rss"));
}

#[test]
fn guids_match_the_examples_of_the_specification() {
    for (url, guid) in [
        ("https://podnews.net/rss", "9b024349-ccf0-5f69-a609-6b82873eab3c"),
        ("http://podnews.net/rss///", "9b024349-ccf0-5f69-a609-6b82873eab3c"),
        ("mp3s.nashownotes.com/pc20rss.xml", "917393e3-1b1e-5cef-ace4-edaa54e1f810"),
    ] {
        assert_eq!(guid_of_feed(url), guid, "{url}");
    }
}

#[test]
fn an_unconfigured_channel_has_a_valid_feed() {
    let mut site = every_tag();
    site.channel = feedwright::model::Channel::default();
    site.items.clear();
    insta::assert_snapshot!(site.rss());
}
