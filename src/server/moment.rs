//! One state of the site.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;

use model::{Diagnostic, SitePath, Status};
use project::Site;
use site::Previous;
use source::sources::Sources;

/// A site as read from disk, from which a moment is created.
pub struct ReadSite {
    /// The site. If a file is broken, its last good version is used.
    pub site: Site,
    /// The files that the snapshot was built from.
    pub sources: Sources,
    /// The files of each show, by its name.
    pub show_sources: BTreeMap<String, Sources>,
    /// Errors and warnings about the files.
    pub faults: Vec<Diagnostic>,
    /// Files outside the site's own folders that content refers to. Some may not exist.
    pub outside_files: Vec<SitePath>,
    /// Files and folders outside the site's own folders that symlinks in those folders point to. A
    /// folder includes everything below it.
    pub linked: Vec<SitePath>,
}

/// One immutable state of the site, with everything needed to answer requests.
pub struct Moment {
    /// The number of earlier moments.
    pub serial: u64,
    /// The snapshot and the theme.
    pub site: Site,
    /// The files that the snapshot was built from.
    pub sources: Sources,
    /// The files of each show, by its name.
    pub show_sources: BTreeMap<String, Sources>,
    /// Errors and warnings found while reading the files. Faults that only rendering reveals follow
    /// later, in [`super::Live::faults`].
    pub faults: Vec<Diagnostic>,
    /// The public paths that only the preview shows, each with the reason, such as a draft or a
    /// future date.
    pub marks: Vec<(String, String)>,
    /// Files outside the site's own folders that content refers to. Some may not exist.
    pub outside_files: Vec<SitePath>,
    /// Files and folders outside the site's own folders that symlinks in those folders point to. A
    /// folder includes everything below it.
    pub linked: Vec<SitePath>,
    /// The time when the next scheduled content becomes public, if there is any.
    pub next: Option<Timestamp>,
    /// The moments of the shows alone, by name. Created when first needed.
    shows: OnceLock<BTreeMap<String, Arc<Self>>>,
}

impl Moment {
    /// Returns the moment as the state from which the next state is made.
    pub fn as_previous(&self) -> Previous<'_> {
        let (snapshot, shows) = (&self.site.snapshot, Some(&self.show_sources));
        Previous { snapshot, sources: &self.sources, shows }
    }

    pub(super) fn new(serial: u64, read: ReadSite) -> Self {
        let site = read.site;
        let hidden_entries = hidden_entries(&site);
        Self {
            serial,
            marks: hidden_entries
                .iter()
                .filter(|hidden_entries| hidden_entries.effective_status != Status::Unpublished)
                .filter_map(|hidden_entries| {
                    Some((hidden_entries.path.clone(), hidden_entries.hidden_reason(&site)?))
                })
                .collect(),
            shows: OnceLock::new(),
            next: hidden_entries
                .iter()
                .filter_map(|hidden_entries| hidden_entries.date)
                .filter(|date| *date > site.snapshot.now)
                .chain(site.snapshot.calendars.next_change(site.snapshot.now))
                .min(),
            site,
            sources: read.sources,
            show_sources: read.show_sources,
            faults: read.faults,
            outside_files: read.outside_files,
            linked: read.linked,
        }
    }
}

impl Moment {
    /// Returns the moment of a show alone, as its API sees it, or this moment if no show is named.
    /// Returns `None` for an unknown name.
    pub fn of_show(self: &Arc<Self>, show: Option<&str>) -> Option<Arc<Self>> {
        let Some(show) = show else { return Some(Arc::clone(self)) };
        let shows = self.shows.get_or_init(|| {
            let moments = self.site.snapshot.network_shows().map(|(name, show)| {
                let folder = format!("{}/", show.config.content);
                let is_own = |fault: &&Diagnostic| {
                    fault.file.as_ref().is_some_and(|file| file.starts_with(&folder))
                };
                let read = ReadSite {
                    site: Site::new(show.clone(), Arc::clone(&self.site.theme)),
                    sources: self.show_sources.get(name).cloned().unwrap_or_default(),
                    show_sources: BTreeMap::new(),
                    faults: self.faults.iter().filter(is_own).cloned().collect(),
                    outside_files: Vec::new(),
                    linked: Vec::new(),
                };
                (name.to_owned(), Arc::new(Self::new(self.serial, read)))
            });
            moments.collect()
        });
        shows.get(show).cloned()
    }
}

/// An item or page that is not public yet.
struct HiddenEntry {
    path: String,
    written_status: Status,
    effective_status: Status,
    date: Option<Timestamp>,
}

impl HiddenEntry {
    /// Returns the reason why the public cannot see the item or page, or `None` if it can.
    fn hidden_reason(&self, site: &Site) -> Option<String> {
        let date = self.date.filter(|date| *date > site.snapshot.now);
        let date = date.map(|date| {
            let zoned = date.to_zoned(site.snapshot.config.timezone.clone());
            zoned.strftime("%-d %B %Y, %H:%M %Z").to_string()
        });
        match (self.written_status, date) {
            (Status::Unpublished, Some(date)) => Some(format!("Draft, scheduled for {date}")),
            (Status::Unpublished, None) => Some("Draft".into()),
            (_, Some(date)) => Some(format!("Scheduled for {date}")),
            (_, None) => None,
        }
    }
}

/// Returns the items and pages that are drafts or dated in the future.
fn hidden_entries(site: &Site) -> Vec<HiddenEntry> {
    let snapshot = &site.snapshot;
    let is_kept = |written_status: Status, date: Option<Timestamp>| {
        written_status == Status::Unpublished || date.is_some_and(|date| date > snapshot.now)
    };
    let items = snapshot.waiting.iter().map(|entry| HiddenEntry {
        path: entry.path.clone(),
        written_status: entry.item.status,
        effective_status: entry.status,
        date: entry.item.date_published,
    });
    let pages = snapshot
        .pages
        .iter()
        .filter(|entry| is_kept(entry.page.status, entry.page.date_published))
        .map(|entry| HiddenEntry {
            path: entry.path(),
            written_status: entry.page.status,
            effective_status: entry.status,
            date: entry.page.date_published,
        });
    items.chain(pages).collect()
}
