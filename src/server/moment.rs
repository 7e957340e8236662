//! One state of the site.

use jiff::Timestamp;

use model::{Diagnostic, SitePath, Status};
use project::Site;
use site::paths;
use source::sources::Sources;

/// A site as it was read: what a moment is made of.
pub struct ReadSite {
    /// The site. Where a file is broken, its last good version stands in.
    pub site: Site,
    /// The files it was made of.
    pub sources: Sources,
    /// Errors and warnings about its files.
    pub faults: Vec<Diagnostic>,
    /// Files that content names outside the site's own folders. Some may not exist.
    pub elsewhere: Vec<SitePath>,
    /// Targets outside the site's own folders of symbolic links inside them. A folder stands for
    /// everything below it.
    pub linked: Vec<SitePath>,
}

/// One immutable state of the site, and what it needs to answer requests.
pub struct Moment {
    /// How many moments there were before.
    pub serial: u64,
    /// The snapshot and the theme.
    pub site: Site,
    /// The files that the snapshot was made of.
    pub sources: Sources,
    /// Errors and warnings that reading its files shows. Those that only rendering shows come later, in
    /// [`super::Live::faults`].
    pub faults: Vec<Diagnostic>,
    /// The public paths that only the preview shows, each with the reason: draft, or scheduled.
    pub marks: Vec<(String, String)>,
    /// Files that content names outside the site's own folders. Some may not exist.
    pub elsewhere: Vec<SitePath>,
    /// Targets outside the site's own folders of symbolic links inside them. A folder stands for
    /// everything below it.
    pub linked: Vec<SitePath>,
    /// When the next scheduled thing becomes public, if any is scheduled.
    pub next: Option<Timestamp>,
}

impl Moment {
    pub(super) fn new(serial: u64, read: ReadSite) -> Self {
        let site = read.site;
        let dated = dated(&site);
        Self {
            serial,
            marks: dated
                .iter()
                .filter(|dated| dated.shown != Status::Unpublished)
                .filter_map(|dated| Some((dated.path.clone(), dated.mark(&site)?)))
                .collect(),
            next: dated
                .iter()
                .filter_map(|dated| dated.date)
                .filter(|date| *date > site.snapshot.now)
                .chain(site.snapshot.calendars.next_change(site.snapshot.now))
                .min(),
            site,
            sources: read.sources,
            faults: read.faults,
            elsewhere: read.elsewhere,
            linked: read.linked,
        }
    }
}

/// An item or Page that the public does not see yet.
struct Dated {
    path: String,
    own: Status,
    shown: Status,
    date: Option<Timestamp>,
}

impl Dated {
    /// Why the public does not see it. None where it does.
    fn mark(&self, site: &Site) -> Option<String> {
        let date = self.date.filter(|date| *date > site.snapshot.now);
        let date = date.map(|date| {
            let zoned = date.to_zoned(site.snapshot.config.timezone.clone());
            zoned.strftime("%-d %B %Y, %H:%M %Z").to_string()
        });
        match (self.own, date) {
            (Status::Unpublished, Some(date)) => Some(format!("Draft, scheduled for {date}")),
            (Status::Unpublished, None) => Some("Draft".into()),
            (_, Some(date)) => Some(format!("Scheduled for {date}")),
            (_, None) => None,
        }
    }
}

/// The items and Pages that are drafts or dated in the future.
fn dated(site: &Site) -> Vec<Dated> {
    let snapshot = &site.snapshot;
    let is_kept = |own: Status, date: Option<Timestamp>| {
        own == Status::Unpublished || date.is_some_and(|date| date > snapshot.now)
    };
    let items = snapshot.waiting.iter().map(|entry| Dated {
        path: paths::item(&entry.segment),
        own: entry.item.status,
        shown: entry.status,
        date: entry.item.date_published,
    });
    let pages = snapshot
        .pages
        .iter()
        .filter(|entry| is_kept(entry.page.status, entry.page.date_published))
        .map(|entry| Dated {
            path: paths::page(entry.page.slug.as_str()),
            own: entry.page.status,
            shown: entry.status,
            date: entry.page.date_published,
        });
    items.chain(pages).collect()
}
