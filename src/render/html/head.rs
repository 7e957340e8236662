//! The `<head>` of a document: facts for browsers, feed readers, search engines and social networks.

use super::{Upcoming, json_ld};
use crate::model::{Author, Category, Image, Status};
use crate::render::{text, view};
use crate::site::{ItemEntry, PageEntry, Snapshot, paths};
use mustache::escape_into;

/// The facts of a document that its head names.
pub struct Head<'a> {
    pub title: String,
    /// A summary in plain text.
    pub description: String,
    pub canonical: String,
    /// The language, where it is not the channel's.
    pub language: Option<&'a str>,
    /// A picture for shared links.
    pub image: Option<&'a Image>,
    /// Whether search engines are to leave it out.
    pub no_index: bool,
    pub subject: Subject<'a>,
}

/// The content that a document shows.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// The first page of the site.
    Home,
    Item(&'a ItemEntry),
    Page(&'a PageEntry),
    /// A list, or the search page.
    Other,
}

/// Longest description, in characters.
const DESCRIPTION: usize = 160;

impl<'a> Head<'a> {
    /// The head of a page of the home page, `number` from 1.
    pub fn home(snapshot: &'a Snapshot, number: usize) -> Self {
        let channel = &snapshot.channel;
        let name = channel
            .seo
            .title
            .as_deref()
            .unwrap_or(view::title(snapshot));
        Self {
            title: if number == 1 {
                name.to_owned()
            } else {
                format!("Page {number}")
            },
            description: channel
                .seo
                .description
                .clone()
                .unwrap_or_else(|| text::excerpt(&channel.description_text, DESCRIPTION)),
            canonical: snapshot.config.url(&paths::home(number)),
            language: None,
            image: channel_image(snapshot),
            no_index: false,
            subject: if number == 1 {
                Subject::Home
            } else {
                Subject::Other
            },
        }
    }

    /// The head of an item's page.
    pub fn item(snapshot: &'a Snapshot, entry: &'a ItemEntry) -> Self {
        let item = &entry.item;
        let title = item.seo.title.as_deref().unwrap_or(&item.title);
        let described = item
            .seo
            .description
            .as_deref()
            .or(item.summary.as_deref())
            .unwrap_or(&item.content.text);
        let social = item.seo.social_image.as_ref().map(|social| &social.image);
        Self {
            title: if title.is_empty() {
                untitled(snapshot, entry)
            } else {
                title.to_owned()
            },
            description: text::excerpt(described, DESCRIPTION),
            canonical: item
                .url
                .clone()
                .unwrap_or_else(|| snapshot.config.url(&paths::item(&entry.segment))),
            language: item.language.as_deref(),
            image: social
                .or(item.image.as_ref())
                .or(item.banner_image.as_ref())
                .or_else(|| channel_image(snapshot)),
            no_index: entry.status == Status::Unlisted,
            subject: Subject::Item(entry),
        }
    }

    pub fn page(snapshot: &'a Snapshot, entry: &'a PageEntry) -> Self {
        let page = &entry.page;
        Self {
            title: page.title.clone(),
            description: page
                .meta_description
                .clone()
                .unwrap_or_else(|| text::excerpt(&page.content.text, DESCRIPTION)),
            canonical: snapshot.config.url(&paths::page(page.slug.as_str())),
            language: page.language.as_deref(),
            image: channel_image(snapshot),
            no_index: entry.status == Status::Unlisted || page.is_not_found_page(),
            subject: Subject::Page(entry),
        }
    }

    /// The head of anything else at a public path.
    pub fn other(snapshot: &'a Snapshot, title: String, path: &str, no_index: bool) -> Self {
        Self {
            description: format!("{title} – {}", view::title(snapshot)),
            title,
            canonical: snapshot.config.url(path),
            language: None,
            image: channel_image(snapshot),
            no_index,
            subject: Subject::Other,
        }
    }

    pub fn language(&self, snapshot: &'a Snapshot) -> &'a str {
        self.language
            .or(snapshot.channel.language.as_deref())
            .unwrap_or("en")
    }

    /// Writes everything between `<head>` and the theme's own part of it.
    pub fn write(&self, snapshot: &Snapshot, upcoming: &Upcoming, out: &mut String) {
        let site = view::title(snapshot);
        out.push_str("<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
        escape_into(&self.title, out);
        if self.title != site && !matches!(self.subject, Subject::Home) {
            out.push_str(" – ");
            escape_into(site, out);
        }
        out.push_str("</title>\n");
        if !self.description.is_empty() {
            meta(out, "name", "description", &self.description);
        }
        if self.no_index {
            meta(out, "name", "robots", "noindex");
        } else {
            link(out, "canonical", None, None, &self.canonical);
        }
        if let Subject::Item(entry) = self.subject {
            for author in authors(snapshot, entry) {
                meta(out, "name", "author", &author.name);
            }
        }
        out.push_str(concat!(
            "<meta name=\"generator\" content=\"feedwright ",
            env!("CARGO_PKG_VERSION"),
            "\">\n"
        ));
        if let Some(favicon) = &snapshot.channel.favicon {
            let own = snapshot.config.own_path(&favicon.url);
            let href = own.unwrap_or(favicon.url.as_str().into());
            link(out, "icon", favicon.mime_type.as_deref(), None, &href);
        }
        self.feeds(snapshot, site, out);
        self.open_graph(snapshot, site, out);
        json_ld::write(snapshot, self, upcoming, out);
    }

    fn feeds(&self, snapshot: &Snapshot, site: &str, out: &mut String) {
        let config = &snapshot.config;
        if config.feed.rss {
            link(
                out,
                "alternate",
                Some("application/rss+xml"),
                Some(&format!("{site} (RSS)")),
                &config.url(&paths::rss(1)),
            );
        }
        link(
            out,
            "alternate",
            Some("application/feed+json"),
            Some(&format!("{site} (JSON Feed)")),
            &config.url(&paths::json_feed(1)),
        );
        if snapshot.calendars.published().next().is_some() {
            link(
                out,
                "alternate",
                Some("text/calendar"),
                Some(&format!("{site} (calendar)")),
                &config.url(paths::CALENDARS),
            );
        }
    }

    /// Open Graph (ogp.me) and the card metadata that follows from it.
    fn open_graph(&self, snapshot: &Snapshot, site: &str, out: &mut String) {
        let kind = if matches!(self.subject, Subject::Item(_)) {
            "article"
        } else {
            "website"
        };
        meta(out, "property", "og:type", kind);
        meta(out, "property", "og:site_name", site);
        meta(out, "property", "og:title", &self.title);
        if !self.description.is_empty() {
            meta(out, "property", "og:description", &self.description);
        }
        let url = match self.subject {
            Subject::Item(entry) => snapshot.config.url(&paths::item(&entry.segment)),
            _ => self.canonical.clone(),
        };
        meta(out, "property", "og:url", &url);
        meta(
            out,
            "property",
            "og:locale",
            &self.language(snapshot).replace('-', "_"),
        );
        if let Some(image) = self.image {
            meta(out, "property", "og:image", &image.url);
            if let Some((width, height)) = image.dimensions {
                meta(out, "property", "og:image:width", &width.to_string());
                meta(out, "property", "og:image:height", &height.to_string());
            }
            if let Some(alt) = &image.alt {
                meta(out, "property", "og:image:alt", alt);
            }
        }
        if let Subject::Item(entry) = self.subject {
            article(entry, out);
        }
        let wide = self
            .image
            .and_then(|image| image.dimensions)
            .is_some_and(|(width, height)| width >= 600 && width * 2 >= height * 3);
        meta(
            out,
            "name",
            "twitter:card",
            if wide {
                "summary_large_image"
            } else {
                "summary"
            },
        );
    }
}

/// An item's authors: those it names, or else the channel's.
pub fn authors<'a>(snapshot: &'a Snapshot, entry: &'a ItemEntry) -> &'a [Author] {
    if entry.item.authors.is_empty() {
        &snapshot.channel.authors
    } else {
        &entry.item.authors
    }
}

fn article(entry: &ItemEntry, out: &mut String) {
    let item = &entry.item;
    for (property, date) in [
        ("article:published_time", item.date_published),
        ("article:modified_time", item.date_modified),
    ] {
        if let Some(date) = date {
            meta(out, "property", property, &text::rfc3339(date));
        }
    }
    for tag in &item.tags {
        meta(out, "property", "article:tag", tag);
    }
    if let Some(attachment) = &item.attachment {
        let property = match attachment.category {
            Category::Audio => "og:audio",
            Category::Video => "og:video",
            _ => return,
        };
        meta(out, "property", property, &attachment.url);
        meta(
            out,
            "property",
            &format!("{property}:type"),
            &attachment.mime_type,
        );
    }
}

/// The title of an untitled item where a title is required.
fn untitled(snapshot: &Snapshot, entry: &ItemEntry) -> String {
    let first = text::excerpt(&entry.item.content.text, 60);
    if first.is_empty() {
        view::title(snapshot).to_owned()
    } else {
        first
    }
}

fn channel_image(snapshot: &Snapshot) -> Option<&Image> {
    let channel = &snapshot.channel;
    channel
        .seo
        .social_image
        .as_ref()
        .map(|social| &social.image)
        .or(channel.icon.as_ref())
}

fn meta(out: &mut String, attribute: &str, name: &str, content: &str) {
    for part in ["<meta ", attribute, "=\"", name, "\" content=\""] {
        out.push_str(part);
    }
    attribute_value(content, out);
    out.push_str("\">\n");
}

fn link(out: &mut String, rel: &str, kind: Option<&str>, title: Option<&str>, href: &str) {
    out.push_str("<link rel=\"");
    out.push_str(rel);
    for (name, value) in [("type", kind), ("title", title), ("href", Some(href))] {
        if let Some(value) = value {
            for part in ["\" ", name, "=\""] {
                out.push_str(part);
            }
            attribute_value(value, out);
        }
    }
    out.push_str("\">\n");
}

/// A value in double quotes: `/`, `=` and the like stay readable there.
fn attribute_value(value: &str, out: &mut String) {
    crate::source::html::push_attribute(out, value);
}
