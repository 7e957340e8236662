//! The texts of all content folders of a network, for links from one folder to another.

use std::cell::LazyCell;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use xxhash_rust::xxh3::Xxh3Default;

use super::names::Names;
use super::paths;
use super::snapshot::Previous;
use model::{Config, ContentFolder, ContentLink, Item, LinkTarget, List, Page, SitePath};
use source::channel_file::is_channel;
use source::sources::{Sources, of_file};

/// The files of a content folder, with the configuration of its site or show.
pub type FolderSources = (Config, Sources);

/// The texts of the site and of its shows. Empty if the site has no shows.
#[derive(Default)]
pub struct Network {
    folders: Vec<FolderTexts>,
    names: OnceLock<Names>,
}

struct FolderTexts {
    config: Config,
    items: List<(Arc<Item>, u64)>,
    pages: List<(Arc<Page>, u64)>,
}

impl Network {
    pub fn of(site: &FolderSources, shows: &[FolderSources]) -> Self {
        if shows.is_empty() {
            return Self::default();
        }
        let texts = |(config, sources): &FolderSources| FolderTexts {
            config: config.clone(),
            items: sources.items.clone(),
            pages: sources.pages.clone(),
        };
        let folders = [site].into_iter().chain(shows).map(texts).collect();
        Self { folders, names: OnceLock::new() }
    }

    /// Returns the address of the page of a content file.
    pub fn url(&self, file: &str) -> Option<String> {
        let folder = ContentFolder::of(file);
        let own = self.folders.iter().find(|own| own.config.content == folder)?;
        let item = of_file(&own.items, file);
        let item = item.map(|(item, _)| paths::item_in_site(&own.config, item));
        let page = || {
            let page = of_file(&own.pages, file);
            page.map(|(page, _)| paths::page_in_site(&own.config, page))
        };
        let home = || is_channel(file).then(|| paths::home(1));
        Some(own.config.url(&item.or_else(page).or_else(home)?))
    }

    /// Returns the files with a name.
    pub fn files_named(&self, name: &str) -> Vec<&str> {
        let all = self.names.get_or_init(|| {
            let items = self.folders.iter().flat_map(|own| &own.items).map(|(item, _)| &**item);
            let pages = self.folders.iter().flat_map(|own| &own.pages).map(|(page, _)| &**page);
            Names::of(items, pages)
        });
        all.files(name)
    }

    /// Returns whether the links of a folder to other folders have the same targets as in the previous
    /// snapshot.
    pub fn keeps_links(&self, folder: &FolderSources, previous: &Previous<'_>) -> bool {
        let before = |content: &ContentFolder| match content.show() {
            None => Some((&previous.snapshot.config, previous.sources)),
            Some(name) => {
                let show = previous.of_show(name)?;
                Some((&show.snapshot.config, show.sources))
            }
        };
        let is_same = |own: &FolderTexts| {
            before(&own.config.content).is_some_and(|(config, sources)| {
                produces_same_site(config, &own.config)
                    && own.items.is_unchanged_clone_of(&sources.items)
                    && own.pages.is_unchanged_clone_of(&sources.pages)
            })
        };
        let count = previous.snapshot.network_shows().count() + 1;
        let others = self.folders.iter().filter(|own| own.config.content != folder.0.content);
        !links_elsewhere(folder) || (self.folders.len() == count && { others }.all(is_same))
    }
}

/// Returns whether a text of the folder may link to another folder.
fn links_elsewhere((config, sources): &FolderSources) -> bool {
    links(sources).any(|link| match &link.target {
        LinkTarget::File(file) => ContentFolder::of(file.as_str()) != config.content,
        LinkTarget::Name(_) => true,
        LinkTarget::Path(_) | LinkTarget::Word(_) | LinkTarget::Here => false,
    })
}

fn links(sources: &Sources) -> impl Iterator<Item = &ContentLink> {
    let items = sources.items.iter().map(|(item, _)| &*item.content.links);
    let pages = sources.pages.iter().map(|(page, _)| &*page.content.links);
    let calendars = sources.calendars.iter().map(|(file, _)| file.links());
    items.chain(pages).chain(calendars).chain([&*sources.channel.links]).flatten()
}

/// Returns whether the documents of a show depend on texts of other folders: the show links to them,
/// or publishes their recordings.
pub fn needs_other_folders((config, sources): &FolderSources) -> bool {
    let is_elsewhere = |file: &SitePath| ContentFolder::of(file.as_str()) != config.content;
    let items = sources.items.iter().map(|(item, _)| &**item);
    let pages = sources.pages.iter().map(|(page, _)| &**page);
    let names = LazyCell::new(|| Names::of(items.clone(), pages));
    let own = format!("{}/", config.mount);
    links(sources).any(|link| match &link.target {
        LinkTarget::File(file) => is_elsewhere(file) && !is_channel(file.as_str()),
        LinkTarget::Name(name) => names.files(name).is_empty(),
        LinkTarget::Path(path) => !path.starts_with(&own),
        LinkTarget::Word(_) | LinkTarget::Here => false,
    }) || { items.clone() }
        .flat_map(|item| &item.media)
        .any(|file| !file.is_only_shown && is_elsewhere(&file.source))
}

/// Returns whether two configurations produce the same site.
pub fn produces_same_site(a: &Config, b: &Config) -> bool {
    let hash = |config: &Config| {
        let mut hash = Xxh3Default::new();
        config.hash(&mut hash);
        hash.finish()
    };
    hash(a) == hash(b)
}
