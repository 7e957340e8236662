//! Renders the document behind a route.

use std::hash::Hash;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use jiff::Timestamp;
use xxhash_rust::xxh3::Xxh3Default;

use super::chapters::ChaptersDocument;
use super::document_cache::DocumentCache;
use super::html::json_ld::is_podcast;
use super::html::{Frame, Head, Html, ListPage, Upcoming, context};
use super::public::Document;
use super::routes::{self, Routes};
use super::rss::{self, Paging, RssFeed, RssItem};
use super::site_file::PageOrder;
use super::view::{self, Neighbours};
use super::{calendar, hosting, json_feed, search, site_file, sitemap};
use crate::model::podcast::LiveItem;
use crate::model::{Access, Diagnostic, GeneratedKind, Report, SiteFile, Slug};
use crate::site::{ItemEntry, Snapshot, Tag, paths};
use crate::theme::{Slot, Theme};

/// The content of a document: its bytes, or a file of the site.
#[derive(Debug)]
pub enum Body {
    /// The document.
    Bytes(Vec<u8>),
    /// A medium: its file, from the site's root.
    File(PathBuf),
}

/// Renders documents of one snapshot with one theme. The same document is rendered to the same bytes
/// each time.
#[derive(Clone, Copy)]
pub struct Renderer<'a> {
    snapshot: &'a Snapshot,
    theme: &'a Theme,
    cache: &'a DocumentCache,
}

impl<'a> Renderer<'a> {
    /// Prepares nothing: what documents share is made when first needed, and kept in `cache`, which belongs
    /// to this snapshot and theme.
    pub fn new(snapshot: &'a Snapshot, theme: &'a Theme, cache: &'a DocumentCache) -> Self {
        Self {
            snapshot,
            theme,
            cache,
        }
    }

