//! Reads a site from its folder.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use super::recordings::recordings;
use super::site::ReadContent;
use super::{Options, Site};
use model::{Config, ContentFolder, Diagnostic, Report, Visibility};
use site::{FolderSources, Snapshot, gather_network, needs_other_folders};
use source::library::Library;
use source::load::{load, load_config};
use source::show;
use source::show_folders::show_folders;
use source::sources::Sources;
use source::survey::Survey;
use theme::Theme;

/// Reads a site and creates its snapshot. Returns a site even if there are errors, so that one run
/// reports all errors. The built-in theme replaces an invalid theme. `tick` is called after each
/// item and page, from any thread.
pub fn read(options: &Options, tick: &(dyn Fn() + Sync)) -> (Option<Site>, Report) {
    let (mut site, report) = read_with(Library::of, options, Survey::of(&options.root), tick);
    if let Some(site) = &mut site {
        site.make_pictures();
        site.make_recordings();
    }
    (site, report)
}

/// Like [`read()`], for a caller that surveyed the site's files and renders all documents. Does not
/// make pictures or recordings. Of a site whose survey lists only the files of one show, reads the
/// other files too if the show depends on them.
pub fn read_surveyed(
    options: &Options,
    survey: Survey,
    tick: &(dyn Fn() + Sync),
) -> (Option<Site>, Report) {
    read_with(Library::read_for_rendering, options, survey, tick)
}

/// A function that reads the files of one content folder.
type ReadLibrary = fn(&Path, Survey, Config, &(dyn Fn() + Sync)) -> Library;

fn read_with(
    read_library: ReadLibrary,
    options: &Options,
    survey: Survey,
    tick: &(dyn Fn() + Sync),
) -> (Option<Site>, Report) {
    let (config, mut report) = read_site_config(options);
    let theme = match read_theme(options, &config) {
        Ok((theme, found)) => {
            report.extend(theme.manifest.warnings.clone());
            report.extend(found);
            Some(theme)
        }
        Err(found) => {
            // The rest of the site is checked with the built-in theme.
            report.extend(found);
            Theme::built_in().ok()
        }
    };
    let mut survey = survey;
    let surveys = std::mem::take(&mut survey.shows);
    let (configs, found) = show_configs(options, &config, surveys.iter().map(|own| &own.content));
    report.extend(found);
    let mut content = ReadContent::default();
    let visibility = options.visibility;
    let is_partial = survey.is_partial;
    let mut read = |survey: Survey, config: Config| {
        let is_partial = survey.is_partial;
        let library = read_library(&options.root, survey, config.clone(), tick);
        let sources = content.add(library, is_partial, &mut report);
        (config, sources)
    };
    let shows = surveys.into_iter().zip(configs);
    let shows: Vec<FolderSources> = shows.map(|(survey, config)| read(survey, config)).collect();
    let own = |show: &&FolderSources| options.show.as_ref() == Some(&show.0.content);
    if is_partial && shows.iter().find(own).is_some_and(needs_other_folders) {
        return read_with(read_library, options, Survey::of(&options.root), tick);
    }
    let site = read(survey, config);
    let (mut snapshot, found) = gather_network(&options.root, site, shows, visibility, None);
    report.extend(found);
    if let Some(show) = &options.show {
        snapshot = snapshot.into_site_of(show);
    }
    let Some(theme) = theme else {
        return (None, report);
    };
    let mut site = Site::new(snapshot, Arc::new(theme));
    let of_options = site.theme.option_files().cloned();
    content.outside_files.extend(of_options.filter(|path| !Survey::covers(path)));
    site.content = content;
    report.extend(site.path_report().clone());
    (Some(site), report)
}

impl ReadContent {
    /// Adds the files of a content folder. Only the facts about the files are kept, because changes
    /// to data that a library shares would copy the data.
    fn add(&mut self, mut library: Library, is_partial: bool, report: &mut Report) -> Sources {
        if !is_partial {
            self.unsaved.extend(library.unsaved());
        }
        self.young.extend(library.young().clone());
        let (sources, found) = library.sources();
        report.extend(found);
        let outside = library.looked_up().filter(|path| !Survey::covers(path));
        self.outside_files.extend(outside.cloned());
        self.bodies.push(Arc::clone(library.bodies()));
        sources
    }
}

