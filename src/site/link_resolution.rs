//! Resolves links between content files to the pages they become.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::entries::UnresolvedEntry;
use super::item_entry::ItemEntry;
use super::linking_items::files_in;
use super::paths;
use super::snapshot::PageEntry;
use crate::model::{
    Channel, Config, ContentLink, Item, LinkTarget, List, Page, Status, linked, url,
};
use crate::source::calendar::CalendarFile;
use crate::source::sources::of_file;

/// The channel, Pages and files of calendars, whose links are resolved together.
pub struct OtherTexts {
    pub channel: Arc<Channel>,
    pub pages: Vec<PageEntry>,
    pub calendars: List<(Arc<CalendarFile>, u64)>,
}

/// Replaces every placeholder of a content file by the URL of its page. An entry of the previous snapshot
/// stays as it is while its links lead to the same URLs.
pub fn resolve(config: &Config, drafts: &mut [UnresolvedEntry], others: &mut OtherTexts) {
    if !others.name_files()
        && !drafts
            .iter()
            .any(|draft| names_file(&draft.entry.item.content.links))
    {
        return;
    }
    let targets = PageUrls::of_drafts(config, drafts, &others.pages);
    let in_items: Vec<Option<ResolvedLinks>> = drafts
        .par_iter()
        .map(|draft| {
            let entry = &draft.entry;
            let known = draft.known.as_ref().map(|known| known.fingerprint);
            let own = known.unwrap_or(entry.fingerprint);
            ResolvedLinks::of(&entry.item.content.links, &targets, own)
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
    if others.name_files() {
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
    if let Some(links) = ResolvedLinks::of(&item.content.links, targets, *fingerprint) {
        entry.link(links);
    }
    entry
}

impl OtherTexts {
    fn name_files(&self) -> bool {
        names_file(&self.channel.links)
            || self
                .pages
                .iter()
                .any(|entry| names_file(&entry.page.content.links))
            || self
                .calendars
                .iter()
                .any(|(file, _)| names_file(file.links()))
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
            ResolvedLinks::of(&entry.page.content.links, targets, entry.fingerprint)
        };
        let of_file = |(file, fingerprint): &(Arc<CalendarFile>, u64)| {
            ResolvedLinks::of(file.links(), targets, *fingerprint)
        };
        Self {
            channel: ResolvedLinks::of(&others.channel.links, targets, 0),
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

/// The URLs of content files' pages.
pub struct PageUrls<'a> {
    config: &'a Config,
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
        config: &'a Config,
        drafts: &'a [UnresolvedEntry],
        pages: &'a [PageEntry],
    ) -> Self {
        let items = drafts.iter().map(|draft| &draft.entry);
        let items = items.map(|entry| (entry.item.source.as_str(), entry.segment.as_str()));
        Self {
            config,
            items: ItemSegments::Map(items.collect()),
            pages: slugs(pages.iter().map(|entry| &*entry.page)),
        }
    }

    /// Costs nothing for the items: each URL is looked for when it is asked for.
    pub fn of(
        config: &'a Config,
        items: &'a List<(Arc<Item>, u64)>,
        pages: impl Iterator<Item = &'a Page>,
    ) -> Self {
        Self {
            config,
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
}

fn slugs<'a>(pages: impl Iterator<Item = &'a Page>) -> HashMap<&'a str, &'a str> {
    let own = |page: &'a Page| {
        let source = page.source.as_ref()?;
        Some((source.as_str(), page.slug.as_str()))
    };
    pages.filter_map(own).collect()
}

/// The links of one body to content files.
struct ResolvedLinks {
    /// Each path as it is encoded after the placeholder's scheme, with the URL to write for it, sorted.
    links: Vec<(String, String)>,
    /// The body's fingerprint, combined with the URLs its links lead to.
    fingerprint: u64,
}

impl ResolvedLinks {
    /// None if no link leads to a content file.
    fn of(links: &[ContentLink], targets: &PageUrls<'_>, fingerprint: u64) -> Option<Self> {
        let files = files_in(links);
        if files.is_empty() {
            return None;
        }
        let mut links: Vec<(String, String)> = files
            .into_iter()
            .map(|file| (url::encode_path(file), targets.url(file)))
            .collect();
        links.sort_unstable();
        let fingerprint = links.iter().fold(fingerprint, |fingerprint, (_, target)| {
            xxh3_64_with_seed(target.as_bytes(), fingerprint)
        });
        Some(Self { links, fingerprint })
    }
}

fn names_file(links: &[ContentLink]) -> bool {
    links
        .iter()
        .any(|link| matches!(link.target, LinkTarget::File(_)))
}
