//! Resolves links between content files to the pages they become.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::entries::UnresolvedEntry;
use super::paths;
use super::snapshot::{ItemEntry, PageEntry};
use crate::model::{Channel, Config, ContentLink, LinkTarget, linked, url};
use crate::source::calendar::CalendarFile;

/// Replaces every placeholder of a content file by the URL of its page. An entry of the previous snapshot
/// stays as it is while its links lead to the same URLs.
pub fn resolve(
    config: &Config,
    channel: &mut Arc<Channel>,
    drafts: &mut [UnresolvedEntry],
    pages: &mut [PageEntry],
    calendars: &mut [(Arc<CalendarFile>, u64)],
) {
    if !names_file(&channel.links)
        && !drafts
            .iter()
            .any(|draft| names_file(&draft.entry.item.content.links))
        && !pages
            .iter()
            .any(|entry| names_file(&entry.page.content.links))
        && !calendars.iter().any(|(file, _)| names_file(file.links()))
    {
        return;
    }
    let targets = PageUrls::of(config, drafts, pages);
    let in_channel = ResolvedLinks::of(&channel.links, &targets, 0);
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
    let in_pages: Vec<Option<ResolvedLinks>> = pages
        .iter()
        .map(|entry| ResolvedLinks::of(&entry.page.content.links, &targets, entry.fingerprint))
        .collect();

    let in_events: Vec<Option<ResolvedLinks>> = calendars
        .iter()
        .map(|(file, fingerprint)| ResolvedLinks::of(file.links(), &targets, *fingerprint))
        .collect();

    // Every document depends on the channel, so it needs no fingerprint of its own.
    if let Some(links) = in_channel {
        let channel = Arc::make_mut(channel);
        channel.description_html = linked(&channel.description_html, &links.links);
    }
    for (draft, links) in drafts.iter_mut().zip(in_items) {
        let Some(links) = links else { continue };
        if let Some(known) = draft.known.take() {
            let status = draft.entry.status;
            let entry = ItemEntry::of(config, known.item, known.fingerprint, status);
            draft.entry = Arc::new(entry);
        }
        let entry = Arc::make_mut(&mut draft.entry);
        entry.fingerprint = links.fingerprint;
        Arc::make_mut(&mut entry.item).content.link(links.links);
    }
    for (entry, links) in pages.iter_mut().zip(in_pages) {
        let Some(links) = links else { continue };
        entry.fingerprint = links.fingerprint;
        Arc::make_mut(&mut entry.page).content.link(links.links);
    }
    for ((file, fingerprint), links) in calendars.iter_mut().zip(in_events) {
        let Some(links) = links else { continue };
        if let CalendarFile::Event(event) = Arc::make_mut(file) {
            *fingerprint = links.fingerprint;
            event.content.link(links.links);
        }
    }
}

/// The URLs of content files' pages.
struct PageUrls<'a> {
    config: &'a Config,
    items: HashMap<&'a str, &'a str>,
    pages: HashMap<&'a str, &'a str>,
}

impl<'a> PageUrls<'a> {
    fn of(config: &'a Config, drafts: &'a [UnresolvedEntry], pages: &'a [PageEntry]) -> Self {
        let items = drafts.iter().map(|draft| &draft.entry);
        Self {
            config,
            items: items
                .map(|entry| (entry.item.source.as_str(), entry.segment.as_str()))
                .collect(),
            pages: pages
                .iter()
                .filter_map(|entry| {
                    let source = entry.page.source.as_ref()?;
                    Some((source.as_str(), entry.page.slug.as_str()))
                })
                .collect(),
        }
    }

    /// The URL of a content file's page. A file that became no page keeps its path, which `check`
    /// warns of.
    fn url(&self, file: &str) -> String {
        let item = self.items.get(file).map(|segment| paths::item(segment));
        let path = item.or_else(|| self.pages.get(file).map(|slug| paths::page(slug)));
        self.config.url(&path.unwrap_or_else(|| format!("/{file}")))
    }
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
        let mut files: Vec<&str> = links
            .iter()
            .filter_map(|link| match &link.target {
                LinkTarget::File(file) => Some(file.as_str()),
                LinkTarget::Path(_) | LinkTarget::Here => None,
            })
            .collect();
        files.sort_unstable();
        files.dedup();
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
