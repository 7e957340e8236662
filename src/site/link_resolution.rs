//! Resolves links between content files to the pages they become, and words in bodies to those of their language.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::entries::UnresolvedEntry;
use super::item_entry::ItemEntry;
use super::linking_items::{files_in, words_in};
use super::paths;
use super::snapshot::PageEntry;
use crate::model::{
    Channel, Config, ContentLink, Item, LinkTarget, List, Page, Status, linked, url,
};
use crate::source::calendar::CalendarFile;
use crate::source::html::push_attribute;
use crate::source::sources::of_file;
use crate::words::WordBook;

/// The channel, Pages and files of calendars, whose links are resolved together.
pub struct OtherTexts {
    pub channel: Arc<Channel>,
    pub pages: Vec<PageEntry>,
    pub calendars: List<(Arc<CalendarFile>, u64)>,
}

/// Replaces every placeholder of a content file by the URL of its page. An entry of the previous snapshot
/// stays as it is while its links lead to the same URLs.
pub fn resolve(config: &Config, drafts: &mut [UnresolvedEntry], others: &mut OtherTexts) {
    if !others.are_unresolved()
        && !drafts
            .iter()
            .any(|draft| is_unresolved(&draft.entry.item.content.links))
    {
        return;
    }
    let targets = PageUrls::of_drafts((config, &others.channel), drafts, &others.pages);
    let in_items: Vec<Option<ResolvedLinks>> = drafts
        .par_iter()
        .map(|draft| {
            let entry = &draft.entry;
            let known = draft.known.as_ref().map(|known| known.fingerprint);
            let own = known.unwrap_or(entry.fingerprint);
            ResolvedLinks::of(links_of(&entry.item), &targets, own)
                .filter(|links| known.is_none() || links.fingerprint != entry.fingerprint)
        })
        .collect();
    let in_others = LinksOfOthers::of(others, &targets);
    for (draft, links) in drafts.iter_mut().zip(in_items) {
        let Some(links) = links else { continue };
        if let Some(known) = draft.known.take() {
            let status = draft.entry.status;
            let entry = ItemEntry::of(config, known.item, known.fingerprint, status);
            draft.entry = Arc::new(entry);
        }
        Arc::make_mut(&mut draft.entry).link(links);
    }
    in_others.write(others);
}

/// The same for what is no item.
pub fn resolve_others(others: &mut OtherTexts, targets: &PageUrls<'_>) {
    if others.are_unresolved() {
        LinksOfOthers::of(others, targets).write(others);
    }
}

/// The entry of an item with its links resolved.
pub fn resolved_entry(
    (item, fingerprint): &(Arc<Item>, u64),
    status: Status,
    targets: &PageUrls<'_>,
) -> ItemEntry {
    let mut entry = ItemEntry::of(targets.config, Arc::clone(item), *fingerprint, status);
    if let Some(links) = ResolvedLinks::of(links_of(item), targets, *fingerprint) {
        entry.link(links);
    }
    entry
}

impl OtherTexts {
    fn are_unresolved(&self) -> bool {
        is_unresolved(&self.channel.links)
            || self
                .pages
                .iter()
                .any(|entry| is_unresolved(&entry.page.content.links))
            || self
                .calendars
                .iter()
                .any(|(file, _)| is_unresolved(file.links()))
    }
}

/// The links of [`OtherTexts`].
struct LinksOfOthers {
    channel: Option<ResolvedLinks>,
    pages: Vec<Option<ResolvedLinks>>,
    calendars: Vec<Option<ResolvedLinks>>,
}

impl LinksOfOthers {
    fn of(others: &OtherTexts, targets: &PageUrls<'_>) -> Self {
        let of_page = |entry: &PageEntry| {
            let page = &*entry.page;
            let links = (&*page.content.links, page.language.as_deref());
            ResolvedLinks::of(links, targets, entry.fingerprint)
        };
        let of_file = |(file, fingerprint): &(Arc<CalendarFile>, u64)| {
            ResolvedLinks::of((file.links(), None), targets, *fingerprint)
        };
        Self {
            channel: ResolvedLinks::of((&others.channel.links, None), targets, 0),
            pages: others.pages.iter().map(of_page).collect(),
            calendars: others.calendars.iter().map(of_file).collect(),
        }
    }

    fn write(self, others: &mut OtherTexts) {
        // Every document depends on the channel, so it needs no fingerprint of its own.
        if let Some(links) = self.channel {
            let channel = Arc::make_mut(&mut others.channel);
            channel.description_html = linked(&channel.description_html, &links.links);
        }
        for (entry, links) in others.pages.iter_mut().zip(self.pages) {
            let Some(links) = links else { continue };
            entry.fingerprint = links.fingerprint;
            Arc::make_mut(&mut entry.page).content.link(links.links);
        }
        for (at, links) in self.calendars.into_iter().enumerate() {
            let Some(links) = links else { continue };
            let mut file = Arc::clone(&others.calendars[at].0);
            if let CalendarFile::Event(event) = Arc::make_mut(&mut file) {
                let fingerprint = links.fingerprint;
                event.content.link(links.links);
                others.calendars.replace(at, (file, fingerprint));
            }
        }
    }
}

