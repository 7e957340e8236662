//! The sitemap (sitemaps.org protocol 0.9) with image and video entries.

use serde_json::{Value, json};

use super::text;
use super::xml::Xml;
use crate::model::{Category, Image, Item, Status};
use crate::site::{ItemEntry, PageEntry, Snapshot, paths};

/// Most URLs of one sitemap, by the protocol.
pub const MAX_URLS: usize = 50_000;

const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const VIDEO: &str = "http://www.google.com/schemas/sitemap-video/1.1";

/// How many parts there are below the index; 0 if one sitemap holds everything.
pub fn parts(snapshot: &Snapshot) -> usize {
    let urls = 1 + pages(snapshot).count() + snapshot.published.len();
    if urls > MAX_URLS {
        urls.div_ceil(MAX_URLS)
    } else {
        0
    }
}

/// `/sitemap.xml`: the sitemap, or the index of its parts.
pub fn document(snapshot: &Snapshot) -> Vec<u8> {
    match parts(snapshot) {
        0 => urls(snapshot, 0..usize::MAX),
        parts => index(snapshot, parts),
    }
}

/// The public path of the `n`th part, from 1.
pub fn part_path(n: usize) -> String {
    format!("/sitemap-{n}.xml")
}

/// The `n`th part, from 1.
pub fn part(snapshot: &Snapshot, n: usize) -> Vec<u8> {
    urls(snapshot, (n - 1) * MAX_URLS..n * MAX_URLS)
}

fn pages(snapshot: &Snapshot) -> impl Iterator<Item = &PageEntry> {
    snapshot
        .pages
        .iter()
        .filter(|entry| entry.status == Status::Published)
}

fn index(snapshot: &Snapshot, parts: usize) -> Vec<u8> {
    let mut out = Vec::new();
    Xml::document(&mut out, None, |xml| {
        xml.element("sitemapindex")
            .attr("xmlns", SITEMAP)
            .children(|xml| {
                for n in 1..=parts {
                    xml.element("sitemap")
                        .children(|xml| xml.text("loc", &snapshot.config.url(&part_path(n))));
                }
            });
    });
    out
}

enum Location<'a> {
    Home,
    Page(&'a PageEntry),
    Item(&'a ItemEntry),
}

fn urls(snapshot: &Snapshot, range: std::ops::Range<usize>) -> Vec<u8> {
    let locations = std::iter::once(Location::Home)
        .chain(pages(snapshot).map(Location::Page))
        .chain(snapshot.published.iter().map(|entry| Location::Item(entry)));
    let mut out = Vec::new();
    Xml::document(&mut out, None, |xml| {
        let set = xml
            .element("urlset")
            .attr("xmlns", SITEMAP)
            .attr("xmlns:image", IMAGE)
            .attr("xmlns:video", VIDEO);
        set.children(|xml| {
            for location in locations.skip(range.start).take(range.end - range.start) {
                xml.element("url")
                    .children(|xml| url(xml, snapshot, &location));
            }
        });
    });
    out
}

fn url(xml: &mut Xml<'_>, snapshot: &Snapshot, location: &Location<'_>) {
    match location {
        Location::Home => {
            xml.text("loc", &snapshot.config.url("/"));
            lastmod(xml, snapshot.last_changed());
        }
        Location::Page(entry) => {
            xml.text(
                "loc",
                &snapshot.config.url(&paths::page(entry.page.slug.as_str())),
            );
            lastmod(xml, entry.page.updated(None));
        }
        Location::Item(entry) => {
            xml.text("loc", &snapshot.config.url(&paths::item(&entry.segment)));
            lastmod(xml, entry.item.updated(None));
            item_media(xml, &entry.item);
        }
    }
}

fn lastmod(xml: &mut Xml<'_>, date: Option<jiff::Timestamp>) {
    xml.optional("lastmod", date.map(text::rfc3339).as_deref());
}

fn item_media(xml: &mut Xml<'_>, item: &Item) {
    for url in image_urls(item) {
        xml.element("image:image")
            .children(|xml| xml.text("image:loc", url));
    }
    let video = item
        .attachment
        .as_ref()
        .filter(|attachment| attachment.category == Category::Video);
    // The extension asks for a thumbnail, so a video without a picture is left out.
    if let (Some(attachment), Some(poster)) = (video, poster(item)) {
        xml.element("video:video").children(|xml| {
            xml.text("video:thumbnail_loc", poster);
            xml.text("video:title", &title(item));
            xml.text("video:description", &description(item));
            xml.text("video:content_loc", &attachment.url);
            let seconds = attachment
                .duration_in_seconds
                .map(f64::round)
                .filter(|seconds| (1.0..=28_800.0).contains(seconds));
            xml.optional(
                "video:duration",
                seconds.map(|seconds| format!("{seconds:.0}")).as_deref(),
            );
            xml.optional(
                "video:publication_date",
                item.date_published.map(text::rfc3339).as_deref(),
            );
        });
    }
}

/// The extension asks for a title and a description: if one is missing, the other is used.
fn title(item: &Item) -> String {
    match item.title.as_str() {
        "" => match text::excerpt(
            item.summary.as_deref().unwrap_or(&item.content.beginning),
            60,
        ) {
            words if words.is_empty() => item.id.to_string(),
            words => words,
        },
        title => title.to_owned(),
    }
}

fn description(item: &Item) -> String {
    const MOST: usize = 2000;
    let description = match &item.summary {
        Some(summary) => text::excerpt(summary, MOST),
        None => text::excerpt(&item.content.body().text, MOST),
    };
    if description.is_empty() {
        title(item)
    } else {
        description
    }
}

fn poster(item: &Item) -> Option<&str> {
    item.image
        .as_ref()
        .or(item.banner_image.as_ref())
        .map(|image| image.url.as_str())
}

fn image_urls(item: &Item) -> Vec<&str> {
    let pictures = [item.image.as_ref(), item.banner_image.as_ref()];
    let mut urls: Vec<&str> = pictures
        .into_iter()
        .flatten()
        .map(|image: &Image| image.url.as_str())
        .collect();
    if let Some(attachment) = item
        .attachment
        .as_ref()
        .filter(|attachment| attachment.category == Category::Image)
    {
        urls.push(&attachment.url);
    }
    let mut seen = Vec::with_capacity(urls.len());
    for url in urls {
        if !seen.contains(&url) {
            seen.push(url);
        }
    }
    seen
}

/// An item's pictures as Site Files read them.
pub fn images(item: &Item) -> Value {
    image_urls(item)
        .into_iter()
        .map(|url| json!({ "url": url }))
        .collect()
}

/// An item's videos as Site Files read them.
pub fn videos(item: &Item) -> Value {
    let attachment = item
        .attachment
        .as_ref()
        .filter(|attachment| attachment.category == Category::Video);
    let video = |attachment: &crate::model::Attachment| {
        json!({
            "url": attachment.url,
            "mime_type": attachment.mime_type,
            "title": title(item),
            "description": description(item),
            "thumbnail_url": poster(item),
            "duration_in_seconds": attachment.duration_in_seconds,
        })
    };
    Value::Array(attachment.map(video).into_iter().collect())
}
