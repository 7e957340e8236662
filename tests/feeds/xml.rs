//! The XML writer cannot write a document that is not well-formed, and loses nothing that XML can hold.
#![allow(clippy::unwrap_used)]

use feedwright::render::feeds::xml::{Stylesheet, Xml};
use proptest::prelude::*;

use crate::support::xml_tree;

/// A text as XML 1.0 can hold it (section 2.2, production 2).
fn remove_forbidden_characters(text: &str) -> String {
    text.chars()
        .filter(|c| {
            matches!(u32::from(*c), 0x9 | 0xA | 0xD | 0x20..=0xD7FF | 0xE000..=0xFFFD | 0x1_0000..)
        })
        .collect()
}

/// Any text, with what is special to XML more often than chance would have it.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<String>(),
        prop::sample::select(vec![
            "]]>", "]]", ">", "<", "&", "&amp;", "\"", "'", "\r", "\r\n", "\n", "\t", "\0",
            "\u{1f}", "\u{fffe}", "\u{ffff}", "\u{fffd}", "\u{feff}", "\u{7f}", "\u{85}",
            "\u{2028}", "<![CDATA[", "<!--", "?>", "ï¿",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn write_to_string(write: impl FnOnce(&mut Xml<'_>)) -> String {
    let mut out = Vec::new();
    Xml::document(&mut out, &[], write);
    String::from_utf8(out).unwrap()
}

proptest! {
    #[test]
    fn any_text_round_trips_without_forbidden_characters(text in text()) {
        let document = write_to_string(|xml| xml.element("a").text(&text));
        prop_assert_eq!(xml_tree::parse(&document).text, remove_forbidden_characters(&text));
    }

    #[test]
    fn any_attribute_round_trips_without_forbidden_characters(text in text()) {
        let document = write_to_string(|xml| xml.element("a").attr("b", &text).empty());
        let root = xml_tree::parse(&document);
        let expected = remove_forbidden_characters(&text);
        prop_assert_eq!(root.attribute("b"), Some(expected.as_str()));
    }

    #[test]
    fn any_cdata_round_trips_without_forbidden_characters(text in text()) {
        let document = write_to_string(|xml| xml.element("a").cdata(&text));
        prop_assert_eq!(xml_tree::parse(&document).text, remove_forbidden_characters(&text));
    }

    #[test]
    fn no_url_breaks_out_of_the_stylesheet_instruction(url in text()) {
        let mut out = Vec::new();
        let sheet = Stylesheet { url: url.clone(), media_type: "text/xsl" };
        Xml::document(&mut out, &[sheet], |xml| xml.element("a").empty());
        let document = String::from_utf8(out).unwrap();
        prop_assert_eq!(xml_tree::parse(&document).name, "a");
        prop_assert_eq!(document.matches("?>").count(), 2);
    }
}

#[test]
fn empty_elements_are_omitted() {
    let document = write_to_string(|xml| {
        xml.element("a").optional("b", Some("")).optional("c", None).children(|xml| {
            xml.text("d", "");
            xml.optional("e", None);
            xml.element("f").text("");
            xml.element("g").display("h", Some(1.5)).display("i", None::<u8>).empty();
        });
    });
    assert_eq!(
        document,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>\n  <f/>\n  <g h=\"1.5\"/>\n</a>\n"
    );
}
