//! Lists of feeds as OPML 2.0 (opml.org/spec2.opml), for feed readers.

use super::xml::Xml;
use crate::inputs::Shared;

/// A feed in a list.
pub struct Outline<'a> {
    pub title: &'a str,
    pub feed: &'a str,
    /// Address of the feed's website.
    pub home: Option<&'a str>,
    pub description: Option<&'a str>,
    pub language: Option<&'a str>,
}

/// Writes the list of the feeds of a network.
pub fn shows(shared: &Shared<'_>) -> Vec<u8> {
    let outlines = shared.shows.iter().map(|show| Outline {
        title: &show.title,
        feed: show.rss_url.as_ref().unwrap_or(&show.json_url),
        home: Some(&show.url),
        description: Some(&*show.description).filter(|text| !text.is_empty()),
        language: show.language.as_deref(),
    });
    opml(shared.title(), outlines)
}

/// Writes a list of feeds.
pub fn opml<'a>(title: &str, outlines: impl Iterator<Item = Outline<'a>>) -> Vec<u8> {
    let mut out = Vec::new();
    Xml::document(&mut out, &[], |xml| {
        xml.element("opml").attr("version", "2.0").children(|xml| {
            xml.element("head").children(|xml| xml.text("title", title));
            xml.element("body").children(|xml| {
                for Outline { title, feed, home, description, language } in outlines {
                    xml.element("outline")
                        .attr("type", "rss")
                        .attr("text", title)
                        .attr("title", title)
                        .attr("xmlUrl", feed)
                        .optional("htmlUrl", home)
                        .optional("description", description)
                        .optional("language", language)
                        .empty();
                }
            });
        });
    });
    out
}
