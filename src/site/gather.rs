//! Gathers the files that were read into a snapshot, and reports conflicts between the files.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::calendar::{CalendarEntry, Calendars};
use super::editions::{ChangesSince, editions, not_found_pages};
use super::entries::UnresolvedEntry;
use super::item_entry::ItemEntry;
use super::items::{ItemChanges, Items};
use super::link_resolution::{OtherTexts, PageUrls};
use super::network::{FolderSources, Network, produces_same_site};
use super::snapshot::{Edition, PageEntry, Previous, Snapshot, newest_page_date};
use super::{albums, calendar, claims, entries, link_resolution, show_claims};
use model::ArtworkRoles;
use model::{
    Body, Channel, Config, Content, Diagnostic, ItemId, Languages, List, MediaFile, NOT_FOUND_ID,
    Page, PageSlug, Report, Sections, SiteFile, Status, Visibility, push_text,
};
use source::sources::Sources;
use words::{WordBook, Words};

/// Creates a snapshot from a site's files. The snapshot must not be used if the report contains an
/// error. The snapshot shares unchanged data with the `previous` snapshot, so the cost grows with
/// the number of changes.
pub fn gather(
    root: &Path,
    config: Config,
    sources: Sources,
    visibility: Visibility,
    previous: Option<Previous<'_>>,
) -> (Snapshot, Report) {
    gather_network(root, (config, sources), Vec::new(), visibility, previous)
}

/// Creates the snapshot of a site with several shows, like [`gather`]. The snapshot has the items of
/// the site and of all shows.
pub fn gather_network(
    root: &Path,
    mut site: FolderSources,
    mut shows: Vec<FolderSources>,
    visibility: Visibility,
    previous: Option<Previous<'_>>,
) -> (Snapshot, Report) {
    for (config, sources) in [&mut site].into_iter().chain(&mut shows) {
        config.addresses.sections = sections(&config.languages, &sources.pages, visibility);
    }
    let is_here = |config: &Config| !config.is_elsewhere() && !config.mount.is_empty();
    let published = shows.iter().filter(|(config, _)| is_here(config));
    site.0.shows = published.map(|(config, _)| config.mount.clone()).collect();
    let network = Network::of(&site, &shows);
    let folder = |folder: FolderSources, previous, shows| {
        gather_folder(root, (folder, &network), visibility, previous, shows)
    };
    let mut report = Report::default();
    let mut editions = Vec::new();
    for show in shows {
        let name = show.0.content.show().unwrap_or_default();
        let before = previous.as_ref().filter(|before| network.keeps_links(&show, before));
        let before = before.and_then(|before| before.of_show(name));
        let (snapshot, found) = folder(show, before, Vec::new());
        report.extend(found);
        editions.push(Edition::of_show(snapshot));
    }
    let (snapshot, found) = folder(site, previous, editions);
    report.extend(found);
    (snapshot, report)
}

/// Creates the snapshot of a content folder. Only the site's own folder has shows.
fn gather_folder(
    root: &Path,
    ((config, sources), network): (FolderSources, &Network),
    visibility: Visibility,
    previous: Option<Previous<'_>>,
    shows: Vec<Edition>,
) -> (Snapshot, Report) {
    let mut report = Report::default();
    let previous =
        previous.filter(|previous| produces_same_site(&previous.snapshot.config, &config));
    // The lists of a network have the items of all shows, and are made anew.
    let has_shows = !shows.is_empty() || previous.is_some_and(|before| before.has_shows());
    let steady = previous.filter(|_| !has_shows);
    let step = steady.and_then(|previous| {
        let changes = ItemChanges::since(&previous, &config, &sources, (network, visibility))?;
        let items =
            changes.apply_to(previous.snapshot, (&config, &sources.channel), visibility.now)?;
        Some((previous, changes, items))
    });
    let snapshot = match step {
        Some((previous, changes, items)) => {
            let all = Gathering { root, config, visibility, shows, network, report: &mut report };
            all.apply_changes(previous, &changes, items, sources)
        }
        None => {
            let before = previous.map(|previous| previous.snapshot);
            let all = Gathering { root, config, visibility, shows, network, report: &mut report };
            all.start(before, sources)
        }
    };
    (snapshot, report)
}

