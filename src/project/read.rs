//! Reads a site from its folder.

use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

use super::{Options, Site};
use crate::model::{Config, Diagnostic, Report, Visibility};
use crate::site::{Snapshot, gather};
use crate::source::library::Library;
use crate::source::load::{load, load_config};
use crate::theme::Theme;

/// Reads a site and gathers its parts. The site is there when its theme is, even when something
/// else is wrong, so that one run finds everything. `tick` is called after each item and Page, from any
/// thread.
pub fn read(options: &Options, tick: &(dyn Fn() + Sync)) -> (Option<Site>, Report) {
    let (config, mut report) = read_config(options);
    let theme = match read_theme(&options.root, &config) {
        Ok(theme) => {
            report.extend(theme.manifest.warnings.clone());
            Some(theme)
        }
        Err(found) => {
            // The rest of the site is checked with the theme that is always there.
            report.extend(found);
            Theme::built_in().ok()
        }
    };
    let library = Library::read(&options.root, config.clone(), tick);
    let (sources, found) = library.sources();
    report.extend(found);
    let elsewhere = library
        .asked()
        .filter(|path| !path.as_str().starts_with("content/"));
    let elsewhere = elsewhere.cloned().collect();
    // What it shares would have to be copied to be changed.
    drop(library);
    let (snapshot, found) = gather(&options.root, config, sources, options.visibility, None);
    report.extend(found);
    let Some(theme) = theme else {
        return (None, report);
    };
    let mut site = Site::new(snapshot, Arc::new(theme));
    site.elsewhere = elsewhere;
    report.extend(site.path_report().clone());
    (Some(site), report)
}

/// The items, Pages and events of a site as of now, whatever is wrong with others: for who counts or
/// lists them, and shows no document.
pub(crate) fn read_snapshot(options: &Options) -> Snapshot {
    let (config, _) = read_config(options);
    let (sources, _) = load(&options.root, &config, &|| ());
    let visibility = Visibility {
        now: Timestamp::now(),
        ..options.visibility
    };
    gather(&options.root, config, sources, visibility, None).0
}

/// Reads `site.toml`, with the address that a run gives the site.
pub(crate) fn read_config(options: &Options) -> (Config, Report) {
    let (mut config, report) = load_config(&options.root);
    if let Some(base_url) = &options.base_url {
        config.base_url.clone_from(base_url);
    }
    (config, report)
}

/// Reads a site's theme, whatever namespace the site's own templates are written in.
pub(crate) fn read_theme(root: &Path, config: &Config) -> Result<Theme, Vec<Diagnostic>> {
    let mut theme = Theme::load(root, &config.theme)?;
    theme.rename_namespace(&config.namespace, "service");
    Ok(theme)
}
