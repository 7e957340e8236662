//! The sitemap (sitemaps.org protocol 0.9) with image and video entries.

use std::borrow::Cow;

use crate::feeds::xml::Xml;
use crate::inputs::{
    InLanguages, Location, Shared, SitemapInputs, attached, in_each_language, list_in_each_language,
};
use crate::text;
use model::{Category, Config, Content, Item};
use site::paths;

const SITEMAP: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";
const IMAGE: &str = "http://www.google.com/schemas/sitemap-image/1.1";
const XHTML: &str = "http://www.w3.org/1999/xhtml";
const VIDEO: &str = "http://www.google.com/schemas/sitemap-video/1.1";

/// Writes a sitemap, or the index of a split sitemap.
pub fn document(shared: &Shared<'_>, inputs: &SitemapInputs<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    Xml::document(&mut out, &[], |xml| match inputs {
        SitemapInputs::Index(parts) => index(xml, shared.config, *parts),
        SitemapInputs::Urls(locations) => urls(xml, shared, locations),
    });
    out
}

fn index(xml: &mut Xml<'_>, config: &Config, parts: usize) {
    let index = xml.element("sitemapindex").attr("xmlns", SITEMAP);
    index.children(|xml| {
        for n in 1..=parts {
            let url = config.url(&paths::sitemap_part(n));
            xml.element("sitemap").children(|xml| xml.text("loc", &url));
        }
    });
}

fn urls(xml: &mut Xml<'_>, shared: &Shared<'_>, locations: &[Location<'_>]) {
    let has_translations = locations.iter().any(Location::has_translations);
    let set = xml
        .element("urlset")
        .attr("xmlns", SITEMAP)
        .attr("xmlns:image", IMAGE)
        .attr("xmlns:video", VIDEO);
    let set = if has_translations { set.attr("xmlns:xhtml", XHTML) } else { set };
    set.children(|xml| {
        for location in locations {
            xml.element("url").children(|xml| url(xml, shared, location));
        }
    });
}

fn url(xml: &mut Xml<'_>, shared: &Shared<'_>, location: &Location<'_>) {
    let config = shared.config;
    match location {
        Location::Home { changed, languages } => {
            xml.text("loc", &config.url("/"));
            lastmod(xml, *changed);
            alternates(xml, list_in_each_language(shared, languages));
        }
        Location::Subscribe { languages } => {
            xml.text("loc", &config.url(paths::SUBSCRIBE));
            alternates(xml, list_in_each_language(shared, languages));
        }
        Location::Planet => xml.text("loc", &config.url(&paths::planet(1))),
        Location::Page { slug, changed, languages } => {
            let url = config.url(&paths::page(slug));
            xml.text("loc", &url);
            lastmod(xml, *changed);
            alternates(xml, in_languages(shared, &url, languages));
        }
        Location::Clip { path, changed } => {
            xml.text("loc", &config.url(path));
            lastmod(xml, *changed);
        }
        Location::Item { path, changed, languages, images, video } => {
            let url = config.url(path);
            xml.text("loc", &url);
            lastmod(xml, *changed);
            alternates(xml, in_languages(shared, &url, languages));
            for url in images {
                xml.element("image:image").children(|xml| xml.text("image:loc", url));
            }
            if let Some(entry) = video {
                video_of(xml, &entry.item);
            }
        }
    }
}

/// Returns the URL of a page for each language.
fn in_languages<'a>(
    shared: &Shared<'a>,
    url: &'a str,
    languages: &'a InLanguages<'_>,
) -> Vec<(&'a str, Cow<'a, str>)> {
    let own = languages.own.unwrap_or(shared.language());
    in_each_language(shared, (own, url), &languages.others)
}

/// Writes links to a page's translations, in the format that search engines require for localized
/// versions.
fn alternates(xml: &mut Xml<'_>, all: Vec<(&str, Cow<'_, str>)>) {
    for (language, url) in all {
        xml.element("xhtml:link")
            .attr("rel", "alternate")
            .attr("hreflang", language)
            .attr("href", &url)
            .empty();
    }
}

fn lastmod(xml: &mut Xml<'_>, date: Option<jiff::Timestamp>) {
    xml.optional("lastmod", date.map(text::rfc3339).as_deref());
}

fn video_of(xml: &mut Xml<'_>, item: &Item) {
    let video = attached(item, Category::Video);
    // Video entries require a thumbnail, so a video without a picture is left out.
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

/// Returns the title of an item. Video entries require a title and a description. If one is
/// missing, the other takes its place.
pub fn title(item: &Item) -> String {
    match item.title.as_str() {
        "" => {
            let summary = item.summary.as_deref();
            let words = summary.map(|summary| text::excerpt(summary, 60));
            match words.unwrap_or_else(|| item.content.name(60)) {
                words if words.is_empty() => item.id.to_string(),
                words => words,
            }
        }
        title => title.to_owned(),
    }
}

pub fn description(item: &Item) -> String {
    const MAX_DESCRIPTION_LENGTH: usize = 2000;
    let description = match &item.summary {
        Some(summary) => text::excerpt(summary, MAX_DESCRIPTION_LENGTH),
        None => item.content.excerpt(Content::MAX_LEAD),
    };
    if description.is_empty() { title(item) } else { description }
}

pub fn poster(item: &Item) -> Option<&str> {
    item.image.as_ref().or(item.banner_image.as_ref()).map(|image| image.url.as_str())
}
