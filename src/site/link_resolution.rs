//! Resolves links between content files to URLs, and replaces placeholders for words of the site's
//! interface by the translated words.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::entries::UnresolvedEntry;
use super::item_entry::ItemEntry;
use super::names::{Names, in_language};
use super::network::Network;
use super::paths;
use super::snapshot::PageEntry;
use model::push_attribute;
use model::{
    Channel, Config, ContentLink, Item, LinkTarget, LinkUrl, List, Page, Status, resolve_links,
};
use source::calendar::CalendarFile;
use source::channel_file::is_channel;
use source::sources::of_file;
use words::WordBook;

/// The channel, pages and calendar files. Their links are resolved together.
pub struct OtherTexts {
    pub channel: Arc<Channel>,
    pub pages: Vec<PageEntry>,
    pub calendars: List<(Arc<CalendarFile>, u64)>,
}

/// Replaces every placeholder with the URL of its page, or with its translated word. An entry of
/// the previous snapshot is kept while its links resolve to the same URLs. Returns the names of
/// items and pages if a link needed them.
pub fn resolve(
    config: &Config,
    unresolved_entries: &mut [UnresolvedEntry],
    others: &mut OtherTexts,
    network: &Network,
) -> OnceLock<Names> {
    let names = OnceLock::new();
    let has_links = |draft: &UnresolvedEntry| has_placeholder(&draft.entry.item.content.links);
    if !others.links().any(has_placeholder) && !unresolved_entries.iter().any(has_links) {
        return names;
    }
    let texts = (config, &*others.channel, network);
    let targets = PageUrls::of_drafts(texts, unresolved_entries, &others.pages, &names);
    let in_items: Vec<Option<ResolvedLinks>> = unresolved_entries
        .par_iter()
        .map(|draft| {
            let entry = &draft.entry;
            let known = draft.known.as_ref().map(|known| known.fingerprint);
            let own = known.unwrap_or(entry.fingerprint);
            ResolvedLinks::of(links_of(&entry.item), &targets, own)
                .filter(|links| known.is_none() || links.fingerprint != entry.fingerprint)
        })
        .collect();
    let in_others = ResolvedOtherTexts::of(others, &targets);
    for (draft, links) in unresolved_entries.iter_mut().zip(in_items) {
        let Some(links) = links else { continue };
        if let Some(known) = draft.known.take() {
            let status = draft.entry.status;
            let entry = ItemEntry::of(config, known.item, known.fingerprint, status);
            draft.entry = Arc::new(entry);
        }
        Arc::make_mut(&mut draft.entry).link(links);
    }
    in_others.write(others);
    names
}

/// Does the same as [`resolve`] for the channel, pages and calendar files only.
pub fn resolve_others(others: &mut OtherTexts, targets: &PageUrls<'_>) {
    if others.links().any(has_placeholder) {
        ResolvedOtherTexts::of(others, targets).write(others);
    }
}

/// Creates the entry of an item with its links resolved.
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
    fn links(&self) -> impl Iterator<Item = &[ContentLink]> {
        let pages = self.pages.iter().map(|entry| &*entry.page.content.links);
        let calendars = self.calendars.iter().map(|(file, _)| file.links());
        let channels = channels(&self.channel).map(|channel| &*channel.links);
        channels.chain(pages).chain(calendars)
    }
}

/// Returns the channel, followed by the channel in each other language.
fn channels(channel: &Channel) -> impl Iterator<Item = &Channel> {
    [channel].into_iter().chain(&channel.in_languages)
}

/// The resolved links of [`OtherTexts`].
struct ResolvedOtherTexts {
    /// In the order of [`channels`].
    channels: Vec<Option<ResolvedLinks>>,
    pages: Vec<Option<ResolvedLinks>>,
    calendars: Vec<Option<ResolvedLinks>>,
}

