//! Gathers what was read into a snapshot, and finds what is wrong between files.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use super::snapshot::{Entry, PageEntry, Snapshot, Tag};
use super::{links, paths};
use crate::model::{
    Config, Content, Diagnostic, GeneratedKind, Item, ItemId, MediaFile, NOT_FOUND_ID, Page,
    PageSlug, RESERVED_SLUGS, Report, SiteFile, SitePath, Slug, SortKey, SortOrder, Status,
    Visibility,
};
use crate::source::load::{Sources, place_of};

/// Makes a snapshot of a site's files. It can be used when the report holds no error.
pub fn gather(
    root: &Path,
    config: Config,
    sources: Sources,
    visibility: Visibility,
) -> (Snapshot, Report) {
    let mut report = Report::default();
    let mut entries: Vec<Entry> = sources
        .items
        .into_iter()
        .map(|(item, fingerprint)| entry(&config, item, fingerprint, visibility))
        .collect();
    sort(&mut entries, &config);
    let mut pages: Vec<PageEntry> = sources
        .pages
        .into_iter()
        .map(|(page, fingerprint)| page_entry(page, fingerprint, visibility))
        .collect();
    pages.sort_by(|a, b| navigation_key(&a.page).cmp(&navigation_key(&b.page)));

    let keys = claim_segments(root, &entries, &mut report);
    check_pages(root, &pages, &sources.site_files, &mut report);
    let mut channel = sources.channel;
    links::resolve(&config, &mut channel, &mut entries, &mut pages);

    let not_found = match pages
        .iter()
        .position(|entry| entry.page.is_not_found_page())
    {
        Some(at) => pages.remove(at),
        None => built_in_not_found(),
    };
    let named = entries
        .iter()
        .filter(|entry| entry.is_public())
        .flat_map(|entry| &entry.item.media)
        .chain(
            pages
                .iter()
                .filter(|page| page.status != Status::Unpublished)
                .flat_map(|page| &page.page.media),
        )
        .chain(&not_found.page.media)
        .chain(&channel.media);
    let media = gather_media(named.cloned().chain(sources.media), &mut report);
    let entries: Vec<Arc<Entry>> = entries.into_iter().map(Arc::new).collect();
    let published: Vec<Arc<Entry>> = entries
        .iter()
        .filter(|entry| entry.status == Status::Published)
        .cloned()
        .collect();
    let snapshot = Snapshot {
        last_changed: last_changed(&published, &pages, visibility.now),
        tags: tags(&published),
        config,
        channel,
        entries,
        published,
        pages,
        not_found,
        site_files: sources.site_files,
        media,
        now: visibility.now,
        keys,
    };
    (snapshot, report)
}

fn entry(config: &Config, mut item: Item, fingerprint: u64, visibility: Visibility) -> Entry {
    let status = visibility.effective(item.status, item.date_published);
    let segment = item.segment();
    // An item that names its own page is about nothing elsewhere.
    item.url = item.url.take().filter(|url| {
        let url = url.trim_end_matches('/');
        [segment.as_str(), item.id.as_str()]
            .iter()
            .all(|key| config.url(&paths::item(key)).trim_end_matches('/') != url)
    });
    Entry {
        segment,
        status,
        item,
        fingerprint,
    }
}

fn page_entry(page: Page, fingerprint: u64, visibility: Visibility) -> PageEntry {
    PageEntry {
        status: visibility.effective(page.status, page.date_published),
        page,
        fingerprint,
    }
}

fn last_changed(
    published: &[Arc<Entry>],
    pages: &[PageEntry],
    now: Timestamp,
) -> Option<Timestamp> {
    let items = published
        .iter()
        .flat_map(|entry| [entry.item.date_modified, entry.item.date_published]);
    let pages = pages
        .iter()
        .filter(|entry| entry.status == Status::Published)
        .flat_map(|entry| [entry.page.date_modified, entry.page.date_published]);
    items
        .chain(pages)
        .flatten()
        .filter(|date| *date <= now)
        .max()
}