/// Returns the configurations of shows, and the errors in their settings. `config` is the
/// configuration of the network.
pub fn show_configs<'c>(
    options: &Options,
    config: &Config,
    folders: impl Iterator<Item = &'c ContentFolder>,
) -> (Vec<Config>, Report) {
    let mut report = Report::default();
    let mut configs: Vec<Config> = folders
        .map(|folder| {
            let (show, found) = show::load(&options.root, config, folder);
            report.extend(found);
            show
        })
        .collect();
    report.extend(show::check(&options.root, config, &configs));
    configs.iter_mut().for_each(|show| set_address(options, show));
    (configs, report)
}

/// Sets the addresses of a show that is published as a separate site. The show is the site to
/// build, or another site links to it. A preview has the show below its path.
fn set_address(options: &Options, show: &mut Config) {
    let Some(own_url) = show.own_url.clone().filter(|_| !options.is_preview) else { return };
    show.mount = String::new();
    if options.show.as_ref() != Some(&show.content) {
        show.mount = show.mount_in_network().into_owned();
        return;
    }
    show.base_url = options.base_url.clone().unwrap_or(own_url);
    show.published_url.clone_from(&show.base_url);
    show.own_url = Some(show.base_url.clone());
}

/// Returns the shows that are published as separate sites.
pub fn shows_with_own_address(options: &Options) -> Vec<ContentFolder> {
    let (config, _) = load_config(&options.root);
    let mut shows = show_folders(&options.root);
    shows.retain(|show| has_own_address(options, &config, show));
    shows
}

fn has_own_address(options: &Options, config: &Config, show: &ContentFolder) -> bool {
    show::load(&options.root, config, show).0.own_url.is_some()
}

/// Returns the site's snapshot at the current time, without unreadable files. For commands that
/// list or count content and render nothing.
pub fn read_snapshot(options: &Options) -> Snapshot {
    let (config, _) = read_config(options);
    let visibility = Visibility { now: Timestamp::now(), ..options.visibility };
    let folders = show_folders(&options.root);
    let (configs, _) = show_configs(options, &config, folders.iter());
    let load = |config: Config| {
        let (sources, _) = load(&options.root, &config, &|| ());
        (config, sources)
    };
    let shows = configs.into_iter().map(load).collect();
    let (mut snapshot, _) = gather_network(&options.root, load(config), shows, visibility, None);
    let recordings = recordings(&options.root);
    snapshot.for_each_edition(&mut |own| own.recordings = Some(Arc::clone(&recordings)));
    snapshot
}

/// Reads the configuration of the site to build: of the network, or of a show that is published as a
/// separate site.
pub fn read_config(options: &Options) -> (Config, Report) {
    let (config, mut report) = read_site_config(options);
    let show = options.show.as_ref().filter(|show| has_own_address(options, &config, show));
    let (mut shows, found) = show_configs(options, &config, show.into_iter());
    let Some(show) = shows.pop() else { return (config, report) };
    report.extend(found);
    (Config { webhooks: config.webhooks, ..show }, report)
}

/// Reads `site.toml`. The address and theme in `options` override the values in the file, but the
/// address of a show that is published as a separate site leaves the network's address unchanged.
fn read_site_config(options: &Options) -> (Config, Report) {
    let (mut config, report) = load_config(&options.root);
    let is_of_show =
        || options.show.as_ref().is_some_and(|show| has_own_address(options, &config, show));
    if let Some(base_url) = options.base_url.as_ref().filter(|_| !is_of_show()) {
        config.base_url.clone_from(base_url);
        if !options.is_preview {
            config.published_url.clone_from(base_url);
        }
    }
    if let Some(theme) = &options.theme {
        config.theme.clone_from(theme);
    }
    (config, report)
}

/// Reads a site's theme, and validates the theme options that the site and its shows set. In the
/// templates, replaces the site's configured namespace with `service`, the namespace in feedwright's
/// own data.
pub fn read_theme(
    options: &Options,
    config: &Config,
) -> Result<(Theme, Vec<Diagnostic>), Vec<Diagnostic>> {
    let root = &options.root;
    let mut theme = Theme::load(root, &config.theme)?;
    theme.rename_namespace(&config.namespace, "service");
    let mut found = theme.choose(root, config);
    let (shows, _) = show_configs(options, config, show_folders(root).iter());
    for show in &shows {
        found.extend(theme.choose_for_show(root, config, show));
    }
    Ok((theme, found))
}
