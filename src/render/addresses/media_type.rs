//! The media type of each kind of document.

use std::path::Path;

use super::public::Document;
use crate::hosting::{MARKDOWN, PREFETCHING, RSS};
use model::SiteFile;
use site::Snapshot;

const HTML: &str = "text/html; charset=utf-8";

/// Returns the media type with which a server sends the document at a public path.
pub fn media_type(document: &Document, path: &str, snapshot: &Snapshot) -> String {
    let (snapshot, document) = document.in_snapshot(snapshot);
    match document {
        Document::Home(_)
        | Document::Item(_)
        | Document::Page(_)
        | Document::NotFound
        | Document::Facet(..)
        | Document::Tags
        | Document::Albums
        | Document::Archive(_)
        | Document::Planet(_)
        | Document::Subscribe
        | Document::Embed(_)
        | Document::Clip(..)
        | Document::Search
        | Document::RedirectPage(_)
        | Document::In(..) => HTML.into(),
        Document::ItemMarkdown(_) | Document::PageMarkdown(_) => MARKDOWN.into(),
        // JSON Feed 1.1, section "Mime type".
        Document::JsonFeed(_)
        | Document::FacetJson(..)
        | Document::ItemJson(_)
        | Document::PlanetJson => "application/feed+json; charset=utf-8".into(),
        Document::Rss(_)
        | Document::FacetRss(..)
        | Document::ItemRss(_)
        | Document::PlanetRss
        | Document::Publisher => RSS.into(),
        // Podcasting 2.0, JSON chapters 1.2.0.
        Document::Chapters(_) => "application/json+chapters; charset=utf-8".into(),
        Document::Captions(_) => "text/vtt; charset=utf-8".into(),
        // oEmbed 1.0, section 2.3.4.1.
        Document::OEmbed(_) => "application/json; charset=utf-8".into(),
        Document::RssStyles => "text/css; charset=utf-8".into(),
        Document::RssStylesheet => "text/xsl; charset=utf-8".into(),
        // RFC 5545, section 8.1.
        Document::Calendars | Document::Calendar(_) => "text/calendar; charset=utf-8".into(),
        Document::SearchScript | Document::SearchOpener => "text/javascript; charset=utf-8".into(),
        Document::SearchStyle => "text/css; charset=utf-8".into(),
        Document::SearchIndex | Document::SearchShard(_) => "application/octet-stream".into(),
        Document::SiteFile(at) => {
            format!("{}; charset=utf-8", snapshot.site_files[*at].content_type)
        }
        Document::Generated(kind) => {
            let filename = kind.filename();
            let own = snapshot.config.site_file(filename).content_type;
            let own = own.or_else(|| SiteFile::content_type_of(filename));
            format!("{}; charset=utf-8", own.unwrap_or("text/plain"))
        }
        // OPML 2.0 defines no media type.
        Document::SitemapPart(_) | Document::PlanetOpml | Document::Opml => {
            "application/xml; charset=utf-8".into()
        }
        Document::Hosting(PREFETCHING) => "application/speculationrules+json".into(),
        Document::Hosting(_) => "text/plain; charset=utf-8".into(),
        Document::Asset(_)
        | Document::Logo(_)
        | Document::Media(_)
        | Document::ClipRecording(..)
        | Document::PictureSize(..)
        | Document::Card(_) => {
            let media_type = media_facts::media_type(Path::new(path));
            match media_type.as_str() {
                text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
                _ => media_type,
            }
        }
    }
}
