//! Reads a site, then rereads changed files. Keeps the last good version of a broken file.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;

use super::moment::{Moment, ReadSite};
use super::show_reader::ShowReader;
use super::touched::Touched;
use model::{Config, ContentFolder, Diagnostic, Report, SitePath};
use project::{Options, Site, read_config, read_theme};
use site::{FolderSources, gather_network};
use source::library::{Library, UnsavedReadings};
use source::reference::publish;
use source::show_folders::SHOW_FILE;
use theme::Theme;

/// The folders that contain a site's files. They are next to `site.toml`.
pub const FOLDERS: [&str; 4] = ["content", ContentFolder::SHOWS, "site-files", "themes"];

/// All data read from a site. Keeping the data avoids reading unchanged files again.
pub struct SiteReader {
    options: Options,
    config: Config,
    config_faults: Report,
    theme: Arc<Theme>,
    theme_faults: Report,
    /// The files that the theme's options refer to, even if the options have errors.
    option_files: BTreeSet<SitePath>,
    library: Library,
    shows: ShowReader,
    /// Whether changed files were read that are not part of a [`Moment`] yet.
    is_ahead: bool,
}

/// The result of [`SiteReader::refresh`].
pub enum Refreshed {
    Same,
    Changed(Box<ReadSite>),
    /// The site's folder is missing, perhaps only while it is renamed. Anything read while it was
    /// missing is wrong, so the whole site must be read again.
    Gone,
}

impl SiteReader {
    /// Reads a site. Returns an error if not even the built-in theme can be read.
    pub fn start(options: Options) -> Result<(Self, ReadSite), Report> {
        let (config, config_faults) = read_config(&options);
        let (theme, theme_faults) = match read_theme(&options, &config) {
            Ok((theme, found)) => (theme, report(found)),
            Err(found) => (built_in(&config)?, report(found)),
        };
        let library = Library::read(&options.root, config.clone(), &|| ()).wait_for_saves();
        let shows = ShowReader::start(&options, &config);
        let reader = Self {
            options,
            config,
            config_faults,
            option_files: theme.option_files().cloned().collect(),
            theme: Arc::new(theme),
            theme_faults,
            library,
            shows,
            is_ahead: false,
        };
        let read = reader.gather(None);
        Ok((reader, read))
    }

    /// Reads the files in `touched` again.
    pub fn refresh(&mut self, touched: &Touched, last: &Moment) -> Refreshed {
        let mut changed = self.is_ahead;
        changed |= touched.paths.iter().any(|path| is_shown(path, last));
        if touched.has("site.toml") {
            changed |= self.refresh_config();
        }
        let of_options = &self.option_files;
        let is_of_theme = touched.has("themes")
            || touched.has("site.toml")
            || touched.paths.iter().any(is_of_show_settings)
            || of_options.iter().any(|file| touched.has_file(file));
        if is_of_theme {
            changed |= self.refresh_theme();
        }
        let paths: Vec<SitePath> = touched.paths.iter().cloned().collect();
        changed |=
            if touched.everything { self.library.rescan() } else { self.library.refresh(&paths) };
        if touched.has(ContentFolder::SHOWS) || touched.has("site.toml") {
            changed |= self.shows.configure(&self.options, &self.config);
        }
        changed |= self.shows.refresh(touched, &paths);
        let is_there = self.options.root.is_dir();
        self.is_ahead = changed && !is_there;
        match (is_there, changed) {
            (false, _) => Refreshed::Gone,
            (true, false) => Refreshed::Same,
            (true, true) => Refreshed::Changed(Box::new(self.gather(Some(last)))),
        }
    }

    /// Returns newly parsed files, to be cached in `.feedwright/`.
    pub fn unsaved(&mut self) -> Vec<UnsavedReadings> {
        self.library.unsaved().into_iter().chain(self.shows.unsaved()).collect()
    }

    /// Saves the cache of code blocks.
    pub fn save_code_cache(&self) {
        // If the save fails, the next start processes the code blocks again.
        let _ = self.library.bodies().code().save();
    }

    /// Returns the files that were being saved when they were read. Their old content stays in use.
    /// The caller must touch these files again a little later.
    pub fn incomplete_files(&self) -> Vec<SitePath> {
        self.libraries().flat_map(Library::incomplete_files).cloned().collect()
    }

