//! Tests of RSS 0.9 to 2.0 and RDF.

use std::slice;

use crate::{channel, html, item, plain, read, skipped};

/// A typical channel from a podcast host.
const SHOW: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:atom="http://www.w3.org/2005/Atom"
 xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
  <atom:link href="https://feeds.example/tides.xml" rel="self" type="application/rss+xml"/>
  <atom:link href="https://feeds.example/tides.xml?page=2" rel="next"/>
  <title>Between Tides</title>
  <link>https://tides.example</link>
  <description><![CDATA[<p>Mud &amp; lighthouses</p>]]></description>
  <language>en-gb</language>
  <copyright>2026 Maren</copyright>
  <lastBuildDate>Mon, 05 Oct 2026 09:00:00 +0000</lastBuildDate>
  <image><url>https://tides.example/144.png</url><title>x</title><link>y</link></image>
  <itunes:image href="https://tides.example/3000.jpg"/>
  <itunes:author>Maren and Tobi</itunes:author>
  <itunes:owner><itunes:name>Maren</itunes:name><itunes:email>m@tides.example</itunes:email></itunes:owner>
  <itunes:category text="Society &amp; Culture"><itunes:category text="Places &amp; Travel"/></itunes:category>
  <itunes:category text="Science"/>
  <itunes:explicit>no</itunes:explicit>
  <itunes:type>Serial</itunes:type>
  <item>
    <guid isPermaLink="false">abc-1</guid>
    <title>Mud</title>
    <link>https://tides.example/mud</link>
    <pubDate>Mon, 05 Oct 2026 09:00:00 +0200</pubDate>
    <description>Plain words</description>
    <content:encoded><![CDATA[<p>All the <em>words</em></p>]]></content:encoded>
    <enclosure url="https://cdn.example/mud.mp3?x=1&amp;y=2" length="1,234" type="audio/mpeg"/>
    <itunes:duration>1:02:03</itunes:duration>
    <itunes:episodeType>Full</itunes:episodeType>
    <itunes:season>2</itunes:season>
    <itunes:episode>7</itunes:episode>
    <itunes:explicit>clean</itunes:explicit>
    <itunes:image href="https://tides.example/mud.jpg"/>
    <itunes:keywords>mud, sea ,mud</itunes:keywords>
  </item>
</channel></rss>"#;

#[test]
fn every_field_of_a_podcast_feed_is_read() {
    let feed = read(SHOW);
    assert_eq!((feed.faults.len(), feed.skipped.len()), (0, 0), "{:?}", feed.skipped);
    assert_eq!(feed.format, "RSS 2.0");
    let channel = &feed.channel;
    assert_eq!(channel.title.as_deref(), Some("Between Tides"));
    assert_eq!(channel.feed_url.as_deref(), Some("https://feeds.example/tides.xml"));
    assert_eq!(channel.next_url.as_deref(), Some("https://feeds.example/tides.xml?page=2"));
    assert_eq!(channel.description, html("<p>Mud &amp; lighthouses</p>"));
    assert_eq!(channel.image.as_deref(), Some("https://tides.example/3000.jpg"), "the large one");
    assert_eq!(channel.owner.as_ref().unwrap().email.as_deref(), Some("m@tides.example"));
    let topics = [("Society & Culture", vec!["Places & Travel"]), ("Science", vec![])];
    let topics = topics.map(|(name, below)| {
        (name.to_owned(), below.into_iter().map(str::to_owned).collect::<Vec<_>>())
    });
    assert_eq!(channel.categories, topics);
    assert_eq!(
        serde_json::json!(channel.itunes),
        serde_json::json!({ "explicit": false, "type": "serial" })
    );

    let item = &feed.items[0];
    assert_eq!(item.line, 21);
    assert_eq!(item.guid.as_deref(), Some("abc-1"));
    assert_eq!(item.published.unwrap().to_string(), "2026-10-05T07:00:00Z");
    assert_eq!(item.summary, html("Plain words"));
    assert_eq!(item.content, html("<p>All the <em>words</em></p>"));
    let file = &item.enclosures[0];
    assert_eq!(file.url, "https://cdn.example/mud.mp3?x=1&y=2");
    assert_eq!((file.length, file.duration), (Some(1234), Some(3723.0)));
    assert_eq!(item.tags, ["mud", "sea"]);
    let itunes =
        serde_json::json!({ "explicit": false, "episodeType": "full", "season": 2, "episode": 7 });
    assert_eq!(serde_json::json!(item.itunes), itunes);
}

