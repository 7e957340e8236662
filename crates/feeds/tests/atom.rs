//! Tests of Atom 1.0 and 0.3.

use crate::{html, plain, read};

fn entry(inner: &str) -> feeds::Item {
    let feed = read(&format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>A</title><entry>{inner}</entry></feed>"
    ));
    feed.items.into_iter().next().unwrap()
}

#[test]
fn every_field_of_an_atom_feed_is_read() {
    let feed = read(
        "<a:feed xmlns:a=\"http://www.w3.org/2005/Atom\" xml:lang=\"de\"><a:title type=\"html\">A &amp;amp; B</a:title>
         <a:subtitle>Under</a:subtitle><a:link href=\"https://a.example/\"/><a:link rel=\"self\" href=\"https://a.example/feed\"/>
         <a:rights>R</a:rights><a:logo>https://a.example/l.png</a:logo><a:icon>https://a.example/i.png</a:icon>
         <a:author><a:name>Ada</a:name><a:uri>https://ada.example</a:uri></a:author>
         <a:entry><a:id>tag:1</a:id><a:title>One</a:title><a:published>2026-01-02T03:04:05Z</a:published>
         <a:updated>2026-02-02T03:04:05Z</a:updated><a:link rel=\"enclosure\" href=\"https://a.example/a.mp3\" length=\"5\" type=\"audio/mpeg\"/>
         <a:category term=\"sea\"/></a:entry></a:feed>",
    );
    assert_eq!(feed.format, "Atom 1.0");
    assert_eq!(feed.skipped, []);
    let channel = feed.channel;
    assert_eq!(channel.title.as_deref(), Some("A &amp; B"));
    assert_eq!(channel.description, plain("Under"));
    assert_eq!(
        (channel.language.as_deref(), channel.link.as_deref()),
        (Some("de"), Some("https://a.example/"))
    );
    assert_eq!(channel.image.as_deref(), Some("https://a.example/l.png"));
    assert_eq!(channel.authors[0].url.as_deref(), Some("https://ada.example"));
    let item = &feed.items[0];
    assert_eq!(item.guid.as_deref(), Some("tag:1"));
    assert_eq!(item.updated.unwrap().to_string(), "2026-02-02T03:04:05Z");
    assert_eq!((item.enclosures[0].length, &item.tags[..]), (Some(5), &["sea".to_owned()][..]));
}

#[test]
fn text_is_decoded_by_its_type_attribute() {
    assert_eq!(entry("<title>1 &lt; 2</title>").title, plain("1 < 2"));
    assert_eq!(
        entry("<content type=\"html\">1 &amp;lt; <![CDATA[<i>2</i>]]></content>").content,
        html("1 &lt; <i>2</i>")
    );
    let xhtml = "<content type=\"xhtml\"><div xmlns=\"http://www.w3.org/1999/xhtml\"><p>1 &lt; 2<br/></p></div></content>";
    assert_eq!(entry(xhtml).content, html("<p>1 &lt; 2<br></p>"));
    // Atom 0.3.
    assert_eq!(
        entry("<content type=\"text/html\" mode=\"escaped\">&lt;b&gt;x&lt;/b&gt;</content>")
            .content,
        html("<b>x</b>")
    );
    assert_eq!(entry("<content mode=\"base64\">PGI+eDwvYj4=</content>").content, html("<b>x</b>"));
    let short = entry("<summary>s</summary>");
    assert_eq!((short.content, short.summary), (plain("s"), None));
}

#[test]
fn a_video_entry_uses_its_media_description() {
    let film = entry(
        "<id>yt:video:x</id><media:group xmlns:media=\"http://search.yahoo.com/mrss/\"><media:title>T</media:title>\
         <media:thumbnail url=\"https://i.example/x.jpg\"/><media:description>One\n\nTwo &amp; three</media:description></media:group>",
    );
    assert_eq!(film.content, plain("One\n\nTwo & three"));
    assert_eq!(film.image.as_deref(), Some("https://i.example/x.jpg"));
}

#[test]
fn rss_element_names_are_accepted_in_atom() {
    let content =
        "<summary>Short</summary><content:encoded><![CDATA[<h1>Long</h1>]]></content:encoded>";
    let both = entry(content);
    assert_eq!((both.content, both.summary), (html("<h1>Long</h1>"), plain("Short")));
    let feed = read("<feed xmlns=\"http://www.w3.org/2005/Atom\"><item><id>a</id></item></feed>");
    assert_eq!(feed.items[0].guid.as_deref(), Some("a"));
}

#[test]
fn escaped_html_inside_an_element_is_unescaped() {
    let div = "<content type=\"html\"><div xmlns=\"http://www.w3.org/1999/xhtml\">A &lt;b&gt;B&lt;/b&gt;</div></content>";
    assert_eq!(entry(div).content, html("A <b>B</b>"));
    let bold = "<content type=\"html\"><b>A</b></content>";
    assert_eq!(entry(bold).content, html("<b>A</b>"));
}
