//! The library of a site's files. It caches the result of reading each file; such a result is
//! called a reading. After a change, only the changed files are read again.

mod cached_reading;
mod folder;
mod index;
mod readings;
mod unread;
mod versions;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cached_reading::CachedReading;
use folder::{Folder, RereadFiles};
use index::is_in;
pub use readings::UnsavedReadings;
use readings::{ReadingsFile, RecordSelection, Records};
use versions::Versions;

use super::body_reader::BodyReader;
use super::calendar::CalendarFile;
use super::content_files::{calendar_files, item_files, page_files};
use super::history::History;
use super::listing::{Listing, ListingChange, below};
use super::reading;
use super::reference;
use super::sources::Sources;
use super::stamp::Stamp;
use super::stray_files::may_be_stray;
use super::survey::Survey;
use local::scratch::Scratch;
use model::content_folder::{CALENDARS, ITEMS, MEDIA, PAGES};
use model::{
    Channel, Config, Diagnostic, Item, List, MediaFile, Page, Planet, Redirect, Report, SiteFile,
    SitePath,
};

/// Maximum number of bytes of unused bodies to keep in memory.
const MAX_UNUSED_BODY_BYTES: usize = 6 * 1024 * 1024;

/// If more paths than this may have changed, checking every file is faster than looking up each
/// path.
const MAX_TOUCHED_LOOKUPS: usize = 100;

/// Everything that was read from a site, except `site.toml` and the theme.
///
/// A file that can no longer be read keeps its last good version until it is fixed or removed.
#[derive(Debug)]
pub struct Library {
    root: PathBuf,
    config: Config,
    bodies: Arc<BodyReader>,
    readings: ReadingsFile,
    /// Number of records in the readings file. `None` if the file must be rewritten.
    saved: Option<usize>,
    /// The content files that changed so shortly before they were listed that their stamps cannot
    /// show a later change, each with the hash of the content that was read.
    young: HashMap<SitePath, u64>,
    channel: CachedReading<Channel>,
    items: Folder<Item>,
    pages: Folder<Page>,
    calendars: Folder<CalendarFile>,
    /// The history of the calendars' files in the repository. `None` while there are no calendars.
    history: Option<Arc<History>>,
    site_files: Folder<SiteFile>,
    redirects: CachedReading<Vec<Redirect>>,
    planet: CachedReading<Planet>,
    stored_media: CachedReading<()>,
    media: Listing,
    published: Arc<Vec<MediaFile>>,
    versions: Versions,
    waits: bool,
    /// Files below `content/` in folders that feedwright does not read.
    strays: Vec<SitePath>,
    /// The errors for named pipes, sockets and devices in `content/` itself.
    special: Vec<Diagnostic>,
}

impl Library {
    /// Reads a site's files in parallel. Files that an earlier run has read and that have not
    /// changed since are skipped. `tick` is called after each item and page is read, from any
    /// thread.
    pub fn read(root: &Path, config: Config, tick: &(dyn Fn() + Sync)) -> Self {
        let survey = Survey::of_folder(root, config.content.clone());
        Self::of(root, survey, config, tick)
    }

    /// Reads a site like [`read`](Self::read), with the files that `survey` already lists.
    pub fn of(root: &Path, survey: Survey, config: Config, tick: &(dyn Fn() + Sync)) -> Self {
        Self::with_scratch(root, survey, config, None, tick)
    }

    /// Reads a site like [`of`](Self::of). The caller renders all documents, so bodies that do not
    /// fit in memory are kept in a temporary file.
    pub fn read_for_rendering(
        root: &Path,
        survey: Survey,
        config: Config,
        tick: &(dyn Fn() + Sync),
    ) -> Self {
        Self::with_scratch(root, survey, config, Some(Scratch::of(root)), tick)
    }

