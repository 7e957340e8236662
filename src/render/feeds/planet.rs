//! The feeds of the planet, which link to items of other sites, and the list of its sources.

use serde::Serialize;

use super::opml::{self, Outline};
use super::site_rss::stylesheets;
use super::xml::Xml;
use crate::inputs::{PlanetFeed, Shared, ShownPlanetItem};
use crate::text::{html_of_text, rfc_822, rfc3339};
use crate::view::JSON_FEED_VERSION;
use model::PlanetSource;
use site::paths;

/// A JSON Feed 1.1 document.
#[derive(Serialize)]
struct JsonFeed<'a> {
    version: &'static str,
    title: String,
    home_page_url: String,
    feed_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    items: Vec<JsonItem<'a>>,
}

#[derive(Serialize)]
struct JsonItem<'a> {
    id: &'a str,
    url: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    title: &'a str,
    content_text: &'a str,
    date_published: String,
    authors: [JsonAuthor<'a>; 1],
}

/// The author of an item, or its source.
#[derive(Serialize)]
struct JsonAuthor<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

/// Writes the JSON Feed.
pub fn json(shared: &Shared<'_>, feed: &PlanetFeed<'_>) -> Vec<u8> {
    let document = JsonFeed {
        version: JSON_FEED_VERSION,
        title: title(shared),
        home_page_url: home(shared, feed),
        feed_url: shared.config.url(paths::PLANET_JSON),
        language: shared.channel.language.as_deref(),
        items: feed.items.iter().map(json_item).collect(),
    };
    serde_json::to_vec(&document).unwrap_or_default()
}

fn json_item<'a>(shown: &ShownPlanetItem<'a>) -> JsonItem<'a> {
    let ShownPlanetItem { item, source } = *shown;
    JsonItem {
        id: &item.id,
        url: &item.url,
        title: &item.title,
        content_text: text_of(shown),
        date_published: rfc3339(item.date),
        authors: [JsonAuthor {
            name: item.author.as_ref().unwrap_or(&source.title),
            url: source.link.as_deref(),
        }],
    }
}

/// Writes the RSS feed.
pub fn rss(shared: &Shared<'_>, feed: &PlanetFeed<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    Xml::document(&mut out, &stylesheets(shared), |xml| {
        xml.element("rss")
            .attr("version", "2.0")
            .attr("xmlns:atom", "http://www.w3.org/2005/Atom")
            .attr("xmlns:dc", "http://purl.org/dc/elements/1.1/")
            .children(|xml| xml.element("channel").children(|xml| channel(xml, shared, feed)));
    });
    out
}

fn channel(xml: &mut Xml<'_>, shared: &Shared<'_>, feed: &PlanetFeed<'_>) {
    let title = title(shared);
    xml.text("title", &title);
    xml.text("link", &home(shared, feed));
    xml.text("description", &title);
    xml.optional("language", shared.channel.language.as_deref());
    if let Some(newest) = feed.items.first() {
        xml.text("pubDate", &rfc_822(newest.item.date));
    }
    xml.text("generator", concat!("feedwright ", env!("CARGO_PKG_VERSION")));
    xml.element("atom:link")
        .attr("href", &shared.config.url(paths::PLANET_RSS))
        .attr("rel", "self")
        .attr("type", "application/rss+xml")
        .empty();
    for shown in &feed.items {
        xml.element("item").children(|xml| item(xml, shown));
    }
}

fn item(xml: &mut Xml<'_>, shown: &ShownPlanetItem<'_>) {
    let item = shown.item;
    xml.text("title", &item.title);
    xml.text("link", &item.url);
    xml.element("guid").attr("isPermaLink", "false").text(&item.id);
    xml.text("pubDate", &rfc_822(item.date));
    xml.optional("dc:creator", item.author.as_deref());
    xml.text("description", &html_of_text(text_of(shown)));
    xml.element("source").attr("url", &shown.source.feed).text(&shown.source.title);
}

/// Writes the list of sources.
pub fn opml(shared: &Shared<'_>, sources: &[PlanetSource]) -> Vec<u8> {
    let outlines = sources.iter().map(|source| Outline {
        title: &source.title,
        feed: &source.feed,
        home: source.link.as_deref(),
        description: None,
        language: None,
    });
    opml::opml(&title(shared), outlines)
}

fn title(shared: &Shared<'_>) -> String {
    format!("{} – {}", shared.title(), shared.words.text("planet"))
}

/// Returns the address of the planet's page, or of the home page.
fn home(shared: &Shared<'_>, feed: &PlanetFeed<'_>) -> String {
    shared.config.url(&if feed.has_page { paths::planet(1) } else { paths::home(1) })
}

/// Returns the excerpt of an item, or else its title, or else its address. Feeds require a text.
fn text_of<'a>(shown: &ShownPlanetItem<'a>) -> &'a str {
    let item = shown.item;
    let texts = [&item.excerpt, &item.title, &item.url];
    texts.into_iter().find(|text| !text.is_empty()).map_or("", String::as_str)
}