#[test]
fn a_single_text_element_is_the_content() {
    assert_eq!(item("<description>&lt;b&gt;x&lt;/b&gt;</description>").content, html("<b>x</b>"));
    assert_eq!(item("<itunes:summary>x</itunes:summary>").content, html("x"));
    let both = item("<description>x</description><content:encoded>x</content:encoded>");
    assert_eq!((both.content, both.summary), (html("x"), None));
    // Unescaped markup is kept as HTML.
    assert_eq!(
        item("<description>a <b>b</b> c<br/>d &lt; e</description>").content,
        html("a <b>b</b> c<br>d &lt; e")
    );
}

#[test]
fn guids_and_links_identify_an_item_and_its_page() {
    let permalink = item("<guid>https://a.example/1</guid>");
    assert_eq!(permalink.link.as_deref(), Some("https://a.example/1"));
    let opaque = item("<guid isPermaLink=\"false\">https://a.example/1</guid>");
    assert_eq!((opaque.guid.as_deref(), opaque.link), (Some("https://a.example/1"), None));
    let burnt = item(
        "<link>https://feedproxy.example/x</link><feedburner:origLink>https://a.example/2</feedburner:origLink>",
    );
    assert_eq!(burnt.link.as_deref(), Some("https://a.example/2"));
}

#[test]
fn authors_are_read_in_every_notation() {
    let names = |inner: &str| {
        let authors = item(inner).authors.into_iter();
        authors.map(|author| (author.name, author.email)).collect::<Vec<_>>()
    };
    let ada = ("Ada Lind".to_owned(), Some("ada@a.example".to_owned()));
    assert_eq!(names("<author>ada@a.example (Ada Lind)</author>"), slice::from_ref(&ada));
    assert_eq!(names("<author>Ada Lind (ada@a.example)</author>"), slice::from_ref(&ada));
    assert_eq!(names("<dc:creator>Ada Lind &lt;ada@a.example&gt;</dc:creator>"), [ada]);
    let two = "<dc:creator>Ada</dc:creator><dc:creator>Bo</dc:creator><itunes:author>Ada and Bo</itunes:author>";
    assert_eq!(names(two), [("Ada".to_owned(), None), ("Bo".to_owned(), None)]);
}

#[test]
fn rdf_items_are_siblings_of_the_channel() {
    let feed = read(
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns=\"http://purl.org/rss/1.0/\"
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\">
         <channel rdf:about=\"https://a.example/\"><title>A</title></channel>
         <image><url>https://a.example/i.png</url></image>
         <item rdf:about=\"https://a.example/1\"><title>One</title><link>https://a.example/1</link>
         <dc:date>2003-12-31T10:14:55-08:00</dc:date><dc:subject>sea</dc:subject></item></rdf:RDF>",
    );
    assert_eq!(feed.format, "RSS 1.0 (RDF)");
    assert_eq!(feed.channel.image.as_deref(), Some("https://a.example/i.png"));
    let item = &feed.items[0];
    assert_eq!(item.guid.as_deref(), Some("https://a.example/1"));
    assert_eq!(item.published.unwrap().to_string(), "2003-12-31T18:14:55Z");
    assert_eq!(item.tags, ["sea"]);
}