    fn with_scratch(
        root: &Path,
        survey: Survey,
        config: Config,
        scratch: Option<Scratch>,
        tick: &(dyn Fn() + Sync),
    ) -> Self {
        let bodies = BodyReader::new(root, &config, MAX_UNUSED_BODY_BYTES, scratch);
        let file = ReadingsFile::of(root, &config);
        let readings = file.load(&bodies);
        let mut library = Self {
            root: root.to_path_buf(),
            bodies,
            readings: file,
            saved: readings.in_file,
            young: HashMap::new(),
            config,
            channel: CachedReading::default(),
            items: Folder::with_readings(readings.items),
            pages: Folder::with_readings(readings.pages),
            calendars: Folder::default(),
            history: None,
            site_files: Folder::default(),
            redirects: CachedReading::default(),
            planet: CachedReading::default(),
            stored_media: CachedReading::default(),
            media: Listing::default(),
            published: Arc::default(),
            versions: Versions::default(),
            waits: false,
            strays: Vec::new(),
            special: Vec::new(),
        };
        let young = survey.young();
        library.adopt(survey);
        // git takes as long as reading the files, so both run at the same time.
        let root = library.root.clone();
        let has_calendars = library.calendars.has_files();
        let calendars = library.config.content.join(CALENDARS);
        std::thread::scope(|scope| {
            let history = has_calendars.then(|| scope.spawn(|| History::of(&root, &calendars)));
            let root = library.root.clone();
            let differs = |path: &SitePath, stamp: Stamp| !stamp.holds(&path.on_disk(&root));
            library.reread(RereadFiles::Doubtful(&differs), tick);
            let history = history.and_then(|history| history.join().ok());
            library.history = history.map(Arc::new);
        });
        let read = |path: SitePath| {
            let hash = library.items.hash(&path).or_else(|| library.pages.hash(&path))?;
            Some((path, hash))
        };
        library.young = young.into_iter().filter_map(read).collect();
        library
    }