fn sections(
    languages: &Languages,
    pages: &List<(Arc<Page>, u64)>,
    visibility: Visibility,
) -> Sections {
    let effective = |page: &Page| visibility.effective(page.status, page.date_published);
    Sections::of(languages, pages.iter().map(|(page, _)| (&**page, effective(page))))
}

struct Gathering<'r> {
    root: &'r Path,
    config: Config,
    visibility: Visibility,
    /// The shows of a network.
    shows: Vec<Edition>,
    network: &'r Network,
    report: &'r mut Report,
}

impl Gathering<'_> {
    fn start(self, previous: Option<&Snapshot>, sources: Sources) -> Snapshot {
        let items = sources.items;
        let mut unresolved_entries =
            entries::unresolved_entries(&self.config, items, self.visibility, previous);
        let mut others = OtherTexts {
            channel: Arc::clone(&sources.channel),
            pages: page_entries(&self.config.languages, &sources.pages, self.visibility),
            calendars: sources.calendars.clone(),
        };
        let names = link_resolution::resolve(
            &self.config, &mut unresolved_entries, &mut others, self.network,
        );
        let now = self.visibility.now;
        unresolved_entries.extend(items_of_shows(&self.shows));
        let items = Items::of(
            self.root,
            (&self.config, &others.channel),
            unresolved_entries,
            now,
            self.report,
        );
        let items = Items { names, ..items };
        let sources = Sources { items: List::default(), ..sources };
        self.finish(items, others, &sources, previous, None)
    }

    /// Creates a snapshot by applying changes to the previous snapshot.
    fn apply_changes(
        self,
        previous: Previous<'_>,
        changes: &ItemChanges,
        items: Items,
        sources: Sources,
    ) -> Snapshot {
        let before = previous.snapshot;
        let same_others = !changes.has_moved
            && before.has_no_errors
            && Arc::ptr_eq(&sources.channel, &previous.sources.channel)
            && sources.pages.is_unchanged_clone_of(&previous.sources.pages)
            && sources.site_files == previous.sources.site_files
            && sources.calendars.is_unchanged_clone_of(&previous.sources.calendars)
            && sources.history == previous.sources.history
            && before.calendars.has_no_errors();
        if !same_others {
            let mut others = OtherTexts {
                channel: Arc::clone(&sources.channel),
                pages: page_entries(&self.config.languages, &sources.pages, self.visibility),
                calendars: sources.calendars.clone(),
            };
            let pages = sources.pages.iter().map(|(page, _)| &**page);
            let texts = (&self.config, &*sources.channel, self.network);
            let targets = PageUrls::of(texts, &sources.items, pages, &items.names);
            link_resolution::resolve_others(&mut others, &targets);
            return self.finish(items, others, &sources, Some(before), Some((before, changes)));
        }
        let calendars = Arc::clone(&before.calendars);
        calendar::check_apps(self.root, &self.config, &calendars, self.report);
        let media_are_same = Arc::ptr_eq(&sources.media, &previous.sources.media)
            && media_of(&changes.gone) == media_of(&changes.new);
        let kept = SnapshotParts {
            media: media_are_same.then(|| Arc::clone(&before.media)),
            channel: Arc::clone(&before.channel),
            pages: before.pages.clone(),
            not_found: before.not_found_pages().cloned().collect(),
            calendars,
            has_no_errors: true,
        };
        self.assemble_snapshot(items, kept, &sources, Some((before, changes)))
    }

    fn finish(
        self,
        items: Items,
        others: OtherTexts,
        sources: &Sources,
        previous: Option<&Snapshot>,
        since: Option<ChangesSince<'_>>,
    ) -> Snapshot {
        let OtherTexts { channel, mut pages, calendars } = others;
        let before = self.report.len();
        claims::check_pages(
            self.root, &self.config.languages, &pages, &sources.site_files, self.report,
        );
        let has_no_errors = self.report.len() == before;
        let not_found = not_found_pages(&self.config, &mut pages, |language| {
            let language = language.or(channel.language.as_deref());
            // The renderer adds the theme's words.
            let book = WordBook::new(language, &BTreeMap::new(), &self.config.words);
            built_in_not_found(&book.site)
        });
        let calendars = calendar::calendars(
            self.root,
            &self.config,
            (calendars, Arc::clone(&sources.history)),
            previous.map(|previous| &previous.calendars),
            self.report,
        );
        calendar::check_apps(self.root, &self.config, &calendars, self.report);
        let kept =
            SnapshotParts { media: None, channel, pages, not_found, calendars, has_no_errors };
        self.assemble_snapshot(items, kept, sources, since)
    }

    fn assemble_snapshot(
        self,
        items: Items,
        kept: SnapshotParts,
        sources: &Sources,
        since: Option<ChangesSince<'_>>,
    ) -> Snapshot {
        let SnapshotParts { media, channel, pages, not_found, calendars, has_no_errors } = kept;
        albums::check(self.root, &self.config, &items, self.report);
        let own = (&items.entries, &*pages);
        show_claims::check(self.root, &self.shows, own, self.report);
        let before = self.report.len();
        let media = media.unwrap_or_else(|| {
            let named = items
                .entries
                .iter()
                .filter(|entry| entry.is_public())
                .flat_map(|entry| &entry.item.media)
                .chain(
                    pages
                        .iter()
                        .filter(|page| page.status != Status::Unpublished)
                        .flat_map(|page| &page.page.media),
                )
                .chain(not_found.iter().flat_map(|page| &page.page.media))
                .chain(&channel.media);
            let of_events = calendars.public().flat_map(CalendarEntry::media);
            let of_shows = self.shows.iter().flat_map(|show| show.snapshot.media.iter());
            let all = named.chain(of_events).chain(sources.media.iter()).chain(of_shows);
            Arc::new(gather_media(all, self.report))
        });
        let has_no_errors = has_no_errors && self.report.len() == before;
        let (site_file_drafts, site_files) = site_files(&self.config, sources.site_files.clone());
        let shows = calendars.live_items(self.visibility.now, &self.config.host);
        let mut snapshot = Snapshot {
            root: self.root.into(),
            last_changed: items.dates.newest.max(newest_page_date(&pages, self.visibility.now)),
            config: self.config,
            channel,
            feed_items: match self.shows.is_empty() {
                true => items.published.clone(),
                false => feed_items(&items.published),
            },
            shared_recordings: Arc::default(),
            entries: items.entries,
            published: items.published,
            waiting: items.waiting,
            pages,
            not_found: not_found[0].clone(),
            site_files,
            site_file_drafts,
            shows,
            calendars,
            redirects: Arc::clone(&sources.redirects),
            planet: Arc::clone(&sources.planet),
            media,
            pictures: None,
            recordings: None,
            facets: items.facets,
            now: self.visibility.now,
            visibility: self.visibility,
            item_dates: items.dates,
            item_counts: items.counts,
            keys: items.keys,
            linking: items.linking,
            names: items.names,
            tagged: OnceLock::new(),
            editions: Vec::new(),
            is_edition: false,
            network: None,
            has_no_errors,
        };
        snapshot.editions = editions(&snapshot, &not_found, since, self.report);
        snapshot.editions.extend(self.shows);
        snapshot.share_recordings();
        snapshot
    }
}

