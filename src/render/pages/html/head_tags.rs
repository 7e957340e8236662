//! Writes the `<head>` of a document: data for browsers, feed readers, search engines and social
//! networks.

use super::head::{Head, Subject, authors};
use super::json_ld;
use crate::inputs::{Shared, ShownFacet, in_each_language, list_in_each_language};
use crate::pictures::artwork::squared;
use crate::text;
use model::artwork::FAVICON;
use model::{
    AiPreferences, Attachment, Category, Config, Image, Item, is_playlist, push_attribute, url,
};
use mustache::escape_into;
use site::{ItemEntry, paths};

impl Head<'_> {
    /// Writes the content of `<head>` that precedes the output of the theme's slot.
    pub fn write(&self, shared: &Shared<'_>, out: &mut String) {
        let site = shared.title();
        out.push_str("<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
        escape_into(&self.title, out);
        if self.title != site && !matches!(self.subject, Subject::Home(_)) {
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
        if shared.config.ai.reserves_mining() {
            meta(out, "name", AiPreferences::RESERVATION, "1");
        }
        if let Some(entry) = self.entry() {
            for author in authors(shared, entry) {
                meta(out, "name", "author", &author.name);
            }
        }
        out.push_str(concat!(
            "<meta name=\"generator\" content=\"feedwright ",
            env!("CARGO_PKG_VERSION"),
            "\">\n"
        ));
        if let Some(favicon) = &shared.channel.favicon {
            let favicon = squared(shared, favicon, FAVICON);
            let own = shared.config.local_path(&favicon.url);
            let href = own.unwrap_or(favicon.url.as_str().into());
            link(out, "icon", favicon.mime_type.as_deref(), None, &href);
        }
        self.alternate_languages(shared, out);
        self.feeds(shared, site, out);
        self.open_graph(shared, site, out);
        json_ld::write(shared, self, out);
    }

    /// Writes links to the page and to all its translations, as search engines require.
    fn alternate_languages(&self, shared: &Shared<'_>, out: &mut String) {
        // A page that search engines must not index, or whose canonical address is on another site,
        // is not linked as a translation.
        if self.no_index || self.canonical != self.url(shared) {
            return;
        }
        let own = self.language.unwrap_or(shared.language());
        let own = (own, self.canonical.as_str());
        let all = match self.list_in_languages {
            [] => in_each_language(shared, own, self.translations),
            switch => list_in_each_language(shared, switch),
        };
        for (language, url) in all {
            out.push_str("<link rel=\"alternate\" hreflang=\"");
            attribute_value(language, out);
            out.push_str("\" href=\"");
            attribute_value(&url, out);
            out.push_str("\">\n");
        }
    }

    fn feeds(&self, shared: &Shared<'_>, site: &str, out: &mut String) {
        let config = shared.config;
        let own = match self.subject {
            Subject::Facet(facet) if facet.has_feeds => Some((
                facet.name,
                paths::facet_rss(facet.kind, facet.slug),
                paths::facet_json(facet.kind, facet.slug),
            )),
            Subject::Planet => Some((
                shared.words.text("planet"),
                paths::PLANET_RSS.to_owned(),
                paths::PLANET_JSON.to_owned(),
            )),
            _ => None,
        };
        if let Some((name, rss, json)) = own {
            let mut feed = |kind, format, path: &str| {
                let title = format!("{site} – {name} ({format})");
                link(out, "alternate", Some(kind), Some(&title), &config.url(path));
            };
            if config.feed.rss {
                feed("application/rss+xml", "RSS", &rss);
            }
            feed("application/feed+json", "JSON Feed", &json);
        }
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
        if shared.has_calendars {
            link(
                out,
                "alternate",
                Some("text/calendar"),
                Some(&format!("{site} ({})", shared.words.text("calendar"))),
                &config.url(paths::CALENDARS),
            );
        }
        if let Some(path) = self.markdown(config) {
            link(out, "alternate", Some("text/markdown"), None, &config.url(&path));
        }
        if let Subject::Item(entry) = self.subject
            && shared.has_embed(entry)
        {
            let (kind, path) = ("application/json+oembed", paths::oembed(entry));
            link(out, "alternate", Some(kind), None, &config.url(&path));
        }
    }

    /// Returns the path of the document's Markdown version, if it has one.
    fn markdown(&self, config: &Config) -> Option<String> {
        match self.subject {
            _ if !config.output.markdown || self.no_index => None,
            Subject::Item(entry) => Some(paths::markdown_of(&entry.path)),
            Subject::Page(entry) | Subject::Facet(ShownFacet { section: Some(entry), .. }) => {
                let page = paths::page(entry.page.slug.as_str());
                (self.canonical == config.url(&page)).then(|| paths::markdown_of(&page))
            }
            _ => None,
        }
    }

    /// Writes Open Graph metadata (ogp.me), and the card metadata derived from it.
    fn open_graph(&self, shared: &Shared<'_>, site: &str, out: &mut String) {
        let kind = if self.entry().is_some() { "article" } else { "website" };
        meta(out, "property", "og:type", kind);
        meta(out, "property", "og:site_name", site);
        meta(out, "property", "og:title", &self.title);
        if !self.description.is_empty() {
            meta(out, "property", "og:description", &self.description);
        }
        let url = match shared.is_untranslated(self.language) {
            true => self.canonical.clone(),
            false => self.url(shared),
        };
        meta(out, "property", "og:url", &url);
        meta(out, "property", "og:locale", &self.language(shared).replace('-', "_"));
        let image = self.card.as_ref().or(self.image.as_deref());
        if let Some(image) = image {
            meta(out, "property", "og:image", &image.url);
            if let Some((width, height)) = image.dimensions() {
                meta(out, "property", "og:image:width", &width.to_string());
                meta(out, "property", "og:image:height", &height.to_string());
            }
            if let Some(alt) = &image.alt {
                meta(out, "property", "og:image:alt", alt);
            }
        }
        if let Some(entry) = self.entry() {
            article(entry, out);
        }
        let wide = image
            .and_then(Image::dimensions)
            .is_some_and(|(width, height)| width >= 600 && width * 2 >= height * 3);
        meta(out, "name", "twitter:card", if wide { "summary_large_image" } else { "summary" });
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
        let (url, kind) = shared_file(item, attachment);
        meta(out, "property", property, url);
        meta(out, "property", &format!("{property}:type"), kind);
        if let Some((width, height)) = attachment.dimensions {
            meta(out, "property", "og:video:width", &width.to_string());
            meta(out, "property", "og:video:height", &height.to_string());
        }
    }
}

/// Returns the address and type of the file that networks play: instead of a playlist, a version of
/// its kind, if there is one.
fn shared_file<'a>(item: &'a Item, attachment: &'a Attachment) -> (&'a str, &'a str) {
    let own = (attachment.url.as_str(), attachment.mime_type.as_str());
    if !is_playlist(&attachment.mime_type) {
        return own;
    }
    let is_file =
        |kind: &str| !is_playlist(kind) && Category::of_media_type(kind) == attachment.category;
    let mut versions = item.podcast.alternate_enclosures.iter();
    let file = versions.find_map(|version| {
        let mut sources = version.sources.iter();
        let source = sources.find(|source| url::is_http(&source.uri))?;
        is_file(&version.media_type).then_some((source.uri.as_str(), version.media_type.as_str()))
    });
    file.unwrap_or(own)
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

/// Escapes a value for double quotes. Leaves characters such as `/` and `=` unescaped.
fn attribute_value(value: &str, out: &mut String) {
    push_attribute(out, value);
}