    /// Makes the library wait for files that are being saved in place. Until such a file is
    /// complete, for one second at most, its last complete reading is used. See
    /// [`Library::incomplete_files`].
    #[must_use]
    pub fn wait_for_saves(mut self) -> Self {
        self.waits = true;
        // The indexes are built now, so that the first save does not have to wait.
        self.items.make_index();
        self.pages.make_index();
        self.calendars.make_index();
        self.site_files.make_index();
        self
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the reader that rereads the bodies of items and pages.
    pub fn bodies(&self) -> &Arc<BodyReader> {
        &self.bodies
    }

    /// Returns the current configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Rereads the touched files, and the files that depend on them. A touched folder includes
    /// everything below it. Created, removed and renamed files count as touched, a renamed file
    /// under both names. Returns whether anything changed.
    pub fn refresh(&mut self, touched: &[SitePath]) -> bool {
        // With symbolic links, a file may have several names. If many paths were touched, checking
        // every file is faster than looking up each path.
        if self.has_links() || touched.len() > MAX_TOUCHED_LOOKUPS {
            return self.rescan();
        }
        let (listed, has_new) =
            self.list(|listing, folder, root| listing.update(root, folder, touched));
        let strays = touched.iter().any(may_be_stray) && self.find_strays();
        self.load_history();
        let is_touched = |path: &SitePath, _| {
            touched
                .iter()
                .any(|touched| path == touched || below(path.as_str(), touched.as_str()).is_some())
        };
        let due = RereadFiles::Touched { paths: touched, has_new, suspect: &is_touched };
        listed | strays | self.reread(due, &|| ())
    }

    /// Checks every file, and rereads files that have changed or may have changed. The result is
    /// correct regardless of missed changes. Returns whether anything changed.
    pub fn rescan(&mut self) -> bool {
        let (listed, _) =
            self.list(|listing, folder, root| ListingChange::of(listing.walk_again(root, folder)));
        let strays = self.find_strays();
        self.load_history();
        let root = self.root.clone();
        let differs = |path: &SitePath, stamp: Stamp| !stamp.holds(&path.on_disk(&root));
        listed | strays | self.reread(RereadFiles::Doubtful(&differs), &|| ())
    }

    /// Replaces the configuration. Rereads everything if the new configuration changes how files
    /// are read. Returns whether anything changed.
    pub fn reconfigure(&mut self, config: Config) -> bool {
        let reads_the_same = self.config.reading_hash() == config.reading_hash();
        if !reads_the_same {
            self.bodies = BodyReader::new(&self.root, &config, MAX_UNUSED_BODY_BYTES, None);
            self.readings = ReadingsFile::of(&self.root, &config);
            self.saved = None;
            self.items.forget_files();
            self.pages.forget_files();
            self.calendars.forget_files();
            self.versions.is_outdated = true;
        }
        let planet = self.config.aggregate != config.aggregate
            && self.planet.take(reading::planet(&self.root, &config), || false);
        self.config = config;
        planet | (!reads_the_same && self.reread(RereadFiles::Doubtful(&|_, _| true), &|| ()))
    }

    /// Returns the content files that changed so shortly before they were listed that their stamps
    /// cannot show a later change, each with the hash of the content that was read.
    pub fn young(&self) -> &HashMap<SitePath, u64> {
        &self.young
    }

    /// Returns the readings that are not saved in local state yet. The readings count as saved
    /// after this call.
    pub fn unsaved(&mut self) -> Option<UnsavedReadings> {
        let files = self.items.files().len() + self.pages.files().len();
        // With too many outdated records, the file is rewritten.
        let saved = self.saved.filter(|saved| *saved <= 2 * files + 100);
        let chosen = match saved {
            Some(_) => RecordSelection::Unsaved,
            None => RecordSelection::All,
        };
        let mut records = Records::default();
        records.items(self.items.files(), chosen);
        records.pages(self.pages.files(), chosen);
        let looked_up: HashSet<&SitePath> = self.looked_up().collect();
        records.media(&mut self.bodies.media().known(), &looked_up, chosen);
        self.items.is_saved();
        self.pages.is_saved();
        if chosen == RecordSelection::Unsaved && records.is_empty() {
            return None;
        }
        self.saved = Some(saved.unwrap_or_default() + records.len());
        Some(self.readings.clone().unsaved(records, chosen))
    }

    /// Returns the content that was read, and the problems found.
    pub fn sources(&self) -> (Sources, Report) {
        let sources = Sources {
            channel: self.channel.shared().map(|(channel, _)| channel).unwrap_or_default(),
            items: self.items_with_versions(),
            pages: self.pages.last_valid().clone(),
            calendars: self.calendars.last_valid().clone(),
            history: self.history.clone().unwrap_or_default(),
            site_files: self
                .site_files
                .last_valid()
                .iter()
                .map(|(file, _)| Arc::clone(file))
                .collect(),
            redirects: self.redirects.shared().map(|(redirects, _)| redirects).unwrap_or_default(),
            planet: self.planet.shared().map(|(planet, _)| planet).unwrap_or_default(),
            media: Arc::clone(&self.published),
        };
        let found = self
            .channel
            .found
            .iter()
            .chain(self.items.found())
            .chain(self.problems_of_versions())
            .chain(self.pages.found())
            .chain(self.calendars.found())
            .chain(&self.media.found)
            .chain(self.site_files.found())
            .chain(&self.redirects.found)
            .chain(&self.planet.found)
            .chain(&self.stored_media.found)
            .chain(&self.special);
        let mut report = Report::default();
        report.extend(found.cloned());
        report.extend(self.unread());
        (sources, report)
    }

    /// Returns every path, other than its own, that a content file looked up, whether the path
    /// exists or not. Some paths occur more than once.
    pub fn looked_up(&self) -> impl Iterator<Item = &SitePath> {
        let content = self.items.looked_up().into_iter().chain(self.pages.looked_up());
        let content = content.chain(self.versions.files());
        let all = content.chain(self.calendars.looked_up()).chain(self.site_files.looked_up());
        let singles = self.channel.looked_up.iter().chain(&self.planet.looked_up);
        all.chain(singles.map(|(path, _)| path))
    }

    /// Returns the paths outside these folders of the site that a content file looked up, whether
    /// the paths exist or not. Some paths occur more than once.
    pub fn lookups_outside(&self, folders: &[&str]) -> Vec<&SitePath> {
        let channel = self.channel.looked_up.iter().map(|(path, _)| path);
        let mut all = self.items.lookups_outside(folders);
        all.extend(self.pages.lookups_outside(folders));
        all.extend(self.calendars.lookups_outside(folders));
        all.extend(self.site_files.lookups_outside(folders));
        all.extend(channel.filter(|path| !is_in(path, folders)));
        all
    }

    /// Returns whether a content file looked up a path. The folders must have indexes.
    fn is_looked_up(&self, path: &SitePath) -> bool {
        self.items.is_looked_up(path)
            || self.pages.is_looked_up(path)
            || self.calendars.is_looked_up(path)
            || self.site_files.is_looked_up(path)
            || self.channel.looked_up.iter().any(|(looked_up, _)| looked_up == path)
            || self.versions.files().any(|file| file == path)
    }

    /// Returns the files and folders of the site that symbolic links in its folders point to.
    pub fn linked(&self) -> impl Iterator<Item = &SitePath> {
        self.listings().flat_map(|listing| &listing.linked)
    }

    /// Returns the files that were being saved when they were last read. Their previous readings
    /// are kept.
    pub fn incomplete_files(&self) -> impl Iterator<Item = &SitePath> {
        let content =
            self.items.incomplete_files().into_iter().chain(self.pages.incomplete_files());
        let others = self.calendars.incomplete_files();
        content.chain(others).chain(self.site_files.incomplete_files())
    }

    fn has_links(&self) -> bool {
        self.listings().any(|listing| listing.has_links)
    }

    fn listings(&self) -> impl Iterator<Item = &Listing> {
        let content = [&self.items.listing, &self.pages.listing];
        let others = [&self.calendars.listing, &self.site_files.listing, &self.media];
        content.into_iter().chain(others)
    }

    /// Reads the history of the calendars once the site has a calendar.
    fn load_history(&mut self) {
        if self.history.is_none() && self.calendars.has_files() {
            let history = History::of(&self.root, &self.config.content.join(CALENDARS));
            self.history = Some(Arc::new(history));
        }
    }

    /// Sets the library's files to the files that `survey` lists.
    fn adopt(&mut self, survey: Survey) {
        self.strays = survey.strays;
        self.special = survey.special;
        self.items.start(survey.items, item_files);
        let items = &self.items.listing.files;
        self.pages.start(survey.pages, |files| page_files(items, files));
        self.calendars.start(survey.calendars, calendar_files);
        let all = |files: &[SitePath]| (files.to_vec(), Vec::new());
        self.site_files.start(survey.site_files, all);
        self.media = survey.media.listing;
        self.versions.is_outdated = true;
        self.publish_media();
    }

    fn publish_media(&mut self) {
        let files = self.media.files.iter().cloned();
        self.published = Arc::new(files.map(reference::publish).collect());
    }

    /// Updates the listings of all folders with `look`. Returns whether a listing changed, and
    /// whether some files may never have been read.
    fn list(&mut self, look: impl Fn(&mut Listing, &str, &Path) -> ListingChange) -> (bool, bool) {
        let content = &self.config.content;
        let in_site = |listing: &mut Listing, folder: &str| look(listing, folder, &self.root);
        let look = |listing: &mut Listing, name: &str| in_site(listing, &content.join(name));
        let items = self.items.list(|listing| look(listing, ITEMS), item_files);
        let listed = &self.items.listing.files;
        let pages =
            self.pages.list(|listing| look(listing, PAGES), |files| page_files(listed, files));
        // A section may have been added or removed.
        if items.1 {
            self.pages.adopt(|files| page_files(listed, files));
        }
        let all = [
            items,
            pages,
            self.calendars.list(|listing| look(listing, CALENDARS), calendar_files),
            self.site_files.list(
                |listing| match content.show() {
                    Some(_) => ListingChange::Same,
                    None => in_site(listing, SiteFile::FOLDER),
                },
                |files| (files.to_vec(), Vec::new()),
            ),
        ];
        let media = look(&mut self.media, MEDIA) != ListingChange::Same;
        if media {
            self.publish_media();
        }
        let changed = all.iter().any(|(changed, _)| *changed);
        self.versions.is_outdated |= media || changed;
        (media || changed, all.iter().any(|(_, has_new)| *has_new))
    }

    /// Rereads the files in `due`, and rereads the channel and the redirects if they depend on a
    /// file that may have changed. Returns whether anything changed.
    fn reread(&mut self, due: RereadFiles<'_>, tick: &(dyn Fn() + Sync)) -> bool {
        let suspect = due.suspect();
        let (root, config, bodies) = (&self.root, &self.config, &self.bodies);
        let channel = self.channel.is_due(None, suspect)
            && self.channel.take(reading::channel(root, config), || false);
        let is_awaited = |path: &SitePath| self.waits && reading::is_young(root, path);
        let items = self.items.reread(root, due, is_awaited, |path| {
            let read = reading::content(root, config, path, Some(bodies));
            tick();
            read
        });
        let pages = self.pages.reread(root, due, is_awaited, |path| {
            let read = reading::content(root, config, path, Some(bodies));
            tick();
            read
        });
        let calendars = self
            .calendars
            .reread(root, due, is_awaited, |path| reading::content(root, config, path, None));
        let site_files =
            self.site_files.reread(root, due, is_awaited, |path| reading::site_file(root, path));
        let redirects = self.redirects.is_due(None, suspect)
            && self.redirects.take(reading::redirects(root, config), || false);
        let planet = self.planet.is_due(None, suspect)
            && self.planet.take(reading::planet(root, config), || false);
        let is_stored_due = self.stored_media.is_due(None, suspect);
        let stored_media =
            is_stored_due && self.stored_media.take(reading::stored_media(root), || false);
        self.versions.is_outdated |= is_stored_due;
        let versions = self.find_versions(channel | items | pages | calendars, suspect);
        let singles = channel | redirects | planet | stored_media;
        singles | items | pages | calendars | site_files | versions
    }
}

/// Reads only the files of calendars. Returns the files, each with a fingerprint, and the problems
/// found.
pub fn read_calendars(root: &Path, config: &Config) -> (List<(Arc<CalendarFile>, u64)>, Report) {
    let mut folder = Folder::<CalendarFile>::default();
    folder.listing.walk_again(root, &config.content.join(CALENDARS));
    folder.adopt(calendar_files);
    folder.reread(
        root,
        RereadFiles::Doubtful(&|_, _| false),
        |_| false,
        |path| reading::content(root, config, path, None),
    );
    let mut report = Report::default();
    report.extend(folder.found().cloned());
    (folder.last_valid().clone(), report)
}
