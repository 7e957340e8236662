//! Finds the document of a single path.

use theme::Slot;
use theme::services::{FOLDER, Logo};

use super::{CardOf, Document, Public};
use crate::hosting;
use model::GeneratedKind;
use site::{FacetKind, paths, pictures};

impl Public<'_> {
    /// Returns the document at a public path. The path is not percent-encoded.
    pub fn find(&self, path: &str) -> Option<Document> {
        if let Some((at, inner)) = self.edition_at(path) {
            let document = self.edition(at).find(inner);
            if let Some(document) = document {
                return Some(Document::In(at, Box::new(document)));
            }
        }
        let candidates = [Self::candidate, Self::page_or_item_at, Self::section_document_at];
        let mut candidates = candidates.iter().filter_map(|candidate| candidate(self, path));
        candidates.find(|document| {
            if !self.has(document) {
                return false;
            }
            let mut is_there = false;
            self.for_each_path(document, |own| is_there |= own == path);
            is_there
        })
    }

    /// Returns the edition that a path belongs to, and the path below the edition's own.
    pub fn edition_at<'p>(&self, path: &'p str) -> Option<(usize, &'p str)> {
        let below = |at: usize| {
            let rest = path.strip_prefix(&*self.snapshot.editions[at].snapshot.config.mount)?;
            rest.starts_with('/').then_some((at, rest))
        };
        let editions = self.snapshot.published_editions();
        editions.filter_map(below).min_by_key(|(_, rest)| rest.len())
    }

    /// Returns the document of a page, or of an item whose path the author chose.
    fn page_or_item_at(&self, path: &str) -> Option<Document> {
        let (folder, name) = path.rsplit_once('/')?;
        let slug = folder.strip_prefix('/').unwrap_or_default();
        let page = || {
            let mut pages = self.snapshot.pages.iter();
            pages.position(|entry| entry.page.slug.as_str() == slug)
        };
        let item = || self.snapshot.position(path.strip_suffix(name)?);
        match name {
            "" => page().map(Document::Page).or_else(|| item().map(Document::Item)),
            "index.md" => {
                page().map(Document::PageMarkdown).or_else(|| item().map(Document::ItemMarkdown))
            }
            "card.jpg" | "card.png" => Some(Document::Card(CardOf::Page(page()?))),
            _ => None,
        }
    }

    /// Returns the further page or the feed of a section.
    fn section_document_at(&self, path: &str) -> Option<Document> {
        let kind = FacetKind::Section;
        let position = |slug: &str| self.snapshot.facets.position(kind, slug.strip_prefix('/')?);
        let (folder, name) = path.rsplit_once('/')?;
        match name {
            "feed.json" => Some(Document::FacetJson(kind, position(folder)?)),
            "rss.xml" => Some(Document::FacetRss(kind, position(folder)?)),
            "" => {
                let (slug, number) = folder.rsplit_once("/page/")?;
                Some(Document::Facet(kind, position(slug)?, number.parse().ok()?))
            }
            _ => None,
        }
    }

    /// Returns the document that would be at a path, judged by the form of the path. The site does
    /// not necessarily have this document. Pages, and items whose path the author chose, are left
    /// to [`page_or_item_at`](Self::page_or_item_at).
    fn candidate(&self, path: &str) -> Option<Document> {
        let snapshot = self.snapshot;
        let numbered = |name: &str, ending| name.strip_suffix(ending)?.parse().ok();
        let parts: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        Some(match parts.as_slice() {
            [""] => Document::Home(1),
            ["page", n, ""] => Document::Home(n.parse().ok()?),
            ["i", key, ""] => Document::Item(snapshot.position(key)?),
            ["i", key, "embed", ""] => Document::Embed(snapshot.position(key)?),
            ["i", key, "clips", passage, name] => self.clip_document(key, passage, name)?,
            ["i", key, "embed", "oembed.json"] => Document::OEmbed(snapshot.position(key)?),
            ["i", key, "index.md"] => Document::ItemMarkdown(snapshot.position(key)?),
            ["i", key, "item.json"] => Document::ItemJson(snapshot.position(key)?),
            ["i", key, "item.rss"] => Document::ItemRss(snapshot.position(key)?),
            ["i", key, "captions.vtt"] => Document::Captions(snapshot.position(key)?),
            ["i", key, "chapters.json"] => Document::Chapters(snapshot.position(key)?),
            ["i", key, "card.jpg" | "card.png"] => {
                Document::Card(CardOf::Item(snapshot.position(key)?))
            }
            ["card.jpg" | "card.png"] if self.has(&Document::Card(CardOf::Home)) => {
                Document::Card(CardOf::Home)
            }
            ["404.html"] | ["404", ""] => Document::NotFound,
            ["feed.json"] => Document::JsonFeed(1),
            ["feed", name] => Document::JsonFeed(numbered(name, ".json")?),
            ["rss.xml"] => Document::Rss(1),
            ["rss", name] => Document::Rss(numbered(name, ".xml")?),
            ["rss.xsl"] if self.has_optional_slot(Slot::RssStylesheet) => Document::RssStylesheet,
            ["rss.css"] if self.has_optional_slot(Slot::RssStyles) => Document::RssStyles,
            ["publisher.xml"] if self.has_shows() => Document::Publisher,
            ["shows.opml"] if self.has_shows() => Document::Opml,
            ["calendar.ics"] => Document::Calendars,
            ["calendars", name] => {
                let id = name.strip_suffix(".ics")?;
                let mut all = snapshot.calendars.all.iter();
                Document::Calendar(all.position(|entry| entry.calendar.id.as_str() == id)?)
            }
            ["tags", ""] => Document::Tags,
            ["albums", ""] if self.has_album_index() => Document::Albums,
            // Without a generated archive, an author's page may have this path.
            ["archive", ""] if self.has_archive() => Document::Archive(None),
            ["subscribe", ""] if self.has_subscribe() => Document::Subscribe,
            ["planet", ""] => Document::Planet(1),
            ["planet", "page", n, ""] => Document::Planet(n.parse().ok()?),
            ["planet", "feed.json"] => Document::PlanetJson,
            ["planet", "rss.xml"] => Document::PlanetRss,
            ["planet", "opml.xml"] => Document::PlanetOpml,
            ["archive", year, ""] => Document::Archive(Some(year.parse().ok()?)),
            [folder, slug, rest @ ..] if paths::facets_of_folder(folder).is_some() => {
                let kind = paths::facets_of_folder(folder)?;
                let at = snapshot.facets.position(kind, slug)?;
                match rest {
                    [""] => Document::Facet(kind, at, 1),
                    ["page", n, ""] => Document::Facet(kind, at, n.parse().ok()?),
                    ["feed.json"] => Document::FacetJson(kind, at),
                    ["rss.xml"] => Document::FacetRss(kind, at),
                    _ => return None,
                }
            }
            ["search", ""] => Document::Search,
            ["search", "search.js"] => Document::SearchScript,
            ["search", "open.js"] => Document::SearchOpener,
            ["search", "search.css"] => Document::SearchStyle,
            ["search", "index", "entry.bin"] => Document::SearchIndex,
            ["search", "index", "shards", name] => {
                Document::SearchShard(name.strip_suffix(".bin")?.to_owned())
            }
            ["assets", FOLDER, name] => {
                Document::Logo(Logo::at(name).filter(|logo| self.logos().contains(logo))?)
            }
            ["assets", _, inner @ ..] => {
                let inner = inner.join("/");
                let mut assets = self.theme.assets.iter();
                Document::Asset(assets.position(|asset| asset.address == inner)?)
            }
            ["media", ..] => {
                let media = &snapshot.media;
                let at = media.binary_search_by(|file| file.path.as_str().cmp(path));
                match at {
                    Ok(at) => Document::Media(at),
                    Err(_) => {
                        let (at, size) = pictures::picture_size_at(snapshot, path)?;
                        Document::PictureSize(at, size)
                    }
                }
            }
            [name] => self.root_file(name)?,
            _ => return None,
        })
    }

    fn root_file(&self, name: &str) -> Option<Document> {
        let snapshot = self.snapshot;
        let is_there = |document: &Document| self.has(document);
        let own = snapshot.site_files.iter().position(|file| file.filename == name);
        let own = own.map(Document::SiteFile).filter(is_there);
        own.or_else(|| {
            let kinds = GeneratedKind::ALL.into_iter();
            kinds.filter(|kind| kind.filename() == name).map(Document::Generated).next()
        })
        .or_else(|| {
            let number = name.strip_prefix("sitemap-")?.strip_suffix(".xml")?;
            number.parse().ok().map(Document::SitemapPart)
        })
        .or_else(|| {
            let mut files = hosting::files(&snapshot.config).into_iter();
            files.find(|file| *file == name).map(Document::Hosting)
        })
    }
}