    /// Every public path, and what is wrong with them.
    pub fn table(&self) -> &'a (Routes, Report) {
        self.cache
            .table
            .get_or_init(|| routes::routes(self.snapshot, self.theme))
    }

    /// How many documents were rendered of this snapshot, whichever renderer did it.
    pub(crate) fn rendered(&self) -> usize {
        self.cache.rendered.load(Ordering::Relaxed)
    }

    fn pages(&self) -> Html<'a> {
        let (snapshot, theme) = (self.snapshot, self.theme);
        let upcoming = self.upcoming();
        let frame = || Frame::new(snapshot, theme, upcoming);
        Html {
            snapshot,
            theme,
            frame: self.cache.frame.get_or_init(frame),
            upcoming,
        }
    }

    fn upcoming(&self) -> &'a Upcoming {
        let make = || Upcoming::of(self.snapshot);
        self.cache.upcoming.get_or_init(make)
    }

    /// Renders a template as a Site File.
    pub fn site_file(&self, file: &SiteFile) -> Result<String, Diagnostic> {
        let context = || site_file::context(self.snapshot, site_file::AS_BUILT);
        site_file::render(
            file,
            &self.snapshot.config.namespace,
            self.cache.site_files.get_or_init(context),
        )
    }

    /// Renders a template as a Site File with its Pages in this order.
    pub fn site_file_by(
        &self,
        file: &SiteFile,
        order: PageOrder<'_>,
    ) -> Result<String, Diagnostic> {
        let context = site_file::context(self.snapshot, order);
        site_file::render(file, &self.snapshot.config.namespace, &context)
    }

    /// A hash of everything a document is made of: while it stays the same, so does the document. None if a
    /// document is cheaper to render than to hash.
    pub fn fingerprint(&self, document: &Document) -> Option<u64> {
        let mut made_of = Xxh3Default::new();
        let shared = || shared_fingerprint(self.snapshot, self.theme);
        self.cache
            .fingerprint
            .get_or_init(shared)
            .hash(&mut made_of);
        // The kind, not the index in a list: a new item moves all later indexes.
        let kind = match document {
            Document::Item(_) => "item",
            Document::ItemJson(_) => "item json",
            Document::ItemRss(_) => "item rss",
            Document::Chapters(_) => "chapters",
            Document::Home(_) => "home",
            Document::JsonFeed(_) => "json feed",
            Document::Rss(_) => "rss",
            Document::Tag(..) => "tag",
            _ => return None,
        };
        kind.hash(&mut made_of);
        match document {
            Document::Item(at)
            | Document::ItemJson(at)
            | Document::ItemRss(at)
            | Document::Chapters(at) => self.hash_entry(&mut made_of, &self.snapshot.entries[*at]),
            Document::Home(n) => {
                n.hash(&mut made_of);
                self.hash_entries(
                    &mut made_of,
                    page(
                        &self.snapshot.published,
                        *n,
                        self.snapshot.config.feed.items_per_page,
                    ),
                    self.snapshot.published.len(),
                );
            }
            Document::JsonFeed(n) | Document::Rss(n) => {
                (n, self.snapshot.last_changed()).hash(&mut made_of);
                if *n == 1 {
                    self.snapshot.shows.hash(&mut made_of);
                }
                let entries = self.snapshot.feed_entries();
                self.hash_entries(
                    &mut made_of,
                    page(entries, *n, self.snapshot.config.feed.limit),
                    entries.len(),
                );
            }
            Document::Tag(at, n) => {
                let tag = &self.snapshot.tags[*at];
                (&tag.slug, &tag.name, n).hash(&mut made_of);
                self.hash_entries(
                    &mut made_of,
                    page(&tag.entries, *n, self.snapshot.config.feed.items_per_page),
                    tag.entries.len(),
                );
            }
            _ => return None,
        }
        if let Document::Item(at) = document {
            self.hash_tag_pages(&mut made_of, &self.snapshot.entries[*at]);
        }
        self.hash_calendars(&mut made_of, document);
        Some(made_of.digest())
    }

    /// Hashes which of an item's tags have pages, because other items decide that.
    fn hash_tag_pages(&self, made_of: &mut Xxh3Default, entry: &ItemEntry) {
        let has_page = |tag: &Slug| context::has_page(self.snapshot, tag);
        for tag in &entry.tags {
            tag.as_ref().is_some_and(has_page).hash(made_of);
        }
    }

    /// Hashes the calendar data that a page shows.
    fn hash_calendars(&self, made_of: &mut Xxh3Default, document: &Document) {
        let shown = || {
            let of_slot = |slot| self.shown_of_calendars(slot);
            (of_slot(Slot::WebItem), of_slot(Slot::WebFeed))
        };
        let (items, lists) = self.cache.shown_of_calendars.get_or_init(shown);
        let shown = match document {
            Document::Home(_) | Document::Tag(..) => lists,
            Document::Item(_) => items,
            _ => return,
        };
        shown.hash(made_of);
        // The first page tells of events in its head.
        if *document == Document::Home(1) {
            self.upcoming().fingerprint.hash(made_of);
        }
    }

    /// A hash of the calendar data that pages of a slot show. It is the same for all of them, so the
    /// templates are searched once, not for each page.
    fn shown_of_calendars(&self, slot: Slot) -> u64 {
        let reads_upcoming = self.theme.reads(slot, context::UPCOMING);
        let upcoming = reads_upcoming.then(|| self.upcoming().fingerprint);
        let mentions_shows = self.theme.mentions(context::SHOWS);
        let shows = mentions_shows.then_some(&self.snapshot.shows);
        let mut shown = Xxh3Default::new();
        (upcoming, shows).hash(&mut shown);
        shown.digest()
    }

    fn hash_entry(&self, made_of: &mut Xxh3Default, entry: &ItemEntry) {
        (entry.fingerprint, &entry.item.id).hash(made_of);
        (&entry.segment, entry.status).hash(made_of);
    }

    fn hash_entries(&self, made_of: &mut Xxh3Default, entries: &[Arc<ItemEntry>], total: usize) {
        total.hash(made_of);
        for entry in entries {
            self.hash_entry(made_of, entry);
        }
    }

    /// Renders a document.
    pub fn render(&self, document: &Document) -> Result<Body, Diagnostic> {
        let snapshot = self.snapshot;
        if !matches!(document, Document::Media(_)) {
            self.cache.rendered.fetch_add(1, Ordering::Relaxed);
        }
        Ok(Body::Bytes(match document {
            Document::Home(n) => self.html(|out| self.home(*n, out))?,
            Document::Item(at) => {
                self.html(|out| self.pages().item(&snapshot.entries[*at], out))?
            }
            Document::Page(at) => self.html(|out| self.pages().page(&snapshot.pages[*at], out))?,
            Document::NotFound => self.html(|out| self.pages().page(&snapshot.not_found, out))?,
            Document::Tag(at, n) => self.html(|out| self.tag(&snapshot.tags[*at], *n, out))?,
            Document::Search => self.html(|out| self.pages().search(out))?,
            Document::RssStylesheet => self.html(|out| self.pages().rss_stylesheet(out))?,
            Document::ItemJson(at) => self.item_json(&snapshot.entries[*at]),
            Document::ItemRss(at) => self.item_rss(&snapshot.entries[*at]),
            Document::Chapters(at) => self.chapters(&snapshot.entries[*at]),
            Document::JsonFeed(n) => self.json_feed(*n),
            Document::Rss(n) => self.rss(*n),
            Document::Calendars => calendar::all_calendars(snapshot),
            Document::Calendar(at) => {
                calendar::one_calendar(snapshot, &snapshot.calendars.all[*at])
            }
            Document::SearchScript => search::script(snapshot, self.theme).into_bytes(),
            Document::SiteFile(at) => self.site_file(&snapshot.site_files[*at])?.into_bytes(),
            Document::Generated(GeneratedKind::Sitemap) => sitemap::document(snapshot),
            Document::Generated(kind) => site_file::generated(*kind, snapshot).into_bytes(),
            Document::SitemapPart(n) => sitemap::part(snapshot, *n),
            Document::RedirectPage(to) => hosting::redirect_page(&snapshot.config, to).into_bytes(),
            Document::Asset(at) => self.theme.assets[*at].bytes.clone(),
            Document::Hosting(name) => {
                hosting::file(name, snapshot, &self.table().0.redirects).into_bytes()
            }
            Document::Media(at) => {
                return Ok(Body::File(PathBuf::from(
                    snapshot.media[*at].source.as_str(),
                )));
            }
        }))
    }

    fn html(
        &self,
        write: impl FnOnce(&mut String) -> Result<(), Diagnostic>,
    ) -> Result<Vec<u8>, Diagnostic> {
        let mut out = String::with_capacity(16 * 1024);
        write(&mut out)?;
        Ok(out.into_bytes())
    }

    fn home(&self, n: usize, out: &mut String) -> Result<(), Diagnostic> {
        let snapshot = self.snapshot;
        let (entries, number, at) = self.page_of(
            &snapshot.published,
            n,
            snapshot.config.feed.items_per_page,
            paths::home,
        );
        self.pages().list(
            &Head::home(snapshot, n),
            &ListPage {
                entries,
                at,
                number,
                tag: None,
            },
            out,
        )
    }

    fn tag(&self, tag: &Tag, n: usize, out: &mut String) -> Result<(), Diagnostic> {
        let per_page = self.snapshot.config.feed.items_per_page;
        let (entries, number, at) =
            self.page_of(&tag.entries, n, per_page, |n| paths::tag(&tag.slug, n));
        let title = if n == 1 {
            format!("Tagged {}", tag.name)
        } else {
            format!("Tagged {}, page {n}", tag.name)
        };
        let head = Head::other(self.snapshot, title, &paths::tag(&tag.slug, n), false);
        self.pages().list(
            &head,
            &ListPage {
                entries,
                at,
                number,
                tag: Some(tag),
            },
            out,
        )
    }

    /// The entries of a page of a list, its number and count, and its neighbours.
    fn page_of<'e>(
        &self,
        entries: &'e [Arc<ItemEntry>],
        n: usize,
        per_page: usize,
        path: impl Fn(usize) -> String,
    ) -> (&'e [Arc<ItemEntry>], (usize, usize), Neighbours) {
        let count = entries.len().div_ceil(per_page).max(1);
        let url = |n: usize| self.snapshot.config.url(&path(n));
        let at = Neighbours {
            own: url(n),
            prev: (n > 1).then(|| url(n - 1)),
            next: (n < count).then(|| url(n + 1)),
            ..Neighbours::default()
        };
        (page(entries, n, per_page), (n, count), at)
    }

    fn json_feed(&self, n: usize) -> Vec<u8> {
        let snapshot = self.snapshot;
        let (entries, _, at) = self.page_of(
            snapshot.feed_entries(),
            n,
            snapshot.config.feed.limit,
            paths::json_feed,
        );
        let mut feed = view::feed(snapshot, &at, &snapshot.config.namespace);
        if n == 1 {
            feed = feed.with_shows(snapshot);
        }
        json_feed::document(snapshot, &feed, entries.iter().map(AsRef::as_ref))
    }

    fn item_json(&self, entry: &ItemEntry) -> Vec<u8> {
        let at = Neighbours {
            own: self
                .snapshot
                .config
                .url(&paths::item_json(entry.item.id.as_str())),
            ..Neighbours::default()
        };
        let feed = view::feed(self.snapshot, &at, &self.snapshot.config.namespace);
        json_feed::document(self.snapshot, &feed, std::iter::once(entry))
    }

    fn rss(&self, n: usize) -> Vec<u8> {
        let snapshot = self.snapshot;
        let (entries, (_, count), at) = self.page_of(
            snapshot.feed_entries(),
            n,
            snapshot.config.feed.limit,
            paths::rss,
        );
        let url = |n: usize| snapshot.config.url(&paths::rss(n));
        let paged = count > 1;
        let paging = Paging {
            first: paged.then(|| url(1)),
            last: paged.then(|| url(count)),
            prev: at.prev,
            next: at.next,
            self_url: (n > 1).then_some(at.own),
        };
        self.rss_document(
            entries.iter().map(AsRef::as_ref),
            &url(1),
            paging,
            // Live shows are only in the feed's first document.
            if n == 1 { &snapshot.shows } else { &[] },
            snapshot.last_changed(),
        )
    }

    fn item_rss(&self, entry: &ItemEntry) -> Vec<u8> {
        let own = self
            .snapshot
            .config
            .url(&paths::item_rss(entry.item.id.as_str()));
        let feed = self.snapshot.config.url(&paths::rss(1));
        self.rss_document(
            std::iter::once(entry),
            &feed,
            Paging {
                self_url: Some(own),
                ..Paging::default()
            },
            &[],
            entry.item.updated(None),
        )
    }

    fn rss_document<'e>(
        &self,
        entries: impl Iterator<Item = &'e ItemEntry>,
        feed_url: &str,
        paging: Paging,
        shows: &[LiveItem],
        last_build: Option<Timestamp>,
    ) -> Vec<u8> {
        let (snapshot, config) = (self.snapshot, &self.snapshot.config);
        let items: Vec<RssItem<'_>> = entries
            .map(|entry| RssItem {
                item: &entry.item,
                content_html: &entry.item.content.html,
                web_url: config.url(&paths::item(&entry.segment)),
                chapters_url: entry
                    .has_chapters()
                    .then(|| config.url(&paths::chapters(entry.item.id.as_str()))),
            })
            .collect();
        let home = config.url("/");
        let feed = RssFeed {
            channel: &snapshot.channel,
            feed_url,
            home_url: snapshot.channel.homepage_url.as_deref().unwrap_or(&home),
            items: &items,
            paging,
            shows,
            stylesheet_url: (config.access == Access::Public)
                .then(|| config.path(paths::RSS_STYLESHEET)),
            last_build,
            year: snapshot.year(),
            generator: concat!("feedwright ", env!("CARGO_PKG_VERSION")),
        };
        let content: usize = items
            .iter()
            .map(|item| item.content_html.len() + 2048)
            .sum();
        let mut out = Vec::with_capacity(content + 4096);
        rss::document(&feed, &mut out);
        out
    }

    fn chapters(&self, entry: &ItemEntry) -> Vec<u8> {
        let mut out = Vec::new();
        if let Some(document) = ChaptersDocument::of(&self.snapshot.channel, &entry.item) {
            document.write(true, &mut out);
        }
        out
    }
}