/// Returns the items of shows as items of their network.
fn items_of_shows(shows: &[Edition]) -> Vec<UnresolvedEntry> {
    let items = shows.iter().flat_map(|show| {
        let (mount, channel) = (show.snapshot.config.mount_in_network(), &show.snapshot.channel);
        show.snapshot.entries.iter().map(move |entry| entry.in_network(&mount, channel))
    });
    items.map(|entry| UnresolvedEntry { entry: Arc::new(entry), known: None }).collect()
}

/// Returns the items in the feed of a site: its own items, or the items of all shows if it has none.
fn feed_items(published: &List<Arc<ItemEntry>>) -> List<Arc<ItemEntry>> {
    let is_own = |entry: &&Arc<ItemEntry>| entry.mount.is_empty();
    let own = published.iter().filter(is_own).count();
    match own == 0 || own == published.len() {
        true => published.clone(),
        false => published.iter().filter(is_own).cloned().collect(),
    }
}

/// The parts of a snapshot other than its items.
struct SnapshotParts {
    /// The media files, or `None` if they must be gathered.
    media: Option<Arc<Vec<MediaFile>>>,
    channel: Arc<Channel>,
    pages: Vec<PageEntry>,
    /// The 404 page of each language.
    not_found: Vec<PageEntry>,
    calendars: Arc<Calendars>,
    has_no_errors: bool,
}