    fn libraries(&self) -> impl Iterator<Item = &Library> {
        [&self.library].into_iter().chain(self.shows.libraries())
    }

    /// Returns the site at the current time, without reading files again.
    pub fn at_current_time(&self, last: &Moment) -> ReadSite {
        self.gather(Some(last))
    }

    /// Reads `site.toml` again. If the file has errors, keeps the last good configuration and
    /// records the errors.
    fn refresh_config(&mut self) -> bool {
        let (config, faults) = read_config(&self.options);
        let broken = faults.has_errors();
        self.config_faults = faults;
        if !broken {
            self.library.reconfigure(config.clone());
            self.config = config;
        }
        true
    }

    /// Reads the theme and its options again. If the theme or an option has errors, keeps the last
    /// good theme and records the errors.
    fn refresh_theme(&mut self) -> bool {
        let (theme, found) = match read_theme(&self.options, &self.config) {
            Ok((theme, found)) => (Some(theme), report(found)),
            Err(found) => (None, report(found)),
        };
        if let Some(theme) = &theme {
            self.option_files = theme.option_files().cloned().collect();
        }
        let theme = theme.filter(|_| !found.has_errors());
        let same = theme.as_ref().map(|theme| &theme.hash) == Some(&self.theme.hash)
            && found == self.theme_faults;
        if let Some(theme) = theme {
            self.theme = Arc::new(theme);
        }
        self.theme_faults = found;
        !same
    }

    fn gather(&self, last: Option<&Moment>) -> ReadSite {
        let mut visibility = self.options.visibility;
        visibility.now = Timestamp::now();
        let (sources, mut report) = self.library.sources();
        report.extend(self.config_faults.clone());
        report.extend(self.theme_faults.clone());
        report.extend(self.theme.manifest.warnings.clone());
        let (shows, found) = self.shows.sources();
        report.extend(found);
        let by_name = |(config, sources): &FolderSources| {
            (config.content.show().unwrap_or_default().to_owned(), sources.clone())
        };
        let show_sources = shows.iter().map(by_name).collect();
        let (snapshot, found) = gather_network(
            &self.options.root,
            (self.config.clone(), sources.clone()),
            shows,
            visibility,
            last.map(Moment::as_previous),
        );
        report.extend(found);
        let mut site = Site::new(snapshot, Arc::clone(&self.theme));
        site.make_pictures();
        site.make_recordings();
        ReadSite {
            site,
            sources,
            show_sources,
            faults: report.sorted(),
            outside_files: self
                .libraries()
                .flat_map(|library| library.lookups_outside(&FOLDERS))
                .chain(self.option_files.iter().filter(is_outside))
                .cloned()
                .collect(),
            linked: self
                .libraries()
                .flat_map(Library::linked)
                .filter(is_outside)
                .cloned()
                .collect(),
        }
    }
}

fn is_outside(path: &&SitePath) -> bool {
    let top = path.as_str().split('/').next();
    !top.is_some_and(|top| FOLDERS.contains(&top))
}

/// Whether a path is a media file that pages may show. If only the bytes of such a file change, the
/// site stays the same, but open pages must be reloaded.
fn is_shown(path: &SitePath, moment: &Moment) -> bool {
    let media = &moment.site.snapshot.media;
    let own = publish(path.clone());
    let found = media.binary_search_by(|medium| medium.path.cmp(&own.path));
    found.is_ok_and(|at| media[at].source == *path)
}

fn built_in(config: &Config) -> Result<Theme, Report> {
    let mut theme = Theme::built_in().map_err(report)?;
    theme.rename_namespace(&config.namespace, "service");
    Ok(theme)
}

fn report(found: Vec<Diagnostic>) -> Report {
    let mut report = Report::default();
    report.extend(found);
    report
}

/// Returns whether a touched path is a `show.toml`, or a folder with one.
fn is_of_show_settings(path: &SitePath) -> bool {
    match ContentFolder::split(path.as_str()) {
        Some((_, inner)) => inner == SHOW_FILE,
        None => path.as_str().starts_with(ContentFolder::SHOWS),
    }
}