/// The `n`th page of a list, from 1.
fn page(entries: &[Arc<ItemEntry>], n: usize, per_page: usize) -> &[Arc<ItemEntry>] {
    let start = ((n - 1) * per_page).min(entries.len());
    &entries[start..(start + per_page).min(entries.len())]
}

/// The size and time of the running program's file: a rebuilt program of the same version may write something else.
fn program() -> Option<(u64, std::time::SystemTime)> {
    let file = std::env::current_exe().ok()?.metadata().ok()?;
    Some((file.len(), file.modified().ok()?))
}

/// A hash of what every document depends on: the program, `site.toml`, the channel, the theme, the
/// navigation, the year, whether any item makes the site a podcast, and whether there are calendars.
fn shared_fingerprint(snapshot: &Snapshot, theme: &Theme) -> u64 {
    let navigation: Vec<_> = snapshot
        .pages
        .iter()
        .map(|entry| {
            (
                &entry.page.id,
                &entry.page.slug,
                entry.page.navigation_order,
                &entry.page.title,
                &entry.page.navigation_label,
                entry.page.show_in_navigation,
                entry.status,
            )
        })
        .collect();
    let mut made_of = Xxh3Default::new();
    (env!("CARGO_PKG_VERSION"), program()).hash(&mut made_of);
    (&snapshot.config, &snapshot.channel, &theme.hash).hash(&mut made_of);
    (navigation, snapshot.year(), is_podcast(snapshot)).hash(&mut made_of);
    let has_calendars = snapshot.calendars.published().next().is_some();
    has_calendars.hash(&mut made_of);
    made_of.digest()
}
