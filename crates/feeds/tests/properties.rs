//! Property tests: no input causes a panic, and well-formed text is read back unchanged.

use proptest::prelude::*;

use crate::item;

fn feed_piece() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(vec![
            "<rss>", "<channel>", "</channel>", "<item>", "</item>", "<title>", "</title>", "<guid isPermaLink=\"", "\">", "</guid>", "<a:b ",
            "xmlns:a=\"http://www.itunes.com/dtds/podcast-1.0.dtd\"", "<![CDATA[", "]]>", "<!--", "-->", "&", ";", "&amp;", "&#x", "&#150;",
            "<enclosure url='", "'/>", "<feed xmlns=\"http://www.w3.org/2005/Atom\">", "<entry>", "<content type=\"xhtml\">", "<pubDate>",
            "Mon, 05 Oct 2026", "2026-10-05T", "24:00", "+0", "</", "<", ">", "<?xml encoding=\"", "?>", "<!DOCTYPE [", "\n", "é", "\u{0}",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,8}",
    ]
}

proptest! {
    #[test]
    fn random_feed_pieces_are_read_without_a_panic(pieces in prop::collection::vec(feed_piece(), 0..60)) {
        let _ = feeds::read(pieces.concat().as_bytes(), None);
        let inner = pieces.concat();
        let _ = feeds::read(format!("<rss><channel><item>{inner}").as_bytes(), None);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), charset in prop::option::of("[a-z0-9-]{0,12}")) {
        let _ = feeds::read(&bytes, charset.as_deref());
    }

    #[test]
    fn any_date_is_parsed_without_a_panic(text in "[0-9A-Za-z:+,/. -]{0,40}") {
        let _ = feeds::date::parse(&text);
    }

    #[test]
    fn escaped_text_is_read_back_unchanged(text in "[^\u{0}-\u{8}\u{b}\u{c}\u{e}-\u{1f}\r]{1,40}") {
        let text = text.trim().to_owned();
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace("]]>", "]]&gt;");
        let item = item(&format!("<guid isPermaLink=\"false\">{escaped}</guid>"));
        prop_assert_eq!(item.guid.unwrap_or_default(), text);
    }
}