impl ItemEntry {
    fn link(&mut self, links: ResolvedLinks) {
        self.fingerprint = links.fingerprint;
        Arc::make_mut(&mut self.item).content.link(links.links);
    }
}

/// The URLs of content files' pages, and the site's words.
pub struct PageUrls<'a> {
    config: &'a Config,
    /// Of the site.
    language: Option<&'a str>,
    words: OnceLock<WordBook>,
    items: ItemSegments<'a>,
    pages: HashMap<&'a str, &'a str>,
}

/// The segments of items, by file.
enum ItemSegments<'a> {
    /// For many links.
    Map(HashMap<&'a str, &'a str>),
    /// For few links.
    Items(&'a List<(Arc<Item>, u64)>),
}

impl<'a> PageUrls<'a> {
    fn of_drafts(
        (config, channel): (&'a Config, &'a Channel),
        drafts: &'a [UnresolvedEntry],
        pages: &'a [PageEntry],
    ) -> Self {
        let items = drafts.iter().map(|draft| &draft.entry);
        let items = items.map(|entry| (entry.item.source.as_str(), entry.segment.as_str()));
        Self {
            config,
            language: channel.language.as_deref(),
            words: OnceLock::new(),
            items: ItemSegments::Map(items.collect()),
            pages: slugs(pages.iter().map(|entry| &*entry.page)),
        }
    }

    /// Costs nothing for the items: each URL is looked for when it is asked for.
    pub fn of(
        (config, channel): (&'a Config, &'a Channel),
        items: &'a List<(Arc<Item>, u64)>,
        pages: impl Iterator<Item = &'a Page>,
    ) -> Self {
        Self {
            config,
            language: channel.language.as_deref(),
            words: OnceLock::new(),
            items: ItemSegments::Items(items),
            pages: slugs(pages),
        }
    }

    /// The URL of a content file's page. A file that became no page keeps its path, which `check`
    /// warns of.
    fn url(&self, file: &str) -> String {
        let item = match &self.items {
            ItemSegments::Map(segments) => segments.get(file).map(|segment| paths::item(segment)),
            ItemSegments::Items(items) => {
                of_file(items, file).map(|(item, _)| paths::item(&item.segment()))
            }
        };
        let path = item.or_else(|| self.pages.get(file).map(|slug| paths::page(slug)));
        self.config.url(&path.unwrap_or_else(|| format!("/{file}")))
    }

    /// The HTML of a word in a language, or in that of the site.
    fn word(&self, key: &str, language: Option<&str>) -> String {
        let own = &self.config.words;
        let book = || WordBook::new(self.language, &BTreeMap::new(), own);
        let words = self.words.get_or_init(book).words(language);
        let mut html = String::new();
        push_attribute(&mut html, words.text(key));
        html
    }
}

fn slugs<'a>(pages: impl Iterator<Item = &'a Page>) -> HashMap<&'a str, &'a str> {
    let own = |page: &'a Page| {
        let source = page.source.as_ref()?;
        Some((source.as_str(), page.slug.as_str()))
    };
    pages.filter_map(own).collect()
}

/// The links of one body to content files, and its words.
struct ResolvedLinks {
    /// Each path as it is encoded after the placeholder's scheme, with the URL to write for it, and each word, sorted.
    links: Vec<(String, String)>,
    /// The body's fingerprint, combined with the URLs its links lead to.
    fingerprint: u64,
}

impl ResolvedLinks {
    /// The links of a text in this language, or in that of the site. None if none leads to a content file or is a word.
    fn of(
        (links, language): (&[ContentLink], Option<&str>),
        targets: &PageUrls<'_>,
        fingerprint: u64,
    ) -> Option<Self> {
        let files = files_in(links).into_iter();
        let files = files.map(|file| (url::encode_path(file), targets.url(file)));
        let words = words_in(links).into_iter().map(|key| {
            let written = format!("{}{key}", LinkTarget::WORD);
            (written, targets.word(key, language))
        });
        let mut links: Vec<(String, String)> = files.chain(words).collect();
        if links.is_empty() {
            return None;
        }
        links.sort_unstable();
        let fingerprint = links.iter().fold(fingerprint, |fingerprint, (_, target)| {
            xxh3_64_with_seed(target.as_bytes(), fingerprint)
        });
        Some(Self { links, fingerprint })
    }
}

fn links_of(item: &Item) -> (&[ContentLink], Option<&str>) {
    (&item.content.links, item.language.as_deref())
}

fn is_unresolved(links: &[ContentLink]) -> bool {
    links
        .iter()
        .any(|link| matches!(link.target, LinkTarget::File(_) | LinkTarget::Word(_)))
}