/// The order of the feed. Items without a date are the oldest; equal dates keep the order of ids.
fn sort(entries: &mut [Entry], config: &Config) {
    let date = |item: &Item| -> Option<Timestamp> {
        match config.feed.sort {
            SortKey::Published => item.date_published,
            SortKey::Updated => item.date_modified.or(item.date_published),
            SortKey::Created => item.date_created.or(item.date_published),
        }
    };
    entries.sort_by(|a, b| {
        let ascending = date(&a.item)
            .cmp(&date(&b.item))
            .then_with(|| b.item.id.cmp(&a.item.id));
        match config.feed.order {
            SortOrder::Asc => ascending,
            SortOrder::Desc => ascending.reverse(),
        }
    });
}

fn navigation_key(page: &Page) -> (i64, &str, &str) {
    (
        page.navigation_order.unwrap_or(i64::MAX),
        &page.title,
        page.slug.as_str(),
    )
}

/// Gives every id, segment and alias to its item; two items cannot share one.
fn claim_segments(root: &Path, entries: &[Entry], report: &mut Report) -> HashMap<String, usize> {
    let mut keys: HashMap<String, usize> = HashMap::with_capacity(entries.len() * 2);
    let mut clashing: HashSet<(usize, usize)> = HashSet::new();
    let mut claim = |key: &str, at: usize, field: &str, what: &str| match keys.get(key) {
        Some(other) if *other != at => {
            // Two files with one id have one segment too; that is one thing to mend.
            if !clashing.insert((*other, at)) {
                return;
            }
            let (first, second) = (&entries[*other].item.source, &entries[at].item.source);
            // An alias is in the way of an id or segment, whichever file it stands in.
            let aliased = field == "aliases"
                && [entries[*other].item.id.as_str(), &entries[*other].segment].contains(&key);
            let (first, second) = match aliased {
                true => (first, second),
                false => (first.min(second), first.max(second)),
            };
            let diagnostic =
                Diagnostic::error(format!("the {what} `{key}` is already that of {first}"));
            let help = match field {
                "id" => "give one of the two another `id`, or leave it out",
                "aliases" => "remove this alias here or there",
                _ => "give one of the two another `slug`",
            };
            report.push(place_of(root, second, field, key, diagnostic).help(help));
        }
        _ => {
            keys.insert(key.to_owned(), at);
        }
    };
    for (at, entry) in entries.iter().enumerate() {
        claim(entry.item.id.as_str(), at, "id", "id");
    }
    for (at, entry) in entries.iter().enumerate() {
        claim(&entry.segment, at, "slug", "URL segment");
    }
    for (at, entry) in entries.iter().enumerate() {
        for alias in &entry.item.aliases {
            claim(alias.as_str(), at, "aliases", "URL segment");
        }
    }
    warn_of_case(entries, &keys, report);
    keys
}

/// Warns of ids and segments of two items that differ in case alone: where a disk or a host folds
/// case, one item's files replace the other's.
fn warn_of_case(entries: &[Entry], keys: &HashMap<String, usize>, report: &mut Report) {
    let mut upper: Vec<(&str, usize)> = keys
        .iter()
        .map(|(key, at)| (key.as_str(), *at))
        .filter(|(key, _)| key.contains(char::is_uppercase))
        .collect();
    upper.sort_unstable();
    let mut folded: HashMap<String, usize> = HashMap::new();
    for (key, at) in upper {
        let lower = key.to_lowercase();
        let other = *keys
            .get(&lower)
            .unwrap_or_else(|| folded.entry(lower).or_insert(at));
        if other == at {
            continue;
        }
        let (file, other) = (&entries[at].item.source, &entries[other].item.source);
        report.push(
            Diagnostic::warning(format!(
                "the URL segment `{key}` differs from one of {other} in case alone"
            ))
            .file(file.as_str())
            .help("give one of the two another name: some disks and hosts take them for the same"),
        );
    }
}