impl ResolvedOtherTexts {
    fn of(others: &OtherTexts, targets: &PageUrls<'_>) -> Self {
        let of_page = |entry: &PageEntry| {
            let page = &*entry.page;
            let links = (&*page.content.links, page.language.as_deref());
            ResolvedLinks::of(links, targets, entry.fingerprint)
        };
        let of_file = |(file, fingerprint): &(Arc<CalendarFile>, u64)| {
            let languages = &targets.config.languages;
            let language = file.source().and_then(|source| languages.of_name(source.as_str()));
            let links = (file.links(), language.map(|(tag, _)| tag));
            ResolvedLinks::of(links, targets, *fingerprint)
        };
        Self {
            channels: channels(&others.channel)
                .enumerate()
                .map(|(at, channel)| {
                    let language = channel.language.as_deref().filter(|_| at > 0);
                    ResolvedLinks::of((&channel.links, language), targets, 0)
                })
                .collect(),
            pages: others.pages.iter().map(of_page).collect(),
            calendars: others.calendars.iter().map(of_file).collect(),
        }
    }

    fn write(self, others: &mut OtherTexts) {
        // Every document depends on the channel, so it needs no separate fingerprint.
        for (at, links) in self.channels.into_iter().enumerate() {
            let Some(links) = links else { continue };
            let main = Arc::make_mut(&mut others.channel);
            let channel = match at.checked_sub(1) {
                None => main,
                Some(other) => &mut main.in_languages[other],
            };
            channel.description_html = resolve_links(&channel.description_html, &links.links);
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

/// The URLs of content files' pages, and the translated words of the site.
pub struct PageUrls<'a> {
    config: &'a Config,
    /// The site's language.
    language: Option<&'a str>,
    words: OnceLock<WordBook>,
    items: Items<'a>,
    pages: Vec<&'a Page>,
    of_file: HashMap<&'a str, &'a Page>,
    names: &'a OnceLock<Names>,
    /// The texts of other content folders.
    network: &'a Network,
}

/// The items, for finding their segments by file.
enum Items<'a> {
    /// A map by file, which is faster for many links.
    Map(HashMap<&'a str, &'a ItemEntry>),
    /// The list itself, which is faster for few links.
    List(&'a List<(Arc<Item>, u64)>),
}

/// The configuration and the channel of a content folder, and the texts of all folders.
pub type Texts<'a> = (&'a Config, &'a Channel, &'a Network);

impl<'a> PageUrls<'a> {
    fn of_drafts(
        texts: Texts<'a>,
        unresolved_entries: &'a [UnresolvedEntry],
        pages: &'a [PageEntry],
        names: &'a OnceLock<Names>,
    ) -> Self {
        let items = unresolved_entries.iter().map(|draft| &*draft.entry);
        let items = items.map(|entry| (entry.item.source.as_str(), entry));
        let items = Items::Map(items.collect());
        let pages = pages.iter().map(|entry| &*entry.page).collect();
        Self::new(texts, items, pages, names)
    }

    /// Creates the lookup without a map of items. A URL is computed when a link needs it. `names`
    /// contains the names of all items and pages, or is filled when a link by name needs them.
    pub fn of(
        texts: Texts<'a>,
        items: &'a List<(Arc<Item>, u64)>,
        pages: impl Iterator<Item = &'a Page>,
        names: &'a OnceLock<Names>,
    ) -> Self {
        Self::new(texts, Items::List(items), pages.collect(), names)
    }

    fn new(
        (config, channel, network): Texts<'a>,
        items: Items<'a>,
        pages: Vec<&'a Page>,
        names: &'a OnceLock<Names>,
    ) -> Self {
        Self {
            config,
            language: channel.language.as_deref(),
            words: OnceLock::new(),
            items,
            of_file: pages
                .iter()
                .filter_map(|page| Some((page.source.as_ref()?.as_str(), *page)))
                .collect(),
            pages,
            names,
            network,
        }
    }

    /// Returns the replacement for a link target in a body. `language` is the body's language, or
    /// `None` for the site's language. Returns `None` if no file has the name, or if several files
    /// have it.
    fn replacement(&self, target: &LinkTarget, language: Option<&str>) -> Option<String> {
        match target {
            LinkTarget::File(file) => Some(self.of_file(file.as_str())),
            LinkTarget::Name(name) => match *self.files_named(name, language) {
                [file] => Some(self.of_file(file)),
                _ => None,
            },
            LinkTarget::Word(key) => Some(self.word(key, language)),
            LinkTarget::Path(_) | LinkTarget::Here => None,
        }
    }

