//! Gathers the files that were read into a snapshot, and checks that they do not contradict each other.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use super::calendar::CalendarEntry;
use super::snapshot::{ItemEntry, PageEntry, Snapshot, Tag};
use super::{calendar, claims, entries, link_resolution};
use crate::model::{
    Body, Config, Content, Diagnostic, ItemId, MediaFile, NOT_FOUND_ID, Page, PageSlug, Report,
    SiteFile, Status, Visibility,
};
use crate::source::sources::Sources;

/// Makes a snapshot of a site's files. It may only be used if the report holds no error. Parts that did not
/// change since the `previous` snapshot are shared with it.
pub fn gather(
    root: &Path,
    config: Config,
    sources: Sources,
    visibility: Visibility,
    previous: Option<&Snapshot>,
) -> (Snapshot, Report) {
    let mut report = Report::default();
    let mut drafts = entries::drafts(&config, sources.items, visibility, previous);
    let mut pages: Vec<PageEntry> = sources
        .pages
        .into_iter()
        .map(|(page, fingerprint)| page_entry(page, fingerprint, visibility))
        .collect();
    pages.sort_by(|a, b| navigation_key(&a.page).cmp(&navigation_key(&b.page)));
    let mut channel = sources.channel;
    let mut calendars = sources.calendars;
    link_resolution::resolve(
        &config,
        &mut channel,
        &mut drafts,
        &mut pages,
        &mut calendars,
    );
    let in_order = entries::in_feed_order(drafts, &config);

    let keys = claims::keys(root, &in_order, previous, &mut report);
    let entries = in_order.entries;
    claims::check_pages(root, &pages, &sources.site_files, &mut report);

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
    let (site_file_drafts, site_files) = site_files(&config, sources.site_files);
    let calendars = calendar::calendars(
        root,
        &config,
        (calendars, sources.history),
        previous.map(|previous| &previous.calendars),
        &mut report,
    );
    calendar::check_apps(root, &config, &calendars, &mut report);
    let of_events = calendars.public().flat_map(CalendarEntry::media);
    let named = named.chain(of_events);
    let media = gather_media(named.chain(sources.media.iter()), &mut report);
    let published: Vec<Arc<ItemEntry>> = entries
        .iter()
        .filter(|entry| entry.status == Status::Published)
        .cloned()
        .collect();
    let shows = calendars.shows(visibility.now);
    let shows = shows.iter().map(|show| show.item(&config.host)).collect();
    let snapshot = Snapshot {
        last_changed: last_changed(&published, &pages, visibility.now),
        tags: tags(&published),
        config,
        channel,
        entries,
        published,
        pages,
        not_found,
        site_files,
        site_file_drafts,
        shows,
        calendars,
        redirects: sources.redirects,
        media,
        now: visibility.now,
        keys,
    };
    (snapshot, report)
}

fn page_entry(page: Arc<Page>, fingerprint: u64, visibility: Visibility) -> PageEntry {
    PageEntry {
        status: visibility.effective(page.status, page.date_published),
        page,
        fingerprint,
    }
}

/// The published Site Files and the drafts, each with its media type.
fn site_files(
    config: &Config,
    mut files: Vec<Arc<SiteFile>>,
) -> (Vec<Arc<SiteFile>>, Vec<Arc<SiteFile>>) {
    for file in &mut files {
        let content_type = config.site_file(&file.filename).content_type;
        if let Some(content_type) = content_type.filter(|wanted| *wanted != file.content_type) {
            Arc::make_mut(file).content_type = content_type;
        }
    }
    files.into_iter().partition(|file| file.is_draft)
}

fn last_changed(
    published: &[Arc<ItemEntry>],
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

fn navigation_key(page: &Page) -> (i64, &str, &str) {
    (
        page.navigation_order.unwrap_or(i64::MAX),
        &page.title,
        page.slug.as_str(),
    )
}

/// Every file once, by public path; two files cannot have one path.
fn gather_media<'f>(
    files: impl Iterator<Item = &'f MediaFile>,
    report: &mut Report,
) -> Vec<MediaFile> {
    let mut files: Vec<&MediaFile> = files.collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let same_path = files.chunk_by(|a, b| a.path == b.path);
    let mut media = Vec::with_capacity(files.len());
    for files in same_path {
        let first = files[0];
        for file in files.iter().filter(|file| file.source != first.source) {
            report.push(
                Diagnostic::error(format!(
                    "{} and {} would both be published as {}",
                    file.source, first.source, file.path
                ))
                .file(file.source.as_str())
                .help("rename one of them"),
            );
        }
        media.push(first.clone());
    }
    media
}

/// Tags by slug: spellings that differ in case or punctuation alone are one tag.
fn tags(published: &[Arc<ItemEntry>]) -> Vec<Tag> {
    let mut tags: HashMap<&str, Tag> = HashMap::new();
    for entry in published {
        for (name, slug) in entry.item.tags.iter().zip(&entry.tags) {
            let Some(slug) = slug else { continue };
            let tag = tags.entry(slug.as_str()).or_insert_with(|| Tag {
                name: name.clone(),
                slug: slug.to_string(),
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
    let mut tags: Vec<Tag> = tags.into_values().collect();
    tags.sort_by(|a, b| a.slug.cmp(&b.slug));
    tags
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
        content: Content::held(
            Body {
                html: "<p>There is nothing at this address.</p>".into(),
                text: "There is nothing at this address.".into(),
            },
            Vec::new(),
        ),
        media: Vec::new(),
    };
    PageEntry {
        page: Arc::new(page),
        status: Status::Published,
        fingerprint: 0,
    }
}