#[test]
fn namespaces_are_recognized_by_url_or_prefix() {
    let other = read(
        "<rss xmlns:x=\"HTTP://www.itunes.com/DTDs/Podcast-1.0.dtd\"><channel><item><x:duration>90</x:duration>
         <enclosure url=\"a.mp3\"/></item></channel></rss>",
    );
    assert_eq!(other.items[0].enclosures[0].duration, Some(90.0));
    let undeclared = item("<itunes:duration>1:30</itunes:duration><enclosure url=\"a.mp3\"/>");
    assert_eq!(undeclared.enclosures[0].duration, Some(90.0));
}

#[test]
fn media_rss_files_and_images_are_read() {
    let item = item(
        "<media:group><media:content url=\"https://a.example/v.mp4\" type=\"video/mp4\" fileSize=\"9\" duration=\"60\"/>
         <media:content url=\"https://a.example/p.jpg\" medium=\"image\"/></media:group>
         <media:thumbnail url=\"https://a.example/t.jpg\"/>",
    );
    let file = &item.enclosures[0];
    assert_eq!(
        (file.url.as_str(), file.length, file.duration),
        ("https://a.example/v.mp4", Some(9), Some(60.0))
    );
    assert_eq!(item.image.as_deref(), Some("https://a.example/p.jpg"));
}

#[test]
fn unsupported_elements_are_reported_once_with_count_and_line() {
    let feed = channel(
        "<ttl>60</ttl><rating>x</rating>\n<item><slash:comments>3</slash:comments></item>\n<item><slash:comments>4</slash:comments></item>",
    );
    assert_eq!(skipped(&feed), [("item/slash:comments", 2), ("channel/rating", 1)]);
    assert_eq!(feed.skipped[0].line, 2);
}

#[test]
fn content_is_read_from_every_known_element() {
    for (written, expected) in [
        ("<dc:description>A &amp;amp; B</dc:description>", html("A &amp; B")),
        ("<fullitem>&lt;p&gt;A&lt;/p&gt;</fullitem>", html("<p>A</p>")),
        ("<body><a href=\"/x\">A</a></body>", html("<a href=\"/x\">A</a>")),
        ("<summary>A</summary>", html("A")),
        (
            "<media:group><media:description>A\n\n1 &lt; 2</media:description></media:group>",
            plain("A\n\n1 < 2"),
        ),
        (
            "<media:description type=\"html\">&lt;b&gt;A&lt;/b&gt;</media:description>",
            html("<b>A</b>"),
        ),
    ] {
        assert_eq!(item(written).content, expected, "{written}");
    }
    let both = item("<description>A</description><summary>B</summary>");
    assert_eq!((both.content, both.summary), (html("A"), html("B")));
}

#[test]
fn a_category_excludes_the_text_of_nested_elements() {
    let tagged = item(
        "<category>Sea <image><title>Picture</title><url>x.jpg</url></image></category><tags>mud, low tide</tags>",
    );
    assert_eq!(tagged.tags, ["Sea", "mud", "low tide"]);
}

#[test]
fn declared_entities_are_expanded() {
    let declared =
        "<!DOCTYPE rss [<!ENTITY id \"tag:a.example,2006:\"> <!ENTITY two 'A &amp; &#66;'>]>";
    let feed = read(&format!(
        "{declared}<rss><channel><item><guid>&id;/1</guid><title>&two; &none;</title></item></channel></rss>"
    ));
    let item = &feed.items[0];
    assert_eq!(item.guid.as_deref(), Some("tag:a.example,2006:/1"));
    assert_eq!(item.title, html("A & B &none;"));
}

#[test]
fn an_enclosure_link_is_an_enclosure() {
    for name in ["link", "atom:link"] {
        let linked = item(&format!(
            "<{name} rel=\"enclosure\" href=\"https://a.example/a.mp3\" type=\"audio/mpeg\" length=\"5\"/>"
        ));
        let file = &linked.enclosures[0];
        assert_eq!((&*file.url, file.length), ("https://a.example/a.mp3", Some(5)));
        assert_eq!(linked.link, None);
    }
}
