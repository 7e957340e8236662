//! Reads a whole site. No other module of this crate uses this one.

use std::path::Path;

use super::config;
use super::disk::Disk;
use super::library::Library;
use super::sources::Sources;
use super::text::{read_inside, read_text};
use model::{Config, Report, SitePath};

/// Reads `site.toml`.
pub fn load_config(root: &Path) -> (Config, Report) {
    let mut report = Report::default();
    let Some(path) = SitePath::parse("site.toml") else {
        return (Config::default(), report);
    };
    let disk = Disk::new(root);
    // For a missing `site.toml`, `read_text` reports a different error.
    let text = if path.on_disk(root).exists() {
        read_inside(&disk, root, &path)
    } else {
        read_text(root, &path)
    };
    match text {
        Ok(text) => {
            let (config, found) = config::read(root, &text);
            report.extend(found);
            (config, report)
        }
        Err(error) => {
            report.push(error);
            (Config::default(), report)
        }
    }
}

/// Reads all files of a site except `site.toml`. `tick` is called after each content file, from any
/// thread.
pub fn load(root: &Path, config: &Config, tick: &(dyn Fn() + Sync)) -> (Sources, Report) {
    Library::read(root, config.clone(), tick).sources()
}