/// A Page's path and its former ones have to be free.
fn check_pages(root: &Path, pages: &[PageEntry], site_files: &[SiteFile], report: &mut Report) {
    let mut taken: HashMap<&str, &SitePath> = HashMap::new();
    let mut ids: HashMap<&ItemId, &SitePath> = HashMap::new();
    for PageEntry { page, .. } in pages {
        let Some(source) = &page.source else { continue };
        if let Some(first) = ids.insert(&page.id, source) {
            let diagnostic =
                Diagnostic::error(format!("the id `{}` is already that of {first}", page.id));
            report.push(
                place_of(root, source, "id", page.id.as_str(), diagnostic)
                    .help("give one of the two another `id`, or leave it out"),
            );
        }
    }
    let slugs = pages.iter().map(|entry| (entry, &entry.page.slug, "slug"));
    let aliases = pages.iter().flat_map(|entry| {
        let aliases = entry.page.aliases.iter();
        aliases.map(move |alias| (entry, alias, "aliases"))
    });
    // Slugs first: a former path is in the way of a present one, whichever file it stands in.
    for (PageEntry { page, .. }, slug, field) in slugs.chain(aliases) {
        let Some(source) = &page.source else { continue };
        let slug = slug.as_str();
        let is_site_file = GeneratedKind::ALL
            .map(GeneratedKind::filename)
            .contains(&slug)
            || site_files.iter().any(|file| file.filename == slug);
        let problem = if RESERVED_SLUGS.contains(&slug) && !page.is_not_found_page() {
            "reserved".to_owned()
        } else if is_site_file {
            "that of a Site File".to_owned()
        } else if let Some(first) = taken.insert(slug, source).filter(|first| *first != source) {
            format!("already that of {first}")
        } else {
            continue;
        };
        let diagnostic = Diagnostic::error(format!("the path /{slug}/ is {problem}"));
        let help = match field {
            "aliases" => "remove this alias here or there",
            _ => "give the Page another `slug`, or its file another name",
        };
        report.push(place_of(root, source, field, slug, diagnostic).help(help));
    }
}

/// Every file once, by public path; two files cannot have one path.
fn gather_media(files: impl Iterator<Item = MediaFile>, report: &mut Report) -> Vec<MediaFile> {
    let mut by_path: BTreeMap<String, SitePath> = BTreeMap::new();
    for file in files {
        let first = by_path
            .entry(file.path.clone())
            .or_insert_with(|| file.source.clone());
        if *first != file.source {
            report.push(
                Diagnostic::error(format!(
                    "{} and {first} would both be published as {}",
                    file.source, file.path
                ))
                .file(file.source.as_str())
                .help("rename one of them"),
            );
        }
    }
    by_path
        .into_iter()
        .map(|(path, source)| MediaFile { source, path })
        .collect()
}

/// Tags by slug: spellings that differ in case or punctuation alone are one tag.
fn tags(published: &[Arc<Entry>]) -> Vec<Tag> {
    let mut tags: BTreeMap<String, Tag> = BTreeMap::new();
    for entry in published {
        for name in &entry.item.tags {
            let Some(slug) = Slug::from_tag(name) else {
                continue;
            };
            let slug = slug.to_string();
            let tag = tags.entry(slug.clone()).or_insert_with(|| Tag {
                name: name.clone(),
                slug,
                entries: Vec::new(),
            });
            if !tag
                .entries
                .last()
                .is_some_and(|last| Arc::ptr_eq(last, entry))
            {
                tag.entries.push(Arc::clone(entry));
            }
        }
    }
    tags.into_values().collect()
}

fn built_in_not_found() -> PageEntry {
    // Both texts are constants that are valid ids and slugs.
    let (Ok(id), Ok(slug)) = (ItemId::parse(NOT_FOUND_ID), PageSlug::parse("404")) else {
        unreachable!()
    };
    let page = Page {
        id,
        id_is_derived: false,
        source: None,
        title: "Page not found".into(),
        slug,
        aliases: Vec::new(),
        status: Status::Published,
        show_in_navigation: false,
        navigation_label: None,
        navigation_order: None,
        meta_description: None,
        date_published: None,
        date_modified: None,
        date_created: None,
        language: None,
        content: Content {
            html: "<p>There is nothing at this address.</p>".into(),
            text: "There is nothing at this address.".into(),
            links: Vec::new(),
        },
        media: Vec::new(),
    };
    PageEntry {
        page,
        status: Status::Published,
        fingerprint: 0,
    }
}
