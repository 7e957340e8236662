//! A small site of `tests/fixtures/`, read file by file, and its RSS.

use std::fs;
use std::path::{Path, PathBuf};

use feedwright::model::{Channel, Config, Diagnostic, Item, Severity, SitePath, Source};
use feedwright::render::feeds::rss::{Paging, RssFeed, RssItem, document};
use feedwright::render::feeds::xml::Stylesheet;
use feedwright::render::pictures::artwork::RssArtwork;
use feedwright::source::fields::Reader;
use feedwright::source::{channel, item};

pub struct Site {
    pub config: Config,
    pub channel: Channel,
    /// Newest first.
    pub items: Vec<Item>,
    pub found: Vec<Diagnostic>,
}

/// Reads `content/channel.md` and the items named.
pub fn read(fixture: &str, items: &[&str]) -> Site {
    let root = folder(fixture);
    let config = Config { base_url: "https://example.org".into(), ..Config::default() };
    let mut found = Vec::new();
    let channel = file(&root, "content/channel.md", &config, &mut found, channel::read);
    let mut items: Vec<Item> =
        items.iter().map(|path| file(&root, path, &config, &mut found, item::read)).collect();
    items.sort_by_key(|item| std::cmp::Reverse(item.date_published));
    Site { config, channel, items, found }
}

pub fn folder(fixture: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(fixture)
}

fn file<T>(
    root: &Path,
    path: &str,
    config: &Config,
    found: &mut Vec<Diagnostic>,
    read: impl FnOnce(&Reader<'_>) -> Option<T>,
) -> T {
    let text = fs::read_to_string(root.join(path)).unwrap();
    let path = SitePath::parse(path).unwrap();
    let source = Source { path: &path, text: &text };
    let reader = Reader::new(source, config, root);
    let value = read(&reader);
    found.extend(reader.finish().0);
    value.unwrap_or_else(|| panic!("{path} cannot be read: {found:#?}"))
}

impl Site {
    pub fn errors(&self) -> Vec<String> {
        self.found
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .map(ToString::to_string)
            .collect()
    }

    pub fn rss(&self) -> String {
        self.rss_with(Paging::default(), None)
    }

    pub fn rss_with(&self, paging: Paging, stylesheet_url: Option<String>) -> String {
        let items: Vec<RssItem<'_>> = self.items.iter().map(|item| self.entry(item)).collect();
        let mut out = Vec::new();
        document(&self.feed(&items, paging, stylesheet_url), &mut out);
        String::from_utf8(out).unwrap()
    }

    fn feed<'a>(
        &'a self,
        items: &'a [RssItem<'a>],
        paging: Paging,
        stylesheet_url: Option<String>,
    ) -> RssFeed<'a> {
        RssFeed {
            channel: &self.channel,
            feed_url: "https://example.org/rss/",
            home_url: "https://example.org/",
            artwork: self.channel.icon.as_ref().map(|icon| RssArtwork {
                small: icon.url.clone(),
                whole: icon.url.clone(),
                for_apps: Vec::new(),
            }),
            social_image: None,
            items,
            paging,
            shows: &[],
            stylesheets: stylesheet_url
                .into_iter()
                .map(|url| Stylesheet { url, media_type: "text/xsl" })
                .collect(),
            last_build: self.items.iter().filter_map(|item| item.date_published).max(),
            year: 2026,
            generator: "feedwright",
            hubs: &[],
        }
    }

    fn entry<'a>(&self, item: &'a Item) -> RssItem<'a> {
        let segment = item.segment();
        let chapters = !item.podcast.chapters.is_empty();
        RssItem {
            source: None,
            authors: &item.authors,
            item,
            size_in_bytes: item.attachment.as_ref().and_then(|file| file.size_in_bytes),
            cover: item.image.as_ref().map(|image| image.url.clone()),
            social_image: None,
            body: item.content.body(),
            web_url: self.config.url(&format!("/i/{segment}/")),
            chapters_url: chapters.then(|| self.config.url(&format!("/i/{segment}/chapters.json"))),
            chapter_times: None,
        }
    }
}
