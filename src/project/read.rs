//! Reads a site from its folder.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use super::recordings::recordings;
use super::{Options, Site};
use model::{Config, Diagnostic, Report, Visibility};
use site::{Snapshot, gather};
use source::library::Library;
use source::load::{load, load_config};
use source::survey::Survey;
use theme::Theme;

/// Reads a site and creates its snapshot. Returns a site even if there are errors, so that one run
/// reports all errors. The built-in theme replaces an invalid theme. `tick` is called after each
/// item and page, from any thread.
pub fn read(options: &Options, tick: &(dyn Fn() + Sync)) -> (Option<Site>, Report) {
    let (mut site, report) = read_surveyed(options, Survey::of(&options.root), tick);
    if let Some(site) = &mut site {
        site.make_pictures();
        site.make_recordings();
    }
    (site, report)
}

/// Like [`read()`], but with an existing survey of the site's files.
pub fn read_surveyed(
    options: &Options,
    survey: Survey,
    tick: &(dyn Fn() + Sync),
) -> (Option<Site>, Report) {
    let (config, mut report) = read_config(options);
    let theme = match read_theme(&options.root, &config) {
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
    let mut library = Library::of(&options.root, survey, config.clone(), tick);
    let unsaved = library.unsaved();
    let young = library.young().clone();
    let (sources, found) = library.sources();
    report.extend(found);
    let of_options = theme.iter().flat_map(|theme| &theme.options.files);
    let outside_files =
        library.looked_up().chain(of_options).filter(|path| !path.as_str().starts_with("content/"));
    let outside_files = outside_files.cloned().collect();
    let bodies = Arc::clone(library.bodies());
    // Drop the library before gathering. While the library exists, changes to shared data would
    // copy the data.
    drop(library);
    let (snapshot, found) = gather(&options.root, config, sources, options.visibility, None);
    report.extend(found);
    let Some(theme) = theme else {
        return (None, report);
    };
    let mut site = Site::new(snapshot, Arc::new(theme));
    site.outside_files = outside_files;
    site.bodies = Some(bodies);
    site.unsaved = unsaved;
    site.young = young;
    report.extend(site.path_report().clone());
    (Some(site), report)
}

/// Returns the site's snapshot at the current time, without unreadable files. For commands that
/// list or count content and render nothing.
pub fn read_snapshot(options: &Options) -> Snapshot {
    let (config, _) = read_config(options);
    let (sources, _) = load(&options.root, &config, &|| ());
    let visibility = Visibility { now: Timestamp::now(), ..options.visibility };
    let (mut snapshot, _) = gather(&options.root, config, sources, visibility, None);
    snapshot.recordings = Some(recordings(&options.root));
    snapshot
}

/// Reads `site.toml`. The address and theme in `options` override the values in the file.
pub fn read_config(options: &Options) -> (Config, Report) {
    let (mut config, report) = load_config(&options.root);
    if let Some(base_url) = &options.base_url {
        config.base_url.clone_from(base_url);
    }
    if let Some(theme) = &options.theme {
        config.theme.clone_from(theme);
    }
    (config, report)
}

/// Reads a site's theme, and validates the theme options that the site sets. In the templates,
/// replaces the site's configured namespace with `service`, the namespace in feedwright's own data.
pub fn read_theme(
    root: &Path,
    config: &Config,
) -> Result<(Theme, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut theme = Theme::load(root, &config.theme)?;
    theme.rename_namespace(&config.namespace, "service");
    let found = theme.choose(root, config);
    Ok((theme, found))
}