/// Returns the media files that public items refer to, sorted.
fn media_of(entries: &[Arc<ItemEntry>]) -> Vec<&MediaFile> {
    let public = entries.iter().filter(|entry| entry.is_public());
    let mut media: Vec<&MediaFile> = public.flat_map(|entry| &entry.item.media).collect();
    media.sort_by(|a, b| (&a.path, &a.source).cmp(&(&b.path, &b.source)));
    media
}

/// Returns the entries of all pages, in navigation order.
fn page_entries(
    languages: &Languages,
    pages: &List<(Arc<Page>, u64)>,
    visibility: Visibility,
) -> Vec<PageEntry> {
    let entry = |(page, fingerprint): &(Arc<Page>, u64)| PageEntry {
        status: visibility.effective(page.status, page.date_published),
        mount: languages.mount(languages.index(page.language.as_deref())),
        page: Arc::clone(page),
        fingerprint: *fingerprint,
    };
    let mut pages: Vec<PageEntry> = pages.iter().map(entry).collect();
    pages.sort_by(|a, b| a.page.navigation_key().cmp(&b.page.navigation_key()));
    pages
}

/// Splits site files into published files and drafts, and sets the media types that the
/// configuration specifies.
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

/// Merges media files with the same public path. Reports an error if their source files differ.
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
        media.push(MediaFile {
            bare: files.iter().find_map(|file| file.bare),
            still: files.iter().find_map(|file| file.still),
            is_only_shown: files.iter().all(|file| file.is_only_shown),
            is_value: files.iter().any(|file| file.is_value),
            artwork_roles: (files.iter())
                .fold(ArtworkRoles::default(), |all, file| all.or(file.artwork_roles)),
            ..first.clone()
        });
    }
    media
}

/// Returns the built-in 404 page.
pub fn built_in_not_found(words: &Words) -> PageEntry {
    let text = words.text("not_found_text");
    let mut html = "<p>".to_owned();
    push_text(&mut html, text);
    html.push_str("</p>");
    // Both constants are valid: one as an id, the other as a slug.
    let (Ok(id), Ok(slug)) = (ItemId::parse(NOT_FOUND_ID), PageSlug::parse("404")) else {
        unreachable!()
    };
    let page = Page {
        id,
        id_is_derived: false,
        source: None,
        title: words.text("not_found").into(),
        slug,
        aliases: Vec::new(),
        status: Status::Published,
        show_in_navigation: false,
        navigation_label: None,
        navigation_order: None,
        navigation_group: None,
        meta_description: None,
        date_published: None,
        date_modified: None,
        date_created: None,
        language: None,
        text_path: None,
        translations: Vec::new(),
        content: Content::in_memory(
            Body { html, text: text.into(), lead: text.into(), ..Body::default() },
            Vec::new(),
        ),
        media: Vec::new(),
    };
    let mount = String::new();
    PageEntry { page: Arc::new(page), status: Status::Published, mount, fingerprint: 0 }
}
