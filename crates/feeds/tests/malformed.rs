//! Tests of feeds that are not well-formed, not in their declared encoding, or not feeds at all.

use crate::{html, item, read};

fn messages(feed: &feeds::Feed) -> Vec<String> {
    let faults = feed.faults.iter();
    faults.map(|fault| format!("{}: {}", fault.line, fault.message)).collect()
}

#[test]
fn malformed_xml_is_repaired_and_reported() {
    let feed = read(
        "<rss><channel>\n<title>Fish & chips &nbsp;&unknown; &#150;</title>\n<item><title>1 < 2</title>\n<guid>a</item>\n<item></b><guid>b</guid></item>\n",
    );
    assert_eq!(feed.channel.title.as_deref(), Some("Fish & chips \u{a0}&unknown; –"));
    assert_eq!(feed.items.len(), 2);
    assert_eq!(
        (feed.items[0].guid.as_deref(), feed.items[1].guid.as_deref()),
        (Some("a"), Some("b"))
    );
    let messages = messages(&feed);
    let holds = |part: &str| messages.iter().any(|message| message.contains(part));
    assert!(holds("2: &unknown; is an unknown entity"), "{messages:?}");
    assert!(holds("4: <guid> has no end tag before </item>"), "{messages:?}");
    assert!(holds("5: </b> has no start tag"), "{messages:?}");
    assert!(holds("the document is incomplete: it ends inside <channel>"), "{messages:?}");
}

#[test]
fn invalid_values_are_reported_and_skipped() {
    let feed = read(
        "<rss><channel><item>\n<pubDate>soon</pubDate><enclosure length=\"3\"/></item></channel></rss>",
    );
    assert_eq!(feed.items[0].published, None);
    assert_eq!(messages(&feed), ["2: an enclosure without an address was skipped"]);
    assert_eq!(
        feed.items[0].invalid_values.messages(),
        ["pubDate \"soon\" is not a valid date; it was left out"]
    );
}

#[test]
fn text_is_decoded_from_its_declared_encoding() {
    let feed = |head: &[u8], body: &[u8], charset: Option<&str>| {
        let bytes = [head, b"<rss><channel><title>", body, b"</title></channel></rss>"].concat();
        let feed = feeds::read(&bytes, charset).unwrap();
        (feed.channel.title.unwrap(), feed.faults.len())
    };
    let decoded_text = |text: &str, faults| (text.to_owned(), faults);
    let latin = b"<?xml version='1.0' encoding='iso-8859-1'?>";
    assert_eq!(feed(latin, b"Caf\xe9", None), decoded_text("Café", 0));
    assert_eq!(feed(b"", b"\xcf\xf0\xe8", Some("windows-1251")), decoded_text("При", 0));
    assert_eq!(feed(b"\xef\xbb\xbf", "Café".as_bytes(), None), decoded_text("Café", 0));
    // The text is valid UTF-8, regardless of the declared encoding.
    assert_eq!(feed(latin, "Café".as_bytes(), None), decoded_text("Café", 0));
    // The text is declared as UTF-8, but has another encoding.
    assert_eq!(
        feed(b"<?xml version='1.0' encoding='utf-8'?>", b"Caf\xe9", None),
        decoded_text("Café", 1)
    );
    let wide: Vec<u8> = "<?xml version='1.0'?><rss><channel><title>Café</title></channel></rss>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(feeds::read(&wide, None).unwrap().channel.title.as_deref(), Some("Café"));
}

#[test]
fn documents_that_are_not_feeds_are_identified() {
    let page = "<!doctype html><html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed\"></head></html>";
    let error = feeds::read(page.as_bytes(), None).unwrap_err();
    assert_eq!(
        (error.message.as_str(), error.feed_url.as_deref()),
        ("this is a web page, not a feed", Some("/feed"))
    );
    for (text, message) in [
        ("", "this is neither XML nor JSON"),
        ("hello", "this is neither XML nor JSON"),
        ("<svg/>", "this is XML, but not a feed: its root element is <svg>"),
        ("[1]", "this is neither XML nor JSON"),
    ] {
        assert_eq!(feeds::read(text.as_bytes(), None).unwrap_err().message, message, "{text}");
    }
}

#[test]
fn nested_and_external_entities_are_not_expanded() {
    let bomb = "<!DOCTYPE rss [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY x SYSTEM \"file:///etc/passwd\">]>\
                <rss><channel><title>&b;&x;</title></channel></rss>";
    assert_eq!(read(bomb).channel.title.as_deref(), Some("&b;&x;"));
}

#[test]
fn parsing_time_is_linear_in_depth_and_length() {
    let deep = format!("<rss><channel>{}</channel></rss>", "<a>".repeat(200_000));
    let _ = read(&deep);
    let stray = format!(
        "<rss><channel>{}<item><guid>a</guid></item></channel></rss>",
        "</b>".repeat(100_000)
    );
    let feed = read(&stray);
    assert_eq!((feed.items.len(), feed.faults.len()), (1, 1));
    let open = format!("<rss><channel>{}", "<item><title>&".repeat(50_000));
    let _ = read(&open);
    let signs = format!("<rss><channel><title>{}</title></channel></rss>", "< ".repeat(50_000));
    let _ = read(&signs);
    for open in ["<!--", "<![CDATA[", "<a ", "<?x ", "<a b='", "<!x "] {
        let feed = format!("<rss><channel><title>a</title>{}", open.repeat(200_000));
        assert_eq!(read(&feed).channel.title.as_deref(), Some("a"), "{open}");
    }
    assert_eq!(item("<description>a</description>").content, html("a"));
}