    /// Returns the URL of a content file's page. A file without a page keeps its path; `check`
    /// warns about such a link.
    fn of_file(&self, file: &str) -> String {
        let item = match &self.items {
            Items::Map(entries) => entries.get(file).map(|entry| entry.path.clone()),
            Items::List(items) => {
                of_file(items, file).map(|(item, _)| paths::item_in_site(self.config, item))
            }
        };
        let path = item
            .or_else(|| self.of_file.get(file).map(|page| paths::page_in_site(self.config, page)));
        if let Some(path) = path {
            return self.config.url(&path);
        }
        self.network.url(file).unwrap_or_else(|| match is_channel(file) {
            true => self.config.url(&paths::home(1)),
            false => self.config.url(&format!("/{file}")),
        })
    }

    /// Returns the files with a name, in the language of the body if there are any.
    fn files_named(&self, name: &str, language: Option<&str>) -> Vec<&str> {
        let mut files = self.names().files(name);
        if files.is_empty() {
            files = self.network.files_named(name);
        }
        let languages = &self.config.languages;
        if languages.others.is_empty() || files.len() < 2 {
            return files;
        }
        let own = languages.index(language);
        in_language(files, own, |file| {
            let item = match &self.items {
                Items::Map(entries) => entries.get(file).map(|entry| &*entry.item),
                Items::List(items) => of_file(items, file).map(|(item, _)| &**item),
            };
            let of_item = item.map(|item| item.language.as_deref());
            let of_page = || self.of_file.get(file).map(|page| page.language.as_deref());
            languages.index(of_item.or_else(of_page).flatten())
        })
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let pages = self.pages.iter().copied();
            match &self.items {
                Items::Map(entries) => Names::of(entries.values().map(|entry| &*entry.item), pages),
                Items::List(items) => Names::of(items.iter().map(|(item, _)| &**item), pages),
            }
        })
    }

    /// Returns the HTML of a word in `language`, or in the site's language if `language` is `None`.
    fn word(&self, key: &str, language: Option<&str>) -> String {
        let own = &self.config.words;
        let book = || WordBook::new(self.language, &BTreeMap::new(), own);
        let words = self.words.get_or_init(book).words(language);
        let mut html = String::new();
        push_attribute(&mut html, words.text(key));
        html
    }
}

/// The resolved links and translated words of one body.
struct ResolvedLinks {
    /// The placeholders and URLs of the links, sorted and without duplicates.
    links: Vec<LinkUrl>,
    /// The body's fingerprint, combined with the URLs of its links.
    fingerprint: u64,
}

impl ResolvedLinks {
    /// Resolves the placeholders of a body. `language` is the body's language, or `None` for the
    /// site's language. Returns `None` if the body has no placeholder.
    fn of(
        (links, language): (&[ContentLink], Option<&str>),
        targets: &PageUrls<'_>,
        fingerprint: u64,
    ) -> Option<Self> {
        let links = links.iter().map(|link| &link.target);
        let links = links.map(|target| (target.placeholder(), target));
        let mut links: Vec<_> = links.filter(|(replacement, _)| !replacement.is_empty()).collect();
        if links.is_empty() {
            return None;
        }
        links.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        links.dedup_by(|(a, _), (b, _)| a == b);
        let url = |(placeholder, target)| (placeholder, targets.replacement(target, language));
        let links: Vec<LinkUrl> = links.into_iter().map(url).collect();
        let fingerprint = links.iter().fold(fingerprint, |fingerprint, (_, url)| {
            let url = url.as_deref().unwrap_or_default();
            xxh3_64_with_seed(url.as_bytes(), fingerprint)
        });
        Some(Self { links, fingerprint })
    }
}

fn links_of(item: &Item) -> (&[ContentLink], Option<&str>) {
    (&item.content.links, item.language.as_deref())
}

fn has_placeholder(links: &[ContentLink]) -> bool {
    let is_placed = |target: &LinkTarget| {
        matches!(target, LinkTarget::File(_) | LinkTarget::Name(_) | LinkTarget::Word(_))
    };
    links.iter().any(|link| is_placed(&link.target))
}
